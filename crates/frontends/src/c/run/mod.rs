//! Runs of a program: made up from given values, or read back from a derivation.
//!
//! A run that violates an assertion gives a [`Derivation`]: each stretch between two cuts is one inference, with
//! the values that the variables of its clause have in that run. The other way round, a derivation says which
//! arbitrary values were given where, and running the program with them gives the [`CallTree`].

mod concrete;
mod machine;
mod record;
mod search;
mod tree;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use suppose_model::chc::{Derivation, Value};
use suppose_number::Int;
use suppose_source::Span;

use super::encode::{ClauseInfo, Origin, Route};
use super::ir::{BlockId, FnId, Function, VarId};
use super::{CProgram, IntType};

pub(super) use concrete::{Hidden, heap_site};
pub use tree::{Call, CallTree, ExecutionStep, StepKind};

use machine::Machine;

/// Is the claim violated when a program with memory runs as it was written? None if the run was stopped.
#[cfg(test)]
pub(super) fn outcome(
    program: &CProgram,
    claim: super::Claim,
    choose: &mut dyn FnMut(Option<&str>) -> Int,
) -> Option<bool> {
    let written = program.written.as_ref()?;
    let mut choose = |name: Option<&str>, _: IntType, _: Span| choose(name);
    match concrete::run(written, program.semantics, claim, &mut choose, CONFIRMED).0 {
        concrete::Ended::Violated(_) => Some(true),
        concrete::Ended::Normally => Some(false),
        concrete::Ended::Stopped => None,
    }
}

/// So many steps a run may have that confirms a violation.
const CONFIRMED: usize = 20_000_000;

/// How a run ended.
#[derive(Clone, Debug)]
pub enum RunResult {
    /// An assertion is violated.
    Violated {
        /// The proof, for the clauses of the program.
        derivation: Derivation,
        /// What happened.
        tree: CallTree,
    },
    /// The program ended, or nothing that follows matters.
    Ended,
    /// It was stopped: the limit of steps was reached, or there was no value.
    Stopped,
}

/// What is looked up in the clauses, computed once.
pub(super) struct Tables {
    routes: FxHashMap<Route, usize>,
    /// The variables whose values are needed where a block starts.
    at: FxHashMap<(FnId, BlockId), Vec<VarId>>,
}

impl Tables {
    fn of(program: &CProgram) -> Tables {
        let mut it = Tables {
            routes: FxHashMap::default(),
            at: FxHashMap::default(),
        };
        for (i, clause) in program.encoded.clauses.iter().enumerate() {
            it.routes.insert(clause.route.clone(), i);
            for (_, origin) in &clause.origins {
                if let Origin::At(block, var) = origin {
                    let known = it.at.entry((clause.route.function, *block)).or_default();
                    if !known.contains(var) {
                        known.push(*var);
                    }
                }
            }
        }
        it
    }
}

/// Where arbitrary values come from.
pub(super) enum Source<'a> {
    /// From outside: the function that was asked, if any, and the type; no value ends the run.
    Free(&'a mut dyn FnMut(Option<&str>, IntType) -> Option<Int>),
    /// From the inferences of a derivation.
    Guided(&'a Derivation),
}

impl CProgram {
    /// Does it do more than the program as written? Why, and where.
    pub fn approximations(&self) -> &[(String, Span)] {
        &self.reasons
    }

    /// Is the violation of a derivation one of the program as written? The program is run with the same inputs, by a machine that
    /// knows nothing of the clauses.
    pub fn confirms(&self, derivation: &Derivation) -> bool {
        let Some(written) = &self.written else {
            return true;
        };
        if self.reasons.is_empty() {
            return true;
        }
        let Some(tree) = self.call_tree(derivation) else {
            return false;
        };
        let mut inputs = tree.values().into_iter();
        let mut choose = |name: Option<&str>, _: IntType, _: Span| match name {
            Some(_) => inputs.next().unwrap_or(Int::ZERO),
            None => Int::ZERO,
        };
        let (ended, ..) =
            concrete::run(written, self.semantics, self.claim, &mut choose, CONFIRMED);
        matches!(ended, concrete::Ended::Violated(_))
    }

    /// Runs the program. `choose` is asked for every arbitrary value, with the name of the function that
    /// the program called for it; values are brought into the range of their type.
    pub fn run(
        &self,
        choose: &mut dyn FnMut(Option<&str>, IntType) -> Option<Int>,
        limit: usize,
    ) -> RunResult {
        let tables = Tables::of(self);
        Machine::new(
            self,
            &tables,
            Source::Free(choose),
            Vec::new(),
            limit,
            false,
        )
        .run()
    }

    /// The run that a derivation of a violation represents: nested calls with lines and values. None if
    /// it is no derivation of this program.
    pub fn call_tree(&self, derivation: &Derivation) -> Option<CallTree> {
        let last = derivation.steps.len().checked_sub(1)?;
        let tables = Tables::of(self);
        let chain = self.chain(derivation, last)?;
        let limit = derivation
            .steps
            .len()
            .saturating_mul(
                self.program
                    .functions
                    .iter()
                    .map(|f| f.blocks.len())
                    .sum::<usize>()
                    + 2,
            )
            .saturating_mul(2);
        match Machine::new(
            self,
            &tables,
            Source::Guided(derivation),
            chain,
            limit,
            false,
        )
        .run()
        {
            RunResult::Violated { tree, .. } => Some(tree),
            _ => None,
        }
    }

    /// The inferences of one activation of a function, from its entry to the one that ends it.
    fn chain(&self, derivation: &Derivation, last: usize) -> Option<Vec<usize>> {
        let mut chain = VecDeque::from([last]);
        let mut at = last;
        loop {
            let inference = derivation.steps.get(at)?;
            let clause: &ClauseInfo = self.encoded.clauses.get(inference.clause)?;
            if clause.route.source == Function::ENTRY {
                return Some(chain.into());
            }
            // Inferences use earlier ones only, so this ends.
            let before = *inference.premises.first()?;
            if before >= at {
                return None;
            }
            at = before;
            chain.push_front(at);
        }
    }

    /// The arbitrary value that an operation gave in an inference.
    fn chosen(&self, derivation: &Derivation, inference: usize, block: BlockId, op: usize) -> Int {
        let Some(inference) = derivation.steps.get(inference) else {
            return Int::ZERO;
        };
        let clause = self.encoded.clauses.get(inference.clause);
        let origins = clause.map_or(&[] as &[_], |c| &c.origins);
        let var = origins.iter().find_map(|(var, origin)| match origin {
            Origin::Havoc(b, o) if (*b, *o) == (block, op) => Some(*var),
            _ => None,
        });
        match var.and_then(|v| inference.values.get(v)) {
            Some(Value::Bool(truth)) => Int::from(i32::from(*truth)),
            Some(Value::Num(n)) => n.num().clone(),
            None => Int::ZERO,
        }
    }
}
