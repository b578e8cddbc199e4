//! `--events`: what happens in a call, as it happens, a line of JSON each.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use suppose::{Counts, DecidedClaim, Event, ExitStatus, Failure, Observer, Watcher};
use suppose_report::{Checked, CheckedClaim};

/// How often progress is told.
const EVERY: Duration = Duration::from_secs(1);

/// Where events go.
pub struct Events {
    out: Mutex<Box<dyn Write + Send>>,
    started: Instant,
    /// How often claims of that file and name were told.
    told: Mutex<BTreeMap<(String, String), usize>>,
}

impl Events {
    /// Opens the file; `-` is standard output.
    pub fn open(path: &Path) -> Result<Arc<Events>, Failure> {
        let out: Box<dyn Write + Send> = match path == Path::new("-") {
            true => Box::new(std::io::stdout()),
            false => {
                let mut how = OpenOptions::new();
                let is_new = !path.exists() || path.is_file();
                how.write(true)
                    .create(true)
                    .append(!is_new)
                    .truncate(is_new);
                let opened = how.open(path);
                Box::new(opened.map_err(|e| {
                    Failure::file(format!("cannot write `{}`: {e}", path.display()))
                })?)
            }
        };
        Ok(Arc::new(Events {
            out: Mutex::new(out),
            started: Instant::now(),
            told: Mutex::default(),
        }))
    }

    /// Writes a line. A reader that went away misses the rest, and the verdicts stay what they are.
    fn tell(&self, event: &str, mut about: Value) {
        about["event"] = event.into();
        about["at_seconds"] = self.started.elapsed().as_secs_f64().into();
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = out.write_all(format!("{about}\n").as_bytes());
        let _ = out.flush();
    }

    /// The call begins.
    pub fn start(&self, models: usize) {
        let version = env!("CARGO_PKG_VERSION");
        let about = json!({ "schema": "suppose-events", "schema_version": 1, "version": version, "models": models });
        self.tell("start", about);
    }

    /// How far the check of a model is.
    pub fn progress(&self, file: &str, mut progress: Value) {
        progress["file"] = file.into();
        self.tell("progress", progress);
    }

    /// A claim is decided: what [`decided`] makes of it.
    pub fn claim(&self, file: &str, mut about: Value) {
        let name = about["claim"].as_str().unwrap_or("").to_owned();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        *told.entry((file.to_owned(), name)).or_default() += 1;
        about["file"] = file.into();
        self.tell("claim", about);
    }

    /// Was a claim told already? Each telling counts for one claim of that name.
    fn was_told(&self, file: &str, claim: &str) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let count = told.get_mut(&(file.to_owned(), claim.to_owned()));
        count.is_some_and(|count| {
            let was_told = *count > 0;
            *count = count.saturating_sub(1);
            was_told
        })
    }

    /// A model is done: the claims that were not told, and its verdict.
    pub fn done(&self, checked: &Checked, status: ExitStatus) {
        let open = |c: &&CheckedClaim| !self.was_told(&checked.file, &c.name);
        for claim in checked.claims.iter().filter(open) {
            let about = json!({
                "file": checked.file,
                "claim": claim.name,
                "kind": claim.kind,
                "verdict": claim.verdict,
                "reason": claim.reason.as_ref().map(|(word, _)| word),
                "engine": claim.engine,
                "elapsed_seconds": claim.elapsed.map(|e| e.as_secs_f64()),
            });
            self.tell("claim", about);
        }
        let errors: Vec<&String> = checked.errors.iter().map(|e| &e.message).collect();
        let about = json!({
            "file": checked.file,
            "outcome": checked.outcome,
            "exit_status": status.number(),
            "errors": errors,
            "elapsed_seconds": checked.elapsed.as_secs_f64(),
        });
        self.tell("model", about);
    }

    /// The call ends.
    pub fn end(&self, last_line: &str, status: ExitStatus) {
        let about = json!({ "last_line": last_line, "exit_status": status.number() });
        self.tell("end", about);
    }
}

/// A claim that was decided, as an event has it.
pub fn decided(claim: &DecidedClaim) -> Value {
    let result = &claim.result;
    json!({
        "claim": result.name,
        "kind": claim.kind,
        "verdict": result.verdict,
        "reason": result.reason,
        "engine": result.engine,
        "elapsed_seconds": claim.elapsed.as_secs_f64(),
    })
}

/// Counts what an engine does, and says when it is time to tell.
pub struct Meter {
    counts: Counts,
    started: Instant,
    told: Mutex<Instant>,
}

impl Meter {
    /// Starts the clock.
    pub fn new() -> Meter {
        Meter {
            counts: Counts::default(),
            started: Instant::now(),
            told: Mutex::new(Instant::now()),
        }
    }

    /// Takes an event of an engine.
    pub fn update(&self, event: &Event) {
        self.counts.update(event);
    }

    /// What to tell, if it is time to.
    pub fn due(&self) -> Option<Value> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() < EVERY {
            return None;
        }
        *told = Instant::now();
        let (task, phase) = self.counts.activity();
        let number = |n: &std::sync::atomic::AtomicU64| n.load(Ordering::Relaxed);
        Some(json!({
            "task": task,
            "phase": phase,
            "states": number(&self.counts.states),
            "transitions": number(&self.counts.transitions),
            "round": number(&self.counts.round),
            "elapsed_seconds": self.started.elapsed().as_secs_f64(),
            "memory_bytes": suppose::resident_memory(),
        }))
    }
}

/// Tells the progress of one model, and passes everything on to another observer.
pub struct Teller {
    events: Arc<Events>,
    file: String,
    meter: Meter,
    inner: Watcher,
}

impl Teller {
    /// On the check of that file.
    pub fn new(events: Arc<Events>, file: String, inner: Watcher) -> Teller {
        let meter = Meter::new();
        Teller {
            events,
            file,
            meter,
            inner,
        }
    }
}

impl Observer for Teller {
    fn on_event(&self, event: &Event) {
        self.meter.update(event);
        self.inner.on_event(event);
    }

    fn on_tick(&self) {
        if let Some(progress) = self.meter.due() {
            self.events.progress(&self.file, progress);
        }
        self.inner.on_tick();
    }

    fn is_cancelled(&self) -> bool {
        self.inner.is_cancelled()
    }
}
