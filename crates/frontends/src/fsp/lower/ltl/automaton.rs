//! A safe formula to the deterministic LTS of what it allows.
//!
//! A state is what the fluents are and what is still owed: a set of alternatives, each a set of
//! formulas that must hold from the next action on (the subset construction over an alternating
//! automaton). No alternative left is a violation. States from which every way leads to one are
//! violations too: their prefixes are bad, whatever follows.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::formula::{Atom, Expanded, Id, Node};

/// Obligations: a conjunction of formulas that the rest of the run must satisfy.
type Clause = BTreeSet<Id>;
/// A disjunction of obligations; none is a subset of another.
type Alternatives = BTreeSet<Clause>;

/// The automaton would be too large.
#[derive(Debug)]
pub(super) struct TooLarge;

/// What a formula allows. Letter 0 is every action that the formula does not name; letter `i + 1`
/// is `actions[i]`.
pub(super) struct Automaton {
    pub(super) actions: Vec<Rc<str>>,
    /// The successor for each letter, none if it is forbidden. State 0 is initial.
    pub(super) rows: Vec<Vec<Option<u32>>>,
}

const CLAUSES: usize = 1 << 12;
const ENTRIES: usize = 1 << 22;

pub(super) fn build(formula: &Expanded) -> Result<Automaton, TooLarge> {
    let builder = Builder::new(formula);
    let mut automaton = builder.run()?;
    prune(&mut automaton.rows);
    Ok(automaton)
}

struct Builder<'f> {
    formula: &'f Expanded,
    actions: Vec<Rc<str>>,
    /// For every letter, what it does to every atom: sets, resets or keeps it.
    effects: Vec<Vec<Option<bool>>>,
    numbers: FxHashMap<(Vec<bool>, Alternatives), u32>,
    pending: Vec<(Vec<bool>, Alternatives)>,
    /// Steps done, in clauses.
    work: usize,
}

impl<'f> Builder<'f> {
    fn new(formula: &'f Expanded) -> Self {
        let mut actions: Vec<Rc<str>> = formula.extension.clone();
        for atom in &formula.atoms {
            match atom {
                Atom::Fluent { starts, ends, .. } => {
                    actions.extend(starts.iter().chain(ends).cloned());
                }
                Atom::Actions(labels) => actions.extend(labels.iter().cloned()),
            }
        }
        actions.sort_unstable();
        actions.dedup();
        let letters = std::iter::once(None).chain(actions.iter().map(Some));
        let effect = |atom: &Atom, letter: Option<&Rc<str>>| match (atom, letter) {
            (Atom::Actions(labels), Some(action)) => Some(labels.contains(action)),
            (Atom::Actions(_), None) => Some(false),
            (Atom::Fluent { starts, .. }, Some(action)) if starts.contains(action) => Some(true),
            (Atom::Fluent { ends, .. }, Some(action)) if ends.contains(action) => Some(false),
            (Atom::Fluent { .. }, _) => None,
        };
        let effects = letters
            .map(|letter| formula.atoms.iter().map(|a| effect(a, letter)).collect())
            .collect();
        Builder {
            formula,
            actions,
            effects,
            numbers: FxHashMap::default(),
            pending: Vec::new(),
            work: 0,
        }
    }

    fn run(mut self) -> Result<Automaton, TooLarge> {
        let initially = |atom: &Atom| {
            matches!(
                atom,
                Atom::Fluent {
                    initially: true,
                    ..
                }
            )
        };
        let values: Vec<bool> = self.formula.atoms.iter().map(initially).collect();
        let owed: Alternatives = [Clause::from([self.formula.root])].into();
        self.number(values, owed);
        let mut rows: Vec<Vec<Option<u32>>> = Vec::new();
        let mut next = 0;
        while next < self.pending.len() {
            let (values, owed) = self.pending[next].clone();
            next += 1;
            let mut row = Vec::with_capacity(self.effects.len());
            for letter in 0..self.effects.len() {
                let values = self.after(&values, letter);
                let owed = self.step(&owed, &values)?;
                row.push(match owed.is_empty() {
                    true => None,
                    false => Some(self.number(self.forget(values, &owed), owed)),
                });
                if self.pending.len().saturating_mul(self.effects.len()) > ENTRIES {
                    return Err(TooLarge);
                }
            }
            rows.push(row);
        }
        Ok(Automaton {
            actions: self.actions,
            rows,
        })
    }

    fn number(&mut self, values: Vec<bool>, owed: Alternatives) -> u32 {
        let next = self.pending.len() as u32;
        let key = (values, owed);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        self.pending.push(key.clone());
        self.numbers.insert(key, next);
        next
    }

    fn after(&self, values: &[bool], letter: usize) -> Vec<bool> {
        let effects = &self.effects[letter];
        let pairs = values.iter().zip(effects);
        pairs.map(|(now, effect)| effect.unwrap_or(*now)).collect()
    }

    /// What cannot matter any more: the last action, and all when nothing is owed.
    fn forget(&self, mut values: Vec<bool>, owed: &Alternatives) -> Vec<bool> {
        let satisfied = owed.contains(&Clause::new());
        for (value, atom) in values.iter_mut().zip(&self.formula.atoms) {
            if satisfied || matches!(atom, Atom::Actions(_)) {
                *value = false;
            }
        }
        values
    }

    fn step(&mut self, owed: &Alternatives, values: &[bool]) -> Result<Alternatives, TooLarge> {
        let mut next = Alternatives::new();
        for clause in owed {
            let mut product: Alternatives = [Clause::new()].into();
            for id in clause {
                let one = self.unfold(*id, values)?;
                product = self.product(&product, &one)?;
            }
            next.extend(product);
        }
        self.absorb(next)
    }

    /// Expands a formula under the letter now: the obligations for the next position, one for each way to satisfy it.
    fn unfold(&mut self, id: Id, values: &[bool]) -> Result<Alternatives, TooLarge> {
        let formula = self.formula;
        let nothing = || Alternatives::from([Clause::new()]);
        Ok(match &formula.nodes[id as usize] {
            Node::True => nothing(),
            Node::False => Alternatives::new(),
            Node::Literal(atom, positive) => match values[*atom as usize] == *positive {
                true => nothing(),
                false => Alternatives::new(),
            },
            Node::And(ids) => {
                let mut product = nothing();
                for id in ids {
                    let one = self.unfold(*id, values)?;
                    product = self.product(&product, &one)?;
                }
                product
            }
            Node::Or(ids) => {
                let mut all = Alternatives::new();
                for id in ids {
                    all.extend(self.unfold(*id, values)?);
                }
                self.absorb(all)?
            }
            Node::Next(inner) => [Clause::from([*inner])].into(),
            Node::Release(left, right) => {
                let mut either = self.unfold(*left, values)?;
                either.insert(Clause::from([id]));
                let right = self.unfold(*right, values)?;
                self.product(&right, &either)?
            }
            // Only safety formulas are expanded; the eventuality of an `until` would need an acceptance condition.
            Node::Until(left, right) => {
                let mut either = self.unfold(*left, values)?;
                either = self.product(&either, &[Clause::from([id])].into())?;
                either.extend(self.unfold(*right, values)?);
                self.absorb(either)?
            }
        })
    }

    fn product(&mut self, a: &Alternatives, b: &Alternatives) -> Result<Alternatives, TooLarge> {
        if a.len().saturating_mul(b.len()) > CLAUSES {
            return Err(TooLarge);
        }
        let both = |x: &Clause, y: &Clause| x.union(y).copied().collect::<Clause>();
        let all = a.iter().flat_map(|x| b.iter().map(move |y| both(x, y)));
        self.absorb(all.collect())
    }

    /// Drops alternatives that owe more than another.
    fn absorb(&mut self, all: Alternatives) -> Result<Alternatives, TooLarge> {
        self.work += 1 + all.len() * all.len();
        if all.len() > CLAUSES || self.work > 16 * ENTRIES {
            return Err(TooLarge);
        }
        let kept = all
            .iter()
            .filter(|c| !all.iter().any(|other| other != *c && other.is_subset(c)));
        Ok(kept.cloned().collect())
    }
}

/// Forbids what leads to states that allow nothing.
fn prune(rows: &mut [Vec<Option<u32>>]) {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    let mut left: Vec<usize> = Vec::with_capacity(rows.len());
    for (source, row) in rows.iter().enumerate() {
        for target in row.iter().flatten() {
            before[*target as usize].push(source as u32);
        }
        left.push(row.iter().flatten().count());
    }
    let mut dead: Vec<u32> = (0..rows.len() as u32)
        .filter(|s| left[*s as usize] == 0)
        .collect();
    let mut is_dead: Vec<bool> = left.iter().map(|n| *n == 0).collect();
    while let Some(state) = dead.pop() {
        for source in std::mem::take(&mut before[state as usize]) {
            left[source as usize] -= 1;
            if left[source as usize] == 0 && !is_dead[source as usize] {
                is_dead[source as usize] = true;
                dead.push(source);
            }
        }
    }
    for row in rows.iter_mut() {
        for slot in row.iter_mut() {
            *slot = slot.filter(|t| !is_dead[*t as usize]);
        }
    }
}
