//! The engines on programs by name, and the portfolio over them.
//!
//! [`ENGINES`] lists what this crate can do. [`search`] explores the states of a program; [`decide`] is `auto`, which also uses
//! engines on the components of the program, through [`Deciders`].

mod auto;
mod list;

use std::time::Instant;

use suppose_control::{Bounds, Supervisor, catch};
use suppose_model::program::{self, Answer, Program, Proof, Question, Search};
use suppose_model::{Finding, Reason, Run, Verdict};

pub use auto::{Deciders, Sink, decide};
pub use list::{ENGINES, Engine};

use crate::{ExplicitOptions, Order, SearchVerdict};

/// Explores the states of a program for questions of one group.
pub fn search(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    bounds: &Bounds,
    supervisor: &dyn Supervisor,
) -> Vec<Answer> {
    let names: Vec<&str> = group.iter().map(|q| program.question_name(*q)).collect();
    supervisor.begin(&format!("{} by monolithic", names.join(", ")));
    let cx = bounds.context(supervisor);
    let begun = Instant::now();
    let report = match catch(|| crate::search(program, group, options, &cx)) {
        Ok(report) => report,
        Err(message) => {
            let reason = Reason::Internal(message);
            let answer = |q: &Question| unknown(*q, "monolithic", reason.clone());
            return group.iter().map(answer).collect();
        }
    };
    let run = Run {
        states: report.states,
        transitions: report.transitions,
        largest: report.states,
        elapsed: begun.elapsed(),
        ..Run::default()
    };
    let searched = Search {
        depth: report.depth,
        memory: report.memory,
        how: report
            .cycles
            .unwrap_or_else(|| how(options, report.symmetry, report.threads)),
        fair: options.fair && group.iter().any(|q| program.is_liveness(*q)),
    };
    let answers = report.verdicts.into_iter().map(|(question, found)| Answer {
        claim: question,
        engine: "monolithic".to_owned(),
        verdict: verdict(found, program.is_liveness(question)),
        run: run.clone(),
        search: Some(searched.clone()),
    });
    answers.collect()
}

/// Groups of questions that one search answers: assertions and end states together, each of the others by itself.
pub fn groups(questions: &[Question]) -> Vec<Vec<Question>> {
    let is_alone = |q: &Question| !matches!(q, Question::Assertions | Question::EndStates);
    let plain: Vec<Question> = questions.iter().copied().filter(|q| !is_alone(q)).collect();
    let claims = questions.iter().copied().filter(is_alone);
    let mut groups = vec![plain];
    groups.extend(claims.map(|c| vec![c]));
    groups.retain(|g| !g.is_empty());
    groups
}

/// Leaves questions undecided after a first violation.
pub fn not_first(group: &[Question], sink: &mut Sink) {
    for question in group {
        let reason = Reason::Unsupported("--first ends with the first violation".to_owned());
        sink(Finding::undecided(
            unknown(*question, "monolithic", reason),
            "",
        ));
    }
}

/// No verdict, and nothing known of the run.
pub fn unknown(question: Question, engine: &str, reason: Reason) -> Answer {
    Answer {
        claim: question,
        engine: engine.to_owned(),
        verdict: Verdict::Unknown(reason),
        run: Run::default(),
        search: None,
    }
}

/// The order and the reductions, for people.
fn how(options: &ExplicitOptions, symmetry: Option<String>, threads: usize) -> String {
    let mut words = vec![match options.order {
        Order::Breadth => "breadth-first".to_owned(),
        Order::Depth | Order::DepthLast => "depth-first".to_owned(),
    }];
    if options.reduction {
        words.push("partial-order reduction".to_owned());
    }
    if options.merge {
        words.push("local steps merged".to_owned());
    }
    words.extend(symmetry);
    if threads > 1 {
        words.push(format!("{threads} threads"));
    }
    if let Some(bits) = options.compaction {
        words.push(format!("hash compaction to {bits} bits"));
    }
    words.join(", ")
}

/// What a search found, as a verdict; `cycles` says that it was about infinite runs.
pub fn verdict(found: SearchVerdict, cycles: bool) -> program::Verdict {
    match found {
        SearchVerdict::Holds if cycles => Verdict::Holds(Proof::NoCycle(None)),
        SearchVerdict::Holds => Verdict::Holds(Proof::Exhaustive(None)),
        SearchVerdict::Violated(trace) => Verdict::Violated(trace),
        SearchVerdict::Unknown(reason) => Verdict::Unknown(reason),
        SearchVerdict::Likely(missed) => Verdict::Unknown(Reason::Unsupported(format!(
            "hash compaction: no violation was found, but states may have been missed, with probability {missed:.1e}"
        ))),
    }
}
