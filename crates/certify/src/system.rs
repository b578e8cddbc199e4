//! What must be true of a system before evidence about it means anything.

use suppose_model::lts::{Label, Lts, Network};

use crate::rejection::{Place, Rejection};

/// Components have no error state, properties are deterministic and have none either, and every
/// label has a name: what [`Network`] promises, but its fields are open to all.
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
    match &network.priority {
        Some(priority) if !priority.labels.is_sorted() => {
            flaw("the labels of the priority are not sorted".to_owned())
        }
        _ => Ok(()),
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
