//! The raw command line: what may be written, and the help that teaches it. The options themselves are declared in the library.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use suppose::options::values;
use suppose::options::{ClaimOptions, EngineOptions};
use suppose::{
    AssumeOptions, CertifyOptions, CheckOptions, ConvertOptions, DrawOptions, Language, Limits,
    ModelOptions, SimulateOptions, SpinOptions,
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
  suppose simulate model.pml --interactive  walk through a model, step by step
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
  suppose simulate model.pml --interactive  walk through a model, step by step
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
    Check(Box<CheckArgs>),
    /// Find the smallest assumption that proves a property
    Assume(AssumeArgs),
    /// Check a system and write the result as one HTML page
    Report(Box<ReportArgs>),
    /// Check a certificate or counterexample against a system
    Certify(CertifyArgs),
    /// Convert between formats, compose, minimise, export premises
    Convert(ConvertArgs),
    /// Draw a system, a component or a property as DOT or SVG
    Draw(DrawArgs),
    /// Walk through a model: by chance, by your choices, or along a counterexample
    Simulate(SimulateArgs),
    /// Let SPIN check a PROMELA program in which an automaton takes the place of a process
    Spin(SpinArgs),
    /// List the options, and for which models each is
    Options(OptionsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

/// The files of a model.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// A system in FSP (.lts, .fsp) or JSON; a PROMELA program (.pml, .prom, .promela, .pm, .spin, .prm, .pr, .pro); Horn
    /// clauses (.smt2) or a C program (.c, .i); a probabilistic system (.prism, .nm, .pm, .tra, .drn, .lpts);
    /// an SMV model (.smv); or components, one .aut file each. `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
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
  suppose check prog.c --data-model ILP32 --witness prog.yml
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
    pub options: CheckOptions,
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
    #[command(flatten)]
    pub options: AssumeOptions,
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
    pub model: ModelOptions,
    #[command(flatten)]
    pub claims: ClaimOptions,
    #[command(flatten)]
    pub engine: EngineOptions,
    #[command(flatten)]
    pub limits: Limits,

    /// The page to write
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
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
    pub options: CertifyOptions,
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
    pub options: ConvertOptions,
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
    #[command(flatten)]
    pub options: DrawOptions,
}

/// `suppose spin`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Example:
  suppose spin model.pml --component Sender --threshold 10%

Needs `spin` and `gcc`. They run in a private folder, under the limits given here.")]
pub struct SpinArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub options: SpinOptions,
}

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
    #[command(flatten)]
    pub options: SimulateOptions,
}

/// `suppose options`.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose options            every option, and for which models it is
  suppose options smv        those for SMV models")]
pub struct OptionsArgs {
    /// Only those for models in this language
    #[arg(value_parser = values::language())]
    pub language: Option<Language>,
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
