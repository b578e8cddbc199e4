//! Limits for parsers of untrusted input.

use std::cell::Cell;
use std::rc::Rc;

use crate::{Diagnostic, Span};

/// Limits of a parser; it refuses larger inputs with a diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct ParserLimits {
    /// Bytes of text.
    pub bytes: usize,
    /// Nesting of recursive constructs.
    pub depth: usize,
    /// States (or other expanded things) the lowering may create.
    pub states: usize,
    /// Transitions the lowering may create.
    pub transitions: usize,
    /// Labels.
    pub labels: usize,
}

impl Default for ParserLimits {
    fn default() -> Self {
        ParserLimits {
            bytes: 256 << 20,
            depth: 200,
            states: 20_000_000,
            transitions: 200_000_000,
            labels: 2_000_000,
        }
    }
}

impl ParserLimits {
    /// Refuses an input of more bytes; `what` is its name in the message, such as "the file".
    pub fn check_bytes(&self, bytes: usize, what: &str) -> Result<(), Diagnostic> {
        match bytes > self.bytes {
            true => Err(Diagnostic::error_without_place(format!(
                "{what} is larger than {} bytes",
                self.bytes
            ))),
            false => Ok(()),
        }
    }
}

/// Counts nesting; one is shared by a parser and given back on drop.
#[derive(Clone, Debug)]
pub struct Depth {
    used: Rc<Cell<usize>>,
    limit: usize,
}

/// The nesting limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep {
    /// The limit.
    pub limit: usize,
}

impl TooDeep {
    /// The diagnostic at the token that is nested too deep.
    pub fn at(self, span: Span) -> Diagnostic {
        let message = format!("nested more than {} levels deep", self.limit);
        Diagnostic::error(span, message).label("too deep")
    }
}

/// One level of nesting; dropping it leaves the level.
#[derive(Debug)]
pub struct Level(Rc<Cell<usize>>);

impl Depth {
    /// At the top, with a limit.
    pub fn new(limit: usize) -> Self {
        Depth {
            used: Rc::new(Cell::new(0)),
            limit,
        }
    }

    /// Goes one level down until the returned guard is dropped.
    pub fn enter(&self) -> Result<Level, TooDeep> {
        if self.used.get() >= self.limit {
            return Err(TooDeep { limit: self.limit });
        }
        self.used.set(self.used.get() + 1);
        Ok(Level(Rc::clone(&self.used)))
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_given_back() {
        let depth = Depth::new(1);
        let first = depth.enter();
        assert!(first.is_ok());
        assert_eq!(depth.enter().err(), Some(TooDeep { limit: 1 }));
        drop(first);
        assert!(depth.enter().is_ok());
    }
}
