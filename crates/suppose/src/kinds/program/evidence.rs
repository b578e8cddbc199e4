//! Puts evidence about programs before the independent checker.

use suppose_certify::Rejection;
use suppose_certify::program::{Reexploration, cannot_fail, exhaustive, run};
use suppose_control::Context;
use suppose_model::EvidenceStatus;
use suppose_model::program::{Program, Proof, Question, Verdict};
use suppose_report::grouped;

use crate::judging::nothing;

/// Programs with at most this number of states are explored again.
const AGAIN: u64 = 1_000;
/// The second exploration has no reductions, so it may have this number of states.
const AGAIN_PLAIN: u64 = 5_000;

/// And this number of values of variables in all of them, which are stored uncompressed.
const AGAIN_VALUES: u64 = 20_000_000;

/// How many values a state of the program has at the start.
fn size(program: &Program) -> u64 {
    let locals = |p: &suppose_model::program::Start| {
        let text = program.proctypes.get(p.proctype as usize);
        text.map_or(0, |t| t.locals.len())
    };
    let own: usize = program.start.iter().map(locals).sum();
    (program.globals.len() + own) as u64
}

/// What evidence is about.
pub struct Explored<'a> {
    pub program: &'a Program,
    pub question: Question,
    /// How many states the engine explored.
    pub states: u64,
    /// Explore all states again, however many there are.
    pub recheck: bool,
}

impl Explored<'_> {
    /// Checks the evidence of a verdict.
    pub fn check(&self, verdict: &Verdict, cx: &Context) -> Result<EvidenceStatus, Rejection> {
        let (program, recheck) = (self.program, self.recheck);
        let fitting = (AGAIN_VALUES * 2 / size(program).max(1)).min(AGAIN_PLAIN);
        let limit = if recheck { u64::MAX } else { fitting };
        let few = self.states <= AGAIN && self.states * size(program) <= AGAIN_VALUES;
        Ok(match verdict {
            Verdict::Violated(trace) => {
                run(program, trace)?;
                EvidenceStatus::Accepted
            }
            Verdict::Holds(Proof::CannotFail) => match cannot_fail(program) {
                true => EvidenceStatus::Accepted,
                false => EvidenceStatus::Rejected("a statement can fail".to_owned()),
            },
            Verdict::Holds(Proof::Exhaustive) if recheck || few => {
                match exhaustive(program, self.question, limit, cx)? {
                    Reexploration::All { .. } => EvidenceStatus::Accepted,
                    Reexploration::TooMany => too_many(AGAIN_PLAIN),
                    Reexploration::TooLong => {
                        EvidenceStatus::NotChecked("a d_step is too long".to_owned())
                    }
                }
            }
            Verdict::Holds(Proof::Exhaustive) => too_many(AGAIN),
            _ => nothing(),
        })
    }
}

fn too_many(states: u64) -> EvidenceStatus {
    EvidenceStatus::NotChecked(format!(
        "not again, because there are more than {}; --recheck does it (slow)",
        grouped(states)
    ))
}
