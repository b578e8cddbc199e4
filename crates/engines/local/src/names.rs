//! Canonical names for interchangeable processes.
//!
//! A view is represented by one of all that result from it by permuting processes: its own processes have the first numbers, and
//! those that it mentions the next ones, in the order in which they occur.

/// Names for some processes; all are different.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// A process and its name.
    pairs: Vec<(u32, u32)>,
}

impl Names {
    /// Gives a process the next name after `first`, unless it has one.
    pub(crate) fn give(&mut self, process: u32, first: u32) {
        if self.of(process).is_none() {
            self.pairs.push((process, first + self.pairs.len() as u32));
        }
    }

    /// Gives a process that name.
    pub(crate) fn set(&mut self, process: u32, name: u32) {
        self.pairs.push((process, name));
    }

    /// Takes the last name back.
    pub(crate) fn pop(&mut self) {
        self.pairs.pop();
    }

    pub(crate) fn of(&self, process: u32) -> Option<u32> {
        let found = self.pairs.iter().find(|(from, _)| *from == process);
        found.map(|(_, to)| *to)
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// From names to processes.
    pub(crate) fn back(&self) -> Names {
        Names {
            pairs: self.pairs.iter().map(|(a, b)| (*b, *a)).collect(),
        }
    }

    /// Has every process its own name?
    pub(crate) fn are_own(&self, processes: &[u32]) -> bool {
        processes
            .iter()
            .all(|p| self.of(*p).is_none_or(|n| n == *p))
    }

    /// The processes that have names.
    pub(crate) fn named(&self) -> impl Iterator<Item = u32> + '_ {
        self.pairs.iter().map(|(from, _)| *from)
    }
}
