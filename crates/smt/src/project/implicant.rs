//! Literals of a formula that suffice to make it true.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::chc::{Assignment, Node, TermId, Terms, Var};

use super::mentions;

/// Literals, true in the model, that imply all the formulas; false alone if one of them is not true.
///
/// Every part of the formula has one truth value in the model, and is justified at most once with
/// that value: so the work is linear in the size of the formula as a graph. Where one of several parts
/// suffices, it is one that is needed anyway, or else the cheapest; literals with removed
/// variables cost more, and those that are hard to project cost most.
pub(super) fn pick(
    terms: &mut Terms,
    formulas: &[TermId],
    removed: &FxHashSet<Var>,
    model: &Assignment,
) -> Vec<TermId> {
    let order = terms.postorder_of(formulas);
    let mut truth = FxHashMap::default();
    for &formula in formulas {
        if !model.eval_with(terms, formula, &mut truth) {
            return vec![Terms::FALSE];
        }
    }
    let mut costs: FxHashMap<TermId, u32> = FxHashMap::default();
    for &part in &order {
        let cost = cost(terms, part, removed, &truth, &costs);
        costs.insert(part, cost);
    }
    let mut pick = ImplicantSearch {
        terms,
        truth: &truth,
        costs: &costs,
        needed: FxHashSet::default(),
        todo: Vec::new(),
        choices: Vec::new(),
        atoms: Vec::new(),
    };
    pick.run(formulas);
    let mut atoms = pick.atoms;
    atoms.sort_unstable();
    atoms
        .into_iter()
        .map(|atom| if truth[&atom] { atom } else { terms.not(atom) })
        .collect()
}

/// What it costs to justify a part with its truth value. Shared parts are counted each time, which is
/// good enough to choose by.
fn cost(
    terms: &Terms,
    part: TermId,
    removed: &FxHashSet<Var>,
    truth: &FxHashMap<TermId, bool>,
    costs: &FxHashMap<TermId, u32>,
) -> u32 {
    let value = truth[&part];
    match terms.node(part) {
        Node::Const(_) => 0,
        Node::Not(inner) => costs[inner],
        Node::Iff(a, b) => costs[a].saturating_add(costs[b]),
        Node::And(parts) | Node::Or(parts) => {
            if value == matches!(terms.node(part), Node::And(_)) {
                parts.iter().fold(0, |sum, p| sum.saturating_add(costs[p]))
            } else {
                let right = parts.iter().filter(|p| truth[*p] == value);
                right.map(|p| costs[p]).min().unwrap_or(0)
            }
        }
        node => {
            let hard = match node {
                Node::Var(_) => 1,
                Node::Eq(_) if value => 2,
                Node::Le(_) | Node::Lt(_) => 4,
                Node::Divides(..) if value => 6,
                _ => 8,
            };
            if mentions(terms, part, removed) {
                hard
            } else {
                1
            }
        }
    }
}

struct ImplicantSearch<'a> {
    terms: &'a Terms,
    truth: &'a FxHashMap<TermId, bool>,
    costs: &'a FxHashMap<TermId, u32>,
    needed: FxHashSet<TermId>,
    todo: Vec<TermId>,
    /// Parts of which one part is to be chosen, after everything that leaves no choice.
    choices: Vec<TermId>,
    atoms: Vec<TermId>,
}

impl ImplicantSearch<'_> {
    fn run(&mut self, formulas: &[TermId]) {
        for &formula in formulas {
            self.need(formula);
        }
        loop {
            while let Some(part) = self.todo.pop() {
                self.justify(part);
            }
            let Some(part) = self.choices.pop() else {
                break;
            };
            self.choose(part);
        }
    }

    fn need(&mut self, part: TermId) {
        if self.needed.insert(part) {
            self.todo.push(part);
        }
    }

    fn justify(&mut self, part: TermId) {
        let terms = self.terms;
        let value = self.truth[&part];
        match terms.node(part) {
            Node::Const(_) => {}
            Node::Not(inner) => self.need(*inner),
            Node::Iff(a, b) => {
                self.need(*a);
                self.need(*b);
            }
            Node::And(parts) if value => parts.iter().for_each(|&p| self.need(p)),
            Node::Or(parts) if !value => parts.iter().for_each(|&p| self.need(p)),
            Node::And(_) | Node::Or(_) => self.choices.push(part),
            _ => self.atoms.push(part),
        }
    }

    fn choose(&mut self, part: TermId) {
        let value = self.truth[&part];
        let parts = self.terms.children(part);
        let right = || parts.iter().filter(|p| self.truth[*p] == value);
        if right().any(|p| self.needed.contains(&self.bare(*p))) {
            return;
        }
        if let Some(&best) = right().min_by_key(|p| (self.costs[*p], **p)) {
            self.need(best);
        }
    }

    /// Without its negation: a part is justified with its value whichever sign it is asked with.
    fn bare(&self, part: TermId) -> TermId {
        self.terms.literal(part).atom
    }
}
