//! The store of temporal formulas.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::expr::ExprId;

/// A formula, by its number in its [`Formulas`]; parts have smaller numbers than wholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

impl FormulaId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// `A` or `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// On all paths.
    All,
    /// On some path.
    Some,
}

/// From this many steps to this many, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// At least.
    pub low: u32,
    /// At most; not below `low`.
    pub high: u32,
}

/// Boolean operators on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connective {
    /// `->`.
    Implies,
    /// `<->`.
    Iff,
    /// `xor`; `xnor` is `Iff`.
    Xor,
}

/// Operators of CTL on one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch {
    /// `EX`, `AX`.
    Next,
    /// `EF`, `AF`; with a bound `EBF`, `ABF`.
    Finally,
    /// `EG`, `AG`; with a bound `EBG`, `ABG`.
    Globally,
}

/// Operators of LTL on one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linear {
    /// `X`.
    Next,
    /// `F`, which can have a bound.
    Finally,
    /// `G`, which can have a bound.
    Globally,
    /// `Y`: in the state before; false in the first.
    Yesterday,
    /// `Z`: as `Y`, but true in the first.
    WeakYesterday,
    /// `O`: once; can have a bound.
    Once,
    /// `H`: always so far; can have a bound, and then all those steps back must be there, as NuSMV has it:
    /// `H [0, 1] p` is `p & Y p`, false in the first state.
    Historically,
}

/// Operators of LTL on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinearPair {
    /// `U`.
    Until,
    /// `V`: the dual of `U`.
    Releases,
    /// `S`.
    Since,
    /// `T`: the dual of `S`.
    Triggered,
}

/// A formula's outermost part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A boolean expression. In LTL it may mention inputs and the next state.
    Atom(ExprId),
    /// `!`.
    Not(FormulaId),
    /// `&`.
    And(Box<[FormulaId]>),
    /// `|`.
    Or(Box<[FormulaId]>),
    /// Another boolean operator.
    Connective(Connective, FormulaId, FormulaId),
    /// CTL: `AG p`, `EBF 1..3 p`. `Next` has no bound.
    Branch(Quantifier, Branch, Option<Bound>, FormulaId),
    /// CTL: `A [p U q]`, `E [p BU 1..3 q]`.
    BranchUntil(Quantifier, Option<Bound>, FormulaId, FormulaId),
    /// LTL: `G p`, `O [1, 3] p`. `Next` and the two yesterdays have no bound.
    Linear(Linear, Option<Bound>, FormulaId),
    /// LTL: `p U q`.
    LinearPair(LinearPair, FormulaId, FormulaId),
}

/// The formulas of a system, each once.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Formula>,
    table: HashTable<u32>,
}

fn hash(node: &Formula) -> u64 {
    FxBuildHasher.hash_one(node)
}

impl Formulas {
    /// The outermost part of a formula.
    pub fn node(&self, formula: FormulaId) -> &Formula {
        &self.nodes[formula.index()]
    }

    /// The number of them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The formula with this outermost part.
    pub fn make(&mut self, node: Formula) -> FormulaId {
        let key = hash(&node);
        if let Some(&found) = self.table.find(key, |&i| self.nodes[i as usize] == node) {
            return FormulaId(found);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.table
            .insert_unique(key, number, |&i| hash(&nodes[i as usize]));
        FormulaId(number)
    }

    /// The formulas in it, itself included, parts before wholes.
    pub fn within(&self, formula: FormulaId) -> Vec<FormulaId> {
        let mut seen = vec![false; formula.index() + 1];
        let mut open = vec![formula];
        while let Some(it) = open.pop() {
            if !std::mem::replace(&mut seen[it.index()], true) {
                open.extend(parts(self.node(it)));
            }
        }
        let numbers = (0..seen.len()).filter(|i| seen[*i]);
        numbers.map(|i| FormulaId(i as u32)).collect()
    }

    /// What a formula says of all reachable states, if that is all it says: `AG p` and `G p` with `p` without time.
    pub fn always(&self, formula: FormulaId) -> Option<FormulaId> {
        let (Formula::Branch(Quantifier::All, Branch::Globally, None, claim)
        | Formula::Linear(Linear::Globally, None, claim)) = self.node(formula)
        else {
            return None;
        };
        self.is_timeless(*claim).then_some(*claim)
    }

    /// Has it no operator of time?
    pub fn is_timeless(&self, formula: FormulaId) -> bool {
        let timeless = |f: &FormulaId| {
            let node = self.node(*f);
            !matches!(
                node,
                Formula::Branch(..)
                    | Formula::BranchUntil(..)
                    | Formula::Linear(..)
                    | Formula::LinearPair(..)
            )
        };
        self.within(formula).iter().all(timeless)
    }

    /// What a formula of LTL says of every moment, if that looks back only: `G p` with the past in `p`.
    pub fn history(&self, formula: FormulaId) -> Option<FormulaId> {
        let Formula::Linear(Linear::Globally, None, claim) = self.node(formula) else {
            return None;
        };
        let looks_back = |f: &FormulaId| match self.node(*f) {
            Formula::Linear(op, ..) => matches!(
                op,
                Linear::Yesterday | Linear::WeakYesterday | Linear::Once | Linear::Historically
            ),
            Formula::LinearPair(op, ..) => matches!(op, LinearPair::Since | LinearPair::Triggered),
            Formula::Branch(..) | Formula::BranchUntil(..) => false,
            _ => true,
        };
        self.within(*claim).iter().all(looks_back).then_some(*claim)
    }

    /// A formula of CTL that says the same as one of LTL, for formulas where that is plain (Maidl's deterministic ones): of the parts of a
    /// disjunction at most one mentions time, and the operands of `F`, `U` and `V` do not.
    pub fn branching(&mut self, formula: FormulaId) -> Option<FormulaId> {
        self.branching_of(formula, true)
    }

    fn branching_of(&mut self, formula: FormulaId, truth: bool) -> Option<FormulaId> {
        if self.is_timeless(formula) {
            return Some(match truth {
                true => formula,
                false => self.make(Formula::Not(formula)),
            });
        }
        match (self.node(formula).clone(), truth) {
            (Formula::Not(a), _) => self.branching_of(a, !truth),
            (Formula::And(all), true) | (Formula::Or(all), false) => {
                let parts = all.iter().map(|a| self.branching_of(*a, truth));
                let parts: Option<Vec<FormulaId>> = parts.collect();
                Some(self.make(Formula::And(parts?.into())))
            }
            (Formula::Or(all), true) | (Formula::And(all), false) => {
                self.one_of(all.iter().map(|a| (*a, truth)))
            }
            (Formula::Connective(Connective::Implies, a, b), true) => {
                self.one_of([(a, false), (b, true)].into_iter())
            }
            (Formula::Linear(op, None, a), _) => self.linear_branching(op, a, truth),
            (Formula::LinearPair(op @ (LinearPair::Until | LinearPair::Releases), a, b), _)
                if self.is_timeless(a) && self.is_timeless(b) =>
            {
                let (a, b) = (self.branching_of(a, truth)?, self.branching_of(b, truth)?);
                if (op == LinearPair::Until) == truth {
                    return Some(self.make(Formula::BranchUntil(Quantifier::All, None, a, b)));
                }
                let (a, b) = (self.make(Formula::Not(a)), self.make(Formula::Not(b)));
                let some = self.make(Formula::BranchUntil(Quantifier::Some, None, a, b));
                Some(self.make(Formula::Not(some)))
            }
            _ => None,
        }
    }

    fn linear_branching(&mut self, op: Linear, a: FormulaId, truth: bool) -> Option<FormulaId> {
        let branch = match (op, truth) {
            (Linear::Next, _) => Branch::Next,
            (Linear::Globally, true) | (Linear::Finally, false) => Branch::Globally,
            (Linear::Finally, true) | (Linear::Globally, false) if self.is_timeless(a) => {
                Branch::Finally
            }
            _ => return None,
        };
        let a = self.branching_of(a, truth)?;
        Some(self.make(Formula::Branch(Quantifier::All, branch, None, a)))
    }

    fn one_of(&mut self, parts: impl Iterator<Item = (FormulaId, bool)>) -> Option<FormulaId> {
        let parts: Vec<(FormulaId, bool)> = parts.collect();
        let temporal = parts.iter().filter(|(a, _)| !self.is_timeless(*a));
        if temporal.count() > 1 {
            return None;
        }
        let parts = parts.into_iter().map(|(a, t)| self.branching_of(a, t));
        let parts: Option<Vec<FormulaId>> = parts.collect();
        Some(self.make(Formula::Or(parts?.into())))
    }

    /// The expressions in a formula, each once, in order of their numbers.
    pub fn atoms(&self, formula: FormulaId) -> Vec<ExprId> {
        let mut atoms: Vec<ExprId> = self
            .within(formula)
            .into_iter()
            .filter_map(|it| match self.node(it) {
                Formula::Atom(expr) => Some(*expr),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }
}

/// The direct parts of a formula.
pub fn parts(node: &Formula) -> impl Iterator<Item = FormulaId> + '_ {
    let (few, many): ([Option<FormulaId>; 2], &[FormulaId]) = match node {
        Formula::Atom(_) => ([None; 2], &[]),
        Formula::Not(a) | Formula::Branch(.., a) | Formula::Linear(.., a) => {
            ([Some(*a), None], &[])
        }
        Formula::Connective(_, a, b)
        | Formula::BranchUntil(.., a, b)
        | Formula::LinearPair(_, a, b) => ([Some(*a), Some(*b)], &[]),
        Formula::And(all) | Formula::Or(all) => ([None; 2], all),
    };
    few.into_iter().flatten().chain(many.iter().copied())
}
