//! What is known of clauses so far, and how it is told.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use suppose_horn::Work;
use suppose_model::Reason;
use suppose_report::{HornAnswer, HornReport, HornVerdict, Report};

use super::HornSubject;
use super::race::unknown;
use crate::exit::ExitStatus;
use crate::findings::{Answered, Finding, NOT_IN_TIME, Outcome};
use crate::progress::Counters;

/// The claims about clauses or a program, with their answers once there are some.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// The claims, in order.
    pub parts: Vec<Part>,
}

/// One claim.
#[derive(Clone, Debug)]
pub struct Part {
    /// The clauses.
    pub subject: Arc<HornSubject>,
    /// The answer.
    pub done: Option<Arc<HornFinding>>,
    /// How far a verdict goes, if not all the way.
    pub scope: Option<String>,
}

/// The answer, with what became of its evidence.
#[derive(Clone, Debug)]
pub struct HornFinding {
    /// What all findings have.
    pub found: Finding<HornAnswer>,
    /// What other solvers said.
    pub confirmed: Vec<String>,
}

impl Answered for HornAnswer {
    fn engine(&self) -> &str {
        &self.engine
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.verdict {
            HornVerdict::Holds(_) => Outcome::Holds,
            HornVerdict::Violated { .. } => Outcome::Violated,
            HornVerdict::Unknown { reason, .. } => Outcome::Unknown(reason),
        }
    }
}

impl Clauses {
    /// Is there something to answer?
    pub fn is_read(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Is there an answer?
    pub fn has_verdicts(&self) -> bool {
        self.parts.iter().any(|p| p.done.is_some())
    }

    /// Has every claim its answer?
    pub fn is_decided(&self) -> bool {
        self.parts.iter().all(|p| p.done.is_some())
    }

    /// What is not decided stays so. The round that was begun says up to which depth it is.
    pub fn give_up(&mut self, reason: &Reason, counters: &Counters) {
        let round = counters.round.load(Ordering::Relaxed);
        let bound = round.checked_sub(2).and_then(|b| u32::try_from(b).ok());
        let work = Work {
            bound: u32::try_from(round.saturating_sub(1)).unwrap_or(u32::MAX),
            lemmas: counters.abstract_size.load(Ordering::Relaxed),
            ..Work::default()
        };
        // The first one was being worked on.
        let mut known = Some((bound, work));
        for part in self.parts.iter_mut().filter(|p| p.done.is_none()) {
            let (bound, work) = known.take().unwrap_or_default();
            let answer = unknown("auto", reason.clone(), bound, work);
            part.done = Some(Arc::new(HornFinding {
                found: Finding::undecided(answer, NOT_IN_TIME),
                confirmed: Vec::new(),
            }));
        }
    }

    /// How the program ends, by each answer.
    pub fn statuses(&self) -> impl Iterator<Item = ExitStatus> + '_ {
        let done = self.parts.iter().filter_map(|p| p.done.as_deref());
        done.map(|it| it.found.status())
    }

    /// The report, if there are clauses.
    pub fn report<'a>(&'a self, base: &Report<'a>) -> Option<HornReport<'a>> {
        let mut reports = self.parts.iter().map(|part| part.report(base));
        let first = reports.next()?;
        let more = reports.collect();
        Some(HornReport { more, ..first })
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        let mut done = self.parts.iter().filter_map(|p| p.done.as_deref());
        done.find_map(|it| {
            let what = it.found.bug()?;
            Some(format!("{}: {what}", it.found.answer.engine))
        })
    }
}

impl Part {
    fn report<'a>(&'a self, base: &Report<'a>) -> HornReport<'a> {
        let done = self.done.as_deref();
        HornReport {
            base: base.clone(),
            horn: &self.subject.horn,
            sources: &self.subject.sources,
            kind: self.subject.kind,
            checked: done.map(|it| it.found.checked()),
            confirmed: done.map_or(Vec::new(), |it| it.confirmed.clone()),
            scope: self.scope.clone(),
            more: Vec::new(),
        }
    }
}
