//! Views, kept by numbers: local and shared states are interned.

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::program::semantics::partial::{Member, Partial};
use suppose_model::program::views::{Local, Shared, View};

/// A place and the number of its local state.
pub(crate) type Seat = (u32, u32);

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

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}

/// All views found, with what is needed to join them.
pub(crate) struct Store {
    pub(crate) locals: Interner<Local>,
    pub(crate) shared: Interner<Shared>,
    known: FxHashSet<u128>,
    /// In the order found.
    pub(crate) views: Vec<View>,
    /// For a shared state, a place with its local state, and another place: the local states of that one.
    beside: FxHashMap<(u64, u32), Vec<u32>>,
    exposes: bool,
}

fn beside_key(shared: u32, (place, local): Seat, other: u32) -> (u64, u32) {
    let low = u64::from(shared) << 32 | u64::from(local);
    (low, place << 8 | other)
}

fn key(shared: u32, first: Seat, second: Seat) -> u128 {
    let seat = |(place, local): Seat| u128::from(place) << 32 | u128::from(local);
    u128::from(shared) << 80 | seat(first) << 40 | seat(second)
}

impl Store {
    pub(crate) fn new(exposes: bool) -> Self {
        Store {
            locals: Interner::new(),
            shared: Interner::new(),
            known: FxHashSet::default(),
            views: Vec::new(),
            beside: FxHashMap::default(),
            exposes,
        }
    }

    /// Adds a view, if it is new.
    pub(crate) fn add(&mut self, shared: u32, a: Seat, b: Seat) {
        let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
        if !self.known.insert(key(shared, first, second)) {
            return;
        }
        self.views.push(View {
            shared,
            first,
            second,
        });
        for (one, other) in [(first, second), (second, first)] {
            let list = self.beside.entry(beside_key(shared, one, other.0));
            list.or_default().push(other.1);
        }
    }

    fn has(&self, shared: u32, a: Seat, b: Seat) -> bool {
        let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
        self.known.contains(&key(shared, first, second))
    }

    /// The local states of a place that make a join with these, of which there is at least one.
    pub(crate) fn joins(
        &self,
        partial: &Partial,
        shared: u32,
        cast: &[Seat],
        place: u32,
        found: &mut Vec<u32>,
    ) {
        found.clear();
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
            if others.all(|seat| self.has(shared, seat, (place, *local)))
                && self.agree(partial, shared, cast, (place, *local))
            {
                found.push(*local);
            }
        }
    }

    fn agree(&self, partial: &Partial, shared: u32, cast: &[Seat], more: Seat) -> bool {
        if !self.exposes {
            return true;
        }
        let seats = cast.iter().chain(std::iter::once(&more));
        let members: Vec<Member> = seats
            .map(|(place, local)| (*place, self.locals.get(*local).as_ref()))
            .collect();
        partial.agree(self.shared.get(shared), &members)
    }
}
