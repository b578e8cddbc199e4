//! The report on clauses for a terminal.

use std::fmt::Write;

use suppose_model::chc::{Definitions, Pred, TermId, Terms};

use super::names::Parameters;
use super::steps::{Step, steps};
use super::{
    CallRow, Candidates, HornChecked, HornClaim, HornKind, HornReport, HornVerdict, bound_text,
    infix,
};

use crate::draw::shorten;
use crate::text::{Page, RED, reason_text};
use crate::words::{self, count, grouped, place, place_text, shown};

/// A derivation with more steps is cut in the middle.
const WRITTEN_ROWS: usize = 60;
/// How many rows are kept at the start and at the end of one that is cut.
const KEPT: (usize, usize) = (20, 25);
/// A longer fact or list of values is cut.
const FACT: usize = 96;
/// More definitions are only counted, and a longer one is cut.
const WRITTEN_DEFINITIONS: usize = 20;
const DEFINITION: usize = 400;

pub(super) fn text(report: &HornReport, colour: bool, full: bool) -> String {
    let checked = |page: &mut Page| {
        for part in report.parts() {
            if let Some(checked) = &part.checked {
                question(page, part, checked, full);
            }
        }
    };
    Page::of(&report.base, colour, |page| header(page, report), checked)
}

fn header(page: &mut Page, report: &HornReport) {
    let horn = report.horn;
    let sizes = format!(
        "{}, {}",
        count(horn.predicates.len() as u64, "predicate"),
        count(horn.clauses.len() as u64, "clause")
    );
    let line = match report.kind {
        HornKind::Clauses => format!("{}: {sizes}", page.paint("clauses", crate::text::BOLD)),
        HornKind::C { .. } => format!("{}: {sizes}", page.paint("C program", crate::text::BOLD)),
    };
    page.line(&line);
}

fn question(page: &mut Page, report: &HornReport, checked: &HornChecked, full: bool) {
    let answer = checked.answer;
    page.heading(report.kind.question(), &report.standing(checked));
    if let Some(integers) = report.kind.integers() {
        page.field("integers", &integers);
    }
    if let Some(scope) = report.limited(checked) {
        page.field("scope", scope);
    }
    if let HornVerdict::Unknown { reason, bound, .. } = &answer.verdict {
        page.field("reason", &reason_text(reason));
        if let Some(bound) = bound {
            page.field("known", &bound_text(*bound));
        }
    }
    let engine = shown(&answer.engine);
    match checked.why_engine.is_empty() {
        true => page.field("engine", &engine),
        false => {
            let why = shown(&checked.why_engine);
            page.field("engine", &format!("{engine}, {why}"));
        }
    }
    page.field("work", &work(report, checked));
    page.field("time", &words::duration(answer.elapsed));
    let name = match &answer.verdict {
        HornVerdict::Unknown { candidates, .. } => {
            if let Some(candidates) = candidates {
                candidate_fields(page, report, candidates, full);
            }
            return;
        }
        HornVerdict::Holds(proof) => {
            definition_fields(page, report, proof, full);
            "certificate"
        }
        HornVerdict::Violated { derivation, calls } => {
            let lines = match calls.is_empty() {
                true => derived(&steps(report.horn, report.sources, derivation), full),
                false => called(report, calls, full),
            };
            let ending = page.paint(ending(report.kind), RED);
            page.field("counterexample", &format!("{lines}\n{ending}"));
            "replay"
        }
    };
    page.evidence(name, &checked.evidence, checked.certificate_file.as_deref());
    for line in &report.confirmed {
        page.field("", &shown(line));
    }
}

/// What is wrong at the end of a counterexample.
pub(super) fn ending(kind: HornKind) -> &'static str {
    match kind {
        HornKind::Clauses => "the last step derives a query",
        HornKind::C {
            claim: HornClaim::Assertions,
            ..
        } => "the assertion fails, or an error is reached",
        HornKind::C {
            claim: HornClaim::NoOverflow,
            ..
        } => "the result is not in the range of its signed type",
    }
}

/// How much was done.
pub(super) fn work(report: &HornReport, checked: &HornChecked) -> String {
    let effort = &checked.answer.effort;
    let _ = report;
    let questions = match effort.queries {
        1 => "1 question to the solver".to_owned(),
        n => format!("{} questions to the solver", grouped(n)),
    };
    let mut text = format!("{questions}, depth {}", grouped(effort.depth));
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

/// `inv(x, y): x <= y`, cut if it is long.
pub(super) fn definition(
    report: &HornReport,
    terms: &Terms,
    pred: Pred,
    formula: TermId,
    most: usize,
) -> (String, String) {
    let parameters = Parameters::of(report.horn, pred);
    let head = parameters.head(&report.horn.predicate(pred).name);
    let body = infix::formula(terms, formula, &|v| parameters.name(v), most);
    (head, body)
}

/// What a predicate of a program stands for, as a line before its definition.
fn meant(report: &HornReport, pred: Pred) -> String {
    let found = &report.horn.predicate(pred).place;
    match (report.kind, found) {
        (HornKind::C { .. }, Some(found)) => {
            let line = place_text(&place(report.sources, found.span));
            format!("{}, {}\n", shown(&found.what), shown(&line))
        }
        _ => String::new(),
    }
}

fn definition_fields(page: &mut Page, report: &HornReport, proof: &Definitions, full: bool) {
    let (most, length) = match full {
        true => (usize::MAX, 100_000),
        false => (WRITTEN_DEFINITIONS, DEFINITION),
    };
    let trivial =
        |d: &TermId| *d == proof.terms.constant(true) || *d == proof.terms.constant(false);
    let all = proof.definitions.iter().enumerate();
    let (plain, telling): (Vec<_>, Vec<_>) = all.partition(|(_, d)| trivial(d));
    for (i, formula) in telling.iter().take(most) {
        let pred = Pred(*i as u32);
        let (head, body) = definition(report, &proof.terms, pred, **formula, length);
        let text = format!("{}{}: {}", meant(report, pred), shown(&head), shown(&body));
        page.field("definition", &text);
    }
    if telling.len() > most {
        let more = count((telling.len() - most) as u64, "more definition");
        page.field(
            "",
            &format!("and {more}: --full and --definitions show them"),
        );
    }
    for truth in [true, false] {
        let names: Vec<&str> = plain
            .iter()
            .filter(|(_, d)| **d == proof.terms.constant(truth))
            .map(|(i, _)| report.horn.predicates[*i].name.as_str())
            .collect();
        if !names.is_empty() {
            let names = shorten(&shown(&names.join(", ")), DEFINITION);
            page.field("definition", &format!("{truth}: {names}"));
        }
    }
}

fn candidate_fields(page: &mut Page, report: &HornReport, candidates: &Candidates, full: bool) {
    let (most, length) = match full {
        true => (usize::MAX, 100_000),
        false => (WRITTEN_DEFINITIONS, DEFINITION),
    };
    for (pred, formula) in candidates.formulas.iter().take(most) {
        let (head, body) = definition(report, &candidates.terms, *pred, *formula, length);
        let text = format!("{}{}: {}", meant(report, *pred), shown(&head), shown(&body));
        page.field("candidate", &text);
    }
    if candidates.formulas.len() > most {
        let more = count((candidates.formulas.len() - most) as u64, "more candidate");
        page.field("", &format!("and {more}: --full shows them"));
    }
}

/// The rows that are shown: all, or the first and the last.
fn cut(rows: usize, full: bool) -> std::ops::Range<usize> {
    match rows > WRITTEN_ROWS && !full {
        true => KEPT.0..rows - KEPT.1,
        false => rows..rows,
    }
}

fn left_out(rows: usize) -> String {
    let left_out = count(rows as u64, "more row");
    format!("\n…  ({left_out}: --full, --report and --format json show them)")
}

fn derived(steps: &[Step], full: bool) -> String {
    let cut = cut(steps.len(), full);
    let digits = steps.len().to_string().len();
    let most = if full { usize::MAX } else { FACT };
    let fact = |s: &Step| shorten(&shown(&s.fact()), most);
    let kept = || steps.iter().enumerate().filter(|(at, _)| !cut.contains(at));
    let wide = kept()
        .map(|(_, s)| fact(s).chars().count())
        .max()
        .unwrap_or(0);
    let from = kept()
        .map(|(_, s)| s.sources().chars().count())
        .max()
        .unwrap_or(0);
    let mut lines = count(steps.len() as u64, "step");
    for (at, step) in steps.iter().enumerate() {
        if at == cut.start && !cut.is_empty() {
            lines.push_str(&left_out(cut.len()));
        }
        if cut.contains(&at) {
            continue;
        }
        let line = format!(
            "{:>digits$}  {:<wide$}  {:<from$}  {}",
            step.number,
            fact(step),
            step.sources(),
            shown(&place_text(&step.place))
        );
        let _ = write!(lines, "\n{}", line.trim_end());
    }
    lines
}

fn called(report: &HornReport, calls: &[CallRow], full: bool) -> String {
    let cut = cut(calls.len(), full);
    let most = if full { usize::MAX } else { FACT };
    let at = |row: &CallRow| {
        let found = row.span.and_then(|s| place(report.sources, s));
        shown(&place_text(&found)).into_owned()
    };
    let places: Vec<String> = calls.iter().map(at).collect();
    let wide = places.iter().map(|p| p.chars().count()).max().unwrap_or(0);
    let mut lines = count(calls.len() as u64, "step");
    for (i, row) in calls.iter().enumerate() {
        if i == cut.start && !cut.is_empty() {
            lines.push_str(&left_out(cut.len()));
        }
        if cut.contains(&i) {
            continue;
        }
        let line = format!(
            "{:<wide$}  {}{}  {}",
            places[i],
            "  ".repeat(row.depth.min(20)),
            shown(&row.what),
            shorten(&shown(&values(row)), most)
        );
        let _ = write!(lines, "\n{}", line.trim_end());
    }
    lines
}

/// `x = 1, y = 2`
pub(super) fn values(row: &CallRow) -> String {
    let texts: Vec<String> = row
        .values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    texts.join(", ")
}
