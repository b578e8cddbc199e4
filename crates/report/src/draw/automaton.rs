//! Drawings of one automaton.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::Markup;
use suppose_model::Node;
use suppose_model::lts::{Labels, Lts, State};

use super::dot::{attribute, quoted};
use super::graph::{Arc, CHAR, Graph, Lines, Vertex, columns, shorten};
use super::layout::layout;
use super::picture::{Captions, notice, picture};
use crate::words::{count, grouped, label_name, shown};

/// More states or arrows than this are not laid out.
const MOST_STATES: usize = 2_000;
const MOST_ARROWS: usize = 8_000;
/// More than this are laid out, but not shown in a report.
const READABLE_STATES: usize = 120;
const READABLE_ARROWS: usize = 400;
/// Lines of labels at an arrow.
const LINES: usize = 4;

/// Is it small enough for a picture in a report to be of use?
pub(crate) fn readable(lts: &Lts) -> bool {
    lts.states() <= READABLE_STATES
        && lts.transitions() <= 50 * READABLE_ARROWS
        && merged(lts).len() <= READABLE_ARROWS
}

/// The labels from each state to each, in order.
fn merged(lts: &Lts) -> BTreeMap<(State, State), Vec<suppose_model::lts::Label>> {
    let mut arrows: BTreeMap<(State, State), Vec<_>> = BTreeMap::new();
    for (source, label, target) in lts.all_edges() {
        arrows.entry((source, target)).or_default().push(label);
    }
    arrows
}

/// The picture without style, or a notice that it is too large.
pub(super) fn automaton(lts: &Lts, labels: &Labels, nodes: &[Node]) -> Markup {
    let too_large = || {
        let (states, edges) = (lts.states() as u64, lts.transitions() as u64);
        let sizes = format!(
            "{} and {}",
            count(states, "state"),
            count(edges, "transition")
        );
        notice(&format!("{sizes}: too large to draw"))
    };
    if lts.states() > MOST_STATES {
        return too_large();
    }
    let arrows = merged(lts);
    if arrows.len() > MOST_ARROWS {
        return too_large();
    }
    let (graph, captions) = describe(lts, labels, nodes, arrows);
    match layout(&graph) {
        Some(layout) => picture(&graph, &layout, &captions),
        None => too_large(),
    }
}

fn describe(
    lts: &Lts,
    labels: &Labels,
    nodes: &[Node],
    arrows: BTreeMap<(State, State), Vec<suppose_model::lts::Label>>,
) -> (Graph, Captions) {
    let states = 0..lts.states() as State;
    let names: Vec<String> = states
        .clone()
        .map(|s| shorten(&lts.state_name(s), 24))
        .collect();
    let mut graph = Graph {
        nodes: names.iter().map(|n| pill(n)).collect(),
        start: lts.initial() as usize,
        undirected: false,
        edges: Vec::new(),
    };
    let mut captions = Captions {
        node_titles: states.clone().map(|s| title(lts, nodes, s)).collect(),
        node_classes: states
            .clone()
            .map(|s| if lts.error() == Some(s) { "error" } else { "" })
            .collect(),
        nodes: names.into_iter().map(|n| vec![n]).collect(),
        double: lts.end().map(|s| s as usize),
        edge_titles: Vec::new(),
        loop_titles: vec![String::new(); lts.states()],
        directed: true,
        description: format!(
            "Automaton with {} and {}",
            count(lts.states() as u64, "state"),
            count(lts.transitions() as u64, "transition")
        ),
    };
    for ((source, target), borne) in arrows {
        let names: Vec<String> = borne.iter().map(|l| label_name(labels, *l)).collect();
        let label = Lines::wrap(&names, LINES);
        let names: Vec<_> = names.iter().map(|n| shown(n)).collect();
        let (from, to) = (source as usize, target as usize);
        let title = format!(
            "{} → {}: {}",
            shown(&lts.state_name(source)),
            shown(&lts.state_name(target)),
            names.join(", ")
        );
        if from == to {
            graph.nodes[from].loops = Some(label);
            captions.loop_titles[from] = title;
        } else {
            graph.edges.push(Arc { from, to, label });
            captions.edge_titles.push(title);
        }
    }
    (graph, captions)
}

/// A box round a name: a circle when it is short.
fn pill(name: &str) -> Vertex {
    let text = columns(name) as f64 * CHAR;
    Vertex {
        width: (text + 16.0).max(32.0),
        height: 32.0,
        loops: None,
    }
}

/// What a state is and what it stands for, in lines.
fn title(lts: &Lts, nodes: &[Node], state: State) -> String {
    let mut text = format!("state {}", shown(&lts.state_name(state)));
    for (marked, word) in [
        (Some(lts.initial()), "initial"),
        (lts.end(), "end"),
        (lts.error(), "error"),
    ] {
        if marked == Some(state) {
            let _ = write!(text, " ({word})");
        }
    }
    if let Some(node) = nodes.get(state as usize) {
        let stands = count(node.count, "concrete state");
        let _ = write!(text, "\nstands for {stands}");
        for example in &node.examples {
            let _ = write!(text, "\n  {}", shown(example));
        }
        let rest = node.count.saturating_sub(node.examples.len() as u64);
        if rest > 0 && !node.examples.is_empty() {
            let _ = write!(text, "\n  and {} more", grouped(rest));
        }
    }
    text
}

/// The automaton in Graphviz's language.
pub(super) fn dot(lts: &Lts, labels: &Labels, nodes: &[Node]) -> String {
    let mut out = format!("digraph {} {{\n", quoted(lts.name()));
    out.push_str("  rankdir=LR;\n  node [shape=circle, fontname=\"monospace\", margin=0.05];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n  start [shape=point, label=\"\"];\n");
    for state in 0..lts.states() as State {
        let mut attributes = vec![
            attribute("label", &lts.state_name(state)),
            attribute("tooltip", &title(lts, nodes, state)),
        ];
        if lts.end() == Some(state) {
            attributes.push("shape=doublecircle".to_owned());
        }
        if lts.error() == Some(state) {
            attributes.push("color=red".to_owned());
        }
        let _ = writeln!(out, "  s{state} [{}];", attributes.join(", "));
    }
    let _ = writeln!(out, "  start -> s{};", lts.initial());
    for ((source, target), borne) in merged(lts) {
        let names: Vec<String> = borne
            .iter()
            .map(|l| shown(&label_name(labels, *l)).into_owned())
            .collect();
        let label = attribute("label", &names.join("\n"));
        let _ = writeln!(out, "  s{source} -> s{target} [{label}];");
    }
    out.push_str("}\n");
    out
}
