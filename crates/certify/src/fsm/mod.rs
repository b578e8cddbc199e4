//! Evidence about finite-domain systems.
//!
//! The checkers here use the [simulator](suppose_model::fsm::Simulator), which goes from state to state by nothing but the meaning of
//! expressions, [gates with a SAT solver](suppose_aig::Solver), and explicit graphs. None of them uses decision
//! diagrams, or any engine. The translation of expressions and systems to gates is implemented here a second time (`gates`, `frames`): engines ask the
//! same solver through another translation (`suppose_aig::Frames`), so that a mistake in theirs cannot confirm itself.
//!
//! # Why accepted evidence is a proof
//!
//! *A run* ([`check_run`]) is one of the system: its first state is initial, its steps are steps, and its loop, if it has one, ends where it
//! begins and is fair. Against an invariant its last state (or step) is where the invariant is false. Against a formula of LTL the truth of
//! the formula on that very run is computed. Against a formula of CTL the run itself is the path that a false `A` or a true `E` is
//! about; what would need other paths counts as not shown. A run that ends can be a counterexample of CTL only if it can continue
//! forever and be fair: it can if there is no fairness and every state has a step by construction (`total`); else a loop for it is
//! sought, and if none is found nearby the checker says so ([`Meaning::IfFairRunContinues`]).
//!
//! *An inductive invariant* ([`check_proof`]) has all initial states, no step leaves it, and the claim holds in it: three questions to the solver.
//! By induction it has all reachable states.
//!
//! *Induction over `k` steps* ([`check_proof`]): the claim holds in the first `k` states of all runs, and in every state that comes after `k` states in
//! a row in which it does. Were there a reachable state where it is false, the first such one on a run would come after `k` or more states where it is
//! true (by the first), and so be none (by the second).
//!
//! *An abstraction* ([`check_proof`]) maps states to vectors of classes. Classes of a cluster are a partition, so every state has one vector. The graph of
//! all vectors of initial states, and of vectors that steps lead to from there, is written out with the solver. So every run of the system is, class by
//! class, a run of the graph. A step of a vector fulfils a justice constraint if some step of the system along it does; the first part of a compassion
//! constraint holds if all do, the second if some does: so a fair run becomes a fair one. The atoms of the property have the same truth in all states of a
//! vector. So a universal formula that holds in the graph, holds of the system (Clarke, Grumberg and Long, 1994).
//!
//! *A small system* ([`check_small`], [`check_deadlock_free`]) is explored, and the property decided on its graph. *Freedom from deadlock*
//! ([`check_deadlock_free`]) needs no exploration where every state has a step by construction (`total`).
//!
//! *A deadlock* ([`check_deadlock`]) is a run to a state from which the solver finds no step. *No initial state* ([`check_no_initial_state`]): the solver finds
//! none, so nothing is reachable.

mod abstraction;
mod deadlock;
mod explicit_graph;
mod fair;
pub mod file;
mod frames;
mod gates;
mod lasso;
mod linear;
mod proof;
mod run;
mod small;
mod total;

use std::fmt;

use suppose_aig::Solver;
use suppose_control::{Context, Stopped};
use suppose_model::fsm::{self, Fault, System};

use crate::rejection::{Place, Rejection};

pub use deadlock::{check_deadlock, check_deadlock_free, check_no_initial_state};
pub use proof::check_proof;
pub use run::check_run;
pub use small::{Expected, check_small};

/// Limits of a check, and the context it polls.
#[derive(Clone)]
pub struct CheckLimits {
    /// States that are enumerated explicitly.
    pub states: usize,
    /// Steps between them, or pairs of steps and what a formula says of them.
    pub edges: usize,
    /// Values that the simulator tries for variables.
    pub tries: u64,
    /// Steps within which a finite run must be extended to a loop.
    pub further: usize,
    /// Stops the check.
    pub cx: Context,
    /// Stops the SAT solver, which may have a limit of its own.
    pub solver: Context,
}

impl Default for CheckLimits {
    fn default() -> Self {
        CheckLimits {
            states: 5_000,
            edges: 25_000,
            tries: 50_000_000,
            further: 12,
            cx: Context::default(),
            solver: Context::default(),
        }
    }
}

impl fmt::Debug for CheckLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Limits");
        shown.field("states", &self.states);
        shown.field("edges", &self.edges);
        shown.field("tries", &self.tries);
        shown.field("further", &self.further);
        shown.finish_non_exhaustive()
    }
}

impl CheckLimits {
    fn poll(&self) -> Result<(), Refusal> {
        Ok(self.cx.check()?)
    }

    fn solver(&self) -> Solver {
        Solver::under(&self.solver)
    }
}

/// Accepted evidence, and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// A run.
    Run {
        /// Its steps.
        steps: usize,
        /// What the run shows.
        meaning: Meaning,
    },
    /// An inductive invariant.
    Invariant {
        /// Gates of the circuit that the solver was asked about.
        gates: usize,
        /// Conflicts that it met.
        conflicts: u64,
    },
    /// An abstraction in which the property holds.
    Abstraction {
        /// Its reachable states.
        states: usize,
        /// Its steps.
        edges: usize,
    },
    /// The verdict on a small system.
    Explored {
        /// Its reachable states.
        states: usize,
        /// Its steps.
        edges: usize,
    },
}

/// What an accepted run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The property is violated.
    Violates,
    /// The property is violated if a fair run continues from the end; no loop for it was found nearby.
    IfFairRunContinues,
    /// It is a run of the system, and shows a part of why the property is violated; the rest was not examined.
    Part,
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Accepted::Run { steps, meaning } => {
                let meaning = match meaning {
                    Meaning::Violates => "",
                    Meaning::IfFairRunContinues => ", if a fair run continues from its end",
                    Meaning::Part => ", which shows a part",
                };
                write!(f, "a run of {steps} steps{meaning}")
            }
            Accepted::Invariant { gates, .. } => {
                write!(f, "an inductive invariant, {gates} gates")
            }
            Accepted::Abstraction { states, edges } => {
                write!(f, "an abstraction of {states} states and {edges} steps")
            }
            Accepted::Explored { states, edges } => {
                write!(f, "all {states} states and {edges} steps")
            }
        }
    }
}

/// Evidence was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not show what it claims to, or the caller asked to give up.
    Rejection(Rejection),
    /// It is too large to be examined within the limits: a sentence. Nothing is said about it.
    TooLarge(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Rejection(rejection) => rejection.fmt(f),
            Refusal::TooLarge(why) => write!(f, "too large to check: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Refusal::Rejection(rejection)
    }
}

impl From<Stopped> for Refusal {
    fn from(why: Stopped) -> Self {
        Refusal::Rejection(Rejection::Stopped(why))
    }
}

fn flaw<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Rejection(Rejection::flaw(why)))
}

fn fault(system: &System, fault: Fault) -> Refusal {
    let why = format!("an expression has no value: {}", fault.show(system));
    Refusal::Rejection(Rejection::at(Place::System, why))
}

fn incomplete(system: &System, why: fsm::Stopped) -> Refusal {
    match why {
        fsm::Stopped::Fault(it) => fault(system, it),
        fsm::Stopped::Limit => Refusal::TooLarge("there are too many states".to_owned()),
    }
}
