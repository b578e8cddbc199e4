//! The environment as a modal transition system (sections 5 and 6 of the paper).
//!
//! The paper abstracts one environment process. Here every component of the environment has its
//! own partition, and the abstract environment is the product of the abstract components: it is
//! explored on the fly and the concrete one is never built. An edge of the product *may* be taken
//! if each participant's edge may, and *must* be if each participant's must. That is sound because
//! a class of the product is a product of classes, so the participants choose independently:
//!
//! - forward: every state of the target class has a predecessor in the source class;
//! - backward: every state of the source class has a successor in the target class.
//!
//! Initial states have classes of their own: otherwise lower bounds would be wrong.

use suppose_model::lts::{Label, Lts, LtsBuilder};

use super::partition::Partition;

/// A component of the environment, abstracted.
#[derive(Clone, Debug)]
pub(super) struct Member<'a> {
    /// Its number in the network.
    pub component: usize,
    pub lts: &'a Lts,
    pub partition: Partition,
    /// The quotient: the may-edges.
    pub may: Lts,
    /// The class of the previous round that each class is part of.
    pub parent: Vec<u32>,
    must: Must,
}

/// May-edges that are must-edges, as sorted lists.
#[derive(Clone, Debug, Default)]
struct Must {
    forward: Vec<(u32, Label, u32)>,
    backward: Vec<(u32, Label, u32)>,
    /// Labels that every state of a class enables.
    enabled: Vec<(u32, Label)>,
}

impl<'a> Member<'a> {
    /// The coarsest abstraction (or the component itself).
    pub fn new(component: usize, lts: &'a Lts, exact: bool) -> Self {
        let count = lts.states();
        let partition = match exact {
            true => Partition::discrete(count),
            false => {
                let mut partition = Partition::one(count);
                partition.split([lts.initial()], &mut Vec::new());
                partition
            }
        };
        let mut it = Member {
            component,
            lts,
            partition,
            may: LtsBuilder::new("").build(),
            parent: Vec::new(),
            must: Must::default(),
        };
        it.rebuild();
        it
    }

    /// No class is split since: every class is its own parent.
    pub fn settle(&mut self) {
        self.parent = (0..self.partition.len() as u32).collect();
    }

    /// Separates a set of states; does that change anything? To be followed by
    /// [`Member::rebuild`].
    pub fn split(&mut self, set: &[u32]) -> bool {
        let mut origin = Vec::new();
        let changed = self.partition.split(set.iter().copied(), &mut origin);
        for class in origin {
            self.parent.push(self.parent[class as usize]);
        }
        changed
    }

    /// Computes the edges anew.
    pub fn rebuild(&mut self) {
        if self.parent.is_empty() {
            self.settle();
        }
        let class = |s| self.partition.class(s);
        let mut builder = LtsBuilder::new(self.lts.name());
        builder
            .states(self.partition.len() as u32)
            .initial(class(self.lts.initial()))
            .extend_alphabet(self.lts.alphabet().iter().copied());
        let mut into = Vec::with_capacity(self.lts.transitions());
        let mut out = Vec::with_capacity(self.lts.transitions());
        let mut able = Vec::with_capacity(self.lts.transitions());
        for (source, label, target) in self.lts.all_edges() {
            let edge = (class(source), label, class(target));
            builder.edge(edge.0, label, edge.2);
            into.push((edge, target));
            out.push((edge, source));
            able.push(((edge.0, label), source));
        }
        let size = |class: u32| self.partition.members(class).len();
        self.must = Must {
            forward: covered(into, |e| size(e.2)),
            backward: covered(out, |e| size(e.0)),
            enabled: covered(able, |e| size(e.0)),
        };
        self.may = builder.build();
    }

    pub fn must_forward(&self, edge: (u32, Label, u32)) -> bool {
        self.must.forward.binary_search(&edge).is_ok()
    }

    pub fn must_backward(&self, edge: (u32, Label, u32)) -> bool {
        self.must.backward.binary_search(&edge).is_ok()
    }

    pub fn must_enable(&self, class: u32, label: Label) -> bool {
        self.must.enabled.binary_search(&(class, label)).is_ok()
    }

    /// The states of the target class that the edge reaches.
    pub fn reached(&self, (source, label, target): (u32, Label, u32)) -> Vec<u32> {
        let members = self.partition.members(source).iter();
        let edges = members.flat_map(|s| self.lts.successors(*s, label));
        let targets = edges.map(|e| e.target);
        targets
            .filter(|t| self.partition.class(*t) == target)
            .collect()
    }

    /// The states of the source class that have the edge, into that class or any.
    pub fn having(&self, source: u32, label: Label, target: Option<u32>) -> Vec<u32> {
        let fits = |t: u32| target.is_none_or(|class| self.partition.class(t) == class);
        let has = |s: &&u32| {
            let edges = self.lts.successors(**s, label);
            edges.iter().any(|e| fits(e.target))
        };
        self.partition
            .members(source)
            .iter()
            .filter(has)
            .copied()
            .collect()
    }
}

/// The keys that occur with as many different states as `size` asks for.
fn covered<K: Ord + Copy>(mut pairs: Vec<(K, u32)>, size: impl Fn(&K) -> usize) -> Vec<K> {
    pairs.sort_unstable();
    pairs.dedup();
    let groups = pairs.chunk_by(|a, b| a.0 == b.0);
    let complete = groups.filter(|g| g.len() == size(&g[0].0));
    complete.map(|g| g[0].0).collect()
}
