//! Which engine: both, in turns.
//!
//! Whether abstraction pays cannot be seen from the text of a model: it does where most of what a property depends on hardly matters, and that
//! is what refinement finds out. So the engines take turns that grow, limited by work and not by time, so that the answer and the engine
//! that gives it are the same on every machine. The concrete check is first, as small systems are most of those that people have. A turn of
//! abstraction begins anew; since turns grow by a factor, all that came before costs less than the last one. The concrete check goes on
//! with the states that it reached before, for this property or another of the same part.

use suppose_model::symbolic::{Property, System};
use suppose_refine::{Context, Event, Stopped};

use crate::answer::{Answer, Found};
use crate::cegar::{Cegar, CegarOptions};
use crate::check::memory::Memory;
use crate::decide::Concrete;
use crate::relation::Options;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The concrete check.
    Bdd,
    /// Abstraction and refinement.
    Cegar,
}

/// What the engines found in turns.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The answer.
    pub answer: Answer,
    /// Whose it is.
    pub engine: Engine,
    /// Why that engine, for people.
    pub why: String,
}

/// The work of the first turn of the concrete check, in questions whether to stop: a second or two. Most systems need less, and on those that need
/// more it is spent once.
const CONCRETE: u64 = 1_200;

/// The nodes that the first turn of the concrete check may have: with more, steps of its work take longer.
const NODES: usize = 1 << 17;

/// The work of the first turn of abstraction.
const ABSTRACT: u64 = 2_000;

/// By how much turns grow.
const GROWTH: u64 = 4;

/// Decides a property by the engine that is done first; [`Stopped::Superseded`] if none is after so many turns of each.
pub fn decide(
    system: &System,
    property: &Property,
    options: CegarOptions,
    memory: &Memory,
    turns: u32,
    cx: &Context,
) -> Result<Chosen, Stopped> {
    let mut growth = 1u64;
    let mut beyond = None;
    for round in 1..=turns {
        // Where abstraction decided other properties and the reachable states are not known, it is the better bet.
        let order = match round > 1 && memory.is_abstracted(system) {
            true => [Engine::Cegar, Engine::Bdd],
            false => [Engine::Bdd, Engine::Cegar],
        };
        for engine in order {
            let found = match engine {
                // What another property of the same part needed too much work for is not tried at once again.
                Engine::Bdd if round == 1 && memory.is_large(system) => None,
                Engine::Bdd => {
                    let relation = Options {
                        nodes: Some(NODES.saturating_mul(growth as usize)),
                        ..options.relation
                    };
                    turn(cx, CONCRETE.saturating_mul(growth), |cx| {
                        cx.emit(Event::Phase("concrete check".to_owned()));
                        let concrete = Concrete::new(system, relation, cx);
                        concrete.remembering(memory).decide(property)
                    })?
                }
                Engine::Cegar if beyond.is_some() => None,
                Engine::Cegar => turn(cx, ABSTRACT.saturating_mul(growth), |cx| {
                    cx.emit(Event::Phase("abstraction".to_owned()));
                    Cegar::new(system, options, cx).decide(property)
                })?,
            };
            match (engine, found) {
                (Engine::Bdd, None) => memory.set_large(system),
                (Engine::Cegar, None) => {}
                (Engine::Bdd, Some(answer)) => {
                    return Ok(Chosen {
                        answer,
                        engine,
                        why: concrete(round, beyond.as_deref()),
                    });
                }
                (Engine::Cegar, Some(answer)) => match answer.found {
                    Found::Unknown(why) => beyond = Some(why),
                    _ => {
                        memory.set_abstracted(system);
                        return Ok(abstract_one(answer, round));
                    }
                },
            }
        }
        growth = growth.saturating_mul(GROWTH);
    }
    Err(Stopped::Superseded)
}

/// Runs an engine with that much work; none if it needs more.
fn turn(
    cx: &Context,
    work: u64,
    engine: impl Fn(&Context) -> Result<Answer, Stopped>,
) -> Result<Option<Answer>, Stopped> {
    match engine(&cx.with_work(work)) {
        Ok(answer) => Ok(Some(answer)),
        Err(Stopped::Superseded) => {
            // Not the turn but a limit of the whole may be what ended it.
            cx.check()?;
            Ok(None)
        }
        Err(why) => Err(why),
    }
}

fn concrete(round: u32, beyond: Option<&str>) -> String {
    match (round, beyond) {
        (1, _) => "the system is small enough to be checked as it is".to_owned(),
        (_, Some(why)) => {
            let why = why.trim_end_matches('.');
            format!("abstraction does not decide it: {why}")
        }
        (round, None) => {
            format!("checked as it is in turn {round}: abstraction was not done sooner")
        }
    }
}

fn abstract_one(answer: Answer, round: u32) -> Chosen {
    let why = match round {
        1 => "the system is too large to be checked as it is at once, its abstraction is not",
        _ => "its abstraction was done before the system itself",
    };
    Chosen {
        answer,
        engine: Engine::Cegar,
        why: why.to_owned(),
    }
}
