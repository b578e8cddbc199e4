//! `suppose options`: the declarations as a table, for people and for programs.

use clap::{Args, CommandFactory};
use serde_json::{Value, json};
use suppose_frontends::Language;

use super::table::{COMMANDS, OPTIONS, OptionScope};
use super::{engine_name, groups};
use crate::args::{Cli, Format, Look, values};
use crate::output::Output;

/// `suppose options`.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_help = "\
Examples:
  suppose options            every option, and for which models it is
  suppose options smv        those for SMV models")]
pub struct OptionsArgs {
    /// Only those for models in this language
    #[arg(value_parser = values::language())]
    pub language: Option<Language>,
}

/// Lists the options.
pub fn list(args: OptionsArgs, look: Look) -> Output {
    let fits = |o: &&OptionScope| args.language.is_none_or(|l| o.languages.contains(&l));
    let rows: Vec<&OptionScope> = OPTIONS.iter().filter(fits).collect();
    Output::ok(match look.format {
        Format::Json => document(&rows),
        Format::Text => text(&rows),
    })
}

/// The commands among those declared that have the option at all.
fn commands(row: &OptionScope) -> Vec<&'static str> {
    let mut root = Cli::command();
    root.build();
    let has = |name: &str| {
        let command = root.find_subcommand(name);
        command.is_some_and(|c| c.get_arguments().any(|a| a.get_long() == Some(row.option)))
    };
    let all = COMMANDS.iter().map(|c| c.command);
    all.filter(|c| row.commands.contains(c) && has(c)).collect()
}

/// All options of a command, the hidden ones too.
fn defined(command: &str) -> Vec<String> {
    let mut root = Cli::command();
    root.build();
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
        let engines: Vec<String> = row.engines.iter().map(|e| engine_name(*e)).collect();
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
        let engines: Vec<String> = row.engines.iter().map(|e| engine_name(*e)).collect();
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
