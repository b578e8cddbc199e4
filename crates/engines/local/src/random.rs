//! Random runs of a program, the same every time.

use suppose_model::program::Program;
use suppose_model::program::semantics::{Move, State};

/// A source of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound.max(1) as u64) as usize
    }

    /// A process is drawn that can step, then one of its steps. None if many in a row could not; that many is counted in `idle`.
    pub(crate) fn step(
        &mut self,
        program: &Program,
        state: &State,
        idle: &mut usize,
    ) -> Option<(u32, Move)> {
        while !state.processes.is_empty() && *idle <= 4 * state.processes.len() {
            let mover = match state.alone {
                Some(one) => one,
                None => self.below(state.processes.len()) as u32,
            };
            let mut one = state.clone();
            one.alone = Some(mover);
            let mut moves = one.moves(program);
            if moves.is_empty() {
                *idle += 1;
                continue;
            }
            *idle = 0;
            return Some((mover, moves.swap_remove(self.below(moves.len()))));
        }
        None
    }
}
