//! What the events of a run add up to.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::Event;

/// What an engine reported last. A new task sets all numbers to 0.
#[derive(Debug, Default)]
pub struct Counts {
    /// States explored in the current phase.
    pub states: AtomicU64,
    /// Transitions explored in the current phase.
    pub transitions: AtomicU64,
    /// The refinement round, 0 when there is none.
    pub round: AtomicU64,
    /// States of the abstraction in that round.
    pub abstract_size: AtomicU64,
    /// The task and its phase.
    activity: Mutex<(String, String)>,
}

impl Counts {
    /// The current task and its phase; each may be empty.
    pub fn activity(&self) -> (String, String) {
        let activity = self.activity.lock();
        activity.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes what an event says.
    pub fn update(&self, event: &Event) {
        let set = |number: &AtomicU64, value: u64| number.store(value, Ordering::Relaxed);
        match event {
            Event::Task(name) => {
                set(&self.states, 0);
                set(&self.transitions, 0);
                set(&self.round, 0);
                set(&self.abstract_size, 0);
                self.set_activity(|activity| *activity = (name.clone(), String::new()));
            }
            Event::Phase(name) => self.set_activity(|activity| activity.1.clone_from(name)),
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
                set(&self.abstract_size, *abstract_size);
            }
            Event::Forecast { .. } => {}
        }
    }

    fn set_activity(&self, set: impl FnOnce(&mut (String, String))) {
        // What a thread left behind that panicked is still good.
        set(&mut self.activity.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
