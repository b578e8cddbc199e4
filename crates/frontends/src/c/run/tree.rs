//! What happened in a run.

use suppose_number::Int;
use suppose_source::Span;

/// A run as nested calls; the first call is that of `main`. Calls are kept in one list, since a run may
/// go deeper than a tree can be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTree {
    /// All calls, in the order they were made.
    pub calls: Vec<Call>,
    /// Does some value leave the range of its type? Then the run is one of mathematical integers only.
    pub beyond_types: bool,
}

/// One activation of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The function's name.
    pub function: String,
    /// Where it is called; of `main`, where it is declared.
    pub span: Span,
    /// Names and values of the parameters that matter.
    pub arguments: Vec<(String, Int)>,
    /// What it did.
    pub steps: Vec<Step>,
    /// What it gave back, if it came back and the value matters.
    pub result: Option<Int>,
}

/// One thing done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: StepKind,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// A variable gets a value.
    Assign {
        /// The variable.
        variable: String,
        /// The value.
        value: Int,
    },
    /// An arbitrary value is given: by a function without body, or to a variable without a first value.
    Input {
        /// The function, if one was called.
        function: Option<String>,
        /// The variable, if it is one of the program.
        variable: Option<String>,
        /// The value.
        value: Int,
    },
    /// A condition is looked at.
    Branch(bool),
    /// A call, by its number in [`CallTree::calls`].
    Call(usize),
    /// An assertion is violated: the last thing of all.
    Violation,
}
