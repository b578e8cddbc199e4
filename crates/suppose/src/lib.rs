//! Suppose: a compositional model checker that finds its own assumptions.
//!
//! This is the library behind the command `suppose`: whatever the command line can ask, a program can ask here, and gets the same
//! verdicts, evidence and reports. A model is a [`Source`], what is asked of it are options ([`CheckOptions`] and its
//! siblings), and an [`Observer`] gets progress events and can cancel the run.
//!
//! # Check
//!
//! ```
//! use std::sync::Arc;
//! use suppose::{CheckOptions, Silent, Source};
//!
//! let text = "
//!     LIGHT = (red -> green -> LIGHT).
//!     property ALTERNATE = (red -> green -> ALTERNATE).
//!     ||CROSSING = (LIGHT || ALTERNATE).
//! ";
//! let source = Source::text("crossing.lts", text);
//! let report = suppose::check(&source, &CheckOptions::default(), Arc::new(Silent))?;
//! assert_eq!(report.last_line(), "holds");
//! assert!(report.claims().iter().all(|claim| claim.is_certified));
//! # Ok::<(), suppose::Failure>(())
//! ```
//!
//! # Find an assumption
//!
//! ```
//! # use std::sync::Arc;
//! use suppose::{AssumeOptions, Silent, Source};
//!
//! let source = Source::text("channel.lts", "
//!     INPUT = (input -> send -> ack -> INPUT).
//!     OUTPUT = (send -> output -> ack -> OUTPUT).
//!     property ORDER = (input -> output -> ORDER).
//!     ||SYS = (INPUT || OUTPUT || ORDER).
//! ");
//! let report = suppose::assume(&source, &AssumeOptions::default(), Arc::new(Silent))?;
//! assert!(report.text(false).contains("assumption"));
//! # Ok::<(), suppose::Failure>(())
//! ```
//!
//! # Keep evidence, and check it again
//!
//! ```
//! # use std::sync::Arc;
//! use suppose::{CertifyOptions, CheckOptions, Silent, Source};
//!
//! let source = Source::text("counter.smv", "
//!     MODULE main
//!     VAR n : 0..3;
//!     ASSIGN init(n) := 0; next(n) := case n < 3 : n + 1; TRUE : 0; esac;
//!     INVARSPEC n <= 3
//! ");
//! let file = std::env::temp_dir().join(format!("suppose-doc-{}.cert", std::process::id()));
//! let options = CheckOptions { certificate: Some(file.clone()), ..CheckOptions::default() };
//! suppose::check(&source, &options, Arc::new(Silent))?;
//! let options = CertifyOptions { certificate: file.clone(), ..CertifyOptions::default() };
//! let judgement = suppose::certify(&source, &options, Arc::new(Silent))?;
//! assert!(judgement.is_accepted());
//! # std::fs::remove_file(file).ok();
//! # Ok::<(), suppose::Failure>(())
//! ```
//!
//! # How it is built
//!
//! `kind` has the flow that every kind of model goes through, `kinds` what each has of its own, `session` what a run has found so
//! far, `run` enforces its limits, and `options` declares the options. Nothing here prints, exits, or reads
//! arguments.

pub mod explain;
pub mod options;
pub mod simulate;
pub mod steps;
mod storage;

mod certify;
mod claims;
mod evidence_file;
mod exit;
mod failure;
mod files;
mod finding;
mod judging;
mod kind;
mod kinds;
mod ltl;
mod outline;
mod process;
mod progress;
mod report;
mod run;
mod runs;
mod session;
mod solve;
mod source;
mod trial;
mod watch;

pub use certify::Judgement;
pub use exit::ExitStatus;
pub use explain::explain;
pub use failure::Failure;
pub use files::Outputs;
/// Runs of SPIN itself, for measurements.
#[doc(hidden)]
pub use kinds::program::spin::run as spin_run;
pub use ltl::{AutomatonFormat, automaton_of_formula, automaton_of_hoa};
pub use options::{
    AssumeOptions, CertifyOptions, CheckOptions, ConvertOptions, DrawOptions, Limits, ModelOptions,
    RunOptions, SimulateOptions, SpinOptions, StorageOptions,
};
pub use outline::Outline;
pub use process::resident as resident_memory;
pub use report::Report;
pub use run::Watcher;
pub use session::{ClaimResult, DecidedClaim};
pub use solve::{Dialogued, SolveOptions, Solver};
pub use source::Source;
pub use storage::SearchRecord;
pub use suppose_control::{
    Context, Counts, EngineInfo, Event, Observer, Silent, Stopped, silence_panics,
};
pub use suppose_frontends::Language;
pub use trial::{PremiseResult, Trial, TrialOptions};

use kind::Commands;
use options::CommandOptions;
use options::scope::Given;
use run::Files;
use simulate::{Terminal, Transcript};
use steps::Steps;
use suppose_control::Supervisor;

/// The commands for a model, if all options that were given have a meaning for it.
fn kind_of<O: CommandOptions>(source: &Source, options: &O) -> Result<Commands, Failure> {
    let language = source.language(options.model().language)?;
    let names = source.names();
    let name = names.first().map_or("", String::as_str);
    Given::new(options).refuse(language, name)?;
    Ok(kinds::of(language))
}

/// Decides the claims on a model. Every verdict has evidence, which is checked before the verdict is reported.
///
/// A limit, a cancellation, or a panic or hang of an engine leaves claims `unknown` in the report and is not an error. An error is a
/// model that cannot be read, or an option that has no meaning for it.
pub fn check(source: &Source, options: &CheckOptions, watcher: Watcher) -> Result<Report, Failure> {
    decide(source, options, watcher, None)
}

/// The same, and tells of each claim as soon as it is decided, its evidence included. Claims that are never decided are only in the
/// report.
pub fn check_telling(
    source: &Source,
    options: &CheckOptions,
    watcher: Watcher,
    on_decided: impl Fn(&DecidedClaim) + Send + Sync + 'static,
) -> Result<Report, Failure> {
    decide(source, options, watcher, Some(Box::new(on_decided)))
}

fn decide(
    source: &Source,
    options: &CheckOptions,
    watcher: Watcher,
    on_decided: Option<session::OnDecided>,
) -> Result<Report, Failure> {
    runs::refuse(options)?;
    let written = options.outputs();
    let files = Files::of(source, &options.model, &written);
    let (source, options) = (source.clone(), options.clone());
    run::verdicts(options.run.limits, watcher, files, move |session| {
        let kind = kind_of(&source, &options)?;
        if let Some(on_decided) = on_decided {
            let _ = session.on_decided.set(on_decided);
        }
        (kind.check)(&source, &options, session)
    })
}

/// Reads a model, and says what can be asked of it. An error has the diagnostics of the front-end.
///
/// ```
/// use std::sync::Arc;
/// use suppose::{CheckOptions, Silent, Source};
///
/// let source = Source::text("m.smv", "MODULE main VAR x : boolean; INVARSPEC NAME safe := x | !x; SPEC AG EF x");
/// let outline = suppose::outline(&source, &CheckOptions::default(), Arc::new(Silent))?;
/// assert_eq!(outline.claims[0], "safe");
/// # Ok::<(), suppose::Failure>(())
/// ```
pub fn outline(
    source: &Source,
    options: &CheckOptions,
    watcher: Watcher,
) -> Result<Outline, Failure> {
    let files = Files::of(source, &options.model, &[]);
    let (source, options) = (source.clone(), options.clone());
    run::work(options.run.limits, watcher, files, move |session| {
        let kind = kind_of(&source, &options)?;
        (kind.outline)(&source, &options, session)
    })
}

/// Finds the smallest assumption that proves a property.
pub fn assume(
    source: &Source,
    options: &AssumeOptions,
    watcher: Watcher,
) -> Result<Report, Failure> {
    let written = [("--output", options.output.as_ref())];
    let files = Files::of(source, &options.model, &written);
    let (source, options) = (source.clone(), options.clone());
    run::verdicts(options.run.limits, watcher, files, move |session| {
        let kind = kind_of(&source, &options)?;
        (kind.assume)(&source, &options, session)
    })
}

/// Tries an assumption of the user's own: does it prove a property of a network, and is it true?
///
/// ```
/// use std::sync::Arc;
/// use suppose::{Silent, Source, TrialOptions};
///
/// let source = Source::text("channel.lts", "
///     INPUT = (input -> send -> ack -> INPUT).
///     OUTPUT = (send -> output -> ack -> OUTPUT).
///     property ORDER = (input -> output -> ORDER).
///     ||SYS = (INPUT || OUTPUT || ORDER).
/// ");
/// let options = TrialOptions {
///     property: "ORDER".to_owned(),
///     about: vec!["OUTPUT".to_owned()],
///     assumption: "A = (send -> output -> ack -> A).".to_owned(),
///     ..TrialOptions::default()
/// };
/// assert!(suppose::attempt(&source, &options, Arc::new(Silent))?.proves());
/// # Ok::<(), suppose::Failure>(())
/// ```
pub fn attempt(
    source: &Source,
    options: &TrialOptions,
    watcher: Watcher,
) -> Result<Trial, Failure> {
    let files = Files::of(source, &options.model, &[]);
    let (source, options) = (source.clone(), options.clone());
    run::work(options.run.limits, watcher, files, move |session| {
        session.counters.begin("reading");
        let language = source.language(options.model.language)?;
        match language.kind() {
            suppose_frontends::ModelKind::Network => {
                kinds::network::attempt(&source, &options, session)
            }
            _ => Err(Failure::usage(format!(
                "an assumption can be tried on a network, not on {}",
                language.title()
            ))),
        }
    })
}

/// Lets SPIN check a PROMELA program in which an automaton takes the place of a process. Needs `spin` and a C compiler.
pub fn spin(source: &Source, options: &SpinOptions, watcher: Watcher) -> Result<Report, Failure> {
    let written = [("--output", options.output.as_ref())];
    let files = Files::of(source, &options.model, &written);
    let (source, options) = (source.clone(), options.clone());
    run::verdicts(options.run.limits, watcher, files, move |session| {
        kind_of(&source, &options)?;
        kinds::program::spin::spin(&source, &options, session)
    })
}

/// Checks evidence that [`check`] wrote. No engine is involved.
pub fn certify(
    source: &Source,
    options: &CertifyOptions,
    watcher: Watcher,
) -> Result<Judgement, Failure> {
    let evidence = options.certificate.display().to_string();
    let files = Files::of(source, &options.model, &[]).reading(Some(&options.certificate));
    let names = files.names().to_vec();
    let (source, options) = (source.clone(), options.clone());
    let judged = run::work(options.run.limits, watcher, files, move |session| {
        session.counters.begin("reading");
        let kind = kind_of(&source, &options)?;
        kind.certify(&source, &options, session)
    })?;
    Ok(Judgement::new(judged, evidence, names))
}

/// Writes a model in another form. Returns warnings.
pub fn convert(
    source: &Source,
    options: &ConvertOptions,
    watcher: Watcher,
) -> Result<Vec<String>, Failure> {
    let to = options.premises.is_none().then_some(&options.output);
    let files = Files::of(source, &options.model, &[("the result", to)]);
    let files = files.reading(options.premises.as_ref());
    let (source, options) = (source.clone(), options.clone());
    run::work(options.run.limits, watcher, files, move |session| {
        session.counters.begin("reading");
        let kind = kind_of(&source, &options)?;
        (kind.convert)(&source, &options, session)?;
        Ok(session.report().warnings().to_vec())
    })
}

/// Draws a model as DOT or SVG. Writes it to the file that the options name, or else returns it.
pub fn draw(
    source: &Source,
    options: &DrawOptions,
    watcher: Watcher,
) -> Result<Option<String>, Failure> {
    let written = [("--output", options.output.as_ref())];
    let files = Files::of(source, &options.model, &written);
    let (source, options) = (source.clone(), options.clone());
    run::work(options.run.limits, watcher, files, move |session| {
        session.counters.begin("reading");
        let kind = kind_of(&source, &options)?;
        let drawn = (kind.draw)(&source, &options, session)?;
        match &options.output {
            None => Ok(Some(drawn)),
            Some(path) => session.files.write(path, drawn.as_bytes()).map(|()| None),
        }
    })
}

/// Input and output of an interactive simulation.
pub struct Dialogue {
    /// The next line; none when there are no more.
    pub read: Box<dyn FnMut() -> Option<String> + Send>,
    /// Shows text.
    pub write: Box<dyn FnMut(&str) + Send>,
    /// Echo the lines that are read, if they are not typed at a terminal.
    pub echo: bool,
}

/// The result of a simulation.
#[derive(Debug)]
pub enum Simulation {
    /// The steps that were taken, and warnings.
    Walked(Transcript, Vec<String>),
    /// There is no counterexample to follow: the report of the check.
    Nothing(Report),
}

/// Simulates a model: at random, by the choices of a `dialogue`, or along the counterexample that a check finds.
///
/// ```
/// use std::sync::Arc;
/// use suppose::{SimulateOptions, Silent, Simulation, Source};
///
/// let source = Source::text("light.lts", "LIGHT = (red -> green -> LIGHT).");
/// let options = SimulateOptions { steps: 3, ..SimulateOptions::default() };
/// match suppose::simulate(&source, &options, None, Arc::new(Silent))? {
///     Simulation::Walked(transcript, _) => assert_eq!(transcript.last_line(), "3 steps taken"),
///     Simulation::Nothing(_) => unreachable!("no counterexample was asked for"),
/// }
/// # Ok::<(), suppose::Failure>(())
/// ```
pub fn simulate(
    source: &Source,
    options: &SimulateOptions,
    dialogue: Option<Dialogue>,
    watcher: Watcher,
) -> Result<Simulation, Failure> {
    if options.counterexample {
        return follow(source, options, watcher);
    }
    let (count, seed) = (options.steps, options.seed);
    let mut dialogue = dialogue;
    let driver = move |steps: &mut dyn Steps, cx: &Context| match &mut dialogue {
        None => simulate::random(steps, count, seed, cx),
        Some(dialogue) => {
            let mut io = Terminal {
                read: &mut *dialogue.read,
                write: &mut *dialogue.write,
                echo: dialogue.echo,
            };
            simulate::talk(steps, seed, &mut io)
        }
    };
    let (transcript, warnings) = drive(source, options, driver, watcher)?;
    Ok(Simulation::Walked(transcript, warnings))
}

/// Reads a model and lets `driver` take steps through it, on a thread of its own. Returns what it made of them, and warnings.
///
/// ```
/// use std::sync::Arc;
/// use suppose::simulate::{End, Walk};
/// use suppose::{SimulateOptions, Silent, Source};
///
/// let source = Source::text("light.lts", "LIGHT = (red -> green -> LIGHT).");
/// let driver = |steps: &mut dyn suppose::steps::Steps, _: &suppose::Context| {
///     let mut walk = Walk::begin(steps, 0)?;
///     let first = walk.enabled()?.list[0].clone();
///     walk.take(&first, None)?;
///     Ok(walk.transcript(End::Quit))
/// };
/// let (transcript, _) = suppose::drive(&source, &SimulateOptions::default(), driver, Arc::new(Silent))?;
/// assert_eq!(transcript.steps[0].label, "red");
/// # Ok::<(), suppose::Failure>(())
/// ```
pub fn drive(
    source: &Source,
    options: &SimulateOptions,
    mut driver: impl FnMut(&mut dyn Steps, &Context) -> Result<Transcript, steps::Failed>
    + Send
    + 'static,
    watcher: Watcher,
) -> Result<(Transcript, Vec<String>), Failure> {
    let files = Files::of(source, &options.model, &[]);
    let (source, options) = (source.clone(), options.clone());
    run::work(options.run.limits, watcher, files, move |session| {
        session.counters.begin("reading");
        let kind = kind_of(&source, &options)?;
        let cx = session.context();
        let mut walker = |steps: &mut dyn Steps| {
            session.counters.begin("walking");
            driver(steps, &cx).map_err(|failed| Failure::walk(failed, session.watch.over()))
        };
        let transcript = (kind.walk)(&source, &options.model, session, &mut walker)?;
        Ok((transcript, session.report().warnings().to_vec()))
    })
}

/// Checks a model, and follows the counterexample.
fn follow(
    source: &Source,
    options: &SimulateOptions,
    watcher: Watcher,
) -> Result<Simulation, Failure> {
    kind_of(source, options)?;
    let asked = CheckOptions {
        model: options.model.clone(),
        claims: options::ClaimOptions {
            properties: options.properties.clone(),
            ..options::ClaimOptions::default()
        },
        run: RunOptions {
            limits: options.run.limits,
            ..RunOptions::default()
        },
        ..CheckOptions::default()
    };
    let report = check(source, &asked, watcher)?;
    match report.replay() {
        None => Ok(Simulation::Nothing(report)),
        Some(Ok(transcript)) => {
            let warnings = report.warnings().to_vec();
            Ok(Simulation::Walked(transcript, warnings))
        }
        Some(Err(failed)) => Err(Failure::walk(failed, None)),
    }
}

/// The language of a model, as [`check`] would read it.
pub fn language(source: &Source, model: &ModelOptions) -> Result<Language, Failure> {
    source.language(model.language)
}
