//! `for` and `select`, as the loops that SPIN makes of them.

use suppose_model::program::{Action, Binary, Expr, Pattern, Place, Type};
use suppose_source::Diagnostic;

use super::Lowered;
use super::element::{Jump, Kind};
use super::expr::binary;
use super::flow::Flow;
use super::names::VarType;
use crate::promela::ast::{self, Range, Sequence, Stmt, VarRef};

/// The widest `select` that SPIN makes an `if` of.
const SELECT: i64 = 32;

struct ForHead {
    name: String,
    place: Place,
    low: Expr,
    low_text: String,
    test: Binary,
    high: Expr,
    high_text: String,
    /// What is done first in each round.
    each: Vec<(Action, String)>,
}

impl Flow<'_, '_> {
    pub(super) fn for_loop(
        &mut self,
        stmt: &Stmt,
        variable: &VarRef,
        range: &Range,
        body: &Sequence,
    ) {
        let span = stmt.span;
        let head = self.for_head(stmt, variable, range);
        let Some(head) = self.lower.keep(head) else {
            return;
        };
        let name = &head.name;
        self.step_of(
            Action::Assign(head.place.clone(), head.low.clone()),
            span,
            format!("{name} = {}", head.low_text),
        );
        let number = self.open_loop();
        self.open_seq();
        let load = Expr::Load(head.place.clone());
        let test = binary(head.test, load.clone(), head.high.clone());
        let sign = if head.test == Binary::Le { "<=" } else { "<" };
        self.step_of(
            Action::Guard(test),
            span,
            format!("{name} {sign} {}", head.high_text),
        );
        for (action, text) in head.each {
            self.step_of(action, span, text);
        }
        self.in_scope(|flow| flow.steps(body));
        let more = binary(Binary::Add, load, Expr::Const(1));
        self.step_of(
            Action::Assign(head.place.clone(), more),
            span,
            format!("{name}++"),
        );
        let main = self.close_seq(span);
        self.open_seq();
        let id = self.body.add(Kind::Else, span, "else");
        self.append(id);
        let id = self.body.add(Kind::Goto(Jump::Loop(number)), span, "break");
        self.append(id);
        let done = self.close_seq(span);
        let id = self.repetition(vec![done, main], number, stmt);
        self.label(stmt, id);
    }

    fn for_head(&mut self, stmt: &Stmt, variable: &VarRef, range: &Range) -> Lowered<ForHead> {
        let name = self.lower.sources.text(variable.span).to_owned();
        let over = match range {
            Range::Between(low, high) => {
                let place = self.lower.written_to(variable)?;
                return Ok(ForHead {
                    name,
                    place,
                    low: self.lower.expr(low)?,
                    low_text: self.lower.sources.text(low.span).to_owned(),
                    test: Binary::Le,
                    high: self.lower.expr(high)?,
                    high_text: self.lower.sources.text(high.span).to_owned(),
                    each: Vec::new(),
                });
            }
            Range::In(over) => over,
        };
        let frame = self.lower.current.and_then(|c| self.lower.frames.get(c));
        let counter = frame.and_then(|f| f.get(self.declared)).cloned();
        self.declared += 1;
        let target = self.lower.target(over)?;
        if let Some(length) = target.whole {
            let last = i32::try_from(length - 1).unwrap_or(i32::MAX);
            return Ok(ForHead {
                name,
                place: self.lower.written_to(variable)?,
                low: Expr::Const(0),
                low_text: "0".to_owned(),
                test: Binary::Le,
                high: Expr::Const(last),
                high_text: last.to_string(),
                each: Vec::new(),
            });
        }
        let (Some(counter), VarType::Scalar(ty)) = (counter, target.ty) else {
            return Err(
                Diagnostic::error(over.span, "this is neither an array nor a channel")
                    .label("expected something to go through"),
            );
        };
        if ty != Type::Chan {
            return Err(
                Diagnostic::error(over.span, "this is neither an array nor a channel")
                    .label("expected something to go through"),
            );
        }
        let (channel, kind) = self.lower.channel_of(over)?;
        let patterns = self.lower.patterns(
            &[ast::Pattern::Var(variable.clone())],
            kind,
            stmt.span,
            false,
        )?;
        let values = patterns.iter().map(|p| match p {
            Pattern::Store(place) => Expr::Load(place.clone()),
            _ => Expr::Const(0),
        });
        let values = values.collect();
        let shown = self.lower.sources.text(over.span).to_owned();
        let each = vec![
            (
                Action::Receive {
                    channel: channel.clone(),
                    patterns,
                    any: false,
                    keep: false,
                },
                format!("{shown}?{name}"),
            ),
            (
                Action::Send {
                    channel: channel.clone(),
                    values,
                    sorted: false,
                },
                format!("{shown}!{name}"),
            ),
        ];
        Ok(ForHead {
            name: "counter".to_owned(),
            place: Place {
                scope: counter.scope,
                base: counter.base,
                indices: Vec::new(),
                ty: Type::Short,
            },
            low: Expr::Const(0),
            low_text: "0".to_owned(),
            test: Binary::Lt,
            high: Expr::Len(Box::new(channel)),
            high_text: format!("len({shown})"),
            each,
        })
    }

    pub(super) fn select(
        &mut self,
        stmt: &Stmt,
        variable: &VarRef,
        low: &ast::Expr,
        high: &ast::Expr,
        plain: bool,
    ) {
        let span = stmt.span;
        let parts = (|| {
            let place = self.lower.written_to(variable)?;
            Ok((place, self.lower.expr(low)?, self.lower.expr(high)?))
        })();
        let Some((place, first, last)) = self.lower.keep(parts) else {
            return;
        };
        let name = self.lower.sources.text(variable.span).to_owned();
        if let (Expr::Const(from), Expr::Const(to)) = (&first, &last) {
            let (from, to) = (*from, *to);
            if from > to {
                let it = Diagnostic::error(span, "there is nothing to select from");
                self.lower
                    .fail(it.label(format!("{from} is greater than {to}")));
                return;
            }
            if plain && i64::from(to) - i64::from(from) <= SELECT {
                let mut seqs = Vec::new();
                for value in from..=to {
                    self.open_seq();
                    let action = Action::Assign(place.clone(), Expr::Const(value));
                    self.step_of(action, span, format!("{name} = {value}"));
                    seqs.push(self.close_seq(span));
                }
                let id = self.choice(Kind::If, seqs, stmt);
                self.label(stmt, id);
                return;
            }
        }
        let high_text = self.lower.sources.text(high.span).to_owned();
        let low_text = self.lower.sources.text(low.span).to_owned();
        self.step_of(
            Action::Assign(place.clone(), first),
            span,
            format!("{name} = {low_text}"),
        );
        let number = self.open_loop();
        self.open_seq();
        let load = Expr::Load(place.clone());
        let test = binary(Binary::Lt, load.clone(), last);
        self.step_of(Action::Guard(test), span, format!("{name} < {high_text}"));
        let more = binary(Binary::Add, load, Expr::Const(1));
        self.step_of(Action::Assign(place, more), span, format!("{name}++"));
        let main = self.close_seq(span);
        self.open_seq();
        let id = self.body.add(Kind::Goto(Jump::Loop(number)), span, "break");
        self.append(id);
        let done = self.close_seq(span);
        let id = self.repetition(vec![done, main], number, stmt);
        self.label(stmt, id);
    }
}
