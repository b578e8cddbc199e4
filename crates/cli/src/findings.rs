//! What a check has found so far, and how it is told.
//!
//! The worker writes here as it goes; when it has to be abandoned, the watching thread still has
//! everything up to that point.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use suppose_model::lts::Network;
use suppose_model::program::Question;
use suppose_model::{Answer, Claim, Reason, Run, Verdict};
use suppose_report::{Checked, Document, Evidence, ProgramReport, Report};

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
pub struct Finding<A = Answer> {
    /// The answer.
    pub answer: A,
    /// What the independent check said of its evidence.
    pub evidence: Evidence,
    /// Why this engine.
    pub why_engine: String,
    /// Where the evidence was written.
    pub certificate_file: Option<String>,
}

/// An answer on a model of whatever kind.
pub trait Answered {
    /// The engine that gave it.
    fn engine(&self) -> &str;
    /// The verdict, without its evidence.
    fn outcome(&self) -> Outcome<'_>;
}

/// A verdict, whatever it is about.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// It holds, or the number that was asked for is known.
    Holds,
    /// It does not.
    Violated,
    /// It is not decided.
    Unknown(&'a Reason),
}

impl<A> Finding<A> {
    /// An answer without a verdict, so without evidence.
    pub fn undecided(answer: A, why_engine: impl Into<String>) -> Self {
        Finding {
            answer,
            evidence: Evidence::NotChecked("there is none".to_owned()),
            why_engine: why_engine.into(),
            certificate_file: None,
        }
    }

    /// Was the evidence not rejected?
    pub fn is_sound(&self) -> bool {
        !matches!(self.evidence, Evidence::Rejected(_))
    }

    /// For a report.
    pub fn checked(&self) -> Checked<'_, A> {
        Checked {
            answer: &self.answer,
            evidence: self.evidence.clone(),
            why_engine: self.why_engine.clone(),
            certificate_file: self.certificate_file.clone(),
        }
    }
}

impl<A: Answered> Finding<A> {
    /// How the program ends, if this is all.
    pub fn status(&self) -> ExitStatus {
        match self.answer.outcome() {
            _ if !self.is_sound() => ExitStatus::Rejected,
            Outcome::Holds => ExitStatus::Holds,
            Outcome::Violated => ExitStatus::Violated,
            Outcome::Unknown(reason) => unknown_status(reason),
        }
    }

    /// A bug that showed itself.
    pub fn bug(&self) -> Option<String> {
        match (&self.evidence, self.answer.outcome()) {
            (Evidence::Rejected(why), _) => Some(format!("its evidence was rejected: {why}")),
            (_, Outcome::Unknown(Reason::Internal(why))) => Some(why.clone()),
            _ => None,
        }
    }

    /// The same with the engine and the name of the claim.
    pub fn bug_on(&self, name: impl FnOnce(&A) -> String) -> Option<String> {
        let what = self.bug()?;
        let (engine, name) = (self.answer.engine(), name(&self.answer));
        Some(format!("{engine} on {name}: {what}"))
    }
}

impl Answered for Answer {
    fn engine(&self) -> &str {
        &self.engine
    }

    fn outcome(&self) -> Outcome<'_> {
        match &self.verdict {
            Verdict::Holds(_) => Outcome::Holds,
            Verdict::Violated(_) => Outcome::Violated,
            Verdict::Unknown(reason) => Outcome::Unknown(reason),
        }
    }
}

/// A claim that a limit left undecided.
pub struct Left<C> {
    /// The claim.
    pub claim: C,
    /// The engine that was at it.
    pub engine: &'static str,
    /// What is known of its work.
    pub run: Run,
    /// Why there is no verdict.
    pub why: &'static str,
}

/// What to say of the first claim that waited, which was being worked on.
pub const NOT_IN_TIME: &str = "the engine did not end in time; the numbers are its last";

/// Takes all that waits. `known` is of the first.
pub fn left<C>(waiting: &mut Vec<C>, known: &Run) -> Vec<Left<C>> {
    let claims = std::mem::take(waiting).into_iter().enumerate();
    let left = claims.map(|(number, claim)| {
        let (engine, run, why) = match number {
            0 => ("auto", known.clone(), NOT_IN_TIME),
            _ => ("none", Run::default(), "nothing was left to decide it with"),
        };
        Left {
            claim,
            engine,
            run,
            why,
        }
    });
    left.collect()
}

/// A report for standard output.
fn told(document: &dyn Document, look: Look, full: bool) -> String {
    match (look.format, look.quiet) {
        (Format::Json, _) => document.json(),
        (Format::Text, true) => document.last_line(),
        (Format::Text, false) => {
            let text = document.text(colour(look, &std::io::stdout()), full);
            format!("{text}{}", document.last_line())
        }
    }
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
    /// Results that could not be written.
    pub unwritten: Vec<String>,
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
    /// Is something decided?
    pub fn has_verdicts(&self) -> bool {
        !self.done.is_empty()
            || !self.answered.is_empty()
            || self.clauses.has_verdicts()
            || !self.chances.done.is_empty()
            || !self.symbolic.done.is_empty()
    }

    /// Is it known what the input means?
    pub fn is_read(&self) -> bool {
        self.network.is_some()
            || self.subject.is_some()
            || self.clauses.is_read()
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

    /// One claim has its answer. Answers stand in the order in which they were asked for, not in
    /// that in which they were found.
    pub fn settle(&mut self, finding: Finding, asked: &[Claim]) {
        let place = |claim: Claim| asked.iter().position(|c| *c == claim);
        self.waiting.retain(|c| *c != finding.answer.claim);
        self.done.push(Arc::new(finding));
        self.done.sort_by_key(|f| place(f.answer.claim));
    }

    /// Everything that is not decided stays so, for this reason.
    pub fn give_up(&mut self, reason: &Reason, counters: &Counters) {
        let known = known(counters);
        self.clauses.give_up(reason, counters);
        self.chances.give_up(reason, &known);
        self.symbolic.give_up(reason, &known);
        for (i, question) in std::mem::take(&mut self.asked).into_iter().enumerate() {
            let mut finding = program_unknown(question, "auto", reason.clone(), NOT_IN_TIME);
            if i == 0 {
                finding.answer.run = known.clone();
            }
            self.answered.push(Arc::new(finding));
            self.answered.sort_by_key(|f| f.answer.question);
        }
        if !self.is_read() {
            let what = "everything".to_owned();
            self.undecided.push((what, reason.word().to_owned()));
        }
        for it in left(&mut self.waiting, &known) {
            let mut answer = unknown(it.engine, it.claim, reason.clone());
            answer.run = it.run;
            self.done.push(Arc::new(Finding::undecided(answer, it.why)));
        }
    }

    /// How the program ends: the worst of all.
    pub fn status(&self) -> ExitStatus {
        let of_program = self.answered.iter().map(|f| f.status());
        let of_clauses = self.clauses.statuses();
        let found = self.done.iter().map(|f| f.status()).chain(of_program);
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
        let checked = self.done.iter().map(|f| f.checked());
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
        self.with_report(watch, |report| self.document(report).html())
    }

    /// The report on the model that was read, whatever its kind.
    fn document<'a>(&'a self, base: &Report<'a>) -> Box<dyn Document + 'a> {
        if let Some(report) = self.clauses.report(base) {
            return Box::new(report);
        }
        if let Some(report) = self.chances.report(base) {
            return Box::new(report);
        }
        if let Some(report) = self.symbolic.report(base) {
            return Box::new(report);
        }
        match self.program_report(base) {
            Some(report) => Box::new(report),
            None => Box::new(base.clone()),
        }
    }

    fn program_report<'a>(&'a self, report: &Report<'a>) -> Option<ProgramReport<'a>> {
        let subject = self.subject.as_deref()?;
        let checked = self.answered.iter().map(|f| f.checked());
        Some(ProgramReport {
            base: report.clone(),
            program: &subject.program,
            sources: &subject.sources,
            checked: checked.collect(),
        })
    }

    /// As text or JSON for standard output.
    pub fn output(&self, watch: &Watch, look: Look) -> Output {
        Output {
            stdout: self.with_report(watch, |report| {
                told(&*self.document(report), look, self.full)
            }),
            stderr: self.complaints(),
            status: self.status(),
        }
    }

    /// What could not be written, and bugs.
    fn complaints(&self) -> String {
        let mut lines: Vec<String> = self
            .unwritten
            .iter()
            .map(|u| format!("error: {u}"))
            .collect();
        lines.push(self.plea());
        lines.retain(|l| !l.is_empty());
        lines.join("\n")
    }

    /// What to say when a bug showed itself.
    fn plea(&self) -> String {
        let bug = self.done.iter().find_map(|f| {
            let network = self.network.as_deref()?;
            f.bug_on(|answer| claim_name(network, answer.claim))
        });
        let in_program = self.answered.iter().find_map(|f| {
            let program = &self.subject.as_deref()?.program;
            f.bug_on(|answer| program.question_name(answer.question).to_owned())
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

/// How the program ends that knows no verdict, for that reason.
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
pub fn badness(status: ExitStatus) -> u8 {
    match status {
        ExitStatus::Violated => 0,
        ExitStatus::Rejected => 1,
        ExitStatus::Holds => 3,
        _ => 2,
    }
}
