//! What must be true of a system before evidence about it means anything.

use suppose_model::lts::{Component, Label, Lts, Network, State};

use crate::rejection::{Place, Rejection};

/// Components have no error state, properties are deterministic and have none either, every
/// label has a name, marks of errors are what they are said to be, and so are the places where
/// stopping is success: what [`Network`] promises, but its fields are open to all.
pub(crate) fn check(network: &Network) -> Result<(), Rejection> {
    let flaw = |why: String| Err(Rejection::at(Place::System, why));
    for component in &network.components {
        if let Some(why) = defect(network, &component.lts) {
            return flaw(format!("component {}: {why}", component.lts.name()));
        }
    }
    for property in &network.properties {
        if let Some(why) = defect(network, &property.lts) {
            return flaw(format!("property {}: {why}", property.name()));
        }
        if !property.lts.is_deterministic() {
            return flaw(format!("property {} is not deterministic", property.name()));
        }
    }
    for mark in &network.errors {
        if let Some(why) = no_mark(network, *mark) {
            return flaw(format!("mark of errors {}: {why}", mark.0));
        }
    }
    if let Some(ends) = &network.success {
        let known = |(c, end): (&Component, &Option<State>)| {
            end.is_none_or(|end| (end as usize) < c.lts.states())
        };
        let all = network.components.len() == ends.len();
        if !all || !network.components.iter().zip(ends).all(known) {
            return flaw("where stopping is success is not said of its components".to_owned());
        }
    }
    match &network.priority {
        Some(priority) if !priority.labels.is_sorted() => {
            flaw("the labels of the priority are not sorted".to_owned())
        }
        _ => Ok(()),
    }
}

/// Why a label is not the mark of an error, if it is not: the label of one loop, in one component,
/// at a state where nothing else happens. Only then does it do no harm that priority passes it by.
fn no_mark(network: &Network, mark: Label) -> Option<&'static str> {
    if mark.is_tau() || mark.index() >= network.labels.len() {
        return Some("the system does not know it");
    }
    let mut having = network
        .components
        .iter()
        .filter(|c| c.lts.alphabet().contains(&mark));
    let (Some(one), None) = (having.next(), having.next()) else {
        return Some("it is not a label of exactly one component");
    };
    let mut marked = one.lts.all_edges().filter(|e| e.1 == mark);
    let (Some((state, _, target)), None) = (marked.next(), marked.next()) else {
        return Some("it is not the label of exactly one edge");
    };
    match state == target && one.lts.edges(state).len() == 1 {
        true => None,
        false => Some("its edge is not a loop at a state without other edges"),
    }
}

/// What is wrong with an LTS of (or about) the network, if anything.
pub(crate) fn defect(network: &Network, lts: &Lts) -> Option<&'static str> {
    if lts.error().is_some() {
        return Some("it has an error state");
    }
    let foreign = |label: &Label| label.index() >= network.labels.len();
    if lts.alphabet().iter().any(foreign) {
        return Some("it has a label that the system does not know");
    }
    None
}
