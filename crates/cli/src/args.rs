//! The raw command line: what may be written, and the help that teaches it. The options themselves are declared in the library.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use suppose::options::values;
use suppose::options::{ClaimOptions, EngineOptions};
use suppose::{
    AssumeOptions, AutomatonFormat, CertifyOptions, CheckOptions, ConvertOptions, DrawOptions,
    Language, Limits, ModelOptions, SimulateOptions, SpinOptions,
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
    /// The command.
    #[command(subcommand)]
    pub command: Command,

    /// Options of all commands.
    #[command(flatten)]
    pub look: OutputOptions,
}

/// The examples that both forms of the help begin with.
macro_rules! examples {
    () => {
        "\
Examples:
  suppose check model.lts                   deadlock and every property of an FSP file
  suppose check model.pml                   assertions, end states and claims of a PROMELA program
  suppose check clauses.smt2                Horn clauses; also prog.c, a C program
  suppose check model.nm --spec spec.nm     does a probabilistic system conform to a specification?
  suppose check model.smv                   every property of an SMV (NuSMV) model
  suppose check a.aut b.aut --property-file p.aut
  suppose check model.lts --set N=5 --engine agar --report out.html
  suppose assume model.lts                  the smallest assumption that proves a property
  suppose assume model.pml --component P    what is required of the process P
  suppose certify model.cert model.lts      check evidence again, later or elsewhere
  suppose simulate model.pml --interactive  simulate a model step by step
  suppose draw model.lts -o model.svg
  suppose serve models                      a page to edit, check and explore models

"
    };
}

const EXAMPLES: &str = concat!(
    examples!(),
    "`suppose help COMMAND` says more about one command."
);

const MORE: &str = concat!(
    examples!(),
    "\
The last line on standard output is the verdict: holds, violated(PROPERTY) or unknown(REASON).

Exit status:
   0  holds              5  unknown
   1  usage error        6  internal error
   2  input error       10  violated
   3  resource limit    11  not the expected verdict (suppose test)
   4  certificate rejected"
);

/// The format of the output.
#[derive(Clone, Copy, Debug, Args)]
pub struct OutputOptions {
    /// Print only the last line.
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
    /// Go on with a search that keeps its states in a folder (`check --disk`)
    Resume(ResumeArgs),
    /// Check the models of a repository against the verdicts that suppose.toml expects
    Test(TestArgs),
    /// Check a certificate or counterexample against a system
    Certify(CertifyArgs),
    /// Answer the commands of an SMT-LIB script on Horn clauses, in the place of z3
    Solve(SolveArgs),
    /// Translate a formula of linear temporal logic, or an automaton, to a Büchi automaton
    Ltl(LtlArgs),
    /// Convert between formats, compose, minimise, export premises
    Convert(ConvertArgs),
    /// Draw a system, a component or a property as DOT or SVG
    Draw(DrawArgs),
    /// Simulate a model: at random, interactively, or along a counterexample
    Simulate(SimulateArgs),
    /// Open the workbench: a page on this machine to edit, check, explore and certify models
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Serve an editor: the language server protocol over standard input and output
    #[cfg(feature = "lsp")]
    #[command(after_help = "\
Editors start this themselves; docs/editors.md says how to tell them. It offers diagnostics, hover,
definitions, references, renaming, symbols, completion, and checks as code lenses.")]
    Lsp(LspArgs),
    /// Run SPIN on a PROMELA program with one process replaced by an automaton
    Spin(SpinArgs),
    /// Explain a word of the reports, messages and documentation
    Explain(ExplainArgs),
    /// List the options, with the models they are for
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
  suppose check models -j2 --timeout 1m --report 'out/{name}.html'

What is checked:
  FSP, .aut, JSON  every property, and deadlock
  PROMELA          assertions, invalid end states, safety claims (ltl, never, trace)
  SMV              every SPEC, LTLSPEC, INVARSPEC, PSLSPEC and COMPUTE; a deadlock is a warning, and
                   with --deadlock a verdict
  PRISM            conformance to --spec and every --property; without these, sizes and deadlock
  C                assertions and signed overflow
  Horn clauses     whether a query can be derived

Every claim gets a verdict; the last line is the worst. The evidence of every verdict is checked
before it is shown.

Several files are several models, each checked by itself; a folder stands for all models in it and
below. Only .aut files are together one model. A table at the end shows all verdicts; last line and
exit status are the worst. In the names of output files {name} is the name of the model.")]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub options: CheckOptions,
    #[command(flatten)]
    pub several: SeveralArgs,
}

/// How several models are checked in one call, and what other programs get of the results.
#[derive(Clone, Debug, Args)]
pub struct SeveralArgs {
    #[command(flatten)]
    pub results: ResultArgs,

    /// Of several models, check this many at once; limits are for each
    #[arg(
        long,
        short,
        value_name = "N",
        default_value = "1",
        help_heading = "Limits"
    )]
    pub jobs: std::num::NonZeroU16,
}

/// The results of a call in the formats of other programs.
#[derive(Clone, Debug, Default, Args)]
pub struct ResultArgs {
    /// Write the results of all models as SARIF, for code scanning
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sarif: Option<PathBuf>,

    /// Write the results of all models as JUnit XML, a test case for each claim
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub junit: Option<PathBuf>,

    /// Write what happens, as it happens, as lines of JSON; - is standard output, in place of the text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub events: Option<PathBuf>,

    /// Annotate the files in a GitHub workflow, by commands on standard error
    #[arg(long, help_heading = "Output")]
    pub github: bool,
}

impl SeveralArgs {
    /// How many models at once.
    pub fn at_once(&self) -> usize {
        usize::from(self.jobs.get())
    }
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

For a program, or with --component, shows what the property requires of that process: the smallest
automaton over its shared statements that the others can rely on. Otherwise runs every engine that
computes assumptions, minimises them, checks them again and shows the smallest, first by states,
then by labels. --output writes it as .svg, .dot, .aut, .json or .hoa.")]
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

The page is self-contained: verdicts, counterexamples as tables and message charts, assumptions as
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
    #[command(flatten)]
    pub several: SeveralArgs,

    /// The page to write; of several models, a name with {name} in it
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// `suppose resume`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Example:
  suppose check model.pml --disk states --timeout 1h
  suppose resume states

The model and the options are those of the first command, and the model must not have changed. Limits
and output files are not: they are given again. What was found before the last manifest, which
is written after each round of the search, is not searched again.")]
pub struct ResumeArgs {
    /// The folder that `check --disk` was given
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Search with this many threads [default: as the first command]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,

    #[command(flatten)]
    pub limits: Limits,

    /// Write the result as one self-contained HTML page
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Write the evidence to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,

    /// Write the counterexample as a SPIN trail
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trail: Option<PathBuf>,
}

/// `suppose test`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose test                   the models that suppose.toml in this folder lists
  suppose test models -j2

suppose.toml lists models, their options and their verdicts:

  [options]
  timeout = \"1m\"

  [[model]]
  files = [\"locks/*.pml\"]
  expect = \"holds\"

  [[model]]
  files = [\"window.pml\"]
  options = { set = [\"N=3\"] }
  expect = { assertions = \"violated\", end-states = \"holds\" }

A claim without an expectation is expected to hold. The last line is passed or
failed(FILE: CLAIM); the exit status is 0 or 11.")]
pub struct TestArgs {
    /// The folder with suppose.toml, or a file in its format
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub path: PathBuf,
    #[command(flatten)]
    pub several: SeveralArgs,
}

/// `suppose certify`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Example:
  suppose check model.lts --certificate model.cert
  suppose certify model.cert model.lts

Give the same files and --set values as to `check`. No engine is used.")]
pub struct CertifyArgs {
    /// The evidence that `check --certificate` wrote
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub options: CertifyOptions,
}

/// `suppose solve`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose solve clauses.smt2                  sat, unsat or unknown for each check-sat
  suppose solve -t:10000 -model clauses.smt2  at most ten seconds each, with the model
  suppose solve -in < clauses.smt2            line by line: a program may wait for each answer

Options, as z3 has them:
  -in            read standard input
  -t:N           at most N milliseconds for each check-sat, then `unknown`
  -T:N           at most N seconds for everything, then `timeout`
  -memory:N      at most N megabytes
  -model         print the model after `sat`
  -smt2          the language that is read anyway
  NAME=VALUE     timeout, memory_max_size and model as above; parameters of z3's search (fp.*, smt.* ...)
                 have no effect, which standard error says

For rules, `query` is answered with `sat` if the query can be derived. The exit status is 0, or 1 after an error
in the script.")]
pub struct SolveArgs {
    /// The script, and options as z3 has them
    #[arg(value_name = "FILE", required = true, num_args = 1.., allow_hyphen_values = true, trailing_var_arg = true)]
    pub words: Vec<String>,
}

/// `suppose ltl`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose ltl '[] (p -> <> q)'                         in the HOA format
  suppose ltl '[] (p -> <> q)' --negated --to never    what SPIN's -f writes for the negated formula
  suppose ltl --automaton a.hoa --to never             a claim for SPIN, or for suppose check")]
pub struct LtlArgs {
    /// The formula: [] <> X ! U V W && || -> <->, and names
    #[arg(
        value_name = "FORMULA",
        required_unless_present = "automaton",
        conflicts_with = "automaton"
    )]
    pub formula: Option<String>,

    /// Read an automaton in the HOA format instead, and reduce it
    #[arg(long, value_name = "FILE")]
    pub automaton: Option<PathBuf>,

    /// Of the words that do not satisfy the formula
    #[arg(long, requires = "formula")]
    pub negated: bool,

    /// The format
    #[arg(long, value_enum, default_value = "hoa")]
    pub to: AutomatonFormat,
}

/// `suppose convert`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose convert model.lts model.aut                      the states of the composition
  suppose convert model.lts model.json                     the network of components
  suppose convert model.lts client.aut --component Client
  suppose convert model.lts small.aut --minimise branching
  suppose convert prog.c clauses.smt2                      the Horn clauses of a C program
  suppose convert model.nm model.drn                       the states of a probabilistic system
  suppose convert model.smv flat.smv                       an SMV model without modules
  suppose convert --premises model.cert model.lts folder   the premises of a certificate, as .aut")]
pub struct ConvertArgs {
    /// What to read
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The output; its ending gives the format: .aut, .json, .hoa, .dot, .svg; for Horn clauses and C programs .smt2; for a probabilistic system .tra, .drn, .lpts, .json, .dot, .svg; for an SMV model .smv
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub options: ConvertOptions,
}

/// `suppose draw`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose draw model.lts                                   the components and their shared labels, as DOT
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
  suppose simulate model.lts                     20 random steps
  suppose simulate model.pml --steps 100 --seed 7
  suppose simulate model.smv --interactive       choose the steps; ? for help
  suppose simulate model.lts --counterexample --property Order

The same seed gives the same run. A run ends early where no step is enabled or a property is
violated. With --counterexample the model is checked first, and the counterexample is followed
step by step. The last line says how the simulation ended; the exit status is then 0.")]
pub struct SimulateArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub options: SimulateOptions,
}

/// `suppose lsp`.
#[cfg(feature = "lsp")]
#[derive(Clone, Debug, Args)]
pub struct LspArgs {
    /// Speak over standard input and output, as is always done; for editors that say so
    #[arg(long, hide = true)]
    pub stdio: bool,

    /// The longest time that a check may take (default: 1m)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<std::time::Duration>,

    /// The memory that the server may use while it checks (default: 4GiB)
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    pub memory: Option<u64>,
}

/// `suppose serve`.
#[cfg(feature = "serve")]
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose serve                    the examples, and what you type
  suppose serve models             all models in a folder and below it
  suppose serve model.lts          one model

Prints the address of a page for your browser. The part after # is a secret: whoever has it can use
the page. The page can read and change models in the folder, and nothing else. Ctrl-C ends it.

To reach the page from another machine, tunnel to it (ssh -L 8080:127.0.0.1:8080 HOST, with
--port 8080). --listen with an address that others can reach needs --token-file: whoever knows the
token can then read and change your models and use your processor, and whoever can read the network
can read the token, because the connection is not encrypted.")]
pub struct ServeArgs {
    /// The folder whose models can be opened, or one model
    #[arg(value_name = "FOLDER")]
    pub path: Option<PathBuf>,

    /// The port; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,

    /// The address to listen on; one that others can reach needs --token-file
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: std::net::IpAddr,

    /// Take the secret from this file, which only you may be able to read
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// A name by which the page may be reached, for example through a proxy (repeatable)
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,

    /// How many jobs may run at once
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub jobs: usize,

    /// The longest time that a job may take (default: 10m)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub timeout: Option<std::time::Duration>,

    /// The memory that all jobs together may use (default: 4GiB)
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    pub memory: Option<u64>,
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

/// `suppose explain`.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose explain                       all words
  suppose explain assumption
  suppose explain 'unknown(timeout)'    what a last line means")]
pub struct ExplainArgs {
    /// The word, or several that are one term; without it, all words are listed
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
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
