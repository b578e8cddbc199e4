//! `suppose check` and `suppose report`.

use std::sync::Arc;

use suppose_frontends::{Kind, Loaded};
use suppose_model::lts::Network;
use suppose_model::{Answer, Claim, Verdict};
use suppose_report::Evidence;
use suppose_source::{Diagnostic, Sources};

use super::Desk;
use crate::args::{CheckArgs, ClaimArgs, ReportArgs};
use crate::engines::{Portfolio, Reply, Split, claim_name, settings};
use crate::evidence;
use crate::evidence_file::EvidenceFile;
use crate::failure::Failure;
use crate::findings::{Finding, Shared};
use crate::input;
use crate::output::Output;

/// Runs `report`: a check whose page goes to a file.
pub fn report(args: ReportArgs, desk: &Desk) -> Result<Output, Failure> {
    let args = CheckArgs {
        input: args.input,
        claims: args.claims,
        engine: args.engine,
        limits: args.limits,
        certificate: None,
        no_certify: false,
        recheck: false,
        trail: None,
        certify_with: Vec::new(),
        definitions: None,
        witness: None,
        report: Some(args.output),
        full: false,
        smv: Default::default(),
    };
    check(args, desk)
}

/// Runs `check`.
pub fn check(args: CheckArgs, desk: &Desk) -> Result<Output, Failure> {
    let shared = desk.findings.clone();
    shared.lock().files = input::names(&args.input);
    let language = desk.language(&args.input.files, &args.input.model)?;
    match language.kind() {
        Kind::Symbolic => return crate::symbolic::check(&args, desk),
        Kind::Horn => return crate::horn::check(&args, desk),
        Kind::Markov => return crate::markov::check(&args, desk),
        Kind::Program => return crate::program::check(&args, desk),
        Kind::Network => {}
    }
    shared.lock().full = args.full;
    let input::System { loaded, models } = input::load_input(&args.input, &desk.context())?;
    let network = Arc::new(begin(loaded, &args.claims, &shared)?);
    shared.lock().network = Some(Arc::clone(&network));
    let split = Split::parse(&args.engine.rule.split, Split::Fitting, &network)?;
    let mut settings = settings(&args.engine, split)?;
    settings.components = components(&network, &args.engine.process.components)?;
    let engines = Portfolio {
        network: &network,
        settings: &settings,
        supervisor: desk,
    };
    let claims = shared.lock().waiting.clone();
    let several = claims.len() > 1;
    let mut certificates = EvidenceFile::new(args.certificate.as_ref(), several, desk);
    engines.decide(&claims, &mut |replies| {
        for mut finding in judged(&network, replies, args.no_certify, desk) {
            let name = claim_name(&network, finding.answer.claim);
            let verdict = &finding.answer.verdict;
            match verdict {
                _ if !finding.is_sound() => {
                    certificates.without(&name, "the evidence was rejected");
                }
                Verdict::Unknown(reason) => certificates.without(&name, reason.word()),
                _ => {
                    finding.certificate_file = certificates
                        .add(|out| super::certify::write(out, &network, &models, verdict));
                }
            }
            shared.lock().settle(finding, &claims);
        }
    });
    certificates.finish();
    desk.write_report(args.report.as_ref());
    Ok(shared.snapshot().output(&desk.watch, desk.look))
}

/// Answers with what the independent checker says of their evidence.
fn judged(network: &Network, replies: Vec<Reply>, no_certify: bool, desk: &Desk) -> Vec<Finding> {
    let (answers, whys): (Vec<Answer>, Vec<String>) =
        replies.into_iter().map(|r| (r.answer, r.why)).unzip();
    let examined = match no_certify {
        true => {
            let why = || Evidence::NotChecked("the command line says --no-certify".to_owned());
            answers.into_iter().map(|a| (a, why())).collect()
        }
        false => {
            desk.counters.begin("checking the evidence");
            evidence::examine_all(network, answers, &desk.watch)
        }
    };
    let findings = examined.into_iter().zip(whys);
    let finding = |((answer, evidence), why_engine)| Finding {
        answer,
        evidence,
        why_engine,
        certificate_file: None,
    };
    findings.map(finding).collect()
}

/// What to work on now.
pub fn next(shared: &Shared) -> Option<Claim> {
    shared.lock().waiting.first().copied()
}

/// Notes what was read and what is asked.
pub fn begin(loaded: Loaded, asked: &ClaimArgs, shared: &Shared) -> Result<Network, Failure> {
    let network = loaded.network;
    let mut findings = shared.lock();
    findings.warnings = warning_lines(&loaded.warnings, &loaded.sources);
    let named = |name: &String| loaded.undecided.iter().any(|u| u.name == *name);
    for name in &asked.properties {
        let known = network.properties.iter().any(|p| p.name() == name);
        if !known && !named(name) {
            return Err(no_property(name, &network));
        }
    }
    let wanted = |name: &str| match asked.properties.is_empty() {
        true => !asked.deadlock,
        false => asked.properties.iter().any(|n| n == name),
    };
    for claim in loaded.undecided.iter().filter(|u| wanted(&u.name)) {
        findings
            .warnings
            .push(format!("{}: {}", claim.name, claim.reason));
        let why = "unsupported".to_owned();
        findings.undecided.push((claim.name.clone(), why));
    }
    findings.waiting = claims(&network, asked, wanted);
    Ok(network)
}

/// Warnings with their places.
pub fn warning_lines(warnings: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let line = |w: &Diagnostic| match w.span.and_then(|s| Some((s, sources.file(s.file)?))) {
        Some((span, file)) => {
            let at = file.position(span.start);
            format!("{}:{}:{}: {}", file.name(), at.line, at.column, w.message)
        }
        None => w.message.clone(),
    };
    warnings.iter().map(line).collect()
}

/// The components of these names.
pub fn components(network: &Network, names: &[String]) -> Result<Vec<usize>, Failure> {
    let processes = network.processes();
    let named = |i: &usize| network.components[*i].lts.name();
    let find = |name: &String| {
        processes
            .iter()
            .copied()
            .find(|i| named(i) == name)
            .ok_or_else(|| {
                let all = processes.iter().map(named);
                Failure::unknown_name("component", "the components", name, all)
            })
    };
    names.iter().map(find).collect()
}

fn claims(network: &Network, asked: &ClaimArgs, wanted: impl Fn(&str) -> bool) -> Vec<Claim> {
    let deadlock = asked.deadlock || (!asked.no_deadlock && asked.properties.is_empty());
    let properties = network.properties.iter().enumerate();
    let properties = properties
        .filter(|(_, p)| wanted(p.name()))
        .map(|(number, _)| Claim::Property(number));
    let mut claims: Vec<Claim> = properties.collect();
    if deadlock {
        claims.push(Claim::DeadlockFree);
    }
    claims
}

/// There is no such property: what is there?
pub fn no_property(name: &str, network: &Network) -> Failure {
    let all = network.properties.iter().map(|p| p.name());
    Failure::unknown_name("property", "the properties", name, all)
}
