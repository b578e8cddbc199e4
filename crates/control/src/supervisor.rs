//! The supervisor that starts and stops engines.

use std::io;
use std::thread::Builder;
use std::time::Instant;

use crate::{Context, Stopped};

/// Runs engines: enforces limits on time and memory, handles Ctrl-C, and reports progress.
///
/// A portfolio runs several engines under one supervisor, each in a [`Context`] of its own: one that runs out of memory
/// does not stop the others, but the clock and the user stop all.
pub trait Supervisor: Sync {
    /// A context for an engine that starts now.
    fn context(&self) -> Context;

    /// Was the whole run stopped, by the time limit or the user?
    fn over(&self) -> Option<Stopped>;

    /// Another claim or engine begins, in a few words for display.
    fn begin(&self, what: &str);

    /// Starts a thread for an engine. It may outlive this call, and the claim it was started for: the engine ends when
    /// its context tells it to.
    fn spawn(&self, name: &str, job: Box<dyn FnOnce() + Send>) -> io::Result<()> {
        spawn(name, job)
    }
}

/// Engines recurse little, but the depth of what they recurse over is up to the model.
const STACK: usize = 256 << 20;

/// Starts a thread with a stack that is large enough for any engine.
pub fn spawn(name: &str, job: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = Builder::new().name(name.to_owned()).stack_size(STACK);
    builder.spawn(job).map(|_| ())
}

/// Never stops an engine and reports nothing: for tests and for programs without limits.
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

/// The bounds of one time slice of an engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// States in a single exploration.
    pub states: Option<u64>,
    /// The deadline.
    pub until: Option<Instant>,
    /// Total work, in polls of the context.
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
