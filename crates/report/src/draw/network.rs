//! Drawings of a whole system: which components share which labels.
//!
//! Labels with the same participants are drawn together: between two components as a line,
//! between more as a junction with a line to each. Labels of one component alone are counted in
//! its box.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::Markup;
use suppose_model::lts::{Component, ComponentKind, Network};

use super::dot::{attribute, quoted};
use super::graph::{Arc, CHAR, Graph, Lines, Vertex, columns, shorten};
use super::layout::layout;
use super::picture::{Captions, notice, picture};
use crate::words::{count, label_name, shown};

const MOST_COMPONENTS: usize = 200;
const MOST_LINES: usize = 1_000;
const LINES: usize = 3;

/// The labels that each set of two or more components shares, and how many each has alone.
struct Sharing {
    shared: BTreeMap<Vec<usize>, Vec<String>>,
    alone: Vec<u64>,
}

fn sharing(network: &Network) -> Sharing {
    let mut shared: BTreeMap<Vec<usize>, Vec<String>> = BTreeMap::new();
    let mut alone = vec![0; network.components.len()];
    let participants = network.participants();
    for label in network.labels.iter() {
        match participants.get(label.index()).map(Vec::as_slice) {
            None | Some([]) => {}
            Some([one]) => alone[*one] += 1,
            Some(many) => {
                let name = label_name(&network.labels, label);
                shared.entry(many.to_vec()).or_default().push(name);
            }
        }
    }
    Sharing { shared, alone }
}

/// The picture without style, or a notice that it is too large.
pub(super) fn network(network: &Network) -> Markup {
    let sharing = sharing(network);
    let lines = sharing.shared.keys().map(Vec::len).sum::<usize>();
    let too_large = || {
        let parts = count(network.components.len() as u64, "component");
        notice(&format!("{parts}: too large to draw"))
    };
    if network.components.len() > MOST_COMPONENTS || lines > MOST_LINES {
        return too_large();
    }
    let (graph, captions) = describe(network, &sharing);
    match layout(&graph) {
        Some(layout) => picture(&graph, &layout, &captions),
        None => too_large(),
    }
}

fn describe(network: &Network, sharing: &Sharing) -> (Graph, Captions) {
    let parts = network.components.iter();
    let mut captions = Captions {
        nodes: parts.clone().map(caption).collect(),
        node_titles: parts
            .zip(&sharing.alone)
            .map(|(c, alone)| title(c, *alone))
            .collect(),
        node_classes: network.components.iter().map(class).collect(),
        double: None,
        edge_titles: Vec::new(),
        loop_titles: vec![String::new(); network.components.len() + sharing.shared.len()],
        directed: false,
        description: format!(
            "System of {}",
            count(network.components.len() as u64, "component")
        ),
    };
    let mut graph = Graph {
        nodes: captions.nodes.iter().map(|lines| sized(lines)).collect(),
        undirected: true,
        ..Graph::default()
    };
    for (members, names) in &sharing.shared {
        let all: Vec<_> = names.iter().map(|n| shown(n)).collect();
        let all = all.join(", ");
        if let [from, to] = members.as_slice() {
            let label = Lines::wrap(names, LINES);
            let (from, to) = (*from, *to);
            graph.edges.push(Arc { from, to, label });
            captions.edge_titles.push(all);
            continue;
        }
        let junction = graph.nodes.len();
        let lines = Lines::wrap(names, LINES).lines;
        graph.nodes.push(sized(&lines));
        captions.nodes.push(lines);
        captions.node_titles.push(all.clone());
        captions.node_classes.push("junction");
        for (at, member) in members.iter().enumerate() {
            // From the first member to the junction to the others, so that it lies between them.
            let (from, to) = if at == 0 {
                (*member, junction)
            } else {
                (junction, *member)
            };
            let label = Lines::default();
            graph.edges.push(Arc { from, to, label });
            captions.edge_titles.push(all.clone());
        }
    }
    (graph, captions)
}

fn caption(component: &Component) -> Vec<String> {
    let lts = &component.lts;
    vec![shorten(lts.name(), 30), count(lts.states() as u64, "state")]
}

fn title(component: &Component, alone: u64) -> String {
    let lts = &component.lts;
    format!(
        "{}\n{}, {}\n{} of its own",
        shown(lts.name()),
        count(lts.states() as u64, "state"),
        count(lts.transitions() as u64, "transition"),
        count(alone, "label")
    )
}

fn class(component: &Component) -> &'static str {
    match component.kind {
        ComponentKind::Process => "component",
        ComponentKind::Environment => "component environment",
    }
}

fn sized(lines: &[String]) -> Vertex {
    let widest = lines.iter().map(|l| columns(l)).max().unwrap_or(0);
    Vertex {
        width: widest as f64 * CHAR + 20.0,
        height: lines.len() as f64 * super::graph::LINE + 10.0,
        loops: None,
    }
}

/// The system in Graphviz's language.
pub(super) fn dot(network: &Network) -> String {
    let sharing = sharing(network);
    let mut out = format!("graph {} {{\n", quoted(&network.name));
    out.push_str("  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for (number, component) in network.components.iter().enumerate() {
        let label = attribute("label", &caption(component).join("\n"));
        let tooltip = attribute("tooltip", &title(component, sharing.alone[number]));
        let _ = writeln!(out, "  c{number} [{label}, {tooltip}];");
    }
    for (number, (members, names)) in sharing.shared.iter().enumerate() {
        let names: Vec<_> = names.iter().map(|n| shown(n)).collect();
        let label = attribute("label", &names.join("\n"));
        if let [from, to] = members.as_slice() {
            let _ = writeln!(out, "  c{from} -- c{to} [{label}];");
            continue;
        }
        let _ = writeln!(out, "  j{number} [shape=plaintext, {label}];");
        for member in members {
            let _ = writeln!(out, "  c{member} -- j{number};");
        }
    }
    out.push_str("}\n");
    out
}
