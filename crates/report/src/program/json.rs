//! The report on a program as the same JSON document as any other, with runs of statements.

use suppose_model::program::Question;

use super::messages::Kind;
use super::run::{Row, Run};
use super::{ProgramChecked, ProgramReport, ProgramVerdict};
use crate::Document;
use crate::json::{assumptions, document, evidence, premises, print, reason, rounds};
use crate::record::program::{MessageRecord, RowRecord, RunRecord, ValueRecord};
use crate::record::{ClaimRecord, EngineRecord, ProgramRecord, SearchRecord, Shown};

pub(super) fn json(report: &ProgramReport) -> String {
    let claims = report.checked.iter().map(|c| claim(report, c)).collect();
    let seconds = report.checked.iter();
    let seconds = seconds.map(|c| c.answer.run.elapsed.as_secs_f64());
    let program = report.program;
    let name = |p: &suppose_model::program::Start| {
        let proctype = program.proctypes.get(p.proctype as usize);
        proctype.map_or(String::new(), |p| p.name.clone())
    };
    let record = ProgramRecord {
        name: program.name.clone(),
        processes: program.start.iter().map(name).collect(),
        taken_apart: !report.base.network.components.is_empty(),
    };
    let overall = report.overall();
    print(&document(
        &report.base,
        &overall,
        claims,
        seconds.collect(),
        Some(record),
    ))
}

fn claim(report: &ProgramReport, checked: &ProgramChecked) -> ClaimRecord {
    let answer = checked.answer;
    let run = &answer.run;
    let (mut proofs, mut steps, mut counterexample) = (Vec::new(), Vec::new(), None);
    let mut unknown = None;
    match &answer.verdict {
        ProgramVerdict::Exhausted | ProgramVerdict::Evident => {}
        ProgramVerdict::Proved(proof) => {
            proofs = assumptions(&report.base, proof);
            steps = premises(proof);
        }
        ProgramVerdict::Violated(trace) => {
            let run = Run::new(report.program, report.sources, trace);
            counterexample = Some(Shown::Program(record(run)));
        }
        ProgramVerdict::Unknown(reason) => unknown = Some(reason),
    }
    ClaimRecord {
        kind: match answer.question {
            Question::Assertions => "assertions",
            Question::EndStates => "end-states",
            Question::Claim(_) => "claim",
        },
        name: report.name(answer.question).to_owned(),
        verdict: report.standing(checked).word(),
        reason: reason(&checked.evidence, unknown),
        engine: EngineRecord {
            name: answer.engine.clone(),
            why: checked.why_engine.clone(),
        },
        states: run.states,
        transitions: run.transitions,
        largest: run.largest,
        assumption_peak: run.assumption_peak,
        queries: run.queries,
        groups: run.groups.clone(),
        rounds: rounds(run),
        evidence: evidence(&checked.evidence, checked.certificate_file.clone()),
        assumptions: proofs,
        premises: steps,
        counterexample,
        so_far: crate::json::so_far(&report.base, &answer.run),
        search: answer.search.as_ref().map(|s| SearchRecord {
            how: s.how.clone(),
            depth: s.depth,
            memory_bytes: s.memory,
        }),
        effort: None,
        definitions: None,
        candidates: None,
        symbolic: None,
    }
}

fn record(run: Run) -> RunRecord {
    let steps: Vec<usize> = run.rows.iter().map(|r| r.step).collect();
    let mut ending = run.ending.into_iter();
    RunRecord {
        length: run.steps,
        ending: ending.next().unwrap_or_default(),
        details: ending.collect(),
        rows: run.rows.into_iter().map(|r| row(r, &steps)).collect(),
    }
}

fn row(row: Row, steps: &[usize]) -> RowRecord {
    let (file, line) = row.place.unzip();
    let changes = row.changes.into_iter().map(|c| ValueRecord {
        name: c.name,
        from: c.from,
        to: c.to,
    });
    let message = row.message.map(|m| {
        let (kind, to, sent) = match m.kind {
            Kind::Sent => ("send", None, None),
            Kind::Received(sent) => ("receive", None, sent),
            Kind::Handed(to) => ("rendezvous", Some(to), None),
        };
        MessageRecord {
            kind,
            channel: m.channel,
            values: m.text,
            to,
            sent_in: sent.and_then(|row| steps.get(row).copied()),
        }
    });
    RowRecord {
        step: row.step,
        process: row.process,
        name: row.name,
        file,
        line,
        statement: row.statement,
        keeps: (!row.keeps.is_empty()).then_some(row.keeps),
        changes: changes.collect(),
        message,
    }
}
