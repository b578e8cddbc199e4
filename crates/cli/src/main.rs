//! Suppose: a compositional model checker that finds its own assumptions.
//!
//! The command line. `args` is what may be written, `commands` is what is done about it,
//! `engines` knows the engines by name, `watch` ends what takes too long or too much. Nothing
//! outside this crate prints, exits, or looks at arguments and environment.

mod args;
mod commands;
mod engines;
mod evidence;
mod evidence_file;
mod exit;
mod failure;
mod files;
mod findings;
mod horn;
mod input;
mod markov;
mod options;
mod output;
mod process;
mod program;
mod progress;
mod reduce;
mod spin;
mod symbolic;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

use crate::args::Cli;
use crate::exit::ExitStatus;
use crate::options::Given;

fn main() -> ExitCode {
    let status = match parse() {
        Ok((cli, given)) => commands::run(cli, given).show(),
        Err(error) => refuse(&error),
    };
    status.into()
}

/// The command line, and which options stand on it.
fn parse() -> Result<(Cli, Given), clap::Error> {
    let mut root = Cli::command();
    root.build();
    let matches = root.try_get_matches_from_mut(std::env::args_os())?;
    let given = Given::of(&root, &matches);
    Ok((Cli::from_arg_matches(&matches)?, given))
}

/// Help and version go to standard output and are no error; a reader that went away is none
/// either.
fn refuse(error: &clap::Error) -> ExitStatus {
    let _ = error.print();
    let unknown = error.get(ContextKind::InvalidSubcommand);
    if matches!(unknown, Some(ContextValue::String(name)) if name == "bench") {
        let _ = writeln!(
            std::io::stderr(),
            "\nThe measurements are a program of their own, in the sources of Suppose:\n\n  \
             cargo run --release -p suppose-bench -- SUITE"
        );
    }
    match error.use_stderr() {
        true => ExitStatus::Usage,
        false => ExitStatus::Holds,
    }
}
