//! Calls: of the program's functions, of known ones, and of those that are only declared.

use suppose_source::{Diagnostic, Span};

use super::builtin::{Builtin, builtin, sounds_arbitrary};
use super::{Lower, Result};
use crate::c::ast::{self, ExprKind, Type};
use crate::c::ir::{End, Expr, ExprKind as Ir, FnId, OpKind, VarId};
use crate::c::types::IntType;

impl<'a> Lower<'a> {
    /// The value of a call; none if it has none.
    pub(super) fn call(
        &mut self,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
        wanted: bool,
    ) -> Result<Option<Expr>> {
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
        self.evaluate(args)?;
        if !sounds_arbitrary(name) {
            let message = format!(
                "the function `{name}` has no body: its result is arbitrary and it changes nothing"
            );
            self.warnings
                .push(Diagnostic::warning(span, message).label("called here"));
        }
        match declared.result {
            Type::Void => Ok(None),
            Type::Int(ty) => Ok(Some(self.arbitrary(ty, name, span))),
            Type::Other(what) => {
                let message = format!("`{name}` gives back {what}, which is not supported");
                Err(Diagnostic::error(span, message).label("not supported"))
            }
        }
    }

    fn arbitrary(&mut self, ty: IntType, name: &str, span: Span) -> Expr {
        let var = self.temporary(ty);
        self.op(OpKind::Havoc(var, Some(name.to_owned())), span);
        let kind = Ir::Var(var);
        Expr::new(kind, ty, span)
    }

    /// Arguments whose values do not matter: only what they do.
    fn evaluate(&mut self, args: &'a [ast::Expr]) -> Result<()> {
        for arg in args.iter().filter(|a| !matches!(a.kind, ExprKind::Text)) {
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
    ) -> Result<Option<Expr>> {
        match builtin {
            Builtin::Assert | Builtin::Assume => {
                let [condition] = args else {
                    let message = format!("`{name}` takes 1 argument, found {}", args.len());
                    return Err(Diagnostic::error(span, message));
                };
                let good = self.new_block(span);
                let bad = self.new_block(span);
                self.branch(condition, good, bad)?;
                self.frame.blocks[bad.index()].end = match builtin {
                    Builtin::Assert => End::Error,
                    _ => End::Halt,
                };
                self.frame.current = good;
                Ok(None)
            }
            Builtin::Error => {
                self.end(End::Error, span);
                Ok(None)
            }
            Builtin::Halt => {
                self.evaluate(args)?;
                self.end(End::Halt, span);
                Ok(None)
            }
            Builtin::Nondet(ty) => Ok(Some(self.arbitrary(ty, name, span))),
            Builtin::Print => {
                self.evaluate(args)?;
                Ok(Some(self.arbitrary(IntType::Int, name, span)))
            }
        }
    }

    fn call_defined(
        &mut self,
        callee: FnId,
        name: &'a str,
        args: &'a [ast::Expr],
        span: Span,
        wanted: bool,
    ) -> Result<Option<Expr>> {
        let declared = self.functions[name].declared;
        let expected = declared.params.len();
        if args.len() != expected && !(declared.open && args.len() > expected) {
            let message = format!("`{name}` takes {expected} arguments, found {}", args.len());
            return Err(Diagnostic::error(span, message).note(declared.span, "declared here"));
        }
        let mut values: Vec<Expr> = Vec::new();
        for (i, (arg, param)) in args.iter().zip(&declared.params).enumerate() {
            let Type::Int(ty) = param.ty else {
                continue;
            };
            let value = self.value(arg)?;
            let value = self.converted(value, ty);
            let later = args[i + 1..].iter().any(super::expression::has_effect);
            values.push(if later { self.saved(value) } else { value });
        }
        self.evaluate(&args[expected.min(args.len())..])?;
        let result: Option<VarId> = match declared.result {
            Type::Int(ty) if wanted => Some(self.temporary(ty)),
            _ => None,
        };
        let next = self.new_block(span);
        // The call is alone in its block, because clauses are cut at calls.
        let call = self.new_block(span);
        self.goto(call, span);
        self.frame.current = call;
        self.end(
            End::Call {
                callee,
                args: values,
                result,
                next,
            },
            span,
        );
        self.frame.current = next;
        Ok(result.map(|var| Expr::new(Ir::Var(var), self.program.var(var).ty, span)))
    }
}
