//! Polling for cancellation during long checks.

use crate::rejection::Rejection;

/// Units of work between two polls.
const INTERVAL: u32 = 1 << 13;

/// Counts work and polls the caller every [`INTERVAL`] units.
pub(crate) struct Cancellation<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    left: u32,
}

impl<'a> Cancellation<'a> {
    pub fn new(stop: &'a mut dyn FnMut() -> bool) -> Self {
        let left = INTERVAL;
        Cancellation { stop, left }
    }

    /// Counts one unit of work; fails if the caller wants to stop.
    pub fn tick(&mut self) -> Result<(), Rejection> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.left = INTERVAL;
        if (self.stop)() {
            return Err(Rejection::Stopped);
        }
        Ok(())
    }
}
