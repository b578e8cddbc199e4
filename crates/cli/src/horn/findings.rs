//! What is known of clauses so far, and how it is told.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use suppose_horn::Work;
use suppose_model::Reason;
use suppose_report::{Evidence, HornAnswer, HornChecked, HornReport, HornVerdict, Report};

use super::HornSubject;
use super::race::unknown;
use crate::args::{Format, Look};
use crate::exit::ExitStatus;
use crate::findings::unknown_status;
use crate::output::colour;
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
    /// The answer.
    pub answer: HornAnswer,
    /// What the independent check said of its evidence.
    pub evidence: Evidence,
    /// What other solvers said.
    pub confirmed: Vec<String>,
    /// Why this engine.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

impl HornFinding {
    /// Was the evidence not rejected?
    pub fn is_sound(&self) -> bool {
        !matches!(self.evidence, Evidence::Rejected(_))
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
        self.done = Some(Arc::new(HornFinding {
            answer: unknown("auto", reason.clone(), bound, work),
            evidence: Evidence::NotChecked("there is none".to_owned()),
            confirmed: Vec::new(),
            why_engine: "the engine did not end in time; the numbers are its last".to_owned(),
            certificate_file: None,
        }));
    }

    /// How the program ends, if it has an answer.
    pub fn status(&self) -> Option<ExitStatus> {
        let finding = self.done.as_deref()?;
        if !finding.is_sound() {
            return Some(ExitStatus::Rejected);
        }
        Some(match &finding.answer.verdict {
            HornVerdict::Holds(_) => ExitStatus::Holds,
            HornVerdict::Violated { .. } => ExitStatus::Violated,
            HornVerdict::Unknown { reason, .. } => unknown_status(reason),
        })
    }

    /// The report, if there are clauses.
    pub fn report<'a>(&'a self, base: &Report<'a>) -> Option<HornReport<'a>> {
        let subject = self.subject.as_deref()?;
        Some(HornReport {
            base: base.clone(),
            horn: &subject.horn,
            sources: &subject.sources,
            kind: subject.kind,
            checked: self.done.as_deref().map(|f| HornChecked {
                answer: &f.answer,
                evidence: f.evidence.clone(),
                confirmed: f.confirmed.clone(),
                why_engine: f.why_engine.clone(),
                certificate_file: f.certificate_file.clone(),
            }),
        })
    }

    /// For standard output.
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
        let finding = self.done.as_deref()?;
        let what = match (&finding.evidence, &finding.answer.verdict) {
            (Evidence::Rejected(why), _) => format!("its evidence was rejected: {why}"),
            (
                _,
                HornVerdict::Unknown {
                    reason: Reason::Internal(why),
                    ..
                },
            ) => why.clone(),
            _ => return None,
        };
        Some(format!("{}: {what}", finding.answer.engine))
    }
}
