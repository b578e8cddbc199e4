//! Reports on Horn clauses and on C programs, which become clauses.
//!
//! There is one question: can a query be derived (of a program: can an assertion fail)? It holds because of a
//! definition of every predicate, shown as a formula people can read; it is violated because of a
//! derivation, shown step by step, and of a program as its calls.

mod infix;
mod names;
mod record;
mod steps;

use std::fmt::Write;

use suppose_model::Finding;
use suppose_model::chc::{
    Answer, CallRow, Claim as Asked, Horn, Integers, Pred, Refutation, TermId, Terms, Verdict,
};
use suppose_source::Sources;

use self::names::Parameters;
use self::steps::{Step, derivation_steps};
use crate::block::{Block, Cell, Column, Definition, Definitions, ROWS, Row, Steps, Width};
use crate::document::{Claim, Document, Fact, Frame, Meaning, Record, System};
use crate::words::{count, grouped, place, place_text};

/// A longer fact or list of values is cut in a text.
const FACT: usize = 96;

/// The clauses of one claim, with what was found.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The clauses as they were read.
    pub horn: &'a Horn,
    /// The files that their places point into.
    pub sources: &'a Sources,
    /// Which integers are meant, of a C program.
    pub integers: Option<Integers>,
    /// How far a verdict that the claim holds goes, if not all the way.
    pub scope: Option<&'static str>,
    /// The answer, once there is one.
    pub finding: Option<&'a Finding<Answer>>,
}

/// The report on clauses, or on the claims about a C program. The first subject says what was read.
pub fn describe<'a>(frame: Frame, subjects: &[Subject<'a>]) -> Document<'a> {
    let Some(first) = subjects.first().copied() else {
        return Document::empty(frame);
    };
    let sizes = format!(
        "{}, {}",
        count(first.horn.predicates.len() as u64, "predicate"),
        count(first.horn.clauses.len() as u64, "clause")
    );
    let integers = first.integers.map(integers);
    let title: Vec<&str> = frame.files.iter().map(|f| base(f)).collect();
    let claims = subjects
        .iter()
        .filter_map(|subject| Some(claim(*subject, subject.finding?)));
    Document {
        title: title.join(", "),
        frame,
        claims: claims.collect(),
        system: System {
            name: match integers {
                None => "clauses".to_owned(),
                Some(_) => "C program".to_owned(),
            },
            summary: match &integers {
                None => sizes.clone(),
                Some(integers) => format!("{sizes}. Integers are {integers}"),
            },
            sizes,
            lines: Vec::new(),
            network: None,
            blocks: Vec::new(),
            sources: Some(first.sources),
            columns: ["Questions", "Depth"],
            record: Box::new(move || record::clauses(first)),
        },
        layout: None,
    }
}

/// A file without its folders.
fn base(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// Which integers are meant.
fn integers(integers: Integers) -> String {
    match integers {
        Integers::Mathematical => "mathematical, without bounds".to_owned(),
        Integers::Machine { long } => format!("of the machine, `long` has {long} bits"),
        Integers::Wrap { long } => {
            format!("of the machine, signed ones wrap around too, `long` has {long} bits")
        }
    }
}

fn claim<'a>(subject: Subject<'a>, finding: &'a Finding<Answer>) -> Claim<'a> {
    let answer = &finding.answer;
    let name = answer.claim.name();
    let mut claim = Claim::new(finding, name, name.to_owned());
    claim.meaning = Some(Meaning::Words(answer.claim.meaning().to_owned()));
    claim.numbers = [answer.run.queries, answer.effort.depth];
    facts(&mut claim, subject, answer);
    claim.evidence.name = match answer.verdict {
        Verdict::Unknown(_) => None,
        Verdict::Holds(_) => Some("certificate"),
        Verdict::Violated(_) => Some("replay"),
    };
    let confirmed = answer.confirmed.iter().map(|line| Fact {
        name: "confirmed",
        value: line.clone(),
    });
    claim.notes = confirmed.collect();
    claim.blocks = Box::new(move || blocks(subject, answer));
    claim.record = Box::new(move || Record {
        counterexample: match &answer.verdict {
            Verdict::Violated(found) => Some(record::derivation(subject, answer.claim, found)),
            _ => None,
        },
        more: record::answer(subject, answer),
        ..Record::default()
    });
    claim
}

fn facts(claim: &mut Claim, subject: Subject, answer: &Answer) {
    if let Some(of) = subject.integers {
        claim.fact("integers", integers(of));
    }
    if let Some(scope) = limited(subject, answer) {
        claim.fact("scope", scope);
    }
    claim.reason_fact(answer.verdict.outcome());
    if let Some(bound) = answer.effort.bound {
        claim.fact("known", format!("no derivation up to depth {bound}"));
    }
    claim.engine_fact();
    claim.fact("work", work(answer));
    claim.time_fact();
}

/// How far the verdict goes, if not all the way. A violation is one whatever follows it.
fn limited(subject: Subject, answer: &Answer) -> Option<&'static str> {
    let holds = matches!(answer.verdict, Verdict::Holds(_));
    subject.scope.filter(|_| holds)
}

/// How much was done.
fn work(answer: &Answer) -> String {
    let effort = &answer.effort;
    let questions = count(answer.run.queries, "question");
    let mut text = format!("{questions} to the solver, depth {}", grouped(effort.depth));
    if effort.obligations > 0 {
        let _ = write!(
            text,
            ", {}, {}, {}",
            count(effort.obligations, "goal"),
            count(effort.lemmas, "lemma"),
            count(effort.facts, "fact")
        );
    }
    text
}

fn blocks<'a>(subject: Subject<'a>, answer: &'a Answer) -> Vec<Block<'a>> {
    match &answer.verdict {
        Verdict::Holds(proof) => {
            let all = proof.definitions.iter().enumerate();
            let all = all.map(|(i, formula)| {
                let mut it = definition(subject, &proof.terms, Pred(i as u32), *formula);
                it.constant = [true, false]
                    .into_iter()
                    .find(|truth| proof.terms.constant(*truth) == *formula);
                it
            });
            vec![Block::Definitions(Definitions {
                noun: "definition",
                title: "Definitions",
                see: "--full and --definitions show them",
                all: all.collect(),
            })]
        }
        Verdict::Violated(found) => counterexample(subject, answer.claim, found),
        Verdict::Unknown(_) => {
            let candidates = answer.candidates.iter().map(|candidates| {
                let all = candidates.formulas.iter();
                let all = all.map(|(pred, f)| definition(subject, &candidates.terms, *pred, *f));
                Block::Definitions(Definitions {
                    noun: "candidate",
                    title: "Candidates so far",
                    see: "--full shows them",
                    all: all.collect(),
                })
            });
            candidates.collect()
        }
    }
}

fn definition<'a>(
    subject: Subject<'a>,
    terms: &'a Terms,
    pred: Pred,
    formula: TermId,
) -> Definition<'a> {
    let parameters = Parameters::of(subject.horn, pred);
    let predicate = subject.horn.predicate(pred);
    let found = predicate.place.as_ref();
    Definition {
        name: predicate.name.clone(),
        head: parameters.head(&predicate.name),
        constant: None,
        formula: Box::new(move |most| {
            infix::formula(terms, formula, &|v| parameters.name(v), most)
        }),
        what: found.map_or_else(String::new, |p| p.what.clone()),
        place: place_text(&found.and_then(|p| place(subject.sources, p.span))),
        is_placed: found.is_some() && subject.integers.is_some(),
    }
}

/// What is wrong at the end of a counterexample.
fn ending(claim: Asked) -> &'static str {
    match claim {
        Asked::Queries => "the last step derives a query",
        Asked::Assertions => "the assertion fails, or an error is reached",
        Asked::NoOverflow => "the result is not in the range of its signed type",
        Asked::ValidDeref => "there is no memory at what is accessed",
        Asked::ValidFree => "what is freed was not allocated, or is freed already",
    }
}

fn counterexample<'a>(subject: Subject, claim: Asked, found: &Refutation) -> Vec<Block<'a>> {
    let steps = derivation_steps(subject.horn, subject.sources, &found.derivation);
    let table = |rows: Vec<Row>, columns: Vec<Column>, is_second: bool| {
        Block::Steps(Steps {
            count: count(rows.len() as u64, "step"),
            columns,
            rows,
            ending: vec![ending(claim).to_owned()],
            cut: ROWS,
            states: None,
            repeats_from: None,
            is_second,
        })
    };
    let mut blocks = Vec::new();
    if !found.calls.is_empty() {
        let rows = found.calls.iter().enumerate();
        let last = found.calls.len();
        let rows = rows.map(|(at, row)| call_row(subject, row, at + 1 == last));
        let columns = vec![
            Column::new("Line", Width::Padded(usize::MAX)),
            Column::new("Function", Width::Free).on_page(),
            Column::new("What happens", Width::Free),
            Column::new("Values", Width::Free).at_most(FACT, false),
        ];
        blocks.push(table(rows.collect(), columns, false));
    }
    let last = steps.len();
    let rows = steps.into_iter().map(|s| step_row(s, last));
    let columns = vec![
        Column::step(),
        Column::new("Derived", Width::Padded(usize::MAX)).at_most(FACT, false),
        Column::new("From", Width::Padded(usize::MAX)),
        Column::new("Clause", Width::Free).on_page(),
        Column::new("Line", Width::Free),
    ];
    blocks.push(table(rows.collect(), columns, !found.calls.is_empty()));
    blocks
}

fn step_row(step: Step, last: usize) -> Row {
    Row {
        is_bad: step.number == last,
        depth: 0,
        span: step.span,
        cells: vec![
            Cell::Number(Some(step.number)),
            Cell::Action(step.fact(), ""),
            Cell::Text(step.sources()),
            Cell::Text(step.what),
            Cell::Text(place_text(&step.place)),
        ],
    }
}

fn call_row(subject: Subject, row: &CallRow, is_bad: bool) -> Row {
    let found = row.span.and_then(|s| place(subject.sources, s));
    let values = row.values.iter().map(|(n, v)| format!("{n} = {v}"));
    Row {
        is_bad,
        depth: row.depth,
        span: row.span,
        cells: vec![
            Cell::Text(place_text(&found)),
            Cell::Text(row.function.clone()),
            Cell::Action(row.what.clone(), ""),
            Cell::Text(values.collect::<Vec<_>>().join(", ")),
        ],
    }
}
