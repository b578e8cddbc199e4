//! `suppose certify` on clauses, and the writing of evidence about them.

use std::fs::File;
use std::path::Path;

use serde_json::json;
use suppose_certify::Rejection;
use suppose_certify::file::{Limits, Model};
use suppose_certify::horn::file::{self, Evidence};
use suppose_certify::horn::{check_definitions, check_derivation};
use suppose_model::Reason;
use suppose_refine::Stopped;
use suppose_report::{HornKind, HornVerdict, Standing, grouped, shown};

use super::{HornSubject, read};
use crate::args::CertifyArgs;
use crate::commands::Desk;
use crate::commands::certify::{Judged, open, unreadable};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output::Output;

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

/// Checks evidence again.
pub fn certify(args: &CertifyArgs, desk: &Desk) -> Result<Output, Failure> {
    let system = read(&args.input.files, &args.input.model)?;
    let file = open(&args.certificate)?;
    let read = file::read(file, &system.horn, &system.models, &Limits::default());
    let result = match read {
        Err(malformed) => Err(unreadable(&args.certificate, &malformed)),
        Ok(evidence) => {
            desk.counters.begin("checking the evidence");
            let control = desk.watch.fresh();
            let mut stop = || control.stopped().is_some();
            let judged = match evidence {
                Evidence::Definitions(proof) => check_definitions(&system.horn, &proof, &mut stop)
                    .map(|summary| Accepted::Definitions {
                        predicates: proof.definitions.len(),
                        clauses: summary.clauses,
                        steps: summary.steps,
                    }),
                Evidence::Derivation(found) => {
                    check_derivation(&system.horn, &found).map(|_| Accepted::Derivation {
                        steps: found.steps.len(),
                    })
                }
            };
            match judged {
                Err(Rejection::Stopped) => {
                    let why = desk.watch.over().unwrap_or(Stopped::Memory);
                    return Err(Failure::limit(why));
                }
                Err(flawed) => Err(flawed.to_string()),
                Ok(accepted) => Ok(accepted),
            }
        }
    };
    Ok(tell(args, desk, system.kind, &result))
}

fn tell(
    args: &CertifyArgs,
    desk: &Desk,
    kind: HornKind,
    result: &Result<Accepted, String>,
) -> Output {
    let question = kind.question();
    let (standing, status, line) = match result {
        Err(why) => {
            let word = Reason::Rejected(String::new()).word().to_owned();
            let line = format!("rejected: {}", shown(why));
            (Standing::Unknown(word), ExitStatus::Rejected, line)
        }
        Ok(Accepted::Definitions {
            predicates,
            clauses,
            steps,
        }) => {
            let line = format!(
                "certificate for {question}: accepted ({predicates} definitions, {clauses} clauses, {} steps)",
                grouped(*steps)
            );
            (Standing::Holds, ExitStatus::Holds, line)
        }
        Ok(Accepted::Derivation { steps }) => {
            let line = format!("counterexample for {question}: accepted ({steps} steps)");
            let standing = Standing::Violated(question.to_owned());
            (standing, ExitStatus::Violated, line)
        }
    };
    let sizes = |accepted: &Accepted| match accepted {
        Accepted::Definitions {
            predicates,
            clauses,
            steps,
        } => json!({
            "definitions": predicates,
            "clauses": clauses,
            "steps": steps,
        }),
        Accepted::Derivation { steps } => json!({ "steps": steps }),
    };
    let judged = Judged {
        standing,
        status,
        line,
        claim: result.is_ok().then(|| question.to_owned()),
        sizes: result.as_ref().map(sizes).map_err(String::as_str),
    };
    judged.output(args, desk)
}

/// Writes the evidence of a verdict; says where. Without evidence there is no file.
pub fn write(
    path: &Path,
    subject: &HornSubject,
    models: &[Model],
    verdict: &HornVerdict,
) -> Result<Option<String>, Failure> {
    let fail = |e: std::io::Error| Failure::file(format!("cannot write `{}`: {e}", path.display()));
    if matches!(verdict, HornVerdict::Unknown { .. }) {
        return Ok(None);
    }
    let out = File::create(path).map_err(fail)?;
    let horn = &subject.horn;
    match verdict {
        HornVerdict::Unknown { .. } => {}
        HornVerdict::Holds(proof) => {
            file::write_certificate(out, horn, models, proof).map_err(fail)?;
        }
        HornVerdict::Violated { derivation, .. } => {
            file::write_counterexample(out, horn, models, derivation).map_err(fail)?;
        }
    }
    Ok(Some(path.display().to_string()))
}
