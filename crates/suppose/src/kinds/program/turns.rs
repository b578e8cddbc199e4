//! The policy of `--engine auto` on programs.
//!
//! A short depth-first turn comes first: deep violations are near in that order, and small programs are done with it. Its runs may
//! be long, so a breadth-first search follows, which has shorter ones; it is the quickest for what it can hold. What it
//! cannot is tried on the parts, if the program can be taken apart, by each engine up to a limit on its work; and at last
//! by a search without a bound.

use suppose_explicit::Order;
use suppose_model::Reason;
use suppose_model::program::{Question, Verdict};
use suppose_report::grouped;

use super::ProgramFinding;
use super::engines::{ProgramEngines, Sink, groups, not_first};
use crate::kinds::network::engines::{Bounds, Engine};

/// States of the first search: a few seconds. On models of up to five million states beginning with the parts lost time.
const FIRST: u64 = 10_000_000;

/// States of each depth-first turn that comes before: less than a tenth of a second. There are two, for where one process can
/// run on for long, the other one lets another do so.
const DIVE: u64 = 50_000;

/// States of a search that only looks for a shorter run.
const SHORTER: u64 = 300_000;

/// Why nothing had to be searched.
const EVIDENT: &str = "the text of the program has no statement that can fail";

/// Why a search that ended was the right thing.
const FEW: &str = "few enough states for an exhaustive search";

/// The engines on parts, and how much work each may do.
const TURNS: [(Engine, u64); 5] = [
    (Engine::Quotient, 20_000),
    (Engine::Agar, 50_000),
    (Engine::Learn, 200_000),
    (Engine::Quotient, 200_000),
    (Engine::Agar, 500_000),
];

/// Decides the questions, each with the engine that seems best, and says why.
pub fn decide(engines: &ProgramEngines, questions: &[Question], sink: &mut Sink) {
    let mut tasks: Vec<Task> = groups(questions).into_iter().map(Task::new).collect();
    if engines.may_dive() {
        for task in &mut tasks {
            task.dive(engines, sink);
            if engines.ends_with_first() && !task.found.is_empty() {
                return give_up(&tasks, sink);
            }
        }
    }
    for number in 0..tasks.len() {
        tasks[number].search(engines, sink);
        if engines.ends_with_first() && tasks.iter().any(|t| !t.found.is_empty()) {
            return give_up(&tasks, sink);
        }
    }
    for task in &mut tasks {
        let mut left = Vec::new();
        for question in &task.open {
            match on_parts(engines, *question) {
                Some(finding) => sink(finding),
                None => left.push(*question),
            }
        }
        task.open = left;
    }
    let open: Vec<_> = tasks.iter().map(|t| &t.open).collect();
    if open.iter().all(|group| group.is_empty()) {
        return;
    }
    let why = match engines.parts() {
        Ok(_) => "the compositional engines did not decide it in their time slices".to_owned(),
        Err(Reason::Unsupported(why)) => why.clone(),
        Err(why) => why.word().to_owned(),
    };
    for group in open.into_iter().filter(|g| !g.is_empty()) {
        for finding in engines.search(group, &Bounds::default(), &why) {
            sink(finding);
        }
    }
}

/// Leaves what is open undecided, for one violation was enough.
fn give_up(tasks: &[Task], sink: &mut Sink) {
    let open: Vec<Question> = tasks.iter().flat_map(|t| t.open.clone()).collect();
    not_first(&open, sink)
}

/// Questions that share a search.
struct Task {
    open: Vec<Question>,
    /// Those that are violated, by a run that may not be the shortest.
    found: Vec<Question>,
}

impl Task {
    fn new(open: Vec<Question>) -> Task {
        let found = Vec::new();
        Task { open, found }
    }

    /// The short depth-first turn, and what needs no search at all.
    fn dive(&mut self, engines: &ProgramEngines, sink: &mut Sink) {
        let bounds = Bounds {
            states: Some(DIVE),
            ..Bounds::default()
        };
        for order in [Order::DepthLast, Order::Depth] {
            if self.open.is_empty() || engines.ends_with_first() && !self.found.is_empty() {
                break;
            }
            for finding in engines.dive(&self.open.clone(), &bounds, order, FEW) {
                let question = finding.answer.claim;
                if finding.answer.verdict.is_unknown() {
                    continue;
                }
                self.open.retain(|q| *q != question);
                if finding.answer.verdict.is_violated() {
                    self.found.push(question);
                }
                sink(finding);
            }
        }
        if self.open.contains(&Question::Assertions)
            && let Some(finding) = engines.evident(EVIDENT)
        {
            self.open.retain(|q| *q != Question::Assertions);
            sink(finding);
        }
    }

    /// The breadth-first search: for what is open, and for shorter runs.
    fn search(&mut self, engines: &ProgramEngines, sink: &mut Sink) {
        let mut group = self.open.clone();
        group.extend(&self.found);
        group.sort_unstable();
        if group.is_empty() {
            return;
        }
        // Parts are never asked for end states, so these are searched without a bound at once.
        let only_ends = self.open == [Question::EndStates];
        let bounds = Bounds {
            states: match self.open.is_empty() {
                true => Some(SHORTER),
                false => (!only_ends).then_some(FIRST),
            },
            ..Bounds::default()
        };
        let mut open = Vec::new();
        for mut finding in engines.search(&group, &bounds, FEW) {
            let question = finding.answer.claim;
            let unknown = finding.answer.verdict.is_unknown();
            if self.found.contains(&question) {
                if finding.answer.verdict.is_violated() {
                    sink(finding);
                }
                continue;
            }
            if unknown {
                finding.why_engine = "a search of all states comes first".to_owned();
            }
            if finding.answer.verdict.is_violated() {
                self.found.push(question);
            }
            match is_final(engines, &finding) || only_ends {
                true => sink(finding),
                false => open.push(question),
            }
        }
        self.open = open;
    }
}

/// One turn after the other.
fn on_parts(engines: &ProgramEngines, question: Question) -> Option<ProgramFinding> {
    let states = grouped(FIRST);
    let why = format!("the search exceeded {states} states, and the components are smaller");
    let able = engines
        .parts()
        .is_ok_and(|p| p.property(question).is_some());
    if !able {
        return None;
    }
    for (engine, work) in TURNS {
        let bounds = Bounds {
            work: Some(work),
            ..Bounds::default()
        };
        let finding = engines.by(engine, question, &bounds, &why);
        if is_final(engines, &finding) {
            return Some(finding);
        }
    }
    None
}

/// A verdict, or a reason that no other engine can mend: the clock, the user.
fn is_final(engines: &ProgramEngines, finding: &ProgramFinding) -> bool {
    match &finding.answer.verdict {
        // A search to its end that is no verdict is one with hash compaction.
        Verdict::Unknown(Reason::Unsupported(_)) if finding.answer.search.is_some() => true,
        Verdict::Unknown(_) => engines.is_over(),
        _ => true,
    }
}
