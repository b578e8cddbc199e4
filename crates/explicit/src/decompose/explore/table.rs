//! The operations met, numbered.

use suppose_model::program::Program;

use super::super::ops::{Cell, Op};
use super::Map;

/// An operation, by its number: there are few, and they are in every stretch.
pub type OpId = u32;

/// All operations met, each once.
#[derive(Clone, Debug, Default)]
pub struct Ops {
    list: Vec<Op>,
    pub(super) cells: Vec<Vec<Cell>>,
    numbers: Map<Op, OpId>,
}

impl Ops {
    /// The operation of that number.
    pub fn get(&self, id: OpId) -> &Op {
        &self.list[id as usize]
    }

    pub(super) fn intern(&mut self, program: &Program, op: Op) -> OpId {
        if let Some(known) = self.numbers.get(&op) {
            return *known;
        }
        let id = self.list.len() as OpId;
        self.cells.push(op.cells(program));
        self.list.push(op.clone());
        self.numbers.insert(op, id);
        id
    }
}
