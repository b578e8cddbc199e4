//! Runs of programs, and the violations at their ends.

use super::Question;

/// So many edges of a `d_step` are written down in a run. The others follow from the first one, as a `d_step` has no choice.
pub const NOTED_EDGES: usize = 200;

/// One step of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceStep {
    /// The number of the process (its `_pid`).
    pub process: u32,
    /// The edges taken, one after the other, by their numbers in the locations passed: one, or those of a `d_step`.
    pub edges: Vec<u32>,
    /// Who receives in a rendezvous, and by which edge.
    pub partner: Option<(u32, u32)>,
    /// The edges that the partner takes after that one, where it receives into a `d_step`.
    pub rest: Vec<u32>,
    /// How many edges of a `d_step` are left out above, because it has more than [`NOTED_EDGES`].
    pub more: u64,
    /// The edge the claim takes *before* this step, when a claim is asked about.
    pub claim: Option<u32>,
}

impl TraceStep {
    /// Notes an edge of a `d_step`: one of the partner's, if there is a partner.
    pub fn note(&mut self, edge: u32) {
        let list = match self.partner {
            Some(_) => &mut self.rest,
            None => &mut self.edges,
        };
        match list.len() < NOTED_EDGES {
            true => list.push(edge),
            false => self.more += 1,
        }
    }

    /// Are two steps the same, regardless of the step of the claim?
    pub fn is_like(&self, other: &TraceStep) -> bool {
        self.begins_like(other)
            && self.edges == other.edges
            && self.rest == other.rest
            && self.more == other.more
    }

    /// Do two steps take the same way as far as both are noted? Of a `d_step` that does not end, any part may be.
    pub fn begins_like(&self, other: &TraceStep) -> bool {
        let alike = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(a, b)| a == b);
        self.process == other.process
            && self.partner == other.partner
            && self.edges.first() == other.edges.first()
            && alike(&self.edges, &other.edges)
            && alike(&self.rest, &other.rest)
    }
}

/// A run from the start of the program to something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The claim that it refutes.
    pub question: Question,
    /// The steps. The last one fails, if the violation is a failing step.
    pub steps: Vec<TraceStep>,
    /// Edges the claim takes after the last step: for a claim at least the one to its end, unless examining the
    /// state goes wrong behind them.
    pub claim: Vec<u32>,
    /// The violation at the end of the run.
    pub violation: Violation,
    /// The part that repeats, for [`Violation::Cycle`].
    pub cycle: Option<Cycle>,
}

/// The cycle of an infinite run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The steps from this one on repeat. If it is the number of steps, the system stops there, and only the claim takes steps.
    pub step: usize,
    /// Where the system stops, the claim's moves from this one of [`Trace::claim`] on repeat.
    pub claim: usize,
    /// Is the run weakly fair, because only fair runs were asked about?
    pub fair: bool,
}

/// The kinds of violations.
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
    /// A send in a `d_step` to a channel that holds no messages.
    DStepRendezvous,
    /// A channel is used that is none, or a message has the wrong number of fields.
    Channel,
    /// A reference to a process that is not there or is of another proctype.
    Process,
    /// More than 255 processes or channels.
    TooMany,
    /// A `d_step` that does not end: it comes back to a state that it has passed.
    Endless,
    /// Another process has the channel for itself (`xr`, `xs`).
    Promise,
    /// All stop, and one of them is not at an end.
    EndState,
    /// The claim came to its end.
    Claim,
    /// An infinite run violates the claim.
    Cycle,
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
    /// For display only.
    pub fn words(self) -> &'static str {
        match self {
            Violation::Assertion => "the assertion is false",
            Violation::Index => "the index is out of range",
            Violation::Division => "division by zero",
            Violation::DStepBlocks => "nothing inside the d_step can be done",
            Violation::DStepRendezvous => "a d_step cannot offer a rendezvous",
            Violation::Channel => "there is no such channel, or the message does not fit it",
            Violation::Process => "there is no such process",
            Violation::TooMany => "there are too many processes or channels",
            Violation::Endless => "the d_step does not end",
            Violation::Promise => "another process has this channel for itself (xr or xs)",
            Violation::EndState => "all processes stop, and not all are at an end",
            Violation::Claim => "the claim came to its end",
            Violation::Cycle => "the run repeats for ever what is not allowed",
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

    /// Is this about messages that a `trace` or `notrace` mentions?
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
pub enum StepResult<S> {
    /// Another state.
    State(S),
    /// Something wrong.
    Wrong(Violation),
    /// A `d_step` that has not ended after [`super::semantics::LONGEST_D_STEP`] edges. It may end, or not.
    Unfinished,
}
