//! What was found beside what is expected.

use suppose::{ExitStatus, Failure};
use suppose_report::{Checked, CheckedClaim};
use suppose_source::{Diagnostic, Sources, Span};

use super::read::{Expect, Expected};

/// What was expected of a claim, or of a model as a whole, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The claim; none for the model as a whole.
    pub claim: Option<String>,
    /// The verdict that was expected.
    pub expected: String,
    /// The verdict that was found.
    pub found: String,
    /// Are they the same?
    pub is_met: bool,
    /// Is the expectation written, and not only taken for granted?
    pub is_written: bool,
}

/// What came of one model.
pub struct Judged {
    /// Each claim, or the model as a whole.
    pub rows: Vec<Verified>,
    /// A claim that is expected, but that the model does not have.
    pub errors: Vec<Diagnostic>,
    /// The status of the test.
    pub status: ExitStatus,
}

/// Compares. `ended` is the status of the check.
pub fn judge(checked: &Checked, ended: ExitStatus, expect: &Expect) -> Judged {
    let mut errors = Vec::new();
    let rows = match expect {
        Expect::Whole(expected) => vec![whole(checked, expected)],
        _ if checked.claims.is_empty() => {
            let held = Verified {
                claim: None,
                expected: "holds".to_owned(),
                found: checked.outcome.clone(),
                is_met: false,
                is_written: !matches!(expect, Expect::Nothing),
            };
            vec![held]
        }
        Expect::Nothing => checked.claims.iter().map(|c| claim(c, None)).collect(),
        Expect::Claims(all) => {
            let mut rows = Vec::new();
            for (name, _, at) in all {
                if checked.claims.iter().all(|c| c.name != *name) {
                    errors.push(missing(name, *at, checked));
                }
            }
            for it in &checked.claims {
                let expected = all.iter().find(|(name, ..)| *name == it.name);
                rows.push(claim(it, expected.map(|(_, e, _)| e)));
            }
            rows
        }
    };
    let status = match ended {
        // Whatever was expected, these are bugs.
        ExitStatus::Rejected | ExitStatus::Internal => ended,
        _ if !errors.is_empty() => ExitStatus::Input,
        _ if rows.iter().all(|r| r.is_met) => ExitStatus::Holds,
        _ => ExitStatus::Unexpected,
    };
    Judged {
        rows,
        errors,
        status,
    }
}

fn whole(checked: &Checked, expected: &Expected) -> Verified {
    let is_met = match expected {
        Expected::Error => checked.outcome == ExitStatus::Input.word(),
        Expected::Holds => checked.outcome == "holds",
        Expected::Violated => checked.outcome.starts_with("violated("),
        Expected::Unknown(None) => checked.outcome.starts_with("unknown("),
        Expected::Unknown(Some(reason)) => checked.outcome == format!("unknown({reason})"),
    };
    Verified {
        claim: None,
        expected: expected.to_string(),
        found: checked.outcome.clone(),
        is_met,
        is_written: true,
    }
}

/// Without an expectation, a claim is to hold.
fn claim(claim: &CheckedClaim, expected: Option<&Expected>) -> Verified {
    let wanted = expected.cloned().unwrap_or(Expected::Holds);
    let reason = claim.reason.as_ref().map(|(word, _)| word.as_str());
    let is_met = match &wanted {
        Expected::Unknown(Some(why)) => claim.verdict == "unknown" && reason == Some(why.as_str()),
        Expected::Unknown(None) => claim.verdict == "unknown",
        Expected::Violated => claim.verdict == "violated",
        Expected::Holds => claim.verdict == "holds",
        Expected::Error => false,
    };
    Verified {
        claim: Some(claim.name.clone()),
        expected: wanted.to_string(),
        found: match reason {
            Some(reason) => format!("{}({reason})", claim.verdict),
            None => claim.verdict.clone(),
        },
        is_met,
        is_written: expected.is_some(),
    }
}

fn missing(name: &str, at: Span, checked: &Checked) -> Diagnostic {
    const SHOWN: usize = 30;
    let names: Vec<&str> = checked.claims.iter().map(|c| c.name.as_str()).collect();
    let text = format!("`{}` has no claim `{name}`", checked.file);
    let error = Diagnostic::error(at, text).did_you_mean(name, names.iter().copied());
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown: Vec<&str> = names.iter().copied().take(SHOWN).collect();
    error.help(format!("its claims are {}{more}", shown.join(", ")))
}

/// The failure about claims that a model does not have.
pub fn failure(sources: &Sources, errors: Vec<Diagnostic>) -> Failure {
    Failure {
        status: ExitStatus::Input,
        sources: sources.clone(),
        diagnostics: errors,
    }
}
