//! What the samples of all kinds of models have in common.

use std::time::Duration;

use suppose_model::lts::Network;
use suppose_report::{Checked, Evidence, Report};

/// A report on nothing, read from that file.
pub fn base<'a>(network: &'a Network, file: &str) -> Report<'a> {
    Report {
        version: "1",
        files: vec![file.to_owned()],
        network,
        checked: Vec::new(),
        undecided: Vec::new(),
        warnings: Vec::new(),
        seed: 0,
        elapsed: Duration::from_millis(1),
        peak_memory: None,
        limits: (None, None),
    }
}

/// Answers whose evidence was accepted.
pub fn accepted<A>(answers: &[A]) -> Vec<Checked<'_, A>> {
    let checked = |answer| Checked {
        answer,
        evidence: Evidence::Accepted,
        why_engine: "asked for".to_owned(),
        certificate_file: None,
    };
    answers.iter().map(checked).collect()
}

/// No character of an output moves the cursor, turns the text around or ends a line unseen.
pub fn nothing_acts(output: &str) {
    let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!output.contains(acts), "{output}");
}
