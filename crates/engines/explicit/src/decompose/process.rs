//! The next steps of a process, in terms of its local state and of the shared data it reads.

use std::rc::Rc;

use suppose_model::program::{Action, Edge, Expr, Keep, Location, Pattern, Place, Type};

use super::ops::{Op, Take, guards};
use super::residual::{Local, Spot, Trouble, View, and, not};

/// When an edge can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enabledness {
    /// When this is not 0.
    When(Expr),
    /// When a partner is there.
    Meets,
}

/// An edge that may be taken, and what must be true besides.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its number.
    pub edge: u32,
    /// No edge of a lower rank can be taken; and for `else`, no other.
    pub before: Expr,
    /// Is it a condition that the process knows to be true?
    pub sure: bool,
}

/// All choices at a location.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The edges.
    pub list: Vec<Choice>,
    /// Nothing can be done, partners aside.
    pub blocked: Expr,
    /// Is there a rendezvous among them?
    pub meets: bool,
    /// Enabledness depends on a rendezvous partner, so the result is an over-approximation.
    pub vague: bool,
}

/// A variable of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    slot: usize,
    ty: Type,
}

impl Target {
    /// Puts a value there.
    pub fn fill(self, local: &mut Local, value: i32) {
        let value = self.ty.truncate(value);
        if local.values[self.slot] != value {
            Rc::make_mut(&mut local.values)[self.slot] = value;
        }
    }
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Changes nothing but this variable of the process, if any.
    Quiet(Option<(Target, i32)>),
    /// Does this to shared data.
    Shared(Vec<Op>),
    /// Waits for values that go to these variables.
    Asks(Op, Vec<Target>),
    /// An assertion over shared data.
    Asserts(Expr),
    /// Goes wrong.
    Fails,
    /// Sends in a rendezvous.
    Offers(i32, Vec<Expr>),
    /// Receives in a rendezvous.
    Takes(i32),
    /// Nothing more: the process ends, or cannot take the edge.
    Ends,
}

impl View<'_> {
    fn text(&self) -> &suppose_model::program::Proctype {
        let process = self.process.unwrap_or(0);
        &self.program.proctypes[self.shape.proctypes[process] as usize]
    }

    /// The location where it is.
    pub fn here(&self) -> &Location {
        &self.text().locations[self.local.location as usize]
    }

    /// What it keeps where it is.
    pub fn keep(&self) -> Keep {
        self.here().keep
    }

    fn able(&self, edge: &Edge) -> Result<Enabledness, Trouble> {
        let when = match &edge.action {
            Action::Guard(test) => self.residual(test)?,
            Action::Send { channel, .. } => match self.channel(channel)? {
                (_, 0) => return Ok(Enabledness::Meets),
                (number, _) => not(Expr::Full(Box::new(Expr::Const(number)))),
            },
            Action::Receive {
                channel,
                patterns,
                any,
                ..
            } => match self.channel(channel)? {
                (_, 0) => return Ok(Enabledness::Meets),
                _ => self.poll(channel, patterns, *any)?,
            },
            Action::End => Expr::Const(0),
            _ => Expr::Const(1),
        };
        Ok(Enabledness::When(when))
    }

    /// When an edge can be taken, partners aside; none for a rendezvous.
    pub fn able_now(&self, edge: &Edge) -> Result<Option<Expr>, Trouble> {
        Ok(match self.able(edge)? {
            Enabledness::When(when) => Some(when),
            Enabledness::Meets => None,
        })
    }

    /// The choices here. An edge that goes wrong can be taken. Whether nothing can be done is worked
    /// out only if asked for.
    pub fn choices(&self, blocks: bool) -> Result<Choices, Trouble> {
        let here = self.here();
        let provided = match &self.text().provided {
            Some(condition) => self.residual(condition)?,
            None => Expr::Const(1),
        };
        let ranks = here.edges.iter().map(|e| e.rank);
        let highest = ranks.clone().max().unwrap_or(0);
        let blocks = blocks || ranks.clone().min() != Some(highest);
        let mut all = Choices {
            list: Vec::with_capacity(here.edges.len()),
            blocked: Expr::Const(1),
            meets: false,
            vague: false,
        };
        let mut before = provided.clone();
        for rank in 0..=highest {
            let mine = || here.edges.iter().filter(|e| e.rank == rank);
            if mine().next().is_none() {
                continue;
            }
            let asks = blocks || mine().any(|e| e.action == Action::Else);
            let (none, meets) = self.choose(rank, asks, &before, &mut all)?;
            all.meets |= meets;
            all.vague |= meets && rank < highest;
            before = and(before, none.clone());
            all.blocked = and(all.blocked, none);
        }
        all.list.retain(|c| c.before != Expr::Const(0));
        if provided != Expr::Const(1) {
            let blocked = std::mem::replace(&mut all.blocked, Expr::Const(1));
            all.blocked = super::residual::or(not(provided), blocked);
        }
        Ok(all)
    }

    /// Adds the choices of one rank; when none of them can be taken, partners aside (if asked), and
    /// whether there is a rendezvous.
    fn choose(
        &self,
        rank: u8,
        asks: bool,
        before: &Expr,
        all: &mut Choices,
    ) -> Result<(Expr, bool), Trouble> {
        let (mut none, mut meets, mut other) = (Expr::Const(1), false, false);
        let edges = self.here().edges.iter().enumerate();
        for (number, edge) in edges.filter(|(_, e)| e.rank == rank) {
            let edge_number = number as u32;
            // `else` looks at the edges before it only; after another `else` there is always one.
            if edge.action == Action::Else && other {
                continue;
            }
            if edge.action == Action::Else {
                all.vague |= meets;
                all.list.push(Choice {
                    edge: edge_number,
                    before: and(before.clone(), none.clone()),
                    sure: false,
                });
                other = true;
                continue;
            }
            let able = match &edge.action {
                // What the condition says besides is found out when the edge is taken.
                Action::Guard(test) if !asks => Ok(Enabledness::When(Expr::Const(
                    self.value(test).unwrap_or(2),
                ))),
                _ => self.able(edge),
            };
            let able = match able {
                Err(Trouble::Wrong(_)) => Enabledness::When(Expr::Const(2)),
                other => other?,
            };
            let sure = matches!(edge.action, Action::Guard(_))
                && matches!(&able, Enabledness::When(Expr::Const(1)));
            match able {
                Enabledness::When(Expr::Const(0)) => continue,
                Enabledness::When(when) if asks => none = and(none, not(when)),
                Enabledness::When(_) => {}
                Enabledness::Meets => meets = true,
            }
            all.list.push(Choice {
                edge: edge_number,
                before: before.clone(),
                sure,
            });
        }
        if other {
            none = Expr::Const(0);
        }
        Ok((none, meets))
    }

    /// The only edge here, if it sets a variable that the process knows to a value that it knows; with both.
    pub fn plain_assignment(&self) -> Option<(&Edge, Target, i32)> {
        let [edge] = self.here().edges.as_slice() else {
            return None;
        };
        let Action::Assign(place, expr) = &edge.action else {
            return None;
        };
        if self.text().provided.is_some() {
            return None;
        }
        let (slot, ty) = (self.own_slot(place)?, place.ty);
        Some((edge, Target { slot, ty }, self.value(expr)?))
    }

    /// What the edge does, its guard included.
    pub fn effect(&self, edge: &Edge) -> Result<Effect, Trouble> {
        match &edge.action {
            Action::Guard(test) => match self.residual(test)? {
                // Here it cannot be taken.
                Expr::Const(0) => Ok(Effect::Ends),
                test => {
                    let mut ops = Vec::new();
                    guards(test, &mut ops);
                    Ok(done(ops))
                }
            },
            Action::Else => Ok(Effect::Quiet(None)),
            Action::Assert(test) => Ok(match self.residual(test)? {
                Expr::Const(0) => Effect::Fails,
                Expr::Const(_) => Effect::Quiet(None),
                test => Effect::Asserts(test),
            }),
            Action::Assign(place, expr) => {
                let value = self.residual(expr)?;
                match (self.target(place)?, value) {
                    (Ok(target), Expr::Const(value)) => Ok(Effect::Quiet(Some((target, value)))),
                    (Ok(target), value) => Ok(Effect::Asks(Op::Ask(vec![value]), vec![target])),
                    (Err(place), value) => Ok(Effect::Shared(vec![Op::Set(place, value)])),
                }
            }
            Action::Send {
                channel,
                values,
                sorted,
            } => {
                let (channel, capacity) = self.channel(channel)?;
                let mut sent = Vec::with_capacity(values.len());
                for value in values {
                    sent.push(self.residual(value)?);
                }
                if capacity == 0 {
                    return Ok(Effect::Offers(channel, sent));
                }
                let op = Op::Send {
                    channel,
                    values: sent,
                    sorted: *sorted,
                };
                Ok(Effect::Shared(vec![op]))
            }
            Action::Receive {
                channel,
                patterns,
                any,
                keep,
            } => {
                let (channel, capacity) = self.channel(channel)?;
                if capacity == 0 {
                    return Ok(Effect::Takes(channel));
                }
                let (takes, targets) = self.takes(patterns)?;
                let op = Op::Receive {
                    channel,
                    takes,
                    any: *any,
                    keep: *keep,
                };
                Ok(match targets.is_empty() {
                    true => Effect::Shared(vec![op]),
                    false => Effect::Asks(op, targets),
                })
            }
            Action::Run { .. } => Err(Trouble::Unsupported("a process that is made later")),
            Action::SetPriority(..) => Err(Trouble::Unsupported("`set_priority`")),
            Action::End => Ok(Effect::Ends),
        }
    }

    /// What becomes of the fields of a message, and where those go that the process keeps.
    fn takes(&self, patterns: &[Pattern]) -> Result<(Vec<Take>, Vec<Target>), Trouble> {
        let (mut takes, mut targets) = (Vec::new(), Vec::new());
        for pattern in patterns {
            takes.push(match pattern {
                Pattern::Match(value) => Take::Match(self.residual(value)?),
                Pattern::Ignore => Take::Ignore,
                Pattern::Store(place) => match self.target(place)? {
                    Ok(target) => {
                        targets.push(target);
                        Take::Out
                    }
                    Err(place) => Take::Store(place),
                },
            });
        }
        Ok((takes, targets))
    }

    /// Is it plain that a message does not fit? Asked in order, for an earlier field may go wrong.
    fn is_other(&self, patterns: &[Pattern], message: &[i32]) -> bool {
        for (pattern, field) in patterns.iter().zip(message) {
            match pattern {
                Pattern::Match(value) => match self.value(value) {
                    Some(value) if value == *field => {}
                    Some(_) => return true,
                    None => return false,
                },
                Pattern::Store(place) if !place.indices.is_empty() => return false,
                Pattern::Store(_) | Pattern::Ignore => {}
            }
        }
        false
    }

    /// Receives a message in a rendezvous: what must be true, what is done, what is known then. None when it does not fit.
    pub fn accept(
        &self,
        edge: &Edge,
        message: &[i32],
    ) -> Result<Option<(Vec<Op>, Local)>, Trouble> {
        let Action::Receive {
            patterns,
            keep: false,
            ..
        } = &edge.action
        else {
            return Ok(None);
        };
        if patterns.len() != message.len() {
            return Err(suppose_model::program::Violation::Channel.into());
        }
        if self.is_other(patterns, message) {
            return Ok(None);
        }
        let (mut ops, mut next) = (Vec::new(), self.local.clone());
        next.location = edge.target;
        for (pattern, field) in patterns.iter().zip(message) {
            match pattern {
                Pattern::Ignore => {}
                Pattern::Match(value) => match self.residual(value)? {
                    Expr::Const(value) if value == *field => {}
                    Expr::Const(_) => return Ok(None),
                    value => {
                        let is = Op::Ask(vec![value]);
                        ops.push(is.closed(&[*field]));
                    }
                },
                Pattern::Store(place) => match self.target(place)? {
                    Ok(target) => target.fill(&mut next, *field),
                    Err(place) => ops.push(Op::Set(place, Expr::Const(*field))),
                },
            }
        }
        Ok(Some((ops, next)))
    }

    /// Where a place to store to is: a variable of the process, or a shared one.
    fn target(&self, place: &Place) -> Result<Result<Target, Place>, Trouble> {
        let ty = place.ty;
        Ok(match self.place(place)? {
            Spot::Local(slot) => Ok(Target { slot, ty }),
            Spot::Shared(place) if place.scope == suppose_model::program::Scope::Global => {
                Err(place)
            }
            // Which element of its own array is changed depends on shared data.
            Spot::Shared(place) => {
                let indices = place.indices.into_iter().map(|i| i.expr);
                return Err(Trouble::Ask(indices.collect()));
            }
            // Nobody changes it, so this edge is never met.
            Spot::Fixed(_) => return Err(Trouble::Unsupported("a constant that is changed")),
        })
    }
}

fn done(ops: Vec<Op>) -> Effect {
    match ops.is_empty() {
        true => Effect::Quiet(None),
        false => Effect::Shared(ops),
    }
}
