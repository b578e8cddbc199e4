//! How long do many small questions take? `cargo run --release -p suppose-smt --example queries`
//!
//! Eight integers, sixteen guards, each for a small random formula; 5,000 questions under random guards
//! and bounds. The model or the core of each answer is read. With `--smtlib` the same questions are printed as
//! SMT-LIB text for other solvers; with `--grow` each question also adds a formula with a guard of its own, as
//! engines do that learn lemmas; with `--hard` each guard represents three clauses and not for one.
#![allow(clippy::print_stdout, reason = "an example tells its result")]

use std::fmt::Write;

use suppose_control::Context;
use suppose_model::chc::{Lin, Sort, TermId, Terms, Var, write_term};
use suppose_number::Int;
use suppose_smt::{SatResult, Solver};
use suppose_testkit::Rng;

const QUESTIONS: usize = 5000;

struct Questions {
    terms: Terms,
    numbers: Vec<Var>,
    guards: Vec<TermId>,
    clauses: usize,
    rng: Rng,
}

impl Questions {
    fn new(clauses: usize) -> Questions {
        let mut terms = Terms::default();
        let numbers = (0..8)
            .map(|i| terms.fresh(&format!("x{i}"), Sort::Int))
            .collect();
        Questions {
            terms,
            numbers,
            guards: Vec::new(),
            clauses,
            rng: Rng::new(1),
        }
    }

    fn inequality(&mut self) -> TermId {
        let rng = &mut self.rng;
        let mut lin = Lin::constant(rng.between(0, 40) as i64 - 20);
        for _ in 0..rng.between(2, 4) {
            let var = self.numbers[rng.below(8)];
            let factor = rng.between(0, 6) as i64 - 3;
            lin = lin.add_scaled(&Lin::var(var), &Int::from(factor));
        }
        if rng.percent(15) {
            self.terms.eq(lin)
        } else {
            self.terms.le(lin)
        }
    }

    /// Clauses of two or three inequalities, behind a guard.
    fn guarded(&mut self) -> TermId {
        let name = format!("g{}", self.guards.len());
        let guard = self.terms.fresh(&name, Sort::Bool);
        let guard = self.terms.var(guard);
        self.guards.push(guard);
        let mut clauses = Vec::new();
        for _ in 0..self.clauses {
            let parts: Vec<TermId> = (0..self.rng.between(2, 3))
                .map(|_| self.inequality())
                .collect();
            clauses.push(self.terms.or(parts));
        }
        let formula = self.terms.and(clauses);
        self.terms.implies(guard, formula)
    }

    /// Some of the guards, and bounds on some of the integers.
    fn assumptions(&mut self) -> Vec<TermId> {
        let recent = self.guards.len().saturating_sub(16);
        let guards = self.guards[recent..].to_vec();
        let mut chosen = self.rng.subset(&guards, 40);
        for i in 0..8 {
            if self.rng.percent(50) {
                let bound = self.rng.between(0, 20) as i64 - 10;
                let lin = Lin::var(self.numbers[i]).plus(bound);
                let atom = self.terms.le(lin);
                let low = self.rng.percent(50);
                chosen.push(if low { self.terms.not(atom) } else { atom });
            }
        }
        chosen
    }
}

fn main() {
    let option = |name: &str| std::env::args().any(|a| a == name);
    let (smtlib, grow) = (option("--smtlib"), option("--grow"));
    let mut questions = Questions::new(if option("--hard") { 3 } else { 1 });
    let mut solver = Solver::new();
    let mut text = String::from("(set-option :produce-unsat-assumptions true)\n");
    if smtlib {
        for i in 0..8 {
            let _ = writeln!(text, "(declare-const x{i} Int)");
        }
    }
    for _ in 0..16 {
        let formula = questions.guarded();
        add(&mut questions, &mut solver, formula, smtlib, &mut text);
    }
    let cx = Context::default();
    let mut counts = [0; 3];
    let mut read = 0usize;
    for _ in 0..QUESTIONS {
        if grow {
            let formula = questions.guarded();
            add(&mut questions, &mut solver, formula, smtlib, &mut text);
        }
        let assumptions = questions.assumptions();
        if smtlib {
            text.push_str("(check-sat-assuming (");
            for &assumption in &assumptions {
                text.push(' ');
                write(&mut text, &questions.terms, assumption);
            }
            text.push_str("))\n");
            continue;
        }
        let outcome = solver.check(&mut questions.terms, &assumptions, &cx);
        let outcome = outcome.unwrap_or(SatResult::Unknown);
        counts[outcome as usize] += 1;
        read += match outcome {
            SatResult::Sat => usize::from(solver.model().number(questions.numbers[0]).is_zero()),
            _ => solver.core().len(),
        };
    }
    if smtlib {
        print!("{text}");
        return;
    }
    println!(
        "{QUESTIONS} questions: {} sat, {} unsat, {} unknown; {} CPU-s ({read})",
        counts[0],
        counts[1],
        counts[2],
        cpu_seconds()
    );
}

fn add(
    questions: &mut Questions,
    solver: &mut Solver,
    formula: TermId,
    smtlib: bool,
    text: &mut String,
) {
    if smtlib {
        let name = questions.guards.len() - 1;
        let _ = write!(text, "(declare-const g{name} Bool)\n(assert ");
        write(text, &questions.terms, formula);
        text.push_str(")\n");
    } else {
        solver.assert(&mut questions.terms, formula);
    }
}

fn write(text: &mut String, terms: &Terms, term: TermId) {
    write_term(text, terms, term, &|v: Var| terms.name(v).to_owned());
}

/// Of this process so far, in user mode, from what Linux says.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after
        .split_whitespace()
        .nth(11)
        .and_then(|t| t.parse().ok())
        .unwrap_or(f64::NAN);
    ticks / 100.0
}
