//! Calls: of the program's functions, of known ones, and of those that are only declared.

use suppose_source::{Diagnostic, Span};

use super::builtin::{Builtin, builtin, sounds_arbitrary};
use super::memory::Operand;
use super::{Binding, Lower, Result};
use crate::c::ast::{self, ExprKind, Type};
use crate::c::ir::{
    Base, Contents, End, Expr, ExprKind as Ir, FnId, MemPlace, Memory, OpKind, Pointer, VarId,
};
use crate::c::shapes::FnTypeId;
use crate::c::types::{BinaryOp, IntType};

impl<'a> Lower<'a> {
    /// The value of a call; none if it has none.
    pub(super) fn call(
        &mut self,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
        wanted: bool,
    ) -> Result<Operand> {
        let known = self.functions.get(name);
        if let Some(callee) = known.and_then(|k| k.number) {
            return self.call_defined(callee, name, args, span, wanted);
        }
        if let Some(builtin) = builtin(name) {
            return self.call_known(builtin, name, args, span);
        }
        let Some(known) = known else {
            let message = format!("the function `{name}` is not declared");
            let error = Diagnostic::error(span, message).label("called here");
            if name.starts_with("__VERIFIER_nondet_") {
                return Err(error.help("values of this type are not supported"));
            }
            let declare = "declare it before: `extern int f(void);` gives back an arbitrary value";
            return Err(error.did_you_mean_or(name, self.functions.keys().copied(), declare));
        };
        let declared = known.declared;
        let outside = args
            .iter()
            .any(|a| !matches!(a.kind, ExprKind::Text(_)) && self.is_pointer(a));
        self.evaluate(args)?;
        if outside {
            self.memory(
                Memory::Refused("a function without a body that is given a pointer"),
                span,
            );
        }
        if !sounds_arbitrary(name) {
            let message = format!(
                "the function `{name}` has no body: its result is arbitrary and it changes nothing"
            );
            self.warnings
                .push(Diagnostic::warning(span, message).label("called here"));
        }
        match declared.result {
            Type::Void => Ok(Operand::Nothing),
            Type::Int(ty) => Ok(Operand::Num(self.arbitrary(ty, name, span))),
            Type::Pointer(of) => {
                let of = self.program.shapes.get(of);
                Ok(Operand::Pointer(Pointer::Unknown, of))
            }
            ty => {
                let what = self.program.shapes.describe(ty);
                let message = format!("`{name}` gives back {what}, which is not supported");
                Err(Diagnostic::error(span, message).label("not supported"))
            }
        }
    }

    fn arbitrary(&mut self, ty: IntType, name: &str, span: Span) -> Expr {
        let var = self.temporary(ty);
        self.arbitrary_op(var, name, span);
        let kind = Ir::Var(var);
        Expr::new(kind, ty, span)
    }

    /// Arguments whose values do not matter: only what they do.
    fn evaluate(&mut self, args: &'a [ast::Expr]) -> Result<()> {
        for arg in args.iter().filter(|a| !matches!(a.kind, ExprKind::Text(_))) {
            self.effect(arg)?;
        }
        Ok(())
    }

    fn call_known(
        &mut self,
        builtin: Builtin,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Result<Operand> {
        let takes = match builtin {
            Builtin::Assert | Builtin::Assume | Builtin::Malloc | Builtin::Free => Some(1),
            Builtin::Calloc => Some(2),
            _ => None,
        };
        if let Some(count) = takes
            && args.len() != count
        {
            let s = if count == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {count} argument{s}, found {}", args.len());
            return Err(Diagnostic::error(span, message));
        }
        match builtin {
            Builtin::Assert | Builtin::Assume => {
                let good = self.new_block(span);
                let bad = self.new_block(span);
                self.branch(&args[0], good, bad)?;
                self.frame.blocks[bad.index()].end = match builtin {
                    Builtin::Assert => End::Error,
                    _ => End::Halt,
                };
                self.frame.current = good;
                Ok(Operand::Nothing)
            }
            Builtin::Error => {
                self.end(End::Error, span);
                Ok(Operand::Nothing)
            }
            Builtin::Halt => {
                self.evaluate(args)?;
                self.end(End::Halt, span);
                Ok(Operand::Nothing)
            }
            Builtin::Nondet(ty) => Ok(Operand::Num(self.arbitrary(ty, name, span))),
            Builtin::Print => {
                self.evaluate(args)?;
                Ok(Operand::Num(self.arbitrary(IntType::Int, name, span)))
            }
            Builtin::Malloc => {
                let bytes = self.value(&args[0])?;
                Ok(self.allocate(bytes, Contents::Arbitrary, span))
            }
            Builtin::Calloc => {
                let count = self.value(&args[0])?;
                let count = self.saved(count);
                let size = self.value(&args[1])?;
                let (count, size) = (
                    self.converted(count, IntType::UnsignedLong),
                    self.converted(size, IntType::UnsignedLong),
                );
                let bytes = self.binary(BinaryOp::Mul, count, size, span);
                Ok(self.allocate(bytes, Contents::Zero, span))
            }
            Builtin::Free => {
                let (pointer, _) = self.pointer(&args[0])?;
                self.memory(Memory::Free(pointer), span);
                Ok(Operand::Nothing)
            }
            Builtin::NondetPointer => Ok(Operand::Pointer(Pointer::Unknown, Type::Void)),
            Builtin::Refused(what) => {
                if let Some(Type::Other(_)) = self.functions.get(name).map(|k| k.declared.result) {
                    let message = format!("{what} is not supported");
                    return Err(Diagnostic::error(span, message));
                }
                if what == "threads" {
                    return Err(Diagnostic::error(span, "threads are not supported")
                        .label("a thread is started or joined here")
                        .help("only sequential programs are read"));
                }
                self.memory(Memory::Refused(what), span);
                Ok(match self.type_of_call(name) {
                    Type::Int(ty) => Operand::Num(self.arbitrary(ty, name, span)),
                    Type::Pointer(of) => {
                        let of = self.program.shapes.get(of);
                        Operand::Pointer(Pointer::Unknown, of)
                    }
                    _ => Operand::Nothing,
                })
            }
        }
    }

    fn type_of_call(&self, name: &str) -> Type {
        let known = self.functions.get(name).map(|k| k.declared.result);
        known.unwrap_or(Type::Int(IntType::Int))
    }

    fn allocate(&mut self, bytes: Expr, contents: Contents, span: Span) -> Operand {
        let bytes = self.converted(bytes, IntType::UnsignedLong);
        let to = self.pointer_var();
        let op = Memory::Allocate {
            to,
            bytes,
            contents,
        };
        self.memory(op, span);
        Operand::Pointer(Pointer::Var(to), Type::Void)
    }

    /// The arguments, as values of the parameters' types. Pointers are in variables of their own.
    fn arguments(
        &mut self,
        args: &'a [ast::Expr],
        params: &[Type],
        values: &mut Vec<Expr>,
    ) -> Result<()> {
        for (i, (arg, param)) in args.iter().zip(params).enumerate() {
            let later = args[i + 1..].iter().any(|a| self.has_effect(a));
            let span = arg.span;
            let pointer = |var: VarId| Expr::new(Ir::Var(var), IntType::UnsignedLong, span);
            match *param {
                Type::Int(ty) => {
                    let value = self.value(arg)?;
                    let value = self.converted(value, ty);
                    values.push(if later { self.saved(value) } else { value });
                }
                Type::Pointer(of) => {
                    let value = self.operand(arg)?;
                    let of = self.program.shapes.get(of);
                    let value = self.as_pointer(value, of, span)?;
                    let var = self.pointer_var();
                    self.memory(Memory::Point(var, value), span);
                    values.push(pointer(var));
                }
                Type::Struct(_) => {
                    let Operand::Struct(place, ty) = self.operand(arg)? else {
                        return Err(Diagnostic::error(span, "this is no structure"));
                    };
                    if ty != *param {
                        return Err(Diagnostic::error(span, "this is another structure"));
                    }
                    let id = self.object("argument", ty, false, span)?;
                    self.declare_object(id, Contents::Arbitrary, span);
                    let to = Self::place_of(id, ty, span);
                    self.copy(&to, &place, ty, span)?;
                    let var = self.pointer_var();
                    self.memory(Memory::Point(var, Pointer::Address(to)), span);
                    values.push(pointer(var));
                }
                ty => {
                    let what = self.program.shapes.describe(ty);
                    let message = format!("an argument that is {what} is not supported");
                    return Err(Diagnostic::error(span, message).label("not supported"));
                }
            }
        }
        Ok(())
    }

    /// An object for a structure that is given back, and a pointer to it.
    fn room(&mut self, ty: Type, values: &mut Vec<Expr>, span: Span) -> Result<MemPlace> {
        let id = self.object("result", ty, false, span)?;
        self.declare_object(id, Contents::Arbitrary, span);
        let to = Self::place_of(id, ty, span);
        let var = self.pointer_var();
        self.memory(Memory::Point(var, Pointer::Address(to.clone())), span);
        values.push(Expr::new(Ir::Var(var), IntType::UnsignedLong, span));
        Ok(to)
    }

    fn result_var(&mut self, ty: Type, wanted: bool) -> Option<VarId> {
        match ty {
            Type::Int(ty) if wanted => Some(self.temporary(ty)),
            Type::Pointer(_) if wanted => Some(self.pointer_var()),
            _ => None,
        }
    }

    fn given_back(
        &self,
        ty: Type,
        result: Option<VarId>,
        room: Option<MemPlace>,
        span: Span,
    ) -> Operand {
        match (ty, result, room) {
            (Type::Int(ty), Some(var), _) => Operand::Num(Expr::new(Ir::Var(var), ty, span)),
            (Type::Pointer(of), Some(var), _) => {
                Operand::Pointer(Pointer::Var(var), self.program.shapes.get(of))
            }
            (Type::Struct(_), _, Some(place)) => Operand::Struct(place, ty),
            _ => Operand::Nothing,
        }
    }

    fn call_defined(
        &mut self,
        callee: FnId,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
        wanted: bool,
    ) -> Result<Operand> {
        let declared = self.functions[name].declared;
        let expected = declared.params.len();
        if args.len() != expected && !(declared.open && args.len() > expected) {
            let message = format!("`{name}` takes {expected} arguments, found {}", args.len());
            return Err(Diagnostic::error(span, message).note(declared.span, "declared here"));
        }
        let mut values: Vec<Expr> = Vec::new();
        let room = match declared.result {
            ty @ Type::Struct(_) => Some(self.room(ty, &mut values, span)?),
            _ => None,
        };
        let params: Vec<Type> = declared.params.iter().map(|p| p.ty).collect();
        // `main` has only its integers.
        let (args_used, params): (Vec<&'a ast::Expr>, Vec<Type>) = (args.iter().zip(params))
            .filter(|(_, ty)| name != "main" || matches!(ty, Type::Int(_)))
            .unzip();
        if args_used.len() == expected {
            self.arguments(&args[..expected], &params, &mut values)?;
        } else {
            for (arg, ty) in args_used.into_iter().zip(params) {
                self.arguments(std::slice::from_ref(arg), &[ty], &mut values)?;
            }
        }
        self.evaluate(&args[expected.min(args.len())..])?;
        let result = self.result_var(declared.result, wanted);
        self.call_block(span, |next| End::Call {
            callee,
            args: values,
            result,
            next,
        });
        Ok(self.given_back(declared.result, result, room, span))
    }

    /// A block for the call alone, because clauses are cut at calls.
    fn call_block(&mut self, span: Span, end: impl FnOnce(crate::c::ir::BlockId) -> End) {
        let next = self.new_block(span);
        let call = self.new_block(span);
        self.goto(call, span);
        self.frame.current = call;
        self.end(end(next), span);
        self.frame.current = next;
    }

    /// A call of what a variable points to.
    pub(super) fn call_variable(
        &mut self,
        binding: Binding,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Result<Operand> {
        let function = match binding.ty {
            Type::Pointer(of) => self.program.shapes.get(of),
            other => other,
        };
        let Type::Function(id) = function else {
            let message = format!("`{name}` is no function");
            return Err(Diagnostic::error(span, message).label("called here"));
        };
        let pointer = match binding.at {
            super::At::Var(var) => Pointer::Var(var),
            super::At::Object(object) => {
                let var = self.pointer_var();
                let place = Self::place_of(object, binding.ty, span);
                self.memory(Memory::Load(var, place), span);
                Pointer::Var(var)
            }
        };
        self.call_pointer(pointer, id, args, span)
    }

    pub(super) fn call_pointer(
        &mut self,
        pointer: Pointer,
        id: FnTypeId,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Result<Operand> {
        let ty = self.program.shapes.function_type(id).clone();
        if args.len() < ty.params.len() || (args.len() > ty.params.len() && !ty.open) {
            let message = format!(
                "this function takes {} arguments, found {}",
                ty.params.len(),
                args.len()
            );
            return Err(Diagnostic::error(span, message));
        }
        let callee = self.pointer_var();
        self.memory(Memory::Point(callee, pointer), span);
        let mut values: Vec<Expr> = Vec::new();
        let room = match ty.result {
            ty @ Type::Struct(_) => Some(self.room(ty, &mut values, span)?),
            _ => None,
        };
        self.arguments(args, &ty.params, &mut values)?;
        self.evaluate(&args[ty.params.len()..])?;
        let result = self.result_var(ty.result, true);
        self.call_block(span, |next| End::CallPointer {
            callee,
            args: values,
            result,
            next,
        });
        Ok(self.given_back(ty.result, result, room, span))
    }

    /// Where a structure that the function gives back goes.
    pub(super) fn give_struct(&mut self, value: &'a ast::Expr, ty: Type) -> Result<()> {
        let Operand::Struct(from, same) = self.operand(value)? else {
            return Err(Diagnostic::error(value.span, "this is no structure"));
        };
        let (Some(var), true) = (self.frame.result_place, same == ty) else {
            return Err(Diagnostic::error(value.span, "this is another structure"));
        };
        let to = MemPlace {
            base: Base::Pointer(var),
            path: Vec::new(),
        };
        self.copy(&to, &from, ty, value.span)
    }

    fn arbitrary_op(&mut self, var: VarId, name: &str, span: Span) {
        self.op(OpKind::Havoc(var, Some(name.to_owned())), span);
    }
}
