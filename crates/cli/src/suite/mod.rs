//! `suppose test`: the models of a repository, and whether their verdicts are the expected ones.

mod judge;
mod read;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::{Value, json};
use suppose::{ExitStatus, Failure, ModelOptions};
use suppose_report::{Checked, Expectation, format_duration, shown};

use crate::args::{Cli, Format, OutputOptions, ResultArgs, SeveralArgs};
use crate::asked::check_options;
use crate::batch::expand::{Asked, asked};
use crate::batch::naming;
use crate::batch::pool::{self, Audience, Job};
use crate::batch::worker::Message;
use crate::events::Events;
use crate::output::{Output, colour};
use crate::progress::listen;

use judge::Judged;
use read::{Expect, Suite};

/// Tests the models that `suppose.toml` in this folder lists.
pub fn test(path: &Path, several: &SeveralArgs, look: OutputOptions) -> Result<Output, Failure> {
    let suite = read::read(path)?;
    let tests = tests(&suite)?;
    probe(path, &tests, &several.results)?;
    let jobs: Vec<Job> = tests.iter().map(|(job, _)| job.clone()).collect();
    let interrupted = listen();
    let colours = colour(look, &std::io::stdout());
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
    let mut progress = Told {
        events,
        tests: &tests,
        suite: &suite,
        look,
        colours,
        started: Instant::now(),
        done: Vec::new(),
        gone: false,
    };
    let at_once = several.at_once();
    pool::run(&jobs, at_once, look, colours, &interrupted, &mut progress);
    Ok(progress.finish(&several.results))
}

/// The models, each with what is expected of it.
fn tests(suite: &Suite) -> Result<Vec<(Job, &Expect)>, Failure> {
    let mut tests = Vec::new();
    for entry in &suite.entries {
        let at_entry = |failure: Failure| {
            let mut place = suppose_source::Diagnostic::error(entry.span, failure.first());
            let help = failure.diagnostics.first().map(|d| d.help.clone());
            place.help = help.unwrap_or_default();
            judge::failure(&suite.sources, vec![place])
        };
        let models = asked(&entry.files, &ModelOptions::default()).map_err(at_entry)?;
        let models = match models {
            Asked::One(files) => vec![files],
            Asked::Several(files, _) => files.into_iter().map(|f| vec![f]).collect(),
        };
        for files in models {
            let mut arguments = vec![OsString::from("check")];
            arguments.extend(entry.arguments.clone());
            arguments.push("--".into());
            arguments.extend(files.iter().map(|f| f.clone().into_os_string()));
            tests.push((Job { files, arguments }, &entry.expect));
        }
    }
    Ok(tests)
}

/// No model's output is read by another, or overwritten.
fn probe(path: &Path, tests: &[(Job, &Expect)], results: &ResultArgs) -> Result<(), Failure> {
    let (mut read, mut written) = (vec![read::file(path)], results.outputs());
    for (job, _) in tests {
        read.extend(job.files.clone());
        let line = std::iter::once(OsString::from("suppose")).chain(job.arguments.clone());
        // That the command line accepts the options was seen when they were read.
        let parsed = Cli::try_parse_from(line).ok();
        let parsed = parsed.and_then(|cli| check_options(cli.command, Vec::new()));
        if let (Some((_, options, _)), Some(first)) = (parsed, job.files.first()) {
            read.extend(naming::read_beside(&options));
            written.extend(naming::outputs_of(&options, first));
        }
    }
    naming::probe_all(&read, &written)
}

/// One model and what came of it.
struct Tested {
    name: String,
    checked: Checked,
    judged: Judged,
    elapsed: Duration,
}

/// Shows what comes of each model, in order.
struct Told<'a> {
    tests: &'a [(Job, &'a Expect)],
    suite: &'a Suite,
    look: OutputOptions,
    colours: bool,
    started: Instant,
    done: Vec<Tested>,
    /// Nobody reads standard output any more.
    gone: bool,
    events: Option<Arc<Events>>,
}

impl Audience for Told<'_> {
    fn hear(&mut self, number: usize, message: Message, elapsed: Duration) -> bool {
        let Some((job, expect)) = self.tests.get(number) else {
            return false;
        };
        let name = job.name();
        let document = serde_json::from_str(&message.document).unwrap_or_default();
        let checked = Checked::of(&name, &document);
        let ended = ExitStatus::numbered(message.status).unwrap_or(ExitStatus::Internal);
        let mut judged = judge::judge(&checked, ended, expect);
        let errors = judge::failure(&self.suite.sources, std::mem::take(&mut judged.errors));
        if was_interrupted(&checked, ended) {
            judged.status = ExitStatus::Limit;
        }
        let tested = Tested {
            name,
            checked,
            judged,
            elapsed,
        };
        if self.look.format == Format::Text {
            let is_wrong = tested.judged.status != ExitStatus::Holds;
            let mut out = tested.lines(self.colours);
            if is_wrong && !message.stdout.is_empty() {
                let _ = write!(out, "\n{}\n\n", message.stdout.trim_end());
            }
            if !self.look.quiet {
                let mut stdout = std::io::stdout();
                let written = stdout.write_all(out.as_bytes());
                self.gone |= written.and_then(|()| stdout.flush()).is_err();
            }
            let mut complaints = errors.text(self.colours);
            if is_wrong && !message.stderr.is_empty() {
                complaints = format!("{}\n{complaints}", message.stderr.trim_end());
            }
            if !complaints.trim().is_empty() {
                let _ = writeln!(std::io::stderr(), "{}", complaints.trim_end());
            }
        }
        if let Some(events) = &self.events {
            events.done(&tested.with_expectations(), tested.judged.status);
        }
        self.done.push(tested);
        !self.gone
    }

    fn decided(&mut self, number: usize, claim: Value) {
        if let (Some(events), Some((job, _))) = (&self.events, self.tests.get(number)) {
            events.claim(&job.name(), claim);
        }
    }

    fn progress(&mut self, number: usize, progress: Value) {
        if let (Some(events), Some((job, _))) = (&self.events, self.tests.get(number)) {
            events.progress(&job.name(), progress);
        }
    }

    fn wait(&mut self, _: &[(usize, Instant)], _: usize) {}
}

fn was_interrupted(checked: &Checked, ended: ExitStatus) -> bool {
    let is = |word: &str| word == "interrupted";
    let by_claim = |c: &suppose_report::CheckedClaim| c.reason.as_ref().is_some_and(|r| is(&r.0));
    ended == ExitStatus::Limit
        && (checked.claims.iter().any(by_claim) || checked.errors.iter().any(|e| is(&e.message)))
}

impl Tested {
    /// What was found with what was expected of it.
    fn with_expectations(&self) -> Checked {
        let mut checked = self.checked.clone();
        for row in &self.judged.rows {
            let expected = Some(Expectation {
                verdict: row.expected.clone(),
                is_met: row.is_met,
            });
            match &row.claim {
                None => checked.expected = expected,
                Some(name) => {
                    let mut claims = checked.claims.iter_mut();
                    let it = claims.find(|c| c.name == *name && c.expected.is_none());
                    if let Some(claim) = it {
                        claim.expected = expected;
                    }
                }
            }
        }
        if checked.elapsed.is_zero() {
            checked.elapsed = self.elapsed;
        }
        checked
    }

    /// A line for each claim: `ok`, or `FAILED` with what was expected.
    fn lines(&self, colours: bool) -> String {
        let name = shown(&self.name).into_owned();
        let mut text = String::new();
        for row in &self.judged.rows {
            let claim = row
                .claim
                .as_deref()
                .map_or(String::new(), |c| format!(": {}", shown(c)));
            let (word, paint) = match row.is_met {
                true => ("ok    ", "32"),
                false => ("FAILED", "31;1"),
            };
            let word = match colours {
                true => format!("\u{1b}[{paint}m{word}\u{1b}[0m"),
                false => word.to_owned(),
            };
            let found = shown(&row.found);
            let said = match (row.is_met, row.is_written) {
                (true, true) => found.into_owned(),
                (true, false) => format!("{found} (no expectation is written)"),
                (false, true) => format!("expected {}, found {found}", shown(&row.expected)),
                (false, false) => {
                    format!("found {found}; no expectation is written, so it was to hold")
                }
            };
            let _ = writeln!(text, "{word}  {name}{claim}: {said}");
        }
        text
    }
}

impl Told<'_> {
    fn finish(self, results: &ResultArgs) -> Output {
        let statuses = self.done.iter().map(|t| t.judged.status);
        let status = ExitStatus::worst(statuses).unwrap_or(ExitStatus::Holds);
        let last_line = self.last_line(status);
        let elapsed = self.started.elapsed();
        let rows = || self.done.iter().flat_map(|t| &t.judged.rows);
        let failed = rows().filter(|r| !r.is_met).count();
        let checked: Vec<Checked> = self.done.iter().map(Tested::with_expectations).collect();
        let unwritten = results.tell(&checked, status);
        if let Some(events) = &self.events {
            events.end(&last_line, status);
        }
        let stdout = match (self.look.format, self.look.quiet) {
            _ if self.gone || results.are_on_stdout() => String::new(),
            (Format::Json, _) => self.document(status, &last_line, elapsed),
            (Format::Text, true) => last_line,
            (Format::Text, false) => format!(
                "\n{} models, {} verdicts: {} as expected, {failed} not; time {}\n{last_line}",
                self.done.len(),
                rows().count(),
                rows().count() - failed,
                format_duration(elapsed)
            ),
        };
        Output {
            stdout,
            stderr: unwritten,
            status,
        }
    }

    /// `passed`, or the first that is not as expected.
    fn last_line(&self, status: ExitStatus) -> String {
        if status == ExitStatus::Holds {
            return "passed".to_owned();
        }
        let Some(worst) = self.done.iter().find(|t| t.judged.status == status) else {
            return "failed".to_owned();
        };
        let name = shown(&worst.name);
        let wrong = worst.judged.rows.iter().find(|r| !r.is_met);
        match (status, wrong.and_then(|r| r.claim.as_deref())) {
            (ExitStatus::Unexpected, Some(claim)) => format!("failed({name}: {})", shown(claim)),
            (ExitStatus::Unexpected, None) => format!("failed({name})"),
            (ExitStatus::Limit, _) => format!("failed({name}: interrupted)"),
            (other, _) => format!("failed({name}: {})", other.word()),
        }
    }

    fn document(&self, status: ExitStatus, last_line: &str, elapsed: Duration) -> String {
        let models: Vec<_> = self
            .done
            .iter()
            .map(|t| {
                let rows = t.judged.rows.iter().map(|r| {
                    json!({
                        "claim": r.claim,
                        "expected": r.expected,
                        "found": r.found,
                        "as_expected": r.is_met,
                        "expectation_written": r.is_written,
                    })
                });
                json!({
                    "file": t.name,
                    "exit_status": t.judged.status.number(),
                    "verdicts": rows.collect::<Vec<_>>(),
                    "elapsed_seconds": t.elapsed.as_secs_f64(),
                })
            })
            .collect();
        let document = json!({
            "schema": "suppose-test",
            "schema_version": 1,
            "version": env!("CARGO_PKG_VERSION"),
            "exit_status": status.number(),
            "last_line": last_line,
            "models": models,
            "elapsed_seconds": elapsed.as_secs_f64(),
        });
        format!("{document:#}")
    }
}
