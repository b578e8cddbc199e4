//! The effect of a label on the shared data.

use suppose_model::program::semantics::State;
use suppose_model::program::{Binary, Expr, Place, Program, Violation};

use super::residual::{and, is_total};

/// One thing done to shared data. All expressions speak of shared data only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Possible only when this is not 0.
    Guard(Expr),
    /// Stores a value.
    Set(Place, Expr),
    /// Puts a message into a channel that has room.
    Send {
        /// The number of the channel.
        channel: i32,
        /// The message.
        values: Vec<Expr>,
        /// Into its place in the order.
        sorted: bool,
    },
    /// Takes a message.
    Receive {
        /// The number of the channel.
        channel: i32,
        /// What becomes of each field.
        takes: Vec<Take>,
        /// The first that fits, not only the first.
        any: bool,
        /// It stays.
        keep: bool,
    },
    /// Open: the process wants to know these values.
    Ask(Vec<Expr>),
    /// Possible only when that goes wrong.
    Fails(Box<Op>),
}

/// What becomes of a field of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Take {
    /// It must have this value.
    Match(Expr),
    /// It goes to a shared variable.
    Store(Place),
    /// Nothing.
    Ignore,
    /// Open: the process wants to know it.
    Out,
    /// The process knows it. Which message is taken does not depend on it: with `any`, the first that
    /// fits is taken, and the step is possible only if that one has this value.
    Known(i32),
}

/// A piece of shared data: the slots first, then the channels.
pub type Cell = usize;

impl Op {
    /// Does the process wait for a value?
    pub fn is_open(&self) -> bool {
        match self {
            Op::Ask(_) => true,
            Op::Receive { takes, .. } => takes.contains(&Take::Out),
            _ => false,
        }
    }

    /// The same when the values are known.
    pub fn closed(&self, outputs: &[i32]) -> Op {
        match self {
            Op::Ask(exprs) => {
                let is = |(expr, value): (&Expr, &i32)| {
                    let (expr, value) = (Box::new(expr.clone()), Box::new(Expr::Const(*value)));
                    Expr::Binary(Binary::Eq, expr, value)
                };
                let all = exprs.iter().zip(outputs).map(is);
                Op::Guard(all.reduce(and).unwrap_or(Expr::Const(1)))
            }
            Op::Receive {
                channel,
                takes,
                any,
                keep,
            } => {
                let mut outputs = outputs.iter().copied();
                let takes = takes.iter().map(|take| match take {
                    Take::Out => Take::Known(outputs.next().unwrap_or(0)),
                    other => other.clone(),
                });
                Op::Receive {
                    channel: *channel,
                    takes: takes.collect(),
                    any: *any,
                    keep: *keep,
                }
            }
            other => other.clone(),
        }
    }

    /// Everything it may look at or change.
    pub fn cells(&self, program: &Program) -> Vec<Cell> {
        let slots = program.globals.len();
        let mut cells = Vec::new();
        match self {
            Op::Guard(e) => expr_cells(slots, e, &mut cells),
            Op::Ask(all) => all.iter().for_each(|e| expr_cells(slots, e, &mut cells)),
            Op::Set(place, e) => {
                place_cells(slots, place, &mut cells);
                expr_cells(slots, e, &mut cells);
            }
            Op::Send {
                channel, values, ..
            } => {
                cells.push(slots + *channel as usize);
                values.iter().for_each(|e| expr_cells(slots, e, &mut cells));
            }
            Op::Receive { channel, takes, .. } => {
                cells.push(slots + *channel as usize);
                for take in takes {
                    match take {
                        Take::Match(e) => expr_cells(slots, e, &mut cells),
                        Take::Store(place) => place_cells(slots, place, &mut cells),
                        Take::Ignore | Take::Out | Take::Known(_) => {}
                    }
                }
            }
            Op::Fails(op) => cells = op.cells(program),
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Does it. False when it is not possible; what the process wants to know goes to `outputs`.
    pub fn run(
        &self,
        program: &Program,
        store: &mut State,
        outputs: &mut Vec<i32>,
    ) -> Result<bool, Violation> {
        let value = |store: &State, e: &Expr| store.eval(program, None, false, e);
        match self {
            Op::Guard(e) => return Ok(value(store, e)? != 0),
            Op::Ask(all) => {
                for e in all {
                    outputs.push(value(store, e)?);
                }
            }
            Op::Set(place, e) => {
                let value = value(store, e)?;
                set(program, store, place, value)?;
            }
            Op::Send {
                channel,
                values,
                sorted,
            } => {
                let at = *channel as usize - 1;
                let kind = &program.channels[store.channels[at].kind as usize];
                let mut message = Vec::with_capacity(values.len());
                if values.len() != kind.fields.len() {
                    return Err(Violation::Channel);
                }
                for (ty, e) in kind.fields.iter().zip(values) {
                    message.push(ty.truncate(value(store, e)?));
                }
                let messages = &mut store.channels[at].messages;
                if messages.len() >= kind.capacity as usize {
                    return Ok(false);
                }
                let after = match sorted {
                    true => messages.iter().position(|m| *m > message),
                    false => None,
                };
                messages.insert(after.unwrap_or(messages.len()), message);
            }
            Op::Receive {
                channel,
                takes,
                any,
                keep,
            } => return receive(program, store, (*channel, *any, *keep), takes, outputs),
            Op::Fails(op) => {
                let mut scratch = Vec::new();
                return Ok(op.run(program, store, &mut scratch).is_err());
            }
        }
        Ok(true)
    }
}

fn set(program: &Program, store: &mut State, place: &Place, value: i32) -> Result<(), Violation> {
    let slot = store.slot(program, None, false, place)?;
    store.globals[slot] = place.ty.truncate(value);
    Ok(())
}

/// Takes the first message that fits.
fn receive(
    program: &Program,
    store: &mut State,
    (channel, any, keep): (i32, bool, bool),
    takes: &[Take],
    outputs: &mut Vec<i32>,
) -> Result<bool, Violation> {
    let at = channel as usize - 1;
    let count = store.channels[at].messages.len();
    let candidates = if any { count } else { count.min(1) };
    for which in 0..candidates {
        let message = store.channels[at].messages[which].clone();
        if message.len() != takes.len() {
            return Err(Violation::Channel);
        }
        let mut fits = true;
        for (field, take) in message.iter().zip(takes) {
            if let Take::Match(e) = take
                && store.eval(program, None, false, e)? != *field
            {
                fits = false;
                break;
            }
        }
        if !fits {
            continue;
        }
        let mut fields = message.iter().zip(takes);
        if fields.any(|(field, take)| matches!(take, Take::Known(v) if v != field)) {
            return Ok(false);
        }
        if !keep {
            store.channels[at].messages.remove(which);
        }
        for (field, take) in message.iter().zip(takes) {
            match take {
                Take::Store(place) => set(program, store, place, *field)?,
                Take::Out => outputs.push(*field),
                Take::Match(_) | Take::Ignore | Take::Known(_) => {}
            }
        }
        return Ok(true);
    }
    Ok(false)
}

fn expr_cells(slots: usize, expr: &Expr, cells: &mut Vec<Cell>) {
    expr.visit(&mut |e| match e {
        Expr::Load(place) => load_cells(place, cells),
        Expr::Len(c) | Expr::Full(c) | Expr::Empty(c) | Expr::Poll { channel: c, .. } => {
            if let Expr::Const(number) = **c {
                cells.push(slots + number as usize);
            }
        }
        _ => {}
    });
}

fn place_cells(slots: usize, place: &Place, cells: &mut Vec<Cell>) {
    load_cells(place, cells);
    for index in &place.indices {
        expr_cells(slots, &index.expr, cells);
    }
}

fn load_cells(place: &Place, cells: &mut Vec<Cell>) {
    let mut slots = vec![place.base];
    for index in &place.indices {
        let all = (0..index.bound).map(|v| v * index.stride);
        slots = all
            .flat_map(|more| slots.iter().map(move |s| s + more))
            .collect();
    }
    cells.extend(slots.into_iter().map(|s| s as usize));
}

/// The guards of a conjunction, one by one where that makes no difference.
pub fn guards(expr: Expr, ops: &mut Vec<Op>) {
    match expr {
        Expr::Const(value) if value != 0 => {}
        Expr::Binary(Binary::And, a, b) if is_total(&b) => {
            guards(*a, ops);
            guards(*b, ops);
        }
        other => ops.push(Op::Guard(other)),
    }
}
