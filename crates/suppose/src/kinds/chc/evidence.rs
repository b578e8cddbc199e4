//! Puts definitions and derivations before the independent checker.

use suppose_certify::{Rejection, chc};
use suppose_chc::portfolio::Reply;
use suppose_control::Context;
use suppose_model::chc::theory::Structures;
use suppose_model::chc::{Answer, Verdict};
use suppose_model::{EvidenceStatus, Finding};
use suppose_smt::pipe::Tool;

use super::peers;
use super::read::ClauseSystem;
use crate::judging;
use crate::session::Session;

/// How evidence is checked.
pub struct Judges {
    /// Not at all.
    pub none: bool,
    /// By these solvers as well.
    pub tools: Vec<Tool>,
}

/// Has the evidence of an answer checked.
pub fn judge(
    subject: &ClauseSystem,
    reply: Reply,
    judges: &Judges,
    session: &Session,
) -> Finding<Answer> {
    let Reply { mut answer, why } = reply;
    answer.claim = subject.claim;
    let verdict = &mut answer.verdict;
    let evidence = judging::judge(verdict, judges.none, session, |verdict, cx| {
        check(subject, verdict, cx)?;
        if let Verdict::Holds(proof) = verdict {
            for tool in &judges.tools {
                session.counters.begin(&format!("asking {}", tool.name()));
                match peers::ask(tool, proof.system(&subject.horn), proof, cx)? {
                    Ok(line) => answer.confirmed.push(line),
                    Err(refuted) => return Ok(EvidenceStatus::Rejected(refuted)),
                }
            }
        }
        Ok(EvidenceStatus::Accepted)
    });
    Finding::new(answer, evidence, why)
}

fn check(subject: &ClauseSystem, verdict: &Verdict, cx: &Context) -> Result<(), Rejection> {
    let horn = &subject.horn;
    match (verdict, &subject.theory) {
        (Verdict::Unknown(_), _) => Ok(()),
        (Verdict::Holds(proof), _) => {
            chc::check_definitions(proof.system(horn), proof, cx).map(|_| ())
        }
        (Verdict::Violated(found), None) => chc::check_derivation(horn, &found.derivation),
        (Verdict::Violated(found), Some(theory)) => {
            let none = Structures::default();
            let structures = found.structures.as_ref().unwrap_or(&none);
            chc::check_structured(horn, theory, &found.derivation, structures)
        }
    }
}
