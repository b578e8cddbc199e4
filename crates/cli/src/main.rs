//! Suppose: a compositional model checker that finds its own assumptions.
//!
//! The command line. `args` is what may be written, `commands` is what is done about it,
//! `engines` knows the engines by name, `watch` ends what takes too long or too much. Nothing
//! outside this crate prints, exits, or looks at arguments and environment.

mod args;
mod bench;
mod commands;
mod engines;
mod evidence;
mod exit;
mod failure;
mod findings;
mod horn;
mod input;
mod markov;
mod output;
mod process;
mod program;
mod progress;
mod reduce;
mod spin;
mod symbolic;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::exit::ExitStatus;

fn main() -> ExitCode {
    let status = match Cli::try_parse() {
        Ok(cli) => commands::run(cli).show(),
        Err(error) => refuse(&error),
    };
    status.into()
}

/// Help and version go to standard output and are no error; a reader that went away is none
/// either.
fn refuse(error: &clap::Error) -> ExitStatus {
    let _ = error.print();
    match error.use_stderr() {
        true => ExitStatus::Usage,
        false => ExitStatus::Holds,
    }
}
