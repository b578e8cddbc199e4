//! What is known of a probabilistic system so far, and how it is told.

use std::sync::Arc;

use suppose_model::markov::{Lpts, Property, System};
use suppose_model::{Reason, Run};
use suppose_report::{
    Evidence, MarkovAnswer, MarkovChecked, MarkovClaim, MarkovReport, MarkovSizes, MarkovVerdict,
    Report,
};

use crate::args::{Format, Look};
use crate::exit::ExitStatus;
use crate::findings::unknown_status;
use crate::output::colour;

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
#[derive(Clone, Debug)]
pub struct MarkovFinding {
    /// The answer.
    pub answer: MarkovAnswer,
    /// What the independent check said of its evidence.
    pub evidence: Evidence,
    /// Why this engine.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

impl MarkovFinding {
    /// Not decided, for that reason.
    pub fn unknown(claim: MarkovClaim, engine: &str, reason: Reason, run: Run) -> Self {
        MarkovFinding {
            answer: MarkovAnswer {
                claim,
                engine: engine.to_owned(),
                verdict: MarkovVerdict::Unknown(reason),
                value: None,
                run,
            },
            evidence: Evidence::NotChecked("there is none".to_owned()),
            why_engine: String::new(),
            certificate_file: None,
        }
    }

    /// Was the evidence not rejected?
    pub fn is_sound(&self) -> bool {
        !matches!(self.evidence, Evidence::Rejected(_))
    }

    fn status(&self) -> ExitStatus {
        if !self.is_sound() {
            return ExitStatus::Rejected;
        }
        match &self.answer.verdict {
            MarkovVerdict::Conforms(_)
            | MarkovVerdict::Holds(_)
            | MarkovVerdict::Value(_)
            | MarkovVerdict::NoDeadlock => ExitStatus::Holds,
            MarkovVerdict::Differs { .. }
            | MarkovVerdict::Fails(_)
            | MarkovVerdict::Deadlock(_) => ExitStatus::Violated,
            MarkovVerdict::Unknown(reason) => unknown_status(reason),
        }
    }
}

impl Chances {
    /// Has every claim its answer?
    pub fn is_decided(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What is not decided stays so. `run` is what is known of the work on the first.
    pub fn give_up(&mut self, reason: &Reason, run: Run) {
        for (i, claim) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            let (engine, run, why) = match i {
                0 => {
                    let why = "the engine did not end in time; the numbers are its last";
                    ("auto", run.clone(), why)
                }
                _ => ("none", Run::default(), "nothing was left to decide it with"),
            };
            let mut finding = MarkovFinding::unknown(claim, engine, reason.clone(), run);
            finding.why_engine = why.to_owned();
            self.done.push(Arc::new(finding));
        }
    }

    /// How the program ends, for each answer.
    pub fn statuses(&self) -> impl Iterator<Item = ExitStatus> + '_ {
        self.done.iter().map(|f| f.status())
    }

    /// The report, if there is something to report on.
    pub fn report<'a>(&'a self, base: &Report<'a>) -> Option<MarkovReport<'a>> {
        let subject = self.subject.as_deref()?;
        let checked = self.done.iter().map(|f| MarkovChecked {
            answer: &f.answer,
            evidence: f.evidence.clone(),
            why_engine: f.why_engine.clone(),
            certificate_file: f.certificate_file.clone(),
        });
        Some(MarkovReport {
            base: base.clone(),
            system: &subject.system,
            specification: subject.specification.as_ref(),
            sizes: self.sizes,
            checked: checked.collect(),
        })
    }

    /// As text or JSON for standard output.
    pub fn text(&self, base: &Report, look: Look, full: bool) -> String {
        let Some(report) = self.report(base) else {
            return String::new();
        };
        match (look.format, look.quiet) {
            (Format::Json, _) => report.json(),
            (Format::Text, true) => report.last_line(),
            (Format::Text, false) => {
                let text = report.text(colour(look, &std::io::stdout()), full);
                format!("{text}{}", report.last_line())
            }
        }
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        self.done.iter().find_map(|f| {
            let what = match (&f.evidence, &f.answer.verdict) {
                (Evidence::Rejected(why), _) => format!("its evidence was rejected: {why}"),
                (_, MarkovVerdict::Unknown(Reason::Internal(why))) => why.clone(),
                _ => return None,
            };
            let name = f.answer.claim.name();
            Some(format!("{} on {name}: {what}", f.answer.engine))
        })
    }
}
