//! What a `trace` or `notrace` sees of a step.

use super::State;
use crate::program::{Event, Events, Program, Violation};

impl State {
    /// Lets the claim of that number run along, if it is one on messages.
    pub(super) fn watch(&mut self, program: &Program, claim: usize) {
        if let Some(it) = program.claims.get(claim)
            && it.events.is_some()
        {
            self.events = u32::try_from(claim).ok().map(|claim| (claim, it.entry));
        }
    }

    /// A message has been sent or received: the claim that runs along sees it.
    pub(super) fn event(
        &mut self,
        program: &Program,
        channel: i32,
        sent: bool,
        message: &[i32],
    ) -> Result<(), Violation> {
        let Some((claim, at)) = self.events else {
            return Ok(());
        };
        let text = &program.claims[claim as usize];
        let Some(events) = &text.events else {
            return Ok(());
        };
        let meant = |event: &&Event| {
            let named = self.eval(program, None, false, &event.channel);
            event.sent == sent && named == Ok(channel)
        };
        let done = events.forbidden && at == text.end;
        if done || !events.named().any(|event| meant(&event)) {
            return Ok(());
        }
        let ways = events.places[at as usize].ways.iter().filter(meant);
        let mut fitting = ways.filter(|event| {
            let mut fields = event.fields.iter().enumerate();
            fields.all(|(at, want)| match (want, message.get(at)) {
                (Some(want), Some(value)) => want == value,
                (None, Some(_)) => true,
                (_, None) => false,
            })
        });
        let target = match (fitting.next().map(|e| e.target), fitting.next()) {
            (Some(first), _) if events.forbidden && first == text.end => {
                return Err(Violation::EventsCame);
            }
            (Some(only), None) => only,
            (Some(_), Some(_)) => return Err(Violation::EventTwice),
            (None, _) if events.forbidden => text.end,
            (None, _) => return Err(Violation::Event),
        };
        self.events = Some((claim, target));
        Ok(())
    }

    /// Both sides of a rendezvous, the send first.
    pub(super) fn exchange(
        &mut self,
        program: &Program,
        message: &(i32, Vec<i32>),
    ) -> Result<(), Violation> {
        self.event(program, message.0, true, &message.1)?;
        self.event(program, message.0, false, &message.1)
    }

    /// Is this, where all processes stop, too early for the `trace` that runs along? As in SPIN, that is a question only
    /// where processes are left, and all of them may rest.
    pub fn misses_events(&self, program: &Program) -> bool {
        let events = |(claim, at): (u32, u32)| {
            let events = program.claims[claim as usize].events.as_ref()?;
            Some((events, at))
        };
        let waits =
            |(events, at): (&Events, u32)| !events.forbidden && !events.places[at as usize].rest;
        self.events.and_then(events).is_some_and(waits)
            && !self.processes.is_empty()
            && self.is_valid_end(program)
    }
}
