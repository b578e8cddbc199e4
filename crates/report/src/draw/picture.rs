//! Shapes as SVG. Everything a user wrote passes through the template's escaping.

use maud::{Markup, PreEscaped, html};

use super::graph::{Graph, LINE, Lines};
use super::layout::{Layout, path, radius};
use super::place::LOOP;

const MARGIN: f64 = 12.0;
/// Room for the arrow that marks the start.
const START: f64 = 30.0;
const STYLE: &str = include_str!("style.css");

/// What is written in and about the boxes and arrows of a graph.
pub(super) struct Captions {
    /// In each box, line by line.
    pub nodes: Vec<Vec<String>>,
    /// Shown when the pointer rests on a box.
    pub node_titles: Vec<String>,
    /// Further classes of each box.
    pub node_classes: Vec<&'static str>,
    /// A box with a second border.
    pub double: Option<usize>,
    /// Shown when the pointer rests on an arrow.
    pub edge_titles: Vec<String>,
    /// Shown when the pointer rests on a loop.
    pub loop_titles: Vec<String>,
    /// Do arrows have heads, and the start a mark?
    pub directed: bool,
    /// What the picture shows, for those who cannot see it.
    pub description: String,
}

/// The picture, to be put in a page that has [`style`].
pub(super) fn picture(graph: &Graph, layout: &Layout, captions: &Captions) -> Markup {
    let start = if captions.directed { START } else { 0.0 };
    let width = layout.width + start + 2.0 * MARGIN;
    let height = layout.height + 2.0 * MARGIN;
    let bounds = format!(
        "{:.0} {:.0} {width:.0} {height:.0}",
        -MARGIN - start,
        -MARGIN
    );
    html! {
        svg class="drawing-svg" xmlns="http://www.w3.org/2000/svg" viewBox=(bounds)
            width=(format!("{width:.0}")) height=(format!("{height:.0}"))
            role="img" aria-label=(captions.description) {
            @for number in 0..graph.edges.len() { (edge(graph, layout, captions, number)) }
            @if captions.directed { (start_mark(graph, layout)) }
            @for number in 0..graph.nodes.len() { (node(graph, layout, captions, number)) }
        }
    }
}

/// The style sheet of all pictures.
pub(crate) fn style() -> &'static str {
    STYLE
}

/// A picture with its style, as a file of its own.
pub(super) fn standalone(picture: &Markup) -> String {
    let text = &picture.0;
    let at = text.find('>').map_or(0, |at| at + 1);
    let (open, rest) = text.split_at(at);
    // The picture's own background, as a file has no page behind it.
    let background = "svg.drawing-svg { background: var(--paper); }";
    format!("{open}<style>{STYLE}{background}</style>{rest}\n")
}

/// A picture that only says something.
pub(super) fn notice(text: &str) -> Markup {
    let width = 24.0 + super::graph::columns(text) as f64 * super::graph::CHAR;
    html! {
        svg class="drawing-svg" xmlns="http://www.w3.org/2000/svg"
            viewBox=(format!("0 0 {width:.0} 40")) width=(format!("{width:.0}")) height="40"
            role="img" aria-label=(text) {
            text x="12" y="25" { (text) }
        }
    }
}

fn node(graph: &Graph, layout: &Layout, captions: &Captions, number: usize) -> Markup {
    let (x, y) = layout.nodes[number];
    let (w, h) = (graph.nodes[number].width, layout.heights[number]);
    let lines = &captions.nodes[number];
    let class = format!("node {}", captions.node_classes[number]);
    let first = y + 4.0 - (lines.len() as f64 - 1.0) * LINE / 2.0;
    html! {
        g class=(class.trim_end()) data-node=(number) {
            title { (captions.node_titles[number]) }
            (frame(x, y, w, h, ""))
            @if captions.double == Some(number) { (frame(x, y, w - 7.0, h - 7.0, "inner")) }
            @for (at, line) in lines.iter().enumerate() {
                text class=[(at > 0).then_some("small")] x=(pixel(x))
                    y=(pixel(first + at as f64 * LINE)) text-anchor="middle" { (line) }
            }
        }
        @if let Some(label) = &graph.nodes[number].loops {
            (own_loop(x, y - h / 2.0, label, &captions.loop_titles[number], number))
        }
    }
}

fn frame(x: f64, y: f64, w: f64, h: f64, class: &str) -> Markup {
    html! {
        rect class=[(!class.is_empty()).then_some(class)] x=(pixel(x - w / 2.0)) y=(pixel(y - h / 2.0))
            width=(pixel(w)) height=(pixel(h)) rx=(pixel(radius(w, h))) {}
    }
}

/// A loop on top of its node.
fn own_loop(x: f64, top: f64, label: &Lines, title: &str, number: usize) -> Markup {
    let (side, high) = (7.0, LOOP + 4.0);
    let course = format!(
        "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
        x - side,
        top + 1.0,
        x - 20.0,
        top - high,
        x + 20.0,
        top - high,
        x + side,
        top - 1.0
    );
    html! {
        g class="edge" data-from=(number) data-to=(number) {
            title { (title) }
            path d=(course) {}
            (head((x + side, top + 0.5), (-0.35, 0.94)))
            (text(label, x, top - LOOP))
        }
    }
}

fn edge(graph: &Graph, layout: &Layout, captions: &Captions, number: usize) -> Markup {
    let (arc, route) = (&graph.edges[number], &layout.routes[number]);
    let points = &route.points;
    let tip = points[points.len() - 1];
    let forward = tip.0 >= points[0].0;
    html! {
        g class="edge" data-from=(arc.from) data-to=(arc.to) {
            title { (captions.edge_titles[number]) }
            path d=(path(points)) {}
            @if captions.directed { (head(tip, (if forward { 1.0 } else { -1.0 }, 0.0))) }
            (text(&arc.label, route.text.0, route.text.1))
        }
    }
}

/// An arrow head with its tip at a point.
fn head(tip: (f64, f64), direction: (f64, f64)) -> Markup {
    let (dx, dy) = direction;
    let base = (tip.0 - 8.0 * dx, tip.1 - 8.0 * dy);
    let (a, b) = (
        (base.0 - 3.5 * dy, base.1 + 3.5 * dx),
        (base.0 + 3.5 * dy, base.1 - 3.5 * dx),
    );
    let points = [tip, a, b].map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ");
    html! { polygon points=(points) {} }
}

/// Lines of text, the last one sitting on `bottom`.
fn text(label: &Lines, middle: f64, bottom: f64) -> Markup {
    let count = label.lines.len();
    html! {
        @for (at, line) in label.lines.iter().enumerate() {
            text class="label" x=(pixel(middle)) text-anchor="middle"
                y=(pixel(bottom - 2.0 - (count - 1 - at) as f64 * LINE)) { (line) }
        }
    }
}

fn start_mark(graph: &Graph, layout: &Layout) -> Markup {
    let Some((x, y)) = layout.nodes.get(graph.start) else {
        return PreEscaped(String::new());
    };
    let tip = x - graph.nodes[graph.start].width / 2.0;
    html! {
        g class="start" {
            circle cx=(pixel(tip - 26.0)) cy=(pixel(*y)) r="3" {}
            path d=(format!("M{:.1} {y:.1}H{:.1}", tip - 26.0, tip - 6.0)) {}
            (head((tip, *y), (1.0, 0.0)))
        }
    }
}

fn pixel(value: f64) -> String {
    format!("{value:.1}")
}
