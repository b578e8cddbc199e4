//! Pictures of automata and of systems, as DOT and as SVG.
//!
//! The layout is ours, deterministic and without fonts: `layers` puts states in columns by their
//! distance from the start, `order` avoids crossings, `place` finds coordinates, `layout`
//! draws the arrows, `picture` writes SVG.

mod automaton;
mod dot;
mod graph;
mod layers;
mod layout;
mod lpts;
mod network;
mod order;
mod picture;
mod place;

use maud::Markup;
use suppose_model::Node;
use suppose_model::lts::{Labels, Lts, Network, State};
use suppose_model::mdp::Lpts;

pub(crate) use automaton::readable;
pub(crate) use graph::{CHAR, columns, shorten};
pub(crate) use lpts::readable as lpts_readable;
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

/// A probabilistic system in Graphviz's language.
pub fn lpts_dot(lpts: &Lpts, labels: &Labels) -> String {
    with_names(lpts, |names| lpts::dot(lpts, labels, names))
}

/// A probabilistic system as an SVG file. Of one too large for any picture the file says just that.
pub fn lpts_svg(lpts: &Lpts, labels: &Labels) -> String {
    picture::standalone(&lpts_in_page(lpts, labels))
}

/// A probabilistic system for a page that has [`style`].
pub(crate) fn lpts_in_page(lpts: &Lpts, labels: &Labels) -> Markup {
    with_names(lpts, |names| lpts::system(lpts, labels, names))
}

/// A tree for a page that has [`style`]: nodes have numbers, and titles of their own.
pub(crate) fn tree_in_page(
    tree: &Lpts,
    labels: &Labels,
    title: &dyn Fn(State) -> String,
) -> Markup {
    let names = lpts::Names {
        short: &|node| node.to_string(),
        title,
        what: "Tree",
    };
    lpts::system(tree, labels, &names)
}

fn with_names<T>(lpts: &Lpts, then: impl FnOnce(&lpts::Names) -> T) -> T {
    let initial = |state: State| match state == lpts.initial() {
        true => " (initial)",
        false => "",
    };
    let shown = |state: State| crate::words::shown(&lpts.state_name(state)).into_owned();
    then(&lpts::Names {
        short: &|state| lpts.state_name(state),
        title: &|state| format!("state {}{}", shown(state), initial(state)),
        what: "Probabilistic system",
    })
}
