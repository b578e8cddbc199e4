//! The engines on clauses by name, and which of them run.

use std::sync::Arc;
use std::time::Duration;

use suppose_chc::portfolio::Engine;
use suppose_chc::recmc::{self, Order, Projection};
use suppose_chc::{Found, Work, abstraction, bmc, induction};
use suppose_control::Context;
use suppose_frontends::c::CProgram;
use suppose_model::Reason;
use suppose_model::chc::Horn;
use suppose_smt::pipe::{Choice, Tool};

use crate::failure::Failure;
use crate::options::{AbstractionName, BoundsName, EngineName, EngineOptions, QueryOrder};

/// How often bounded search may ask whether to stop when it only has a turn: by what it does and not by the
/// clock, so that its turn is the same everywhere.
const TURN: u64 = 60_000;
/// So many clauses bounded search may unroll in its turn: about 200 MB.
const UNROLLED: usize = 10_000;
/// Backward induction is there for what it proves at once.
const SHORT_TURN: u64 = 5_000;

/// The turn of a question that nobody asked by name.
const GLANCE: u64 = 3_000;
/// How many steps of a program are run before anything else, and when other engines had their turn.
const RUN_FIRST: usize = 20_000;
const RUN_LATER: usize = 300_000;

/// One engine with its settings.
#[derive(Clone, Debug)]
pub enum Way {
    /// May- and must-summaries.
    Recmc(recmc::Options),
    /// The same with obligations of single values, which the solver decides more easily: where it gave up before.
    Values(recmc::Options),
    /// The same, called by its own name.
    Gpdr(recmc::Options),
    /// One of these two, with another solver.
    Asking {
        /// Which of the two.
        engine: &'static str,
        /// Its settings.
        options: recmc::Options,
        /// Who is asked.
        solver: Tool,
        /// How long a question may take.
        limit: Duration,
    },
    /// On top of an abstraction.
    Abstraction(abstraction::Kind, abstraction::Bounds, recmc::Options),
    /// Bounded search, without end or for a turn.
    Bmc {
        /// Only a turn?
        turn: bool,
    },
    /// Backward induction, without end or for a turn.
    Induction {
        /// Only a turn?
        turn: bool,
    },
    /// A C program is run with some values as inputs.
    Run {
        /// The program.
        program: Arc<CProgram>,
        /// So many steps in all.
        steps: usize,
    },
}

impl Way {
    /// As reports call it.
    pub fn name(&self) -> String {
        match self {
            Way::Recmc(_) => "recmc".to_owned(),
            Way::Values(_) => "recmc on single values".to_owned(),
            Way::Gpdr(_) => "gpdr".to_owned(),
            Way::Asking { engine, solver, .. } => format!("{engine} with {}", solver.name()),
            Way::Abstraction(kind, bounds, _) => {
                let parts = match kind {
                    abstraction::Kind::Constraints => "constraints",
                    abstraction::Kind::Variables => "variables",
                };
                let counters = match bounds {
                    abstraction::Bounds::Depth => "",
                    abstraction::Bounds::Counters => " and loop counters",
                };
                format!("recmc with abstraction of {parts}{counters}")
            }
            Way::Bmc { .. } => "bmc".to_owned(),
            Way::Induction { .. } => "induction".to_owned(),
            Way::Run { .. } => "run".to_owned(),
        }
    }

    /// Does it look at the clauses as they were read, not at simpler ones?
    pub fn is_about_the_original(&self) -> bool {
        matches!(self, Way::Run { .. })
    }

    /// Runs it.
    pub fn solve(&self, horn: &Horn, cx: &Context) -> (Found, Work) {
        match self {
            Way::Recmc(options) | Way::Values(options) | Way::Gpdr(options) => {
                recmc::solve(horn, *options, cx)
            }
            Way::Asking {
                options,
                solver,
                limit,
                ..
            } => {
                let choice = Choice::Other(solver.clone(), *limit);
                recmc::solve_by(horn, *options, &choice, cx)
            }
            Way::Abstraction(kind, bounds, options) => {
                let (found, work, _) = abstraction::solve_by(horn, *kind, *bounds, *options, cx);
                (found, work)
            }
            Way::Bmc { turn: false } => bmc::solve(horn, cx),
            Way::Bmc { turn: true } => bmc::solve_within(horn, UNROLLED, &cx.with_work(TURN)),
            Way::Induction { turn: false } => induction::solve(horn, cx),
            Way::Induction { turn: true } => induction::solve(horn, &cx.with_work(SHORT_TURN)),
            Way::Run { program, steps } => {
                let found = match program.search(*steps, &mut || cx.check().is_err()) {
                    Some(derivation) => Found::Violated(derivation),
                    None => Found::Unknown {
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

/// What runs: lanes side by side, in each one engine after the other.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The lanes.
    pub lanes: Vec<Vec<Way>>,
    /// How often all of it may ask whether to stop; none for no limit.
    pub turn: Option<u64>,
}

impl Plan {
    /// From the command line.
    pub fn new(
        args: &EngineOptions,
        choice: Choice,
        horn: &Horn,
        program: Option<&Arc<CProgram>>,
    ) -> Result<Plan, Failure> {
        let options = options(args);
        let gpdr = recmc::Options {
            order: options.order,
            ..recmc::Options::gpdr()
        };
        if let Choice::Other(solver, limit) = choice {
            let (name, options) = match engine(args.engine) {
                Engine::Gpdr => ("gpdr", gpdr),
                _ => ("recmc", options),
            };
            // The invariants are found by our own solver: what is asked for is what the other one can do.
            let options = recmc::Options {
                invariants: false,
                ..options
            };
            let lanes = vec![vec![Way::Asking {
                engine: name,
                options,
                solver,
                limit,
            }]];
            return Ok(Plan { lanes, turn: None });
        }
        let kind = match args.horn.abstraction {
            Some(AbstractionName::Constraints) => Some(abstraction::Kind::Constraints),
            Some(AbstractionName::Variables) => Some(abstraction::Kind::Variables),
            Some(AbstractionName::None) | None => None,
        };
        let bounds = match args.horn.bounds {
            Some(BoundsName::Counters) => abstraction::Bounds::Counters,
            Some(BoundsName::Depth) | None => abstraction::Bounds::Depth,
        };
        let linear = bmc::is_linear(horn);
        let lanes = match (engine(args.engine), kind) {
            (Engine::Gpdr, _) => vec![vec![Way::Gpdr(gpdr)]],
            (Engine::Bmc | Engine::Induction, _) if !linear => {
                let failure = Failure::usage("that engine is for linear clauses");
                return Err(failure.help(
                    "a clause has several predicates in its body; recmc decides such clauses",
                ));
            }
            (Engine::Induction, _) => vec![vec![Way::Induction { turn: false }]],
            (Engine::Bmc, _) => vec![vec![Way::Bmc { turn: false }]],
            (_, Some(_)) if bounds == abstraction::Bounds::Counters && !linear => {
                let failure = Failure::usage("loop counters are for linear clauses");
                return Err(
                    failure.help("a clause has several predicates in its body; leave --bounds out")
                );
            }
            (_, Some(kind)) => vec![vec![Way::Abstraction(kind, bounds, options)]],
            (Engine::Recmc, None) => vec![vec![Way::Recmc(options)]],
            _ => {
                let mut second = Vec::new();
                if linear {
                    second.push(Way::Induction { turn: true });
                    second.push(Way::Bmc { turn: true });
                }
                second.extend(program.map(|p| run(p, RUN_LATER)));
                if args.horn.abstraction.is_none() {
                    let kind = abstraction::Kind::Constraints;
                    second.push(Way::Abstraction(kind, bounds, options));
                }
                let values = recmc::Options {
                    projection: Projection::Values,
                    ..options
                };
                let mut first: Vec<Way> = program.map(|p| run(p, RUN_FIRST)).into_iter().collect();
                first.extend([Way::Recmc(options), Way::Values(values)]);
                vec![first, second]
            }
        };
        Ok(Plan { lanes, turn: None })
    }

    /// A short look at a program: some runs, and the first engine for a turn.
    pub fn glance(program: &Arc<CProgram>) -> Plan {
        let lane = vec![
            run(program, RUN_FIRST),
            Way::Recmc(recmc::Options::default()),
        ];
        Plan {
            lanes: vec![lane],
            turn: Some(GLANCE),
        }
    }

    /// Is there a choice?
    pub fn is_portfolio(&self) -> bool {
        self.lanes.len() > 1
    }
}

/// The engine on clauses of that name; the others are refused before this.
pub fn engine(name: EngineName) -> Engine {
    Engine::named(name.name()).unwrap_or_default()
}

fn run(program: &Arc<CProgram>, steps: usize) -> Way {
    Way::Run {
        program: Arc::clone(program),
        steps,
    }
}

fn options(args: &EngineOptions) -> recmc::Options {
    let mut options = recmc::Options::default();
    options.order = match args.horn.query_order {
        Some(QueryOrder::TopDown) => Order::TopDown,
        Some(QueryOrder::BottomUp) => Order::BottomUp,
        None => options.order,
    };
    if args.horn.no_must_summaries {
        options.must_summaries = false;
    }
    if args.horn.values {
        options.projection = Projection::Values;
    }
    if args.horn.no_invariants {
        options.invariants = false;
    }
    options.concretise = args.horn.concretise;
    options
}
