//! Answers about programs.

use super::semantics::State;
use super::views::Interference;
use super::{Question, Trace, ViewProof, Visited};
use crate::answer::answered;
use crate::{Certificate, Run};

/// A question, its verdict, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The claim that was checked.
    pub claim: Question,
    /// The name of the engine that gave the answer.
    pub engine: String,
    /// The verdict, with its evidence or the reason why there is none.
    pub verdict: Verdict,
    /// Statistics of the run.
    pub run: Run,
    /// More about a search of all states.
    pub search: Option<Search>,
}

/// The verdict on a question, with a run of the program as counterexample.
pub type Verdict = crate::Verdict<Proof, Trace>;

/// Why a question has the answer that it holds.
#[derive(Clone, Debug)]
pub enum Proof {
    /// All states were searched. With the states, where they were listed.
    Exhaustive(Option<Visited>),
    /// No statement of the program can fail, whatever the state.
    CannotFail,
    /// It holds of the program's parts together, and so of the program.
    Compositional(Box<Certificate>),
    /// No infinite run violates it: all states were searched for cycles. With the numbers that show it, where they were made.
    NoCycle(Option<Box<LiveProof>>),
    /// It holds of all joins of views of two processes, and so of the program. What the processes do to each other is read
    /// off the views when these are checked.
    Views(Box<ViewProof>, Interference),
}

/// Numbers for all states that show that no infinite run violates a question.
///
/// Acceptance set 0 holds the steps from states where the claim (or, without one, a process) is at an `accept` label; it does not
/// exist for [`Question::Progress`]. Under fairness, set `1 + p` holds the steps of process `p` and all steps from states where
/// it can do nothing. Numbers never rise along a step, and a step between states of one number is not in the set that this
/// number has in [`LiveProof::missed`]. For [`Question::Progress`] this is only about states without a `progress` label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveProof {
    /// The question.
    pub question: Question,
    /// Is it about weakly fair runs only?
    pub fair: bool,
    /// All states outside of atomic sequences.
    pub states: Vec<RankedState>,
    /// For each number, the acceptance set that no step between states of that number is in. None if there is no such step.
    pub missed: Vec<Option<u8>>,
}

/// A state with the place of the claim, and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedState {
    /// The state of the program.
    pub state: State,
    /// Where the claim is; for a formula, in the automaton of the checker.
    pub claim: u32,
    /// Its number.
    pub number: u32,
}

/// What a search of all states did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The longest distance from the start, or the longest stack.
    pub depth: u64,
    /// Bytes for states.
    pub memory: u64,
    /// The search order and the reductions, as shown in reports.
    pub how: String,
    /// Was it about weakly fair runs only?
    pub fair: bool,
}

answered!(Answer, Question);
