//! Progress, and signals such as Ctrl-C, while a model is checked without Python's lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use suppose::{Counts, Event, Observer};

/// How often signals are looked for, and progress is told.
const SIGNALS: Duration = Duration::from_millis(50);
const PROGRESS: Duration = Duration::from_millis(100);

/// Watches one run.
pub struct Watching {
    on_progress: Option<Py<PyAny>>,
    counts: Counts,
    started: Instant,
    now: Mutex<Now>,
}

struct Now {
    looked: Instant,
    told: Instant,
    raised: Option<PyErr>,
}

impl Watching {
    /// A watcher that calls a function with what is going on, if there is one.
    pub fn new(on_progress: Option<Py<PyAny>>) -> Watching {
        let started = Instant::now();
        Watching {
            on_progress,
            counts: Counts::default(),
            started,
            now: Mutex::new(Now {
                looked: started,
                told: started,
                raised: None,
            }),
        }
    }

    /// The exception that ended the run: of a signal, or of the function.
    pub fn raised(&self) -> Option<PyErr> {
        self.lock().raised.take()
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, function: &Py<PyAny>) -> PyResult<()> {
        let (task, phase) = self.counts.activity();
        let number = |n: &AtomicU64| n.load(Ordering::Relaxed);
        Python::attach(|py| {
            let told = PyDict::new(py);
            told.set_item("task", task)?;
            told.set_item("phase", phase)?;
            told.set_item("states", number(&self.counts.states))?;
            told.set_item("transitions", number(&self.counts.transitions))?;
            told.set_item("round", number(&self.counts.round))?;
            told.set_item("seconds", self.started.elapsed().as_secs_f64())?;
            function.call1(py, (told,)).map(|_| ())
        })
    }
}

impl Observer for Watching {
    fn on_event(&self, event: &Event) {
        self.counts.update(event);
    }

    fn on_tick(&self) {
        let Some(function) = &self.on_progress else {
            return;
        };
        // The lock is not held while Python runs, which may wait for another thread.
        {
            let mut now = self.lock();
            if now.raised.is_some() || now.told.elapsed() < PROGRESS {
                return;
            }
            now.told = Instant::now();
        }
        if let Err(error) = self.tell(function) {
            self.lock().raised.get_or_insert(error);
        }
    }

    fn is_cancelled(&self) -> bool {
        {
            let mut now = self.lock();
            if now.raised.is_some() {
                return true;
            }
            if now.looked.elapsed() < SIGNALS {
                return false;
            }
            now.looked = Instant::now();
        }
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                self.lock().raised.get_or_insert(error);
                true
            }
        }
    }
}
