//! Reports on programs: the same words as on networks, with runs in the program's own lines.

pub(crate) mod interference;
mod messages;
pub mod names;
mod record;
mod run;
mod trail;

use std::collections::BTreeMap;

use suppose_model::Finding;
use suppose_model::lts::Network;
use suppose_model::program::{Answer, Program, Proof, Question, Trace, Verdict, ViewProof};
use suppose_source::Sources;

use self::messages::Kind;
use self::run::Run;
use crate::block::{
    Block, Cell, Changes, Chart, Column, Event, EventKind, ROWS, Row, Steps, Width,
};
use crate::document::{Claim, Document, Frame, Meaning, Record, SearchEvidence, System};
use crate::network::{
    assumption_records, certificate, premise_records, refinement_facts, so_far, split_fact,
    summary, unfinished,
};
use crate::several::Place;
use crate::words::{bytes, count, explored, grouped, place_text};

pub use trail::trail;

/// A longer statement is cut in a text.
const STATEMENT: usize = 48;
/// What stands where the part of a run begins that repeats.
const CYCLE: &str = "from here on the run repeats";
/// More changes than this in a row are only counted in a text.
const CHANGES: usize = 6;

/// The engine that speaks of views, not of states.
const LOCAL: &str = "local";

/// How to speak of a search of all states.
const SEARCHED: SearchEvidence = SearchEvidence {
    accepted: "all states, without reductions: no step from one of them leads elsewhere, and none is wrong: accepted",
    open: "all states were explored",
    word: "all states visited",
};

/// How to speak of a search for infinite runs.
const CYCLES: SearchEvidence = SearchEvidence {
    accepted: "a number for every state, which no step raises, and a set of steps that each number misses: accepted",
    open: "all states were looked at",
    word: "no cycle",
};

/// What a report on a program is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The files that its spans point into.
    pub sources: &'a Sources,
    /// The network that the program was decomposed into, if it was.
    pub network: Option<&'a Network>,
}

/// The report on a program.
pub fn describe<'a>(
    frame: Frame,
    subject: Subject<'a>,
    findings: impl IntoIterator<Item = &'a Finding<Answer>>,
) -> Document<'a> {
    let program = subject.program;
    let started = match program.start.len() {
        1 => "1 process at the start".to_owned(),
        many => format!("{many} processes at the start"),
    };
    let parts = subject.network.map_or(0, |n| n.processes().len() as u64);
    let sizes = match parts {
        0 => started.clone(),
        _ => format!("{started}; decomposed: {}", count(parts, "component")),
    };
    let claims = findings.into_iter().map(|f| claim(subject, f));
    Document {
        frame,
        title: program.name.clone(),
        claims: claims.collect(),
        system: System {
            name: format!("program {}", program.name),
            sizes,
            lines: Vec::new(),
            summary: match subject.network {
                Some(network) => format!("{started}; decomposed: {}", summary(network)),
                None => started,
            },
            network: subject.network,
            blocks: Vec::new(),
            sources: Some(subject.sources),
            columns: ["States", "Transitions"],
            record: Box::new(move || record::program(subject)),
        },
        layout: None,
    }
}

/// What a question asks.
fn meaning(program: &Program, question: Question) -> Meaning {
    match question {
        Question::Assertions => {
            Meaning::Words("no assertion fails and no step has an error".to_owned())
        }
        Question::EndStates => {
            Meaning::Words("the processes stop only in valid end states".to_owned())
        }
        Question::Acceptance => {
            let text = "no run is at an accept label again and again, or stops there";
            Meaning::Words(text.to_owned())
        }
        Question::Progress => {
            let text = "every infinite run is at a progress label again and again";
            Meaning::Words(text.to_owned())
        }
        Question::Claim(number) => {
            let text = program.claims.get(number).map(|c| c.text.as_str());
            let text = match text {
                None | Some("") => "the claim never reaches its end",
                Some(text) => text,
            };
            match text.lines().count() {
                1 => Meaning::Formula("claim", text.to_owned()),
                _ => Meaning::Words(text.to_owned()),
            }
        }
    }
}

fn claim<'a>(subject: Subject<'a>, finding: &'a Finding<Answer>) -> Claim<'a> {
    let answer = &finding.answer;
    let kind = match answer.claim {
        Question::Assertions => "assertions",
        Question::EndStates => "end-states",
        Question::Claim(_) => "claim",
        Question::Acceptance => "acceptance",
        Question::Progress => "progress",
    };
    let name = subject.program.question_name(answer.claim);
    let mut claim = Claim::new(finding, kind, name.to_owned());
    claim.meaning = Some(meaning(subject.program, answer.claim));
    if let Question::Claim(number) = answer.claim {
        let asked = subject.program.claims.get(number);
        claim.location = asked.and_then(|c| Place::of(subject.sources, c.span));
    }
    facts(&mut claim, subject, answer);
    claim.evidence.name = match &answer.verdict {
        Verdict::Unknown(_) => None,
        Verdict::Violated(_) => Some("replay"),
        Verdict::Holds(Proof::CannotFail) => Some("statements"),
        Verdict::Holds(Proof::Compositional(_) | Proof::Views(..)) => Some("certificate"),
        Verdict::Holds(Proof::NoCycle(_)) => {
            claim.evidence.search = Some(CYCLES);
            Some("evidence")
        }
        Verdict::Holds(Proof::Exhaustive(_)) => {
            claim.evidence.search = Some(SEARCHED);
            Some("evidence")
        }
    };
    claim.blocks = Box::new(move || match (&answer.verdict, subject.network) {
        (Verdict::Holds(Proof::Compositional(proof)), Some(network)) => certificate(network, proof),
        (Verdict::Holds(Proof::Views(_, found)), _) if finding.is_sound() => {
            let lines = interference::lines(subject.program, subject.sources, found);
            vec![Block::Interference(lines)]
        }
        (Verdict::Violated(trace), _) => counterexample(subject, trace),
        (Verdict::Unknown(_), Some(network)) => unfinished(network, &answer.run),
        _ => Vec::new(),
    });
    claim.record = Box::new(move || {
        let mut record = Record::default();
        match (&answer.verdict, subject.network) {
            (Verdict::Holds(Proof::Compositional(proof)), Some(network)) => {
                record.assumptions = assumption_records(network, proof);
                record.premises = premise_records(proof);
            }
            (Verdict::Violated(trace), _) => {
                let run = Run::new(subject.program, subject.sources, trace);
                record.counterexample = Some(record::run(run));
            }
            _ => {}
        }
        if let Some(network) = subject.network {
            record.more = so_far(network, &answer.run);
        }
        record.more.extend(record::search(answer));
        if let Verdict::Holds(Proof::Views(proof, found)) = &answer.verdict {
            record.more.extend(record::views(subject, proof, found));
        }
        record
    });
    claim
}

fn facts(claim: &mut Claim, subject: Subject, answer: &Answer) {
    claim.reason_fact(answer.verdict.outcome());
    claim.engine_fact();
    split_fact(claim, subject.network.unwrap_or(&Network::default()));
    if !matches!(answer.verdict, Verdict::Holds(Proof::CannotFail)) {
        let explored = match answer.engine.as_str() {
            LOCAL => views_explored(&answer.run),
            _ => explored(&answer.run),
        };
        claim.fact("explored", explored);
    }
    if answer.search.as_ref().is_some_and(|s| s.fair) {
        let text = "of weakly fair runs: what can always take a step takes one some time";
        claim.fact("fairness", text.to_owned());
    }
    if let Some(search) = &answer.search {
        let (depth, memory) = (grouped(search.depth), bytes(search.memory));
        let text = format!("{}; depth {depth}, {memory} for states", search.how);
        claim.fact("search", text);
    }
    if let Verdict::Holds(Proof::Views(proof, _)) = &answer.verdict {
        claim.fact("proof", proved(proof));
        if let Some(name) = for_any(subject.program, proof) {
            claim.fact(
                "scope",
                format!("holds for any number of `{name}` processes"),
            );
        }
    }
    if answer.engine == LOCAL {
        for round in &answer.run.rounds {
            claim.fact("refinement", round.refined.clone());
        }
        claim.time_fact();
        return;
    }
    refinement_facts(claim);
}

/// What was explored by the engine on views.
fn views_explored(run: &suppose_model::Run) -> String {
    let sizes = format!(
        "{}, {}",
        count(run.states, "view"),
        count(run.transitions, "join")
    );
    match run.largest > 0 && run.largest < run.states {
        true => format!(
            "{sizes} ({} in the last attempt)",
            count(run.largest, "view")
        ),
        false => sizes,
    }
}

/// The proctype of which there can be any number of processes.
fn for_any<'a>(program: &'a Program, proof: &ViewProof) -> Option<&'a str> {
    let alike = proof.symmetry.as_ref().filter(|_| proof.for_any)?;
    let text = program.proctypes.get(alike.proctype as usize)?;
    Some(text.name.as_str())
}

/// How large a proof by views is.
fn proved(proof: &ViewProof) -> String {
    format!(
        "{} of two processes, of {} and {}",
        count(proof.views.len() as u64, "view"),
        count(proof.locals.len() as u64, "local state"),
        count(proof.shared.len() as u64, "shared state"),
    )
}

fn counterexample<'a>(subject: Subject<'a>, trace: &Trace) -> Vec<Block<'a>> {
    let run = Run::new(subject.program, subject.sources, trace);
    let last = run.rows.len();
    let chart = chart(&run);
    let begins = run.cycle.map(|(before, _)| before + 1);
    let mut rows = Vec::new();
    let mut repeats_from = None;
    for (at, row) in run.rows.into_iter().enumerate() {
        if row.first && begins == Some(row.step) {
            repeats_from = Some(rows.len());
            rows.push(mark());
        }
        rows.push(Row {
            cells: vec![
                Cell::Number(row.first.then_some(row.step)),
                Cell::Text(row.name),
                Cell::Text(place_text(&row.place)),
                Cell::Action(row.statement, row.keeps),
                Cell::Changes(Changes {
                    all: row.changes,
                    others: Vec::new(),
                    most: CHANGES,
                }),
            ],
            depth: 0,
            is_bad: at + 1 == last,
            span: Some(row.span),
        });
    }
    let statement = Column::new("Statement", Width::Padded(usize::MAX));
    let steps = Steps {
        count: count(run.steps as u64, "step"),
        columns: vec![
            Column::step(),
            Column::new("Process", Width::Padded(24)),
            Column::new("Line", Width::Padded(32)),
            statement.at_most(STATEMENT, true),
            Column::new("What changes", Width::Free),
        ],
        rows,
        ending: run.ending,
        cut: ROWS,
        states: None,
        repeats_from,
        is_second: false,
    };
    vec![Block::Steps(steps), Block::Chart(chart)]
}

/// A row between the steps: what follows repeats.
fn mark() -> Row {
    Row {
        cells: vec![
            Cell::Number(None),
            Cell::Text(String::new()),
            Cell::Text(String::new()),
            Cell::Action(CYCLE.to_owned(), ""),
            Cell::Changes(Changes {
                all: Vec::new(),
                others: Vec::new(),
                most: CHANGES,
            }),
        ],
        depth: 0,
        is_bad: false,
        span: None,
    }
}

/// The messages of a run.
fn chart(run: &Run) -> Chart {
    let lifelines: Vec<usize> = run.actors.iter().map(|(number, _)| *number).collect();
    let lifeline = |process: usize| lifelines.binary_search(&process).unwrap_or(0);
    // The event of each row that has one.
    let mut events_of = BTreeMap::new();
    let mut events = Vec::new();
    let mut begins = run.cycle.map(|(before, _)| before + 1);
    let mut messages = 0;
    for (at, row) in run.rows.iter().enumerate() {
        if begins.is_some_and(|step| row.step >= step) {
            begins = None;
            events.push(Event {
                step: row.step,
                title: CYCLE.to_owned(),
                label: CYCLE.to_owned(),
                kind: EventKind::Joint((0..lifelines.len()).collect()),
            });
        }
        let Some(message) = &row.message else {
            continue;
        };
        messages += 1;
        events_of.insert(at, events.len());
        let own = lifeline(row.process);
        let label = message.label();
        events.push(Event {
            step: row.step,
            title: format!("{} {label}", row.name),
            label,
            kind: match message.kind {
                Kind::Sent => EventKind::Send(own),
                Kind::Handed(to) => EventKind::Handover(own, lifeline(to)),
                Kind::Received(sent) => {
                    EventKind::Receive(own, sent.and_then(|row| events_of.get(&row).copied()))
                }
            },
        });
    }
    Chart {
        lifelines: run.actors.iter().map(|(_, name)| name.clone()).collect(),
        of: (messages, "message"),
        // What repeats is marked among messages only.
        events: match messages {
            0 => Vec::new(),
            _ => events,
        },
        steps: run.steps,
        ending: run.ending.first().cloned().unwrap_or_default(),
        in_text: true,
    }
}
