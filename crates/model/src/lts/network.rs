//! A system: components that run together, and what is asked of them.

use suppose_source::Span;

use super::{Label, Labels, Liveness, Lts, LtsBuilder, State};
use crate::Claim;

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
    /// Its source position.
    pub span: Option<Span>,
    /// It is asked about the system without being part of it (an `assert`): see [`Priority`].
    pub asserted: bool,
}

impl Property {
    /// The name in verdicts.
    pub fn name(&self) -> &str {
        self.lts.name()
    }
}

/// LTSA's action priority over a whole composition. The marks of errors ([`Network::errors`]) are
/// outside it, since an error is a state and not an action: they are never kept from happening and
/// keep no other label from it. When deadlock is asked for, so are the labels that no process has
/// ([`Network::free_labels`]): what the processes do must not depend on labels that no process has. When a property
/// is asked for, so are the labels that only other asserted properties have, and when a liveness claim is asked for, those
/// that no process has and the claim does not mention. [`Network::outside`] says
/// it all.
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
    /// The safety properties.
    pub properties: Vec<Property>,
    /// The liveness claims. They are about the processes, and about labels that no process has if they mention them: these may
    /// happen at any time. A process in its error state stops the whole.
    pub liveness: Vec<Liveness>,
    /// Priority of the whole.
    pub priority: Option<Priority>,
    /// The marks of error states (sorted): each is the label of a loop at the error state of one
    /// component, where nothing else happens. No other component has it.
    pub errors: Vec<Label>,
    /// The labels that the whole system hides (sorted): claims about it see them, as opposed to those that its parts hide.
    pub hidden: Vec<Label>,
    /// Where each component must be for a stop of the whole to be success, none meaning anywhere;
    /// none at all if a stop is never success. [`Network::close`] fills it in with
    /// [`Network::side_by_side`]; a front-end whose language has parts within parts says it itself.
    pub success: Option<Vec<Option<State>>>,
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
    /// on a fresh label, its *mark*, and the property [`ERROR_PROPERTY`] forbids that label: so every
    /// engine knows one kind of violation only. Marks are outside priority: see [`Priority`].
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
        for (s, l, t) in lts.all_edges().filter(|e| e.0 != error) {
            builder.edge(s, l, t);
        }
        builder.edge(error, label, error);
        self.errors.push(label);
        self.errors.sort_unstable();
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
                asserted: false,
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
            asserted: false,
        });
    }

    /// To be called when all is added: labels that only properties know get an environment
    /// component that may perform them at any time, and it is settled where stopping is success.
    /// Returns those labels.
    pub fn close(&mut self) -> Vec<Label> {
        let mut known = vec![false; self.labels.len()];
        for component in &self.components {
            for label in component.lts.alphabet() {
                known[label.index()] = true;
            }
        }
        let of_properties = self
            .properties
            .iter()
            .flat_map(|p| p.lts.alphabet().to_vec());
        let of_liveness = self.liveness.iter().flat_map(Liveness::labels);
        let mut free: Vec<Label> = of_properties
            .chain(of_liveness)
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
        self.success = self.side_by_side();
        free
    }

    /// The labels that are outside priority when a claim is decided (sorted).
    pub fn outside(&self, claim: Claim) -> Vec<Label> {
        let others = |l: Label| {
            let all = self.properties.iter().enumerate();
            let mut having = all.filter(|(_, p)| p.lts.has_label(l));
            having.all(|(number, p)| p.asserted && claim != Claim::Property(number))
        };
        let mentioned = match claim {
            Claim::Liveness(number) => self.liveness.get(number).map(Liveness::labels),
            Claim::DeadlockFree | Claim::Property(_) => None,
        };
        let unasked = |l: &Label| match (claim, &mentioned) {
            (Claim::DeadlockFree, _) => true,
            (_, Some(mentioned)) => mentioned.binary_search(l).is_err(),
            _ => others(*l),
        };
        let free = self.free_labels().into_iter().filter(unasked);
        let mut outside: Vec<Label> = free.chain(self.errors.iter().copied()).collect();
        outside.sort_unstable();
        outside
    }

    /// The labels that no process has, so that only an environment can do them.
    pub fn free_labels(&self) -> Vec<Label> {
        let mut known = vec![false; self.labels.len()];
        let processes = self.components.iter();
        let processes = processes.filter(|c| c.kind == ComponentKind::Process);
        for label in processes.flat_map(|c| c.lts.alphabet()) {
            known[label.index()] = true;
        }
        self.labels.iter().filter(|l| !known[l.index()]).collect()
    }

    /// What an environment does when a liveness claim is asked for: the labels that the claim mentions and no process has, at any
    /// time. None if there are none.
    pub fn environment_of(&self, claim: &Liveness) -> Option<Lts> {
        let free = self.free_labels();
        let mut labels = claim.labels();
        labels.retain(|l| free.binary_search(l).is_ok());
        if labels.is_empty() {
            return None;
        }
        let mut builder = LtsBuilder::new("(environment)");
        for label in labels {
            builder.edge(0, label, 0);
        }
        Some(builder.build())
    }

    /// The numbers of the components that are parts of the system proper.
    pub fn processes(&self) -> Vec<usize> {
        let is_process = |i: &usize| self.components[*i].kind == ComponentKind::Process;
        (0..self.components.len()).filter(is_process).collect()
    }

    /// Where a stop is success by LTSA's rule, if the components run in parallel: at least one
    /// process has an `END`, those that have one are all there, and the others (a lock, say, that
    /// just waits) know no label that these do not. Hidden labels and marks of errors do not count,
    /// nor does an `END` that is there from the start. Where there is no process at all, nothing can
    /// be stuck.
    pub fn side_by_side(&self) -> Option<Vec<Option<State>>> {
        let end = |c: &Component| match c.kind {
            ComponentKind::Process => c.lts.end().filter(|e| *e != c.lts.initial()),
            ComponentKind::Environment => None,
        };
        let is_process = |c: &&Component| c.kind == ComponentKind::Process;
        let processes: Vec<&Component> = self.components.iter().filter(is_process).collect();
        let mut known = vec![false; self.labels.len()];
        for component in processes.iter().filter(|c| end(c).is_some()) {
            for label in component.lts.alphabet() {
                known[label.index()] = true;
            }
        }
        let counts = |l: &Label| !self.labels.is_hidden(*l) && !self.errors.contains(l);
        let mut labels = processes.iter().flat_map(|c| c.lts.alphabet());
        let covered = labels.all(|l| known[l.index()] || !counts(l));
        let some = processes.iter().any(|c| end(c).is_some());
        let can = processes.is_empty() || some && covered;
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
        assert_eq!(network.side_by_side(), None);
        network.add_component(user.build());
        assert_eq!(network.side_by_side(), Some(vec![None, Some(1)]));
        let mut hides = lock.clone();
        let work = network.labels.intern_hidden("work");
        hides.edge(0, work, 0);
        network.add_component(hides.build());
        assert_eq!(network.side_by_side(), Some(vec![None, Some(1), None]));
        lock.edge(0, b, 0);
        network.add_component(lock.build());
        assert_eq!(network.side_by_side(), None);
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
