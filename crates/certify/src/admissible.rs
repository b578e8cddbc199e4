//! Which premises may stand where they do.

use suppose_model::lts::{ComponentKind, Network};
use suppose_model::{Guarantee, Premise};

/// The numbers of a premise are in range and without duplicates, and what it assumes is proven.
pub(crate) fn admissible(
    network: &Network,
    premise: &Premise,
    proven: &[bool],
) -> Result<(), String> {
    let present = members(&premise.components, network.components.len())
        .map_err(|c| format!("component {c} is unknown or twice there"))?;
    members(&premise.assumptions, proven.len())
        .map_err(|a| format!("assumption {a} is unknown or twice there"))?;
    if let Some(a) = premise.assumptions.iter().find(|a| !proven[**a]) {
        return Err(format!("no earlier premise guarantees assumption {a}"));
    }
    match premise.guarantee {
        Guarantee::Assumption(a) if a >= proven.len() => {
            return Err(format!("there is no assumption {a}"));
        }
        Guarantee::Property(p) if p >= network.properties.len() => {
            return Err(format!("there is no property {p}"));
        }
        Guarantee::DeadlockFree => whole(network, premise, &present)?,
        Guarantee::Assumption(_) | Guarantee::Property(_) => (),
    }
    let all = premise.assumptions.is_empty() && present.iter().all(|p| *p);
    if network.priority.is_some() && !all {
        return Err("with priority, it must have all components and no assumption".to_owned());
    }
    Ok(())
}

/// Which of `count` things the numbers name; an error is a number that is too large or repeated.
fn members(numbers: &[usize], count: usize) -> Result<Vec<bool>, usize> {
    let mut present = vec![false; count];
    for number in numbers {
        match present.get_mut(*number) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(*number),
        }
    }
    Ok(present)
}

/// Freedom from deadlock is shown for all processes, without assumptions; a component may only be
/// left out if it cannot keep a process from anything.
fn whole(network: &Network, premise: &Premise, present: &[bool]) -> Result<(), String> {
    if !premise.assumptions.is_empty() {
        return Err("freedom from deadlock cannot rest on assumptions".to_owned());
    }
    let mut of_processes = vec![false; network.labels.len()];
    for number in network.processes() {
        for label in network.components[number].lts.alphabet() {
            of_processes[label.index()] = true;
        }
    }
    for (component, present) in network.components.iter().zip(present) {
        let mut alphabet = component.lts.alphabet().iter();
        let needed =
            component.kind == ComponentKind::Process || alphabet.any(|l| of_processes[l.index()]);
        if needed && !present {
            let name = component.lts.name();
            return Err(format!("freedom from deadlock needs component {name}"));
        }
    }
    Ok(())
}
