//! Inclusion of weak traces, on the fly and with antichains.
//!
//! Pairs of a state of the left side and the set of states the right side may be in are explored
//! breadth-first. A pair whose set contains the set of an earlier pair with the same state cannot
//! fail sooner than that one, so it is dropped (De Wulf, Doyen, Henzinger and Raskin, 2006);
//! counterexamples stay shortest, since what is kept was found at the same depth or before.

use super::determinise::Closure;
use super::interner::Interner;
use super::size::{SizeLimits, TooLarge};
use super::{Label, Lts, State};

/// Are all traces of the left side traces of the right one?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inclusion {
    /// Yes.
    Included,
    /// No: this one, a shortest, is not.
    Fails(Vec<Label>),
}

/// Compares traces over the alphabet of the right side; all other labels are silent.
pub fn includes(left: &Lts, right: &Lts, limits: &SizeLimits) -> Result<Inclusion, TooLarge> {
    includes_over(left, right, right.alphabet(), limits)
}

/// Compares traces over a given alphabet; all other labels, and `tau`, are silent on both sides.
/// Error states and ends are states like others. The limit on transitions bounds the entries of
/// the sets.
pub fn includes_over(
    left: &Lts,
    right: &Lts,
    alphabet: &[Label],
    limits: &SizeLimits,
) -> Result<Inclusion, TooLarge> {
    let mut alphabet = alphabet.to_vec();
    alphabet.retain(|l| !l.is_tau());
    alphabet.sort_unstable();
    let mut search = Search {
        left,
        right,
        alphabet,
        limits,
        sets: Interner::new(),
        pairs: Vec::new(),
        antichain: vec![Vec::new(); left.states()],
        closure: Closure::new(right.states()),
    };
    search.run()
}

/// A state of the left side and a set of states of the right one, and how it was reached.
struct Pair {
    state: State,
    set: u32,
    parent: u32,
    label: Label,
}

struct Search<'a> {
    left: &'a Lts,
    right: &'a Lts,
    alphabet: Vec<Label>,
    limits: &'a SizeLimits,
    sets: Interner<State>,
    pairs: Vec<Pair>,
    /// For every state of the left side, the smallest sets it has been paired with.
    antichain: Vec<Vec<u32>>,
    closure: Closure,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Inclusion, TooLarge> {
        let first = self.close(vec![self.right.initial()])?;
        let mut level = Vec::new();
        self.add(self.left.initial(), first, (0, Label::TAU), &mut level)?;
        while !level.is_empty() {
            // Silent steps of the left side stay in the level. They are all made before the next
            // level begins, lest a pair of that one make a pair of this one look pointless.
            let mut next = 0;
            while next < level.len() {
                self.expand_silent(level[next], &mut level)?;
                next += 1;
            }
            let mut next_level = Vec::new();
            for pair in level {
                if let Some(label) = self.expand_visible(pair, &mut next_level)? {
                    return Ok(Inclusion::Fails(self.trace(pair, label)));
                }
            }
            level = next_level;
        }
        Ok(Inclusion::Included)
    }

    fn expand_silent(&mut self, pair: u32, level: &mut Vec<u32>) -> Result<(), TooLarge> {
        let Pair { state, set, .. } = self.pairs[pair as usize];
        let left = self.left;
        for edge in left.edges(state) {
            if self.is_silent(edge.label) {
                self.add(edge.target, set, (pair, Label::TAU), level)?;
            }
        }
        Ok(())
    }

    /// Adds the visible successors of a pair; the label that the right side cannot do, if any.
    fn expand_visible(
        &mut self,
        pair: u32,
        next_level: &mut Vec<u32>,
    ) -> Result<Option<Label>, TooLarge> {
        let Pair { state, set, .. } = self.pairs[pair as usize];
        let (left, right) = (self.left, self.right);
        for group in left.edges(state).chunk_by(|x, y| x.label == y.label) {
            let label = group[0].label;
            if self.is_silent(label) {
                continue;
            }
            let targets = self.sets.get(set).iter();
            let targets = targets.flat_map(|s| right.successors(*s, label));
            let targets: Vec<State> = targets.map(|e| e.target).collect();
            if targets.is_empty() {
                return Ok(Some(label));
            }
            let set = self.close(targets)?;
            for edge in group {
                self.add(edge.target, set, (pair, label), next_level)?;
            }
        }
        Ok(None)
    }

    fn is_silent(&self, label: Label) -> bool {
        self.alphabet.binary_search(&label).is_err()
    }

    fn close(&mut self, mut set: Vec<State>) -> Result<u32, TooLarge> {
        let alphabet = &self.alphabet;
        let silent = |l: Label| alphabet.binary_search(&l).is_err();
        self.closure.close(self.right, &mut set, silent);
        let (id, _) = self.sets.intern(&set);
        self.limits.check_transitions(self.sets.entries())?;
        Ok(id)
    }

    /// Adds a pair to a level unless an earlier one makes it pointless.
    fn add(
        &mut self,
        state: State,
        set: u32,
        (parent, label): (u32, Label),
        level: &mut Vec<u32>,
    ) -> Result<(), TooLarge> {
        let sets = &self.sets;
        let smallest = &mut self.antichain[state as usize];
        let contains = |small: u32, large: u32| is_subset(sets.get(small), sets.get(large));
        if smallest.iter().any(|s| contains(*s, set)) {
            return Ok(());
        }
        smallest.retain(|s| !contains(set, *s));
        smallest.push(set);
        let number = self.limits.next_state(self.pairs.len())?;
        self.pairs.push(Pair {
            state,
            set,
            parent,
            label,
        });
        level.push(number);
        Ok(())
    }

    /// The visible labels on the way to a pair, and the last one.
    fn trace(&self, mut pair: u32, last: Label) -> Vec<Label> {
        let mut trace = vec![last];
        while pair != 0 {
            let Pair { parent, label, .. } = self.pairs[pair as usize];
            if !label.is_tau() {
                trace.push(label);
            }
            pair = parent;
        }
        trace.reverse();
        trace
    }
}

/// Is one sorted slice contained in the other?
fn is_subset(small: &[State], large: &[State]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|s| rest.by_ref().any(|l| l == s))
}
