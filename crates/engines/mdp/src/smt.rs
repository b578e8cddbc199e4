//! Conformance as one question to the solver: the encodings of Figs. 4.9 and 4.10 of the thesis.
//!
//! Everything is composed; a Boolean says of every pair of states whether it is related, and linear inequalities over the reals say that related
//! distributions have a flow, or, where they are not related, a set of targets that has too much. A model is a simulation, which becomes
//! the certificate. Where there is none the counterexample comes from the fixpoint of [`crate::simulation`], for a solver's `unsat` shows no behaviour.
//!
//! What differs from the thesis: propositions, and labels as they are seen from outside. It is here so that a reader can compare: the fixpoint is faster by
//! orders of magnitude, see the guide to the engines.

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Event, Stopped};
use suppose_model::chc::{Lin, Node, Sort, TermId, Terms};
use suppose_model::mdp::{Dist, Lpts, System};
use suppose_number::Int;
use suppose_smt::{SatResult, Solver};

use crate::engine::{Failure, on_whole, one_premise};
use crate::simulation::{Pairs, Seen, Simulation, relation, simulate};
use crate::{ConformanceAnswer, ConformanceVerdict};

/// More pairs of states are not put to the solver.
const PAIRS: usize = 100_000;

/// Does the composed system, seen from outside, conform to the specification? As one formula.
pub fn smt(system: &System, spec: &Lpts, cx: &Context) -> ConformanceAnswer {
    let observed = &system.observed;
    on_whole(system, cx, |parts, whole, run| {
        if whole.lpts.states().saturating_mul(spec.states()) > PAIRS {
            let why = format!("more than {PAIRS} pairs of states are too many for one formula");
            return Err(Failure::Unsupported(why));
        }
        cx.emit(Event::Phase("solving".to_owned()));
        let found = Encoding::new(&whole.lpts, spec, Seen(observed), cx)?.solve(cx)?;
        run.queries += 1;
        if let Some(pairs) = found {
            let premise = relation(parts, whole, spec, observed, &pairs, cx)?;
            return Ok(one_premise(run, premise));
        }
        match simulate(&whole.lpts, spec, observed, cx)? {
            Simulation::Holds(_) => Err(Failure::Bug(
                "the solver finds no simulation where there is one".to_owned(),
            )),
            Simulation::Fails(tree) => Ok(ConformanceVerdict::Violated(Box::new(
                whole.counterexample(&tree),
            ))),
        }
    })
}

struct Encoding {
    terms: Terms,
    formulas: Vec<TermId>,
    /// Left state by left state.
    related: Vec<Vec<TermId>>,
}

impl Encoding {
    /// EncodeSim (Fig. 4.9), with propositions and with labels as they are seen from outside.
    fn new(left: &Lpts, right: &Lpts, seen: Seen<'_>, cx: &Context) -> Result<Self, Stopped> {
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
                cx.check()?;
                let mut all = Vec::new();
                let differs = |(number, truth): &(u32, FixedBitSet)| {
                    truth.contains(t as usize) != (left.satisfies(s, *number) == Some(true))
                };
                if right.propositions().iter().any(differs) {
                    all.push(Terms::FALSE);
                }
                for a in left.choices(s) {
                    let mut any = Vec::new();
                    for b in right.choices_on(t, seen.of(a.label)) {
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
        Ok(it)
    }

    fn under(&mut self, condition: TermId, formula: TermId) {
        let formula = self.terms.implies(condition, formula);
        self.formulas.push(formula);
    }

    fn number(&mut self) -> Lin {
        Lin::var(self.terms.fresh("number", Sort::Real))
    }

    /// EncodeDistRel (Fig. 4.10): a variable that says whether two distributions are related.
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

    /// The pairs of a simulation, if there is one.
    fn solve(mut self, cx: &Context) -> Result<Option<Pairs>, Failure> {
        let mut solver = Solver::new();
        for formula in std::mem::take(&mut self.formulas) {
            solver.assert(&mut self.terms, formula);
        }
        match solver.check(&mut self.terms, &[], cx)? {
            SatResult::Unsat => return Ok(None),
            SatResult::Sat => {}
            #[allow(
                unreachable_patterns,
                reason = "a solver may come to know more outcomes"
            )]
            other => return Err(Failure::Bug(format!("the solver says {other:?}"))),
        }
        let model = solver.model();
        let truth = |formula: TermId| match self.terms.node(formula) {
            Node::Const(truth) => *truth,
            Node::Var(var) => model.truth(*var),
            _ => false,
        };
        let mut pairs = Vec::new();
        for (s, row) in self.related.iter().enumerate() {
            for (t, related) in row.iter().enumerate() {
                if truth(*related) {
                    pairs.push((s as u32, t as u32));
                }
            }
        }
        Ok(Some(Pairs { pairs }))
    }
}

#[cfg(test)]
mod tests {
    use suppose_testkit::for_each_seed;
    use suppose_testkit::markov::{
        LptsShape, naive_simulation, random_lpts, random_tree, relative,
    };

    use super::*;

    #[test]
    fn the_formula_is_satisfiable_where_there_is_a_simulation() {
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
            let cx = Context::default();
            let encoding = Encoding::new(&left, &right, Seen(&[]), &cx).unwrap();
            let by_solver = encoding.solve(&cx).unwrap();
            let naive = naive_simulation(&left, &right, &[]);
            let related = naive[left.initial() as usize][right.initial() as usize];
            let fast = simulate(&left, &right, &[], &cx).unwrap();
            assert_eq!(by_solver.is_some(), related);
            assert_eq!(related, matches!(fast, Simulation::Holds(_)));
            // Any simulation is within the greatest.
            for (s, t) in by_solver.iter().flat_map(|found| &found.pairs) {
                assert!(naive[*s as usize][*t as usize]);
            }
            held += u32::from(related);
        });
        assert!(held > 0);
    }
}
