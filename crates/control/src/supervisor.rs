//! Who starts engines and may end them all.

use std::time::Instant;

use crate::{Context, Stopped};

/// Whoever runs engines: it watches clock, memory and keyboard for them, and tells people what is going on.
///
/// A portfolio runs several engines under one supervisor, each in a [`Context`] of its own: one that runs out of memory
/// does not stop the others, but the clock and the user stop all.
pub trait Supervisor: Sync {
    /// For an engine that begins now.
    fn context(&self) -> Context;

    /// Has the clock or the user ended everything?
    fn over(&self) -> Option<Stopped>;

    /// Another claim or engine begins, in a few words for people.
    fn begin(&self, what: &str);
}

/// Stops nobody and tells nothing: for tests and for programs that set no limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsupervised;

impl Supervisor for Unsupervised {
    fn context(&self) -> Context {
        Context::default()
    }

    fn over(&self) -> Option<Stopped> {
        None
    }

    fn begin(&self, _: &str) {}
}

/// How far an engine may go that only gets a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// States in a single exploration.
    pub states: Option<u64>,
    /// Until then.
    pub until: Option<Instant>,
    /// Work in all, in questions to the context.
    pub work: Option<u64>,
}

impl Bounds {
    /// Fresh limits for one engine.
    pub fn context(&self, supervisor: &(impl Supervisor + ?Sized)) -> Context {
        let mut cx = supervisor.context();
        if let Some(states) = self.states {
            cx = cx.with_state_limit(states);
        }
        if let Some(until) = self.until {
            cx = cx.with_deadline(until);
        }
        if let Some(work) = self.work {
            cx = cx.with_work(work);
        }
        cx
    }
}
