//! Puts evidence about finite-domain systems before the independent checker.

use suppose_report::{Evidence, SymbolicAnswer, SymbolicVerdict};

use crate::commands::Desk;

/// How evidence is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Not at all.
    pub skip: bool,
    /// All reachable states one by one, however many, where there is no certificate.
    pub recheck: bool,
}

/// Has the evidence of an answer checked. When a limit comes first, there is no verdict: none is shown whose evidence
/// was not checked.
pub fn judge(answer: &mut SymbolicAnswer, manner: Manner, desk: &Desk) -> Evidence {
    if let SymbolicVerdict::Unknown(_) = answer.verdict {
        return Evidence::NotChecked("there is none".to_owned());
    }
    if manner.skip {
        return Evidence::NotChecked("the command line says --no-certify".to_owned());
    }
    desk.counters.begin("checking the evidence");
    let _ = manner.recheck;
    Evidence::NotChecked("there is no checker yet".to_owned())
}
