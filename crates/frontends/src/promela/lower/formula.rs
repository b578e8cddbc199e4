//! Safety formulas and their progression: the formula that must hold after a step.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// A formula, by number.
pub(super) type Id = u32;

pub(super) const FALSE: Id = 0;
pub(super) const TRUE: Id = 1;

/// A formula without negation but at its atoms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Formula {
    False,
    True,
    /// An atom, or its opposite.
    Atom(u32, bool),
    /// Operands are sorted.
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    /// The second holds until both do, or forever.
    Release(Id, Id),
}

/// Formulas, each one once.
pub(super) struct Formulas {
    all: Vec<Formula>,
    numbers: FxHashMap<Formula, Id>,
}

/// What a state depends on: atoms, one after the other, down to the formula that is left.
pub(super) enum Tree {
    Leaf(Id),
    Split(u32, Box<Tree>, Box<Tree>),
}

impl Formulas {
    pub(super) fn new() -> Self {
        let mut it = Formulas {
            all: Vec::new(),
            numbers: FxHashMap::default(),
        };
        it.number(Formula::False);
        it.number(Formula::True);
        it
    }

    pub(super) fn number(&mut self, formula: Formula) -> Id {
        if let Some(id) = self.numbers.get(&formula) {
            return *id;
        }
        let id = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(formula.clone());
        self.numbers.insert(formula, id);
        id
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The atom that a formula is, or its negation.
    pub(super) fn atom(&self, id: Id) -> Option<u32> {
        match self.all[id as usize] {
            Formula::Atom(atom, _) => Some(atom),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, operands: Vec<Id>) -> Id {
        self.join(operands, true)
    }

    pub(super) fn or(&mut self, operands: Vec<Id>) -> Id {
        self.join(operands, false)
    }

    /// Flat, sorted, without what follows from another operand.
    fn join(&mut self, operands: Vec<Id>, and: bool) -> Id {
        let (neutral, absorbing) = if and { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat = Vec::new();
        for id in operands {
            match (&self.all[id as usize], and) {
                (Formula::And(inner), true) | (Formula::Or(inner), false) => {
                    flat.extend(inner.iter().copied())
                }
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|id| *id != neutral);
        if flat.contains(&absorbing) || self.clashes(&flat) {
            return absorbing;
        }
        let weaker = |id: Id| match (&self.all[id as usize], and) {
            (Formula::Or(inner), true) | (Formula::And(inner), false) => {
                inner.iter().any(|i| flat.binary_search(i).is_ok())
            }
            _ => false,
        };
        let kept: Vec<Id> = flat.iter().copied().filter(|id| !weaker(*id)).collect();
        match kept.as_slice() {
            [] => neutral,
            [one] => *one,
            _ if and => self.number(Formula::And(kept)),
            _ => self.number(Formula::Or(kept)),
        }
    }

    fn clashes(&self, flat: &[Id]) -> bool {
        flat.iter().any(|id| match self.all[*id as usize] {
            Formula::Atom(atom, true) => {
                let opposite = self.numbers.get(&Formula::Atom(atom, false));
                opposite.is_some_and(|o| flat.binary_search(o).is_ok())
            }
            _ => false,
        })
    }

    /// The same with every claim on the future behind a `Next`.
    fn unrolled(&mut self, id: Id) -> Id {
        match self.all[id as usize].clone() {
            Formula::And(all) => {
                let all = all.into_iter().map(|i| self.unrolled(i)).collect();
                self.and(all)
            }
            Formula::Or(all) => {
                let all = all.into_iter().map(|i| self.unrolled(i)).collect();
                self.or(all)
            }
            Formula::Release(a, b) => {
                let (now_a, now_b) = (self.unrolled(a), self.unrolled(b));
                let later = self.number(Formula::Next(id));
                let either = self.or(vec![now_a, later]);
                self.and(vec![now_b, either])
            }
            _ => id,
        }
    }

    fn first_atom(&self, id: Id) -> Option<u32> {
        match &self.all[id as usize] {
            Formula::Atom(atom, _) => Some(*atom),
            Formula::And(all) | Formula::Or(all) => {
                all.iter().filter_map(|i| self.first_atom(*i)).min()
            }
            _ => None,
        }
    }

    fn assume(&mut self, id: Id, atom: u32, value: bool) -> Id {
        match self.all[id as usize].clone() {
            Formula::Atom(other, positive) if other == atom => match positive == value {
                true => TRUE,
                false => FALSE,
            },
            Formula::And(all) => {
                let all = all
                    .into_iter()
                    .map(|i| self.assume(i, atom, value))
                    .collect();
                self.and(all)
            }
            Formula::Or(all) => {
                let all = all
                    .into_iter()
                    .map(|i| self.assume(i, atom, value))
                    .collect();
                self.or(all)
            }
            _ => id,
        }
    }

    fn stripped(&mut self, id: Id) -> Id {
        match self.all[id as usize].clone() {
            Formula::Next(inner) => inner,
            Formula::And(all) => {
                let all = all.into_iter().map(|i| self.stripped(i)).collect();
                self.and(all)
            }
            Formula::Or(all) => {
                let all = all.into_iter().map(|i| self.stripped(i)).collect();
                self.or(all)
            }
            _ => id,
        }
    }

    /// What is left to hold after this state, as it depends on the atoms. None when there are too
    /// many cases.
    pub(super) fn step(&mut self, id: Id, budget: &mut usize) -> Option<Tree> {
        let unrolled = self.unrolled(id);
        self.split(unrolled, budget)
    }

    fn split(&mut self, id: Id, budget: &mut usize) -> Option<Tree> {
        *budget = budget.checked_sub(1)?;
        let Some(atom) = self.first_atom(id) else {
            return Some(Tree::Leaf(self.stripped(id)));
        };
        let yes = self.assume(id, atom, true);
        let no = self.assume(id, atom, false);
        if yes == no {
            return self.split(yes, budget);
        }
        let (yes, no) = (self.split(yes, budget)?, self.split(no, budget)?);
        match (&yes, &no) {
            (Tree::Leaf(a), Tree::Leaf(b)) if a == b => Some(yes),
            _ => Some(Tree::Split(atom, Box::new(yes), Box::new(no))),
        }
    }
}

impl Tree {
    /// All formulas that can be left, in the order of the cases.
    pub(super) fn leaves(&self, leaves: &mut BTreeMap<Id, ()>) {
        match self {
            Tree::Leaf(id) => {
                leaves.insert(*id, ());
            }
            Tree::Split(_, yes, no) => {
                yes.leaves(leaves);
                no.leaves(leaves);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A formula as a tree, with what it means on a word that repeats its last letter forever.
    #[derive(Clone, Debug)]
    enum Plain {
        Atom(u32, bool),
        And(Box<Plain>, Box<Plain>),
        Or(Box<Plain>, Box<Plain>),
        Next(Box<Plain>),
        Release(Box<Plain>, Box<Plain>),
    }

    fn holds(formula: &Plain, word: &[u8], at: usize) -> bool {
        let last = word.len() - 1;
        match formula {
            Plain::Atom(atom, positive) => (word[at] >> atom & 1 == 1) == *positive,
            Plain::And(a, b) => holds(a, word, at) && holds(b, word, at),
            Plain::Or(a, b) => holds(a, word, at) || holds(b, word, at),
            Plain::Next(a) => holds(a, word, (at + 1).min(last)),
            Plain::Release(a, b) => {
                for later in at..=last {
                    if !holds(b, word, later) {
                        return false;
                    }
                    if holds(a, word, later) {
                        return true;
                    }
                }
                true
            }
        }
    }

    fn number(formulas: &mut Formulas, plain: &Plain) -> Id {
        match plain {
            Plain::Atom(atom, positive) => formulas.number(Formula::Atom(*atom, *positive)),
            Plain::And(a, b) => {
                let both = vec![number(formulas, a), number(formulas, b)];
                formulas.and(both)
            }
            Plain::Or(a, b) => {
                let both = vec![number(formulas, a), number(formulas, b)];
                formulas.or(both)
            }
            Plain::Next(a) => {
                let a = number(formulas, a);
                formulas.number(Formula::Next(a))
            }
            Plain::Release(a, b) => {
                let (a, b) = (number(formulas, a), number(formulas, b));
                formulas.number(Formula::Release(a, b))
            }
        }
    }

    fn left(tree: &Tree, letter: u8) -> Id {
        match tree {
            Tree::Leaf(id) => *id,
            Tree::Split(atom, yes, no) => match letter >> atom & 1 {
                1 => left(yes, letter),
                _ => left(no, letter),
            },
        }
    }

    fn plain() -> impl Strategy<Value = Plain> {
        let atom = (0u32..2, any::<bool>()).prop_map(|(a, p)| Plain::Atom(a, p));
        atom.prop_recursive(4, 12, 2, |inner| {
            let two = (inner.clone(), inner.clone());
            prop_oneof![
                two.clone()
                    .prop_map(|(a, b)| Plain::And(a.into(), b.into())),
                two.clone().prop_map(|(a, b)| Plain::Or(a.into(), b.into())),
                two.prop_map(|(a, b)| Plain::Release(a.into(), b.into())),
                inner.prop_map(|a| Plain::Next(a.into())),
            ]
        })
    }

    proptest! {
        /// What is left becomes false exactly on the words that violate the formula.
        #[test]
        fn what_is_left_decides(plain in plain(), word in proptest::collection::vec(0u8..4, 1..6)) {
            let mut formulas = Formulas::new();
            let mut state = number(&mut formulas, &plain);
            let last = word[word.len() - 1];
            // A violation shows when the last letter has come as often as there are `Next`s.
            let letters = word.iter().copied().chain(std::iter::repeat_n(last, 40));
            for letter in letters {
                let mut budget = 1 << 14;
                let Some(tree) = formulas.step(state, &mut budget) else {
                    return Ok(());
                };
                state = left(&tree, letter);
            }
            prop_assert_eq!(state != FALSE, holds(&plain, &word, 0));
        }
    }
}
