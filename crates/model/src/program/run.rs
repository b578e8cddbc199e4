//! Runs of programs, and what is wrong at their end.

use super::Question;

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the process (its `_pid`).
    pub process: u32,
    /// The edges taken, one after the other, by their numbers in the locations passed: one, or all those of a `d_step`.
    pub edges: Vec<u32>,
    /// Who receives in a rendezvous, and by which edge.
    pub partner: Option<(u32, u32)>,
    /// The edge the claim takes *before* this step, when a claim is asked about.
    pub claim: Option<u32>,
}

/// A run from the start of the program to something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What it refutes.
    pub question: Question,
    /// The steps. The last one fails, if the violation is a failing step.
    pub steps: Vec<Step>,
    /// Edges the claim takes after the last step (for a claim: at least the one to its end).
    pub claim: Vec<u32>,
    /// What is wrong.
    pub violation: Violation,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// An assertion is false.
    Assertion,
    /// An index is out of range.
    Index,
    /// A division by zero.
    Division,
    /// Inside `d_step` no edge can be taken.
    DStepBlocks,
    /// A rendezvous inside a `d_step`.
    DStepRendezvous,
    /// A channel is used that is none, or a message has the wrong number of fields.
    Channel,
    /// A reference to a process that is not there or is of another proctype.
    Process,
    /// More than 255 processes or channels.
    TooMany,
    /// A `d_step` that does not end.
    Endless,
    /// All stop, and one of them is not at an end.
    EndState,
    /// The claim came to its end.
    Claim,
    /// A `trace` cannot follow what was sent or received.
    Event,
    /// A `trace` or `notrace` can follow it in two ways.
    EventTwice,
    /// All events of a `notrace` came.
    EventsCame,
    /// All stop where they may, and a `trace` is not at an end.
    EventsMissing,
}

impl Violation {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Violation::Assertion => "the assertion is false",
            Violation::Index => "the index is out of range",
            Violation::Division => "division by zero",
            Violation::DStepBlocks => "nothing inside the d_step can be done",
            Violation::DStepRendezvous => "a rendezvous inside a d_step",
            Violation::Channel => "there is no such channel, or the message does not fit it",
            Violation::Process => "there is no such process",
            Violation::TooMany => "there are too many processes or channels",
            Violation::Endless => "the d_step does not end",
            Violation::EndState => "all processes stop, and not all are at an end",
            Violation::Claim => "the claim came to its end",
            Violation::Event => "the trace does not allow this message here",
            Violation::EventTwice => "the trace can follow this message in two ways",
            Violation::EventsCame => "all messages of the notrace have come",
            Violation::EventsMissing => "all processes stop, and the trace is not at an end",
        }
    }

    /// Is this about where all processes stop, and not about a step?
    pub fn is_stop(self) -> bool {
        matches!(self, Violation::EndState | Violation::EventsMissing)
    }

    /// Is this about messages that a `trace` or `notrace` speaks of?
    pub fn is_event(self) -> bool {
        matches!(
            self,
            Violation::Event
                | Violation::EventTwice
                | Violation::EventsCame
                | Violation::EventsMissing
        )
    }
}

/// What a step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<S> {
    /// Another state.
    State(S),
    /// Something wrong.
    Wrong(Violation),
}
