//! The concrete side of one level: a group of components with the assumption about the groups below it.

use suppose_model::lts::{Edge, Label, Lts, PackedStates};
use suppose_refine::{Context, Stopped};

use crate::explore::{Exploration, Goal};
use crate::product::{Product, Scratch};
use crate::with_width;

/// The explicit composition of a group and the assumption below, with every label kept.
#[derive(Clone, Debug)]
pub(super) struct Concrete {
    /// Slots: the group's components in order, then the assumption below (if any).
    pub states: PackedStates,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    /// Transitions followed to build it.
    pub transitions: u64,
}

impl Concrete {
    /// Explores the composition of the parts. None when a state does not fit the widest record.
    pub fn build(parts: &[&Lts], labels: usize, cx: &Context) -> Result<Option<Self>, Stopped> {
        let product = Product::new(parts, None, labels);
        let words = product.layout().words();
        with_width!(words, explicit(&product, cx), else Ok(None))
    }

    /// How many states.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The edges of a state.
    pub fn edges(&self, state: u32) -> &[Edge] {
        let s = state as usize;
        &self.edges[self.offsets[s] as usize..self.offsets[s + 1] as usize]
    }

    /// Slot of a state.
    pub fn slot(&self, state: u32, slot: usize) -> u32 {
        let record = self.states.record(state as usize);
        self.states.layout().get(record, slot)
    }
}

fn explicit<const W: usize>(product: &Product, cx: &Context) -> Result<Option<Concrete>, Stopped> {
    let mut exploration = Exploration::<W>::new(product);
    exploration.run(product, Goal::Violations, cx)?;
    cx.reserve(exploration.transitions() * size_of::<Edge>() as u64)?;
    let mut edges = Vec::with_capacity(exploration.transitions() as usize);
    let mut offsets = Vec::with_capacity(exploration.states() + 1);
    let mut scratch = Scratch::default();
    for state in 0..exploration.states() as u32 {
        if state.is_multiple_of(1024) {
            cx.check()?;
        }
        offsets.push(edges.len() as u32);
        let record = exploration.record(state);
        product.steps(&record, &mut scratch, |label, to| {
            let target = to.and_then(|to| exploration.find(&to));
            edges.extend(target.map(|target| Edge { label, target }));
        });
    }
    offsets.push(edges.len() as u32);
    Ok(Some(Concrete {
        transitions: exploration.transitions(),
        states: exploration.into_states(product),
        offsets,
        edges,
    }))
}

/// What the level above sees of a [`Concrete`]: the states in which it can be right after a
/// visible action (the *entries*), with the visible actions that hidden ones can lead to.
///
/// The paper closes over hidden actions before and after the visible one. Closing only before it
/// is as sound (a trace is followed action by action, and whatever hidden actions come after the
/// last one come before the next) and more precise, for the state after the action is the one
/// that did it; and the states inside a run of hidden actions need no class at all.
///
/// Entries that are strongly bisimilar are one, as long as they were in one class before.
#[derive(Clone, Debug)]
pub(super) struct Interface {
    /// The interface state of an entry, `u32::MAX` for other concrete states.
    of: Vec<u32>,
    /// How many concrete states each interface state stands for, and the first of them.
    pub members: Vec<(u64, u32)>,
    pub initial: u32,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
}

impl Interface {
    /// `class` gives the class an entry had before, if there was a before.
    pub fn build(
        concrete: &Concrete,
        visible: &[bool],
        class: impl Fn(u32) -> u32,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let raw = Entries::collect(concrete, visible, cx)?;
        let before = raw.entries.iter().map(|c| class(*c)).collect();
        let (quotient, count) = bisimulation(&raw, before, cx)?;
        let mut of = vec![u32::MAX; concrete.len()];
        let mut members = vec![(0, u32::MAX); count];
        for (entry, c) in raw.entries.iter().enumerate() {
            let q = quotient[entry];
            of[*c as usize] = q;
            let member = &mut members[q as usize];
            member.0 += 1;
            member.1 = member.1.min(*c);
        }
        let mut representative = vec![u32::MAX; count];
        for (entry, q) in quotient.iter().enumerate().rev() {
            representative[*q as usize] = entry as u32;
        }
        let mut offsets = Vec::with_capacity(count + 1);
        let mut edges: Vec<Edge> = Vec::new();
        for entry in representative {
            offsets.push(edges.len() as u32);
            let row = raw.edges(entry).iter().map(|e| Edge {
                label: e.label,
                target: quotient[e.target as usize],
            });
            let mut row: Vec<Edge> = row.collect();
            row.sort_unstable();
            row.dedup();
            edges.extend(row);
        }
        offsets.push(edges.len() as u32);
        Ok(Interface {
            of,
            members,
            initial: quotient[0],
            offsets,
            edges,
        })
    }

    /// The interface state of a concrete entry.
    pub fn entry(&self, concrete: u32) -> u32 {
        self.of[concrete as usize]
    }

    /// How many interface states.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The visible edges of an interface state, sorted.
    pub fn edges(&self, state: u32) -> &[Edge] {
        let s = state as usize;
        &self.edges[self.offsets[s] as usize..self.offsets[s + 1] as usize]
    }

    /// The edges of one label.
    pub fn successors(&self, state: u32, label: Label) -> &[Edge] {
        let row = self.edges(state);
        let from = row.partition_point(|e| e.label < label);
        let len = row[from..].partition_point(|e| e.label == label);
        &row[from..from + len]
    }
}

/// The entries before they are merged. Edges go from entry number to entry number.
struct Entries {
    entries: Vec<u32>,
    number: Vec<u32>,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
}

impl Entries {
    fn collect(concrete: &Concrete, visible: &[bool], cx: &Context) -> Result<Self, Stopped> {
        let mut it = Entries {
            entries: vec![0],
            number: vec![u32::MAX; concrete.len()],
            offsets: Vec::new(),
            edges: Vec::new(),
        };
        it.number[0] = 0;
        let mut seen = vec![u32::MAX; concrete.len()];
        let mut stack = Vec::new();
        let mut row: Vec<Edge> = Vec::new();
        let mut work = 0usize;
        let mut next = 0;
        while next < it.entries.len() {
            it.offsets.push(it.edges.len() as u32);
            stack.push(it.entries[next]);
            seen[it.entries[next] as usize] = next as u32;
            while let Some(state) = stack.pop() {
                work += 1;
                if work.is_multiple_of(1024) {
                    cx.check()?;
                }
                for edge in concrete.edges(state) {
                    let target = edge.target as usize;
                    if visible[edge.label.index()] {
                        row.push(*edge);
                    } else if seen[target] != next as u32 {
                        seen[target] = next as u32;
                        stack.push(edge.target);
                    }
                }
            }
            row.sort_unstable();
            row.dedup();
            it.add_row(&mut row);
            next += 1;
        }
        it.offsets.push(it.edges.len() as u32);
        Ok(it)
    }

    fn add_row(&mut self, row: &mut Vec<Edge>) {
        for edge in row.drain(..) {
            let number = &mut self.number[edge.target as usize];
            if *number == u32::MAX {
                *number = self.entries.len() as u32;
                self.entries.push(edge.target);
            }
            let target = *number;
            let label = edge.label;
            self.edges.push(Edge { label, target });
        }
    }

    fn edges(&self, entry: u32) -> &[Edge] {
        let e = entry as usize;
        &self.edges[self.offsets[e] as usize..self.offsets[e + 1] as usize]
    }
}

/// Coarsest strong bisimulation finer than the given classes: signatures until nothing splits.
fn bisimulation(
    entries: &Entries,
    mut class: Vec<u32>,
    cx: &Context,
) -> Result<(Vec<u32>, usize), Stopped> {
    let mut count = 0;
    loop {
        cx.check()?;
        let mut numbers = rustc_hash::FxHashMap::default();
        let mut finer = Vec::with_capacity(class.len());
        for entry in 0..class.len() as u32 {
            let row = entries.edges(entry).iter();
            let mut signature: Vec<(u32, u32)> =
                row.map(|e| (e.label.0, class[e.target as usize])).collect();
            signature.sort_unstable();
            signature.dedup();
            signature.push((u32::MAX, class[entry as usize]));
            let fresh = numbers.len() as u32;
            finer.push(*numbers.entry(signature).or_insert(fresh));
        }
        let found = numbers.len();
        class = finer;
        if found == count {
            return Ok((class, count));
        }
        count = found;
    }
}
