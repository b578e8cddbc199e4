//! What the options say about the engines on networks, in their own terms ([`suppose_compose::portfolio`]).

use suppose_compose::{agar, learn, quotient};

pub use suppose_compose::portfolio::{Engine, Portfolio, Reply, Settings, Split};
pub use suppose_compose::portfolio::{claim_name, rank, unknown};
pub use suppose_control::Bounds;

use crate::failure::Failure;
use crate::options::{
    Alphabet, EngineName, EngineOptions, EnvironmentName, Learner, MergingName, ProcessOptions,
    RefinementOptions, ScheduleName, Splitting, TurnOrder,
};

/// The engine on networks of that name; the others are refused for networks before this.
pub fn on_networks(engine: EngineName) -> Engine {
    Engine::named(engine.name()).unwrap_or(Engine::Monolithic)
}

/// The order of `--in-turn`.
pub fn turns(args: &ProcessOptions) -> Option<quotient::Order> {
    args.in_turn.map(|order| match order {
        TurnOrder::Given => quotient::Order::Given,
        TurnOrder::Interface => quotient::Order::Interface,
        TurnOrder::Largest => quotient::Order::Largest,
        TurnOrder::Smallest => quotient::Order::Smallest,
    })
}

/// For the smallest requirement, as the command line asks for it.
pub fn refinement(args: &RefinementOptions) -> quotient::QuotientOptions {
    let mut options = quotient::QuotientOptions {
        mode: quotient::Mode::Minimal,
        ..quotient::QuotientOptions::default()
    };
    if args.schedule == Some(ScheduleName::Paper) {
        options.schedule = quotient::Schedule::PAPER;
    }
    options.merging = match args.merging {
        Some(MergingName::Once) => quotient::Merging::Once,
        Some(MergingName::Repeated) => quotient::Merging::Repeated,
        Some(MergingName::Further) | None => quotient::Merging::Further,
    };
    match args.environment {
        Some(EnvironmentName::Abstract) => options.plain_states = 0,
        Some(EnvironmentName::Plain) => options.exact = true,
        Some(EnvironmentName::Turns) | None => {}
    }
    options
}

/// From the command line. The components are to be filled in.
pub fn settings(args: &EngineOptions, split: Split) -> Result<Settings, Failure> {
    let named = !args.process.components.is_empty() || args.process.in_turn.is_some();
    let engine = match on_networks(args.engine) {
        Engine::Auto if named => Engine::Quotient,
        engine if named && engine != Engine::Quotient => {
            let words = "--component and --in-turn are for the engine `quotient`";
            let failure = Failure::usage(words);
            return Err(failure.help("for the others, --split says how the system is split"));
        }
        engine => engine,
    };
    let refine_alphabet = args.alphabet == Alphabet::Refine;
    let mut agar = agar::AgarOptions {
        restart: args.restart,
        refine_alphabet,
        ..agar::AgarOptions::default()
    };
    let learn = learn::LearningOptions {
        algorithm: match args.learner {
            Learner::Lstar => learn::Algorithm::LStar,
            Learner::Ttt => learn::Algorithm::Ttt,
        },
        refine_alphabet,
    };
    if let Some(splitting) = args.splitting {
        agar.splitting = match splitting {
            Splitting::Stuck => agar::Splitting::Stuck,
            Splitting::Earliest => agar::Splitting::Earliest,
            Splitting::All => agar::Splitting::All,
        };
    }
    Ok(Settings {
        engine,
        agar,
        learn,
        split,
        in_turn: turns(&args.process),
        ..Settings::default()
    })
}
