//! Asking now and then whether to give up.

use crate::rejection::Rejection;

/// How much work is done between two questions.
const INTERVAL: u32 = 1 << 13;

/// Counts work and asks the caller whether to go on.
pub(crate) struct Watch<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    left: u32,
}

impl<'a> Watch<'a> {
    pub fn new(stop: &'a mut dyn FnMut() -> bool) -> Self {
        let left = INTERVAL;
        Watch { stop, left }
    }

    /// One more piece of work.
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
