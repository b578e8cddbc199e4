//! Deadlock: a path that leads to one, or a look at all reachable states.

use suppose_control::Context;
use suppose_model::lts::{SizeLimits, State};
use suppose_model::mdp::{Counterexample, Halted, Product, System, compose};

use super::counterexample::check_behaviour;
use crate::rejection::{Place, Rejection};

/// Accepts a tree that the system does, and in whose last node it can do nothing.
pub fn check_deadlock(
    system: &System,
    found: &Counterexample,
    cx: &Context,
) -> Result<(), Rejection> {
    check_behaviour(system, found, cx)?;
    let parts = system.parts();
    let last = found.states.len().saturating_sub(1);
    let mut stuck = true;
    Product::new(&parts).choices(&found.states[last], |_, _| stuck = false);
    match stuck {
        true => Ok(()),
        false => Err(Rejection::at(Place::Node(last), "it is no deadlock")),
    }
}

/// Examines all reachable states: each has a choice. Says how many there are.
pub fn check_no_deadlock(system: &System, cx: &Context) -> Result<u64, Rejection> {
    let parts = system.parts();
    let whole = compose("", &parts, &SizeLimits::default(), &mut |_| cx.check());
    let whole = whole.map_err(|halted| match halted {
        Halted::Stopped(why) => Rejection::Stopped(why),
        Halted::TooLarge(why) => Rejection::at(Place::System, why.to_string()),
    })?;
    let states = whole.lpts.states();
    match (0..states as State).find(|s| whole.lpts.choices(*s).is_empty()) {
        None => Ok(states as u64),
        Some(state) => {
            let why = format!("its state {state} is a deadlock");
            Err(Rejection::at(Place::System, why))
        }
    }
}
