//! Abstraction and refinement against the plain engine that goes from state to state, on random texts.

use suppose_control::Context;
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Property, Question, Shows, System};
use suppose_symbolic::cegar::{Early, Phases, Separation, Spurious};
use suppose_symbolic::{Cegar, CegarOptions, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, is_run, random};

/// All ways to set the options.
fn ways() -> Vec<CegarOptions> {
    let mut ways = Vec::new();
    for spurious in [Spurious::Bdd, Spurious::Sat] {
        for separation in [Separation::Paper, Separation::Squeezed] {
            for early in [Early::Auto, Early::Always, Early::Never] {
                for (far, work) in [(None, 0), (Some(0), 150), (Some(1), 150), (None, 150)] {
                    ways.push(CegarOptions {
                        work,
                        spurious,
                        separation,
                        early,
                        far,
                        relation: RelationOptions::default(),
                        total: false,
                        phases: match early {
                            Early::Auto => Phases::Two,
                            _ => Phases::One,
                        },
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
    /// It asks for some run.
    existential: usize,
    /// It fails on an abstraction in a way that no one run shows.
    beyond: usize,
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
        SymbolicVerdict::Holds(_) => {
            tally.holds += 1;
            assert!(expected, "{name}");
        }
        SymbolicVerdict::Fails(trace, shows) => {
            tally.fails += 1;
            assert!(!expected, "{name}");
            assert!(is_run(system, &trace), "{name}\n{trace:?}");
            assert_eq!(shows, Shows::All, "{name}");
        }
        SymbolicVerdict::Unknown(why) => {
            assert!(!why.contains("refinement failed"), "{name}\n{why}");
            match why.contains("the property asks for some run") {
                true => tally.existential += 1,
                false => tally.beyond += 1,
            }
        }
        SymbolicVerdict::Steps(_) => panic!("{name}"),
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
    println!("{}", compare_all(0..100));
}

#[test]
#[ignore = "long"]
fn many_random_systems_are_decided_as_the_oracle_does() {
    println!("{}", compare_all(100..3_000));
}

fn compare_all(seeds: std::ops::Range<u64>) -> String {
    let mut shown = String::new();
    for (number, shape) in shapes().into_iter().enumerate() {
        let mut tally: [Tally; 3] = Default::default();
        for seed in seeds.clone() {
            compare(seed, shape, &mut tally);
        }
        for (kind, all) in ["CTL", "LTL", "invariants"].iter().zip(&tally) {
            shown += &format!("shape {number}: {kind} {all:?}\n");
        }
        for all in &tally[1..] {
            assert_eq!(all.existential + all.beyond, 0);
        }
        // Most formulas whose quantifiers are universal are decided.
        let all = &tally[0];
        assert!(all.beyond * 3 < all.holds + all.fails, "{all:?}");
    }
    shown
}

fn read(text: &str) -> System {
    match read_text("test.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => read.system,
        Err(_) => panic!("not read: {text}"),
    }
}

fn decide(text: &str, options: CegarOptions) -> Vec<suppose_symbolic::Answer> {
    let system = read(text);
    let engine = Cegar::new(&system, options, &Context::default());
    let properties = system.properties.iter();
    let answers = properties.map(|p| engine.decide(p).expect("not stopped"));
    answers.collect()
}

/// Red is 0, green 1 and yellow 2.
const LIGHT: &str = "MODULE main
VAR state : 0..2;
INIT state = 0
TRANS next(state) = (state + 1) mod 3
SPEC AG AF state = 0
LTLSPEC G F state = 0
INVARSPEC !(state = 0)
";

/// Example 2.1: whether green and yellow are told apart does not matter to the atom of the property, but to the property.
#[test]
fn the_traffic_light_of_example_2_1_needs_one_refinement() {
    for spurious in [Spurious::Bdd, Spurious::Sat] {
        let options = CegarOptions {
            spurious,
            ..CegarOptions::default()
        };
        let answers = decide(LIGHT, options);
        assert!(
            matches!(answers[0].found, SymbolicVerdict::Holds(_)),
            "{answers:?}"
        );
        assert_eq!(answers[0].effort.abstracted, 1);
        assert_eq!(answers[0].effort.refinements, 1);
        assert!(
            matches!(answers[1].found, SymbolicVerdict::Holds(_)),
            "{answers:?}"
        );
        assert!(
            matches!(answers[2].found, SymbolicVerdict::Fails(..)),
            "{answers:?}"
        );
    }
}

/// A multiplier in the cone of the property that only makes the data which nobody looks at.
const MULTIPLIER: &str = "MODULE main
IVAR a : unsigned word[16]; b : unsigned word[16]; start : boolean;
VAR product : unsigned word[32]; sum : unsigned word[32]; state : {idle, busy, done}; ok : boolean;
ASSIGN
init(product) := 0ud32_0; init(sum) := 0ud32_0; init(state) := idle; init(ok) := TRUE;
next(product) := case state = idle & start : extend(a, 16) * extend(b, 16); TRUE : product; esac;
next(sum) := case state = done : sum + product * product; TRUE : sum; esac;
next(state) := case state = idle & start : busy; state = busy : done; TRUE : idle; esac;
next(ok) := case state = done & sum > product : ok; TRUE : TRUE; esac;
INVARSPEC ok
SPEC AG (state = busy -> AX state = done)
LTLSPEC G (state = done -> X state = idle)
INVARSPEC state != done
";

#[test]
fn a_multiplier_that_does_not_matter_is_not_encoded() {
    for spurious in [Spurious::Bdd, Spurious::Sat] {
        let options = CegarOptions {
            spurious,
            ..CegarOptions::default()
        };
        let cx = Context::default();
        let system = read(MULTIPLIER);
        let engine = Cegar::new(&system, options, &cx);
        for property in &system.properties[..3] {
            let answer = engine.decide(property).expect("not stopped");
            assert!(
                matches!(answer.found, SymbolicVerdict::Holds(Some(_))),
                "{answer:?}"
            );
            assert!(answer.effort.relation_nodes < 1_000, "{answer:?}");
            assert_eq!(answer.effort.refinements, 0);
        }
        if spurious == Spurious::Sat {
            let answer = engine.decide(&system.properties[3]).expect("not stopped");
            let SymbolicVerdict::Fails(trace, _) = answer.found else {
                panic!("{answer:?}");
            };
            assert_eq!(trace.states.len(), 3);
            assert!(is_run(&system, &trace));
        }
    }
}

/// The two ways to look at counterexamples agree, and say what they take.
#[test]
fn images_and_satisfiability_agree() {
    let mut tallies: [Tally; 2] = Default::default();
    for seed in 0..60 {
        let text = random(&mut Rng::new(seed), shapes()[2]);
        let system = read(&text);
        for property in &system.properties {
            let mut verdicts = Vec::new();
            for (spurious, tally) in [Spurious::Bdd, Spurious::Sat].into_iter().zip(&mut tallies) {
                let options = CegarOptions {
                    spurious,
                    ..CegarOptions::default()
                };
                let engine = Cegar::new(&system, options, &Context::default());
                let answer = engine.decide(property).expect("not stopped");
                tally.refinements += answer.effort.refinements;
                verdicts.push(match answer.found {
                    SymbolicVerdict::Holds(_) => {
                        tally.holds += 1;
                        0
                    }
                    SymbolicVerdict::Fails(..) => {
                        tally.fails += 1;
                        1
                    }
                    _ => 2,
                });
            }
            assert_eq!(
                verdicts[0], verdicts[1],
                "seed {seed}, {:?}\n{text}",
                property.name
            );
        }
    }
    println!("images {:?}", tallies[0]);
    println!("satisfiability {:?}", tallies[1]);
}
