//! The order of blocks, and where clauses are cut.

use crate::c::ir::{BlockId, End, Function};

/// How many different sequences of calls may lead to one call before it is cut off.
const SEQUENCES: usize = 4;
/// The same for any other block.
const JOINED: usize = 12;
/// How many calls one clause may have.
const CALLS: usize = 16;

/// The reachable blocks, each after those it leads to (except for loops).
pub(in crate::c) fn postorder(function: &Function) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut seen = vec![false; function.blocks.len()];
    let mut stack = vec![(Function::ENTRY, false)];
    while let Some((block, done)) = stack.pop() {
        if done {
            order.push(block);
            continue;
        }
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        stack.push((block, true));
        for next in function.block(block).successors().into_iter().rev() {
            if !seen[next.index()] {
                stack.push((next, false));
            }
        }
    }
    order
}

/// Where the clauses of a function begin and end, and in which order its blocks come.
#[derive(Clone, Debug)]
pub(in crate::c) struct Cuts {
    /// For each block its place in an order in which only edges to cuts go back; none if it is not reached.
    pub(in crate::c) place: Vec<Option<usize>>,
    /// The block at each place.
    pub(in crate::c) blocks: Vec<BlockId>,
    pub(in crate::c) is_cut: Vec<bool>,
}

impl Cuts {
    /// Loop heads, and blocks to which too many sequences of calls lead.
    pub(in crate::c) fn of(function: &Function) -> Cuts {
        let mut blocks = postorder(function);
        blocks.reverse();
        let mut place = vec![None; function.blocks.len()];
        for (i, block) in blocks.iter().enumerate() {
            place[block.index()] = Some(i);
        }
        let mut is_cut = vec![false; function.blocks.len()];
        for (i, block) in blocks.iter().enumerate() {
            for next in function.block(*block).successors() {
                if place[next.index()].is_some_and(|n| n <= i) {
                    is_cut[next.index()] = true;
                }
            }
        }
        let mut it = Cuts {
            place,
            blocks,
            is_cut,
        };
        it.cut_calls(function);
        it
    }

    /// For each block how many sequences of calls lead to it from a cut, and how long they are. A call
    /// with too many becomes a cut.
    fn cut_calls(&mut self, function: &Function) {
        // Sequences are distinguished by their last call: for each block the set of last calls (or cuts).
        let mut last: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
        let mut count = vec![1usize; function.blocks.len()];
        let mut length = vec![0usize; function.blocks.len()];
        for &block in &self.blocks {
            let i = block.index();
            let is_call = matches!(function.block(block).end, End::Call { .. });
            let starts = self.is_cut[i] || block == Function::ENTRY;
            if is_call && !starts {
                let ways = last[i]
                    .iter()
                    .map(|b| count[b.index()])
                    .fold(0, usize::saturating_add);
                let longest = last[i].iter().map(|b| length[b.index()]).max().unwrap_or(0);
                count[i] = ways.max(1);
                length[i] = longest + 1;
                if ways > SEQUENCES || length[i] > CALLS {
                    self.is_cut[i] = true;
                    count[i] = 1;
                    length[i] = 1;
                }
            } else if is_call {
                length[i] = 1;
            } else if !starts && last[i].len() > JOINED {
                self.is_cut[i] = true;
            }
            let out = if is_call || starts || self.is_cut[i] {
                vec![block]
            } else {
                last[i].clone()
            };
            for next in function.block(block).successors() {
                let known = &mut last[next.index()];
                known.extend(out.iter().copied());
                known.sort_unstable();
                known.dedup();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::ir::{Block, FnId};
    use suppose_source::Span;

    #[test]
    fn a_row_of_optional_calls_is_cut() {
        // entry -> (call | skip) -> (call | skip) -> ...
        let mut blocks = Vec::new();
        let span = Span::default();
        for i in 0..40u32 {
            let condition =
                crate::c::ir::Expr::constant(0.into(), crate::c::types::IntType::Int, span);
            let end = End::Branch(condition, BlockId(2 * i + 1), BlockId(2 * i + 2));
            blocks.push(Block {
                ops: Vec::new(),
                end,
                span,
            });
            let end = End::Call {
                callee: FnId(0),
                args: Vec::new(),
                result: None,
                next: BlockId(2 * i + 2),
            };
            blocks.push(Block {
                ops: Vec::new(),
                end,
                span,
            });
        }
        blocks.push(Block {
            ops: Vec::new(),
            end: End::Return,
            span,
        });
        let function = Function {
            name: "f".to_owned(),
            span,
            params: Vec::new(),
            result: None,
            blocks,
            loops: Vec::new(),
        };
        let cuts = Cuts::of(&function);
        let cut = cuts.is_cut.iter().filter(|c| **c).count();
        assert!((10..=40).contains(&cut), "{cut}");
    }
}
