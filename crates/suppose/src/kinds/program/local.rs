//! Proofs of programs by views of two processes.

use std::time::Instant;

use serde_json::json;
use suppose_certify::file::ReadLimits;
use suppose_certify::program::file;
use suppose_certify::views::views;
use suppose_control::{Context, catch};
use suppose_explicit::portfolio::{Deciders, Sink, not_first};
use suppose_explicit::{self as explicit, Order, search};
use suppose_local::{LocalOptions, Report, ViewVerdict, check};
use suppose_model::program::views::Exposure;
use suppose_model::program::{Answer, Program, Proof, Question, Trace, ViewProof};
use suppose_model::{Reason, Round, Run, Verdict};
use suppose_report::program::names::exposure;
use suppose_report::{grouped, shown};
use suppose_source::Sources;

use super::ProgramFinding;
use super::engines::{ProgramEngines, unknown};
use super::read::ProgramSystem;
use crate::certify::{EvidenceTask, Judged};
use crate::failure::Failure;
use crate::kinds::network::engines::Bounds;

/// What the engine is called.
pub const NAME: &str = "local";

/// States of a search for what views do not decide.
const ENDS: u64 = 2_000_000;

/// Decides the questions by views; end states and infinite runs by a search of limited size.
pub fn decide(engines: &ProgramEngines, questions: &[Question], sink: &mut Sink) {
    let program = &engines.subject.program;
    let mut over = false;
    for question in questions {
        if over && engines.options.first {
            not_first(&[*question], sink);
            continue;
        }
        let findings = match question {
            Question::EndStates => search_all(engines, *question),
            _ if program.is_liveness(*question) => search_all(engines, *question),
            _ if asks_where_all_stop(program, *question) => search_all(engines, *question),
            _ => vec![by_views(
                engines,
                *question,
                &Bounds::default(),
                "asked for",
            )],
        };
        for finding in findings {
            over |= finding.answer.verdict.is_violated();
            sink(finding);
        }
    }
}

/// Is a `trace` violated where the whole system stops?
fn asks_where_all_stop(program: &Program, question: Question) -> bool {
    let Question::Claim(number) = question else {
        return false;
    };
    let events = program.claims.get(number).and_then(|c| c.events.as_ref());
    events.is_some_and(|e| !e.forbidden && e.places.iter().any(|p| !p.rest))
}

/// What is a matter of all processes at once.
fn search_all(engines: &ProgramEngines, question: Question) -> Vec<ProgramFinding> {
    let what = match question {
        Question::EndStates => "end states are",
        _ if asks_where_all_stop(&engines.subject.program, question) => "where a trace ends is",
        _ => "what happens in infinite runs is",
    };
    let why = format!("{what} decided on the whole program");
    let bounds = Bounds {
        states: Some(ENDS),
        ..Bounds::default()
    };
    let options = engines.options;
    let mut findings = Deciders::search(engines, &[question], &options, &bounds, &why);
    for finding in &mut findings {
        let is_open = matches!(
            finding.answer.verdict,
            Verdict::Unknown(Reason::Timeout | Reason::Memory)
        );
        if is_open && !engines.is_over() {
            let text = format!(
                "{what} a matter of all processes, and there are more than {} states; the engine `monolithic` searches on",
                grouped(ENDS)
            );
            finding.answer.verdict = Verdict::Unknown(Reason::Unsupported(text));
        }
    }
    findings
}

/// Decides one question by views.
pub fn by_views(
    engines: &ProgramEngines,
    question: Question,
    bounds: &Bounds,
    why: &str,
) -> ProgramFinding {
    let program = &engines.subject.program;
    let what = format!("{} by {NAME}", program.question_name(question));
    engines.session.counters.begin(&what);
    let cx = bounds.context(engines.session);
    let begun = Instant::now();
    let guided = |question, cx: &Context| violation(program, question, cx);
    let report = catch(|| check(program, question, &LocalOptions::default(), &guided, &cx));
    let report = match report {
        Ok(report) => report,
        Err(message) => return unknown(question, NAME, Reason::Internal(message), why),
    };
    let run = Run {
        elapsed: begun.elapsed(),
        ..run(program, &engines.subject.sources, &report)
    };
    let answer = Answer {
        claim: question,
        engine: NAME.to_owned(),
        verdict: match report.found {
            ViewVerdict::Holds(proof) => Verdict::Holds(Proof::Views(proof, Default::default())),
            ViewVerdict::Violated(trace) => Verdict::Violated(trace),
            ViewVerdict::Unknown(reason) => Verdict::Unknown(reason),
        },
        run,
        search: None,
    };
    match answer.verdict.is_unknown() {
        true => ProgramFinding::undecided(answer, why),
        false => engines.judged(answer, why),
    }
}

/// What it took, in the words of all engines: a view is a state, a join a transition.
fn run(program: &Program, sources: &Sources, report: &Report) -> Run {
    let round = |(at, (views, exposed)): (usize, &(u64, Exposure))| Round {
        number: at as u64 + 1,
        states: *views,
        refined: format!("exposed {}", exposure(program, sources, exposed)),
        ..Round::default()
    };
    Run {
        states: report.all_views,
        transitions: report.joins,
        largest: report.views,
        rounds: report.rounds.iter().enumerate().map(round).collect(),
        ..Run::default()
    }
}

/// A run that violates a question: depth-first in two orders, then breadth-first, each within the limits of the context.
fn violation(program: &Program, question: Question, cx: &Context) -> Option<Trace> {
    for order in [Order::DepthLast, Order::Depth, Order::Breadth] {
        let options = explicit::ExplicitOptions {
            order,
            first: true,
            ..explicit::ExplicitOptions::default()
        };
        for (_, found) in search(program, &[question], &options, cx).verdicts {
            match found {
                explicit::SearchVerdict::Violated(trace) => return Some(trace),
                explicit::SearchVerdict::Holds => return None,
                _ => {}
            }
        }
    }
    None
}

/// Judges proofs by views that were written before.
pub fn certify(system: &ProgramSystem, task: &EvidenceTask) -> Result<Vec<Judged>, Failure> {
    let program = &system.program;
    task.each_checked(
        |input| file::read(input, program, &system.models, &ReadLimits::default()),
        |proof: &ViewProof, cx| views(program, proof, cx),
        |proof, viewed| {
            let name = program.question_name(proof.question).to_owned();
            let line = format!(
                "certificate for {}: accepted ({} views of two processes, {} joins)",
                shown(&name),
                grouped(viewed.views),
                grouped(viewed.joins)
            );
            let sizes = json!({ "views": viewed.views, "joins": viewed.joins });
            Judged::holds(name, line, sizes)
        },
    )
}
