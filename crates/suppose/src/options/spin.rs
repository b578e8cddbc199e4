//! SPIN on a smaller program.

use std::path::PathBuf;

use serde::Serialize;

#[cfg(feature = "clap")]
use super::values;
use super::{ModelOptions, ProcessOptions, RunOptions};

/// Which process is replaced, and what is asked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SpinOptions {
    /// How the program is read.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub model: ModelOptions,
    /// Which process.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub process: ProcessOptions,

    /// Merge states of the process until at most this fraction is left
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT", default_value = "10%", value_parser = values::percent))]
    pub threshold: f64,

    /// Run SPIN even if merging states decides the property
    #[cfg_attr(feature = "clap", arg(long))]
    pub always: bool,

    /// Only `assertions` is supported here
    #[cfg_attr(
        feature = "clap",
        arg(
            long = "property",
            short = 'p',
            value_name = "NAME",
            default_value = "assertions"
        )
    )]
    pub property: String,

    /// Write the program with the automaton to this file
    #[cfg_attr(feature = "clap", arg(long, short, value_name = "FILE"))]
    pub output: Option<PathBuf>,

    /// Under which limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub run: RunOptions,
}

impl Default for SpinOptions {
    fn default() -> Self {
        SpinOptions {
            model: ModelOptions::default(),
            process: ProcessOptions::default(),
            threshold: 0.1,
            always: false,
            property: "assertions".to_owned(),
            output: None,
            run: RunOptions::default(),
        }
    }
}
