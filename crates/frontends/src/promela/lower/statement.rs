//! What single statements do.

use suppose_model::program::{Action, Binary, Expr, Place, Type};
use suppose_source::{Diagnostic, Span};

use super::expr::binary;
use super::{Lower, Lowered};
use crate::promela::ast::{self, ExprKind, Ident, Part, StmtKind, VarRef};
use crate::promela::lexer::counted;

impl Lower<'_> {
    /// The action of a statement that is one step.
    pub(super) fn action(&mut self, stmt: &ast::Stmt) -> Lowered<Action> {
        if self.in_trace {
            return self.event_action(stmt);
        }
        match &stmt.kind {
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Run {
                    proctype,
                    arguments,
                    priority,
                } => self.run_action(*proctype, arguments, *priority, None, expr.span),
                _ => self.expr(expr).map(Action::Guard),
            },
            StmtKind::Print => Ok(Action::Guard(Expr::Const(1))),
            StmtKind::Assert(expr) => self.expr(expr).map(Action::Assert),
            StmtKind::Assign(variable, value) => self.assign(variable, value),
            StmtKind::Count(variable, by) => {
                let place = self.written_to(variable)?;
                let operator = if *by < 0 { Binary::Sub } else { Binary::Add };
                let value = binary(operator, Expr::Load(place.clone()), Expr::Const(1));
                Ok(Action::Assign(place, value))
            }
            StmtKind::SetPriority(process, priority) => {
                self.note_priority(process.span);
                Ok(Action::SetPriority(
                    self.expr(process)?,
                    self.expr(priority)?,
                ))
            }
            StmtKind::Send {
                channel,
                values,
                sorted,
            } => {
                let (channel, kind) = self.channel_of(channel)?;
                let values = self.values(values)?;
                self.check_fields(values.len(), kind, stmt.span);
                Ok(Action::Send {
                    channel,
                    values,
                    sorted: *sorted,
                })
            }
            StmtKind::Receive {
                channel,
                patterns,
                any,
                keep,
            } => {
                let (channel, kind) = self.channel_of(channel)?;
                let patterns = self.patterns(patterns, kind, stmt.span, *keep)?;
                Ok(Action::Receive {
                    channel,
                    patterns,
                    any: *any,
                    keep: *keep,
                })
            }
            _ => Err(Diagnostic::error(stmt.span, "this is not a single step")),
        }
    }

    fn assign(&mut self, variable: &VarRef, value: &ast::Expr) -> Lowered<Action> {
        if let [Part { name, index: None }] = variable.parts.as_slice()
            && self.find(name.name).is_none()
        {
            match self.text(name.name) {
                "_" => {
                    self.expr(value)?;
                    return Ok(Action::Guard(Expr::Const(1)));
                }
                "_priority" => {
                    self.note_priority(variable.span);
                    return Ok(Action::SetPriority(Expr::Pid, self.expr(value)?));
                }
                _ => {}
            }
        }
        let place = self.written_to(variable)?;
        if let ExprKind::Run {
            proctype,
            arguments,
            priority,
        } = &value.kind
        {
            return self.run_action(*proctype, arguments, *priority, Some(place), value.span);
        }
        let lowered = self.expr(value)?;
        self.check_channel(&place, value, &lowered)?;
        Ok(Action::Assign(place, lowered))
    }

    /// Channels and numbers are not the same.
    fn check_channel(&self, place: &Place, value: &ast::Expr, lowered: &Expr) -> Lowered<()> {
        let from = match lowered {
            Expr::Load(from) => Some(from.ty == Type::Chan),
            Expr::Binary(..) | Expr::Unary(..) => Some(false),
            _ => None,
        };
        let clash = |message: &str, expected: &str| {
            Err(Diagnostic::error(value.span, message).label(format!("expected {expected}")))
        };
        match (place.ty == Type::Chan, from) {
            (true, Some(false)) => clash("a channel variable holds channels only", "a channel"),
            (false, Some(true))
                if !matches!(place.ty, Type::Byte | Type::Int | Type::Short | Type::Pid) =>
            {
                clash("a channel is no number", "a number")
            }
            _ => Ok(()),
        }
    }

    /// A variable that a statement may change.
    pub(super) fn written_to(&mut self, variable: &VarRef) -> Lowered<Place> {
        if let [Part { name, index: None }] = variable.parts.as_slice()
            && self.find(name.name).is_none()
        {
            let shown = self.text(name.name);
            let what = match shown {
                "_pid" | "_nr_pr" | "_last" => Some("set by the system"),
                _ if self.symbols.contains_key(&name.name) => Some("a symbolic constant"),
                _ => None,
            };
            if let Some(what) = what {
                let message = format!("`{shown}` cannot be written to");
                return Err(Diagnostic::error(variable.span, message).label(what));
            }
        }
        self.scalar(variable)
    }

    fn run_action(
        &mut self,
        proctype: Ident,
        arguments: &[ast::Expr],
        priority: Option<u8>,
        result: Option<Place>,
        span: Span,
    ) -> Lowered<Action> {
        let Some(number) = self.proctypes.get(&proctype.name).copied() else {
            return Err(self.unknown_proctype(proctype));
        };
        let arguments = self.values(arguments)?;
        let expected = self.program.proctypes[number].parameters as usize;
        if arguments.len() != expected {
            let message = format!(
                "`{}` has {}, found {}",
                self.text(proctype.name),
                counted(expected, "parameter"),
                counted(arguments.len(), "argument")
            );
            return Err(Diagnostic::error(span, message)
                .label(format!("expected {}", counted(expected, "argument")))
                .note(self.ast.proctypes[number].name.span, "defined here"));
        }
        if self.current.is_none() {
            return Err(Diagnostic::error(span, "a claim cannot start processes").label("here"));
        }
        if priority.is_some() {
            self.note_priority(span);
        }
        Ok(Action::Run {
            proctype: number as u32,
            arguments,
            priority: priority.unwrap_or(1),
            result,
        })
    }
}
