//! Proofs of concurrent programs by what every two processes can be in together.
//!
//! The engine keeps *views*: the local states of two processes with the shared state. From the views of the initial state it closes under
//! the steps of the two and under the *interference* of others: a third process can step if its local state is in a view with each of
//! the two. That over-approximates all states of the program (*view abstraction*: P. A. Abdulla, F. Haziza, L. Holík, All for the price of few,
//! 2013; with one process, the split invariants of A. Cohen and K. S. Namjoshi, Local proofs for global safety properties, 2007), and there are
//! often far fewer views than states. If nothing goes wrong in any join of views, the views are the proof
//! ([`ViewProof`]), which `certify` checks in one pass.
//!
//! Variables that one process alone writes belong to its local state (`split`). When something goes wrong in a join, a search of
//! limited size looks whether it is real; if it finds nothing, a predicate on local states is *exposed*, made part of the
//! shared state (`candidates`), and the views are found anew.
//!
//! What a step of a program does when only some of its processes are known is
//! [`suppose_model::program::semantics::partial`]. The engine remembers it for every set of local states that a step depends
//! on, and joins views by numbers.

mod candidates;
mod explore;
pub mod portfolio;
mod split;
mod store;

use explore::{Alarm, End, Explorer};
use suppose_control::{Context, Event, Stopped};
use suppose_model::Reason;
use suppose_model::program::anonymous::{Group, anonymous};
use suppose_model::program::semantics::partial::{MOST_PLACES, Partial};
use suppose_model::program::views::{Exposed, Exposure, Split};
use suppose_model::program::{Program, Question, Trace, ViewProof};

/// How to look for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Views of one attempt; an attempt with more ends.
    pub views: usize,
    /// Rounds of refinement, each of which exposes one predicate more.
    pub rounds: usize,
    /// States of each search for a real violation.
    pub search: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            views: 20_000_000,
            rounds: 3,
            search: 200_000,
        }
    }
}

/// What was found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It holds.
    Holds(Box<ViewProof>),
    /// It does not.
    Violated(Trace),
    /// Not decided.
    Unknown(Reason),
}

/// What the engine did and found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The answer.
    pub found: Found,
    /// Views of the last attempt.
    pub views: u64,
    /// Joins that were stepped from in it.
    pub joins: u64,
    /// Views of all attempts.
    pub all_views: u64,
    /// How often views were looked for.
    pub attempts: u64,
    /// What was exposed in the last attempt.
    pub exposed: Vec<Exposure>,
    /// The most places that a step was looked at with.
    pub widest: u32,
    /// The rounds of refinement: views before, and what was exposed then.
    pub rounds: Vec<(u64, Exposure)>,
}

/// Looks for a run that violates the question, within the limits of the context. No engine knows another, so whoever asks says
/// which search that is.
pub type Search<'a> = dyn Fn(Question, &Context) -> Option<Trace> + 'a;

/// Processes that do not know each other are first looked at with so many of them.
const FEW: u32 = 4;

/// Answers a question about a program; whether an alarm is real is found out by `search`.
///
/// If the processes of a proctype do not know each other ([`anonymous`]), a proof with a few of them is one for any number, and
/// it is looked for first.
pub fn check(
    program: &Program,
    question: Question,
    options: &Options,
    search: &Search,
    cx: &Context,
) -> Report {
    let mut spent = 0;
    if let Ok(group) = anonymous(program, question) {
        let mut count = FEW;
        while count <= group.count {
            let small = group.reduced(program, count);
            let mut report = run(&small, question, options, search, cx, Some((&group, count)));
            spent += report.all_views;
            let Found::Holds(proof) = &mut report.found else {
                if let Found::Violated(_)
                | Found::Unknown(Reason::Timeout | Reason::Memory | Reason::Interrupted) =
                    &report.found
                {
                    return report;
                }
                break;
            };
            let needed = needed(&group, proof, report.widest);
            if needed <= count {
                proof.for_any = Some(count);
                report.all_views = spent;
                return report;
            }
            count = needed;
        }
    }
    let mut report = run(program, question, options, search, cx, None);
    report.all_views += spent;
    report
}

/// How many processes of a group a proof must be with, to be one for any number.
fn needed(group: &Group, proof: &ViewProof, widest: u32) -> u32 {
    let exposed = proof.split.exposed.iter().enumerate();
    let counted = exposed.filter(|(_, e)| e.proctype == group.proctype);
    let most = |number: usize| proof.shared.iter().map(|s| s.exposed[number]).max();
    let most = counted.filter_map(|(number, _)| most(number)).max();
    let most = u32::try_from(most.unwrap_or(0)).unwrap_or(u32::MAX / 2);
    most + widest + 2
}

fn run(
    program: &Program,
    question: Question,
    options: &Options,
    search: &Search,
    cx: &Context,
    few: Option<(&Group, u32)>,
) -> Report {
    let mut engine = Engine {
        program,
        counts_only: few.is_some(),
        question,
        options,
        search,
        cx,
        split: match few {
            Some((group, count)) => split::alike(program, group, count),
            None => split::split(program, question),
        },
        report: Report {
            found: Found::Unknown(Reason::Timeout),
            views: 0,
            joins: 0,
            all_views: 0,
            attempts: 0,
            exposed: Vec::new(),
            widest: 0,
            rounds: Vec::new(),
        },
    };
    engine.report.found = match engine.decide() {
        Ok(found) => found,
        Err(stopped) => Found::Unknown(stopped.into()),
    };
    engine.report
}

struct Engine<'a> {
    program: &'a Program,
    /// Are sets of processes never exposed?
    counts_only: bool,
    question: Question,
    options: &'a Options,
    search: &'a Search<'a>,
    cx: &'a Context,
    split: Split,
    report: Report,
}

/// How an attempt ended.
enum Attempt {
    Proof(Box<ViewProof>),
    Alarm(Alarm),
    Refused(String),
    TooMany,
}

/// Candidates get so many times the views of the attempt before, and at least the second number.
const GROWTH: (usize, usize) = (50, 20_000);

impl Engine<'_> {
    fn decide(&mut self) -> Result<Found, Stopped> {
        let first = self.attempt(self.options.views)?;
        let settled = self.settled(first);
        if let Ok(found @ Found::Holds(_)) = settled {
            return Ok(found);
        }
        if let Some(trace) = self.real()? {
            return Ok(Found::Violated(trace));
        }
        let mut alarm = match settled {
            Ok(found) => return Ok(found),
            Err(alarm) => alarm,
        };
        for round in 0..self.options.rounds {
            self.cx.emit(Event::Iteration {
                number: round as u64 + 1,
                abstract_size: self.report.views,
            });
            match self.refine(&alarm)? {
                Ok(found) => return Ok(found),
                Err(Some(next)) => alarm = next,
                Err(None) => break,
            }
        }
        Ok(Found::Unknown(Reason::Unsupported(format!(
            "in a join of views, {}; a search of {} states found no such run, and no exposed predicate that was tried excludes it",
            alarm.violation.words(),
            self.options.search
        ))))
    }

    /// Exposes the best of the candidates. A decision, or the alarm that is left; none if there are no candidates.
    fn refine(&mut self, alarm: &Alarm) -> Result<Result<Found, Option<Alarm>>, Stopped> {
        let base = self.split.exposed.clone();
        let before = self.report.views;
        let limit = (self.report.views as usize * GROWTH.0).max(GROWTH.1);
        let limit = limit.min(self.options.views);
        let mut best: Option<(u64, Exposure, Alarm)> = None;
        for exposure in candidates::candidates(self.program, self.question, alarm) {
            let is_count = exposure.how == Exposed::Count;
            if base.contains(&exposure) || self.counts_only && !is_count {
                continue;
            }
            self.split.exposed = base.clone();
            self.split.exposed.push(exposure.clone());
            let attempt = self.attempt(limit)?;
            match attempt {
                Attempt::Alarm(alarm) => {
                    let views = self.report.views;
                    if best.as_ref().is_none_or(|(most, _, _)| views > *most) {
                        best = Some((views, exposure, alarm));
                    }
                }
                Attempt::TooMany | Attempt::Refused(_) => {}
                Attempt::Proof(proof) => {
                    self.report.rounds.push((before, exposure));
                    return Ok(Ok(Found::Holds(proof)));
                }
            }
        }
        self.split.exposed = base;
        Ok(Err(best.map(|(_, exposure, alarm)| {
            self.report.rounds.push((before, exposure.clone()));
            self.split.exposed.push(exposure);
            alarm
        })))
    }

    /// An attempt that decides, or an alarm.
    fn settled(&mut self, attempt: Attempt) -> Result<Found, Alarm> {
        match attempt {
            Attempt::Proof(proof) => Ok(Found::Holds(proof)),
            Attempt::Refused(why) => Ok(Found::Unknown(Reason::Unsupported(why))),
            Attempt::TooMany => Ok(Found::Unknown(Reason::Unsupported(format!(
                "there are more than {} views",
                self.options.views
            )))),
            Attempt::Alarm(alarm) => Err(alarm),
        }
    }

    /// Looks for views with the split at hand.
    fn attempt(&mut self, limit: usize) -> Result<Attempt, Stopped> {
        loop {
            let partial = Partial::new(self.program, self.question, self.split.clone());
            let partial = match partial {
                Ok(partial) => partial,
                Err(why) => return Ok(Attempt::Refused(why)),
            };
            let exposes = !self.split.exposed.is_empty();
            let mut explorer = Explorer::new(&partial, exposes, limit, self.cx);
            let end = explorer.run();
            let views = explorer.store.views.len() as u64;
            self.report.views = views;
            self.report.all_views += views;
            self.report.joins = explorer.joins;
            self.report.widest = explorer.widest as u32;
            self.report.attempts += 1;
            self.report.exposed = self.split.exposed.clone();
            return Ok(match end {
                Ok(()) => Attempt::Proof(Box::new(self.proof(explorer))),
                Err(End::Alarm(alarm)) => Attempt::Alarm(alarm),
                Err(End::TooMany) => Attempt::TooMany,
                Err(End::Stopped(stopped)) => return Err(stopped),
                Err(End::Places) if self.split.places < MOST_PLACES => {
                    self.split.places = (self.split.places * 2).min(MOST_PLACES);
                    continue;
                }
                Err(End::Places) => {
                    let why = format!("there are more than {MOST_PLACES} processes");
                    Attempt::Refused(why)
                }
                Err(End::Refused(why)) => Attempt::Refused(why),
            });
        }
    }

    fn proof(&self, explorer: Explorer) -> ViewProof {
        let store = explorer.store;
        let locals = (0..store.locals.len() as u32).map(|n| store.locals.get(n));
        let shared = (0..store.shared.len() as u32).map(|n| store.shared.get(n));
        ViewProof {
            question: self.question,
            split: self.split.clone(),
            for_any: None,
            locals: locals.map(|l| (**l).clone()).collect(),
            shared: shared.map(|s| (**s).clone()).collect(),
            views: store.views,
        }
    }

    /// Is there a run in which something really goes wrong? Searches of limited size.
    fn real(&self) -> Result<Option<Trace>, Stopped> {
        let cx = self.cx.with_state_limit(self.options.search);
        let found = (self.search)(self.question, &cx);
        self.cx.check()?;
        Ok(found)
    }
}
