//! What is known of a finite-domain system so far, and how it is told.

use std::sync::Arc;

use suppose_model::symbolic::{System, Trace};
use suppose_model::{Reason, Run};
use suppose_report::{
    Evidence, Report, SymbolicAnswer, SymbolicChecked, SymbolicClaim, SymbolicEffort,
    SymbolicReport, SymbolicVerdict,
};
use suppose_source::Sources;

use crate::args::{Format, Look};
use crate::exit::ExitStatus;
use crate::findings::unknown_status;
use crate::output::colour;

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
#[derive(Clone, Debug)]
pub struct SymbolicFinding {
    /// The answer.
    pub answer: SymbolicAnswer,
    /// What the independent check said of its evidence.
    pub evidence: Evidence,
    /// Why this engine.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

impl SymbolicFinding {
    /// Not decided, for that reason.
    pub fn unknown(
        claim: SymbolicClaim,
        about: &Arc<System>,
        engine: &str,
        reason: Reason,
        run: Run,
    ) -> Self {
        SymbolicFinding {
            answer: SymbolicAnswer {
                claim,
                engine: engine.to_owned(),
                verdict: SymbolicVerdict::Unknown(reason),
                about: Arc::clone(about),
                effort: SymbolicEffort::default(),
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
            SymbolicVerdict::Holds(_) | SymbolicVerdict::Steps(_) => ExitStatus::Holds,
            SymbolicVerdict::Fails(..) => ExitStatus::Violated,
            SymbolicVerdict::Unknown(reason) => unknown_status(reason),
        }
    }
}

impl Symbolic {
    /// Has every claim its answer?
    pub fn is_decided(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Everything that is not decided stays so, for this reason.
    pub fn give_up(&mut self, reason: &Reason, known: Run) {
        let Some(subject) = self.subject.clone() else {
            return;
        };
        for (i, claim) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            let (engine, run, why) = match i {
                0 => {
                    let why = "the engine did not end in time; the numbers are its last";
                    ("auto", known.clone(), why)
                }
                _ => ("none", Run::default(), "nothing was left to decide it with"),
            };
            let mut finding =
                SymbolicFinding::unknown(claim, &subject.system, engine, reason.clone(), run);
            finding.why_engine = why.to_owned();
            self.note(finding);
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
        let checked = self.done.iter().map(|f| SymbolicChecked {
            answer: &f.answer,
            evidence: f.evidence.clone(),
            why_engine: f.why_engine.clone(),
            certificate_file: f.certificate_file.clone(),
        });
        Some(SymbolicReport {
            base: base.clone(),
            system: &subject.system,
            sources: &subject.sources,
            stuck: self.stuck.as_deref().map(|(trace, part)| (trace, part)),
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
                let text = match self.as_nusmv {
                    true => report.nusmv(),
                    false => report.text(colour(look, &std::io::stdout()), full),
                };
                format!("{text}{}", report.last_line())
            }
        }
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        let system = &self.subject.as_deref()?.system;
        self.done.iter().find_map(|f| {
            let what = match (&f.evidence, &f.answer.verdict) {
                (Evidence::Rejected(why), _) => format!("its evidence was rejected: {why}"),
                (_, SymbolicVerdict::Unknown(Reason::Internal(why))) => why.clone(),
                _ => return None,
            };
            let name = f.answer.claim.name(system);
            Some(format!("{} on {name}: {what}", f.answer.engine))
        })
    }
}
