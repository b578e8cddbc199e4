//! `suppose completions` and `suppose man`: from the same definitions as the arguments.

use clap::CommandFactory;
use clap_complete::Shell;
use suppose::Failure;

use crate::args::Cli;
use crate::output::Output;

/// A completion script.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "suppose", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// A manual page, of the program or of one command.
pub fn man(command: Option<&str>) -> Result<Output, Failure> {
    let mut root = Cli::command();
    root.build();
    let page = match command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return Err(Failure::usage(format!("there is no command `{name}`"))),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(Failure::internal)?;
    Ok(Output::ok(String::from_utf8_lossy(&text)))
}
