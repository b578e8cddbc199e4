//! The embedded solver or an external one.

use std::time::Duration;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::chc::{Assignment, TermId, Terms};

use super::{ExternalSolver, Solve, SolverError, Tool};
use crate::{SatResult, Solver};

/// Which solver answers queries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Our own.
    #[default]
    Own,
    /// An external one, and its time limit per query.
    Other(Tool, Duration),
}

impl Choice {
    /// A new solver of that kind, without assertions.
    pub fn solver(&self) -> Chosen {
        match self {
            Choice::Own => Chosen::Own(Solver::new()),
            Choice::Other(tool, limit) => Chosen::Other(Box::new(CheckedSolver {
                piped: ExternalSolver::new(tool, *limit),
                asserted: Vec::new(),
                misled: None,
            })),
        }
    }
}

/// The chosen solver.
///
/// A model of an external solver is evaluated before it is used; its UNSAT answers are trusted.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // Our own is the one that has to be fast.
pub enum Chosen {
    /// Our own.
    Own(Solver),
    /// Another one.
    Other(Box<CheckedSolver>),
}

/// An external solver with the asserted formulas, on which its models are evaluated.
#[derive(Debug)]
pub struct CheckedSolver {
    piped: ExternalSolver,
    asserted: Vec<TermId>,
    misled: Option<SolverError>,
}

impl CheckedSolver {
    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        self.misled = None;
        let outcome = self.piped.check(terms, assumptions, cx)?;
        if outcome != SatResult::Sat {
            return Ok(outcome);
        }
        let model = self.piped.model();
        let mut known = FxHashMap::default();
        let mut meant = self.asserted.iter().chain(assumptions);
        if meant.all(|&formula| model.eval_with(terms, formula, &mut known)) {
            return Ok(outcome);
        }
        let name = self.piped.tool.name().to_owned();
        self.misled = Some(SolverError::NoModel(name));
        Ok(SatResult::Unknown)
    }
}

impl Chosen {
    /// Why the last question was not decided, if the solver did not just say so.
    pub fn trouble(&self) -> Option<&SolverError> {
        match self {
            Chosen::Own(_) => None,
            Chosen::Other(other) => other.misled.as_ref().or(other.piped.trouble()),
        }
    }
}

impl Solve for Chosen {
    fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        match self {
            Chosen::Own(solver) => solver.assert(terms, formula),
            Chosen::Other(other) => {
                other.asserted.push(formula);
                other.piped.assert(terms, formula);
            }
        }
    }

    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        match self {
            Chosen::Own(solver) => solver.check(terms, assumptions, cx),
            Chosen::Other(other) => other.check(terms, assumptions, cx),
        }
    }

    fn check_patiently(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        cx: &Context,
    ) -> Result<SatResult, Stopped> {
        match self {
            Chosen::Own(solver) => solver.check_patiently(terms, assumptions, cx),
            Chosen::Other(other) => other.check(terms, assumptions, cx),
        }
    }

    fn model(&self) -> &Assignment {
        match self {
            Chosen::Own(solver) => solver.model(),
            Chosen::Other(other) => other.piped.model(),
        }
    }

    fn core(&self) -> &[TermId] {
        match self {
            Chosen::Own(solver) => solver.core(),
            Chosen::Other(other) => other.piped.core(),
        }
    }

    fn weakened_core(&mut self, terms: &mut Terms, shared: &[TermId]) -> Vec<TermId> {
        match self {
            Chosen::Own(solver) => solver.weakened_core(terms, shared),
            Chosen::Other(other) => other.piped.weakened_core(terms, shared),
        }
    }
}
