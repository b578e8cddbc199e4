//! The form of relations that several premises share.

use suppose_model::lts::Network;
use suppose_model::{Guarantee, Relation, SharedRelation};

/// Checks that rows and columns can be read, and says why not.
pub(crate) fn shape(network: &Network, whole: &SharedRelation) -> Result<(), String> {
    if whole.rows.len() != whole.vectors.len().saturating_mul(whole.width) {
        return Err("its shared relation does not have a row for each vector".to_owned());
    }
    for column in &whole.columns {
        let Some(property) = network.properties.get(column.property) else {
            return Err(format!("there is no property {}", column.property));
        };
        let end = column.first.checked_add(column.states);
        let inside = end.is_some_and(|end| end <= whole.width.saturating_mul(64));
        if column.states != property.lts.states() || !inside {
            return Err(format!("the column of {} is misplaced", property.name()));
        }
    }
    Ok(())
}

/// Does the relation of a premise show what the premise guarantees?
pub(crate) fn matches(relation: &Relation, guarantee: Guarantee) -> Result<(), String> {
    let Relation::Shared { whole, column } = relation else {
        return Ok(());
    };
    let shown = match column {
        None => Some(Guarantee::DeadlockFree),
        Some(column) => {
            let column = whole.columns.get(*column);
            column.map(|c| Guarantee::Property(c.property))
        }
    };
    match shown == Some(guarantee) {
        true => Ok(()),
        false => Err("its column of the shared relation is about something else".to_owned()),
    }
}
