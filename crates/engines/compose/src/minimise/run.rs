//! From a deadlock of the remaining composition to a run of the components.
//!
//! A class of a quotient does what its members do, after hidden steps inside the class. So each step of a run of quotients is
//! preceded by such steps of the LTSs that were minimised, down to the components; then all participants take it together.

use std::collections::BTreeMap;

use suppose_model::lts::{Edge, Label, Lts};
use suppose_model::{Claim, Counterexample, NetworkStep as Move};

use super::{Forest, Part};
use crate::product::initial_states;

/// The run of the components that corresponds to a run of the items into a deadlock. None if there is none, which is a bug of the engine.
pub(super) fn lift(forest: &Forest, path: &[(Label, Vec<u32>)]) -> Option<Counterexample> {
    let mut lifting = Lifting::new(forest);
    for (label, after) in path {
        lifting.step(*label, after)?;
    }
    lifting.stop()?;
    Some(Counterexample::finite(Claim::DeadlockFree, lifting.moves))
}

/// A run of the items, and one of the components beside it.
pub(super) struct Lifting<'a> {
    forest: &'a Forest<'a>,
    /// Where the items are.
    items: Vec<u32>,
    /// For every step, the state in which the composition of its members is.
    at: Vec<u32>,
    /// The same for every component.
    pub states: Vec<u32>,
    pub moves: Vec<Move>,
}

/// The components that take part in the next step, with their target states.
type Ready = Vec<(usize, u32)>;

impl<'a> Lifting<'a> {
    /// In the initial states.
    pub fn new(forest: &'a Forest<'a>) -> Self {
        Lifting {
            forest,
            items: forest.items.iter().map(|i| i.lts.initial()).collect(),
            at: vec![0; forest.steps.len()],
            states: initial_states(forest.network),
            moves: Vec::new(),
        }
    }

    /// The items go on to these states.
    pub fn step(&mut self, label: Label, after: &[u32]) -> Option<()> {
        let forest = self.forest;
        let mut ready = Vec::new();
        let (mut real, mut is_known) = (label, false);
        let before = std::mem::replace(&mut self.items, after.to_vec());
        for (at, item) in forest.items.iter().enumerate() {
            if label.is_tau() && before[at] != after[at] {
                return self.alone(item.part, after[at]);
            } else if !label.is_tau() && item.lts.has_label(label) {
                is_known = true;
                real = self.prepare(item.part, label, after[at], &mut ready)?;
            }
        }
        if label.is_tau() {
            return self.diverge(after);
        }
        match is_known {
            true => self.commit(real, &ready),
            // The environment does it.
            false => {
                let states = self.states.clone();
                self.moves.push(Move { label, states });
            }
        }
        Some(())
    }

    /// Some item goes around with hidden steps.
    fn diverge(&mut self, at: &[u32]) -> Option<()> {
        let items = self.forest.items.iter().zip(at);
        let goes_around = |(item, at): &(&super::Item, &u32)| {
            let mut edges = item.lts.successors(**at, Label::TAU).iter();
            edges.any(|e| e.target == **at)
        };
        let mut items = items.filter(goes_around);
        let (item, at) = items.next()?;
        self.alone(item.part, *at)
    }

    /// All items wait, and so do the components in the end.
    pub fn stop(&mut self) -> Option<()> {
        for item in &self.forest.items {
            self.settle(item.part)?;
        }
        Some(())
    }

    /// Takes the step.
    fn commit(&mut self, label: Label, ready: &[(usize, u32)]) {
        if ready.is_empty() {
            return;
        }
        for (component, target) in ready {
            self.states[*component] = *target;
        }
        let states = self.states.clone();
        self.moves.push(Move { label, states });
    }

    /// A part gets ready for a label that others may have too, to be in a class afterwards.
    /// What the components call the label.
    fn prepare(
        &mut self,
        part: Part,
        label: Label,
        class: u32,
        ready: &mut Ready,
    ) -> Option<Label> {
        let number = match part {
            Part::Component(component) => {
                ready.push((component, class));
                return Some(label);
            }
            Part::Step(number) => number,
        };
        let edge = self.approach(number, Some(label), class)?;
        self.share(number, edge.label, edge.target, ready)
    }

    /// A part does something that is hidden from the others, to be in another class afterwards.
    fn alone(&mut self, part: Part, class: u32) -> Option<()> {
        let number = match part {
            Part::Component(component) => {
                self.commit(Label::TAU, &[(component, class)]);
                return Some(());
            }
            Part::Step(number) => number,
        };
        let edge = self.approach(number, None, class)?;
        self.hidden(number, edge.label, edge.target)
    }

    /// The composition of a step's members does a hidden step.
    fn hidden(&mut self, number: usize, label: Label, to: u32) -> Option<()> {
        if !label.is_tau() {
            let mut ready = Vec::new();
            let real = self.share(number, label, to, &mut ready)?;
            self.commit(real, &ready);
            return Some(());
        }
        let step = &self.forest.steps[number];
        let from = std::mem::replace(&mut self.at[number], to);
        for (slot, member) in step.members.iter().enumerate() {
            let target = step.whole.slot(to, slot);
            if target != step.whole.slot(from, slot) {
                return self.alone(*member, target);
            }
        }
        // A loop: some member goes around with hidden steps.
        for (slot, member) in step.members.iter().enumerate() {
            let target = step.whole.slot(to, slot);
            let edges = self.lts(*member).successors(target, Label::TAU);
            if edges.iter().any(|e| e.target == target) {
                return self.alone(*member, target);
            }
        }
        None
    }

    /// The members of a step that have a label get ready for it.
    /// What the components call it.
    fn share(&mut self, number: usize, label: Label, to: u32, ready: &mut Ready) -> Option<Label> {
        self.at[number] = to;
        let step = &self.forest.steps[number];
        let mut real = label;
        for (slot, member) in step.members.iter().enumerate() {
            if self.lts(*member).has_label(label) {
                real = self.prepare(*member, label, step.whole.slot(to, slot), ready)?;
            }
        }
        Some(real)
    }

    fn lts(&self, part: Part) -> &'a Lts {
        match part {
            Part::Component(number) => &self.forest.network.components[number].lts,
            Part::Step(number) => &self.forest.steps[number].lts,
        }
    }

    /// Hidden steps inside the class, until a label that is called so (or a hidden one, if none is given) leads to a class; the edge.
    fn approach(&mut self, number: usize, called: Option<Label>, class: u32) -> Option<Edge> {
        let step = &self.forest.steps[number];
        let leads = |state: u32| {
            let mut edges = step.whole.edges(state).iter();
            edges.find(|e| step.calls(e.label) == called && step.class[e.target as usize] == class)
        };
        self.inside(number, |state| leads(state).is_some())?;
        leads(self.at[number]).copied()
    }

    /// Hidden steps inside the class, to the nearest state that will do.
    fn inside(&mut self, number: usize, will_do: impl Fn(u32) -> bool) -> Option<()> {
        let step = &self.forest.steps[number];
        let start = self.at[number];
        let own = step.class[start as usize];
        let mut parents: BTreeMap<u32, (u32, Label)> = BTreeMap::new();
        let mut queue = vec![start];
        let mut next = 0;
        while !will_do(*queue.get(next)?) {
            let state = queue[next];
            for edge in step.whole.edges(state) {
                let stays = step.hides(edge.label) && step.class[edge.target as usize] == own;
                if stays && edge.target != start && !parents.contains_key(&edge.target) {
                    parents.insert(edge.target, (state, edge.label));
                    queue.push(edge.target);
                }
            }
            next += 1;
        }
        let mut path = Vec::new();
        let mut state = queue[next];
        while state != start {
            let (parent, label) = parents[&state];
            path.push((label, state));
            state = parent;
        }
        for (label, to) in path.into_iter().rev() {
            self.hidden(number, label, to)?;
        }
        Some(())
    }

    /// A part whose class waits for others does what is hidden until it waits as well.
    fn settle(&mut self, part: Part) -> Option<()> {
        let Part::Step(number) = part else {
            return Some(());
        };
        let step = &self.forest.steps[number];
        self.inside(number, |state| {
            let mut edges = step.whole.edges(state).iter();
            edges.all(|e| !step.hides(e.label))
        })?;
        for member in &step.members {
            self.settle(*member)?;
        }
        Some(())
    }
}
