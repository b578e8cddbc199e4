//! `suppose certify` on probabilistic systems, and the writing of evidence about them.

use std::fs::File;
use std::path::Path;

use serde_json::json;
use suppose_certify::file::{Limits, Malformed, Model};
use suppose_certify::markov::file::{self, Evidence, PropertyEvidence};
use suppose_certify::markov::{check_certificate, check_counterexample};
use suppose_certify::{Rejection, markov};
use suppose_model::Reason;
use suppose_model::markov::PropertyCounterexample;
use suppose_refine::Stopped;
use suppose_report::{MarkovAnswer, MarkovClaim, MarkovVerdict, Standing, grouped, shown};

use super::read::{MarkovSystem, read};
use super::{MarkovSubject, evidence, options};
use crate::args::CertifyArgs;
use crate::commands::Desk;
use crate::commands::certify::{Judged, open, unreadable};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output::Output;

/// What was accepted, in numbers.
enum Accepted {
    Certificate(markov::Summary),
    Tree {
        nodes: usize,
    },
    Property {
        name: String,
        verdict: MarkovVerdict,
    },
}

/// Checks evidence again.
pub fn certify(args: &CertifyArgs, desk: &Desk) -> Result<Output, Failure> {
    options::model(&args.input.model)?;
    let limits = Limits::default();
    let named = file::property_name(open(&args.certificate)?, &limits);
    let name = match named {
        Err(malformed) => return tell(args, desk, Err(unreadable(&args.certificate, &malformed))),
        Ok(name) => name,
    };
    let asked: Vec<String> = name.iter().cloned().collect();
    let system = read(&args.input, &asked, false, desk)?;
    let models = system.models.clone();
    let judged = match name {
        Some(name) => property(args, system, &models, name, desk)?,
        None => conformance(args, &system, &models, desk)?,
    };
    match judged {
        Ok(Err(Rejection::Stopped)) => {
            Err(Failure::limit(desk.watch.over().unwrap_or(Stopped::Memory)))
        }
        Ok(Err(flawed)) => tell(args, desk, Err(flawed.to_string())),
        Ok(Ok(accepted)) => tell(args, desk, Ok(accepted)),
        Err(malformed) => tell(args, desk, Err(unreadable(&args.certificate, &malformed))),
    }
}

type Judgement = Result<Result<Accepted, Rejection>, Malformed>;

fn conformance(
    args: &CertifyArgs,
    system: &MarkovSystem,
    models: &[Model],
    desk: &Desk,
) -> Result<Judgement, Failure> {
    let Some(specification) = &system.specification else {
        let failure = Failure::usage("the evidence is about a specification");
        return Err(failure.help("name it with --spec"));
    };
    let input = open(&args.certificate)?;
    let system = &system.system;
    let evidence = match file::read(input, system, specification, models, &Limits::default()) {
        Ok(evidence) => evidence,
        Err(malformed) => return Ok(Err(malformed)),
    };
    desk.counters.begin("checking the evidence");
    let control = desk.watch.fresh();
    let mut stop = || control.stopped().is_some();
    Ok(Ok(match evidence {
        Evidence::Certificate(proof) => {
            check_certificate(system, specification, &proof, &mut stop).map(Accepted::Certificate)
        }
        Evidence::Counterexample(found) => {
            let nodes = found.states.len();
            check_counterexample(system, specification, &found, &mut stop)
                .map(|_| Accepted::Tree { nodes })
        }
    }))
}

fn property(
    args: &CertifyArgs,
    system: MarkovSystem,
    models: &[Model],
    name: String,
    desk: &Desk,
) -> Result<Judgement, Failure> {
    let input = open(&args.certificate)?;
    let read = file::read_property(input, &system.system, models, &Limits::default());
    let verdict = match read {
        Ok(PropertyEvidence::Holds(proof)) => MarkovVerdict::Holds(proof),
        Ok(PropertyEvidence::Violated(found)) => MarkovVerdict::Fails(found),
        Ok(PropertyEvidence::Value(value)) => MarkovVerdict::Value(value),
        Err(malformed) => return Ok(Err(malformed)),
    };
    let subject = MarkovSubject {
        system: system.system,
        specification: system.specification,
        properties: system.properties,
    };
    let claim = MarkovClaim::Property(name.clone());
    let asked = match evidence::asked(&subject, &claim) {
        Some(asked) => asked,
        None => return Ok(Ok(Err(Rejection::flaw("there is no such property")))),
    };
    desk.counters.begin("checking the evidence");
    let control = desk.watch.fresh();
    let mut stop = || control.stopped().is_some();
    let checked = evidence::of_property(&subject, asked, &verdict, &mut stop);
    Ok(Ok(checked.map(|()| Accepted::Property { name, verdict })))
}

fn tell(
    args: &CertifyArgs,
    desk: &Desk,
    result: Result<Accepted, String>,
) -> Result<Output, Failure> {
    let claim = MarkovClaim::Conformance.name().to_owned();
    let claim = match &result {
        Ok(Accepted::Property { name, .. }) => name.clone(),
        _ => claim,
    };
    let violated = || (Standing::Violated(claim.clone()), ExitStatus::Violated);
    let name = shown(&claim).into_owned();
    let ((standing, status), line, sizes) = match &result {
        Err(why) => {
            let word = Reason::Rejected(String::new()).word().to_owned();
            let line = format!("rejected: {}", shown(why));
            (
                (Standing::Unknown(word), ExitStatus::Rejected),
                line,
                json!(null),
            )
        }
        Ok(Accepted::Certificate(summary)) => {
            let line = format!(
                "certificate for {name}: accepted ({} premises, {} assumptions, {} pairs, {} choices)",
                summary.premises,
                summary.assumptions,
                grouped(summary.pairs),
                grouped(summary.choices)
            );
            ((Standing::Holds, ExitStatus::Holds), line, json!(summary))
        }
        Ok(Accepted::Tree { nodes }) => {
            let line = format!("counterexample for {name}: accepted ({nodes} nodes)");
            (violated(), line, json!({ "nodes": nodes }))
        }
        Ok(Accepted::Property { verdict, .. }) => match verdict {
            MarkovVerdict::Fails(found) => {
                let nodes = match &**found {
                    PropertyCounterexample::Tree(tree) => tree.states.len(),
                    PropertyCounterexample::Bounds(_) => 0,
                };
                let line = format!("counterexample for {name}: accepted");
                (violated(), line, json!({ "nodes": nodes }))
            }
            MarkovVerdict::Value(value) => {
                let line = format!(
                    "certificate for {name}: accepted (between {} and {})",
                    value.lower, value.upper
                );
                let sizes =
                    json!({ "lower": value.lower.to_string(), "upper": value.upper.to_string() });
                ((Standing::Holds, ExitStatus::Holds), line, sizes)
            }
            _ => {
                let line = format!("certificate for {name}: accepted");
                ((Standing::Holds, ExitStatus::Holds), line, json!({}))
            }
        },
    };
    let judged = Judged {
        standing,
        status,
        line,
        claim: result.is_ok().then_some(claim),
        sizes: result.as_ref().map(|_| sizes).map_err(String::as_str),
    };
    Ok(judged.output(args, desk))
}

/// Writes the evidence of an answer; says where. Without evidence there is no file.
pub fn write(
    path: &Path,
    subject: &MarkovSubject,
    models: &[Model],
    answer: &MarkovAnswer,
) -> Result<Option<String>, Failure> {
    let fail = |e: std::io::Error| Failure::file(format!("cannot write `{}`: {e}", path.display()));
    let system = &subject.system;
    let evidence = match &answer.verdict {
        MarkovVerdict::Unknown(_) | MarkovVerdict::NoDeadlock | MarkovVerdict::Deadlock(_) => {
            return Ok(None);
        }
        MarkovVerdict::Conforms(proof) => {
            if let Some(specification) = &subject.specification {
                let out = File::create(path).map_err(fail)?;
                file::write_certificate(out, system, specification, models, proof).map_err(fail)?;
            }
            return Ok(Some(path.display().to_string()));
        }
        MarkovVerdict::Differs { tree, .. } => {
            if let Some(specification) = &subject.specification {
                let out = File::create(path).map_err(fail)?;
                file::write_counterexample(out, system, specification, models, tree)
                    .map_err(fail)?;
            }
            return Ok(Some(path.display().to_string()));
        }
        MarkovVerdict::Holds(proof) => PropertyEvidence::Holds(proof.clone()),
        MarkovVerdict::Fails(found) => PropertyEvidence::Violated(found.clone()),
        MarkovVerdict::Value(value) => PropertyEvidence::Value(value.clone()),
    };
    let out = File::create(path).map_err(fail)?;
    let name = answer.claim.name();
    file::write_property(out, system, models, name, &evidence).map_err(fail)?;
    Ok(Some(path.display().to_string()))
}
