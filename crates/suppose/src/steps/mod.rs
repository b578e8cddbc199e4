//! Steps of a model: its initial states, the enabled steps of a state, and the state as text.
//!
//! [`Steps`] is one trait for four kinds of models; the simulator is built on it. It is implemented by the
//! plain semantics of the models, which also judge counterexamples, and not by the engines:
//!
//! | models | implementation | built from |
//! |---|---|---|
//! | networks (FSP, Aldebaran, JSON) | [`NetworkSteps`] | [`suppose_model::lts::Network`] |
//! | PROMELA programs | [`ProgramSteps`] | [`suppose_model::program::Program`] |
//! | SMV models | [`FsmSteps`] | [`suppose_model::fsm::System`] |
//! | probabilistic systems (PRISM and others) | [`ProbabilisticSteps`] | [`suppose_model::mdp::System`] |
//!
//! ```
//! use suppose::steps::{NetworkSteps, Steps};
//! use suppose_model::lts::{Labels, LtsBuilder, Network};
//!
//! let mut labels = Labels::new();
//! let (coin, tea) = (labels.intern("coin"), labels.intern("tea"));
//! let mut machine = LtsBuilder::new("Machine");
//! machine.edge(0, coin, 1).edge(1, tea, 0);
//! let mut network = Network::new("System", labels);
//! network.add_component(machine.build());
//! network.close();
//!
//! let mut steps = NetworkSteps::new(&network);
//! let start = steps.initial()?.list.remove(0);
//! let enabled = steps.enabled(&start)?;
//! assert_eq!(enabled.list[0].label, "coin");
//! # Ok::<(), suppose::steps::Failed>(())
//! ```

mod claims;
mod fsm;
mod mdp;
mod network;
mod program;
mod random;

use std::fmt;
use std::sync::Arc;

use suppose_number::Rat;

pub use fsm::FsmSteps;
pub use mdp::ProbabilisticSteps;
pub use network::NetworkSteps;
pub use program::ProgramSteps;
pub use random::Random;

/// A state of a model, packed. Only the [`Steps`] that gave it knows what the words mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(Arc<[u32]>);

impl State {
    pub(crate) fn new(words: impl Into<Arc<[u32]>>) -> Self {
        State(words.into())
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.0
    }
}

/// A list of states or steps, which may be cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration<T> {
    /// In an order that depends on the model alone.
    pub list: Vec<T>,
    /// There are others that are not in the list.
    pub more: bool,
}

impl<T> Enumeration<T> {
    pub(crate) fn all(list: Vec<T>) -> Self {
        Enumeration { list, more: false }
    }
}

/// One step that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnabledStep {
    /// The action, the statement, or the values of inputs. Empty if only the changes describe the step.
    pub label: String,
    /// Who takes part: components or processes.
    pub actors: Vec<String>,
    /// Where it is written: file and line.
    pub place: Option<String>,
    /// Its outcomes: one, or several with probabilities.
    pub outcomes: Vec<StepOutcome>,
}

/// One outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepOutcome {
    /// Its probability, if the step is probabilistic.
    pub probability: Option<Rat>,
    /// Where it leads.
    pub leads: Leads,
}

/// Where a step leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// Another state, or the same one.
    To(State),
    /// To an error; there is no state after it.
    Wrong(Violation),
    /// Not known; the text says why.
    Unknown(String),
}

/// What is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the property, as `suppose check` has it.
    pub property: String,
    /// What is wrong, in words.
    pub why: String,
}

/// Properties of a state besides its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// No step is possible.
    pub ending: Option<Ending>,
    /// Properties that are not true here.
    pub violated: Vec<Violation>,
}

/// Why no step is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A deadlock; the text says more.
    Deadlock(String),
    /// All processes have terminated.
    End,
    /// A property is violated, and the model has no behaviour after that.
    Violated(Violation),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Stopped by the user or a limit.
    Stopped,
    /// The model does not make sense there.
    Model(String),
    /// The run that is to be followed is none of the model.
    Run(String),
    /// A bug.
    Internal(String),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Stopped => f.write_str("stopped"),
            Failed::Model(why) | Failed::Run(why) => f.write_str(why),
            Failed::Internal(why) => write!(f, "internal error: {why}"),
        }
    }
}

impl std::error::Error for Failed {}

/// A model, step by step.
pub trait Steps {
    /// The states where it can begin.
    fn initial(&mut self) -> Result<Enumeration<State>, Failed>;

    /// The steps out of a state.
    fn enabled(&mut self, state: &State) -> Result<Enumeration<EnabledStep>, Failed>;

    /// The state as a person reads it: names with values, in the order of the model.
    fn show(&self, state: &State) -> Vec<(String, String)>;

    /// What else there is to say of a state.
    fn status(&mut self, state: &State) -> Result<Status, Failed>;

    /// A step by chance; none if there is none. Also steps that [`Steps::enabled`] leaves out can come.
    fn sample(
        &mut self,
        state: &State,
        random: &mut Random,
    ) -> Result<Option<EnabledStep>, Failed> {
        let mut found = self.enabled(state)?;
        Ok(match found.list.is_empty() {
            true => None,
            false => Some(found.list.swap_remove(random.below(found.list.len()))),
        })
    }

    /// An initial state by chance; none if there is none.
    fn sample_initial(&mut self, random: &mut Random) -> Result<Option<State>, Failed> {
        let mut found = self.initial()?;
        Ok(match found.list.is_empty() {
            true => None,
            false => Some(found.list.swap_remove(random.below(found.list.len()))),
        })
    }
}

/// A run that is known beforehand: a counterexample, in steps of the model.
#[derive(Clone, Debug)]
pub struct Path {
    /// Where it begins; none if the model goes wrong before its first state.
    pub start: Option<State>,
    /// The steps.
    pub steps: Vec<PathStep>,
    /// From the last state it goes on as from that one (0 is the first), forever.
    pub loops_to: Option<usize>,
    /// What it violates.
    pub shows: Violation,
    /// What else is to be said of it.
    pub remarks: Vec<String>,
}

/// One step of a [`Path`].
#[derive(Clone, Debug)]
pub struct PathStep {
    /// The step, as [`Steps::enabled`] has it.
    pub step: EnabledStep,
    /// Which of its outcomes.
    pub outcome: usize,
    /// What happens beside it.
    pub remarks: Vec<String>,
}

impl EnabledStep {
    /// The number of the outcome that leads to a state, if one does.
    pub(crate) fn leading_to(&self, state: &State) -> Option<usize> {
        let leads = |o: &StepOutcome| matches!(&o.leads, Leads::To(to) if to == state);
        self.outcomes.iter().position(leads)
    }
}

/// A state that a [`Steps`] did not give.
pub(crate) fn foreign() -> Failed {
    Failed::Internal("this state is none of the model".to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
