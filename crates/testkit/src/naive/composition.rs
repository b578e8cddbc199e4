//! LTSA's composition of components with error states and ends, without priority.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::lts::{Label, Lts, LtsBuilder, State};

/// A vector, or the one error state, or the one end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whole {
    Vector(Vec<State>),
    Error,
    End,
}

/// The reachable part of the composition, its states numbered in no particular order.
pub fn compose(components: &[&Lts]) -> Lts {
    let start = whole(components, components.iter().map(|c| c.initial()).collect());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    let mut edges = BTreeSet::new();
    while let Some(state) = open.pop() {
        let Whole::Vector(vector) = &state else {
            continue;
        };
        for (label, next) in steps(components, vector) {
            let next = whole(components, next);
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
            edges.insert((state.clone(), label, next));
        }
    }
    let number: BTreeMap<&Whole, State> = seen.iter().zip(0..).collect();
    let mut builder = LtsBuilder::new("naive");
    builder.states(seen.len() as u32).initial(number[&start]);
    for component in components {
        builder.extend_alphabet(component.alphabet().iter().copied());
    }
    if let Some(error) = number.get(&Whole::Error) {
        builder.error(*error);
    }
    if let Some(end) = number.get(&Whole::End) {
        builder.end(*end);
    }
    for (source, label, target) in &edges {
        builder.edge(number[source], *label, number[target]);
    }
    builder.build()
}

fn whole(components: &[&Lts], vector: Vec<State>) -> Whole {
    let mut pairs = components.iter().zip(&vector);
    if pairs.any(|(c, s)| c.error() == Some(*s)) {
        return Whole::Error;
    }
    if steps(components, &vector).is_empty() && is_end(components, &vector) {
        return Whole::End;
    }
    Whole::Vector(vector)
}

/// Would LTSA call a vector where nothing can happen the end? Every component that has an end must
/// be there, at least one must have one, and the others must not know labels that these do not. An
/// end from the start does not count.
pub fn is_end(components: &[&Lts], vector: &[State]) -> bool {
    let end = |c: &Lts| c.end().filter(|e| *e != c.initial());
    let has_end: Vec<&&Lts> = components.iter().filter(|c| end(c).is_some()).collect();
    let known = |label: &Label| has_end.iter().any(|c| c.has_label(*label));
    let mut pairs = components.iter().zip(vector);
    !has_end.is_empty()
        && pairs.all(|(c, s)| match end(c) {
            Some(end) => end == *s,
            None => c.alphabet().iter().all(known),
        })
}

fn steps(components: &[&Lts], vector: &[State]) -> BTreeSet<(Label, Vec<State>)> {
    let mut found = BTreeSet::new();
    for (i, component) in components.iter().enumerate() {
        for edge in component.edges(vector[i]) {
            if edge.label.is_tau() {
                let mut next = vector.to_vec();
                next[i] = edge.target;
                found.insert((Label::TAU, next));
                continue;
            }
            for next in together(components, vector, edge.label) {
                found.insert((edge.label, next));
            }
        }
    }
    found
}

/// Every way in which all that have a label do it.
fn together(components: &[&Lts], vector: &[State], label: Label) -> Vec<Vec<State>> {
    let mut ways = vec![vector.to_vec()];
    for (i, component) in components.iter().enumerate() {
        if component.has_label(label) {
            let targets = component.successors(vector[i], label);
            let with = |way: &Vec<State>, target| {
                let mut next = way.clone();
                next[i] = target;
                next
            };
            ways = ways
                .iter()
                .flat_map(|way| targets.iter().map(move |e| with(way, e.target)))
                .collect();
        }
    }
    ways
}
