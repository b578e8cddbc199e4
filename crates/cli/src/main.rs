//! The command `suppose`: arguments, progress, output and exit status. What it asks for is in the library of the same name.
//!
//! `args` is what may be written, `commands` hands it to the library, `output` is where results go. Nothing but this program prints,
//! exits, or looks at arguments and environment.

mod args;
mod asked;
mod batch;
mod commands;
mod events;
mod exchange;
mod explain;
mod given;
mod input;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod ltl;
mod manual;
mod output;
mod progress;
mod resume;
#[cfg(feature = "serve")]
mod serve;
mod simulate;
mod solve;
mod suite;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};
use suppose::ExitStatus;

use crate::args::Cli;
use crate::batch::worker;

fn main() -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let status = match worker::arguments(&typed) {
        Some(told) => match parse(&told.typed) {
            Ok((cli, given)) => worker::work(cli, given, told),
            Err(error) => refuse(&error),
        },
        None => match parse(&typed) {
            Ok((cli, given)) => commands::run(cli, given).show(),
            Err(error) => refuse(&error),
        },
    };
    status.into()
}

/// The command line, and which options stand on it.
fn parse(typed: &[OsString]) -> Result<(Cli, Vec<String>), clap::Error> {
    let mut root = given::with_shared_help(Cli::command());
    root.build();
    let matches = root.try_get_matches_from_mut(typed)?;
    let given = given::typed(&root, &matches);
    Ok((Cli::from_arg_matches(&matches)?, given))
}

/// Help and version go to standard output and are no error; a reader that went away is none either.
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
