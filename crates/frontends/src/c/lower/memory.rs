//! Places in memory and pointers: what expressions denote that are no integers.

use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::{At, Lower, Result};
use crate::c::ast::{self, ExprKind, Length, Type};
use crate::c::ir::{
    Base, Contents, Count, Expr, ExprKind as Ir, MemPlace, Memory, ObjId, Object, OpKind, Pointer,
    VarId, Way,
};
use crate::c::types::{BinaryOp, IntType};

/// What can be assigned to.
pub(super) enum Target {
    Var(VarId),
    Place(MemPlace),
}

/// The value of an expression.
pub(super) enum Operand {
    Num(Expr),
    /// With the type behind it.
    Pointer(Pointer, Type),
    /// A structure in memory.
    Struct(MemPlace, Type),
    Nothing,
}

impl<'a> Lower<'a> {
    pub(super) fn memory(&mut self, op: Memory, span: Span) {
        self.op(OpKind::Memory(op), span);
    }

    pub(super) fn not_supported(span: Span, what: &str) -> Diagnostic {
        Diagnostic::error(span, format!("{what} is not supported"))
            .label("not supported")
            .help("docs/c.md says what is supported of pointers, arrays and structures")
    }

    /// A new variable that holds a pointer.
    pub(super) fn pointer_var(&mut self) -> VarId {
        self.program.add_pointer("pointer", false, true)
    }

    /// In a variable, so that it can be kept.
    pub(super) fn held(&mut self, pointer: Pointer, span: Span) -> VarId {
        if let Pointer::Var(var) = pointer {
            return var;
        }
        let var = self.pointer_var();
        self.memory(Memory::Point(var, pointer), span);
        var
    }

    /// A new object, which does not live yet.
    pub(super) fn object(
        &mut self,
        name: &str,
        ty: Type,
        global: bool,
        span: Span,
    ) -> Result<ObjId> {
        let (element, count) = match ty {
            Type::Array(of, length) => (self.program.shapes.get(of), self.count(length, span)?),
            ty => (ty, Count::Known(1)),
        };
        if let Some(what) = self.program.shapes.unsupported(element) {
            let message = format!("`{name}` is {what}, which is not supported");
            return Err(Diagnostic::error(span, message)
                .label("not supported")
                .help("docs/c.md says what is supported of pointers, arrays and structures"));
        }
        self.program.objects.push(Object {
            name: name.to_owned(),
            element,
            count,
            global,
        });
        Ok(ObjId(self.program.objects.len() as u32 - 1))
    }

    pub(super) fn count(&mut self, length: Length, span: Span) -> Result<Count> {
        match length {
            Length::Known(n) => Ok(Count::Known(n)),
            Length::Open => Err(
                Diagnostic::error(span, "the length of this array is not known")
                    .label("expected a number in the brackets, or a list of values"),
            ),
            Length::Variable(number) => {
                let Some(Some(var)) = self.program.lengths.get(number as usize) else {
                    return Err(Diagnostic::error(
                        span,
                        "the length of this array is not known",
                    ));
                };
                Ok(Count::Variable(*var))
            }
        }
    }

    /// Computes the lengths that a type asks for.
    pub(super) fn lengths(&mut self, ty: Type) -> Result<()> {
        let mut ty = ty;
        while let Type::Array(of, length) = ty {
            if let Length::Variable(number) = length {
                let expr: &'a ast::Expr = &self.length_exprs[number as usize];
                let value = self.value(expr)?;
                let value = self.converted(value, IntType::LongLong);
                let var = self
                    .program
                    .add_var("length", IntType::LongLong, false, true);
                self.op(OpKind::Assign(var, value), expr.span);
                self.program.lengths[number as usize] = Some(var);
            }
            ty = self.program.shapes.get(of);
        }
        Ok(())
    }

    pub(super) fn place_of(object: ObjId, ty: Type, span: Span) -> MemPlace {
        let path = match ty {
            Type::Array(..) => Vec::new(),
            _ => vec![Way::Index(index(0, span))],
        };
        MemPlace {
            base: Base::Object(object),
            path,
        }
    }

    /// What an expression denotes that can be assigned to, with its type.
    pub(super) fn target(&mut self, expr: &'a ast::Expr) -> Result<(Target, Type)> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => {
                let Some(binding) = self.binding(name) else {
                    return Err(self.unknown(name, span));
                };
                Ok(match binding.at {
                    At::Var(var) => (Target::Var(var), binding.ty),
                    At::Object(id) => (
                        Target::Place(Self::place_of(id, binding.ty, span)),
                        binding.ty,
                    ),
                })
            }
            ExprKind::Text(bytes) => {
                let id = self.text(bytes, span)?;
                let ty = self.type_of(expr)?;
                Ok((Target::Place(Self::place_of(id, ty, span)), ty))
            }
            ExprKind::Index(a, b) => {
                let first = self.type_of(a)?;
                let (array, at) = match self.behind(first) {
                    Some(_) => (a, b),
                    None => (b, a),
                };
                let ty = self.type_of(array)?;
                if let Type::Array(of, _) = ty
                    && let (Target::Place(mut place), _) = self.target(array)?
                {
                    self.keep(&mut place, at);
                    let at = self.index(at)?;
                    place.path.push(Way::Index(at));
                    return Ok((Target::Place(place), self.program.shapes.get(of)));
                }
                let (pointer, of) = self.pointer(array)?;
                let pointer = match self.has_effect(at) {
                    true => Pointer::Var(self.kept(pointer, span)),
                    false => pointer,
                };
                let at = self.index(at)?;
                let place = self.place_behind(pointer, Some(at), span);
                Ok((Target::Place(place), of))
            }
            ExprKind::Member(a, name) => {
                let (place, ty) = match self.operand(a)? {
                    Operand::Struct(place, ty) => (place, ty),
                    _ => {
                        let ty = self.type_of(a)?;
                        self.field(ty, name, span)?;
                        return Err(Self::not_supported(span, "a part of this"));
                    }
                };
                let (at, ty) = self.field(ty, name, span)?;
                let mut place = place;
                place.path.push(Way::Field(at));
                Ok((Target::Place(place), ty))
            }
            ExprKind::Deref(a) => {
                self.type_of(expr)?;
                let (pointer, of) = self.pointer(a)?;
                Ok((Target::Place(self.place_behind(pointer, None, span)), of))
            }
            _ => Err(Diagnostic::error(span, "this cannot be assigned to")
                .label("expected a variable or a place in memory")),
        }
    }

    /// Values that a later expression could change are kept.
    pub(super) fn keep(&mut self, place: &mut MemPlace, later: &'a ast::Expr) {
        if self.has_effect(later) {
            self.keep_all(place);
        }
    }

    pub(super) fn keep_all(&mut self, place: &mut MemPlace) {
        if let Base::Pointer(var) = place.base {
            place.base = Base::Pointer(self.kept(Pointer::Var(var), Span::default()));
        }
        for way in &mut place.path {
            if let Way::Index(e) | Way::Shift(e) = way {
                *e = self.saved(e.clone());
            }
        }
    }

    /// In a variable of its own.
    pub(super) fn kept(&mut self, pointer: Pointer, span: Span) -> VarId {
        let var = self.pointer_var();
        self.memory(Memory::Point(var, pointer), span);
        var
    }

    pub(super) fn index(&mut self, expr: &'a ast::Expr) -> Result<Expr> {
        let value = self.value(expr)?;
        Ok(self.converted(value, IntType::LongLong))
    }

    pub(super) fn place_behind(
        &mut self,
        pointer: Pointer,
        shift: Option<Expr>,
        span: Span,
    ) -> MemPlace {
        let mut place = match pointer {
            Pointer::Address(place) => place,
            other => MemPlace {
                base: Base::Pointer(self.held(other, span)),
                path: Vec::new(),
            },
        };
        if let Some(by) = shift {
            self.shift(&mut place, by, span);
        }
        place
    }

    pub(super) fn shift(&mut self, place: &mut MemPlace, by: Expr, span: Span) {
        if matches!(&by.kind, Ir::Const(n) if n.is_zero()) {
            return;
        }
        match place.path.last_mut() {
            Some(Way::Index(e) | Way::Shift(e)) => {
                let sum = self.binary(BinaryOp::Add, e.clone(), by, span);
                if let Some(Way::Index(e) | Way::Shift(e)) = place.path.last_mut() {
                    *e = sum;
                }
            }
            _ => place.path.push(Way::Shift(by)),
        }
    }

    /// An object with the bytes of a text.
    pub(super) fn text(&mut self, bytes: &[u8], span: Span) -> Result<ObjId> {
        let char = self.program.shapes.id(Type::Int(IntType::Char));
        let ty = Type::Array(char, Length::Known(bytes.len() as u64));
        let id = self.object("text", ty, true, span)?;
        self.texts.push((id, bytes.into(), span));
        Ok(id)
    }

    /// The value of an expression that must be a pointer, with the type behind it.
    pub(super) fn pointer(&mut self, expr: &'a ast::Expr) -> Result<(Pointer, Type)> {
        match self.operand(expr)? {
            Operand::Pointer(pointer, of) => Ok((pointer, of)),
            Operand::Num(e) if matches!(&e.kind, Ir::Const(n) if n.is_zero()) => {
                Ok((Pointer::Null, Type::Void))
            }
            Operand::Num(_) => Ok((Pointer::Unknown, Type::Void)),
            _ => {
                Err(Diagnostic::error(expr.span, "this is no pointer").label("expected a pointer"))
            }
        }
    }

    /// What is at a place, or in a variable.
    pub(super) fn read(&mut self, target: Target, ty: Type, span: Span) -> Result<Operand> {
        Ok(match (target, ty) {
            (Target::Var(var), Type::Int(ty)) => Operand::Num(Expr::new(Ir::Var(var), ty, span)),
            (Target::Var(var), Type::Pointer(of)) => {
                Operand::Pointer(Pointer::Var(var), self.program.shapes.get(of))
            }
            (Target::Place(place), Type::Int(ty)) => {
                let var = self.temporary(ty);
                self.memory(Memory::Load(var, place), span);
                Operand::Num(Expr::new(Ir::Var(var), ty, span))
            }
            (Target::Place(place), Type::Pointer(of)) => {
                let var = self.pointer_var();
                self.memory(Memory::Load(var, place), span);
                Operand::Pointer(Pointer::Var(var), self.program.shapes.get(of))
            }
            (Target::Place(mut place), Type::Array(of, _)) => {
                place.path.push(Way::Index(index(0, span)));
                Operand::Pointer(Pointer::Address(place), self.program.shapes.get(of))
            }
            (Target::Place(place), Type::Struct(_)) => Operand::Struct(place, ty),
            // `*f` of a function is the function.
            (
                Target::Place(MemPlace {
                    base: Base::Pointer(var),
                    ..
                }),
                Type::Function(_),
            ) => Operand::Pointer(Pointer::Var(var), ty),
            (_, ty) => {
                let what = self.program.shapes.describe(ty);
                return Err(Self::not_supported(
                    span,
                    &format!("a value that is {what}"),
                ));
            }
        })
    }

    pub(super) fn operand(&mut self, expr: &'a ast::Expr) -> Result<Operand> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) if self.binding(name).is_none() => {
                let Some(known) = self.functions.get(&**name) else {
                    return Err(self.unknown(name, span));
                };
                let (declared, number) = (known.declared, known.number);
                let ty = self.function_type(declared);
                let pointer = match number {
                    Some(number) => Pointer::Function(number),
                    None => Pointer::Unknown,
                };
                Ok(Operand::Pointer(pointer, ty))
            }
            ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Deref(_)
            | ExprKind::Text(_) => {
                let (target, ty) = self.target(expr)?;
                self.read(target, ty, span)
            }
            ExprKind::Address(inner) => {
                if let ExprKind::Name(name) = &inner.kind
                    && self.binding(name).is_none()
                {
                    return self.operand(inner);
                }
                let (target, ty) = self.target(inner)?;
                match target {
                    Target::Place(mut place) => {
                        // The address of an array: the place before its elements.
                        if let (Type::Array(..), true) = (ty, place.path.is_empty()) {
                            return Err(Self::not_supported(span, "the address of a whole array"));
                        }
                        if place.path.is_empty() && matches!(place.base, Base::Object(_)) {
                            place.path.push(Way::Index(index(0, span)));
                        }
                        Ok(Operand::Pointer(Pointer::Address(place), ty))
                    }
                    Target::Var(_) => Err(Self::not_supported(span, "the address of this")),
                }
            }
            ExprKind::Cast(ty, inner) => self.cast(*ty, inner, span),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.operand(b)
            }
            ExprKind::Assign(op, target, value) => self.assign_any(*op, target, value, span),
            ExprKind::Step { target, op, prefix } if self.is_pointer(target) => {
                self.step_pointer(target, *op, *prefix, span)
            }
            ExprKind::Binary(op, a, b) if !op.is_comparison() && self.is_pointer(expr) => {
                self.moved(*op, a, b, span)
            }
            ExprKind::Conditional(condition, a, b) if self.is_pointer(expr) => {
                self.chosen(expr, condition, a, b)
            }
            ExprKind::Call(name, args) => {
                if let Some(binding) = self.binding(name) {
                    return self.call_variable(binding, name, args, span);
                }
                self.call(name, args, span, true)
            }
            ExprKind::CallPointer(callee, args) => {
                let ty = self.type_of(callee)?;
                let Some(Type::Function(id)) = self.behind(ty) else {
                    return Err(Diagnostic::error(callee.span, "this is no function")
                        .label("expected a function or a pointer to one"));
                };
                let (pointer, _) = self.pointer(callee)?;
                self.call_pointer(pointer, id, args, span)
            }
            ExprKind::Block(stmts) => self.block_value(stmts, span),
            _ => Ok(Operand::Num(self.value(expr)?)),
        }
    }

    /// A value as a pointer to a type.
    pub(super) fn as_pointer(&mut self, value: Operand, of: Type, span: Span) -> Result<Pointer> {
        match value {
            Operand::Pointer(pointer, from) => {
                if matches!(
                    pointer,
                    Pointer::Null | Pointer::Unknown | Pointer::Function(_)
                ) {
                    return Ok(pointer);
                }
                if from == Type::Void && of != Type::Void && !matches!(of, Type::Function(_)) {
                    let Some((size, _)) = self.program.shapes.layout(of, self.semantics) else {
                        return Ok(pointer);
                    };
                    let var = self.held(pointer, span);
                    self.memory(Memory::Retype(var, of, size), span);
                    return Ok(Pointer::Var(var));
                }
                Ok(pointer)
            }
            Operand::Num(e) if matches!(&e.kind, Ir::Const(n) if n.is_zero()) => Ok(Pointer::Null),
            Operand::Num(_) => Ok(Pointer::Unknown),
            _ => Err(Diagnostic::error(span, "this is no pointer").label("expected a pointer")),
        }
    }

    /// Is it not null?
    pub(super) fn is_set(&mut self, pointer: Pointer, span: Span) -> Expr {
        self.compared(BinaryOp::Ne, pointer, Pointer::Null, span)
    }

    pub(super) fn compared(&mut self, op: BinaryOp, a: Pointer, b: Pointer, span: Span) -> Expr {
        let var = self.temporary(IntType::Bool);
        self.memory(Memory::Compare(var, op, a, b), span);
        let value = Expr::new(Ir::Var(var), IntType::Bool, span);
        self.converted(value, IntType::Int)
    }

    /// A comparison or difference of pointers.
    pub(super) fn pointers(
        &mut self,
        op: BinaryOp,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        span: Span,
    ) -> Result<Expr> {
        let (mut first, of) = self.pointer(a)?;
        if self.has_effect(b) {
            first = Pointer::Var(self.kept(first, span));
        }
        let (second, _) = self.pointer(b)?;
        if op.is_comparison() {
            return Ok(self.compared(op, first, second, span));
        }
        if op != BinaryOp::Sub || matches!(of, Type::Void | Type::Function(_)) {
            let message = format!("`{}` between pointers", op.text());
            return Err(Self::not_supported(span, &message));
        }
        let var = self.temporary(IntType::Long);
        self.memory(Memory::Difference(var, first, second), span);
        Ok(Expr::new(Ir::Var(var), IntType::Long, span))
    }

    pub(super) fn declare_object(&mut self, id: ObjId, contents: Contents, span: Span) {
        self.memory(Memory::Declare(id, contents), span);
    }
}

pub(super) fn index(n: i64, span: Span) -> Expr {
    Expr::constant(Int::from(n), IntType::LongLong, span)
}
