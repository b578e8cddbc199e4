//! Assumptions, definitions and trees on the page.

use maud::{Markup, html};
use suppose_model::lts::Labels;
use suppose_model::mdp::Lpts;

use super::table::frame;
use super::{drawing, name};
use crate::block::{Assumption, Behaviour, Definitions, Rely, Tree, TreeItem};
use crate::draw;
use crate::mdp::lpts;
use crate::words::{count, grouped, shown};

/// An assumption with more transitions is not written out as text.
const MOST_TRANSITIONS: usize = 2_000;
/// States that an example of what they stand for is shown for, and examples of each.
const MOST_STATES: usize = 500;
const MOST_EXAMPLES: usize = 20;
/// More premises are left out.
const MOST_PREMISES: usize = 500;
/// A longer formula is cut, and more definitions are left out.
const LONGEST_FORMULA: usize = 20_000;
const MOST_DEFINITIONS: usize = 500;
/// More lines of a tree and reasons are left out.
const MOST_LINES: usize = 2_000;
const MOST_REASONS: usize = 200;
/// What the dots in the drawing of a probabilistic system are.
const DRAWS: &str = "A dot stands for a draw; the fractions are its probabilities.";

pub(super) fn assumption(it: &Assumption, is_final: bool) -> Markup {
    let title = match is_final {
        true => format!("Assumption {}", it.name),
        false => "What is required so far".to_owned(),
    };
    let hint = match it.behaviour {
        Behaviour::Lts(..) => "Point at a state to see what it stands for.",
        Behaviour::Lpts(..) => DRAWS,
    };
    html! {
        h3 { (title) }
        p {
            (it.behaviour.sizes())
            @if let Some(about) = &it.about { ". What the rest may rely on from " (name(about)) }
            "."
            @if it.behaviour.allows_all() { " It allows every behaviour." }
            @if !is_final { " Whether the claim holds with it is not decided, and it may become smaller." }
        }
        @match it.behaviour.drawing() {
            Some(picture) => (drawing(picture, &title, hint)),
            None => {
                p class="notice too-large" {
                    "Too large to draw here. The JSON report (" code { "--format json" }
                    ") has all its transitions; " code { "suppose assume --output" } " writes DOT and SVG."
                }
            }
        }
        @if let Some(text) = it.behaviour.text(&it.name, MOST_TRANSITIONS) {
            details {
                summary { "As text" }
                pre tabindex="0" { (text) }
            }
        }
        (stands_for(&it.behaviour))
    }
}

/// What the states stand for, for those who read rather than point.
fn stands_for(behaviour: &Behaviour) -> Markup {
    let nodes = behaviour.nodes();
    html! {
        @if !nodes.is_empty() {
            details {
                summary { "What its states stand for" }
                (frame("States", html! { table {
                    thead { tr {
                        th scope="col" { "State" } th scope="col" class="number" { "Concrete states" } th scope="col" { "Such as" }
                    } }
                    tbody {
                        @for (state, node) in nodes.iter().take(MOST_STATES) {
                            tr {
                                th scope="row" { (name(state)) }
                                td class="number" { (grouped(node.count)) }
                                td { (name(&some(&node.examples))) }
                            }
                        }
                    }
                } }))
                (more(nodes.len(), MOST_STATES, "more state"))
            }
        }
    }
}

fn some(examples: &[String]) -> String {
    let names: Vec<_> = examples
        .iter()
        .take(MOST_EXAMPLES)
        .map(|e| shown(e))
        .collect();
    let more = match examples.len() > MOST_EXAMPLES {
        true => ", …",
        false => "",
    };
    names.join(", ") + more
}

/// How many are left out of this many, if some are.
fn more(all: usize, most: usize, noun: &str) -> Markup {
    html! {
        @if all > most { p class="aside" { "and " (count((all - most) as u64, noun)) } }
    }
}

pub(super) fn premises(all: &[String]) -> Markup {
    html! {
        h3 { "Why it holds" }
        ol class="premises" { @for premise in all.iter().take(MOST_PREMISES) { li { (name(premise)) } } }
        (more(all.len(), MOST_PREMISES, "more premise"))
    }
}

/// What each process relies on.
pub(super) fn interference(all: &[Rely]) -> Markup {
    html! {
        h3 { "Assumption: what the others do" }
        @if all.is_empty() { p { "The others change nothing that a process sees." } }
        @else {
            (frame("Assumption", html! { table class="steps" {
                thead { tr {
                    th scope="col" { "Process" } th scope="col" { "Line" } th scope="col" { "Statement" }
                    th scope="col" { "Changes" } th scope="col" { "Only when" }
                } }
                tbody {
                    @for it in all.iter().take(MOST_DEFINITIONS) {
                        tr {
                            th scope="row" { (name(&it.who)) }
                            td { (name(&it.place)) }
                            td class="action" { (name(&it.statement)) }
                            td { (name(&it.changes)) }
                            td { (name(&it.when)) }
                        }
                    }
                }
            } }))
            (more(all.len(), MOST_DEFINITIONS, "more line"))
        }
    }
}

pub(super) fn definitions(definitions: &Definitions) -> Markup {
    html! {
        h3 { (definitions.title) }
        (frame("Definitions", html! { table class="steps" {
            thead { tr {
                th scope="col" { "Predicate" } th scope="col" { "Is true when" }
                th scope="col" { "Stands for" } th scope="col" { "Line" }
            } }
            tbody {
                @for it in definitions.all.iter().take(MOST_DEFINITIONS) {
                    tr {
                        th scope="row" { (name(&it.head)) }
                        td class="action formula" { (name(&(it.formula)(LONGEST_FORMULA))) }
                        td { (name(&it.what)) }
                        td { (name(&it.place)) }
                    }
                }
            }
        } }))
        (more(definitions.all.len(), MOST_DEFINITIONS, &format!("more {}", definitions.noun)))
    }
}

pub(super) fn tree(tree: &Tree) -> Markup {
    let behaviour = &tree.found.tree;
    html! {
        h3 { "Counterexample: " (tree.count) }
        @if draw::lpts_readable(behaviour) {
            @let title = |node| format!("node {node}\n{}", (tree.whole)(node));
            (drawing(draw::tree_in_page(behaviour, tree.labels, &title), "The counterexample", "Point at a node to see the states of all components."))
        }
        h4 { "Why it is one" }
        ul class="ending" { @for line in tree.why.iter().take(MOST_REASONS) { li { (name(line)) } } }
        (more(tree.why.len(), MOST_REASONS, "more reason"))
        details open[behaviour.states() <= 40] { summary { "Step by step" } (tree_lines(tree)) }
    }
}

fn tree_lines(tree: &Tree) -> Markup {
    let all = (tree.lines)(MOST_LINES + 1);
    html! {
        (frame("Tree", html! { table class="steps" {
            thead { tr {
                th scope="col" { "Action" } th scope="col" class="number" { "Probability" }
                th scope="col" class="number" { "Node" } th scope="col" { "What changes" }
            } }
            tbody {
                @for line in all.iter().take(MOST_LINES) {
                    @let indent = "\u{2003}".repeat(line.depth.min(20));
                    tr { @match &line.item {
                        TreeItem::Action(action) => {
                            td class="action" { (indent) (name(action)) } td {} td {} td {}
                        }
                        TreeItem::Node { node, probability, states, again } => {
                            td {} td class="number" { (probability.as_deref().unwrap_or("")) }
                            td class="number" { (node) }
                            td { (indent) (name(states)) @if *again { " (see above)" } }
                        }
                    } }
                }
            }
        } }))
        @if all.len() > MOST_LINES { p class="aside" { "The rest is left out." } }
    }
}

/// A drawing of a probabilistic system, if it is small enough to be of use.
pub(super) fn picture(title: &str, lpts: &Lpts, labels: &Labels) -> Markup {
    html! {
        @if draw::lpts_readable(lpts) {
            h3 { (title) }
            (drawing(draw::lpts_in_page(lpts, labels), title, DRAWS))
        } @else {
            p class="aside" { (title) " has " (lpts::sizes(lpts)) ": too large to draw here." }
        }
    }
}

/// The sizes of components.
pub(super) fn sizes(all: &[(String, String, [u64; 3])]) -> Markup {
    html! {
        div class="scroll" { table class="summary" {
            thead { tr {
                th scope="col" { "Component" } th scope="col" { "Modules" }
                @for column in ["States", "Choices", "Transitions"] { th scope="col" class="number" { (column) } }
            } }
            tbody {
                @for (part, what, numbers) in all {
                    tr {
                        th scope="row" { (name(part)) }
                        td { (name(what)) }
                        @for number in numbers { td class="number" { (grouped(*number)) } }
                    }
                }
            }
        } }
    }
}
