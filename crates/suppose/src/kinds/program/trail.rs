//! Counterexamples as files for SPIN.

use std::path::Path;

use suppose_model::EvidenceStatus;
use suppose_model::program::{Program, Verdict};
use suppose_report::program::trail;

use super::Programs;
use crate::failure::Failure;
use crate::files::with_words;
use crate::session::Session;

/// Writes the trail of each counterexample that was not rejected; of several, each gets a file of its own.
pub fn write(path: &Path, program: &Program, session: &Session) -> Result<(), Failure> {
    let answered = session.with::<Programs, _>(|state| state.done.clone());
    let answered = answered.unwrap_or_default();
    let found: Vec<_> = answered
        .iter()
        .filter(|f| !matches!(f.evidence, EvidenceStatus::Rejected(_)))
        .filter_map(|f| match &f.answer.verdict {
            Verdict::Violated(trace) => Some(trace),
            _ => None,
        })
        .collect();
    if found.is_empty() {
        let why = format!(
            "no trail was written to `{}`: there is no counterexample",
            path.display()
        );
        session.warn([why]);
    }
    for trace in &found {
        let name = program.question_name(trace.question);
        let Some(lines) = trail(program, trace) else {
            let why = format!(
                "no trail of `{name}` was written: SPIN's number of a step is not known \
                 (behind a `trace`, a claim with `np_`, or a `goto` whose label is looked at from outside)"
            );
            session.warn([why]);
            continue;
        };
        let words = (found.len() > 1).then(|| super::word(name));
        session
            .files
            .write(&with_words(path, words.as_slice()), lines.as_bytes())?;
    }
    Ok(())
}
