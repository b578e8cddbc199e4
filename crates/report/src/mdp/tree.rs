//! A tree that shows a violation, line by line, and why it is one.

use suppose_model::lts::State;
use suppose_model::mdp::{Counterexample, Deficit, Lpts, Refusal, Refused};

use super::Subject;
use super::number::fraction;
use crate::block::{TreeItem, TreeLine};
use crate::words::{label_name, shown};

/// The states of all components of a node.
pub(super) fn whole_state(subject: Subject, found: &Counterexample, node: State) -> String {
    let states = found.states[node as usize].iter().enumerate();
    let part = |(c, s): (usize, &State)| {
        let name = state_name(subject, c, *s);
        format!("{}: {name}", component_name(subject, c))
    };
    let text = states.map(part).collect::<Vec<_>>().join(", ");
    shown(&text).into_owned()
}

/// A component's name, even when the number belongs to none.
pub(super) fn component_name(subject: Subject, number: usize) -> String {
    match subject.system.components.get(number) {
        Some(component) => component.lpts.name().to_owned(),
        None => format!("component {number}"),
    }
}

/// A state's name within its component.
pub(super) fn state_name(subject: Subject, component: usize, state: State) -> String {
    match subject.system.components.get(component) {
        Some(c) if (state as usize) < c.lpts.states() => c.lpts.state_name(state),
        _ => state.to_string(),
    }
}

/// What changed between two nodes.
pub(super) fn changed(subject: Subject, found: &Counterexample, from: State, to: State) -> String {
    let (before, after) = (&found.states[from as usize], &found.states[to as usize]);
    let pairs = before.iter().zip(after.iter()).enumerate();
    let changes = pairs.filter(|(_, (a, b))| a != b).map(|(c, (a, b))| {
        let name = component_name(subject, c);
        let (a, b) = (state_name(subject, c, *a), state_name(subject, c, *b));
        format!("{name}: {}", difference(&a, &b))
    });
    let changes: Vec<String> = changes.collect();
    match changes.is_empty() {
        true => "nothing changes".to_owned(),
        false => shown(&changes.join(", ")).into_owned(),
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
pub(super) fn lines(subject: Subject, found: &Counterexample, most: usize) -> Vec<TreeLine> {
    let tree = &found.tree;
    let mut written = vec![false; tree.states()];
    let mut lines = Vec::new();
    let root = TreeItem::Node {
        node: 0,
        probability: None,
        states: whole_state(subject, found, 0),
        again: false,
    };
    let mut stack = vec![(
        TreeLine {
            depth: 0,
            item: root,
        },
        true,
    )];
    while let Some((line, open)) = stack.pop() {
        if lines.len() >= most {
            break;
        }
        let depth = line.depth;
        let below = match &line.item {
            TreeItem::Node { node, .. } if open && !written[*node as usize] => {
                written[*node as usize] = true;
                under(subject, found, *node, depth)
            }
            _ => Vec::new(),
        };
        lines.push(line);
        stack.extend(below.into_iter().rev());
    }
    let mut seen = vec![false; tree.states()];
    for line in &mut lines {
        if let TreeItem::Node { node, again, .. } = &mut line.item {
            let inner = !tree.choices(*node).is_empty();
            *again = inner && seen[*node as usize];
            seen[*node as usize] = true;
        }
    }
    lines
}

/// The actions of a node and the nodes they lead to, in order.
fn under(
    subject: Subject,
    found: &Counterexample,
    node: State,
    depth: usize,
) -> Vec<(TreeLine, bool)> {
    let mut below = Vec::new();
    for choice in found.tree.choices(node) {
        let action = label_name(&subject.system.labels, choice.label);
        let seen = subject.system.observe(choice.label);
        let mut text = shown(&action).into_owned();
        if seen != choice.label {
            let seen = label_name(&subject.system.labels, seen);
            text = format!("{text} (seen as {})", shown(&seen));
        }
        let line = TreeLine {
            depth: depth + 1,
            item: TreeItem::Action(text),
        };
        below.push((line, false));
        for (next, p) in found.tree.dist(choice.dist).probabilities() {
            let item = TreeItem::Node {
                node: next,
                probability: Some(fraction(&p)),
                states: changed(subject, found, node, next),
                again: false,
            };
            let line = TreeLine {
                depth: depth + 1,
                item,
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
    subject: Subject,
    found: &Counterexample,
    refusals: &[Refusal],
) -> Vec<String> {
    let Some(specification) = subject.specification else {
        return Vec::new();
    };
    let reason = |refusal: &Refusal| {
        let state = shown(&specification.state_name(refusal.state)).into_owned();
        let reasons = why(subject, found, refusal).into_iter();
        let node = refusal.node;
        reasons.map(move |why| format!("node {node}, specification in {state}: {why}"))
    };
    refusals.iter().flat_map(reason).collect()
}

fn why(subject: Subject, found: &Counterexample, refusal: &Refusal) -> Vec<String> {
    match &refusal.why {
        Refused::Proposition(number) => {
            let name = subject.system.propositions.get(*number as usize);
            let name = name.map_or_else(|| number.to_string(), |p| p.name.clone());
            vec![format!("they differ in {}", shown(&name))]
        }
        Refused::Choice { choice, options } => {
            let choice = found.tree.choices(refusal.node).get(*choice);
            let label = choice.map(|c| subject.system.observe(c.label));
            let action = label.map_or_else(String::new, |l| label_name(&subject.system.labels, l));
            let action = shown(&action).into_owned();
            if options.is_empty() {
                return vec![format!("it cannot do {action}")];
            }
            let many = options.len() > 1;
            let numbered =
                |(at, option): (usize, &Deficit)| lack(&action, many.then_some(at + 1), option);
            options.iter().enumerate().map(numbered).collect()
        }
    }
}

/// After an action some nodes have more than the specification can give.
fn lack(action: &str, number: Option<usize>, lack: &Deficit) -> String {
    let nodes = &lack.nodes;
    let names: Vec<String> = nodes.iter().take(12).map(ToString::to_string).collect();
    let names = match nodes.len() {
        1 => format!("node {}", names[0]),
        n if n > 12 => format!("nodes {} and {} more", names.join(", "), n - 12),
        _ => format!("nodes {}", names.join(", ")),
    };
    let way = number.map_or(String::new(), |n| format!(" (its choice {n})"));
    let given = match lack.available.is_zero() {
        true => "it has nothing that follows".to_owned(),
        false => format!("it can give {}", fraction(&lack.available)),
    };
    let needed = fraction(&lack.needed);
    format!("after {action}{way} probability {needed} must go to {names}, {given}")
}
