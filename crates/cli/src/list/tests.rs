//! The declarations and the definitions of the command line are about the same options.

use clap::{Command, CommandFactory};
use suppose::Language;
use suppose::options::EngineName;
use suppose::options::scope;
use suppose::options::table::{COMMANDS, ENGINES, OPTIONS, READ, WRITTEN, engines, groups};

use crate::args::Cli;
use crate::given;

fn root() -> Command {
    let mut root = Cli::command();
    root.build();
    root
}

fn long_names(root: &Command, command: &str) -> Vec<String> {
    let command = root.find_subcommand(command).unwrap();
    let names = command.get_arguments().filter_map(|a| a.get_long());
    let names = names.filter(|n| !matches!(*n, "help" | "version"));
    names.map(str::to_owned).collect()
}

#[test]
fn every_option_is_declared() {
    let root = root();
    for scope in COMMANDS {
        for option in long_names(&root, scope.command) {
            let declared = OPTIONS.iter().any(|o| o.option == option);
            assert!(
                declared,
                "--{option} of `{}` is not declared in options/table.rs: say for which languages it is",
                scope.command
            );
        }
    }
}

#[test]
fn every_declaration_is_of_an_option() {
    let root = root();
    for option in OPTIONS {
        assert!(!option.languages.is_empty(), "--{}", option.option);
        let names = [Some(option.option), option.with];
        for name in names.into_iter().flatten() {
            let defined = |c: &&str| long_names(&root, c).iter().any(|n| n == name);
            assert!(
                option.commands.iter().any(defined),
                "there is no option --{name} of {:?}",
                option.commands
            );
        }
    }
}

#[test]
fn every_command_that_reads_models_is_declared() {
    let root = root();
    for command in root.get_subcommands() {
        let reads = long_names(&root, command.get_name()).contains(&"property-file".to_owned());
        let declared = COMMANDS.iter().any(|c| c.command == command.get_name());
        assert_eq!(reads, declared, "{}", command.get_name());
    }
}

/// What an engine says it understands is an option of `check` or `assume` on its models, and no engine has two rows.
#[test]
fn engines_understand_options_that_exist() {
    for scope in ENGINES {
        let names: Vec<&str> = scope.engines().map(|e| e.name).collect();
        assert_eq!(names.first(), Some(&"auto"));
        for engine in scope.engines() {
            let same = names.iter().filter(|n| **n == engine.name);
            assert_eq!(same.count(), 1, "{}", engine.name);
            assert!(!engine.summary.is_empty() && engine.summary.ends_with('.'));
            assert!(!engine.decides.is_empty(), "{}", engine.name);
            for option in engine.options {
                let mut rows = OPTIONS.iter().filter(|o| o.option == *option);
                let language = scope.languages[0];
                let is_meant = rows.any(|o| o.engines(language).any(|e| e == engine));
                assert!(is_meant, "--{option} of {}", engine.name);
            }
        }
    }
    for language in Language::ALL {
        assert!(engines(language).count() > 1, "{}", language.name());
    }
}

#[test]
fn the_help_lists_every_engine() {
    let root = root();
    let check = root.find_subcommand("check").unwrap();
    let engine = check
        .get_arguments()
        .find(|a| a.get_long() == Some("engine"));
    let values = engine.unwrap().get_possible_values();
    let listed: Vec<&str> = values.iter().map(|v| v.get_name()).collect();
    let all: Vec<&str> = EngineName::all().map(EngineName::name).collect();
    assert_eq!(listed, all);
    assert!(values.iter().all(|v| v.get_help().is_some()));
}

#[test]
fn languages_are_named_in_groups() {
    use Language::{C, Fsp, Promela, SmtLib};
    assert_eq!(groups(&[C, SmtLib]), "Horn clauses and C programs");
    assert_eq!(groups(&[C]), "C programs");
    assert_eq!(
        groups(&[Fsp, Promela, C]),
        "FSP models, PROMELA programs and C programs"
    );
}

/// What the declarations say of a command line on a file in a language.
fn refusal(line: &str, language: Language) -> Option<String> {
    let root = root();
    let words = line.split(' ');
    let matches = root.clone().try_get_matches_from(words).unwrap();
    let typed = given::typed(&root, &matches);
    let (command, matches) = matches.subcommand().unwrap();
    let engine = match matches.try_get_one::<EngineName>("engine") {
        Ok(Some(engine)) => *engine,
        _ => EngineName::AUTO,
    };
    let command = COMMANDS.iter().find(|c| c.command == command).unwrap();
    let refused = scope::refuse(command.command, &typed, engine, language, "x").err()?;
    Some(refused.first())
}

#[test]
fn what_means_nothing_is_refused() {
    use Language::{C, Fsp, Prism, Promela, Smv};
    for (line, language, message) in [
        (
            "suppose check x --spec y",
            C,
            "--spec is for probabilistic systems",
        ),
        ("suppose check x --wrap", Smv, "--wrap is for C programs"),
        (
            "suppose check x --integers machine",
            Smv,
            "--integers is for C programs",
        ),
        (
            "suppose check x --engine bdd",
            Fsp,
            "the engine `bdd` is for SMV models",
        ),
        (
            "suppose check x --engine monolithic --learner ttt",
            Fsp,
            "--learner is for the engine `learn`",
        ),
        (
            "suppose check x --component A --split B/C",
            Fsp,
            "--split is for the engines `agar` and `learn`",
        ),
        (
            "suppose check x --unmentioned free",
            Prism,
            "--unmentioned means nothing without --spec here",
        ),
        (
            "suppose assume x --engine monolithic",
            Fsp,
            "the engine `monolithic` is not for `suppose assume`",
        ),
        (
            "suppose spin x",
            Fsp,
            "`suppose spin` is for PROMELA programs",
        ),
        (
            "suppose spin x --in-turn",
            Promela,
            "--in-turn is not for `suppose spin`",
        ),
    ] {
        assert_eq!(refusal(line, language).as_deref(), Some(message), "{line}");
    }
    for (line, language) in [
        ("suppose check x --set N=1", C),
        ("suppose check x --learner ttt", Fsp),
        ("suppose check x --spec y --unmentioned free", Prism),
        ("suppose check x --engine cegar --far 2", Smv),
        ("suppose check x --quiet --timeout 5s", C),
    ] {
        assert_eq!(refusal(line, language), None, "{line}");
    }
}

/// An option whose value is a file is one that is read, or one that is looked at before the work begins.
#[test]
fn every_option_with_a_file_is_declared() {
    let root = root();
    for scope in COMMANDS {
        let command = root.find_subcommand(scope.command).unwrap();
        for arg in command.get_arguments() {
            let is_file = arg
                .get_value_names()
                .is_some_and(|n| n.iter().any(|n| *n == "FILE" || *n == "CERT"));
            if let (Some(long), true) = (arg.get_long(), is_file) {
                assert!(
                    READ.contains(&long) || WRITTEN.contains(&long),
                    "--{long} names a file: say in options/table.rs whether it is read or written"
                );
            }
        }
    }
}
