//! Pictures of automata and of systems, as DOT and as SVG.

use suppose_model::Node;
use suppose_model::lts::{Labels, Lts, Network};

/// An automaton in Graphviz's language. `nodes` says what its states stand for; it may be empty.
pub fn dot(lts: &Lts, labels: &Labels, nodes: &[Node]) -> String {
    let _ = (lts, labels, nodes);
    String::new()
}

/// An automaton as an SVG file. `nodes` says what its states stand for; it may be empty.
pub fn svg(lts: &Lts, labels: &Labels, nodes: &[Node]) -> String {
    let _ = (lts, labels, nodes);
    String::new()
}

/// Which components share which labels, in Graphviz's language.
pub fn network_dot(network: &Network) -> String {
    let _ = network;
    String::new()
}

/// Which components share which labels, as an SVG file.
pub fn network_svg(network: &Network) -> String {
    let _ = network;
    String::new()
}
