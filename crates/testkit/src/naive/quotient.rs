//! The equivalences of requirement synthesis, by their definitions.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::lts::{Label, Lts, Network, State};

/// States of the environment's components and the property.
type Outside = (Vec<State>, State);

/// A process, the other components of a network, and one of its properties.
pub struct Split<'a> {
    /// The process.
    pub process: &'a Lts,
    environment: Vec<&'a Lts>,
    property: &'a Lts,
    labels: Vec<Label>,
}

impl<'a> Split<'a> {
    /// The components named are left out and replaced by `process`.
    pub fn new(
        network: &'a Network,
        property: usize,
        left_out: &[usize],
        process: &'a Lts,
    ) -> Self {
        let others = (0..network.components.len()).filter(|i| !left_out.contains(i));
        Split {
            process,
            environment: others.map(|i| &network.components[i].lts).collect(),
            property: &network.properties[property].lts,
            labels: network.labels.iter().collect(),
        }
    }

    fn start(&self) -> Outside {
        let states = self.environment.iter().map(|c| c.initial()).collect();
        (states, self.property.initial())
    }

    /// Where environment and property may go with a label (none: the error), or stay, if neither has it.
    fn outside_steps(&self, (states, watched): &Outside, label: Label) -> Vec<Option<Outside>> {
        let mut all = vec![states.clone()];
        for (i, component) in self.environment.iter().enumerate() {
            if component.has_label(label) {
                let edges = component.successors(states[i], label);
                let with = |before: &Vec<State>, target| {
                    let mut after = before.clone();
                    after[i] = target;
                    after
                };
                all = all
                    .iter()
                    .flat_map(|b| edges.iter().map(move |e| with(b, e.target)))
                    .collect();
            }
        }
        let mut steps = Vec::new();
        for states in all {
            if !self.property.has_label(label) {
                steps.push(Some((states, *watched)));
                continue;
            }
            let edges = self.property.successors(*watched, label);
            steps.push(edges.first().map(|e| (states, e.target)));
        }
        steps
    }

    /// Every step of a state of the whole: (where outside, where the process); none is the error.
    fn steps(&self, outside: &Outside, inner: State) -> Vec<Option<(Outside, State)>> {
        let mut found = Vec::new();
        for (i, component) in self.environment.iter().enumerate() {
            for edge in component.successors(outside.0[i], Label::TAU) {
                let mut next = outside.clone();
                next.0[i] = edge.target;
                found.push(Some((next, inner)));
            }
        }
        for edge in self.process.successors(inner, Label::TAU) {
            found.push(Some((outside.clone(), edge.target)));
        }
        for label in &self.labels {
            let inner_targets: Vec<State> = match self.process.has_label(*label) {
                true => {
                    let edges = self.process.successors(inner, *label).iter();
                    edges.map(|e| e.target).collect()
                }
                false => vec![inner],
            };
            if !self.is_known(*label) {
                continue;
            }
            for next in self.outside_steps(outside, *label) {
                for target in &inner_targets {
                    found.push(next.clone().map(|n| (n, *target)));
                }
            }
        }
        found
    }

    fn is_known(&self, label: Label) -> bool {
        let mut all = self
            .environment
            .iter()
            .chain([&self.process, &self.property]);
        all.any(|lts| lts.has_label(label))
    }

    /// The states of environment and property that can be reached with any states of the process.
    fn outsides(&self) -> BTreeSet<Outside> {
        let mut seen = BTreeSet::from([self.start()]);
        let mut open = vec![self.start()];
        while let Some(outside) = open.pop() {
            for inner in 0..self.process.states() as State {
                for (next, _) in self.steps(&outside, inner).into_iter().flatten() {
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        seen
    }

    fn reachable(&self) -> BTreeSet<(Outside, State)> {
        let start = (self.start(), self.process.initial());
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some((outside, inner)) = open.pop() {
            for next in self.steps(&outside, inner).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    }

    /// The pairs from which the error can be reached: rounds over all pairs until nothing changes.
    fn doomed(&self) -> BTreeSet<(Outside, State)> {
        let outsides = self.outsides();
        let mut doomed = BTreeSet::new();
        loop {
            let before = doomed.len();
            for outside in &outsides {
                for inner in 0..self.process.states() as State {
                    let mut steps = self.steps(outside, inner).into_iter();
                    if steps.any(|s| s.is_none_or(|next| doomed.contains(&next))) {
                        doomed.insert((outside.clone(), inner));
                    }
                }
            }
            if doomed.len() == before {
                return doomed;
            }
        }
    }

    /// The classes of states that are reachable with the same states of environment and property.
    pub fn forward_classes(&self) -> Vec<u32> {
        self.classes(&self.reachable())
    }

    /// The classes of states that lead to the error with the same states of environment and property.
    pub fn backward_classes(&self) -> Vec<u32> {
        self.classes(&self.doomed())
    }

    fn classes(&self, pairs: &BTreeSet<(Outside, State)>) -> Vec<u32> {
        let mut number: BTreeMap<Vec<&Outside>, u32> = BTreeMap::new();
        let states = 0..self.process.states() as State;
        states
            .map(|state| {
                let with = pairs.iter().filter(|p| p.1 == state).map(|p| &p.0);
                let next = number.len() as u32;
                *number.entry(with.collect()).or_insert(next)
            })
            .collect()
    }
}
