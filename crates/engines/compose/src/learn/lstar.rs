//! L*: Angluin's observation table (Information and Computation 75, 1987) with the counterexample
//! analysis of Rivest and Schapire (Information and Computation 103, 1993).
//!
//! A counterexample adds one suffix, so the prefixes keep pairwise different rows and the table
//! is always consistent: only closing is left to do. Rows are not kept as strings of answers but
//! as nodes of a binary trie with one level a suffix: equal rows are equal numbers.

use suppose_control::Stopped;

use super::dfa::{Dfa, Symbol};
use super::learner::{Hypothesis, Language, Learner, Membership, breakpoint};

const NONE: u32 = u32::MAX;

/// A row of the table: a prefix and the answers for it.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The prefix is that of this row with one more symbol; `NONE` for the empty word.
    parent: u32,
    symbol: Symbol,
    /// Where its answers lead in the trie.
    node: u32,
    /// Is the prefix in the language? The first suffix is the empty word.
    accepted: bool,
    /// Neither it nor any extension is.
    dead: bool,
}

/// The learner L*.
#[derive(Debug)]
pub struct LStar {
    symbols: u32,
    language: Language,
    suffixes: Vec<Vec<Symbol>>,
    /// Row 0 is the empty word; row `1 + state * symbols + symbol` extends a state's prefix.
    rows: Vec<Row>,
    /// The rows whose prefixes are the states.
    states: Vec<u32>,
    accepting: Vec<bool>,
    /// Children by answer.
    trie: Vec<[u32; 2]>,
    /// The state whose row ends in that node of the trie.
    owner: Vec<u32>,
}

impl LStar {
    /// For a language over that many symbols.
    pub fn new(symbols: u32, language: Language) -> Self {
        LStar {
            symbols,
            language,
            suffixes: Vec::new(),
            rows: Vec::new(),
            states: Vec::new(),
            accepting: Vec::new(),
            trie: vec![[NONE; 2]],
            owner: vec![NONE],
        }
    }

    fn prefix(&self, mut row: u32) -> Vec<Symbol> {
        let mut word = Vec::new();
        while self.rows[row as usize].parent != NONE {
            word.push(self.rows[row as usize].symbol);
            row = self.rows[row as usize].parent;
        }
        word.reverse();
        word
    }

    fn answer(&mut self, row: usize, member: bool) {
        let node = self.rows[row].node as usize;
        let slot = usize::from(member);
        if self.trie[node][slot] == NONE {
            self.trie[node][slot] = self.trie.len() as u32;
            self.trie.push([NONE; 2]);
            self.owner.push(NONE);
        }
        self.rows[row].node = self.trie[node][slot];
    }

    /// Asks for the answers of a row from a suffix on.
    fn fill(
        &mut self,
        row: usize,
        from: usize,
        oracle: &mut dyn Membership,
    ) -> Result<(), Stopped> {
        let mut word = self.prefix(row as u32);
        let length = word.len();
        for at in from..self.suffixes.len() {
            if self.rows[row].dead {
                self.answer(row, false);
                continue;
            }
            word.truncate(length);
            word.extend_from_slice(&self.suffixes[at]);
            let member = oracle.member(&word)?;
            if at == 0 {
                self.rows[row].accepted = member;
                self.rows[row].dead = !member && self.language == Language::PrefixClosed;
            }
            self.answer(row, member);
        }
        Ok(())
    }

    fn add_row(
        &mut self,
        parent: u32,
        symbol: Symbol,
        oracle: &mut dyn Membership,
    ) -> Result<(), Stopped> {
        let dead = parent != NONE && self.rows[parent as usize].dead;
        let row = self.rows.len();
        let node = 0;
        self.rows.push(Row {
            parent,
            symbol,
            node,
            accepted: false,
            dead,
        });
        self.fill(row, 0, oracle)
    }

    fn add_state(&mut self, row: u32, oracle: &mut dyn Membership) -> Result<(), Stopped> {
        let node = self.rows[row as usize].node as usize;
        self.owner[node] = self.states.len() as u32;
        self.states.push(row);
        self.accepting.push(self.rows[row as usize].accepted);
        (0..self.symbols).try_for_each(|symbol| self.add_row(row, symbol, oracle))
    }

    fn begin(&mut self, oracle: &mut dyn Membership) -> Result<(), Stopped> {
        self.suffixes.push(Vec::new());
        self.add_row(NONE, 0, oracle)?;
        self.add_state(0, oracle)?;
        self.close(oracle)
    }

    /// Every row gets a state with the same answers. New states bring new rows, to be looked at too.
    fn close(&mut self, oracle: &mut dyn Membership) -> Result<(), Stopped> {
        let mut row = 0;
        while row < self.rows.len() {
            if self.owner[self.rows[row].node as usize] == NONE {
                self.add_state(row as u32, oracle)?;
            }
            row += 1;
        }
        Ok(())
    }

    fn add_suffix(
        &mut self,
        suffix: &[Symbol],
        oracle: &mut dyn Membership,
    ) -> Result<(), Stopped> {
        let last = self.suffixes.len();
        self.suffixes.push(suffix.to_vec());
        for row in 0..self.rows.len() {
            self.fill(row, last, oracle)?;
        }
        for (state, row) in self.states.iter().enumerate() {
            self.owner[self.rows[*row as usize].node as usize] = state as u32;
        }
        self.close(oracle)
    }

    fn dfa(&self) -> Dfa {
        let targets = self.rows[1..]
            .iter()
            .map(|row| self.owner[row.node as usize])
            .collect();
        Dfa::new(self.symbols, 0, self.accepting.clone(), targets)
    }
}

impl Hypothesis for LStar {
    fn step(&self, state: u32, symbol: Symbol) -> u32 {
        let row = 1 + state as usize * self.symbols as usize + symbol as usize;
        self.owner[self.rows[row].node as usize]
    }

    fn accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    fn access(&self, state: u32) -> Vec<Symbol> {
        self.prefix(self.states[state as usize])
    }
}

impl Learner for LStar {
    fn conjecture(&mut self, oracle: &mut dyn Membership) -> Result<Dfa, Stopped> {
        if self.suffixes.is_empty() {
            self.begin(oracle)?;
        }
        Ok(self.dfa())
    }

    fn refine(&mut self, word: &[Symbol], oracle: &mut dyn Membership) -> Result<bool, Stopped> {
        if self.suffixes.is_empty() {
            self.begin(oracle)?;
        }
        let Some(at) = breakpoint(word, self, oracle)? else {
            return Ok(false);
        };
        self.add_suffix(&word[at.rest..], oracle)?;
        Ok(true)
    }

    fn states(&self) -> usize {
        self.states.len()
    }
}
