//! The concrete side of one level: a group of components with the assumption about the groups below it.

use suppose_control::{Context, Stopped};
use suppose_model::lts::{Edge, Lts, PackedStates};

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
