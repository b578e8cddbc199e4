//! What the teacher has said: behaviours that an assumption must have, and some that it must not have.

use suppose_model::lts::{Label, State};
use suppose_model::mdp::Lpts;
use suppose_number::Int;

/// A finite behaviour the assumption must not have. Nodes may be shared: only what is below a node matters.
pub(super) type Negative = Lpts;

/// All behaviours the assumption must have, merged at the root: a tree. Node 0 is the root; parents come before children.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    /// The parent of each node; the root is its own.
    pub parents: Vec<u32>,
    /// The transitions, in the order they were added.
    pub transitions: Vec<Transition>,
}

/// A transition of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Transition {
    /// Where it starts.
    pub source: u32,
    /// The action.
    pub label: Label,
    /// Where it leads, with weights.
    pub targets: Vec<(u32, Int)>,
}

impl Transition {
    /// The sum of the weights.
    pub fn total(&self) -> Int {
        self.targets
            .iter()
            .fold(Int::ZERO, |sum, (_, weight)| &sum + weight)
    }
}

/// Trees are unfolded up to this many nodes.
const MOST_NODES: usize = 20_000;

impl Forest {
    /// Only the root.
    pub fn new() -> Self {
        Forest {
            parents: vec![0],
            transitions: Vec::new(),
        }
    }

    /// How many nodes.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Adds a behaviour, unfolded. False if there are too many nodes.
    pub fn add(&mut self, tree: &Lpts) -> bool {
        let mut queue = std::collections::VecDeque::from([(tree.initial(), 0u32)]);
        while let Some((node, here)) = queue.pop_front() {
            for choice in tree.choices(node) {
                let dist = tree.dist(choice.dist);
                let mut targets = Vec::with_capacity(dist.len());
                for (at, target) in dist.targets().iter().enumerate() {
                    let child = self.len() as u32;
                    self.parents.push(here);
                    targets.push((child, dist.weight(at)));
                    queue.push_back((*target, child));
                }
                self.transitions.push(Transition {
                    source: here,
                    label: choice.label,
                    targets,
                });
                if self.len() > MOST_NODES {
                    return false;
                }
            }
        }
        true
    }
}

/// A transition of a negative sample.
pub(super) fn transition(tree: &Negative, number: usize, source: State) -> Transition {
    let choice = tree.all_choices()[number];
    let dist = tree.dist(choice.dist);
    let targets = dist.targets().iter().enumerate();
    Transition {
        source,
        label: choice.label,
        targets: targets.map(|(at, t)| (*t, dist.weight(at))).collect(),
    }
}
