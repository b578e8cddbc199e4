//! Bits of random systems against the evaluator and the simulator.
#![allow(clippy::unwrap_used)]

use suppose_aig::{Frames, Lit, Model, SatResult, Solver};
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{
    Decision, Decisions, Evaluator, ExprId, Simulator, State, System, Type, Valuation, Value,
    VarId, When,
};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Shape, random};

struct Here {
    now: Vec<Value>,
    after: Vec<Value>,
}

impl Valuation for Here {
    fn current(&self, var: VarId) -> Option<Value> {
        self.now.get(var.index()).cloned()
    }

    fn next(&self, var: VarId) -> Option<Value> {
        self.after.get(var.index()).cloned()
    }
}

fn any_values(rng: &mut Rng, system: &System) -> Vec<Value> {
    let value = |v: VarId| {
        let ty = &system.variable(v).ty;
        let size = ty.size().min(usize::MAX as u128) as usize;
        match ty {
            Type::Word { .. } => {
                // At the ends of the type as often as between them.
                let fill = rng.below(3);
                let few: Vec<bool> = (0..ty.bits())
                    .map(|_| [rng.percent(2), rng.percent(98), rng.percent(50)][fill])
                    .collect();
                ty.read(|at| few[at]).unwrap()
            }
            _ => ty.value(rng.below(size) as u128).unwrap(),
        }
    };
    system.vars().map(value).collect()
}

/// The truth of all wires under a valuation.
fn wires(frames: &mut Frames<'_>, here: &Here) -> Vec<bool> {
    let system = frames.system();
    let mut truth = vec![false; frames.circuit().inputs()];
    for (frame, values) in [&here.now, &here.after].into_iter().enumerate() {
        for var in system.vars() {
            let code = system.variable(var).ty.code(&values[var.index()]).unwrap();
            for (set, lit) in code.into_iter().zip(frames.bits(var, frame)) {
                for (number, truth) in truth.iter_mut().enumerate() {
                    if frames.circuit().input_lit(number) == lit {
                        *truth = set;
                    }
                }
            }
        }
    }
    frames.circuit().evaluate(|i| truth[i])
}

fn holds(truth: &[bool], lit: Lit) -> bool {
    truth[lit.node()] != lit.is_negated()
}

fn make_all_bits(frames: &mut Frames<'_>) {
    for var in frames.system().vars() {
        frames.bits(var, 0);
        frames.bits(var, 1);
    }
}

/// All expressions of a system under random valuations; how often one failed.
fn compare(system: &System, rng: &mut Rng, times: usize, name: &str) -> usize {
    let mut frames = Frames::new(system);
    make_all_bits(&mut frames);
    let exprs: Vec<ExprId> = (0..system.exprs.len() as u32)
        .map(ExprId)
        .filter(|e| system.exprs.is_boolean(*e))
        .collect();
    let coded: Vec<(Lit, Lit)> = exprs
        .iter()
        .map(|e| (frames.truth(*e, 0), frames.defined(*e, 0)))
        .collect();
    let assigned: Vec<Lit> = system
        .assignments
        .iter()
        .map(|a| frames.assignment(a, 0))
        .collect();
    let mut evaluator = Evaluator::new(&system.exprs);
    let mut failed = 0;
    for _ in 0..times {
        let here = Here {
            now: any_values(rng, system),
            after: any_values(rng, system),
        };
        let truth = wires(&mut frames, &here);
        for (expr, (value, ok)) in exprs.iter().zip(&coded) {
            let expected = evaluator.holds(*expr, &here);
            assert_eq!(holds(&truth, *ok), expected.is_ok(), "{name}: {expr:?}");
            assert_eq!(
                holds(&truth, *value),
                expected == Ok(true),
                "{name}: {expr:?}"
            );
            failed += usize::from(expected.is_err());
        }
        for (assignment, lit) in system.assignments.iter().zip(&assigned) {
            let values = evaluator.values(assignment.value, &here);
            let side = if assignment.when == When::Next {
                &here.after
            } else {
                &here.now
            };
            let value = &side[assignment.var.index()];
            let expected = values.is_ok_and(|values| values.as_slice().contains(value));
            assert_eq!(holds(&truth, *lit), expected, "{name}: {assignment:?}");
        }
    }
    failed
}

fn read(text: &str) -> System {
    let read = read_text("test.smv", text, Dialect::NuSmv);
    read.map(|(read, _)| read.system)
        .unwrap_or_else(|(errors, _)| panic!("{errors:?}\n{text}"))
}

#[test]
fn expressions_of_random_systems_are_as_the_evaluator_says() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let shape = Shape {
            depth: 3,
            variables: 5,
            ..Shape::default()
        };
        let text = random(&mut rng, shape);
        compare(&read(&text), &mut rng, 20, &format!("seed {seed}\n{text}"));
    }
}

#[test]
fn operators_on_wide_values_are_as_the_evaluator_says() {
    let text = "MODULE main
VAR a : -7..20; b : -9..5; u : unsigned word[7]; v : unsigned word[7]; s : signed word[6]; t : signed word[6];
  w : unsigned word[64]; x : unsigned word[64]; y : signed word[64]; z : signed word[64];
  e : {red, 5, -3, green, blue}; f : {3, 100, -4}; p : boolean; c : {green, yellow, 7}; r : unsigned word[3];
IVAR i : {one, two};
DEFINE
 d01 := a * b + f - a mod 3 = 4; d02 := b != 0 & a / b > 1; d03 := b != 0 & a mod b < b; d04 := a / 3 * 3 + a mod 3 = a;
 d05 := u + v > v - u; d06 := v != 0ud7_0 & u / v < v; d07 := v != 0ud7_0 & u mod v = u; d08 := s * t <= t; d09 := t != 0sd6_0 & s / t = t;
 d10 := t != 0sd6_0 & s mod t >= t; d11 := w * x > w + x; d12 := x != 0ud64_0 & w / x = w mod x; d13 := y * z < y; d14 := z != 0sd64_0 & y / z > z;
 d15 := z != 0sd64_0 & y mod z = y; d16 := (u << r) = v; d17 := (s >> r) < t; d18 := (u >> r) > v; d19 := (s << r) > t; d20 := -s = t; d21 := -y < z;
 d22 := (u :: r)[5:2] = u[3:0]; d23 := extend(s, 3) < extend(t, 3); d24 := resize(s, 3) = resize(t, 3); d25 := resize(u, 9) > resize(v, 9);
 d26 := toint(u) < a; d27 := toint(s) > b; d28 := signed(u) < signed(v); d29 := unsigned(s) < unsigned(t); d30 := word1(p) = u[3:3];
 d31 := bool(a); d32 := bool(u[0:0]); d33 := count(p, a > b, s < t, e = red) >= 2; d34 := max(a, b) > min(f, b); d35 := abs(a - b) > 3;
 d36 := e = c; d37 := e in {red, 5, yellow}; d38 := e in (p ? {red, green} : {5, -3}); d39 := f = e; d40 := {red, 5} in {red, 5, e}; d41 := (p ? e : c) = green;
 d42 := (p ? f : a) > b; d43 := (u xor v) = !u; d44 := (u -> v) = (u xnor v); d45 := (u & v) = (u | v); d46 := case a > b : u; p : v; TRUE : u + v; esac > v;
 d47 := i = one; d48 := {a, f} in {b, f, e}; d49 := w >= x; d50 := y >= z; d51 := (u <-> v) = u; d52 := a in -3..5; d53 := (y >> r) = z; d54 := (w << a * a mod 60) = x;
INIT d01 & d02 & d03 & d04 & d05 & d06 & d07 & d08 & d09 & d10 & d11 & d12 & d13 & d14 & d15 & d16 & d17 & d18 & d19 & d20 & d21 & d22 & d23 & d24 & d25 & d26
 & d27 & d28 & d29 & d30 & d31 & d32 & d33 & d34 & d35 & d36 & d37 & d38 & d39 & d40 & d41 & d42 & d43 & d44 & d45 & d46 & d48 & d49 & d50 & d51 & d52 & d53 & d54
TRANS d47 | next(a) > a | next(e) = c & next(s) < s
ASSIGN next(b) := case next(a) > 0 : {-3, b, 4}; p : -9..5; e = red & f < 5 : {f, 1}; TRUE : b; esac;
 next(c) := case e = green : {e, 7}; TRUE : {green, 7}; esac;
 next(f) := a = 3 ? a : f;
";
    let mut rng = Rng::new(7);
    let failed = compare(&read(text), &mut rng, 3_000, "wide");
    assert!(failed > 0);
}

/// Every operator on words of more than 64 bits.
#[test]
fn operators_on_words_of_more_than_64_bits_are_as_the_evaluator_says() {
    let text = "MODULE main
VAR u : unsigned word[65]; v : unsigned word[65]; s : signed word[100]; t : signed word[100]; w : unsigned word[131]; x : unsigned word[131];
  r : unsigned word[6]; q : unsigned word[70]; a : -3..140; p : boolean;
INIT u + v > v - u | (v != 0ud65_0 & u / v < u mod v) | s * t <= t | (t != 0sd100_0 & s / t = s mod t) | w * x > w + x | (x != 0ud131_0 & w / x = w mod x)
 | (s >> r) < t | (u << r) = v | (q <= 0ud70_100 & (s >> q) > (t << q)) | (a >= 0 & a <= 131 & (w >> a) < (x << a)) | (u >> a) > v | -s = t | -u < v
 | (u :: r)[70:3] = (v :: 0ub3_101) | (w :: x)[200:66] >= (x :: w)[200:66] | w[130:65] > x[66:1] | extend(s, 31) < extend(t, 31) | resize(s, 40) = resize(t, 40)
 | resize(s, 99) < resize(t, 99) | resize(u, 131) > w | resize(w, 65) < u | signed(u) < signed(v) | unsigned(s) < unsigned(t) | word1(p) = u[64:64]
 | toint(resize(u, 40)) > a | (u xor v) = !u | (u -> v) = (u xnor v) | (u & v) = (u | v) | case p : u; a > 3 : v; TRUE : u + v; esac > v
 | s = -0sd100_633825300114114700748351602688 | w > 0uh131_7_ffff_ffff_ffff_ffff_ffff_ffff_ffff_fff0 | (p ? s : t) >= 0sd100_12345678901234567890
ASSIGN next(u) := case p : {u, v}; TRUE : u + v; esac;
 next(s) := s * t - (s >> 3);
";
    let failed = compare(&read(text), &mut Rng::new(12), 100, "wide words");
    assert!(failed > 0);
}

fn model_state(frames: &Frames<'_>, model: &Model, frame: usize) -> State {
    frames.state_values(frame, &|lit| model.holds(lit))
}

/// Initial states and steps that the solver finds are all those of the simulator.
#[test]
fn initial_states_and_steps_are_those_of_the_simulator() {
    let mut compared = 0;
    for seed in 0..120 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let system = read(&text);
        let mut simulator = Simulator::new(&system, 2_000_000);
        let Ok(graph) = simulator.explore(60) else {
            continue;
        };
        let mut frames = Frames::new(&system);
        make_all_bits(&mut frames);
        let (state, init) = (frames.state(0), frames.init(0));
        let after = frames.state(1);
        let step = frames.step(0);
        let mut solver = Solver::new();
        let mut found = enumerate(&mut frames, &mut solver, &[state, init], 0);
        found.sort_unstable();
        let mut expected: Vec<State> = graph
            .initial
            .iter()
            .map(|s| graph.states[*s].clone())
            .collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "seed {seed}\n{text}");
        for (number, from) in graph.states.iter().enumerate().take(8) {
            let mut assumed = vec![state, step, after];
            for var in system.state_vars() {
                let value = &from[system.variable(var).slot];
                assumed.push(frames.has_value(var, 0, value));
            }
            let mut found = enumerate(&mut frames, &mut Solver::new(), &assumed, 1);
            found.sort_unstable();
            let mut expected: Vec<State> = graph.edges[number]
                .iter()
                .map(|e| graph.states[e.target].clone())
                .collect();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(found, expected, "seed {seed}\n{text}");
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// All states of a frame under assumptions.
fn enumerate(
    frames: &mut Frames<'_>,
    solver: &mut Solver,
    assumed: &[Lit],
    frame: usize,
) -> Vec<State> {
    let mut found = Vec::new();
    while solver.solve(frames.circuit(), assumed) == Ok(SatResult::Sat) {
        let model = solver.model(frames.circuit());
        let state = model_state(frames, &model, frame);
        let system = frames.system();
        let other: Vec<Lit> = system
            .state_vars()
            .map(|v| !frames.has_value(v, frame, &state[system.variable(v).slot]))
            .collect();
        solver.add(frames.circuit(), &other);
        found.push(state);
    }
    found
}

#[test]
fn steps_are_judged_as_the_simulator_does() {
    let mut answers = [0; 2];
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let text = random(&mut rng, Shape::default());
        let system = read(&text);
        let mut simulator = Simulator::new(&system, 1_000_000);
        let mut frames = Frames::new(&system);
        make_all_bits(&mut frames);
        let (step, after) = (frames.step(0), frames.state(1));
        for _ in 0..60 {
            let here = Here {
                now: any_values(&mut rng, &system),
                after: any_values(&mut rng, &system),
            };
            let state: Vec<Value> = system
                .state_vars()
                .map(|v| here.now[v.index()].clone())
                .collect();
            let inputs: Vec<Value> = system
                .inputs()
                .map(|v| here.now[v.index()].clone())
                .collect();
            let target: Vec<Value> = system
                .state_vars()
                .map(|v| here.after[v.index()].clone())
                .collect();
            let Ok(expected) = simulator.is_step(&state, &inputs, &target) else {
                continue;
            };
            let truth = wires(&mut frames, &here);
            let found = holds(&truth, step) && holds(&truth, after);
            assert_eq!(found, expected, "seed {seed}\n{text}");
            answers[usize::from(found)] += 1;
        }
    }
    assert!(answers.iter().all(|n| *n > 100), "{answers:?}");
}

#[test]
fn decisions_are_sets_of_valuations() {
    let system = read("MODULE main VAR x : 0..4; y : boolean;");
    let (x, y) = (VarId(0), VarId(1));
    // x >= 2 or y, with bit 2 or bit 1 of x.
    let set = Decisions {
        nodes: vec![
            Decision {
                var: y,
                bit: 0,
                high: 1,
                low: 0,
            },
            Decision {
                var: x,
                bit: 1,
                high: 1,
                low: 2,
            },
            Decision {
                var: x,
                bit: 2,
                high: 1,
                low: 3,
            },
        ],
        root: 4,
    };
    let mut frames = Frames::new(&system);
    make_all_bits(&mut frames);
    let lit = frames.decisions(&set, 0).unwrap();
    for n in 0..5 {
        for b in [false, true] {
            let here = Here {
                now: vec![Value::Int(n), Value::Bool(b)],
                after: vec![Value::Int(0), Value::Bool(false)],
            };
            let truth = wires(&mut frames, &here);
            assert_eq!(holds(&truth, lit), n >= 2 || b);
        }
    }
    let wrong = |change: &dyn Fn(&mut Decisions)| {
        let mut set = set.clone();
        change(&mut set);
        Frames::new(&system).decisions(&set, 0).is_err()
    };
    assert!(wrong(&|s| s.root = 5));
    assert!(wrong(&|s| s.nodes[1].var = VarId(2)));
    assert!(wrong(&|s| s.nodes[1].bit = 3));
    assert!(wrong(&|s| s.nodes[1].high = 3));
    assert!(wrong(&|s| s.nodes[0].low = u32::MAX));
}

#[test]
fn deep_expressions_need_no_stack() {
    let mut system = read("MODULE main VAR x : boolean; b : boolean;");
    let (x, b) = (VarId(0), VarId(1));
    let (now, other) = (system.exprs.current(b), system.exprs.current(x));
    let mut deep = now;
    for _ in 0..100_000 {
        let either = system.exprs.or([other, deep]);
        deep = system.exprs.and([now, either]);
    }
    let mut frames = Frames::new(&system);
    let truth = frames.truth(deep, 0);
    let mut solver = Solver::new();
    let b = frames.bits(b, 0)[0];
    assert_eq!(solver.solve(frames.circuit(), &[truth]), Ok(SatResult::Sat));
    assert_eq!(
        solver.solve(frames.circuit(), &[truth, !b]),
        Ok(SatResult::Unsat)
    );
}
