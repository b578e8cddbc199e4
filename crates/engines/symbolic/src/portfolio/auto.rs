//! The policy of `--engine auto`: all engines, in turns.
//!
//! Whether abstraction pays cannot be seen from the text of a model: it does where most of what a property depends on hardly matters, and that
//! is what refinement finds out. So the engines take turns that grow, limited by work and not by time, so that the answer and the engine
//! that gives it are the same on every machine. The concrete check is first, as small systems are most of those that people have. A turn of
//! abstraction begins anew; since turns grow by a factor, all that came before costs less than the last one. The concrete check goes on
//! with the states that it reached before, for this property or another of the same part. What must hold in all states is tried by induction too, over
//! a few steps and before all else where the system is not small: it takes next to nothing, and holds of what registers hand on.

use std::ops::RangeInclusive;

use suppose_control::{Context, Event, Stopped};
use suppose_model::fsm::{Property, System};

use crate::answer::{Answer, SymbolicVerdict};
use crate::cegar::{Cegar, CegarOptions};
use crate::check::memory::Memory;
use crate::decide::Concrete;
use crate::induction;
use crate::relation::RelationOptions;

use super::Engine;

/// What the engines found in turns.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
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

/// Systems of fewer bits are decided at once by any means.
const FEW_BITS: usize = 20;

/// The relation of systems of more bits is hardly ever small: abstraction goes first, with as much work as elsewhere in its second turn.
const MANY_BITS: usize = 300;

/// The steps and the work of the first turn of induction.
const STEPS: u32 = 4;
const INDUCTION: u64 = 40;

/// By how much turns grow.
const GROWTH: u64 = 4;

/// Decides a property by the engine that is done first, in the turns of these numbers, the first of which is 1; [`Stopped::Superseded`] if
/// none is done by then.
pub(super) fn decide(
    system: &System,
    property: &Property,
    options: CegarOptions,
    memory: &Memory,
    turns: RangeInclusive<u32>,
    cx: &Context,
) -> Result<Chosen, Stopped> {
    let bits = system.state_vars().map(|v| system.variable(v).ty.bits());
    let bits: usize = bits.sum();
    let (is_small, is_large) = (bits < FEW_BITS, bits > MANY_BITS);
    let abstraction = match is_large {
        true => ABSTRACT * GROWTH,
        false => ABSTRACT,
    };
    let before = turns.start().saturating_sub(1);
    let mut growth = GROWTH.saturating_pow(before);
    // Where abstraction cannot decide, the concrete check need not wait for its second turn.
    if !Cegar::can_decide(system, property) {
        growth = growth.saturating_mul(GROWTH);
    }
    let mut beyond = None;
    for round in turns {
        // Where abstraction decided other properties and the reachable states are not known, it is the better bet.
        let order = match is_large || round > 1 && memory.is_abstracted(system) {
            true => [Engine::Induction, Engine::Cegar, Engine::Bdd],
            false => [Engine::Induction, Engine::Bdd, Engine::Cegar],
        };
        for engine in order {
            let found = match engine {
                Engine::Induction if is_small => None,
                Engine::Induction => {
                    let steps = STEPS.saturating_mul(u32::try_from(growth).unwrap_or(u32::MAX));
                    turn(cx, INDUCTION.saturating_mul(growth), |cx| {
                        cx.emit(Event::Phase("induction".to_owned()));
                        induction::decide(system, property, steps, cx)
                    })?
                    .flatten()
                }
                // What another property of the same part needed too much work for is not tried at once again.
                Engine::Bdd if round == 1 && memory.is_large(system) => None,
                Engine::Bdd => {
                    let relation = RelationOptions {
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
                Engine::Cegar => turn(cx, abstraction.saturating_mul(growth), |cx| {
                    cx.emit(Event::Phase("abstraction".to_owned()));
                    Cegar::new(system, options, cx).decide(property)
                })?,
                Engine::Auto => None,
            };
            match (engine, found) {
                (Engine::Bdd, None) => memory.set_large(system),
                (_, None) | (Engine::Auto, _) => {}
                (Engine::Induction, Some(answer)) => {
                    return Ok(Chosen {
                        answer,
                        engine,
                        why: "it takes no more than a few steps to show it".to_owned(),
                    });
                }
                (Engine::Bdd, Some(answer)) => {
                    return Ok(Chosen {
                        answer,
                        engine,
                        why: concrete(round, beyond.as_deref()),
                    });
                }
                (Engine::Cegar, Some(answer)) => match answer.found {
                    SymbolicVerdict::Unknown(why) => beyond = Some(why),
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
fn turn<T>(
    cx: &Context,
    work: u64,
    engine: impl Fn(&Context) -> Result<T, Stopped>,
) -> Result<Option<T>, Stopped> {
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
