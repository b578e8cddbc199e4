//! The least set of views that is closed under steps, or the first join with a violation.
//!
//! A step depends on a set `F` of places: its mover, and others that it turns out to read or write ([`Partial::look`]). For every two
//! places `S`, and every join of `F` and `S`, the view of `S` after the step is a view. A join becomes possible when the last of
//! its views is found. So for each new view `v` all joins that contain it are made: for each mover, of `v`, the mover and what
//! the step depends on, and of as many more places as `F` and `S` can have beside these (`Explorer::apply`).
//!
//! What a step does is a matter of `F` alone, and is computed once for every `F`: the steps form a tree, whose nodes are either
//! "look at this place" or the results of the step.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Event, Stopped};
use suppose_model::program::Violation;
use suppose_model::program::semantics::partial::{Look, Member, Partial};
use suppose_model::program::symmetry::Symmetry;
use suppose_model::program::views::View;

use crate::store::{Join, Seat, Store};

/// A violation in a join, which may be spurious.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alarm {
    pub(crate) violation: Violation,
    /// The proctype and location of the process that steps; none for a claim.
    pub(crate) mover: Option<(u32, u32)>,
    /// Where.
    pub(crate) join: Join,
}

/// Why there is no closed set.
pub(crate) enum End {
    Alarm(Alarm),
    Stopped(Stopped),
    /// The program is not covered, for this reason.
    Refused(String),
    /// There are more processes than places.
    Places,
    /// More views than allowed.
    TooMany,
}

impl From<Stopped> for End {
    fn from(stopped: Stopped) -> End {
        End::Stopped(stopped)
    }
}

/// What is known of the steps of some places.
enum Node {
    Need(u32),
    Seen(Rc<Steps>),
}

struct Steps {
    wrong: Option<Violation>,
    /// The shared state and the local states after each step.
    effects: Vec<(u32, Vec<u32>)>,
    partners: Vec<u32>,
    /// Does any of this concern places that the step does not depend on?
    interferes: bool,
}

/// The places of a step, in the order in which they were needed: members, then partners.
#[derive(Clone)]
struct Cast {
    mover: Option<u32>,
    members: Vec<Seat>,
    partners: Vec<Seat>,
}

/// Shared state, mover, members and partners of a cast.
type NodeKey = (u32, Option<u32>, Vec<Seat>, Vec<Seat>);

pub(crate) struct Explorer<'a> {
    partial: &'a Partial,
    is_symmetric: bool,
    pub(crate) store: Store<'a>,
    cx: &'a Context,
    limit: usize,
    nodes: FxHashMap<NodeKey, Rc<Node>>,
    /// The same for a mover alone.
    single: FxHashMap<(u32, Seat), Rc<Node>>,
    /// How many joins were stepped from.
    pub(crate) joins: u64,
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(
        partial: &'a Partial,
        symmetry: Option<&'a Symmetry>,
        exposes: bool,
        limit: usize,
        cx: &'a Context,
    ) -> Self {
        Explorer {
            partial,
            is_symmetric: symmetry.is_some(),
            store: Store::new(partial, symmetry, exposes),
            cx,
            limit,
            nodes: FxHashMap::default(),
            single: FxHashMap::default(),
            joins: 0,
        }
    }

    /// Finds all views.
    pub(crate) fn run(&mut self) -> Result<(), End> {
        let (shared, locals) = self.partial.start().map_err(End::Refused)?;
        let shared = self.store.shared.number(shared);
        let seats: Vec<Seat> = locals
            .into_iter()
            .zip(0u32..)
            .map(|(local, place)| (place, self.store.locals.number(local)))
            .collect();
        for (at, a) in seats.iter().enumerate() {
            for b in &seats[at + 1..] {
                self.store.add(shared, *a, *b);
            }
        }
        let mut next = 0;
        while next < self.store.views.len() {
            if next.is_multiple_of(256) {
                self.look_around()?;
            }
            let view = self.store.views[next];
            self.expand(view)?;
            next += 1;
        }
        Ok(())
    }

    fn look_around(&self) -> Result<(), End> {
        let views = self.store.views.len();
        self.cx.check_states(views as u64)?;
        if views > self.limit {
            return Err(End::TooMany);
        }
        self.cx.emit(Event::Explored {
            states: views as u64,
            transitions: self.joins,
        });
        Ok(())
    }

    /// All joins that contain a view.
    fn expand(&mut self, view: View) -> Result<(), End> {
        let shared = view.shared;
        let seats = vec![view.first, view.second];
        if self.partial.watches() {
            let cast = Cast {
                mover: None,
                members: Vec::new(),
                partners: Vec::new(),
            };
            self.steps(shared, &seats, &cast)?;
        }
        let live = self.store.shared.get(shared).processes.len() as u32;
        for seat in seats.iter().filter(|(place, _)| *place < live) {
            self.steps(shared, &seats, &alone(*seat))?;
        }
        let mut found = Vec::new();
        for mover in self.store.places(shared, &seats) {
            if mover >= live {
                continue;
            }
            self.store.joins(shared, &seats, mover, &mut found);
            for local in &found {
                let seat = (mover, *local);
                let node = self.single(shared, seat)?;
                if matches!(&*node, Node::Seen(steps) if !steps.interferes) {
                    continue;
                }
                let more = [seats[0], seats[1], seat];
                self.steps(shared, &more, &alone(seat))?;
            }
        }
        Ok(())
    }

    /// All steps of these places from joins that contain these seats.
    fn steps(&mut self, shared: u32, seats: &[Seat], cast: &Cast) -> Result<(), End> {
        self.joins += 1;
        if self.joins.is_multiple_of(1 << 12) {
            self.cx.spend(1 << 12)?;
        }
        let node = self.node(shared, cast)?;
        match &*node {
            Node::Need(place) => self.with(shared, seats, cast, *place, false),
            Node::Seen(steps) => {
                if let Some(violation) = steps.wrong {
                    return Err(End::Alarm(self.alarm(shared, seats, cast, violation)));
                }
                for (after, locals) in &steps.effects {
                    self.apply(shared, seats, cast, *after, locals);
                }
                if steps.partners.is_empty() {
                    return Ok(());
                }
                let beside = self.store.places(shared, seats);
                let is_inside = |place: u32| seats.iter().any(|(p, _)| *p == place);
                for place in &steps.partners {
                    if is_inside(*place) || beside.contains(place) {
                        self.with(shared, seats, cast, *place, true)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// The same with one more place, in all ways that make a join.
    fn with(
        &mut self,
        shared: u32,
        seats: &[Seat],
        cast: &Cast,
        place: u32,
        partner: bool,
    ) -> Result<(), End> {
        let inside = seats.iter().find(|(p, _)| *p == place).copied();
        let mut found = Vec::new();
        match inside {
            Some((_, local)) => found.push(local),
            None => self.store.joins(shared, seats, place, &mut found),
        }
        for local in found {
            let mut cast = cast.clone();
            let list = match partner {
                true => &mut cast.partners,
                false => &mut cast.members,
            };
            list.push((place, local));
            let mut seats = seats.to_vec();
            if inside.is_none() {
                seats.push((place, local));
            }
            self.steps(shared, &seats, &cast)?;
        }
        Ok(())
    }

    /// Adds the views after a step of the cast from a join. The seats are the cast and what else is in the view that all this
    /// is for; `S` must have all of that, and what it can have more is joined here.
    fn apply(&mut self, before: u32, seats: &[Seat], cast: &Cast, after: u32, locals: &[u32]) {
        let inside: Vec<Seat> = cast.members.iter().chain(&cast.partners).copied().collect();
        let is_inside = |place: u32| inside.iter().any(|(p, _)| *p == place);
        let others: Vec<Seat> = seats.iter().copied().filter(|s| !is_inside(s.0)).collect();
        let shares = after != before;
        let moved: Vec<(Seat, bool)> = inside
            .iter()
            .zip(locals)
            .map(|((place, old), new)| ((*place, *new), shares || old != new))
            .collect();
        self.store.from(before, seats, &[]);
        match others.as_slice() {
            [] => {
                for (at, (a, new)) in moved.iter().enumerate() {
                    for (b, also) in &moved[at + 1..] {
                        if *new || *also {
                            self.store.add(after, *a, *b);
                        }
                    }
                }
                self.beside(before, seats, after, &moved, shares);
            }
            [b] => {
                for (a, new) in &moved {
                    if *new {
                        self.store.add(after, *a, *b);
                    }
                }
                if shares {
                    for c in self.outside(before, seats) {
                        self.store.from(before, seats, &[c]);
                        self.store.add(after, *b, c);
                    }
                }
            }
            [b, c] if shares => self.store.add(after, *b, *c),
            _ => {}
        }
    }

    /// Views of which one place or none takes part in the step.
    fn beside(
        &mut self,
        before: u32,
        seats: &[Seat],
        after: u32,
        moved: &[(Seat, bool)],
        shares: bool,
    ) {
        if !shares && moved.iter().all(|(_, new)| !new) {
            return;
        }
        for c in self.outside(before, seats) {
            self.store.from(before, seats, &[c]);
            for (a, new) in moved {
                if *new {
                    self.store.add(after, *a, c);
                }
            }
            if shares {
                let mut more = seats.to_vec();
                more.push(c);
                for d in self.outside(before, &more) {
                    self.store.from(before, &more, &[d]);
                    // Of those that can be exchanged, only some places are looked at.
                    if d.0 > c.0 || self.is_symmetric {
                        self.store.add(after, c, d);
                    }
                }
            }
        }
    }

    /// All places beside these, with all local states that make a join.
    fn outside(&mut self, shared: u32, seats: &[Seat]) -> Vec<Seat> {
        let mut all = Vec::new();
        let mut found = Vec::new();
        for place in self.store.places(shared, seats) {
            self.store.joins(shared, seats, place, &mut found);
            all.extend(found.iter().map(|local| (place, *local)));
        }
        all
    }

    fn single(&mut self, shared: u32, seat: Seat) -> Result<Rc<Node>, End> {
        if let Some(node) = self.single.get(&(shared, seat)) {
            return Ok(Rc::clone(node));
        }
        let node = Rc::new(self.look(shared, &alone(seat))?);
        self.single.insert((shared, seat), Rc::clone(&node));
        Ok(node)
    }

    fn node(&mut self, shared: u32, cast: &Cast) -> Result<Rc<Node>, End> {
        if let ([seat], [], Some(_)) = (&cast.members[..], &cast.partners[..], cast.mover) {
            return self.single(shared, *seat);
        }
        let (members, partners) = (cast.members.clone(), cast.partners.clone());
        let key = (shared, cast.mover, members, partners);
        if let Some(node) = self.nodes.get(&key) {
            return Ok(Rc::clone(node));
        }
        let node = Rc::new(self.look(shared, cast)?);
        self.nodes.insert(key, Rc::clone(&node));
        Ok(node)
    }

    fn look(&mut self, number: u32, cast: &Cast) -> Result<Node, End> {
        let shared = Rc::clone(self.store.shared.get(number));
        let store = &self.store;
        let member = |(place, local): &Seat| -> Member { (*place, store.locals.get(*local)) };
        let members: Vec<Member> = cast.members.iter().map(member).collect();
        let partners: Vec<Member> = cast.partners.iter().map(member).collect();
        let seen = match self.partial.look(&shared, &members, &partners, cast.mover) {
            Look::Refused(why) => return Err(End::Refused(why)),
            Look::TooManyProcesses => return Err(End::Places),
            Look::Need(place) => return Ok(Node::Need(place)),
            Look::Seen(seen) => seen,
        };
        let mut effects = Vec::with_capacity(seen.effects.len());
        for effect in seen.effects {
            let after = self.store.shared.number(effect.shared);
            let locals = effect.members.into_iter();
            let locals: Vec<u32> = locals.map(|l| self.store.locals.number(l)).collect();
            effects.push((after, locals));
        }
        let interferes = seen.wrong.is_some()
            || !seen.partners.is_empty()
            || effects.iter().any(|(after, _)| *after != number);
        Ok(Node::Seen(Rc::new(Steps {
            wrong: seen.wrong,
            effects,
            partners: seen.partners,
            interferes,
        })))
    }

    fn alarm(&self, number: u32, seats: &[Seat], cast: &Cast, violation: Violation) -> Alarm {
        let shared = self.store.shared.get(number);
        let at = |(place, local): &Seat| {
            let proctype = shared.processes.get(*place as usize)?;
            Some((*proctype, self.store.locals.get(*local).location))
        };
        let mover = match cast.mover {
            Some(_) => cast.members.first().and_then(at),
            None => None,
        };
        Alarm {
            violation,
            mover,
            join: Join {
                shared: number,
                seats: seats.to_vec(),
            },
        }
    }
}

fn alone(seat: Seat) -> Cast {
    Cast {
        mover: Some(seat.0),
        members: vec![seat],
        partners: Vec::new(),
    }
}
