//! One model of several, checked by a process of its own.
//!
//! The limits on time and memory then hold for each model, and one that ends its process takes no other with it. The worker is
//! this program with a command line that begins with [`MARK`]: whether to use colours, the files of the model after
//! their number, and then what the user typed come next. It writes messages, a line of JSON each, to standard output: the last is the result. When its
//! standard input ends, so does the run, because the process that waits for it is gone or wants to end.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use suppose::{DecidedClaim, Event, ExitStatus, Failure, Observer, Report, Source};

use crate::args::{Cli, Colour, Format, OutputOptions};
use crate::asked::check_options;
use crate::events::{Meter, decided};
use crate::output::{Output, rendered};
use crate::progress::listen;

use super::naming;

/// The first argument of a worker.
const MARK: &str = "--as-worker";
const COLOURS: &str = "colours";

/// What a worker says of its model.
#[derive(Debug, Serialize, Deserialize)]
pub struct Message {
    /// The exit status that a call with this model alone would have.
    pub status: u8,
    /// What such a call would print.
    pub stdout: String,
    /// What it would print on standard error.
    pub stderr: String,
    /// The JSON document of the result or of the error.
    pub document: String,
}

impl Message {
    fn of(report: &Report, look: OutputOptions) -> Message {
        let output = rendered(report, look);
        Message {
            document: report.json(),
            ..Message::new(output)
        }
    }

    /// Of a failure.
    pub fn failure(failure: &Failure, look: OutputOptions) -> Message {
        let output = Output::failure(failure, look);
        Message {
            document: failure.json(),
            ..Message::new(output)
        }
    }

    fn new(output: Output) -> Message {
        Message {
            status: output.status.number(),
            stdout: output.stdout,
            stderr: output.stderr,
            document: String::new(),
        }
    }
}

/// What a worker is told.
pub struct Told {
    /// The files of its model.
    pub files: Vec<PathBuf>,
    /// Are colours used?
    pub colours: bool,
    /// The user's own command line.
    pub typed: Vec<OsString>,
}

/// Takes apart the command line of a worker.
pub fn arguments(all: &[OsString]) -> Option<Told> {
    let [program, mark, colours, count, rest @ ..] = all else {
        return None;
    };
    if mark != MARK {
        return None;
    }
    let count: usize = count.to_str()?.parse().ok()?;
    let (files, typed) = rest.split_at_checked(count)?;
    let typed = std::iter::once(program).chain(typed).cloned().collect();
    Some(Told {
        files: files.iter().map(PathBuf::from).collect(),
        colours: colours == COLOURS,
        typed,
    })
}

/// The arguments before what the user typed.
pub fn told(files: &[PathBuf], colours: bool) -> Vec<OsString> {
    let colours = if colours { COLOURS } else { "plain" };
    let count = files.len().to_string();
    let words = [MARK.into(), colours.into(), count.into()];
    let files = files.iter().map(|f| f.clone().into_os_string());
    words.into_iter().chain(files).collect()
}

/// Checks the model as a command line says, and writes the message.
pub fn work(cli: Cli, given: Vec<String>, told: Told) -> ExitStatus {
    let look = OutputOptions {
        quiet: false,
        format: Format::Text,
        colour: match told.colours {
            true => Colour::Always,
            false => Colour::Never,
        },
    };
    let message = match check_options(cli.command, given) {
        None => Message::failure(&Failure::internal("not a command of a worker"), look),
        Some((_, mut options, _)) => {
            if let Some(first) = told.files.first() {
                naming::name_outputs(&mut options, first);
            }
            suppose::silence_panics();
            let watcher = Arc::new(Orphan::new());
            let tell = |claim: &DecidedClaim| say(&json!({ "claim": decided(claim) }));
            let source = Source::files(told.files);
            match suppose::check_telling(&source, &options, watcher, tell) {
                Ok(report) => Message::of(&report, look),
                Err(failure) => Message::failure(&failure, look),
            }
        }
    };
    let mut out = std::io::stdout();
    let line = serde_json::to_string(&message).unwrap_or_default() + "\n";
    match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitStatus::Holds,
        Err(_) => ExitStatus::Internal,
    }
}

/// Writes a line that is not the last. Nobody may be there to read it; then the run ends anyway.
fn say(what: &Value) {
    let mut out = std::io::stdout();
    let _ = out
        .write_all(format!("{what}\n").as_bytes())
        .and_then(|()| out.flush());
}

/// Ends the run when nobody waits for it any more, or at Ctrl-C.
struct Orphan {
    /// Not the same flag: a signal ends the process at once when its flag is up already, and nothing would be kept.
    interrupted: Arc<AtomicBool>,
    alone: Arc<AtomicBool>,
    meter: Meter,
}

impl Orphan {
    fn new() -> Orphan {
        let alone = Arc::new(AtomicBool::new(false));
        let own = Arc::clone(&alone);
        // Without the thread only signals end the run.
        let _ = std::thread::Builder::new().spawn(move || {
            let mut byte = [0];
            while matches!(std::io::stdin().read(&mut byte), Ok(1..)) {}
            own.store(true, Ordering::Relaxed);
        });
        Orphan {
            interrupted: listen(),
            alone,
            meter: Meter::new(),
        }
    }
}

impl Observer for Orphan {
    fn on_event(&self, event: &Event) {
        self.meter.update(event);
    }

    fn on_tick(&self) {
        if let Some(progress) = self.meter.due() {
            say(&json!({ "progress": progress }));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.alone.load(Ordering::Relaxed)
    }
}
