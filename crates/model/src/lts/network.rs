//! A system: components that run together, and what is asked of them.

use suppose_source::Span;

use super::{Label, Labels, Lts, LtsBuilder, State};

/// What a component is to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentKind {
    /// A part of the system.
    Process,
    /// Performs, at any time, the labels that only properties mention (as LTSA lets a property
    /// alone perform them). It never counts as progress when deadlock is asked for.
    Environment,
}

/// One part of a system. Its LTS has no error state: see [`Network::add_component`].
#[derive(Clone, Debug)]
pub struct Component {
    /// Its behaviour.
    pub lts: Lts,
    /// A part of the system, or its environment.
    pub kind: ComponentKind,
}

/// A deterministic safety property. It has no error state: a label of its alphabet that has no
/// edge is a violation, so the language of the LTS is exactly what is allowed.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its behaviour; the name of the LTS is the name of the property.
    pub lts: Lts,
    /// Where it was written.
    pub span: Option<Span>,
}

impl Property {
    /// The name in verdicts.
    pub fn name(&self) -> &str {
        self.lts.name()
    }
}

/// LTSA's action priority over a whole composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priority {
    /// The labels named (sorted).
    pub labels: Vec<Label>,
    /// `>>`: the named ones yield to all others (and to `tau`). Otherwise `<<`: all others yield to them.
    pub low: bool,
}

/// A system of components with its properties.
///
/// With a [`Priority`] the behaviour of the whole is no longer given by the traces of the parts,
/// so only the monolithic engine may be used.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The system's name.
    pub name: String,
    /// The labels of everything in it.
    pub labels: Labels,
    /// The parts.
    pub components: Vec<Component>,
    /// The questions besides deadlock.
    pub properties: Vec<Property>,
    /// Priority of the whole.
    pub priority: Option<Priority>,
}

/// The property that says no component reaches its error state.
pub const ERROR_PROPERTY: &str = "ERROR";

impl Network {
    /// An empty system.
    pub fn new(name: impl Into<String>, labels: Labels) -> Self {
        Network {
            name: name.into(),
            labels,
            ..Network::default()
        }
    }

    /// Adds a part. If its LTS has an error state, that state becomes an ordinary one with a loop
    /// on a fresh label, and the property [`ERROR_PROPERTY`] forbids that label: so every engine
    /// knows one kind of violation only.
    pub fn add_component(&mut self, lts: Lts) {
        let lts = match lts.error() {
            Some(error) => self.disarm(&lts, error),
            None => lts,
        };
        let kind = ComponentKind::Process;
        self.components.push(Component { lts, kind });
    }

    fn disarm(&mut self, lts: &Lts, error: u32) -> Lts {
        let mut name = format!("{}.ERROR", lts.name());
        while self.labels.get(&name).is_some() {
            name.push('\'');
        }
        let label = self.labels.intern(&name);
        let mut builder = LtsBuilder::like(lts).without_error();
        builder.extend_alphabet(lts.alphabet().iter().copied());
        for (s, l, t) in lts.all_edges() {
            builder.edge(s, l, t);
        }
        builder.edge(error, label, error);
        builder.state_name(error, "ERROR");
        self.forbid(label);
        builder.build()
    }

    fn forbid(&mut self, label: Label) {
        let position = self
            .properties
            .iter()
            .position(|p| p.name() == ERROR_PROPERTY);
        let mut builder = LtsBuilder::new(ERROR_PROPERTY);
        builder.extend_alphabet([label]);
        match position {
            Some(at) => {
                builder.extend_alphabet(self.properties[at].lts.alphabet().iter().copied());
                self.properties[at].lts = builder.build();
            }
            None => self.properties.push(Property {
                lts: builder.build(),
                span: None,
            }),
        }
    }

    /// Adds a property. The LTS must be deterministic; edges into its error state are dropped.
    pub fn add_property(&mut self, lts: &Lts, span: Option<Span>) {
        let mut builder = LtsBuilder::like(lts).without_error();
        builder.extend_alphabet(lts.alphabet().iter().copied());
        for (s, l, t) in lts.all_edges() {
            if Some(t) != lts.error() {
                builder.edge(s, l, t);
            }
        }
        self.properties.push(Property {
            lts: builder.build(),
            span,
        });
    }

    /// To be called when all is added: labels that only properties know get an environment
    /// component that may perform them at any time. Returns those labels.
    pub fn close(&mut self) -> Vec<Label> {
        let mut known = vec![false; self.labels.len()];
        for component in &self.components {
            for label in component.lts.alphabet() {
                known[label.index()] = true;
            }
        }
        let mut free: Vec<Label> = self
            .properties
            .iter()
            .flat_map(|p| p.lts.alphabet().iter().copied())
            .filter(|l| !known[l.index()])
            .collect();
        free.sort_unstable();
        free.dedup();
        if !free.is_empty() {
            let mut builder = LtsBuilder::new("(environment)");
            for label in &free {
                builder.edge(0, *label, 0);
            }
            self.components.push(Component {
                lts: builder.build(),
                kind: ComponentKind::Environment,
            });
        }
        free
    }

    /// The numbers of the components that are parts of the system proper.
    pub fn processes(&self) -> Vec<usize> {
        let is_process = |i: &usize| self.components[*i].kind == ComponentKind::Process;
        (0..self.components.len()).filter(is_process).collect()
    }

    /// Where each component must be for a stop of the whole to be success, none meaning anywhere;
    /// none at all if a stop is never success.
    ///
    /// LTSA's rule: at least one process has an `END`, those that have one are all there, and the
    /// others (a lock, say, that just waits) know no label that these do not. Where there is no
    /// process at all, nothing can be stuck.
    pub fn success(&self) -> Option<Vec<Option<State>>> {
        let processes = || {
            let all = self.components.iter();
            all.filter(|c| c.kind == ComponentKind::Process)
        };
        let mut known = vec![false; self.labels.len()];
        for component in processes().filter(|c| c.lts.end().is_some()) {
            for label in component.lts.alphabet() {
                known[label.index()] = true;
            }
        }
        let waits = |c: &Component| c.lts.alphabet().iter().all(|l| known[l.index()]);
        let mut ending = processes().map(|c| c.lts.end().is_some());
        let can = processes().next().is_none()
            || ending.any(|e| e) && processes().all(|c| c.lts.end().is_some() || waits(c));
        let end = |c: &Component| match c.kind {
            ComponentKind::Process => c.lts.end(),
            ComponentKind::Environment => None,
        };
        can.then(|| self.components.iter().map(end).collect())
    }

    /// For every label, the numbers of the components that have it in their alphabet.
    pub fn participants(&self) -> Vec<Vec<usize>> {
        let mut participants = vec![Vec::new(); self.labels.len()];
        for (number, component) in self.components.iter().enumerate() {
            for label in component.lts.alphabet() {
                participants[label.index()].push(number);
            }
        }
        participants
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_state_becomes_a_forbidden_label() {
        let mut labels = Labels::new();
        let a = labels.intern("a");
        let mut network = Network::new("s", labels);
        for name in ["P", "Q"] {
            let mut builder = LtsBuilder::new(name);
            builder.edge(0, a, 1).error(1);
            network.add_component(builder.build());
        }
        assert_eq!(network.properties.len(), 1);
        assert_eq!(network.properties[0].lts.alphabet().len(), 2);
        assert_eq!(network.components[0].lts.error(), None);
        assert_eq!(network.components[0].lts.transitions(), 2);
        assert!(network.close().is_empty());
    }

    #[test]
    fn a_lock_may_wait_for_ever_when_its_users_have_ended() {
        let mut labels = Labels::new();
        let (a, b) = (labels.intern("a"), labels.intern("b"));
        let mut network = Network::new("s", labels);
        let mut user = LtsBuilder::new("user");
        user.edge(0, a, 1).end(1);
        let mut lock = LtsBuilder::new("lock");
        lock.edge(0, a, 0);
        network.add_component(lock.clone().build());
        assert_eq!(network.success(), None);
        network.add_component(user.build());
        assert_eq!(network.success(), Some(vec![None, Some(1)]));
        lock.edge(0, b, 0);
        network.add_component(lock.build());
        assert_eq!(network.success(), None);
    }

    #[test]
    fn labels_of_properties_alone_are_free() {
        let mut labels = Labels::new();
        let a = labels.intern("a");
        let mut network = Network::new("s", labels);
        let mut builder = LtsBuilder::new("P");
        builder.edge(0, a, 0);
        network.add_property(&builder.build(), None);
        assert_eq!(network.close(), [a]);
        assert!(network.processes().is_empty());
    }
}
