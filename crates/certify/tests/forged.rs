//! Steps of proofs made at random: whatever is accepted is true in all models that can be found, so a formula
//! with a model is never refuted.
#![allow(clippy::unwrap_used)]

mod clauses;

use clauses::*;
use suppose_certify::chc::check_definitions;
use suppose_certify::{Flaw, Place, Rejection};
use suppose_control::Context;
use suppose_model::chc::{Assignment, Lin, Lit, Node, ProofStep, Sort, TermId, Terms, Value, Var};
use suppose_number::{Int, Rat};
use suppose_testkit::{Rng, for_each_seed};

struct Forger {
    terms: Terms,
    vars: Vec<Var>,
    /// Inequalities and equations to make steps of.
    rows: Vec<TermId>,
}

fn small(rng: &mut Rng, most: i64) -> i64 {
    rng.below(2 * most as usize + 1) as i64 - most
}

impl Forger {
    fn new(rng: &mut Rng) -> Forger {
        let mut terms = Terms::default();
        let vars = (0..4)
            .map(|i| {
                let sort = [Sort::Int, Sort::Int, Sort::Real, Sort::Bool][i];
                let sort = if i == 1 && rng.percent(30) {
                    Sort::Real
                } else {
                    sort
                };
                terms.fresh(&format!("v{i}"), sort)
            })
            .collect();
        Forger {
            terms,
            vars,
            rows: Vec::new(),
        }
    }

    fn lin(&mut self, rng: &mut Rng, integral: bool) -> Lin {
        let mut lin = Lin::constant(small(rng, 4));
        for &var in &self.vars[..3] {
            let sort = self.terms.sort(var);
            if sort == Sort::Int || !integral && rng.percent(50) {
                lin = lin.add_scaled(&Lin::var(var), &int(small(rng, 3)));
            }
        }
        lin
    }

    fn atom(&mut self, rng: &mut Rng) -> TermId {
        let integral = rng.percent(60);
        let lin = self.lin(rng, integral);
        let atom = match rng.below(8) {
            0 => {
                let flag = self.vars[3];
                return self.terms.var(flag);
            }
            1 if self.terms.is_integral(&lin) => {
                return self.terms.divides(&int(2 + rng.below(3) as i64), &lin);
            }
            2..=3 => self.terms.eq(lin),
            4 => self.terms.lt(lin),
            _ => self.terms.le(lin),
        };
        self.rows.push(atom);
        atom
    }

    fn formula(&mut self, rng: &mut Rng, depth: usize) -> TermId {
        if depth == 0 {
            let atom = self.atom(rng);
            return if rng.percent(40) {
                self.terms.not(atom)
            } else {
                atom
            };
        }
        let parts: Vec<TermId> = (0..rng.between(2, 3))
            .map(|_| self.formula(rng, depth - 1))
            .collect();
        match rng.below(5) {
            0..=1 => self.terms.and(parts),
            2..=3 => self.terms.or(parts),
            _ => self.terms.iff(parts[0], parts[1]),
        }
    }

    /// Inequalities that axioms mention, too.
    fn extend_rows(&mut self, formula: TermId) {
        for part in self.terms.postorder(formula) {
            match self.terms.node(part).clone() {
                Node::Eq(lin) => {
                    let (a, b) = self.terms.halves(&lin);
                    self.rows.extend([a, b]);
                }
                Node::Divides(d, lin) => {
                    let q = self.terms.quotient(part);
                    let rest = lin.add_scaled(&Lin::var(q), &-&d);
                    let low = self.terms.le(rest.neg());
                    let high = self.terms.le(rest.clone().plus(&Int::ONE - &d));
                    let zero = self.terms.le(rest);
                    self.rows.extend([low, high, zero]);
                }
                _ => {}
            }
        }
        self.rows
            .retain(|&row| self.terms.is_atom(self.terms.literal(row).atom));
    }

    /// Some literals that arithmetic steps allow, with factors, and the sum of their negations.
    fn sum(&mut self, rng: &mut Rng) -> (Vec<Lit>, Vec<Rat>, Lin) {
        let (mut clause, mut factors, mut sum) = (Vec::new(), Vec::new(), Lin::default());
        for _ in 0..rng.between(1, 3) {
            let Some(&row) = rng.pick(&self.rows) else {
                break;
            };
            let atom = self.terms.literal(row).atom;
            let positive = rng.percent(50);
            let factor = rng.below(5) as i64 - 1;
            let (lin, factor) = match (self.terms.node(atom), positive) {
                (Node::Le(lin), true) if self.terms.is_integral(lin) => (lin.neg().plus(1), factor),
                (Node::Le(lin) | Node::Lt(lin), true) => (lin.neg(), factor),
                (Node::Le(lin) | Node::Lt(lin), false) => (lin.clone(), factor),
                (Node::Eq(lin), false) => (lin.clone(), small(rng, 2)),
                _ => continue,
            };
            sum = sum.add_scaled(&lin, &int(factor));
            clause.push(Lit { atom, positive });
            factors.push(rat(factor));
        }
        (clause, factors, sum)
    }

    /// The sum is closed by a literal that cancels it, with a constant around the right one.
    fn farkas(&mut self, rng: &mut Rng) -> ProofStep {
        let (mut clause, mut factors, sum) = self.sum(rng);
        let wanted = sum.neg().plus(small(rng, 2));
        let strict = rng.percent(30);
        let term = if strict {
            self.terms.lt(wanted.clone())
        } else {
            self.terms.le(wanted.clone())
        };
        let lit = self.terms.literal(term);
        if let Node::Le(lin) | Node::Lt(lin) = self.terms.node(lit.atom)
            && let Some((var, factor)) = lin.terms.first()
        {
            let scale = Rat::new(wanted.factor(*var), factor.clone());
            factors.push(scale.abs());
            clause.push(not(lit));
        }
        ProofStep::Farkas { clause, factors }
    }

    fn cut(&mut self, rng: &mut Rng) -> ProofStep {
        let (mut clause, mut factors, mut sum) = self.sum(rng);
        if rng.percent(60) {
            let common = sum.gcd();
            if !common.is_zero() {
                let scale = Rat::from(common.clone());
                factors.iter_mut().for_each(|f| *f = &*f / &scale);
                sum.terms
                    .iter_mut()
                    .for_each(|(_, a)| *a = a.div_exact(&common));
                sum.constant = sum.constant.div_ceil(&common);
            }
        }
        let shift = [0, 0, 0, 1, -1][rng.below(5)];
        let term = self.terms.le(sum.plus(shift));
        clause.push(self.terms.literal(term));
        ProofStep::Cut { clause, factors }
    }

    fn propagation(&mut self, rng: &mut Rng, formula: TermId) -> ProofStep {
        let mut atoms = self.terms.postorder(formula);
        atoms.extend_from_slice(&self.rows);
        let mut clause = Vec::new();
        for _ in 0..rng.below(5) {
            let term = atoms[rng.below(atoms.len())];
            clause.push(Lit {
                atom: self.terms.literal(term).atom,
                positive: rng.percent(50),
            });
        }
        ProofStep::Propagation { clause }
    }

    fn step(&mut self, rng: &mut Rng, formula: TermId) -> ProofStep {
        match rng.below(3) {
            0 => self.farkas(rng),
            1 => self.cut(rng),
            _ => self.propagation(rng, formula),
        }
    }
}

/// Values of all variables, with the quotients that follow.
fn models(terms: &Terms, vars: &[Var], formula: TermId) -> Vec<Assignment> {
    let mut found = Vec::new();
    for point in 0..9 * 9 * 9 * 2 {
        let mut model = Assignment::default();
        let mut rest = point;
        for &var in vars {
            match terms.sort(var) {
                Sort::Bool => model.set(var, Value::Bool(rest % 2 == 1)),
                Sort::Int => model.set(var, Value::Num(rat(rest % 9 - 4))),
                Sort::Real => model.set(var, Value::Num(Rat::new(int(rest % 9 - 4), int(2)))),
            }
            rest /= 9;
        }
        if !model.eval(terms, formula) {
            continue;
        }
        for number in 0..terms.var_count() as u32 {
            let Some(atom) = terms.quotient_of(Var(number)) else {
                continue;
            };
            if let Node::Divides(d, lin) = terms.node(atom) {
                let value = lin.eval(|v| model.number(v));
                let quotient = value.num().div_floor(d).0;
                model.set(Var(number), Value::Num(Rat::from(quotient)));
            }
        }
        found.push(model);
    }
    found
}

fn clause(step: &ProofStep) -> &[Lit] {
    match step {
        ProofStep::Propagation { clause }
        | ProofStep::Farkas { clause, .. }
        | ProofStep::Cut { clause, .. } => clause,
    }
}

/// Steps that are accepted after each other, picked from random ones; none of them says a falsehood.
#[test]
fn accepted_steps_are_true() {
    let (mut accepted, mut refuted_at_all, mut tried) = (0, 0, 0);
    let mut kinds = [0; 3];
    for_each_seed(250, |rng| {
        let mut forger = Forger::new(rng);
        let formula = forger.formula(rng, 2);
        // A store without what the forger adds later is what a front-end would have made.
        let horn = query(forger.terms.clone(), formula);
        forger.extend_rows(formula);
        let mut steps: Vec<ProofStep> = Vec::new();
        for _ in 0..40 {
            steps.push(forger.step(rng, formula));
            tried += 1;
            let mut whole = steps.clone();
            whole.push(propagation(&[]));
            let evidence = refuted(forger.terms.clone(), whole);
            match check_definitions(&horn, &evidence, &Context::default()) {
                Ok(_) => {
                    refuted_at_all += 1;
                    break;
                }
                Err(Rejection::Flawed(Flaw {
                    place: Place::ProofStep { step, .. },
                    ..
                })) if step == steps.len() => accepted += 1,
                Err(Rejection::Flawed(_)) => {
                    steps.pop();
                }
                Err(Rejection::Stopped(_)) => panic!("nobody asked it to stop"),
            }
        }
        for step in &steps {
            kinds[match step {
                ProofStep::Propagation { .. } => 0,
                ProofStep::Farkas { .. } => 1,
                ProofStep::Cut { .. } => 2,
            }] += 1;
        }
        for model in models(&forger.terms, &forger.vars, formula) {
            for step in &steps {
                let holds = clause(step)
                    .iter()
                    .any(|lit| model.eval(&forger.terms, lit.atom) == lit.positive);
                assert!(holds, "{step:?} is not true");
            }
        }
        if !models(&forger.terms, &forger.vars, formula).is_empty() {
            let mut whole = steps.clone();
            whole.push(propagation(&[]));
            let evidence = refuted(forger.terms.clone(), whole);
            assert!(verdict(&horn, &evidence).is_err());
        }
    });
    // The test is about nothing if hardly anything is accepted.
    if std::env::var_os("SUPPOSE_SEED").is_none() && std::env::var_os("SUPPOSE_CASES").is_none() {
        assert!(accepted * 10 > tried, "{accepted} of {tried}");
        assert!(kinds.iter().all(|&k| k > 100), "{kinds:?}");
        assert!(refuted_at_all > 0);
    }
}
