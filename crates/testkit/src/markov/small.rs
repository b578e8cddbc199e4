//! All probabilistic systems of a small size.

use suppose_model::lts::{Label, State};
use suppose_model::mdp::{Lpts, LptsBuilder};

/// All systems with two states whose choices have one of the labels 1 and 2 (at most `choices` a state) and one of the distributions:
/// surely the first state, surely the second, one to one, one to two.
pub fn small_lptses(choices: u32) -> Vec<Lpts> {
    let dists: [&[(State, u64)]; 4] = [&[(0, 1)], &[(1, 1)], &[(0, 1), (1, 1)], &[(0, 1), (1, 2)]];
    let mut all = Vec::new();
    let sets: Vec<u32> = (0u32..256).filter(|s| s.count_ones() <= choices).collect();
    for first in &sets {
        for second in &sets {
            let mut it = LptsBuilder::new("small");
            it.states(2);
            for (state, set) in [(0, first), (1, second)] {
                for bit in (0..8).filter(|bit| set >> bit & 1 == 1) {
                    let mut parts = dists[bit % 4].to_vec();
                    if let Some(dist) = it.store().insert_weights(&mut parts) {
                        it.choice_of(state, Label(1 + bit as u32 / 4), dist);
                    }
                }
            }
            all.push(it.build());
        }
    }
    all
}
