//! What is known of a finite-domain system so far, and how it is told.

use std::sync::Arc;

use suppose_model::symbolic::{System, Trace};
use suppose_model::{Reason, Run};
use suppose_report::{
    Report, SymbolicAnswer, SymbolicClaim, SymbolicEffort, SymbolicReport, SymbolicVerdict,
};
use suppose_source::Sources;

use crate::exit::ExitStatus;
use crate::findings::{Answered, Finding, Outcome, left};

/// A system and the files that its spans point into.
#[derive(Debug)]
pub struct SymbolicSubject {
    /// The system.
    pub system: Arc<System>,
    /// The files.
    pub sources: Sources,
}

/// A finite-domain system, and the answers so far.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    /// The system, once it is read.
    pub subject: Option<Arc<SymbolicSubject>>,
    /// A run that gets stuck, and the part of the system it speaks of.
    pub stuck: Option<Arc<(Trace, System)>>,
    /// What is decided.
    pub done: Vec<Arc<SymbolicFinding>>,
    /// What is still to be decided; the first is being worked on.
    pub waiting: Vec<SymbolicClaim>,
    /// Told in the layout of NuSMV.
    pub as_nusmv: bool,
}

/// One claim, decided or not.
pub type SymbolicFinding = Finding<SymbolicAnswer>;

impl Answered for SymbolicAnswer {
    fn engine(&self) -> &str {
        &self.engine
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.verdict {
            SymbolicVerdict::Holds(_) | SymbolicVerdict::Steps(_) => Outcome::Holds,
            SymbolicVerdict::Fails(..) => Outcome::Violated,
            SymbolicVerdict::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

impl Symbolic {
    /// Has every claim its answer?
    pub fn is_decided(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What is not decided stays so. `known` is of the work on the first.
    pub fn give_up(&mut self, reason: &Reason, known: &Run) {
        let Some(subject) = self.subject.clone() else {
            return;
        };
        for it in left(&mut self.waiting, known) {
            let answer = SymbolicAnswer {
                claim: it.claim,
                engine: it.engine.to_owned(),
                verdict: SymbolicVerdict::Unknown(reason.clone()),
                about: Arc::clone(&subject.system),
                effort: SymbolicEffort::default(),
                run: it.run,
            };
            self.note(Finding::undecided(answer, it.why));
        }
    }

    /// Keeps a finding in its place: in the order of the file, deadlock last.
    pub fn note(&mut self, finding: SymbolicFinding) {
        self.done.push(Arc::new(finding));
        self.done.sort_by_key(|f| match f.answer.claim {
            SymbolicClaim::Property(number) => number,
            SymbolicClaim::Deadlock => usize::MAX,
        });
    }

    /// How the program ends, for each answer.
    pub fn statuses(&self) -> impl Iterator<Item = ExitStatus> + '_ {
        self.done.iter().map(|f| f.status())
    }

    /// The report, if there is something to report on.
    pub fn report<'a>(&'a self, base: &Report<'a>) -> Option<SymbolicReport<'a>> {
        let subject = self.subject.as_deref()?;
        let checked = self.done.iter().map(|f| f.checked());
        Some(SymbolicReport {
            base: base.clone(),
            system: &subject.system,
            sources: &subject.sources,
            stuck: self.stuck.as_deref().map(|(trace, part)| (trace, part)),
            checked: checked.collect(),
            as_nusmv: self.as_nusmv,
        })
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        let system = &self.subject.as_deref()?.system;
        let mut done = self.done.iter();
        done.find_map(|f| f.bug_on(|answer| answer.claim.name(system)))
    }
}
