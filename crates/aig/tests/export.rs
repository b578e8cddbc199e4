//! Exports: SMT-LIB before z3 and cvc5, AIGER before a reader of our own.
#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::process::{Command, Stdio};

use suppose_aig::{NoExport, invariant_as_aiger, invariant_as_smtlib, model_as_aiger};
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{
    Decision, Decisions, Graph, Question, Simulator, State, System, Value, VarId,
};
use suppose_testkit::smv::{Shape, random};
use suppose_testkit::{Rng, installed};

fn read(text: &str) -> System {
    let read = read_text("test.smv", text, Dialect::NuSmv);
    read.map(|(read, _)| read.system)
        .unwrap_or_else(|(errors, _)| panic!("{errors:?}\n{text}"))
}

fn answers(solver: &str, text: &str) -> Vec<String> {
    let mut command = Command::new(installed(solver));
    match solver {
        "z3" => command.arg("-in"),
        _ => command.args(["--incremental", "--lang=smt2"]),
    };
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A set of states as decisions, without sharing.
fn set_of(system: &System, states: &[State]) -> Decisions {
    let mut set = Decisions::default();
    let mut root = 0;
    for state in states {
        let mut inside = 1;
        let mut outside = root;
        // All bits as in the state, or else the rest of the set; the last decision is the first bit.
        for var in system.state_vars() {
            let variable = system.variable(var);
            let code = variable.ty.code(&state[variable.slot]).unwrap();
            for (bit, is_set) in (0..).zip(code) {
                let (high, low) = match is_set {
                    true => (inside, outside),
                    false => (outside, inside),
                };
                set.nodes.push(Decision {
                    var,
                    bit,
                    high,
                    low,
                });
                inside = set.nodes.len() as u32 + 1;
            }
        }
        if inside == 1 {
            outside = 1;
        }
        root = if inside == 1 { outside } else { inside };
    }
    set.root = root;
    set
}

/// What a property says of states and steps; none if it says more.
fn bad_states(
    system: &System,
    simulator: &mut Simulator<'_>,
    graph: &Graph,
    question: &Question,
) -> Option<Vec<bool>> {
    let Question::Invariant(expr) = question else {
        return None;
    };
    let support = system.exprs.support(*expr);
    let of_steps = !support.next.is_empty() || support.current.iter().any(|v| system.is_input(*v));
    if of_steps {
        return None;
    }
    let mut bad = Vec::new();
    for state in &graph.states {
        bad.push(!simulator.holds(*expr, state, &[], &[]).unwrap());
    }
    Some(bad)
}

#[test]
fn other_solvers_accept_reachable_states_as_invariants() {
    let mut asked = [0; 2];
    for seed in 0..40 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let system = read(&text);
        let mut simulator = Simulator::new(&system, 2_000_000);
        let Ok(graph) = simulator.explore(100) else {
            continue;
        };
        let set = set_of(&system, &graph.states);
        for property in &system.properties {
            let Some(bad) = bad_states(&system, &mut simulator, &graph, &property.question) else {
                continue;
            };
            let holds = !bad.contains(&true);
            let text = invariant_as_smtlib(&system, &property.question, &set).unwrap();
            let last = if holds { "unsat" } else { "sat" };
            for solver in ["z3", "cvc5"] {
                assert_eq!(
                    answers(solver, &text),
                    ["unsat", "unsat", last],
                    "seed {seed}\n{text}"
                );
            }
            asked[usize::from(holds)] += 1;
            // Without one of the states it is no invariant, unless there is only one way to see it.
            if graph.states.len() > 1 {
                let set = set_of(&system, &graph.states[1..]);
                let text = invariant_as_smtlib(&system, &property.question, &set).unwrap();
                let found = answers("z3", &text);
                assert_eq!(found[0], "sat", "seed {seed}");
            }
            break;
        }
    }
    assert!(asked.iter().all(|n| *n > 3), "{asked:?}");
}

/// A circuit with latches, as AIGER's ASCII format has it.
struct Aag {
    inputs: Vec<usize>,
    /// Itself, what comes next, the first value.
    latches: Vec<[usize; 3]>,
    bad: usize,
    gates: Vec<[usize; 3]>,
    input_names: Vec<String>,
    latch_names: Vec<String>,
}

fn parse(text: &str) -> Aag {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(' ').collect();
    assert_eq!(header[0], "aag");
    let counts: Vec<usize> = header[1..].iter().map(|n| n.parse().unwrap()).collect();
    let [last, inputs, latches, outputs, gates, bads] = counts[..] else {
        panic!("{header:?}")
    };
    assert_eq!((outputs, bads), (0, 1));
    assert_eq!(last, inputs + latches + gates);
    let numbers =
        |line: &str| -> Vec<usize> { line.split(' ').map(|n| n.parse().unwrap()).collect() };
    let mut take = |count: usize| -> Vec<Vec<usize>> {
        (0..count).map(|_| numbers(lines.next().unwrap())).collect()
    };
    let three = |all: Vec<Vec<usize>>| all.iter().map(|l| [l[0], l[1], l[2]]).collect();
    let found = (
        take(inputs),
        three(take(latches)),
        take(1),
        three(take(gates)),
    );
    let names = |kind: char| {
        let of_kind = |l: &str| {
            l.strip_prefix(kind)?
                .split_once(' ')
                .map(|(_, n)| n.to_owned())
        };
        text.lines().filter_map(of_kind).collect::<Vec<String>>()
    };
    Aag {
        inputs: found.0.iter().map(|l| l[0]).collect(),
        latches: found.1,
        bad: found.2[0][0],
        gates: found.3,
        input_names: names('i'),
        latch_names: names('l'),
    }
}

impl Aag {
    /// The truth of `bad`, and of what the latches are next.
    fn run(&self, inputs: &[bool], latches: &[bool]) -> (bool, Vec<bool>) {
        let count = self.inputs.len() + self.latches.len() + self.gates.len() + 1;
        let mut truth = vec![false; count];
        for (lit, value) in self.inputs.iter().zip(inputs) {
            truth[lit / 2] = *value;
        }
        for (latch, value) in self.latches.iter().zip(latches) {
            truth[latch[0] / 2] = *value;
        }
        for [whole, a, b] in &self.gates {
            assert!(whole > a && a >= b && whole % 2 == 0);
            let of = |lit: usize| truth[lit / 2] != (lit % 2 == 1);
            truth[whole / 2] = of(*a) && of(*b);
        }
        let of = |lit: usize| truth[lit / 2] != (lit % 2 == 1);
        let next = self.latches.iter().map(|l| of(l[1])).collect();
        (of(self.bad), next)
    }

    /// The first values of latches that have one.
    fn reset(&self) -> Vec<Option<bool>> {
        let reset = |l: &[usize; 3]| match l[2] {
            0 => Some(false),
            1 => Some(true),
            own => {
                assert_eq!(own, l[0]);
                None
            }
        };
        self.latches.iter().map(reset).collect()
    }
}

fn bit_of(
    system: &System,
    state: &[Value],
    inputs: &[Value],
    target: &[Value],
    name: &str,
) -> bool {
    let (rest, bit) = name.rsplit_once(" bit ").unwrap();
    let (name, next) = match rest.strip_prefix("next ") {
        Some(name) => (name, true),
        None => (rest, false),
    };
    let var: VarId = system
        .vars()
        .find(|v| system.variable(*v).name == name)
        .unwrap();
    let variable = system.variable(var);
    let value = match (next, system.is_input(var)) {
        (true, _) => &target[variable.slot],
        (false, true) => &inputs[variable.slot],
        (false, false) => &state[variable.slot],
    };
    variable.ty.code(value).unwrap()[bit.parse::<usize>().unwrap()]
}

/// Along all steps of the graph, `valid` stays true and `bad` says what the simulator says.
#[test]
fn the_model_in_aiger_runs_as_the_simulator_does() {
    let mut seen = [0; 2];
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let text = random(&mut rng, Shape::default());
        let system = read(&text);
        let mut simulator = Simulator::new(&system, 2_000_000);
        let Ok(graph) = simulator.explore(60) else {
            continue;
        };
        for property in &system.properties {
            let question = &property.question;
            let Some(bad) = bad_states(&system, &mut simulator, &graph, question) else {
                continue;
            };
            let aag = parse(&model_as_aiger(&system, question).unwrap());
            let bits = aag.latches.len() - 2;
            for (from, edges) in graph.edges.iter().enumerate() {
                for edge in edges.iter().take(5) {
                    let (state, target) = (&graph.states[from], &graph.states[edge.target]);
                    let value = |name: &String| bit_of(&system, state, &edge.inputs, target, name);
                    let inputs: Vec<bool> = aag.input_names.iter().map(value).collect();
                    let mut latches: Vec<bool> =
                        aag.latch_names[..bits].iter().map(value).collect();
                    let first = graph.initial.contains(&from) && rng.percent(50);
                    latches.extend([first, true]);
                    let (is_bad, next) = aag.run(&inputs, &latches);
                    assert_eq!(is_bad, bad[from], "seed {seed}\n{text}");
                    seen[usize::from(is_bad)] += 1;
                    let after = |name: &String| bit_of(&system, target, &[], &[], name);
                    let mut expected: Vec<bool> =
                        aag.latch_names[..bits].iter().map(after).collect();
                    expected.extend([false, true]);
                    assert_eq!(next, expected, "seed {seed}\n{text}");
                    // A state that is not initial cannot be the first.
                    if !graph.initial.contains(&from) {
                        latches[bits] = true;
                        let (is_bad, next) = aag.run(&inputs, &latches);
                        assert!(!is_bad && !next[bits + 1]);
                    }
                }
            }
            assert_eq!(aag.reset()[bits..], [Some(true), Some(true)]);
        }
    }
    assert!(seen.iter().all(|n| *n > 500), "{seen:?}");
}

/// All valuations of latches and inputs: the witness is inductive, holds at first, and where it holds the model is not bad.
#[test]
fn the_witness_in_aiger_is_inductive() {
    let mut checked = 0;
    for seed in 0..400 {
        let shape = Shape {
            variables: 2,
            modules: false,
            ..Shape::default()
        };
        let text = random(&mut Rng::new(seed), shape);
        let system = read(&text);
        let mut simulator = Simulator::new(&system, 2_000_000);
        let Ok(graph) = simulator.explore(60) else {
            continue;
        };
        let set = set_of(&system, &graph.states);
        for property in &system.properties {
            let question = &property.question;
            let bad = bad_states(&system, &mut simulator, &graph, question);
            if bad.is_none_or(|bad| bad.contains(&true)) {
                continue;
            }
            let model = parse(&model_as_aiger(&system, question).unwrap());
            let witness = parse(&invariant_as_aiger(&system, question, &set).unwrap());
            assert_eq!(model.input_names, witness.input_names);
            assert_eq!(model.latch_names, witness.latch_names);
            let (inputs, latches) = (model.inputs.len(), model.latches.len());
            if inputs + latches > 12 {
                continue;
            }
            let bits = |from: usize, at: usize, count: usize| -> Vec<bool> {
                (0..count).map(|i| from >> (at + i) & 1 == 1).collect()
            };
            let any = vec![false; inputs];
            let resets = witness.reset();
            for all in 0..1usize << (inputs + latches) {
                let (now, chosen) = (bits(all, 0, latches), bits(all, latches, inputs));
                let (outside, next) = witness.run(&chosen, &now);
                let is_first = now
                    .iter()
                    .zip(&resets)
                    .all(|(v, r)| r.is_none_or(|r| r == *v));
                assert!(!(is_first && outside), "seed {seed}\n{text}");
                let (is_bad, model_next) = model.run(&chosen, &now);
                assert_eq!(next, model_next);
                if !outside {
                    assert!(!is_bad, "seed {seed}\n{text}");
                    assert!(!witness.run(&any, &next).0, "seed {seed}\n{text}");
                }
            }
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked}");
}

#[test]
fn what_has_no_export_is_refused() {
    let system = read("MODULE main VAR x : boolean; CTLSPEC AF x LTLSPEC G x CTLSPEC AG x");
    let question = |n: usize| &system.properties[n].question;
    assert_eq!(
        model_as_aiger(&system, question(0)),
        Err(NoExport::Temporal)
    );
    assert!(model_as_aiger(&system, question(1)).is_ok());
    assert!(model_as_aiger(&system, question(2)).is_ok());
    let wrong = Decisions {
        nodes: Vec::new(),
        root: 7,
    };
    assert!(invariant_as_smtlib(&system, question(2), &wrong).is_err());
    assert!(invariant_as_aiger(&system, question(2), &wrong).is_err());
}
