//! Options on SMV models.

use std::path::PathBuf;

use serde::Serialize;
use suppose_model::fsm::Dialect;

/// How SMV models are read.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "SMV models")
)]
pub struct SmvOptions {
    /// The SMV dialect of the model
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "DIALECT"))]
    pub dialect: Option<DialectName>,
}

/// Dialects of SMV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum DialectName {
    /// NuSMV 2.6 (the default).
    #[default]
    Nusmv,
    /// The SMV of Carnegie Mellon: 0 and 1 are booleans, and there is no LTL.
    Old,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Nusmv => Dialect::NuSmv,
            DialectName::Old => Dialect::Old,
        }
    }
}

impl From<Dialect> for DialectName {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::NuSmv => DialectName::Nusmv,
            Dialect::Old => DialectName::Old,
        }
    }
}

/// How SMV models are abstracted.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "SMV models")
)]
pub struct SmvEngineOptions {
    /// Initially abstract away variables more than this many dependencies away from the property (`--engine cegar`)
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBER"))]
    pub far: Option<u32>,

    /// How an abstract counterexample is checked (`--engine cegar`)
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW"))]
    pub spurious: Option<SpuriousName>,

    /// How dead-end and bad states are separated (`--engine cegar`)
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW"))]
    pub separation: Option<SeparationName>,

    /// When conjuncts of the transition relation are abstracted one by one (`--engine cegar`)
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHEN"))]
    pub early: Option<EarlyName>,
}

/// What looks at abstract counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SpuriousName {
    /// Sets of states.
    Bdd,
    /// A SAT solver; the concrete transition relation is never built.
    Sat,
}

/// How classes are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SeparationName {
    /// Classes are merged unless a relevant state forbids it.
    Squeezed,
    /// Irrelevant states all go to one side, as in the paper.
    Paper,
}

/// When to approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum EarlyName {
    /// Where their conjunction would be large.
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// What is written of an SMV model.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "SMV models")
)]
pub struct SmvOutputOptions {
    /// Print verdicts and counterexamples in NuSMV's format
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "LAYOUT"))]
    pub trace: Option<TraceName>,

    /// Write the invariant that proves a property as SMT-LIB, for any solver to check
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub smtlib: Option<PathBuf>,

    /// Write the invariant that proves a property as an ASCII AIGER circuit
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub aiger: Option<PathBuf>,
}

/// Layouts of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TraceName {
    /// Our own (the default).
    Own,
    /// That of NuSMV.
    Nusmv,
}
