//! Values of variables.

use suppose_number::Rat;

use super::linear::Lin;
use super::terms::{Node, Sort, TermId, Terms, Var};

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of a Boolean.
    Bool(bool),
    /// Of an integer or a rational.
    Num(Rat),
}

/// Values of some variables; the others count as false and 0.
///
/// In order of the variables' numbers, and as large as there are values: a solver knows the variables of a few clauses out of
/// those of a whole system, and a derivation has very many of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    values: Vec<(Var, Value)>,
}

impl Assignment {
    /// Reserves capacity for this many more.
    pub fn reserve(&mut self, count: usize) {
        self.values.reserve(count);
    }

    /// Sets one. Takes constant time for a variable after all others.
    pub fn set(&mut self, var: Var, value: Value) {
        if self.values.last().is_none_or(|(last, _)| *last < var) {
            self.values.push((var, value));
            return;
        }
        match self.place(var) {
            Ok(at) => self.values[at].1 = value,
            Err(at) => self.values.insert(at, (var, value)),
        }
    }

    fn place(&self, var: Var) -> Result<usize, usize> {
        self.values.binary_search_by_key(&var, |(v, _)| *v)
    }

    /// The value, if one was set.
    pub fn get(&self, var: Var) -> Option<&Value> {
        let at = self.place(var).ok()?;
        Some(&self.values[at].1)
    }

    /// All variables with values, in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &Value)> {
        self.values.iter().map(|(var, value)| (*var, value))
    }

    /// The value as a truth; false if none was set.
    pub fn truth(&self, var: Var) -> bool {
        matches!(self.get(var), Some(Value::Bool(true)))
    }

    /// The value as a number; 0 if none was set.
    pub fn number(&self, var: Var) -> Rat {
        match self.get(var) {
            Some(Value::Num(n)) => n.clone(),
            _ => Rat::ZERO,
        }
    }

    /// The value of a variable as its sort wants it; false or 0 if none was set.
    pub fn value(&self, terms: &Terms, var: Var) -> Value {
        match terms.sort(var) {
            Sort::Bool => Value::Bool(self.truth(var)),
            Sort::Int | Sort::Real => Value::Num(self.number(var)),
        }
    }

    /// Is a formula true? Takes time linear in its size, also where it shares parts.
    pub fn eval(&self, terms: &Terms, term: TermId) -> bool {
        self.eval_with(terms, term, &mut rustc_hash::FxHashMap::default())
    }

    /// The same for several formulas that share parts: what is known of the parts is kept in `known`.
    pub fn eval_with(
        &self,
        terms: &Terms,
        term: TermId,
        known: &mut rustc_hash::FxHashMap<TermId, bool>,
    ) -> bool {
        if let Some(&truth) = known.get(&term) {
            return truth;
        }
        for part in terms.postorder(term) {
            if known.contains_key(&part) {
                continue;
            }
            let truth = match terms.node(part) {
                Node::Const(truth) => *truth,
                Node::Var(var) => self.truth(*var),
                Node::Not(inner) => !known[inner],
                Node::And(parts) => parts.iter().all(|p| known[p]),
                Node::Or(parts) => parts.iter().any(|p| known[p]),
                Node::Iff(a, b) => known[a] == known[b],
                Node::Le(lin) => !lin.eval(|v| self.number(v)).is_positive(),
                Node::Lt(lin) => lin.eval(|v| self.number(v)).is_negative(),
                Node::Eq(lin) => lin.eval(|v| self.number(v)).is_zero(),
                Node::Divides(d, lin) => {
                    let value = lin.eval(|v| self.number(v));
                    value.is_integer() && d.divides(value.num())
                }
            };
            known.insert(part, truth);
        }
        known[&term]
    }
}

impl Terms {
    /// Two variables of one sort have the same value.
    pub fn equal(&mut self, a: Var, b: Var) -> TermId {
        if self.sort(a) == Sort::Bool {
            let (a, b) = (self.var(a), self.var(b));
            self.iff(a, b)
        } else {
            self.eq(Lin::var(a).sub(&Lin::var(b)))
        }
    }

    /// A variable has that value.
    pub fn has_value(&mut self, var: Var, value: &Value) -> TermId {
        match value {
            Value::Bool(truth) => {
                let itself = self.var(var);
                if *truth { itself } else { self.not(itself) }
            }
            Value::Num(number) => {
                let lin = Lin::var(var).scale(number.den()).plus(-number.num());
                self.eq(lin)
            }
        }
    }
}
