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
//! The thesis bounds loops by counters that are added to the program, with one proof for each bound ([`Bounds::Counters`]).
//! The usual bound here is the depth of derivations, which the search knows without counters: so the invariants
//! found do not speak of counters, and the method is not limited to loops. Both are there to be compared: `suppose bench
//! horn --ablation` does.

mod counters;
mod feasible;
mod inductive;
mod needed;
mod order;
mod pieces;
mod subset;

use suppose_control::{Context, Stopped};
use suppose_model::Reason;
use suppose_model::chc::{Derivation, Horn, Pred, TermId, Terms};

use crate::recmc::{self, Bounded, Ended, Summary};
use crate::{ChcVerdict, Work};
use counters::Counted;
use pieces::Pieces;

/// What may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbstractionKind {
    /// Every literal of a constraint.
    #[default]
    Constraints,
    /// Only what gives a value to an argument of a clause's head.
    Variables,
}

/// What is bounded while the bound grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// The depth of derivations.
    #[default]
    Depth,
    /// The iterations of each loop, by counters, as in Section 3.5 of the thesis. For clauses with one predicate in their body.
    Counters,
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
    kind: AbstractionKind,
    options: recmc::RecmcOptions,
    cx: &Context,
) -> (ChcVerdict, Work, Course) {
    solve_by(horn, kind, Bounds::Depth, options, cx)
}

/// The same with another kind of bound.
pub fn solve_by(
    horn: &Horn,
    kind: AbstractionKind,
    bounds: Bounds,
    options: recmc::RecmcOptions,
    cx: &Context,
) -> (ChcVerdict, Work, Course) {
    let counted = match bounds {
        Bounds::Depth => None,
        Bounds::Counters => match Counted::new(horn) {
            Some(counted) => Some(counted),
            None => {
                let why = "loop counters are for clauses with at most one predicate in their body";
                let found = ChcVerdict::unknown(Reason::Unsupported(why.to_owned()), 0);
                return (found, Work::default(), Course::default());
            }
        },
    };
    let system = counted.as_ref().map_or(horn, |counted| &counted.horn);
    let mut method = Method {
        horn: system,
        cx,
        options,
        pieces: Pieces::of(horn, kind),
        terms: system.terms.clone(),
        invariants: Vec::new(),
        work: Work::default(),
        course: Course::default(),
    };
    method.course.pieces = method.pieces.count();
    method.course.most = method.pieces.count();
    let found = match &counted {
        None => method.run(),
        Some(counted) => method.run_counting(counted),
    };
    let found =
        found.unwrap_or_else(|stopped| ChcVerdict::unknown(stopped.into(), method.course.bound));
    method.course.kept = method.pieces.kept_count();
    (found, method.work, method.course)
}

struct Method<'a> {
    horn: &'a Horn,
    cx: &'a Context,
    options: recmc::RecmcOptions,
    pieces: Pieces,
    /// The store of the invariants.
    terms: Terms,
    invariants: Vec<(Pred, TermId)>,
    work: Work,
    course: Course,
}

impl Method<'_> {
    fn run(&mut self) -> Result<ChcVerdict, Stopped> {
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
                Ended::Found(ChcVerdict::Violated(derivation)) => {
                    if let Some(found) = self.refine(self.horn, &derivation)? {
                        return Ok(found);
                    }
                }
                Ended::Found(found) => return Ok(found),
                Ended::Bounded(proof) => {
                    if let Some(found) = self.extract(&proof)? {
                        return Ok(found);
                    }
                    if !keep_all && !self.shrink(self.horn, &proof)? {
                        // The solver could not say what is needed: from now on everything is.
                        keep_all = true;
                        self.pieces.keep_all();
                    }
                    self.course.bound += 1;
                }
            }
        }
    }

    /// The same with a bound on the iterations of loops. The search ends at each, with a proof or a derivation.
    fn run_counting(&mut self, counted: &Counted) -> Result<ChcVerdict, Stopped> {
        let mut keep_all = false;
        loop {
            self.cx.check()?;
            self.course.most = self.course.most.max(self.pieces.kept_count());
            let under = counted.bounded(self.course.bound);
            let abstraction = self.pieces.abstraction(&under);
            let known = (&self.terms, self.invariants.as_slice());
            let (ended, work) =
                recmc::solve_within(&abstraction, self.options, known, u32::MAX, self.cx);
            self.add(&work);
            match ended {
                Ended::Found(ChcVerdict::Violated(derivation)) => {
                    match self.refine(&under, &derivation)? {
                        Some(ChcVerdict::Violated(real)) => {
                            return Ok(ChcVerdict::Violated(counted.derivation(real)));
                        }
                        Some(found) => return Ok(found),
                        None => {}
                    }
                }
                Ended::Found(ChcVerdict::Holds { terms, definitions }) => {
                    let proof = inductive_proof(*terms, &definitions);
                    self.extract_subset(&proof)?;
                    let (horn, terms) = (self.horn, &mut self.terms);
                    if inductive::excludes_queries(horn, terms, &self.invariants, self.cx)? {
                        return self.without_counters(counted);
                    }
                    if !keep_all && !self.shrink(&under, &proof)? {
                        keep_all = true;
                        self.pieces.keep_all();
                    }
                    self.course.bound += 1;
                }
                Ended::Found(found) => return Ok(found),
                Ended::Bounded(_) => {
                    return Ok(ChcVerdict::unknown(Reason::Iterations, self.course.bound));
                }
            }
        }
    }

    /// Keeps the maximal inductive subset of a proof.
    fn extract_subset(&mut self, proof: &Bounded) -> Result<(), Stopped> {
        let candidates = inductive::candidates(proof, &mut self.terms);
        let (horn, terms, known) = (self.horn, &mut self.terms, &self.invariants);
        let new = match subset::extract(horn, terms, known, &candidates, self.cx)? {
            Some(new) => new,
            // One question about all is harder than one about each.
            None => inductive::largest(horn, terms, known, candidates, self.cx)?,
        };
        for one in new {
            if !self.invariants.contains(&one) {
                self.invariants.push(one);
            }
        }
        Ok(())
    }

    /// The proof is one of the system with counters.
    fn without_counters(&mut self, counted: &Counted) -> Result<ChcVerdict, Stopped> {
        let definitions = counted.definitions(&mut self.terms, &self.invariants, self.cx)?;
        Ok(match definitions {
            Some(definitions) => ChcVerdict::Holds {
                terms: Box::new(self.terms.clone()),
                definitions,
            },
            None => ChcVerdict::unknown(
                Reason::Unsupported(crate::UNDECIDED.to_owned()),
                self.course.bound,
            ),
        })
    }

    fn add(&mut self, work: &Work) {
        self.work.queries += work.queries;
        self.work.obligations += work.obligations;
        self.work.lemmas += work.lemmas;
        self.work.facts += work.facts;
        self.work.bound = self.work.bound.max(work.bound);
    }

    /// Is the derivation one of the system, perhaps with other values? If not, keeps what forbids it.
    fn refine(
        &mut self,
        horn: &Horn,
        derivation: &Derivation,
    ) -> Result<Option<ChcVerdict>, Stopped> {
        match feasible::look(horn, &self.pieces, derivation, self.cx)? {
            feasible::Look::Real(derivation) => Ok(Some(ChcVerdict::Violated(derivation))),
            feasible::Look::Forbidden(by) => {
                self.course.refinements += 1;
                if !self.pieces.keep(&by) {
                    let why = "a refinement kept nothing that was not kept already".to_owned();
                    return Ok(Some(ChcVerdict::unknown(
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
    fn extract(&mut self, proof: &Bounded) -> Result<Option<ChcVerdict>, Stopped> {
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
        Ok(Some(ChcVerdict::Holds {
            terms: Box::new(self.terms.clone()),
            definitions,
        }))
    }

    /// The next abstraction: what the proof needs. False if the solver could not say.
    fn shrink(&mut self, horn: &Horn, proof: &Bounded) -> Result<bool, Stopped> {
        let needed = needed::pieces(
            horn,
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

/// Definitions as a proof whose formulas follow from each other, whatever the depth.
fn inductive_proof(terms: Terms, definitions: &[TermId]) -> Bounded {
    let mut summaries = Vec::new();
    for (number, &definition) in definitions.iter().enumerate() {
        for formula in terms.conjuncts(definition) {
            summaries.push(Summary {
                pred: Pred(number as u32),
                formula,
                level: Some(1),
            });
        }
    }
    Bounded {
        terms,
        summaries,
        bound: 1,
    }
}
