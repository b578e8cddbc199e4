//! Premise 1: the first group under its assumption against the property, explored incrementally.

use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, Lts, PackedStates};

use crate::explore::{Exploration, Goal, Pause};
use crate::product::Product;
use crate::with_width;

/// An abstract counterexample of premise 1.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The labels; the last one is what the property does not allow.
    pub labels: Vec<Label>,
    /// The slots (the group's components, the assumption, the property) before each label.
    pub slots: Vec<Vec<u32>>,
}

/// The product of a group, its assumption and the property, whose assumption is replaced from
/// round to round.
pub(super) trait Premise {
    /// Goes on until all is explored (none) or the property is violated.
    fn run(&mut self, cx: &Context) -> Result<Option<Found>, Stopped>;
    /// Takes a finer assumption in which only the given classes were cut, each keeping its number
    /// for one part. What was explored before any of them was seen stays valid: a class that leads to
    /// a new part led to the cut class before, so its expansion would have shown it.
    fn refine(&mut self, assumption: &Lts, cut: &[u32]);
    /// States found now, and transitions followed in all.
    fn sizes(&self) -> (u64, u64);
    /// Everything explored.
    fn relation(self: Box<Self>) -> PackedStates;
}

/// Compiles premise 1 with room for `room` assumption states; none if it does not fit.
pub(super) fn premise(
    group: &[&Lts],
    assumption: &Lts,
    room: u32,
    property: &Lts,
    labels: usize,
) -> Option<Box<dyn Premise>> {
    let parts: Vec<&Lts> = group.iter().copied().chain([assumption]).collect();
    let mut rooms: Vec<u32> = parts.iter().map(|l| l.states() as u32).collect();
    rooms[group.len()] = room;
    let product = Product::with_room(&parts, &rooms, Some(property), labels);
    let words = product.layout().words();
    let slot = group.len();
    with_width!(words, boxed(product, slot), else None)
}

fn boxed<const W: usize>(product: Product, slot: usize) -> Option<Box<dyn Premise>> {
    Some(Box::new(Incremental::<W> {
        exploration: Exploration::new(&product),
        product,
        slot,
    }))
}

struct Incremental<const W: usize> {
    product: Product,
    exploration: Exploration<W>,
    /// The assumption's slot.
    slot: usize,
}

impl<const W: usize> Premise for Incremental<W> {
    fn run(&mut self, cx: &Context) -> Result<Option<Found>, Stopped> {
        let pause = self.exploration.run(&self.product, Goal::Violations, cx)?;
        let Pause::Violation { state, label } = pause else {
            return Ok(None);
        };
        let path = self.exploration.path_to(&self.product, state);
        let mut labels = path.labels;
        labels.push(label);
        let layout = self.product.layout();
        let slots = path.records.iter().map(|r| layout.unpack(r)).collect();
        Ok(Some(Found { labels, slots }))
    }

    fn refine(&mut self, assumption: &Lts, cut: &[u32]) {
        let layout = self.product.layout().clone();
        let slot = self.slot;
        let touched = |r: &[u64; W]| cut.contains(&layout.get(r, slot));
        let first = self.exploration.first(touched);
        self.product.replace_part(slot, assumption);
        match first {
            Some(0) => self.exploration = Exploration::new(&self.product),
            Some(state) => self.exploration.keep_until(self.exploration.parent(state)),
            None => {}
        }
    }

    fn sizes(&self) -> (u64, u64) {
        let states = self.exploration.states() as u64;
        (states, self.exploration.transitions())
    }

    fn relation(self: Box<Self>) -> PackedStates {
        self.exploration.into_states(&self.product)
    }
}
