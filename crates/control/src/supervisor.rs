//! The supervisor that starts and stops engines.

use std::io;
use std::sync::{Arc, Mutex};
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

/// Runs a job once for each worker, each on a thread of its own (the first on this one), and waits for all. A worker whose thread
/// cannot be made is run here. A panic of a worker is one of the caller.
pub fn on_threads<W: Send>(workers: &mut [W], job: impl Fn(&mut W) + Sync) {
    let Some((first, others)) = workers.split_first_mut() else {
        return;
    };
    let job = &job;
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        let mut left = Vec::new();
        for worker in others {
            // The thread takes the worker only if there is one.
            let slot = Arc::new(Mutex::new(Some(worker)));
            let theirs = Arc::clone(&slot);
            let run = move || {
                let worker = theirs.lock().ok().and_then(|mut slot| slot.take());
                worker.into_iter().for_each(job);
            };
            match Builder::new().stack_size(STACK).spawn_scoped(scope, run) {
                Ok(thread) => threads.push(thread),
                Err(_) => left.push(slot),
            }
        }
        job(first);
        for slot in left {
            let worker = slot.lock().ok().and_then(|mut slot| slot.take());
            worker.into_iter().for_each(job);
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_runs_once_and_a_panic_comes_back() {
        let mut workers: Vec<u32> = (0..5).collect();
        on_threads(&mut workers, |worker| *worker += 10);
        assert_eq!(workers, [10, 11, 12, 13, 14]);
        let panic = std::panic::catch_unwind(|| {
            on_threads(&mut [1, 2, 3], |worker| assert_ne!(*worker, 2));
        });
        assert!(panic.is_err());
    }
}
