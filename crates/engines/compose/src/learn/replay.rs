//! Runs of some of the components, and how two of them make one.

use rustc_hash::FxHashSet;
use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, Lts, Network};
use suppose_model::{Claim, Counterexample, NetworkStep, Reason};

use super::too_wide;
use crate::product::{Product, Scratch};
use crate::with_width;

/// Ask the context after this many expanded states.
const ASK_EVERY: usize = 256;
/// What following a transition takes, in the steps of the context.
const WORK: u64 = 5;

/// A run of some components from their initial states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupRun {
    /// Which components.
    pub components: Vec<usize>,
    /// Their states before the first step.
    pub initial: Vec<u32>,
    /// The steps, with their states only.
    pub steps: Vec<NetworkStep>,
}

impl GroupRun {
    /// No step at all.
    pub fn empty(network: &Network, components: Vec<usize>) -> Self {
        let initial = |i: &usize| network.components[*i].lts.initial();
        GroupRun {
            initial: components.iter().map(initial).collect(),
            components,
            steps: Vec::new(),
        }
    }

    /// The labels that are in a set.
    pub fn project(&self, visible: &[bool]) -> Vec<Label> {
        let labels = self.steps.iter().map(|step| step.label);
        labels.filter(|l| visible[l.index()]).collect()
    }

    /// Appends a label that the components can do: the last one, at which a guarantee breaks.
    pub fn push_last(&mut self, network: &Network, label: Label) {
        let before = self.last().to_vec();
        let after = |(i, state): (&usize, u32)| {
            let lts = &network.components[*i].lts;
            let edges = lts.successors(state, label);
            edges.first().map_or(state, |edge| edge.target)
        };
        let states = self.components.iter().zip(before).map(after).collect();
        self.steps.push(NetworkStep { label, states });
    }

    fn last(&self) -> &[u32] {
        self.steps.last().map_or(&self.initial, |step| &step.states)
    }

    /// This run and another's, together on the shared labels, up to the end of this one. The
    /// shared labels of this run must begin those of the other; none if they do not.
    pub fn join(&self, other: &GroupRun, shared: &[bool]) -> Option<GroupRun> {
        let mut joined = GroupRun {
            components: [&self.components[..], &other.components].concat(),
            initial: [&self.initial[..], &other.initial].concat(),
            steps: Vec::new(),
        };
        let (mut mine, mut theirs) = (&self.initial, &other.initial);
        let mut rest = other.steps.iter();
        for step in &self.steps {
            while shared[step.label.index()] {
                let next = rest.next()?;
                theirs = &next.states;
                if shared[next.label.index()] {
                    if next.label != step.label {
                        return None;
                    }
                    break;
                }
                let states = [&mine[..], theirs].concat();
                let label = next.label;
                joined.steps.push(NetworkStep { label, states });
            }
            mine = &step.states;
            let states = [&mine[..], theirs].concat();
            let label = step.label;
            joined.steps.push(NetworkStep { label, states });
        }
        Some(joined)
    }

    /// As a run of the whole system; components that are not in it stay where they are.
    pub fn counterexample(&self, network: &Network, property: usize) -> Counterexample {
        let mut states: Vec<u32> = network.components.iter().map(|c| c.lts.initial()).collect();
        let mut step = |step: &NetworkStep| {
            for (component, state) in self.components.iter().zip(&step.states) {
                states[*component] = *state;
            }
            let (label, states) = (step.label, states.clone());
            NetworkStep { label, states }
        };
        Counterexample {
            claim: Claim::Property(property),
            steps: self.steps.iter().map(&mut step).collect(),
            lasso: None,
        }
    }
}

/// A shortest run of components that breaks a guarantee and whose visible labels are the word or
/// the beginning of it. None if there is none.
pub(super) fn violation_along(
    network: &Network,
    components: &[usize],
    product: &Product,
    word: &[Label],
    visible: &[bool],
    cx: &Context,
) -> Result<Option<GroupRun>, Reason> {
    let words = product.layout().words();
    let found = with_width!(words, search(product, word, visible, cx), else {
        return Err(too_wide(words));
    })?;
    let Some((slots, label)) = found else {
        return Ok(None);
    };
    let mut run = GroupRun::empty(network, components.to_vec());
    for (label, mut states) in slots {
        states.truncate(components.len());
        run.steps.push(NetworkStep { label, states });
    }
    run.push_last(network, label);
    Ok(Some(run))
}

/// Labels with the slots after each, and the label that breaks the guarantee.
type Found = (Vec<(Label, Vec<u32>)>, Label);

struct Visit<const W: usize> {
    record: [u64; W],
    position: u32,
    parent: u32,
    label: Label,
}

fn search<const W: usize>(
    product: &Product,
    word: &[Label],
    visible: &[bool],
    cx: &Context,
) -> Result<Option<Found>, Stopped> {
    let mut record = [0; W];
    record.copy_from_slice(product.initial());
    let mut seen = FxHashSet::from_iter([(record, 0)]);
    let mut queue = vec![Visit {
        record,
        position: 0,
        parent: 0,
        label: Label::TAU,
    }];
    let mut scratch = Scratch::default();
    let mut at = 0;
    let mut work = 1;
    while at < queue.len() {
        if at.is_multiple_of(ASK_EVERY) {
            cx.spend_on_states(queue.len() as u64, std::mem::take(&mut work))?;
            cx.reserve((queue.len() * (W * 24 + 40)) as u64)?;
        }
        let Visit {
            record, position, ..
        } = queue[at];
        let mut broken = None;
        work += WORK;
        product.steps(&record, &mut scratch, |label, to| {
            work += WORK;
            let mut position = position;
            if !label.is_tau() && visible[label.index()] {
                if word.get(position as usize) != Some(&label) {
                    return;
                }
                position += 1;
            }
            match to {
                None => broken = broken.or(Some(label)),
                Some(record) if seen.insert((record, position)) => queue.push(Visit {
                    record,
                    position,
                    parent: at as u32,
                    label,
                }),
                Some(_) => {}
            }
        });
        if let Some(label) = broken {
            cx.account(work);
            return Ok(Some((trail(product, &queue, at), label)));
        }
        at += 1;
    }
    cx.account(work);
    Ok(None)
}

fn trail<const W: usize>(
    product: &Product,
    queue: &[Visit<W>],
    mut at: usize,
) -> Vec<(Label, Vec<u32>)> {
    let mut steps = Vec::new();
    while at != 0 {
        let visit = &queue[at];
        steps.push((visit.label, product.layout().unpack(&visit.record)));
        at = visit.parent as usize;
    }
    steps.reverse();
    steps
}

/// The LTSs of some components.
pub(super) fn parts<'a>(network: &'a Network, components: &[usize]) -> Vec<&'a Lts> {
    let lts = |i: &usize| &network.components[*i].lts;
    components.iter().map(lts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(component: usize, steps: &[(u32, u32)]) -> GroupRun {
        let step = |(label, state): &(u32, u32)| NetworkStep {
            label: Label(*label),
            states: vec![*state],
        };
        GroupRun {
            components: vec![component],
            initial: vec![0],
            steps: steps.iter().map(step).collect(),
        }
    }

    #[test]
    fn runs_meet_at_shared_labels_and_interleave_the_rest() {
        let shared = [false, true, false, false];
        let left = run(4, &[(2, 1), (1, 2), (2, 3)]);
        let right = run(7, &[(3, 5), (1, 6), (3, 8)]);
        let joined = left.join(&right, &shared).unwrap();
        assert_eq!(joined.components, [4, 7]);
        let steps: Vec<(u32, Vec<u32>)> = joined
            .steps
            .iter()
            .map(|s| (s.label.0, s.states.clone()))
            .collect();
        let expected = [
            (2, vec![1, 0]),
            (3, vec![1, 5]),
            (1, vec![2, 6]),
            (2, vec![3, 6]),
        ];
        assert_eq!(steps, expected);
        assert_eq!(left.join(&run(7, &[(3, 5)]), &shared), None);
    }
}
