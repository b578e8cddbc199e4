//! `suppose assume`: every engine that finds assumptions, and the smallest of what they find.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use suppose_compose::decompose::Strategy;
use suppose_compose::quotient::Merging;
use suppose_compose::{agar, learn};
use suppose_control::{Context, Silent};
use suppose_model::lts::Network;
use suppose_model::{Answer, Certificate, Claim, EvidenceStatus, Finding, Reason, Verdict};

use super::convert::write_assumption;
use super::engines::{
    Bounds, Engine, Portfolio, Settings, Split, claim_name, on_networks, refinement, turns, unknown,
};
use super::reduce::reduce;
use super::{Networks, evidence, read};
use crate::failure::Failure;
use crate::files::with_words;
use crate::options::{AssumeOptions, ClaimOptions};
use crate::session::Session;
use crate::source::Source;

/// How much work the quotient may take after the other engines.
const LAST_ATTEMPT: u64 = 2_000_000;

/// One attempt to find assumptions.
struct Attempt {
    name: &'static str,
    settings: Settings,
}

/// All attempts of the engine asked for.
fn attempts(split: &Split, args: &AssumeOptions, components: &[usize]) -> Vec<Attempt> {
    let in_turn = turns(&args.process);
    let attempt = |name, engine, refine_alphabet, algorithm| Attempt {
        name,
        settings: Settings {
            engine,
            agar: agar::AgarOptions {
                refine_alphabet,
                ..agar::AgarOptions::default()
            },
            learn: learn::LearningOptions {
                refine_alphabet,
                algorithm,
            },
            split: split.clone(),
            ..Settings::default()
        },
    };
    use learn::Algorithm::{LStar, Ttt};
    let mut quotient = attempt("quotient", Engine::Quotient, false, LStar);
    quotient.settings.quotient = refinement(&args.refinement);
    quotient.settings.components = components.to_vec();
    quotient.settings.in_turn = in_turn;
    let mut all = vec![
        attempt("agar", Engine::Agar, false, LStar),
        attempt("agar, refining the alphabet", Engine::Agar, true, LStar),
        attempt("L*", Engine::Learn, false, LStar),
        attempt("L*, refining the alphabet", Engine::Learn, true, LStar),
        attempt("TTT", Engine::Learn, false, Ttt),
        attempt("TTT, refining the alphabet", Engine::Learn, true, Ttt),
        quotient,
    ];
    let asked = match args.process_named() {
        false => on_networks(args.engine),
        true => Engine::Quotient,
    };
    all.retain(|w| asked == Engine::Auto || w.settings.engine == asked);
    all
}

/// Finds assumptions.
pub(crate) fn assume(
    source: &Source,
    options: &AssumeOptions,
    session: &Session,
) -> Result<(), Failure> {
    // Before the work: a name that says nothing would be found out too late.
    if let Some(path) = &options.output {
        super::writable(path)?;
    }
    let claims = ClaimOptions {
        properties: options.properties.clone(),
        deadlock: false,
        no_deadlock: true,
    };
    let asked = super::ask(read::network(source, &options.model)?, &claims)?;
    let (model, claims) = session.note(asked);
    let network = &model.network;
    session.show_network(Arc::clone(network));
    if network.properties.is_empty() {
        let failure = Failure::file("the system has no property to find an assumption for");
        return Err(failure.help("give one with --property-file, or write one in the file"));
    }
    let split = Split::parse(&options.rule.split, Split::By(Strategy::Interface), network)?;
    let components = super::components(network, &options.process.components)?;
    let attempts = attempts(&split, options, &components);
    let several = claims.len() > 1;
    for claim in claims {
        let finding = smallest(network, claim, &attempts, session);
        if let Some(path) = &options.output {
            let word = several.then(|| super::claim_word(claim));
            let (verdict, so_far) = (&finding.answer.verdict, &finding.answer.run.so_far);
            match (verdict, so_far) {
                (Verdict::Holds(proof), _) if !proof.assumptions.is_empty() => {
                    session.written(write(path, word, network, proof, session));
                }
                (_, Some(so_far)) => {
                    let path = with_words(path, word.as_slice());
                    let assumption = &so_far.assumption;
                    session.written(write_assumption(&path, network, assumption, session));
                }
                _ => session.no_assumption(path, &claim_name(network, claim)),
            }
        }
        session.settle::<Networks>(finding);
    }
    Ok(())
}

/// Runs every attempt; the first violation ends it, else the smallest proof wins.
fn smallest(network: &Network, claim: Claim, attempts: &[Attempt], session: &Session) -> Finding {
    let mut best: Option<(Size, Finding)> = None;
    let mut last: Option<Finding> = None;
    let mut tried = Vec::new();
    for (number, attempt) in attempts.iter().enumerate() {
        let engines = Portfolio {
            network,
            settings: &attempt.settings,
            supervisor: session,
        };
        let bounds = Bounds {
            until: turn(session, attempts.len() - number, attempt.settings.engine),
            // Where others have found something, the last word is not worth any price.
            work: (number > 0 && attempt.settings.engine == Engine::Quotient)
                .then_some(LAST_ATTEMPT),
            ..Bounds::default()
        };
        let answer = engines.one(attempt.settings.engine, claim, &bounds);
        let (mut answer, mut evidence) = evidence::examine(network, answer, &session.watch);
        let why = evidence::confirm_so_far(network, &mut answer);
        let before = size_of(&answer);
        // Who asks for the equivalences alone wants nothing merged past them.
        let further = attempt.settings.quotient.merging == Merging::Further;
        if further
            && let Some(smaller) = reduced(network, &answer, &evidence, session, bounds.until)
        {
            (answer, evidence) = smaller;
        }
        tried.push(told(attempt.name, before, size_of(&answer), &answer));
        let finding = Finding::new(answer, evidence, why);
        let handed_over = finding.answer.run.so_far.is_some();
        match (&finding.evidence, size_of(&finding.answer)) {
            (EvidenceStatus::Accepted, None) => {
                last = Some(finding);
                best = None;
                break;
            }
            (EvidenceStatus::Accepted, Some(size)) => {
                if best.as_ref().is_none_or(|(smallest, _)| size < *smallest) {
                    best = Some((size, finding));
                }
            }
            _ if handed_over => last = Some(finding),
            _ => last = last.or(Some(finding)),
        }
    }
    let nothing = || Finding::undecided(unknown("none", claim, Reason::Timeout), "");
    let mut finding = best.map(|(_, f)| f).or(last).unwrap_or_else(nothing);
    finding.why_engine = match attempts.len() {
        _ if !finding.why_engine.is_empty() => finding.why_engine,
        1 => "asked for".to_owned(),
        _ => format!("the smallest that was found ({})", tried.join("; ")),
    };
    finding
}

/// An equal share of the time that is left. The requirement of one process can be handed over at any
/// moment, and a part of its time is kept for proving and checking what it has by then.
fn turn(session: &Session, ways_left: usize, engine: Engine) -> Option<Instant> {
    let limit = session.watch.limits().timeout?;
    let mut left = limit.saturating_sub(session.watch.elapsed());
    if engine == Engine::Quotient {
        left = left * 4 / 5;
    }
    Instant::now().checked_add(left / u32::try_from(ways_left).unwrap_or(1))
}

/// A smaller proof, if there is one and it is accepted.
fn reduced(
    network: &Network,
    answer: &Answer,
    evidence: &EvidenceStatus,
    session: &Session,
    until: Option<Instant>,
) -> Option<(Answer, EvidenceStatus)> {
    let (Verdict::Holds(proof), EvidenceStatus::Accepted) = (&answer.verdict, evidence) else {
        return None;
    };
    session.counters.begin("making the assumption smaller");
    let mut cx = Context::new(session.watch.fresh(), Arc::new(Silent));
    if let Some(until) = until {
        cx = cx.with_deadline(until);
    }
    let smaller = Answer {
        verdict: Verdict::Holds(Box::new(reduce(network, proof, &cx)?)),
        ..answer.clone()
    };
    let (smaller, evidence) = evidence::examine(network, smaller, &session.watch);
    (evidence == EvidenceStatus::Accepted).then_some((smaller, evidence))
}

/// States first, then labels, then transitions.
type Size = (usize, usize, usize);

fn size_of(answer: &Answer) -> Option<Size> {
    let Verdict::Holds(proof) = &answer.verdict else {
        return None;
    };
    Some(size(proof))
}

fn size(proof: &Certificate) -> Size {
    let sum = |of: fn(&suppose_model::lts::Lts) -> usize| {
        proof.assumptions.iter().map(|a| of(&a.lts)).sum()
    };
    (
        sum(|l| l.states()),
        sum(|l| l.alphabet().len()),
        sum(|l| l.transitions()),
    )
}

fn told(attempt: &str, before: Option<Size>, after: Option<Size>, answer: &Answer) -> String {
    match (before, after, &answer.verdict) {
        (Some(b), Some(a), _) if a.0 < b.0 => {
            format!("{attempt}: {}, reduced to {}", states(b.0), a.0)
        }
        (_, Some(a), _) => format!("{attempt}: {}", states(a.0)),
        (_, None, Verdict::Unknown(reason)) => format!("{attempt}: {}", reason.word()),
        (_, None, _) => format!("{attempt}: violated"),
    }
}

fn states(number: usize) -> String {
    let word = if number == 1 { "state" } else { "states" };
    format!("{number} {word}")
}

/// Writes every assumption of a proof.
pub(crate) fn write(
    path: &Path,
    claim: Option<String>,
    network: &Network,
    proof: &Certificate,
    session: &Session,
) -> Result<(), Failure> {
    for (number, assumption) in proof.assumptions.iter().enumerate() {
        let mut words = Vec::new();
        words.extend(claim.clone());
        if proof.assumptions.len() > 1 {
            words.push(number.to_string());
        }
        let path = with_words(path, &words);
        write_assumption(&path, network, assumption, session)?;
    }
    Ok(())
}
