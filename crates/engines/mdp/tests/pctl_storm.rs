//! Values of probabilistic properties against Storm, in its exact mode.
//!
//! Storm must be there as the Python package `stormpy`, in `.test-tools` of the workspace, where `scripts/test.sh` puts it.
//! A state without choices is written with the choice that leads back which Storm adds when it builds a model.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use suppose_control::Context;
use suppose_mdp::pctl::{PctlOptions, value};
use suppose_model::mdp::{Lpts, PathFormula, Query, State, StateFormula, Steps, System};
use suppose_number::{Int, Rat};
use suppose_testkit::Rng;
use suppose_testkit::markov_pctl::{MarkovShape, random_formula, random_system, whole};

fn python() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let chosen = std::env::var_os("SUPPOSE_STORM_PYTHON").map(PathBuf::from);
    let python = chosen.unwrap_or_else(|| root.join(".test-tools/bin/python"));
    let known = Command::new(&python)
        .args(["-c", "import stormpy"])
        .output();
    assert!(
        known.is_ok_and(|out| out.status.success()),
        "stormpy is needed, in .test-tools: scripts/test.sh puts it there"
    );
    python
}

/// In the explicit format of Storm.
fn drn(lpts: &Lpts, propositions: usize) -> String {
    let mut text = String::from("@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n");
    let _ = writeln!(text, "{}\n@nr_choices", lpts.states());
    let stuck = |s: &State| lpts.choices(*s).is_empty();
    let added = (0..lpts.states() as State).filter(stuck).count();
    let _ = writeln!(text, "{}\n@model", lpts.all_choices().len() + added);
    for state in 0..lpts.states() as State {
        let _ = write!(text, "state {state}");
        if state == lpts.initial() {
            text.push_str(" init");
        }
        if lpts.choices(state).is_empty() {
            text.push_str(" deadlock");
        }
        for number in 0..propositions as u32 {
            if lpts.satisfies(state, number) == Some(true) {
                let _ = write!(text, " p{number}");
            }
        }
        text.push('\n');
        if lpts.choices(state).is_empty() {
            let _ = writeln!(text, "\taction 0\n\t\t{state} : 1");
        }
        for (number, choice) in lpts.choices(state).iter().enumerate() {
            let _ = writeln!(text, "\taction {number}");
            for (target, probability) in lpts.dist(choice.dist).probabilities() {
                let _ = writeln!(text, "\t\t{target} : {probability}");
            }
        }
    }
    text
}

/// Every label must occur for Storm to know it.
fn all_occur(lpts: &Lpts, propositions: usize) -> bool {
    let states = 0..lpts.states() as State;
    let occurs = |p: u32| states.clone().any(|s| lpts.satisfies(s, p) == Some(true));
    (0..propositions as u32).all(occurs) && states.clone().any(|s| lpts.choices(s).is_empty())
}

fn question(rng: &mut Rng, system: &System) -> Query {
    let depth = rng.below(2);
    let steps = rng.percent(30).then(|| rng.below(12) as u64);
    let right = random_formula(rng, system, depth);
    let left = random_formula(rng, system, 0);
    let paths = match rng.below(6) {
        0 => PathFormula::Next(right),
        1 => PathFormula::Globally {
            always: right,
            steps: None.into(),
        },
        2 | 3 => PathFormula::Until {
            left: StateFormula::True,
            right,
            steps: steps.into(),
        },
        _ => PathFormula::Until {
            left,
            right,
            steps: steps.into(),
        },
    };
    match rng.percent(50) {
        true => Query::Greatest(paths),
        false => Query::Least(paths),
    }
}

/// Is there a bounded `G` in it, a complement, or a step that does not count? Storm does not read that.
fn has_bounded_globally(paths: &PathFormula) -> bool {
    fn inside(formula: &StateFormula) -> bool {
        match formula {
            StateFormula::Not(of) => inside(of),
            StateFormula::And(parts) | StateFormula::Or(parts) => parts.iter().any(inside),
            StateFormula::Probability { paths, .. } => has_bounded_globally(paths),
            _ => false,
        }
    }
    match paths {
        PathFormula::Next(of) => inside(of),
        PathFormula::Until { left, right, steps } => {
            steps.from > 0 || inside(left) || inside(right)
        }
        PathFormula::Globally { always, steps } => *steps != Steps::ANY || inside(always),
        PathFormula::Not(_) => true,
    }
}

fn text(query: &Query, system: &System) -> String {
    let (word, paths) = match query {
        Query::Greatest(paths) => ("Pmax=?", paths),
        Query::Least(paths) => ("Pmin=?", paths),
        _ => unreachable!("only values are asked for"),
    };
    let bounded = StateFormula::Probability {
        comparison: suppose_model::mdp::Comparison::AtMost,
        bound: Rat::ZERO,
        paths: Box::new(paths.clone()),
    };
    let text = bounded.display(system).to_string();
    text.replacen("P<=0", word, 1)
}

fn fraction(text: &str) -> Rat {
    let (num, den) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
    let number = |text: &str| -> Int {
        let digits = text.parse();
        digits.unwrap_or_else(|_| panic!("no number: {text}"))
    };
    Rat::new(number(num), number(den))
}

#[test]
fn storm_computes_the_same_values() {
    let python = python();
    let folder = std::env::temp_dir().join(format!("suppose-storm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let (mut input, mut ours) = (String::new(), Vec::new());
    let mut seed = 0;
    while ours.len() < 240 {
        seed += 1;
        let rng = &mut Rng::new(seed);
        let shape = MarkovShape {
            components: 3,
            states: 6,
            choices: 2,
            branches: 3,
            weight: 9,
        };
        let mut system = random_system(rng, &shape);
        for (number, proposition) in system.propositions.iter_mut().enumerate() {
            proposition.name = format!("\"p{number}\"");
        }
        let built = whole(&system);
        if built.states() < 4 || !all_occur(&built, system.propositions.len()) {
            continue;
        }
        let file = folder.join(format!("{seed}.drn"));
        std::fs::write(&file, drn(&built, system.propositions.len())).expect("a file");
        for _ in 0..4 {
            let query = question(rng, &system);
            let (Query::Greatest(paths) | Query::Least(paths)) = &query else {
                continue;
            };
            if has_bounded_globally(paths) {
                continue;
            }
            let text = text(&query, &system);
            let _ = writeln!(input, "{}\t{text}", file.display());
            let answer = value(&system, &query, PctlOptions::default(), &Context::default());
            let found = answer.value.expect("a value");
            assert_eq!(found.lower, found.upper, "seed {seed}: {text}");
            let lower = found.lower.finite().expect("a probability").clone();
            ours.push((seed, text, lower));
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/storm.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("Python ends");
    writer.join().expect("no panic").expect("Python reads");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    let output = String::from_utf8_lossy(&output.stdout);
    let theirs: Vec<Rat> = output.lines().map(fraction).collect();
    assert_eq!(theirs.len(), ours.len());
    for ((seed, text, our), their) in ours.iter().zip(&theirs) {
        assert_eq!(our, their, "seed {seed}: {text}");
    }
}
