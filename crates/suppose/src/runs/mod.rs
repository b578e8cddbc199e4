//! Counterexamples for other programs: as traces (`--itf`) and as sequence charts (`--chart`).
//!
//! Both are made of the run as the plain semantics follows it, state by state.

mod chart;
mod itf;

use std::path::PathBuf;

pub(crate) use chart::ChartKind;

use crate::failure::Failure;
use crate::files::with_words;
use crate::options::CheckOptions;
use crate::report::Report;
use crate::session::Session;
use crate::simulate::Transcript;

/// Refuses a chart in a format that is not known, before the work begins.
pub(crate) fn refuse(options: &CheckOptions) -> Result<(), Failure> {
    match &options.chart {
        Some(path) => ChartKind::of(path).map(|_| ()),
        None => Ok(()),
    }
}

/// Writes the runs of all claims that are violated: of several, each gets its own file.
pub(crate) fn write(session: &Session, options: &CheckOptions) {
    if options.itf.is_none() && options.chart.is_none() {
        return;
    }
    session.counters.begin("writing the counterexamples");
    let report = session.report();
    let runs = runs(&report, session);
    let files = report.files().to_vec();
    let to_itf = |run: &Transcript, claim: &str| itf::itf(run, claim, &files);
    each(session, options.itf.as_ref(), &runs, to_itf);
    let kind = options.chart.as_deref().map(ChartKind::of);
    if let Some(Ok(kind)) = kind {
        let to_chart = |run: &Transcript, claim: &str| chart::chart(run, claim, kind);
        each(session, options.chart.as_ref(), &runs, to_chart);
    }
}

/// The counterexamples that can be followed, with their claims.
fn runs(report: &Report, session: &Session) -> Vec<(String, Transcript)> {
    let mut runs = Vec::new();
    for claim in report.claims() {
        if claim.verdict != "violated" {
            continue;
        }
        match report.replay_of(&claim.name) {
            Some(Ok(run)) => runs.push((claim.name, run)),
            Some(Err(_)) | None => {
                let name = &claim.name;
                session.warn([format!(
                    "{name}: its counterexample is not one run of states"
                )]);
            }
        }
    }
    runs
}

fn each(
    session: &Session,
    path: Option<&PathBuf>,
    runs: &[(String, Transcript)],
    text: impl Fn(&Transcript, &str) -> String,
) {
    let Some(path) = path else {
        return;
    };
    if runs.is_empty() {
        let name = path.display();
        session.warn([format!("there is no counterexample to write to `{name}`")]);
    }
    let mut taken: Vec<String> = Vec::new();
    for (claim, run) in runs {
        let path = match runs.len() {
            1 => path.clone(),
            _ => with_words(path, &[unused(file_word(claim), &mut taken)]),
        };
        let written = session.files.write(&path, text(run, claim).as_bytes());
        session.written(written);
    }
}

/// The name of a claim as part of a file's name.
fn file_word(claim: &str) -> String {
    const LONGEST: usize = 60;
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_".contains(c) {
            c
        } else {
            '_'
        }
    };
    claim.chars().take(LONGEST).map(plain).collect()
}

/// The same word, or with a number where names differ only in signs.
fn unused(word: String, taken: &mut Vec<String>) -> String {
    let numbered = (2u32..).map(|n| format!("{word}-{n}"));
    let mut candidates = std::iter::once(word.clone()).chain(numbered);
    let found = candidates.find(|w| !taken.contains(w)).unwrap_or(word);
    taken.push(found.clone());
    found
}

#[cfg(test)]
mod tests;
