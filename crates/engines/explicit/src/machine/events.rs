//! The compiled monitor of a `trace` or `notrace`.

use super::bits::Field;
use super::compile::NOBODY;
use super::op::Value;
use super::{Config, Machine, Unsupported, Work};
use suppose_model::program::{Event, Question, Violation};

/// A claim on messages.
pub(super) struct EventsCode {
    /// Where the automaton is.
    pub(super) at: Field,
    /// The channels of all events, in the order of the places and of their ways.
    channels: Vec<Value>,
    /// Where the channels of each place begin.
    first: Vec<u32>,
}

impl EventsCode {
    pub(super) fn new(at: Field) -> EventsCode {
        EventsCode {
            at,
            channels: Vec::new(),
            first: Vec::new(),
        }
    }
}

impl Machine<'_> {
    pub(super) fn compile_events(&mut self, number: usize) -> Result<(), Unsupported> {
        let Some(text) = &self.program.claims[number].events else {
            return Ok(());
        };
        let mut channels = Vec::new();
        let mut first = Vec::new();
        for place in &text.places {
            first.push(channels.len() as u32);
            for event in &place.ways {
                channels.push(self.value(NOBODY, &event.channel)?);
            }
        }
        if let Some(events) = &mut self.events {
            events.channels = channels;
            events.first = first;
        }
        Ok(())
    }

    /// [`Work::message`] has been sent or received, on [`Work::next`].
    #[inline(always)]
    pub(super) fn event(
        &self,
        config: &Config,
        channel: i32,
        sent: bool,
        work: &mut Work,
    ) -> Result<(), Violation> {
        match &self.events {
            None => Ok(()),
            Some(events) => self.follow(events, config, channel, sent, work),
        }
    }

    #[cold]
    fn follow(
        &self,
        events: &EventsCode,
        config: &Config,
        channel: i32,
        sent: bool,
        work: &mut Work,
    ) -> Result<(), Violation> {
        let Some(text) = self.options.claim.map(|n| &self.program.claims[n]) else {
            return Ok(());
        };
        let Some(automaton) = &text.events else {
            return Ok(());
        };
        let at = events.at.get(&work.next) as usize;
        if automaton.forbidden && at == text.end as usize {
            return Ok(());
        }
        let meant = |event: &Event, code: &Value| {
            event.sent == sent && self.eval(&work.next, config, false, *code) == Ok(channel)
        };
        let mut all = automaton.named().zip(&events.channels);
        if !all.any(|(event, code)| meant(event, code)) {
            return Ok(());
        }
        let codes = &events.channels[events.first[at] as usize..];
        let ways = automaton.places[at].ways.iter().zip(codes);
        let fitting: Vec<u32> = ways
            .filter(|(event, code)| meant(event, code) && event.fits(&work.message))
            .map(|(event, _)| event.target)
            .collect();
        let target = automaton.choose(&fitting, text.end)?;
        events.at.set(&mut work.next, target as i32);
        Ok(())
    }

    /// Both sides of a rendezvous with the message in [`Work::message`], the send first.
    pub(crate) fn exchanged(
        &self,
        config: &Config,
        channel: i32,
        work: &mut Work,
    ) -> Result<(), Violation> {
        self.event(config, channel, true, work)?;
        self.event(config, channel, false, work)
    }

    /// What is wrong with a state from which there is no step.
    pub(crate) fn stopped(&self, state: &[u64]) -> Option<Violation> {
        if !self.rests(state) {
            return Some(Violation::EndState);
        }
        let events = self.events.as_ref()?;
        let text = self.program.claims[self.options.claim?].events.as_ref()?;
        let place = &text.places[events.at.get(state) as usize];
        let left = !self.config(state).processes.is_empty();
        (left && !text.forbidden && !place.rest).then_some(Violation::EventsMissing)
    }

    /// What is refuted when this goes wrong.
    pub(crate) fn blame(&self, violation: Violation) -> Question {
        match self.options.claim {
            _ if violation == Violation::EndState => Question::EndStates,
            Some(claim) if violation.is_event() => Question::Claim(claim),
            _ => Question::Assertions,
        }
    }
}
