//! The steps from a state outside of atomic sequences to the next such states, by the plain semantics.

use std::collections::BTreeSet;

use suppose_model::program::semantics::State;
use suppose_model::program::{Program, StepResult, Violation};

/// All steps from a state, atomic sequences followed to their ends.
#[derive(Default)]
pub(super) struct Steps {
    /// Is there any, even if it fails?
    pub(super) any: bool,
    /// Where they lead, and who takes part.
    pub(super) ends: Vec<(State, u64)>,
    /// How they fail.
    pub(super) wrong: Vec<Violation>,
    /// Who takes part in any of them.
    pub(super) able: u64,
    /// Was a step not followed to its end?
    pub(super) cut: bool,
}

impl Steps {
    /// Who takes part is told apart only if `fair`.
    pub(super) fn of(program: &Program, state: &State, fair: bool) -> Steps {
        let bit = |process: u32| 1u64.checked_shl(process).unwrap_or(0);
        let mut steps = Steps::default();
        let mut seen = BTreeSet::new();
        let mut pending = vec![(state.clone(), 0)];
        while let Some((state, before)) = pending.pop() {
            for found in state.moves(program) {
                steps.any = true;
                let partner = found.step.partner.map_or(0, |(other, _)| bit(other));
                let movers = before | bit(found.step.process) | partner;
                steps.able |= movers;
                match found.outcome {
                    StepResult::State(next) if next.alone.is_some() => {
                        let who = if fair { movers } else { 0 };
                        if seen.insert((next.clone(), who)) {
                            pending.push((next, movers));
                        }
                    }
                    StepResult::State(next) => steps.ends.push((next, movers)),
                    StepResult::Unfinished => steps.cut = true,
                    StepResult::Wrong(violation) => steps.wrong.push(violation),
                }
            }
        }
        steps
    }
}

/// The processes that can take part in a step from a state, each with its bit.
pub(super) fn able(program: &Program, state: &State) -> u64 {
    Steps::of(program, state, true).able
}
