//! Abstraction and refinement against the plain engine that goes from state to state, on random texts.

use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::symbolic::{Property, Question, Shows, Simulator, System, Trace};
use suppose_refine::Context;
use suppose_symbolic::cegar::{Early, Separation, Spurious};
use suppose_symbolic::{Cegar, CegarOptions, Found, Options};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, random};

/// Every state and step of the trace is one of the system; a loop ends where it begins.
fn is_run(system: &System, trace: &Trace) -> bool {
    let mut simulator = Simulator::new(system, 1_000_000);
    let first = simulator.is_initial(&trace.states[0]) == Ok(true);
    let steps = trace.states.windows(2).zip(&trace.inputs);
    let mut all = steps.map(|(pair, inputs)| simulator.is_step(&pair[0], inputs, &pair[1]));
    let whole = all.all(|it| it == Ok(true));
    let back = trace
        .loops_to
        .is_none_or(|at| trace.states.last() == trace.states.get(at));
    first && whole && back && trace.inputs.len() + 1 == trace.states.len()
}

/// All ways to set the options.
fn ways() -> Vec<CegarOptions> {
    let mut ways = Vec::new();
    for spurious in [Spurious::Bdd, Spurious::Sat] {
        for separation in [Separation::Paper, Separation::Squeezed] {
            for early in [Early::Auto, Early::Always, Early::Never] {
                for far in [None, Some(0), Some(1)] {
                    ways.push(CegarOptions {
                        spurious,
                        separation,
                        early,
                        far,
                        relation: Options::default(),
                        total: false,
                    });
                }
            }
        }
    }
    ways
}

#[derive(Debug, Default)]
struct Tally {
    holds: usize,
    fails: usize,
    unknown: usize,
    refinements: u64,
    abstracted: usize,
}

fn check(
    seed: u64,
    text: &str,
    system: &System,
    property: &Property,
    options: CegarOptions,
    expected: bool,
    tally: &mut Tally,
) {
    let name = format!("seed {seed}, {:?}, {options:?}\n{text}", property.name);
    let engine = Cegar::new(system, options, &Context::default());
    let answer = engine.decide(property).expect("not stopped");
    tally.refinements += answer.effort.refinements;
    tally.abstracted += answer.effort.abstracted;
    match answer.found {
        Found::Holds(_) => {
            tally.holds += 1;
            assert!(expected, "{name}");
        }
        Found::Fails(trace, shows) => {
            tally.fails += 1;
            assert!(!expected, "{name}");
            assert!(is_run(system, &trace), "{name}\n{trace:?}");
            assert_eq!(shows, Shows::All, "{name}");
        }
        Found::Unknown(why) => {
            tally.unknown += 1;
            assert!(!why.contains("refinement failed"), "{name}\n{why}");
        }
        Found::Steps(_) => panic!("{name}"),
    }
}

fn compare(seed: u64, shape: Shape, tally: &mut [Tally; 3]) {
    let text = random(&mut Rng::new(seed), shape);
    let Ok((read, _)) = read_text("random.smv", &text, Dialect::NuSmv) else {
        panic!("seed {seed}: not read\n{text}");
    };
    let system = &read.system;
    let Ok(mut oracle) = Oracle::new(system, 500, 2_000_000) else {
        return;
    };
    let ways = ways();
    for (number, property) in system.properties.iter().enumerate() {
        let kind = match property.question {
            Question::Ctl(_) => 0,
            Question::Ltl(_) => 1,
            Question::Invariant(_) => 2,
            _ => continue,
        };
        let Ok(Some(expected)) = oracle.verdict(&property.question) else {
            continue;
        };
        let options = ways[(seed as usize * 7 + number) % ways.len()];
        check(
            seed,
            &text,
            system,
            property,
            options,
            expected,
            &mut tally[kind],
        );
    }
}

fn shapes() -> [Shape; 3] {
    let small = Shape::default();
    let plain = Shape {
        constraints: false,
        fairness: false,
        variables: 5,
        ..small
    };
    let large = Shape {
        variables: 6,
        depth: 3,
        modules: false,
        ..small
    };
    [small, plain, large]
}

#[test]
fn random_systems_are_decided_as_the_oracle_does() {
    for (number, shape) in shapes().into_iter().enumerate() {
        let mut tally: [Tally; 3] = Default::default();
        for seed in 0..300 {
            compare(seed, shape, &mut tally);
        }
        println!("shape {number}: CTL {:?}", tally[0]);
        println!("shape {number}: LTL {:?}", tally[1]);
        println!("shape {number}: invariants {:?}", tally[2]);
        for all in &tally[1..] {
            assert_eq!(all.unknown, 0);
        }
    }
}
