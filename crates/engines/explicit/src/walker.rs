//! What one worker needs to expand states: sequential and parallel searches follow steps in the same way.

use crate::expand::{Expander, Halt};
use crate::finding::{End, unpack};
use crate::machine::Machine;
use crate::store::{NONE, STUTTER, States, Store, hash};
use crate::symmetry::{Exchange, Orbits};
use crate::trace::claim_moves;
use suppose_control::Context;
use suppose_model::program::Violation;

/// The context is asked after so many expanded states.
pub(crate) const ASK_EVERY: u64 = 128;

/// Makes room for so many more states, if there is memory.
pub(crate) fn make_room(store: &mut Store, more: usize, cx: &Context) -> Result<(), End> {
    while let Some(bytes) = store.growth(more) {
        cx.reserve(bytes)?;
        store.grow();
    }
    Ok(())
}

/// Where successors under a claim go.
pub(crate) trait Sink {
    /// A successor, which may be known.
    fn add(&mut self, record: &[u64], hash: u64, flags: u64) -> Result<(), End>;

    /// The claim is violated here, or cannot be evaluated.
    fn claim_violated(&mut self, violation: Violation);
}

/// Expands one state after the other.
pub(crate) struct Walker {
    pub(crate) expander: Expander,
    /// The state that is expanded.
    pub(crate) state: Vec<u64>,
    successor: Vec<u64>,
    moves: Vec<(u32, u32)>,
    orbits: Option<Orbits>,
}

impl Walker {
    pub(crate) fn new(exchange: Option<&Exchange>) -> Walker {
        Walker {
            expander: Expander::new(false),
            state: Vec::new(),
            successor: Vec::new(),
            moves: Vec::new(),
            orbits: exchange.map(Orbits::new),
        }
    }

    /// Brings a stored state into [`Walker::state`]; the length of its record.
    pub(crate) fn load(&mut self, machine: &Machine, states: &impl States, id: u32) -> u32 {
        unpack(machine, states, id, &mut self.state)
    }

    /// Fills the expander; whether there is any step, and whether one process was followed alone because of who uses its channels.
    /// `is_open` says of a state that it is not expanded yet.
    pub(crate) fn successors(
        &mut self,
        machine: &Machine,
        cx: &Context,
        is_open: impl Fn(&[u64], u64) -> bool,
    ) -> Result<(bool, bool), Halt> {
        if machine.options.reduction
            && let Some(messages) = self.reduced(machine, cx, is_open)?
        {
            return Ok((true, messages));
        }
        self.expander.clear();
        let any = self.expander.all(machine, &self.state, cx)?;
        self.represent(machine);
        Ok((any, false))
    }

    /// Replaces successors by representatives of their orbits, if processes can be exchanged.
    fn represent(&mut self, machine: &Machine) {
        if let Some(orbits) = &mut self.orbits {
            orbits.represent(machine, &mut self.expander);
        }
    }

    /// Tries to follow one process only. That is sound when no other process can notice or hinder its
    /// steps, and when one of them leads to a state that is not yet expanded: else a loop could put the
    /// others off for ever.
    fn reduced(
        &mut self,
        machine: &Machine,
        cx: &Context,
        is_open: impl Fn(&[u64], u64) -> bool,
    ) -> Result<Option<bool>, Halt> {
        let mut first = 0;
        while let Some((one, messages)) = self.expander.alone(machine, &self.state, first, cx)? {
            self.represent(machine);
            let words = &self.expander.words;
            let mut items = self.expander.items.iter();
            if items.any(|i| is_open(&words[i.start as usize..i.end as usize], i.hash)) {
                return Ok(Some(messages));
            }
            first = one + 1;
        }
        Ok(None)
    }

    /// The successors with each move of the claim. SPIN's way of counting is kept: where the system
    /// stops, the claim moves once in its turn and once more in place of the system. After that (`alone`) only the system may move.
    pub(crate) fn under_claim(
        &mut self,
        machine: &Machine,
        cx: &Context,
        any: bool,
        alone: bool,
        sink: &mut impl Sink,
    ) -> Result<(), End> {
        let Some(claim) = &machine.claim else {
            return Ok(());
        };
        let at = claim.at.get(&self.state) as u32;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        if alone {
            moves.push((NONE, at));
        } else {
            let wrong = claim_moves(machine, &self.state, at, cx, &mut moves);
            wrong.into_iter().for_each(|w| sink.claim_violated(w));
        }
        for (_, target) in &moves {
            if !alone && *target == claim.end {
                sink.claim_violated(Violation::Claim);
            } else if any {
                self.add_under(machine, *target, sink)?;
            } else {
                self.add_still(machine, cx, *target, sink)?;
            }
        }
        self.moves = moves;
        Ok(())
    }

    fn add_under(
        &mut self,
        machine: &Machine,
        target: u32,
        sink: &mut impl Sink,
    ) -> Result<(), End> {
        for number in 0..self.expander.items.len() {
            let expander = &self.expander;
            expander.fill(machine, number, Some(target), &mut self.successor);
            let record = &self.successor[machine.hidden..];
            sink.add(record, hash(record), 0)?;
        }
        Ok(())
    }

    /// The system stands still, and the claim moves on from that place.
    fn add_still(
        &mut self,
        machine: &Machine,
        cx: &Context,
        from: u32,
        sink: &mut impl Sink,
    ) -> Result<(), End> {
        let Some(claim) = &machine.claim else {
            return Ok(());
        };
        let mut moves = Vec::new();
        let wrong = claim_moves(machine, &self.state, from, cx, &mut moves);
        wrong.into_iter().for_each(|w| sink.claim_violated(w));
        for (_, target) in moves {
            if target == claim.end {
                sink.claim_violated(Violation::Claim);
                continue;
            }
            self.successor.clone_from(&self.state);
            claim.at.set(&mut self.successor, target as i32);
            let record = &self.successor[machine.hidden..];
            sink.add(record, hash(record), STUTTER)?;
        }
        Ok(())
    }
}
