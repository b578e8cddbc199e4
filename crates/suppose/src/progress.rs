//! Progress counters.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use suppose_control::{Counts, Event, Observer, Silent};
use suppose_model::Run;

/// Counters of the engine that runs now. Every event is passed on to the observer of the run.
pub struct Counters {
    /// The numbers.
    pub counts: Counts,
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
            counts: Counts::default(),
            observer,
        }
    }

    /// Resets them for another claim or engine.
    pub fn begin(&self, what: &str) {
        self.on_event(&Event::Task(what.to_owned()));
    }

    /// The run so far, for an engine that did not finish.
    pub(crate) fn run(&self) -> Run {
        let counts = &self.counts;
        let states = counts.states.load(Ordering::Relaxed);
        Run {
            states,
            transitions: counts.transitions.load(Ordering::Relaxed),
            largest: states,
            assumption_peak: counts.abstract_size.load(Ordering::Relaxed),
            ..Run::default()
        }
    }
}

impl Observer for Counters {
    fn on_event(&self, event: &Event) {
        self.counts.update(event);
        self.observer.on_event(event);
    }

    fn on_tick(&self) {
        self.observer.on_tick();
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }
}
