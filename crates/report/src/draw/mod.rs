//! Pictures of automata and of systems, as DOT and as SVG.
//!
//! The layout is ours, deterministic and without fonts: [`layers`] puts states in columns by their
//! distance from the start, [`order`] avoids crossings, [`place`] finds coordinates, [`layout`]
//! draws the arrows, [`picture`] writes SVG.

mod automaton;
mod dot;
mod graph;
mod layers;
mod layout;
mod network;
mod order;
mod picture;
mod place;

use maud::Markup;
use suppose_model::Node;
use suppose_model::lts::{Labels, Lts, Network};

pub(crate) use automaton::readable;
pub(crate) use graph::{CHAR, columns, shorten};
pub(crate) use picture::style;

/// An automaton in Graphviz's language. `nodes` says what its states stand for; it may be empty.
pub fn dot(lts: &Lts, labels: &Labels, nodes: &[Node]) -> String {
    automaton::dot(lts, labels, nodes)
}

/// An automaton as an SVG file. `nodes` says what its states stand for; it may be empty. Of an
/// automaton too large for any picture the file says just that.
pub fn svg(lts: &Lts, labels: &Labels, nodes: &[Node]) -> String {
    picture::standalone(&automaton::automaton(lts, labels, nodes))
}

/// Which components share which labels, in Graphviz's language.
pub fn network_dot(network: &Network) -> String {
    network::dot(network)
}

/// Which components share which labels, as an SVG file.
pub fn network_svg(network: &Network) -> String {
    picture::standalone(&network::network(network))
}

/// An automaton for a page that has [`style`].
pub(crate) fn automaton_in_page(lts: &Lts, labels: &Labels, nodes: &[Node]) -> Markup {
    automaton::automaton(lts, labels, nodes)
}

/// A system for a page that has [`style`].
pub(crate) fn network_in_page(network: &Network) -> Markup {
    network::network(network)
}
