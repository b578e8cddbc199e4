//! Progress counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use suppose_control::{Event, Observer, Silent};
use suppose_model::Run;

/// Counters of the engine that runs now. Every event is passed on to the observer of the run.
pub struct Counters {
    /// States explored in the current phase.
    pub states: AtomicU64,
    /// Transitions explored in the current phase.
    pub transitions: AtomicU64,
    /// The refinement round, 0 when there is none.
    pub round: AtomicU64,
    /// States of the abstraction in that round.
    pub abstract_size: AtomicU64,
    observer: Arc<dyn Observer + Send + Sync>,
}

impl Default for Counters {
    fn default() -> Self {
        Counters::told(Arc::new(Silent))
    }
}

impl Counters {
    /// New counters that pass events on to this observer.
    pub fn told(observer: Arc<dyn Observer + Send + Sync>) -> Self {
        Counters {
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            round: AtomicU64::new(0),
            abstract_size: AtomicU64::new(0),
            observer,
        }
    }

    /// Resets them for another claim or engine.
    pub fn begin(&self, what: &str) {
        self.on_event(&Event::Task(what.to_owned()));
    }

    /// The run so far, for an engine that did not finish.
    pub(crate) fn run(&self) -> Run {
        let states = self.states.load(Ordering::Relaxed);
        Run {
            states,
            transitions: self.transitions.load(Ordering::Relaxed),
            largest: states,
            assumption_peak: self.abstract_size.load(Ordering::Relaxed),
            ..Run::default()
        }
    }
}

impl Observer for Counters {
    fn on_event(&self, event: &Event) {
        match event {
            Event::Task(_) => {
                let all = [
                    &self.states,
                    &self.transitions,
                    &self.round,
                    &self.abstract_size,
                ];
                for number in all {
                    number.store(0, Ordering::Relaxed);
                }
            }
            Event::Explored {
                states,
                transitions,
            } => {
                self.states.store(*states, Ordering::Relaxed);
                self.transitions.store(*transitions, Ordering::Relaxed);
            }
            Event::Iteration {
                number,
                abstract_size,
            } => {
                self.round.store(*number, Ordering::Relaxed);
                self.abstract_size.store(*abstract_size, Ordering::Relaxed);
            }
            Event::Phase(_) | Event::Forecast { .. } => {}
        }
        self.observer.on_event(event);
    }

    fn on_tick(&self) {
        self.observer.on_tick();
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}
