//! Jobs: what runs, for which page, and what came of it.
//!
//! A job belongs to a page. A page is there as long as it reads its stream of events; when it is gone, its jobs are stopped after a short
//! while (a page that is loaded again keeps them).
//!
//! A walk waits for commands most of the time, so it takes no place from what computes; instead a page has one at most, and it ends
//! with the page's stream, because a page that is loaded again begins another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use suppose::{CertifyOptions, Failure, Source};

use crate::guard;
use crate::observe::{Progress, lock};
use crate::walk::Line;

/// Results that are kept; older ones are dropped.
const KEPT: usize = 60;
/// And so many bytes of them.
const KEPT_BYTES: usize = 512 << 20;
/// Pages that are open at once.
const PAGES: usize = 32;

/// All jobs.
pub(crate) struct Jobs {
    most: usize,
    /// How long the jobs of a page go on when it is gone.
    pub grace: Duration,
    folder: Scratch,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    next: u64,
    jobs: BTreeMap<u64, Job>,
    /// How many streams each page reads.
    pages: BTreeMap<String, usize>,
}

impl Table {
    /// Ends the walks of a page. Until they have, they count like everything else.
    fn end_walks(&mut self, page: &str) {
        for job in self.jobs.values_mut() {
            if job.page == page && job.line.take().is_some() {
                job.progress.cancel();
            }
        }
    }
}

struct Job {
    /// Empty when it is gone.
    page: String,
    progress: Arc<Progress>,
    done: Option<Arc<Done>>,
    /// The way to a walk that waits for commands.
    line: Option<Line>,
}

/// The result of a job.
#[derive(Default)]
pub(crate) struct Done {
    /// What the page shows.
    pub body: String,
    /// The counterexamples, by their claims.
    pub runs: BTreeMap<String, String>,
    /// The self-contained report.
    pub html: String,
    /// The evidence, and what is needed to check it again.
    pub evidence: Option<Evidence>,
}

/// Evidence in a file, which goes with this.
pub(crate) struct Evidence {
    /// The model.
    pub source: Source,
    /// How it was read, and the file.
    pub options: CertifyOptions,
}

impl Done {
    /// Without a result.
    pub fn failed(failure: &Failure) -> Done {
        let told: Value = serde_json::from_str(&failure.json()).unwrap_or_default();
        Done {
            body: json!({ "failure": told }).to_string(),
            ..Done::default()
        }
    }

    fn bytes(&self) -> usize {
        let runs: usize = self.runs.values().map(String::len).sum();
        self.body.len() + self.html.len() + runs
    }
}

impl Drop for Evidence {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.options.certificate);
    }
}

/// Why a job cannot begin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// This many run already.
    Jobs(usize),
    /// The page does not read its events.
    NoPage,
}

impl Jobs {
    pub fn new(most: usize, grace: Duration) -> Result<Jobs, Failure> {
        Ok(Jobs {
            most,
            grace,
            folder: Scratch::new()?,
            table: Mutex::default(),
        })
    }

    /// Where a job can write.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.0.join(name)
    }

    /// A page begins to read its events. False if there are too many pages.
    pub fn enter(&self, page: &str) -> bool {
        let mut table = lock(&self.table);
        if page.is_empty() || table.pages.len() >= PAGES && !table.pages.contains_key(page) {
            return false;
        }
        *table.pages.entry(page.to_owned()).or_default() += 1;
        true
    }

    /// A page no longer reads. True if it was the last stream of that page; then its walk is over.
    pub fn leave(&self, page: &str) -> bool {
        let mut table = lock(&self.table);
        let left = table.pages.get_mut(page).map(|n| {
            *n = n.saturating_sub(1);
            *n
        });
        if left == Some(0) {
            table.end_walks(page);
        }
        left == Some(0)
    }

    /// Stops the jobs of a page that has not come back, and forgets them.
    pub fn abandon(&self, page: &str) {
        let mut table = lock(&self.table);
        if table.pages.get(page).is_some_and(|n| *n > 0) {
            return;
        }
        table.pages.remove(page);
        // What still runs counts until it has ended.
        table.jobs.retain(|_, job| {
            if job.page != page {
                return true;
            }
            job.progress.cancel();
            (job.line, job.page) = (None, String::new());
            job.done.is_none()
        });
    }

    /// Stops everything.
    pub fn stop_all(&self) {
        let mut table = lock(&self.table);
        for job in table.jobs.values_mut() {
            job.progress.cancel();
            job.line = None;
        }
    }

    /// Makes room for a job of a page.
    pub fn begin(&self, page: &str, line: Option<Line>) -> Result<(u64, Arc<Progress>), Full> {
        let mut table = lock(&self.table);
        if table.pages.get(page).is_none_or(|n| *n == 0) {
            return Err(Full::NoPage);
        }
        let computes = |j: &&Job| j.done.is_none() && j.line.is_none();
        let running = table.jobs.values().filter(computes).count();
        if running >= self.most {
            return Err(Full::Jobs(running));
        }
        if line.is_some() {
            table.end_walks(page);
        }
        table.next += 1;
        let (id, progress) = (table.next, Arc::new(Progress::new()));
        let job = Job {
            page: page.to_owned(),
            progress: Arc::clone(&progress),
            done: None,
            line,
        };
        table.jobs.insert(id, job);
        Ok((id, progress))
    }

    /// A job has ended. What was kept longest makes room.
    pub fn finish(&self, id: u64, done: Done) {
        let mut table = lock(&self.table);
        match table.jobs.get_mut(&id) {
            Some(job) if !job.page.is_empty() => {
                job.done = Some(Arc::new(done));
                job.line = None;
            }
            // The page is gone.
            _ => {
                table.jobs.remove(&id);
                return;
            }
        }
        let finished = |t: &Table| {
            let done = t
                .jobs
                .iter()
                .filter_map(|(id, j)| Some((*id, j.done.as_ref()?.bytes())));
            done.collect::<Vec<(u64, usize)>>()
        };
        let mut kept = finished(&table);
        while kept.len() > 1
            && (kept.len() > KEPT || kept.iter().map(|k| k.1).sum::<usize>() > KEPT_BYTES)
        {
            let (oldest, _) = kept.remove(0);
            table.jobs.remove(&oldest);
        }
    }

    /// Stops a job, or forgets its result. False if there is none.
    pub fn remove(&self, id: u64) -> bool {
        let mut table = lock(&self.table);
        let Some(job) = table.jobs.get_mut(&id) else {
            return false;
        };
        job.progress.cancel();
        job.line = None;
        if job.done.is_some() {
            table.jobs.remove(&id);
        }
        true
    }

    /// The result of a job; none while it runs.
    pub fn done(&self, id: u64) -> Option<Option<Arc<Done>>> {
        lock(&self.table).jobs.get(&id).map(|j| j.done.clone())
    }

    /// The way to a walk.
    pub fn line(&self, id: u64) -> Option<Line> {
        lock(&self.table).jobs.get(&id)?.line.clone()
    }

    /// What there is to tell a page: its jobs, and for those that run what they do.
    pub fn state(&self, page: &str) -> Vec<(u64, Value)> {
        let table = lock(&self.table);
        let own = table.jobs.iter().filter(|(_, j)| j.page == page);
        own.map(|(id, job)| {
            let told = match &job.done {
                Some(_) => json!({ "job": id, "state": "done" }),
                None => json!({ "job": id, "state": "running", "progress": job.progress.json() }),
            };
            (*id, told)
        })
        .collect()
    }

    /// How many run.
    pub fn running(&self) -> usize {
        let table = lock(&self.table);
        table.jobs.values().filter(|j| j.done.is_none()).count()
    }
}

/// A folder of the server's own, for evidence.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, Failure> {
        use std::os::unix::fs::DirBuilderExt;
        let name = format!("suppose-serve-{}", &guard::random()?[..16]);
        let path = std::env::temp_dir().join(name);
        let made = std::fs::DirBuilder::new().mode(0o700).create(&path);
        made.map_err(|e| Failure::file(format!("cannot make `{}`: {e}", path.display())))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all::<&Path>(&self.0);
    }
}
