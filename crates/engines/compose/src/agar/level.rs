//! One level of the rule: the abstraction of a group with the assumption below it.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, Lts, Network, PackedStates, Quotient};
use suppose_model::{Assumption, Node};

use super::interface::{Interface, reduced};
use super::partition::Partition;
use crate::concrete::Concrete;

/// The labels seen from a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// Labels of the groups above (and of the property).
    pub above: Vec<bool>,
    /// Labels of this level's own group.
    pub own: Vec<bool>,
    /// Labels of the groups from this one down.
    pub below: Vec<bool>,
    /// Labels of the concrete side: of its own group and of the assumption below.
    pub here: Vec<bool>,
    /// The alphabet of this level's assumption: the watched labels of the interface.
    pub visible: Vec<bool>,
}

impl View {
    /// Sets what is seen of the interface, given what is watched.
    pub fn watch(&mut self, watched: &[bool]) {
        for (label, watched) in watched.iter().enumerate() {
            let below = self.below[label] && *watched;
            self.visible[label] = self.above[label] && below;
            // A watched label of the groups above that is not this group's own is one of the
            // assumption below, for it is above that, too.
            self.here[label] = self.own[label] || self.visible[label];
        }
    }

    /// All labels that the assumption could ever speak of.
    pub fn interface(&self) -> Vec<bool> {
        let both = self.above.iter().zip(&self.below);
        both.map(|(above, below)| *above && *below).collect()
    }

    /// The assumption's alphabet.
    pub fn alphabet(&self) -> Vec<Label> {
        let labels = self.visible.iter().enumerate();
        labels
            .filter(|(_, v)| **v)
            .map(|(l, _)| Label(l as u32))
            .collect()
    }
}

/// The abstraction of one group composed with the assumption below.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub group: Vec<usize>,
    pub concrete: Concrete,
    pub interface: Interface,
    pub partition: Partition,
    pub lts: Lts,
    alphabet: Vec<Label>,
    /// The concrete side reduced for the whole interface, once the alphabet has grown.
    base: Option<Quotient>,
}

/// The class that a concrete state had before.
type Classes<'a> = &'a dyn Fn(&Concrete, u32) -> u32;
/// All states are in one class.
const NO_CLASSES: Option<Classes<'static>> = None;

/// Where a level's classes came from, for the level above.
pub(super) struct Lineage {
    /// For every class now, the class it was (part of) before.
    pub parent: Vec<u32>,
}

impl Lineage {
    /// Every class is what it was.
    pub fn identity(classes: usize) -> Self {
        Lineage {
            parent: (0..classes as u32).collect(),
        }
    }

    /// Is every class what it was?
    pub fn is_identity(&self) -> bool {
        (0..)
            .zip(&self.parent)
            .all(|(now, before): (u32, _)| now == *before)
    }
}

impl Level {
    /// Builds the level anew, with one class.
    pub fn build(
        network: &Network,
        group: &[usize],
        below: Option<&Lts>,
        view: &View,
        cx: &Context,
    ) -> Result<Option<Level>, Stopped> {
        let made = Level::with_classes(network, group, below, view, NO_CLASSES, cx)?;
        Ok(made.map(|(level, _)| level))
    }

    /// Builds the level anew after the assumption below it was refined or more labels are
    /// watched: a state is in the class in which it was with the assumption's old state.
    pub fn rebuild(
        &self,
        network: &Network,
        below: Option<(&Lts, &Lineage)>,
        view: &View,
        cx: &Context,
    ) -> Result<Option<(Level, Lineage)>, Stopped> {
        let lts = below.map(|(lts, _)| lts);
        if self.partition.len() == 1 {
            return Level::with_classes(network, &self.group, lts, view, NO_CLASSES, cx);
        }
        let old = self.classes_by_state();
        let last = self.group.len();
        let class = |concrete: &Concrete, state: u32| {
            let record = concrete.states.record(state as usize);
            let mut slots = concrete.states.layout().unpack(record);
            if let Some((_, lineage)) = below {
                slots[last] = lineage.parent[slots[last] as usize];
            }
            old.get(&slots).copied().unwrap_or(0)
        };
        Level::with_classes(network, &self.group, lts, view, Some(&class), cx)
    }

    fn with_classes(
        network: &Network,
        group: &[usize],
        below: Option<&Lts>,
        view: &View,
        class: Option<Classes<'_>>,
        cx: &Context,
    ) -> Result<Option<(Level, Lineage)>, Stopped> {
        let parts = group.iter().map(|i| &network.components[*i].lts);
        let parts: Vec<&Lts> = parts.chain(below).collect();
        let Some(concrete) = Concrete::build(&parts, network.labels.len(), cx)? else {
            return Ok(None);
        };
        Level::from_concrete(group.to_vec(), concrete, None, view, class, cx).map(Some)
    }

    /// The same concrete side with other labels watched, and one class again.
    pub fn begin_anew(self, view: &View, cx: &Context) -> Result<Level, Stopped> {
        let base = match self.base {
            Some(base) => Some(base),
            None => reduced(&self.concrete, &view.interface(), cx)?,
        };
        let level = Level::from_concrete(self.group, self.concrete, base, view, NO_CLASSES, cx)?;
        Ok(level.0)
    }

    fn from_concrete(
        group: Vec<usize>,
        concrete: Concrete,
        base: Option<Quotient>,
        view: &View,
        class: Option<Classes<'_>>,
        cx: &Context,
    ) -> Result<(Level, Lineage), Stopped> {
        let of = |state: u32| class.map_or(0, |class| class(&concrete, state));
        let known: Option<&dyn Fn(u32) -> u32> = if class.is_some() { Some(&of) } else { None };
        let interface = Interface::build(&concrete, base.as_ref(), &view.visible, known, cx)?;
        let first = |state: u32| of(interface.members[state as usize].1);
        let partition = Partition::new(&interface, first);
        let parent = (0..partition.len() as u32)
            .map(|c| first(partition.members(c)[0]))
            .collect();
        let alphabet = view.alphabet();
        let lts = partition.lts("A", &interface, &alphabet);
        let level = Level {
            group,
            concrete,
            interface,
            partition,
            lts,
            alphabet,
            base,
        };
        Ok((level, Lineage { parent }))
    }

    fn classes_by_state(&self) -> FxHashMap<Vec<u32>, u32> {
        let states = &self.concrete.states;
        let entries = (0..states.len() as u32).filter(|c| self.interface.entry(*c) != u32::MAX);
        entries
            .map(|c| {
                let slots = states.layout().unpack(states.record(c as usize));
                (slots, self.partition.class(self.interface.entry(c)))
            })
            .collect()
    }

    /// Splits the classes that a set of interface states cuts; says which, and what became of them.
    pub fn split(&mut self, inside: &[u32]) -> (Vec<u32>, Lineage) {
        let before = self.partition.len() as u32;
        let cut = self.partition.split(&self.interface, inside);
        self.lts = self.partition.lts("A", &self.interface, &self.alphabet);
        let parent = (0..before).chain(cut.iter().copied()).collect();
        (cut, Lineage { parent })
    }

    /// The assumption with what its states stand for.
    pub fn assumption(&self, network: &Network, name: String) -> Assumption {
        let nodes = (0..self.partition.len() as u32).map(|c| self.node(network, c));
        Assumption {
            nodes: nodes.collect(),
            lts: self.lts.clone().named(name),
        }
    }

    fn node(&self, network: &Network, class: u32) -> Node {
        let members = self.partition.members(class);
        let name = |state: &u32| {
            let concrete = self.interface.members[*state as usize].1;
            let component = |(slot, i): (usize, &usize)| {
                let lts = &network.components[*i].lts;
                let state = lts.state_name(self.concrete.slot(concrete, slot));
                format!("{} {state}", lts.name())
            };
            let names: Vec<String> = self.group.iter().enumerate().map(component).collect();
            names.join(", ")
        };
        Node {
            count: members
                .iter()
                .map(|s| self.interface.members[*s as usize].0)
                .sum(),
            examples: members.iter().take(8).map(name).collect(),
        }
    }

    /// The simulation of the concrete side by the assumption: from an entry, hidden actions keep
    /// the assumption's state, a visible one leads to the class of the entry it reaches.
    pub fn relation(
        &self,
        network: &Network,
        below: Option<&Lts>,
        visible: &[bool],
        cx: &Context,
    ) -> Result<PackedStates, Stopped> {
        let states_of = |i: &usize| network.components[*i].lts.states() as u32;
        let sizes = self.group.iter().map(states_of);
        let sizes = sizes
            .chain(below.map(|l| l.states() as u32))
            .chain([self.partition.len() as u32]);
        let layout = suppose_model::lts::Layout::new(sizes);
        let mut relation = PackedStates::new(layout.clone());
        let start = (0u32, self.partition.class(self.interface.initial));
        let mut seen = rustc_hash::FxHashSet::from_iter([start]);
        let mut stack = vec![start];
        let mut record = vec![0; layout.words()];
        while let Some((state, class)) = stack.pop() {
            if relation.len().is_multiple_of(1024) {
                cx.check()?;
            }
            let slots = layout.slots() - 1;
            for slot in 0..slots {
                layout.set(&mut record, slot, self.concrete.slot(state, slot));
            }
            layout.set(&mut record, slots, class);
            relation.push(&record);
            for edge in self.concrete.edges(state) {
                let class = match visible[edge.label.index()] {
                    true => self.partition.class(self.interface.entry(edge.target)),
                    false => class,
                };
                if seen.insert((edge.target, class)) {
                    stack.push((edge.target, class));
                }
            }
        }
        Ok(relation)
    }
}
