//! Liveness: formulas of linear temporal logic about the infinite runs of a network.
//!
//! A run is seen as a word: its letter number `i` says which propositions are true after action number `i`, counted from 0. A run that
//! stops continues forever with letters in which no action is done and every fluent keeps its value.

use suppose_source::Span;

use super::{Label, Network};

/// The name of the claim that every action is done again and again.
pub const EVERY_ACTION: &str = "progress";

/// What can be true after an action. All sets of labels are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// The action just done is one of these.
    Actions(Vec<Label>),
    /// Set by some actions, reset by others, kept by the rest.
    Fluent {
        /// Those that make it true.
        starts: Vec<Label>,
        /// Those that make it false.
        ends: Vec<Label>,
        /// Its value before the first action.
        initially: bool,
    },
}

/// A formula in negation normal form; its parts are numbers of other formulas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Temporal {
    /// Always true.
    True,
    /// Never true.
    False,
    /// A proposition, or its negation.
    Literal(u32, bool),
    /// Conjunction.
    And(Vec<u32>),
    /// Disjunction.
    Or(Vec<u32>),
    /// After the next action.
    Next(u32),
    /// The second holds at last, and the first until then.
    Until(u32, u32),
    /// The second holds as long as the first has not held before.
    Release(u32, u32),
}

/// Which runs a liveness claim is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// LTSA's fair choice: a choice that comes again and again is made in every way again and again, whatever happened
    /// before it. The claim is true of almost all runs if every possible step has a positive probability.
    #[default]
    FairChoice,
    /// All runs.
    None,
}

/// The construct that a liveness claim was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LivenessKind {
    /// `progress P = {..}`, or with a condition.
    Progress,
    /// `assert A = ..`
    Assertion,
}

/// A liveness claim.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Its name.
    pub name: String,
    /// Its source position.
    pub span: Option<Span>,
    /// The construct of the language that it was written with.
    pub kind: LivenessKind,
    /// Of which runs it is to be true.
    pub fairness: Fairness,
    /// What its literals mean, by number.
    pub propositions: Vec<Proposition>,
    /// Formulas; the parts of each come before it.
    pub nodes: Vec<Temporal>,
    /// The formula.
    pub root: u32,
}

impl Liveness {
    /// LTSA's progress check for a system without progress properties: every action is done again and again, also those that the
    /// whole system hides.
    pub fn every_action(network: &Network) -> Liveness {
        let processes = network.processes();
        let alphabets = processes.iter().map(|i| &network.components[*i].lts);
        let mut labels: Vec<Label> = alphabets.flat_map(|l| l.alphabet()).copied().collect();
        labels.sort_unstable();
        labels.dedup();
        let hidden = |l: &Label| network.labels.is_hidden(*l) && !network.hidden.contains(l);
        labels.retain(|l| !hidden(l) && !network.errors.contains(l));
        let mut nodes = vec![Temporal::True, Temporal::False];
        let mut parts = Vec::new();
        for number in 0..labels.len() as u32 {
            let at = nodes.len() as u32;
            nodes.push(Temporal::Literal(number, true));
            nodes.push(Temporal::Until(0, at));
            nodes.push(Temporal::Release(1, at + 1));
            parts.push(at + 2);
        }
        nodes.push(Temporal::And(parts));
        Liveness {
            name: EVERY_ACTION.to_owned(),
            span: None,
            kind: LivenessKind::Progress,
            fairness: Fairness::FairChoice,
            propositions: labels
                .into_iter()
                .map(|l| Proposition::Actions(vec![l]))
                .collect(),
            root: nodes.len() as u32 - 1,
            nodes,
        }
    }

    /// One of these actions happens again and again. The labels are sorted.
    pub fn again(labels: &[Label], fairness: Fairness) -> Liveness {
        Liveness {
            name: EVERY_ACTION.to_owned(),
            span: None,
            kind: LivenessKind::Progress,
            fairness,
            propositions: vec![Proposition::Actions(labels.to_vec())],
            nodes: vec![
                Temporal::True,
                Temporal::False,
                Temporal::Literal(0, true),
                Temporal::Until(0, 2),
                Temporal::Release(1, 3),
            ],
            root: 4,
        }
    }

    /// About all runs: it is true, or these actions, the *rounds*, happen only finitely often. The formulas of the claim keep their numbers.
    pub fn or_rounds_end(&self, rounds: &[Label]) -> Liveness {
        let mut claim = self.clone();
        claim.fairness = Fairness::None;
        let proposition = claim.propositions.len() as u32;
        claim
            .propositions
            .push(Proposition::Actions(rounds.to_vec()));
        let at = claim.nodes.len() as u32;
        claim.nodes.extend([
            Temporal::True,
            Temporal::False,
            Temporal::Literal(proposition, false),
            Temporal::Release(at + 1, at + 2),
            Temporal::Until(at, at + 3),
            Temporal::Or(vec![self.root, at + 4]),
        ]);
        claim.root = at + 5;
        claim
    }

    /// Without some labels in its propositions.
    pub fn without(&self, is_gone: impl Fn(Label) -> bool) -> Liveness {
        let mut claim = self.clone();
        for proposition in &mut claim.propositions {
            match proposition {
                Proposition::Actions(labels) => labels.retain(|l| !is_gone(*l)),
                Proposition::Fluent { starts, ends, .. } => {
                    starts.retain(|l| !is_gone(*l));
                    ends.retain(|l| !is_gone(*l));
                }
            }
        }
        claim
    }

    /// What an action does to the propositions: two actions of which this is the same cannot be told apart. All false for
    /// an action that the claim does not speak of.
    pub fn effect(&self, label: Label) -> Vec<(bool, bool)> {
        let has = |labels: &[Label]| labels.binary_search(&label).is_ok();
        let effect = |p: &Proposition| match p {
            Proposition::Actions(labels) => (has(labels), false),
            Proposition::Fluent { starts, ends, .. } => (has(starts), !has(starts) && has(ends)),
        };
        self.propositions.iter().map(effect).collect()
    }

    /// All labels that its propositions mention, sorted.
    pub fn labels(&self) -> Vec<Label> {
        let mut all = Vec::new();
        for proposition in &self.propositions {
            match proposition {
                Proposition::Actions(labels) => all.extend(labels),
                Proposition::Fluent { starts, ends, .. } => all.extend(starts.iter().chain(ends)),
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The numbers of the propositions that are fluents, in order.
    pub fn fluents(&self) -> impl Iterator<Item = usize> + '_ {
        let all = self.propositions.iter().enumerate();
        let fluent = |(_, p): &(usize, &Proposition)| matches!(p, Proposition::Fluent { .. });
        all.filter(fluent).map(|(number, _)| number)
    }
}
