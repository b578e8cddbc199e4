//! The operations met, numbered, and lists of numbers.

use suppose_model::program::Program;

use super::super::ops::{Cell, Op};
use super::Map;

/// An operation, by its number: there are few, and they are in every stretch.
pub type OpId = u32;

/// A list, by its number; 0 is the empty one.
pub type List = u32;

/// Lists of numbers, each kept once, as what comes before its last element and that element.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    nodes: Vec<(List, u32, u32)>,
    numbers: Map<(List, u32), List>,
}

impl Lists {
    /// The list with one more element.
    pub fn push(&mut self, list: List, item: u32) -> List {
        let length = self.length(list) as u32 + 1;
        let Lists { nodes, numbers } = self;
        *numbers.entry((list, item)).or_insert_with(|| {
            nodes.push((list, item, length));
            nodes.len() as List
        })
    }

    /// The list with these elements more.
    pub fn append(&mut self, list: List, items: &[u32]) -> List {
        let add = |list, item: &u32| self.push(list, *item);
        items.iter().fold(list, add)
    }

    /// What comes before the last element, and that element.
    pub fn split(&self, list: List) -> Option<(List, u32)> {
        let at = (list as usize).checked_sub(1)?;
        self.nodes.get(at).map(|node| (node.0, node.1))
    }

    /// How many elements.
    pub fn length(&self, list: List) -> usize {
        let node = (list as usize).checked_sub(1).map(|at| self.nodes[at]);
        node.map_or(0, |node| node.2 as usize)
    }

    /// The elements, in order.
    pub fn items(&self, mut list: List) -> Vec<u32> {
        let mut items = Vec::with_capacity(self.length(list));
        while let Some((before, item)) = self.split(list) {
            items.push(item);
            list = before;
        }
        items.reverse();
        items
    }
}

/// All operations met, each once, and the sequences of them.
#[derive(Clone, Debug, Default)]
pub struct Ops {
    list: Vec<Op>,
    pub(super) cells: Vec<Vec<Cell>>,
    numbers: Map<Op, OpId>,
    pub(super) sequences: Lists,
}

impl Ops {
    /// The operation of that number.
    pub fn get(&self, id: OpId) -> &Op {
        &self.list[id as usize]
    }

    /// The numbers of the operations of a sequence.
    pub fn ids(&self, sequence: List) -> Vec<OpId> {
        self.sequences.items(sequence)
    }

    /// The operations of a sequence.
    pub fn all(&self, sequence: List) -> Vec<Op> {
        let ids = self.ids(sequence).into_iter();
        ids.map(|id| self.get(id).clone()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_kept_once_and_read_in_order() {
        let mut lists = Lists::default();
        let one = lists.push(0, 7);
        let two = lists.push(one, 8);
        assert_eq!(lists.items(two), [7, 8]);
        assert_eq!((lists.push(0, 7), lists.push(one, 8)), (one, two));
        assert_eq!(lists.split(two), Some((one, 8)));
        assert_eq!(
            (lists.split(0), lists.length(0), lists.length(two)),
            (None, 0, 2)
        );
    }
}
