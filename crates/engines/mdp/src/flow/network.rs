//! A flow from the targets of one distribution (rows) to those of another (columns), in whole amounts.

use suppose_number::Int;

/// Whole amounts: a word, two words, or as large as it takes.
pub(crate) trait Amount: Clone + Ord {
    fn zero() -> Self;
    fn is_zero(&self) -> bool;
    fn add(&mut self, other: &Self);
    fn sub(&mut self, other: &Self);
}

macro_rules! word {
    ($word:ty) => {
        impl Amount for $word {
            #[inline]
            fn zero() -> Self {
                0
            }
            #[inline]
            fn is_zero(&self) -> bool {
                *self == 0
            }
            #[inline]
            fn add(&mut self, other: &Self) {
                *self += *other;
            }
            #[inline]
            fn sub(&mut self, other: &Self) {
                *self -= *other;
            }
        }
    };
}

word!(u64);
word!(u128);

impl Amount for Int {
    fn zero() -> Self {
        Int::ZERO
    }
    fn is_zero(&self) -> bool {
        Int::is_zero(self)
    }
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn sub(&mut self, other: &Self) {
        *self -= other;
    }
}

/// Not reached by a search.
const NONE: u32 = u32::MAX;
/// Where a search began.
const START: u32 = u32::MAX - 1;

/// Rows with supplies, columns with demands, and a flow between them.
///
/// Both sides add up to the same, at most the largest amount, so no sum overflows. What has not flowed yet is kept,
/// not what has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network<N> {
    /// Of each row, what is left to send.
    pub(crate) rows: Vec<N>,
    /// Of each column, what is left to receive.
    pub(crate) columns: Vec<N>,
    /// Row by row.
    pub(crate) flow: Vec<N>,
}

/// Where a search came from, for rows and columns; room that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    rows: Vec<u32>,
    columns: Vec<u32>,
    queue: Vec<u32>,
}

impl Search {
    /// Was the row reached by the search that failed?
    pub(crate) fn reached(&self, row: usize) -> bool {
        self.rows[row] != NONE
    }
}

impl<N: Amount> Network<N> {
    /// No flow yet; the supplies and demands are in place.
    pub(crate) fn clear_flow(&mut self) {
        self.flow.clear();
        self.flow
            .resize(self.rows.len() * self.columns.len(), N::zero());
    }

    /// Sends greedily along edges (row by row) of at least that worth.
    pub(crate) fn fill(&mut self, edges: &[u8], worth: u8) {
        let width = self.columns.len();
        for row in 0..self.rows.len() {
            for column in 0..width {
                if self.rows[row].is_zero() {
                    break;
                }
                if edges[row * width + column] >= worth && !self.columns[column].is_zero() {
                    let amount = self.rows[row].clone().min(self.columns[column].clone());
                    self.rows[row].sub(&amount);
                    self.columns[column].sub(&amount);
                    self.flow[row * width + column].add(&amount);
                }
            }
        }
    }

    /// Sends everything along edges, if that is possible. If it is not, the rows that `search` reached have more supply
    /// than all columns they have edges to.
    pub(crate) fn complete(
        &mut self,
        edge: &impl Fn(usize, usize) -> bool,
        search: &mut Search,
    ) -> bool {
        for row in 0..self.rows.len() {
            while !self.rows[row].is_zero() {
                if !self.augment(row, edge, search) {
                    return false;
                }
            }
        }
        true
    }

    /// Sends more from a row along a shortest path to a column that wants more.
    fn augment(
        &mut self,
        from: usize,
        edge: &impl Fn(usize, usize) -> bool,
        search: &mut Search,
    ) -> bool {
        let width = self.columns.len();
        search.rows.clear();
        search.rows.resize(self.rows.len(), NONE);
        search.columns.clear();
        search.columns.resize(width, NONE);
        search.queue.clear();
        search.rows[from] = START;
        search.queue.push(from as u32);
        let mut at = 0;
        while at < search.queue.len() {
            let row = search.queue[at] as usize;
            at += 1;
            for column in 0..width {
                if search.columns[column] != NONE || !edge(row, column) {
                    continue;
                }
                search.columns[column] = row as u32;
                if !self.columns[column].is_zero() {
                    self.send(column, search);
                    return true;
                }
                for back in 0..self.rows.len() {
                    if search.rows[back] == NONE && !self.flow[back * width + column].is_zero() {
                        search.rows[back] = column as u32;
                        search.queue.push(back as u32);
                    }
                }
            }
        }
        false
    }

    /// Sends as much as possible along the path found to that column.
    fn send(&mut self, end: usize, search: &Search) {
        let width = self.columns.len();
        let mut amount = self.columns[end].clone();
        let mut row = search.columns[end] as usize;
        while search.rows[row] != START {
            let column = search.rows[row] as usize;
            let back = &self.flow[row * width + column];
            if *back < amount {
                amount = back.clone();
            }
            row = search.columns[column] as usize;
        }
        if self.rows[row] < amount {
            amount = self.rows[row].clone();
        }
        self.rows[row].sub(&amount);
        self.columns[end].sub(&amount);
        let mut column = end;
        loop {
            let row = search.columns[column] as usize;
            self.flow[row * width + column].add(&amount);
            if search.rows[row] == START {
                return;
            }
            column = search.rows[row] as usize;
            self.flow[row * width + column].sub(&amount);
        }
    }

    /// Takes the flow of an edge back.
    pub(crate) fn cut(&mut self, row: usize, column: usize) {
        let at = row * self.columns.len() + column;
        let amount = std::mem::replace(&mut self.flow[at], N::zero());
        self.rows[row].add(&amount);
        self.columns[column].add(&amount);
    }
}
