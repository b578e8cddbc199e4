//! The engines on Horn clauses by name, and the portfolio over them.
//!
//! [`ENGINES`] lists what this crate can do. [`Portfolio`] decides clauses with one engine by name, or with `auto`, which
//! races several ([`Plan`]). Every answer is about the clauses as they were read: simplification is undone here.

mod list;
mod plan;
mod race;
mod simplified;
mod strategy;

use std::sync::Arc;

use suppose_control::{Refusal, Supervisor};
use suppose_model::chc::{Answer, Derivation, Horn};
use suppose_smt::pipe::Choice;

pub use list::{ENGINES, Engine};
pub use plan::Plan;
pub use race::unknown;
pub use strategy::Strategy;

use self::simplified::Simplified;
use crate::{abstraction, recmc};

/// A program that the clauses were made from, which can be executed.
pub trait Execute: Send + Sync {
    /// Executes the program on some inputs, at most `steps` steps in all; a failed assertion as a derivation from the
    /// clauses.
    fn search(&self, steps: usize, stop: &mut dyn FnMut() -> bool) -> Option<Derivation>;
}

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which engine.
    pub engine: Engine,
    /// For `recmc` and what builds on it.
    pub recmc: recmc::RecmcOptions,
    /// Which parts of the clauses are abstracted.
    pub abstraction: Abstraction,
    /// What limits the depth of derivations under abstraction.
    pub bounds: abstraction::Bounds,
    /// The solver.
    pub solver: Choice,
    /// Simplify the clauses first.
    pub simplify: bool,
    /// Prove definitions clause by clause.
    pub prove: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: Engine::default(),
            recmc: recmc::RecmcOptions::default(),
            abstraction: Abstraction::default(),
            bounds: abstraction::Bounds::Depth,
            solver: Choice::Own,
            simplify: true,
            prove: true,
        }
    }
}

/// Whether `recmc` works on an abstraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abstraction {
    /// `auto` tries it, `recmc` does not.
    #[default]
    Automatic,
    /// Never.
    Off,
    /// Always, of this kind.
    On(abstraction::AbstractionKind),
}

/// An answer, and why this engine gave it.
#[derive(Debug)]
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// Why this engine was chosen, as shown in reports.
    pub why: String,
}

/// The engines, ready to run on one system of clauses.
pub struct Portfolio<'a> {
    /// The clauses as they were read.
    pub horn: &'a Arc<Horn>,
    /// The program they were made from.
    pub program: Option<Arc<dyn Execute>>,
    /// How to work.
    pub settings: &'a Settings,
    /// Stops the engines, and gives them their threads.
    pub supervisor: &'a dyn Supervisor,
}

impl Portfolio<'_> {
    /// Decides the clauses with the engine asked for.
    pub fn decide(&self) -> Result<Reply, Refusal> {
        let clauses = self.clauses();
        let plan = Plan::new(self.settings, &clauses.horn, self.program.as_ref())?;
        Ok(race::run(
            &clauses,
            &plan,
            self.settings.prove,
            self.supervisor,
        ))
    }

    /// The same with a bounded amount of work for each engine: how often it may poll its context.
    pub fn decide_within(&self, turn: u64) -> Result<Reply, Refusal> {
        let clauses = self.clauses();
        let mut plan = Plan::new(self.settings, &clauses.horn, self.program.as_ref())?;
        plan.turn = (turn < u64::MAX).then_some(turn);
        let prove = self.settings.prove;
        Ok(race::run(&clauses, &plan, prove, self.supervisor))
    }

    /// Executes the program on some inputs, and gives `recmc` a bounded amount of work.
    pub fn glance(&self, program: &Arc<dyn Execute>) -> Reply {
        let plan = Plan::glance(program);
        let clauses = self.clauses();
        race::run(&clauses, &plan, self.settings.prove, self.supervisor)
    }

    fn clauses(&self) -> Simplified {
        match self.settings.simplify {
            true => Simplified::new(self.horn, &self.supervisor.context()),
            false => Simplified::unchanged(self.horn),
        }
    }
}
