//! Options as on a command line: one declaration serves both, so that every option of the command is one of the function.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Args, Command};
use suppose::Failure;

/// Options, and the long names of those that are given.
pub fn parse<O: Args>(arguments: Vec<OsString>) -> Result<(O, Vec<String>), Failure> {
    let mut command = O::augment_args(Command::new("suppose"))
        .no_binary_name(true)
        .disable_help_flag(true)
        .disable_version_flag(true);
    command.build();
    let matches = command
        .try_get_matches_from_mut(arguments)
        .map_err(refused)?;
    let is_given = |id: &str| {
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let given = command
        .get_arguments()
        .filter(|a| is_given(a.get_id().as_str()))
        .filter_map(|a| a.get_long().map(str::to_owned))
        .collect();
    let options = O::from_arg_matches(&matches).map_err(refused)?;
    Ok((options, given))
}

/// The first paragraph of what the parser says; usage of a command line is of no use here.
fn refused(error: clap::Error) -> Failure {
    let text = error.to_string();
    let text = text.trim().trim_start_matches("error: ");
    let mut paragraphs = text.split("\n\n");
    let failure = Failure::usage(paragraphs.next().unwrap_or_default().trim());
    let tips: Vec<&str> = paragraphs
        .filter_map(|p| p.trim().strip_prefix("tip: "))
        .collect();
    match tips.is_empty() {
        true => failure,
        false => failure.help(tips.join("; ")),
    }
}
