//! Which pieces a proof up to a bound needs.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Horn, Pred, TermId, Terms};
use suppose_smt::{SatResult, Solver};

use super::inductive::at;
use super::pieces::{Piece, Pieces};
use crate::recmc::{Bounded, literal};

/// A lemma of the proof, in the current term store.
struct Lemma {
    pred: Pred,
    formula: TermId,
    level: u32,
}

/// Pieces with which the proof is still one: every lemma of a level follows from the lemmas of the level below, and
/// no query's body is possible. `None` if the solver could not show it of all pieces.
pub(super) fn pieces(
    horn: &Horn,
    all: &Pieces,
    proof: &Bounded,
    invariants: (&Terms, &[(Pred, TermId)]),
    cx: &Context,
) -> Result<Option<Vec<Piece>>, Stopped> {
    let mut terms = horn.terms.clone();
    let mut moved = FxHashMap::default();
    let mut lemmas: Vec<Lemma> = Vec::new();
    for s in proof
        .summaries
        .iter()
        .filter(|s| s.pred.index() < horn.predicates.len())
    {
        lemmas.push(Lemma {
            pred: s.pred,
            formula: terms.import(&proof.terms, s.formula, &mut moved),
            level: s.level.unwrap_or(u32::MAX),
        });
    }
    let mut moved = FxHashMap::default();
    for &(pred, formula) in invariants.1 {
        lemmas.push(Lemma {
            pred,
            formula: terms.import(invariants.0, formula, &mut moved),
            level: u32::MAX,
        });
    }
    let mut needed: FxHashSet<Piece> = FxHashSet::default();
    for number in 0..horn.clauses.len() {
        let mut one = OneClause::new(horn, all, &mut terms, number);
        if !one.collect(&lemmas, proof.bound, &mut needed, cx)? {
            return Ok(None);
        }
    }
    let mut needed: Vec<Piece> = needed.into_iter().collect();
    needed.sort_unstable();
    Ok(Some(needed))
}

/// One clause with switches for its pieces.
struct OneClause<'a> {
    horn: &'a Horn,
    terms: &'a mut Terms,
    number: usize,
    switches: FxHashMap<Piece, TermId>,
    solver: Solver,
}

impl<'a> OneClause<'a> {
    fn new(horn: &'a Horn, all: &Pieces, terms: &'a mut Terms, number: usize) -> Self {
        let mut switches = FxHashMap::default();
        for &piece in all.of_clause(number) {
            switches.insert((number, piece), literal(terms, "piece"));
        }
        let formula = all.switched(terms, horn, number, &switches);
        let mut solver = Solver::new();
        solver.assert(terms, formula);
        OneClause {
            horn,
            terms,
            number,
            switches,
            solver,
        }
    }

    /// Adds what is needed for all lemmas about the clause's head, or for the query, at all levels.
    fn collect(
        &mut self,
        lemmas: &[Lemma],
        bound: u32,
        needed: &mut FxHashSet<Piece>,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let clause = self.horn.clauses[self.number].clone();
        let Some(head) = &clause.head else {
            return self.needs(lemmas, bound, None, needed, cx);
        };
        // A lemma is true at all levels up to its own; the highest one has the weakest body.
        for lemma in lemmas.iter().filter(|l| l.pred == head.pred) {
            let said = at(self.horn, self.terms, head, lemma.formula);
            let not = self.terms.not(said);
            let level = lemma.level.min(bound);
            if lemma.level == u32::MAX {
                // An invariant is shown by invariants alone, from all pieces: it stays true.
                continue;
            }
            if !self.needs(lemmas, level, Some(not), needed, cx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn needs(
        &mut self,
        lemmas: &[Lemma],
        level: u32,
        head: Option<TermId>,
        needed: &mut FxHashSet<Piece>,
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let clause = self.horn.clauses[self.number].clone();
        if level == 0 && !clause.body.is_empty() {
            return Ok(true);
        }
        let mut fixed: Vec<TermId> = head.into_iter().collect();
        for app in &clause.body {
            let known = |l: &&Lemma| l.pred == app.pred && l.level >= level - 1;
            for lemma in lemmas.iter().filter(known) {
                fixed.push(at(self.horn, self.terms, app, lemma.formula));
            }
        }
        let mut keys: Vec<Piece> = self.switches.keys().copied().collect();
        keys.sort_unstable();
        // Those needed already come first and cost nothing more; then again with the core until it stays.
        keys.sort_by_key(|key| !needed.contains(key));
        loop {
            let mut assumptions = fixed.clone();
            assumptions.extend(keys.iter().map(|key| self.switches[key]));
            if self.solver.check(self.terms, &assumptions, cx)? != SatResult::Unsat {
                return Ok(false);
            }
            let core = self.solver.core();
            let used: Vec<Piece> = keys
                .iter()
                .copied()
                .filter(|key| core.contains(&self.switches[key]))
                .collect();
            if used.len() == keys.len() {
                break;
            }
            keys = used;
        }
        needed.extend(keys);
        Ok(true)
    }
}
