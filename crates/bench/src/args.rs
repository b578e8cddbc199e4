//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::values;

/// Run a suite of measurements of `suppose` and print it as a table
#[derive(Clone, Debug, Parser)]
#[command(name = "suppose-bench", version, max_term_width = 100)]
#[command(after_help = "\
Suites:
  agar        assumption sizes, times and memory of AGAR, learning and monolithic search
  growth      families by size: compositional against monolithic
  progress    liveness of families by size: in parts against monolithic
  monolithic  speed and memory of the exhaustive search
  strategies  variants of AGAR against each other
  spin        PROMELA programs beside SPIN
  liveness    infinite runs of PROMELA programs beside SPIN
  ltl         automata of formulas beside those of SPIN
  parts       protocols by size: proofs by views beside the search and SPIN
  resy        requirements of single processes of PROMELA programs, beside SPIN
  horn        Horn clauses and C programs beside Z3, growth, and settings against each other
  markov      conformance of probabilistic systems, beside the published figures
  smv         SMV models by family and size, beside NuSMV
  cegar       the table of Section 6 of the paper on abstraction refinement, evidence checked

Every cell runs in a process of its own and under its own limits; the table is Markdown.")]
pub struct BenchArgs {
    /// The suite to run
    #[arg(value_enum)]
    pub suite: Suite,

    /// The `suppose` to measure; without it the one that `cargo run` makes, or the one beside this program
    #[arg(long, value_name = "PROGRAM")]
    pub suppose: Option<PathBuf>,

    /// Say nothing while measuring
    #[arg(long, short)]
    pub quiet: bool,

    /// Runs of each cell; the median is shown
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Time limit of each run
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "60s")]
    pub timeout: Duration,

    /// Memory limit of each run
    #[arg(long, value_name = "SIZE", value_parser = values::bytes, default_value = "4GiB")]
    pub memory: u64,

    /// Only the smallest sizes
    #[arg(long)]
    pub quick: bool,

    /// Let every run check its evidence too, which takes time and memory
    #[arg(long)]
    pub certify: bool,

    /// Only rows whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// Only this engine of ours, beside NuSMV
    #[arg(long, value_name = "NAME", value_parser = ["auto", "bdd", "cegar"], help_heading = "Suite smv")]
    pub engine: Option<String>,

    /// A folder with problems, and for `horn` `expected.tsv` with their verdicts; else our own examples
    #[arg(long, value_name = "FOLDER", help_heading = "Suites horn and parts")]
    pub models: Option<PathBuf>,

    /// The z3 to compare with; without it the one on the PATH, if there is one
    #[arg(long, value_name = "PROGRAM", help_heading = "Suite horn")]
    pub peer: Option<PathBuf>,

    /// Limit on the processor time of each run, in whole seconds
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "10s", help_heading = "Suite horn")]
    pub cpu: Duration,

    /// Compare settings of our own as well: without must-summaries, without projection, with abstraction
    #[arg(long, help_heading = "Suite horn")]
    pub ablation: bool,

    /// Print every problem too
    #[arg(long, help_heading = "Suite horn")]
    pub rows: bool,

    /// Write everything as one HTML page, with pictures
    #[arg(long, value_name = "FILE", help_heading = "Suite horn")]
    pub report: Option<PathBuf>,
}

/// The suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Suite {
    /// Assumption sizes, times and memory.
    Agar,
    /// Families by size.
    Growth,
    /// Liveness of networks by size.
    Progress,
    /// The exhaustive search.
    Monolithic,
    /// Variants of AGAR.
    Strategies,
    /// PROMELA programs beside SPIN.
    Spin,
    /// Infinite runs of PROMELA programs, beside SPIN.
    Liveness,
    /// Automata of formulas, beside SPIN.
    Ltl,
    /// Protocols by size, by views, by search and by SPIN.
    Parts,
    /// Requirement automata of PROMELA processes, beside SPIN.
    Resy,
    /// Horn clauses and C programs, beside Z3.
    Horn,
    /// Conformance of probabilistic systems.
    Markov,
    /// SMV models, beside NuSMV.
    Smv,
    /// Abstraction refinement as in its paper, with evidence checked.
    Cegar,
}
