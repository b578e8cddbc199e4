//! One engine with its settings.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use suppose_control::Context;
use suppose_model::Reason;
use suppose_model::chc::Horn;
use suppose_smt::pipe::{Choice, Tool};

use super::Execute;
use crate::{ChcVerdict, Work, abstraction, bmc, induction, recmc};

/// How often bounded model checking may poll its context when it only has a turn: a bound on work and not on time, so
/// that its turn is the same on every machine.
const TURN: u64 = 60_000;
/// How many clauses bounded model checking may unroll in its turn: about 200 MB.
const UNROLLED: usize = 10_000;
/// The turn of backward induction, which is there for what it proves at once.
const SHORT_TURN: u64 = 5_000;

/// One engine with its settings.
#[derive(Clone)]
pub enum Strategy {
    /// RecMC.
    Recmc(recmc::RecmcOptions),
    /// RecMC with proof obligations of single values, which the solver decides more easily.
    Values(recmc::RecmcOptions),
    /// RecMC as GPDR.
    Gpdr(recmc::RecmcOptions),
    /// RecMC or GPDR with an external solver.
    External {
        /// Which of the two.
        engine: &'static str,
        /// Its settings.
        options: recmc::RecmcOptions,
        /// The solver.
        solver: Tool,
        /// How long a query may take.
        limit: Duration,
    },
    /// RecMC on an abstraction.
    Abstraction(
        abstraction::AbstractionKind,
        abstraction::Bounds,
        recmc::RecmcOptions,
    ),
    /// Bounded model checking, without a bound on its work or for a turn.
    Bmc {
        /// Only a turn?
        turn: bool,
    },
    /// Backward induction, without a bound on its work or for a turn.
    Induction {
        /// Only a turn?
        turn: bool,
    },
    /// Executes the program that the clauses were made from, on some inputs.
    Execution {
        /// The program.
        program: Arc<dyn Execute>,
        /// How many steps in all.
        steps: usize,
    },
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl Strategy {
    /// As reports call it.
    pub fn name(&self) -> String {
        match self {
            Strategy::Recmc(_) => "recmc".to_owned(),
            Strategy::Values(_) => "recmc on single values".to_owned(),
            Strategy::Gpdr(_) => "gpdr".to_owned(),
            Strategy::External { engine, solver, .. } => format!("{engine} with {}", solver.name()),
            Strategy::Abstraction(kind, bounds, _) => {
                let parts = match kind {
                    abstraction::AbstractionKind::Constraints => "constraints",
                    abstraction::AbstractionKind::Variables => "variables",
                };
                let counters = match bounds {
                    abstraction::Bounds::Depth => "",
                    abstraction::Bounds::Counters => " and loop counters",
                };
                format!("recmc with abstraction of {parts}{counters}")
            }
            Strategy::Bmc { .. } => "bmc".to_owned(),
            Strategy::Induction { .. } => "induction".to_owned(),
            Strategy::Execution { .. } => "run".to_owned(),
        }
    }

    /// Does it need the clauses as they were read, not simplified ones?
    pub(super) fn needs_original(&self) -> bool {
        matches!(self, Strategy::Execution { .. })
    }

    /// Runs it.
    pub(super) fn solve(&self, horn: &Horn, cx: &Context) -> (ChcVerdict, Work) {
        match self {
            Strategy::Recmc(options) | Strategy::Values(options) | Strategy::Gpdr(options) => {
                recmc::solve(horn, *options, cx)
            }
            Strategy::External {
                options,
                solver,
                limit,
                ..
            } => {
                let choice = Choice::Other(solver.clone(), *limit);
                recmc::solve_by(horn, *options, &choice, cx)
            }
            Strategy::Abstraction(kind, bounds, options) => {
                let (found, work, _) = abstraction::solve_by(horn, *kind, *bounds, *options, cx);
                (found, work)
            }
            Strategy::Bmc { turn: false } => bmc::solve(horn, cx),
            Strategy::Bmc { turn: true } => bmc::solve_within(horn, UNROLLED, &cx.with_work(TURN)),
            Strategy::Induction { turn: false } => induction::solve(horn, cx),
            Strategy::Induction { turn: true } => induction::solve(horn, &cx.with_work(SHORT_TURN)),
            Strategy::Execution { program, steps } => {
                let found = match program.search(*steps, &mut || cx.check().is_err()) {
                    Some(derivation) => ChcVerdict::Violated(derivation),
                    None => ChcVerdict::Unknown {
                        reason: Reason::Unsupported("no execution that was tried fails".to_owned()),
                        bound: None,
                        candidates: None,
                    },
                };
                (found, Work::default())
            }
        }
    }
}
