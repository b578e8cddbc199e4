//! Strong simulation as a formula (Figs. 4.9 and 4.10 of the thesis), decided by the solver.

use suppose_model::horn::{Lin, Sort, TermId, Terms};
use suppose_model::markov::{Dist, Lpts};
use suppose_number::Int;
use suppose_refine::Context;
use suppose_smt::{Outcome, Solver};
use suppose_testkit::for_each_seed;
use suppose_testkit::markov::{LptsShape, naive_simulation, random_lpts, random_tree, relative};

use super::{Simulation, simulate};

struct Encoding {
    terms: Terms,
    formulas: Vec<TermId>,
    /// Left state by left state.
    related: Vec<Vec<TermId>>,
}

impl Encoding {
    /// EncodeSim.
    fn new(left: &Lpts, right: &Lpts) -> Self {
        let mut terms = Terms::default();
        let mut fresh = |_| {
            let var = terms.fresh("related", Sort::Bool);
            terms.var(var)
        };
        let related = (0..left.states())
            .map(|_| (0..right.states()).map(&mut fresh).collect())
            .collect();
        let mut it = Encoding {
            terms,
            formulas: Vec::new(),
            related,
        };
        let mut known = std::collections::BTreeMap::new();
        for s in 0..left.states() as u32 {
            for t in 0..right.states() as u32 {
                let mut all = Vec::new();
                for a in left.choices(s) {
                    let mut any = Vec::new();
                    for b in right.choices_on(t, a.label) {
                        let dists = || it.dists(left.dist(a.dist), right.dist(b.dist));
                        any.push(*known.entry((a.dist, b.dist)).or_insert_with(dists));
                    }
                    all.push(it.terms.or(any));
                }
                let all = it.terms.and(all);
                let implied = it.terms.implies(it.related[s as usize][t as usize], all);
                it.formulas.push(implied);
            }
        }
        let start = it.related[left.initial() as usize][right.initial() as usize];
        it.formulas.push(start);
        it
    }

    fn under(&mut self, condition: TermId, formula: TermId) {
        let formula = self.terms.implies(condition, formula);
        self.formulas.push(formula);
    }

    fn number(&mut self) -> Lin {
        Lin::var(self.terms.fresh("number", Sort::Real))
    }

    /// EncodeDistRel: a variable that says whether two distributions are related.
    fn dists(&mut self, left: Dist<'_>, right: Dist<'_>) -> TermId {
        let yes = self.terms.fresh("dists", Sort::Bool);
        let yes = self.terms.var(yes);
        let supply: Vec<Int> = (0..left.len())
            .map(|at| &left.weight(at) * &right.total())
            .collect();
        let demand: Vec<Int> = (0..right.len())
            .map(|at| &right.weight(at) * &left.total())
            .collect();
        let mut rows: Vec<Lin> = supply.iter().map(|s| Lin::constant(-s.clone())).collect();
        let mut columns: Vec<Lin> = demand.iter().map(|d| Lin::constant(-d.clone())).collect();
        for (row, s) in left.targets().iter().enumerate() {
            for (column, t) in right.targets().iter().enumerate() {
                let weight = self.number();
                rows[row] = rows[row].add(&weight);
                columns[column] = columns[column].add(&weight);
                let none = self.terms.le(weight.clone());
                let negative = self.terms.lt(weight);
                let negative = self.terms.not(negative);
                self.formulas.push(negative);
                let related = self.related[*s as usize][*t as usize];
                let allowed = self.terms.or([none, related]);
                self.under(yes, allowed);
            }
        }
        for sum in rows.into_iter().chain(columns) {
            let equal = self.terms.eq(sum);
            self.under(yes, equal);
        }
        self.lacking(left, right, yes, (&supply, &demand));
        yes
    }

    /// If they are not related, some targets of the left have more probability than what is related to them.
    fn lacking(&mut self, left: Dist<'_>, right: Dist<'_>, yes: TermId, ints: (&[Int], &[Int])) {
        let mut surplus = Lin::constant(0);
        let chosen: Vec<TermId> = (0..left.len())
            .map(|_| {
                let var = self.terms.fresh("chosen", Sort::Bool);
                self.terms.var(var)
            })
            .collect();
        for (chosen, supply) in chosen.iter().zip(ints.0) {
            let mass = self.number();
            surplus = surplus.add(&mass);
            let all = self.terms.eq(mass.clone().plus(-supply.clone()));
            let none = self.terms.eq(mass);
            let mass = self.terms.ite(*chosen, all, none);
            self.formulas.push(mass);
        }
        for (column, t) in right.targets().iter().enumerate() {
            let mass = self.number();
            surplus = surplus.sub(&mass);
            let negative = self.terms.lt(mass.clone());
            let negative = self.terms.not(negative);
            self.formulas.push(negative);
            let all = self.terms.eq(mass.plus(-ints.1[column].clone()));
            for (row, s) in left.targets().iter().enumerate() {
                let related = self.related[*s as usize][*t as usize];
                let reached = self.terms.and([chosen[row], related]);
                self.under(reached, all);
            }
        }
        let more = self.terms.lt(surplus.neg());
        let either = self.terms.or([yes, more]);
        self.formulas.push(either);
    }

    fn satisfiable(mut self) -> bool {
        let mut solver = Solver::new();
        for formula in self.formulas {
            solver.assert(&mut self.terms, formula);
        }
        let outcome = solver.check(&mut self.terms, &[], &Context::default());
        match outcome {
            Ok(Outcome::Sat) => true,
            Ok(Outcome::Unsat) => false,
            other => panic!("the solver should decide it: {other:?}"),
        }
    }
}

#[test]
fn the_solver_agrees() {
    let mut held = 0;
    for_each_seed(400, |rng| {
        let shape = LptsShape {
            states: (1, 4),
            weight: rng.between(1, 4) as u64,
            propositions: 0,
            tau: 0,
            ..LptsShape::any(rng)
        };
        let left = match rng.percent(20) {
            true => random_tree(rng, &shape, 8),
            false => random_lpts(rng, &shape),
        };
        let right = match rng.percent(70) {
            true => relative(rng, &shape, &left),
            false => random_lpts(rng, &shape),
        };
        let by_solver = Encoding::new(&left, &right).satisfiable();
        let naive = naive_simulation(&left, &right, &[]);
        let naive = naive[left.initial() as usize][right.initial() as usize];
        let fast = simulate(&left, &right, &[], &Context::default()).unwrap();
        assert_eq!(
            (by_solver, naive),
            (naive, matches!(fast, Simulation::Holds(_)))
        );
        held += u32::from(by_solver);
    });
    assert!(held > 0);
}
