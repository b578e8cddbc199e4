//! What one thread has found and nobody has looked up yet.

use crate::image::{PARTITIONS, hash};
use crate::rows;
use crate::space::Sink;

/// Places for states that were sent last: neighbours have many successors in common.
const RECENT: usize = 1 << 14;

/// Successors by partition.
pub(crate) struct Outbox {
    words: usize,
    pub(crate) rows: Vec<Vec<u64>>,
    /// Words in all of them.
    pub(crate) held: usize,
    /// States that were sent once. They are in the set, or will be, so a state need not be sent again, in whatever round.
    recent: Vec<u64>,
    /// Steps followed from the state that is expanded.
    pub(crate) steps: u64,
    /// What is wrong there.
    pub(crate) wrong: Vec<usize>,
    row: Vec<u64>,
}

impl Outbox {
    pub(crate) fn new(words: usize) -> Outbox {
        Outbox {
            words,
            rows: vec![Vec::new(); PARTITIONS],
            held: 0,
            recent: vec![u64::MAX; RECENT * words],
            steps: 0,
            wrong: Vec::new(),
            row: vec![0; words],
        }
    }

    /// States have more words from now on.
    pub(crate) fn widen(&mut self, words: usize) {
        if words == self.words {
            return;
        }
        for rows in &mut self.rows {
            rows::widen(rows, self.words, words);
        }
        self.held = self.rows.iter().map(Vec::len).sum();
        self.recent = vec![u64::MAX; RECENT * words];
        self.row = vec![0; words];
        self.words = words;
    }

    /// Takes what was collected.
    pub(crate) fn take(&mut self, partition: usize) -> Vec<u64> {
        let rows = std::mem::take(&mut self.rows[partition]);
        self.held -= rows.len();
        rows
    }
}

impl Sink for Outbox {
    #[inline]
    fn successor(&mut self, state: &[u64]) {
        self.steps += 1;
        let hash = hash(state);
        let own = match state.len() == self.words {
            true => state,
            false => {
                self.row.fill(0);
                self.row[..state.len()].copy_from_slice(state);
                &self.row
            }
        };
        let at = (hash >> 16) as usize % RECENT * self.words;
        let recent = &mut self.recent[at..at + self.words];
        if recent == own {
            return;
        }
        recent.copy_from_slice(own);
        self.rows[hash as usize % PARTITIONS].extend_from_slice(own);
        self.held += self.words;
    }

    fn wrong(&mut self, claim: usize) {
        if !self.wrong.contains(&claim) {
            self.wrong.push(claim);
        }
    }
}
