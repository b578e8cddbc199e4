//! Programs whose processes of one proctype can be exchanged.
//!
//! The processes begin alike. Their numbers are only stored, passed on, compared with each other and used as indices of arrays that
//! have an element for each of them; so a permutation of these processes, applied to all numbers that a state holds, maps runs
//! to runs. Programs often count processes from 1, so that 0 means no process: a variable may hold a number with a constant added.
//!
//! [`Symmetry`] says which variables hold such numbers. [`infer()`] finds it by a look at the text; `certify` tests it in its own way.

mod infer;
mod strict;

pub use infer::{InferredSymmetry, infer};

use super::views::Shared;
use super::{Action, Program};

/// Processes that can be exchanged, and where their numbers are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Their proctype.
    pub proctype: u32,
    /// The number of the first.
    pub first: u32,
    /// How many there are; their numbers are consecutive.
    pub count: u32,
    /// For each shared variable that holds numbers of processes: what is added to them.
    pub globals: Vec<Option<i32>>,
    /// The same for the variables of each proctype.
    pub locals: Vec<Vec<Option<i32>>>,
    /// The same for the fields of messages, by kind of channel.
    pub fields: Vec<Vec<Option<i32>>>,
}

impl Symmetry {
    /// Is this the place of one of them?
    pub fn includes(&self, place: u32) -> bool {
        (self.first..self.first + self.count).contains(&place)
    }

    /// The process whose number a value is, if it can be exchanged.
    pub fn process(&self, value: i32, added: i32) -> Option<u32> {
        let place = u32::try_from(value.checked_sub(added)?).ok()?;
        self.includes(place).then_some(place)
    }

    /// Replaces the number in a value.
    pub fn rename(&self, value: &mut i32, added: i32, name: &mut dyn FnMut(u32) -> u32) {
        if let Some(place) = self.process(*value, added) {
            *value = name(place) as i32 + added;
        }
    }

    /// Replaces the numbers in the messages of a shared state.
    pub(super) fn rename_messages(&self, shared: &mut Shared, name: &mut dyn FnMut(u32) -> u32) {
        for channel in &mut shared.channels {
            let fields = &self.fields[channel.kind as usize];
            for message in &mut channel.messages {
                for (value, added) in message.iter_mut().zip(fields) {
                    if let Some(added) = added {
                        self.rename(value, *added, name);
                    }
                }
            }
        }
    }

    /// The program with so many of them, in which nobody dies: a process at its end stays there. Nobody can tell, where
    /// processes are neither made nor counted nor looked at.
    pub fn reduced(&self, program: &Program, count: u32) -> Program {
        let mut program = program.clone();
        let gone = (self.first + count) as usize..(self.first + self.count) as usize;
        program.start.drain(gone);
        for text in &mut program.proctypes {
            for location in &mut text.locations {
                location.edges.retain(|e| e.action != Action::End);
            }
        }
        program
    }
}
