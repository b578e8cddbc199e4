//! Proof-based abstraction with refinement by counterexamples (chapter 3 of the thesis, Figs. 3.7 and 3.8).
//!
//! The *pieces* of a system are the literals of its clauses' constraints, each of which can be left out. The
//! search runs on an abstraction, some of the pieces, for derivations up to a bound.
//! - It proves the abstraction: its definitions are good for the whole system, which has more constraints.
//! - It finds a derivation: if the same clauses can be applied with all pieces, the system is violated; else
//!   the pieces that forbid it are kept from now on.
//! - It comes to the bound: what it learned is searched for the largest part that is inductive for the whole
//!   system, which is kept as invariants; the pieces that the proof up to the bound needs, found by
//!   cores, are the next abstraction; the bound grows.
//!
//! The thesis bounds loops by counters that are added to the program, with one proof for each bound.
//! Here the bound is the depth of derivations, which the search knows without counters: so the invariants
//! found do not speak of counters, and the method is not limited to loops.

mod feasible;
mod inductive;
mod needed;
mod pieces;

use suppose_model::Reason;
use suppose_model::horn::{Derivation, Horn, Pred, TermId, Terms};
use suppose_refine::{Context, Stopped};

use crate::recmc::{self, Bounded, Ended};
use crate::{Found, Work};
use pieces::Pieces;

/// What may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Every literal of a constraint.
    #[default]
    Constraints,
    /// Only what gives a value to an argument of a clause's head.
    Variables,
}

/// How the method went, besides the work of its searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Pieces of the system.
    pub pieces: usize,
    /// Pieces of the last abstraction.
    pub kept: usize,
    /// Pieces of the largest one.
    pub most: usize,
    /// Derivations that were not possible with all pieces.
    pub refinements: u32,
    /// The last bound.
    pub bound: u32,
}

/// Decides a system of Horn clauses, or says why not.
pub fn solve(
    horn: &Horn,
    kind: Kind,
    options: recmc::Options,
    cx: &Context,
) -> (Found, Work, Course) {
    let mut method = Method {
        horn,
        cx,
        options,
        pieces: Pieces::of(horn, kind),
        terms: horn.terms.clone(),
        invariants: Vec::new(),
        work: Work::default(),
        course: Course::default(),
    };
    method.course.pieces = method.pieces.count();
    method.course.most = method.pieces.count();
    let found = method.run();
    let found = found.unwrap_or_else(|stopped| Found::unknown(stopped.into(), method.course.bound));
    method.course.kept = method.pieces.kept_count();
    (found, method.work, method.course)
}

struct Method<'a> {
    horn: &'a Horn,
    cx: &'a Context,
    options: recmc::Options,
    pieces: Pieces,
    /// The store of the invariants.
    terms: Terms,
    invariants: Vec<(Pred, TermId)>,
    work: Work,
    course: Course,
}

impl Method<'_> {
    fn run(&mut self) -> Result<Found, Stopped> {
        let mut keep_all = false;
        loop {
            self.cx.check()?;
            let kept = self.pieces.kept_count();
            self.course.most = self.course.most.max(kept);
            let abstraction = self.pieces.abstraction(self.horn);
            let known = (&self.terms, self.invariants.as_slice());
            let bound = self.course.bound;
            let (ended, work) =
                recmc::solve_within(&abstraction, self.options, known, bound, self.cx);
            self.add(&work);
            match ended {
                Ended::Found(Found::Violated(derivation)) => {
                    if let Some(found) = self.refine(&derivation)? {
                        return Ok(found);
                    }
                }
                Ended::Found(found) => return Ok(found),
                Ended::Bounded(proof) => {
                    if let Some(found) = self.extract(&proof)? {
                        return Ok(found);
                    }
                    if !keep_all && !self.shrink(&proof)? {
                        // The solver could not say what is needed: from now on everything is.
                        keep_all = true;
                        self.pieces.keep_all();
                    }
                    self.course.bound += 1;
                }
            }
        }
    }

    fn add(&mut self, work: &Work) {
        self.work.queries += work.queries;
        self.work.obligations += work.obligations;
        self.work.lemmas += work.lemmas;
        self.work.facts += work.facts;
        self.work.bound = self.work.bound.max(work.bound);
    }

    /// Is the derivation one of the system, perhaps with other values? If not, keeps what forbids it.
    fn refine(&mut self, derivation: &Derivation) -> Result<Option<Found>, Stopped> {
        match feasible::look(self.horn, &self.pieces, derivation, self.cx)? {
            feasible::Look::Real(derivation) => Ok(Some(Found::Violated(derivation))),
            feasible::Look::Forbidden(by) => {
                self.course.refinements += 1;
                if !self.pieces.keep(&by) {
                    let why = "a refinement kept nothing that was not kept already".to_owned();
                    return Ok(Some(Found::unknown(
                        Reason::Internal(why),
                        self.course.bound,
                    )));
                }
                Ok(None)
            }
            feasible::Look::Undecided => {
                self.pieces.keep_all();
                Ok(None)
            }
        }
    }

    /// Keeps what is inductive of what was learned; perhaps it is enough.
    fn extract(&mut self, proof: &Bounded) -> Result<Option<Found>, Stopped> {
        let candidates = inductive::candidates(proof, &mut self.terms);
        let all = inductive::largest(
            self.horn,
            &mut self.terms,
            &self.invariants,
            candidates,
            self.cx,
        )?;
        for new in all {
            if !self.invariants.contains(&new) {
                self.invariants.push(new);
            }
        }
        if !inductive::excludes_queries(self.horn, &mut self.terms, &self.invariants, self.cx)? {
            return Ok(None);
        }
        let definitions = (0..self.horn.predicates.len())
            .map(|p| {
                let of = self.invariants.iter().filter(|(q, _)| q.index() == p);
                let parts: Vec<TermId> = of.map(|(_, f)| *f).collect();
                self.terms.and(parts)
            })
            .collect();
        Ok(Some(Found::Holds {
            terms: Box::new(self.terms.clone()),
            definitions,
        }))
    }

    /// The next abstraction: what the proof needs. False if the solver could not say.
    fn shrink(&mut self, proof: &Bounded) -> Result<bool, Stopped> {
        let needed = needed::pieces(
            self.horn,
            &self.pieces,
            proof,
            (&self.terms, &self.invariants),
            self.cx,
        )?;
        match needed {
            Some(needed) => {
                self.pieces.keep_only(&needed);
                Ok(true)
            }
            None => Ok(false),
        }
    }
}
