//! Unit propagation.

use crate::cancellation::Cancellation;
use crate::rejection::Rejection;

/// An atom's number, twice, plus 1 if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Code(u32);

impl Code {
    pub fn new(atom: u32, positive: bool) -> Code {
        Code(2 * atom + u32::from(!positive))
    }

    pub fn not(self) -> Code {
        Code(self.0 ^ 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Clauses, and what follows from them by unit propagation.
///
/// Each stored clause watches its first two literals: while propagation is complete, a watched literal is
/// false only if the other one is true.
#[derive(Default)]
pub(super) struct Clauses {
    stored: Vec<Box<[Code]>>,
    /// For each literal the clauses that watch it.
    watches: Vec<Vec<Watcher>>,
    /// Whether a literal is known to be true.
    is_true: Vec<bool>,
    /// The literals known to be true, in order.
    trail: Vec<Code>,
    /// How many of these have been propagated.
    done: usize,
    /// Do the clauses contradict each other, by unit propagation alone?
    contradiction: bool,
}

/// A clause, and another of its literals: while that is true the clause need not be examined.
#[derive(Clone, Copy)]
struct Watcher {
    clause: u32,
    other: Code,
}

impl Clauses {
    /// Over this many atoms.
    pub fn new(atoms: usize) -> Self {
        Clauses {
            watches: vec![Vec::new(); 2 * atoms],
            is_true: vec![false; 2 * atoms],
            ..Clauses::default()
        }
    }

    /// From now on the clause is true.
    pub fn add(&mut self, clause: &[Code], watch: &mut Cancellation) -> Result<(), Rejection> {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == pair[1].not());
        if tautology || self.contradiction {
            return Ok(());
        }
        // What is false now stays so: nothing is assumed at this point.
        clause.retain(|&literal| !self.is_false(literal));
        match clause[..] {
            [] => self.contradiction = true,
            [only] => {
                self.assign(only);
                self.contradiction = !self.propagate(watch)?;
            }
            [first, second, ..] => {
                let clause_number = self.stored.len() as u32;
                for (watched, other) in [(first, second), (second, first)] {
                    self.watches[watched.index()].push(Watcher {
                        clause: clause_number,
                        other,
                    });
                }
                self.stored.push(clause.into());
            }
        }
        Ok(())
    }

    /// Does the negation of a clause lead to a contradiction?
    pub fn implies(
        &mut self,
        clause: &[Code],
        watch: &mut Cancellation,
    ) -> Result<bool, Rejection> {
        if self.contradiction {
            return Ok(true);
        }
        let before = self.trail.len();
        let mut refuted = false;
        for literal in clause {
            if self.is_true[literal.index()] {
                refuted = true;
                break;
            }
            self.assign(literal.not());
        }
        let refuted = refuted || !self.propagate(watch)?;
        for literal in self.trail.drain(before..) {
            self.is_true[literal.index()] = false;
        }
        self.done = before;
        Ok(refuted)
    }

    fn is_false(&self, literal: Code) -> bool {
        self.is_true[literal.not().index()]
    }

    fn assign(&mut self, literal: Code) {
        if !self.is_true[literal.index()] {
            self.is_true[literal.index()] = true;
            self.trail.push(literal);
        }
    }

    /// Draws all conclusions; false if there is a contradiction.
    fn propagate(&mut self, watch: &mut Cancellation) -> Result<bool, Rejection> {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            watch.tick()?;
            if !self.visit(literal.not()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Examines all clauses that watch a literal which became false.
    fn visit(&mut self, gone: Code) -> bool {
        let mut watching = std::mem::take(&mut self.watches[gone.index()]);
        let mut consistent = true;
        watching.retain(|watcher| {
            if !consistent || self.is_true[watcher.other.index()] {
                return true;
            }
            match self.move_watch(watcher.clause, gone) {
                Moved::Elsewhere => false,
                Moved::Stays => true,
                Moved::Conflict => {
                    consistent = false;
                    true
                }
            }
        });
        self.watches[gone.index()] = watching;
        consistent
    }

    fn move_watch(&mut self, number: u32, gone: Code) -> Moved {
        let clause = &mut self.stored[number as usize];
        if clause[0] == gone {
            clause.swap(0, 1);
        }
        let other = clause[0];
        if self.is_true[other.index()] {
            return Moved::Stays;
        }
        let is_true = &self.is_true;
        let free = (2..clause.len()).find(|&i| !is_true[clause[i].not().index()]);
        if let Some(at) = free {
            clause.swap(1, at);
            let now = clause[1];
            self.watches[now.index()].push(Watcher {
                clause: number,
                other,
            });
            return Moved::Elsewhere;
        }
        if self.is_false(other) {
            return Moved::Conflict;
        }
        self.assign(other);
        Moved::Stays
    }
}

enum Moved {
    Elsewhere,
    Stays,
    Conflict,
}
