//! Components that run together, and what is seen of them from outside.

use super::lpts::Lpts;
use crate::lts::{Label, Labels};

/// One part of a system.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its behaviour.
    pub lpts: Lpts,
    /// What the user wrote that went into it: the names of its modules.
    pub members: Vec<String>,
}

/// Something that is true in some states of one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// As the user wrote it.
    pub name: String,
    /// The component whose states it refers to.
    pub component: usize,
}

/// A system: components that do together the actions they share.
///
/// What a conformance check sees of an action is [`System::observed`]: `tau` if the system hides it,
/// another name if it renames it. Two labels may be observed as the same action; so all the forms of
/// parallel composition in PRISM become this one form.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The labels of everything in it, the specification's too.
    pub labels: Labels,
    /// The parts.
    pub components: Vec<Component>,
    /// For a label, the label seen from outside; those beyond the end are seen as they are.
    pub observed: Vec<Label>,
    /// What the components' propositions are about, by number.
    pub propositions: Vec<Proposition>,
    /// The names of reward structures, empty for one without a name. Only a system of one component has rewards.
    pub rewards: Vec<String>,
}

impl System {
    /// An empty system.
    pub fn new(name: impl Into<String>, labels: Labels) -> Self {
        System {
            name: name.into(),
            labels,
            ..System::default()
        }
    }

    /// What is seen of a label from outside.
    pub fn observe(&self, label: Label) -> Label {
        self.observed.get(label.index()).copied().unwrap_or(label)
    }

    /// From now on `label` is seen as `seen`.
    pub fn observe_as(&mut self, label: Label, seen: Label) {
        for next in self.observed.len()..=label.index() {
            self.observed.push(Label(next as u32));
        }
        self.observed[label.index()] = seen;
    }

    /// The behaviours of some components.
    pub fn members(&self, group: &[usize]) -> Vec<&Lpts> {
        group.iter().map(|c| &self.components[*c].lpts).collect()
    }

    /// The behaviours of the parts.
    pub fn parts(&self) -> Vec<&Lpts> {
        self.components.iter().map(|c| &c.lpts).collect()
    }
}
