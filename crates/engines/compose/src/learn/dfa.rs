//! Complete deterministic automata over numbered symbols.

use rustc_hash::FxHashMap;

/// A symbol: the number of a label in the alphabet at hand.
pub type Symbol = u32;

/// A complete deterministic finite automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    symbols: u32,
    initial: u32,
    accepting: Vec<bool>,
    targets: Vec<u32>,
}

impl Dfa {
    /// From rows of targets, `symbols` of them a state. The rows must be whole and in range.
    pub fn new(symbols: u32, initial: u32, accepting: Vec<bool>, targets: Vec<u32>) -> Self {
        let states = accepting.len();
        assert_eq!(targets.len(), states * symbols as usize, "rows are cut off");
        assert!((initial as usize) < states && targets.iter().all(|t| (*t as usize) < states));
        Dfa {
            symbols,
            initial,
            accepting,
            targets,
        }
    }

    /// How many symbols.
    pub fn symbols(&self) -> u32 {
        self.symbols
    }

    /// How many states, rejecting ones too.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Where it starts.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// Does it accept in that state?
    pub fn accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// One step.
    pub fn step(&self, state: u32, symbol: Symbol) -> u32 {
        self.targets[state as usize * self.symbols as usize + symbol as usize]
    }

    /// Where a word leads from a state.
    pub fn run(&self, from: u32, word: &[Symbol]) -> u32 {
        word.iter().fold(from, |state, a| self.step(state, *a))
    }

    /// Does it accept the word?
    pub fn accepts(&self, word: &[Symbol]) -> bool {
        self.accepting(self.run(self.initial, word))
    }

    /// The smallest automaton of the same language, states numbered breadth-first. Moore's
    /// refinement by rounds: the automata here are small.
    pub fn minimised(&self) -> Dfa {
        let mut classes: Vec<u32> = self.accepting.iter().map(|a| u32::from(*a)).collect();
        let mut count = 0;
        loop {
            let (next, found) = self.refined(&classes);
            classes = next;
            if found == count {
                return self.quotient(&classes);
            }
            count = found;
        }
    }

    fn refined(&self, classes: &[u32]) -> (Vec<u32>, usize) {
        let mut index: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let class = |s: usize| {
            let row = &self.targets[s * self.symbols as usize..][..self.symbols as usize];
            let mut key = vec![classes[s]];
            key.extend(row.iter().map(|t| classes[*t as usize]));
            let fresh = index.len() as u32;
            *index.entry(key).or_insert(fresh)
        };
        let next: Vec<u32> = (0..self.states()).map(class).collect();
        (next, index.len())
    }

    fn quotient(&self, classes: &[u32]) -> Dfa {
        const NONE: u32 = u32::MAX;
        let mut number = vec![NONE; self.states()];
        let mut members = vec![self.initial];
        number[classes[self.initial as usize] as usize] = 0;
        let (mut accepting, mut targets) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < members.len() {
            let state = members[at];
            accepting.push(self.accepting(state));
            for symbol in 0..self.symbols {
                let target = self.step(state, symbol);
                let slot = &mut number[classes[target as usize] as usize];
                if *slot == NONE {
                    *slot = members.len() as u32;
                    members.push(target);
                }
                targets.push(*slot);
            }
            at += 1;
        }
        Dfa::new(self.symbols, 0, accepting, targets)
    }

    /// A shortest word that one accepts and the other does not.
    pub fn difference(&self, other: &Dfa) -> Option<Vec<Symbol>> {
        assert_eq!(self.symbols, other.symbols);
        let start = (self.initial, other.initial);
        let mut seen: FxHashMap<(u32, u32), usize> = FxHashMap::from_iter([(start, 0)]);
        let mut queue = vec![(start, usize::MAX, 0)];
        let mut at = 0;
        while at < queue.len() {
            let ((p, q), _, _) = queue[at];
            if self.accepting(p) != other.accepting(q) {
                return Some(path(&queue, at));
            }
            for symbol in 0..self.symbols {
                let pair = (self.step(p, symbol), other.step(q, symbol));
                if seen.insert(pair, queue.len()).is_none() {
                    queue.push((pair, at, symbol));
                }
            }
            at += 1;
        }
        None
    }
}

fn path(queue: &[((u32, u32), usize, Symbol)], mut at: usize) -> Vec<Symbol> {
    let mut word = Vec::new();
    while queue[at].1 != usize::MAX {
        word.push(queue[at].2);
        at = queue[at].1;
    }
    word.reverse();
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_are_merged_and_differences_found() {
        // Words with an even number of symbol 0; states 0 and 2 say the same.
        let four = Dfa::new(
            2,
            0,
            vec![true, false, true, false],
            vec![1, 2, 2, 1, 3, 0, 0, 3],
        );
        let two = four.minimised();
        assert_eq!((two.states(), four.difference(&two)), (2, None));
        let all = Dfa::new(2, 0, vec![true], vec![0, 0]);
        assert_eq!(two.difference(&all), Some(vec![0]));
    }
}
