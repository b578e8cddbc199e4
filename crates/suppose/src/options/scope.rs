//! No option without effect: an option that has no meaning for the command and the model is refused.
//!
//! [`super::table`] declares which option is for what.

use serde::Serialize;
use serde_json::Value;
use suppose_frontends::Language;

use super::table::{COMMANDS, ENGINES, OPTIONS, OptionScope, can_serve, engines, groups, listed};
use super::{CommandOptions, EngineName};
use crate::failure::Failure;

/// Options of the engine that finds requirements of a process.
const FOR_REQUIREMENTS: [&str; 5] = ["component", "in-turn", "schedule", "merging", "environment"];

/// Refuses a command, an engine or an option that has no meaning for a model in this language. `typed` are the long names of
/// options; `file` is the name of the model.
pub fn refuse(
    command: &'static str,
    typed: &[String],
    engine: EngineName,
    language: Language,
    file: &str,
) -> Result<(), Failure> {
    Given::of(command, typed.to_vec(), engine).refuse(language, file)
}

/// The options that were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// The command.
    command: &'static str,
    /// The long names of the options.
    options: Vec<String>,
    /// The engine asked for, or the one that other options ask for.
    engine: EngineName,
}

impl Given {
    /// The options on the command line, or else those that differ from the defaults.
    pub(crate) fn new<O: CommandOptions>(options: &O) -> Given {
        let given = match options.run().given.is_empty() {
            true => differing(options),
            false => options.run().given.clone(),
        };
        Given::of(O::COMMAND, given, options.engine())
    }

    fn of(command: &'static str, options: Vec<String>, engine: EngineName) -> Given {
        let has = |name: &str| options.iter().any(|o| o == name);
        let engine = match engine {
            // These say whose requirement is wanted, and how it is found, which is for one engine only.
            EngineName::AUTO if FOR_REQUIREMENTS.iter().any(|o| has(o)) => EngineName::QUOTIENT,
            asked => asked,
        };
        Given {
            command,
            options,
            engine,
        }
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|o| o == option)
    }

    /// Refuses a command, an engine or an option that has no meaning for a model in this language. `file` is its name.
    pub(crate) fn refuse(&self, language: Language, file: &str) -> Result<(), Failure> {
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
        if !self.has("engine") {
            return Ok(());
        }
        let name = self.engine.name();
        let here = engines(language).filter(|e| can_serve(self.command, e));
        let here: Vec<String> = here.map(|e| e.name.to_owned()).collect();
        if here.iter().any(|e| e == name) {
            return Ok(());
        }
        let has_it = ENGINES
            .iter()
            .filter(|s| s.engines().any(|e| e.name == name));
        let languages: Vec<Language> = has_it.flat_map(|s| s.languages).copied().collect();
        let message = match languages.contains(&language) {
            true => format!("the engine `{name}` is not for `suppose {}`", self.command),
            false => format!("the engine `{name}` is for {}", groups(&languages)),
        };
        let help = format!("for it there are {}", listed(&here, "and"));
        Err(Failure::usage(message).help(format!("{}; {help}", read_as(file, language))))
    }

    fn is_meant(&self, option: &str, language: Language, file: &str) -> Result<(), Failure> {
        let of_command =
            |o: &&OptionScope| o.option == option && o.commands.contains(&self.command);
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
        let by_engine = |o: &&OptionScope| {
            let mut able = o.engines(language).map(|e| e.name).peekable();
            able.peek().is_none() || able.any(|name| name == self.engine.name())
        };
        let Some(row) = fitting.iter().copied().find(by_engine) else {
            return Err(self.not_by(option, &fitting, language));
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
    fn not_by(&self, option: &str, rows: &[&OptionScope], language: Language) -> Failure {
        let able = rows.iter().flat_map(|o| o.engines(language));
        let able = able.filter(|e| e.name != EngineName::AUTO.name());
        let names: Vec<String> = able.map(|e| format!("`{}`", e.name)).collect();
        let word = if names.len() == 1 {
            "engine"
        } else {
            "engines"
        };
        let message = format!("--{option} is for the {word} {}", listed(&names, "and"));
        let why = match self.has("engine") {
            true => format!("--engine {} was asked for", self.engine.name()),
            false => "--component, --in-turn, --schedule, --merging and --environment ask for the engine `quotient`".to_owned(),
        };
        Failure::usage(message).help(why)
    }
}

/// The options whose values differ from the defaults, by their long names.
fn differing<O: Serialize + Default>(options: &O) -> Vec<String> {
    let as_value = |o: &O| serde_json::to_value(o).unwrap_or_default();
    let mut names = Vec::new();
    differ("", &as_value(options), &as_value(&O::default()), &mut names);
    names
}

fn differ(name: &str, ours: &Value, default: &Value, names: &mut Vec<String>) {
    match (ours, default) {
        (Value::Object(ours), Value::Object(default)) => {
            for (field, value) in ours {
                differ(field, value, &default[field], names);
            }
        }
        _ if ours != default && name != "seed" => names.push(long_name(name)),
        _ => {}
    }
}

/// The option that a field is on the command line.
fn long_name(field: &str) -> String {
    match field {
        "constants" => "set".to_owned(),
        "given_constants" => "const".to_owned(),
        "properties" => "property".to_owned(),
        "components" => "component".to_owned(),
        "groups" => "group".to_owned(),
        "chance" => "seed".to_owned(),
        other => other.replace('_', "-"),
    }
}

fn read_as(file: &str, language: Language) -> String {
    match language {
        Language::SmtLib => format!("`{file}` has Horn clauses"),
        _ => format!("`{file}` is {}", language.title()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{CheckOptions, SplitOptions};

    #[test]
    fn what_differs_from_the_defaults_is_given() {
        let mut options = CheckOptions::default();
        assert!(differing(&options).is_empty());
        options.model.constants.push(("N".to_owned(), 3));
        options.engine.rule = SplitOptions {
            split: "chain".to_owned(),
        };
        options.engine.smv.far = Some(0);
        options.recheck = true;
        let mut names = differing(&options);
        names.sort();
        assert_eq!(names, ["far", "recheck", "set", "split"]);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let mut options = CheckOptions::default();
        options.engine.smv.far = Some(0);
        let given = Given::new(&options);
        assert!(given.refuse(Language::Smv, "m.smv").is_ok());
        let refused = given.refuse(Language::C, "m.c").unwrap_err();
        assert!(refused.first().contains("--far is for SMV models"));
    }
}
