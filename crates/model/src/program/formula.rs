//! Formulas of `ltl` blocks as they were read, and what they mean on a run that repeats.

use super::Expr;

/// A formula. The operands of a node come before it, and the last node is the whole formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Formula {
    /// What is looked at in each state.
    pub atoms: Vec<Expr>,
    /// The nodes.
    pub nodes: Vec<FormulaNode>,
}

/// One operator, with its operands by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormulaNode {
    /// An atom of [`Formula::atoms`].
    Atom(u32),
    /// Always, or never.
    Const(bool),
    /// Not this.
    Not(u32),
    /// Both.
    And(u32, u32),
    /// Disjunction.
    Or(u32, u32),
    /// At the next position.
    Next(u32),
    /// The first holds until the second does, and the second does some time.
    Until(u32, u32),
    /// Release: the second holds until both do, or forever.
    Release(u32, u32),
}

impl Formula {
    /// Adds a node; its number.
    pub fn add(&mut self, node: FormulaNode) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Its value at the first of some positions, the last of which is followed by the one of number `back` again. An atom may
    /// have no value at a position; the formula has one if it does not depend on that.
    ///
    /// `values` has a row of atoms for each position.
    pub fn on_lasso(&self, values: &[Vec<Option<bool>>], back: usize) -> Option<bool> {
        let count = values.len();
        let next = |at: usize| if at + 1 < count { at + 1 } else { back };
        let mut rows: Vec<Vec<Option<bool>>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let row = |of: u32| &rows[of as usize];
            let each = |value: &dyn Fn(usize) -> Option<bool>| (0..count).map(value).collect();
            rows.push(match *node {
                FormulaNode::Atom(atom) => each(&|at| values[at][atom as usize]),
                FormulaNode::Const(value) => vec![Some(value); count],
                FormulaNode::Not(of) => each(&|at| row(of)[at].map(|v| !v)),
                FormulaNode::And(a, b) => each(&|at| and(row(a)[at], row(b)[at])),
                FormulaNode::Or(a, b) => each(&|at| or(row(a)[at], row(b)[at])),
                FormulaNode::Next(of) => each(&|at| row(of)[next(at)]),
                FormulaNode::Until(a, b) => {
                    // The least solution of `u = b || a && X u`: twice around is enough.
                    let mut found = vec![Some(false); count];
                    for at in (0..count).rev().chain((0..count).rev()) {
                        found[at] = or(row(b)[at], and(row(a)[at], found[next(at)]));
                    }
                    found
                }
                FormulaNode::Release(a, b) => {
                    let mut found = vec![Some(true); count];
                    for at in (0..count).rev().chain((0..count).rev()) {
                        found[at] = and(row(b)[at], or(row(a)[at], found[next(at)]));
                    }
                    found
                }
            });
        }
        rows.last().and_then(|row| row.first().copied().flatten())
    }
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    and(a.map(|v| !v), b.map(|v| !v)).map(|v| !v)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[] <> p` of one atom.
    fn always_again() -> Formula {
        let mut it = Formula::default();
        let p = it.add(FormulaNode::Atom(0));
        let yes = it.add(FormulaNode::Const(true));
        let no = it.add(FormulaNode::Const(false));
        let again = it.add(FormulaNode::Until(yes, p));
        it.add(FormulaNode::Release(no, again));
        it
    }

    #[test]
    fn what_repeats_decides() {
        let word = |bits: &str| -> Vec<Vec<Option<bool>>> {
            let value = |c: char| match c {
                '0' => Some(false),
                '1' => Some(true),
                _ => None,
            };
            bits.chars().map(|c| vec![value(c)]).collect()
        };
        let formula = always_again();
        assert_eq!(formula.on_lasso(&word("1110"), 3), Some(false));
        assert_eq!(formula.on_lasso(&word("0010"), 1), Some(true));
        assert_eq!(formula.on_lasso(&word("?1"), 0), Some(true));
        assert_eq!(formula.on_lasso(&word("?0"), 1), Some(false));
        assert_eq!(formula.on_lasso(&word("1?"), 1), None);
    }
}
