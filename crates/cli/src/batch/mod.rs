//! Several models in one call: each is checked by a process of its own, a few at once, and shown in the order in which they
//! were named.

pub mod expand;
mod glob;
pub mod naming;
pub mod pool;
pub mod worker;

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use suppose::{CheckOptions, ExitStatus, Failure};
use suppose_report::{Checked, format_duration, shown, summary};

use crate::args::{Format, OutputOptions, ResultArgs, SeveralArgs};
use crate::events::Events;
use crate::output::{Output, colour};
use crate::progress::listen;

use pool::{Audience, Job};
use worker::Message;

/// Checks several models. What is shown of each is written as soon as those before it are done; returned is what comes after
/// the last.
pub fn check(
    files: &[PathBuf],
    notes: &[String],
    options: &CheckOptions,
    several: &SeveralArgs,
    look: OutputOptions,
) -> Result<Output, Failure> {
    naming::probe(options, files, &several.results.outputs())?;
    let typed: Vec<OsString> = std::env::args_os().skip(1).collect();
    let job = |file: &PathBuf| Job {
        files: vec![file.clone()],
        arguments: typed.clone(),
    };
    let jobs: Vec<Job> = files.iter().map(job).collect();
    let notes = notes.iter().map(|n| format!("note: {n}\n"));
    let _ = std::io::stderr().write_all(notes.collect::<String>().as_bytes());
    let results = &several.results;
    let events = results.events(look)?;
    if let Some(events) = &events {
        events.start(jobs.len());
    }
    let look = OutputOptions {
        // Events take the place of the text.
        quiet: look.quiet || results.are_on_stdout(),
        ..look
    };
    let mut shown = Shown::new(&jobs, look);
    shown.events = events;
    let interrupted = listen();
    let colours = colour(look, &std::io::stdout());
    let at_once = several.at_once();
    pool::run(&jobs, at_once, look, colours, &interrupted, &mut shown);
    Ok(shown.finish(&several.results))
}

/// What became of one model.
struct Done {
    checked: Checked,
    status: ExitStatus,
    /// For one JSON document on all.
    document: Option<String>,
}

/// Shows the models one after the other.
struct Shown<'a> {
    jobs: &'a [Job],
    look: OutputOptions,
    started: Instant,
    done: Vec<Done>,
    bar: Option<ProgressBar>,
    /// Nobody reads standard output any more.
    gone: bool,
    /// Standard output cannot be written.
    failed: Option<String>,
    events: Option<Arc<Events>>,
}

impl<'a> Shown<'a> {
    fn new(jobs: &'a [Job], look: OutputOptions) -> Self {
        let bar = (!look.quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Shown {
            jobs,
            look,
            started: Instant::now(),
            done: Vec::new(),
            bar,
            gone: false,
            failed: None,
            events: None,
        }
    }

    fn name(&self, number: usize) -> String {
        let job = self.jobs.get(number);
        job.map_or(String::new(), Job::name)
    }

    /// Writes what a call with this model alone would have printed.
    fn show(&mut self, name: &str, message: &Message) {
        let mut out = String::new();
        if self.look.format == Format::Text && !self.look.quiet {
            out = format!("== {}\n{}", shown(name), message.stdout);
            if !out.ends_with('\n') {
                out.push('\n');
            }
            out.push('\n');
        }
        let mut errors = message.stderr.clone();
        if !errors.is_empty() && !errors.ends_with('\n') {
            errors.push('\n');
        }
        if self.look.format == Format::Json {
            errors.clear();
        }
        let write = || {
            let mut stdout = std::io::stdout();
            let written = stdout.write_all(out.as_bytes());
            let written = written.and_then(|()| stdout.flush());
            let _ = std::io::stderr().write_all(errors.as_bytes());
            written
        };
        let written = match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.gone = true,
            Err(error) => self.failed = Some(error.to_string()),
            Ok(()) => {}
        }
    }

    /// The table, or the document, and the worst verdict.
    fn finish(self, results: &ResultArgs) -> Output {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let statuses = self.done.iter().map(|d| d.status);
        let status = ExitStatus::worst(statuses).unwrap_or(ExitStatus::Unknown);
        let last_line = last_line(&self.done, status);
        let elapsed = self.started.elapsed();
        let checked: Vec<Checked> = self.done.iter().map(|d| d.checked.clone()).collect();
        let unwritten = results.tell(&checked, status);
        if let Some(events) = &self.events {
            events.end(&last_line, status);
        }
        if let Some(error) = &self.failed {
            return Output {
                stdout: String::new(),
                stderr: format!("error: cannot write the result: {error}"),
                status: ExitStatus::Input,
            };
        }
        let stdout = match (self.look.format, self.look.quiet, self.gone) {
            (_, _, true) => String::new(),
            _ if results.are_on_stdout() => String::new(),
            (Format::Json, ..) => document(&self.done, &last_line, status, elapsed),
            (Format::Text, true, _) => last_line,
            (Format::Text, false, _) => {
                format!("{}{last_line}", summary(&checked, elapsed))
            }
        };
        Output {
            stdout,
            stderr: unwritten,
            status,
        }
    }
}

impl Audience for Shown<'_> {
    fn hear(&mut self, number: usize, message: Message, elapsed: Duration) -> bool {
        let name = self.name(number);
        self.show(&name, &message);
        let parsed = serde_json::from_str(&message.document).unwrap_or_default();
        let mut checked = Checked::of(&name, &parsed);
        if checked.elapsed.is_zero() {
            checked.elapsed = elapsed;
        }
        let status = ExitStatus::numbered(message.status).unwrap_or(ExitStatus::Internal);
        if let Some(events) = &self.events {
            events.done(&checked, status);
        }
        let keep = self.look.format == Format::Json;
        self.done.push(Done {
            checked,
            status,
            document: keep.then_some(message.document),
        });
        !self.gone && self.failed.is_none()
    }

    fn decided(&mut self, number: usize, claim: Value) {
        if let Some(events) = &self.events {
            events.claim(&self.name(number), claim);
        }
    }

    fn progress(&mut self, number: usize, progress: Value) {
        if let Some(events) = &self.events {
            events.progress(&self.name(number), progress);
        }
    }

    fn wait(&mut self, running: &[(usize, Instant)], done: usize) {
        let Some(bar) = &self.bar else {
            return;
        };
        let now = running.iter().map(|(number, since)| {
            let time = format_duration(since.elapsed());
            format!("{} {time}", shown(&self.name(*number)))
        });
        let now: Vec<String> = now.collect();
        let all = self.jobs.len();
        bar.set_message(format!("{done} of {all} models · {}", now.join(" · ")));
        bar.tick();
    }
}

/// The worst verdict, with the model that has it: `violated(a.pml: assertions)`.
fn last_line(done: &[Done], status: ExitStatus) -> String {
    if status == ExitStatus::Holds {
        return "holds".to_owned();
    }
    let Some(worst) = done.iter().find(|d| d.status == status) else {
        return "unknown(nothing to check)".to_owned();
    };
    let file = shown(&worst.checked.file).into_owned();
    let outcome = &worst.checked.outcome;
    let inner = |word: &str| outcome.strip_prefix(word)?.strip_suffix(')');
    match (inner("violated("), inner("unknown(")) {
        (Some(claim), _) => format!("violated({file}: {claim})"),
        (None, Some(reason)) => format!("unknown({file}: {reason})"),
        (None, None) => format!("unknown({file}: {outcome})"),
    }
}

/// One document with those of all models.
fn document(done: &[Done], last_line: &str, status: ExitStatus, elapsed: Duration) -> String {
    let verdict = last_line.split('(').next().unwrap_or_default();
    // A string always becomes JSON.
    let text = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let models = done.iter().map(|d| {
        let document = d.document.as_deref().unwrap_or("null");
        format!(
            "    {{\n      \"file\": {},\n      \"exit_status\": {},\n      \"result\": {}\n    }}",
            text(&shown(&d.checked.file)),
            d.status.number(),
            document.trim_end().replace('\n', "\n      ")
        )
    });
    let models: Vec<String> = models.collect();
    format!(
        "{{\n  \"schema\": \"suppose-summary\",\n  \"schema_version\": 1,\n  \"version\": {},\n  \"verdict\": {},\n  \
         \"last_line\": {},\n  \"exit_status\": {},\n  \"models\": [\n{}\n  ],\n  \"timing\": {{ \"elapsed_seconds\": {} }}\n}}\n",
        text(env!("CARGO_PKG_VERSION")),
        text(verdict),
        text(last_line),
        status.number(),
        models.join(",\n"),
        elapsed.as_secs_f64()
    )
}
