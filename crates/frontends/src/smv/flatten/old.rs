//! Booleans and numbers of the old dialect, where `FALSE` is 0 and `TRUE` is 1. In NuSMV's dialect nothing changes.

use suppose_model::fsm::{BinaryOp, Cast, ExprId, Node, Sort, Value};
use suppose_source::Span;

use super::super::Dialect;
use super::Flattener;

impl Flattener<'_> {
    fn is_old(&self) -> bool {
        self.dialect == Dialect::Old
    }

    fn is_truth(&self, expr: ExprId) -> bool {
        self.system.exprs.sort(expr) == Sort::Boolean
    }

    fn is_number(&self, expr: ExprId) -> bool {
        matches!(self.system.exprs.sort(expr), Sort::Integer(..))
    }

    /// Where a boolean is asked for: numbers that are 0 or 1 become booleans.
    pub(super) fn as_boolean(&mut self, expr: ExprId) -> ExprId {
        match self.system.exprs.sort(expr) {
            Sort::Integer(low, high) if self.is_old() && low >= 0 && high <= 1 => {
                self.turned(expr, Cast::Bool)
            }
            _ => expr,
        }
    }

    /// Where a number is asked for: booleans become 0 and 1.
    pub(super) fn as_number(&mut self, expr: ExprId) -> ExprId {
        match self.is_old() && self.is_truth(expr) {
            true => self.turned(expr, Cast::ToInt),
            false => expr,
        }
    }

    /// The cast, put inside of sets and branches.
    fn turned(&mut self, expr: ExprId, to: Cast) -> ExprId {
        let span = Span::default();
        let node = self.system.exprs.node(expr).clone();
        let made = match node {
            Node::Value(Value::Int(n)) if to == Cast::Bool => {
                return self.system.exprs.truth(n != 0);
            }
            Node::Value(Value::Bool(b)) if to == Cast::ToInt => {
                return self.system.exprs.value(Value::Int(i64::from(b)));
            }
            Node::Cast(Cast::ToInt, inner) if to == Cast::Bool && self.is_truth(inner) => {
                return inner;
            }
            Node::Ite(condition, a, b) => {
                let (a, b) = (self.turned(a, to), self.turned(b, to));
                self.make(Node::Ite(condition, a, b), span)
            }
            Node::Set(all) => {
                let all = all.iter().map(|part| self.turned(*part, to)).collect();
                self.make(Node::Set(all), span)
            }
            Node::EvaluationError(_) => return expr,
            _ => self.make(Node::Cast(to, expr), span),
        };
        made.unwrap_or(expr)
    }

    /// Members or branches of one type: booleans beside numbers become numbers.
    pub(super) fn alike(&mut self, parts: Vec<ExprId>) -> Vec<ExprId> {
        let mixed = self.is_old()
            && parts.iter().any(|p| self.is_truth(*p))
            && parts.iter().any(|p| !self.is_truth(*p));
        match mixed {
            true => parts.into_iter().map(|p| self.as_number(p)).collect(),
            false => parts,
        }
    }

    /// Operands as the operator takes them; a comparison with a set asks whether the value is in it.
    pub(super) fn as_operands(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> (BinaryOp, ExprId, ExprId) {
        if !self.is_old() {
            return (op, a, b);
        }
        let has_set = self.system.exprs.is_set(a) || self.system.exprs.is_set(b);
        match op {
            BinaryOp::Implies | BinaryOp::Iff | BinaryOp::Xor | BinaryOp::Xnor => {
                (op, self.as_boolean(a), self.as_boolean(b))
            }
            BinaryOp::Equal | BinaryOp::Unequal | BinaryOp::In => {
                let both = self.alike(vec![a, b]);
                match op == BinaryOp::Equal && has_set {
                    true if self.system.exprs.is_set(both[0]) => (BinaryOp::In, both[1], both[0]),
                    true => (BinaryOp::In, both[0], both[1]),
                    false => (op, both[0], both[1]),
                }
            }
            _ => (op, self.as_number(a), self.as_number(b)),
        }
    }

    /// What is assigned, as the variable's sort takes it.
    pub(super) fn as_sort(&mut self, expr: ExprId, sort: Sort) -> ExprId {
        match sort {
            Sort::Boolean if self.is_number(expr) => self.as_boolean(expr),
            Sort::Integer(..) | Sort::Mixed => self.as_number(expr),
            _ => expr,
        }
    }
}
