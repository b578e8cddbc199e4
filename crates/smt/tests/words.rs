//! Arithmetic of machine words: sums that wrap around several times, compared with all inputs tried.
//!
//! Equations with factors such as 2^64 have no end for branching alone: whether `2x = 2^64 q + r` has a solution with an odd `r` is a
//! matter of the equations.

use suppose_control::Context;
use suppose_model::chc::{Lin, Sort, TermId, Terms, Var};
use suppose_number::Int;
use suppose_smt::{SatResult, Solver, prove};
use suppose_testkit::{Rng, for_each_seed};

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// One assignment: `factors * earlier values + constant`, modulo a power of two.
struct Step {
    factors: Vec<(usize, i128)>,
    constant: i128,
    width: u32,
}

struct Program {
    steps: Vec<Step>,
    /// The last value leaves that remainder, or lies in that range.
    modulus: i128,
    low: i128,
    high: i128,
}

const INPUTS: usize = 2;

fn program(rng: &mut Rng) -> Program {
    let mut steps = Vec::new();
    for number in 0..rng.between(1, 4) {
        let factors = (0..rng.between(1, 2)).map(|_| {
            let factor = [1, 1, 2, 4, 16, -1, -3, 6, 255, 1 << 20][rng.below(10)];
            (rng.below(INPUTS + number), factor)
        });
        steps.push(Step {
            factors: factors.collect(),
            constant: [0, 1, 2, 128, (1 << 31) - 1][rng.below(5)],
            width: WIDTHS[rng.below(4)],
        });
    }
    let modulus = [2, 4, 3, 16, 256][rng.below(5)];
    let low = rng.below(modulus as usize) as i128;
    Program {
        steps,
        modulus,
        low,
        high: low + rng.below(2) as i128,
    }
}

/// The remainder of the last value.
fn run(program: &Program, inputs: [i128; INPUTS]) -> i128 {
    let mut values = inputs.to_vec();
    for step in &program.steps {
        let sum = step
            .factors
            .iter()
            .map(|(from, factor)| values[*from] * factor);
        let sum = sum.sum::<i128>() + step.constant;
        values.push(sum.rem_euclid(1 << step.width));
    }
    values[values.len() - 1].rem_euclid(program.modulus)
}

fn possible(program: &Program) -> bool {
    (-128..128).any(|a| {
        (-128..128).any(|b| {
            let rest = run(program, [a, b]);
            (program.low..=program.high).contains(&rest)
        })
    })
}

fn int(n: i128) -> Int {
    n.to_string().parse().expect("a number")
}

/// `0 <= lin - size * quotient < size`, and that difference.
fn remainder(terms: &mut Terms, parts: &mut Vec<TermId>, lin: &Lin, size: &Int) -> Lin {
    let quotient = terms.fresh("q", Sort::Int);
    let rest = lin.add_scaled(&Lin::var(quotient), &-size);
    parts.push(terms.le(rest.neg()));
    parts.push(terms.lt(rest.clone().plus(-size)));
    rest
}

fn formula(terms: &mut Terms, program: &Program) -> TermId {
    let mut parts = Vec::new();
    let mut values: Vec<Var> = Vec::new();
    for name in ["a", "b"] {
        let var = terms.fresh(name, Sort::Int);
        parts.push(terms.le(Lin::var(var).plus(-127)));
        parts.push(terms.le(Lin::var(var).neg().plus(-128)));
        values.push(var);
    }
    for step in &program.steps {
        let mut sum = Lin::constant(int(step.constant));
        for (from, factor) in &step.factors {
            sum = sum.add_scaled(&Lin::var(values[*from]), &int(*factor));
        }
        let rest = remainder(terms, &mut parts, &sum, &int(1 << step.width));
        let value = terms.fresh("v", Sort::Int);
        parts.push(terms.eq(Lin::var(value).sub(&rest)));
        values.push(value);
    }
    let last = Lin::var(values[values.len() - 1]);
    let rest = remainder(terms, &mut parts, &last, &int(program.modulus));
    parts.push(terms.le(Lin::constant(int(program.low)).sub(&rest)));
    parts.push(terms.le(rest.plus(int(-program.high))));
    terms.and(parts)
}

fn check(rng: &mut Rng) {
    let program = program(rng);
    let mut terms = Terms::default();
    let formula = formula(&mut terms, &program);
    let cx = Context::default();
    let mut solver = Solver::new();
    solver.assert(&mut terms, formula);
    let found = solver
        .check_patiently(&mut terms, &[], &cx)
        .expect("no limit");
    match possible(&program) {
        true => {
            assert_eq!(found, SatResult::Sat);
            assert!(solver.model().eval(&terms, formula));
        }
        false => {
            assert_eq!(found, SatResult::Unsat);
            let proof = prove(&mut terms, formula, &cx).expect("no limit");
            assert!(proof.is_some(), "what is decided once is decided twice");
        }
    }
}

#[test]
fn sums_that_wrap_around_are_decided() {
    for_each_seed(150, check);
}

#[test]
#[ignore = "takes minutes; the long mode"]
fn many_sums_that_wrap_around() {
    for_each_seed(20_000, check);
}
