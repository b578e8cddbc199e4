//! A component on its way into the network.
//!
//! Prefixing, sharing, relabelling and hiding change names only, so the edges of a process are
//! shared by all its instances; a label of the edges represents any number of names.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, SizeLimits, TooLarge};
use suppose_source::Span;

/// The label number of invisible edges.
pub(super) const TAU: u32 = u32::MAX;

/// Where a name is seen.
pub(super) type ScopeId = u32;
/// Everywhere.
pub(super) const VISIBLE: ScopeId = 0;
/// Hidden in a process; each instance has its own scope.
pub(super) const PRIVATE: ScopeId = 1;

/// A label's name. Names that a composition hides are shared by its parts only: they have a scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) text: Rc<str>,
    pub(super) scope: ScopeId,
}

impl Name {
    pub(super) fn visible(text: impl Into<Rc<str>>) -> Self {
        Name {
            text: text.into(),
            scope: VISIBLE,
        }
    }

    pub(super) fn is_visible(&self) -> bool {
        self.scope == VISIBLE
    }
}

/// States and edges. State 0 is initial.
#[derive(Debug, Default)]
pub(super) struct Core {
    pub(super) states: u32,
    /// Source, label number, target.
    pub(super) edges: Vec<(u32, u32, u32)>,
    pub(super) error: Option<u32>,
    pub(super) end: Option<u32>,
    /// Names of states for display; may be shorter than the list of states.
    pub(super) state_names: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) name: String,
    pub(super) core: Rc<Core>,
    /// The names that each label number represents.
    pub(super) labels: Vec<Vec<Name>>,
    /// A property, and where it is written. Its core has no error state: what it does not allow
    /// is a violation.
    pub(super) property: Option<Span>,
    /// What it is to the end of the whole, if it belongs to a part that LTSA composes first.
    pub(super) ending: Option<Ending>,
}

/// What a machine is to the end of a composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    /// It must be at its end.
    pub(super) required: bool,
    /// Its labels are those of something that can end.
    pub(super) covers: bool,
}

/// Names to labels, and back.
#[derive(Default)]
pub(super) struct Interned {
    pub(super) labels: Labels,
    hidden: FxHashMap<Name, Label>,
    names: Vec<Option<Name>>,
}

impl Interned {
    pub(super) fn label(&mut self, name: &Name) -> Label {
        if name.is_visible() {
            let label = self.labels.intern(&name.text);
            self.remember(label, name);
            return label;
        }
        if let Some(label) = self.hidden.get(name) {
            return *label;
        }
        let label = self.labels.intern_hidden(&name.text);
        self.hidden.insert(name.clone(), label);
        self.remember(label, name);
        label
    }

    /// The label of a name that was asked for before.
    pub(super) fn find(&self, name: &Name) -> Option<Label> {
        match name.is_visible() {
            true => self.labels.get(&name.text).filter(|l| !l.is_tau()),
            false => self.hidden.get(name).copied(),
        }
    }

    fn remember(&mut self, label: Label, name: &Name) {
        if self.names.len() <= label.index() {
            self.names.resize(label.index() + 1, None);
        }
        self.names[label.index()].get_or_insert_with(|| name.clone());
    }

    /// All labels that were asked for, in order, with their names.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Label, &Name)> {
        let numbered = (0u32..).map(Label).zip(&self.names);
        numbered.filter_map(|(label, name)| Some((label, name.as_ref()?)))
    }

    fn name(&self, label: Label) -> Name {
        let known = self.names.get(label.index()).cloned().flatten();
        known.unwrap_or_else(|| Name::visible(self.labels.name(label)))
    }
}

impl Machine {
    pub(super) fn rename(&mut self, mut map: impl FnMut(&Name) -> Vec<Name>) {
        for names in &mut self.labels {
            let mut renamed: Vec<Name> = names.iter().flat_map(&mut map).collect();
            renamed.sort_unstable();
            renamed.dedup();
            *names = renamed;
        }
    }

    pub(super) fn prefix(&mut self, prefix: &str) {
        self.name = format!("{prefix}:{}", self.name);
        self.rename(|name| {
            vec![Name {
                text: format!("{prefix}.{}", name.text).into(),
                scope: name.scope,
            }]
        });
    }

    /// Offers every visible label once for every prefix.
    pub(super) fn share(&mut self, prefixes: &[String]) {
        if prefixes.is_empty() {
            return;
        }
        self.name = format!("{{{}}}::{}", prefixes.join(","), self.name);
        self.rename(|name| match name.is_visible() {
            true => prefixes
                .iter()
                .map(|p| Name::visible(format!("{p}.{}", name.text)))
                .collect(),
            false => vec![name.clone()],
        });
    }

    /// What it is to the end of the whole. An end from the start is none, as in LTSA.
    pub(super) fn ending(&self) -> Ending {
        let ends = self.core.end.is_some_and(|e| e != 0) && self.property.is_none();
        self.ending.unwrap_or(Ending {
            required: ends,
            covers: ends,
        })
    }

    /// Every name it takes part in, once.
    pub(super) fn alphabet(&self) -> FxHashSet<&Name> {
        self.labels.iter().flatten().collect()
    }

    /// Does every name represent one label number only?
    fn is_injective(&self) -> bool {
        self.alphabet().len() == self.labels.iter().map(Vec::len).sum::<usize>()
    }

    /// As a component: a property with its error state.
    pub(super) fn to_lts(&self, names: &mut Interned) -> Lts {
        let mut builder = self.builder(names);
        if self.property.is_some() {
            let error = self.core.states;
            builder.error(error);
            for (state, label) in self.forbidden() {
                for name in &self.labels[label as usize] {
                    builder.edge(state, names.label(name), error);
                }
            }
        }
        builder.build()
    }

    /// As a property: what it allows, deterministic.
    pub(super) fn to_property(
        &self,
        names: &mut Interned,
        limits: &SizeLimits,
    ) -> Result<Lts, TooLarge> {
        if self.is_injective() {
            return Ok(self.builder(names).build());
        }
        determinise_property(&self.to_lts(names), limits)
    }

    fn builder(&self, names: &mut Interned) -> LtsBuilder {
        let core = &self.core;
        let mut builder = LtsBuilder::new(&self.name);
        builder.states(core.states.max(1));
        let labels: Vec<Vec<Label>> = self
            .labels
            .iter()
            .map(|all| all.iter().map(|n| names.label(n)).collect())
            .collect();
        builder.extend_alphabet(labels.iter().flatten().copied());
        for (source, label, target) in &core.edges {
            match labels.get(*label as usize) {
                Some(labels) => {
                    for label in labels {
                        builder.edge(*source, *label, *target);
                    }
                }
                None => {
                    builder.edge(*source, Label::TAU, *target);
                }
            }
        }
        if let Some(error) = core.error {
            builder.error(error);
        }
        if let Some(end) = core.end {
            builder.end(end);
        }
        for (state, name) in core.state_names.iter().enumerate() {
            if !name.is_empty() {
                builder.state_name(state as u32, name);
            }
        }
        builder
    }

    /// The labels without an edge, state by state.
    fn forbidden(&self) -> Vec<(u32, u32)> {
        let core = &self.core;
        let allowed: FxHashSet<(u32, u32)> = core.edges.iter().map(|e| (e.0, e.1)).collect();
        let labels = self.labels.len() as u32;
        (0..core.states)
            .flat_map(|s| (0..labels).map(move |l| (s, l)))
            .filter(|pair| !allowed.contains(pair))
            .collect()
    }

    /// How many edges it will have.
    pub(super) fn edge_count(&self) -> usize {
        let widest = self.labels.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let forbidden = match self.property {
            Some(_) => (self.core.states as usize).saturating_mul(self.labels.len()),
            None => 0,
        };
        let edges = self.core.edges.len().saturating_add(forbidden);
        edges.saturating_mul(widest)
    }

    /// Back from an explicit LTS, whose initial state becomes state 0.
    pub(super) fn from_lts(lts: &Lts, names: &Interned, property: Option<Span>) -> Machine {
        let alphabet = lts.alphabet();
        let number = |label: Label| match alphabet.binary_search(&label) {
            Ok(position) => position as u32,
            Err(_) => TAU,
        };
        let initial = lts.initial();
        let swap = |state: u32| match state {
            0 => initial,
            s if s == initial => 0,
            s => s,
        };
        let edges = lts
            .all_edges()
            .map(|(s, l, t)| (swap(s), number(l), swap(t)))
            .collect();
        Machine {
            name: lts.name().to_owned(),
            core: Rc::new(Core {
                states: lts.states() as u32,
                edges,
                error: lts.error().map(swap),
                end: lts.end().map(swap),
                state_names: Vec::new(),
            }),
            labels: alphabet.iter().map(|l| vec![names.name(*l)]).collect(),
            property,
            ending: None,
        }
    }
}

/// Renaming may have made a property nondeterministic. A trace violates it if one of its runs
/// reaches the error state: the sets of states without the error state are what is allowed.
fn determinise_property(lts: &Lts, limits: &SizeLimits) -> Result<Lts, TooLarge> {
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut builder = LtsBuilder::new(lts.name());
    builder.extend_alphabet(lts.alphabet().iter().copied());
    let start = vec![lts.initial()];
    numbers.insert(start.clone(), 0);
    let mut pending = vec![start];
    let mut transitions = 0usize;
    while let Some(set) = pending.pop() {
        let source = numbers[&set];
        for label in lts.alphabet() {
            let successors = set.iter().flat_map(|s| lts.successors(*s, *label));
            let mut targets: Vec<u32> = successors.map(|e| e.target).collect();
            targets.sort_unstable();
            targets.dedup();
            if targets.is_empty() || lts.error().is_some_and(|e| targets.contains(&e)) {
                continue;
            }
            transitions += targets.len();
            if transitions > limits.transitions {
                return Err(TooLarge::Transitions(limits.transitions));
            }
            let next = numbers.len() as u32;
            let target = *numbers.entry(targets.clone()).or_insert(next);
            if target == next {
                if numbers.len() > limits.states {
                    return Err(TooLarge::States(limits.states));
                }
                pending.push(targets);
            }
            builder.edge(source, *label, target);
        }
    }
    Ok(builder.build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_labels_of_a_property_keeps_every_violation() {
        // allows a b a b ...; with both names c, the first c may be the forbidden b
        let core = Core {
            states: 2,
            edges: vec![(0, 0, 1), (1, 1, 0)],
            ..Core::default()
        };
        let mut machine = Machine {
            name: "P".into(),
            core: Rc::new(core),
            labels: vec![vec![Name::visible("a")], vec![Name::visible("b")]],
            property: Some(Span::default()),
            ending: None,
        };
        let mut names = Interned::default();
        let plain = machine
            .to_property(&mut names, &SizeLimits::default())
            .unwrap();
        assert_eq!(plain.transitions(), 2);
        machine.rename(|_| vec![Name::visible("c")]);
        let merged = machine
            .to_property(&mut names, &SizeLimits::default())
            .unwrap();
        assert_eq!((merged.transitions(), merged.alphabet().len()), (0, 1));
    }
}
