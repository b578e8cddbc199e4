//! Assignments, copies and casts of what is in memory.

use suppose_number::Int;
use suppose_source::{Diagnostic, Span};

use super::memory::{Operand, Target, index};
use super::{Lower, Result};
use crate::c::ast::{self, ExprKind, Length, StmtKind, Type};
use crate::c::ir::{Expr, ExprKind as Ir, MemPlace, Memory, OpKind, Pointer, Stored, Way};
use crate::c::types::{BinaryOp, IntType};

/// At most this many scalars are copied at once.
const COPIED: usize = 2_000;

impl<'a> Lower<'a> {
    /// Assigns, and gives the value.
    pub(super) fn assign_any(
        &mut self,
        op: Option<BinaryOp>,
        target: &'a ast::Expr,
        value: &'a ast::Expr,
        span: Span,
    ) -> Result<Operand> {
        self.not_const(target)?;
        let ty = self.type_of(target)?;
        match ty {
            Type::Int(ty) => {
                let new = self.value(value)?;
                let new = match self.has_effect(target) {
                    true => self.saved(new),
                    false => new,
                };
                let (target, _) = self.target(target)?;
                let target = match op {
                    Some(_) => self.kept_target(target),
                    None => target,
                };
                let new = match op {
                    None => new,
                    Some(op) => {
                        let old = self.read(again(&target), Type::Int(ty), span)?;
                        let Operand::Num(old) = old else {
                            return Err(Self::not_supported(span, "this assignment"));
                        };
                        self.binary(op, old, new, span)
                    }
                };
                let new = self.converted(new, ty);
                if let Target::Var(var) = target {
                    self.op(OpKind::Assign(var, new), span);
                    return Ok(Operand::Num(Expr::new(Ir::Var(var), ty, span)));
                }
                let new = self.saved(new);
                self.put(&target, Stored::Num(new.clone()), span);
                Ok(Operand::Num(new))
            }
            Type::Pointer(of) => {
                let of = self.program.shapes.get(of);
                let new = match op {
                    None => {
                        let value = self.operand(value)?;
                        self.as_pointer(value, of, span)?
                    }
                    Some(op) => match self.moved(op, target, value, span)? {
                        Operand::Pointer(new, _) => new,
                        _ => Pointer::Unknown,
                    },
                };
                let new = Pointer::Var(self.kept(new, span));
                let (target, _) = self.target(target)?;
                self.put(&target, Stored::Pointer(new.clone()), span);
                Ok(Operand::Pointer(new, of))
            }
            Type::Struct(_) if op.is_none() => {
                let Operand::Struct(mut from, other) = self.operand(value)? else {
                    return Err(Diagnostic::error(value.span, "this is no structure"));
                };
                if other != ty {
                    return Err(Diagnostic::error(value.span, "this is another structure"));
                }
                if self.has_effect(target) {
                    self.keep_all(&mut from);
                }
                let (Target::Place(to), _) = self.target(target)? else {
                    return Err(Self::not_supported(span, "this assignment"));
                };
                self.copy(&to, &from, ty, span)?;
                Ok(Operand::Struct(to, ty))
            }
            _ => {
                let what = self.program.shapes.describe(ty);
                Err(Self::not_supported(
                    span,
                    &format!("the assignment to {what}"),
                ))
            }
        }
    }

    pub(super) fn not_const(&mut self, target: &'a ast::Expr) -> Result<()> {
        if let ExprKind::Name(name) = &target.kind
            && let Some(binding) = self.binding(name)
            && binding.is_const
            && matches!(binding.ty, Type::Int(_))
        {
            let message = format!("`{name}` is `const`");
            return Err(Diagnostic::error(target.span, message).label("assigned here"));
        }
        Ok(())
    }

    /// All scalars of a structure, from one place to another.
    pub(super) fn copy(
        &mut self,
        to: &MemPlace,
        from: &MemPlace,
        ty: Type,
        span: Span,
    ) -> Result<()> {
        let scalars = self.program.shapes.scalars(ty);
        if scalars.is_none_or(|n| n > COPIED as u64) {
            return Err(Self::not_supported(span, "a copy of so many values"));
        }
        let mut leaves = Vec::new();
        self.leaves(ty, &mut Vec::new(), &mut leaves, span)?;
        // All are read before the first is written: the places may be one.
        let mut values = Vec::new();
        for (path, ty) in &leaves {
            let mut place = from.clone();
            place.path.extend(path.iter().cloned());
            let value = match self.read(Target::Place(place), *ty, span)? {
                Operand::Num(value) => Stored::Num(value),
                Operand::Pointer(pointer, _) => Stored::Pointer(pointer),
                _ => return Err(Self::not_supported(span, "this copy")),
            };
            values.push(value);
        }
        for ((path, _), value) in leaves.into_iter().zip(values) {
            let mut place = to.clone();
            place.path.extend(path);
            self.memory(Memory::Store(place, value), span);
        }
        Ok(())
    }

    /// The ways to all scalars of a type.
    pub(super) fn leaves(
        &self,
        ty: Type,
        path: &mut Vec<Way>,
        found: &mut Vec<(Vec<Way>, Type)>,
        span: Span,
    ) -> Result<()> {
        if found.len() > COPIED {
            return Err(Self::not_supported(span, "a copy of so many values"));
        }
        match ty {
            Type::Int(_) | Type::Pointer(_) => found.push((path.clone(), ty)),
            Type::Struct(id) => {
                let it = self.program.shapes.structure(id);
                let (Some(fields), false) = (&it.fields, it.is_union || it.has_bits) else {
                    return Err(Self::not_supported(span, "a copy of this structure"));
                };
                for (at, field) in fields.iter().enumerate() {
                    path.push(Way::Field(at as u32));
                    self.leaves(field.ty, path, found, span)?;
                    path.pop();
                }
            }
            Type::Array(of, Length::Known(count)) if count <= COPIED as u64 => {
                for at in 0..count {
                    path.push(Way::Index(index(at as i64, span)));
                    self.leaves(self.program.shapes.get(of), path, found, span)?;
                    path.pop();
                }
            }
            _ => return Err(Self::not_supported(span, "a copy of this")),
        }
        Ok(())
    }

    /// A first value for a variable or a place.
    pub(super) fn store_value(
        &mut self,
        place: MemPlace,
        ty: Type,
        value: &'a ast::Expr,
    ) -> Result<()> {
        let span = value.span;
        match ty {
            Type::Int(ty) => {
                let value = self.value(value)?;
                let value = self.converted(value, ty);
                self.memory(Memory::Store(place, Stored::Num(value)), span);
            }
            Type::Pointer(of) => {
                let value = self.operand(value)?;
                let of = self.program.shapes.get(of);
                let pointer = self.as_pointer(value, of, span)?;
                self.memory(Memory::Store(place, Stored::Pointer(pointer)), span);
            }
            Type::Struct(_) => {
                let Operand::Struct(from, same) = self.operand(value)? else {
                    return Err(Diagnostic::error(span, "this is no structure"));
                };
                if same != ty {
                    return Err(Diagnostic::error(span, "this is another structure"));
                }
                self.copy(&place, &from, ty, span)?;
            }
            _ => return Err(Self::not_supported(span, "this first value")),
        }
        Ok(())
    }

    pub(super) fn step_pointer(
        &mut self,
        target: &'a ast::Expr,
        op: BinaryOp,
        prefix: bool,
        span: Span,
    ) -> Result<Operand> {
        let (target, ty) = self.target(target)?;
        let target = self.kept_target(target);
        let Operand::Pointer(old, of) = self.read(again(&target), ty, span)? else {
            return Err(Self::not_supported(span, "this step"));
        };
        let before = Pointer::Var(self.kept(old, span));
        let by = index(if op == BinaryOp::Add { 1 } else { -1 }, span);
        let place = self.place_behind(before.clone(), Some(by), span);
        let after = Pointer::Var(self.kept(Pointer::Address(place), span));
        self.put(&target, Stored::Pointer(after.clone()), span);
        Ok(Operand::Pointer(if prefix { after } else { before }, of))
    }

    pub(super) fn kept_target(&mut self, target: Target) -> Target {
        match target {
            Target::Place(mut place) => {
                self.keep_all(&mut place);
                Target::Place(place)
            }
            var => var,
        }
    }

    pub(super) fn put(&mut self, target: &Target, value: Stored, span: Span) {
        match (target, value) {
            (Target::Var(var), Stored::Num(value)) => self.op(OpKind::Assign(*var, value), span),
            (Target::Var(var), Stored::Pointer(p)) => self.memory(Memory::Point(*var, p), span),
            (Target::Place(place), value) => {
                self.memory(Memory::Store(place.clone(), value), span);
            }
        }
    }

    /// A place of a number that is read and then written.
    pub(super) fn counter(&mut self, expr: &'a ast::Expr) -> Result<(Target, IntType)> {
        self.not_const(expr)?;
        let (target, ty) = self.target(expr)?;
        match ty {
            Type::Int(ty) => Ok((self.kept_target(target), ty)),
            _ => Err(Self::not_supported(expr.span, "this step")),
        }
    }

    pub(super) fn number_at(&mut self, target: &Target, ty: IntType, span: Span) -> Expr {
        let var = match target {
            Target::Var(var) => *var,
            Target::Place(place) => {
                let var = self.temporary(ty);
                self.memory(Memory::Load(var, place.clone()), span);
                var
            }
        };
        Expr::new(Ir::Var(var), ty, span)
    }

    /// Stores a number of the right type; gives the value.
    pub(super) fn put_number(&mut self, target: &Target, value: Expr, span: Span) -> Expr {
        if let Target::Var(var) = target {
            let ty = value.ty;
            self.op(OpKind::Assign(*var, value), span);
            return Expr::new(Ir::Var(*var), ty, span);
        }
        let value = self.saved(value);
        self.put(target, Stored::Num(value.clone()), span);
        value
    }

    /// Pointer and number.
    pub(super) fn moved(
        &mut self,
        op: BinaryOp,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        span: Span,
    ) -> Result<Operand> {
        let (pointer, by, of) = if self.is_pointer(a) {
            let (pointer, of) = self.pointer(a)?;
            let pointer = match self.has_effect(b) {
                true => Pointer::Var(self.kept(pointer, span)),
                false => pointer,
            };
            (pointer, self.index(b)?, of)
        } else {
            let by = self.index(a)?;
            let by = self.saved(by);
            let (pointer, of) = self.pointer(b)?;
            (pointer, by, of)
        };
        let by = match op {
            BinaryOp::Add => by,
            BinaryOp::Sub => self.negated(by, span),
            _ => {
                let message = format!("`{}` of a pointer", op.text());
                return Err(Self::not_supported(span, &message));
            }
        };
        if matches!(of, Type::Void | Type::Function(_)) {
            self.memory(
                Memory::Refused("arithmetic on a pointer without a type"),
                span,
            );
        }
        let place = self.place_behind(pointer, Some(by), span);
        Ok(Operand::Pointer(Pointer::Address(place), of))
    }

    pub(super) fn negated(&mut self, value: Expr, span: Span) -> Expr {
        let zero = Expr::constant(Int::ZERO, IntType::LongLong, span);
        self.binary(BinaryOp::Sub, zero, value, span)
    }

    pub(super) fn chosen(
        &mut self,
        whole: &'a ast::Expr,
        condition: &'a ast::Expr,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
    ) -> Result<Operand> {
        let span = whole.span;
        let ty = self.type_of(whole)?;
        let of = self.behind(ty).unwrap_or(Type::Void);
        let result = self.pointer_var();
        let (yes, no) = (self.new_block(a.span), self.new_block(b.span));
        let after = self.new_block(span);
        self.branch(condition, yes, no)?;
        for (block, part) in [(yes, a), (no, b)] {
            self.frame.current = block;
            let value = self.operand(part)?;
            let pointer = self.as_pointer(value, of, span)?;
            self.memory(Memory::Point(result, pointer), span);
            self.goto(after, span);
        }
        self.frame.current = after;
        Ok(Operand::Pointer(Pointer::Var(result), of))
    }

    /// gcc's `({ ... })`: the value of its last expression.
    pub(super) fn block_value(&mut self, stmts: &'a [ast::Stmt], span: Span) -> Result<Operand> {
        let Some((last, before)) = stmts.split_last() else {
            return Ok(Operand::Nothing);
        };
        self.scopes.push(Default::default());
        let outside = self.frame.in_scope.len();
        for stmt in before {
            self.statement(stmt)?;
        }
        let value = match &last.kind {
            StmtKind::Expr(value) => match self.type_of(value)? {
                Type::Void => {
                    self.effect(value)?;
                    Operand::Nothing
                }
                _ => self.operand(value)?,
            },
            _ => {
                self.statement(last)?;
                Operand::Nothing
            }
        };
        let value = match value {
            Operand::Num(value) => Operand::Num(self.saved(value)),
            Operand::Pointer(pointer, of) => {
                Operand::Pointer(Pointer::Var(self.kept(pointer, span)), of)
            }
            other => other,
        };
        self.frame.in_scope.truncate(outside);
        self.scopes.pop();
        Ok(value)
    }

    pub(super) fn cast(&mut self, ty: Type, inner: &'a ast::Expr, span: Span) -> Result<Operand> {
        match ty {
            Type::Void => {
                self.effect(inner)?;
                Ok(Operand::Nothing)
            }
            Type::Int(to) => match self.operand(inner)? {
                Operand::Num(value) => Ok(Operand::Num(Expr {
                    span,
                    ..self.converted(value, to)
                })),
                Operand::Pointer(pointer, _) if to == IntType::Bool => {
                    let value = self.is_set(pointer, span);
                    Ok(Operand::Num(self.converted(value, to)))
                }
                Operand::Pointer(..) => {
                    self.memory(Memory::Refused("a pointer as a number"), span);
                    let var = self.temporary(to);
                    self.op(OpKind::Havoc(var, None), span);
                    Ok(Operand::Num(Expr::new(Ir::Var(var), to, span)))
                }
                _ => Err(Self::not_supported(span, "this cast")),
            },
            Type::Pointer(of) => {
                let value = self.operand(inner)?;
                let of = self.program.shapes.get(of);
                let pointer = self.as_pointer(value, of, span)?;
                Ok(Operand::Pointer(pointer, of))
            }
            _ => match self.operand(inner)? {
                Operand::Struct(place, same) if same == ty => Ok(Operand::Struct(place, ty)),
                _ => Err(Self::not_supported(span, "this cast")),
            },
        }
    }
}

fn again(target: &Target) -> Target {
    match target {
        Target::Var(var) => Target::Var(*var),
        Target::Place(place) => Target::Place(place.clone()),
    }
}
