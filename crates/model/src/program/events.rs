//! Claims on the order of messages: `trace` and `notrace`.
//!
//! The automaton observes only what is sent to and received from the channels that it names. Sends to a channel
//! count if it names a send to it anywhere, receives if it names a receive. An event is a message that
//! has really been sent or received; in a rendezvous the send comes first. Looking at a message without taking it is none.

use super::{Expr, Violation};

/// The automaton of a `trace` or `notrace`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// A `notrace`: it is violated when the automaton comes to its end, and permanently satisfied by an event that it cannot
    /// follow. A `trace` is violated by such an event, and when the processes stop while the automaton must continue.
    pub forbidden: bool,
    /// The places of the automaton.
    pub places: Vec<EventPlace>,
}

/// A place of the automaton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventPlace {
    /// The events that it can follow.
    pub ways: Vec<Event>,
    /// May the processes stop here? It is the end, or has an `end` label.
    pub rest: bool,
}

/// An event that the automaton can follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The channel, by shared variables and constants only.
    pub channel: Expr,
    /// Is it sent, or received?
    pub sent: bool,
    /// The values of the first fields; none for any.
    pub fields: Vec<Option<i32>>,
    /// The target.
    pub target: u32,
}

impl Event {
    /// Has a message of the right channel the right values?
    pub fn fits(&self, message: &[i32]) -> bool {
        self.fields.len() <= message.len()
            && self
                .fields
                .iter()
                .zip(message)
                .all(|(want, value)| want.is_none_or(|want| want == *value))
    }
}

impl Events {
    /// All events that it names.
    pub fn named(&self) -> impl Iterator<Item = &Event> {
        self.places.iter().flat_map(|place| &place.ways)
    }

    /// Where the automaton goes, given the targets that match, in their order, or the violation.
    pub fn choose(&self, fitting: &[u32], end: u32) -> Result<u32, Violation> {
        match fitting {
            [first, ..] if self.forbidden && *first == end => Err(Violation::EventsCame),
            [only] => Ok(*only),
            [] if self.forbidden => Ok(end),
            [] => Err(Violation::Event),
            _ => Err(Violation::EventTwice),
        }
    }
}
