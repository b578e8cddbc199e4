//! The steps of the processes of a network.

use rustc_hash::FxHashMap;
use suppose_model::Guarantee;
use suppose_model::lts::{
    ComponentKind, Label, Liveness, Lts, LtsBuilder, Network, PackedStates, Proposition, State,
};

use super::flaw;
use crate::left::{LeftSide, Scratch};
use crate::rejection::Rejection;

/// A step: its action (none if the system has stopped), and the states after it.
pub(super) type Step = (Option<Label>, Vec<State>);

/// What no process has and the claim mentions may happen at any time.
pub(super) fn environment(network: &Network, claim: &Liveness) -> Lts {
    let known = |l: Label| {
        let processes = network.components.iter();
        let mut processes = processes.filter(|c| c.kind == ComponentKind::Process);
        processes.any(|c| c.lts.has_label(l))
    };
    let mut builder = LtsBuilder::new("(environment)");
    for proposition in &claim.propositions {
        let labels = match proposition {
            Proposition::Actions(labels) => labels.clone(),
            Proposition::Fluent { starts, ends, .. } => [starts.as_slice(), ends].concat(),
        };
        for label in labels.into_iter().filter(|l| !known(*l)) {
            builder.edge(0, label, 0);
        }
    }
    builder.build()
}

/// The processes together.
pub(super) struct Processes<'a> {
    network: &'a Network,
    numbers: Vec<usize>,
    left: LeftSide<'a>,
}

impl<'a> Processes<'a> {
    /// With an environment that does what only the claim mentions: see [`environment`].
    pub fn new(network: &'a Network, environment: &'a Lts) -> Self {
        let numbers = network.processes();
        let members = numbers.iter().map(|n| &network.components[*n].lts);
        let members = members.chain([environment]).collect();
        let left = LeftSide::new(members, network, Guarantee::DeadlockFree);
        let left = left.with_labels(network, environment.alphabet());
        Processes {
            network,
            numbers,
            left,
        }
    }

    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// How many states each has.
    pub fn sizes(&self) -> Vec<usize> {
        self.members().map(|m| m.states()).collect()
    }

    pub fn initial(&self) -> Vec<State> {
        self.members().map(|m| m.initial()).collect()
    }

    fn members(&self) -> impl Iterator<Item = &'a Lts> {
        self.left.members()[..self.numbers.len()].iter().copied()
    }

    /// Their states in a vector of all components.
    pub fn of(&self, vector: &[State]) -> Vec<State> {
        self.numbers.iter().map(|n| vector[*n]).collect()
    }

    /// Is one of them in its error state?
    pub fn is_error(&self, states: &[State]) -> bool {
        let mut members = self.members().zip(states);
        members.any(|(m, s)| {
            let marks = |l: &Label| !m.successors(*s, *l).is_empty();
            self.network.errors.iter().any(marks)
        })
    }

    /// The steps from there; where nothing can happen, or an error was reached, standing still.
    pub fn steps(&self, states: &[State]) -> Result<Vec<Step>, Rejection> {
        let mut all = Vec::new();
        if !self.is_error(states) {
            let mut scratch = Scratch::default();
            // The environment stays where it is.
            let mut all_states = states.to_vec();
            all_states.push(0);
            self.left.steps(&all_states, &mut scratch, |step| {
                let mut next = states.to_vec();
                for (member, target) in step.members.iter().zip(step.targets) {
                    if let Some(state) = next.get_mut(*member as usize) {
                        *state = *target;
                    }
                }
                all.push((Some(step.label), next));
                Ok(())
            })?;
        }
        if all.is_empty() {
            all.push((None, states.to_vec()));
        }
        Ok(all)
    }

    pub fn has_stopped(&self, states: &[State]) -> Result<bool, Rejection> {
        Ok(self.steps(states)?.iter().all(|s| s.0.is_none()))
    }
}

/// A vector of evidence, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vector {
    pub states: Vec<State>,
    /// The letter that led there, as far as fluents are concerned.
    pub fluents: Vec<bool>,
    /// The slots after those.
    pub rest: Vec<u32>,
}

/// The vectors of evidence, each once.
pub(super) struct Vectors {
    all: Vec<Vector>,
    /// By states, fluents and the first of the other slots.
    numbers: FxHashMap<(Vec<State>, Vec<bool>, u32), u32>,
}

impl Vectors {
    /// Vectors with `more` slots besides states and fluents.
    pub fn new(
        claim: &Liveness,
        processes: &Processes<'_>,
        packed: &PackedStates,
        more: usize,
    ) -> Result<Self, Rejection> {
        let fluents: Vec<usize> = claim.fluents().collect();
        let (count, sizes) = (processes.count(), processes.sizes());
        let layout = packed.layout();
        if layout.slots() != count + fluents.len() + more {
            return Err(flaw("its vectors do not fit the processes and the claim"));
        }
        let mut it = Vectors {
            all: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for record in packed.iter() {
            let slots = layout.unpack(record);
            let states = slots[..count].to_vec();
            if states
                .iter()
                .zip(&sizes)
                .any(|(s, size)| *s as usize >= *size)
            {
                return Err(flaw("a slot is no state"));
            }
            let mut values = vec![false; claim.propositions.len()];
            for (fluent, slot) in fluents.iter().zip(&slots[count..]) {
                values[*fluent] = *slot == 1;
                if *slot > 1 {
                    return Err(flaw("a fluent is true or false"));
                }
            }
            let vector = Vector {
                states,
                fluents: values,
                rest: slots[count + fluents.len()..].to_vec(),
            };
            let key = (
                vector.states.clone(),
                vector.fluents.clone(),
                vector.rest[0],
            );
            if it.numbers.insert(key, it.all.len() as u32).is_some() {
                return Err(flaw("a vector is there twice"));
            }
            it.all.push(vector);
        }
        Ok(it)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, number: u32) -> Option<&Vector> {
        self.all.get(number as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Vector)> {
        (0u32..).zip(&self.all)
    }

    /// The vector of these states and propositions, of which only fluents count, and of what is left.
    pub fn find(
        &self,
        claim: &Liveness,
        states: &[State],
        letter: &[bool],
        left: u32,
    ) -> Option<u32> {
        let mut fluents = vec![false; letter.len()];
        for number in claim.fluents() {
            fluents[number] = letter[number];
        }
        self.numbers.get(&(states.to_vec(), fluents, left)).copied()
    }
}
