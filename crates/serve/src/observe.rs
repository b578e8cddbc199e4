//! What a running job tells its page.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use suppose::{Event, Observer};

/// The progress of one job, and the way to stop it.
pub(crate) struct Progress {
    started: Instant,
    cancelled: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    round: AtomicU64,
    size: AtomicU64,
    words: Mutex<Words>,
}

#[derive(Default)]
struct Words {
    task: String,
    phase: String,
}

impl Progress {
    pub fn new() -> Progress {
        Progress {
            started: Instant::now(),
            cancelled: AtomicBool::new(false),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            round: AtomicU64::new(0),
            size: AtomicU64::new(0),
            words: Mutex::default(),
        }
    }

    /// Asks the job to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// What it does now.
    pub fn json(&self) -> Value {
        let words = lock(&self.words);
        let number = |n: &AtomicU64| n.load(Ordering::Relaxed);
        json!({
            "task": words.task,
            "phase": words.phase,
            "states": number(&self.states),
            "transitions": number(&self.transitions),
            "round": number(&self.round),
            "size": number(&self.size),
            "seconds": self.started.elapsed().as_secs_f64(),
        })
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        let set = |n: &AtomicU64, value: u64| n.store(value, Ordering::Relaxed);
        match event {
            Event::Task(name) => {
                for number in [&self.states, &self.transitions, &self.round, &self.size] {
                    set(number, 0);
                }
                let mut words = lock(&self.words);
                words.task.clone_from(name);
                words.phase.clear();
            }
            Event::Phase(name) => lock(&self.words).phase.clone_from(name),
            Event::Explored {
                states,
                transitions,
            } => {
                set(&self.states, *states);
                set(&self.transitions, *transitions);
            }
            Event::Iteration {
                number,
                abstract_size,
            } => {
                set(&self.round, *number);
                set(&self.size, *abstract_size);
            }
            Event::Forecast { .. } => {}
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Locks it; what a thread left behind that panicked is still good.
pub(crate) fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
