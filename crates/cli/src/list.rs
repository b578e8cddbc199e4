//! `suppose options`: the declarations as a table, for people and for programs.

use clap::builder::PossibleValue;
use clap::{Arg, Command, CommandFactory};
use serde_json::{Value, json};
use suppose::EngineInfo;
use suppose::Language;
use suppose::options::table::{
    COMMANDS, ENGINES, EngineScope, OPTIONS, OptionScope, engines, groups,
};

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
        let able = row.engine_names();
        if !able.is_empty() {
            place += &format!("; engines {}", able.join(", "));
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
        let values = match row.option {
            "language" => Vec::new(),
            "engine" => engines(language).map(engine_line).collect(),
            _ => value_lines(arg),
        };
        lines.extend(values.into_iter().map(|line| format!("        {line}")));
        lines.push(format!("      ({place})"));
    }
    lines.join("\n")
}

/// An engine as a value of `--engine`.
fn engine_line(engine: &EngineInfo) -> String {
    let decides: Vec<&str> = engine.decides.iter().map(|c| c.name()).collect();
    let summary = engine.summary.trim_end_matches('.');
    format!(
        "{}: {summary} (decides {})",
        engine.name,
        decides.join(", ")
    )
}

/// The values that an option may have, with their help.
fn value_lines(arg: &Arg) -> Vec<String> {
    if !arg.get_action().takes_values() {
        return Vec::new();
    }
    let values = arg.get_possible_values();
    let shown = values.iter().filter(|v| !v.is_hide_set());
    let line = |value: &PossibleValue| {
        let help = value.get_help().map_or(String::new(), |h| format!(": {h}"));
        format!("{}{help}", value.get_name())
    };
    shown.map(line).collect()
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
        let engines = row.engine_names();
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
        let engines = row.engine_names();
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
        "engines": ENGINES.iter().flat_map(engine_records).collect::<Vec<_>>(),
        "options": rows,
    });
    format!("{document:#}")
}

fn engine_records(scope: &EngineScope) -> Vec<Value> {
    let languages: Vec<&str> = scope.languages.iter().map(|l| l.name()).collect();
    let record = |engine: &EngineInfo| {
        let decides: Vec<&str> = engine.decides.iter().map(|c| c.name()).collect();
        json!({
            "engine": engine.name,
            "languages": languages,
            "summary": engine.summary,
            "decides": decides,
            "finds_assumptions": engine.assumes,
            "options": engine.options,
        })
    };
    scope.engines().map(record).collect()
}

#[cfg(test)]
mod tests;
