//! Memory is resolved before there are clauses: what is left are integers.
//!
//! The program is specialised to what is known of memory at each place, as a partial evaluator does it: which objects there
//! are and where each pointer points. Places that are reached with different knowledge become different blocks, so
//! every access is to a known object and becomes an access to variables, one for each scalar. This is exact. It ends where memory
//! has finitely many shapes; numbers that would make too many are forgotten, and where nothing helps the place is marked as one
//! that is not supported.
//!
//! A large array is represented by some of its elements ("cells"), at indices that are chosen once and that nothing is known of: a
//! read of another element gives any value. Since every run is a run for every choice, what holds for the cells holds for
//! the array. A violation counts only if the last reads of each array were those of cells; for the violating run of the
//! program there is a choice for which this is so. (Monniaux and Gonnord, "Cell morphing: from array programs to array-free
//! Horn clauses", SAS 2016, with the choice made once instead of at each predicate.)
//!
//! A violation of an approximated program is shown only if the program itself, run with the same inputs, has it.

mod access;
mod calls;
mod graph;
mod live;
mod objects;
mod parts;
mod pointers;
mod resolve;
mod state;

use suppose_source::Span;

use super::Claim;
use super::ir::{End, OpKind, Program};
use super::types::Semantics;

/// A program without memory.
pub(super) struct Resolved {
    pub(super) program: Program,
    /// Where and why it does more than the program as written, if it may.
    pub(super) reasons: Vec<(String, Span)>,
}

/// Has a program operations on memory?
pub(super) fn is_needed(program: &Program) -> bool {
    let mut blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.any(|block| {
        matches!(block.end, End::CallPointer { .. })
            || block
                .ops
                .iter()
                .any(|op| matches!(op.kind, OpKind::Memory(_)))
    })
}

pub(super) fn resolve(program: &Program, semantics: Semantics, claim: Claim) -> Resolved {
    resolve::resolve(program, semantics, claim)
}
