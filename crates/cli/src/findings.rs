//! What a check has found so far, and how it is told.
//!
//! The worker writes here as it goes; when it has to be abandoned, the watching thread still has
//! everything up to that point.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use suppose_model::lts::Network;
use suppose_model::program::Question;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_report::{Checked, Evidence, ProgramChecked, ProgramReport, ProgramVerdict, Report};

use crate::args::{Format, Look};
use crate::engines::{claim_name, unknown};
use crate::exit::ExitStatus;
use crate::output::{Output, colour};
use crate::process;
use crate::program::{ProgramFinding, Subject, program_unknown};
use crate::progress::Counters;
use crate::watch::Watch;

/// One claim, decided or not.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The answer.
    pub answer: Answer,
    /// What the independent check said of its evidence.
    pub evidence: Evidence,
    /// Why this engine.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

/// Everything found so far.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The files.
    pub files: Vec<String>,
    /// The system, once it is read.
    pub network: Option<Arc<Network>>,
    /// What is decided.
    pub done: Vec<Arc<Finding>>,
    /// What is still to be decided; the first is being worked on.
    pub waiting: Vec<Claim>,
    /// What no engine decides, with the reason.
    pub undecided: Vec<(String, String)>,
    /// What the user should know besides.
    pub warnings: Vec<String>,
    /// The program, when it is one; then these are what is decided and what is not yet.
    pub subject: Option<Arc<Subject>>,
    /// Answers about the program.
    pub answered: Vec<Arc<ProgramFinding>>,
    /// Questions that wait; the first is being worked on.
    pub asked: Vec<Question>,
    /// Clauses, when the input is such, and the answer.
    pub clauses: crate::horn::Clauses,
    /// A probabilistic system, when the input is one, and the answers.
    pub chances: crate::markov::Chances,
    /// A finite-domain system, when the input is one, and the answers.
    pub symbolic: crate::symbolic::Symbolic,
    /// Show long runs whole.
    pub full: bool,
}

/// Findings that two threads share.
#[derive(Clone, Debug, Default)]
pub struct Shared(Arc<Mutex<Findings>>);

impl Shared {
    /// For a while.
    pub fn lock(&self) -> MutexGuard<'_, Findings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy, so that nobody waits while it is made into a page.
    pub fn snapshot(&self) -> Findings {
        self.lock().clone()
    }
}

impl Findings {
    /// Is it known what the input means?
    pub fn is_read(&self) -> bool {
        self.network.is_some()
            || self.subject.is_some()
            || self.clauses.subject.is_some()
            || self.chances.subject.is_some()
            || self.symbolic.subject.is_some()
    }

    /// Has every claim its answer?
    pub fn is_decided(&self) -> bool {
        self.waiting.is_empty()
            && self.asked.is_empty()
            && self.clauses.is_decided()
            && self.chances.is_decided()
            && self.symbolic.is_decided()
    }

    /// Everything that is not decided stays so, for this reason.
    pub fn give_up(&mut self, reason: &Reason, counters: &Counters) {
        let waiting = std::mem::take(&mut self.waiting);
        self.clauses.give_up(reason, counters);
        self.chances.give_up(reason, known(counters));
        self.symbolic.give_up(reason, known(counters));
        for (i, question) in std::mem::take(&mut self.asked).into_iter().enumerate() {
            let why = "the engine did not end in time; the numbers are its last";
            let mut finding = program_unknown(question, "auto", reason.clone(), why);
            if i == 0 {
                finding.answer.run = known(counters);
            }
            self.answered.push(Arc::new(finding));
            self.answered.sort_by_key(|f| f.answer.question);
        }
        if !self.is_read() {
            let what = "everything".to_owned();
            self.undecided.push((what, reason.word().to_owned()));
        }
        for (i, claim) in waiting.into_iter().enumerate() {
            let mut answer = unknown("none", claim, reason.clone());
            let mut why_engine = "nothing was left to decide it with".to_owned();
            if i == 0 {
                answer.engine = "auto".to_owned();
                answer.run = known(counters);
                why_engine = "the engine did not end in time; the numbers are its last".to_owned();
            }
            self.done.push(Arc::new(Finding {
                answer,
                evidence: Evidence::NotChecked("there is none".to_owned()),
                why_engine,
                certificate_file: None,
            }));
        }
    }

    /// How the program ends: the worst of all.
    pub fn status(&self) -> ExitStatus {
        let of_program = self.answered.iter().map(|f| program_status(f));
        let of_clauses = self.clauses.status();
        let found = self.done.iter().map(|f| status(f)).chain(of_program);
        let found = found.chain(of_clauses).chain(self.chances.statuses());
        let found = found.chain(self.symbolic.statuses());
        let undecided = self.undecided.iter().map(|(_, why)| match why.as_str() {
            "timeout" | "memory" | "interrupted" => ExitStatus::Limit,
            _ => ExitStatus::Unknown,
        });
        let all = found.chain(undecided).min_by_key(|s| badness(*s));
        all.unwrap_or(ExitStatus::Unknown)
    }

    /// Passes what is there to something that writes reports.
    pub fn with_report<T>(&self, watch: &Watch, then: impl FnOnce(&Report) -> T) -> T {
        let nothing = Network::default();
        let limits = watch.limits();
        let checked = self.done.iter().map(|f| Checked {
            answer: &f.answer,
            evidence: f.evidence.clone(),
            why_engine: f.why_engine.clone(),
            certificate_file: f.certificate_file.clone(),
        });
        then(&Report {
            version: env!("CARGO_PKG_VERSION"),
            files: self.files.clone(),
            network: self.network.as_deref().unwrap_or(&nothing),
            checked: checked.collect(),
            undecided: self.undecided.clone(),
            warnings: self.warnings.clone(),
            seed: limits.seed,
            elapsed: watch.elapsed(),
            peak_memory: process::peak_resident(),
            limits: (limits.timeout, limits.memory),
        })
    }

    /// As a page.
    pub fn html(&self, watch: &Watch) -> String {
        self.with_report(watch, |report| {
            if let Some(report) = self.clauses.report(report) {
                return report.html();
            }
            if let Some(report) = self.chances.report(report) {
                return report.html();
            }
            if let Some(report) = self.symbolic.report(report) {
                return report.html();
            }
            match self.program_report(report) {
                Some(report) => report.html(),
                None => suppose_report::html(report),
            }
        })
    }

    fn program_report<'a>(&'a self, report: &Report<'a>) -> Option<ProgramReport<'a>> {
        let subject = self.subject.as_deref()?;
        let checked = self.answered.iter().map(|f| ProgramChecked {
            answer: &f.answer,
            evidence: f.evidence.clone(),
            why_engine: f.why_engine.clone(),
            certificate_file: f.certificate_file.clone(),
        });
        Some(ProgramReport {
            base: report.clone(),
            program: &subject.program,
            sources: &subject.sources,
            checked: checked.collect(),
        })
    }

    fn program_text(&self, report: &ProgramReport, look: Look) -> String {
        match (look.format, look.quiet) {
            (Format::Json, _) => report.json(),
            (Format::Text, true) => report.last_line(),
            (Format::Text, false) => {
                let text = report.text(colour(look, &std::io::stdout()), self.full);
                format!("{text}{}", report.last_line())
            }
        }
    }

    /// As text or JSON for standard output.
    pub fn output(&self, watch: &Watch, look: Look) -> Output {
        if self.clauses.subject.is_some() {
            return Output {
                stdout: self.with_report(watch, |r| self.clauses.text(r, look, self.full)),
                stderr: self.plea(),
                status: self.status(),
            };
        }
        if self.chances.subject.is_some() {
            return Output {
                stdout: self.with_report(watch, |r| self.chances.text(r, look, self.full)),
                stderr: self.plea(),
                status: self.status(),
            };
        }
        if self.symbolic.subject.is_some() {
            return Output {
                stdout: self.with_report(watch, |r| self.symbolic.text(r, look, self.full)),
                stderr: self.plea(),
                status: self.status(),
            };
        }
        if self.subject.is_some() {
            let stdout = self.with_report(watch, |report| {
                let report = self.program_report(report);
                report.map_or(String::new(), |r| self.program_text(&r, look))
            });
            return Output {
                stdout,
                stderr: self.plea(),
                status: self.status(),
            };
        }
        let stdout = self.with_report(watch, |report| match (look.format, look.quiet) {
            (Format::Json, _) => suppose_report::json(report),
            (Format::Text, true) => suppose_report::last_line(report),
            (Format::Text, false) => {
                let text = suppose_report::text(report, colour(look, &std::io::stdout()));
                format!("{text}{}", suppose_report::last_line(report))
            }
        });
        Output {
            stdout,
            stderr: self.plea(),
            status: self.status(),
        }
    }

    /// What to say when a bug showed itself.
    fn plea(&self) -> String {
        let bug = self.done.iter().find_map(|f| {
            let network = self.network.as_deref()?;
            let what = match (&f.evidence, &f.answer.verdict) {
                (Evidence::Rejected(why), _) => format!("its evidence was rejected: {why}"),
                (_, Verdict::Unknown(Reason::Internal(why))) => why.clone(),
                _ => return None,
            };
            let name = claim_name(network, f.answer.claim);
            Some(format!("{} on {name}: {what}", f.answer.engine))
        });
        let in_program = self.answered.iter().find_map(|f| {
            let what = match (&f.evidence, &f.answer.verdict) {
                (Evidence::Rejected(why), _) => format!("its evidence was rejected: {why}"),
                (_, ProgramVerdict::Unknown(Reason::Internal(why))) => why.clone(),
                _ => return None,
            };
            let program = &self.subject.as_deref()?.program;
            let name = program.question_name(f.answer.question);
            Some(format!("{} on {name}: {what}", f.answer.engine))
        });
        match bug
            .or(in_program)
            .or_else(|| self.clauses.bug())
            .or_else(|| self.chances.bug())
            .or_else(|| self.symbolic.bug())
        {
            Some(what) => {
                format!("bug: {what}\nPlease report it with the input and the command line.")
            }
            None => String::new(),
        }
    }
}

/// What the counters say of a run that did not end.
fn known(counters: &Counters) -> Run {
    let states = counters.states.load(Ordering::Relaxed);
    Run {
        states,
        transitions: counters.transitions.load(Ordering::Relaxed),
        largest: states,
        assumption_peak: counters.abstract_size.load(Ordering::Relaxed),
        ..Run::default()
    }
}

fn status(finding: &Finding) -> ExitStatus {
    if matches!(finding.evidence, Evidence::Rejected(_)) {
        return ExitStatus::Rejected;
    }
    match &finding.answer.verdict {
        Verdict::Holds(_) => ExitStatus::Holds,
        Verdict::Violated(_) => ExitStatus::Violated,
        Verdict::Unknown(reason) => unknown_status(reason),
    }
}

fn program_status(finding: &ProgramFinding) -> ExitStatus {
    if matches!(finding.evidence, Evidence::Rejected(_)) {
        return ExitStatus::Rejected;
    }
    match &finding.answer.verdict {
        ProgramVerdict::Exhausted | ProgramVerdict::Proved(_) => ExitStatus::Holds,
        ProgramVerdict::Violated(_) => ExitStatus::Violated,
        ProgramVerdict::Unknown(reason) => unknown_status(reason),
    }
}

pub fn unknown_status(reason: &Reason) -> ExitStatus {
    match reason {
        Reason::Timeout | Reason::Memory | Reason::Interrupted | Reason::Iterations => {
            ExitStatus::Limit
        }
        Reason::Rejected(_) => ExitStatus::Rejected,
        Reason::Internal(_) => ExitStatus::Internal,
        Reason::Unsupported(_) => ExitStatus::Unknown,
    }
}

/// From the worst; a violation is certain whatever else went wrong. Of two that are equally bad
/// the first counts, as in the last line.
fn badness(status: ExitStatus) -> u8 {
    match status {
        ExitStatus::Violated => 0,
        ExitStatus::Rejected => 1,
        ExitStatus::Holds => 3,
        _ => 2,
    }
}
