//! The policy of `--engine auto` on programs.
//!
//! A search of all states is the quickest for what it can hold. What it cannot is tried on the parts, if the
//! program can be taken apart, by each engine up to a limit on its work; and at last by a search without
//! a bound.

use suppose_model::Reason;
use suppose_model::program::Question;
use suppose_report::{ProgramVerdict, grouped};

use super::ProgramFinding;
use super::engines::{ProgramEngines, Sink, groups};
use crate::args::EngineName;
use crate::engines::Bounds;
use crate::failure::Failure;

/// States of the first search: a few seconds. On models of up to five million states beginning with the parts lost time.
const FIRST: u64 = 10_000_000;

/// Why a search that ended was the right thing.
const FEW: &str = "the states are few enough to look at all";

/// The engines on parts, and how much work each may do.
const TURNS: [(EngineName, u64); 5] = [
    (EngineName::Quotient, 20_000),
    (EngineName::Agar, 50_000),
    (EngineName::Learn, 200_000),
    (EngineName::Quotient, 200_000),
    (EngineName::Agar, 500_000),
];

/// Decides the questions, each with the engine that seems best, and says why.
pub fn decide(
    engines: &ProgramEngines,
    questions: &[Question],
    sink: &mut Sink,
) -> Result<(), Failure> {
    let first = Bounds {
        states: Some(FIRST),
        ..Bounds::default()
    };
    let mut open = Vec::new();
    for group in groups(questions) {
        let mut left = Vec::new();
        for mut finding in engines.search(&group, &first, FEW) {
            if matches!(finding.answer.verdict, ProgramVerdict::Unknown(_)) {
                finding.why_engine = "a search of all states comes first".to_owned();
            }
            match is_final(engines, &finding) {
                true => sink(finding)?,
                false => left.push(finding.answer.question),
            }
        }
        open.push(left);
    }
    for group in &mut open {
        let mut left = Vec::new();
        for question in group.iter() {
            match on_parts(engines, *question) {
                Some(finding) => sink(finding)?,
                None => left.push(*question),
            }
        }
        *group = left;
    }
    open.retain(|group| !group.is_empty());
    if open.is_empty() {
        return Ok(());
    }
    let why = match engines.parts() {
        Ok(_) => "the engines on parts did not get there in their turns".to_owned(),
        Err(Reason::Unsupported(why)) => why.clone(),
        Err(why) => why.word().to_owned(),
    };
    for group in &open {
        for finding in engines.search(group, &Bounds::default(), &why) {
            sink(finding)?;
        }
    }
    Ok(())
}

/// One turn after the other.
fn on_parts(engines: &ProgramEngines, question: Question) -> Option<ProgramFinding> {
    let states = grouped(FIRST);
    let why = format!("a search found more than {states} states, and the parts are smaller");
    let able = engines
        .parts()
        .is_ok_and(|p| p.property(question).is_some());
    if !able {
        return None;
    }
    for (engine, work) in TURNS {
        let bounds = Bounds {
            work: Some(work),
            ..Bounds::default()
        };
        let finding = engines.by(engine, question, &bounds, &why);
        if is_final(engines, &finding) {
            return Some(finding);
        }
    }
    None
}

/// A verdict, or a reason that no other engine can mend: the clock, the user.
fn is_final(engines: &ProgramEngines, finding: &ProgramFinding) -> bool {
    match &finding.answer.verdict {
        // A search to its end that is no verdict is one with hash compaction.
        ProgramVerdict::Unknown(Reason::Unsupported(_)) if finding.answer.search.is_some() => true,
        ProgramVerdict::Unknown(_) => engines.is_over(),
        _ => true,
    }
}
