//! Probabilistic systems: `suppose check`, `report`, `assume`, `certify`, `convert` and `draw` on them.
//!
//! The way of an answer: the text becomes components, a specification and properties; an engine finds simulations, a tree
//! or bounds on probabilities; what comes out is put before the checker, which knows no engine.

pub mod certify;
mod convert;
mod deadlock;
mod engines;
mod evidence;
mod findings;
mod form;
mod read;
mod states;

use std::path::Path;
use std::sync::Arc;

use suppose_model::markov::Lpts;
use suppose_report::{MarkovClaim, MarkovVerdict, markov_network};

use crate::args::{AssumeArgs, CheckArgs, ClaimArgs, EngineArgs, EngineName};
use crate::commands::{Desk, check::warning_lines, with_words};
use crate::evidence_file::EvidenceFile;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output::Output;

pub use convert::{convert, draw, writable};
use engines::MarkovEngines;
pub use findings::{Chances, MarkovFinding, MarkovSubject};
use read::{MarkovSystem, Parting, read};

/// Runs `check` on a probabilistic system.
pub fn check(args: &CheckArgs, desk: &Desk) -> Result<Output, Failure> {
    desk.counters.begin("reading");
    let asked = &args.claims;
    let parting = parting(args);
    let system = match read(&args.input, &asked.properties, true, parting, desk) {
        Err(failure) if failure.status == ExitStatus::Limit => return gave_up(failure, desk),
        read => read?,
    };
    let models = system.models.clone();
    let claims = claims(&system, asked)?;
    engines::refuse(args.engine.engine, &claims)?;
    let subject = begin(system, claims, args.full, desk);
    let network = markov_network(&subject.system);
    let engines = MarkovEngines::new(&subject, &network, &args.engine, desk)?;
    desk.findings.lock().network = Some(Arc::new(network));
    let several = desk.findings.lock().chances.waiting.len() > 1;
    let mut certificates = EvidenceFile::new(args.certificate.as_ref(), several, desk);
    while let Some(claim) = next(desk) {
        let mut finding = decide(&subject, &engines, &claim, args.no_certify, desk);
        match &finding.answer.verdict {
            _ if !finding.is_sound() => {
                certificates.without(claim.name(), "the evidence was rejected");
            }
            MarkovVerdict::Unknown(reason) => certificates.without(claim.name(), reason.word()),
            MarkovVerdict::NoDeadlock | MarkovVerdict::Deadlock(_) => {
                let why = "there are no files of evidence about deadlock";
                certificates.without(claim.name(), why);
                if certificates.is_wanted() {
                    desk.findings.lock().warnings.push(why.to_owned());
                }
            }
            _ => {
                finding.certificate_file =
                    certificates.add(|out| certify::write(out, &subject, &models, &finding.answer));
            }
        }
        note(desk, finding);
    }
    certificates.finish();
    desk.write_report(args.report.as_ref());
    Ok(desk.findings.snapshot().output(&desk.watch, desk.look))
}

/// Into which components: all modules are one where nothing asks for more.
fn parting(args: &CheckArgs) -> Parting {
    let whole = matches!(
        args.engine.engine,
        EngineName::Auto | EngineName::Monolithic
    );
    let given = &args.input.model.markov;
    let apart = given.spec.is_some()
        || !given.groups.is_empty()
        || given.reads.is_some()
        || given.acts.is_some()
        || args.engine.rule.split != "auto";
    match whole && !apart {
        true => Parting::OneIfWhole,
        false => Parting::Usual,
    }
}

/// A limit came while the system was read: that is a verdict too.
fn gave_up(failure: Failure, desk: &Desk) -> Result<Output, Failure> {
    let Some(why) = desk.watch.over() else {
        return Err(failure);
    };
    let mut findings = desk.findings.snapshot();
    findings.give_up(&why.into(), &desk.counters);
    Ok(findings.output(&desk.watch, desk.look))
}

/// Runs `assume`: the assumption that an engine proves conformance or a property with.
pub fn assume(args: &AssumeArgs, desk: &Desk) -> Result<Output, Failure> {
    desk.counters.begin("reading");
    let system = read(&args.input, &args.properties, true, Parting::Usual, desk)?;
    if system.specification.is_none() && system.properties.is_empty() {
        let failure = Failure::usage("there is nothing to find an assumption for");
        return Err(failure.help("give a specification with --spec, or a --property"));
    }
    let asked = ClaimArgs {
        properties: args.properties.clone(),
        deadlock: false,
        no_deadlock: true,
    };
    let claims = claims(&system, &asked)?;
    engines::refuse(args.engine, &claims)?;
    let subject = begin(system, claims, true, desk);
    let network = markov_network(&subject.system);
    let engine = EngineArgs::for_assumptions(args);
    let mut engines = MarkovEngines::new(&subject, &network, &engine, desk)?;
    engines.assume = true;
    desk.findings.lock().network = Some(Arc::new(network));
    let several = desk.findings.lock().chances.waiting.len() > 1;
    let mut number = 0;
    while let Some(claim) = next(desk) {
        let finding = decide(&subject, &engines, &claim, false, desk);
        let assumptions: &[Lpts] = match &finding.answer.verdict {
            MarkovVerdict::Conforms(proof) => &proof.assumptions,
            MarkovVerdict::Holds(proof) => &proof.assumptions,
            _ => &[],
        };
        if let Some(path) = &args.output
            && finding.is_sound()
        {
            let claim = several.then(|| word(&claim, &mut number));
            desk.written(write_assumptions(path, claim, &subject, assumptions));
        }
        note(desk, finding);
    }
    Ok(desk.findings.snapshot().output(&desk.watch, desk.look))
}

fn write_assumptions(
    path: &Path,
    claim: Option<String>,
    subject: &MarkovSubject,
    assumptions: &[Lpts],
) -> Result<(), Failure> {
    for (number, assumption) in assumptions.iter().enumerate() {
        let mut words: Vec<String> = claim.iter().cloned().collect();
        if assumptions.len() > 1 {
            words.push(number.to_string());
        }
        convert::write_one(&with_words(path, &words), assumption, &subject.system)?;
    }
    Ok(())
}

/// What is asked. Deadlock is, if nothing else is.
fn claims(system: &MarkovSystem, asked: &ClaimArgs) -> Result<Vec<MarkovClaim>, Failure> {
    let mut claims = Vec::new();
    if system.specification.is_some() {
        claims.push(MarkovClaim::Conformance);
    }
    let names = system.properties.iter().map(|p| p.name.clone());
    claims.extend(names.map(MarkovClaim::Property));
    let nothing = claims.is_empty() && system.undecided.is_empty();
    if asked.deadlock || (nothing && !asked.no_deadlock) {
        claims.push(MarkovClaim::Deadlock);
    }
    match claims.is_empty() && system.undecided.is_empty() {
        true => {
            let failure = Failure::usage("nothing is asked of the system");
            Err(failure.help("give a specification with --spec, or a --property"))
        }
        false => Ok(claims),
    }
}

/// Notes what was read and what is asked.
fn begin(
    system: MarkovSystem,
    claims: Vec<MarkovClaim>,
    full: bool,
    desk: &Desk,
) -> Arc<MarkovSubject> {
    let subject = Arc::new(MarkovSubject {
        system: system.system,
        specification: system.specification,
        properties: system.properties,
    });
    let mut findings = desk.findings.lock();
    findings.warnings = warning_lines(&system.warnings, &system.sources);
    findings.warnings.extend(system.notes);
    for claim in system.undecided {
        findings
            .warnings
            .push(format!("{}: {}", claim.name, claim.reason));
        findings
            .undecided
            .push((claim.name, "unsupported".to_owned()));
    }
    findings.full = full;
    findings.chances.sizes = system.sizes;
    findings.chances.waiting = claims;
    findings.chances.subject = Some(Arc::clone(&subject));
    subject
}

fn next(desk: &Desk) -> Option<MarkovClaim> {
    desk.findings.lock().chances.waiting.first().cloned()
}

fn note(desk: &Desk, finding: MarkovFinding) {
    let mut findings = desk.findings.lock();
    findings.chances.done.push(Arc::new(finding));
    findings.chances.waiting.remove(0);
}

/// Decides a claim and has the evidence checked.
fn decide(
    subject: &MarkovSubject,
    engines: &MarkovEngines,
    claim: &MarkovClaim,
    no_certify: bool,
    desk: &Desk,
) -> MarkovFinding {
    let engines::Reply { mut answer, why } = engines.decide(claim);
    let evidence = evidence::judge(subject, &mut answer, no_certify, desk);
    MarkovFinding {
        answer,
        evidence,
        why_engine: why,
        certificate_file: None,
    }
}

/// A claim in the name of a file.
fn word(claim: &MarkovClaim, number: &mut usize) -> String {
    match claim {
        MarkovClaim::Conformance => "conformance".to_owned(),
        MarkovClaim::Deadlock => "deadlock".to_owned(),
        MarkovClaim::Property(_) => {
            *number += 1;
            format!("property-{}", *number - 1)
        }
    }
}
