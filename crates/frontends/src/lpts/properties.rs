//! Properties of a system of states that was written out: about its labels.

use fixedbitset::FixedBitSet;
use suppose_model::mdp::{Component, Labels, Property, Proposition, System};
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

use super::Explicit;
use crate::Undecided;
use crate::prism;

/// A system of one component, with the properties of a file (or of the command line) about its labels.
/// Also given: what is asked and not decided. Without a file there are no properties.
pub fn with_properties(
    explicit: Explicit,
    labels: Labels,
    file: Option<FileId>,
    sources: &Sources,
    constants: &[(String, String)],
    limits: &ParserLimits,
) -> Result<(System, Vec<Property>, Vec<Undecided>), Vec<Diagnostic>> {
    let names = &explicit.propositions;
    let mut asked = prism::AboutLabels::default();
    if let Some(file) = file {
        asked = prism::about_labels(names, &explicit.rewards, file, sources, constants, limits)?;
    }
    let mut lpts = explicit.lpts;
    let mut system = System::new(lpts.name(), labels);
    let mut all: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
    if asked.init {
        let mut initial = FixedBitSet::with_capacity(lpts.states());
        lpts.initials()
            .iter()
            .for_each(|s| initial.insert(*s as usize));
        let mut propositions = lpts.propositions().to_vec();
        propositions.push((names.len() as u32, initial));
        lpts = lpts.with_propositions(propositions);
        all.push("\"init\"".to_owned());
    }
    for name in all {
        system.propositions.push(Proposition { name, component: 0 });
    }
    system.rewards = explicit.rewards;
    let members = vec![lpts.name().to_owned()];
    system.components.push(Component { lpts, members });
    Ok((system, asked.properties, asked.undecided))
}
