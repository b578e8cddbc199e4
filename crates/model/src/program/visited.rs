//! All states of a program, as bytes.
//!
//! A state is packed into the numbers that it consists of, each zigzag-coded with seven bits a byte. The program says how many
//! variables and fields there are, so packing needs no marks between them, and no two states are packed alike.

use std::sync::Arc;

use super::semantics::{Channel, MOST, Process, State};
use super::{Program, Question};

/// All states that a search visited, outside of atomic sequences, as evidence that nothing is wrong in any of them: the first
/// state is one of them, and so is every state that a step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    /// What it is about.
    pub question: Question,
    /// The packed states. Questions that share a search share them.
    pub states: Arc<Records>,
}

/// A list of rows of bytes in one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Records {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes that the rows take in memory.
    pub fn size(&self) -> u64 {
        (self.bytes.capacity() + self.ends.capacity() * 8) as u64
    }

    /// A row by number.
    #[inline]
    pub fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// The last row; nothing if there is none.
    pub fn last(&self) -> &[u8] {
        match self.len() {
            0 => &[],
            count => self.get(count - 1),
        }
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Adds a row that `fill` appends.
    pub fn push_with(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        fill(&mut self.bytes);
        self.ends.push(self.bytes.len() as u64);
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[u8]) {
        self.push_with(|bytes| bytes.extend_from_slice(row));
    }
}

/// Appends a number.
#[inline]
pub fn pack_number(value: i32, to: &mut Vec<u8>) {
    let mut rest = (value << 1 ^ value >> 31) as u32;
    while rest >= 0x80 {
        to.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    to.push(rest as u8);
}

/// Appends a state outside of atomic sequences, with the place of the claim that runs along (on states or on messages; 0 without one).
pub fn pack(state: &State, claim: u32, to: &mut Vec<u8>) {
    let mut put = |value: i32| pack_number(value, to);
    put(state.events.map_or(claim, |(_, at)| at) as i32);
    put(state.last as i32);
    state.globals.iter().for_each(|value| put(*value));
    put(state.processes.len() as i32);
    for process in &state.processes {
        put(process.proctype as i32);
        put(process.location as i32);
        put(i32::from(process.priority));
        process.locals.iter().for_each(|value| put(*value));
    }
    put(state.channels.len() as i32);
    for channel in &state.channels {
        put(channel.kind as i32);
        put(channel.owner.map_or(0, |owner| owner as i32 + 1));
        put(channel.messages.len() as i32);
        channel
            .messages
            .iter()
            .flatten()
            .for_each(|value| put(*value));
    }
}

/// The state that a question is about, and the place of the claim. None if these bytes are no state of the program.
pub fn unpack(program: &Program, question: Question, from: &[u8]) -> Option<(State, u32)> {
    let mut from = Numbers { from };
    let at = from.unsigned()?;
    let claim = match question {
        Question::Claim(number) => Some((u32::try_from(number).ok()?, program.claims.get(number)?)),
        _ => None,
    };
    let events = claim.and_then(|(number, it)| it.events.as_ref().map(|e| (number, it.end, e)));
    if let Some((_, end, events)) = events {
        // A `notrace` that is satisfied for good stays at its end, which need not be a place.
        let is_place = (at as usize) < events.places.len();
        (is_place || events.forbidden && at == end).then_some(())?;
    }
    let events = events.map(|(number, ..)| (number, at));
    let last = from.unsigned()?;
    let globals = from.many(program.globals.len())?;
    let count = from.below(MOST + 1)?;
    let mut processes = Vec::with_capacity(count);
    for _ in 0..count {
        let proctype = from.below(program.proctypes.len())?;
        let text = &program.proctypes[proctype];
        processes.push(Process {
            proctype: proctype as u32,
            location: from.below(text.locations.len())? as u32,
            priority: from.below(256)? as u8,
            locals: from.many(text.locals.len())?,
        });
    }
    let count = from.below(MOST + 1)?;
    let mut channels = Vec::with_capacity(count);
    for _ in 0..count {
        let kind = from.below(program.channels.len())?;
        let what = &program.channels[kind];
        let owner = from.below(MOST + 1)?.checked_sub(1);
        let count = from.below(what.capacity as usize + 1)?;
        let messages = (0..count).map(|_| from.many(what.fields.len()));
        channels.push(Channel {
            kind: kind as u32,
            owner: owner.map(|owner| owner as u32),
            messages: messages.collect::<Option<_>>()?,
        });
    }
    let state = State {
        globals,
        processes,
        channels,
        last,
        alone: None,
        events,
        lenient: question == Question::EndStates,
        asking: Vec::new(),
    };
    let claim = if events.is_some() { 0 } else { at };
    from.from.is_empty().then_some((state, claim))
}

struct Numbers<'a> {
    from: &'a [u8],
}

impl Numbers<'_> {
    fn next(&mut self) -> Option<i32> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let (first, rest) = self.from.split_first()?;
            self.from = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                let value = u32::try_from(value).ok()?;
                return Some((value >> 1) as i32 ^ -((value & 1) as i32));
            }
        }
        None
    }

    fn unsigned(&mut self) -> Option<u32> {
        u32::try_from(self.next()?).ok()
    }

    fn below(&mut self, limit: usize) -> Option<usize> {
        let number = usize::try_from(self.next()?).ok()?;
        (number < limit).then_some(number)
    }

    fn many(&mut self, count: usize) -> Option<Vec<i32>> {
        // Not more than there are bytes, however many the program says there must be.
        if count > self.from.len() {
            return None;
        }
        (0..count).map(|_| self.next()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for value in [
            0,
            1,
            -1,
            63,
            64,
            -64,
            -65,
            8191,
            1 << 20,
            i32::MAX,
            i32::MIN,
        ] {
            let mut bytes = Vec::new();
            pack_number(value, &mut bytes);
            let mut numbers = Numbers { from: &bytes };
            assert_eq!(numbers.next(), Some(value));
            assert!(numbers.from.is_empty());
            let mut short = Numbers { from: &bytes[1..] };
            assert!(bytes.len() == 1 && short.next().is_none() || short.next() != Some(value));
        }
        let mut long = Numbers { from: &[0xff; 8] };
        assert_eq!(long.next(), None);
    }
}
