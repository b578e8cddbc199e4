//! What a command line names, and who waits for the answer.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use suppose::{Failure, Limits, Source, Watcher};

use crate::args::OutputOptions;
use crate::progress::Progress;

/// More is not taken from standard input.
const MOST_INPUT: u64 = 256 << 20;

/// The files; `-` is what stands on standard input.
pub fn source(files: Vec<PathBuf>) -> Result<Source, Failure> {
    let piped = files.iter().any(|f| f == Path::new("-"));
    let source = Source::files(files);
    if !piped {
        return Ok(source);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(MOST_INPUT).read_to_end(&mut bytes);
    match read {
        Ok(_) => Ok(source.with("-", bytes)),
        Err(why) => Err(Failure::file(format!("cannot read standard input: {why}"))),
    }
}

/// Draws what is going on, and hears Ctrl-C.
pub fn watcher(limits: Limits, look: OutputOptions) -> Watcher {
    suppose::silence_panics();
    Arc::new(Progress::new(limits.timeout, look.quiet))
}
