//! What the JSON document has of clauses.

use suppose_model::chc::{
    Answer, CallRow, Claim, Integers, Pred, Refutation, TermId, Terms, Var, Verdict, symbol,
    write_term,
};

use super::names::Parameters;
use super::steps::{Step, derivation_steps};
use super::{Subject, definition, ending, limited};
use crate::record::{Fields, Json, fields, object};
use crate::words::place;

/// A longer formula is cut in its readable form; the SMT-LIB form is always whole.
const READABLE: usize = 4_000;

pub(super) fn clauses(subject: Subject) -> Fields {
    let integers = subject.integers.map(|integers| match integers {
        Integers::Machine { .. } => "machine",
        Integers::Wrap { .. } => "wrap",
        Integers::Mathematical => "mathematical",
    });
    fields! { "horn": object! {
        "kind": if integers.is_some() { "c" } else { "clauses" },
        "predicates": subject.horn.predicates.len(),
        "clauses": subject.horn.clauses.len(),
        "integers": integers,
    } }
}

/// What an engine did, and what it found.
pub(super) fn answer(subject: Subject, answer: &Answer) -> Fields {
    let (mut definitions, mut candidates) = (Vec::new(), Vec::new());
    if let Verdict::Holds(proof) = &answer.verdict {
        for (i, formula) in proof.definitions.iter().enumerate() {
            definitions.push(written(subject, &proof.terms, Pred(i as u32), *formula));
        }
    }
    if let Some(tried) = &answer.candidates {
        for (pred, formula) in &tried.formulas {
            candidates.push(written(subject, &tried.terms, *pred, *formula));
        }
    }
    let effort = &answer.effort;
    fields! {
        "effort": object! {
            "obligations": effort.obligations,
            "lemmas": effort.lemmas,
            "facts": effort.facts,
            "depth": effort.depth,
            "bound": effort.bound,
            "confirmed": answer.confirmed.clone(),
            "scope": limited(subject, answer),
        },
        "definitions": definitions,
        "candidates": candidates,
    }
}

/// A formula in both forms. In SMT-LIB the parameters have the names of `parameters`, as symbols.
fn written(subject: Subject, terms: &Terms, pred: Pred, formula: TermId) -> Json {
    let parameters = Parameters::of(subject.horn, pred);
    let mut smtlib = String::new();
    let name = |v: Var| symbol(&parameters.name(v));
    write_term(&mut smtlib, terms, formula, &name);
    let it = definition(subject, terms, pred, formula);
    object! {
        "predicate": it.name,
        "parameters": parameters.names,
        "readable": (it.formula)(READABLE),
        "smtlib": smtlib,
    }
}

pub(super) fn derivation(subject: Subject, claim: Claim, found: &Refutation) -> Json {
    let steps = derivation_steps(subject.horn, subject.sources, &found.derivation);
    object! {
        "length": found.derivation.steps.len(),
        "inferences": Json::list(steps.into_iter().map(step)),
        "calls": Json::list(found.calls.iter().map(|row| call(subject, row))),
        "ending": ending(claim),
    }
}

fn step(step: Step) -> Json {
    let (file, line) = step.place.unzip();
    object! {
        "clause": step.clause,
        "predicate": step.predicate,
        "values": step.values,
        "from": step.from,
        "what": step.what,
        "file": file,
        "line": line,
    }
}

fn call(subject: Subject, row: &CallRow) -> Json {
    let (file, line) = row.span.and_then(|s| place(subject.sources, s)).unzip();
    let values = row.values.iter();
    let values = values.map(|(name, value)| object! { "name": name, "value": value });
    object! {
        "depth": row.depth,
        "function": &row.function,
        "what": &row.what,
        "values": Json::list(values),
        "file": file,
        "line": line,
    }
}
