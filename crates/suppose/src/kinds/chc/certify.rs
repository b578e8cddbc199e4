//! `suppose certify` on clauses, and the writing of evidence about them.

use std::io;

use serde_json::json;
use suppose_certify::Rejection;
use suppose_certify::chc::file::{self, Evidence};
use suppose_certify::chc::{check_definitions, check_derivation};
use suppose_certify::file::Limits;
use suppose_certify::file::sections::Section;
use suppose_control::Supervisor;
use suppose_frontends::c;
use suppose_model::chc::{Claim, Verdict};
use suppose_report::grouped;

use super::read::{ClauseSystem, read, read_for};
use crate::certify::{Judged, each};
use crate::evidence_file::Documents;
use crate::failure::Failure;
use crate::options::CertifyOptions;
use crate::session::Session;
use crate::source::Source;

/// What was accepted, in numbers.
enum Accepted {
    Definitions {
        predicates: usize,
        clauses: u64,
        steps: u64,
    },
    Derivation {
        steps: usize,
    },
}

/// Checks evidence again. Of a C program it may be about either claim.
pub fn certify(
    source: &Source,
    options: &CertifyOptions,
    documents: &Documents,
    session: &Session,
) -> Result<Vec<Judged>, Failure> {
    let model = &options.model;
    let mut systems = vec![read(source, model)?];
    if systems[0].ends_at_overflow()
        && let Ok(second) = read_for(source, model, c::Claim::NoOverflow)
    {
        systems.push(second);
    }
    // A claim that has its evidence comes last: documents stand in the order of the claims.
    let mut settled = vec![false; systems.len()];
    each(documents, |section| {
        let mut order: Vec<usize> = (0..systems.len()).collect();
        order.sort_by_key(|i| settled[*i]);
        let mut refused = None;
        for i in order {
            match judge(documents, section, &systems[i], session)? {
                Ok(accepted) => {
                    settled[i] = true;
                    return Ok(told(systems[i].claim, &accepted));
                }
                Err(why) => {
                    refused.get_or_insert(why);
                }
            }
        }
        Ok(Judged::rejected(refused.unwrap_or_default()))
    })
}

/// What is accepted as evidence about one claim, or why it is not.
fn judge(
    documents: &Documents,
    section: &Section,
    system: &ClauseSystem,
    session: &Session,
) -> Result<Result<Accepted, String>, Failure> {
    let file = documents.open(section)?;
    let evidence = match file::read(file, &system.horn, &system.models, &Limits::default()) {
        Err(malformed) => return Ok(Err(documents.unreadable(section, &malformed))),
        Ok(evidence) => evidence,
    };
    session.counters.begin("checking the evidence");
    let cx = session.context();
    let judged = match evidence {
        Evidence::Definitions(proof) => {
            check_definitions(&system.horn, &proof, &cx).map(|summary| Accepted::Definitions {
                predicates: proof.definitions.len(),
                clauses: summary.clauses,
                steps: summary.steps,
            })
        }
        Evidence::Derivation(found) => {
            check_derivation(&system.horn, &found).map(|_| Accepted::Derivation {
                steps: found.steps.len(),
            })
        }
    };
    match judged {
        Err(Rejection::Stopped(why)) => Err(Failure::limit(why)),
        Err(flawed) => Ok(Err(flawed.to_string())),
        Ok(accepted) => Ok(Ok(accepted)),
    }
}

fn told(claim: Claim, accepted: &Accepted) -> Judged {
    let question = claim.name();
    match accepted {
        Accepted::Definitions {
            predicates,
            clauses,
            steps,
        } => {
            let line = format!(
                "certificate for {question}: accepted ({predicates} definitions, {clauses} clauses, {} steps)",
                grouped(*steps)
            );
            let sizes = json!({
                "definitions": predicates,
                "clauses": clauses,
                "steps": steps,
            });
            Judged::holds(question.to_owned(), line, sizes)
        }
        Accepted::Derivation { steps } => {
            let line = format!("counterexample for {question}: accepted ({steps} steps)");
            Judged::violated(question.to_owned(), line, json!({ "steps": steps }))
        }
    }
}

/// Writes the evidence of a verdict, which has some.
pub fn write(out: impl io::Write, system: &ClauseSystem, verdict: &Verdict) -> io::Result<()> {
    let (horn, models) = (&system.horn, &system.models);
    match verdict {
        Verdict::Unknown(_) => Ok(()),
        Verdict::Holds(proof) => file::write_certificate(out, horn, models, proof),
        Verdict::Violated(found) => {
            file::write_counterexample(out, horn, models, &found.derivation)
        }
    }
}
