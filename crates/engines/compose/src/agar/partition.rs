//! The abstraction: classes of interface states, and the existential quotient.

use suppose_model::lts::{Edge, Label, Lts, LtsBuilder};

use super::interface::Interface;

/// A partition of an interface's states, with the abstract edges of every class.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    class: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Abstract edges by class, sorted.
    rows: Vec<Vec<Edge>>,
}

impl Partition {
    /// Classes as given by `class`, which is renumbered from 0 in the order of the states.
    pub fn new(interface: &Interface, class: impl Fn(u32) -> u32) -> Self {
        let mut numbers = rustc_hash::FxHashMap::default();
        let mut it = Partition {
            class: Vec::with_capacity(interface.len()),
            members: Vec::new(),
            rows: Vec::new(),
        };
        for state in 0..interface.len() as u32 {
            let fresh = it.members.len() as u32;
            let number = *numbers.entry(class(state)).or_insert(fresh);
            if number == fresh {
                it.members.push(Vec::new());
            }
            it.members[number as usize].push(state);
            it.class.push(number);
        }
        for number in 0..it.members.len() {
            it.rows.push(it.row(interface, number));
        }
        it
    }

    /// How many classes.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The class of an interface state.
    pub fn class(&self, state: u32) -> u32 {
        self.class[state as usize]
    }

    /// The states of a class.
    pub fn members(&self, class: u32) -> &[u32] {
        &self.members[class as usize]
    }

    fn row(&self, interface: &Interface, class: usize) -> Vec<Edge> {
        let edges = self.members[class].iter().flat_map(|s| interface.edges(*s));
        let mut row: Vec<Edge> = edges
            .map(|e| Edge {
                label: e.label,
                target: self.class[e.target as usize],
            })
            .collect();
        row.sort_unstable();
        row.dedup();
        row
    }

    /// Splits every class that the set cuts in two: the part inside keeps the number, the rest
    /// gets a new one. Returns the numbers of the classes that were cut.
    pub fn split(&mut self, interface: &Interface, inside: &[u32]) -> Vec<u32> {
        let mut marked = vec![false; self.class.len()];
        for state in inside {
            marked[*state as usize] = true;
        }
        let mut cut: Vec<u32> = inside.iter().map(|s| self.class(*s)).collect();
        cut.sort_unstable();
        cut.dedup();
        cut.retain(|class| {
            let members = &self.members[*class as usize];
            members.iter().any(|s| !marked[*s as usize])
        });
        let mut stale: Vec<usize> = Vec::new();
        for class in &cut {
            let all = std::mem::take(&mut self.members[*class as usize]);
            let (kept, moved) = all.into_iter().partition(|s: &u32| marked[*s as usize]);
            let fresh = self.members.len() as u32;
            self.members[*class as usize] = kept;
            for state in &moved {
                self.class[*state as usize] = fresh;
            }
            self.members.push(moved);
            self.rows.push(Vec::new());
            stale.extend([*class as usize, fresh as usize]);
        }
        let leads_to_cut = |row: &Vec<Edge>| row.iter().any(|e| cut.contains(&e.target));
        for (number, row) in self.rows.iter().enumerate() {
            if leads_to_cut(row) {
                stale.push(number);
            }
        }
        stale.sort_unstable();
        stale.dedup();
        for number in stale {
            self.rows[number] = self.row(interface, number);
        }
        cut
    }

    /// The abstraction as an LTS.
    pub fn lts(&self, name: &str, interface: &Interface, alphabet: &[Label]) -> Lts {
        let mut builder = LtsBuilder::new(name);
        builder.states(self.len() as u32);
        builder.extend_alphabet(alphabet.iter().copied());
        builder.initial(self.class(interface.initial));
        for (class, row) in self.rows.iter().enumerate() {
            for edge in row {
                builder.edge(class as u32, edge.label, edge.target);
            }
        }
        builder.build()
    }
}
