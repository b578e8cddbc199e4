//! Labels as PROMELA statements, for a program in which an automaton takes the place of a process.

use suppose_model::lts::Label;
use suppose_model::program::{Expr, Pattern, Program};

use super::Decomposed;
use super::explore::{Key, LabelKind};
use super::ops::{Op, Take};
use super::residual::and;
use super::text::Words;

impl Decomposed {
    /// What a process does on a label, as one statement that blocks as a whole or not at all. The error
    /// says why it cannot be written so.
    pub fn statement(
        &self,
        program: &Program,
        process: usize,
        label: Label,
    ) -> Result<String, String> {
        if label.is_tau() {
            return Ok("skip".to_owned());
        }
        let found = self.keys.iter().find(|(l, _)| *l == label);
        let Some((_, key)) = found else {
            return Err("it is no label of the program".to_owned());
        };
        let words = Words::new(program, &self.channels, &self.kinds);
        match &key.meeting {
            None => sequence(program, &words, &self.ops.all(key.ops), key.kind, None),
            Some(_) if key.process == Some(process) => send(&words, key),
            Some(meeting) => {
                let message = words.message(meeting.channel, &meeting.values);
                let first = message.replacen('!', "?", 1);
                sequence(
                    program,
                    &words,
                    &self.ops.all(meeting.ops),
                    key.kind,
                    Some(first),
                )
            }
        }
    }
}

fn send(words: &Words, key: &Key) -> Result<String, String> {
    match &key.meeting {
        Some(meeting) if key.ops == 0 => Ok(words.message(meeting.channel, &meeting.values)),
        _ => Err("a rendezvous has a condition on shared data".to_owned()),
    }
}

/// `first` is a rendezvous that everything else follows.
fn sequence(
    program: &Program,
    words: &Words,
    ops: &[Op],
    kind: LabelKind,
    first: Option<String>,
) -> Result<String, String> {
    let (mut condition, mut rest, mut touched) = (Expr::Const(1), Vec::new(), Vec::new());
    for op in ops {
        let cells = op.cells(program);
        let fresh = cells.iter().all(|c| !touched.contains(c));
        let blocks = blocks(op)?;
        match (op, fresh) {
            (Op::Guard(test), true) => condition = and(condition, test.clone()),
            (Op::Set(..), _) => rest.push(op),
            (_, true) => {
                rest.push(op);
                if let Some(test) = blocks {
                    condition = and(condition, test);
                }
            }
            _ => return Err("it waits in the middle of an atomic sequence".to_owned()),
        }
        if !matches!(op, Op::Guard(_)) {
            touched.extend(cells);
        }
    }
    if first.is_some() && condition != Expr::Const(1) {
        return Err("a rendezvous has a condition on shared data".to_owned());
    }
    // A single send or receive is its own condition.
    let alone = first.is_none()
        && matches!((rest.as_slice(), ops), ([op], [_]) if !matches!(op, Op::Set(..)));
    let mut all: Vec<String> = first.into_iter().collect();
    if condition != Expr::Const(1) && !alone {
        all.push(format!("({})", words.expr(&condition, 0)));
    }
    all.extend(rest.iter().map(|op| words.ops(std::slice::from_ref(op))));
    if kind == LabelKind::Wrong {
        all.push("assert(false)".to_owned());
    }
    Ok(match all.as_slice() {
        [] => "skip".to_owned(),
        [one] => one.clone(),
        several => format!("atomic {{ {} }}", several.join("; ")),
    })
}

/// When an operation does not block, if it can.
fn blocks(op: &Op) -> Result<Option<Expr>, String> {
    match op {
        Op::Send { channel, .. } => {
            let full = Expr::Full(Box::new(Expr::Const(*channel)));
            Ok(Some(super::residual::not(full)))
        }
        Op::Receive {
            channel,
            takes,
            any,
            ..
        } => {
            if *any && takes.iter().any(|t| matches!(t, Take::Known(_))) {
                return Err("it takes the first message that fits, whatever it is".to_owned());
            }
            let pattern = |take: &Take| match take {
                Take::Match(e) => Pattern::Match(e.clone()),
                Take::Known(value) => Pattern::Match(Expr::Const(*value)),
                _ => Pattern::Ignore,
            };
            let patterns = takes.iter().map(pattern).collect();
            let channel = Box::new(Expr::Const(*channel));
            let any = *any;
            Ok(Some(Expr::Poll {
                channel,
                patterns,
                any,
            }))
        }
        Op::Fails(_) => Err("it goes wrong on some shared data".to_owned()),
        _ => Ok(None),
    }
}
