//! The report on clauses as the same JSON document as any other.

use suppose_model::chc::{Pred, TermId, Terms, Var, symbol, write_term};

use super::names::Parameters;
use super::steps::{Step, steps};
use super::text::{definition, ending};
use super::{CallRow, HornChecked, HornIntegers, HornKind, HornReport, HornVerdict};
use crate::Document;
use crate::json::{document, evidence, print, reason};
use crate::record::horn::{
    CallRecord, DefinitionRecord, DerivationRecord, EffortRecord, HornRecord, NamedRecord,
    StepRecord,
};
use crate::record::{ClaimRecord, EngineRecord, Shown};
use crate::words::place;

/// A longer formula is cut in its readable form; the SMT-LIB form is always whole.
const READABLE: usize = 4_000;

pub(super) fn json(report: &HornReport) -> String {
    let parts = report
        .parts()
        .filter_map(|p| Some((p, p.checked.as_ref()?)));
    let parts: Vec<_> = parts.collect();
    let seconds = parts.iter().map(|(_, c)| c.answer.elapsed.as_secs_f64());
    let claims = parts.iter().map(|(part, c)| claim(part, c)).collect();
    let record = HornRecord {
        kind: match report.kind {
            HornKind::Clauses => "clauses",
            HornKind::C { .. } => "c",
        },
        predicates: report.horn.predicates.len(),
        clauses: report.horn.clauses.len(),
        integers: match report.kind {
            HornKind::Clauses => None,
            HornKind::C { integers, .. } => Some(match integers {
                HornIntegers::Machine { .. } => "machine",
                HornIntegers::Wrap { .. } => "wrap",
                HornIntegers::Mathematical => "mathematical",
            }),
        },
    };
    let overall = report.overall();
    let mut whole = document(&report.base, &overall, claims, seconds.collect(), None);
    whole.horn = Some(record);
    print(&whole)
}

fn claim(report: &HornReport, checked: &HornChecked) -> ClaimRecord {
    let answer = checked.answer;
    let (mut counterexample, mut definitions, mut candidates) = (None, Vec::new(), Vec::new());
    let (mut unknown, mut bound) = (None, None);
    match &answer.verdict {
        HornVerdict::Holds(proof) => {
            let all = proof.definitions.iter().enumerate();
            definitions = all
                .map(|(i, d)| written(report, &proof.terms, Pred(i as u32), *d))
                .collect();
        }
        HornVerdict::Violated { derivation, calls } => {
            counterexample = Some(Shown::Horn(DerivationRecord {
                length: derivation.steps.len(),
                inferences: steps(report.horn, report.sources, derivation)
                    .into_iter()
                    .map(step)
                    .collect(),
                calls: calls.iter().map(|c| call(report, c)).collect(),
                ending: ending(report.kind),
            }));
        }
        HornVerdict::Unknown {
            reason,
            bound: reached,
            candidates: tried,
        } => {
            unknown = Some(reason);
            bound = *reached;
            if let Some(tried) = tried {
                candidates = tried
                    .formulas
                    .iter()
                    .map(|(pred, f)| written(report, &tried.terms, *pred, *f))
                    .collect();
            }
        }
    }
    let effort = &answer.effort;
    ClaimRecord {
        kind: report.kind.question(),
        name: report.kind.question().to_owned(),
        verdict: report.standing(checked).word(),
        reason: reason(&checked.evidence, unknown),
        engine: EngineRecord {
            name: answer.engine.clone(),
            why: checked.why_engine.clone(),
        },
        states: 0,
        transitions: 0,
        largest: 0,
        assumption_peak: 0,
        queries: effort.queries,
        groups: Vec::new(),
        rounds: Vec::new(),
        evidence: evidence(&checked.evidence, checked.certificate_file.clone()),
        assumptions: Vec::new(),
        premises: Vec::new(),
        counterexample,
        so_far: None,
        search: None,
        effort: Some(EffortRecord {
            obligations: effort.obligations,
            lemmas: effort.lemmas,
            facts: effort.facts,
            depth: effort.depth,
            bound,
            confirmed: report.confirmed.clone(),
            scope: report.limited(checked).map(str::to_owned),
        }),
        definitions: Some(definitions),
        candidates: Some(candidates),
        symbolic: None,
    }
}

/// A formula in both forms. In SMT-LIB the parameters have the names of `parameters`, as symbols.
fn written(report: &HornReport, terms: &Terms, pred: Pred, formula: TermId) -> DefinitionRecord {
    let parameters = Parameters::of(report.horn, pred);
    let (_, readable) = definition(report, terms, pred, formula, READABLE);
    let mut smtlib = String::new();
    let name = |v: Var| symbol(&parameters.name(v));
    write_term(&mut smtlib, terms, formula, &name);
    DefinitionRecord {
        predicate: report.horn.predicate(pred).name.clone(),
        parameters: parameters.names,
        readable,
        smtlib,
    }
}

fn step(step: Step) -> StepRecord {
    let (file, line) = step.place.unzip();
    StepRecord {
        clause: step.clause,
        predicate: step.predicate,
        values: step.values,
        from: step.from,
        what: step.what,
        file,
        line,
    }
}

fn call(report: &HornReport, row: &CallRow) -> CallRecord {
    let (file, line) = row.span.and_then(|s| place(report.sources, s)).unzip();
    let values = row.values.iter().map(|(name, value)| NamedRecord {
        name: name.clone(),
        value: value.clone(),
    });
    CallRecord {
        depth: row.depth,
        function: row.function.clone(),
        what: row.what.clone(),
        values: values.collect(),
        file,
        line,
    }
}
