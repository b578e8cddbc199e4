//! Is a tree a behaviour of a system (an execution mapping, Section 4.5 of the thesis)?

use suppose_model::lts::{Label, State};
use suppose_model::mdp::{Lpts, Tree};

use super::simulation::naive_simulation;

/// What is wrong with a tree as a behaviour of a system, if anything: every choice of a node must be, branch by branch and
/// with the same probabilities, a choice of its state.
pub fn execution_error(tree: &Tree, system: &Lpts) -> Option<String> {
    let shape = tree.shape();
    if shape.initial() != 0 || tree.state(0) != system.initial() {
        return Some("the root is not mapped to the initial state".to_owned());
    }
    for node in 0..tree.nodes() as State {
        for choice in shape.choices(node) {
            let dist = shape.dist(choice.dist);
            if dist.targets().iter().any(|child| *child <= node) {
                return Some(format!("node {node} leads back"));
            }
            let mut mapped: Vec<_> = dist
                .probabilities()
                .map(|(child, p)| (tree.state(child), p))
                .collect();
            mapped.sort();
            let same = system.choices_on(tree.state(node), choice.label).iter();
            let mut same = same.map(|c| system.dist(c.dist).probabilities().collect::<Vec<_>>());
            if !same.any(|own| own == mapped) {
                return Some(format!("a choice of node {node} is none of its state"));
            }
        }
        for (number, truth) in system.propositions() {
            if shape.satisfies(node, *number) != Some(truth.contains(tree.state(node) as usize)) {
                return Some(format!("node {node} differs in proposition {number}"));
            }
        }
    }
    None
}

/// Does the system simulate the tree?
pub fn naive_tree_simulated(tree: &Tree, system: &Lpts, seen: &[Label]) -> bool {
    naive_simulation(tree.shape(), system, seen)[0][system.initial() as usize]
}
