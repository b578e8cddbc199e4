//! Answers about programs.

use super::{Question, Trace};
use crate::answer::answered;
use crate::{Certificate, Run};

/// A question, its verdict, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub claim: Question,
    /// Which engine answered.
    pub engine: String,
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub run: Run,
    /// More about a search of all states.
    pub search: Option<Search>,
}

/// The verdict on a question, with a run of the program as counterexample.
pub type Verdict = crate::Verdict<Proof, Trace>;

/// Why a question has the answer that it holds.
#[derive(Clone, Debug)]
pub enum Proof {
    /// All states were searched.
    Exhaustive,
    /// No statement of the program can fail, whatever the state.
    CannotFail,
    /// It holds of the program's parts together, and so of the program.
    Compositional(Box<Certificate>),
}

/// What a search of all states did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The longest distance from the start, or the longest stack.
    pub depth: u64,
    /// Bytes for states.
    pub memory: u64,
    /// The order and the reductions, for people.
    pub how: String,
}

answered!(Answer, Question);
