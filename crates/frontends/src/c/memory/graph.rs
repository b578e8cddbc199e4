//! Blocks where paths meet.

use crate::c::ir::Function;
use crate::c::passes::order::postorder;

/// The blocks with several predecessors.
pub(super) fn joins(function: &Function) -> Vec<bool> {
    let mut count = vec![0; function.blocks.len()];
    for block in &function.blocks {
        for next in block.successors() {
            count[next.index()] += 1;
        }
    }
    count.into_iter().map(|n| n > 1).collect()
}

/// The blocks that a back edge leads to.
pub(super) fn heads(function: &Function) -> Vec<bool> {
    let order = postorder(function);
    let mut place = vec![0; function.blocks.len()];
    for (i, block) in order.iter().enumerate() {
        place[block.index()] = i;
    }
    let mut heads = vec![false; function.blocks.len()];
    for block in &order {
        for next in function.block(*block).successors() {
            heads[next.index()] |= place[next.index()] >= place[block.index()];
        }
    }
    heads
}
