//! The weakest assumption, as a teacher of membership.
//!
//! A word over the assumption's alphabet belongs to it if no run of the components along that
//! word violates the guarantee, whatever happens meanwhile outside the alphabet. That is the subset
//! construction on the product of components and guarantee, done as far as words ask for it:
//! subsets are interned and their steps remembered, so a question costs its new suffix only.
//!
//! Of a subset closed under hidden steps only the states with a visible step are kept: the others
//! cannot matter any more, since a violation inside the closure is found when it is built.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxHashSet, FxHasher};
use suppose_control::{Context, Stopped};
use suppose_model::lts::Label;

use super::dfa::{Dfa, Symbol};
use super::learner::Membership;
use crate::product::{Product, Scratch};

/// The symbol of labels outside the assumption's alphabet.
const HIDDEN: u32 = u32::MAX;
/// The target of a step that the guarantee does not allow.
const VIOLATION: u32 = u32::MAX;
/// A subset step not taken yet.
const UNKNOWN: u32 = u32::MAX;
/// The subset from which a violation can be reached by hidden steps, or was.
const REJECTED: u32 = u32::MAX - 1;
/// Ask the context after this many expanded states.
const ASK_EVERY: usize = 256;
/// What a query takes in the steps of the context besides its letters: most of it is looking the row up and making the word.
const WORK_OF_A_QUERY: u64 = 12;
/// What expanding a state or following a transition takes, in the steps of the context.
const WORK: u64 = 5;
/// Look for at most so many wrong words at a time.
const MOST_WORDS: usize = 256;

/// What the learner's teacher must know of the target.
pub(super) trait Target: Membership {
    /// Words that the conjecture accepts and that are known not to belong to the target, at most
    /// one for each of its transitions. Premise 1 would find such a word, too, but must explore for
    /// it; this looks at what was asked before.
    fn refute(&self, conjecture: &Dfa) -> Result<Vec<Vec<Symbol>>, Stopped>;
    /// How many words were asked for.
    fn queries(&self) -> u64;
    /// Product states and transitions found so far.
    fn explored(&self) -> (u64, u64);
}

/// The weakest assumption under which a product keeps its guarantee.
pub(super) struct Weakest<'a, const W: usize> {
    product: &'a Product,
    cx: &'a Context,
    /// For every label of the network its symbol, or [`HIDDEN`].
    symbol_of: Vec<u32>,
    symbols: u32,
    /// Product states by number.
    records: Vec<[u64; W]>,
    numbers: HashTable<u32>,
    /// Where a state's edges are; `u32::MAX` before it was expanded.
    rows: Vec<(u32, u32)>,
    /// Symbol and target, sorted within a row: visible ones first.
    edges: Vec<(u32, u32)>,
    /// The members of every subset, one after the other.
    members: Vec<u32>,
    subsets: Vec<(usize, usize)>,
    subset_numbers: HashTable<u32>,
    /// Steps of subsets, `symbols` each.
    steps: Vec<u32>,
    initial: u32,
    /// When a state was last put into a closure.
    marks: Vec<u32>,
    mark: u32,
    scratch: Scratch<W>,
    queries: u64,
    expanded: usize,
    /// Expanded states and edges that the context was told of.
    told: u64,
    /// Steps of words since the context was told last.
    walked: u64,
}

impl<'a, const W: usize> Weakest<'a, W> {
    /// For a product with a guarantee, over that alphabet.
    pub fn new(
        product: &'a Product,
        alphabet: &[Label],
        labels: usize,
        cx: &'a Context,
    ) -> Result<Self, Stopped> {
        let mut symbol_of = vec![HIDDEN; labels];
        for (symbol, label) in alphabet.iter().enumerate() {
            symbol_of[label.index()] = symbol as u32;
        }
        let mut it = Weakest {
            product,
            cx,
            symbol_of,
            symbols: alphabet.len() as u32,
            records: Vec::new(),
            numbers: HashTable::new(),
            rows: Vec::new(),
            edges: Vec::new(),
            members: Vec::new(),
            subsets: Vec::new(),
            subset_numbers: HashTable::new(),
            steps: Vec::new(),
            initial: REJECTED,
            marks: Vec::new(),
            mark: 0,
            scratch: Scratch::default(),
            queries: 0,
            expanded: 0,
            told: 0,
            walked: 0,
        };
        let mut record = [0; W];
        record.copy_from_slice(product.initial());
        let start = it.number(record);
        it.initial = it.close(vec![start])?;
        Ok(it)
    }

    fn number(&mut self, record: [u64; W]) -> u32 {
        let records = &self.records;
        let same = |n: &u32| records[*n as usize] == record;
        let hasher = |n: &u32| hash(&records[*n as usize]);
        let slot = match self.numbers.entry(hash(&record), same, hasher) {
            Entry::Occupied(found) => return *found.get(),
            Entry::Vacant(slot) => slot,
        };
        let number = self.records.len() as u32;
        slot.insert(number);
        self.records.push(record);
        self.rows.push((u32::MAX, 0));
        self.marks.push(0);
        number
    }

    fn expand(&mut self, state: u32) -> Result<(), Stopped> {
        if self.rows[state as usize].0 != u32::MAX {
            return Ok(());
        }
        self.expanded += 1;
        if self.expanded.is_multiple_of(ASK_EVERY) {
            self.ask()?;
        }
        let record = self.records[state as usize];
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut found = Vec::new();
        self.product.steps(&record, &mut scratch, |label, to| {
            let symbol = match label.is_tau() {
                true => HIDDEN,
                false => self.symbol_of[label.index()],
            };
            found.push((symbol, to));
        });
        self.scratch = scratch;
        let start = self.edges.len();
        for (symbol, to) in found {
            let target = to.map_or(VIOLATION, |record| self.number(record));
            self.edges.push((symbol, target));
        }
        self.edges[start..].sort_unstable();
        if self.edges.len() >= u32::MAX as usize || self.records.len() >= REJECTED as usize {
            return Err(Stopped::Memory);
        }
        self.rows[state as usize] = (start as u32, self.edges.len() as u32);
        Ok(())
    }

    /// The tables double as they grow: room for the next doubling is asked for before it is due.
    fn ask(&mut self) -> Result<(), Stopped> {
        let done = (self.edges.len() + self.expanded) as u64;
        let steps = (done - std::mem::replace(&mut self.told, done)) * WORK;
        self.cx.spend_on_states(self.records.len() as u64, steps)?;
        let state = W * 8 + 24;
        let bytes = self.records.len() * state + self.edges.len() * 8;
        self.cx.reserve(bytes as u64)
    }

    fn row(&self, state: u32) -> &[(u32, u32)] {
        let (start, end) = self.rows[state as usize];
        &self.edges[start as usize..end as usize]
    }

    /// The subset of all that hidden steps reach from some states.
    fn close(&mut self, mut found: Vec<u32>) -> Result<u32, Stopped> {
        if self.mark == u32::MAX {
            self.marks.fill(0);
            self.mark = 0;
        }
        self.mark += 1;
        found.retain(|s| std::mem::replace(&mut self.marks[*s as usize], self.mark) != self.mark);
        let mut at = 0;
        while at < found.len() {
            let state = found[at];
            self.expand(state)?;
            let (start, end) = self.rows[state as usize];
            for edge in (start..end).rev() {
                let (symbol, target) = self.edges[edge as usize];
                if symbol != HIDDEN {
                    break;
                }
                if target == VIOLATION {
                    return Ok(REJECTED);
                }
                if self.marks[target as usize] != self.mark {
                    self.marks[target as usize] = self.mark;
                    found.push(target);
                }
            }
            at += 1;
        }
        found.retain(|s| self.row(*s).first().is_some_and(|e| e.0 != HIDDEN));
        found.sort_unstable();
        self.intern(&found)
    }

    fn intern(&mut self, found: &[u32]) -> Result<u32, Stopped> {
        if self.members.capacity() - self.members.len() < found.len() {
            let more = self.members.capacity().max(found.len());
            self.cx.reserve(more as u64 * 4)?;
        }
        let work = 10 + 2 * found.len() as u64;
        self.cx.spend_on_states(self.subsets.len() as u64, work)?;
        let (subsets, members) = (&self.subsets, &self.members);
        let of = |n: u32| {
            let (start, end) = subsets[n as usize];
            &members[start..end]
        };
        let same = |n: &u32| of(*n) == found;
        let hasher = |n: &u32| hash(of(*n));
        let slot = match self.subset_numbers.entry(hash(found), same, hasher) {
            Entry::Occupied(known) => return Ok(*known.get()),
            Entry::Vacant(slot) => slot,
        };
        let number = self.subsets.len() as u32;
        slot.insert(number);
        let start = self.members.len();
        self.members.extend_from_slice(found);
        self.subsets.push((start, self.members.len()));
        let rows = self.steps.len() + self.symbols as usize;
        self.steps.resize(rows, UNKNOWN);
        Ok(number)
    }

    fn step(&mut self, subset: u32, symbol: Symbol) -> Result<u32, Stopped> {
        let slot = subset as usize * self.symbols as usize + symbol as usize;
        if self.steps[slot] != UNKNOWN {
            return Ok(self.steps[slot]);
        }
        let (start, end) = self.subsets[subset as usize];
        self.cx.account((end - start) as u64);
        let mut found = Vec::new();
        let mut violated = false;
        for at in start..end {
            let row = self.row(self.members[at]);
            let from = row.partition_point(|e| e.0 < symbol);
            let same = row[from..].iter().take_while(|e| e.0 == symbol);
            for (_, target) in same {
                violated |= *target == VIOLATION;
                found.push(*target);
            }
        }
        let next = match violated {
            true => REJECTED,
            false => self.close(found)?,
        };
        self.steps[slot] = next;
        Ok(next)
    }
}

impl<const W: usize> Membership for Weakest<'_, W> {
    fn member(&mut self, word: &[Symbol]) -> Result<bool, Stopped> {
        self.queries += 1;
        self.walked += WORK_OF_A_QUERY + word.len() as u64;
        if self.queries.is_multiple_of(ASK_EVERY as u64) {
            self.cx.spend(std::mem::take(&mut self.walked))?;
        }
        let mut subset = self.initial;
        for symbol in word {
            if subset == REJECTED {
                return Ok(false);
            }
            subset = self.step(subset, *symbol)?;
        }
        Ok(subset != REJECTED)
    }
}

impl<const W: usize> Target for Weakest<'_, W> {
    fn refute(&self, conjecture: &Dfa) -> Result<Vec<Vec<Symbol>>, Stopped> {
        let mut found = Vec::new();
        let start = (conjecture.initial(), self.initial);
        if self.initial == REJECTED || !conjecture.accepting(start.0) {
            return Ok(found);
        }
        let mut blamed = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([start]);
        let mut queue = vec![(start, 0, 0)];
        let mut at = 0;
        while at < queue.len() && found.len() < MOST_WORDS {
            if at.is_multiple_of(ASK_EVERY) {
                self.cx.check()?;
            }
            self.cx.account(2 + 3 * u64::from(self.symbols));
            let ((state, subset), _, _) = queue[at];
            for symbol in 0..self.symbols {
                let known = self.steps[subset as usize * self.symbols as usize + symbol as usize];
                let target = conjecture.step(state, symbol);
                if known == UNKNOWN || !conjecture.accepting(target) {
                    continue;
                }
                if known == REJECTED {
                    if blamed.insert((state, symbol)) {
                        found.push(trail(&queue, at, symbol));
                    }
                } else if seen.insert((target, known)) {
                    queue.push(((target, known), at, symbol));
                }
            }
            at += 1;
        }
        Ok(found)
    }

    fn queries(&self) -> u64 {
        self.queries
    }

    fn explored(&self) -> (u64, u64) {
        (self.records.len() as u64, self.edges.len() as u64)
    }
}

fn trail(queue: &[((u32, u32), usize, Symbol)], mut at: usize, last: Symbol) -> Vec<Symbol> {
    let mut word = vec![last];
    while at != 0 {
        word.push(queue[at].2);
        at = queue[at].1;
    }
    word.reverse();
    word
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use suppose_model::lts::{Labels, Lts, LtsBuilder};

    use super::super::learner::{Language, Learner};
    use super::super::lstar::LStar;
    use super::*;

    fn cycle(labels: &[Label]) -> Lts {
        let mut builder = LtsBuilder::new("cycle");
        for (at, label) in labels.iter().enumerate() {
            let next = (at + 1) % labels.len();
            builder.edge(at as u32, *label, next as u32);
        }
        builder.build()
    }

    fn words(symbols: u32, length: usize) -> Vec<Vec<Symbol>> {
        let mut words = vec![Vec::new()];
        let mut at = 0;
        while at < words.len() && words[at].len() < length {
            for symbol in 0..symbols {
                let mut longer = words[at].clone();
                longer.push(symbol);
                words.push(longer);
            }
            at += 1;
        }
        words
    }

    /// The paper's channel: what `Input` needs of its environment for `Order`, learned to the end.
    #[test]
    fn the_weakest_assumption_of_the_channel_has_four_accepting_states() {
        let mut labels = Labels::new();
        let [input, send, ack, output] =
            ["input", "send", "ack", "output"].map(|l| labels.intern(l));
        let component = cycle(&[input, send, ack]);
        let order = cycle(&[input, output]);
        let product = Product::new(&[&component], Some(&order), labels.len());
        let cx = Context::default();
        let alphabet = [send, ack, output];
        let mut target = Weakest::<1>::new(&product, &alphabet, labels.len(), &cx).unwrap();
        let mut learner = LStar::new(3, Language::PrefixClosed);
        let mut dfa = learner.conjecture(&mut target).unwrap();
        for word in words(3, 7) {
            while learner.refine(&word, &mut target).unwrap() {
                dfa = learner.conjecture(&mut target).unwrap();
            }
        }
        let accepting = (0..dfa.states() as u32).filter(|s| dfa.accepting(*s));
        assert_eq!((dfa.states(), accepting.count()), (5, 4));
        assert!(target.member(&[0, 2, 1, 0]).unwrap());
        assert!(!target.member(&[0, 1]).unwrap());
        assert!(target.member(&[1, 2, 2, 2]).unwrap());
    }
}
