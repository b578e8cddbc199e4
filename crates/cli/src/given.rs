//! Which options were typed, and which ones the help shows.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use suppose::Language;
use suppose::options::table::OPTIONS;

/// The long names of the options that were typed. `root` is built.
pub fn typed(root: &Command, matches: &ArgMatches) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else {
        return Vec::new();
    };
    let Some(command) = root.find_subcommand(name) else {
        return Vec::new();
    };
    let is_typed = |id: &str| {
        matches.try_contains_id(id).is_ok()
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    command
        .get_arguments()
        .filter(|a| is_typed(a.get_id().as_str()))
        .filter_map(|a| a.get_long().map(str::to_owned))
        // Of `report` it is the page itself.
        .filter(|long| !(name == "report" && long == "output"))
        .collect()
}

/// The same commands, with a help that shows the options that models in most languages share, and says where the others are.
pub fn with_shared_help(root: Command) -> Command {
    root.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let mut hidden = 0;
        let command = command.mut_args(|arg| {
            let of_few = arg.get_long().is_some_and(|long| is_of_few(&name, long));
            hidden += u32::from(of_few && !arg.is_hide_set());
            match of_few {
                true => arg.hide(true),
                false => arg,
            }
        });
        if hidden == 0 {
            return command;
        }
        let before = command.get_after_help().map(ToString::to_string);
        let more = format!(
            "{}{hidden} more options are for models in some languages only: `suppose options LANGUAGE` shows them \
             ({}).",
            before.map_or(String::new(), |b| format!("{b}\n\n")),
            Language::ALL.map(Language::name).join(", ")
        );
        command.after_help(more)
    })
}

/// Is the option of that command for models in less than half of the languages?
fn is_of_few(command: &str, option: &str) -> bool {
    let rows = OPTIONS
        .iter()
        .filter(|o| o.option == option && o.commands.contains(&command));
    let mut languages: Vec<Language> = rows.flat_map(|o| o.languages).copied().collect();
    languages.sort_unstable();
    languages.dedup();
    !languages.is_empty() && languages.len() * 2 < Language::ALL.len()
}
