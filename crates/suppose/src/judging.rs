//! Puts evidence before the independent checker, and says what came of it.

use suppose_certify::Rejection;
use suppose_control::{Context, Stopped, Supervisor, catch};
use suppose_model::{EvidenceStatus, Verdict};

use crate::session::Session;

/// Has the evidence of a verdict checked. If a limit is reached first, the verdict becomes `unknown`: none is shown whose
/// evidence was not checked. With `skip`, nothing is checked because the user asked for it.
pub(crate) fn judge<H, V>(
    verdict: &mut Verdict<H, V>,
    skip: bool,
    session: &Session,
    check: impl FnOnce(&mut Verdict<H, V>, &Context) -> Result<EvidenceStatus, Rejection>,
) -> EvidenceStatus {
    if verdict.is_unknown() {
        return nothing();
    }
    if skip {
        return EvidenceStatus::NotChecked("the command line says --no-certify".to_owned());
    }
    session.counters.begin("checking the evidence");
    let cx = session.context();
    let checked = catch(|| check(verdict, &cx));
    match status(checked) {
        Ok(status) => status,
        Err(why) => unchecked(verdict, why),
    }
}

/// An answer without a verdict has no evidence.
pub(crate) fn nothing() -> EvidenceStatus {
    EvidenceStatus::NotChecked("there is none".to_owned())
}

/// What the checker said; an error if a limit stopped it. That it panicked is a rejection.
pub(crate) fn status(
    checked: Result<Result<EvidenceStatus, Rejection>, String>,
) -> Result<EvidenceStatus, Stopped> {
    match checked {
        Err(message) => {
            let why = format!("the checker failed: {message}");
            Ok(EvidenceStatus::Rejected(why))
        }
        Ok(Err(Rejection::Stopped(why))) => Err(why),
        Ok(Err(flawed)) => Ok(EvidenceStatus::Rejected(flawed.to_string())),
        Ok(Ok(status)) => Ok(status),
    }
}

/// A limit was reached before the evidence was checked.
pub(crate) fn unchecked<H, V>(verdict: &mut Verdict<H, V>, why: Stopped) -> EvidenceStatus {
    let word = match verdict {
        Verdict::Holds(_) => "holds",
        _ => "violated",
    };
    *verdict = Verdict::Unknown(why.into());
    let why = format!("a limit was reached before the evidence for `{word}` was checked");
    EvidenceStatus::NotChecked(why)
}
