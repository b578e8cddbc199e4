//! Which arrays of a clause can have elements in common.

use rustc_hash::FxHashMap;

use super::{Fact, Theory};
use crate::chc::{Node, TermId, Terms, Var};

/// Arrays in classes: those that a clause relates are in one.
#[derive(Debug, Default)]
pub(super) struct Classes {
    parents: Vec<usize>,
    numbers: FxHashMap<Var, usize>,
    /// For a class of arrays and a part of their elements that is an array: a member of the class of these.
    inner: FxHashMap<(usize, usize), usize>,
}

impl Classes {
    pub fn number(&mut self, var: Var) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(var).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    pub fn of(&mut self, var: Var) -> usize {
        let number = self.number(var);
        self.find(number)
    }

    fn find(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    pub fn join(&mut self, a: Var, b: Var) {
        let (a, b) = (self.number(a), self.number(b));
        self.join_numbers(a, b);
    }

    fn join_numbers(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }

    /// The elements of an array are these.
    fn element(&mut self, theory: &Theory, array: Var, value: &[Var]) {
        for (part, &var) in value.iter().enumerate() {
            if !theory.names.contains_key(&var) {
                continue;
            }
            let (class, own) = (self.of(array), self.number(var));
            match self.inner.get(&(class, part)) {
                Some(&other) => self.join_numbers(own, other),
                None => {
                    self.inner.insert((class, part), own);
                }
            }
        }
    }

    /// The classes of a clause, from its facts and the equations between names in its constraint.
    pub fn new(theory: &Theory, facts: &[Fact], equations: &[(Var, Var)]) -> Classes {
        let mut classes = Classes::default();
        for &(a, b) in equations {
            classes.join(a, b);
        }
        for fact in facts {
            if let Fact::Store { array, result, .. } = fact {
                classes.join(*array, *result);
            }
        }
        // Joining elements may join arrays whose elements are arrays again; each pass goes one level deeper.
        for _ in 0..4 {
            classes.inner.clear();
            for fact in facts {
                match fact {
                    Fact::Select { array, value, .. } => classes.element(theory, *array, value),
                    Fact::Store { result, value, .. } | Fact::Constant { result, value, .. } => {
                        classes.element(theory, *result, value);
                    }
                    _ => {}
                }
            }
        }
        classes
    }

    /// A new element of an array joins the class of its other elements.
    pub fn add_element(&mut self, theory: &Theory, array: Var, value: &[Var]) {
        self.element(theory, array, value);
    }
}

/// The equations between two names that occur in a formula.
pub fn name_equations(
    terms: &Terms,
    names: &FxHashMap<Var, u32>,
    formula: TermId,
) -> Vec<(Var, Var)> {
    let mut found = Vec::new();
    for part in terms.postorder(formula) {
        if let Node::Eq(lin) = terms.node(part)
            && let [(a, _), (b, _)] = lin.terms.as_slice()
            && let (Some(s), Some(t)) = (names.get(a), names.get(b))
            && s == t
        {
            found.push((*a, *b));
        }
    }
    found
}
