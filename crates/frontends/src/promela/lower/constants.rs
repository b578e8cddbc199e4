//! Values that are known before the program runs.

use suppose_model::program::Binary;
use suppose_source::Diagnostic;

use super::{Lower, Lowered};
use crate::promela::ast::{Expr, ExprKind};

impl Lower<'_> {
    /// The value of an expression of constants, and of shared variables as they are at the start.
    pub(super) fn constant(&self, expr: &Expr) -> Lowered<i32> {
        let no = || {
            Diagnostic::error(expr.span, "this is not a constant")
                .label("expected a number that is known before the program runs")
        };
        let divided = || Diagnostic::error(expr.span, "division by zero").label("here");
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Unary(operator, of) => operator.apply(self.constant(of)?),
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                operator.apply(a, b).ok_or_else(divided)?
            }
            ExprKind::Chain(operator, all) => {
                let stops_at = *operator == Binary::Or;
                for one in all {
                    if (self.constant(one)? != 0) == stops_at {
                        return Ok(i32::from(stops_at));
                    }
                }
                i32::from(!stops_at)
            }
            ExprKind::Cond(test, then, otherwise) => match self.constant(test)? {
                0 => self.constant(otherwise)?,
                _ => self.constant(then)?,
            },
            ExprKind::Var(variable) => {
                let [part] = variable.parts.as_slice() else {
                    return Err(no());
                };
                let name = part.name.name;
                if let Some((value, ..)) = self.symbols.get(&name) {
                    return Ok(*value);
                }
                let Some(var) = self.globals.get(&name) else {
                    return Err(match self.find(name) {
                        Some(_) => no(),
                        None => self.unknown(part.name),
                    });
                };
                let index = match &part.index {
                    Some(index) => self.constant(index)?,
                    None => 0,
                };
                let slot = u32::try_from(index)
                    .ok()
                    .filter(|i| *i < var.length.unwrap_or(1));
                let slot = slot.and_then(|i| self.program.globals.get((var.base + i) as usize));
                match slot.map(|s| &s.init) {
                    Some(suppose_model::program::Init::Value(value)) => *value,
                    _ => return Err(no()),
                }
            }
            _ => return Err(no()),
        })
    }
}
