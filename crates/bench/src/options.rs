//! No option without effect: what is given is meant by the suite at hand, or refused.

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, ValueEnum};

use crate::args::{BenchArgs, Suite};
use suppose::Failure;

/// Every cell is a run of `suppose` that may check its evidence or not.
const CELLS: &[Suite] = &[
    Suite::Agar,
    Suite::Growth,
    Suite::Progress,
    Suite::Monolithic,
    Suite::Strategies,
    Suite::Markov,
    Suite::Smv,
    Suite::Liveness,
];
const TIMED: &[Suite] = &[
    Suite::Agar,
    Suite::Growth,
    Suite::Progress,
    Suite::Monolithic,
    Suite::Strategies,
    Suite::Markov,
    Suite::Smv,
    Suite::Liveness,
    Suite::Cegar,
    Suite::Spin,
    Suite::Parts,
    Suite::Resy,
    Suite::Ltl,
];
const HORN: &[Suite] = &[Suite::Horn];

/// The options that are not for every suite.
const SCOPES: &[(&str, &[Suite])] = &[
    ("runs", TIMED),
    ("timeout", TIMED),
    ("certify", CELLS),
    ("engine", &[Suite::Smv]),
    ("models", &[Suite::Horn, Suite::Parts]),
    ("peer", HORN),
    ("cpu", HORN),
    ("ablation", HORN),
    ("rows", HORN),
    ("report", HORN),
];

/// Refuses an option that means nothing for a suite.
pub fn refuse(suite: Suite, matches: &ArgMatches) -> Result<(), Failure> {
    let command = BenchArgs::command();
    let typed = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    for argument in command
        .get_arguments()
        .filter(|a| typed(a.get_id().as_str()))
    {
        let scope = SCOPES.iter().find(|(o, _)| Some(*o) == argument.get_long());
        if let Some((option, suites)) = scope
            && !suites.contains(&suite)
        {
            let names: Vec<String> = suites.iter().map(|s| name(*s)).collect();
            let word = if names.len() == 1 { "suite" } else { "suites" };
            let message = format!("--{option} is for the {word} {}", names.join(", "));
            return Err(Failure::usage(message));
        }
    }
    Ok(())
}

/// A suite's name on the command line.
fn name(suite: Suite) -> String {
    let value = suite.to_possible_value();
    value.map_or(String::new(), |v| v.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> bool {
        let matches = BenchArgs::command().get_matches_from(line.split(' '));
        let suite = *matches.get_one::<Suite>("suite").unwrap();
        refuse(suite, &matches).is_err()
    }

    #[test]
    fn an_option_of_another_suite_is_refused() {
        for line in [
            "b agar --rows",
            "b horn --runs 3",
            "b spin --certify",
            "b cegar --engine bdd",
        ] {
            assert!(refused(line), "{line}");
        }
        for line in [
            "b horn --rows",
            "b spin --only lift --quick",
            "b smv --certify --engine auto",
        ] {
            assert!(!refused(line), "{line}");
        }
    }

    #[test]
    fn every_scope_is_of_an_option() {
        let command = BenchArgs::command();
        for (option, _) in SCOPES {
            let known = command
                .get_arguments()
                .any(|a| a.get_long() == Some(*option));
            assert!(known, "--{option}");
        }
    }
}
