//! No option without effect: what is given is meant by the command and the model at hand, or refused.
//!
//! [`table`] says what is meant where. What was given is taken from the parsed command line itself, so that nothing has to be
//! listed a second time.

mod list;
pub mod table;

pub use list::{OptionsArgs, list};

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use suppose_frontends::Language;

use crate::args::EngineName;
use crate::failure::Failure;
use table::{COMMANDS, ENGINES, GROUPS, OPTIONS, OptionScope, READ, WRITTEN};

/// Options that say whose requirement is wanted, or how it is found.
const FOR_REQUIREMENTS: [&str; 5] = ["component", "in-turn", "schedule", "merging", "environment"];

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The command.
    pub command: String,
    /// The long names of the options.
    pub options: Vec<String>,
    /// The engine asked for, or the one that other options ask for.
    engine: EngineName,
    /// The files that are read.
    inputs: Vec<PathBuf>,
    /// The files that are written, with what names them.
    outputs: Vec<(String, PathBuf)>,
}

impl Given {
    /// What stands on a command line that was parsed. `root` is built.
    pub fn of(root: &Command, matches: &ArgMatches) -> Given {
        let Some((name, matches)) = matches.subcommand() else {
            return Given::default();
        };
        let Some(command) = root.find_subcommand(name) else {
            return Given::default();
        };
        let typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let options: Vec<String> = command
            .get_arguments()
            .filter(|a| matches.try_contains_id(a.get_id().as_str()).is_ok())
            .filter(|a| typed(a.get_id().as_str()))
            .filter_map(|a| a.get_long().map(str::to_owned))
            .collect();
        let asked = match matches.try_get_one::<EngineName>("engine") {
            Ok(Some(engine)) => *engine,
            _ => EngineName::Auto,
        };
        let has = |name: &str| options.iter().any(|o| o == name);
        let engine = match asked {
            // These say whose requirement is wanted, and how it is found, which is for one engine only.
            EngineName::Auto if FOR_REQUIREMENTS.iter().any(|o| has(o)) => EngineName::Quotient,
            asked => asked,
        };
        let (inputs, outputs) = files(name, command, matches);
        Given {
            command: name.to_owned(),
            options,
            engine,
            inputs,
            outputs,
        }
    }

    /// Refuses results that cannot be written, before there are any.
    pub fn probe(&self) -> Result<(), Failure> {
        crate::files::probe(&self.inputs, &self.outputs)
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|o| o == option)
    }

    /// Refuses a command, an engine or an option that means nothing for a model in this language. `file` is its name.
    pub fn refuse(&self, language: Language, file: &str) -> Result<(), Failure> {
        self.command_reads(language, file)?;
        self.engine_decides(language, file)?;
        let mut options = self.options.iter();
        options.try_for_each(|option| self.is_meant(option, language, file))
    }

    fn command_reads(&self, language: Language, file: &str) -> Result<(), Failure> {
        let Some(scope) = COMMANDS.iter().find(|c| c.command == self.command) else {
            return Ok(());
        };
        if scope.languages.contains(&language) {
            return Ok(());
        }
        let message = format!(
            "`suppose {}` is for {}",
            self.command,
            groups(scope.languages)
        );
        let others = COMMANDS.iter().filter(|c| c.languages.contains(&language));
        let others: Vec<String> = others.map(|c| format!("`suppose {}`", c.command)).collect();
        let help = format!("{} read {}", listed(&others, "and"), groups(&[language]));
        Err(Failure::usage(message)
            .help(read_as(file, language))
            .help(help))
    }

    fn engine_decides(&self, language: Language, file: &str) -> Result<(), Failure> {
        let fits = |command: &[&str]| command.contains(&self.command.as_str());
        if !self.has("engine") {
            return Ok(());
        }
        let fit = |e: &&table::EngineScope| fits(e.commands) && e.languages.contains(&language);
        let mut fitting = ENGINES.iter().filter(fit);
        if fitting.any(|e| e.engine == self.engine) {
            return Ok(());
        }
        let rows = ENGINES.iter().filter(|e| e.engine == self.engine);
        let rows: Vec<_> = rows.collect();
        let name = engine_name(self.engine);
        let languages: Vec<Language> = rows.iter().flat_map(|e| e.languages).copied().collect();
        let here: Vec<String> = ENGINES
            .iter()
            .filter(fit)
            .map(|e| engine_name(e.engine))
            .collect();
        let message = match languages.contains(&language) {
            true => format!("the engine `{name}` is not for `suppose {}`", self.command),
            false => format!("the engine `{name}` is for {}", groups(&languages)),
        };
        let help = format!("for it there are {}", listed(&here, "and"));
        Err(Failure::usage(message).help(format!("{}; {help}", read_as(file, language))))
    }

    fn is_meant(&self, option: &str, language: Language, file: &str) -> Result<(), Failure> {
        let of_command =
            |o: &&OptionScope| o.option == option && o.commands.contains(&self.command.as_str());
        let rows: Vec<&OptionScope> = OPTIONS.iter().filter(of_command).collect();
        let fitting: Vec<&OptionScope> = rows
            .iter()
            .copied()
            .filter(|o| o.languages.contains(&language))
            .collect();
        if fitting.is_empty() {
            let everywhere = OPTIONS.iter().filter(|o| o.option == option);
            let languages: Vec<Language> = match rows.is_empty() {
                true => everywhere.flat_map(|o| o.languages).copied().collect(),
                false => rows.iter().flat_map(|o| o.languages).copied().collect(),
            };
            let message = match languages.contains(&language) {
                true => format!("--{option} is not for `suppose {}`", self.command),
                false => format!("--{option} is for {}", groups(&languages)),
            };
            return Err(Failure::usage(message).help(read_as(file, language)));
        }
        let by_engine = |o: &&OptionScope| o.engines.is_empty() || o.engines.contains(&self.engine);
        let Some(row) = fitting.iter().copied().find(by_engine) else {
            return Err(self.not_by(option, &fitting));
        };
        match row.with {
            Some(other) if !self.has(other) => {
                let message = format!("--{option} means nothing without --{other} here");
                Err(Failure::usage(message))
            }
            _ => Ok(()),
        }
    }

    /// The option is for other engines than the one at work.
    fn not_by(&self, option: &str, rows: &[&OptionScope]) -> Failure {
        let engines = rows.iter().flat_map(|o| o.engines);
        let engines = engines.filter(|e| **e != EngineName::Auto);
        let names: Vec<String> = engines.map(|e| format!("`{}`", engine_name(*e))).collect();
        let word = if names.len() == 1 {
            "engine"
        } else {
            "engines"
        };
        let message = format!("--{option} is for the {word} {}", listed(&names, "and"));
        let why = match self.has("engine") {
            true => format!("--engine {} was asked for", engine_name(self.engine)),
            false => "--component, --in-turn, --schedule, --merging and --environment ask for the engine `quotient`".to_owned(),
        };
        Failure::usage(message).help(why)
    }
}

/// The files of a command line: those that are read, and those that are written.
fn files(
    name: &str,
    command: &Command,
    matches: &ArgMatches,
) -> (Vec<PathBuf>, Vec<(String, PathBuf)>) {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for arg in command.get_arguments() {
        let Ok(Some(paths)) = matches.try_get_many::<PathBuf>(arg.get_id().as_str()) else {
            continue;
        };
        match arg.get_long() {
            Some(long) if WRITTEN.contains(&long) => {
                outputs.extend(paths.map(|p| (format!("--{long}"), p.clone())));
            }
            Some(long) if !READ.contains(&long) => {}
            // `convert IN... OUT`; with --premises the last is a folder.
            None if name == "convert" && arg.get_id() == "output" => {
                if matches!(matches.try_contains_id("premises"), Ok(false)) {
                    outputs.extend(paths.map(|p| ("the result".to_owned(), p.clone())));
                }
            }
            _ => inputs.extend(paths.cloned()),
        }
    }
    (inputs, outputs)
}

/// An engine's name on the command line.
pub fn engine_name(engine: EngineName) -> String {
    use clap::ValueEnum;
    let value = engine.to_possible_value();
    value.map_or(String::new(), |v| v.get_name().to_owned())
}

fn read_as(file: &str, language: Language) -> String {
    match language {
        Language::SmtLib => format!("`{file}` has Horn clauses"),
        _ => format!("`{file}` is {}", language.title()),
    }
}

/// Languages in a sentence, with as few words as there are.
pub fn groups(languages: &[Language]) -> String {
    let mut left: Vec<Language> = languages.to_vec();
    let mut words = Vec::new();
    for (group, name) in GROUPS {
        if group.iter().all(|l| left.contains(l)) {
            left.retain(|l| !group.contains(l));
            words.push((*name).to_owned());
        }
    }
    listed(&words, "and")
}

/// `a, b and c`
fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests;
