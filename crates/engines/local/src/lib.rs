//! Thread-modular proofs of concurrent programs from views of two processes.
//!
//! The engine keeps *views*: the local states of two processes with the shared state. From the views of the initial state it closes under
//! the steps of the two and under the *interference* of others: a third process can step if its local state is in a view with each of
//! the two. That over-approximates all states of the program (*view abstraction*: P. A. Abdulla, F. Haziza, L. Holík, All for the price of few,
//! 2013; with one process, the split invariants of A. Cohen and K. S. Namjoshi, Local proofs for global safety properties, 2007), and there are
//! often far fewer views than states. If no join of views has an error, the views are the proof
//! ([`ViewProof`]), which `certify` checks in one pass.
//!
//! Variables that one process alone writes belong to its local state (`split`). When a join has an error, a search of
//! limited size looks for a run that shows it; if it finds nothing, a predicate on local states is *exposed*, made part of the
//! shared state (`candidates`), and the views are computed again.
//!
//! What a step of a program does when only some of its processes are known is
//! [`suppose_model::program::semantics::partial`]. The engine remembers it for every set of local states that a step depends
//! on, and joins views by numbers.
//!
//! ```
//! use suppose_control::Context;
//! use suppose_local::{ViewVerdict, LocalOptions, check};
//! use suppose_model::program::Question;
//!
//! let text = "bit lock; byte inside;
//!     active [3] proctype Worker() {
//!         do :: atomic { lock == 0 -> lock = 1 };
//!             inside++; assert(inside == 1); inside--; lock = 0
//!         od
//!     }";
//! let (read, _) = suppose_frontends::promela::read_text("lock.pml", text).unwrap();
//! // No search for real violations is handed in: a proof needs none.
//! let (options, cx) = (LocalOptions::default(), Context::default());
//! let report = check(&read.program, Question::Assertions, &options, &|_, _| None, &cx);
//! assert!(matches!(report.found, ViewVerdict::Holds(_)));
//! ```

mod candidates;
mod explore;
mod names;
pub mod portfolio;
mod random;
mod real;
mod split;
mod store;

use explore::{Alarm, End, Explorer};
use real::Real;
use rustc_hash::FxHashMap;
use suppose_control::{Context, Event, Stopped};
use suppose_model::Reason;
use suppose_model::program::semantics::partial::{MOST_PLACES, Partial};
use suppose_model::program::symmetry::{self, Symmetry, infer};
use suppose_model::program::views::{Exposed, Exposure, Split};
use suppose_model::program::{Program, Question, Trace, ViewProof};

/// How to look for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalOptions {
    /// Views of one attempt; an attempt with more ends.
    pub views: usize,
    /// Rounds of refinement, each of which exposes one predicate more.
    pub rounds: usize,
    /// States of each search for a real violation.
    pub search: u64,
}

impl Default for LocalOptions {
    fn default() -> Self {
        LocalOptions {
            views: 20_000_000,
            rounds: 4,
            search: 200_000,
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewVerdict {
    /// The claim holds.
    Holds(Box<ViewProof>),
    /// It is violated.
    Violated(Trace),
    /// Not decided.
    Unknown(Reason),
}

/// The result, and statistics of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The answer.
    pub found: ViewVerdict,
    /// Views of the last attempt.
    pub views: u64,
    /// Joins that were stepped from in it.
    pub joins: u64,
    /// Views of all attempts.
    pub all_views: u64,
    /// The number of fixed-point computations.
    pub attempts: u64,
    /// The predicates exposed in the last attempt.
    pub exposed: Vec<Exposure>,
    /// The largest number of interchangeable processes in a join.
    pub widest: u32,
    /// Did a join need more interchangeable processes than the program has?
    pub short: bool,
    /// The rounds of refinement: views before, and what was exposed then.
    pub rounds: Vec<(u64, Exposure)>,
}

/// Looks for a run that violates the question, within the limits of the context. Engines do not depend on each other, so the caller
/// supplies the search.
pub type Search<'a> = dyn Fn(Question, &Context) -> Option<Trace> + 'a;

/// The number of interchangeable processes in the first attempt.
const FEW: u32 = 6;

/// Answers a question about a program; whether an alarm is real is found out by `search`.
///
/// If the processes of a proctype can be exchanged ([`infer`]), views are kept up to that, and a proof with a few of them may be one for
/// any number. It is looked for first.
pub fn check(
    program: &Program,
    question: Question,
    options: &LocalOptions,
    search: &Search,
    cx: &Context,
) -> Report {
    let mut spent = 0;
    if let Ok(found) = infer(program, question) {
        match by_orbits(program, question, options, search, cx, &found) {
            Ok(report) => return report,
            Err(views) => spent = views,
        }
    }
    let split = split::split(program, question);
    let mut report = run(program, question, options, search, cx, split, None);
    report.all_views += spent;
    report
}

/// Processes that can be exchanged. If that decides nothing, how many views were looked at.
fn by_orbits(
    program: &Program,
    question: Question,
    options: &LocalOptions,
    search: &Search,
    cx: &Context,
    found: &symmetry::InferredSymmetry,
) -> Result<Report, u64> {
    let whole = &found.symmetry;
    let mut spent = 0;
    let mut exposed = Vec::new();
    let mut count = match found.any {
        true => whole.count.min(FEW),
        false => whole.count,
    };
    loop {
        let small = whole.reduced(program, count);
        let fewer = symmetry::InferredSymmetry {
            symmetry: Symmetry {
                count,
                ..whole.clone()
            },
            ..found.clone()
        };
        let mut split = split::alike(&small, &fewer);
        split.exposed = exposed;
        let symmetry = Some(&fewer.symmetry);
        let mut report = run(&small, question, options, search, cx, split, symmetry);
        spent += report.all_views;
        report.all_views = spent;
        let ViewVerdict::Holds(proof) = &mut report.found else {
            let ends = matches!(
                &report.found,
                ViewVerdict::Violated(_)
                    | ViewVerdict::Unknown(Reason::Timeout | Reason::Memory | Reason::Interrupted)
            );
            return if ends { Ok(report) } else { Err(spent) };
        };
        let needed = needed(whole.proctype, proof, report.widest);
        proof.for_any = found.any && !report.short && needed <= count;
        if proof.for_any || count == whole.count {
            return Ok(report);
        }
        exposed = proof.split.exposed.clone();
        count = whole.count.min(needed.max(count * 2));
    }
}

/// How many processes a proof must be with, so that no exposed count is bounded by their number.
fn needed(proctype: u32, proof: &ViewProof, widest: u32) -> u32 {
    let exposed = proof.split.exposed.iter().enumerate();
    let counted = exposed.filter(|(_, e)| e.proctype == proctype);
    let most = |number: usize| proof.shared.iter().map(|s| s.exposed[number]).max();
    let most = counted.filter_map(|(number, _)| most(number)).max();
    let most = u32::try_from(most.unwrap_or(0)).unwrap_or(u32::MAX / 2);
    most + widest
}

fn run(
    program: &Program,
    question: Question,
    options: &LocalOptions,
    search: &Search,
    cx: &Context,
    split: Split,
    symmetry: Option<&Symmetry>,
) -> Report {
    let mut engine = Engine {
        program,
        symmetry,
        question,
        options,
        search,
        cx,
        split,
        separating: Vec::new(),
        report: Report {
            found: ViewVerdict::Unknown(Reason::Timeout),
            views: 0,
            joins: 0,
            all_views: 0,
            attempts: 0,
            exposed: Vec::new(),
            widest: 0,
            short: false,
            rounds: Vec::new(),
        },
    };
    engine.report.found = match engine.decide() {
        Ok(found) => found,
        Err(stopped) => ViewVerdict::Unknown(stopped.into()),
    };
    engine.report
}

struct Engine<'a> {
    program: &'a Program,
    /// Processes that can be exchanged. Sets of processes are not exposed then.
    symmetry: Option<&'a Symmetry>,
    question: Question,
    options: &'a LocalOptions,
    search: &'a Search<'a>,
    cx: &'a Context,
    split: Split,
    /// What may exclude the last alarm, the best first.
    separating: Vec<Exposure>,
    report: Report,
}

/// The end of an attempt.
enum Attempt {
    Proof(Box<ViewProof>),
    Alarm(Alarm),
    Refused(String),
    TooMany,
}

/// Candidates get so many times the views of the attempt before, and at least the second number.
const GROWTH: (usize, usize) = (50, 20_000);

/// So many predicates that separate what is not real are tried before all candidates are.
const SEPARATING: usize = 6;

impl Engine<'_> {
    fn decide(&mut self) -> Result<ViewVerdict, Stopped> {
        let first = self.attempt(self.options.views, true)?;
        let settled = self.settled(first);
        if let Ok(found @ ViewVerdict::Holds(_)) = settled {
            return Ok(found);
        }
        if let Some(trace) = self.real()? {
            return Ok(ViewVerdict::Violated(trace));
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
            match self.separate(&alarm)? {
                Some(Ok(found)) => return Ok(found),
                Some(Err(next)) => {
                    alarm = next;
                    continue;
                }
                None => {}
            }
            match self.refine(&alarm)? {
                Ok(found) => return Ok(found),
                Err(Some(next)) => alarm = next,
                Err(None) => break,
            }
        }
        Ok(ViewVerdict::Unknown(Reason::Unsupported(format!(
            "in a join of views, {}; a search of {} states found no such run, and no exposed predicate that was tried excludes it",
            alarm.violation.words(),
            self.options.search
        ))))
    }

    /// Exposes the first predicate that separates the processes of the first join that is not real on the way to the alarm. A
    /// decision, or the alarm that is left; none if there is no such predicate, or none of use.
    fn separate(&mut self, alarm: &Alarm) -> Result<Option<Result<ViewVerdict, Alarm>>, Stopped> {
        let base = self.split.exposed.clone();
        let before = self.report.views;
        let limit = (before as usize * GROWTH.0).max(GROWTH.1);
        let limit = limit.min(self.options.views);
        let mut next = None;
        let candidates = std::mem::take(&mut self.separating);
        for exposure in candidates.into_iter().take(SEPARATING) {
            self.split.exposed = base.clone();
            self.split.exposed.push(exposure.clone());
            match self.attempt(limit, true)? {
                Attempt::Proof(proof) => {
                    self.report.rounds.push((before, exposure));
                    return Ok(Some(Ok(ViewVerdict::Holds(proof))));
                }
                // The same thing goes wrong at the same place after fewer views: that was of no use.
                Attempt::Alarm(left) if self.report.views > before || left.mover != alarm.mover => {
                    self.report.rounds.push((before, exposure));
                    next = Some(Err(left));
                    break;
                }
                Attempt::Alarm(_) | Attempt::TooMany | Attempt::Refused(_) => {}
            }
        }
        if next.is_none() {
            self.split.exposed = base;
        }
        Ok(next)
    }

    /// Exposes the best of the candidates. A decision, or the alarm that is left; none if there are no candidates.
    fn refine(&mut self, alarm: &Alarm) -> Result<Result<ViewVerdict, Option<Alarm>>, Stopped> {
        let base = self.split.exposed.clone();
        let before = self.report.views;
        let limit = (self.report.views as usize * GROWTH.0).max(GROWTH.1);
        let limit = limit.min(self.options.views);
        let mut best: Option<(u64, Exposure, Alarm)> = None;
        for exposure in candidates::candidates(self.program, self.question, alarm) {
            let is_count = exposure.how == Exposed::Count;
            if base.contains(&exposure) || self.symmetry.is_some() && !is_count {
                continue;
            }
            self.split.exposed = base.clone();
            self.split.exposed.push(exposure.clone());
            let attempt = self.attempt(limit, false)?;
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
                    return Ok(Ok(ViewVerdict::Holds(proof)));
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
    fn settled(&mut self, attempt: Attempt) -> Result<ViewVerdict, Alarm> {
        match attempt {
            Attempt::Proof(proof) => Ok(ViewVerdict::Holds(proof)),
            Attempt::Refused(why) => Ok(ViewVerdict::Unknown(Reason::Unsupported(why))),
            Attempt::TooMany => Ok(ViewVerdict::Unknown(Reason::Unsupported(format!(
                "there are more than {} views",
                self.options.views
            )))),
            Attempt::Alarm(alarm) => Err(alarm),
        }
    }

    /// Looks for views with the split at hand. If something goes wrong, is it to be found out what would exclude that?
    fn attempt(&mut self, limit: usize, explain: bool) -> Result<Attempt, Stopped> {
        loop {
            let partial = Partial::new(self.program, self.question, self.split.clone());
            let partial = match partial {
                Ok(partial) => partial,
                Err(why) => return Ok(Attempt::Refused(why)),
            };
            let exposes = !self.split.exposed.is_empty();
            let mut explorer = Explorer::new(&partial, self.symmetry, exposes, limit, self.cx);
            let end = explorer.run();
            let views = explorer.store.views.len() as u64;
            self.report.views = views;
            self.report.all_views += views;
            self.report.joins = explorer.joins;
            self.report.widest = explorer.store.widest as u32;
            self.report.short = explorer.store.short;
            self.report.attempts += 1;
            self.report.exposed = self.split.exposed.clone();
            if let (Err(End::Alarm(alarm)), true) = (&end, explain) {
                self.separating = self.separating(&partial, &mut explorer, alarm);
            }
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

    /// The predicates that separate the processes of the first join that is not real on the way to an alarm: counts before sets,
    /// smaller ones first.
    fn separating(
        &self,
        partial: &Partial,
        explorer: &mut Explorer,
        alarm: &Alarm,
    ) -> Vec<Exposure> {
        let real = Real::new(self.program, self.question, partial);
        let culprit = real.culprit(&mut explorer.store, &alarm.join);
        let mut all = candidates::candidates(self.program, self.question, alarm);
        all.retain(|exposure| {
            (exposure.how == Exposed::Count || self.symmetry.is_none())
                && !self.split.exposed.contains(exposure)
                && real.separates(&explorer.store, &culprit, exposure)
        });
        all.sort_by_key(|exposure| (exposure.how, exposure.locations.len()));
        all
    }

    fn proof(&self, explorer: Explorer) -> ViewProof {
        let store = explorer.store;
        let mut views = store.views;
        let mut shared = Used::default();
        let mut locals = Used::default();
        for view in &mut views {
            shared.number(&mut view.shared);
            locals.number(&mut view.first.1);
            locals.number(&mut view.second.1);
        }
        let local = |n: &u32| (**store.locals.get(*n)).clone();
        ViewProof {
            question: self.question,
            split: self.split.clone(),
            symmetry: self.symmetry.cloned(),
            for_any: false,
            locals: locals.used.iter().map(local).collect(),
            shared: shared
                .used
                .iter()
                .map(|n| (**store.shared.get(*n)).clone())
                .collect(),
            views,
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

/// New numbers for what is used, in the order of use.
#[derive(Default)]
struct Used {
    numbers: FxHashMap<u32, u32>,
    used: Vec<u32>,
}

impl Used {
    fn number(&mut self, number: &mut u32) {
        let used = &mut self.used;
        *number = *self.numbers.entry(*number).or_insert_with(|| {
            used.push(*number);
            used.len() as u32 - 1
        });
    }
}
