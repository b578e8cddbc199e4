//! What facts about arrays imply for the elements that a clause reads.
//!
//! Every formula made here is true of arrays whatever their values are. With the elements of all arrays of a
//! class at all indices that matter as variables:
//! - what was written is there, and everything else is as before;
//! - elements of one array at equal indices are equal;
//! - equal arrays have equal elements, and different ones differ somewhere.

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{Classes, name_equations};
use super::{Fact, Leaf, Theory};
use crate::chc::{TermId, Terms, Var};

/// Formulas for one clause.
const MOST_FORMULAS: usize = 20_000;
/// How often arrays that the formulas themselves compare are looked at again.
const MOST_ROUNDS: usize = 4;

/// The element of an array at an index, each by its parts.
pub type Read = ((Var, Vec<Var>), Vec<Var>);

/// The indices of a class of arrays that matter.
type Indices = FxHashMap<usize, Vec<Vec<Var>>>;

/// What a clause says about elements.
pub struct Instances<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) theory: &'a mut Theory,
    facts: &'a [Fact],
    pub(super) classes: Classes,
    pub(super) indices: Indices,
    /// The arrays of each class, in the order they are found.
    members: FxHashMap<usize, Vec<Var>>,
    reads: FxHashMap<(Var, Vec<Var>), Vec<Var>>,
    /// Arrays that are compared: first those that the constraint compares, then those that the formulas do.
    equations: Vec<(Var, Var)>,
    /// So many of them, from the first, get an index at which they differ, if they do.
    extensional: usize,
    /// All indices that matter, and all arrays, as they were noted.
    noted: Vec<(Var, Vec<Var>)>,
    arrays: Vec<Var>,
    seen: FxHashSet<Var>,
    /// For arrays that are compared: an index at which they differ, if they do.
    witnesses: FxHashMap<(Var, Var), Vec<Var>>,
    /// The instances found so far.
    pub(super) formulas: Vec<TermId>,
}

impl<'a> Instances<'a> {
    /// For a clause with this constraint and these facts.
    pub fn new(
        terms: &'a mut Terms,
        theory: &'a mut Theory,
        constraint: TermId,
        facts: &'a [Fact],
    ) -> Instances<'a> {
        let equations = array_equations(terms, theory, constraint);
        let classes = Classes::new(theory, facts, &equations);
        Instances {
            terms,
            theory,
            facts,
            classes,
            indices: Indices::default(),
            members: FxHashMap::default(),
            reads: FxHashMap::default(),
            extensional: equations.len(),
            equations,
            noted: Vec::new(),
            arrays: Vec::new(),
            seen: FxHashSet::default(),
            witnesses: FxHashMap::default(),
            formulas: Vec::new(),
        }
    }

    /// All formulas, for a clause by itself; and the elements they speak of: an array, the parts of an index, and
    /// those of the element there.
    pub fn complete(mut self) -> (Vec<TermId>, Vec<Read>) {
        self.extensional = usize::MAX;
        self.collect();
        self.run();
        let mut reads: Vec<Read> = self.reads.into_iter().collect();
        reads.sort_unstable();
        (self.formulas, reads)
    }

    /// Notes the arrays that the formulas compare, and starts again if there are more of them than before.
    fn compare_more(&mut self) -> bool {
        let whole = self.terms.and(self.formulas.iter().copied());
        let before = self.equations.len();
        for pair in array_equations(self.terms, self.theory, whole) {
            if !self.equations.contains(&pair) {
                self.equations.push(pair);
            }
        }
        if self.equations.len() == before {
            return false;
        }
        self.classes = Classes::new(self.theory, self.facts, &self.equations);
        let mut reads: Vec<_> = self.reads.iter().collect();
        reads.sort_unstable();
        for ((array, _), value) in reads {
            self.classes.add_element(self.theory, *array, value);
        }
        self.indices.clear();
        self.members.clear();
        self.formulas.clear();
        for array in self.arrays.clone() {
            self.add_array(array);
        }
        for (array, index) in std::mem::take(&mut self.noted) {
            self.add_index(array, &index);
        }
        self.collect();
        true
    }

    /// An index of the arrays of a class matters.
    pub(super) fn add_index(&mut self, array: Var, index: &[Var]) {
        let class = self.classes.of(array);
        let known = self.indices.entry(class).or_default();
        if !known.iter().any(|i| i == index) {
            known.push(index.to_vec());
            self.noted.push((array, index.to_vec()));
        }
    }

    /// An array of the clause.
    pub(super) fn add_array(&mut self, array: Var) {
        let class = self.classes.of(array);
        let members = self.members.entry(class).or_default();
        if !members.contains(&array) {
            members.push(array);
        }
        if self.seen.insert(array) {
            self.arrays.push(array);
        }
    }

    /// Fresh variables for these parts.
    pub(super) fn fresh(&mut self, name: &str, leaves: &[Leaf]) -> Vec<Var> {
        let mut all = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let var = self.terms.fresh(name, leaf.sort);
            if let Some(sort) = leaf.named {
                self.theory.names.insert(var, sort);
            }
            all.push(var);
        }
        all
    }

    /// Indices and arrays that the facts mention.
    pub(super) fn collect(&mut self) {
        let compared: FxHashSet<usize> = {
            let pairs = self.equations.clone();
            pairs.iter().map(|(a, _)| self.classes.of(*a)).collect()
        };
        for fact in self.facts {
            match fact {
                Fact::Select {
                    array,
                    index,
                    value,
                } => {
                    self.add_array(*array);
                    self.add_index(*array, index);
                    self.known_read(*array, index, value);
                }
                Fact::Store {
                    array,
                    index,
                    value,
                    result,
                } => {
                    self.add_array(*array);
                    self.add_array(*result);
                    if compared.contains(&self.classes.of(*array)) {
                        self.add_index(*result, index);
                    }
                    self.known_read(*result, index, value);
                }
                Fact::Constant { result, .. } => self.add_array(*result),
                _ => {}
            }
        }
        for (number, (a, b)) in self.equations.clone().into_iter().enumerate() {
            self.add_array(a);
            self.add_array(b);
            if number >= self.extensional {
                continue;
            }
            let sort = self.theory.names[&a];
            let Some((index, _)) = self.theory.array(sort) else {
                continue;
            };
            let index = index.to_vec();
            let differ = match self.witnesses.get(&(a, b)) {
                Some(known) => known.clone(),
                None => self.fresh("differ", &index),
            };
            self.add_index(a, &differ);
            self.witnesses.insert((a, b), differ);
        }
    }

    /// The element of an array at an index is this one.
    fn known_read(&mut self, array: Var, index: &[Var], value: &[Var]) {
        let key = (array, index.to_vec());
        match self.reads.get(&key).cloned() {
            Some(before) => {
                let same = self.same(&before, value);
                self.push(same);
            }
            None => {
                self.reads.insert(key, value.to_vec());
            }
        }
    }

    /// The element of an array at an index.
    pub(super) fn read(&mut self, array: Var, index: &[Var]) -> Vec<Var> {
        let key = (array, index.to_vec());
        if let Some(value) = self.reads.get(&key) {
            return value.clone();
        }
        let sort = self.theory.names.get(&array).copied().unwrap_or(u32::MAX);
        let element = match self.theory.array(sort) {
            Some((_, element)) => element.to_vec(),
            None => Vec::new(),
        };
        let name = format!("{}[]", self.terms.name(array));
        let value = self.fresh(&name, &element);
        self.classes.add_element(self.theory, array, &value);
        for &part in &value {
            if self.theory.names.contains_key(&part) {
                self.add_array(part);
            }
        }
        self.reads.insert(key, value.clone());
        value
    }

    fn same(&mut self, a: &[Var], b: &[Var]) -> TermId {
        let mut parts = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            if x != y {
                parts.push(self.terms.equal(x, y));
            }
        }
        self.terms.and(parts)
    }

    fn push(&mut self, formula: TermId) {
        if self.formulas.len() < MOST_FORMULAS && formula != Terms::TRUE {
            self.formulas.push(formula);
        }
    }

    /// All formulas. They may compare arrays again, as elements or as indices; then more is said of these.
    pub(super) fn run(&mut self) {
        for _ in 0..MOST_ROUNDS {
            self.classes_in_order();
            if !self.compare_more() {
                return;
            }
        }
        self.classes_in_order();
    }

    /// All formulas of the classes that are known, arrays of arrays before their elements.
    fn classes_in_order(&mut self) {
        let mut done: FxHashSet<usize> = FxHashSet::default();
        loop {
            // Looked up anew each time: a class may have been joined to another one meanwhile.
            let order = |(&class, members): (&usize, &Vec<Var>)| {
                let sort = members.first().and_then(|m| self.theory.names.get(m));
                let rank = sort.map_or(0, |&s| rank(self.theory, s));
                (std::cmp::Reverse(rank), class)
            };
            let open = self
                .members
                .iter()
                .filter(|(class, _)| !done.contains(class));
            let Some((_, class)) = open.map(order).min() else {
                return;
            };
            done.insert(class);
            self.class(class);
        }
    }

    fn class(&mut self, class: usize) {
        let members = self.members.get(&class).cloned().unwrap_or_default();
        let indices = self.indices.get(&class).cloned().unwrap_or_default();
        let mut made: FxHashSet<Var> = FxHashSet::default();
        for fact in self.facts {
            match fact {
                Fact::Store {
                    array,
                    index,
                    value,
                    result,
                } if members.contains(result) => {
                    made.insert(*result);
                    for at in &indices {
                        self.stored(*array, index, value, *result, at);
                    }
                }
                Fact::Constant { result, value, .. } if members.contains(result) => {
                    made.insert(*result);
                    for at in &indices {
                        let there = self.read(*result, at);
                        let same = self.same(&there, value);
                        self.push(same);
                    }
                }
                _ => {}
            }
        }
        for &array in members.iter().filter(|array| !made.contains(array)) {
            for (i, at) in indices.iter().enumerate() {
                for other in &indices[..i] {
                    let equal = self.same(at, other);
                    let (here, there) = (self.read(array, at), self.read(array, other));
                    let same = self.same(&here, &there);
                    let formula = self.terms.implies(equal, same);
                    self.push(formula);
                }
            }
        }
        self.compared(&members, &indices);
    }

    fn stored(&mut self, array: Var, index: &[Var], value: &[Var], result: Var, at: &[Var]) {
        let there = self.read(result, at);
        let written = self.same(&there, value);
        if at == index {
            self.push(written);
            return;
        }
        let before = self.read(array, at);
        let kept = self.same(&there, &before);
        let hit = self.same(at, index);
        let formula = self.terms.ite(hit, written, kept);
        self.push(formula);
    }

    fn compared(&mut self, members: &[Var], indices: &[Vec<Var>]) {
        for (number, (a, b)) in self.equations.clone().into_iter().enumerate() {
            if !members.contains(&a) {
                continue;
            }
            let equal = self.terms.equal(a, b);
            let mut differ = vec![equal];
            for at in indices {
                let (here, there) = (self.read(a, at), self.read(b, at));
                let same = self.same(&here, &there);
                let formula = self.terms.implies(equal, same);
                self.push(formula);
                differ.push(self.terms.not(same));
            }
            // One of the indices was made to be where they differ.
            if number < self.extensional {
                let somewhere = self.terms.or(differ);
                self.push(somewhere);
            }
        }
    }
}

/// The equations between arrays that occur in a formula.
fn array_equations(terms: &Terms, theory: &Theory, formula: TermId) -> Vec<(Var, Var)> {
    let mut found = name_equations(terms, &theory.names, formula);
    found.retain(|(a, _)| {
        let sort = theory.names.get(a);
        sort.is_some_and(|&s| theory.array(s).is_some())
    });
    found
}

/// How deeply arrays are nested in the elements of a sort.
fn rank(theory: &Theory, sort: u32) -> u32 {
    fn deeper(theory: &Theory, sort: u32, left: u32) -> u32 {
        let Some((_, element)) = theory.array(sort).filter(|_| left > 0) else {
            return 0;
        };
        let inner = element.iter().filter_map(|leaf| leaf.named);
        1 + inner
            .map(|s| deeper(theory, s, left - 1))
            .max()
            .unwrap_or(0)
    }
    deeper(theory, sort, 16)
}
