//! Engines on concurrent programs: exhaustive search, and the way from a program to a network of
//! transition systems ([`decompose`]).
//!
//! ```
//! use suppose_control::Context;
//! use suppose_explicit::{SearchVerdict, ExplicitOptions, search};
//! use suppose_model::program::Question;
//!
//! let text = "byte x; active [2] proctype P() { x = x + 1; assert(x == 1) }";
//! let (read, _) = suppose_frontends::promela::read_text("p.pml", text).unwrap();
//! let questions = [Question::Assertions];
//! let report = search(&read.program, &questions, &ExplicitOptions::default(), &Context::default());
//! assert!(matches!(report.verdicts[0].1, SearchVerdict::Violated(_)));
//! ```
//!
//! # The search
//!
//! [`search`] looks at all states of a program. It is compiled for the places its processes have in a
//! state (`machine`), states are rows of words in one arena (`store`), and the steps from a state are
//! followed through atomic sequences, `d_step` and rendezvous up to the next states that are kept (`expand`).
//! With [`ExplicitOptions::faithful`] these are the very states that SPIN stores without its own reductions (`spin -o1 -o2 -o3`,
//! `pan` compiled with `-DNOREDUCE`). What reductions leave out, and why that is right, is said in `reduce`. Programs with
//! priorities or `enabled()` are searched plainly, by the reference semantics (`plain`).
//!
//! Under a claim SPIN's way of counting where the system stops depends on the order of its search; there, states are
//! not compared.
//!
//! # Measured
//!
//! One run each, one after the other, on a machine with two cores and a load of 4 to 6 from other work, so that times vary by a factor
//! of two or three and ratios say more. `pan` of SPIN 6.5.2, `gcc -O2`, `-m1000000`, the time of `spin -a` and `gcc` left out.
//! "All" is [`ExplicitOptions::faithful`] against `-DNOREDUCE`, "reduced" both tools' defaults. Memory is the peak of the process.
//!
//! | model | | states | seconds | MB | pan: states | seconds | MB |
//! |---|---|---|---|---|---|---|---|
//! | bakery, 4 processes, MAX 2 | all | 17,899,717 | 15.9 | 822 | 17,899,717 | 28.2 | 1,167 |
//! | | reduced | 1,442,721 | 0.8 | 64 | 3,039,087 | 2.2 | 353 |
//! | peterson, 4 processes | all | 6,215,410 | 8.1 | 263 | 6,092,338 (stopped by its depth limit) | 26.1 | 521 |
//! | | reduced | 309,294 | 0.3 | 17 | 924,068 | 1.5 | 238 |
//! | sliding window, B 5, W 2 | all | 541,680 | 2.6 | 24 | 541,680 | 5.5 | 217 |
//! | | reduced | 541,680 | 1.7 | 25 | 541,680 | 1.4 | 219 |
//!
//! That is 0.7 to 4 million steps a second; with less other work, 5.9 million were seen (peterson, all). More than a third of the
//! time (peterson, all) goes into waiting for memory where successors are looked up.
//!
//! # Several threads
//!
//! Two threads on a machine with two cores, `--no-reduction --no-certify`, one run each, nothing else running:
//!
//! | model | states | seconds, 1 thread | 2 threads | processor time, 1 thread | 2 threads |
//! |---|---|---|---|---|---|
//! | sliding window, B 6, W 2 | 2,647,656 | 2.17 | 1.43 | 2.19 | 2.66 |
//! | peterson, 4 processes | 6,215,410 | 2.07 | 1.74 | 2.08 | 3.13 |
//! | four counters, 20 x 20 x 30 x 10 | 10,953,184 | 4.49 | 3.66 | 4.53 | 6.79 |
//!
//! The cheaper a step, the less is gained: a successor that is new is looked up twice, and once more for each way to it that another
//! run of its batch has. Batches of 131,072 states instead of 16,384 were slower (1.50, 2.01 and 4.06 s): the outboxes no longer fit
//! into the cache. Leaving out successors that the same run has sent before changed nothing that could be measured.

pub mod decompose;
pub mod live;
pub mod portfolio;
pub mod visited;

mod compact;
mod expand;
mod finding;
mod machine;
mod parallel;
mod plain;
mod rounds;
mod search;
mod store;
mod symmetry;
#[cfg(test)]
mod tests;
mod trace;
mod walker;

pub use rounds::{Disk, DiskReport, search_on_disk};
use suppose_control::Context;
use suppose_model::Reason;
use suppose_model::program::semantics::{LONGEST_D_STEP, State};
use suppose_model::program::{Program, Question, Trace, Violation};
use symmetry::Exchange;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Nearest to the start first: counterexamples are shortest, an atomic sequence counting as one step.
    #[default]
    Breadth,
    /// The newest first, and of several new ones the first.
    Depth,
    /// The newest first, and of several new ones the last: the youngest process runs on, as in SPIN.
    DepthLast,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitOptions {
    /// The order.
    pub order: Order,
    /// Follow one order of steps that do not disturb each other, not all.
    pub reduction: bool,
    /// Forget local variables that are not read again, and pass through local steps without keeping
    /// the states between them.
    pub merge: bool,
    /// Where processes of a proctype can be exchanged, store one state for all that come of it by exchanging them. Needs
    /// [`ExplicitOptions::merge`]; infinite runs are looked for without it.
    pub symmetry: bool,
    /// Keep hashes of this many bits (16 to 64) instead of states. States can be missed then. Always breadth-first and without
    /// [`ExplicitOptions::reduction`]; claims are searched with whole states all the same.
    pub compaction: Option<u32>,
    /// Go on when all questions are answered, to count all states.
    pub exhaust: bool,
    /// End with the first violation; what else was asked is unknown then.
    pub first: bool,
    /// Go on behind an assertion that fails, as SPIN does when told to go on after errors, whatever is asked. Where end states
    /// are, a search always goes on; otherwise a run ends there, as in the reference semantics.
    pub past_assertions: bool,
    /// So many threads look for states, nearest to the start first. Results are the same for any number. Infinite runs, other
    /// orders and [`ExplicitOptions::compaction`] use one.
    pub threads: usize,
    /// Of infinite runs, look at weakly fair ones only: a process that can always take part in a step does so infinitely often.
    pub fair: bool,
}

impl Default for ExplicitOptions {
    fn default() -> Self {
        ExplicitOptions {
            order: Order::Breadth,
            reduction: true,
            merge: true,
            symmetry: true,
            compaction: None,
            exhaust: false,
            first: false,
            past_assertions: false,
            threads: 1,
            fair: false,
        }
    }
}

impl ExplicitOptions {
    /// No reduction of any kind: the states are those that SPIN stores without its own reductions.
    pub fn faithful() -> Self {
        ExplicitOptions {
            reduction: false,
            merge: false,
            symmetry: false,
            ..ExplicitOptions::default()
        }
    }
}

/// What was found out about a question.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchVerdict {
    /// All states were looked at, and nothing is wrong.
    Holds,
    /// Nothing is wrong with the states that were looked at, but hash compaction may have
    /// missed some: this is the probability that it did, if hashes are as good as random ones.
    Likely(f64),
    /// Something is wrong at the end of this run.
    Violated(Trace),
    /// Not decided.
    Unknown(Reason),
}

/// What a search did and found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// States stored in all.
    pub states: u64,
    /// Steps from one stored state to another, in all.
    pub transitions: u64,
    /// The longest distance from the start in stored states, for breadth-first; the longest stack otherwise.
    pub depth: u64,
    /// The bytes that the largest exploration took for its states.
    pub memory: u64,
    /// Was everything looked at? Not when limits or answered questions ended a search before.
    pub complete: bool,
    /// How many threads looked for states.
    pub threads: usize,
    /// Which processes were exchanged to store fewer states, for people, if any were.
    pub symmetry: Option<String>,
    /// How infinite runs were looked for, for people, if they were.
    pub cycles: Option<String>,
    /// The questions and what was found, in the order asked.
    pub verdicts: Vec<(Question, SearchVerdict)>,
}

/// What one exploration did and found.
#[derive(Default)]
pub(crate) struct SearchResult {
    states: u64,
    transitions: u64,
    depth: u64,
    memory: u64,
    /// Was everything reachable looked at?
    complete: bool,
    /// Threads, if there were several.
    threads: usize,
    symmetry: Option<String>,
    found: Vec<(Question, SearchVerdict)>,
}

/// Answers questions about a program by looking at all its states.
///
/// Assertions and end states share one exploration, and each claim and each question about infinite runs has its own. End states are looked for behind assertions
/// that fail too, as `pan -A` would. Under a claim, end states are not looked at, and an assertion that fails ends the run.
pub fn search(
    program: &Program,
    questions: &[Question],
    options: &ExplicitOptions,
    cx: &Context,
) -> Report {
    let mut report = Report {
        complete: true,
        threads: 1,
        ..Report::default()
    };
    let (claims, plain): (Vec<Question>, Vec<Question>) = questions
        .iter()
        .partition(|q| !matches!(q, Question::Assertions | Question::EndStates));
    let mut found = Vec::new();
    let mut groups = vec![plain];
    groups.extend(claims.into_iter().map(|c| vec![c]));
    for group in groups.iter().filter(|g| !g.is_empty()) {
        let over = found
            .iter()
            .any(|(_, f)| matches!(f, SearchVerdict::Violated(_)));
        let outcome = match over && options.first {
            true => all(group, &SearchVerdict::Unknown(not_first())),
            false => explore(program, group, options, cx),
        };
        if program.is_liveness(group[0]) {
            report.cycles = Some(live::how(program, group[0], options));
        }
        report.states += outcome.states;
        report.transitions += outcome.transitions;
        report.depth = report.depth.max(outcome.depth);
        report.memory = report.memory.max(outcome.memory);
        report.complete &= outcome.complete;
        report.threads = report.threads.max(outcome.threads);
        report.symmetry = report.symmetry.or(outcome.symmetry);
        found.extend(outcome.found);
    }
    for question in questions {
        if let Some((_, answer)) = found.iter().find(|(q, _)| q == question) {
            report.verdicts.push((*question, answer.clone()));
        }
    }
    report
}

fn explore(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
    cx: &Context,
) -> SearchResult {
    if let Question::Claim(number) = group[0]
        && number >= program.claims.len()
    {
        let reason = Reason::Unsupported("there is no such claim".to_owned());
        return all(group, &SearchVerdict::Unknown(reason));
    }
    let initial = match State::initial(program) {
        Ok(initial) => initial,
        Err(violation) => return wrong_at_start(group, violation),
    };
    if program.is_liveness(group[0]) {
        return live::decide(program, &initial, group[0], options, cx);
    }
    let reduces = options.symmetry && options.merge && options.compaction.is_none();
    let exchange = reduces.then(|| Exchange::find(program, group)).flatten();
    let searched = exchange.as_ref().map_or(program, |e| &*e.program);
    match search::explore(searched, &initial, group, options, exchange.as_ref(), cx) {
        Ok(outcome) => SearchResult {
            symmetry: exchange.map(|e| e.words()),
            ..outcome
        },
        Err(finding::End::Unsupported(_) | finding::End::Again) => {
            plain::explore(program, group, options, cx)
        }
        Err(finding::End::Stopped(stopped)) => all(group, &SearchVerdict::Unknown(stopped.into())),
    }
}

/// Why there is no verdict behind a `d_step` that was not followed to its end.
pub(crate) fn too_long() -> Reason {
    Reason::Unsupported(format!(
        "a `d_step` of more than {LONGEST_D_STEP} steps is not followed to its end"
    ))
}

/// Why there is no verdict on what else was asked, behind a first violation.
pub(crate) fn not_first() -> Reason {
    Reason::Unsupported("the search ended with the first violation".to_owned())
}

/// The same answer to all.
pub(crate) fn all(group: &[Question], found: &SearchVerdict) -> SearchResult {
    let found = group.iter().map(|q| (*q, found.clone())).collect();
    SearchResult {
        found,
        ..SearchResult::default()
    }
}

/// A program that cannot even start violates its assertions, and has no states for anything else.
fn wrong_at_start(group: &[Question], violation: Violation) -> SearchResult {
    let mut outcome = all(group, &SearchVerdict::Holds);
    for (question, found) in &mut outcome.found {
        if *question == Question::Assertions {
            *found = SearchVerdict::Violated(Trace {
                question: *question,
                steps: Vec::new(),
                claim: Vec::new(),
                violation,
                cycle: None,
            });
        }
    }
    outcome
}
