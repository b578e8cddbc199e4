//! Partial evaluation: the residual expression after a process has substituted its local values.
//!
//! The residual refers to shared data only: loads of global slots, channel queries, constants.

use std::cell::RefCell;
use std::rc::Rc;

use suppose_model::program::{
    Binary, Expr, Index, Pattern, Place, Program, Scope, Unary, Violation,
};

use super::shape::Shape;

/// What one process knows. Copies share the values until one of them is changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    /// Where it is.
    pub location: u32,
    /// Its variables, then the shared variables that only it uses, in the order of [`Shape::private`].
    pub values: Rc<[i32]>,
}

/// Why an expression has no residual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It goes wrong whatever the shared data.
    Wrong(Violation),
    /// It looks at something that is no data.
    Unsupported(&'static str),
    /// It cannot be said before these values of shared data are known.
    Ask(Vec<Expr>),
}

impl From<Violation> for Trouble {
    fn from(wrong: Violation) -> Self {
        Trouble::Wrong(wrong)
    }
}

/// A process that evaluates.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The program.
    pub program: &'a Program,
    /// What is shared.
    pub shape: &'a Shape,
    /// The number of the process; none for a claim.
    pub process: Option<usize>,
    /// What it knows.
    pub local: &'a Local,
    /// Values of shared data that it knows for the moment.
    pub facts: &'a [(Expr, i32)],
    /// May it ask for more of them? Otherwise an array of its own with a shared index is spelt out.
    pub asks: bool,
    /// Where it writes down which values it looked at, each once, in order.
    pub seen: Option<&'a RefCell<Vec<u32>>>,
}

/// An array that only the process knows, asked for by a shared index, is spelt out up to here.
const LONGEST_CHAIN: u32 = 64;

impl View<'_> {
    /// The residual of an expression.
    pub fn residual(&self, expr: &Expr) -> Result<Expr, Trouble> {
        match self.value(expr) {
            Some(value) => Ok(Expr::Const(value)),
            None => self.rest(expr),
        }
    }

    /// The value, if the process knows all that it depends on and nothing goes wrong.
    pub fn value(&self, expr: &Expr) -> Option<i32> {
        Some(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.known(place)?,
            Expr::Unary(op, a) => op.apply(self.value(a)?),
            Expr::Binary(Binary::And, a, b) => {
                i32::from(self.value(a)? != 0 && self.value(b)? != 0)
            }
            Expr::Binary(Binary::Or, a, b) => i32::from(self.value(a)? != 0 || self.value(b)? != 0),
            Expr::Binary(op, a, b) => op.apply(self.value(a)?, self.value(b)?)?,
            Expr::Cond(test, then, other) => match self.value(test)? {
                0 => self.value(other)?,
                _ => self.value(then)?,
            },
            Expr::Pid => self.process.map_or(0, |p| p as i32),
            _ => return None,
        })
    }

    /// The value of a place, if the process knows it.
    fn known(&self, place: &Place) -> Option<i32> {
        let slot = self.slot(place)?;
        match place.scope {
            Scope::Local => Some(self.look(slot)),
            Scope::Global => match self.shape.fixed[slot] {
                Some(value) => Some(value),
                None => Some(self.look(self.owned(slot)?)),
            },
        }
    }

    fn look(&self, slot: usize) -> i32 {
        if let Some(seen) = self.seen {
            let (mut seen, at) = (seen.borrow_mut(), slot as u32);
            if !seen.contains(&at) {
                seen.push(at);
            }
        }
        self.local.values[slot]
    }

    /// Where a place is among what the process knows, if it is there.
    pub fn own_slot(&self, place: &Place) -> Option<usize> {
        let slot = self.slot(place)?;
        match place.scope {
            Scope::Local => Some(slot),
            Scope::Global if self.shape.fixed[slot].is_some() => None,
            Scope::Global => self.owned(slot),
        }
    }

    fn slot(&self, place: &Place) -> Option<usize> {
        let mut base = place.base;
        for index in &place.indices {
            let value = self.value(&index.expr);
            let value = value.or_else(|| self.fact(&index.expr))?;
            let value = u32::try_from(value).ok();
            base += value.filter(|v| *v < index.bound)? * index.stride;
        }
        Some(base as usize)
    }

    /// Where a shared slot is among what the process knows, if only it uses it.
    fn owned(&self, slot: usize) -> Option<usize> {
        match self.shape.owner[slot] {
            Some((owner, at)) if Some(owner) == self.process => Some(self.locals() + at),
            _ => None,
        }
    }

    /// How many variables the process has; those that only it uses come after them.
    fn locals(&self) -> usize {
        let text = self.process.map(|p| self.shape.proctypes[p] as usize);
        text.map_or(0, |text| self.program.proctypes[text].locals.len())
    }

    fn rest(&self, expr: &Expr) -> Result<Expr, Trouble> {
        Ok(match expr {
            Expr::Const(value) => Expr::Const(*value),
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(op, a) => unary(*op, self.residual(a)?),
            Expr::Binary(Binary::And, a, b) => match self.residual(a)? {
                Expr::Const(0) => Expr::Const(0),
                Expr::Const(_) => truth(self.residual(b)?),
                a => and(a, self.residual(b)?),
            },
            Expr::Binary(Binary::Or, a, b) => match self.residual(a)? {
                Expr::Const(0) => truth(self.residual(b)?),
                Expr::Const(_) => Expr::Const(1),
                a => or(a, self.residual(b)?),
            },
            Expr::Binary(op, a, b) => match (self.residual(a)?, self.residual(b)?) {
                (Expr::Const(a), Expr::Const(b)) => {
                    Expr::Const(op.apply(a, b).ok_or(Violation::Division)?)
                }
                (a, b) => Expr::Binary(*op, Box::new(a), Box::new(b)),
            },
            Expr::Cond(test, then, other) => match self.residual(test)? {
                Expr::Const(0) => self.residual(other)?,
                Expr::Const(_) => self.residual(then)?,
                test => {
                    let (then, other) = (self.residual(then)?, self.residual(other)?);
                    Expr::Cond(Box::new(test), Box::new(then), Box::new(other))
                }
            },
            Expr::Len(channel) => match self.channel(channel)? {
                (_, 0) => Expr::Const(0),
                (number, _) => Expr::Len(Box::new(Expr::Const(number))),
            },
            Expr::Full(channel) => match self.channel(channel)? {
                (_, 0) => Expr::Const(1),
                (number, _) => Expr::Full(Box::new(Expr::Const(number))),
            },
            Expr::Empty(channel) => match self.channel(channel)? {
                (_, 0) => Expr::Const(1),
                (number, _) => Expr::Empty(Box::new(Expr::Const(number))),
            },
            Expr::Poll {
                channel,
                patterns,
                any,
            } => self.poll(channel, patterns, *any)?,
            Expr::Pid => Expr::Const(self.process.map_or(0, |p| p as i32)),
            Expr::Processes => return unsupported("`_nr_pr`"),
            Expr::Last => return unsupported("`_last`"),
            Expr::Timeout => return unsupported("`timeout`"),
            Expr::Enabled(_) => return unsupported("`enabled`"),
            Expr::PcValue(_) => return unsupported("`pc_value`"),
            Expr::Priority(_) => return unsupported("`get_priority`"),
            Expr::At { .. } => return unsupported("a label of another process"),
            Expr::Remote { .. } => return unsupported("a variable of another process"),
        })
    }

    /// Whether a message like that waits in a channel.
    pub fn poll(&self, channel: &Expr, patterns: &[Pattern], any: bool) -> Result<Expr, Trouble> {
        let (number, capacity) = self.channel(channel)?;
        if capacity == 0 {
            return Ok(Expr::Const(0));
        }
        let mut left = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            left.push(match pattern {
                Pattern::Match(value) => Pattern::Match(self.residual(value)?),
                Pattern::Store(_) | Pattern::Ignore => Pattern::Ignore,
            });
        }
        let channel = Box::new(Expr::Const(number));
        Ok(Expr::Poll {
            channel,
            patterns: left,
            any,
        })
    }

    /// The number and the capacity of a channel, which the process must know.
    pub fn channel(&self, expr: &Expr) -> Result<(i32, u32), Trouble> {
        let Expr::Const(number) = self.residual(expr)? else {
            return unsupported("a channel that other processes can exchange for another");
        };
        let kind = usize::try_from(number - 1).ok();
        let kind = kind.and_then(|at| self.shape.channels.get(at));
        let kind = kind.ok_or(Violation::Channel)?;
        Ok((number, self.program.channels[*kind as usize].capacity))
    }

    /// What it is, if it is among the facts.
    fn settled(&self, expr: Expr) -> Expr {
        self.fact(&expr).map_or(expr, Expr::Const)
    }

    fn fact(&self, expr: &Expr) -> Option<i32> {
        let mut facts = self.facts.iter();
        facts.find(|(known, _)| known == expr).map(|(_, v)| *v)
    }

    fn load(&self, place: &Place) -> Result<Expr, Trouble> {
        match self.place(place)? {
            Spot::Local(slot) => Ok(Expr::Const(self.look(slot))),
            Spot::Fixed(value) => Ok(Expr::Const(value)),
            Spot::Shared(place) if place.scope == Scope::Global => Ok(Expr::Load(place)),
            Spot::Shared(place) if self.asks => {
                let indices = place.indices.into_iter().map(|i| i.expr);
                Err(Trouble::Ask(indices.collect()))
            }
            Spot::Shared(place) => self.chain(&place),
        }
    }

    /// A local array with a shared index: a conditional expression over all its elements.
    fn chain(&self, place: &Place) -> Result<Expr, Trouble> {
        let [
            Index {
                expr,
                bound,
                stride,
            },
        ] = place.indices.as_slice()
        else {
            return unsupported("an array of its own with a shared index");
        };
        if *bound > LONGEST_CHAIN {
            return unsupported("a long array of its own with a shared index");
        }
        // Past the end it goes wrong.
        let one = Box::new(Expr::Const(1));
        let nothing = Expr::Binary(Binary::Div, one, Box::new(Expr::Const(0)));
        let mut chain = nothing;
        for at in (0..*bound).rev() {
            let slot = place.base + at * stride;
            let value = self.look(slot as usize);
            let is = Expr::Binary(
                Binary::Eq,
                Box::new(expr.clone()),
                Box::new(Expr::Const(at as i32)),
            );
            let value = Box::new(Expr::Const(value));
            chain = Expr::Cond(Box::new(is), value, Box::new(chain));
        }
        Ok(chain)
    }

    /// Where a place is, as far as the process knows.
    pub fn place(&self, place: &Place) -> Result<Spot, Trouble> {
        let (mut base, mut indices) = (place.base, Vec::new());
        for index in &place.indices {
            match self.settled(self.residual(&index.expr)?) {
                Expr::Const(value) => match u32::try_from(value) {
                    Ok(value) if value < index.bound => base += value * index.stride,
                    _ => return Err(Violation::Index.into()),
                },
                expr => indices.push(Index {
                    expr,
                    ..index.clone()
                }),
            }
        }
        let slot = base as usize;
        if !indices.is_empty() {
            return Ok(Spot::Shared(Place {
                base,
                indices,
                ..place.clone()
            }));
        }
        Ok(match place.scope {
            Scope::Local => Spot::Local(slot),
            Scope::Global => match (self.shape.fixed[slot], self.shape.owner[slot]) {
                (Some(value), _) => Spot::Fixed(value),
                (None, Some((owner, at))) if Some(owner) == self.process => {
                    Spot::Local(self.locals() + at)
                }
                _ => Spot::Shared(Place {
                    base,
                    indices,
                    ..place.clone()
                }),
            },
        })
    }
}

/// Where a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Among what the process knows.
    Local(usize),
    /// Nobody ever changes it.
    Fixed(i32),
    /// Shared (or, with scope local, an element that shared data chooses).
    Shared(Place),
}

fn unsupported<T>(what: &'static str) -> Result<T, Trouble> {
    Err(Trouble::Unsupported(what))
}

/// Can the value only be 0 or 1?
fn is_truth(expr: &Expr) -> bool {
    use Binary::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    match expr {
        Expr::Const(value) => matches!(value, 0 | 1),
        Expr::Unary(Unary::Not, _) | Expr::Full(_) | Expr::Empty(_) | Expr::Poll { .. } => true,
        Expr::Binary(op, ..) => matches!(op, And | Or | Lt | Le | Gt | Ge | Eq | Ne),
        _ => false,
    }
}

/// Can the evaluation go wrong?
pub fn is_total(expr: &Expr) -> bool {
    !expr.any(|e| match e {
        Expr::Binary(Binary::Div | Binary::Rem, _, b) => {
            !matches!(**b, Expr::Const(value) if value != 0)
        }
        Expr::Load(place) => !place.indices.is_empty(),
        _ => false,
    })
}

/// 1 where the expression is not 0.
pub fn truth(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value != 0)),
        expr if is_truth(&expr) => expr,
        expr => Expr::Binary(Binary::Ne, Box::new(expr), Box::new(Expr::Const(0))),
    }
}

fn unary(op: Unary, a: Expr) -> Expr {
    match (op, a) {
        (op, Expr::Const(value)) => Expr::Const(op.apply(value)),
        (Unary::Not, a) => not(a),
        (op, a) => Expr::Unary(op, Box::new(a)),
    }
}

/// The negation, pushed through comparisons and connectives so that it stays readable.
pub fn not(expr: Expr) -> Expr {
    use Binary::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        Expr::Unary(Unary::Not, a) => truth(*a),
        Expr::Binary(op @ (Lt | Le | Gt | Ge | Eq | Ne), a, b) => {
            let opposite = match op {
                Lt => Ge,
                Le => Gt,
                Gt => Le,
                Ge => Lt,
                Eq => Ne,
                _ => Eq,
            };
            Expr::Binary(opposite, a, b)
        }
        Expr::Binary(And, a, b) => or(not(*a), not(*b)),
        Expr::Binary(Or, a, b) => and(not(*a), not(*b)),
        expr => Expr::Unary(Unary::Not, Box::new(expr)),
    }
}

/// Both.
pub fn and(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Const(0), _) => Expr::Const(0),
        (Expr::Const(_), b) => truth(b),
        (a, Expr::Const(0)) if is_total(&a) => Expr::Const(0),
        (a, Expr::Const(b)) if b != 0 => truth(a),
        (a, b) => Expr::Binary(Binary::And, Box::new(truth(a)), Box::new(truth(b))),
    }
}

/// Either.
pub fn or(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Const(0), b) => truth(b),
        (Expr::Const(_), _) => Expr::Const(1),
        (a, Expr::Const(b)) if b != 0 && is_total(&a) => Expr::Const(1),
        (a, Expr::Const(0)) => truth(a),
        (a, b) => Expr::Binary(Binary::Or, Box::new(truth(a)), Box::new(truth(b))),
    }
}
