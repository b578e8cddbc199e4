//! What evaluations gave, by the values they looked at.
//!
//! Where an evaluation looks next depends on nothing but the values it has seen before. So the results
//! of one question form a tree: a node says where to look, the value there leads to the next node, and a
//! leaf has the result. Most states of a process differ in values that the question never looks at.

use super::Map;

/// A process, its location, what is asked there, and what is known of shared data.
pub(super) type Question = (u32, u32, u32, u32);

/// Past this many nodes nothing more is remembered.
const MOST: usize = 1 << 21;

/// The results so far.
#[derive(Clone, Debug)]
pub(super) struct Memo<T> {
    roots: Map<Question, u32>,
    nodes: Vec<Node<T>>,
    next: Map<(u32, i32), u32>,
}

#[derive(Clone, Debug)]
enum Node<T> {
    Look(u32),
    Leaf(T),
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo {
            roots: Map::default(),
            nodes: Vec::new(),
            next: Map::default(),
        }
    }
}

impl<T> Memo<T> {
    /// The result, if it is known.
    pub(super) fn get(&self, question: Question, values: &[i32]) -> Option<&T> {
        let mut at = *self.roots.get(&question)?;
        loop {
            match &self.nodes[at as usize] {
                Node::Leaf(result) => return Some(result),
                Node::Look(slot) => at = *self.next.get(&(at, values[*slot as usize]))?,
            }
        }
    }

    /// Remembers a result and where it looked, each place once, in order.
    pub(super) fn put(&mut self, question: Question, seen: &[u32], values: &[i32], result: T) {
        if self.nodes.len() + seen.len() >= MOST {
            return;
        }
        let mut before = None;
        for slot in seen {
            let node = self.child(question, before, Node::Look(*slot));
            before = Some((node, values[*slot as usize]));
        }
        self.child(question, before, Node::Leaf(result));
    }

    /// The node after that one and value, or the root; it is this one if it is new.
    fn child(&mut self, question: Question, before: Option<(u32, i32)>, node: Node<T>) -> u32 {
        let number = self.nodes.len() as u32;
        let known = match before {
            None => *self.roots.entry(question).or_insert(number),
            Some(before) => *self.next.entry(before).or_insert(number),
        };
        if known == number {
            self.nodes.push(node);
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Looks at the second value only if the first is not 0.
    fn ask(values: &[i32], seen: &mut Vec<u32>) -> i32 {
        seen.push(0);
        if values[0] == 0 {
            return -1;
        }
        seen.push(2);
        values[0] * 10 + values[2]
    }

    #[test]
    fn a_result_is_found_again_whatever_was_not_looked_at() {
        let (mut memo, asked) = (Memo::default(), Cell::new(0));
        for n in 0..27 {
            let values = [n / 9, n / 3 % 3, n % 3];
            let direct = ask(&values, &mut Vec::new());
            let question = (0, 0, 0, 0);
            if let Some(known) = memo.get(question, &values) {
                assert_eq!(*known, direct, "{values:?}");
                continue;
            }
            asked.set(asked.get() + 1);
            let mut seen = Vec::new();
            let result = ask(&values, &mut seen);
            memo.put(question, &seen, &values, result);
            assert_eq!(memo.get(question, &values), Some(&direct));
            assert_eq!(memo.get((0, 0, 1, 0), &values), None);
        }
        // One for a first value of 0, three each for 1 and 2.
        assert_eq!(asked.get(), 7);
    }
}
