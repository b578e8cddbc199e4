//! Which messages a step sends and takes, seen from the channels before and after it.

use std::collections::BTreeMap;

use suppose_model::program::semantics::State;
use suppose_model::program::{Action, Edge, Program};

use super::names;

/// A message in a row of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// What happens to it.
    pub kind: Kind,
    /// The channel's name.
    pub channel: String,
    /// Its values.
    pub text: String,
}

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is put into a channel.
    Sent,
    /// It is taken from a channel; the row that sent it, if known.
    Received(Option<usize>),
    /// It goes to the process of that number at once.
    Handed(usize),
}

impl Message {
    /// `q!1,red` or `q?1,red`.
    pub fn label(&self) -> String {
        let sign = match self.kind {
            Kind::Received(_) => '?',
            Kind::Sent | Kind::Handed(_) => '!',
        };
        format!("{}{sign}{}", self.channel, self.text)
    }
}

/// Knows for every message in a channel which row sent it.
#[derive(Default)]
pub(super) struct Tracker {
    /// By channel, in the order of its messages.
    senders: BTreeMap<usize, Vec<Option<usize>>>,
}

impl Tracker {
    /// What the only edge of a step, done in that row, did to the channels.
    pub fn step(
        &mut self,
        program: &Program,
        row: usize,
        edge: &Edge,
        before: &State,
        after: &State,
    ) -> Option<Message> {
        let mut found = None;
        let common = before.channels.len().min(after.channels.len());
        for at in 0..common {
            let (old, new) = (&before.channels[at].messages, &after.channels[at].messages);
            let place = || old.iter().zip(new).take_while(|(a, b)| a == b).count();
            let name = || names::channel(program, before, at);
            let kind = before.channels[at].kind;
            if new.len() == old.len() + 1 && matches!(edge.action, Action::Send { .. }) {
                let senders = self.senders.entry(at).or_default();
                senders.resize(old.len(), None);
                senders.insert(place(), Some(row));
                found = Some(Message {
                    kind: Kind::Sent,
                    channel: name(),
                    text: names::message(program, after, kind, &new[place()]),
                });
            } else if new.len() + 1 == old.len() && matches!(edge.action, Action::Receive { .. }) {
                let senders = self.senders.entry(at).or_default();
                senders.resize(old.len(), None);
                let sender = senders.remove(place());
                found = Some(Message {
                    kind: Kind::Received(sender),
                    channel: name(),
                    text: names::message(program, before, kind, &old[place()]),
                });
            } else if old != new {
                self.senders.remove(&at);
            }
        }
        self.senders.retain(|at, _| *at < after.channels.len());
        found
    }

    /// After a step of several edges, only unchanged channels are still known.
    pub fn skip(&mut self, before: &State, after: &State) {
        let messages = |s: &State, at: usize| s.channels.get(at).map(|c| c.messages.clone());
        self.senders
            .retain(|at, _| messages(before, *at) == messages(after, *at));
    }
}

/// The message of a rendezvous.
pub(super) fn handed(
    program: &Program,
    edge: &Edge,
    state: &State,
    sender: usize,
    receiver: usize,
) -> Option<Message> {
    let Action::Send {
        channel, values, ..
    } = &edge.action
    else {
        return None;
    };
    let eval = |e| state.eval(program, Some(sender), false, e).ok();
    let at = usize::try_from(eval(channel)?).ok()?.checked_sub(1)?;
    let kind = state.channels.get(at)?.kind;
    let fields = &program.channels.get(kind as usize)?.fields;
    let values: Option<Vec<i32>> = values.iter().map(eval).collect();
    let values: Vec<i32> = values?
        .into_iter()
        .zip(fields)
        .map(|(v, field)| field.truncate(v))
        .collect();
    Some(Message {
        kind: Kind::Handed(receiver),
        channel: names::channel(program, state, at),
        text: names::message(program, state, kind, &values),
    })
}
