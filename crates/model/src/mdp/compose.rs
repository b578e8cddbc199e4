//! Parts that run together (Definition 12 of the thesis, for any number of parts).
//!
//! An action is done together by all parts that have it in their alphabets, each drawing its next state
//! independently; `tau` is done alone. What a product does in a state is said once, in [`Product`]: explorations, engines and the checker
//! of certificates all use it, and the order of its choices and branches is part of the format of certificates.

use std::fmt;

use fixedbitset::FixedBitSet;
use suppose_control::Stopped;
use suppose_number::Int;

use super::distribution::{DistId, Weights};
use super::evidence::Counterexample;
use super::lpts::{Lpts, LptsBuilder};
use super::tree::Tree;
use crate::lts::{Interner, Label, Layout, PackedStates, SizeLimits, State, TooLarge};

/// A product of parts, not built.
#[derive(Clone, Debug)]
pub struct Product<'a> {
    parts: Vec<&'a Lpts>,
    /// For a label the parts that take part in it, ascending. Empty for `tau`.
    participants: Vec<Vec<u32>>,
}

impl<'a> Product<'a> {
    /// Of these parts, in this order.
    pub fn new(parts: &[&'a Lpts]) -> Self {
        let labels = parts.iter().filter_map(|p| p.alphabet().last());
        let count = labels.map(|l| l.index() + 1).max().unwrap_or(0);
        let mut participants = vec![Vec::new(); count];
        for (number, part) in parts.iter().enumerate() {
            for label in part.alphabet() {
                participants[label.index()].push(number as u32);
            }
        }
        Product {
            parts: parts.to_vec(),
            participants,
        }
    }

    /// The parts.
    pub fn parts(&self) -> &[&'a Lpts] {
        &self.parts
    }

    /// The initial state.
    pub fn initial(&self) -> Vec<State> {
        self.parts.iter().map(|p| p.initial()).collect()
    }

    /// All initial states. Only one part alone may have several.
    pub fn initials(&self) -> Vec<Vec<State>> {
        match &self.parts[..] {
            [only] => only.initials().iter().map(|s| vec![*s]).collect(),
            _ => vec![self.initial()],
        }
    }

    /// The actions of all parts, sorted.
    pub fn alphabet(&self) -> Vec<Label> {
        let used = self.participants.iter().enumerate();
        let used = used.filter(|(_, parts)| !parts.is_empty());
        used.map(|(label, _)| Label(label as u32)).collect()
    }

    /// Visits the choices of a state: the label, and for each part its distribution, or none if it stays where it is.
    ///
    /// The order: by the first part that takes part; within it by label; then as the parts' own
    /// choices, the last part's changing fastest. Equal choices are not merged.
    pub fn choices(&self, state: &[State], mut visit: impl FnMut(Label, &[Option<DistId>])) {
        let mut moves: Vec<Option<DistId>> = vec![None; self.parts.len()];
        for (first, part) in self.parts.iter().enumerate() {
            let mut rest = part.choices(state[first]);
            while let Some(choice) = rest.first() {
                let label = choice.label;
                let same = rest.partition_point(|c| c.label == label);
                let (here, after) = rest.split_at(same);
                rest = after;
                if label.is_tau() {
                    for choice in here {
                        moves[first] = Some(choice.dist);
                        visit(label, &moves);
                    }
                    moves[first] = None;
                } else if self.participants[label.index()].first() == Some(&(first as u32)) {
                    self.joint(state, label, 0, &mut moves, &mut visit);
                }
            }
        }
    }

    fn joint(
        &self,
        state: &[State],
        label: Label,
        at: usize,
        moves: &mut Vec<Option<DistId>>,
        visit: &mut impl FnMut(Label, &[Option<DistId>]),
    ) {
        let Some(part) = self.participants[label.index()].get(at) else {
            return visit(label, moves);
        };
        let part = *part as usize;
        for choice in self.parts[part].choices_on(state[part], label) {
            moves[part] = Some(choice.dist);
            self.joint(state, label, at + 1, moves, visit);
        }
        moves[part] = None;
    }

    /// Visits the branches of a choice: the next state of every part, and the weight if all weights and
    /// their sum fit a word. The last part changes fastest.
    ///
    /// The weights have no common divisor, as those of the parts have none.
    pub fn branches(
        &self,
        state: &[State],
        moves: &[Option<DistId>],
        mut visit: impl FnMut(&[State], Weight),
    ) {
        let mut next = state.to_vec();
        let total = self.total(moves);
        let start = match total {
            Some(_) => Weight::Small(1),
            None => Weight::Big(Int::ONE),
        };
        self.branch(0, moves, &start, &mut next, &mut visit);
    }

    /// The sum of the weights of a choice, if it fits a word.
    fn total(&self, moves: &[Option<DistId>]) -> Option<u64> {
        let mut total = 1u64;
        for (part, dist) in self.parts.iter().zip(moves) {
            if let Some(dist) = dist {
                total = match part.dist(*dist).weights() {
                    Weights::Small(w) => total.checked_mul(w.iter().sum())?,
                    Weights::Big(_) => return None,
                };
            }
        }
        Some(total)
    }

    fn branch(
        &self,
        at: usize,
        moves: &[Option<DistId>],
        weight: &Weight,
        next: &mut Vec<State>,
        visit: &mut impl FnMut(&[State], Weight),
    ) {
        if at == self.parts.len() {
            return visit(next, weight.clone());
        }
        let Some(dist) = moves[at] else {
            return self.branch(at + 1, moves, weight, next, visit);
        };
        let dist = self.parts[at].dist(dist);
        let stay = next[at];
        for (place, target) in dist.targets().iter().enumerate() {
            next[at] = *target;
            let weight = match (weight, dist.weights()) {
                (Weight::Small(all), Weights::Small(w)) => Weight::Small(all * w[place]),
                (Weight::Small(_), Weights::Big(_)) => unreachable!("the sum fits a word"),
                (Weight::Big(all), _) => Weight::Big(all * &dist.weight(place)),
            };
            self.branch(at + 1, moves, &weight, next, visit);
        }
        next[at] = stay;
    }
}

/// The weight of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weight {
    /// All weights of the choice, and their sum, fit a word.
    Small(u64),
    /// They do not.
    Big(Int),
}

/// Why a composition was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halted {
    /// It would be too large.
    TooLarge(TooLarge),
    /// It was stopped.
    Stopped(Stopped),
}

impl fmt::Display for Halted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halted::TooLarge(limit) => limit.fmt(f),
            Halted::Stopped(_) => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Halted {}

/// A product that was built.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The reachable part, in breadth-first order; state 0 is initial, and so are those after it if a part alone has several initial states.
    pub lpts: Lpts,
    /// The parts' states, for each state.
    pub states: PackedStates,
}

impl Whole {
    /// The parts' states of a state.
    pub fn vector(&self, state: State) -> Vec<State> {
        self.states
            .layout()
            .unpack(self.states.record(state as usize))
    }

    /// A behaviour of it as one of the parts.
    pub fn counterexample(&self, tree: &Tree) -> Counterexample {
        tree.counterexample(|state| self.vector(state).into())
    }
}

/// Builds the reachable part of a product. `poll` is called at every state, with the number of states so far.
///
/// A proposition of a part is one of the whole.
pub fn compose(
    name: impl Into<String>,
    parts: &[&Lpts],
    limits: &SizeLimits,
    poll: &mut dyn FnMut(usize) -> Result<(), Stopped>,
) -> Result<Whole, Halted> {
    let product = Product::new(parts);
    let layout = Layout::new(parts.iter().map(|p| p.states() as u32));
    let mut vectors = Interner::new();
    let mut builder = LptsBuilder::new(name);
    builder.extend_alphabet(product.alphabet());
    for initial in product.initials() {
        let record = layout.pack(&initial).unwrap_or_default();
        let (state, _) = vectors.intern(&record);
        if state > 0 {
            builder.also_initial(state);
        }
    }
    let mut record = vec![0; layout.words()];
    let (mut small, mut big) = (Vec::new(), Vec::new());
    let mut branches = 0;
    let mut at = 0;
    while at < vectors.len() {
        poll(vectors.len()).map_err(Halted::Stopped)?;
        let state = layout.unpack(vectors.get(at as u32));
        product.choices(&state, |label, moves| {
            small.clear();
            big.clear();
            product.branches(&state, moves, |next, weight| {
                for (slot, value) in next.iter().enumerate() {
                    layout.set(&mut record, slot, *value);
                }
                let (target, _) = vectors.intern(&record);
                match weight {
                    Weight::Small(w) => small.push((target, w)),
                    Weight::Big(w) => big.push((target, w)),
                }
            });
            branches += small.len() + big.len();
            let store = builder.store();
            let dist = match big.is_empty() {
                true => store.insert_weights(&mut small),
                false => store.insert_ints(&mut big),
            };
            if let Some(dist) = dist {
                builder.choice_of(at as State, label, dist);
            }
        });
        limits
            .next_state(vectors.len() - 1)
            .map_err(Halted::TooLarge)?;
        limits
            .check_transitions(branches)
            .map_err(Halted::TooLarge)?;
        at += 1;
    }
    let states = PackedStates::from_arena(layout, vectors.into_data());
    for (slot, part) in parts.iter().enumerate() {
        for (number, truth) in part.propositions() {
            let mut holds = FixedBitSet::with_capacity(states.len());
            for (state, record) in states.iter().enumerate() {
                holds.set(
                    state,
                    truth.contains(states.layout().get(record, slot) as usize),
                );
            }
            builder.proposition(*number, holds);
        }
    }
    let lpts = builder.build();
    Ok(Whole { lpts, states })
}

#[cfg(test)]
mod tests {
    use suppose_number::Rat;

    use super::super::quotient;
    use super::*;
    use crate::lts::Labels;

    fn rat(num: i64, den: i64) -> Rat {
        Rat::new(Int::from(num), Int::from(den))
    }

    fn sender(labels: &mut Labels) -> Lpts {
        let mut it = LptsBuilder::new("sender");
        let (send, fail) = (labels.intern("send"), labels.intern("fail"));
        it.choice(0, send, &[(0, rat(2, 3)), (1, rat(1, 3))])
            .unwrap();
        it.edge(1, fail, 1);
        it.edge(1, Label::TAU, 0);
        it.build()
    }

    fn receiver(labels: &mut Labels) -> Lpts {
        let mut it = LptsBuilder::new("receiver");
        let send = labels.intern("send");
        it.choice(0, send, &[(0, rat(1, 2)), (1, rat(1, 2))])
            .unwrap();
        it.edge(1, send, 0);
        it.edge(1, Label::TAU, 1);
        it.build()
    }

    fn whole(parts: &[&Lpts]) -> Whole {
        compose("whole", parts, &SizeLimits::default(), &mut |_| Ok(())).unwrap()
    }

    #[test]
    fn shared_actions_happen_together_and_draw_independently() {
        let mut labels = Labels::new();
        let (sender, receiver) = (sender(&mut labels), receiver(&mut labels));
        let both = whole(&[&sender, &receiver]);
        assert_eq!(both.lpts.states(), 4);
        let send = both.lpts.choices_on(0, labels.intern("send"));
        assert_eq!(send.len(), 1);
        let dist = both.lpts.dist(send[0].dist);
        assert_eq!(dist.weights(), Weights::Small(&[2, 2, 1, 1]));
        assert_eq!(both.vector(dist.targets()[2]), [1, 0]);
        let of_receiver = (0..4).find(|s| both.vector(*s) == [0, 1]).unwrap();
        assert_eq!(both.lpts.choices_on(of_receiver, Label::TAU).len(), 1);
    }

    #[test]
    fn a_part_that_only_knows_an_action_blocks_it() {
        let mut labels = Labels::new();
        let sender = sender(&mut labels);
        let mut never = LptsBuilder::new("never");
        never.extend_alphabet([labels.intern("send")]);
        let both = whole(&[&sender, &never.build()]);
        assert_eq!((both.lpts.states(), both.lpts.all_choices().len()), (1, 0));
    }

    #[test]
    fn limits_are_kept() {
        let mut labels = Labels::new();
        let (sender, receiver) = (sender(&mut labels), receiver(&mut labels));
        let limits = SizeLimits {
            states: 3,
            ..SizeLimits::default()
        };
        let built = compose("whole", &[&sender, &receiver], &limits, &mut |_| Ok(()));
        assert!(matches!(built, Err(Halted::TooLarge(TooLarge::States(3)))));
        let built = compose("whole", &[&sender], &limits, &mut |_| Err(Stopped::Timeout));
        assert!(matches!(built, Err(Halted::Stopped(Stopped::Timeout))));
    }

    #[test]
    fn merging_all_states_adds_their_probabilities_up() {
        let mut labels = Labels::new();
        let one = quotient(&sender(&mut labels), &[0, 0], 1);
        assert!(one.is_certain());
        assert_eq!((one.states(), one.all_choices().len()), (1, 3));
        let two = quotient(&whole(&[&sender(&mut labels)]).lpts, &[1, 0], 2);
        assert_eq!(two.initial(), 1);
        let send = two.choices_on(1, labels.intern("send"))[0];
        assert_eq!(two.dist(send.dist).probability(0), rat(1, 3));
    }
}
