//! What the tests share.

use suppose_model::program::Program;

/// The program of a text that is right.
pub fn read(text: &str) -> Program {
    match suppose_frontends::promela::read_text("model.pml", text) {
        Ok((read, _)) => read.program,
        Err((errors, _)) => panic!("{errors:?}\n{text}"),
    }
}
