//! What the JSON document has of programs.

use suppose_model::program::views::Interference;
use suppose_model::program::{Answer, Start, ViewProof};

use super::messages::{Kind, Message};
use super::run::{Row, Run};
use super::{Subject, interference};
use crate::record::{Fields, Json, fields, object};

pub(super) fn program(subject: Subject) -> Fields {
    let program = subject.program;
    let name = |p: &Start| {
        let proctype = program.proctypes.get(p.proctype as usize);
        proctype.map_or(String::new(), |p| p.name.clone())
    };
    fields! { "program": object! {
        "name": &program.name,
        "processes": Json::list(program.start.iter().map(name)),
        "taken_apart": subject.network.is_some_and(|n| !n.components.is_empty()),
    } }
}

pub(super) fn search(answer: &Answer) -> Fields {
    let search = answer.search.iter().map(|search| {
        let record = object! {
            "how": &search.how,
            "depth": search.depth,
            "memory_bytes": search.memory,
            "fair": search.fair,
        };
        ("search", record)
    });
    search.collect()
}

pub(super) fn views(subject: Subject, proof: &ViewProof, found: &Interference) -> Fields {
    let (program, sources) = (subject.program, subject.sources);
    let exposed = proof.split.exposed.iter();
    let exposed = exposed.map(|e| interference::exposure(program, sources, e));
    fields! { "views": object! {
        "views": proof.views.len(),
        "local_states": proof.locals.len(),
        "shared_states": proof.shared.len(),
        "exposed": Json::list(exposed),
        "for_any_number_of": super::for_any(program, proof),
        "interference": interference::record(program, sources, found),
    } }
}

pub(super) fn run(run: Run) -> Json {
    let steps: Vec<usize> = run.rows.iter().map(|r| r.step).collect();
    let mut ending = run.ending.into_iter();
    let first = ending.next().unwrap_or_default();
    object! {
        "length": run.steps,
        "cycle": run.cycle.map(|(before, fair)| object! {
            "first_step": before + 1,
            "stops": before == run.steps,
            "fair": fair,
        }),
        "rows": Json::list(run.rows.into_iter().map(|r| row(r, &steps))),
        "ending": first,
        "details": Json::list(ending),
    }
}

fn row(row: Row, steps: &[usize]) -> Json {
    let (file, line) = row.place.unzip();
    let changes = row.changes.into_iter();
    let changes = changes.map(|c| object! { "name": c.name, "from": c.from, "to": c.to });
    object! {
        "step": row.step,
        "process": row.process,
        "name": row.name,
        "file": file,
        "line": line,
        "statement": row.statement,
        "keeps": (!row.keeps.is_empty()).then_some(row.keeps),
        "changes": Json::list(changes),
        "message": row.message.map(|m| message(m, steps)),
    }
}

fn message(message: Message, steps: &[usize]) -> Json {
    let (kind, to, sent) = match message.kind {
        Kind::Sent => ("send", None, None),
        Kind::Received(sent) => ("receive", None, sent),
        Kind::Handed(to) => ("rendezvous", Some(to), None),
    };
    object! {
        "kind": kind,
        "channel": message.channel,
        "values": message.text,
        "to": to,
        "sent_in": sent.and_then(|row| steps.get(row).copied()),
    }
}
