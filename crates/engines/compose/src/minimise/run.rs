//! From a deadlock of the remaining composition to a run of the components.
//!
//! A class of a quotient does what its members do, after hidden steps inside the class. So each step of a run of quotients is
//! preceded by such steps of the LTSs that were minimised, down to the components; then all participants take it together.

use std::collections::BTreeMap;

use suppose_model::lts::Label;
use suppose_model::{Claim, Counterexample, NetworkStep as Move};

use super::{Forest, Part};
use crate::product::initial_states;

/// The run of the components that corresponds to a run of the items. None if there is none, which is a bug of the engine.
pub(super) fn lift(forest: &Forest, path: &[(Label, Vec<u32>)]) -> Option<Counterexample> {
    let mut lifting = Lifting {
        forest,
        at: vec![0; forest.steps.len()],
        states: initial_states(forest.network),
        moves: Vec::new(),
    };
    let mut before: Vec<u32> = forest.items.iter().map(|i| i.lts.initial()).collect();
    for (label, after) in path {
        let mut ready = Vec::new();
        for (at, item) in forest.items.iter().enumerate() {
            if label.is_tau() && before[at] != after[at] {
                lifting.alone(item.part, after[at])?;
            } else if !label.is_tau() && item.lts.has_label(*label) {
                lifting.prepare(item.part, *label, after[at], &mut ready)?;
            }
        }
        lifting.commit(*label, &ready);
        before.clone_from(after);
    }
    for item in &forest.items {
        lifting.settle(item.part)?;
    }
    Some(Counterexample::finite(Claim::DeadlockFree, lifting.moves))
}

struct Lifting<'a> {
    forest: &'a Forest<'a>,
    /// For every step, the state in which the composition of its members is.
    at: Vec<u32>,
    /// The same for every component.
    states: Vec<u32>,
    moves: Vec<Move>,
}

/// The components that take part in the next step, with their target states.
type Ready = Vec<(usize, u32)>;

impl Lifting<'_> {
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
    fn prepare(&mut self, part: Part, label: Label, class: u32, ready: &mut Ready) -> Option<()> {
        let number = match part {
            Part::Component(component) => {
                ready.push((component, class));
                return Some(());
            }
            Part::Step(number) => number,
        };
        let to = self.approach(number, |l| l == label, class)?;
        self.share(number, label, to, ready)
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
        let step = &self.forest.steps[number];
        let to = self.approach(number, |l| step.hides(l), class)?;
        let edges = step.whole.edges(self.at[number]).iter();
        let mut edges = edges.filter(|e| e.target == to && step.hides(e.label));
        let label = edges.next()?.label;
        self.hidden(number, label, to)
    }

    /// The composition of a step's members does a hidden step.
    fn hidden(&mut self, number: usize, label: Label, to: u32) -> Option<()> {
        if !label.is_tau() {
            let mut ready = Vec::new();
            self.share(number, label, to, &mut ready)?;
            self.commit(label, &ready);
            return Some(());
        }
        let step = &self.forest.steps[number];
        let from = std::mem::replace(&mut self.at[number], to);
        for (slot, member) in step.members.iter().enumerate() {
            let target = step.whole.slot(to, slot);
            if target != step.whole.slot(from, slot) {
                self.alone(*member, target)?;
            }
        }
        Some(())
    }

    /// The members of a step that have a label get ready for it.
    fn share(&mut self, number: usize, label: Label, to: u32, ready: &mut Ready) -> Option<()> {
        self.at[number] = to;
        let step = &self.forest.steps[number];
        for (slot, member) in step.members.iter().enumerate() {
            if self.has_label(*member, label) {
                self.prepare(*member, label, step.whole.slot(to, slot), ready)?;
            }
        }
        Some(())
    }

    fn has_label(&self, part: Part, label: Label) -> bool {
        match part {
            Part::Component(number) => self.forest.network.components[number].lts.has_label(label),
            Part::Step(number) => self.forest.steps[number].lts.has_label(label),
        }
    }

    /// Hidden steps inside the class, until a label of some kind leads to a class; where it leads to.
    fn approach(&mut self, number: usize, is: impl Fn(Label) -> bool, class: u32) -> Option<u32> {
        let step = &self.forest.steps[number];
        let leads = |state: u32| {
            let mut edges = step.whole.edges(state).iter();
            edges.find(|e| is(e.label) && step.class[e.target as usize] == class)
        };
        self.inside(number, |state| leads(state).is_some())?;
        leads(self.at[number]).map(|e| e.target)
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
