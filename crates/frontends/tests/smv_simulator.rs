//! The simulator finds exactly the initial states and steps that a look at every valuation finds, and the examples are
//! what `expected.toml` says.

#![allow(clippy::unwrap_used)]

use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{
    Evaluator, Simulator, State, Successor, System, Valuation, Value, VarId, VariableKind, When,
};
use suppose_testkit::for_each_seed;
use suppose_testkit::smv::{Oracle, Shape, checks, random};

/// Values of all variables now, and next.
struct Both<'a> {
    now: &'a [Value],
    next: &'a [Value],
}

impl Valuation for Both<'_> {
    fn current(&self, var: VarId) -> Option<Value> {
        self.now.get(var.index()).cloned()
    }

    fn next(&self, var: VarId) -> Option<Value> {
        self.next.get(var.index()).cloned()
    }
}

/// All valuations of all variables, if there are few.
fn valuations(system: &System) -> Option<Vec<Vec<Value>>> {
    let mut all: Vec<Vec<Value>> = vec![vec![]];
    for variable in &system.variables {
        let longer = |v: Vec<Value>| {
            let values = variable.ty.values();
            values
                .map(move |x| [v.clone(), vec![x]].concat())
                .collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
        if all.len() > 300 {
            return None;
        }
    }
    Some(all)
}

fn project(system: &System, all: &[Value], inputs: bool) -> State {
    let wanted = system.vars().filter(|v| system.is_input(*v) == inputs);
    wanted.map(|v| all[v.index()].clone()).collect()
}

/// Is the valuation a state, by the text of the definition?
fn is_state(system: &System, eval: &mut Evaluator<'_>, now: &[Value], initial: bool) -> bool {
    let here = Both { now, next: &[] };
    let mut holds = system
        .invariant
        .iter()
        .all(|c| eval.holds(c.expr, &here).unwrap());
    if initial {
        holds &= system
            .init
            .iter()
            .all(|c| eval.holds(c.expr, &here).unwrap());
    }
    for a in &system.assignments {
        if a.when == When::Always || (initial && a.when == When::Init) {
            let values = eval.values(a.value, &here).unwrap();
            holds &= values.as_slice().contains(&now[a.var.index()]);
        }
    }
    holds
}

fn is_step(system: &System, eval: &mut Evaluator<'_>, now: &[Value], next: &[Value]) -> bool {
    let here = Both { now, next };
    let mut holds = system
        .transition
        .iter()
        .all(|c| eval.holds(c.expr, &here).unwrap());
    for a in system.assignments.iter().filter(|a| a.when == When::Next) {
        let values = eval.values(a.value, &here).unwrap();
        holds &= values.as_slice().contains(&next[a.var.index()]);
    }
    for var in system.vars() {
        let frozen = system.variable(var).kind == VariableKind::Frozen;
        holds &= !frozen || now[var.index()] == next[var.index()];
    }
    holds
}

#[test]
fn every_valuation_is_looked_at() {
    let mut looked_at = 0;
    for_each_seed(60, |rng| {
        let shape = Shape {
            variables: 2,
            properties: 0,
            ..Shape::default()
        };
        let text = random(rng, shape);
        let (read, _) = read_text("m.smv", &text, Dialect::NuSmv).unwrap();
        let system = read.system;
        let Some(all) = valuations(&system) else {
            return;
        };
        looked_at += 1;
        let mut eval = Evaluator::new(&system.exprs);
        let mut simulator = Simulator::new(&system, u64::MAX);
        let states: Vec<&Vec<Value>> = all
            .iter()
            .filter(|v| is_state(&system, &mut eval, v, false))
            .collect();
        let initial = states
            .iter()
            .filter(|v| is_state(&system, &mut eval, v, true));
        let mut initial: Vec<State> = initial.map(|v| project(&system, v, false)).collect();
        initial.sort_unstable();
        initial.dedup();
        assert_eq!(simulator.initial_states().unwrap(), initial, "{text}");
        let mut expected: Vec<(State, Successor)> = Vec::new();
        for now in &states {
            for next in &states {
                if is_step(&system, &mut eval, now, next) {
                    let step = Successor {
                        inputs: project(&system, now, true),
                        target: project(&system, next, false),
                    };
                    expected.push((project(&system, now, false), step));
                }
            }
        }
        // A next state comes once, whatever the inputs after it.
        expected.sort_unstable();
        expected.dedup();
        let mut found: Vec<(State, Successor)> = Vec::new();
        let mut from: Vec<State> = states.iter().map(|v| project(&system, v, false)).collect();
        from.sort_unstable();
        from.dedup();
        for state in from {
            for step in simulator.steps(&state).unwrap() {
                assert_eq!(
                    simulator.is_step(&state, &step.inputs, &step.target),
                    Ok(true)
                );
                found.push((state.clone(), step));
            }
        }
        assert_eq!(found, expected, "{text}");
    });
    assert!(looked_at > 0);
}

/// `COMPASSION (TRUE, p)` is `JUSTICE p`. NuSMV 2.6 does not always say so, which is why it is not asked about compassion.
#[test]
fn compassion_after_everything_is_justice() {
    let mut compared = 0;
    for_each_seed(60, |rng| {
        let just = random(rng, Shape::default());
        let lines = just
            .lines()
            .map(|line| match line.strip_prefix("JUSTICE ") {
                Some(fair) => format!("COMPASSION (TRUE, {fair})\n"),
                None => format!("{line}\n"),
            });
        let strong: String = lines.collect();
        if !strong.contains("COMPASSION") {
            return;
        }
        compared += 1;
        let verdicts = |text: &str| {
            let (read, _) = read_text("m.smv", text, Dialect::NuSmv).unwrap();
            let mut oracle = Oracle::new(&read.system, 50_000, u64::MAX).unwrap();
            let all = read.system.properties.iter();
            all.map(|p| oracle.verdict(&p.question).ok())
                .collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&just), verdicts(&strong), "{strong}");
    });
    assert!(compared > 0);
}

#[test]
fn the_examples_are_what_is_expected() {
    let checks = checks();
    assert!(checks.len() >= 12);
    for check in checks.into_iter().filter(|c| c.states.is_some()) {
        let text = std::fs::read_to_string(check.path()).unwrap();
        let dialect = if check.old {
            Dialect::Old
        } else {
            Dialect::NuSmv
        };
        let (read, _) = read_text(&check.file, &text, dialect).unwrap();
        let mut oracle = Oracle::new(&read.system, 50_000, u64::MAX).unwrap();
        let states = Some(oracle.graph.states.len() as u64);
        assert_eq!(states, check.states, "{}", check.file);
        assert_eq!(oracle.is_total(), !check.deadlock, "{}", check.file);
        let mut asked = 0;
        for (i, property) in read.system.properties.iter().enumerate() {
            let name = property.name.clone().unwrap_or_else(|| i.to_string());
            let Some(expected) = check.verdicts.get(&name) else {
                continue;
            };
            // Bounds of nine steps are too much for the oracle of LTL; NuSMV examines them.
            let Ok(Some(found)) = oracle.verdict(&property.question) else {
                continue;
            };
            let found = if found { "holds" } else { "violated" };
            assert_eq!(found, expected, "{name} of {}", check.file);
            asked += 1;
        }
        assert!(asked + 1 >= check.verdicts.len(), "{}", check.file);
    }
}
