//! What is looked at before any property, and the part of a system that a property depends on.

use suppose_control::Context;
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Simulator, System};
use suppose_symbolic::check::memory::Memory;
use suppose_symbolic::prepare::{Deadlock, deadlock, obligations};
use suppose_symbolic::{Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, random};

fn system(text: &str) -> System {
    match read_text("it.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => read.system,
        Err((errors, _)) => panic!("{errors:?}"),
    }
}

fn alive(system: &System) -> Deadlock {
    deadlock(system, RelationOptions::default(), &Context::default()).expect("not stopped")
}

#[test]
fn an_expression_that_can_fail_is_shown_with_values() {
    // Too many valuations for the front-end to look at.
    let system =
        system("MODULE main VAR x : 0..3000; y : 0..3000; ASSIGN next(x) := y mod (x + y);");
    let broken = obligations(&system, &Context::default()).expect("not stopped");
    let values = broken.expect("division by zero").values;
    assert!(
        values.contains(&("x".to_owned(), "0".to_owned())),
        "{values:?}"
    );
}

#[test]
fn expressions_that_cannot_fail_pass() {
    let system = system(
        "MODULE main VAR x : 0..3000; y : 1..3000; ASSIGN next(x) := x mod y; \
         next(y) := case y + x < 3 : y + x + 1; x + y >= 3 : 1; esac;",
    );
    assert_eq!(obligations(&system, &Context::default()), Ok(None));
}

#[test]
fn a_constraint_far_from_the_property_still_stops_the_system() {
    let text = "MODULE main VAR x : boolean; y : 0..3; \
        ASSIGN init(x) := FALSE; next(x) := !x; init(y) := 0; TRANS next(y) = y + 1 \
        INVARSPEC !x; CTLSPEC EF x; CTLSPEC AG EX TRUE;";
    let system = system(text);
    let Deadlock::Reachable(trace, part) = alive(&system) else {
        panic!("not stuck");
    };
    assert_eq!(trace.states.len(), 4);
    assert_eq!(part.variables.len(), 1);
    for property in &system.properties {
        let cone = system.cone(property);
        let names = cone.system.variables.iter().map(|v| v.name.as_str());
        assert!(names.clone().any(|n| n == "y"), "{names:?}");
    }
}

#[test]
fn assignments_in_a_circle_can_stop_the_system() {
    let text = "MODULE main VAR x : boolean; y : boolean; z : boolean; \
        ASSIGN next(x) := !next(y); y := x; next(z) := x; INVARSPEC z | !z;";
    let system = system(text);
    assert!(matches!(alive(&system), Deadlock::Reachable(_, part) if part.variables.len() == 2));
    assert_eq!(system.cone(&system.properties[0]).kept.len(), 3);
    let mut simulator = Simulator::new(&system, 1_000);
    for state in simulator.initial_states().expect("few") {
        assert_eq!(simulator.steps(&state), Ok(Vec::new()));
    }
    let none = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := !y; y := x;";
    assert!(matches!(
        alive(&self::system(none)),
        Deadlock::NoInitialState
    ));
}

#[test]
fn no_initial_state_is_noticed() {
    let none = "MODULE main VAR x : boolean; y : boolean; INVAR x; INIT !x";
    assert!(matches!(alive(&system(none)), Deadlock::NoInitialState));
}

#[test]
fn what_is_only_assigned_is_left_out() {
    let text = "MODULE main IVAR i : boolean; VAR x : boolean; y : 0..100; z : boolean; \
        DEFINE big := y > 50; \
        ASSIGN next(x) := !x; next(y) := x & i ? (y + 1) mod 101 : y; z := y = 3; \
        INVARSPEC x | !x; INVARSPEC z -> y = 3;";
    let system = system(text);
    let sizes = system.properties.iter().map(|p| system.cone(p));
    let sizes: Vec<usize> = sizes.map(|c| c.kept.len()).collect();
    assert_eq!(sizes, [1, 4]);
}

#[test]
fn random_systems_live_as_they_do_state_by_state() {
    let mut counts = [0; 3];
    for seed in 0..400 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let system = system(&text);
        let Ok(oracle) = Oracle::new(&system, 500, 2_000_000) else {
            continue;
        };
        let mut simulator = Simulator::new(&system, 2_000_000);
        let starts = simulator.initial_states().expect("few").is_empty();
        match alive(&system) {
            Deadlock::Free => {
                assert!(oracle.is_total() && !starts, "seed {seed}\n{text}");
                counts[0] += 1;
            }
            Deadlock::NoInitialState => {
                assert!(starts, "seed {seed}\n{text}");
                counts[1] += 1;
            }
            Deadlock::Reachable(trace, part) => {
                assert!(!oracle.is_total(), "seed {seed}\n{text}");
                let last = trace.states.last().expect("a state");
                let mut simulator = Simulator::new(&part, 2_000_000);
                assert_eq!(simulator.steps(last), Ok(Vec::new()), "seed {seed}\n{text}");
                counts[2] += 1;
            }
        }
    }
    assert!(counts[0] > 50 && counts[2] > 20, "{counts:?}");
}

#[test]
fn the_part_of_a_random_system_says_what_the_whole_says() {
    let (mut decided, mut smaller) = (0, 0);
    for seed in 5_000..5_400 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let system = system(&text);
        let Ok(mut oracle) = Oracle::new(&system, 500, 2_000_000) else {
            continue;
        };
        let memory = Memory::default();
        for property in &system.properties {
            let Ok(Some(expected)) = oracle.verdict(&property.question) else {
                continue;
            };
            let cone = system.cone(property);
            smaller += usize::from(cone.kept.len() < system.variables.len());
            let question = &cone.system.properties[0];
            let engine = || {
                Concrete::new(
                    &cone.system,
                    RelationOptions::default(),
                    &Context::default(),
                )
            };
            // By itself, and with what was found out for the properties before it.
            for engine in [engine(), engine().remembering(&memory)] {
                let answer = engine.decide(question).expect("not stopped");
                let holds = matches!(answer.found, SymbolicVerdict::Holds(_));
                assert_eq!(holds, expected, "seed {seed}, {:?}\n{text}", property.name);
            }
            decided += 1;
        }
    }
    println!("{decided} decided, {smaller} on a part");
    assert!(decided > 1_000 && smaller > 50, "{decided}, {smaller}");
}
