//! Where expressions have values, as expressions that never fail.

use rustc_hash::FxHashMap;

use super::expr::{BinaryOp, ExprId, Exprs, Node, parts};
use super::value::{Sort, Type, Value};

impl Exprs {
    /// Is the expression there? True exactly under the valuations where it does not fail; never fails itself. It may
    /// contain parts that fail, but does not depend on what they are there: an engine may give them any value.
    pub fn defined(&mut self, expr: ExprId) -> ExprId {
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for it in self.within([expr]) {
            let made = match self.may_fail(it) {
                false => self.truth(true),
                true => self.defined_by(it, &known),
            };
            known.insert(it, made);
        }
        known.get(&expr).copied().unwrap_or(expr)
    }

    fn defined_by(&mut self, expr: ExprId, known: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let node = self.node(expr).clone();
        let of = |part: ExprId| known.get(&part).copied().unwrap_or(part);
        match &node {
            Node::EvaluationError(_) => self.truth(false),
            Node::Ite(c, a, b) => {
                let chosen = match of(*a) == of(*b) {
                    true => of(*a),
                    false => self.make_right(Node::Ite(*c, of(*a), of(*b))),
                };
                self.conjunction([of(*c), chosen])
            }
            Node::And(all) => self.decided(all, of, false),
            Node::Or(all) => self.decided(all, of, true),
            Node::Binary(BinaryOp::Implies, a, b) if self.is_boolean(expr) => {
                let both = self.conjunction([of(*a), of(*b)]);
                let not = self.not(*a);
                let first = self.conjunction([of(*a), not]);
                let second = self.conjunction([of(*b), *b]);
                self.or([both, first, second])
            }
            _ => {
                let mut all: Vec<ExprId> = parts(&node).map(of).collect();
                // What is guarded by the parts comes after them: `&` is false where a part is missing.
                all.extend(self.own_condition(&node));
                self.conjunction(all)
            }
        }
    }

    /// All are there, or one is and decides.
    fn decided(&mut self, all: &[ExprId], of: impl Fn(ExprId) -> ExprId, decides: bool) -> ExprId {
        let every = self.conjunction(all.iter().map(|p| of(*p)).collect::<Vec<_>>());
        let mut ways = vec![every];
        for part in all {
            if self.is_boolean(*part) {
                let so = if decides { *part } else { self.not(*part) };
                ways.push(self.conjunction([of(*part), so]));
            }
        }
        self.or(ways)
    }

    /// What the operator asks of its operands.
    fn own_condition(&mut self, node: &Node) -> Option<ExprId> {
        match *node {
            Node::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, by) => {
                let zero = match self.sort(by) {
                    Sort::Word { signed, width } => Value::Word(super::Word::new(signed, width, 0)),
                    _ => Value::Int(0),
                };
                let zero = self.value(zero);
                Some(self.make_right(Node::Binary(BinaryOp::Unequal, by, zero)))
            }
            Node::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, it, by) => {
                let Sort::Word { width, .. } = self.sort(it) else {
                    return None;
                };
                let type_of_amount = Type::Range(0, i64::from(width));
                match self.sort(by) {
                    Sort::Integer(..) => Some(self.of_type(by, &type_of_amount)),
                    Sort::Word {
                        signed,
                        width: bits,
                    } => {
                        let most = super::Word::of_number(signed, bits, i128::from(width));
                        if most.number().to_i64() != Some(i64::from(width)) {
                            return None;
                        }
                        let most = self.value(Value::Word(most));
                        Some(self.make_right(Node::Binary(BinaryOp::AtMost, by, most)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn conjunction(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let truth = self.truth(true);
        let parts: Vec<ExprId> = parts.into_iter().filter(|p| *p != truth).collect();
        self.and(parts)
    }

    /// Is every value of the expression one of the type's? The expression may fail, and then this may.
    pub fn of_type(&mut self, expr: ExprId, ty: &Type) -> ExprId {
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        // Only sets and branches are looked into.
        let mut open = vec![expr];
        while let Some(&it) = open.last() {
            let inner: Vec<ExprId> = match self.node(it) {
                Node::Ite(_, a, b) => vec![*a, *b],
                Node::Set(all) => all.to_vec(),
                _ => vec![],
            };
            let missing = inner.iter().filter(|p| !known.contains_key(p));
            let missing: Vec<ExprId> = missing.copied().collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            open.pop();
            let made = match self.node(it).clone() {
                Node::Ite(_, a, b) if known[&a] == known[&b] => known[&a],
                Node::Ite(c, a, b) => self.make_right(Node::Ite(c, known[&a], known[&b])),
                Node::Set(all) => {
                    let mut claims: Vec<ExprId> = all.iter().map(|p| known[p]).collect();
                    claims.sort_unstable();
                    claims.dedup();
                    self.conjunction(claims)
                }
                _ => self.single_of_type(it, ty),
            };
            known.insert(it, made);
        }
        known[&expr]
    }

    fn single_of_type(&mut self, expr: ExprId, ty: &Type) -> ExprId {
        if let Node::Value(value) = self.node(expr) {
            let truth = ty.contains(value);
            return self.truth(truth);
        }
        let covered = match (self.sort(expr), ty) {
            (Sort::Nothing | Sort::Boolean, _) => true,
            (Sort::Word { .. }, _) => true,
            (Sort::Integer(low, high), Type::Range(least, most)) => *least <= low && high <= *most,
            (Sort::Integer(low, high), Type::Enumeration(values)) => {
                i128::from(high) - i128::from(low) < values.len() as i128
                    && (low..=high).all(|n| values.contains(&Value::Int(n)))
            }
            _ => false,
        };
        if covered {
            return self.truth(true);
        }
        match ty {
            Type::Range(low, high) if matches!(self.sort(expr), Sort::Integer(..)) => {
                let low = self.value(Value::Int(*low));
                let high = self.value(Value::Int(*high));
                let above = self.make_right(Node::Binary(BinaryOp::AtLeast, expr, low));
                let below = self.make_right(Node::Binary(BinaryOp::AtMost, expr, high));
                self.and([above, below])
            }
            _ => self.among(expr, ty),
        }
    }

    /// The expression is one of the values of a type that is listed, or of a range that a mixed sort can leave.
    fn among(&mut self, expr: ExprId, ty: &Type) -> ExprId {
        let sort = self.sort(expr);
        let values: Vec<Value> = ty
            .values()
            .filter(|v| sort.meets(Sort::of(v)))
            .take(1 << 20)
            .collect();
        let members: Box<[ExprId]> = values.into_iter().map(|v| self.value(v)).collect();
        match members.len() {
            0 => self.truth(false),
            _ => {
                let set = self.make_right(Node::Set(members));
                self.make_right(Node::Binary(BinaryOp::In, expr, set))
            }
        }
    }
}
