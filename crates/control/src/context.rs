//! Limits, cancellation and events.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::gate::Gate;

/// An engine was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stopped {
    /// Time is up.
    Timeout = 1,
    /// Memory is used up.
    Memory = 2,
    /// The user stopped it.
    Interrupted = 3,
    /// Enough refinement rounds.
    Iterations = 4,
    /// Another engine of a portfolio was faster, or it is another engine's turn.
    Superseded = 5,
}

/// Shared between the supervisor and the engines: the supervisor sets why to stop, the engines poll it.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicU8,
    resident: AtomicU64,
    memory_limit: AtomicU64,
}

impl Control {
    /// With a memory limit in bytes; none means no limit.
    pub fn new(memory_limit: Option<u64>) -> Self {
        Control {
            memory_limit: AtomicU64::new(memory_limit.unwrap_or(u64::MAX)),
            ..Control::default()
        }
    }

    /// Tells the engines to stop; the first reason stays.
    pub fn stop(&self, why: Stopped) {
        let _ = self
            .stop
            .compare_exchange(0, why as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Sets the resident set of the process, in bytes; over the limit, stops the engines.
    pub fn set_resident(&self, bytes: u64) {
        self.resident.store(bytes, Ordering::Relaxed);
        if bytes > self.memory_limit.load(Ordering::Relaxed) {
            self.stop(Stopped::Memory);
        }
    }

    /// Why to stop, if at all.
    pub fn stopped(&self) -> Option<Stopped> {
        match self.stop.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stopped::Timeout),
            2 => Some(Stopped::Memory),
            3 => Some(Stopped::Interrupted),
            4 => Some(Stopped::Iterations),
            _ => Some(Stopped::Superseded),
        }
    }
}

/// What an engine is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Work on something else begins: a claim, an engine, the checking of evidence. Numbers start from nothing again.
    Task(String),
    /// A new phase, in a few words for display ("exploring", "premise 1").
    Phase(String),
    /// Exploring: states and transitions so far in this phase.
    Explored {
        /// States found.
        states: u64,
        /// Transitions followed.
        transitions: u64,
    },
    /// Exploring: how many steps of work ([`Context::spend`]) are probably left.
    Forecast {
        /// Steps.
        left: u64,
    },
    /// A refinement round begins.
    Iteration {
        /// From 1.
        number: u64,
        /// States of the abstraction.
        abstract_size: u64,
    },
}

/// Observes a run. Events come from the worker threads, so `on_event` must be cheap.
pub trait Observer {
    /// Something happened.
    fn on_event(&self, event: &Event);

    /// Called every few milliseconds by the thread that enforces limits, for instance to redraw a progress line.
    fn on_tick(&self) {}

    /// Returns true to stop the run. Called as often.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on_event(&self, _: &Event) {}
}

/// How long an engine that was stopped may take to return its partial result; less than it takes for the supervisor
/// to abandon it.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The work that a poll counts for when none was accounted before it, in steps.
const WORK_OF_A_QUESTION: u64 = 100;

/// How often an engine polled, and how often it may.
#[derive(Debug)]
struct Work {
    done: AtomicU64,
    limit: u64,
}

/// What every engine runs under.
#[derive(Clone)]
pub struct Context {
    control: Arc<Control>,
    observer: Arc<dyn Observer + Send + Sync>,
    deadline: Option<Instant>,
    state_limit: u64,
    work: Option<Arc<Work>>,
    gate: Option<Arc<Gate>>,
    /// The limit on refinement rounds.
    pub max_iterations: u64,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for Context {
    fn default() -> Self {
        Context::new(Arc::new(Control::new(None)), Arc::new(Silent))
    }
}

impl Context {
    /// Under that control, telling that observer.
    pub fn new(control: Arc<Control>, observer: Arc<dyn Observer + Send + Sync>) -> Self {
        Context {
            control,
            observer,
            deadline: None,
            state_limit: u64::MAX,
            work: None,
            gate: None,
            max_iterations: u64::MAX,
            seed: 0,
        }
    }

    /// The same with an own deadline, for an engine that only gets a turn ([`Stopped::Superseded`]).
    pub fn with_deadline(&self, deadline: Instant) -> Self {
        let mut it = self.clone();
        it.deadline = Some(self.deadline.map_or(deadline, |d| d.min(deadline)));
        it
    }

    /// The same, but no single exploration may hold more states ([`Stopped::Superseded`]).
    pub fn with_state_limit(&self, states: u64) -> Self {
        let mut it = self.clone();
        it.state_limit = it.state_limit.min(states);
        it
    }

    /// The same with a limit on the number of polls
    /// ([`Stopped::Superseded`]). Engines ask by what they do and not by the clock, so this limits
    /// their work in the same way on every machine.
    pub fn with_work(&self, limit: u64) -> Self {
        let mut it = self.clone();
        let done = AtomicU64::new(0);
        it.work = Some(Arc::new(Work { done, limit }));
        it
    }

    /// The same for an engine that runs in time slices: its polls may block until the next slice.
    pub fn with_gate(&self, gate: &Arc<Gate>) -> Self {
        let mut it = self.clone();
        it.gate = Some(Arc::clone(gate));
        it
    }

    /// The observer of this context.
    pub fn observer(&self) -> Arc<dyn Observer + Send + Sync> {
        Arc::clone(&self.observer)
    }

    /// The same, telling another observer.
    pub fn with_observer(&self, observer: Arc<dyn Observer + Send + Sync>) -> Self {
        let mut it = self.clone();
        it.observer = observer;
        it
    }

    /// For an engine that was stopped and has a partial result: it may continue for a moment. When only its own
    /// deadline or turn is over, until everything is.
    pub fn last_words(&self) -> Self {
        let mut it = self.clone();
        (it.deadline, it.work, it.gate) = (None, None, None);
        if self.control.stopped().is_some() {
            let limit = self.control.memory_limit.load(Ordering::Relaxed);
            it.control = Arc::new(Control::new(Some(limit)));
            it.deadline = Instant::now().checked_add(LAST_WORDS);
        }
        it
    }

    /// Stops all engines under the same control.
    pub fn stop(&self, why: Stopped) {
        self.control.stop(why);
    }

    /// Fails if the engine is to stop. To be called at least every millisecond.
    pub fn check(&self) -> Result<(), Stopped> {
        self.spend(WORK_OF_A_QUESTION)
    }

    /// The same after a known amount of work, in steps of about ten nanoseconds (following a transition of a
    /// product is four or five): turns are measured by it.
    pub fn spend(&self, steps: u64) -> Result<(), Stopped> {
        if let Some(gate) = &self.gate {
            gate.pass(steps)?;
        }
        if let Some(why) = self.control.stopped() {
            return Err(why);
        }
        if let Some(work) = &self.work
            && work.done.fetch_add(1, Ordering::Relaxed) >= work.limit
        {
            return Err(Stopped::Superseded);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Superseded),
            _ => Ok(()),
        }
    }

    /// Counts work without polling: for work between two polls, or after the last one.
    pub fn account(&self, steps: u64) {
        if let Some(gate) = &self.gate {
            gate.account(steps);
        }
    }

    /// Fails if an exploration may not have this many states, or is to stop.
    pub fn check_states(&self, states: u64) -> Result<(), Stopped> {
        self.spend_on_states(states, WORK_OF_A_QUESTION)
    }

    /// The same after a known amount of work: see [`Context::spend`].
    pub fn spend_on_states(&self, states: u64, steps: u64) -> Result<(), Stopped> {
        if states > self.state_limit {
            return Err(Stopped::Superseded);
        }
        self.spend(steps)
    }

    /// Fails if this many more bytes exceed the memory limit. To be called before large allocations.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stopped> {
        let limit = self.control.memory_limit.load(Ordering::Relaxed);
        let resident = self.control.resident.load(Ordering::Relaxed);
        if resident.saturating_add(bytes) > limit {
            return Err(Stopped::Memory);
        }
        Ok(())
    }

    /// Tells the observer.
    pub fn emit(&self, event: Event) {
        self.observer.on_event(&event);
    }
}
