//! Formulas of linear temporal logic as Büchi automata, in the formats of other tools.

use suppose_model::ltl::{Buchi, Formulas, Generalised, TooLarge, hoa, never, parse};

use crate::failure::Failure;

/// The format of an automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum AutomatonFormat {
    /// Hanoi omega-automata, as `ltl2tgba` and others read and write them.
    #[default]
    Hoa,
    /// A `never` claim of PROMELA.
    Never,
}

/// Longer automata are not read.
const MOST_TEXT: usize = 64 << 20;

/// The automaton that accepts the words that satisfy a formula in SPIN's syntax (or, `negated`, those that do not).
///
/// ```
/// use suppose::{AutomatonFormat, automaton_of_formula};
/// let hoa = automaton_of_formula("[] (p -> <> q)", false, AutomatonFormat::Hoa)?;
/// assert!(hoa.contains("States: 2\n"));
/// # Ok::<(), suppose::Failure>(())
/// ```
pub fn automaton_of_formula(
    text: &str,
    negated: bool,
    format: AutomatonFormat,
) -> Result<String, Failure> {
    let mut formulas = Formulas::default();
    let mut atoms = Vec::new();
    let root = parse(text, &mut formulas, &mut atoms).map_err(|wrong| {
        let before = text.get(..wrong.at).unwrap_or(text);
        let column = before.chars().count() + 1;
        let failure = Failure::usage(format!("column {column}: expected {}", wrong.expected));
        failure.help("operators are [] <> X ! U V W && || -> <->, and atoms are names")
    })?;
    let (root, name) = match negated {
        true => (formulas.not(root), format!("!({text})")),
        false => (root, text.to_owned()),
    };
    let too_large = |TooLarge| {
        Failure::usage("the automaton of the formula is too large")
            .help("it may have 128 atoms, 16,384 states before it is reduced, and no more work than a few seconds")
    };
    let automaton = Buchi::of(&formulas, root).map_err(too_large)?;
    Ok(written(&automaton, &name, &atoms, format))
}

/// An automaton in the HOA format, reduced and in that format. Generalised acceptance becomes that of one set.
pub fn automaton_of_hoa(text: &str, format: AutomatonFormat) -> Result<String, Failure> {
    if text.len() > MOST_TEXT {
        return Err(Failure::file("the automaton is larger than 64 MiB"));
    }
    let (generalised, atoms): (Generalised, Vec<String>) = hoa::read(text).map_err(|wrong| {
        Failure::file(format!("line {}: {}", wrong.line, wrong.message)).help(
            "automata on labelled edges or states are read, with Büchi or generalised Büchi acceptance and one initial state",
        )
    })?;
    let automaton = Buchi::small(&generalised);
    Ok(written(&automaton, "from HOA", &atoms, format))
}

fn written(automaton: &Buchi, name: &str, atoms: &[String], format: AutomatonFormat) -> String {
    let one_line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match format {
        AutomatonFormat::Hoa => hoa::write(automaton, &one_line, atoms),
        AutomatonFormat::Never => never::write(automaton, &one_line, atoms),
    }
}
