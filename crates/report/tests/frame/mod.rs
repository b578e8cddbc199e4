//! What the samples of all kinds of models have in common.

use std::time::Duration;

use suppose_model::{EvidenceStatus, Finding};
use suppose_report::Frame;

/// What is said of a run that read that file.
pub fn frame(file: &str) -> Frame {
    Frame {
        version: "1".to_owned(),
        files: vec![file.to_owned()],
        elapsed: Duration::from_millis(1),
        ..Frame::default()
    }
}

/// An answer whose evidence was accepted.
pub fn accepted<A>(answer: A) -> Finding<A> {
    Finding::new(answer, EvidenceStatus::Accepted, "asked for")
}

/// No character of an output moves the cursor, turns the text around or ends a line unseen.
pub fn nothing_acts(output: &str) {
    let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!output.contains(acts), "{output}");
}
