//! Justification: which atoms still have to be decided.
//!
//! The search does not assign all variables. It walks the formulas from what must be true downwards:
//! of a conjunction all parts, of a disjunction one. A disjunction that none of its parts makes true yet is
//! where a decision is due. When the walk comes to its end, the arithmetic bounds it passed make
//! everything true, whatever the rest is. So atoms of branches not taken reach neither the search nor the simplex.
//!
//! A query with many conflicts is a hard one, and there the most active variables are decided first, as usual, among
//! those the walk could come to; the walk still says when the end is reached.
//!
//! The walk is a queue with a head; both are remembered for each level of the search and restored when it goes back.

use crate::encode::{Encoder, Gate, Root};
use crate::sat::{Lit, Reason, Sat};
use crate::simplex::Simplex;

/// An entry of the walk: a literal that is true, or an asserted clause.
const ROOT: u32 = 1 << 31;

/// Where the traversal of a formula continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// To decide.
    Decide(Lit),
    /// Something followed from bounds and must be propagated first.
    Propagate,
    /// Everything is true.
    Done,
}

#[derive(Debug, Default)]
pub(crate) struct Justification {
    queue: Vec<u32>,
    head: usize,
    visited: Vec<bool>,
    /// Length and head of the queue when each level began.
    levels: Vec<(u32, u32)>,
}

impl Justification {
    /// Begins again, at level 0.
    pub(crate) fn start(&mut self) {
        self.levels.clear();
        self.backtrack_to(0, 0);
    }

    pub(crate) fn add_root(&mut self, root: Root) {
        self.queue.push(root | ROOT);
    }

    pub(crate) fn add_lit(&mut self, lit: Lit) {
        if self.visited.len() <= lit.var() {
            self.visited.resize(lit.var() + 1, false);
        }
        if !std::mem::replace(&mut self.visited[lit.var()], true) {
            self.queue.push(lit.0);
        }
    }

    /// A level of the search begins.
    pub(crate) fn push_level(&mut self) {
        self.levels
            .push((self.queue.len() as u32, self.head as u32));
    }

    pub(crate) fn backtrack(&mut self, level: usize) {
        if self.levels.len() > level {
            let (length, head) = self.levels[level];
            self.levels.truncate(level);
            self.backtrack_to(length as usize, head as usize);
        }
    }

    fn backtrack_to(&mut self, length: usize, head: usize) {
        for entry in self.queue.drain(length..) {
            if entry & ROOT == 0 {
                self.visited[Lit(entry).var()] = false;
            }
        }
        self.head = head;
    }

    /// Walks on to where a decision is due.
    pub(crate) fn next(&mut self, sat: &mut Sat, encoder: &Encoder, simplex: &Simplex) -> Next {
        while self.head < self.queue.len() {
            let entry = self.queue[self.head];
            let next = if entry & ROOT != 0 {
                self.one_of(encoder.root(entry & !ROOT), true, sat, encoder, simplex)
            } else {
                self.visit(Lit(entry), sat, encoder, simplex)
            };
            if next != Next::Done {
                return next;
            }
            self.head += 1;
        }
        Next::Done
    }

    fn visit(&mut self, lit: Lit, sat: &mut Sat, encoder: &Encoder, simplex: &Simplex) -> Next {
        debug_assert!(sat.is_true(lit), "only what is true is visited");
        match &encoder.gates[lit.var()] {
            Gate::Free | Gate::Atom(_) | Gate::Unknown | Gate::Divides => Next::Done,
            Gate::And(parts) if lit.positive() => self.all_of(parts, true),
            Gate::Or(parts) if !lit.positive() => self.all_of(parts, false),
            Gate::And(parts) | Gate::Or(parts) => {
                self.one_of(parts, lit.positive(), sat, encoder, simplex)
            }
            &Gate::Iff(a, b) => match sat.value(a) {
                None => match bounds_say(a, sat, encoder, simplex) {
                    None => Next::Decide(a.signed(sat.phase[a.var()] == a.positive())),
                    Some(_) => Next::Propagate,
                },
                Some(truth) => {
                    self.add_lit(a.signed(truth));
                    self.add_lit(b.signed(truth == lit.positive()));
                    Next::Done
                }
            },
        }
    }

    fn all_of(&mut self, parts: &[Lit], positive: bool) -> Next {
        for &part in parts {
            self.add_lit(part.signed(positive));
        }
        Next::Done
    }

    fn one_of(
        &mut self,
        parts: &[Lit],
        positive: bool,
        sat: &mut Sat,
        encoder: &Encoder,
        simplex: &Simplex,
    ) -> Next {
        if let Some(&chosen) = parts.iter().find(|p| sat.is_true(p.signed(positive))) {
            self.add_lit(chosen.signed(positive));
            return Next::Done;
        }
        let mut best: Option<((u8, f64), Lit)> = None;
        let mut followed = false;
        for &part in parts {
            let part = part.signed(positive);
            if sat.value(part).is_some() {
                continue;
            }
            if let Some(truth) = bounds_say(part, sat, encoder, simplex) {
                if truth {
                    return Next::Propagate;
                }
                followed = true;
                continue;
            }
            let score = (
                liking(part, sat, encoder, simplex),
                sat.activity[part.var()],
            );
            if best.is_none_or(|(b, _)| score > b) {
                best = Some((score, part));
            }
        }
        match best {
            _ if followed => Next::Propagate,
            Some((_, part)) => Next::Decide(part),
            None => Next::Propagate,
        }
    }

    /// Ranks all variables that the walk could come to, so that the search can choose among them by
    /// activity.
    pub(crate) fn rank_all(&self, sat: &mut Sat, encoder: &Encoder) {
        let start = self
            .levels
            .first()
            .map_or(self.queue.len(), |l| l.0 as usize);
        let mut stack: Vec<Lit> = Vec::new();
        for &entry in &self.queue[..start] {
            if entry & ROOT != 0 {
                stack.extend_from_slice(encoder.root(entry & !ROOT));
            } else {
                stack.push(Lit(entry));
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(lit) = stack.pop() {
            if !seen.insert(lit.var()) {
                continue;
            }
            if encoder.is_free_to_choose(lit.var()) {
                sat.rank(lit.var());
            }
            match &encoder.gates[lit.var()] {
                Gate::And(parts) | Gate::Or(parts) => stack.extend_from_slice(parts),
                &Gate::Iff(a, b) => stack.extend([a, b]),
                _ => {}
            }
        }
    }
}

/// Assigns a literal if the bounds of its own form imply its truth.
pub(crate) fn bounds_say(
    lit: Lit,
    sat: &mut Sat,
    encoder: &Encoder,
    simplex: &Simplex,
) -> Option<bool> {
    let Gate::Atom(atom) = encoder.gates[lit.var()] else {
        return None;
    };
    let (truth, bound) = simplex.implied(atom)?;
    let implied = Lit::new(lit.0 >> 1, truth);
    sat.enqueue(implied, Reason::implied_by(simplex.literal(bound)));
    Some(implied == lit)
}

/// A literal that is true of the values at hand costs the simplex nothing; next comes what was
/// chosen last time.
fn liking(lit: Lit, sat: &Sat, encoder: &Encoder, simplex: &Simplex) -> u8 {
    if let Gate::Atom(atom) = encoder.gates[lit.var()]
        && let Some(truth) = simplex.holds_now(atom)
    {
        return if truth == lit.positive() { 2 } else { 0 };
    }
    u8::from(sat.phase[lit.var()] == lit.positive())
}
