//! The declarations and the definitions of the command line are about the same options.

use clap::{Command, CommandFactory, ValueEnum};
use suppose::Language;
use suppose::options::EngineName;
use suppose::options::scope::{self, groups};
use suppose::options::table::{COMMANDS, ENGINES, OPTIONS, READ, WRITTEN};

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

#[test]
fn every_engine_is_declared() {
    for engine in EngineName::value_variants() {
        assert!(ENGINES.iter().any(|e| e.engine == *engine), "{engine:?}");
    }
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
        _ => EngineName::Auto,
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
