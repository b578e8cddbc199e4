//! Simulation of a model.

use serde::Serialize;

use super::{ModelOptions, RunOptions};

/// How to simulate a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Simulation")
)]
pub struct SimulateOptions {
    /// How the model is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,

    /// The number of random steps
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 20, conflicts_with_all = ["interactive", "counterexample"]))]
    pub steps: u64,

    /// The random seed
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "N",
            default_value_t = 0,
            conflicts_with = "counterexample"
        )
    )]
    #[serde(rename = "chance")]
    pub seed: u64,

    /// Choose the steps interactively, one command per line on standard input
    #[cfg_attr(feature = "clap", arg(long, short, conflicts_with = "counterexample"))]
    pub interactive: bool,

    /// Check the model and follow its counterexample
    #[cfg_attr(feature = "clap", arg(long, short))]
    pub counterexample: bool,

    /// Check only this property (repeatable); see `suppose help check`
    #[cfg_attr(
        feature = "clap",
        arg(long = "property", short = 'p', value_name = "NAME")
    )]
    pub properties: Vec<String>,

    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,
}

impl Default for SimulateOptions {
    fn default() -> Self {
        SimulateOptions {
            model: ModelOptions::default(),
            steps: 20,
            seed: 0,
            interactive: false,
            counterexample: false,
            properties: Vec::new(),
            run: RunOptions::default(),
        }
    }
}
