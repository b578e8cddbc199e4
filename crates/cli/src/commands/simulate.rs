//! `suppose simulate`: a walk through a model.

use std::io::{BufRead, ErrorKind, IsTerminal, Write};
use std::path::Path as File;

use clap::Args;
use suppose::simulate::{Talk, Transcript, random, replay, talk};
use suppose::steps::{
    Failed, FsmSteps, NetworkSteps, Path, ProbabilisticSteps, ProgramSteps, Steps,
};
use suppose_frontends::Kind;
use suppose_model::Verdict;
use suppose_model::markov::PropertyCounterexample;
use suppose_refine::Stopped;
use suppose_report::{MarkovVerdict, ProgramVerdict, SymbolicVerdict};

use super::Desk;
use super::check::warning_lines;
use crate::args::{
    CheckArgs, ClaimArgs, EngineArgs, EngineName, Format, InputArgs, LimitArgs, RuleArgs,
};
use crate::failure::Failure;
use crate::findings::Findings;
use crate::input;
use crate::output::Output;

/// `suppose simulate`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose simulate model.lts                     20 steps by chance
  suppose simulate model.pml --steps 100 --seed 7
  suppose simulate model.smv --interactive       you choose: ? says how
  suppose simulate model.lts --counterexample --property Order

A walk by chance is the same for the same seed. It ends early where nothing can be done, or where a property is
violated. With --counterexample the model is checked first, and the run that was found is
followed step by step. The last line says how the walk ended; the exit status is 0 then.")]
pub struct SimulateArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// How many steps by chance
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Walk", conflicts_with_all = ["interactive", "counterexample"])]
    pub steps: u64,

    /// Where chance begins: another number, another walk
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Walk",
        conflicts_with = "counterexample"
    )]
    pub seed: u64,

    /// Choose the steps yourself, line by line from standard input
    #[arg(long, short, help_heading = "Walk", conflicts_with = "counterexample")]
    pub interactive: bool,

    /// Check the model and follow the counterexample that is found
    #[arg(long, short, help_heading = "Walk")]
    pub counterexample: bool,

    /// Check this property only (repeatable); `suppose help check` says more
    #[arg(
        long = "property",
        short = 'p',
        value_name = "NAME",
        help_heading = "Walk"
    )]
    pub properties: Vec<String>,

    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Runs `simulate`.
pub fn run(args: &SimulateArgs, desk: &Desk) -> Result<Output, Failure> {
    if args.interactive && args.input.files.iter().any(|f| f == File::new("-")) {
        let failure = Failure::usage("standard input cannot be the model and the choices at once");
        return Err(failure.help("write the model to a file"));
    }
    if args.counterexample {
        return follow(args, desk);
    }
    desk.counters.begin("reading");
    let language = desk.language(&args.input.files, &args.input.model)?;
    match language.kind() {
        Kind::Network => {
            let loaded = input::load_input(&args.input, &desk.context())?.loaded;
            let warnings = warning_lines(&loaded.warnings, &loaded.sources);
            walk(
                args,
                &mut NetworkSteps::new(&loaded.network),
                warnings,
                desk,
            )
        }
        Kind::Program => {
            let read = crate::program::read(&args.input.files, &args.input.model)?;
            let warnings = warning_lines(&read.warnings, &read.sources);
            let mut steps = ProgramSteps::new(&read.program, Some(&read.sources));
            walk(args, &mut steps, warnings, desk)
        }
        Kind::Symbolic => {
            let files = &args.input.files;
            let read = crate::symbolic::read_sound(files, &args.input.model, desk)?;
            let warnings = warning_lines(&read.warnings, &read.sources);
            let control = desk.watch.fresh();
            let stop = std::sync::Arc::new(move || control.stopped().is_some());
            let mut steps = FsmSteps::stopping(&read.system, Some(stop));
            walk(args, &mut steps, warnings, desk)
        }
        Kind::Markov => {
            let read = crate::markov::read_parts(&args.input, desk)?;
            let mut warnings = warning_lines(&read.warnings, &read.sources);
            warnings.extend(read.notes);
            walk(
                args,
                &mut ProbabilisticSteps::new(&read.system),
                warnings,
                desk,
            )
        }
        Kind::Horn => Err(Failure::usage("clauses have no steps to simulate")),
    }
}

/// Walks by chance or by choice.
fn walk(
    args: &SimulateArgs,
    steps: &mut dyn Steps,
    warnings: Vec<String>,
    desk: &Desk,
) -> Result<Output, Failure> {
    desk.counters.begin("walking");
    let control = desk.watch.fresh();
    let mut stop = || control.stopped().is_some();
    let walked = match args.interactive {
        false => random(steps, args.steps, args.seed, &mut stop),
        true => interactive(args.seed, steps, desk),
    };
    let transcript = walked.map_err(|failed| failure(failed, desk))?;
    Ok(output(args, &transcript, warnings, desk))
}

fn failure(failed: Failed, desk: &Desk) -> Failure {
    match failed {
        Failed::Stopped => Failure::limit(desk.watch.over().unwrap_or(Stopped::Timeout)),
        Failed::Model(why) => Failure::file(why),
        Failed::Run(why) | Failed::Internal(why) => Failure::internal(why),
    }
}

/// Lets the user choose. What is shown goes to standard output, or to standard error where a document is asked for.
fn interactive(seed: u64, steps: &mut dyn Steps, desk: &Desk) -> Result<Transcript, Failed> {
    let stdin = std::io::stdin();
    let document = desk.look.format == Format::Json;
    let quiet = desk.look.quiet;
    let gone = std::cell::Cell::new(false);
    let mut read = || {
        let mut line = String::new();
        match gone.get() {
            true => None,
            false => match stdin.lock().read_line(&mut line) {
                Ok(1..) => Some(line),
                _ => None,
            },
        }
    };
    let mut write = |text: &str| {
        if quiet {
            return;
        }
        let written = match document {
            true => show(&mut std::io::stderr(), text),
            false => show(&mut std::io::stdout(), text),
        };
        // Nobody is there to see the rest.
        gone.set(written.is_err_and(|e| e.kind() == ErrorKind::BrokenPipe));
    };
    let mut io = Talk {
        read: &mut read,
        write: &mut write,
        echo: !std::io::stdin().is_terminal(),
    };
    talk(steps, seed, &mut io)
}

fn show(to: &mut dyn Write, text: &str) -> std::io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}

/// What is printed in the end. Where the user chose, the steps have been shown already.
fn output(
    args: &SimulateArgs,
    transcript: &Transcript,
    warnings: Vec<String>,
    desk: &Desk,
) -> Output {
    let last = transcript.last_line();
    let mut output = Output::ok(match (desk.look.format, desk.look.quiet) {
        (Format::Json, _) => {
            let mut document = transcript.json();
            if let Some(fields) = document.as_object_mut() {
                let files = input::names(&args.input);
                fields.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
                fields.insert("files".to_owned(), files.into());
                fields.insert("seed".to_owned(), args.seed.into());
                fields.insert("warnings".to_owned(), warnings.clone().into());
                fields.insert("last_line".to_owned(), last.into());
            }
            format!("{document:#}")
        }
        (Format::Text, true) => last,
        (Format::Text, false) if args.interactive => last,
        (Format::Text, false) => format!("{}{last}", transcript.text()),
    });
    if desk.look.format == Format::Text && !desk.look.quiet {
        let lines = warnings.iter();
        let lines: Vec<String> = lines
            .map(|w| format!("warning: {}", suppose_report::shown(w)))
            .collect();
        output.stderr = lines.join("\n");
    }
    output
}

/// Checks the model and follows what was found. If there is nothing to follow, what the check says is the output.
fn follow(args: &SimulateArgs, desk: &Desk) -> Result<Output, Failure> {
    let mut checked = super::check::check(check_args(args), desk)?;
    let findings = desk.findings.snapshot();
    let transcript = match followed(&findings) {
        Some(followed) => followed.map_err(|failed| failure(failed, desk))?,
        None => {
            if desk.look.format == Format::Text && !desk.look.quiet {
                let nothing = "there is no run to follow; this is what the check found:";
                checked.stdout = format!("{nothing}\n\n{}", checked.stdout);
            }
            return Ok(checked);
        }
    };
    let warnings = findings.warnings.clone();
    Ok(output(args, &transcript, warnings, desk))
}

/// The run of the first claim that is violated, if there is one.
fn followed(findings: &Findings) -> Option<Result<Transcript, Failed>> {
    network_run(findings)
        .or_else(|| program_run(findings))
        .or_else(|| symbolic_run(findings))
        .or_else(|| markov_run(findings))
}

fn network_run(findings: &Findings) -> Option<Result<Transcript, Failed>> {
    let network = findings.network.as_deref()?;
    let mut sound = findings.done.iter().filter(|f| f.is_sound());
    sound.find_map(|finding| match &finding.answer.verdict {
        Verdict::Violated(run) => {
            let mut steps = NetworkSteps::for_claim(network, finding.answer.claim);
            let path = steps.follow(run);
            Some(path.and_then(|path| replay(&mut steps, &path)))
        }
        _ => None,
    })
}

fn program_run(findings: &Findings) -> Option<Result<Transcript, Failed>> {
    let subject = findings.subject.as_deref()?;
    let mut sound = findings.answered.iter().filter(|f| f.is_sound());
    sound.find_map(|finding| match &finding.answer.verdict {
        ProgramVerdict::Violated(trace) => {
            let (program, sources) = (&subject.program, Some(&subject.sources));
            let mut steps = ProgramSteps::for_question(program, sources, trace.question);
            let path = steps.follow(trace);
            Some(path.and_then(|path| replay(&mut steps, &path)))
        }
        _ => None,
    })
}

fn symbolic_run(findings: &Findings) -> Option<Result<Transcript, Failed>> {
    let subject = findings.symbolic.subject.as_deref()?;
    let mut sound = findings.symbolic.done.iter().filter(|f| f.is_sound());
    sound.find_map(|finding| match &finding.answer.verdict {
        SymbolicVerdict::Fails(trace, _) => {
            let claim = finding.answer.claim;
            let name = claim.name(&subject.system);
            let why = match claim.property(&subject.system) {
                Some(property) => {
                    let text = subject.system.show_question(&property.question);
                    format!("{text} is false")
                }
                None => "there is no next state".to_owned(),
            };
            let mut steps = FsmSteps::new(&finding.answer.about);
            let path = steps.follow(trace, &name, &why);
            Some(path.and_then(|path| replay(&mut steps, &path)))
        }
        _ => None,
    })
}

fn markov_run(findings: &Findings) -> Option<Result<Transcript, Failed>> {
    let system = &findings.chances.subject.as_deref()?.system;
    let mut sound = findings.chances.done.iter().filter(|f| f.is_sound());
    sound.find_map(|finding| {
        let mut steps = ProbabilisticSteps::new(system);
        let name = finding.answer.claim.name();
        let path: Result<Path, Failed> = match &finding.answer.verdict {
            MarkovVerdict::Deadlock(tree) => steps.follow_deadlock(tree),
            MarkovVerdict::Differs { tree, .. } => steps.follow_tree(tree, name),
            MarkovVerdict::Fails(shown) => match &**shown {
                PropertyCounterexample::Tree(tree) => steps.follow_tree(tree, name),
                PropertyCounterexample::Bounds(_) => return None,
            },
            _ => return None,
        };
        Some(path.and_then(|path| replay(&mut steps, &path)))
    })
}

/// The check that finds the run.
fn check_args(args: &SimulateArgs) -> CheckArgs {
    CheckArgs {
        input: args.input.clone(),
        claims: ClaimArgs {
            properties: args.properties.clone(),
            ..ClaimArgs::default()
        },
        engine: EngineArgs {
            engine: EngineName::Auto,
            process: Default::default(),
            rule: RuleArgs {
                split: "auto".to_owned(),
            },
            learner: Default::default(),
            alphabet: Default::default(),
            splitting: None,
            restart: false,
            search: Default::default(),
            horn: Default::default(),
            partition: None,
            smv: Default::default(),
        },
        limits: args.limits,
        certificate: None,
        no_certify: false,
        recheck: false,
        trail: None,
        certify_with: Vec::new(),
        definitions: None,
        witness: None,
        report: None,
        full: false,
        smv: Default::default(),
    }
}
