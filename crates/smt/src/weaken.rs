//! Cores weakened by the arithmetic that refuted them.
//!
//! Let the *shared* literals be the assumptions in question, and with them what they contain: the parts of a
//! conjunction, the halves of an equation. Take the refutation of the last check as a resolution proof from asserted
//! clauses and lemmas. In each lemma that several shared inequalities enter with factors, put their weighted sum
//! in their place: the lemma stays true. Shared literals that enter by asserted clauses are kept as they are. Then the
//! proof still goes through: by induction every clause of it that contains no shared literal (but
//! maybe negations of them) has a counterpart that contains no negations either. A leaf with a shared literal is never
//! needed, for the clause it would be resolved with already lacks the negation. This holds for cuts as well: a sum
//! rounded is at least as strong as the sum. Sums follow from the shared assumptions alone, so the negation
//! of their conjunction with what was kept is an interpolant.

use rustc_hash::FxHashSet;
use suppose_model::chc::{TermId, Terms};
use suppose_number::Rat;

use crate::encode::Gate;
use crate::proof::weighted_sum;
use crate::sat::{Kind, Lit, NodeId};
use crate::search::Search;

impl Search {
    pub(crate) fn weakened_core(&mut self, terms: &mut Terms, shared: &[TermId]) -> Vec<TermId> {
        let asked: FxHashSet<TermId> = shared.iter().copied().collect();
        let contained = self.shared_literals(&asked);
        let mut kept: Vec<Lit> = Vec::new();
        let mut sums: Vec<Vec<(Lit, Rat)>> = Vec::new();
        for node in self.sat.log.reachable(&self.refutation) {
            if self.sat.log.kind(node) != Kind::Derived {
                self.weaken_leaf(node, &contained, &mut kept, &mut sums);
            }
        }
        for &(term, lit) in &self.assumptions {
            if asked.contains(&term) && self.core.contains(&term) && !contained.contains(&lit) {
                kept.push(lit);
            }
        }
        self.phrase(terms, kept, sums)
    }

    /// The shared literals. Those that hold anyway are none, nor those that something else assumed contradicts
    /// directly.
    fn shared_literals(&self, asked: &FxHashSet<TermId>) -> FxHashSet<Lit> {
        let mut contained = FxHashSet::default();
        let mut others = FxHashSet::default();
        let mut stack = Vec::new();
        for &(term, lit) in &self.assumptions {
            if asked.contains(&term) {
                stack.push(lit);
            } else {
                others.insert(lit);
            }
        }
        while let Some(lit) = stack.pop() {
            let holds = self.sat.is_fixed(lit) && self.sat.is_true(lit);
            if holds || others.contains(&lit) || !contained.insert(lit) {
                continue;
            }
            match &self.encoder.gates[lit.var()] {
                Gate::And(parts) if lit.positive() => stack.extend(parts),
                Gate::Or(parts) if !lit.positive() => stack.extend(parts.iter().map(|&p| !p)),
                _ => {}
            }
        }
        let all: Vec<Lit> = contained.iter().copied().collect();
        for lit in all {
            if others.contains(&!lit) || contained.contains(&!lit) {
                contained.remove(&lit);
                contained.remove(&!lit);
            }
        }
        contained
    }

    fn weaken_leaf(
        &self,
        node: NodeId,
        contained: &FxHashSet<Lit>,
        kept: &mut Vec<Lit>,
        sums: &mut Vec<Vec<(Lit, Rat)>>,
    ) {
        let log = &self.sat.log;
        if log.lits(node).any(|l| contained.contains(&l)) {
            return;
        }
        let factors = self.factors(node);
        let mut parts = Vec::new();
        for (i, lit) in log.lits(node).enumerate() {
            if !contained.contains(&!lit) {
                continue;
            }
            match factors.get(i) {
                Some(factor) => parts.push((!lit, factor.clone())),
                None => kept.push(!lit),
            }
        }
        match parts.as_slice() {
            [] => {}
            [(only, _)] => kept.push(*only),
            _ => sums.push(parts),
        }
    }

    fn phrase(
        &self,
        terms: &mut Terms,
        mut kept: Vec<Lit>,
        sums: Vec<Vec<(Lit, Rat)>>,
    ) -> Vec<TermId> {
        kept.sort_unstable();
        kept.dedup();
        let mut known: FxHashSet<TermId> = FxHashSet::default();
        let mut result = Vec::new();
        for &lit in &kept {
            let term = terms.of_literal(self.term_lit(lit));
            if known.insert(term) {
                result.push(term);
            }
        }
        for parts in sums {
            if parts.iter().all(|(lit, _)| kept.binary_search(lit).is_ok()) {
                continue;
            }
            let parts: Vec<_> = parts
                .into_iter()
                .map(|(lit, factor)| (self.term_lit(lit), factor))
                .collect();
            if let Some(term) = weighted_sum(terms, &parts)
                && term != Terms::TRUE
                && known.insert(term)
            {
                result.push(term);
            }
        }
        result
    }
}
