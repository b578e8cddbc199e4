//! What may be asked for: one declaration for the command line, for programs, and for the help.
//!
//! Each struct is what one command takes. With the feature `clap` they are also arguments of a command line, and the comments
//! on their fields are its help. Which option means something for which language and engine is declared in [`table`];
//! whatever else is asked for is refused ([`scope`]), never ignored.

mod chc;
mod engine;
mod engine_name;
mod mdp;
pub mod scope;
mod simulate;
mod smv;
mod spin;
mod storage;
pub mod table;
pub mod values;

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use suppose_frontends::Language;

pub use chc::{
    AbstractionName, BoundsName, ClauseOptions, DataModelName, IntegersName, QueryOrder, SolverName,
};
pub use engine::{
    Alphabet, EngineOptions, EnvironmentName, Learner, MergingName, ProcessOptions,
    RefinementOptions, ScheduleName, SearchOptions, SearchOrder, SplitOptions, Splitting,
    TurnOrder,
};
pub use engine_name::EngineName;
pub use mdp::{Constants, PartitionName, ProbabilisticOptions, ReadsName, UnmentionedName};
pub use simulate::SimulateOptions;
pub use smv::{
    DialectName, EarlyName, SeparationName, SmvEngineOptions, SmvOptions, SmvOutputOptions,
    SpuriousName, TraceName,
};
pub use spin::SpinOptions;
pub use storage::StorageOptions;

/// How a model is read.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "System")
)]
pub struct ModelOptions {
    /// A property as an .aut file, which accepts its own traces and no others. For a program: a file
    /// with an `ltl` or `never` claim, read after the program. For a probabilistic system: a file
    /// with properties (.pctl, .props)
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub property_file: Vec<PathBuf>,

    /// The process or composition of the file to check
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub system: Option<String>,

    /// Set a constant or parameter of the file; for a program, define a macro as
    /// `spin -D` does (repeatable)
    #[cfg_attr(feature = "clap", arg(long = "set", value_name = "NAME=NUMBER", value_parser = values::constant))]
    pub constants: Vec<(String, i64)>,

    /// The language of the model, if the file name does not determine it
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANGUAGE", value_parser = values::language()))]
    #[serde(skip)]
    pub language: Option<Language>,

    /// For FSP: liveness assertions are to be true of all runs, also of those that always choose the same way. `progress` is always
    /// about fair choice
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_fair_choice: bool,

    /// For C programs: the semantics of integers (default: `machine`)
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "KIND"))]
    pub integers: Option<IntegersName>,

    /// For C programs: the same as --integers wrap
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "integers"))]
    pub wrap: bool,

    /// For C programs: the size of `long` (default: `LP64`)
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODEL"))]
    pub data_model: Option<DataModelName>,

    /// How a probabilistic system is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub markov: ProbabilisticOptions,

    /// How an SMV model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub smv: SmvOptions,
}

/// What is asked of a model.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Claims")
)]
pub struct ClaimOptions {
    /// Check only this property (repeatable). PROMELA: `assertions`, `end-states`, or the name of a claim; C: `assertions`,
    /// `no-overflow`; probabilistic systems: the text, as in 'P<=0.1 [ F "bad" ]', or the name in a file; SMV: the name or the
    /// number, from 0 in the order of the file
    #[cfg_attr(
        feature = "clap",
        arg(long = "property", short = 'p', value_name = "NAME")
    )]
    pub properties: Vec<String>,

    /// Check for deadlock (invalid end states of a program); without --property, for nothing else
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "no_deadlock"))]
    pub deadlock: bool,

    /// Do not check for deadlock
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_deadlock: bool,
}

/// How long a run may take, and how much memory.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Limits {
    /// Stop after this time: 500ms, 30s, 5m, 2h
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Limits"))]
    pub timeout: Option<Duration>,

    /// Stop before using more memory than this: 200MiB, 4GiB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = values::bytes, help_heading = "Limits"))]
    pub memory: Option<u64>,

    /// The seed of everything random: nothing is.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,
}

/// How a command is run, whichever it is.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RunOptions {
    /// For how long, and with how much memory.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: Limits,

    /// The options that were typed, by their long names. Left empty, they are those that differ from the defaults. What means
    /// nothing for the model at hand is refused.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub given: Vec<String>,
}

/// What is checked, how, and what is written.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CheckOptions {
    /// How the model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,
    /// What is asked.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub claims: ClaimOptions,
    /// Who decides it, and how.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub engine: EngineOptions,
    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,

    /// Write the evidence to this file
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Evidence")
    )]
    pub certificate: Option<PathBuf>,

    /// Do not check the evidence
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Evidence"))]
    pub no_certify: bool,

    /// Explore all states of a program or an SMV model again, without reductions (slow); for small
    /// models this is always done
    #[cfg_attr(
        feature = "clap",
        arg(long, conflicts_with = "no_certify", help_heading = "Evidence")
    )]
    pub recheck: bool,

    /// Write the counterexample of a PROMELA program as a SPIN trail
    ///
    /// `spin -t -p -k FILE model.pml` shows it, with -D for each --set.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Evidence")
    )]
    pub trail: Option<PathBuf>,

    /// For Horn clauses and C programs: have these solvers check every clause as well (z3, cvc5)
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "SOLVER",
            value_delimiter = ',',
            conflicts_with = "no_certify",
            help_heading = "Evidence"
        )
    )]
    pub certify_with: Vec<String>,

    /// Write the definitions of the predicates as SMT-LIB, if the clauses hold
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Evidence")
    )]
    pub definitions: Option<PathBuf>,

    /// Write an SV-COMP witness (YAML) for a C program
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Evidence")
    )]
    pub witness: Option<PathBuf>,

    /// Write the result as one self-contained HTML page
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Output")
    )]
    pub report: Option<PathBuf>,

    /// Write the counterexample as a trace in Apalache's format ITF
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Output")
    )]
    pub itf: Option<PathBuf>,

    /// Write the counterexample as a sequence chart: .mmd (Mermaid) or .puml (PlantUML)
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "Output")
    )]
    pub chart: Option<PathBuf>,

    /// Show all steps of a counterexample, however long it is
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Output"))]
    pub full: bool,

    /// What is written of an SMV model.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub smv: SmvOutputOptions,
}

/// Of what an assumption is wanted, and how it is found.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct AssumeOptions {
    /// How the model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,

    /// For this property only (repeatable)
    #[cfg_attr(
        feature = "clap",
        arg(long = "property", short = 'p', value_name = "NAME")
    )]
    pub properties: Vec<String>,

    /// Use only this engine; `auto` runs all that compute assumptions
    #[cfg_attr(feature = "clap", arg(long, value_parser = values::engine(), default_value_t))]
    pub engine: EngineName,

    /// Whose requirement is wanted.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub process: ProcessOptions,
    /// How a requirement is found.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub refinement: RefinementOptions,
    /// How the system is split.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rule: SplitOptions,
    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,

    /// Write the assumption to this file; the ending gives the format: .svg, .dot, .aut, .json, .hoa
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE"))]
    pub output: Option<PathBuf>,
}

/// How evidence is checked again.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CertifyOptions {
    /// The evidence that `check --certificate` wrote.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub certificate: PathBuf,
    /// How the model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,
    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,
}

/// What is made of a model, and where it is written.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertOptions {
    /// What to write, in the format that its name ends with.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub output: PathBuf,
    /// How the model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,

    /// Only this component (or property)
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub component: Option<String>,

    /// Merge equivalent states
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "EQUIVALENCE"))]
    pub minimise: Option<Equivalence>,

    /// Write the premises of this certificate as .aut files into the folder OUT
    #[cfg_attr(feature = "clap", arg(long, value_name = "CERT", conflicts_with_all = ["component", "minimise"]))]
    pub premises: Option<PathBuf>,

    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,
}

/// What is drawn.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct DrawOptions {
    /// How the model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,

    /// Draw this component
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", conflicts_with_all = ["property", "composition"]))]
    pub component: Option<String>,

    /// Draw this property
    #[cfg_attr(
        feature = "clap",
        arg(long, short, value_name = "NAME", conflicts_with = "composition")
    )]
    pub property: Option<String>,

    /// Draw the states of the composition
    #[cfg_attr(feature = "clap", arg(long))]
    pub composition: bool,

    /// Write to this file, as .svg or .dot; by default DOT goes to standard output
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE"))]
    pub output: Option<PathBuf>,

    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,
}

/// The fields of [`CheckOptions`] that name output files, with their options.
macro_rules! check_outputs {
    ($options:expr, $($borrow:tt)+) => {
        vec![
            ("--certificate", $($borrow)+ $options.certificate),
            ("--trail", $($borrow)+ $options.trail),
            ("--definitions", $($borrow)+ $options.definitions),
            ("--witness", $($borrow)+ $options.witness),
            ("--report", $($borrow)+ $options.report),
            ("--itf", $($borrow)+ $options.itf),
            ("--chart", $($borrow)+ $options.chart),
            ("--smtlib", $($borrow)+ $options.smv.smtlib),
            ("--aiger", $($borrow)+ $options.smv.aiger),
        ]
    };
}

impl CheckOptions {
    /// The output files, with the options that name them.
    pub fn outputs(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        let outputs = check_outputs!(self, &).into_iter();
        outputs
            .map(|(option, path)| (option, path.as_ref()))
            .collect()
    }

    /// The same, to be changed.
    pub fn outputs_mut(&mut self) -> Vec<(&'static str, &mut Option<PathBuf>)> {
        check_outputs!(self, &mut)
    }
}

impl AssumeOptions {
    /// Does it ask for the requirement of one process?
    pub fn process_named(&self) -> bool {
        let process = &self.process;
        !process.components.is_empty() || process.in_turn.is_some() || self.refinement.is_given()
    }
}

/// What may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Equivalence {
    /// Strong bisimulation: tau counts as any other action.
    Strong,
    /// Branching bisimulation.
    Branching,
    /// Weak bisimulation, as LTSA minimises.
    Weak,
}

/// What the options of all commands have in common.
pub(crate) trait CommandOptions: Serialize + Default {
    /// The command.
    const COMMAND: &'static str;

    /// How the model is read.
    fn model(&self) -> &ModelOptions;

    /// How the command is run.
    fn run(&self) -> &RunOptions;

    /// Which engine was asked for.
    fn engine(&self) -> EngineName {
        EngineName::AUTO
    }
}

macro_rules! command {
    ($name:literal, $options:ty $(, engine: $($engine:ident).+)?) => {
        impl CommandOptions for $options {
            const COMMAND: &'static str = $name;

            fn model(&self) -> &ModelOptions {
                &self.model
            }

            fn run(&self) -> &RunOptions {
                &self.run
            }

            $(
                fn engine(&self) -> EngineName {
                    self.$($engine).+
                }
            )?
        }
    };
}

command!("check", CheckOptions, engine: engine.engine);
command!("assume", AssumeOptions, engine: engine);
command!("certify", CertifyOptions);
command!("convert", ConvertOptions);
command!("draw", DrawOptions);
command!("simulate", SimulateOptions);
command!("spin", SpinOptions);
