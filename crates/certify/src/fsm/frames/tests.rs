//! The checker's gates against the evaluator, which goes from value to value.
#![allow(clippy::unwrap_used)]

use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Evaluator, ExprId, System, Type, Valuation, Value, VarId, When};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Shape, random};

use super::*;

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
        let size = ty.size();
        // At the ends of the type more often than between them.
        let index = match rng.below(4) {
            0 => rng.below(3) as u128 % size,
            1 => size - 1 - rng.below(3) as u128 % size,
            2 if matches!(ty, Type::Word { .. }) => {
                let bits: Vec<bool> = (0..ty.bits()).map(|_| rng.percent(50)).collect();
                return ty.read(|at| bits[at]).unwrap();
            }
            _ => u128::from(rng.below(usize::MAX) as u64) % size,
        };
        ty.value(index).unwrap()
    };
    system.vars().map(value).collect()
}

/// All boolean expressions and assignments of a system under random valuations; how often one failed.
fn compare(system: &System, rng: &mut Rng, times: usize, name: &str) -> usize {
    let mut frames = Frames::new(system);
    let mut places = Vec::new();
    for frame in [0, 1] {
        for var in system.vars() {
            let bits = frames.bits(var, frame).len();
            places.extend((0..bits).map(|at| (var, frame, at)));
        }
    }
    let exprs = (0..system.exprs.len() as u32).map(ExprId);
    let exprs: Vec<ExprId> = exprs.filter(|e| system.exprs.is_boolean(*e)).collect();
    let mut coded = Vec::new();
    for expr in &exprs {
        let holds = frames.truth(*expr, 0);
        coded.push((holds, frames.meaning(*expr, 0).ok));
    }
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
        let wires = frames.circuit().evaluate(|input| {
            let (var, frame, at) = places[input];
            let values = if frame == 0 { &here.now } else { &here.after };
            let code = system.variable(var).ty.code(&values[var.index()]);
            code.unwrap()[at]
        });
        let is = |lit: Lit| wires[lit.node()] != lit.is_negated();
        for (expr, (holds, ok)) in exprs.iter().zip(&coded) {
            let expected = evaluator.holds(*expr, &here);
            assert_eq!(
                is(*ok),
                expected.is_ok(),
                "{name}: {expr:?} {:?}",
                system.exprs.node(*expr)
            );
            assert_eq!(
                is(*holds),
                expected == Ok(true),
                "{name}: {expr:?} {:?}",
                system.exprs.node(*expr)
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
            assert_eq!(is(*lit), expected, "{name}: {assignment:?}");
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
fn expressions_of_random_systems_mean_what_the_evaluator_says() {
    for seed in 0..300 {
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

/// Every operator on values that are not small.
#[test]
fn operators_mean_what_the_evaluator_says() {
    let text = "MODULE main
VAR a : -7..20; b : -9..5; u : unsigned word[7]; v : unsigned word[7]; s : signed word[6]; t : signed word[6];
  w : unsigned word[64]; x : unsigned word[64]; y : signed word[64]; z : signed word[64];
  e : {red, 5, -3, green, blue}; f : {3, 100, -4}; p : boolean; c : {green, yellow, 7}; r : unsigned word[3];
INIT (b != 0 & a / b > 1) | (b != 0 & a mod b < b) | a * b + f - a mod 3 = 4 | u + v > v - u | (v != 0ud7_0 & u / v < u mod v)
 | s * t <= t | (t != 0sd6_0 & s / t = s mod t) | w * x > w + x | (x != 0ud64_0 & w / x = w mod x) | y * z < y | (z != 0sd64_0 & y / z > y mod z)
 | (u << r) = v | (s >> r) < t | (u >> r) > v | -s = t | -y < z | (u :: r)[5:2] = u[3:0] | extend(s, 3) < extend(t, 3) | resize(s, 3) = resize(t, 3)
 | resize(u, 9) > resize(v, 9) | toint(u) < a | toint(s) > b | signed(u) < signed(v) | unsigned(s) < unsigned(t) | word1(p) = u[3:3] | bool(a)
 | count(p, a > b, s < t, e = red) >= 2 | max(a, b) > min(f, b) | abs(a - b) > 3 | e = c | e in {red, 5, yellow} | e in (p ? {red, green} : {5, -3})
 | (p ? e : c) = green | (p ? f : a) > b | (u xor v) = !u | (u -> v) = (u xnor v) | (u & v) = (u | v) | case a > b : u; p : v; TRUE : u + v; esac > v
 | {a, f} in {b, f, e} | a in -3..5 | (y >> r) = z | -a < -b | (a > b xor p) | (p <-> e != c)
ASSIGN next(b) := case next(a) > 0 : {-3, b, 4}; p : -9..5; e = red & f < 5 : {f, 1}; TRUE : b; esac;
 next(c) := case e = green : {e, 7}; TRUE : {green, 7}; esac;
 next(f) := a = 3 ? a : f;
";
    let failed = compare(&read(text), &mut Rng::new(7), 2_000, "operators");
    assert!(failed > 0);
}

/// Every operator on words of more than 64 bits.
#[test]
fn operators_on_wide_words_mean_what_the_evaluator_says() {
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
    let failed = compare(&read(text), &mut Rng::new(11), 300, "wide words");
    assert!(failed > 0);
}
