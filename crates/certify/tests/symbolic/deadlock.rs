//! Runs that get stuck, systems that do not begin, and systems that go on.

use suppose_certify::fsm::file;
use suppose_certify::fsm::{
    Accepted, CheckLimits, Expected, check_deadlock, check_deadlock_free, check_no_initial_state,
};
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Claim, Decisions, Graph, Proof, Shows, Simulator, Trace, Value};
use suppose_testkit::Rng;

use crate::{is_rejected, random_text, read};

/// A shortest run to a state of a graph.
pub fn way(graph: &Graph, end: usize) -> Trace {
    let mut trace = Trace {
        states: vec![graph.states[end].clone()],
        inputs: Vec::new(),
        loops_to: None,
    };
    let mut at = end;
    while graph.distance[at] > 0 {
        let before = |from: &usize| graph.distance[*from] + 1 == graph.distance[at];
        let step = |from: usize| {
            let edge = graph.edges[from].iter().find(|edge| edge.target == at);
            edge.map(|edge| (from, edge.inputs.clone()))
        };
        let mut steps = (0..graph.states.len()).filter(before).filter_map(step);
        let (from, inputs) = steps.next().unwrap();
        trace.states.insert(0, graph.states[from].clone());
        trace.inputs.insert(0, inputs);
        at = from;
    }
    trace
}

/// A random text with constraints, so that there may be deadlocks, or no initial state.
fn constrained_text(rng: &mut Rng) -> String {
    let text = random_text(rng);
    let invariant = |name: &str| {
        let (_, rest) = text.split_once(&format!("INVARSPEC NAME {name} := "))?;
        rest.split_once('\n').map(|(line, _)| line.to_owned())
    };
    let (Some(p), Some(q)) = (invariant("i0"), invariant("i1")) else {
        return text;
    };
    let constraint = match rng.below(4) {
        0 => format!("INIT ({p}) & ({q})"),
        1 => format!("INVAR ({p}) | ({q})"),
        2 => format!("TRANS ({p}) -> ({q})"),
        _ => format!("INIT ({p})\nTRANS ({q})"),
    };
    text.replacen("CTLSPEC", &format!("{constraint}\nCTLSPEC"), 1)
}

#[test]
fn deadlocks_are_judged_as_all_states_show() {
    let (mut stuck, mut going, mut empty) = (0, 0, 0);
    let limits = CheckLimits {
        edges: 2_000_000,
        ..CheckLimits::default()
    };
    let nothing = Proof::Invariant(Decisions::default());
    for seed in 0..300 {
        let text = constrained_text(&mut Rng::new(seed));
        // An invariant may speak of inputs, which INIT and INVAR must not.
        let Ok((found, _)) = read_text("test.smv", &text, Dialect::NuSmv) else {
            continue;
        };
        let system = found.system;
        let Ok(graph) = Simulator::new(&system, 2_000_000).explore(300) else {
            continue;
        };
        let name = format!("seed {seed}\n{text}");
        let deadlocks = graph.deadlocks();
        for end in (0..graph.states.len()).take(30).chain(deadlocks.clone()) {
            let trace = way(&graph, end);
            let found = check_deadlock(&system, &trace, &limits);
            match deadlocks.contains(&end) {
                true => assert!(
                    matches!(found, Ok(Accepted::Run { .. })),
                    "{name}\n{found:?}"
                ),
                false => assert!(is_rejected(&found), "{name}\n{found:?}"),
            }
            stuck += usize::from(deadlocks.contains(&end));
            going += usize::from(!deadlocks.contains(&end));
            // A run that does not begin, one that jumps, and one that goes on forever are none that get stuck.
            let mut late = trace.clone();
            late.states.insert(0, trace.states[0].clone());
            assert!(
                is_rejected(&check_deadlock(&system, &late, &limits)),
                "{name}"
            );
            let mut round = trace.clone();
            round.loops_to = Some(0);
            assert!(
                is_rejected(&check_deadlock(&system, &round, &limits)),
                "{name}"
            );
            if graph.distance[end] > 0 {
                let mut jump = trace.clone();
                jump.states.remove(0);
                jump.inputs.remove(0);
                let initial = graph
                    .initial
                    .iter()
                    .any(|i| graph.states[*i] == jump.states[0]);
                let found = check_deadlock(&system, &jump, &limits);
                assert!(initial || is_rejected(&found), "{name}\n{found:?}");
            }
        }
        let found = check_deadlock_free(&system, &limits);
        assert_eq!(found.is_ok(), deadlocks.is_empty(), "{name}\n{found:?}");
        let found = check_no_initial_state(&system, &nothing, &limits);
        assert_eq!(found.is_ok(), graph.initial.is_empty(), "{name}\n{found:?}");
        empty += usize::from(graph.initial.is_empty());
        let all = Proof::Invariant(Decisions {
            nodes: Vec::new(),
            root: 1,
        });
        let found = check_no_initial_state(&system, &all, &limits);
        assert!(found.is_err() || graph.initial.is_empty(), "{name}");
        let found = check_no_initial_state(&system, &Proof::Abstraction(Vec::new()), &limits);
        assert!(is_rejected(&found), "{name}");
    }
    println!("stuck {stuck}, going {going}, empty {empty}");
    assert!(stuck > 50 && going > 50 && empty > 5);
}

/// Where only assignments say what a step does, every state has one, however many states there are.
#[test]
fn steps_by_construction_need_no_exploration() {
    let none = CheckLimits {
        states: 0,
        edges: 0,
        tries: 0,
        ..CheckLimits::default()
    };
    for (text, goes_on) in [
        (
            "VAR w : unsigned word[60]; ASSIGN next(w) := w + 0ud60_1;",
            true,
        ),
        (
            "VAR x : 0..9; y : 0..9; IVAR i : boolean; ASSIGN y := x; next(x) := i ? 0 : next(z); VAR z : 0..9;",
            true,
        ),
        (
            "FROZENVAR f : boolean; VAR x : boolean; ASSIGN next(x) := f;",
            true,
        ),
        // Constraints.
        ("VAR x : boolean; TRANS next(x) != x", false),
        ("VAR x : boolean; INVAR x", false),
        // The next x is the next y, and y is not x in any state.
        (
            "VAR x : boolean; y : boolean; ASSIGN next(x) := next(y); y := !x;",
            false,
        ),
    ] {
        let system = read(&format!("MODULE main {text}"));
        let found = check_deadlock_free(&system, &none);
        assert_eq!(found.is_ok(), goes_on, "{text}: {found:?}");
    }
}

/// Evidence of one kind says nothing of a claim of another.
#[test]
fn evidence_must_fit_its_claim() {
    let system = read("MODULE main VAR x : boolean; INIT x TRANS !x; INVARSPEC !x");
    let trace = Trace {
        states: vec![Box::new([Value::Bool(true)])],
        inputs: Vec::new(),
        loops_to: None,
    };
    let (deadlock, property) = (Claim::Deadlock, Claim::Property(0));
    let stuck = file::Evidence::Deadlock(trace.clone());
    let run = file::Evidence::Run(trace, Shows::All);
    let violated = file::Evidence::Verdict(Expected::Violated);
    let limits = CheckLimits::default();
    let judge = |claim, evidence| file::check(&system, claim, evidence, &limits);
    assert!(judge(deadlock, &stuck).is_ok());
    assert!(judge(property, &run).is_ok());
    assert!(judge(property, &violated).is_ok());
    for (claim, evidence) in [
        (property, &stuck),
        (deadlock, &run),
        (deadlock, &violated),
        (Claim::Property(1), &run),
    ] {
        assert!(
            is_rejected(&judge(claim, evidence)),
            "{claim:?}, {evidence:?}"
        );
    }
}
