//! What is known of each pair of states.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_model::lts::State;

/// What is known of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing.
    Unseen,
    /// It is related until shown otherwise; its number.
    Live(u32),
    /// It is not related: the so many-th to fall, from 1.
    Fallen(u32),
}

const FALLEN: u32 = 1 << 31;

/// A mark for every pair: an array if that is small enough, otherwise a map.
#[derive(Clone, Debug)]
pub(crate) enum Table {
    Dense { width: usize, marks: Vec<u32> },
    Sparse(HashMap<u64, u32, FxBuildHasher>),
}

impl Table {
    /// An array for up to this many pairs.
    pub(crate) fn new(left: usize, right: usize, dense: usize) -> Self {
        match left.checked_mul(right) {
            Some(size) if size <= dense => Table::Dense {
                width: right,
                marks: vec![0; size],
            },
            _ => Table::Sparse(HashMap::default()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, left: State, right: State) -> Mark {
        let code = match self {
            Table::Dense { width, marks } => marks[left as usize * width + right as usize],
            Table::Sparse(map) => map.get(&key(left, right)).copied().unwrap_or(0),
        };
        match code {
            0 => Mark::Unseen,
            code if code & FALLEN != 0 => Mark::Fallen(code & !FALLEN),
            code => Mark::Live(code - 1),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, left: State, right: State, mark: Mark) {
        let code = match mark {
            Mark::Unseen => 0,
            Mark::Live(number) => number + 1,
            Mark::Fallen(time) => time | FALLEN,
        };
        match self {
            Table::Dense { width, marks } => marks[left as usize * *width + right as usize] = code,
            Table::Sparse(map) => {
                map.insert(key(left, right), code);
            }
        }
    }
}

#[inline]
fn key(left: State, right: State) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}
