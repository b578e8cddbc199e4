//! What is known of a probabilistic system so far, and how it is told.

use std::sync::Arc;

use suppose_model::markov::{Lpts, Property, System};
use suppose_model::{Reason, Run};
use suppose_report::{MarkovAnswer, MarkovClaim, MarkovReport, MarkovSizes, MarkovVerdict, Report};

use crate::exit::ExitStatus;
use crate::findings::{Answered, Finding, Outcome, left};

/// A system with what is asked of it.
#[derive(Debug)]
pub struct MarkovSubject {
    /// The system.
    pub system: System,
    /// What it should conform to.
    pub specification: Option<Lpts>,
    /// What it should have.
    pub properties: Vec<Property>,
}

/// A probabilistic system, and the answers so far.
#[derive(Clone, Debug, Default)]
pub struct Chances {
    /// The system, once it is read.
    pub subject: Option<Arc<MarkovSubject>>,
    /// How large the composition is, once it is known.
    pub sizes: Option<MarkovSizes>,
    /// What is decided.
    pub done: Vec<Arc<MarkovFinding>>,
    /// What is still to be decided; the first is being worked on.
    pub waiting: Vec<MarkovClaim>,
}

/// One claim, decided or not.
pub type MarkovFinding = Finding<MarkovAnswer>;

impl Answered for MarkovAnswer {
    fn engine(&self) -> &str {
        &self.engine
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.verdict {
            MarkovVerdict::Conforms(_)
            | MarkovVerdict::Holds(_)
            | MarkovVerdict::Value(_)
            | MarkovVerdict::NoDeadlock => Outcome::Holds,
            MarkovVerdict::Differs { .. }
            | MarkovVerdict::Fails(_)
            | MarkovVerdict::Deadlock(_) => Outcome::Violated,
            MarkovVerdict::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

impl Chances {
    /// Has every claim its answer?
    pub fn is_decided(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What is not decided stays so. `known` is of the work on the first.
    pub fn give_up(&mut self, reason: &Reason, known: &Run) {
        for it in left(&mut self.waiting, known) {
            let answer = MarkovAnswer {
                claim: it.claim,
                engine: it.engine.to_owned(),
                verdict: MarkovVerdict::Unknown(reason.clone()),
                value: None,
                run: it.run,
            };
            self.done.push(Arc::new(Finding::undecided(answer, it.why)));
        }
    }

    /// How the program ends, for each answer.
    pub fn statuses(&self) -> impl Iterator<Item = ExitStatus> + '_ {
        self.done.iter().map(|f| f.status())
    }

    /// The report, if there is something to report on.
    pub fn report<'a>(&'a self, base: &Report<'a>) -> Option<MarkovReport<'a>> {
        let subject = self.subject.as_deref()?;
        let checked = self.done.iter().map(|f| f.checked());
        Some(MarkovReport {
            base: base.clone(),
            system: &subject.system,
            specification: subject.specification.as_ref(),
            sizes: self.sizes,
            checked: checked.collect(),
        })
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        let mut done = self.done.iter();
        done.find_map(|f| f.bug_on(|answer| answer.claim.name().to_owned()))
    }
}
