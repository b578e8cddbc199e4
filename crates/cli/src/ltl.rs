//! `suppose ltl`: formulas and automata.

use std::io::Read;

use suppose::{Failure, automaton_of_formula, automaton_of_hoa};

use crate::args::LtlArgs;
use crate::output::Output;

/// More is not read.
const MOST_INPUT: u64 = 64 << 20;

/// Translates a formula, or an automaton.
pub fn ltl(args: &LtlArgs) -> Result<Output, Failure> {
    let text = match (&args.formula, &args.automaton) {
        (Some(formula), _) => automaton_of_formula(formula, args.negated, args.to)?,
        (None, Some(path)) => {
            let shown = path.display();
            let unread =
                |why: std::io::Error| Failure::file(format!("cannot read `{shown}`: {why}"));
            let file = std::fs::File::open(path).map_err(unread)?;
            let mut text = String::new();
            file.take(MOST_INPUT + 1)
                .read_to_string(&mut text)
                .map_err(unread)?;
            automaton_of_hoa(&text, args.to)?
        }
        (None, None) => return Err(Failure::usage("there is no formula")),
    };
    Ok(Output::ok(text.trim_end()))
}
