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
//!    joins with the places that the step turns out to depend on, there is no error that the question asks about;
//! 4. and what each step leads to is closed: let `F` be the places that the step depends on. For every two places, and every join of `F`
//!    with those two, the view after the step is in `V`;
//! 5. the same for what a claim sees and for its own moves, if a claim is asked about.
//!
//! # Why that is enough
//!
//! By induction all reachable states of the program in which no process has exclusive control fit `V`, with the true values of the exposed
//! predicates. The initial one does by 2. Let a state `s` fit, and let `t` be the next such state in a run (behind an atomic sequence,
//! which counts as one step here). The step looks at and changes the shared state and local states of a set `F` of places, nothing
//! else. Whatever places are added to `F`, the local states that they have in `s` are a join, because every two of them are
//! a view of `V`, and the exposed values are true of `s`. So 3 and 4 have looked at `F` as it is in `s`: the checker begins with the mover and adds a
//! place when the step depends on it, with all local states that make a join, and that of `s` is among them. For two places `a` and
//! `b`, the join of `F`, `a` and `b` as they are in `s` was looked at in 4: places outside `F` keep their local states, the shared state
//! is that of `t`, so the view of `a` and `b` in `t` is in `V`. And there is no error on the way, by 3.
//!
//! In 4 nothing has to be looked at for a view that the step does not change: it is one of a join.
//!
//! Which variables are put into which local state does not matter for this: what a step depends on is found out for the split at
//! hand. Exposed predicates are counted up and down with the local states in `F`, the only ones that change; so they keep their true
//! values. What a step depends on, and what it does, is [`suppose_model::program::semantics::partial`]: the plain semantics, on a
//! state in which all that is not known has been replaced by processes that do nothing. It allows more than the program where that
//! depends on all processes (`timeout`, priorities, losing control inside `atomic`), never less.

mod file;
mod interference;
mod joins;
mod symmetric;
mod tables;

use interference::{Part, Recorder};
use joins::Joins;
use rustc_hash::FxHashSet;
use suppose_control::Context;
use suppose_model::program::semantics::partial::{Effect, Look, Member, Partial};
use suppose_model::program::views::Interference;
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
    let Some(symmetry) = &proof.symmetry else {
        return match proof.for_any {
            true => Err(Rejection::flaw(
                "no processes are given that there can be any number of",
            )),
            false => check(program, proof, cx).map(|(viewed, _)| viewed),
        };
    };
    let small = symmetric::reduced(program, proof, symmetry).map_err(Rejection::flaw)?;
    let (viewed, joined) = check(&small, proof, cx)?;
    match !proof.for_any || symmetric::for_any(proof, symmetry, &joined) {
        true => Ok(viewed),
        false => Err(Rejection::flaw(
            "the proof is with too few processes to be one for any number",
        )),
    }
}

/// What the joins were like.
struct Joined {
    /// Was one more process that can be exchanged looked for than there are?
    short: bool,
    /// The most processes of a join that can be exchanged.
    widest: usize,
}

/// The same for a program with as many processes as the views are of.
fn check(
    program: &Program,
    proof: &ViewProof,
    cx: &Context,
) -> Result<(Viewed, Joined), Rejection> {
    let partial = Partial::new(program, proof.question, proof.split.clone());
    let partial = partial.map_err(Rejection::flaw)?;
    tables::check(program, proof)?;
    if let Some(symmetry) = &proof.symmetry {
        symmetric::check(program, &partial, proof, symmetry).map_err(Rejection::flaw)?;
    }
    let joins = Joins::new(&partial, proof);
    let mut checker = Checker {
        partial: &partial,
        proof,
        joins: joins.ok_or_else(|| Rejection::flaw("a state is listed twice"))?,
        looked: 0,
        recorder: Recorder::new(program, proof),
        cx,
    };
    checker.start()?;
    checker.steps()?;
    let viewed = Viewed {
        views: proof.views.len() as u64,
        joins: checker.looked,
        interference: checker.recorder.finish(&checker.joins.shared.all),
    };
    let joined = Joined {
        short: checker.joins.short,
        widest: checker.joins.widest,
    };
    Ok((viewed, joined))
}

/// A place and the number of its local state.
type Seat = (u32, u32);

struct Checker<'a> {
    partial: &'a Partial,
    proof: &'a ViewProof,
    joins: Joins<'a>,
    looked: u64,
    recorder: Recorder<'a>,
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
    /// The initial state fits.
    fn start(&mut self) -> Result<(), Rejection> {
        let (shared, locals) = self.partial.start().map_err(Rejection::flaw)?;
        let number = self.joins.shared.number(&shared);
        let seats = locals.iter().zip(0u32..);
        let seats: Vec<Seat> = seats
            .map(|(local, place)| (place, self.joins.locals.number(local)))
            .collect();
        for (at, a) in seats.iter().enumerate() {
            for b in &seats[at + 1..] {
                if !self.joins.has(number, *a, *b) {
                    return Err(missing(number, *a, *b, "at the start"));
                }
            }
        }
        Ok(())
    }

    /// Every step of every process, and of the claim. Each shared state, and each local state with it, is in a view.
    fn steps(&mut self) -> Result<(), Rejection> {
        let proof = self.proof;
        let mut seen = FxHashSet::default();
        for view in &proof.views {
            let number = view.shared;
            if self.partial.watches() && seen.insert((number, None)) {
                self.look(number, &Cast::default())?;
            }
            let live = proof.shared[number as usize].processes.len() as u32;
            for seat in [view.first, view.second] {
                if seat.0 >= live || !seen.insert((number, Some(seat))) {
                    continue;
                }
                let cast = Cast {
                    mover: Some(seat.0),
                    members: vec![seat],
                    partners: Vec::new(),
                };
                self.look(number, &cast)?;
            }
        }
        Ok(())
    }

    /// The same with one more place, in all ways that make a join. Without a cast, any local state of the place is one.
    fn with(
        &mut self,
        shared: u32,
        cast: &Cast,
        place: u32,
        partner: bool,
    ) -> Result<(), Rejection> {
        let locals = match cast.all().as_slice() {
            [] => self.alone(shared, place),
            all => self.joins.of(shared, all, place),
        };
        for local in locals {
            let mut cast = cast.clone();
            let list = match partner {
                true => &mut cast.partners,
                false => &mut cast.members,
            };
            list.push((place, local));
            self.look(shared, &cast)?;
        }
        Ok(())
    }

    /// The local states of a place that a claim asks about. Of one that can be exchanged no claim can ask.
    fn alone(&self, shared: u32, place: u32) -> Vec<u32> {
        let views = self.proof.views.iter().filter(|v| v.shared == shared);
        let seats = views.flat_map(|v| [v.first, v.second]);
        let mut locals: Vec<u32> = seats.filter(|s| s.0 == place).map(|s| s.1).collect();
        locals.sort_unstable();
        locals.dedup();
        locals
    }

    fn look(&mut self, shared: u32, cast: &Cast) -> Result<(), Rejection> {
        self.cx.check()?;
        self.looked += 1;
        let locals = &self.joins.locals.all;
        let member = |(place, local): &Seat| -> Member { (*place, &locals[*local as usize]) };
        let members: Vec<Member> = cast.members.iter().map(member).collect();
        let partners: Vec<Member> = cast.partners.iter().map(member).collect();
        let before = &self.joins.shared.all[shared as usize];
        match self.partial.look(before, &members, &partners, cast.mover) {
            Look::Refused(why) => Err(Rejection::flaw(why)),
            Look::TooManyProcesses => Err(Rejection::flaw("there are more processes than places")),
            Look::Need(place) => self.with(shared, cast, place, false),
            Look::Seen(seen) => {
                if let Some(wrong) = seen.wrong {
                    let why = format!("a join of views goes wrong: {}", wrong.words());
                    return Err(Rejection::flaw(why));
                }
                for effect in &seen.effects {
                    self.closed(shared, cast.mover, &cast.all(), effect)?;
                }
                if seen.partners.is_empty() {
                    return Ok(());
                }
                let beside = self.joins.places(shared, &cast.all());
                let partners = seen.partners.into_iter();
                for place in partners.filter(|p| beside.contains(p)) {
                    self.with(shared, cast, place, true)?;
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
        let after = self.joins.shared.number(&effect.shared);
        let mut seats = Vec::with_capacity(cast.len());
        for ((place, _), local) in cast.iter().zip(&effect.members) {
            seats.push((*place, self.joins.locals.number(local)));
        }
        let is_seen = mover.is_some() && self.record(before, after, cast, effect);
        let shares = after != before;
        let same = |at: usize| !shares && seats[at] == cast[at];
        for a in 0..seats.len() {
            for b in a + 1..seats.len() {
                if !(same(a) && same(b)) {
                    self.need(after, seats[a], seats[b])?;
                }
            }
        }
        if (0..seats.len()).all(same) && !shares {
            return Ok(());
        }
        for c in self.joins.places(before, cast) {
            for local in self.joins.of(before, cast, c) {
                if is_seen && self.recorder.owns() {
                    let locals = &self.joins.locals.all;
                    let state = |n: u32| &locals[n as usize];
                    let processes = &self.joins.shared.all[before as usize].processes;
                    let mover = (cast[0].0, state(cast[0].1));
                    let other = (c, state(local));
                    self.recorder.beside(processes, mover, other);
                }
                for (a, seat) in seats.iter().enumerate() {
                    if !same(a) {
                        self.need(after, *seat, (c, local))?;
                    }
                }
                if !shares {
                    continue;
                }
                let mut more = cast.to_vec();
                more.push((c, local));
                for d in self.joins.places(before, &more) {
                    if d < c && self.proof.symmetry.is_none() {
                        continue;
                    }
                    for other in self.joins.of(before, &more, d) {
                        self.need(after, (c, local), (d, other))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn need(&mut self, shared: u32, a: Seat, b: Seat) -> Result<(), Rejection> {
        match self.joins.has(shared, a, b) {
            true => Ok(()),
            false => Err(missing(shared, a, b, "after a step")),
        }
    }

    /// Notes what others see of a step of the first of these places.
    fn record(&mut self, before: u32, after: u32, cast: &[Seat], effect: &Effect) -> bool {
        let locals = &self.joins.locals.all;
        let parts = cast.iter().zip(&effect.members);
        let parts: Vec<Part> = parts
            .map(|((place, old), new)| (*place, &locals[*old as usize], new))
            .collect();
        let processes = &self.joins.shared.all[before as usize].processes;
        self.recorder.step(processes, (before, after), &parts)
    }
}

fn missing(shared: u32, a: Seat, b: Seat, when: &str) -> Rejection {
    Rejection::flaw(format!(
        "{when}, processes {} and {} are in local states {} and {} with shared state {shared}, which is no view of the proof",
        a.0, b.0, a.1, b.1
    ))
}
