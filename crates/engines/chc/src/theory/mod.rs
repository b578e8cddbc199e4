//! Clauses with arrays, recursive datatypes and uninterpreted sorts.
//!
//! Predicates are eliminated by resolution first. Then the plain clauses of one [`Shape`] after the other are decided by the portfolio: if
//! they hold, so do the clauses that were read. A derivation from plain clauses tells which clauses to apply;
//! `concrete` looks for values with which they can be.

mod build;
mod concrete;

use std::sync::Arc;

use suppose_control::{Refusal, Supervisor};
use suppose_model::Reason;
use suppose_model::chc::theory::{NamedSort, SHAPES, Scalar, Shape, Theory, resolved, scalar};
use suppose_model::chc::{Horn, Verdict};

use crate::Work;
use crate::portfolio::{Portfolio, Reply, Settings, unknown};

/// The system as it was read.
pub struct Structured<'a> {
    /// The clauses.
    pub horn: &'a Horn,
    /// What relates names in them.
    pub theory: &'a Theory,
    /// Engine and options.
    pub settings: &'a Settings,
    /// Stops the engines, and gives them their threads.
    pub supervisor: &'a dyn Supervisor,
}

/// How often the engines may poll their context for one shape, round by round.
const TURNS: &[u64] = &[6_000, 60_000, 600_000, u64::MAX];

const SPURIOUS: &str = "a derivation was found that no values of the arrays or datatypes satisfy";

impl Structured<'_> {
    /// Decides the clauses with the engine asked for.
    pub fn decide(&self) -> Result<Reply, Refusal> {
        let system = resolved(self.horn, self.theory);
        let shapes = shapes(self.theory);
        let mut open: Vec<(Shape, Option<Scalar>)> =
            shapes.into_iter().map(|s| (s, None)).collect();
        let mut last = None;
        for &turn in TURNS {
            let mut spurious = Vec::new();
            for (shape, plain) in &mut open {
                let plain = plain.get_or_insert_with(|| scalar(&system, *shape));
                let horn = Arc::new(plain.horn.clone());
                let portfolio = Portfolio {
                    horn: &horn,
                    program: None,
                    settings: self.settings,
                    supervisor: self.supervisor,
                };
                let mut reply = portfolio.decide_within(turn)?;
                let verdict = &mut reply.answer.verdict;
                match verdict {
                    Verdict::Holds(proof) => {
                        proof.about = Some(horn);
                        return Ok(reply);
                    }
                    Verdict::Violated(found) => {
                        let job = concrete::Job {
                            horn: self.horn,
                            theory: self.theory,
                            system: &system,
                            plain,
                        };
                        let cx = self.supervisor.context();
                        match job.concretise(&found.derivation, &cx) {
                            Ok(Some((derivation, structures))) => {
                                found.derivation = derivation;
                                found.structures = Some(structures);
                                return Ok(reply);
                            }
                            Ok(None) => {
                                *verdict =
                                    Verdict::Unknown(Reason::Unsupported(SPURIOUS.to_owned()));
                                spurious.push(*shape);
                            }
                            Err(stopped) => *verdict = Verdict::Unknown(stopped.into()),
                        }
                    }
                    Verdict::Unknown(_) => {}
                }
                // These are about the plain clauses.
                reply.answer.candidates = None;
                last = Some(reply);
                if self.supervisor.context().check().is_err() {
                    return Ok(or_unknown(last));
                }
            }
            open.retain(|(shape, _)| !spurious.contains(shape));
            if open.is_empty() {
                break;
            }
        }
        Ok(or_unknown(last))
    }
}

/// The shapes that make a difference.
fn shapes(theory: &Theory) -> Vec<Shape> {
    let array = |sort: &NamedSort| matches!(sort, NamedSort::Array { .. });
    match theory.sorts.iter().any(array) {
        true => SHAPES.to_vec(),
        false => SHAPES[..1].to_vec(),
    }
}

fn or_unknown(reply: Option<Reply>) -> Reply {
    reply.unwrap_or_else(|| {
        let reason = Reason::Internal("no engine answered".to_owned());
        Reply {
            answer: unknown("auto", reason, None, &Work::default()),
            why: String::new(),
        }
    })
}
