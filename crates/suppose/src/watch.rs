//! Supervises a worker thread: time limit, memory limit and cancellation.
//!
//! The worker is asked to stop first; an engine does so within a millisecond and keeps what it
//! found. A worker that does not react in time, or keeps growing, is abandoned: the caller then reports
//! what is known and ends the process.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use suppose_control::{Control, Observer, Stopped, catch, spawn};

use crate::options::Limits;
use crate::process;

/// How often clock, memory and the observer are polled.
const TICK: Duration = Duration::from_millis(5);
/// How long a worker may take to react.
const GRACE: Duration = Duration::from_millis(700);
/// The worker is abandoned when it exceeds the memory limit by more than 1/32 of it.
const SLACK: u32 = 5;

/// The limits, and the controls of the engines that run now.
#[derive(Debug)]
pub struct Watch {
    started: Instant,
    limits: Limits,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    /// The controls of all engines that run now.
    controls: Vec<Arc<Control>>,
    /// Set when the run is stopped; nothing may start after that.
    over: Option<Stopped>,
}

/// How a job ended.
#[derive(Debug)]
pub enum Ended<T> {
    /// With a result.
    Finished(T),
    /// With a panic and this message.
    Panicked(String),
    /// It did not react to this request to stop.
    Abandoned(Stopped),
}

impl Watch {
    /// Starts the clock.
    pub fn new(limits: Limits) -> Arc<Self> {
        let control = Arc::new(Control::new(limits.memory));
        Arc::new(Watch {
            started: Instant::now(),
            limits,
            now: Mutex::new(Now {
                controls: vec![control],
                over: None,
            }),
        })
    }

    /// A control for the next engine. An engine that runs out of memory does not stop the next,
    /// but the time limit and the user stop all.
    ///
    /// Controls that are no longer in use are dropped; those of engines that wait for their
    /// turn stay.
    pub fn fresh(&self) -> Arc<Control> {
        let mut now = self.lock();
        now.controls.retain(|c| Arc::strong_count(c) > 1);
        let control = Arc::new(Control::new(self.limits.memory));
        if let Some(why) = now.over {
            control.stop(why);
        }
        if let Some(bytes) = process::resident() {
            control.set_resident(bytes);
        }
        now.controls.push(Arc::clone(&control));
        control
    }

    /// Was the whole run stopped, by the time limit or the user?
    pub fn over(&self) -> Option<Stopped> {
        self.lock().over
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Polls everything once; returns why the worker was told to stop, if it was.
    fn look(&self, observer: &dyn Observer) -> Option<Stopped> {
        let mut now = self.lock();
        if now.over.is_none() {
            let late = self.limits.timeout.is_some_and(|t| self.elapsed() >= t);
            if observer.is_cancelled() {
                now.over = Some(Stopped::Interrupted);
            } else if late {
                now.over = Some(Stopped::Timeout);
            }
        }
        if let Some(why) = now.over {
            now.controls.iter().for_each(|c| c.stop(why));
        }
        if let Some(bytes) = process::resident() {
            now.controls.iter().for_each(|c| c.set_resident(bytes));
            let limit = self.limits.memory.unwrap_or(u64::MAX);
            if bytes > limit.saturating_add(limit >> SLACK) {
                return Some(Stopped::Memory);
            }
        }
        now.over
    }

    /// Runs the job on a thread with a large stack, and polls the observer every few milliseconds.
    pub fn run<T: Send + 'static>(
        self: &Arc<Self>,
        observer: &dyn Observer,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Ended<T> {
        let (send, receive) = sync_channel(1);
        let work = move || {
            // The receiver is gone when the job was abandoned.
            let _ = send.send(catch(job));
        };
        if let Err(error) = spawn("worker", work) {
            return Ended::Panicked(format!("cannot start a thread: {error}"));
        }
        let mut told: Option<Instant> = None;
        loop {
            match receive.recv_timeout(TICK) {
                Ok(Ok(result)) => return Ended::Finished(result),
                Ok(Err(message)) => return Ended::Panicked(message),
                Err(RecvTimeoutError::Disconnected) => {
                    return Ended::Panicked("the worker is gone".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            match self.look(observer) {
                Some(Stopped::Memory) => return Ended::Abandoned(Stopped::Memory),
                Some(why) if told.get_or_insert_with(Instant::now).elapsed() > GRACE => {
                    return Ended::Abandoned(why);
                }
                _ => {}
            }
            observer.on_tick();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(timeout: Option<Duration>, memory: Option<u64>) -> Arc<Watch> {
        let seed = 0;
        Watch::new(Limits {
            timeout,
            memory,
            seed,
        })
    }

    struct Cancelled;

    impl Observer for Cancelled {
        fn on_event(&self, _: &suppose_control::Event) {}

        fn is_cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_result_comes_back() {
        let ended = watch(None, None).run(&suppose_control::Silent, || 7);
        assert!(matches!(ended, Ended::Finished(7)));
    }

    #[test]
    fn a_panic_becomes_its_message() {
        let job = || -> u8 { panic!("boom") };
        match watch(None, None).run(&suppose_control::Silent, job) {
            Ended::Panicked(message) => assert!(message.contains("boom"), "{message}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_job_that_listens_is_stopped_and_its_result_kept() {
        let it = watch(Some(Duration::from_millis(20)), None);
        let control = it.fresh();
        let job = move || {
            loop {
                if let Some(why) = control.stopped() {
                    return why;
                }
                std::thread::yield_now();
            }
        };
        let ended = it.run(&suppose_control::Silent, job);
        assert!(
            matches!(ended, Ended::Finished(Stopped::Timeout)),
            "{ended:?}"
        );
        assert_eq!(it.fresh().stopped(), Some(Stopped::Timeout));
    }

    #[test]
    fn a_job_that_does_not_listen_is_abandoned() {
        let it = watch(None, None);
        let job = || std::thread::sleep(Duration::from_secs(3600));
        let ended = it.run(&Cancelled, job);
        assert!(
            matches!(ended, Ended::Abandoned(Stopped::Interrupted)),
            "{ended:?}"
        );
        let ended = watch(None, Some(1)).run(&suppose_control::Silent, job);
        assert!(
            matches!(ended, Ended::Abandoned(Stopped::Memory)),
            "{ended:?}"
        );
    }
}
