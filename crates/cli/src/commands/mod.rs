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

use suppose_frontends::Language;
use suppose_model::{Claim, Reason};
use suppose_refine::Context;

use crate::args::{Cli, Command, Format, LimitArgs, Look, ModelArgs};
use crate::failure::Failure;
use crate::findings::Shared;
use crate::input;
use crate::options::Given;
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
    /// What stands on the command line.
    pub given: Arc<Given>,
}

impl Desk {
    /// The language of the model, when everything that was asked for means something for it.
    pub fn language(&self, files: &[PathBuf], model: &ModelArgs) -> Result<Language, Failure> {
        let language = input::language(files, model)?;
        let name = files.first().map_or(String::new(), |f| input::name(f));
        self.given.refuse(language, &name)?;
        Ok(language)
    }

    /// Takes note of a result that could not be written: the verdicts are told all the same.
    pub fn written(&self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            let mut findings = self.findings.lock();
            findings.warnings.push(failure.first());
            findings.unwritten.push(failure.first());
        }
    }

    /// Writes the page that was asked for.
    pub fn write_report(&self, path: Option<&PathBuf>) {
        if let Some(path) = path {
            self.counters.begin("writing the report");
            let page = self.findings.snapshot().html(&self.watch);
            self.written(crate::files::write_file(path, page.as_bytes()));
        }
    }

    /// The limits of this command, for what runs outside of an engine.
    pub fn context(&self) -> Context {
        let observer = Arc::clone(&self.counters);
        Context::new(self.watch.fresh(), observer)
    }
}

/// Does what the command line says.
pub fn run(cli: Cli, given: Given) -> Output {
    let how = How {
        look: cli.look,
        given: Arc::new(given),
    };
    let look = cli.look;
    if let Err(failure) = how.given.probe() {
        return Output::failure(&failure, look);
    }
    match cli.command {
        Command::Check(a) => verdict(a.limits, how, move |desk| check::check(a, desk)),
        Command::Report(a) => verdict(a.limits, how, move |desk| check::report(a, desk)),
        Command::Assume(a) => verdict(a.limits, how, move |desk| assume::run(&a, desk)),
        Command::Spin(a) => verdict(a.limits, how, move |desk| crate::spin::spin(&a, desk)),
        Command::Certify(a) => work(a.limits, how, move |desk| certify::certify(&a, desk)),
        Command::Convert(a) => work(a.limits, how, move |desk| convert::run(&a, desk)),
        Command::Draw(a) => work(a.limits, how, move |desk| draw::run(&a, desk)),
        Command::Options(a) => crate::options::list(a, look),
        Command::Completions(a) => Output::ok(paperwork::completions(a.shell)),
        Command::Man(a) => told(paperwork::man(a.command.as_deref()), look),
    }
}

/// What all commands are told.
struct How {
    look: Look,
    given: Arc<Given>,
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
    how: How,
    job: impl FnOnce(&Desk) -> Result<Output, Failure> + Send + 'static,
) -> Output {
    let look = how.look;
    let (_, ended) = watched(limits, how, job);
    told(
        match ended {
            Ended::Finished(result) => result,
            Ended::Panicked(message) => Err(Failure::internal(message)),
            Ended::Abandoned(why) => {
                crate::files::give_up();
                Err(Failure::limit(why))
            }
        },
        look,
    )
}

/// Runs a command that ends in verdicts. What is abandoned ends in those it has, and `unknown` for
/// the rest.
fn verdict(
    limits: LimitArgs,
    how: How,
    job: impl FnOnce(&Desk) -> Result<Output, Failure> + Send + 'static,
) -> Output {
    let look = how.look;
    let (desk, ended) = watched(limits, how, job);
    let reason = match ended {
        Ended::Finished(Ok(output)) => return output,
        Ended::Finished(Err(failure)) => return after_failure(&desk, &failure),
        Ended::Panicked(message) => Reason::Internal(message),
        Ended::Abandoned(why) => Reason::from(why),
    };
    crate::files::give_up();
    let mut findings = desk.findings.snapshot();
    if let (Reason::Internal(message), false) = (&reason, findings.is_read()) {
        return Output::failure(&Failure::internal(message), look);
    }
    if findings.is_read() && findings.is_decided() {
        let warning = format!("{} before everything was written", reason.word());
        findings.warnings.push(warning);
    }
    findings.give_up(&reason, &desk.counters);
    findings.output(&desk.watch, look)
}

/// Something went wrong. What was decided before is told all the same: a verdict that was found is never lost.
fn after_failure(desk: &Desk, failure: &Failure) -> Output {
    let mut findings = desk.findings.snapshot();
    if !findings.has_verdicts() {
        return Output::failure(failure, desk.look);
    }
    findings.warnings.push(failure.first());
    findings.give_up(&Reason::Unsupported(failure.first()), &desk.counters);
    let mut output = findings.output(&desk.watch, desk.look);
    let said = failure.text(crate::output::colour(desk.look, &std::io::stderr()));
    output.stderr = [said, output.stderr].join("\n").trim_end().to_owned();
    output
}

fn watched<T: Send + 'static>(
    limits: LimitArgs,
    how: How,
    job: impl FnOnce(&Desk) -> T + Send + 'static,
) -> (Desk, Ended<T>) {
    silence_panics();
    let interrupted = listen();
    let desk = Desk {
        watch: Watch::new(limits),
        counters: Arc::default(),
        findings: Shared::default(),
        look: how.look,
        given: how.given,
    };
    let counters = Arc::clone(&desk.counters);
    let mut progress = Progress::new(counters, limits.timeout, desk.look.quiet);
    let own = desk.clone();
    let ended = desk
        .watch
        .run(&interrupted, || progress.tick(), move || job(&own));
    (desk, ended)
}
