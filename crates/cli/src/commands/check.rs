//! `suppose check` and `suppose report`.

use std::sync::Arc;

use suppose_compose::decompose::Strategy;
use suppose_frontends::Loaded;
use suppose_model::Claim;
use suppose_model::lts::Network;
use suppose_report::Evidence;
use suppose_source::{Diagnostic, Sources};

use super::Desk;
use crate::args::{CheckArgs, ClaimArgs, ReportArgs};
use crate::engines::{Engines, Settings, Split};
use crate::evidence;
use crate::failure::Failure;
use crate::findings::{Finding, Shared};
use crate::input;
use crate::output::{Output, write_file};

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
    if crate::symbolic::is_smv(&args.input) {
        return crate::symbolic::check(&args, desk);
    }
    crate::symbolic::only_for_smv(&args)?;
    if input::is_horn(&args.input.files) {
        return crate::horn::check(&args, desk);
    }
    if crate::markov::is_markov(&args.input) {
        return crate::markov::check(&args, desk);
    }
    crate::markov::only_for_markov(&args.input.model, args.engine.engine)?;
    crate::horn::only_for_clauses(&args)?;
    if input::is_program(&args.input.files) {
        return crate::program::check(&args, desk);
    }
    if args.trail.is_some() {
        return Err(Failure::usage("--trail is for PROMELA programs"));
    }
    let input::System { loaded, models } = input::load_input(&args.input, &desk.context())?;
    let network = Arc::new(begin(loaded, &args.claims, &shared)?);
    shared.lock().network = Some(Arc::clone(&network));
    let split = Split::parse(&args.engine.rule.split, Strategy::Chain, &network)?;
    let mut settings = Settings::new(&args.engine, split)?;
    settings.components = components(&network, &args.engine.process.components)?;
    let engines = Engines {
        network: &network,
        settings: &settings,
        watch: &desk.watch,
        counters: &desk.counters,
    };
    let several = shared.lock().waiting.len() > 1;
    while let Some(claim) = next(&shared) {
        let reply = engines.decide(claim);
        let (answer, evidence) = match args.no_certify {
            true => {
                let why = "the command line says --no-certify".to_owned();
                (reply.answer, Evidence::NotChecked(why))
            }
            false => {
                desk.counters.begin("checking the evidence");
                evidence::examine(&network, reply.answer, &desk.watch)
            }
        };
        let mut finding = Finding {
            answer,
            evidence,
            why_engine: reply.why,
            certificate_file: None,
        };
        if let Some(path) = &args.certificate {
            let words = several.then(|| super::claim_word(claim));
            let path = super::with_words(path, words.as_slice());
            finding.certificate_file =
                super::certify::write(&path, &network, &models, &finding.answer.verdict)?;
        }
        let mut findings = shared.lock();
        findings.done.push(Arc::new(finding));
        findings.waiting.remove(0);
    }
    if let Some(path) = &args.report {
        let page = shared.snapshot().html(&desk.watch);
        write_file(path, page.as_bytes())?;
    }
    Ok(shared.snapshot().output(&desk.watch, desk.look))
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
                let names: Vec<&str> = processes.iter().map(named).collect();
                let help = format!("the components are {}", names.join(", "));
                Failure::usage(format!("there is no component `{name}`")).help(help)
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
    let names: Vec<&str> = network.properties.iter().map(|p| p.name()).collect();
    let help = match names.is_empty() {
        true => "the system has no property".to_owned(),
        false => format!("the properties are {}", names.join(", ")),
    };
    Failure::usage(format!("there is no property `{name}`")).help(help)
}
