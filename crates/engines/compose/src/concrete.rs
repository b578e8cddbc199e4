//! A few LTSs composed explicitly, with their edges.

use suppose_control::{Context, Stopped};
use suppose_model::lts::{Edge, Lts, PackedStates};

use crate::explore::Exploration;
use crate::product::{Product, Scratch};
use crate::with_width;

/// An explicit composition, with every label kept.
#[derive(Clone, Debug)]
pub(crate) struct Concrete {
    /// A slot for each part.
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

/// Ask the context after this many states.
const ASK_EVERY: u32 = 256;

fn explicit<const W: usize>(product: &Product, cx: &Context) -> Result<Option<Concrete>, Stopped> {
    let mut exploration = Exploration::<W>::new(product);
    let (mut edges, mut offsets) = (Vec::new(), Vec::new());
    let mut scratch = Scratch::default();
    while let Some(state) = exploration.next_state() {
        if state.is_multiple_of(ASK_EVERY) {
            exploration.ask(cx)?;
            let spare = edges.len() / 4 + 8 * ASK_EVERY as usize;
            if edges.capacity() - edges.len() < spare / 2 {
                cx.reserve((spare * size_of::<Edge>()) as u64)?;
                edges.reserve_exact(spare);
            }
        }
        offsets.push(edges.len() as u32);
        let record = exploration.record(state);
        product.steps(&record, &mut scratch, |label, to| {
            exploration.count_transition();
            if let Some(to) = to {
                let target = exploration.insert(&to, state);
                edges.push(Edge { label, target });
            }
        });
    }
    exploration.ask(cx)?;
    offsets.push(edges.len() as u32);
    Ok(Some(Concrete {
        transitions: exploration.transitions(),
        states: exploration.into_states(product),
        offsets,
        edges,
    }))
}
