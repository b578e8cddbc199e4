//! Configurations: which processes and channels there are, and where they are in a state.

use super::bits::{Field, MOST_WORDS, pack, width_for};
use super::op::{Cell, shape};
use super::{Machine, Unsupported};
use std::sync::Arc;
use suppose_model::program::semantics::MOST;
use suppose_model::program::{Init, Program, Violation};

/// One set of processes, in the order of their numbers.
pub(crate) struct Config {
    /// The compiled code of each process.
    pub(crate) processes: Vec<u32>,
    pub(crate) channels: Vec<Arc<Channel>>,
    /// How many words a state has, hidden ones included.
    pub(crate) words: usize,
    /// The bit after the last.
    end: u32,
    /// Without the youngest process.
    pub(crate) parent: u32,
    /// With one more process: what it is, and the configuration then.
    children: Vec<(Child, u32)>,
}

/// A process to be made: its proctype, and the values of parameters that are compiled in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Child {
    proctype: u32,
    fixed: Option<Vec<i32>>,
}

/// What the code of a process depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    proctype: u32,
    pid: u32,
    bit: u32,
    channels: u32,
    fixed: Option<Vec<i32>>,
}

/// A configuration that has to be made before a step can be done.
#[derive(Debug)]
pub(crate) struct Need {
    pub(crate) from: u32,
    pub(crate) proctype: u32,
    pub(crate) arguments: Vec<i32>,
}

/// A channel in its place.
pub(crate) struct Channel {
    pub(crate) kind: u32,
    pub(crate) capacity: u32,
    /// None for a rendezvous.
    length: Option<Field>,
    /// Message by message.
    cells: Vec<Field>,
    pub(crate) fields: Vec<suppose_model::program::Type>,
}

impl Channel {
    #[inline(always)]
    pub(crate) fn len(&self, words: &[u64]) -> u32 {
        self.length.map_or(0, |f| f.get(words) as u32)
    }

    pub(crate) fn set_len(&self, words: &mut [u64], len: u32) {
        if let Some(field) = self.length {
            field.set(words, len as i32);
        }
    }

    #[inline(always)]
    pub(crate) fn field(&self, message: u32, field: usize) -> Field {
        self.cells[message as usize * self.fields.len() + field]
    }

    /// Lays a channel out from that bit on; also the bit after it.
    fn new(program: &Program, kind: u32, from: u32) -> Result<(Channel, u32), Unsupported> {
        let what = &program.channels[kind as usize];
        let cells = u64::from(what.capacity) * what.fields.len() as u64;
        if cells > u64::from(MOST_WORDS) {
            return Err(format!(
                "channel {} is too large for this engine",
                what.name
            ));
        }
        let mut widths = Vec::new();
        if what.capacity > 0 {
            widths.push(width_for(what.capacity));
        }
        for _ in 0..what.capacity {
            widths.extend(what.fields.iter().map(|t| shape(*t).1));
        }
        let (places, end) = pack(&widths, from);
        let mut places = places.into_iter();
        let length = match what.capacity {
            0 => None,
            _ => places
                .next()
                .map(|bit| Field::new(bit, width_for(what.capacity), false)),
        };
        let types = what.fields.iter().cycle();
        let cells = places
            .zip(types)
            .map(|(bit, ty)| Field::new(bit, shape(*ty).0, shape(*ty).2))
            .collect();
        let it = Channel {
            kind,
            capacity: what.capacity,
            length,
            cells,
            fields: what.fields.clone(),
        };
        Ok((it, end))
    }
}

impl Config {
    /// Without processes; the shared variables end at that bit.
    pub(super) fn root(words: usize, end: u32) -> Config {
        Config {
            processes: Vec::new(),
            channels: Vec::new(),
            words,
            end,
            parent: 0,
            children: Vec::new(),
        }
    }

    /// The bit after the last.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }

    #[inline(always)]
    pub(crate) fn channel(&self, number: i32) -> Result<&Channel, Violation> {
        match self.channels.get((number as usize).wrapping_sub(1)) {
            Some(channel) => Ok(channel),
            None => Err(Violation::Channel),
        }
    }

    pub(crate) fn process(&self, number: i32) -> Option<u32> {
        self.processes.get(usize::try_from(number).ok()?).copied()
    }

    /// Adds a channel; the words grow.
    pub(super) fn add_channel(&mut self, program: &Program, kind: u32) -> Result<(), Unsupported> {
        let (channel, end) = Channel::new(program, kind, self.end)?;
        self.channels.push(Arc::new(channel));
        self.grow(end)
    }

    fn grow(&mut self, end: u32) -> Result<(), Unsupported> {
        self.end = end;
        self.words = self.words.max(end.div_ceil(64) as usize);
        match self.words > MOST_WORDS as usize {
            true => Err("a state is too large for this engine".to_owned()),
            false => Ok(()),
        }
    }
}

/// So many values of parameters are compiled in for a proctype; all others are kept in the state.
const MOST_SPECIALISED: u32 = 300;

impl Machine<'_> {
    /// The parameters that nothing writes, if this proctype has any.
    fn fixed(&self, proctype: u32, arguments: &[i32]) -> Option<Vec<i32>> {
        let text = &self.program.proctypes[proctype as usize];
        let written = &self.written.locals[proctype as usize];
        let parameters = (text.parameters as usize).min(arguments.len());
        let fixed: Vec<i32> = (0..parameters)
            .filter(|p| !written[*p])
            .map(|p| text.locals[p].ty.truncate(arguments[p]))
            .collect();
        (!fixed.is_empty()).then_some(fixed)
    }

    /// The configuration with one more process, if it has been made.
    pub(crate) fn child(&self, from: u32, proctype: u32, arguments: &[i32]) -> Option<u32> {
        let fixed = self.fixed(proctype, arguments);
        let children = &self.configs[from as usize].children;
        let exact = children
            .iter()
            .find(|(c, _)| c.proctype == proctype && c.fixed == fixed);
        if exact.is_some() || fixed.is_none() {
            return exact.map(|(_, config)| *config);
        }
        // Once there are too many values, new ones are kept in the state. The list of those compiled
        // in does not grow any more then, so a state has one form only.
        if self.specialised[proctype as usize] < MOST_SPECIALISED {
            return None;
        }
        let loose = |(c, _): &&(Child, u32)| c.proctype == proctype && c.fixed.is_none();
        children.iter().find(loose).map(|(_, config)| *config)
    }

    /// Makes a configuration.
    pub(crate) fn make(&mut self, need: &Need) -> Result<u32, Unsupported> {
        if let Some(known) = self.child(need.from, need.proctype, &need.arguments) {
            return Ok(known);
        }
        let text = &self.program.proctypes[need.proctype as usize];
        let mut fixed = self.fixed(need.proctype, &need.arguments);
        if fixed.is_some() {
            let count = &mut self.specialised[need.proctype as usize];
            if *count < MOST_SPECIALISED {
                *count += 1;
            } else {
                fixed = None;
            }
        }
        let from = &self.configs[need.from as usize];
        let key = Key {
            proctype: need.proctype,
            pid: from.processes.len() as u32,
            bit: from.end,
            channels: from.channels.len() as u32,
            fixed: fixed.clone(),
        };
        let mut config = Config {
            processes: from.processes.clone(),
            channels: from.channels.clone(),
            parent: need.from,
            children: Vec::new(),
            ..*from
        };
        let (widths, kept) = self.widths(need.proctype, fixed.is_some());
        let (places, end) = pack(&widths, config.end);
        config.grow(end)?;
        let mut channels = Vec::new();
        for (slot, kind) in own_channels(text, need.arguments.len()) {
            config.add_channel(self.program, kind)?;
            channels.push((slot, config.channels.len() as i32));
        }
        let code = match self.known.get(&key) {
            Some(code) => *code,
            None => {
                let mut cells = self.cells(need.proctype, &places[1..], &kept, &channels);
                if let Some(fixed) = &fixed {
                    let mut values = fixed.iter();
                    for (slot, cell) in cells.iter_mut().enumerate() {
                        if self.is_fixed(need.proctype, slot, need.arguments.len())
                            && let Some(value) = values.next()
                        {
                            *cell = Cell::Always(*value);
                        }
                    }
                }
                let pc = Field::new(places[0], widths[0], false);
                let code = self.compile(need.proctype, key.pid, pc, cells)?;
                self.known.insert(key, code);
                code
            }
        };
        config.processes.push(code);
        if config.processes.len() > MOST {
            return Err("too many processes".to_owned());
        }
        let number = self.configs.len() as u32;
        self.configs.push(config);
        let proctype = need.proctype;
        let child = (Child { proctype, fixed }, number);
        self.configs[need.from as usize].children.push(child);
        Ok(number)
    }

    fn is_fixed(&self, proctype: u32, slot: usize, arguments: usize) -> bool {
        let text = &self.program.proctypes[proctype as usize];
        slot < text.parameters as usize
            && slot < arguments
            && !self.written.locals[proctype as usize][slot]
    }

    /// The widths of what a process keeps in the state: its location, then some variables, which
    /// are also listed.
    fn widths(&self, proctype: u32, fixed: bool) -> (Vec<u32>, Vec<usize>) {
        let text = &self.program.proctypes[proctype as usize];
        let written = &self.written.locals[proctype as usize];
        let mut widths = vec![width_for(text.locations.len().saturating_sub(1) as u32)];
        let mut kept = Vec::new();
        for (slot, what) in text.locals.iter().enumerate() {
            let parameter = slot < text.parameters as usize;
            if written[slot] || parameter && !fixed {
                widths.push(shape(what.ty).1);
                kept.push(slot);
            }
        }
        (widths, kept)
    }

    fn cells(
        &self,
        proctype: u32,
        places: &[u32],
        kept: &[usize],
        channels: &[(usize, i32)],
    ) -> Vec<Cell> {
        let text = &self.program.proctypes[proctype as usize];
        let always = |slot: &suppose_model::program::Slot| match slot.init {
            Init::Value(value) => Cell::Always(slot.ty.truncate(value)),
            _ => Cell::Always(0),
        };
        let mut cells: Vec<Cell> = text.locals.iter().map(always).collect();
        for (slot, number) in channels {
            cells[*slot] = Cell::Always(*number);
        }
        for (slot, bit) in kept.iter().zip(places) {
            let (bits, _, signed) = shape(text.locals[*slot].ty);
            cells[*slot] = Cell::Field(Field::new(*bit, bits, signed));
        }
        cells
    }
}

/// The channels a process makes for itself: the slot and the kind of each.
pub(super) fn own_channels(
    text: &suppose_model::program::Proctype,
    arguments: usize,
) -> impl Iterator<Item = (usize, u32)> {
    let given = (text.parameters as usize).min(arguments);
    let slots = text.locals.iter().enumerate().skip(given);
    slots.filter_map(|(slot, what)| match what.init {
        Init::Channel(kind) => Some((slot, kind)),
        _ => None,
    })
}
