//! Makes a proven assumption smaller: merges its states, drops its labels, and keeps what still
//! proves the property.
//!
//! Merging states only adds behaviour, so the premise that guarantees the assumption stays true
//! with its relation mapped; the premise that uses it is explored again. Dropping a label is
//! merging along it first. Only an assumption that the property itself is proved from is touched.
//! Nothing here is trusted: the result goes to the independent checker like any other evidence.

use suppose_compose::monolithic;
use suppose_control::Context;
use suppose_model::lts::{Component, ComponentKind, Label, Layout, Lts, LtsBuilder, Network};
use suppose_model::lts::{PackedStates, State};
use suppose_model::{Assumption, Certificate, Claim, Guarantee, Node, Premise, Verdict};

/// A product with more states is not explored for a reduction.
const TRIAL_STATES: u64 = 300_000;
/// So many products are explored at most.
const TRIALS: usize = 2_000;
/// How many concrete states a merged node names.
const EXAMPLES: usize = 8;

/// A smaller certificate of the same claim, if there is one.
pub fn reduce(network: &Network, proof: &Certificate, cx: &Context) -> Option<Certificate> {
    let mut job = Job::new(network, proof.clone())?;
    let mut smaller = false;
    while job.trials < TRIALS && cx.check().is_ok() && job.step(cx) {
        smaller = true;
    }
    smaller.then_some(job.proof)
}

struct Job<'a> {
    network: &'a Network,
    proof: Certificate,
    /// The assumption in question.
    number: usize,
    /// The premise that guarantees it and the one that uses it.
    giver: usize,
    user: usize,
    trials: usize,
}

impl<'a> Job<'a> {
    /// Finds the assumption that the last premise, and no other, rests on.
    fn new(network: &'a Network, proof: Certificate) -> Option<Self> {
        let user = proof.premises.len().checked_sub(1)?;
        let last = &proof.premises[user];
        let [number] = *last.assumptions.as_slice() else {
            return None;
        };
        let uses = |p: &&Premise| p.assumptions.contains(&number);
        let gives = |p: &Premise| p.guarantee == Guarantee::Assumption(number);
        let giver = proof.premises.iter().position(gives)?;
        let alone = proof.premises.iter().filter(uses).count() == 1;
        let ours = matches!(last.guarantee, Guarantee::Property(_));
        let job = Job {
            network,
            proof,
            number,
            giver,
            user,
            trials: 0,
        };
        (alone && ours).then_some(job)
    }

    /// One reduction: the first that works, labels before states.
    fn step(&mut self, cx: &Context) -> bool {
        let assumption = &self.proof.assumptions[self.number];
        let states = assumption.lts.states() as State;
        let alphabet = assumption.lts.alphabet().to_vec();
        for label in alphabet {
            let map = merge_along(&self.proof.assumptions[self.number].lts, label);
            if self.attempt(&map, Some(label), cx) {
                return true;
            }
        }
        for second in 1..states {
            for first in 0..second {
                let map = merge_pair(states, first, second);
                if self.attempt(&map, None, cx) {
                    return true;
                }
            }
        }
        false
    }

    fn attempt(&mut self, map: &[State], dropped: Option<Label>, cx: &Context) -> bool {
        self.trials += 1;
        if self.trials > TRIALS || cx.check().is_err() {
            return false;
        }
        let smaller = merged(&self.proof.assumptions[self.number], map, dropped);
        let Some(relation) = self.explore(&smaller.lts, cx) else {
            return false;
        };
        self.proof.premises[self.user].relation = relation.into();
        let giver = &mut self.proof.premises[self.giver];
        let sizes = slot_sizes(self.network, &self.proof.assumptions, giver, &smaller.lts);
        giver.relation = mapped(&giver.relation.vectors(), Layout::new(sizes), map).into();
        self.proof.assumptions[self.number] = smaller;
        true
    }

    /// The reachable vectors of the premise that uses the assumption, if it still holds.
    fn explore(&self, assumption: &Lts, cx: &Context) -> Option<PackedStates> {
        let premise = &self.proof.premises[self.user];
        let Guarantee::Property(property) = premise.guarantee else {
            return None;
        };
        let parts = premise.components.iter();
        let parts = parts.map(|i| self.network.components[*i].lts.clone());
        let component = |lts| Component {
            lts,
            kind: ComponentKind::Process,
        };
        let small = Network {
            name: String::new(),
            labels: self.network.labels.clone(),
            components: parts.chain([assumption.clone()]).map(component).collect(),
            properties: vec![self.network.properties[property].clone()],
            ..Network::default()
        };
        let cx = cx.with_state_limit(TRIAL_STATES);
        match monolithic::check(&small, Claim::Property(0), &cx).verdict {
            Verdict::Holds(mut proof) => Some(proof.premises.pop()?.relation.into_vectors()),
            _ => None,
        }
    }
}

/// The sizes of the slots of a premise that guarantees this assumption.
fn slot_sizes(
    network: &Network,
    assumptions: &[Assumption],
    premise: &Premise,
    guarantee: &Lts,
) -> Vec<u32> {
    let components = premise.components.iter();
    let components = components.map(|i| network.components[*i].lts.states() as u32);
    let used = premise.assumptions.iter();
    let used = used.map(|a| assumptions[*a].lts.states() as u32);
    let last = guarantee.states() as u32;
    components.chain(used).chain([last]).collect()
}

/// The same vectors with the last slot mapped; each once.
fn mapped(relation: &PackedStates, layout: Layout, map: &[State]) -> PackedStates {
    let mut records: Vec<Vec<u64>> = relation
        .iter()
        .filter_map(|record| {
            let mut values = relation.layout().unpack(record);
            let last = values.last_mut()?;
            *last = map[*last as usize];
            layout.pack(&values)
        })
        .collect();
    records.sort_unstable();
    records.dedup();
    let mut result = PackedStates::new(layout);
    for record in &records {
        result.push(record);
    }
    result
}

/// States numbered anew so that these two are one.
fn merge_pair(states: State, first: State, second: State) -> Vec<State> {
    (0..states)
        .map(|s| match s {
            s if s == second => first,
            s if s > second => s - 1,
            s => s,
        })
        .collect()
}

/// States numbered anew so that all edges with the label are loops.
fn merge_along(lts: &Lts, label: Label) -> Vec<State> {
    let mut leader: Vec<State> = (0..lts.states() as State).collect();
    fn find(leader: &[State], mut s: State) -> State {
        while leader[s as usize] != s {
            s = leader[s as usize];
        }
        s
    }
    for (s, l, t) in lts.all_edges() {
        if l == label {
            let (a, b) = (find(&leader, s), find(&leader, t));
            leader[a.max(b) as usize] = a.min(b);
        }
    }
    let roots: Vec<State> = (0..lts.states() as State)
        .map(|s| find(&leader, s))
        .collect();
    let mut numbers = vec![0; lts.states()];
    let mut next = 0;
    for s in 0..lts.states() {
        if roots[s] == s as State {
            numbers[s] = next;
            next += 1;
        }
    }
    roots.iter().map(|r| numbers[*r as usize]).collect()
}

/// The assumption with states merged and perhaps one label less.
fn merged(assumption: &Assumption, map: &[State], dropped: Option<Label>) -> Assumption {
    let old = &assumption.lts;
    let mut builder = LtsBuilder::new(old.name());
    let keep = |l: &Label| Some(*l) != dropped;
    builder.extend_alphabet(old.alphabet().iter().copied().filter(keep));
    builder.initial(map[old.initial() as usize]);
    for (s, l, t) in old.all_edges().filter(|(_, l, _)| keep(l)) {
        builder.edge(map[s as usize], l, map[t as usize]);
    }
    let lts = builder.build();
    let nodes = match assumption.nodes.is_empty() {
        true => Vec::new(),
        false => merged_nodes(&assumption.nodes, map, lts.states()),
    };
    Assumption { lts, nodes }
}

fn merged_nodes(old: &[Node], map: &[State], states: usize) -> Vec<Node> {
    let mut nodes = vec![Node::default(); states];
    for (node, to) in old.iter().zip(map) {
        let into = &mut nodes[*to as usize];
        into.count = into.count.saturating_add(node.count);
        let room = EXAMPLES.saturating_sub(into.examples.len());
        let more = node.examples.iter().take(room).cloned();
        into.examples.extend(more);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::lts::Labels;

    /// `0 -a-> 1 -b-> 2 -c-> 0`.
    fn ring() -> Lts {
        let mut labels = Labels::new();
        let [a, b, c] = ["a", "b", "c"].map(|n| labels.intern(n));
        let mut builder = LtsBuilder::new("A");
        builder.edge(0, a, 1).edge(1, b, 2).edge(2, c, 0);
        builder.build()
    }

    #[test]
    fn merging_keeps_every_step() {
        let old = ring();
        let assumption = Assumption {
            lts: old.clone(),
            nodes: vec![],
        };
        for second in 1..3 {
            for first in 0..second {
                let map = merge_pair(3, first, second);
                let new = merged(&assumption, &map, None).lts;
                assert_eq!(new.states(), 2);
                for (s, l, t) in old.all_edges() {
                    let targets = new.successors(map[s as usize], l);
                    assert!(targets.iter().any(|e| e.target == map[t as usize]));
                }
            }
        }
    }

    #[test]
    fn a_dropped_label_leaves_loops_only() {
        let old = ring();
        let b = old.alphabet()[1];
        let map = merge_along(&old, b);
        assert_eq!(map, [0, 1, 1]);
        let assumption = Assumption {
            lts: old,
            nodes: vec![],
        };
        let new = merged(&assumption, &map, Some(b)).lts;
        assert_eq!((new.states(), new.transitions()), (2, 2));
        assert!(!new.has_label(b));
    }
}
