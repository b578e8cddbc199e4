//! Safety formulas and what is left of them after a step.

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
    /// The second holds until both do, or for ever.
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
