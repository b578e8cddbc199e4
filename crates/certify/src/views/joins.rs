//! The views of a proof, for looking up which local states go together.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::program::ViewProof;
use suppose_model::program::semantics::partial::{Member, Partial};

use super::Seat;

/// The views by their parts.
pub(super) struct Joins<'a> {
    partial: &'a Partial,
    proof: &'a ViewProof,
    views: FxHashSet<(u32, Seat, Seat)>,
    /// For a shared state, a place with its local state, and another place: the local states of that one.
    beside: FxHashMap<(u32, Seat, u32), Vec<u32>>,
    /// For a shared state and a place: its local states.
    alone: FxHashMap<(u32, u32), Vec<u32>>,
}

impl<'a> Joins<'a> {
    pub fn new(partial: &'a Partial, proof: &'a ViewProof) -> Self {
        let mut it = Joins {
            partial,
            proof,
            views: FxHashSet::default(),
            beside: FxHashMap::default(),
            alone: FxHashMap::default(),
        };
        for view in &proof.views {
            if !it.views.insert((view.shared, view.first, view.second)) {
                continue;
            }
            for (one, other) in [(view.first, view.second), (view.second, view.first)] {
                let key = (view.shared, one, other.0);
                it.beside.entry(key).or_default().push(other.1);
                it.alone
                    .entry((view.shared, one.0))
                    .or_default()
                    .push(one.1);
            }
        }
        #[allow(clippy::iter_over_hash_type)]
        for list in it.alone.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        it
    }

    /// All views by their parts.
    pub fn views_of(proof: &ViewProof) -> FxHashSet<(u32, Seat, Seat)> {
        let views = proof.views.iter();
        views.map(|v| (v.shared, v.first, v.second)).collect()
    }

    /// Is this a view?
    pub fn has(&self, shared: u32, a: Seat, b: Seat) -> bool {
        let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
        self.views.contains(&(shared, first, second))
    }

    /// The local states of a place that make a join with these.
    pub fn of(&self, shared: u32, cast: &[Seat], place: u32) -> Vec<u32> {
        let list = |seat: &Seat| {
            let found = self.beside.get(&(shared, *seat, place));
            found.map_or(&[][..], Vec::as_slice)
        };
        let all = self.alone.get(&(shared, place));
        let all = all.map_or(&[][..], Vec::as_slice);
        let candidates = cast.iter().map(list).min_by_key(|l| l.len()).unwrap_or(all);
        let fits = |local: &&u32| {
            cast.iter()
                .all(|seat| self.has(shared, *seat, (place, **local)))
                && self.agree(shared, cast, (place, **local))
        };
        candidates.iter().filter(fits).copied().collect()
    }

    fn agree(&self, shared: u32, cast: &[Seat], more: Seat) -> bool {
        if self.proof.split.exposed.is_empty() {
            return true;
        }
        let seats = cast.iter().chain(std::iter::once(&more));
        let member =
            |(place, local): &Seat| -> Member { (*place, &self.proof.locals[*local as usize]) };
        let members: Vec<Member> = seats.map(member).collect();
        self.partial
            .agree(&self.proof.shared[shared as usize], &members)
    }
}
