//! Puts evidence about programs before the independent checker.

use std::cell::RefCell;
use std::sync::Arc;

use suppose_certify::Rejection;
use suppose_certify::program::{automaton, cannot_fail, invariant, live, run};
use suppose_certify::views::views;
use suppose_control::{Bounds, Context, Stopped};
use suppose_explicit::live::{ProofEnd, prove};
use suppose_explicit::visited::{VisitedEnd, visited};
use suppose_model::EvidenceStatus;
use suppose_model::program::visited::Records;
use suppose_model::program::{LiveProof, Program, Proof, Question, Verdict, Visited};
use suppose_report::grouped;

use crate::judging::nothing;
use crate::session::Session;

/// Programs with at most this number of states are looked at again for infinite runs.
const AGAIN: u64 = 1_000;
/// The second search has no reductions, so it may have this number of states.
const AGAIN_PLAIN: u64 = 5_000;

/// So many states are checked one by one unless more is asked for.
const CHECKED: u64 = 50_000;

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
    /// Make the evidence that there can be, however large.
    pub proof: bool,
    /// So many threads may check it.
    pub threads: usize,
    /// The questions that share the states of this search and hold, this one among them.
    pub together: &'a [Question],
    /// States that were accepted as evidence for all of those.
    pub accepted: &'a RefCell<Option<Arc<Records>>>,
    /// Was it about weakly fair runs only?
    pub fair: bool,
    pub session: &'a Session,
}

impl Explored<'_> {
    /// Checks the evidence of a verdict.
    pub fn check(&self, verdict: &mut Verdict, cx: &Context) -> Result<EvidenceStatus, Rejection> {
        let (program, recheck) = (self.program, self.recheck);
        let fitting = (AGAIN_VALUES * 2 / size(program).max(1)).min(AGAIN_PLAIN);
        let values = self.states.saturating_mul(size(program));
        let few = self.states <= AGAIN && values <= AGAIN_VALUES;
        Ok(match verdict {
            Verdict::Violated(trace) => {
                // Following a run takes less time than finding it, so it is shown even if time is up.
                run(program, trace, &Context::default())?;
                EvidenceStatus::Accepted
            }
            Verdict::Holds(Proof::CannotFail) => match cannot_fail(program) {
                true => EvidenceStatus::Accepted,
                false => EvidenceStatus::Rejected("a statement can fail".to_owned()),
            },
            Verdict::Holds(Proof::Views(proof, interference)) => {
                *interference = views(program, proof, cx)?.interference;
                EvidenceStatus::Accepted
            }
            Verdict::Holds(Proof::Exhaustive(found)) => match self.listed(cx)? {
                Ok(states) => {
                    *found = Some(Visited {
                        question: self.question,
                        states,
                    });
                    EvidenceStatus::Accepted
                }
                Err(status) => status,
            },
            Verdict::Holds(Proof::NoCycle(found)) if recheck || self.proof || few => {
                let bounds = Bounds {
                    states: (!recheck && !self.proof).then_some(fitting),
                    ..Bounds::default()
                };
                match self.numbers(fitting, &bounds.context(self.session)) {
                    Ok(made) => {
                        live(program, &made, cx)?;
                        *found = Some(Box::new(made));
                        EvidenceStatus::Accepted
                    }
                    Err(status) => status,
                }
            }
            Verdict::Holds(Proof::NoCycle(_)) => match self.states > AGAIN {
                true => not_again(&format!(
                    "the search stored more than {} states",
                    grouped(AGAIN)
                )),
                false => not_again(&format!(
                    "more than {} values were stored",
                    grouped(AGAIN_VALUES)
                )),
            },
            _ => nothing(),
        })
    }

    /// All states without any reduction, which are evidence.
    fn listed(&self, cx: &Context) -> Result<Result<Arc<Records>, EvidenceStatus>, Rejection> {
        if let Some(states) = &*self.accepted.borrow() {
            return Ok(Ok(Arc::clone(states)));
        }
        let fitting = (AGAIN_VALUES / size(self.program).max(1)).min(CHECKED);
        let most = (!self.recheck && !self.proof).then_some(fitting);
        if most.is_some_and(|most| self.states > most) {
            let why = format!("the search stored more than {} states", grouped(fitting));
            return Ok(Err(not_again(&why)));
        }
        let bounds = Bounds {
            states: most,
            ..Bounds::default()
        };
        let not_checked = |why: &str| Ok(Err(EvidenceStatus::NotChecked(why.to_owned())));
        let together = self.together.len() > 1;
        let first = if together {
            Question::Assertions
        } else {
            self.question
        };
        let states = match visited(self.program, first, &bounds.context(self.session)) {
            Ok(states) => Arc::new(states),
            Err(VisitedEnd::TooLong) => return not_checked("a d_step is too long"),
            Err(VisitedEnd::Stopped(Stopped::Superseded)) => {
                return Ok(Err(too_many_plain(fitting)));
            }
            Err(VisitedEnd::Stopped(stopped)) => return Err(Rejection::Stopped(stopped)),
        };
        let check =
            |questions: &[Question]| invariant(self.program, questions, &states, self.threads, cx);
        // What is wrong with one of several questions is none of the others' business.
        if together && check(self.together).is_ok() {
            *self.accepted.borrow_mut() = Some(Arc::clone(&states));
        } else {
            check(&[self.question])?;
        }
        Ok(Ok(states))
    }

    /// Numbers for all states, without any reduction, and with the checker's own automaton of a formula. The context allows at most
    /// `most` states, if it has a limit.
    fn numbers(&self, most: u64, cx: &Context) -> Result<LiveProof, EvidenceStatus> {
        let claim = match self.question {
            Question::Claim(number) => self.program.claims.get(number),
            _ => None,
        };
        let not_checked = |why: &str| Err(EvidenceStatus::NotChecked(why.to_owned()));
        let own = match claim {
            Some(claim) if claim.formula.is_some() => match automaton(claim) {
                Some(own) => Some(own),
                None => return not_checked("the formula is too large for the checker"),
            },
            claim => claim.cloned(),
        };
        match prove(self.program, self.question, own.as_ref(), self.fair, cx) {
            Ok(proof) => Ok(proof),
            Err(ProofEnd::Violated) => Err(EvidenceStatus::Rejected(
                "a search without reductions finds an infinite run".to_owned(),
            )),
            // The checker's automaton is not simplified, and may look where the formula does not depend on it.
            Err(ProofEnd::Wrong(_)) => not_checked("an operand of the formula can fail"),
            Err(ProofEnd::TooLong) => not_checked("a d_step is too long"),
            Err(ProofEnd::Unsupported(why)) => not_checked(&why),
            Err(ProofEnd::Stopped(Stopped::Superseded)) => Err(too_many_plain(most)),
            Err(ProofEnd::Stopped(_)) => not_checked("a limit was reached before it was finished"),
        }
    }
}

fn too_many_plain(most: u64) -> EvidenceStatus {
    let most = grouped(most);
    not_again(&format!(
        "without reductions there are more than {most} states"
    ))
}

fn not_again(why: &str) -> EvidenceStatus {
    EvidenceStatus::NotChecked(format!(
        "not again, because {why}; --recheck does it (slow)"
    ))
}
