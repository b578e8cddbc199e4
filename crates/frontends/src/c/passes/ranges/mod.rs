//! Between which numbers variables are, at every place: interval analysis of the whole program.
//!
//! An abstract interpretation with widening and narrowing. Each function is examined once for all its calls: at its entry
//! stands what all callers give, at its end what it gives back to all of them. What it finds is trusted where
//! clauses are made: an operation that provably stays in the range of its type is encoded without wrapping
//! around, and the bounds are stated. So it is written on its own, and tested against runs.

mod domain;
mod fixpoint;
mod interval;
mod rewrite;

use super::effects::Effects;
use super::liveness::Liveness;
use crate::c::ir::{BlockId, FnId, Function, Program, VarId};
use crate::c::types::Semantics;

use domain::{Domain, Env};

pub(in crate::c) use interval::Interval;
pub(in crate::c) use rewrite::simplify;

/// What is known of one function. None for a place that is not reached.
#[derive(Clone, Debug, Default)]
struct Known {
    /// For each block, where it starts.
    at: Vec<Option<Env>>,
    /// Where it gives back, of globals and the result.
    exit: Option<Env>,
}

/// The analysis of a program. Of mathematical integers nothing is known.
#[derive(Clone, Debug, Default)]
pub(in crate::c) struct Ranges {
    functions: Vec<Known>,
}

impl Ranges {
    pub(in crate::c) fn of(
        program: &Program,
        liveness: &Liveness,
        effects: &Effects,
        semantics: Semantics,
    ) -> Ranges {
        if !semantics.is_bounded() {
            return Ranges::default();
        }
        let domain = Domain { program, semantics };
        Ranges {
            functions: fixpoint::solve(domain, liveness, effects),
        }
    }

    /// The values of a variable where a block starts, if more is known than its type says.
    pub(in crate::c) fn at(&self, function: FnId, block: BlockId, var: VarId) -> Option<&Interval> {
        let known = self.functions.get(function.index())?;
        known.at.get(block.index())?.as_ref()?.get(&var)
    }

    /// The state at the entry of a function.
    pub(in crate::c) fn entry(&self, function: FnId, var: VarId) -> Option<&Interval> {
        self.at(function, Function::ENTRY, var)
    }

    /// The state at its return.
    pub(in crate::c) fn exit(&self, function: FnId, var: VarId) -> Option<&Interval> {
        self.functions
            .get(function.index())?
            .exit
            .as_ref()?
            .get(&var)
    }
}
