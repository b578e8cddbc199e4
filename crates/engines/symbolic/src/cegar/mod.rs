//! Counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu and Veith, 2000).
//!
//! [`Cegar`] decides invariants, formulas of CTL whose quantifiers are universal, and formulas of LTL, on an abstraction of the system
//! that is made finer until the answer is sure:
//!
//! - `atoms` and `map`: the first abstraction (Section 4.1): clusters of variables, and classes of their valuations that atomic
//!   formulas do not tell apart. Far variables can be left out at first (Section 5).
//! - `parts` and `model`: the abstract system, exact or by early approximation (Sections 2 and 5).
//! - `spurious`: is a counterexample real, and if not, where does it fail (Section 4.2)?
//! - `separate`: the classes that must be split (Section 4.3).
//! - `engine`: the loop; `images` looks at counterexamples as the paper does, with the two-phase heuristic (Section 5).
//! - `sat` and `search`: the same by satisfiability, for systems whose relation is too large to be made.
//!
//! What differs from the paper: where all valuations of a cluster are told apart, the bits of its variables are the abstract ones, and no
//! classes are listed; a class that would fall into too many is not split but its cluster is told apart wholly. A
//! transition that is there only because of approximation is shut out by itself, as generally as can be shown. Before sets are
//! separated, clusters that are not needed for it are quantified away.

mod atoms;
mod engine;
mod evidence;
mod images;
mod map;
mod model;
mod parts;
mod sat;
mod search;
mod separate;
mod spurious;
mod task;

use suppose_control::{Context, Stopped};
use suppose_model::fsm::{Property, Question, System};
use suppose_refine::{Refined, refine};

use crate::answer::{Answer, Effort, SymbolicVerdict};
use crate::relation::RelationOptions;
use engine::{Engine, Real};
use task::Task;

/// How to find out whether an abstract counterexample is real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spurious {
    /// By images of sets of states, as the paper does.
    Bdd,
    /// By satisfiability; the relation of the system is never made.
    Sat,
}

/// How to separate dead-end from bad states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// As the paper does; irrelevant states go to either side, whichever is coarser.
    Paper,
    /// Merging more where irrelevant states allow it.
    Squeezed,
}

/// When to abstract parts of the relation by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// Where parts together would be large.
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere: the abstraction is exact.
    Never,
}

/// What to do with a spurious counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phases {
    /// Refine at once.
    One,
    /// Look for a real one among its concrete states first (Section 5).
    Two,
}

/// How to abstract and refine.
#[derive(Clone, Copy, Debug)]
pub struct CegarOptions {
    /// How relations are made.
    pub relation: RelationOptions,
    /// Variables farther than that from the property, along what variables depend on, are abstracted away at first.
    pub far: Option<u32>,
    /// How to find out whether a counterexample is real.
    pub spurious: Spurious,
    /// How to separate dead-end from bad states.
    pub separation: Separation,
    /// When to approximate.
    pub early: Early,
    /// Whether to look for a real counterexample near a spurious one.
    pub phases: Phases,
    /// How much a part of the system may take to encode or to abstract before it is approximated, in questions to the context (one for
    /// every few thousand steps on diagrams). Zero approximates all of them.
    pub work: u64,
    /// Is it known that every reachable state has a step? If not, and the form of the system does not say so, counterexamples are looked
    /// for only among runs that have no end.
    pub total: bool,
}

impl Default for CegarOptions {
    fn default() -> Self {
        CegarOptions {
            relation: RelationOptions::default(),
            far: None,
            spurious: Spurious::Sat,
            separation: Separation::Squeezed,
            early: Early::Auto,
            phases: Phases::Two,
            work: 150,
            total: false,
        }
    }
}

/// The engine that abstracts.
pub struct Cegar<'a> {
    system: &'a System,
    options: CegarOptions,
    cx: Context,
}

impl<'a> Cegar<'a> {
    /// For a system, best cut down to what the property depends on.
    pub fn new(system: &'a System, options: CegarOptions, cx: &Context) -> Self {
        Cegar {
            system,
            options,
            cx: cx.clone(),
        }
    }

    /// Is the property of a kind that abstraction can decide?
    pub fn can_decide(system: &System, property: &Property) -> bool {
        task::is_universal_question(system, &property.question)
    }

    /// Decides one property, or says why abstraction cannot.
    pub fn decide(&self, property: &Property) -> Result<Answer, Stopped> {
        // Most claims on all states do not need fairness, and are easier to show without.
        let claim = task::claim_task(self.system, &property.question, self.options.total);
        if let Some(task) = claim {
            let answer = self.work(task, &property.question)?;
            if matches!(answer.found, SymbolicVerdict::Holds(_)) {
                return Ok(answer);
            }
        }
        match task::task(self.system, &property.question, self.options.total) {
            Ok(task) => self.work(task, &property.question),
            Err(why) => Ok(Answer {
                found: SymbolicVerdict::Unknown(format!("{why}.")),
                effort: Effort::default(),
            }),
        }
    }

    fn work(&self, mut task: Task, question: &Question) -> Result<Answer, Stopped> {
        let atoms = task.atoms();
        let mut engine = Engine::new(&task, &atoms, self.options, &self.cx)?;
        let found = match refine(&mut engine, &self.cx)? {
            Refined::Holds => {
                let proof = engine.proof(self.system)?;
                SymbolicVerdict::Holds(
                    proof.and_then(|p| evidence::presentable(p, self.system, question)),
                )
            }
            Refined::Fails(Real::Run(trace, shows)) => {
                SymbolicVerdict::Fails(engine.cut(trace, self.system), shows)
            }
            Refined::Fails(Real::Beyond(why)) => SymbolicVerdict::Unknown(why),
            Refined::Stuck(why) => {
                SymbolicVerdict::Unknown(format!("The refinement failed: {why}."))
            }
        };
        Ok(Answer {
            found,
            effort: engine.effort(),
        })
    }
}

#[cfg(test)]
mod tests;
