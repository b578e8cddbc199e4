//! Evidence about finite-domain systems, on random ones: what is true is accepted, what is false is not.
#![allow(clippy::unwrap_used)]

mod deadlock;
mod files;
mod lassos;

use suppose_certify::fsm::{
    Accepted, CheckLimits, Expected, Meaning, Refusal, check_proof, check_run, check_small,
};
use suppose_control::{Context, Stopped};
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{
    Cluster, Decision, Decisions, Proof, Question, Shows, State, System, Trace, Value, VarId,
};
use suppose_symbolic::{Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, Steps, random};

fn read(text: &str) -> System {
    let read = read_text("test.smv", text, Dialect::NuSmv);
    read.map(|(read, _)| read.system)
        .unwrap_or_else(|(errors, _)| panic!("{errors:?}\n{text}"))
}

fn is_rejected<T>(found: &Result<T, Refusal>) -> bool {
    matches!(found, Err(Refusal::Rejection(_)))
}

/// A random text; one in three has a compassion constraint, made of two of its invariants.
fn random_text(rng: &mut Rng) -> String {
    let text = random(rng, Shape::default());
    let invariant = |name: &str| {
        let (_, rest) = text.split_once(&format!("INVARSPEC NAME {name} := "))?;
        rest.split_once('\n').map(|(line, _)| line.to_owned())
    };
    match (invariant("i0"), invariant("i1")) {
        (Some(p), Some(q)) if rng.percent(33) => {
            text.replacen("CTLSPEC", &format!("COMPASSION ({p}, {q})\nCTLSPEC"), 1)
        }
        _ => text,
    }
}

#[test]
fn small_systems_are_decided_as_the_oracle_does() {
    let mut decided = [0; 5];
    for seed in 0..300 {
        let text = random_text(&mut Rng::new(seed));
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        for property in &system.properties {
            let question = &property.question;
            let expected = match (oracle.verdict(question), oracle.compute(question)) {
                (Ok(Some(true)), _) => Expected::Holds,
                (Ok(Some(false)), _) => Expected::Violated,
                (_, Ok(Some(Steps::Finite(n)))) => Expected::Steps(Some(n as u64)),
                (_, Ok(Some(Steps::Infinite))) => Expected::Steps(None),
                (_, Ok(Some(Steps::Undefined))) => Expected::Undefined,
                _ => continue,
            };
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            let wrong = match expected {
                Expected::Holds => Expected::Violated,
                Expected::Violated => Expected::Holds,
                Expected::Steps(n) => Expected::Steps(Some(n.map_or(7, |n| n + 1))),
                Expected::Undefined => Expected::Holds,
            };
            let limits = CheckLimits {
                edges: 2_000_000,
                ..CheckLimits::default()
            };
            let found = check_small(&system, question, expected, &limits);
            assert!(
                matches!(found, Ok(Accepted::Explored { .. })),
                "{name}\n{found:?}"
            );
            let found = check_small(&system, question, wrong, &limits);
            assert!(is_rejected(&found), "{name}\n{found:?}");
            decided[match expected {
                Expected::Holds => 0,
                Expected::Violated => 1,
                Expected::Steps(Some(_)) => 2,
                Expected::Steps(None) => 3,
                Expected::Undefined => 4,
            }] += 1;
        }
    }
    println!("holds, violated, steps, infinite, undefined: {decided:?}");
    assert!(decided.iter().all(|n| *n > 10));
}

/// A small change.
fn mutated_trace(rng: &mut Rng, system: &System, trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    match rng.below(5) {
        0 if trace.inputs.len() > 1 => {
            let at = rng.below(trace.inputs.len());
            trace.states.remove(at);
            trace.inputs.remove(at);
        }
        1 => trace.loops_to = Some(rng.below(trace.states.len() + 1)),
        2 => trace.loops_to = None,
        3 => {
            trace.states.pop();
            trace.inputs.pop();
        }
        _ => {
            let vars: Vec<VarId> = system.state_vars().collect();
            let at = rng.below(trace.states.len());
            if let Some(var) = rng.pick(&vars) {
                let ty = &system.variable(*var).ty;
                let value = ty.value(rng.below(ty.size() as usize) as u128).unwrap();
                trace.states[at][system.variable(*var).slot] = value;
            }
        }
    }
    trace
}

fn mutated_set(rng: &mut Rng, set: &Decisions) -> Decisions {
    let mut set = set.clone();
    let count = set.nodes.len();
    match rng.below(4) {
        0 => set.root = rng.below(count + 3) as u32,
        _ if count == 0 => set.root = 1 - set.root.min(1),
        1 => {
            let node = &mut set.nodes[rng.below(count)];
            std::mem::swap(&mut node.high, &mut node.low);
        }
        2 => {
            let at = rng.below(count);
            set.nodes[at].high = rng.below(at + 2) as u32;
        }
        _ => {
            let at = rng.below(count);
            set.nodes[at].low = rng.below(at + 2) as u32;
        }
    }
    set
}

#[test]
fn evidence_of_the_engine_is_accepted_and_false_evidence_is_not() {
    let limits = CheckLimits::default();
    let (mut runs, mut parts, mut proofs, mut open) = (0, 0, 0, 0);
    let mut rejected = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        let engine = Concrete::new(&system, RelationOptions::default(), &Context::default());
        for property in &system.properties {
            let question = &property.question;
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            match engine.decide(property).unwrap().found {
                SymbolicVerdict::Fails(trace, shows) => {
                    let found = check_run(&system, question, &trace, shows, &limits);
                    match found {
                        Ok(Accepted::Run {
                            meaning: Meaning::Violates,
                            ..
                        }) => runs += 1,
                        Ok(Accepted::Run {
                            meaning: Meaning::Part,
                            ..
                        }) => parts += 1,
                        Ok(Accepted::Run {
                            meaning: Meaning::IfFairRunContinues,
                            ..
                        }) => open += 1,
                        _ => panic!("{name}\n{trace:?}\n{found:?}"),
                    }
                }
                SymbolicVerdict::Holds(Some(proof)) => {
                    let found = check_proof(&system, question, &proof, &limits);
                    assert!(found.is_ok(), "{name}\n{found:?}");
                    proofs += 1;
                }
                _ => {}
            }
        }
        // Evidence that is damaged, or that is put before another property.
        let verdicts: Vec<Option<bool>> = system
            .properties
            .iter()
            .map(|p| oracle.verdict(&p.question).ok().flatten())
            .collect();
        for property in &system.properties {
            let Ok(answer) = engine.decide(property) else {
                continue;
            };
            for (other, verdict) in system.properties.iter().zip(&verdicts) {
                let Some(verdict) = verdict else { continue };
                let question = &other.question;
                let name = format!("seed {seed}, {:?}\n{text}", other.name);
                match &answer.found {
                    SymbolicVerdict::Fails(trace, _) => {
                        let trace = match rng.percent(60) {
                            true => mutated_trace(&mut rng, &system, trace),
                            false => trace.clone(),
                        };
                        let found = check_run(&system, question, &trace, Shows::All, &limits);
                        let accepts = matches!(
                            found,
                            Ok(Accepted::Run {
                                meaning: Meaning::Violates,
                                ..
                            })
                        );
                        assert!(!accepts || !verdict, "{name}\n{trace:?}");
                        rejected += usize::from(is_rejected(&found));
                    }
                    SymbolicVerdict::Holds(Some(Proof::Invariant(set))) => {
                        let set = match rng.percent(60) {
                            true => mutated_set(&mut rng, set),
                            false => set.clone(),
                        };
                        let proof = Proof::Invariant(set);
                        let found = check_proof(&system, question, &proof, &limits);
                        assert!(found.is_err() || *verdict, "{name}\n{proof:?}");
                        rejected += usize::from(is_rejected(&found));
                    }
                    _ => {}
                }
            }
        }
    }
    println!("runs {runs}, parts {parts}, open {open}, proofs {proofs}, rejected {rejected}");
    assert!(runs > 500 && proofs > 100 && rejected > 1_000);
    assert!(
        open * 20 < runs,
        "too many runs without a loop nearby: {open}"
    );
}

/// The set of valuations of one variable with values of these numbers.
fn values_of(system: &System, var: VarId, numbers: &[u128]) -> Decisions {
    let size = system.variable(var).ty.size();
    let width = 128 - (size - 1).leading_zeros();
    let mut set = Decisions::default();
    // A full tree from the lowest bit at the root; leaves are numbers.
    let mut layer: Vec<u32> = (0..1u128 << width)
        .map(|n| u32::from(numbers.contains(&n)))
        .collect();
    for bit in (0..width).rev() {
        let half = layer.len() / 2;
        let mut next = Vec::new();
        for at in 0..half {
            let (low, high) = (layer[at], layer[at + half]);
            set.nodes.push(Decision {
                var,
                bit,
                high,
                low,
            });
            next.push(set.nodes.len() as u32 + 1);
        }
        layer = next;
    }
    set.root = layer[0];
    set
}

/// Clusters of single variables, with every value a class, or some together.
fn random_clusters(rng: &mut Rng, system: &System) -> Vec<Cluster> {
    let mut clusters = Vec::new();
    for var in system.state_vars() {
        if rng.percent(15) {
            continue;
        }
        let size = system.variable(var).ty.size();
        let mut classes: Vec<Vec<u128>> = Vec::new();
        for number in 0..size {
            match rng.percent(25) && !classes.is_empty() {
                true => {
                    let at = rng.below(classes.len());
                    classes[at].push(number);
                }
                false => classes.push(vec![number]),
            }
        }
        let classes = classes.iter().map(|c| values_of(system, var, c));
        clusters.push(Cluster {
            vars: vec![var],
            classes: classes.collect(),
        });
    }
    clusters
}

#[test]
fn abstractions_prove_only_what_is_true() {
    let limits = CheckLimits::default();
    let (mut accepted, mut rejected) = ([0; 3], [0; 2]);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let text = random_text(&mut rng);
        let system = read(&text);
        let Ok(mut oracle) = Oracle::new(&system, 300, 2_000_000) else {
            continue;
        };
        for property in &system.properties {
            let question = &property.question;
            let Ok(Some(verdict)) = oracle.verdict(question) else {
                continue;
            };
            let name = format!("seed {seed}, {:?}\n{text}", property.name);
            let proof = Proof::Abstraction(random_clusters(&mut rng, &system));
            let found = check_proof(&system, question, &proof, &limits);
            match found {
                Ok(_) => {
                    assert!(verdict, "{name}\n{proof:?}");
                    accepted[match question {
                        Question::Ctl(_) => 0,
                        Question::Ltl(_) => 1,
                        _ => 2,
                    }] += 1;
                }
                Err(_) => rejected[usize::from(verdict)] += 1,
            }
        }
    }
    println!("accepted {accepted:?}, rejected {rejected:?}");
    assert!(accepted.iter().all(|n| *n > 50));
}

#[test]
fn every_value_a_class_proves_all_that_is_universal_and_true() {
    let text = "MODULE main
VAR x : 0..3; y : boolean;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; init(y) := FALSE; next(y) := case x = 2 : {TRUE, FALSE}; TRUE : y; esac;
FAIRNESS y
CTLSPEC AG (x = 0 -> AX x = 1)
CTLSPEC AF y
CTLSPEC AG AF x = 3
LTLSPEC G F y
LTLSPEC G (x = 2 -> O x = 1)
LTLSPEC G (x = 3 -> H [1, 2] x != 3)
INVARSPEC x <= 3
CTLSPEC A [ !y U x = 2 | y ]
CTLSPEC !EF (x = 3 & AX x = 2)
";
    let system = read(text);
    let each = |var: VarId| {
        let size = system.variable(var).ty.size();
        Cluster {
            vars: vec![var],
            classes: (0..size).map(|n| values_of(&system, var, &[n])).collect(),
        }
    };
    let clusters: Vec<Cluster> = system.state_vars().map(each).collect();
    let proof = Proof::Abstraction(clusters.clone());
    let limits = CheckLimits::default();
    for (number, property) in system.properties.iter().enumerate() {
        let found = check_proof(&system, &property.question, &proof, &limits);
        assert_eq!(found.is_ok(), number < 8, "{number}: {found:?}");
    }
    // Only `x <= 3` needs no classes at all.
    let none = Proof::Abstraction(vec![Cluster {
        vars: vec![VarId(0)],
        classes: vec![Decisions {
            nodes: Vec::new(),
            root: 1,
        }],
    }]);
    assert!(check_proof(&system, &system.properties[6].question, &none, &limits).is_ok());
    // No partition: a value in no class, and one in two.
    for [first, second] in [[vec![], vec![1]], [vec![0, 1], vec![1]]] {
        let mut clusters = clusters.clone();
        clusters[0].classes[0] = values_of(&system, VarId(0), &first);
        clusters[0].classes[1] = values_of(&system, VarId(0), &second);
        let proof = Proof::Abstraction(clusters);
        let found = check_proof(&system, &system.properties[6].question, &proof, &limits);
        assert!(is_rejected(&found), "{found:?}");
    }
    let small = CheckLimits {
        states: 2,
        ..CheckLimits::default()
    };
    let found = check_proof(&system, &system.properties[0].question, &proof, &small);
    assert!(matches!(found, Err(Refusal::TooLarge(_))), "{found:?}");
}

#[test]
fn the_loop_is_written_out_as_often_as_the_past_needs() {
    // y is true only once; what is remembered changes after the loop was entered.
    let text = "MODULE main
VAR x : 0..2; b : boolean;
ASSIGN init(x) := 0; next(x) := case x = 0 : 1; x = 1 : 2; TRUE : 1; esac; init(b) := FALSE; next(b) := FALSE;
LTLSPEC G (x = 2 -> !O (x = 1 & O (x = 2 & O x = 1)))
LTLSPEC G !(x = 1 & Y (x = 2 & Y (x = 1 & Y (x = 2 & Y x = 1))))
LTLSPEC G (O [3, 5] x = 0 -> x = 1)
LTLSPEC G (x = 1 -> Y x = 0)
LTLSPEC F G O x = 2
";
    let system = read(text);
    let state = |x: i64| -> State { Box::new([Value::Int(x), Value::Bool(false)]) };
    let trace = Trace {
        states: vec![state(0), state(1), state(2), state(1)],
        inputs: vec![Box::new([]), Box::new([]), Box::new([])],
        loops_to: Some(1),
    };
    let limits = CheckLimits::default();
    for (number, property) in system.properties.iter().enumerate() {
        let found = check_run(&system, &property.question, &trace, Shows::All, &limits);
        assert_eq!(found.is_ok(), number < 4, "{number}: {found:?}");
    }
}

#[test]
fn judges_can_be_stopped() {
    let system =
        read("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := x; INVARSPEC x = 0");
    let cx = Context::default();
    cx.stop(Stopped::Timeout);
    let limits = CheckLimits {
        cx: cx.clone(),
        solver: cx,
        ..CheckLimits::default()
    };
    let question = &system.properties[0].question;
    let stopped = Err(Refusal::Rejection(suppose_certify::Rejection::Stopped(
        Stopped::Timeout,
    )));
    let set = values_of(&system, VarId(0), &[0]);
    assert_eq!(
        check_proof(&system, question, &Proof::Invariant(set), &limits),
        stopped
    );
    assert_eq!(
        check_small(&system, question, Expected::Holds, &limits),
        stopped
    );
}
