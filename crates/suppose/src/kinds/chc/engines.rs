//! What the options say about the engines on clauses, in their own terms ([`suppose_chc::portfolio`]).

use std::sync::Arc;

use suppose_chc::abstraction;
use suppose_chc::portfolio::{Abstraction, Engine, Execute, Settings};
use suppose_chc::recmc::{self, Order, Projection};
use suppose_frontends::c::CProgram;
use suppose_model::chc::Derivation;
use suppose_smt::pipe::Choice;

use super::peers;
use crate::failure::Failure;
use crate::options::{
    AbstractionName, BoundsName, CheckOptions, EngineName, EngineOptions, QueryOrder,
};

/// A C program whose runs are searched for failures.
pub struct Executable(pub Arc<CProgram>);

impl Execute for Executable {
    fn search(&self, steps: usize, stop: &mut dyn FnMut() -> bool) -> Option<Derivation> {
        self.0.search(steps, stop)
    }
}

/// The engine on clauses of that name; the others are refused before this.
pub fn engine(name: EngineName) -> Engine {
    Engine::named(name.name()).unwrap_or_default()
}

/// From the options.
pub fn settings(options: &CheckOptions) -> Result<Settings, Failure> {
    let args = &options.engine;
    let solver = peers::choice(args.horn.solver)?;
    Ok(Settings {
        engine: engine(args.engine),
        recmc: recmc_options(args),
        abstraction: match args.horn.abstraction {
            Some(AbstractionName::Constraints) => {
                Abstraction::On(abstraction::AbstractionKind::Constraints)
            }
            Some(AbstractionName::Variables) => {
                Abstraction::On(abstraction::AbstractionKind::Variables)
            }
            Some(AbstractionName::None) => Abstraction::Off,
            None => Abstraction::Automatic,
        },
        bounds: match args.horn.bounds {
            Some(BoundsName::Counters) => abstraction::Bounds::Counters,
            Some(BoundsName::Depth) | None => abstraction::Bounds::Depth,
        },
        simplify: !args.horn.no_simplification,
        // No verdict rests on an external solver, so what it led to is proved in any case.
        prove: !options.no_certify || options.certificate.is_some() || solver != Choice::Own,
        solver,
    })
}

fn recmc_options(args: &EngineOptions) -> recmc::RecmcOptions {
    let mut options = recmc::RecmcOptions::default();
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
