//! How large a result may become.

use std::fmt;

use suppose_control::Stopped;

/// How large the result of an operation may become before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimits {
    /// States.
    pub states: usize,
    /// Transitions; also the entries of the sets that subset construction and signatures hold.
    pub transitions: usize,
}

impl Default for SizeLimits {
    fn default() -> Self {
        SizeLimits {
            states: 20_000_000,
            transitions: 200_000_000,
        }
    }
}

/// The result would be larger than the limit, or takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More states than this.
    States(usize),
    /// More transitions, or entries of sets of states, than this.
    Transitions(usize),
    /// Cancelled.
    Stopped(Stopped),
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::States(limit) => write!(f, "more than {limit} states"),
            TooLarge::Transitions(limit) => write!(f, "more than {limit} transitions"),
            TooLarge::Stopped(_) => write!(f, "stopped"),
        }
    }
}

impl std::error::Error for TooLarge {}

impl SizeLimits {
    /// The number of one more state, if there may be one.
    pub(crate) fn next_state(&self, states: usize) -> Result<u32, TooLarge> {
        let limit = self.states.min(u32::MAX as usize - 1);
        match u32::try_from(states) {
            Ok(number) if states < limit => Ok(number),
            _ => Err(TooLarge::States(limit)),
        }
    }

    /// May there be this many transitions?
    pub(crate) fn check_transitions(&self, transitions: usize) -> Result<(), TooLarge> {
        let limit = self.transitions.min(u32::MAX as usize - 1);
        if transitions > limit {
            return Err(TooLarge::Transitions(limit));
        }
        Ok(())
    }
}
