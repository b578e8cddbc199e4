//! SMV models: `suppose check`, `report`, `certify` and `convert` on them.
//!
//! The way of an answer: the text becomes a system with properties; what could fail in it is looked at first; each property
//! is decided on the part of the system that it depends on; what comes out is put before the checker, which knows no engine.

pub mod certify;
mod convert;
mod engines;
mod evidence;
mod findings;
mod read;
mod shorten;

use std::sync::Arc;
use std::time::{Duration, Instant};

use suppose_certify::symbolic::file::Origin;
use suppose_model::Reason;
use suppose_model::symbolic::System;
use suppose_report::{Evidence, SymbolicClaim, SymbolicVerdict};
use suppose_symbolic::prepare::Life;

use crate::args::{CheckArgs, ClaimArgs, TraceName};
use crate::commands::{Desk, check::warning_lines};
use crate::evidence_file::EvidenceFile;
use crate::failure::Failure;
use crate::output::Output;

pub use convert::convert;
use engines::SymbolicEngines;
use evidence::Manner;
pub use findings::{Symbolic, SymbolicFinding, SymbolicSubject};
pub use read::read_sound;
use read::{SmvSystem, read, sound};

/// How long deadlocks are looked for that nobody asked for, if there is so much time.
const LOOK: Duration = Duration::from_secs(5);

/// Runs `check` on an SMV model.
pub fn check(args: &CheckArgs, desk: &Desk) -> Result<Output, Failure> {
    desk.counters.begin("reading");
    let system = read(&args.input.files, &args.input.model)?;
    let claims = claims(&system.system, &args.claims)?;
    desk.counters.begin("looking for what can fail");
    match sound(&system, &desk.context()) {
        Ok(sound) => sound?,
        Err(reason) => return gave_up(system, claims, &reason, desk),
    }
    let origin = system.origin.clone();
    let several = claims.len() > 1;
    let asked_for_deadlock = claims.contains(&SymbolicClaim::Deadlock);
    let subject = begin(system, claims, args, desk);
    let mut engines = SymbolicEngines::new(&subject, &args.engine, desk);
    if !args.claims.no_deadlock {
        look_around(&mut engines, asked_for_deadlock, desk);
    }
    let manner = Manner {
        skip: args.no_certify,
        recheck: args.recheck,
    };
    let mut certificates = EvidenceFile::new(args.certificate.as_ref(), several, desk);
    let mut put_off = Vec::new();
    while let Some(claim) = next(desk) {
        // What is easy comes first, and hard properties go on in turns, so that none keeps the others waiting.
        let attempt = put_off.iter().filter(|other| **other == claim).count() as u32;
        let others_wait = desk.findings.lock().symbolic.waiting.len() > 1;
        let turns = match others_wait {
            true => engines::turns(attempt, true),
            // The last one goes on from where it was.
            false if attempt > 0 => *engines::turns(attempt, true).start()..=u32::MAX,
            false => engines::turns(0, false),
        };
        let Some(engines::Reply { mut answer, why }) = engines.decide(claim, turns) else {
            desk.findings.lock().symbolic.waiting.rotate_left(1);
            put_off.push(claim);
            continue;
        };
        let evidence = evidence::judge(&mut answer, manner, desk);
        let mut finding = SymbolicFinding {
            answer,
            evidence,
            why_engine: why,
            certificate_file: None,
        };
        write_evidence(
            args,
            &origin,
            &mut finding,
            several,
            &mut certificates,
            desk,
        );
        note(desk, finding);
    }
    certificates.finish();
    desk.write_report(args.report.as_ref());
    Ok(desk.findings.snapshot().output(&desk.watch, desk.look))
}

/// Writes what the command line asks for, and warns of what cannot be written.
fn write_evidence(
    args: &CheckArgs,
    origin: &Origin,
    finding: &mut SymbolicFinding,
    several: bool,
    certificates: &mut EvidenceFile,
    desk: &Desk,
) {
    let claim = finding.answer.claim;
    let system = desk.findings.lock().symbolic.subject.clone();
    let name = system.map_or(String::new(), |s| claim.name(&s.system));
    if !finding.is_sound() {
        certificates.without(&name, "the evidence was rejected");
        return;
    }
    let mut missing = Vec::new();
    let is_accepted = finding.evidence == Evidence::Accepted;
    match (
        &finding.answer.verdict,
        certify::evidence(&finding.answer, is_accepted),
    ) {
        (SymbolicVerdict::Unknown(reason), _) => certificates.without(&name, reason.word()),
        (_, Some(evidence)) => {
            finding.certificate_file =
                certificates.add(|out| certify::write(out, origin, &evidence));
        }
        (_, None) => {
            let why = "there is no certificate to write";
            certificates.without(&name, why);
            if certificates.is_wanted() {
                missing.push(why.to_owned());
            }
        }
    }
    let word = several.then(|| match claim {
        SymbolicClaim::Deadlock => "deadlock".to_owned(),
        SymbolicClaim::Property(number) => format!("property-{number}"),
    });
    match certify::export(&args.smv, &finding.answer, word.as_ref()) {
        Ok(lacking) => missing.extend(lacking),
        Err(failure) => desk.written(Err(failure)),
    }
    let lines = missing.iter().map(|why| format!("{name}: {why}"));
    desk.findings.lock().warnings.extend(lines);
}

/// A limit came before it was known whether the system makes sense.
fn gave_up(
    system: SmvSystem,
    claims: Vec<SymbolicClaim>,
    reason: &Reason,
    desk: &Desk,
) -> Result<Output, Failure> {
    let mut findings = desk.findings.snapshot();
    findings.warnings = warning_lines(&system.warnings, &system.sources);
    findings.symbolic.waiting = claims;
    findings.symbolic.subject = Some(Arc::new(SymbolicSubject {
        system: Arc::new(system.system),
        sources: system.sources,
    }));
    findings.give_up(reason, &desk.counters);
    Ok(findings.output(&desk.watch, desk.look))
}

/// What is asked: the properties by name or number, or all of them; deadlock, if it is asked for or nothing else is.
fn claims(system: &System, asked: &ClaimArgs) -> Result<Vec<SymbolicClaim>, Failure> {
    let all = (0..system.properties.len()).map(SymbolicClaim::Property);
    let named = |claim: &SymbolicClaim, name: &str| match claim {
        SymbolicClaim::Deadlock => false,
        SymbolicClaim::Property(number) => {
            let own = system
                .properties
                .get(*number)
                .and_then(|p| p.name.as_deref());
            own == Some(name) || claim.name(system) == name || number.to_string() == name
        }
    };
    for name in &asked.properties {
        if !all.clone().any(|claim| named(&claim, name)) {
            return Err(no_property(name, system));
        }
    }
    let wanted = |claim: &SymbolicClaim| match asked.properties.is_empty() {
        true => !asked.deadlock,
        false => asked.properties.iter().any(|name| named(claim, name)),
    };
    let mut claims: Vec<SymbolicClaim> = all.filter(wanted).collect();
    if asked.deadlock || (claims.is_empty() && !asked.no_deadlock) {
        claims.push(SymbolicClaim::Deadlock);
    }
    match claims.is_empty() {
        true => {
            let failure = Failure::usage("nothing is asked of the system");
            Err(failure.help("the model has no property; --deadlock asks whether it gets stuck"))
        }
        false => Ok(claims),
    }
}

fn no_property(name: &str, system: &System) -> Failure {
    let numbers = 0..system.properties.len();
    let names: Vec<String> = numbers
        .map(|n| SymbolicClaim::Property(n).name(system))
        .collect();
    let names = names.iter().map(String::as_str);
    Failure::unknown_name("property", "the properties", name, names)
}

/// Notes what was read and what is asked.
fn begin(
    system: SmvSystem,
    claims: Vec<SymbolicClaim>,
    args: &CheckArgs,
    desk: &Desk,
) -> Arc<SymbolicSubject> {
    let mut findings = desk.findings.lock();
    findings.warnings = warning_lines(&system.warnings, &system.sources);
    findings.full = args.full;
    findings.symbolic.as_nusmv = args.smv.trace == Some(TraceName::Nusmv);
    findings.symbolic.waiting = claims;
    let subject = Arc::new(SymbolicSubject {
        system: Arc::new(system.system),
        sources: system.sources,
    });
    findings.symbolic.subject = Some(Arc::clone(&subject));
    subject
}

fn next(desk: &Desk) -> Option<SymbolicClaim> {
    desk.findings.lock().symbolic.waiting.first().copied()
}

fn note(desk: &Desk, finding: SymbolicFinding) {
    let mut findings = desk.findings.lock();
    findings.symbolic.note(finding);
    findings.symbolic.waiting.remove(0);
}

/// Says what makes the verdicts worth less: no runs at all, or runs that end. A verdict of its own it is only if asked for.
fn look_around(engines: &mut SymbolicEngines, told: bool, desk: &Desk) {
    desk.counters.begin("looking for deadlocks");
    let quarter = desk.watch.limits().timeout.map(|all| all / 4);
    let long = quarter.map_or(LOOK, |quarter| quarter.min(LOOK));
    let cx = engines.context().with_deadline(Instant::now() + long);
    let found = engines.life(&cx);
    engines.total = matches!(found, Ok(Life::Goes));
    let warning = match found {
        Ok(Life::Goes) => return,
        Ok(Life::NoStart) => {
            "there is no initial state: every property holds for want of runs".to_owned()
        }
        Ok(Life::Stuck(..)) | Err(_) if told => return,
        Ok(Life::Stuck(trace, part)) => match evidence::is_stuck(&part, &trace, desk) {
            Ok(()) => {
                desk.findings.lock().symbolic.stuck = Some(Arc::new((trace, *part)));
                "the system can get stuck: CTL and LTL speak only of runs that go on for ever; --deadlock makes it a verdict".to_owned()
            }
            Err(why) => format!("a bug: a run that gets stuck was found, but it is none: {why}"),
        },
        Err(reason) => {
            let why = match reason {
                Reason::Internal(why) => format!("a bug: {why}"),
                _ => "it takes long; --deadlock asks for it".to_owned(),
            };
            format!("it is not known whether the system can get stuck: {why}")
        }
    };
    desk.findings.lock().warnings.push(warning);
}
