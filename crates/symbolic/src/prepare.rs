//! What to look at before any property: can an expression fail, is there an initial state, can the system get stuck?

use suppose_model::symbolic::{System, Trace, VarId};
use suppose_refine::{Context, Stopped};

use crate::bdd::{Bdds, Var};
use crate::check::Checker;
use crate::encode::Encoder;
use crate::order::order;
use crate::relation::Options;

/// An obligation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its number in [`System::obligations`].
    pub obligation: usize,
    /// Values under which it is not, each with what has it: `x`, `next(x)`.
    pub values: Vec<(String, String)>,
}

/// The first obligation that is not met under all valuations.
pub fn obligations(system: &System, cx: &Context) -> Result<Option<Broken>, Stopped> {
    if system.obligations.is_empty() {
        return Ok(None);
    }
    let bdds = Bdds::new(cx.clone());
    let mut encoder = Encoder::new(system, &order(system), bdds.clone());
    for (number, obligation) in system.obligations.iter().enumerate() {
        let support = system.exprs.support(obligation.claim);
        let mut fails = encoder.truth(obligation.claim)?.not();
        let now = support.current.iter().map(|v| (*v, false));
        let later = support.next.iter().map(|v| (*v, true));
        let sides: Vec<(VarId, bool)> = now.chain(later).collect();
        for (var, next) in &sides {
            fails = fails.and(&encoder.valid(*var, *next)?)?;
        }
        let Some(path) = fails.path() else {
            continue;
        };
        let set = |var: Var| path.iter().any(|(v, value)| *v == var && *value);
        let shown = |(var, next): (VarId, bool)| {
            let bits = encoder.bits(var);
            let side = if next { &bits.next } else { &bits.current };
            let place = |v: Var| bits.current.iter().position(|b| *b == v);
            let bit = |v: Var| place(v).is_some_and(|at| set(side[at]));
            let name = &system.variable(var).name;
            let name = match next {
                true => format!("next({name})"),
                false => name.clone(),
            };
            (name, system.symbols.show(encoder.value(var, bit)))
        };
        let values = sides.into_iter().map(shown).collect();
        return Ok(Some(Broken {
            obligation: number,
            values,
        }));
    }
    Ok(None)
}

/// Whether the runs that properties speak of are there.
#[derive(Clone, Debug)]
pub enum Life {
    /// There is an initial state, and a step from every reachable one.
    Goes,
    /// There is no initial state.
    NoStart,
    /// A run to a state without a step. It is one of the part of the system that is given with it.
    Stuck(Trace, Box<System>),
}

/// Looks for an initial state, and for a reachable state without a step. Only constraints, and assignments in a circle, can be in
/// the way of either, so what none of them depends on is left out; often there is nothing left.
pub fn life(system: &System, options: Options, cx: &Context) -> Result<Life, Stopped> {
    let part = system.constrained().system;
    let constraints = part.init.len() + part.invariant.len() + part.transition.len();
    if constraints == 0 && part.variables.is_empty() {
        return Ok(Life::Goes);
    }
    let mut checker = Checker::new(&part, options, cx)?;
    if checker.relation().init().is_false() {
        return Ok(Life::NoStart);
    }
    let relation = checker.relation();
    let alive = relation.preimage(relation.states())?;
    let stuck = relation.states().minus(&alive)?;
    if stuck.is_false() {
        return Ok(Life::Goes);
    }
    let found = checker.path_to(&stuck)?;
    Ok(match found {
        Some(trace) => Life::Stuck(trace, Box::new(part.clone())),
        None => Life::Goes,
    })
}
