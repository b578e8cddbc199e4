//! One run: its limits, what it has found so far, and the files it writes.
//!
//! The worker writes here as it goes. When it has to be abandoned, the watching thread still has everything up to that point:
//! a report can be made at any time, also when the worker hangs or panicked.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use suppose_control::{Context, Stopped, Supervisor};
use suppose_model::Reason;
use suppose_model::lts::Network;
use suppose_report::{Document, Frame};

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::progress::Counters;
use crate::simulate::Transcript;
use crate::steps::Failed;
use crate::watch::Watch;

/// The state of a run, for any kind of model.
pub(crate) trait AnyState: Send {
    fn copy(&self) -> Box<dyn AnyState>;
    fn any_mut(&mut self) -> &mut dyn Any;
    fn has_verdicts(&self) -> bool;
    fn is_decided(&self) -> bool;
    fn give_up(&mut self, reason: &Reason, counters: &Counters);
    fn statuses(&self) -> Vec<ExitStatus>;
    fn bug(&self) -> Option<String>;
    fn claims(&self) -> Vec<ClaimResult>;
    fn describe<'a>(&'a self, frame: Frame, network: Option<&'a Network>) -> Document<'a>;
    /// Of that claim, or of the first that is violated.
    fn replay(&self, claim: Option<&str>) -> Option<Result<Transcript, Failed>>;
    /// The definitions of predicates that the first sound answer rests on.
    fn definitions(&self) -> Option<String>;
}

/// What became of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimResult {
    /// The name of the claim.
    pub name: String,
    /// `holds`, `violated`, or `unknown`.
    pub verdict: &'static str,
    /// The reason for `unknown`.
    pub reason: Option<String>,
    /// The engine that decided it.
    pub engine: String,
    /// Did the independent checker accept the evidence?
    pub is_certified: bool,
}

/// A claim whose verdict was found just now, while others may still be open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedClaim {
    /// The verdict, with the name of the claim.
    pub result: ClaimResult,
    /// What sort of claim: `property`, `deadlock`, `assertions`.
    pub kind: &'static str,
    /// How long its engine took.
    pub elapsed: Duration,
}

/// What is done as soon as a claim is decided, on the thread that decides claims.
pub(crate) type OnDecided = Box<dyn Fn(&DecidedClaim) + Send + Sync>;

/// One run of a command. Clones share it.
#[derive(Clone)]
pub(crate) struct Session {
    /// Who hears of verdicts at once.
    pub on_decided: Arc<OnceLock<OnDecided>>,
    /// Clock and limits.
    pub watch: Arc<Watch>,
    /// Progress, as numbers.
    pub counters: Arc<Counters>,
    /// The files that are written.
    pub files: Outputs,
    found: Arc<Mutex<Found>>,
}

/// Everything found so far.
#[derive(Default)]
pub(crate) struct Found {
    /// The files that were read.
    pub files: Vec<String>,
    /// The network of a model that is one, or was decomposed into one.
    pub network: Option<Arc<Network>>,
    /// Claims that no engine decides, with the reason.
    pub undecided: Vec<(String, String)>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Results that could not be written.
    pub unwritten: Vec<String>,
    /// Show long counterexamples in full.
    pub full: bool,
    /// The model and the answers, once it is read.
    pub state: Option<Box<dyn AnyState>>,
}

impl Clone for Found {
    fn clone(&self) -> Self {
        Found {
            files: self.files.clone(),
            network: self.network.clone(),
            undecided: self.undecided.clone(),
            warnings: self.warnings.clone(),
            unwritten: self.unwritten.clone(),
            full: self.full,
            state: self.state.as_ref().map(|s| s.copy()),
        }
    }
}

impl Session {
    pub(crate) fn new(watch: Arc<Watch>, counters: Arc<Counters>) -> Self {
        Session {
            watch,
            on_decided: Arc::default(),
            counters,
            files: Outputs::default(),
            found: Arc::default(),
        }
    }

    /// Locks the findings.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy, so that the lock is not held while a report is rendered.
    pub(crate) fn snapshot(&self) -> Found {
        self.lock().clone()
    }

    /// Records the names of the model files.
    pub(crate) fn reads(&self, files: Vec<String>) {
        self.lock().files = files;
    }

    /// Leaves all open claims undecided, for this reason.
    pub(crate) fn give_up(&self, reason: &Reason) {
        let mut found = self.lock();
        match &mut found.state {
            Some(state) => state.give_up(reason, &self.counters),
            None => {
                let what = "everything".to_owned();
                found.undecided.push((what, reason.word().to_owned()));
            }
        }
    }

    /// Records the network of a model that was decomposed.
    pub(crate) fn show_network(&self, network: Arc<Network>) {
        self.lock().network = Some(network);
    }

    /// The network of a model that is one, or was decomposed into one.
    pub(crate) fn network(&self) -> Option<Arc<Network>> {
        self.lock().network.clone()
    }

    /// Shows long counterexamples in full.
    pub(crate) fn show_whole_runs(&self) {
        self.lock().full = true;
    }

    /// Adds warnings.
    pub(crate) fn warn(&self, lines: impl IntoIterator<Item = String>) {
        self.lock().warnings.extend(lines);
    }

    /// Says that a file that was asked for is not there, because the claim has no assumption.
    pub(crate) fn no_assumption(&self, path: &Path, claim: &str) {
        let path = path.display();
        self.warn([format!(
            "{claim}: there is no assumption to write to `{path}`"
        )]);
    }

    /// Records that a result could not be written; the verdicts are reported all the same.
    pub(crate) fn written(&self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            let mut found = self.lock();
            found.warnings.push(failure.first());
            found.unwritten.push(failure.first());
        }
    }
}

impl Found {
    /// Is any claim decided?
    pub fn has_verdicts(&self) -> bool {
        self.state.as_ref().is_some_and(|s| s.has_verdicts())
    }

    /// Does every claim have an answer?
    pub fn is_decided(&self) -> bool {
        self.state.as_ref().is_none_or(|s| s.is_decided())
    }

    /// The exit status of the run: the worst of all claims.
    pub fn status(&self) -> ExitStatus {
        let found = self.state.as_ref().map_or(Vec::new(), |s| s.statuses());
        let undecided = self.undecided.iter().map(|(_, why)| match why.as_str() {
            "timeout" | "memory" | "disk" | "interrupted" => ExitStatus::Limit,
            _ => ExitStatus::Unknown,
        });
        let all = found.into_iter().chain(undecided);
        let worst = all.min_by_key(|s| crate::finding::severity(*s));
        worst.unwrap_or(ExitStatus::Unknown)
    }
}

impl Supervisor for Session {
    fn context(&self) -> Context {
        let mut cx = Context::new(self.watch.fresh(), Arc::clone(&self.counters) as _);
        cx.seed = self.watch.limits().seed;
        cx
    }

    fn over(&self) -> Option<Stopped> {
        self.watch.over()
    }

    fn begin(&self, what: &str) {
        self.counters.begin(what);
    }
}
