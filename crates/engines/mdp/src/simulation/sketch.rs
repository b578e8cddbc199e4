//! A tree in the making, and making it smaller.
//!
//! What the reasons for falls ask for can be more than it takes: a choice needed against one right state may rule out another as
//! well. So each choice, and each branch's subtree, is left out if the right side still does not simulate the rest; the biggest first, until nothing can be
//! left out or enough work was done.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_control::{Context, Stopped};
use suppose_model::lts::State;
use suppose_model::mdp::{Lpts, Tree, TreeBuilder};

use super::local::range_on;
use super::screen::{Screen, Seen};
use crate::flow::Matcher;

/// Larger sketches are left as they are.
const NODES: usize = 400;
/// So many pairs of distributions are compared, about.
const WORK: u64 = 20_000;

/// A choice of the left side, by its place among all, and the children: nodes, by the places of its targets.
pub(super) type Step = (usize, Vec<u32>);

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) state: State,
    pub(super) steps: Vec<Step>,
}

/// Nodes, the root first; a child may be shared, and have any number.
pub(super) struct Sketch<'a> {
    pub(super) left: &'a Lpts,
    pub(super) right: &'a Lpts,
    pub(super) seen: Seen<'a>,
    pub(super) screen: &'a Screen,
    pub(super) nodes: Vec<Node>,
}

impl Sketch<'_> {
    /// Leaves out what is not needed.
    pub(super) fn minimise(&mut self, cx: &Context) -> Result<(), Stopped> {
        if self.nodes.len() > NODES {
            return Ok(());
        }
        let all = 0..self.nodes.len() as u32;
        let mut leaves: Vec<u32> = all
            .filter(|node| self.nodes[*node as usize].steps.is_empty())
            .collect();
        let mut trial = Trial::default();
        for node in 0..self.nodes.len() {
            for at in (0..self.nodes[node].steps.len()).rev() {
                cx.check()?;
                if trial.work > WORK {
                    return Ok(());
                }
                let step = self.nodes[node].steps.remove(at);
                if !self.refuted(&mut trial) {
                    self.nodes[node].steps.insert(at, step);
                    self.prune(node, at, &mut leaves, &mut trial);
                }
            }
        }
        Ok(())
    }

    /// Puts leaves in place of children where they will do.
    fn prune(&mut self, node: usize, at: usize, leaves: &mut Vec<u32>, trial: &mut Trial) {
        for place in 0..self.nodes[node].steps[at].1.len() {
            let child = self.nodes[node].steps[at].1[place];
            if trial.work > WORK || self.nodes[child as usize].steps.is_empty() {
                continue;
            }
            let leaf = self.leaf(self.nodes[child as usize].state, leaves);
            self.nodes[node].steps[at].1[place] = leaf;
            if !self.refuted(trial) {
                self.nodes[node].steps[at].1[place] = child;
            }
        }
    }

    fn leaf(&mut self, state: State, leaves: &mut Vec<u32>) -> u32 {
        let mut known = leaves.iter();
        if let Some(leaf) = known.find(|leaf| self.nodes[**leaf as usize].state == state) {
            return *leaf;
        }
        let leaf = self.nodes.len() as u32;
        let steps = Vec::new();
        self.nodes.push(Node { state, steps });
        leaves.push(leaf);
        leaf
    }

    /// Does the right side not simulate it?
    fn refuted(&self, trial: &mut Trial) -> bool {
        trial.known.clear();
        !self.simulated(0, self.right.initial(), trial)
    }

    /// Is the node simulated by that state? The depth is at most the number of nodes, which is small.
    fn simulated(&self, node: u32, t: State, trial: &mut Trial) -> bool {
        let this = &self.nodes[node as usize];
        if this.steps.is_empty() {
            return self.screen.agrees(this.state, t);
        }
        if let Some(known) = trial.known.get(&(node, t)) {
            return *known;
        }
        let all = self.screen.agrees(this.state, t)
            && this.steps.iter().all(|step| self.matched(step, t, trial));
        trial.known.insert((node, t), all);
        all
    }

    fn matched(&self, (choice, children): &Step, t: State, trial: &mut Trial) -> bool {
        let choice = self.left.all_choices()[*choice];
        let left = self.left.dist(choice.dist);
        let (from, upto) = range_on(self.right, t, self.seen, choice);
        (from..upto).any(|with| {
            let right = self.right.dist(self.right.all_choices()[with].dist);
            let mut edges = Vec::with_capacity(left.len() * right.len());
            for child in children {
                for t in right.targets() {
                    edges.push(u8::from(self.simulated(*child, *t, trial)));
                }
            }
            trial.work += 1 + edges.len() as u64 / 16;
            let edge = |row, column| edges[row * right.len() + column];
            trial.matcher.related(left, right, edge)
        })
    }

    /// The finished tree. Children come before their parents in `order`; nodes it leaves out are leaves.
    pub(super) fn build(&self, order: &[u32]) -> Tree {
        let mut built = vec![None; self.nodes.len()];
        let mut builder = TreeBuilder::new();
        let first = order.len() as u32;
        for number in (first..self.nodes.len() as u32).chain(order.iter().copied()) {
            let node = &self.nodes[number as usize];
            let mut choices = Vec::new();
            for (choice, children) in &node.steps {
                let choice = self.left.all_choices()[*choice];
                let dist = self.left.dist(choice.dist);
                let branches = children.iter().enumerate().map(|(at, child)| {
                    let child: Option<u32> = built[*child as usize];
                    (child.unwrap_or(0), dist.weight(at))
                });
                choices.push((choice.label, branches.collect()));
            }
            built[number as usize] = Some(builder.node(node.state, choices));
        }
        builder.build_of(built[0].unwrap_or(0), self.left)
    }
}

/// What one question after another needs.
#[derive(Default)]
struct Trial {
    known: HashMap<(u32, State), bool, FxBuildHasher>,
    matcher: Matcher,
    work: u64,
}
