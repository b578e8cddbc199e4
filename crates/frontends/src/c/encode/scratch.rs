//! Formulas under construction: all clauses from one cut share a store, from which each is copied.

use rustc_hash::FxHashMap;
use suppose_model::chc::{Lin, Sort, TermId, Terms, Var};
use suppose_number::Int;

use super::block::Path;
use crate::c::ir::{BlockId, VarId};

/// A value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Val {
    Num(Lin),
    Truth(TermId),
}

/// What a variable of a clause represents, so that its value can be reported from a run.
#[derive(Clone, Debug)]
pub(in crate::c) enum Origin {
    /// A variable's value at the entry of the function.
    Entry(VarId),
    /// Its value at the cut where the clause starts.
    Start(VarId),
    /// Its value where a block starts.
    At(BlockId, VarId),
    /// The arbitrary value given by an operation of a block.
    Havoc(BlockId, usize),
    /// A variable's value after the call at the end of a block.
    After(BlockId, VarId),
    /// The value of an expression.
    Value(Lin),
    /// The truth of a formula, or 0 and 1 for it.
    Truth(TermId),
    /// The quotient of an expression by a number, rounded down.
    Floor(Lin, Int),
    /// The same, rounded towards 0.
    Truncated(Lin, Int),
    /// An expression brought into the range from the first number on by multiples of the second.
    Turned(Lin, Int, Int),
    /// The first expression if the formula is true, else the second.
    Choice(TermId, Lin, Lin),
}

pub(super) struct Scratch {
    pub(super) terms: Terms,
    pub(super) origins: Vec<Origin>,
    /// Known bounds of variables.
    bounds: FxHashMap<Var, (Option<Int>, Option<Int>)>,
    /// Variables that were made for expressions, with the formulas that define them.
    pub(super) known: FxHashMap<Key, (Var, Vec<TermId>)>,
}

/// An expression whose value is named by a fresh variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Floor(Lin, Int),
    Truncated(Lin, Int),
    Rest(Lin, Int),
    Turned(Lin, Int, Int),
    Bit(TermId),
    Choice(TermId, Lin, Lin),
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        Scratch {
            terms: Terms::default(),
            origins: Vec::new(),
            bounds: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    pub(super) fn fresh(&mut self, name: &str, sort: Sort, origin: Origin) -> Var {
        self.origins.push(origin);
        self.terms.fresh(name, sort)
    }

    pub(super) fn value_of(&mut self, var: Var) -> Val {
        match self.terms.sort(var) {
            Sort::Bool => Val::Truth(self.terms.var(var)),
            _ => Val::Num(Lin::var(var)),
        }
    }

    /// Says between which numbers a variable is, on a path.
    pub(super) fn bound(&mut self, var: Var, low: Option<Int>, high: Option<Int>, path: &mut Path) {
        for term in self.bound_terms(var, low, high) {
            path.assume(term);
        }
    }

    pub(super) fn bound_terms(
        &mut self,
        var: Var,
        low: Option<Int>,
        high: Option<Int>,
    ) -> Vec<TermId> {
        let mut terms = Vec::new();
        if let Some(low) = &low {
            terms.push(self.terms.le(Lin::var(var).neg().plus(low.clone())));
        }
        if let Some(high) = &high {
            terms.push(self.terms.le(Lin::var(var).plus(-high)));
        }
        self.bounds.insert(var, (low, high));
        terms
    }

    /// Between which numbers an expression is for sure.
    pub(super) fn range(&self, lin: &Lin) -> (Option<Int>, Option<Int>) {
        let mut low = Some(lin.constant.clone());
        let mut high = Some(lin.constant.clone());
        for (var, factor) in &lin.terms {
            let (least, most) = self.bounds.get(var).cloned().unwrap_or((None, None));
            let (least, most) = if factor.is_negative() {
                (most, least)
            } else {
                (least, most)
            };
            let add = |sum: Option<Int>, end: Option<Int>| Some(&sum? + &(&end? * factor));
            low = add(low, least);
            high = add(high, most);
        }
        (low, high)
    }

    /// Is an expression never below, or never above 0?
    pub(super) fn sign(&self, lin: &Lin) -> (bool, bool) {
        let (low, high) = self.range(lin);
        (
            low.is_some_and(|n| !n.is_negative()),
            high.is_some_and(|n| !n.is_positive()),
        )
    }
}
