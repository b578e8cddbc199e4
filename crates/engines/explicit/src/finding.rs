//! Violations that a search finds, and the reasons why it ends without a verdict.

use suppose_control::Stopped;
use suppose_model::program::{Question, Violation};

use crate::ExplicitOptions;
use crate::machine::{Exclusive, Machine};
use crate::store::{FLAGS, Full, States};

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

/// The questions that are open, and the violations found of the others.
#[derive(Clone)]
pub(crate) struct Findings {
    pub(crate) open: Vec<Question>,
    pub(crate) all: Vec<Finding>,
}

impl Findings {
    pub(crate) fn new(questions: &[Question]) -> Self {
        Findings {
            open: questions.to_vec(),
            all: Vec::new(),
        }
    }

    /// Notes a violation, unless one of that question is known.
    pub(crate) fn add(&mut self, question: Question, violation: Violation, state: u32) {
        if let Some(place) = self.open.iter().position(|q| *q == question) {
            self.open.remove(place);
            self.all.push(Finding {
                question,
                violation,
                state,
            });
        }
    }

    /// States get other numbers.
    pub(crate) fn renumber(&mut self, new: impl Fn(u32) -> u32) {
        for finding in &mut self.all {
            finding.state = new(finding.state);
        }
    }

    /// The violation of a question.
    pub(crate) fn of(&self, question: Question) -> Option<&Finding> {
        self.all.iter().find(|f| f.question == question)
    }

    /// Is nothing left to look for?
    pub(crate) fn is_enough(&self, options: &ExplicitOptions) -> bool {
        let first = options.first && !self.all.is_empty();
        (self.open.is_empty() || first) && !options.exhaust
    }
}

/// So often a search begins anew because a channel has more users than it seemed, before all channels count as shared.
const MOST_ATTEMPTS: usize = 3;

/// Searches until what was relied on about the users of channels is true. A search says what it knows of them when it ends.
pub(crate) fn settle<T>(
    mut search: impl FnMut(Option<&Exclusive>) -> Result<T, (End, Exclusive)>,
) -> Result<T, End> {
    let mut users = None;
    for attempt in 0.. {
        match search(users.as_ref()) {
            Err((End::Again, mut known)) => {
                if attempt >= MOST_ATTEMPTS {
                    known.give_up();
                }
                users = Some(known);
            }
            Err((end, _)) => return Err(end),
            Ok(found) => return Ok(found),
        }
    }
    Err(End::Again)
}

/// Brings a stored state into a row of words; the length of its record.
pub(crate) fn unpack(
    machine: &Machine,
    store: &(impl States + ?Sized),
    id: u32,
    state: &mut Vec<u64>,
) -> u32 {
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
