//! The inference for one path segment of a run: from a cut point to the next.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Assignment, Inference, Lin, Sort, Value, Var};
use suppose_number::{Int, Rat};

use crate::c::CProgram;
use crate::c::encode::{Origin, Route};
use crate::c::ir::{BlockId, VarId};
use crate::c::types::truncated;

/// The path since the last cut point.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretch {
    pub(super) start: FxHashMap<VarId, Int>,
    pub(super) at: FxHashMap<(BlockId, VarId), Int>,
    pub(super) havoc: FxHashMap<(BlockId, usize), Int>,
    pub(super) after: FxHashMap<(BlockId, VarId), Int>,
    pub(super) calls: Vec<BlockId>,
    /// The inference of the cut, if it does not start at the entry, and those of the calls.
    pub(super) premises: Vec<usize>,
}

/// The inference, and the values of its variables in order.
pub(super) fn inference(
    program: &CProgram,
    clause: usize,
    entry: &FxHashMap<VarId, Int>,
    stretch: &Stretch,
) -> (Inference, Vec<Int>) {
    let horn = program.horn();
    let mut values = Assignment::default();
    let mut numbers = Vec::new();
    let zero = Int::ZERO;
    for (var, origin) in &program.encoded.clauses[clause].origins {
        let number = match origin {
            Origin::Entry(v) => entry.get(v).unwrap_or(&zero).clone(),
            Origin::Start(v) => stretch.start.get(v).unwrap_or(&zero).clone(),
            Origin::At(b, v) => stretch.at.get(&(*b, *v)).unwrap_or(&zero).clone(),
            Origin::Havoc(b, i) => stretch.havoc.get(&(*b, *i)).unwrap_or(&zero).clone(),
            Origin::After(b, v) => stretch.after.get(&(*b, *v)).unwrap_or(&zero).clone(),
            Origin::Value(lin) => value(lin, &values),
            Origin::Floor(lin, d) => value(lin, &values).div_floor(d).0,
            Origin::Truncated(lin, d) => truncated(&value(lin, &values), d).0,
            Origin::Turned(lin, low, modulus) => {
                let rest = (&value(lin, &values) - low).div_floor(modulus).1;
                &rest + low
            }
            Origin::Choice(condition, a, b) => {
                let chosen = if values.eval(&horn.terms, *condition) {
                    a
                } else {
                    b
                };
                value(chosen, &values)
            }
            Origin::Truth(term) => Int::from(i32::from(values.eval(&horn.terms, *term))),
        };
        set(&mut values, horn.terms.sort(*var), *var, &number);
        numbers.push(number);
    }
    let step = Inference {
        clause,
        values,
        premises: stretch.premises.clone(),
    };
    (step, numbers)
}

fn set(values: &mut Assignment, sort: Sort, var: Var, number: &Int) {
    let value = match sort {
        Sort::Bool => Value::Bool(!number.is_zero()),
        _ => Value::Num(Rat::from(number)),
    };
    values.set(var, value);
}

fn value(lin: &Lin, values: &Assignment) -> Int {
    lin.eval(|v| values.number(v)).num().clone()
}

/// The clause of a way, if there is one.
pub(super) fn find(routes: &FxHashMap<Route, usize>, route: &Route) -> Option<usize> {
    routes.get(route).copied()
}
