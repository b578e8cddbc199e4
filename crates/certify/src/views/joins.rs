//! The views of a proof, for looking up which local states go together.
//!
//! Where processes can be exchanged, the views are those of the file and all that come of them. A view is looked up by its
//! *standard form*: the processes in it that can be exchanged are renamed, in the order in which the view names them (its two
//! places, then what the shared state and the local states hold), to the first ones of the group. Two views have the same
//! standard form if and only if exchanging processes leads from one to the other.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::program::ViewProof;
use suppose_model::program::semantics::partial::{Member, Partial};
use suppose_model::program::symmetry::Symmetry;
use suppose_model::program::views::{Local, Shared};

use super::Seat;

/// States by numbers. Those of the file have the numbers that they have there.
pub(super) struct Numbered<T> {
    pub all: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    /// None if one is listed twice.
    fn new(table: &[T]) -> Option<Self> {
        let numbers: FxHashMap<T, u32> = table.iter().cloned().zip(0..).collect();
        (numbers.len() == table.len()).then(|| Numbered {
            all: table.to_vec(),
            numbers,
        })
    }

    pub fn number(&mut self, it: &T) -> u32 {
        if let Some(number) = self.numbers.get(it) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(it.clone());
        self.numbers.insert(it.clone(), number);
        number
    }
}

/// The views by their parts.
pub(super) struct Joins<'a> {
    partial: &'a Partial,
    exposes: bool,
    symmetry: Option<&'a Symmetry>,
    pub shared: Numbered<Shared>,
    pub locals: Numbered<Local>,
    /// In standard form, in both orders of the places.
    views: FxHashSet<(u32, Seat, Seat)>,
    /// For a shared state, a place with its local state, and another place: the local states of that one.
    beside: FxHashMap<(u32, Seat, u32), Vec<u32>>,
    /// Was one more process that can be exchanged looked for than there are?
    pub short: bool,
    /// The most processes of a join that can be exchanged.
    pub widest: usize,
}

/// Who is renamed to whom.
type Renaming = Vec<(u32, u32)>;

fn renamed(by: &Renaming, place: u32) -> u32 {
    let found = by.iter().find(|(from, _)| *from == place);
    found.map_or(place, |(_, to)| *to)
}

impl<'a> Joins<'a> {
    /// None if a state is listed twice.
    pub fn new(partial: &'a Partial, proof: &'a ViewProof) -> Option<Self> {
        let mut it = Joins {
            partial,
            exposes: !proof.split.exposed.is_empty(),
            symmetry: proof.symmetry.as_ref(),
            shared: Numbered::new(&proof.shared)?,
            locals: Numbered::new(&proof.locals)?,
            views: FxHashSet::default(),
            beside: FxHashMap::default(),
            short: false,
            widest: 0,
        };
        for view in &proof.views {
            for (one, other) in [(view.first, view.second), (view.second, view.first)] {
                let (shared, one, other) = it.standard(view.shared, one, other);
                if it.views.insert((shared, one, other)) {
                    let key = (shared, one, other.0);
                    it.beside.entry(key).or_default().push(other.1);
                }
            }
        }
        Some(it)
    }

    /// Is this a view?
    pub fn has(&mut self, shared: u32, a: Seat, b: Seat) -> bool {
        let standard = self.standard(shared, a, b);
        self.views.contains(&standard)
    }

    /// The places beside these, up to exchanging processes that nothing here speaks of.
    pub fn places(&mut self, shared: u32, cast: &[Seat]) -> Vec<u32> {
        let mut places: Vec<u32> = (0..self.partial.places()).collect();
        if let Some(symmetry) = self.symmetry {
            let spoken = self.spoken(shared, cast);
            let stranger = strangers(symmetry, &spoken).next();
            self.short |= stranger.is_none();
            places.retain(|p| !symmetry.includes(*p) || spoken.contains(p) || Some(*p) == stranger);
        }
        places.retain(|p| cast.iter().all(|(inside, _)| inside != p));
        places
    }

    /// The local states of a place that make a join with these, of which there is at least one; up to exchanging processes
    /// that nothing here speaks of.
    pub fn of(&mut self, shared: u32, cast: &[Seat], place: u32) -> Vec<u32> {
        let Some(first) = cast.first() else {
            return Vec::new();
        };
        if let Some(symmetry) = self.symmetry {
            let inside = cast.iter().map(|s| s.0).chain([place]);
            let count = inside.filter(|p| symmetry.includes(*p)).count();
            self.widest = self.widest.max(count);
        }
        let mut fitting = Vec::new();
        for local in self.beside_one(shared, *first, cast, place) {
            let mut others = cast[1..].iter();
            if others.all(|seat| self.has(shared, *seat, (place, local)))
                && self.agree(shared, cast, (place, local))
            {
                fitting.push(local);
            }
        }
        fitting
    }

    fn agree(&self, shared: u32, cast: &[Seat], more: Seat) -> bool {
        if !self.exposes {
            return true;
        }
        let seats = cast.iter().chain(std::iter::once(&more));
        let member =
            |(place, local): &Seat| -> Member { (*place, &self.locals.all[*local as usize]) };
        let members: Vec<Member> = seats.map(member).collect();
        self.partial
            .agree(&self.shared.all[shared as usize], &members)
    }

    /// The local states of a place that are in a view with one of the cast. A name in the standard form that neither that one nor the
    /// shared state has is anybody else: somebody that the cast speaks of, or a stranger.
    fn beside_one(&mut self, shared: u32, one: Seat, cast: &[Seat], place: u32) -> Vec<u32> {
        let renaming = self.renaming(shared, &[one], &[one.0, place]);
        let key = (
            self.shared_by(shared, &renaming),
            (renamed(&renaming, one.0), self.local_by(one, &renaming)),
            renamed(&renaming, place),
        );
        let list = self.beside.get(&key).cloned().unwrap_or_default();
        let Some(symmetry) = self.symmetry else {
            return list;
        };
        let mut spoken = self.spoken(shared, cast);
        if symmetry.includes(place) && !spoken.contains(&place) {
            spoken.push(place);
        }
        let mut all = Vec::new();
        for local in list {
            let seat = (renamed(&renaming, place), local);
            let mut names = Vec::new();
            self.names_of(seat, &mut names);
            let known = renaming.iter().map(|(from, to)| (*to, *from)).collect();
            let mut ways: Vec<(Renaming, usize)> = vec![(known, 0)];
            let is_new = |name: &&u32| renaming.iter().all(|(_, to)| to != *name);
            for name in names.iter().filter(is_new) {
                ways = self.somebody(symmetry, &spoken, ways, *name);
            }
            for (way, _) in ways {
                let local = self.local_by(seat, &way);
                if !all.contains(&local) {
                    all.push(local);
                }
            }
        }
        all
    }

    /// All that a name can be. The number is how many strangers have a name already.
    fn somebody(
        &mut self,
        symmetry: &Symmetry,
        spoken: &[u32],
        ways: Vec<(Renaming, usize)>,
        name: u32,
    ) -> Vec<(Renaming, usize)> {
        let mut more = Vec::new();
        for (way, met) in ways {
            let is_free = |place: &&u32| way.iter().all(|(_, to)| to != *place);
            for place in spoken.iter().filter(is_free) {
                let mut way = way.clone();
                way.push((name, *place));
                more.push((way, met));
            }
            match strangers(symmetry, spoken).nth(met) {
                Some(stranger) => {
                    let mut way = way;
                    way.push((name, stranger));
                    more.push((way, met + 1));
                }
                None => self.short = true,
            }
        }
        more
    }

    /// A view in standard form.
    fn standard(&mut self, shared: u32, a: Seat, b: Seat) -> (u32, Seat, Seat) {
        if self.symmetry.is_none() {
            return (shared, a, b);
        }
        let renaming = self.renaming(shared, &[a, b], &[a.0, b.0]);
        let first = (renamed(&renaming, a.0), self.local_by(a, &renaming));
        let second = (renamed(&renaming, b.0), self.local_by(b, &renaming));
        (self.shared_by(shared, &renaming), first, second)
    }

    /// These places, those that the shared state speaks of, and those that these local states speak of get the first numbers.
    fn renaming(&self, shared: u32, seats: &[Seat], places: &[u32]) -> Renaming {
        let Some(symmetry) = self.symmetry else {
            return Vec::new();
        };
        let mut spoken: Vec<u32> = Vec::new();
        for place in places {
            if symmetry.includes(*place) && !spoken.contains(place) {
                spoken.push(*place);
            }
        }
        self.names_in(shared, &mut spoken);
        for seat in seats {
            self.names_of(*seat, &mut spoken);
        }
        spoken.into_iter().zip(symmetry.first..).collect()
    }

    /// All that the places, the shared state and the local states speak of.
    fn spoken(&self, shared: u32, cast: &[Seat]) -> Vec<u32> {
        let places: Vec<u32> = cast.iter().map(|seat| seat.0).collect();
        let renaming = self.renaming(shared, cast, &places);
        renaming.into_iter().map(|(from, _)| from).collect()
    }

    fn names_in(&self, shared: u32, spoken: &mut Vec<u32>) {
        if let Some(symmetry) = self.symmetry {
            let mut state = self.shared.all[shared as usize].clone();
            let mut note = |place| noted(spoken, place);
            self.partial.rename_shared(symmetry, &mut state, &mut note);
        }
    }

    fn names_of(&self, (place, local): Seat, spoken: &mut Vec<u32>) {
        if let Some(symmetry) = self.symmetry {
            let mut state = self.locals.all[local as usize].clone();
            let mut note = |place| noted(spoken, place);
            self.partial
                .rename_local(symmetry, place, &mut state, &mut note);
        }
    }

    fn shared_by(&mut self, shared: u32, by: &Renaming) -> u32 {
        let Some(symmetry) = self.symmetry else {
            return shared;
        };
        let mut state = self.shared.all[shared as usize].clone();
        self.partial
            .rename_shared(symmetry, &mut state, &mut |place| renamed(by, place));
        self.shared.number(&state)
    }

    fn local_by(&mut self, (place, local): Seat, by: &Renaming) -> u32 {
        let Some(symmetry) = self.symmetry else {
            return local;
        };
        let mut state = self.locals.all[local as usize].clone();
        self.partial
            .rename_local(symmetry, place, &mut state, &mut |place| renamed(by, place));
        self.locals.number(&state)
    }
}

fn noted(spoken: &mut Vec<u32>, place: u32) -> u32 {
    if !spoken.contains(&place) {
        spoken.push(place);
    }
    place
}

/// The processes that can be exchanged and are none of these.
fn strangers<'s>(symmetry: &Symmetry, spoken: &'s [u32]) -> impl Iterator<Item = u32> + 's {
    let all = symmetry.first..symmetry.first + symmetry.count;
    all.filter(move |place| !spoken.contains(place))
}
