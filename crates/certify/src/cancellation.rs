//! Polling for cancellation during long checks.

use suppose_control::Context;

use crate::rejection::Rejection;

/// Units of work between two polls.
const INTERVAL: u32 = 1 << 13;

/// Counts work and polls the context every [`INTERVAL`] units.
pub(crate) struct Cancellation<'a> {
    cx: &'a Context,
    left: u32,
}

impl<'a> Cancellation<'a> {
    pub fn new(cx: &'a Context) -> Self {
        let left = INTERVAL;
        Cancellation { cx, left }
    }

    /// Counts one unit of work; fails if the check is to stop.
    pub fn tick(&mut self) -> Result<(), Rejection> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.left = INTERVAL;
        Ok(self.cx.check()?)
    }
}
