//! Is one distribution related to another, given which states are related (Definition 8 of the thesis)?
//!
//! It is if all the probability of the left one can be sent to related states of the right one: a flow. The
//! probabilities are weights over sums `W` and `V`; multiplied with `V / g` and `W / g`, `g` the greatest common divisor, both sides
//! add up to the least common multiple, which fits a word nearly always and two words always unless a sum itself does not fit one.
//! If there is no flow, some targets of the left together have more probability than all that is related to them
//! (Lemma 11): the rows that the last search for a path reached.

mod kept;
mod network;

use suppose_model::mdp::{Dist, Flow, Weights};
use suppose_number::{Int, Rat};

pub(crate) use kept::Kept;
use network::{Amount, Network, Search};

/// An edge that may be used.
pub(crate) const EDGE: u8 = 1;
/// An edge that had better be used.
pub(crate) const GOOD: u8 = 2;

/// Decides for one pair of distributions after another; keeps its room.
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    edges: Vec<u8>,
    search: Search,
    word: Network<u64>,
    words: Network<u128>,
    big: Network<Int>,
    /// Why the last question was answered with no.
    lacking: Lacking,
    /// How the last question was answered with yes.
    kind: Kind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// One side is certain, so all edges are used.
    #[default]
    All,
    Word,
    Words,
    Big,
}

#[derive(Clone, Copy, Debug, Default)]
enum Lacking {
    /// This row has no edge, or not enough of them.
    Row(u32),
    /// Some column has no edge: all rows together lack it.
    #[default]
    Column,
    /// See the search.
    Reached,
}

impl Matcher {
    /// Are they related? `edge` says, for places among the targets of both, how good an edge is ([`EDGE`], [`GOOD`]) or 0.
    pub(crate) fn related(
        &mut self,
        left: Dist<'_>,
        right: Dist<'_>,
        mut edge: impl FnMut(usize, usize) -> u8,
    ) -> bool {
        let (height, width) = (left.len(), right.len());
        self.kind = Kind::All;
        if height == 1 || width == 1 {
            for row in 0..height {
                for column in 0..width {
                    if edge(row, column) == 0 {
                        self.lacking = Lacking::Row(row as u32);
                        return false;
                    }
                }
            }
            return true;
        }
        if !self.fill_edges(height, width, edge) {
            return false;
        }
        self.lacking = Lacking::Reached;
        self.kind = scale(left, right, &mut self.word, &mut self.words, &mut self.big);
        match self.kind {
            Kind::Word => solve(&mut self.word, &self.edges, &mut self.search),
            Kind::Words => solve(&mut self.words, &self.edges, &mut self.search),
            _ => solve(&mut self.big, &self.edges, &mut self.search),
        }
    }

    /// Asks for all edges; false if a row or a column has none.
    fn fill_edges(
        &mut self,
        height: usize,
        width: usize,
        mut edge: impl FnMut(usize, usize) -> u8,
    ) -> bool {
        self.edges.clear();
        for row in 0..height {
            let mut any = 0;
            for column in 0..width {
                let worth = edge(row, column);
                any |= worth;
                self.edges.push(worth);
            }
            if any == 0 {
                self.lacking = Lacking::Row(row as u32);
                return false;
            }
        }
        self.lacking = Lacking::Column;
        (0..width).all(|column| (0..height).any(|row| self.edges[row * width + column] != 0))
    }

    /// After a yes: is the edge used, by the weight function found?
    #[inline]
    pub(crate) fn uses(&self, row: usize, column: usize) -> bool {
        match self.kind {
            Kind::All => true,
            Kind::Word => !self.word.flow[row * self.word.columns.len() + column].is_zero(),
            Kind::Words => !self.words.flow[row * self.words.columns.len() + column].is_zero(),
            Kind::Big => !self.big.flow[row * self.big.columns.len() + column].is_zero(),
        }
    }

    /// After a no: the places of targets of the left that together have more probability than what is related to them.
    pub(crate) fn lacking(&self, height: usize) -> Vec<u32> {
        match self.lacking {
            Lacking::Row(row) => vec![row],
            Lacking::Column => (0..height as u32).collect(),
            Lacking::Reached => {
                let rows = 0..height as u32;
                rows.filter(|r| self.search.reached(*r as usize)).collect()
            }
        }
    }

    /// After a yes for these two: the weight function.
    pub(crate) fn weights(&self, left: Dist<'_>, right: Dist<'_>) -> Vec<Flow> {
        let mut flows = Vec::new();
        let total = match self.kind {
            Kind::All => Int::ONE,
            _ => left.total().lcm(&right.total()),
        };
        for row in 0..left.len() {
            for column in 0..right.len() {
                if !self.uses(row, column) {
                    continue;
                }
                let at = row * right.len() + column;
                let amount = match self.kind {
                    Kind::All => match right.len() {
                        1 => left.probability(row),
                        _ => right.probability(column),
                    },
                    Kind::Word => Rat::new(Int::from(self.word.flow[at]), total.clone()),
                    Kind::Words => Rat::new(int_of(self.words.flow[at]), total.clone()),
                    Kind::Big => Rat::new(self.big.flow[at].clone(), total.clone()),
                };
                flows.push(Flow {
                    from: row as u32,
                    to: column as u32,
                    amount,
                });
            }
        }
        flows
    }
}

fn int_of(amount: u128) -> Int {
    let (high, low) = ((amount >> 64) as u64, amount as u64);
    &(&(&Int::from(high) * &Int::from(1i64 << 32)) * &Int::from(1i64 << 32)) + &Int::from(low)
}

fn solve<N: Amount>(network: &mut Network<N>, edges: &[u8], search: &mut Search) -> bool {
    network.clear_flow();
    network.fill(edges, GOOD);
    network.fill(edges, EDGE);
    let width = network.columns.len();
    network.complete(&|row, column| edges[row * width + column] != 0, search)
}

/// Puts the scaled weights into the network of the first kind that they fit.
fn scale(
    left: Dist<'_>,
    right: Dist<'_>,
    word: &mut Network<u64>,
    words: &mut Network<u128>,
    big: &mut Network<Int>,
) -> Kind {
    if let (Weights::Small(l), Weights::Small(r)) = (left.weights(), right.weights()) {
        let (sum_l, sum_r): (u64, u64) = (l.iter().sum(), r.iter().sum());
        let divisor = gcd(sum_l, sum_r).max(1);
        let (for_l, for_r) = (sum_r / divisor, sum_l / divisor);
        if sum_l.checked_mul(for_l).is_some() {
            refill(&mut word.rows, l.iter().map(|w| w * for_l));
            refill(&mut word.columns, r.iter().map(|w| w * for_r));
            return Kind::Word;
        }
        let wide = |w: &u64, by: u64| u128::from(*w) * u128::from(by);
        refill(&mut words.rows, l.iter().map(|w| wide(w, for_l)));
        refill(&mut words.columns, r.iter().map(|w| wide(w, for_r)));
        return Kind::Words;
    }
    let (sum_l, sum_r) = (left.total(), right.total());
    let divisor = sum_l.gcd(&sum_r);
    let (for_l, for_r) = (sum_r.div_exact(&divisor), sum_l.div_exact(&divisor));
    refill(
        &mut big.rows,
        (0..left.len()).map(|at| &left.weight(at) * &for_l),
    );
    refill(
        &mut big.columns,
        (0..right.len()).map(|at| &right.weight(at) * &for_r),
    );
    Kind::Big
}

fn refill<N>(into: &mut Vec<N>, from: impl Iterator<Item = N>) {
    into.clear();
    into.extend(from);
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Is `left` related to `right` by states that are? Then a weight function.
pub fn related(
    left: Dist<'_>,
    right: Dist<'_>,
    states: impl Fn(u32, u32) -> bool,
) -> Option<Vec<Flow>> {
    let mut matcher = Matcher::default();
    let (from, to) = (left.targets(), right.targets());
    let edge = |row: usize, column: usize| u8::from(states(from[row], to[column]));
    let yes = matcher.related(left, right, edge);
    yes.then(|| matcher.weights(left, right))
}

/// If `left` is not related to `right`: places of targets of the left that together have more probability than all that is
/// related to them.
pub fn witness(
    left: Dist<'_>,
    right: Dist<'_>,
    states: impl Fn(u32, u32) -> bool,
) -> Option<Vec<u32>> {
    let mut matcher = Matcher::default();
    let (from, to) = (left.targets(), right.targets());
    let edge = |row: usize, column: usize| u8::from(states(from[row], to[column]));
    let no = !matcher.related(left, right, edge);
    no.then(|| matcher.lacking(left.len()))
}

#[cfg(test)]
mod tests;
