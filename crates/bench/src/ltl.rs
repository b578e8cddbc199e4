//! Formulas of linear temporal logic as Büchi automata, beside `spin -f`.
//!
//! The formulas are those of Etessami and Holzmann (CONCUR 2000), of Somenzi and Bloem (CAV 2000), the property patterns of Dwyer, Avrunin and
//! Corbett (FMSP 1998), and random ones. SPIN as Debian builds it has no `X`; formulas with it are translated by us only.

use std::path::Path;

use suppose::Failure;

use crate::args::BenchArgs;
use crate::cell::{RunSettings, median};
use crate::child::{self, ProcessLimits, Ran};
use crate::say;

const SETS: &[(&str, &str)] = &[
    (
        "Etessami, Holzmann",
        include_str!("../ltl/etessami-holzmann.ltl"),
    ),
    ("Somenzi, Bloem", include_str!("../ltl/somenzi-bloem.ltl")),
    ("Dwyer, Avrunin, Corbett", include_str!("../ltl/dwyer.ltl")),
];

/// How many random formulas there are, and of how many operators and atoms each.
const RANDOM: usize = 100;
const SIZE: u32 = 10;

const HEAD: &str = "
| formulas | | number | states | edges | seconds | beside SPIN | states | SPIN's | edges | SPIN's | larger, equal, smaller | seconds | SPIN's |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// An automaton that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Made {
    states: usize,
    edges: usize,
    seconds: f64,
}

/// Measures and prints, set by set.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    say(HEAD);
    let random: Vec<String> = random_formulas();
    let mut sets: Vec<(&str, Vec<String>)> = SETS
        .iter()
        .map(|(name, text)| (*name, text.lines().map(str::to_owned).collect()))
        .collect();
    sets.push(("random", random));
    let mut larger = Vec::new();
    for (name, formulas) in &sets {
        if args.only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let count = if args.quick { 3 } else { formulas.len() };
        for negated in [false, true] {
            let mut sums = Sums::default();
            for formula in &formulas[..count.min(formulas.len())] {
                let formula = match negated {
                    true => format!("! ({formula})"),
                    false => formula.clone(),
                };
                let ours = own(&formula, folder, limits)?;
                let theirs = match formula.contains('X') {
                    true => None,
                    false => peer(&formula, folder, limits)?,
                };
                if sums.add(ours, theirs) {
                    larger.push(formula);
                }
            }
            say(&sums.row(name, if negated { "negated" } else { "as they are" }));
        }
    }
    match larger.is_empty() {
        true => say("\nNo automaton has more states than SPIN's."),
        false => say(&format!(
            "\nMore states than SPIN's: `{}`",
            larger.join("`, `")
        )),
    }
    Ok(())
}

fn run(command: &[String], folder: &Path, limits: &RunSettings) -> Result<Ran, Failure> {
    let kept = ProcessLimits {
        cpu: limits.timeout,
        memory: limits.memory,
    };
    let once = || child::run(command, folder, kept);
    median(limits.runs, once, |ran: &Ran| (true, ran.seconds))
}

fn own(formula: &str, folder: &Path, limits: &RunSettings) -> Result<Made, Failure> {
    let command = [
        &limits.program.display().to_string(),
        "ltl",
        formula,
        "--to",
        "never",
    ];
    let command = command.map(str::to_owned);
    let ran = run(&command, folder, limits)?;
    let made = counted(&ran.stdout, ran.seconds);
    made.ok_or_else(|| Failure::internal(format!("there is no automaton for `{formula}`")))
}

fn peer(formula: &str, folder: &Path, limits: &RunSettings) -> Result<Option<Made>, Failure> {
    let command = ["spin", "-f", formula].map(str::to_owned);
    let ran = run(&command, folder, limits)?;
    Ok(counted(&ran.stdout, ran.seconds))
}

/// The states and edges of a `never` claim.
fn counted(text: &str, seconds: f64) -> Option<Made> {
    if !text.starts_with("never") || !text.trim_end().ends_with('}') {
        return None;
    }
    let lines = || text.lines().map(str::trim);
    let states = lines().filter(|line| line.ends_with(':')).count();
    let edges =
        lines().filter(|line| line.starts_with("::") || *line == "skip" || *line == "skip;");
    Some(Made {
        states,
        edges: edges.count(),
        seconds,
    })
}

/// Of one set.
#[derive(Default)]
struct Sums {
    own: Vec<Made>,
    /// Ours and SPIN's, where there are both.
    both: Vec<(Made, Made)>,
}

impl Sums {
    /// Is ours larger?
    fn add(&mut self, ours: Made, theirs: Option<Made>) -> bool {
        self.own.push(ours);
        self.both.extend(theirs.map(|theirs| (ours, theirs)));
        theirs.is_some_and(|theirs| ours.states > theirs.states)
    }

    fn row(&self, name: &str, how: &str) -> String {
        let mean = |values: Vec<usize>| {
            let count = values.len().max(1) as f64;
            format!("{:.2}", values.iter().sum::<usize>() as f64 / count)
        };
        let side =
            |pick: fn(&(Made, Made)) -> Made| self.both.iter().map(pick).collect::<Vec<Made>>();
        let (ours, theirs) = (side(|both| both.0), side(|both| both.1));
        let states = |made: &[Made]| mean(made.iter().map(|m| m.states).collect());
        let edges = |made: &[Made]| mean(made.iter().map(|m| m.edges).collect());
        let seconds = |made: &[Made]| format!("{:.2}", made.iter().map(|m| m.seconds).sum::<f64>());
        let order = |wanted: std::cmp::Ordering| {
            let is = |both: &&(Made, Made)| both.0.states.cmp(&both.1.states) == wanted;
            self.both.iter().filter(is).count().to_string()
        };
        let orders = [
            order(std::cmp::Ordering::Greater),
            order(std::cmp::Ordering::Equal),
            order(std::cmp::Ordering::Less),
        ];
        let cells = [
            name.to_owned(),
            how.to_owned(),
            self.own.len().to_string(),
            states(&self.own),
            edges(&self.own),
            seconds(&self.own),
            self.both.len().to_string(),
            states(&ours),
            states(&theirs),
            edges(&ours),
            edges(&theirs),
            orders.join(", "),
            seconds(&ours),
            seconds(&theirs),
        ];
        format!("| {} |", cells.join(" | "))
    }
}

/// The same ones every time.
fn random_formulas() -> Vec<String> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    (0..RANDOM).map(|_| formula(&mut seed, SIZE)).collect()
}

fn below(seed: &mut u64, limit: u32) -> u32 {
    // xorshift64*
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    (seed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as u32 % limit
}

/// A formula of that many operators, over three atoms.
fn formula(seed: &mut u64, size: u32) -> String {
    if size == 0 {
        return ["a", "b", "c"][below(seed, 3) as usize].to_owned();
    }
    let kind = below(seed, 8);
    if let Some(operator) = ["!", "[]", "<>"].get(kind as usize) {
        return format!("{operator} ({})", formula(seed, size - 1));
    }
    let left = below(seed, size);
    let operator = ["U", "U", "V", "&&", "||"][kind as usize - 3];
    let first = formula(seed, left);
    format!("({first}) {operator} ({})", formula(seed, size - 1 - left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose::{AutomatonFormat, automaton_of_formula};

    #[test]
    fn all_formulas_are_read_and_counted() {
        let lines = SETS.iter().flat_map(|(_, text)| text.lines());
        let all: Vec<String> = lines.map(str::to_owned).chain(random_formulas()).collect();
        assert_eq!(all.len(), 12 + 27 + 55 + RANDOM);
        for formula in &all {
            let text = automaton_of_formula(formula, false, AutomatonFormat::Never);
            let text = text.unwrap_or_else(|e| panic!("{formula}: {}", e.text(false)));
            let hoa = automaton_of_formula(formula, false, AutomatonFormat::Hoa).unwrap();
            let made = counted(&text, 0.0).unwrap();
            assert!(
                hoa.contains(&format!("States: {}\n", made.states)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_claim_of_spin_is_counted() {
        let text = "never  {    /* <>p */\nT0_init:\n\tdo\n\t:: atomic { ((p)) -> assert(!((p))) }\n\t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n";
        let made = counted(text, 1.5).unwrap();
        assert_eq!((made.states, made.edges, made.seconds), (2, 3, 1.5));
        assert_eq!(counted("tl_spin: expected predicate", 0.0), None);
    }
}
