//! What a level shows to the one above it.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::graph::Components;
use suppose_model::lts::{
    Edge, Equivalence, Label, Lts, LtsBuilder, Quotient, SizeLimits, minimise,
};

use crate::concrete::Concrete;

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
    /// `class` gives the class an entry had before; none if all are in one. `base` is the concrete side as
    /// [`reduced`] for labels of which these are some.
    pub fn build(
        concrete: &Concrete,
        base: Option<&Quotient>,
        visible: &[bool],
        class: Option<&dyn Fn(u32) -> u32>,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let is_entry = entries(concrete, visible);
        let entries = (0..concrete.len() as u32).filter(|c| is_entry[*c as usize]);
        let entries: Vec<u32> = entries.collect();
        let reduced = match class {
            None => match base {
                None => reduced(concrete, visible, cx)?,
                Some(base) => {
                    let smaller = reduced(&base.lts, visible, cx)?;
                    Some(smaller.map_or_else(|| base.clone(), |q| after(base, q)))
                }
            },
            Some(_) => None,
        };
        let (shown, block_of): (Shown, Option<Vec<u32>>) = match reduced {
            Some(quotient) => {
                let mut blocks: Vec<u32> = entries
                    .iter()
                    .map(|c| quotient.class[*c as usize])
                    .collect();
                blocks.sort_unstable();
                blocks.dedup();
                let shown = Shown::compute(&quotient.lts, visible, &blocks, |_| 0, cx)?;
                (shown, Some(quotient.class))
            }
            None => {
                let class = |c| class.map_or(0, |class| class(c));
                let shown = Shown::compute(concrete, visible, &entries, class, cx)?;
                (shown, None)
            }
        };
        let node = |c: u32| block_of.as_ref().map_or(c, |block| block[c as usize]);
        let mut of = vec![u32::MAX; concrete.len()];
        let mut members = vec![(0, u32::MAX); shown.count()];
        for entry in &entries {
            let state = shown.of[node(*entry) as usize];
            of[*entry as usize] = state;
            let member: &mut (u64, u32) = &mut members[state as usize];
            member.0 += 1;
            member.1 = member.1.min(*entry);
        }
        Ok(Interface {
            initial: of[0],
            of,
            members,
            offsets: shown.offsets,
            edges: shown.edges,
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

/// What has states and edges.
pub(super) trait Edges {
    fn initial(&self) -> u32;
    fn len(&self) -> usize;
    fn edges(&self, state: u32) -> &[Edge];
}

impl Edges for Concrete {
    fn initial(&self) -> u32 {
        0
    }
    fn len(&self) -> usize {
        Concrete::len(self)
    }
    fn edges(&self, state: u32) -> &[Edge] {
        Concrete::edges(self, state)
    }
}

impl Edges for Lts {
    fn initial(&self) -> u32 {
        Lts::initial(self)
    }
    fn len(&self) -> usize {
        self.states()
    }
    fn edges(&self, state: u32) -> &[Edge] {
        Lts::edges(self, state)
    }
}

/// From so many states on, hidden actions are reduced away before they are closed over ...
const WORTH_REDUCING: usize = 8;
/// ... and up to so many, for the reduction cannot be interrupted.
const QUICK_TO_REDUCE: usize = 300_000;

/// The quotient by branching bisimulation where much is hidden. It has the same visible traces, and
/// every edge of the concrete side is one of it or stays inside a block, so what holds of it holds
/// of the concrete side whatever the equivalence.
///
/// Hiding more keeps states branching bisimilar, so the quotient for more labels can take the place of the
/// concrete side for fewer.
pub(super) fn reduced(
    graph: &impl Edges,
    visible: &[bool],
    cx: &Context,
) -> Result<Option<Quotient>, Stopped> {
    let states = graph.len();
    if !(WORTH_REDUCING..=QUICK_TO_REDUCE).contains(&states) {
        return Ok(None);
    }
    let mut builder = LtsBuilder::new("");
    builder.states(states as u32);
    builder.initial(graph.initial());
    let (mut hidden, mut all) = (0usize, 0usize);
    let mut row: Vec<Edge> = Vec::new();
    for state in 0..states as u32 {
        row.clear();
        row.extend(graph.edges(state).iter().map(|edge| Edge {
            label: match visible[edge.label.index()] {
                true => edge.label,
                false => Label::TAU,
            },
            target: edge.target,
        }));
        // Sorting all edges at once, as the builder does, takes longer where they are not sorted already.
        row.sort_unstable();
        all += row.len();
        hidden += row.iter().filter(|e| e.label.is_tau()).count();
        for edge in &row {
            builder.edge(state, edge.label, edge.target);
        }
    }
    cx.spend(10 * all as u64)?;
    if hidden * 4 < all {
        return Ok(None);
    }
    let quotient = minimise(
        &builder.build(),
        Equivalence::Branching,
        &SizeLimits::default(),
    );
    Ok(quotient.ok())
}

/// A quotient of a quotient.
fn after(base: &Quotient, mut last: Quotient) -> Quotient {
    let class = base.class.iter().map(|c| last.class[*c as usize]);
    last.class = class.collect();
    last
}

/// The interface states of a graph: the number of every entry, and the visible edges.
struct Shown {
    of: Vec<u32>,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
}

impl Shown {
    fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    fn compute(
        graph: &impl Edges,
        visible: &[bool],
        entries: &[u32],
        class: impl Fn(u32) -> u32,
        cx: &Context,
    ) -> Result<Self, Stopped> {
        let hidden = HiddenSccs::find(graph, visible, cx)?;
        let rows = hidden.rows(graph, visible, cx)?;
        let mut of = vec![u32::MAX; graph.len()];
        for entry in entries {
            of[*entry as usize] = class(*entry);
        }
        let count = bisimulation(entries, &hidden, &rows, &mut of, cx)?;
        let mut first = vec![u32::MAX; count];
        for entry in entries.iter().rev() {
            first[of[*entry as usize] as usize] = *entry;
        }
        let mut offsets = Vec::with_capacity(count + 1);
        let mut edges: Vec<Edge> = Vec::new();
        for entry in first {
            offsets.push(edges.len() as u32);
            let from = edges.len();
            edges.extend(rows[hidden.of(entry)].iter().map(|e| Edge {
                label: e.label,
                target: of[e.target as usize],
            }));
            edges[from..].sort_unstable();
            dedup_from(&mut edges, from);
        }
        offsets.push(edges.len() as u32);
        Ok(Shown { of, offsets, edges })
    }
}

/// Removes repetitions from a sorted tail.
fn dedup_from(edges: &mut Vec<Edge>, from: usize) {
    let mut kept = from;
    for at in from..edges.len() {
        if at == from || edges[at] != edges[kept - 1] {
            edges[kept] = edges[at];
            kept += 1;
        }
    }
    edges.truncate(kept);
}

/// The initial state and the targets of visible actions.
fn entries(concrete: &Concrete, visible: &[bool]) -> Vec<bool> {
    let mut is_entry = vec![false; concrete.len()];
    is_entry[0] = true;
    for state in 0..concrete.len() as u32 {
        for edge in concrete.edges(state) {
            is_entry[edge.target as usize] |= visible[edge.label.index()];
        }
    }
    is_entry
}

/// Strongly connected components over hidden actions: their states show the same, so what they show is computed once.
struct HiddenSccs(Components);

impl HiddenSccs {
    fn of(&self, state: u32) -> usize {
        self.0.of[state as usize] as usize
    }

    fn find(concrete: &impl Edges, visible: &[bool], cx: &Context) -> Result<Self, Stopped> {
        let next = |state, at: &mut u32| {
            let row = &concrete.edges(state)[*at as usize..];
            let skipped = row.iter().position(|e| !visible[e.label.index()])?;
            *at += skipped as u32 + 1;
            Some(row[skipped].target)
        };
        Components::find(concrete.len(), next, || cx.check()).map(HiddenSccs)
    }

    /// For every component, the visible edges it leads to by hidden actions, sorted.
    fn rows(
        &self,
        concrete: &impl Edges,
        visible: &[bool],
        cx: &Context,
    ) -> Result<Vec<Vec<Edge>>, Stopped> {
        let mut rows: Vec<Vec<Edge>> = Vec::with_capacity(self.0.count());
        let mut below: Vec<u32> = Vec::new();
        let mut work = 0;
        for (component, members) in self.0.iter().enumerate() {
            let mut row = Vec::new();
            below.clear();
            for edge in members.iter().flat_map(|s| concrete.edges(*s)) {
                match visible[edge.label.index()] {
                    true => row.push(*edge),
                    false => below.push(self.0.of[edge.target as usize]),
                }
            }
            below.sort_unstable();
            below.dedup();
            for other in below.iter().filter(|k| **k as usize != component) {
                row.extend_from_slice(&rows[*other as usize]);
            }
            row.sort_unstable();
            row.dedup();
            work += 8 + 4 * row.len() as u64;
            if component.is_multiple_of(64) || row.len() > 1024 {
                cx.spend(std::mem::take(&mut work))?;
                cx.reserve(row.len() as u64 * size_of::<Edge>() as u64)?;
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// Refines the classes of the entries to the coarsest strong bisimulation inside them, by
/// signatures until nothing splits, and counts them.
fn bisimulation(
    entries: &[u32],
    hidden: &HiddenSccs,
    rows: &[Vec<Edge>],
    class: &mut [u32],
    cx: &Context,
) -> Result<usize, Stopped> {
    let mut shown = vec![u32::MAX; rows.len()];
    let mut count = 0;
    let edges: usize = rows.iter().map(Vec::len).sum();
    loop {
        cx.spend(1 + 2 * edges as u64 + entries.len() as u64)?;
        let mut signatures: FxHashMap<Vec<(u32, u32)>, u32> = FxHashMap::default();
        for entry in entries {
            let component = hidden.of(*entry);
            if shown[component] == u32::MAX {
                let row = rows[component].iter();
                let mut signature: Vec<(u32, u32)> =
                    row.map(|e| (e.label.0, class[e.target as usize])).collect();
                signature.sort_unstable();
                signature.dedup();
                let fresh = signatures.len() as u32;
                shown[component] = *signatures.entry(signature).or_insert(fresh);
            }
        }
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let finer = entries.iter().map(|entry| {
            let fresh = numbers.len() as u32;
            let key = (class[*entry as usize], shown[hidden.of(*entry)]);
            *numbers.entry(key).or_insert(fresh)
        });
        let finer: Vec<u32> = finer.collect();
        for (entry, number) in entries.iter().zip(finer) {
            class[*entry as usize] = number;
        }
        if numbers.len() == count {
            return Ok(count);
        }
        count = numbers.len();
        shown.fill(u32::MAX);
    }
}
