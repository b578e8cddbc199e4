//! Liveness claims about networks: random ones, and their truth of a run that repeats itself, by definition.

use suppose_model::lts::{Fairness, Label, Liveness, LivenessKind, Network, Proposition, Temporal};

use crate::rng::Rng;

/// A claim about labels of a network, of about so many operators.
pub fn random(rng: &mut Rng, network: &Network, fairness: Fairness, size: usize) -> Liveness {
    let known: Vec<Label> = network.labels.iter().filter(|l| !l.is_tau()).collect();
    let some = |rng: &mut Rng| {
        let mut labels: Vec<Label> = (0..rng.between(1, 2))
            .map(|_| known[rng.below(known.len())])
            .collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    };
    let mut propositions = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let starts = some(rng);
        let mut ends = some(rng);
        ends.retain(|l| !starts.contains(l));
        propositions.push(match rng.percent(30) {
            true => Proposition::Fluent {
                starts,
                ends,
                initially: rng.percent(30),
            },
            false => Proposition::Actions(starts),
        });
    }
    let mut claim = Liveness {
        name: "L".to_owned(),
        span: None,
        kind: LivenessKind::Assertion,
        fairness,
        propositions,
        nodes: vec![Temporal::True, Temporal::False],
        root: 0,
    };
    claim.root = formula(rng, &mut claim, size);
    claim
}

/// That some label of a network occurs again and again.
pub fn recurrence(rng: &mut Rng, network: &Network, fairness: Fairness) -> Liveness {
    let known: Vec<Label> = network.labels.iter().filter(|l| !l.is_tau()).collect();
    let label = known[rng.below(known.len())];
    Liveness {
        name: "L".to_owned(),
        span: None,
        kind: LivenessKind::Assertion,
        fairness,
        propositions: vec![Proposition::Actions(vec![label])],
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

fn formula(rng: &mut Rng, claim: &mut Liveness, size: usize) -> u32 {
    let node = if size == 0 {
        let count = claim.propositions.len();
        Temporal::Literal(rng.below(count) as u32, rng.percent(60))
    } else {
        let half = (size - 1) / 2;
        match rng.below(10) {
            0 => Temporal::Next(formula(rng, claim, size - 1)),
            1 => Temporal::Until(formula(rng, claim, half), formula(rng, claim, half)),
            2 => Temporal::Release(formula(rng, claim, half), formula(rng, claim, half)),
            3 | 4 => Temporal::Until(0, formula(rng, claim, size - 1)),
            5 | 6 => Temporal::Release(1, formula(rng, claim, size - 1)),
            7 => Temporal::And(vec![formula(rng, claim, half), formula(rng, claim, half)]),
            _ => Temporal::Or(vec![formula(rng, claim, half), formula(rng, claim, half)]),
        }
    };
    claim.nodes.push(node);
    claim.nodes.len() as u32 - 1
}

/// Is the claim true of the run that does these actions (none: it stands still), and those from `cycle` on again and again?
pub fn satisfies(claim: &Liveness, actions: &[Option<Label>], cycle: usize) -> bool {
    // The fluents may differ the first time around.
    let around = &actions[cycle..];
    let all: Vec<Option<Label>> = actions.iter().chain(around).copied().collect();
    let mut fluents: Vec<bool> = Vec::new();
    for proposition in &claim.propositions {
        fluents.push(matches!(
            proposition,
            Proposition::Fluent {
                initially: true,
                ..
            }
        ));
    }
    let mut letters = Vec::new();
    for action in &all {
        for (proposition, value) in claim.propositions.iter().zip(&mut fluents) {
            let is = |labels: &[Label]| action.is_some_and(|a| labels.contains(&a));
            match proposition {
                Proposition::Actions(labels) => *value = is(labels),
                Proposition::Fluent { starts, ends, .. } => {
                    *value = is(starts) || *value && !is(ends);
                }
            }
        }
        letters.push(fluents.clone());
    }
    let word = Word {
        claim,
        letters,
        cycle: actions.len(),
    };
    word.holds(claim.root, 0)
}

struct Word<'c> {
    claim: &'c Liveness,
    letters: Vec<Vec<bool>>,
    cycle: usize,
}

impl Word<'_> {
    /// The positions from one on, each once, in the order in which they are reached.
    fn future(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let again = if at >= self.cycle {
            self.cycle..at
        } else {
            0..0
        };
        (at..self.letters.len()).chain(again)
    }

    fn holds(&self, node: u32, at: usize) -> bool {
        match &self.claim.nodes[node as usize] {
            Temporal::True => true,
            Temporal::False => false,
            Temporal::Literal(proposition, positive) => {
                self.letters[at][*proposition as usize] == *positive
            }
            Temporal::And(parts) => parts.iter().all(|p| self.holds(*p, at)),
            Temporal::Or(parts) => parts.iter().any(|p| self.holds(*p, at)),
            Temporal::Next(inner) => {
                let next = if at + 1 < self.letters.len() {
                    at + 1
                } else {
                    self.cycle
                };
                self.holds(*inner, next)
            }
            Temporal::Until(left, right) => {
                for position in self.future(at) {
                    if self.holds(*right, position) {
                        return true;
                    }
                    if !self.holds(*left, position) {
                        return false;
                    }
                }
                false
            }
            Temporal::Release(left, right) => {
                for position in self.future(at) {
                    if !self.holds(*right, position) {
                        return false;
                    }
                    if self.holds(*left, position) {
                        return true;
                    }
                }
                true
            }
        }
    }
}
