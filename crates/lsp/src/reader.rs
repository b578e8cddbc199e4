//! The front-ends, on a thread of their own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use suppose::{CheckOptions, Event, Failure, Limits, Observer, Outline, RunOptions, Source};

/// No longer is waited for more changes before a text is read.
const PAUSE: Duration = Duration::from_millis(60);
/// How long a text may take to be read.
const READING: Duration = Duration::from_secs(5);

/// What is being read, and the way to stop it.
type Current = Option<(String, Arc<AtomicBool>)>;

/// A text to read.
pub(crate) struct Job {
    pub uri: String,
    pub version: i32,
    pub source: Source,
}

/// What came of it.
pub(crate) struct Read {
    pub uri: String,
    pub version: i32,
    pub outline: Result<Outline, Failure>,
}

/// The thread that reads.
pub(crate) struct Reader {
    jobs: Sender<Job>,
    current: Arc<Mutex<Current>>,
}

impl Reader {
    pub(crate) fn start(done: Sender<Read>, memory: u64) -> Reader {
        let (jobs, inbox) = unbounded();
        let current: Arc<Mutex<Current>> = Arc::default();
        let own = Arc::clone(&current);
        std::thread::spawn(move || read_all(&inbox, &done, &own, memory));
        Reader { jobs, current }
    }

    /// Reads a text soon; what is read of an earlier one is stopped.
    pub(crate) fn read(&self, job: Job) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((uri, stop)) = &*current
            && *uri == job.uri
        {
            stop.store(true, Ordering::Relaxed);
        }
        let _ = self.jobs.send(job);
    }
}

fn read_all(inbox: &Receiver<Job>, done: &Sender<Read>, current: &Mutex<Current>, memory: u64) {
    let mut waiting: BTreeMap<String, Job> = BTreeMap::new();
    loop {
        if waiting.is_empty() {
            match inbox.recv() {
                Ok(job) => waiting.insert(job.uri.clone(), job),
                Err(_) => return,
            };
        }
        while let Ok(job) = inbox.recv_timeout(PAUSE) {
            waiting.insert(job.uri.clone(), job);
        }
        let Some((uri, job)) = waiting.pop_first() else {
            continue;
        };
        let stop = Arc::new(AtomicBool::new(false));
        let set = |it| *current.lock().unwrap_or_else(PoisonError::into_inner) = it;
        set(Some((uri.clone(), Arc::clone(&stop))));
        let outline = outline(&job.source, Arc::clone(&stop), memory);
        set(None);
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let version = job.version;
        let read = Read {
            uri,
            version,
            outline,
        };
        if done.send(read).is_err() {
            return;
        }
    }
}

/// What can be asked of a text, or what is wrong with it.
pub(crate) fn outline(
    source: &Source,
    stop: Arc<AtomicBool>,
    memory: u64,
) -> Result<Outline, Failure> {
    let options = CheckOptions {
        run: RunOptions {
            limits: Limits {
                timeout: Some(READING),
                memory: Some(memory),
                ..Limits::default()
            },
            ..RunOptions::default()
        },
        ..CheckOptions::default()
    };
    suppose::outline(source, &options, Arc::new(Stop(stop)))
}

struct Stop(Arc<AtomicBool>);

impl Observer for Stop {
    fn on_event(&self, _: &Event) {}

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
