//! Puts definitions and derivations before the independent checker.

use std::sync::Arc;

use suppose_certify::{Rejection, chc};
use suppose_control::{Context, Stopped, catch};
use suppose_model::chc::{Answer, Verdict};
use suppose_model::{EvidenceStatus, Finding};
use suppose_smt::pipe::Tool;

use super::peers;
use super::race::Reply;
use super::read::ClauseSystem;
use crate::session::Session;

/// How evidence is looked at.
pub struct Judges {
    /// Not at all.
    pub none: bool,
    /// By these solvers as well.
    pub tools: Vec<Tool>,
}

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose
/// evidence was not checked.
pub fn judge(
    subject: &ClauseSystem,
    reply: Reply,
    judges: &Judges,
    session: &Session,
) -> Finding<Answer> {
    let Reply { mut answer, why } = reply;
    answer.claim = subject.claim;
    let mut confirmed = Vec::new();
    let evidence = match (&answer.verdict, judges.none) {
        (Verdict::Unknown(_), _) => EvidenceStatus::NotChecked("there is none".to_owned()),
        (_, true) => EvidenceStatus::NotChecked("the command line says --no-certify".to_owned()),
        (verdict, false) => {
            session.counters.begin("checking the evidence");
            let checked = look(subject, verdict, judges, session, &mut confirmed);
            match checked {
                Ok(evidence) => evidence,
                Err(stopped) => {
                    let word = match verdict {
                        Verdict::Holds(_) => "holds",
                        _ => "violated",
                    };
                    answer.verdict = Verdict::Unknown(stopped.into());
                    let why =
                        format!("a limit was reached before the evidence for `{word}` was checked");
                    EvidenceStatus::NotChecked(why)
                }
            }
        }
    };
    answer.confirmed = confirmed;
    Finding::new(answer, evidence, why)
}

fn look(
    subject: &ClauseSystem,
    verdict: &Verdict,
    judges: &Judges,
    session: &Session,
    confirmed: &mut Vec<String>,
) -> Result<EvidenceStatus, Stopped> {
    let control = session.watch.fresh();
    let mut stop = || control.stopped().is_some();
    match catch(|| check(subject, verdict, &mut stop)) {
        Err(message) => {
            let why = format!("the checker failed: {message}");
            return Ok(EvidenceStatus::Rejected(why));
        }
        Ok(Err(Rejection::Stopped)) => {
            return Err(control.stopped().unwrap_or(Stopped::Timeout));
        }
        Ok(Err(flawed)) => return Ok(EvidenceStatus::Rejected(flawed.to_string())),
        Ok(Ok(())) => {}
    }
    if let Verdict::Holds(proof) = verdict {
        for tool in &judges.tools {
            session.counters.begin(&format!("asking {}", tool.name()));
            let cx = Context::new(Arc::clone(&control), Arc::clone(&session.counters) as _);
            match peers::ask(tool, &subject.horn, proof, &cx)? {
                Ok(line) => confirmed.push(line),
                Err(refuted) => return Ok(EvidenceStatus::Rejected(refuted)),
            }
        }
    }
    Ok(EvidenceStatus::Accepted)
}

fn check(
    subject: &ClauseSystem,
    verdict: &Verdict,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(), Rejection> {
    match verdict {
        Verdict::Unknown(_) => Ok(()),
        Verdict::Holds(proof) => chc::check_definitions(&subject.horn, proof, stop).map(|_| ()),
        Verdict::Violated(found) => {
            chc::check_derivation(&subject.horn, &found.derivation).map(|_| ())
        }
    }
}
