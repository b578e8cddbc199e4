//! Views, kept by numbers: local and shared states are interned. Where processes can be exchanged, a view is kept by one
//! representative.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_model::program::semantics::partial::{Member, Partial};
use suppose_model::program::symmetry::Symmetry;
use suppose_model::program::views::{Local, Shared, View};

use crate::names::Names;

/// A place and the number of its local state.
pub(crate) type Seat = (u32, u32);

/// A shared state with local states of some places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Join {
    pub(crate) shared: u32,
    pub(crate) seats: Vec<Seat>,
}

/// Of so many views it is kept from which join they came.
const CAUSES: usize = 300_000;

/// Numbers for values.
pub(crate) struct Interner<T> {
    numbers: FxHashMap<Rc<T>, u32>,
    values: Vec<Rc<T>>,
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner {
            numbers: FxHashMap::default(),
            values: Vec::new(),
        }
    }

    pub(crate) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.values.len() as u32;
        let value = Rc::new(value);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    pub(crate) fn get(&self, number: u32) -> &Rc<T> {
        &self.values[number as usize]
    }
}

/// The processes that a state speaks of, each once.
type Spoken = Rc<[u32]>;

/// All views found, with what is needed to join them.
pub(crate) struct Store<'a> {
    partial: &'a Partial,
    symmetry: Option<&'a Symmetry>,
    pub(crate) locals: Interner<Local>,
    pub(crate) shared: Interner<Shared>,
    /// The number of each view.
    known: FxHashMap<u128, u32>,
    /// In the order found.
    pub(crate) views: Vec<View>,
    /// From which join each of the first views came; none for those of the start.
    causes: Vec<Option<Join>>,
    /// The join that is stepped from.
    cause: Option<Join>,
    /// For a shared state, a place with its local state, and another place: the local states of that one.
    beside: FxHashMap<(u64, u32), Vec<u32>>,
    exposes: bool,
    /// By the numbers of shared states, and of local states with whether the place is of the group.
    spoken: FxHashMap<u32, Spoken>,
    spoken_locally: FxHashMap<Seat, Spoken>,
    /// Was there ever need of one more process than there are? Then with more of them there may be more joins.
    pub(crate) short: bool,
    /// The most processes of a join that can be exchanged.
    pub(crate) widest: usize,
}

fn beside_key(shared: u32, (place, local): Seat, other: u32) -> (u64, u32) {
    let low = u64::from(shared) << 32 | u64::from(local);
    (low, place << 8 | other)
}

fn key(shared: u32, first: Seat, second: Seat) -> u128 {
    let seat = |(place, local): Seat| u128::from(place) << 32 | u128::from(local);
    u128::from(shared) << 80 | seat(first) << 40 | seat(second)
}

impl<'a> Store<'a> {
    pub(crate) fn new(partial: &'a Partial, symmetry: Option<&'a Symmetry>, exposes: bool) -> Self {
        Store {
            partial,
            symmetry,
            locals: Interner::new(),
            shared: Interner::new(),
            known: FxHashMap::default(),
            views: Vec::new(),
            causes: Vec::new(),
            cause: None,
            beside: FxHashMap::default(),
            exposes,
            spoken: FxHashMap::default(),
            spoken_locally: FxHashMap::default(),
            short: false,
            widest: 0,
        }
    }

    /// Adds a view, if it is new.
    pub(crate) fn add(&mut self, shared: u32, a: Seat, b: Seat) {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        if self.symmetry.is_none() {
            if self.learn(key(shared, a, b)) {
                self.keep(shared, a, b);
                self.note(shared, a, b);
                self.note(shared, b, a);
            }
            return;
        }
        let one = self.representative(shared, a, b);
        if !self.learn(key(one.0, one.1, one.2)) {
            return;
        }
        let other = self.representative(shared, b, a);
        self.learn(key(other.0, other.1, other.2));
        self.note(one.0, one.1, one.2);
        if other != one {
            self.note(other.0, other.1, other.2);
        }
        // Two that can be exchanged are first and second in both.
        match other.1.0 < other.2.0 {
            true => {
                let (shared, a, b) = one.min(other);
                self.keep(shared, a, b);
            }
            false => self.keep(one.0, one.1, one.2),
        }
    }

    /// The next view is known by this key. Was it not before?
    fn learn(&mut self, key: u128) -> bool {
        let number = self.views.len() as u32;
        match self.known.entry(key) {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(number);
                true
            }
        }
    }

    fn keep(&mut self, shared: u32, first: Seat, second: Seat) {
        if self.views.len() < CAUSES {
            self.causes.push(self.cause.clone());
        }
        self.views.push(View {
            shared,
            first,
            second,
        });
    }

    fn note(&mut self, shared: u32, one: Seat, other: Seat) {
        let list = self.beside.entry(beside_key(shared, one, other.0));
        list.or_default().push(other.1);
    }

    fn has(&mut self, shared: u32, a: Seat, b: Seat) -> bool {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let (shared, a, b) = self.representative(shared, a, b);
        self.known.contains_key(&key(shared, a, b))
    }

    /// The views that are added next come from this join with some more places.
    pub(crate) fn from(&mut self, shared: u32, seats: &[Seat], more: &[Seat]) {
        if self.views.len() < CAUSES {
            let seats = seats.iter().chain(more).copied().collect();
            self.cause = Some(Join { shared, seats });
        }
    }

    /// The number of a view, if it is known.
    pub(crate) fn index(&mut self, shared: u32, a: Seat, b: Seat) -> Option<u32> {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let (shared, a, b) = self.representative(shared, a, b);
        self.known.get(&key(shared, a, b)).copied()
    }

    /// The numbers of the views in a join.
    pub(crate) fn views_of(&mut self, join: &Join) -> Vec<u32> {
        let mut all = Vec::new();
        for (at, a) in join.seats.iter().enumerate() {
            for b in &join.seats[at + 1..] {
                all.extend(self.index(join.shared, *a, *b));
            }
        }
        all
    }

    /// The join that a view came from, if that is known and the view is not one of the start.
    pub(crate) fn cause_of(&self, view: u32) -> Option<Join> {
        self.causes.get(view as usize).cloned().flatten()
    }

    /// Are two shared states the same up to whom they speak of?
    pub(crate) fn alike(&self, a: &Shared, b: &Shared) -> bool {
        let Some(symmetry) = self.symmetry else {
            return a == b;
        };
        let blank = |it: &Shared| {
            let mut it = it.clone();
            self.partial
                .rename_shared(symmetry, &mut it, &mut |_| symmetry.first);
            it
        };
        blank(a) == blank(b)
    }

    /// The local states of a place that make a join with these, of which there is at least one. Of those that come of each other
    /// by exchanging processes that neither these nor the shared state speak of, one is enough.
    pub(crate) fn joins(&mut self, shared: u32, cast: &[Seat], place: u32, found: &mut Vec<u32>) {
        found.clear();
        if let Some(symmetry) = self.symmetry {
            let inside = cast.iter().filter(|s| symmetry.includes(s.0)).count();
            let more = usize::from(symmetry.includes(place));
            self.widest = self.widest.max(inside + more);
            return self.joins_of_orbits(symmetry, shared, cast, place, found);
        }
        let mut best: Option<(usize, &Vec<u32>)> = None;
        for (number, seat) in cast.iter().enumerate() {
            match self.beside.get(&beside_key(shared, *seat, place)) {
                None => return,
                Some(list) if best.is_none_or(|(_, b)| list.len() < b.len()) => {
                    best = Some((number, list));
                }
                Some(_) => {}
            }
        }
        let Some((number, list)) = best else {
            return;
        };
        for local in list {
            let others = cast.iter().enumerate().filter(|(n, _)| *n != number);
            let mut others = others.map(|(_, seat)| *seat);
            if others.all(|seat| self.has_exactly(shared, seat, (place, *local)))
                && self.agree(shared, cast, (place, *local))
            {
                found.push(*local);
            }
        }
    }

    fn has_exactly(&self, shared: u32, a: Seat, b: Seat) -> bool {
        let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
        self.known.contains_key(&key(shared, first, second))
    }

    fn agree(&self, shared: u32, cast: &[Seat], more: Seat) -> bool {
        if !self.exposes {
            return true;
        }
        let seats = cast.iter().chain(std::iter::once(&more));
        let members: Vec<Member> = seats
            .map(|(place, local)| (*place, self.locals.get(*local).as_ref()))
            .collect();
        self.partial.agree(self.shared.get(shared), &members)
    }
}

/// Processes that can be exchanged.
impl Store<'_> {
    /// The places beside these that can be joined. Of those that can be exchanged and that nothing speaks of, one is enough.
    pub(crate) fn places(&mut self, shared: u32, cast: &[Seat]) -> Vec<u32> {
        let all = 0..self.partial.places();
        let is_outside = |place: &u32| cast.iter().all(|(p, _)| p != place);
        let Some(symmetry) = self.symmetry else {
            return all.filter(is_outside).collect();
        };
        let mut related = self.related(symmetry, shared, cast);
        match self.stranger(symmetry, &related, 0) {
            Some(one) => related.push(one),
            None => self.short = true,
        }
        let may = |place: &u32| !symmetry.includes(*place) || related.contains(place);
        all.filter(is_outside).filter(may).collect()
    }

    /// The processes among these, and those that they and the shared state speak of.
    fn related(&mut self, symmetry: &Symmetry, shared: u32, cast: &[Seat]) -> Vec<u32> {
        let mut related = Vec::new();
        let mut add = |places: &[u32]| {
            for place in places {
                if !related.contains(place) {
                    related.push(*place);
                }
            }
        };
        for (place, _) in cast.iter().filter(|(p, _)| symmetry.includes(*p)) {
            add(&[*place]);
        }
        add(&self.spoken(symmetry, shared));
        for seat in cast {
            add(&self.spoken_locally(symmetry, *seat));
        }
        related
    }

    /// The `number`th process that is none of these.
    fn stranger(&self, symmetry: &Symmetry, related: &[u32], number: usize) -> Option<u32> {
        let all = symmetry.first..symmetry.first + symmetry.count;
        all.filter(|p| !related.contains(p)).nth(number)
    }

    fn spoken(&mut self, symmetry: &Symmetry, shared: u32) -> Spoken {
        if let Some(known) = self.spoken.get(&shared) {
            return Rc::clone(known);
        }
        let mut state = (**self.shared.get(shared)).clone();
        let mut found = Vec::new();
        self.partial
            .rename_shared(symmetry, &mut state, &mut |p| noted(&mut found, p));
        let found: Spoken = found.into();
        self.spoken.insert(shared, Rc::clone(&found));
        found
    }

    fn spoken_locally(&mut self, symmetry: &Symmetry, (place, local): Seat) -> Spoken {
        let class = match symmetry.includes(place) {
            true => symmetry.first,
            false => place,
        };
        if let Some(known) = self.spoken_locally.get(&(class, local)) {
            return Rc::clone(known);
        }
        let mut state = (**self.locals.get(local)).clone();
        let mut found = Vec::new();
        self.partial
            .rename_local(symmetry, place, &mut state, &mut |p| noted(&mut found, p));
        let found: Spoken = found.into();
        self.spoken_locally
            .insert((class, local), Rc::clone(&found));
        found
    }

    fn rename_shared(&mut self, symmetry: &Symmetry, shared: u32, names: &Names) -> u32 {
        if names.are_own(&self.spoken(symmetry, shared)) {
            return shared;
        }
        let mut state = (**self.shared.get(shared)).clone();
        self.partial
            .rename_shared(symmetry, &mut state, &mut |p| names.of(p).unwrap_or(p));
        self.shared.number(state)
    }

    fn rename_local(&mut self, symmetry: &Symmetry, seat: Seat, names: &Names) -> u32 {
        if names.are_own(&self.spoken_locally(symmetry, seat)) {
            return seat.1;
        }
        let mut state = (**self.locals.get(seat.1)).clone();
        self.partial
            .rename_local(symmetry, seat.0, &mut state, &mut |p| {
                names.of(p).unwrap_or(p)
            });
        self.locals.number(state)
    }

    /// The names of a place, of another, and of those that the shared state and the local state of the first speak of.
    fn names(&mut self, symmetry: &Symmetry, shared: u32, a: Seat, other: u32) -> Names {
        let mut names = Names::default();
        for place in [a.0, other] {
            if symmetry.includes(place) {
                names.give(place, symmetry.first);
            }
        }
        for place in self.spoken(symmetry, shared).iter() {
            names.give(*place, symmetry.first);
        }
        for place in self.spoken_locally(symmetry, a).iter() {
            names.give(*place, symmetry.first);
        }
        names
    }

    /// The representative of a view, with the first place named first.
    fn representative(&mut self, shared: u32, a: Seat, b: Seat) -> (u32, Seat, Seat) {
        let Some(symmetry) = self.symmetry else {
            return (shared, a, b);
        };
        let mut names = self.names(symmetry, shared, a, b.0);
        for place in self.spoken_locally(symmetry, b).iter() {
            names.give(*place, symmetry.first);
        }
        let shared = self.rename_shared(symmetry, shared, &names);
        let first = self.rename_local(symmetry, a, &names);
        let second = self.rename_local(symmetry, b, &names);
        let name = |place: u32| names.of(place).unwrap_or(place);
        (shared, (name(a.0), first), (name(b.0), second))
    }

    fn joins_of_orbits(
        &mut self,
        symmetry: &Symmetry,
        shared: u32,
        cast: &[Seat],
        place: u32,
        found: &mut Vec<u32>,
    ) {
        let mut best: Option<(Names, Vec<u32>)> = None;
        for seat in cast {
            let names = self.names(symmetry, shared, *seat, place);
            let of = self.rename_shared(symmetry, shared, &names);
            let local = self.rename_local(symmetry, *seat, &names);
            let name = |place: u32| names.of(place).unwrap_or(place);
            let key = beside_key(of, (name(seat.0), local), name(place));
            match self.beside.get(&key) {
                None => return,
                Some(list) if best.as_ref().is_none_or(|(_, b)| list.len() < b.len()) => {
                    best = Some((names, list.clone()));
                }
                Some(_) => {}
            }
        }
        let Some((names, list)) = best else {
            return;
        };
        let mut related = self.related(symmetry, shared, cast);
        if symmetry.includes(place) && !related.contains(&place) {
            related.push(place);
        }
        let seat_of = match symmetry.includes(place) {
            true => symmetry.first,
            false => place,
        };
        for local in list {
            let known = names.len() as u32;
            let spoken = self.spoken_locally(symmetry, (seat_of, local));
            let new = spoken.iter().filter(|p| **p >= symmetry.first + known);
            let new: Vec<u32> = new.copied().collect();
            let mut back = names.back();
            let mut all = Vec::new();
            self.assign(symmetry, &related, &new, &mut back, 0, &mut all);
            for back in all {
                let local = self.rename_local(symmetry, (seat_of, local), &back);
                if cast
                    .iter()
                    .all(|seat| self.has(shared, *seat, (place, local)))
                    && self.agree(shared, cast, (place, local))
                    && !found.contains(&local)
                {
                    found.push(local);
                }
            }
        }
    }

    /// All ways to say who the new names are: somebody that has been spoken of and has no name, or a stranger.
    fn assign(
        &mut self,
        symmetry: &Symmetry,
        related: &[u32],
        new: &[u32],
        back: &mut Names,
        strangers: usize,
        all: &mut Vec<Names>,
    ) {
        let Some((name, rest)) = new.split_first() else {
            all.push(back.clone());
            return;
        };
        let taken: Vec<u32> = back.back().named().collect();
        for place in related.iter().filter(|p| !taken.contains(p)) {
            back.set(*name, *place);
            self.assign(symmetry, related, rest, back, strangers, all);
            back.pop();
        }
        match self.stranger(symmetry, related, strangers) {
            Some(place) => {
                back.set(*name, place);
                self.assign(symmetry, related, rest, back, strangers + 1, all);
                back.pop();
            }
            None => self.short = true,
        }
    }
}

fn noted(found: &mut Vec<u32>, place: u32) -> u32 {
    if !found.contains(&place) {
        found.push(place);
    }
    place
}
