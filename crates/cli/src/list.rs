//! `suppose options`: the declarations as a table, for people and for programs.

use clap::{Arg, Command, CommandFactory};
use serde_json::{Value, json};
use suppose::Language;
use suppose::options::scope::groups;
use suppose::options::table::{COMMANDS, ENGINES, EngineScope, OPTIONS, OptionScope};

use crate::args::{Cli, Format, OptionsArgs, OutputOptions};
use crate::output::Output;

/// Lists the options.
pub fn list(args: OptionsArgs, look: OutputOptions) -> Output {
    let fits = |o: &&OptionScope| args.language.is_none_or(|l| o.languages.contains(&l));
    let rows: Vec<&OptionScope> = OPTIONS.iter().filter(fits).collect();
    Output::ok(match (look.format, args.language) {
        (Format::Json, _) => document(&rows),
        (Format::Text, None) => text(&rows),
        (Format::Text, Some(language)) => explained(&rows, language),
    })
}

/// With their help: what a command has for models in one language.
fn explained(rows: &[&OptionScope], language: Language) -> String {
    let root = root();
    let (name, title) = (language.name(), language.title());
    let mut lines = vec![format!("Options for `{name}` ({title}):")];
    let reads = |command: &&str| {
        let scope = COMMANDS.iter().find(|c| c.command == *command);
        scope.is_some_and(|c| c.languages.contains(&language))
    };
    for row in rows {
        let commands: Vec<&str> = commands(row).into_iter().filter(reads).collect();
        let found = commands.iter().find_map(|c| {
            let command = root.find_subcommand(c)?;
            command
                .get_arguments()
                .find(|a| a.get_long() == Some(row.option))
        });
        let Some(arg) = found.filter(|a| !a.is_hide_set()) else {
            continue;
        };
        let mut place = format!("suppose {}", commands.join(", "));
        let engines: Vec<&str> = row.engines.iter().map(|e| e.name()).collect();
        if !engines.is_empty() {
            place += &format!("; engines {}", engines.join(", "));
        }
        if let Some(other) = row.with {
            place += &format!("; with --{other}");
        }
        lines.push(String::new());
        lines.push(format!("  --{}{}", row.option, value_of(arg)));
        let help = arg.get_long_help().or_else(|| arg.get_help());
        let help = help.map_or(String::new(), ToString::to_string);
        lines.extend(
            help.lines()
                .map(|l| format!("      {l}").trim_end().to_owned()),
        );
        for value in arg
            .get_possible_values()
            .iter()
            .filter(|v| !v.is_hide_set())
            .filter(|v| row.option != "engine" || decides(v.get_name(), language))
        {
            if arg.get_action().takes_values() && row.option != "language" {
                let help = value.get_help().map_or(String::new(), |h| format!(": {h}"));
                lines.push(format!("        {}{help}", value.get_name()));
            }
        }
        lines.push(format!("      ({place})"));
    }
    lines.join("\n")
}

/// Is the engine for models in this language?
fn decides(engine: &str, language: Language) -> bool {
    let fits = |e: &&EngineScope| e.engine.name() == engine && e.languages.contains(&language);
    ENGINES.iter().any(|e| fits(&e))
}

/// ` NAME` for an option with a value.
fn value_of(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().map(|n| format!(" {n}")).collect()
}

fn root() -> Command {
    let mut root = Cli::command();
    root.build();
    root
}

/// The commands among those declared that have the option at all.
fn commands(row: &OptionScope) -> Vec<&'static str> {
    let root = root();
    let has = |name: &str| {
        let command = root.find_subcommand(name);
        command.is_some_and(|c| c.get_arguments().any(|a| a.get_long() == Some(row.option)))
    };
    let all = COMMANDS.iter().map(|c| c.command);
    all.filter(|c| row.commands.contains(c) && has(c)).collect()
}

/// All options of a command, the hidden ones too.
fn defined(command: &str) -> Vec<String> {
    let root = root();
    let command = root.find_subcommand(command);
    let names = command.map(|c| c.get_arguments().filter_map(|a| a.get_long()));
    let names = names
        .into_iter()
        .flatten()
        .filter(|n| !matches!(*n, "help" | "version"));
    names.map(str::to_owned).collect()
}

fn text(rows: &[&OptionScope]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let commands = commands(row);
        let commands = match commands.len() == COMMANDS.len() {
            true => "every command".to_owned(),
            false => commands.join(", "),
        };
        let languages = match row.languages.len() == Language::ALL.len() {
            true => "every model".to_owned(),
            false => groups(row.languages),
        };
        let engines: Vec<&str> = row.engines.iter().map(|e| e.name()).collect();
        let mut line = format!("--{:18} {commands}: {languages}", row.option);
        if !engines.is_empty() {
            line += &format!("; engines {}", engines.join(", "));
        }
        if let Some(other) = row.with {
            line += &format!("; with --{other}");
        }
        lines.push(line);
    }
    lines.join("\n")
}

fn document(rows: &[&OptionScope]) -> String {
    let row = |row: &&OptionScope| -> Value {
        let languages: Vec<&str> = row.languages.iter().map(|l| l.name()).collect();
        let engines: Vec<&str> = row.engines.iter().map(|e| e.name()).collect();
        json!({
            "option": row.option,
            "commands": commands(row),
            "languages": languages,
            "engines": engines,
            "with": row.with,
        })
    };
    let commands: Vec<Value> = COMMANDS
        .iter()
        .map(|c| {
            let languages: Vec<&str> = c.languages.iter().map(|l| l.name()).collect();
            json!({ "command": c.command, "languages": languages, "options": defined(c.command) })
        })
        .collect();
    let rows: Vec<Value> = rows.iter().map(row).collect();
    let document = json!({
        "schema": "suppose-options",
        "schema_version": 1,
        "commands": commands,
        "options": rows,
    });
    format!("{document:#}")
}

#[cfg(test)]
mod tests;
