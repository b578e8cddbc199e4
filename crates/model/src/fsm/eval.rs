//! The values of expressions.

use super::compute::{self, Fault};
use super::expr::{BinaryOp, Cast, ExprId, Exprs, Node, VarId};
use super::value::{Sort, Value};

/// Gives variables their values.
pub trait Valuation {
    /// The value now; of an input, in the step from now.
    fn current(&self, var: VarId) -> Option<Value>;
    /// The value in the next state.
    fn next(&self, var: VarId) -> Option<Value>;
}

/// What an expression gives: one value, or those of a set, sorted and each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Exactly one.
    One(Value),
    /// Of a set: one or more.
    Many(Vec<Value>),
}

impl Values {
    /// All of them.
    pub fn as_slice(&self) -> &[Value] {
        match self {
            Values::One(value) => std::slice::from_ref(value),
            Values::Many(values) => values,
        }
    }

    fn one(&self) -> Result<Value, Fault> {
        match self.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Fault::Unsound),
        }
    }
}

type EvalResult = Result<Values, Fault>;

/// Computes values of expressions of one store; keeps its memory between calls.
///
/// `&`, `|` and `->` have a value where one operand decides it, even if the other fails, as in NuSMV; of `case` and
/// `? :` only the branch taken can fail.
#[derive(Debug)]
pub struct Evaluator<'a> {
    exprs: &'a Exprs,
    known: Vec<(u64, Option<EvalResult>)>,
    round: u64,
}

impl<'a> Evaluator<'a> {
    /// For the expressions of a store.
    pub fn new(exprs: &'a Exprs) -> Self {
        Evaluator {
            exprs,
            known: Vec::new(),
            round: 0,
        }
    }

    /// All values of an expression.
    pub fn values(&mut self, expr: ExprId, under: &dyn Valuation) -> EvalResult {
        self.round += 1;
        if self.known.len() < self.exprs.len() {
            self.known.resize(self.exprs.len(), (0, None));
        }
        // Expressions can be deeper than the machine's stack.
        let mut open = vec![expr];
        while let Some(&top) = open.last() {
            if self.get(top).is_none() {
                match self.step(top, under) {
                    Step::Wait(parts) => {
                        open.extend(parts);
                        continue;
                    }
                    Step::Done(outcome) => self.known[top.index()] = (self.round, Some(outcome)),
                }
            }
            open.pop();
        }
        self.get(expr).cloned().unwrap_or(Err(Fault::Unsound))
    }

    /// The value of an expression that is no set.
    pub fn value(&mut self, expr: ExprId, under: &dyn Valuation) -> Result<Value, Fault> {
        self.values(expr, under)?.one()
    }

    /// Is a boolean expression true?
    pub fn holds(&mut self, expr: ExprId, under: &dyn Valuation) -> Result<bool, Fault> {
        match self.value(expr, under)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(Fault::Unsound),
        }
    }

    fn get(&self, expr: ExprId) -> Option<&EvalResult> {
        match &self.known[expr.index()] {
            (round, outcome) if *round == self.round => outcome.as_ref(),
            _ => None,
        }
    }

    /// The value, if its parts have theirs; else the parts that are needed first.
    fn step(&self, expr: ExprId, under: &dyn Valuation) -> Step {
        let node = self.exprs.node(expr);
        if let Node::Ite(condition, then, otherwise) = node {
            return self.branch(*condition, *then, *otherwise);
        }
        let missing: Vec<ExprId> = super::expr::parts(node)
            .filter(|part| self.get(*part).is_none())
            .collect();
        match missing.is_empty() {
            true => Step::Done(self.compute(node, under)),
            false => Step::Wait(missing),
        }
    }

    fn branch(&self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Step {
        let taken = match self.get(condition) {
            None => return Step::Wait(vec![condition]),
            Some(Err(fault)) => return Step::Done(Err(fault.clone())),
            Some(Ok(values)) => match values.one() {
                Ok(Value::Bool(true)) => then,
                Ok(Value::Bool(false)) => otherwise,
                _ => return Step::Done(Err(Fault::Unsound)),
            },
        };
        match self.get(taken) {
            None => Step::Wait(vec![taken]),
            Some(outcome) => Step::Done(outcome.clone()),
        }
    }

    fn part(&self, expr: ExprId) -> EvalResult {
        self.get(expr).cloned().unwrap_or(Err(Fault::Unsound))
    }

    fn single(&self, expr: ExprId) -> Result<Value, Fault> {
        self.part(expr)?.one()
    }

    fn compute(&self, node: &Node, under: &dyn Valuation) -> EvalResult {
        let one = match node {
            Node::Value(value) => value.clone(),
            Node::Current(var) => under.current(*var).ok_or(Fault::NoVariable(*var))?,
            Node::Next(var) => under.next(*var).ok_or(Fault::NoVariable(*var))?,
            Node::Not(a) => compute::not(&self.single(*a)?)?,
            Node::Negate(a) => compute::negate(&self.single(*a)?)?,
            Node::And(all) => self.junction(all, true)?,
            Node::Or(all) => self.junction(all, false)?,
            Node::Binary(BinaryOp::Implies, a, b) => self.implies(*a, *b)?,
            Node::Binary(BinaryOp::In, a, b) => {
                let (a, b) = (self.part(*a)?, self.part(*b)?);
                let inside = |v: &Value| b.as_slice().binary_search(v).is_ok();
                Value::Bool(a.as_slice().iter().all(inside))
            }
            Node::Binary(op, a, b) => compute::binary(*op, &self.single(*a)?, &self.single(*b)?)?,
            Node::Ite(..) => return Err(Fault::Unsound),
            Node::Set(all) => return self.set(all),
            Node::Bits(a, high, low) => compute::bits(&self.single(*a)?, *high, *low)?,
            Node::Cast(to, a) => compute::cast(*to, &self.single(*a)?)?,
            Node::Count(all) => {
                let mut count = 0;
                for part in all.iter() {
                    count += i64::from(self.single(*part)? == Value::Bool(true));
                }
                Value::Int(count)
            }
            Node::EvaluationError(failure) => return Err(Fault::EvaluationError(*failure)),
        };
        Ok(Values::One(one))
    }

    /// `&` (or `|`): an operand that is false (or true) decides.
    fn junction(&self, all: &[ExprId], and: bool) -> Result<Value, Fault> {
        let decides = Value::Bool(!and);
        let parts: Vec<Result<Value, Fault>> = all.iter().map(|part| self.single(*part)).collect();
        if parts.iter().any(|part| part.as_ref() == Ok(&decides)) {
            return Ok(decides);
        }
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or(Fault::Unsound)??;
        let mut so_far = first;
        for part in parts {
            so_far = compute::join(and, &so_far, &part?)?;
        }
        Ok(so_far)
    }

    fn implies(&self, a: ExprId, b: ExprId) -> Result<Value, Fault> {
        let (a, b) = (self.single(a), self.single(b));
        if a == Ok(Value::Bool(false)) || b == Ok(Value::Bool(true)) {
            return Ok(Value::Bool(true));
        }
        compute::binary(BinaryOp::Implies, &a?, &b?)
    }

    fn set(&self, all: &[ExprId]) -> EvalResult {
        let mut values = Vec::new();
        for part in all {
            values.extend_from_slice(self.part(*part)?.as_slice());
        }
        values.sort_unstable();
        values.dedup();
        Ok(Values::Many(values))
    }
}

impl Exprs {
    /// The value of a constant expression, from its outermost part: its parts are constants of the store, and it does
    /// not fail.
    pub fn fold(&self, node: &Node) -> Option<Value> {
        let constant = |e: ExprId| match self.node(e) {
            Node::Value(value) => Some(value.clone()),
            _ => None,
        };
        match node {
            Node::Not(a) => compute::not(&constant(*a)?).ok(),
            Node::Negate(a) => compute::negate(&constant(*a)?).ok(),
            // `in` compares sets, and two constants may be of sorts that do not meet: then the store says so.
            Node::Binary(op, a, b) if *op != BinaryOp::In => {
                let (a, b) = (constant(*a)?, constant(*b)?);
                let compares = matches!(op, BinaryOp::Equal | BinaryOp::Unequal);
                match compares && !Sort::of(&a).meets(Sort::of(&b)) {
                    true => None,
                    false => compute::binary(*op, &a, &b).ok(),
                }
            }
            Node::Bits(a, high, low) => compute::bits(&constant(*a)?, *high, *low).ok(),
            Node::Cast(Cast::Extend(_) | Cast::Resize(_), _) => None,
            Node::Cast(to, a) => {
                super::sorts::sort(self, node).ok()?;
                compute::cast(*to, &constant(*a)?).ok()
            }
            _ => None,
        }
    }
}

enum Step {
    Wait(Vec<ExprId>),
    Done(EvalResult),
}
