//! Which engines run, side by side and one after the other.

use std::sync::Arc;

use suppose_control::Refusal;
use suppose_model::chc::Horn;
use suppose_smt::pipe::Choice;

use super::{Abstraction, Engine, Execute, Settings, Strategy};
use crate::recmc::{self, Projection};
use crate::{abstraction, bmc};

/// How often the engines of [`Plan::glance`] may poll their context.
const GLANCE: u64 = 3_000;
/// How many steps of a program are executed before anything else, and after other engines had their turn.
const EXECUTE_FIRST: usize = 20_000;
const EXECUTE_LATER: usize = 300_000;

/// Lanes that run in parallel; in each, one engine after the other.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The lanes.
    pub lanes: Vec<Vec<Strategy>>,
    /// How often each lane may poll its context; none for no limit.
    pub turn: Option<u64>,
}

impl Plan {
    /// For the engine asked for, on these clauses.
    pub fn new(
        settings: &Settings,
        horn: &Horn,
        program: Option<&Arc<dyn Execute>>,
    ) -> Result<Plan, Refusal> {
        let options = settings.recmc;
        let gpdr = recmc::RecmcOptions {
            order: options.order,
            ..recmc::RecmcOptions::gpdr()
        };
        if let Choice::Other(solver, limit) = &settings.solver {
            let (engine, options) = match settings.engine {
                Engine::Gpdr => ("gpdr", gpdr),
                _ => ("recmc", options),
            };
            // The invariants are found by our own solver: what is asked for is what the other one can do.
            let options = recmc::RecmcOptions {
                invariants: false,
                ..options
            };
            return Ok(Plan::one(Strategy::External {
                engine,
                options,
                solver: solver.clone(),
                limit: *limit,
            }));
        }
        let bounds = settings.bounds;
        let linear = bmc::is_linear(horn);
        Ok(match (settings.engine, settings.abstraction) {
            (Engine::Gpdr, _) => Plan::one(Strategy::Gpdr(gpdr)),
            (Engine::Bmc | Engine::Induction, _) if !linear => {
                return Err(Refusal::new(
                    "that engine is for linear clauses",
                    "a clause has several predicates in its body; recmc decides such clauses",
                ));
            }
            (Engine::Induction, _) => Plan::one(Strategy::Induction { turn: false }),
            (Engine::Bmc, _) => Plan::one(Strategy::Bmc { turn: false }),
            (_, Abstraction::On(_)) if bounds == abstraction::Bounds::Counters && !linear => {
                return Err(Refusal::new(
                    "loop counters are for linear clauses",
                    "a clause has several predicates in its body; leave --bounds out",
                ));
            }
            (_, Abstraction::On(kind)) => Plan::one(Strategy::Abstraction(kind, bounds, options)),
            (Engine::Recmc, _) => Plan::one(Strategy::Recmc(options)),
            (Engine::Auto, _) => auto(settings, linear, program),
        })
    }

    /// A short look at a program: some executions, then `recmc` for a turn.
    pub fn glance(program: &Arc<dyn Execute>) -> Plan {
        let lane = vec![
            execution(program, EXECUTE_FIRST),
            Strategy::Recmc(recmc::RecmcOptions::default()),
        ];
        Plan {
            lanes: vec![lane],
            turn: Some(GLANCE),
        }
    }

    /// Did the portfolio choose the engines?
    pub fn is_portfolio(&self) -> bool {
        self.lanes.len() > 1 || self.turn.is_some()
    }

    fn one(strategy: Strategy) -> Plan {
        Plan {
            lanes: vec![vec![strategy]],
            turn: None,
        }
    }
}

/// `recmc` in parallel with the engines that are quick on what it finds hard.
fn auto(settings: &Settings, linear: bool, program: Option<&Arc<dyn Execute>>) -> Plan {
    let options = settings.recmc;
    let mut second = Vec::new();
    if linear {
        second.push(Strategy::Induction { turn: true });
        second.push(Strategy::Bmc { turn: true });
    }
    second.extend(program.map(|p| execution(p, EXECUTE_LATER)));
    if settings.abstraction == Abstraction::Automatic {
        let kind = abstraction::AbstractionKind::Constraints;
        second.push(Strategy::Abstraction(kind, settings.bounds, options));
    }
    let values = recmc::RecmcOptions {
        projection: Projection::Values,
        ..options
    };
    let mut first: Vec<Strategy> = Vec::new();
    first.extend(program.map(|p| execution(p, EXECUTE_FIRST)));
    first.extend([Strategy::Recmc(options), Strategy::Values(values)]);
    Plan {
        lanes: vec![first, second],
        turn: None,
    }
}

fn execution(program: &Arc<dyn Execute>, steps: usize) -> Strategy {
    Strategy::Execution {
        program: Arc::clone(program),
        steps,
    }
}
