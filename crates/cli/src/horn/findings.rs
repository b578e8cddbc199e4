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

/// Clauses, and the answer once there is one.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// The clauses, once they are read.
    pub subject: Option<Arc<HornSubject>>,
    /// The answer.
    pub done: Option<Arc<HornFinding>>,
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
    /// Is there an answer, or nothing to answer?
    pub fn is_decided(&self) -> bool {
        self.subject.is_none() || self.done.is_some()
    }

    /// What is not decided stays so. The round that was begun says up to which depth it is.
    pub fn give_up(&mut self, reason: &Reason, counters: &Counters) {
        if self.is_decided() {
            return;
        }
        let round = counters.round.load(Ordering::Relaxed);
        let bound = round.checked_sub(2).and_then(|b| u32::try_from(b).ok());
        let work = Work {
            bound: u32::try_from(round.saturating_sub(1)).unwrap_or(u32::MAX),
            lemmas: counters.abstract_size.load(Ordering::Relaxed),
            ..Work::default()
        };
        let answer = unknown("auto", reason.clone(), bound, work);
        self.done = Some(Arc::new(HornFinding {
            found: Finding::undecided(answer, NOT_IN_TIME),
            confirmed: Vec::new(),
        }));
    }

    /// How the program ends, if it has an answer.
    pub fn status(&self) -> Option<ExitStatus> {
        self.done.as_deref().map(|it| it.found.status())
    }

    /// The report, if there are clauses.
    pub fn report<'a>(&'a self, base: &Report<'a>) -> Option<HornReport<'a>> {
        let subject = self.subject.as_deref()?;
        Some(HornReport {
            base: base.clone(),
            horn: &subject.horn,
            sources: &subject.sources,
            kind: subject.kind,
            checked: self.done.as_deref().map(|it| it.found.checked()),
            confirmed: self
                .done
                .as_deref()
                .map_or(Vec::new(), |it| it.confirmed.clone()),
        })
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        let found = &self.done.as_deref()?.found;
        let what = found.bug()?;
        Some(format!("{}: {what}", found.answer.engine))
    }
}
