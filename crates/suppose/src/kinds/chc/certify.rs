//! `suppose certify` on clauses, and the writing of evidence about them.

use std::io;

use serde_json::json;
use suppose_certify::Rejection;
use suppose_certify::chc::file::{self, Evidence};
use suppose_certify::chc::{check_definitions, check_derivation, check_structured};
use suppose_certify::file::ReadLimits;
use suppose_certify::file::sections::Section;
use suppose_control::Supervisor;
use suppose_frontends::c;
use suppose_model::chc::theory::{SHAPES, Theory, resolved, scalar};
use suppose_model::chc::{Claim, Horn, Verdict};
use suppose_report::grouped;

use super::read::{ClauseSystem, read, read_for};
use crate::certify::{EvidenceTask, Judged};
use crate::evidence_file::Documents;
use crate::failure::Failure;
use crate::session::Session;

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
pub fn certify(task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let EvidenceTask {
        source,
        model,
        documents,
        session,
    } = *task;
    let mut systems = vec![read(source, model)?];
    if systems[0].program.is_some() {
        let mut others = vec![c::Claim::ValidDeref, c::Claim::ValidFree];
        if systems[0].ends_at_overflow() {
            others.insert(0, c::Claim::NoOverflow);
        }
        for claim in others {
            systems.extend(read_for(source, model, claim));
        }
    }
    // A claim that has its evidence comes last: documents stand in the order of the claims.
    let mut settled = vec![false; systems.len()];
    task.each(|section| {
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
    let Some(theory) = &system.theory else {
        return judge_about(documents, section, system, &system.horn, None, session);
    };
    // A derivation is about the clauses as they were read, definitions are about plain clauses of some shape. Which one
    // they are about can be told from their numbers of predicates, clauses and variables.
    let first = judge_about(
        documents,
        section,
        system,
        &system.horn,
        Some(theory),
        session,
    )?;
    let Err(refused) = first else {
        return Ok(first);
    };
    let resolved = resolved(&system.horn, theory);
    for &shape in SHAPES {
        let plain = scalar(&resolved, shape);
        let judged = judge_about(documents, section, system, &plain.horn, None, session)?;
        if judged.is_ok() {
            return Ok(judged);
        }
    }
    Ok(Err(refused))
}

/// The same for clauses that the evidence may be about: those that were read with what their names mean, or plain ones.
fn judge_about(
    documents: &Documents,
    section: &Section,
    system: &ClauseSystem,
    horn: &Horn,
    theory: Option<&Theory>,
    session: &Session,
) -> Result<Result<Accepted, String>, Failure> {
    let file = documents.open(section)?;
    let limits = ReadLimits::default();
    let read = file::read_about(file, horn, theory.is_some(), &system.models, &limits);
    let evidence = match read {
        Err(malformed) => return Ok(Err(documents.unreadable(section, &malformed))),
        Ok(evidence) => evidence,
    };
    session.counters.begin("checking the evidence");
    let cx = session.context();
    let plain = system.theory.is_none();
    let judged = match (evidence, theory) {
        // Without what names mean, clauses allow more: definitions of them prove the same.
        (Evidence::Definitions(proof), _) => {
            check_definitions(horn, &proof, &cx).map(|summary| Accepted::Definitions {
                predicates: proof.definitions.len(),
                clauses: summary.clauses,
                steps: summary.steps,
            })
        }
        (Evidence::Derivation(found, structures), Some(theory)) => {
            let structures = structures.unwrap_or_default();
            let checked = check_structured(horn, theory, &found, &structures);
            checked.map(|()| Accepted::Derivation {
                steps: found.steps.len(),
            })
        }
        (Evidence::Derivation(found, _), None)
            if (system.program.as_ref()).is_some_and(|p| !p.confirms(&found)) =>
        {
            let why =
                "memory was approximated, and the program itself does not have this violation";
            return Ok(Err(why.to_owned()));
        }
        (Evidence::Derivation(found, _), None) if plain => {
            check_derivation(horn, &found).map(|()| Accepted::Derivation {
                steps: found.steps.len(),
            })
        }
        (Evidence::Derivation(..), None) => {
            let why = "a derivation must be one from the clauses of the file";
            return Ok(Err(why.to_owned()));
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
        Verdict::Holds(proof) => file::write_certificate(out, proof.system(horn), models, proof),
        Verdict::Violated(found) => {
            let structures = found.structures.as_ref();
            file::write_counterexample(out, horn, models, &found.derivation, structures)
        }
    }
}
