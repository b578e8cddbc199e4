//! Finite behaviours: trees, kept as acyclic systems so that equal subtrees are shared.

use fixedbitset::FixedBitSet;

use super::evidence::Counterexample;
use super::lpts::{Lpts, LptsBuilder};
use crate::lts::{Label, State};

/// A finite piece of behaviour of a system: an acyclic [`Lpts`] with an execution mapping.
///
/// Node 0 is the root, and every branch leads to a node of a higher number. A node may be reached in several ways;
/// unfolded, it is the stochastic tree of the thesis. What is reached with the same choice are different nodes.
#[derive(Clone, Debug)]
pub struct Tree {
    shape: Lpts,
    states: Vec<State>,
}

impl Tree {
    /// The nodes as states of an acyclic system.
    pub fn shape(&self) -> &Lpts {
        &self.shape
    }

    /// The state of the system that a node represents.
    pub fn state(&self, node: State) -> State {
        self.states[node as usize]
    }

    /// All of them, by node.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The behaviour of a system of which `vector` gives the components' states, by the state that a node represents.
    pub fn counterexample(&self, vector: impl FnMut(State) -> Box<[State]>) -> Counterexample {
        Counterexample {
            tree: self.shape.clone(),
            states: self.states.iter().copied().map(vector).collect(),
        }
    }

    /// How many nodes, shared ones once.
    pub fn nodes(&self) -> usize {
        self.states.len()
    }

    /// How many nodes when unfolded; stops counting at `u64::MAX`.
    pub fn unfolded(&self) -> u64 {
        let mut size = vec![1u64; self.nodes()];
        for node in (0..self.nodes()).rev() {
            for choice in self.shape.choices(node as State) {
                for target in self.shape.dist(choice.dist).targets() {
                    size[node] = size[node].saturating_add(size[*target as usize]);
                }
            }
        }
        size[0]
    }

    /// The longest way from the root.
    pub fn depth(&self) -> usize {
        let mut depth = vec![0; self.nodes()];
        for node in (0..self.nodes()).rev() {
            for choice in self.shape.choices(node as State) {
                for target in self.shape.dist(choice.dist).targets() {
                    depth[node] = depth[node].max(depth[*target as usize] + 1);
                }
            }
        }
        depth[0]
    }
}

/// Builds a [`Tree`], leaves first.
#[derive(Clone, Debug)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    state: State,
    choices: Vec<(Label, Vec<(u32, suppose_number::Int)>)>,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        TreeBuilder::new()
    }
}

impl TreeBuilder {
    /// No nodes.
    pub fn new() -> Self {
        TreeBuilder { nodes: Vec::new() }
    }

    /// A node for a state, with choices whose branches are nodes made before, each with its weight.
    pub fn node(
        &mut self,
        state: State,
        choices: Vec<(Label, Vec<(u32, suppose_number::Int)>)>,
    ) -> u32 {
        self.nodes.push(Node { state, choices });
        self.nodes.len() as u32 - 1
    }

    /// What hangs below that node. Nodes out of reach are left out.
    pub fn build(self, root: u32) -> Tree {
        self.finish(root, &[])
    }

    /// As [`TreeBuilder::build`]; in a node is true what is true in its state of that system.
    pub fn build_of(self, root: u32, system: &Lpts) -> Tree {
        self.finish(root, system.propositions())
    }

    fn finish(self, root: u32, propositions: &[(u32, FixedBitSet)]) -> Tree {
        let last = root as usize;
        let mut used = vec![false; last + 1];
        used[last] = true;
        for node in (0..=last).rev().filter(|n| *n <= last) {
            if used[node] {
                let branches = self.nodes[node].choices.iter().flat_map(|(_, b)| b);
                branches.for_each(|(child, _)| used[*child as usize] = true);
            }
        }
        // Children were made first, so counting down gives them the higher numbers.
        let order: Vec<usize> = (0..=last).rev().filter(|n| used[*n]).collect();
        let mut number = vec![0 as State; last + 1];
        for (new, old) in order.iter().enumerate() {
            number[*old] = new as State;
        }
        let mut builder = LptsBuilder::new("counterexample");
        builder.states(order.len());
        let mut states = Vec::with_capacity(order.len());
        for old in &order {
            let node = &self.nodes[*old];
            states.push(node.state);
            for (label, branches) in &node.choices {
                let place = |(child, w): &(u32, _)| (number[*child as usize], Clone::clone(w));
                let mut parts = branches.iter().map(place).collect();
                if let Some(dist) = builder.store().insert_ints(&mut parts) {
                    builder.choice_of(number[*old], *label, dist);
                }
            }
        }
        for (number, truth) in propositions {
            let nodes = states.iter().enumerate();
            let nodes = nodes.filter(|(_, state)| truth.contains(**state as usize));
            builder.proposition(*number, nodes.map(|(node, _)| node).collect());
        }
        Tree {
            shape: builder.build(),
            states,
        }
    }
}
