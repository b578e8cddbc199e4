//! A tree that shows a violation, line by line, and why it is one.

use suppose_model::lts::State;
use suppose_model::mdp::{Counterexample, Lpts};

use super::number::fraction;
use super::{MarkovLack, MarkovRefusal, MarkovReport};
use crate::words::{component_name, label_name, shown};

/// A line of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// How many actions lie before it.
    pub depth: usize,
    pub what: What,
}

/// A node or an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Node {
        node: State,
        /// Its probability; none at the root.
        probability: Option<String>,
        /// What changed; at the root, all states.
        states: String,
        /// It was written before, with what comes after it.
        again: bool,
    },
    Action(String),
}

/// The states of all components of a node.
pub(super) fn whole_state(report: &MarkovReport, found: &Counterexample, node: State) -> String {
    let states = found.states[node as usize].iter().enumerate();
    let part = |(c, s): (usize, &State)| {
        let name = state_name(report, c, *s);
        format!("{}: {name}", shown(&component_name(report.base.network, c)))
    };
    states.map(part).collect::<Vec<_>>().join(", ")
}

fn state_name(report: &MarkovReport, component: usize, state: State) -> String {
    match report.system.components.get(component) {
        Some(c) if (state as usize) < c.lpts.states() => {
            shown(&c.lpts.state_name(state)).into_owned()
        }
        _ => state.to_string(),
    }
}

/// What changed between two nodes.
pub(super) fn changed(
    report: &MarkovReport,
    found: &Counterexample,
    from: State,
    to: State,
) -> String {
    let (before, after) = (&found.states[from as usize], &found.states[to as usize]);
    let pairs = before.iter().zip(after.iter()).enumerate();
    let changes = pairs.filter(|(_, (a, b))| a != b).map(|(c, (a, b))| {
        let name = component_name(report.base.network, c);
        let (a, b) = (state_name(report, c, *a), state_name(report, c, *b));
        format!("{}: {}", shown(&name), difference(&a, &b))
    });
    let changes: Vec<String> = changes.collect();
    match changes.is_empty() {
        true => "nothing changes".to_owned(),
        false => changes.join(", "),
    }
}

/// `x=0 -> 1`: of states that are values of the same variables, those that differ.
fn difference(before: &str, after: &str) -> String {
    let values = |text: &str| -> Option<Vec<(String, String)>> {
        let one = |part: &str| {
            part.split_once('=')
                .map(|(n, v)| (n.to_owned(), v.to_owned()))
        };
        text.split(", ").map(one).collect()
    };
    let whole = format!("{before} -> {after}");
    let (Some(a), Some(b)) = (values(before), values(after)) else {
        return whole;
    };
    if a.len() != b.len() || a.iter().zip(&b).any(|(a, b)| a.0 != b.0) {
        return whole;
    }
    let pairs = a.iter().zip(&b).filter(|(a, b)| a.1 != b.1);
    let parts: Vec<String> = pairs
        .map(|(a, b)| format!("{}={} -> {}", a.0, a.1, b.1))
        .collect();
    parts.join(", ")
}

/// The tree from the root down. A node that is reached in several ways is written out once.
pub(super) fn lines(report: &MarkovReport, found: &Counterexample, most: usize) -> Vec<Line> {
    let tree = &found.tree;
    let mut written = vec![false; tree.states()];
    let mut lines = Vec::new();
    let root = What::Node {
        node: 0,
        probability: None,
        states: whole_state(report, found, 0),
        again: false,
    };
    let mut stack = vec![(
        Line {
            depth: 0,
            what: root,
        },
        true,
    )];
    while let Some((line, open)) = stack.pop() {
        if lines.len() >= most {
            break;
        }
        let depth = line.depth;
        let below = match &line.what {
            What::Node { node, .. } if open && !written[*node as usize] => {
                written[*node as usize] = true;
                under(report, found, *node, depth)
            }
            _ => Vec::new(),
        };
        lines.push(line);
        stack.extend(below.into_iter().rev());
    }
    let mut seen = vec![false; tree.states()];
    for line in &mut lines {
        if let What::Node { node, again, .. } = &mut line.what {
            let inner = !tree.choices(*node).is_empty();
            *again = inner && seen[*node as usize];
            seen[*node as usize] = true;
        }
    }
    lines
}

/// The actions of a node and the nodes they lead to, in order.
fn under(
    report: &MarkovReport,
    found: &Counterexample,
    node: State,
    depth: usize,
) -> Vec<(Line, bool)> {
    let mut below = Vec::new();
    for choice in found.tree.choices(node) {
        let action = label_name(&report.system.labels, choice.label);
        let seen = report.system.observe(choice.label);
        let mut text = shown(&action).into_owned();
        if seen != choice.label {
            let seen = label_name(&report.system.labels, seen);
            text = format!("{text} (seen as {})", shown(&seen));
        }
        let line = Line {
            depth: depth + 1,
            what: What::Action(text),
        };
        below.push((line, false));
        for (next, p) in found.tree.dist(choice.dist).probabilities() {
            let what = What::Node {
                node: next,
                probability: Some(fraction(&p)),
                states: changed(report, found, node, next),
                again: false,
            };
            let line = Line {
                depth: depth + 1,
                what,
            };
            below.push((line, true));
        }
    }
    below
}

/// How many nodes, and the longest way from the root.
pub(super) fn depth(tree: &Lpts) -> usize {
    let mut depth = vec![0usize; tree.states()];
    for node in (0..tree.states()).rev() {
        for choice in tree.choices(node as State) {
            let targets = tree.dist(choice.dist).targets().iter();
            let below = targets.filter_map(|t| depth.get(*t as usize)).max();
            depth[node] = depth[node].max(below.map_or(0, |d| d + 1));
        }
    }
    depth.first().copied().unwrap_or(0)
}

/// Why the specification cannot follow, one sentence for each pair of a node and a state.
pub(super) fn reasons(
    report: &MarkovReport,
    found: &Counterexample,
    refusals: &[MarkovRefusal],
) -> Vec<String> {
    let Some(specification) = report.specification else {
        return Vec::new();
    };
    let reason = |refusal: &MarkovRefusal| {
        let state = shown(&specification.state_name(refusal.state)).into_owned();
        let what = why(report, found, refusal);
        let what: Vec<String> = what.into_iter().collect();
        what.into_iter()
            .map(|what| format!("node {}, specification in {state}: {what}", refusal.node))
            .collect::<Vec<_>>()
    };
    refusals.iter().flat_map(reason).collect()
}

fn why(report: &MarkovReport, found: &Counterexample, refusal: &MarkovRefusal) -> Vec<String> {
    match &refusal.why {
        MarkovLack::Proposition(number) => {
            let name = report.system.propositions.get(*number as usize);
            let name = name.map_or_else(|| number.to_string(), |p| p.name.clone());
            vec![format!("they differ in {}", shown(&name))]
        }
        MarkovLack::Choice { choice, options } => {
            let choice = found.tree.choices(refusal.node).get(*choice);
            let label = choice.map(|c| report.system.observe(c.label));
            let action = label.map_or_else(String::new, |l| label_name(&report.system.labels, l));
            let action = shown(&action).into_owned();
            if options.is_empty() {
                return vec![format!("it cannot do {action}")];
            }
            let many = options.len() > 1;
            let option = |(at, (nodes, needed, available)): (usize, &(Vec<State>, _, _))| {
                lack(&action, many.then_some(at + 1), nodes, needed, available)
            };
            options.iter().enumerate().map(option).collect()
        }
    }
}

/// After an action some nodes have more than the specification can give.
fn lack(
    action: &str,
    number: Option<usize>,
    nodes: &[State],
    needed: &suppose_number::Rat,
    available: &suppose_number::Rat,
) -> String {
    let names: Vec<String> = nodes.iter().take(12).map(ToString::to_string).collect();
    let names = match nodes.len() {
        1 => format!("node {}", names[0]),
        n if n > 12 => format!("nodes {} and {} more", names.join(", "), n - 12),
        _ => format!("nodes {}", names.join(", ")),
    };
    let way = number.map_or(String::new(), |n| format!(" (its choice {n})"));
    let given = match available.is_zero() {
        true => "it has nothing that follows".to_owned(),
        false => format!("it can give {}", fraction(available)),
    };
    let needed = fraction(needed);
    format!("after {action}{way} probability {needed} must go to {names}, {given}")
}
