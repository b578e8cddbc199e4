//! Drawings of probabilistic systems and trees.
//!
//! A choice that is certain is an arrow. One that is not is an arrow to a small dot, and from the dot an arrow to each state it may
//! lead to, with its probability. Choices of a state that lead to the same distribution share the dot.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::Markup;
use suppose_model::lts::{Labels, State};
use suppose_model::mdp::{DistId, Lpts};
use suppose_number::Rat;

use super::dot::{attribute, quoted};
use super::graph::{Arc, CHAR, Graph, Lines, Vertex, columns, shorten};
use super::layout::layout;
use super::picture::{Captions, notice, picture};
use crate::words::{count, label_name, shown};

/// More than this is not laid out.
const MOST_STATES: usize = 2_000;
const MOST_BRANCHES: usize = 8_000;
/// More than this is laid out, but not shown in a report.
const READABLE_STATES: usize = 120;
const READABLE_BRANCHES: usize = 400;
/// Lines of actions at an arrow.
const LINES: usize = 4;
/// A longer fraction is cut.
const FRACTION: usize = 16;

/// How states are called in a picture.
pub(super) struct Names<'a> {
    /// In the box.
    pub short: &'a dyn Fn(State) -> String,
    /// When the pointer rests on it.
    pub title: &'a dyn Fn(State) -> String,
    /// What the picture shows.
    pub what: &'static str,
}

/// Is it small enough for a picture in a report to be of use?
pub(crate) fn readable(lpts: &Lpts) -> bool {
    lpts.states() <= READABLE_STATES && lpts.branches() <= READABLE_BRANCHES
}

/// Arrows of one kind: from a state, to a state for certain or to a dot.
struct Arrows {
    certain: BTreeMap<(State, State), Vec<String>>,
    drawn: BTreeMap<(State, DistId), Vec<String>>,
}

fn arrows(lpts: &Lpts, labels: &Labels) -> Arrows {
    let mut all = Arrows {
        certain: BTreeMap::new(),
        drawn: BTreeMap::new(),
    };
    for state in 0..lpts.states() as State {
        for choice in lpts.choices(state) {
            let name = label_name(labels, choice.label);
            match lpts.dist(choice.dist).dirac() {
                Some(target) => all.certain.entry((state, target)).or_default().push(name),
                None => all
                    .drawn
                    .entry((state, choice.dist))
                    .or_default()
                    .push(name),
            }
        }
    }
    all
}

fn fraction(p: &Rat) -> String {
    shorten(&p.to_string(), FRACTION)
}

/// The picture without style, or a notice that it is too large.
pub(super) fn system(lpts: &Lpts, labels: &Labels, names: &Names) -> Markup {
    let too_large = || {
        let sizes = format!(
            "{} and {}",
            count(lpts.states() as u64, "state"),
            count(lpts.branches() as u64, "transition")
        );
        notice(&format!("{sizes}: too large to draw"))
    };
    if lpts.states() > MOST_STATES || lpts.branches() > MOST_BRANCHES {
        return too_large();
    }
    let (graph, captions) = describe(lpts, labels, names);
    match layout(&graph) {
        Some(layout) => picture(&graph, &layout, &captions),
        None => too_large(),
    }
}

fn describe(lpts: &Lpts, labels: &Labels, names: &Names) -> (Graph, Captions) {
    let arrows = arrows(lpts, labels);
    let states = 0..lpts.states() as State;
    let short: Vec<String> = states
        .clone()
        .map(|s| shorten(&(names.short)(s), 24))
        .collect();
    let mut graph = Graph {
        nodes: short.iter().map(|n| pill(n)).collect(),
        start: lpts.initial() as usize,
        undirected: false,
        edges: Vec::new(),
    };
    let mut captions = Captions {
        nodes: short.into_iter().map(|n| vec![n]).collect(),
        node_titles: states.map(|s| (names.title)(s)).collect(),
        node_classes: vec![""; lpts.states()],
        double: None,
        edge_titles: Vec::new(),
        loop_titles: vec![String::new(); lpts.states() + arrows.drawn.len()],
        directed: true,
        description: format!(
            "{} with {} and {}",
            names.what,
            count(lpts.states() as u64, "state"),
            count(lpts.branches() as u64, "transition")
        ),
    };
    let joined = |actions: &[String]| {
        let all: Vec<_> = actions.iter().map(|n| shown(n)).collect();
        all.join(", ")
    };
    for ((source, target), actions) in &arrows.certain {
        let label = Lines::wrap(actions, LINES);
        let (from, to) = (*source as usize, *target as usize);
        if from == to {
            graph.nodes[from].loops = Some(label);
            captions.loop_titles[from] = joined(actions);
        } else {
            graph.edges.push(Arc { from, to, label });
            captions.edge_titles.push(joined(actions));
        }
    }
    for ((source, dist), actions) in &arrows.drawn {
        let dot = graph.nodes.len();
        graph.nodes.push(Vertex {
            width: 12.0,
            height: 12.0,
            loops: None,
        });
        captions.nodes.push(Vec::new());
        captions.node_titles.push(joined(actions));
        captions.node_classes.push("draw");
        let (from, to) = (*source as usize, dot);
        let label = Lines::wrap(actions, LINES);
        graph.edges.push(Arc { from, to, label });
        captions.edge_titles.push(joined(actions));
        for (target, p) in lpts.dist(*dist).probabilities() {
            let label = Lines {
                lines: vec![fraction(&p)],
            };
            let (from, to) = (dot, target as usize);
            graph.edges.push(Arc { from, to, label });
            captions
                .edge_titles
                .push(format!("{}: {p}", joined(actions)));
        }
    }
    (graph, captions)
}

/// A box round a name: a circle when it is short.
fn pill(name: &str) -> Vertex {
    Vertex {
        width: (columns(name) as f64 * CHAR + 16.0).max(32.0),
        height: 32.0,
        loops: None,
    }
}

/// The system in Graphviz's language.
pub(super) fn dot(lpts: &Lpts, labels: &Labels, names: &Names) -> String {
    let mut out = format!("digraph {} {{\n", quoted(lpts.name()));
    out.push_str("  rankdir=LR;\n  node [shape=circle, fontname=\"monospace\", margin=0.05];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n  start [shape=point, label=\"\"];\n");
    for state in 0..lpts.states() as State {
        let label = attribute("label", &(names.short)(state));
        let tooltip = attribute("tooltip", &(names.title)(state));
        let _ = writeln!(out, "  s{state} [{label}, {tooltip}];");
    }
    let _ = writeln!(out, "  start -> s{};", lpts.initial());
    let arrows = arrows(lpts, labels);
    let label = |names: &[String]| {
        let names: Vec<_> = names.iter().map(|n| shown(n).into_owned()).collect();
        attribute("label", &names.join("\n"))
    };
    for ((source, target), actions) in &arrows.certain {
        let _ = writeln!(out, "  s{source} -> s{target} [{}];", label(actions));
    }
    for (number, ((source, dist), actions)) in arrows.drawn.iter().enumerate() {
        let _ = writeln!(out, "  d{number} [shape=point, label=\"\"];");
        let _ = writeln!(
            out,
            "  s{source} -> d{number} [arrowhead=none, {}];",
            label(actions)
        );
        for (target, p) in lpts.dist(*dist).probabilities() {
            let p = attribute("label", &fraction(&p));
            let _ = writeln!(out, "  d{number} -> s{target} [{p}];");
        }
    }
    out.push_str("}\n");
    out
}
