//! The whole composition, explored breadth-first.
//!
//! The certificate of `holds` is the reachable set, the arena itself, as a single premise without
//! assumptions. Counterexamples are shortest.

use std::time::Instant;

use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{ComponentKind, Label, Lts, Network, PackedStates};
use suppose_model::{
    Answer, Certificate, Claim, Counterexample, Guarantee, NetworkStep, Premise, Reason, Run,
    Verdict,
};

use crate::explore::{Exploration, Goal, Path, Pause};
use crate::product::{Product, initial_states};
use crate::{liveness, with_width};

/// Decides a claim by exploring the whole composition.
pub fn check(network: &Network, claim: Claim, cx: &Context) -> Answer {
    decide(network, claim, false, cx)
}

/// The same; if asked to, says now and then how much is probably left ([`Event::Forecast`]).
pub(crate) fn decide(network: &Network, claim: Claim, foresees: bool, cx: &Context) -> Answer {
    if let Claim::Liveness(number) = claim {
        return liveness::check(network, number, cx);
    }
    let begun = Instant::now();
    let whole = Whole::new(network, claim);
    cx.emit(Event::Phase("exploring the whole system".to_owned()));
    let mut run = Run {
        groups: vec![whole.members.clone()],
        ..Run::default()
    };
    let words = whole.product.layout().words();
    let verdict = with_width!(words, explore(&whole, claim, foresees, &mut run, cx), else {
        let why = format!("a state of this system takes {words} words of 64 bits, more than the engine packs");
        Verdict::Unknown(Reason::Unsupported(why))
    });
    run.elapsed = begun.elapsed();
    Answer {
        claim,
        engine: "monolithic".to_owned(),
        verdict,
        run,
    }
}

/// The composition that a claim is about.
pub(crate) struct Whole<'a> {
    pub network: &'a Network,
    /// Component numbers, in the order of the slots.
    pub members: Vec<usize>,
    pub product: Product,
}

impl<'a> Whole<'a> {
    /// What a claim needs.
    fn new(network: &'a Network, claim: Claim) -> Self {
        // Environment components share no label with a process, so leaving them out of a deadlock
        // check takes away exactly the steps that do not count as progress. With priority they
        // stay, since the certificate must then have all components.
        let process = |i: &usize| network.components[*i].kind == ComponentKind::Process;
        let whole = claim != Claim::DeadlockFree || network.priority.is_some();
        let counts = |i: &usize| whole || process(i);
        let members = (0..network.components.len()).filter(counts).collect();
        let guarantee = match claim {
            Claim::DeadlockFree | Claim::Liveness(_) => None,
            Claim::Property(p) => Some(&network.properties[p].lts),
        };
        Whole::with(network, claim, members, guarantee)
    }

    /// All components, and nothing that watches; with the priority that this claim sees.
    pub fn of_all(network: &'a Network, claim: Claim) -> Self {
        let members = (0..network.components.len()).collect();
        Whole::with(network, claim, members, None)
    }

    fn with(
        network: &'a Network,
        claim: Claim,
        members: Vec<usize>,
        guarantee: Option<&Lts>,
    ) -> Self {
        let parts: Vec<&Lts> = members
            .iter()
            .map(|i| &network.components[*i].lts)
            .collect();
        let mut product = Product::new(&parts, guarantee, network.labels.len());
        for label in network.free_labels() {
            product.set_idle(label);
        }
        product.set_priority(network.priority.as_ref(), network.outside(claim));
        Whole {
            network,
            members,
            product,
        }
    }

    /// May the system stop there?
    pub fn is_end<const W: usize>(&self, record: &[u64; W]) -> bool {
        let Some(success) = &self.network.success else {
            return false;
        };
        let mut members = self.members.iter().enumerate();
        members.all(|(slot, i)| {
            success[*i].is_none_or(|end| self.product.layout().get(record, slot) == end)
        })
    }

    fn states_of<const W: usize>(&self, record: &[u64; W]) -> Vec<u32> {
        let mut states = initial_states(self.network);
        for (slot, i) in self.members.iter().enumerate() {
            states[*i] = self.product.layout().get(record, slot);
        }
        states
    }

    /// The counterexample of a claim: a run, and for a property the step that it does not allow.
    pub fn run_along<const W: usize>(
        &self,
        claim: Claim,
        path: &Path<W>,
        last: Option<Label>,
    ) -> Counterexample {
        let labels = path.labels.iter().zip(&path.records[1..]);
        let mut steps: Vec<NetworkStep> = labels
            .map(|(label, record)| NetworkStep {
                label: *label,
                states: self.states_of(record),
            })
            .collect();
        if let Some(label) = last {
            let before = self.states_of(&path.records[path.records.len() - 1]);
            let states = fire(self.network, &before, label);
            steps.push(NetworkStep { label, states });
        }
        Counterexample::finite(claim, steps)
    }

    fn certificate(&self, claim: Claim, relation: PackedStates) -> Certificate {
        Certificate {
            claim,
            assumptions: Vec::new(),
            premises: vec![Premise {
                components: self.members.clone(),
                assumptions: Vec::new(),
                guarantee: match claim {
                    Claim::DeadlockFree | Claim::Liveness(_) => Guarantee::DeadlockFree,
                    Claim::Property(p) => Guarantee::Property(p),
                },
                relation: relation.into(),
            }],
            liveness: None,
        }
    }
}

fn explore<const W: usize>(
    whole: &Whole<'_>,
    claim: Claim,
    foresees: bool,
    run: &mut Run,
    cx: &Context,
) -> Verdict {
    let mut exploration = Exploration::<W>::new(&whole.product);
    if foresees {
        exploration.foresee();
    }
    let result = explore_all(whole, claim, &mut exploration, cx);
    run.states = exploration.states() as u64;
    run.largest = run.states;
    run.transitions = exploration.transitions();
    match result {
        Err(stopped) => Verdict::Unknown(stopped.into()),
        Ok(Pause::Complete) => {
            let relation = exploration.into_states(&whole.product);
            Verdict::Holds(Box::new(whole.certificate(claim, relation)))
        }
        Ok(Pause::Violation { state, label }) => {
            let path = exploration.path_to(&whole.product, state);
            Verdict::Violated(whole.run_along(claim, &path, Some(label)))
        }
        Ok(Pause::Deadlock { state }) => {
            let path = exploration.path_to(&whole.product, state);
            Verdict::Violated(whole.run_along(claim, &path, None))
        }
    }
}

fn explore_all<const W: usize>(
    whole: &Whole<'_>,
    claim: Claim,
    exploration: &mut Exploration<W>,
    cx: &Context,
) -> Result<Pause, Stopped> {
    let goal = match claim {
        Claim::DeadlockFree | Claim::Liveness(_) => Goal::Deadlocks,
        Claim::Property(_) => Goal::Violations,
    };
    exploration.run_until(&whole.product, goal, cx, |record| whole.is_end(record))
}

/// Where an enabled label (not `tau`) takes every component; the first target where there are several.
pub(crate) fn fire(network: &Network, states: &[u32], label: Label) -> Vec<u32> {
    let components = network.components.iter().zip(states);
    components
        .map(|(c, state)| match c.lts.successors(*state, label).first() {
            Some(edge) if c.lts.has_label(label) => edge.target,
            _ => *state,
        })
        .collect()
}
