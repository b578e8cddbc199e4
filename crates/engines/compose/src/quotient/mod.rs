//! Requirement automata: the process as the property needs it.
//!
//! After Finkbeiner, Schewe and Brill, *Automatic Synthesis of Assumptions for Compositional Model
//! Checking* (FORTE 2006), and Finkbeiner, Peter and Schewe, *RESY: Requirement Synthesis for
//! Compositional Model Checking* (TACAS 2008). The components of a network are split into a *process*
//! and its environment. States of the process are merged when they are reachable with the
//! same states of environment and property (forward equivalence), and then when they lead to the error with
//! the same (backward equivalence); the quotient is the assumption, and the property holds of the
//! environment with the assumption if and only if it holds of the whole.
//!
//! | file | section of the first paper |
//! |---|---|
//! | `bounds` | 3 and 4, forward and backward labels; 5, their bounds |
//! | `abstraction`, `region` | 5, the environment as a modal transition system |
//! | `choose`, `engine` | 6, refinement |
//! | `coarsen`, `turns` | beyond |
//!
//! What we do differently:
//!
//! - Alphabets differ. A label that only one side has is a step of that side alone.
//! - The environment is a network and stays one: each component has a partition of its own
//!   (`abstraction`), and only what the process can drive is explored (`region`).
//! - Both equivalences are applied again until neither merges anything, and every merge is
//!   kept at once (`engine`). [`Merging::Once`] applies each once, as the paper does.
//! - While the property is not decided, only edges that may lie on a run into the error are split for.
//! - A round may split for several edges, twice as many in each ([`Schedule`]).
//! - Where the property holds, classes are merged further as long as the error stays unreachable
//!   (`coarsen`); where it is violated, any merge will do and the smallest requirement has one state.
//! - The environment as it is and its abstraction are tried by turns ([`QuotientOptions::plain_states`]).
//! - When a limit comes, what has been merged so far is handed over ([`SoFar`](suppose_model::SoFar)); if the property
//!   is decided by then, with the proof.
//!
//! What was measured on the examples (`measure_the_examples` in the tests prints it all):
//!
//! - Loosely abstracted components together can do much more than the real ones, so a coarse
//!   product can be far larger than the exact one: in the gas station with 5 customers and a customer
//!   as the process, over 600,000 states against 5,729. It can be far smaller too: in Chiron with
//!   4 artists, property P3 and the dispatcher as the process, 828 against 231,267. Hence the turns.
//! - Merging further makes requirements smaller than the equivalences alone: the operator
//!   of that gas station has 156 states, 132 classes, and 59 (by default) after merging further.
//! - Chiron's `KIND(1)` (3 artists, property P2) goes from 28 states to 3; the chain of AGAR's
//!   assumptions there peaks at 8 states, that of the learner at 257.
//! - Where a system is a chain of many small components, AGAR and learning look at fewer states: client and
//!   server with 10 clients takes the learner 3,359, and this engine more than 373,000.
//! - On random networks the refined abstraction gave as many classes as the exact construction.

mod abstraction;
mod bounds;
mod choose;
mod coarsen;
mod engine;
#[cfg(test)]
mod example;
mod partition;
mod process;
mod proof;
mod region;
mod sets;
mod trace;
mod turns;

use std::time::Instant;

use suppose_control::{Context, Event};
use suppose_model::lts::{Lts, Network};
use suppose_model::{Answer, Assumption, Claim, Reason, Round, Run, Verdict};

use engine::Engine;
use process::Composed;
use proof::Refinement;
pub use turns::{Order, Turn, in_turn};

const TOO_WIDE: &str =
    "a state of this system takes more words than the engine packs: use fewer components";

/// When the refinement ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// When no refinement can make the assumption smaller.
    Minimal,
    /// As soon as the property is decided.
    Decide,
    /// When the assumption has at most this share of the process's states, or the property is decided.
    Threshold(f64),
}

/// In which order the environment is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Rounds in one direction before the other has its turn.
    pub switch_every: u32,
    /// Edges to split for in the first round.
    pub edges: u32,
    /// Twice as many in each round?
    pub doubling: bool,
}

impl Schedule {
    /// One edge a round, ten rounds a direction.
    pub const PAPER: Schedule = Schedule {
        switch_every: 10,
        edges: 1,
        doubling: false,
    };
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            switch_every: 1,
            edges: 4,
            doubling: true,
        }
    }
}

/// Which states of the process are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Merging {
    /// Those that are equivalent, and past that as long as the verdict stays.
    #[default]
    Further,
    /// Those that are equivalent, by both equivalences in turn until neither merges anything.
    Repeated,
    /// The papers' way: forward equivalence on the process as it is, backward equivalence on that quotient, each once.
    Once,
}

/// How to find a requirement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuotientOptions {
    /// When to end.
    pub mode: Mode,
    /// How to refine.
    pub schedule: Schedule,
    /// Do not abstract the environment: the construction of the paper's sections 3 and 4.
    pub exact: bool,
    /// Try the environment as it is first, up to so many states; then the abstraction, up to four times as
    /// many, and so on. None at all: the abstraction only.
    pub plain_states: usize,
    /// What is merged.
    pub merging: Merging,
    /// How much of that to try, in pairs of states added to a product.
    pub trials: u64,
    /// Explore the environment beyond what the process can drive, up to so many times as many states.
    pub slack: usize,
    /// Processes with more states are refused.
    pub max_process_states: u64,
}

impl Default for QuotientOptions {
    fn default() -> Self {
        QuotientOptions {
            mode: Mode::Decide,
            schedule: Schedule::default(),
            exact: false,
            plain_states: 1 << 13,
            merging: Merging::Further,
            trials: 20_000_000,
            slack: 2,
            max_process_states: 1_000_000,
        }
    }
}

/// What the property requires of a process.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The components that make up the process.
    pub components: Vec<usize>,
    /// The process: its components composed.
    pub process: Lts,
    /// The class of every state of the process.
    pub class_of: Vec<u32>,
    /// The quotient by these classes; steps that the environment and the property do not see are `tau`.
    pub quotient: Lts,
    /// The quotient without `tau`, the process's trace over the labels it shares.
    pub assumption: Assumption,
    /// The assumption's state right after a step into a class of the quotient; none for classes
    /// that are entered by `tau` only.
    pub entry: Vec<Option<u32>>,
    /// Does the property hold, if that is known?
    pub decided: Option<bool>,
    /// The rounds of refinement.
    pub rounds: Vec<Round>,
    /// For every component of the environment, the number of its classes in the end.
    pub environment: Vec<(usize, usize)>,
    /// States of the environment explored, in all rounds together, and of the process.
    pub states: u64,
    /// Transitions likewise.
    pub transitions: u64,
    /// The states of the largest single exploration.
    pub largest: u64,
}

/// Finds what property number `property` requires of the components in `process`.
pub fn requirement(
    network: &Network,
    property: usize,
    process: &[usize],
    options: &QuotientOptions,
    cx: &Context,
) -> Result<Requirement, Reason> {
    let sides = Sides::new(network, process)?;
    let composed = sides.compose(network, options, cx)?;
    let mut engine = Engine::new(network, property, &composed, &sides.environment, options);
    engine.run(cx)?;
    Ok(engine.requirement(&composed, &sides.process))
}

/// Decides property number `property` with the requirement of the components in `process`.
pub fn check(
    network: &Network,
    property: usize,
    process: &[usize],
    options: &QuotientOptions,
    cx: &Context,
) -> Answer {
    let begun = Instant::now();
    let mut run = Run::default();
    let verdict = decide(network, property, process, options, &mut run, cx);
    run.elapsed = begun.elapsed();
    Answer {
        claim: Claim::Property(property),
        engine: "quotient".to_owned(),
        verdict: verdict.unwrap_or_else(Verdict::Unknown),
        run,
    }
}

fn decide(
    network: &Network,
    property: usize,
    process: &[usize],
    options: &QuotientOptions,
    run: &mut Run,
    cx: &Context,
) -> Result<Verdict, Reason> {
    let sides = Sides::new(network, process)?;
    run.groups = vec![sides.environment.clone(), sides.process.clone()];
    let composed = sides.compose(network, options, cx)?;
    let mut engine = Engine::new(network, property, &composed, &sides.environment, options);
    let result = engine.run(cx);
    if result.is_err() {
        engine.stop();
    }
    run.states = engine.states;
    run.transitions = engine.transitions;
    run.largest = engine.largest;
    run.assumption_peak = engine.process.states as u64;
    run.rounds = std::mem::take(&mut engine.rounds);
    let refinement = Refinement {
        network,
        property,
        components: &sides.process,
        composed: &composed,
        engine: &engine,
    };
    let Err(reason) = result else {
        return refinement.verdict(run, cx);
    };
    // Who only wants a verdict has no use for what there is.
    if options.mode == Mode::Minimal && is_limit(&reason) {
        let cx = cx.last_words();
        run.unfinished = true;
        if let Some(held) = refinement.held(run, &cx) {
            return Ok(held);
        }
        run.so_far = refinement.so_far(&cx);
    }
    Err(reason)
}

/// Did a limit stop the engine, or something that would stop it again?
fn is_limit(reason: &Reason) -> bool {
    use Reason::{Interrupted, Iterations, Memory, Timeout};
    matches!(reason, Timeout | Memory | Interrupted | Iterations)
}

/// The two sides, in order.
struct Sides {
    process: Vec<usize>,
    environment: Vec<usize>,
}

impl Sides {
    fn new(network: &Network, process: &[usize]) -> Result<Self, Reason> {
        if network.priority.is_some() {
            let why = "with action priority the parts' traces do not give the whole's: use the engine `monolithic`";
            return Err(Reason::Unsupported(why.to_owned()));
        }
        let count = network.components.len();
        let mut process: Vec<usize> = process.to_vec();
        process.sort_unstable();
        process.dedup();
        if process.iter().any(|i| *i >= count) {
            let why = "the process names a component that the system does not have";
            return Err(Reason::Unsupported(why.to_owned()));
        }
        let environment = (0..count).filter(|i| !process.contains(i)).collect();
        Ok(Sides {
            process,
            environment,
        })
    }

    fn compose(
        &self,
        network: &Network,
        options: &QuotientOptions,
        cx: &Context,
    ) -> Result<Composed, Reason> {
        cx.emit(Event::Phase("composing the process".to_owned()));
        process::compose(network, &self.process, options.max_process_states, cx)
    }
}
