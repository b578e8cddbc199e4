//! The solver on formulas made of any bytes: models are evaluated, proofs checked, and what z3 says (if there is one on
//! the PATH) is the same.
//!
//! `cargo +nightly fuzz run solver` in this folder.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use suppose_certify::chc::check_definitions;
use suppose_model::chc::{Clause, Definitions, Horn, Lin, Sort, TermId, Terms, Var};
use suppose_number::Int;
use suppose_control::Context;
use suppose_smt::pipe::{Piped, Solve, Tool};
use suppose_smt::{SatResult, Solver, prove};

/// Formulas from bytes: a machine with a stack, one instruction a byte or a few.
struct Maker<'a> {
    bytes: std::slice::Iter<'a, u8>,
    terms: Terms,
    numbers: Vec<Var>,
    flags: Vec<Var>,
    stack: Vec<TermId>,
}

impl Maker<'_> {
    fn small(&mut self) -> i64 {
        self.bytes.next().map_or(0, |b| i64::from(*b as i8) / 8)
    }

    fn lin(&mut self) -> Lin {
        let mut lin = Lin::constant(self.small());
        for at in 0..self.numbers.len() {
            let factor = Int::from(self.small() / 4);
            lin = lin.add_scaled(&Lin::var(self.numbers[at]), &factor);
        }
        lin
    }

    fn integers(&mut self) -> Lin {
        let mut lin = Lin::constant(self.small());
        for at in 0..2 {
            let factor = Int::from(self.small() / 4);
            lin = lin.add_scaled(&Lin::var(self.numbers[at]), &factor);
        }
        lin
    }

    fn pop(&mut self) -> TermId {
        self.stack.pop().unwrap_or(Terms::TRUE)
    }

    fn make(mut self) -> (Terms, TermId) {
        while let Some(instruction) = self.bytes.next() {
            let made = match instruction % 10 {
                0 => {
                    let (a, b) = (self.pop(), self.pop());
                    self.terms.and([a, b])
                }
                1 | 2 => {
                    let (a, b) = (self.pop(), self.pop());
                    self.terms.or([a, b])
                }
                3 => {
                    let a = self.pop();
                    self.terms.not(a)
                }
                4 => {
                    let (a, b) = (self.pop(), self.pop());
                    self.terms.iff(a, b)
                }
                5 => {
                    let lin = self.lin();
                    self.terms.eq(lin)
                }
                6 => {
                    let (divisor, lin) = (self.small().abs() + 2, self.integers());
                    self.terms.divides(&Int::from(divisor), &lin)
                }
                7 => {
                    let flag = self.flags[usize::from(*instruction) % self.flags.len()];
                    self.terms.var(flag)
                }
                8 => {
                    let lin = self.lin();
                    self.terms.lt(lin)
                }
                _ => {
                    let lin = self.lin();
                    self.terms.le(lin)
                }
            };
            self.stack.push(made);
        }
        let all = std::mem::take(&mut self.stack);
        let formula = self.terms.and(all);
        (self.terms, formula)
    }
}

fuzz_target!(|data: &[u8]| {
    if data.len() > 300 {
        return;
    }
    let mut horn = Horn::default();
    let numbers = [Sort::Int, Sort::Int, Sort::Real].map(|s| horn.terms.fresh("n", s));
    let flags = [Sort::Bool; 3].map(|s| horn.terms.fresh("b", s));
    let maker = Maker {
        bytes: data.iter(),
        terms: std::mem::take(&mut horn.terms),
        numbers: numbers.to_vec(),
        flags: flags.to_vec(),
        stack: Vec::new(),
    };
    let (mut terms, formula) = maker.make();
    horn.terms = terms.clone();
    let cx = Context::default();
    let mut solver = Solver::new();
    solver.set_integer_limit(300);
    let outcome = solver.check(&mut terms, &[formula], &cx).expect("no limit");
    match outcome {
        SatResult::Sat => assert!(solver.model().eval(&terms, formula)),
        SatResult::Unknown => return,
        SatResult::Unsat => {
            // A query with that constraint holds by the proof.
            horn.clauses.push(Clause {
                body: Vec::new(),
                constraint: formula,
                head: None,
                place: None,
            });
            let mut terms = horn.terms.clone();
            if let Some(proof) = prove(&mut terms, formula, &cx).expect("no limit") {
                let definitions = Definitions {
                    terms,
                    definitions: Vec::new(),
                    proofs: vec![proof],
                };
                check_definitions(&horn, &definitions, &Context::default()).expect("a proof");
            }
        }
    }
    if let Ok(mut z3) = Piped::start(&Tool::z3(), Duration::from_secs(5)) {
        match z3.check(&mut terms, &[formula], &cx).expect("no limit") {
            SatResult::Unknown => {}
            said => assert_eq!(said, outcome),
        }
    }
});
