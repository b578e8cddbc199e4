//! The variables that expressions mention.

use super::expr::{ExprId, Exprs, Node, VarId, parts};

/// The variables of an expression, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Those whose value now matters, inputs among them.
    pub current: Vec<VarId>,
    /// Those whose next value matters.
    pub next: Vec<VarId>,
}

impl Exprs {
    /// The variables that occur in an expression.
    pub fn support(&self, expr: ExprId) -> Support {
        self.support_of_all([expr])
    }

    /// The variables that occur in any of some expressions.
    pub fn support_of_all(&self, exprs: impl IntoIterator<Item = ExprId>) -> Support {
        let mut support = Support::default();
        for expr in self.within(exprs) {
            match self.node(expr) {
                Node::Current(var) => support.current.push(*var),
                Node::Next(var) => support.next.push(*var),
                _ => {}
            }
        }
        // Each node is visited once, so there are no repetitions.
        support.current.sort_unstable();
        support.next.sort_unstable();
        support
    }

    /// All expressions in some, themselves included, parts before wholes.
    pub fn within(&self, exprs: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open: Vec<ExprId> = exprs.into_iter().collect();
        let mut found = Vec::new();
        while let Some(it) = open.pop() {
            if seen.insert(it) {
                found.push(it);
                open.extend(parts(self.node(it)));
            }
        }
        found.sort_unstable();
        found
    }

    /// The same about the state now: every next value by the value now. None if it mentions the state now already.
    pub fn unshifted(&mut self, expr: ExprId) -> Option<ExprId> {
        let mut to = rustc_hash::FxHashMap::default();
        for it in self.within([expr]) {
            let node = match self.node(it) {
                Node::Current(_) => return None,
                Node::Next(var) => Node::Current(*var),
                node => replaced(node, |part| *to.get(&part).unwrap_or(&part)),
            };
            let made = self.make_right(node);
            to.insert(it, made);
        }
        to.get(&expr).copied()
    }

    /// The same about the next state: every variable by its next value. None if it mentions the next state already, or
    /// of an input.
    pub fn shifted(&mut self, expr: ExprId) -> Option<ExprId> {
        let mut to = rustc_hash::FxHashMap::default();
        for it in self.within([expr]) {
            let node = match self.node(it) {
                Node::Next(_) => return None,
                Node::Current(var) if self.is_input(*var) => return None,
                Node::Current(var) => Node::Next(*var),
                node => replaced(node, |part| *to.get(&part).unwrap_or(&part)),
            };
            let made = self.make_right(node);
            to.insert(it, made);
        }
        to.get(&expr).copied()
    }
}

/// The node with other parts.
pub(super) fn replaced(node: &Node, mut to: impl FnMut(ExprId) -> ExprId) -> Node {
    let mut all = |parts: &[ExprId]| parts.iter().map(|p| to(*p)).collect::<Box<[ExprId]>>();
    match node {
        Node::Value(_) | Node::Current(_) | Node::Next(_) | Node::EvaluationError(_) => {
            node.clone()
        }
        Node::And(parts) => Node::And(all(parts)),
        Node::Or(parts) => Node::Or(all(parts)),
        Node::Set(parts) => Node::Set(all(parts)),
        Node::Count(parts) => Node::Count(all(parts)),
        Node::Not(a) => Node::Not(to(*a)),
        Node::Negate(a) => Node::Negate(to(*a)),
        Node::Binary(op, a, b) => Node::Binary(*op, to(*a), to(*b)),
        Node::Ite(a, b, c) => Node::Ite(to(*a), to(*b), to(*c)),
        Node::Bits(a, high, low) => Node::Bits(to(*a), *high, *low),
        Node::Cast(cast, a) => Node::Cast(*cast, to(*a)),
    }
}
