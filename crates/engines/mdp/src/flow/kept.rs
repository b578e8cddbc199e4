//! Flows that are kept, to be repaired when an edge is lost (as Zhang, Hermanns, Eisenbrand and Jansen do).

use suppose_number::Int;

use super::network::{Amount, Network, Search};
use super::{Kind, Matcher};

/// A flow that sends everything.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    Word(Network<u64>),
    Words(Network<u128>),
    Big(Network<Int>),
}

impl Matcher {
    /// After a yes: the flow, unless it is forced.
    pub(crate) fn keep(&self) -> Option<Kept> {
        match self.kind {
            Kind::All => None,
            Kind::Word => Some(Kept::Word(self.word.clone())),
            Kind::Words => Some(Kept::Words(self.words.clone())),
            Kind::Big => Some(Kept::Big(self.big.clone())),
        }
    }
}

impl Kept {
    /// Is the edge used?
    pub(crate) fn uses(&self, row: usize, column: usize) -> bool {
        fn uses<N: Amount>(network: &Network<N>, row: usize, column: usize) -> bool {
            !network.flow[row * network.columns.len() + column].is_zero()
        }
        match self {
            Kept::Word(network) => uses(network, row, column),
            Kept::Words(network) => uses(network, row, column),
            Kept::Big(network) => uses(network, row, column),
        }
    }

    /// Sends what flowed over a lost edge some other way, if that is possible. Edges that are used and lost as well, but
    /// not repaired yet, stay in use until they are.
    pub(crate) fn repair(
        &mut self,
        row: usize,
        column: usize,
        edge: impl Fn(usize, usize) -> bool,
    ) -> bool {
        fn repair<N: Amount>(
            network: &mut Network<N>,
            row: usize,
            column: usize,
            edge: impl Fn(usize, usize) -> bool,
        ) -> bool {
            network.cut(row, column);
            network.complete(&edge, &mut Search::default())
        }
        match self {
            Kept::Word(network) => repair(network, row, column, edge),
            Kept::Words(network) => repair(network, row, column, edge),
            Kept::Big(network) => repair(network, row, column, edge),
        }
    }
}
