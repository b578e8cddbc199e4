//! The policy of `auto`.
//!
//! A short depth-first search comes first: it reaches deep violations early, and decides small programs. Its runs may be
//! long, so a breadth-first search follows, which finds shorter ones; it is the fastest for what fits its bound. What
//! does not is tried by views of two processes (where processes can be exchanged, after a short search already), then on
//! the components, if the program can be decomposed, by each engine up to a limit on its work; and at last by a search
//! without a bound.

use suppose_control::Bounds;
use suppose_model::program::{Answer, Question, Verdict};
use suppose_model::{Finding, Reason};
use suppose_number::grouped;

use super::{groups, not_first};
use crate::{ExplicitOptions, Order};

/// What `auto` asks of its caller, who knows the checker of evidence and the engines on networks.
pub trait Deciders {
    /// Explores the states of the program for the questions of one group; the evidence is checked.
    fn search(
        &self,
        group: &[Question],
        options: &ExplicitOptions,
        bounds: &Bounds,
        why: &str,
    ) -> Vec<Finding<Answer>>;

    /// That no assertion fails, if the text of the program shows it.
    fn cannot_fail(&self, why: &str) -> Option<Finding<Answer>>;

    /// Why the program cannot be decomposed, if so.
    fn not_decomposed(&self) -> Option<Reason>;

    /// Can the engines on networks decide that question on the components?
    fn is_on_components(&self, question: Question) -> bool;

    /// Decides a question on the components by the engine on networks of that name.
    fn on_components(
        &self,
        engine: &str,
        question: Question,
        bounds: &Bounds,
        why: &str,
    ) -> Finding<Answer>;

    /// Is a question about infinite runs?
    fn is_liveness(&self, question: Question) -> bool;

    /// Are there processes that can be exchanged, so that there are few views?
    fn can_exchange(&self, question: Question) -> bool;

    /// Looks for a proof by views of two processes.
    fn by_views(&self, question: Question, bounds: &Bounds, why: &str) -> Finding<Answer>;

    /// Was the whole run stopped, by the time limit or the user?
    fn is_over(&self) -> bool;
}

/// Where findings go. A second finding on a question takes the place of the first.
pub type Sink<'a> = dyn FnMut(Finding<Answer>) + 'a;

/// States of the first search: a few seconds. On models of up to five million states beginning with the parts lost time.
const FIRST: u64 = 10_000_000;

/// States of each depth-first search: less than a tenth of a second. There are two, with the processes in opposite orders:
/// where one of them follows a process that can run for long, the other follows another.
const DEPTH_FIRST: u64 = 50_000;

/// States of a search that only looks for a shorter run.
const SHORTER: u64 = 300_000;

/// Why nothing had to be searched.
const EVIDENT: &str = "the text of the program has no statement that can fail";

/// Why infinite runs are searched for.
const CYCLES: &str = "infinite runs are decided on the whole program";

/// Why a search that ended was the right thing.
const FEW: &str = "few enough states for an exhaustive search";

/// The engines on components, and how much work each may do.
const TURNS: [(&str, u64); 5] = [
    ("quotient", 20_000),
    ("agar", 50_000),
    ("learn", 200_000),
    ("quotient", 200_000),
    ("agar", 500_000),
];

/// Joins that the engine on views may look at: about as long as the first search.
const JOINS: u64 = 20_000_000;

/// Where processes can be exchanged, views are tried after a search of so many states, and may look at so many joins.
const EARLY: (u64, u64) = (1_000_000, 300_000);

/// Decides the questions, each with the engine that seems best, and says why. The options are those of the breadth-first
/// search.
pub fn decide(
    deciders: &dyn Deciders,
    questions: &[Question],
    options: &ExplicitOptions,
    sink: &mut Sink,
) {
    let (live, safe): (Vec<Question>, Vec<Question>) =
        questions.iter().partition(|q| deciders.is_liveness(**q));
    let mut violated = false;
    safety(deciders, &safe, options, &mut |finding| {
        violated |= finding.answer.verdict.is_violated();
        sink(finding);
    });
    for question in live {
        if violated && options.first {
            not_first(&[question], sink);
            continue;
        }
        for finding in deciders.search(&[question], options, &Bounds::default(), CYCLES) {
            violated |= finding.answer.verdict.is_violated();
            sink(finding);
        }
    }
}

/// Decides what is not about infinite runs.
fn safety(
    deciders: &dyn Deciders,
    questions: &[Question],
    options: &ExplicitOptions,
    sink: &mut Sink,
) {
    let engines = Auto { deciders, options };
    let mut tasks: Vec<Task> = groups(questions).into_iter().map(Task::new).collect();
    if options.order == Order::Breadth && options.compaction.is_none() {
        for task in &mut tasks {
            task.depth_first(&engines, sink);
            if options.first && !task.found.is_empty() {
                return give_up(&tasks, sink);
            }
        }
    }
    for number in 0..tasks.len() {
        tasks[number].early(&engines, sink);
        tasks[number].search(&engines, FIRST, sink);
        if options.first && tasks.iter().any(|t| !t.found.is_empty()) {
            return give_up(&tasks, sink);
        }
    }
    for task in &mut tasks {
        let mut left = Vec::new();
        for question in &task.open {
            let found = by_views(&engines, *question, (FIRST, JOINS));
            match found.or_else(|| on_components(&engines, *question)) {
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
    let why = match deciders.not_decomposed() {
        None => "the compositional engines did not decide it in their time slices".to_owned(),
        Some(Reason::Unsupported(why)) => why,
        Some(why) => why.word().to_owned(),
    };
    for group in open.into_iter().filter(|g| !g.is_empty()) {
        for finding in deciders.search(group, options, &Bounds::default(), &why) {
            sink(finding);
        }
    }
}

/// What drives the tasks.
struct Auto<'a> {
    deciders: &'a dyn Deciders,
    options: &'a ExplicitOptions,
}

/// Leaves what is open undecided: one violation was enough.
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

    /// The short depth-first searches, and what needs no search at all.
    fn depth_first(&mut self, engines: &Auto, sink: &mut Sink) {
        let bounds = Bounds {
            states: Some(DEPTH_FIRST),
            ..Bounds::default()
        };
        for order in [Order::DepthLast, Order::Depth] {
            if self.open.is_empty() || engines.options.first && !self.found.is_empty() {
                break;
            }
            let options = ExplicitOptions {
                order,
                ..*engines.options
            };
            let deciders = engines.deciders;
            for finding in deciders.search(&self.open.clone(), &options, &bounds, FEW) {
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
            && let Some(finding) = engines.deciders.cannot_fail(EVIDENT)
        {
            self.open.retain(|q| *q != Question::Assertions);
            sink(finding);
        }
    }

    /// A short breadth-first search, and views where there are few.
    fn early(&mut self, engines: &Auto, sink: &mut Sink) {
        let few = |q: &Question| *q != Question::EndStates && engines.deciders.can_exchange(*q);
        let few: Vec<Question> = self.open.iter().copied().filter(few).collect();
        if few.is_empty() {
            return;
        }
        self.search(engines, EARLY.0, sink);
        for question in few {
            if self.open.contains(&question)
                && let Some(finding) = by_views(engines, question, EARLY)
            {
                self.open.retain(|q| *q != question);
                if finding.answer.verdict.is_violated() {
                    self.found.push(question);
                }
                sink(finding);
            }
        }
    }

    /// The breadth-first search: for what is open, and for shorter runs.
    fn search(&mut self, engines: &Auto, first: u64, sink: &mut Sink) {
        let mut group = self.open.clone();
        group.extend(&self.found);
        group.sort_unstable();
        if group.is_empty() {
            return;
        }
        // End states are not decided on components, so these are searched without a bound at once.
        let only_ends = self.open == [Question::EndStates];
        let bounds = Bounds {
            states: match self.open.is_empty() {
                true => Some(SHORTER),
                false => (!only_ends).then_some(first),
            },
            ..Bounds::default()
        };
        let mut open = Vec::new();
        for mut finding in engines
            .deciders
            .search(&group, engines.options, &bounds, FEW)
        {
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

/// The engine on views, after a search of so many states, with so many joins.
fn by_views(
    engines: &Auto,
    question: Question,
    (states, joins): (u64, u64),
) -> Option<Finding<Answer>> {
    if question == Question::EndStates || engines.deciders.is_over() {
        return None;
    }
    let states = grouped(states);
    let why =
        format!("the search exceeded {states} states, and there are fewer views of two processes");
    let bounds = Bounds {
        work: Some(joins),
        ..Bounds::default()
    };
    let finding = engines.deciders.by_views(question, &bounds, &why);
    is_final(engines, &finding).then_some(finding)
}

/// One engine after the other.
fn on_components(engines: &Auto, question: Question) -> Option<Finding<Answer>> {
    let states = grouped(FIRST);
    let why = format!("the search exceeded {states} states, and the components are smaller");
    if !engines.deciders.is_on_components(question) {
        return None;
    }
    for (engine, work) in TURNS {
        let bounds = Bounds {
            work: Some(work),
            ..Bounds::default()
        };
        let finding = engines
            .deciders
            .on_components(engine, question, &bounds, &why);
        if is_final(engines, &finding) {
            return Some(finding);
        }
    }
    None
}

/// A verdict, or a reason that no other engine can mend: the clock, the user.
fn is_final(engines: &Auto, finding: &Finding<Answer>) -> bool {
    match &finding.answer.verdict {
        // A search to its end that is no verdict is one with hash compaction.
        Verdict::Unknown(Reason::Unsupported(_)) if finding.answer.search.is_some() => true,
        Verdict::Unknown(_) => engines.deciders.is_over(),
        _ => true,
    }
}
