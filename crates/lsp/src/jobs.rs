//! Checks and simulations in the background.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Sender;
use lsp_server::RequestId;
use lsp_types::NumberOrString;
use serde_json::{Value, json};
use suppose::simulate::Transcript;
use suppose::{
    CheckOptions, Counts, Event, Failure, Limits, Observer, Report, RunOptions, SimulateOptions,
    Simulation, Source,
};

use crate::LspOptions;

/// Steps of a random walk, unless more are asked for.
const WALK: u64 = 20;
/// Longer walks are for the command line.
const LONGEST_WALK: u64 = 10_000;

/// A step of a run, for the editor.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub text: String,
    /// Its line in the document, from 1.
    pub line: Option<u32>,
}

/// What became of a claim.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// `holds`, `violated` or `unknown`.
    pub word: String,
    pub reason: Option<String>,
    pub engine: String,
    pub is_certified: bool,
    pub steps: Vec<Step>,
    /// The whole report.
    pub report: Arc<str>,
}

impl Verdict {
    /// For a lens.
    pub fn title(&self) -> String {
        let mark = match self.word.as_str() {
            "holds" => "✓",
            "violated" => "✗",
            _ => "?",
        };
        let reason = self
            .reason
            .as_ref()
            .map_or(String::new(), |r| format!(" ({r})"));
        format!("{mark} {}{reason}", self.word)
    }

    /// For a diagnostic.
    pub fn message(&self, claim: &str) -> String {
        let reason = self
            .reason
            .as_ref()
            .map_or(String::new(), |r| format!(" ({r})"));
        let run = match self.steps.len() {
            0 => String::new(),
            1 => ", by a run of 1 step".to_owned(),
            n => format!(", by a run of {n} steps"),
        };
        format!("{claim}: {}{reason}{run}", self.word)
    }
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// One claim, or all of them.
    Check(Option<String>),
    /// A random walk.
    Simulate { steps: u64, seed: u64 },
    /// The run that violates a claim.
    Counterexample(Option<String>),
}

impl Task {
    /// What a command asks for, by its argument.
    pub fn of(command: &str, argument: &Value) -> Option<Task> {
        let property = argument["property"].as_str().map(str::to_owned);
        match command {
            "suppose.check" => Some(Task::Check(property)),
            "suppose.counterexample" => Some(Task::Counterexample(property)),
            "suppose.simulate" => Some(Task::Simulate {
                steps: argument["steps"].as_u64().unwrap_or(WALK).min(LONGEST_WALK),
                seed: argument["seed"].as_u64().unwrap_or(0),
            }),
            _ => None,
        }
    }

    pub fn title(&self) -> String {
        match self {
            Task::Check(Some(claim)) => format!("checking {claim}"),
            Task::Check(None) => "checking all claims".to_owned(),
            Task::Simulate { .. } => "simulating".to_owned(),
            Task::Counterexample(_) => "looking for a counterexample".to_owned(),
        }
    }
}

/// A command that runs.
pub(crate) struct Running {
    pub number: u64,
    /// The request that waits for it.
    pub request: RequestId,
    pub uri: String,
    pub task: Task,
    pub version: i32,
    pub progress: Arc<Progress>,
    /// The token by which the editor shows its progress.
    pub token: Option<NumberOrString>,
}

/// Its result.
pub(crate) struct Done {
    pub number: u64,
    pub result: Result<Outcome, Failure>,
}

/// What was found.
pub(crate) enum Outcome {
    /// By claim.
    Verdicts(Vec<(String, Verdict)>, String),
    /// A run as text.
    Run(String, String),
}

/// Counts what a job does, and stops it.
#[derive(Default)]
pub(crate) struct Progress {
    cancelled: AtomicBool,
    counts: Counts,
}

impl Progress {
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// One line about what it does.
    pub fn line(&self) -> String {
        let (task, phase) = self.counts.activity();
        let states = self.counts.states.load(Ordering::Relaxed);
        let what = [task, phase].into_iter().filter(|t| !t.is_empty());
        let what = what.collect::<Vec<_>>().join(", ");
        match states {
            0 => what,
            n => format!("{what}: {n} states"),
        }
    }
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        self.counts.update(event);
    }

    fn is_cancelled(&self) -> bool {
        self.is_over()
    }
}

/// Starts it. False if there can be no more threads.
pub(crate) fn start(
    number: u64,
    task: Task,
    source: Source,
    own_name: String,
    options: LspOptions,
    progress: Arc<Progress>,
    done: Sender<Done>,
) -> bool {
    let work = move || {
        let run = || work(&task, &source, &own_name, options, progress);
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        let result = caught.unwrap_or_else(|_| Err(Failure::internal("the check panicked")));
        let _ = done.send(Done { number, result });
    };
    let thread = std::thread::Builder::new().name(format!("job {number}"));
    thread.spawn(work).is_ok()
}

fn work(
    task: &Task,
    source: &Source,
    own_name: &str,
    options: LspOptions,
    progress: Arc<Progress>,
) -> Result<Outcome, Failure> {
    let run = RunOptions {
        limits: Limits {
            timeout: Some(options.timeout),
            memory: Some(options.memory),
            ..Limits::default()
        },
        ..RunOptions::default()
    };
    match task {
        Task::Check(claim) => {
            let asked = asked(claim.as_deref(), run);
            let report = suppose::check(source, &asked, progress)?;
            let last = report.last_line();
            Ok(Outcome::Verdicts(verdicts(&report, own_name), last))
        }
        Task::Counterexample(claim) => {
            let asked = asked(claim.as_deref(), run);
            let report = suppose::check(source, &asked, progress)?;
            let replayed = match claim {
                Some(claim) => report.replay_of(claim),
                None => report.replay(),
            };
            match replayed {
                Some(Ok(transcript)) => Ok(Outcome::Run(written(&transcript), report.last_line())),
                _ => Ok(Outcome::Run(report.text(false), report.last_line())),
            }
        }
        Task::Simulate { steps, seed } => {
            let asked = SimulateOptions {
                steps: *steps,
                seed: *seed,
                run,
                ..SimulateOptions::default()
            };
            match suppose::simulate(source, &asked, None, progress)? {
                Simulation::Walked(transcript, _) => {
                    Ok(Outcome::Run(written(&transcript), transcript.last_line()))
                }
                Simulation::Nothing(report) => {
                    Ok(Outcome::Run(report.text(false), report.last_line()))
                }
            }
        }
    }
}

fn asked(claim: Option<&str>, run: RunOptions) -> CheckOptions {
    let mut options = CheckOptions {
        run,
        ..CheckOptions::default()
    };
    match claim {
        // Deadlock is asked for by an option of its own.
        Some("deadlock" | "end-states") => options.claims.deadlock = true,
        Some(claim) => options.claims.properties.push(claim.to_owned()),
        None => {}
    }
    options
}

fn verdicts(report: &Report, own_name: &str) -> Vec<(String, Verdict)> {
    let text: Arc<str> = report.text(false).into();
    let claims = report.claims().into_iter();
    let verdicts = claims.map(|claim| {
        let run = match claim.verdict {
            "violated" => report.replay_of(&claim.name),
            _ => None,
        };
        let steps = match run {
            Some(Ok(transcript)) => steps(&transcript, own_name),
            _ => Vec::new(),
        };
        let verdict = Verdict {
            word: claim.verdict.to_owned(),
            reason: claim.reason,
            engine: claim.engine,
            is_certified: claim.is_certified,
            steps,
            report: Arc::clone(&text),
        };
        (claim.name, verdict)
    });
    verdicts.collect()
}

fn steps(transcript: &Transcript, own_name: &str) -> Vec<Step> {
    let steps = transcript.steps.iter().enumerate();
    let steps = steps.map(|(number, taken)| {
        let place = taken.place.as_deref().and_then(|p| p.rsplit_once(':'));
        let line =
            place.filter(|(file, _)| *file == own_name || own_name.ends_with(&format!("/{file}")));
        Step {
            text: format!("{}. {}", number + 1, line_of(taken)),
            line: line.and_then(|(_, line)| line.parse().ok()),
        }
    });
    steps.collect()
}

/// One step in one line.
fn line_of(taken: &suppose::simulate::Taken) -> String {
    let mut line = taken.label.clone();
    if !taken.actors.is_empty() {
        line = format!("{line} ({})", taken.actors.join(", "));
    }
    let changes = taken.changes.iter().map(|c| match &c.value {
        Some(value) => format!("{} = {value}", c.name),
        None => format!("{} ends", c.name),
    });
    let changes: Vec<String> = changes.collect();
    match changes.is_empty() {
        true => line,
        false => format!("{line}: {}", changes.join(", ")),
    }
}

/// A run, a line for each step.
fn written(transcript: &Transcript) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (number, taken) in transcript.steps.iter().enumerate() {
        if transcript.loops_to == Some(number) {
            lines.push("from here on it repeats:".to_owned());
        }
        lines.push(format!("{:>4}. {}", number + 1, line_of(taken)));
    }
    lines.push(transcript.last_line());
    lines.join("\n")
}

impl Outcome {
    /// The answer to the command.
    pub fn json(&self) -> Value {
        match self {
            Outcome::Verdicts(all, last) => {
                let claims: Vec<Value> = all
                    .iter()
                    .map(|(name, v)| {
                        json!({
                            "name": name,
                            "verdict": v.word,
                            "reason": v.reason,
                            "engine": v.engine,
                            "certified": v.is_certified,
                            "steps": v.steps.iter().map(|s| &s.text).collect::<Vec<_>>(),
                        })
                    })
                    .collect();
                let text = all.first().map_or("", |(_, v)| &v.report);
                json!({ "claims": claims, "last_line": last, "text": text })
            }
            Outcome::Run(text, last) => json!({ "text": text, "last_line": last }),
        }
    }
}
