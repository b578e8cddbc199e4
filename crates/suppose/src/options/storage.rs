//! Where the states of a search are kept.

use std::path::PathBuf;

use serde::Serialize;

/// Where the states of a search are kept.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Search of PROMELA programs")
)]
pub struct StorageOptions {
    /// Keep states in this folder, not in memory; after an interruption, `suppose resume DIR` goes on
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub disk: Option<PathBuf>,

    /// The search in the folder goes on: it must be there already. Otherwise it must not.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub resumes: bool,

    /// The command line, which is noted in the folder.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub command: Vec<String>,
}
