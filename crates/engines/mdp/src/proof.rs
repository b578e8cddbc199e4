//! Simulations by quotients as evidence.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{
    DistId, Distributions, Flow, Lpts, Match, Product, Relation, State, Weight, Whole,
};
use suppose_number::{Int, Rat};

/// A product is simulated by a system whose states are images of its own, if every choice has an image: each state by its image,
/// each distribution by its image.
pub(crate) fn lifted(
    parts: &[&Lpts],
    whole: &Whole,
    image: &[State],
    right: &Lpts,
    cx: &Context,
) -> Result<Relation, Stopped> {
    let product = Product::new(parts);
    let mut writer = Writer {
        product: &product,
        whole,
        image,
        right,
        known: whole
            .states
            .iter()
            .enumerate()
            .map(|(s, r)| (r, s as State))
            .collect(),
        images: Distributions::new(),
        found: FxHashMap::default(),
        relation: Relation {
            parts: parts.len(),
            ..Relation::default()
        },
    };
    for state in 0..whole.lpts.states() as State {
        if state.is_multiple_of(256) {
            cx.check()?;
        }
        writer.pair(state);
    }
    Ok(writer.relation)
}

struct Writer<'a> {
    product: &'a Product<'a>,
    whole: &'a Whole,
    image: &'a [State],
    right: &'a Lpts,
    /// The states by their records.
    known: FxHashMap<&'a [u64], State>,
    images: Distributions,
    /// For an image and a class with a label: which choice of the class.
    found: FxHashMap<(DistId, State, u32), u32>,
    relation: Relation,
}

impl Writer<'_> {
    fn pair(&mut self, state: State) {
        let vector = self.whole.vector(state);
        let class = self.image[state as usize];
        self.relation.left.extend_from_slice(&vector);
        self.relation.right.push(class);
        let mut choices = Vec::new();
        self.product.choices(&vector, |label, moves| {
            choices.push((label, moves.to_vec()))
        });
        for (label, moves) in choices {
            let branches = self.branches(&vector, &moves);
            let mut parts = branches.clone();
            // A distribution is never empty.
            let image = self.images.insert_ints(&mut parts).unwrap_or(DistId(0));
            let key = (image, class, label.0);
            let choice = match self.found.get(&key) {
                Some(choice) => *choice,
                None => {
                    let right = self.right;
                    let image = self.images.get(image);
                    let mut choices = right.choices(class).iter();
                    let place =
                        choices.position(|c| c.label == label && right.dist(c.dist) == image);
                    let place = place.unwrap_or_default() as u32;
                    self.found.insert(key, place);
                    place
                }
            };
            self.weights(image, &branches);
            self.relation.matches.push(Match { choice });
        }
    }

    /// The weight function, unless it is forced.
    fn weights(&mut self, image: DistId, branches: &[(State, Int)]) {
        let image = self.images.get(image);
        if branches.len() == 1 || image.len() == 1 {
            return;
        }
        let total = branches.iter().fold(Int::ZERO, |sum, (_, w)| &sum + w);
        let flows = branches
            .iter()
            .enumerate()
            .map(|(from, (class, weight))| Flow {
                from: from as u32,
                to: image.targets().binary_search(class).unwrap_or_default() as u32,
                amount: Rat::new(weight.clone(), total.clone()),
            });
        let place = self.relation.matches.len() as u64;
        self.relation.weights.push((place, flows.collect()));
    }

    /// The classes that a choice leads to, with weights.
    fn branches(&self, vector: &[State], moves: &[Option<DistId>]) -> Vec<(State, Int)> {
        let layout = self.whole.states.layout();
        let mut record = vec![0; layout.words()];
        let mut branches = Vec::new();
        self.product.branches(vector, moves, |next, weight| {
            for (slot, value) in next.iter().enumerate() {
                layout.set(&mut record, slot, *value);
            }
            let target = self.known.get(record.as_slice()).copied().unwrap_or(0);
            let weight = match weight {
                Weight::Small(w) => Int::from(w),
                Weight::Big(w) => w,
            };
            branches.push((self.image[target as usize], weight));
        });
        branches
    }
}
