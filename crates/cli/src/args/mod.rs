//! The raw command line: what may be written, and the help that teaches it.

mod horn;
mod markov;
mod smv;
pub mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use suppose_frontends::Language;

use crate::options::OptionsArgs;
use crate::spin::SpinArgs;
pub use horn::{AbstractionName, BoundsName, HornArgs, QueryOrder, SolverName};
pub use markov::{MarkovArgs, PartitionName, ReadsName, UnmentionedName};
pub use smv::{
    EarlyName, SeparationName, SmvArgs, SmvEngineArgs, SmvOutputArgs, SpuriousName, TraceName,
};

/// A compositional model checker that finds its own assumptions.
#[derive(Debug, Parser)]
#[command(
    name = "suppose",
    version,
    max_term_width = 100,
    propagate_version = true
)]
#[command(after_help = EXAMPLES, after_long_help = MORE)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// What is common to all commands.
    #[command(flatten)]
    pub look: Look,
}

const EXAMPLES: &str = "\
Examples:
  suppose check model.lts                   deadlock and every property of an FSP file
  suppose check model.pml                   assertions, end states and claims of a PROMELA program
  suppose check clauses.smt2                Horn clauses; also prog.c, a C program
  suppose check model.nm --spec spec.nm     does a probabilistic system conform to a specification?
  suppose check model.smv                   every property of an SMV model, as NuSMV has them
  suppose check a.aut b.aut --property-file p.aut
  suppose check model.lts --set N=5 --engine agar --report out.html
  suppose assume model.lts                  the smallest assumption that proves a property
  suppose assume model.pml --component P    what is required of the process P
  suppose certify model.cert model.lts      check evidence again, later or elsewhere
  suppose draw model.lts -o model.svg

`suppose help COMMAND` says more about one command.";

const MORE: &str = "\
Examples:
  suppose check model.lts                   deadlock and every property of an FSP file
  suppose check model.pml                   assertions, end states and claims of a PROMELA program
  suppose check clauses.smt2                Horn clauses; also prog.c, a C program
  suppose check model.nm --spec spec.nm     does a probabilistic system conform to a specification?
  suppose check model.smv                   every property of an SMV model, as NuSMV has them
  suppose check a.aut b.aut --property-file p.aut
  suppose check model.lts --set N=5 --engine agar --report out.html
  suppose assume model.lts                  the smallest assumption that proves a property
  suppose assume model.pml --component P    what is required of the process P
  suppose certify model.cert model.lts      check evidence again, later or elsewhere
  suppose draw model.lts -o model.svg

The last line on standard output is the verdict: holds, violated(PROPERTY) or unknown(REASON).

Exit status:
   0  holds              5  unknown
   1  usage error        6  internal error
   2  input error       10  violated
   3  resource limit
   4  certificate rejected";

/// How results look.
#[derive(Clone, Copy, Debug, Args)]
pub struct Look {
    /// Say nothing but the last line.
    #[arg(long, short, global = true, help_heading = "Output")]
    pub quiet: bool,

    /// Text for people, or one JSON document.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        help_heading = "Output"
    )]
    pub format: Format,

    /// When to use colours.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        alias = "color",
        help_heading = "Output"
    )]
    pub colour: Colour,
}

/// What is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one document with a versioned schema.
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a system for deadlock and against its properties
    Check(CheckArgs),
    /// Find the smallest assumption that proves a property
    Assume(AssumeArgs),
    /// Check a system and write the result as one HTML page
    Report(ReportArgs),
    /// Check a certificate or counterexample against a system
    Certify(CertifyArgs),
    /// Convert between formats, compose, minimise, export premises
    Convert(ConvertArgs),
    /// Draw a system, a component or a property as DOT or SVG
    Draw(DrawArgs),
    /// Let SPIN check a PROMELA program in which an automaton takes the place of a process
    Spin(SpinArgs),
    /// List the options, and for which models each is
    Options(OptionsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// What to read.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// A system in FSP (.lts, .fsp) or JSON; a PROMELA program (.pml, .prom, .promela, .pm, .spin, .prm, .pr, .pro); Horn
    /// clauses (.smt2) or a C program (.c, .i); a probabilistic system (.prism, .nm, .pm, .tra, .drn, .lpts);
    /// an SMV model (.smv); or components, one .aut file each. `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub model: ModelArgs,
}

/// How to read it.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// A property as an .aut file: it allows its traces and no others. Of a program: a file with an
    /// `ltl` or `never` claim, or anything else to be read after the program. Of a probabilistic
    /// system: a file with properties (.pctl, .props)
    #[arg(long, value_name = "FILE", help_heading = "System")]
    pub property_file: Vec<PathBuf>,

    /// Which process or composition of the file is the system
    #[arg(long, value_name = "NAME", help_heading = "System")]
    pub system: Option<String>,

    /// Give a constant or parameter of the file another value; of a program, define a macro as
    /// `spin -D` does (repeatable)
    #[arg(long = "set", value_name = "NAME=NUMBER", value_parser = values::constant, help_heading = "System")]
    pub constants: Vec<(String, i64)>,

    /// The language of the model, where the file's name does not tell it
    #[arg(long, value_name = "LANGUAGE", value_parser = values::language(), help_heading = "System")]
    pub language: Option<Language>,

    /// Of a C program: integers of the machine, which wrap around, instead of mathematical ones
    #[arg(long, help_heading = "System")]
    pub wrap: bool,

    #[command(flatten)]
    pub markov: MarkovArgs,

    #[command(flatten)]
    pub smv: SmvArgs,
}

/// What to ask.
#[derive(Clone, Debug, Default, Args)]
pub struct ClaimArgs {
    /// Check this property only (repeatable). Of a program: `assertions`, `end-states`, or the name
    /// of a claim. Of a probabilistic system: its text, as in 'P<=0.1 [ F "bad" ]', or its name in a file.
    /// Of an SMV model: its name or its number, from 0 in the order of the file
    #[arg(
        long = "property",
        short = 'p',
        value_name = "NAME",
        help_heading = "Claims"
    )]
    pub properties: Vec<String>,

    /// Check for deadlock (invalid end states of a program); without --property, for nothing else
    #[arg(long, conflicts_with = "no_deadlock", help_heading = "Claims")]
    pub deadlock: bool,

    /// Do not check for deadlock
    #[arg(long, help_heading = "Claims")]
    pub no_deadlock: bool,
}

/// How to decide it.
#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// Which engine decides
    #[arg(long, value_enum, default_value_t, help_heading = "Engine")]
    pub engine: EngineName,

    #[command(flatten)]
    pub process: ProcessArgs,

    #[command(flatten)]
    pub rule: RuleArgs,

    /// Which learner `--engine learn` uses
    #[arg(long, value_enum, default_value_t, help_heading = "Engine")]
    pub learner: Learner,

    /// Labels an assumption may speak of: all of the interface, or only those found necessary
    #[arg(long, value_enum, default_value_t, help_heading = "Engine")]
    pub alphabet: Alphabet,

    /// Which classes a spurious counterexample splits (`--engine agar`)
    #[arg(long, value_enum, help_heading = "Engine")]
    pub splitting: Option<Splitting>,

    /// Explore premise 1 anew after every refinement
    #[arg(long, hide = true)]
    pub restart: bool,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub horn: HornArgs,

    /// What an assumption that is learned of a probabilistic system is made of
    #[arg(long, value_enum, help_heading = "Probabilistic systems")]
    pub partition: Option<PartitionName>,

    #[command(flatten)]
    pub smv: SmvEngineArgs,
}

impl EngineArgs {
    /// For `suppose assume`, which has few of these options.
    pub fn for_assumptions(args: &AssumeArgs) -> EngineArgs {
        EngineArgs {
            engine: args.engine,
            process: args.process.clone(),
            rule: args.rule.clone(),
            learner: Learner::default(),
            alphabet: Alphabet::default(),
            splitting: None,
            restart: false,
            search: SearchArgs::default(),
            horn: HornArgs::default(),
            partition: None,
            smv: SmvEngineArgs::default(),
        }
    }
}

/// Whose requirement is wanted.
#[derive(Clone, Debug, Default, Args)]
pub struct ProcessArgs {
    /// The process whose requirement the engine `quotient` finds (repeatable: several as one)
    ///
    /// Of a PROMELA program the name of a proctype, or `P[1]` for the process with that number. Without
    /// it the tool chooses: many states and few labels that others see.
    #[arg(long = "component", value_name = "NAME", help_heading = "Engine")]
    pub components: Vec<String>,

    /// Reduce one component after the other to what is required of it (`--engine quotient`)
    ///
    /// Each --component has a turn, or all processes have. The later ones are reduced in a system where the earlier ones are
    /// small already, so the order matters: as given, those with few labels that others see, or the largest or
    /// the smallest first.
    #[arg(
        long,
        value_enum,
        value_name = "ORDER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "largest",
        help_heading = "Engine"
    )]
    pub in_turn: Option<TurnOrder>,
}

/// How a requirement is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args)]
pub struct RefinementArgs {
    /// In which order the engine `quotient` refines the environment [default: doubling]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Engine")]
    pub schedule: Option<ScheduleName>,

    /// Which states of the process the engine `quotient` merges [default: further]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Engine")]
    pub merging: Option<MergingName>,

    /// How the engine `quotient` looks at the environment [default: turns]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Engine")]
    pub environment: Option<EnvironmentName>,
}

impl RefinementArgs {
    /// Is any of them given?
    pub fn is_given(&self) -> bool {
        *self != RefinementArgs::default()
    }
}

/// In which order the environment is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleName {
    /// Four edges in the first round, twice as many in each, forward and backward by turns.
    Doubling,
    /// As in the paper: one edge a round, ten rounds in one direction before the other.
    Paper,
}

/// Which states of a process are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergingName {
    /// Equivalent ones, and past that whatever leaves the verdict as it is.
    Further,
    /// Equivalent ones, by both equivalences again and again until neither merges anything.
    Repeated,
    /// As in the paper: by the forward equivalence, then by the backward one, each once.
    Once,
}

/// How the environment is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EnvironmentName {
    /// As it is and as an abstraction, by turns.
    Turns,
    /// As a modal abstraction from its first state on, however small it is (section 5 of the paper).
    Abstract,
    /// As it is (sections 3 and 4 of the paper).
    Plain,
}

/// Whose turn is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TurnOrder {
    /// As the components are named, or stand in the system.
    Given,
    /// Few labels that others see first.
    Interface,
    /// Many states first.
    Largest,
    /// Few states first.
    Smallest,
}

/// How the states of a program are searched.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct SearchArgs {
    /// In which order: breadth gives shortest counterexamples, depth often finds one sooner
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = "Search of PROMELA programs"
    )]
    pub order: SearchOrder,

    /// Follow every order of steps, also of those that do not disturb each other
    #[arg(long, help_heading = "Search of PROMELA programs")]
    pub no_reduction: bool,

    /// Keep hashes of so many bits instead of states: less memory, but states can be missed, so
    /// nothing is said to hold
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(16..=64), help_heading = "Search of PROMELA programs")]
    pub compaction: Option<u32>,

    /// End with the first violation that is found, however long its run is
    #[arg(long, help_heading = "Search of PROMELA programs")]
    pub first: bool,
}

/// Orders of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SearchOrder {
    /// Nearest to the start first.
    #[default]
    Breadth,
    /// The newest first.
    Depth,
}

/// How a system is split.
#[derive(Clone, Debug, Args)]
pub struct RuleArgs {
    /// How to split the system: auto, chain, interface, balanced, or names as in `A,B/C,D`
    ///
    /// `chain` puts every component into a group of its own, `interface` makes two groups with few
    /// labels between them, `balanced` two of about equal size. `auto` is `interface` for
    /// systems of at most 4,096 states and `chain` for larger ones; for `suppose assume`, which
    /// shows one assumption, always `interface`.
    ///
    /// Groups are separated by `/`, components in a group by `,`; in a name `*` stands for any
    /// text, and alone for all components that are left. The first group is checked
    /// against the property under an assumption about the rest. Two groups use one assumption,
    /// more use one between each group and those after it.
    #[arg(long, default_value = "auto", help_heading = "Engine")]
    pub split: String,
}

/// The engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Choose, and say what was chosen and why.
    #[default]
    Auto,
    /// Explore the whole composition; of a program, all its states.
    Monolithic,
    /// What the property requires of one process, as the smallest automaton (`--component`).
    Quotient,
    /// Assume-guarantee abstraction refinement: assumptions by refining an abstraction.
    Agar,
    /// Assumptions by learning.
    Learn,
    /// SMV models: sets of states as decision diagrams.
    Bdd,
    /// SMV models and probabilistic systems: abstraction refinement of the whole.
    Cegar,
    /// Probabilistic systems: assume-guarantee abstraction refinement for any number of groups.
    AgarN,
    /// Probabilistic systems: conformance as one formula, as in the thesis; for small ones.
    Smt,
    /// Horn clauses and C: summaries of what may and what must be derived.
    Recmc,
    /// Horn clauses and C: the same as PDR does it, without must-summaries and projection.
    Gpdr,
    /// Horn clauses and C: bounded search for a derivation; only finds violations.
    Bmc,
    /// Linear Horn clauses and C: induction over how long a chain to a violation can be. SMV models: induction over several steps.
    Induction,
}

/// The learners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Learner {
    /// Angluin's L* with Rivest and Schapire's analysis of counterexamples.
    #[default]
    Lstar,
    /// TTT, with a discrimination tree.
    Ttt,
}

/// What an assumption may speak of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Alphabet {
    /// Start with the property's labels and add others when needed.
    #[default]
    Refine,
    /// All labels of the interface.
    Full,
}

/// Which classes to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Splitting {
    /// Where the concrete run gets stuck.
    Stuck,
    /// The earliest class from which the rest cannot be followed.
    Earliest,
    /// All of them.
    All,
}

/// How long and how large.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitArgs {
    /// Give up after this time: 500ms, 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// Give up before the program takes more memory: 200MiB, 4GiB
    #[arg(long, value_name = "SIZE", value_parser = values::bytes, help_heading = "Limits")]
    pub memory: Option<u64>,

    /// The seed of everything random: nothing is.
    #[arg(skip)]
    pub seed: u64,
}

/// `suppose check`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose check model.lts
  suppose check model.lts --property Mutex --engine agar --split auto
  suppose check model.lts --split 'Client1,Client2/Server' --certificate model.cert
  suppose check sender.aut receiver.aut --property-file order.aut --no-deadlock
  suppose check model.lts --set N=8 --timeout 5m --memory 4GiB --format json
  suppose check model.pml --set N=3
  suppose check model.pml --property-file safety.ltl --property p1 --engine quotient --component Sender
  suppose check clauses.smt2 --definitions defs.smt2 --certify-with z3
  suppose check prog.c --wrap --witness prog.yml
  suppose check model.nm --const N=3 --spec spec.nm --engine agar-n --split 'server/*'
  suppose check model.nm --property 'P<=0.1 [ F \"bad\" ]'
  suppose check model.smv --engine cegar --trace nusmv

Horn clauses are asked whether a query can be derived, C programs whether an assertion can fail.
A PROMELA program is asked for failing assertions, for invalid end states and for each `ltl` and
`never` claim that is a safety property; SPIN itself is not needed. A probabilistic system is asked
whether it conforms to --spec and has each --property; without these, for its sizes and for deadlock.
An SMV model is asked for each SPEC, LTLSPEC, INVARSPEC and COMPUTE; that it can get stuck is a
warning, and with --deadlock a verdict.
A file without a property is checked for deadlock, one with properties for both. Every claim gets
a verdict; the last line tells the worst. Evidence of every verdict is checked before it is shown.")]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub claims: ClaimArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Write the evidence to this file
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub certificate: Option<PathBuf>,

    /// Do not check the evidence
    #[arg(long, help_heading = "Evidence")]
    pub no_certify: bool,

    /// Look at all states of a program or an SMV model again, one by one and without reductions
    /// (slow); of small ones this is always done
    #[arg(long, conflicts_with = "no_certify", help_heading = "Evidence")]
    pub recheck: bool,

    /// Write the counterexample of a PROMELA program as a trail that SPIN follows
    ///
    /// `spin -t -p -k FILE model.pml` shows it, with -D for each --set.
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub trail: Option<PathBuf>,

    /// Of Horn clauses and C programs: let these solvers check every clause as well (z3, cvc5)
    #[arg(
        long,
        value_name = "SOLVER",
        value_delimiter = ',',
        conflicts_with = "no_certify",
        help_heading = "Evidence"
    )]
    pub certify_with: Vec<String>,

    /// Write the definitions of the predicates as SMT-LIB, if the clauses hold
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub definitions: Option<PathBuf>,

    /// Write a witness of a C program in the YAML form of SV-COMP
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub witness: Option<PathBuf>,

    /// Write the result as one self-contained HTML page
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Show all steps of a counterexample, however long it is
    #[arg(long, help_heading = "Output")]
    pub full: bool,

    #[command(flatten)]
    pub smv: SmvOutputArgs,
}

/// `suppose report`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Example:
  suppose report model.lts -o model.html

The page needs no network: verdicts, counterexamples as tables and message charts, assumptions as
drawings, the history of refinement, sizes and times.")]
pub struct ReportArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub claims: ClaimArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub limits: LimitArgs,

    /// The page to write
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// `suppose assume`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose assume model.lts --property Order
  suppose assume model.lts --split 'Input/Output' --output order.svg
  suppose assume model.lts --component Output
  suppose assume model.pml --component Sender --property assertions
  suppose assume model.nm --spec spec.nm --output a.svg

Of a program, or with --component, shows what the property requires of that process: the smallest
automaton over its shared statements that the others can rely on. Otherwise it runs every engine that finds assumptions, reduces what they find, checks it again and shows the
smallest: first by states, then by labels. --output writes it as .svg, .dot, .aut or .json.")]
pub struct AssumeArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// For this property only (repeatable)
    #[arg(long = "property", short = 'p', value_name = "NAME")]
    pub properties: Vec<String>,

    /// Only this engine; `auto` runs all that find assumptions
    #[arg(long, value_enum, default_value_t)]
    pub engine: EngineName,

    #[command(flatten)]
    pub process: ProcessArgs,
    #[command(flatten)]
    pub refinement: RefinementArgs,
    #[command(flatten)]
    pub rule: RuleArgs,
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Write the assumption here, in the format the name ends with: .svg, .dot, .aut, .json
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl AssumeArgs {
    /// Does it ask for the requirement of one process?
    pub fn process_named(&self) -> bool {
        let process = &self.process;
        !process.components.is_empty() || process.in_turn.is_some() || self.refinement.is_given()
    }
}

/// `suppose certify`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Example:
  suppose check model.lts --certificate model.cert
  suppose certify model.cert model.lts

Give the same files and --set values as to check. No engine has a part in this.")]
pub struct CertifyArgs {
    /// The evidence that `check --certificate` wrote
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `suppose convert`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose convert model.lts model.aut                      the composition, state by state
  suppose convert model.lts model.json                     the network of components
  suppose convert model.lts client.aut --component Client
  suppose convert model.lts small.aut --minimise branching
  suppose convert prog.c clauses.smt2                      the Horn clauses of a C program
  suppose convert model.nm model.drn                       a probabilistic system, state by state
  suppose convert model.smv flat.smv                       an SMV model without modules
  suppose convert --premises model.cert model.lts folder   what a certificate rests on, as .aut")]
pub struct ConvertArgs {
    /// What to read
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// What to write, in the format the name ends with: .aut, .json, .dot, .svg; of Horn clauses and C programs .smt2; of a probabilistic system .tra, .drn, .lpts, .json, .dot, .svg; of an SMV model .smv
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub model: ModelArgs,

    /// Only this component (or property)
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,

    /// Merge states that are equivalent
    #[arg(long, value_enum, value_name = "EQUIVALENCE")]
    pub minimise: Option<Equivalence>,

    /// Write the premises of this certificate as .aut files into the folder OUT
    #[arg(long, value_name = "CERT", conflicts_with_all = ["component", "minimise"])]
    pub premises: Option<PathBuf>,

    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Equivalence {
    /// Strong bisimulation: tau counts as any other action.
    Strong,
    /// Branching bisimulation.
    Branching,
    /// Weak bisimulation, as LTSA minimises.
    Weak,
}

/// `suppose draw`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose draw model.lts                                   the components and what they share, as DOT
  suppose draw model.lts --component Client -o client.svg
  suppose draw model.lts --property Order -o order.dot")]
pub struct DrawArgs {
    #[command(flatten)]
    pub input: InputArgs,

    /// Draw this component
    #[arg(long, value_name = "NAME", conflicts_with_all = ["property", "composition"])]
    pub component: Option<String>,

    /// Draw this property
    #[arg(long, short, value_name = "NAME", conflicts_with = "composition")]
    pub property: Option<String>,

    /// Draw the composition, state by state
    #[arg(long)]
    pub composition: bool,

    /// Write here, as .svg or .dot; without it DOT goes to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub limits: LimitArgs,
}

/// `suppose completions`.
#[derive(Clone, Copy, Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `suppose man`.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// Of this command; without it, of the program
    pub command: Option<String>,
}
