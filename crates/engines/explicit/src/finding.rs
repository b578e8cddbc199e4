//! Violations that a search finds, and the reasons why it ends without a verdict.

use suppose_control::Stopped;
use suppose_model::program::{Question, Violation};

use crate::machine::Machine;
use crate::store::{FLAGS, Full, Store};

/// Why a search ends without a verdict.
pub(crate) enum End {
    /// This engine cannot run the program.
    Unsupported(#[allow(dead_code)] String),
    Stopped(Stopped),
    /// The reduction relied on a channel having one sender or receiver, and a process created later is a second one: restart.
    Again,
}

impl From<Stopped> for End {
    fn from(stopped: Stopped) -> End {
        End::Stopped(stopped)
    }
}

impl From<Full> for End {
    fn from(_: Full) -> End {
        End::Stopped(Stopped::Memory)
    }
}

/// A violation and where it occurs: in a state, or in a step from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub(crate) question: Question,
    pub(crate) violation: Violation,
    pub(crate) state: u32,
}

/// Brings a stored state into a row of words; the length of its record.
pub(crate) fn unpack(machine: &Machine, store: &Store, id: u32, state: &mut Vec<u64>) -> u32 {
    let record = store.from(id);
    let head = record[0] & !FLAGS & !0xffff_ffff;
    let words = machine.configs[(head >> 32) as usize].words;
    let len = words - machine.hidden;
    state.clear();
    state.resize(machine.hidden, 0);
    state.extend_from_slice(&record[..len]);
    state[machine.hidden] = head;
    len as u32
}
