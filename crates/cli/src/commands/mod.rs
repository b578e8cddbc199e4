//! The commands, one file each, and what surrounds them.

pub mod assume;
pub mod certify;
pub mod check;
pub mod convert;
pub mod draw;
mod paperwork;
mod premises;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use suppose_model::{Claim, Reason};
use suppose_refine::Context;

use crate::args::{Cli, Command, Format, LimitArgs, Look};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::findings::Shared;
use crate::output::Output;
use crate::progress::{Counters, Progress};
use crate::watch::{Ended, Watch, listen, silence_panics};

/// What every command works with.
#[derive(Clone)]
pub struct Desk {
    /// Limits.
    pub watch: Arc<Watch>,
    /// What is going on.
    pub counters: Arc<Counters>,
    /// What a check has found.
    pub findings: Shared,
    /// How results look.
    pub look: Look,
}

impl Desk {
    /// The limits of this command, for what runs outside of an engine.
    pub fn context(&self) -> Context {
        let observer = Arc::clone(&self.counters);
        Context::new(self.watch.fresh(), observer)
    }
}

/// Does what the command line says.
pub fn run(cli: Cli) -> Output {
    let look = cli.look;
    match cli.command {
        Command::Check(a) => verdict(a.limits, look, move |desk| check::check(a, desk)),
        Command::Report(a) => verdict(a.limits, look, move |desk| check::report(a, desk)),
        Command::Assume(a) => verdict(a.limits, look, move |desk| assume::run(&a, desk)),
        Command::Spin(a) => verdict(a.limits, look, move |desk| crate::spin::spin(&a, desk)),
        Command::Certify(a) => work(a.limits, look, move |desk| certify::certify(&a, desk)),
        Command::Convert(a) => work(a.limits, look, move |desk| convert::run(&a, desk)),
        Command::Draw(a) => work(a.limits, look, move |desk| draw::run(&a, desk)),
        Command::Completions(a) => Output::ok(paperwork::completions(a.shell)),
        Command::Man(a) => told(paperwork::man(a.command.as_deref()), look),
        Command::Bench(a) => told(crate::bench::run(&a, look), look),
    }
}

fn told(result: Result<Output, Failure>, look: Look) -> Output {
    result.unwrap_or_else(|failure| Output::failure(&failure, look))
}

/// A file was written, and that is all there is to say.
pub fn wrote(path: &Path, look: Look) -> Output {
    let name = path.display().to_string();
    Output::ok(match (look.format, look.quiet) {
        (Format::Text, true) => String::new(),
        (Format::Text, false) => format!("wrote {name}"),
        (Format::Json, _) => serde_json::json!({ "wrote": name }).to_string(),
    })
}

/// A claim in the name of a file.
pub fn claim_word(claim: Claim) -> String {
    match claim {
        Claim::DeadlockFree => "deadlock".to_owned(),
        Claim::Property(number) => format!("property-{number}"),
    }
}

/// `model.cert` with `deadlock` becomes `model.deadlock.cert`: of several results each gets a file.
pub fn with_words(path: &Path, words: &[String]) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    for word in words {
        name.push(".");
        name.push(word);
    }
    if let Some(end) = path.extension() {
        name.push(".");
        name.push(end);
    }
    path.with_file_name(name)
}

/// Runs a command under its limits. What is abandoned ends in an error.
fn work(
    limits: LimitArgs,
    look: Look,
    job: impl FnOnce(&Desk) -> Result<Output, Failure> + Send + 'static,
) -> Output {
    let (_, ended) = watched(limits, look, job);
    told(
        match ended {
            Ended::Finished(result) => result,
            Ended::Panicked(message) => Err(Failure::internal(message)),
            Ended::Abandoned(why) => Err(Failure::limit(why)),
        },
        look,
    )
}

/// Runs a command that ends in verdicts. What is abandoned ends in those it has, and `unknown` for
/// the rest.
fn verdict(
    limits: LimitArgs,
    look: Look,
    job: impl FnOnce(&Desk) -> Result<Output, Failure> + Send + 'static,
) -> Output {
    let (desk, ended) = watched(limits, look, job);
    let reason = match ended {
        Ended::Finished(result) => return told(result, look),
        Ended::Panicked(message) => Reason::Internal(message),
        Ended::Abandoned(why) => Reason::from(why),
    };
    let mut findings = desk.findings.snapshot();
    if let (Reason::Internal(message), false) = (&reason, findings.is_read()) {
        return Output::failure(&Failure::internal(message), look);
    }
    let unwritten = findings.is_read() && findings.is_decided();
    if unwritten {
        let warning = format!("{} before everything was written", reason.word());
        findings.warnings.push(warning);
    }
    findings.give_up(&reason, &desk.counters);
    let mut output = findings.output(&desk.watch, look);
    if unwritten {
        output.status = match reason {
            Reason::Internal(_) => ExitStatus::Internal,
            _ => ExitStatus::Limit,
        };
    }
    output
}

fn watched<T: Send + 'static>(
    limits: LimitArgs,
    look: Look,
    job: impl FnOnce(&Desk) -> T + Send + 'static,
) -> (Desk, Ended<T>) {
    silence_panics();
    let interrupted = listen();
    let desk = Desk {
        watch: Watch::new(limits),
        counters: Arc::default(),
        findings: Shared::default(),
        look,
    };
    let counters = Arc::clone(&desk.counters);
    let mut progress = Progress::new(counters, limits.timeout, look.quiet);
    let own = desk.clone();
    let ended = desk
        .watch
        .run(&interrupted, || progress.tick(), move || job(&own));
    (desk, ended)
}
