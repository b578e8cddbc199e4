//! Checks proofs by views.
//!
//! A proof ([`ViewProof`]) splits the state of a program into a shared state and the local states of its places, and gives a set
//! `V` of *views*: local states of two places with a shared state. Say that a state *fits* `V` if for every two places the view of it is in
//! `V`. A *join* is a shared state with local states of some places such that every two of them are a view of `V` and the exposed
//! predicates can be true of them ([`Partial::agree`]). Accepted is what passes one look at each of these:
//!
//! 1. all tables are well formed: numbers are in range, local states have the variables of their process;
//! 2. the initial state fits `V`;
//! 3. for each shared state, each place whose process lives, and each local state that a view has for it: from these, and from all
//!    joins with the places that the step turns out to depend on, nothing that the question asks about goes wrong;
//! 4. and what each step leads to is closed: let `F` be the places that the step depends on. For every two places, and every join of `F`
//!    with those two, the view after the step is in `V`;
//! 5. the same for what a claim sees and for its own moves, if a claim is asked about.
//!
//! # Why that is enough
//!
//! By induction all reachable states of the program in which nobody goes on alone fit `V`, with the true values of the exposed
//! predicates. The initial one does by 2. Let a state `s` fit, and let `t` be the next such state in a run (behind an atomic sequence,
//! which counts as one step here). The step looks at and changes the shared state and local states of a set `F` of places, nothing
//! else. Whatever places are added to `F`, the local states that they have in `s` are a join, because every two of them are
//! a view of `V`, and the exposed values are true of `s`. So 3 and 4 have looked at `F` as it is in `s`: the checker begins with the mover and adds a
//! place when the step depends on it, with all local states that make a join, and that of `s` is among them. For two places `a` and
//! `b`, the join of `F`, `a` and `b` as they are in `s` was looked at in 4: places outside `F` keep their local states, the shared state
//! is that of `t`, so the view of `a` and `b` in `t` is in `V`. And nothing goes wrong on the way, by 3.
//!
//! In 4 nothing has to be looked at for a view that the step does not change: it is one of a join.
//!
//! Which variables are put into which local state does not matter for this: what a step depends on is found out for the split at
//! hand. Exposed predicates are counted up and down with the local states in `F`, the only ones that change; so they keep their true
//! values. What a step depends on, and what it does, is [`suppose_model::program::semantics::partial`]: the plain semantics, on a
//! state in which all that is not known has been replaced by processes that do nothing. It allows more than the program where that
//! depends on all processes (`timeout`, priorities, losing control inside `atomic`), never less.

mod any;
pub mod file;
mod interference;
mod joins;
mod tables;

use interference::{Part, Recorder};
use joins::Joins;
use rustc_hash::FxHashMap;
use suppose_control::Context;
use suppose_model::program::semantics::partial::{Effect, Look, Member, Partial};
use suppose_model::program::views::{Interference, Local, Shared};
use suppose_model::program::{Program, ViewProof};

use crate::rejection::Rejection;

/// What a proof by views was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewed {
    /// How many views it has.
    pub views: u64,
    /// How many joins were looked at as the places of a step.
    pub joins: u64,
    /// What the processes do to what others see.
    pub interference: Interference,
}

/// Does a proof show that the answer to its question is yes?
pub fn views(program: &Program, proof: &ViewProof, cx: &Context) -> Result<Viewed, Rejection> {
    match proof.for_any {
        Some(count) => any::any(program, proof, count, cx),
        None => check(program, proof, &|_| false, cx).map(|(viewed, _)| viewed),
    }
}

/// The same for the program as it is; and at most how many places of a group a step was looked at with.
fn check(
    program: &Program,
    proof: &ViewProof,
    in_group: &dyn Fn(u32) -> bool,
    cx: &Context,
) -> Result<(Viewed, u32), Rejection> {
    let partial = Partial::new(program, proof.question, proof.split.clone());
    let partial = partial.map_err(Rejection::flaw)?;
    tables::check(program, proof)?;
    let mut checker = Checker {
        partial: &partial,
        proof,
        joins: Joins::new(&partial, proof),
        local_numbers: numbers(&proof.locals, "local state")?,
        shared_numbers: numbers(&proof.shared, "shared state")?,
        looked: 0,
        recorder: Recorder::new(program, proof),
        in_group,
        widest: 0,
        cx,
    };
    checker.start()?;
    checker.steps()?;
    let widest = checker.widest;
    let viewed = Viewed {
        views: proof.views.len() as u64,
        joins: checker.looked,
        interference: checker.recorder.finish(),
    };
    Ok((viewed, widest))
}

fn numbers<'a, T: Eq + std::hash::Hash>(
    table: &'a [T],
    what: &str,
) -> Result<FxHashMap<&'a T, u32>, Rejection> {
    let numbered = table.iter().zip(0u32..);
    let numbers: FxHashMap<&T, u32> = numbered.collect();
    match numbers.len() == table.len() {
        true => Ok(numbers),
        false => Err(Rejection::flaw(format!("a {what} is listed twice"))),
    }
}

/// A place and the number of its local state.
type Seat = (u32, u32);

struct Checker<'a> {
    partial: &'a Partial,
    proof: &'a ViewProof,
    joins: Joins<'a>,
    local_numbers: FxHashMap<&'a Local, u32>,
    shared_numbers: FxHashMap<&'a Shared, u32>,
    looked: u64,
    recorder: Recorder<'a>,
    in_group: &'a dyn Fn(u32) -> bool,
    /// The most places of the group that a step was looked at with.
    widest: u32,
    cx: &'a Context,
}

/// Who is looked at: members, then partners.
#[derive(Clone, Default)]
struct Cast {
    mover: Option<u32>,
    members: Vec<Seat>,
    partners: Vec<Seat>,
}

impl Cast {
    fn all(&self) -> Vec<Seat> {
        self.members.iter().chain(&self.partners).copied().collect()
    }
}

impl Checker<'_> {
    fn local(&self, local: &Local) -> Option<u32> {
        self.local_numbers.get(local).copied()
    }

    /// The initial state fits.
    fn start(&self) -> Result<(), Rejection> {
        let (shared, locals) = self.partial.start().map_err(Rejection::flaw)?;
        let number = self.shared_numbers.get(&shared).copied();
        let seats = locals.iter().zip(0u32..);
        let seats: Option<Vec<Seat>> = seats
            .map(|(local, place)| Some((place, self.local(local)?)))
            .collect();
        let (Some(number), Some(seats)) = (number, seats) else {
            return Err(Rejection::flaw("the initial state has no views"));
        };
        for (at, a) in seats.iter().enumerate() {
            for b in &seats[at + 1..] {
                if !self.joins.has(number, *a, *b) {
                    return Err(missing(number, *a, *b, "at the start"));
                }
            }
        }
        Ok(())
    }

    /// Every step of every process, and of the claim.
    fn steps(&mut self) -> Result<(), Rejection> {
        let proof = self.proof;
        for (number, shared) in proof.shared.iter().enumerate() {
            let number = number as u32;
            if self.partial.watches() {
                self.look(number, &Cast::default())?;
            }
            for place in 0..shared.processes.len() as u32 {
                for local in self.joins.of(number, &[], place) {
                    let cast = Cast {
                        mover: Some(place),
                        members: vec![(place, local)],
                        partners: Vec::new(),
                    };
                    self.look(number, &cast)?;
                }
            }
        }
        Ok(())
    }

    fn look(&mut self, shared: u32, cast: &Cast) -> Result<(), Rejection> {
        self.cx.check()?;
        self.looked += 1;
        let of_group = cast.all().iter().filter(|s| (self.in_group)(s.0)).count();
        self.widest = self.widest.max(of_group as u32);
        let proof = self.proof;
        let member = |(place, local): &Seat| -> Member { (*place, &proof.locals[*local as usize]) };
        let members: Vec<Member> = cast.members.iter().map(member).collect();
        let partners: Vec<Member> = cast.partners.iter().map(member).collect();
        let before = &proof.shared[shared as usize];
        match self.partial.look(before, &members, &partners, cast.mover) {
            Look::Refused(why) => Err(Rejection::flaw(why)),
            Look::TooManyProcesses => Err(Rejection::flaw("there are more processes than places")),
            Look::Need(place) => {
                for local in self.joins.of(shared, &cast.all(), place) {
                    let mut cast = cast.clone();
                    cast.members.push((place, local));
                    self.look(shared, &cast)?;
                }
                Ok(())
            }
            Look::Seen(seen) => {
                if let Some(wrong) = seen.wrong {
                    let why = format!("a join of views goes wrong: {}", wrong.words());
                    return Err(Rejection::flaw(why));
                }
                for effect in &seen.effects {
                    self.closed(shared, cast.mover, &cast.all(), effect)?;
                }
                for place in seen.partners {
                    for local in self.joins.of(shared, &cast.all(), place) {
                        let mut cast = cast.clone();
                        cast.partners.push((place, local));
                        self.look(shared, &cast)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// The views after a step of these places are views of the proof.
    fn closed(
        &mut self,
        before: u32,
        mover: Option<u32>,
        cast: &[Seat],
        effect: &Effect,
    ) -> Result<(), Rejection> {
        let unknown = || Rejection::flaw("a step leads to a state that no view has");
        let after = self.shared_numbers.get(&effect.shared).copied();
        let after = after.ok_or_else(unknown)?;
        let mut seats = Vec::with_capacity(cast.len());
        for ((place, _), local) in cast.iter().zip(&effect.members) {
            seats.push((*place, self.local(local).ok_or_else(unknown)?));
        }
        let is_seen = mover.is_some() && self.record(before, after, cast, effect);
        let shares = after != before;
        let same = |at: usize| !shares && seats[at] == cast[at];
        let joins = &self.joins;
        let need = |a: Seat, b: Seat| match joins.has(after, a, b) {
            true => Ok(()),
            false => Err(missing(after, a, b, "after a step")),
        };
        for a in 0..seats.len() {
            for b in a + 1..seats.len() {
                if !(same(a) && same(b)) {
                    need(seats[a], seats[b])?;
                }
            }
        }
        if (0..seats.len()).all(same) && !shares {
            return Ok(());
        }
        let is_inside = |place: u32| cast.iter().any(|(p, _)| *p == place);
        let places = self.partial.places();
        for c in (0..places).filter(|c| !is_inside(*c)) {
            for local in joins.of(before, cast, c) {
                if is_seen && self.recorder.owns() {
                    let state = |n: u32| &self.proof.locals[n as usize];
                    let mover = (cast[0].0, state(cast[0].1));
                    self.recorder.beside(before, mover, (c, state(local)));
                }
                for (a, seat) in seats.iter().enumerate() {
                    if !same(a) {
                        need(*seat, (c, local))?;
                    }
                }
                if !shares {
                    continue;
                }
                let mut more = cast.to_vec();
                more.push((c, local));
                for d in (c + 1..places).filter(|d| !is_inside(*d)) {
                    for other in joins.of(before, &more, d) {
                        need((c, local), (d, other))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Notes what others see of a step of the first of these places.
    fn record(&mut self, before: u32, after: u32, cast: &[Seat], effect: &Effect) -> bool {
        let proof = self.proof;
        let parts = cast.iter().zip(&effect.members);
        let parts: Vec<Part> = parts
            .map(|((place, old), new)| (*place, &proof.locals[*old as usize], new))
            .collect();
        self.recorder.step(before, after, &parts)
    }
}

fn missing(shared: u32, a: Seat, b: Seat, when: &str) -> Rejection {
    Rejection::flaw(format!(
        "{when}, processes {} and {} are in local states {} and {} with shared state {shared}, which is no view of the proof",
        a.0, b.0, a.1, b.1
    ))
}
