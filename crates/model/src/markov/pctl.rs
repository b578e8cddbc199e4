//! Questions in probabilistic branching-time logic.

use suppose_number::Rat;

/// How a probability is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
}

/// True or false in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateFormula {
    /// Always.
    True,
    /// Never.
    False,
    /// A proposition of the system, by number.
    Proposition(u32),
    /// No choice is enabled in the whole system.
    Deadlock,
    /// Not.
    Not(Box<StateFormula>),
    /// All of them.
    And(Vec<StateFormula>),
    /// Some of them.
    Or(Vec<StateFormula>),
    /// Under every scheduler the probability of the paths is so bounded.
    Probability {
        /// How.
        comparison: Comparison,
        /// By what.
        bound: Rat,
        /// Of which paths.
        paths: Box<PathFormula>,
    },
}

/// True or false of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathFormula {
    /// In the next state.
    Next(StateFormula),
    /// `right` comes true (within so many steps, if given), and `left` is true until then. `F φ` is `true U φ`.
    Until {
        /// True until then.
        left: StateFormula,
        /// Comes true.
        right: StateFormula,
        /// Within so many steps.
        steps: Option<u64>,
    },
    /// True in all states (of so many steps, if given).
    Globally {
        /// What.
        always: StateFormula,
        /// For so many steps.
        steps: Option<u64>,
    },
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is it true in the initial state?
    Holds(StateFormula),
    /// The greatest probability of these paths under any scheduler.
    Greatest(PathFormula),
    /// The least.
    Least(PathFormula),
}

/// A question as the user asked it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, or its text.
    pub name: String,
    /// What is asked.
    pub query: Query,
}
