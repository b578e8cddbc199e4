//! What a command that checks models asks for, whichever it is.

use std::path::PathBuf;

use suppose::{CheckOptions, RunOptions};

use crate::args::{Command, ReportArgs, SeveralArgs};

/// What to check: the files that were named, the options, and what is for all models together.
pub type CheckAsked = (Vec<PathBuf>, CheckOptions, SeveralArgs);

/// What a command that checks models asks for.
pub fn check_options(command: Command, given: Vec<String>) -> Option<CheckAsked> {
    match command {
        Command::Check(args) => {
            let mut args = *args;
            args.options.run.given = given;
            Some((args.input.files, args.options, args.several))
        }
        Command::Report(args) => {
            let (files, several) = (args.input.files.clone(), args.several.clone());
            Some((files, report_options(*args, given), several))
        }
        _ => None,
    }
}

/// `report` is a check whose page goes to a file.
fn report_options(args: ReportArgs, given: Vec<String>) -> CheckOptions {
    CheckOptions {
        model: args.model,
        claims: args.claims,
        engine: args.engine,
        run: RunOptions {
            limits: args.limits,
            given,
        },
        report: Some(args.output),
        ..CheckOptions::default()
    }
}
