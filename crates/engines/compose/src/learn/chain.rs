//! The rule of assumption and guarantee over a sequence of groups.
//!
//! Level `i` has a group and a guarantee; the groups after it are the *rest*. It learns an
//! assumption about the rest under which its group keeps the guarantee, and the next level gets
//! that assumption as its guarantee. The last level has no rest. With two groups this is rule 1
//! of the paper, with more it is rule 3.

use suppose_control::Context;
use suppose_model::lts::{Label, Lts, Network, PackedStates};
use suppose_model::{
    Assumption, Certificate, Claim, Guarantee, Premise, Reason, Round, Run, Verdict,
};

use super::LearningOptions;
use super::level;
use super::premise::{self, PremiseCheck};
use super::replay::GroupRun;

/// The whole of one run of the engine.
pub(super) struct Chain<'a> {
    pub network: &'a Network,
    pub options: &'a LearningOptions,
    pub cx: &'a Context,
    pub groups: &'a [Vec<usize>],
    /// For every level, the labels of its group.
    pub own: Vec<Vec<bool>>,
    /// For every level, the labels of the groups after it.
    pub rest: Vec<Vec<bool>>,
    /// For every level, labels that an assumption about its rest had to speak of before.
    pub needed: Vec<Vec<bool>>,
    /// For every level, runs of its rest that conjectures forbade. They are facts about the rest,
    /// whatever the guarantee and the alphabet, so every later conjecture is held against them first.
    pub known: Vec<Vec<GroupRun>>,
    /// For every level, runs of its group that conjectures allowed and that break its guarantee of now.
    /// Over a wider alphabet they break it still.
    pub blamed: Vec<Vec<GroupRun>>,
    /// For every level, the states of its assumption now.
    pub sizes: Vec<u64>,
    pub run: Run,
}

/// At most so many runs are remembered a level, and none that is longer.
const MOST_RUNS: usize = 256;
const LONGEST_RUN: usize = 4096;

/// A level's part of the proof.
pub(super) struct Link {
    /// The assumption about the rest; none at the last level.
    pub assumption: Option<Lts>,
    pub relation: PackedStates,
}

/// What a level decided.
pub(super) enum Decision {
    /// The guarantee holds: the links of the levels from the last to this one.
    Holds(Vec<Link>),
    /// It does not: a run of the groups from this one on.
    Fails(GroupRun),
}

impl<'a> Chain<'a> {
    pub fn new(
        network: &'a Network,
        groups: &'a [Vec<usize>],
        options: &'a LearningOptions,
        cx: &'a Context,
    ) -> Self {
        let labels = network.labels.len();
        let own: Vec<Vec<bool>> = groups.iter().map(|g| labels_of(network, g)).collect();
        let mut rest = vec![vec![false; labels]; groups.len()];
        for level in (0..groups.len().saturating_sub(1)).rev() {
            let below = rest[level + 1].iter().zip(&own[level + 1]);
            rest[level] = below.map(|(a, b)| *a || *b).collect();
        }
        Chain {
            network,
            options,
            cx,
            groups,
            own,
            rest,
            needed: vec![vec![false; labels]; groups.len()],
            known: vec![Vec::new(); groups.len()],
            blamed: vec![Vec::new(); groups.len()],
            sizes: vec![0; groups.len()],
            run: Run {
                groups: groups.to_vec(),
                ..Run::default()
            },
        }
    }

    /// Decides the property.
    pub fn verdict(&mut self, property: usize) -> Verdict {
        let network = self.network;
        match self.decide(0, &network.properties[property].lts) {
            Ok(Decision::Holds(links)) => {
                Verdict::Holds(Box::new(self.certificate(property, links)))
            }
            Ok(Decision::Fails(run)) => Verdict::Violated(run.counterexample(network, property)),
            Err(reason) => Verdict::Unknown(reason),
        }
    }

    /// Decides whether the groups from a level on keep a guarantee.
    pub fn decide(&mut self, level: usize, guarantee: &Lts) -> Result<Decision, Reason> {
        if level + 1 < self.groups.len() {
            return level::decide(self, level, guarantee);
        }
        let relation = match self.premise(level, None, guarantee)? {
            PremiseCheck::Holds(relation) => relation,
            PremiseCheck::Fails(run) => return Ok(Decision::Fails(run)),
        };
        let assumption = None;
        Ok(Decision::Holds(vec![Link {
            assumption,
            relation,
        }]))
    }

    /// Explores a level's group against its guarantee.
    pub fn premise(
        &mut self,
        level: usize,
        assumption: Option<&Lts>,
        guarantee: &Lts,
    ) -> Result<PremiseCheck, Reason> {
        let group = &self.groups[level];
        let explored = premise::explore(self.network, group, assumption, guarantee, self.cx)?;
        self.count(explored.states, explored.transitions);
        if let Some(round) = self.run.rounds.last_mut() {
            round.states += explored.states;
        }
        Ok(explored.outcome)
    }

    /// Remembers a run of a level's rest.
    pub fn remember(&mut self, level: usize, run: &GroupRun) {
        keep(&mut self.known[level], run);
    }

    /// Remembers a run of a level's group.
    pub fn blame(&mut self, level: usize, run: &GroupRun) {
        keep(&mut self.blamed[level], run);
    }

    /// Takes note of a state space that was explored.
    pub fn count(&mut self, states: u64, transitions: u64) {
        self.run.states += states;
        self.run.transitions += transitions;
        self.run.largest = self.run.largest.max(states);
    }

    /// Takes note of a conjecture; gives the number of its round in the history.
    pub fn conjectured(&mut self, level: usize, states: u64, alphabet: usize) -> usize {
        self.sizes[level] = states;
        self.sizes[level + 1..].fill(0);
        self.run.assumption_peak = self.run.assumption_peak.max(states);
        let number = self.run.rounds.len();
        self.run.rounds.push(Round {
            number: number as u64 + 1,
            assumption_states: self.sizes.iter().sum(),
            alphabet: alphabet as u64,
            ..Round::default()
        });
        number
    }

    fn certificate(&self, property: usize, links: Vec<Link>) -> Certificate {
        let mut assumptions = Vec::new();
        let mut premises = Vec::new();
        let last = links.len() - 1;
        for (at, link) in links.into_iter().enumerate() {
            let mut used = Vec::new();
            if let Some(lts) = link.assumption {
                used.push(assumptions.len());
                let nodes = Vec::new();
                assumptions.push(Assumption { lts, nodes });
            }
            premises.push(Premise {
                components: self.groups[last - at].clone(),
                assumptions: used,
                guarantee: match at == last {
                    true => Guarantee::Property(property),
                    false => Guarantee::Assumption(assumptions.len()),
                },
                relation: link.relation.into(),
            });
        }
        Certificate {
            claim: Claim::Property(property),
            assumptions,
            premises,
            liveness: None,
        }
    }
}

fn keep(runs: &mut Vec<GroupRun>, run: &GroupRun) {
    if runs.len() < MOST_RUNS && run.steps.len() <= LONGEST_RUN {
        runs.push(run.clone());
    }
}

/// The labels of some components.
fn labels_of(network: &Network, components: &[usize]) -> Vec<bool> {
    let mut found = vec![false; network.labels.len()];
    for component in components {
        mark(&mut found, network.components[*component].lts.alphabet());
    }
    found
}

/// Puts labels into a set.
pub(super) fn mark(set: &mut [bool], labels: &[Label]) {
    for label in labels {
        set[label.index()] = true;
    }
}

/// The labels of a set.
pub(super) fn labels_in(set: &[bool]) -> Vec<Label> {
    let members = set.iter().enumerate().filter(|(_, is)| **is);
    members.map(|(label, _)| Label(label as u32)).collect()
}
