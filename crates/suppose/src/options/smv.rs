//! Options on SMV models.

use std::path::PathBuf;

use serde::Serialize;
use suppose_model::fsm::Dialect;

/// How SMV models are read.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SmvOptions {
    /// Which SMV the model is written in
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "DIALECT", help_heading = "SMV models")
    )]
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
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SmvEngineOptions {
    /// Abstract away at first what is farther than so many dependencies from the property (`--engine cegar`)
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "NUMBER", help_heading = "SMV models")
    )]
    pub far: Option<u32>,

    /// What tells whether an abstract counterexample is real (`--engine cegar`)
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "HOW", help_heading = "SMV models")
    )]
    pub spurious: Option<SpuriousName>,

    /// How states that must not be one class are separated (`--engine cegar`)
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "HOW", help_heading = "SMV models")
    )]
    pub separation: Option<SeparationName>,

    /// When parts of the relation of steps are abstracted by themselves (`--engine cegar`)
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "WHEN", help_heading = "SMV models")
    )]
    pub early: Option<EarlyName>,
}

/// What looks at abstract counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SpuriousName {
    /// Sets of states.
    Bdd,
    /// A SAT solver: the relation of all steps is never made.
    Sat,
}

/// How classes are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SeparationName {
    /// Classes are merged where no state that matters is against it.
    Squeezed,
    /// States that do not matter go to one side together.
    Paper,
}

/// When to approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum EarlyName {
    /// Where parts together would be large.
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// What is written of an SMV model.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SmvOutputOptions {
    /// Print verdicts and runs as NuSMV lays them out
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "LAYOUT", help_heading = "SMV models")
    )]
    pub trace: Option<TraceName>,

    /// Write the invariant that proves a property as SMT-LIB, for any solver to check
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "SMV models")
    )]
    pub smtlib: Option<PathBuf>,

    /// Write the invariant that proves a property as a circuit in AIGER's text form
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", help_heading = "SMV models")
    )]
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
