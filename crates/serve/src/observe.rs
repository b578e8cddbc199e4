//! What a running job tells its page.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use suppose::{Counts, Event, Observer};

/// The progress of one job, and the way to stop it.
pub(crate) struct Progress {
    started: Instant,
    cancelled: AtomicBool,
    counts: Counts,
}

impl Progress {
    pub fn new() -> Progress {
        Progress {
            started: Instant::now(),
            cancelled: AtomicBool::new(false),
            counts: Counts::default(),
        }
    }

    /// Asks the job to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// What it does now.
    pub fn json(&self) -> Value {
        let (task, phase) = self.counts.activity();
        let number = |n: &AtomicU64| n.load(Ordering::Relaxed);
        json!({
            "task": task,
            "phase": phase,
            "states": number(&self.counts.states),
            "transitions": number(&self.counts.transitions),
            "round": number(&self.counts.round),
            "size": number(&self.counts.abstract_size),
            "seconds": self.started.elapsed().as_secs_f64(),
        })
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        self.counts.update(event);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Locks it; what a thread left behind that panicked is still good.
pub(crate) fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
