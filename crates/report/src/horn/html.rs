//! The report on clauses as a page.

use std::ops::Range;

use maud::{Markup, html};
use suppose_model::chc::{Pred, TermId, Terms};

use super::steps::{Step, steps};
use super::text::{definition, ending, values, work};
use super::{CallRow, HornChecked, HornKind, HornReport, HornVerdict, bound_text};
use crate::Document;
use crate::html::claim::{fact, judgement};
use crate::html::steps::pieces;
use crate::html::{Columns, badge, judged, name, page_of};
use crate::text::reason_text;
use crate::words::{self, count, grouped, place, place_text, shown};

/// A longer formula is cut, and more definitions are left out.
const FORMULA: usize = 20_000;
const MOST_DEFINITIONS: usize = 500;

pub(super) fn page(report: &HornReport) -> String {
    let sections = html! {
        (system(report))
        @for (number, part) in (1..).zip(report.parts()) {
            @if let Some(checked) = &part.checked { (section(part, checked, number)) }
        }
    };
    let rows = html! {
        @for (number, part) in (1..).zip(report.parts()) {
            @if let Some(checked) = &part.checked { (summary_row(part, checked, number)) }
        }
    };
    let files = report.base.files.iter();
    let title: Vec<_> = files.map(|f| shown(base(f)).into_owned()).collect();
    let title = title.join(", ");
    let columns = Columns(["Questions", "Depth"]);
    page_of(
        &report.base,
        &title,
        &report.overall(),
        columns,
        rows,
        sections,
    )
}

/// A file without its folders.
fn base(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

fn system(report: &HornReport) -> Markup {
    let horn = report.horn;
    html! {
        section class="card" {
            h2 { @match report.kind { HornKind::Clauses => "Clauses", HornKind::C { .. } => "Program" } }
            p {
                (count(horn.predicates.len() as u64, "predicate")) ", "
                (count(horn.clauses.len() as u64, "clause")) "."
                @if let Some(integers) = report.kind.integers() { " Integers are " (integers) "." }
            }
        }
    }
}

fn summary_row(report: &HornReport, checked: &HornChecked, number: usize) -> Markup {
    let answer = checked.answer;
    let evidence = match &answer.verdict {
        HornVerdict::Unknown { .. } => "none",
        _ => judged(&checked.evidence),
    };
    html! {
        tr {
            th scope="row" { a href={ "#claim-" (number) } { (report.kind.question()) } }
            td { (badge(&report.standing(checked))) }
            td { (name(&answer.engine)) }
            td class="number" { (grouped(answer.effort.queries)) }
            td class="number" { (grouped(answer.effort.depth)) }
            td class="number" { (words::duration(answer.elapsed)) }
            td { (evidence) }
        }
    }
}

fn section(report: &HornReport, checked: &HornChecked, number: usize) -> Markup {
    html! {
        section class="card claim" id={ "claim-" (number) } {
            h2 { (report.kind.question()) " " (badge(&report.standing(checked))) }
            p { (report.kind.meaning()) }
            (facts(report, checked))
            @match &checked.answer.verdict {
                HornVerdict::Holds(proof) => {
                    h3 { "Definitions" }
                    @let all = proof.definitions.iter().enumerate().map(|(i, d)| (Pred(i as u32), *d));
                    (definitions(report, &proof.terms, all.collect()))
                }
                HornVerdict::Violated { derivation, calls } => {
                    @if !calls.is_empty() { (call_tree(report, calls)) }
                    (derived(report, &steps(report.horn, report.sources, derivation), calls.is_empty()))
                }
                HornVerdict::Unknown { candidates, .. } => {
                    @if let Some(candidates) = candidates {
                        h3 { "Candidates so far" }
                        (definitions(report, &candidates.terms, candidates.formulas.clone()))
                    }
                }
            }
        }
    }
}

fn facts(report: &HornReport, checked: &HornChecked) -> Markup {
    let answer = checked.answer;
    let file = checked.certificate_file.as_deref();
    html! {
        dl class="facts" {
            @if let HornVerdict::Unknown { reason, bound, .. } = &answer.verdict {
                (fact("Reason", name(&reason_text(reason))))
                @if let Some(bound) = bound { (fact("Known", html! { (bound_text(*bound)) })) }
            }
            (fact("Engine", html! {
                (name(&answer.engine))
                @if !checked.why_engine.is_empty() { ": " (name(&checked.why_engine)) }
            }))
            (fact("Work", html! { (work(report, checked)) }))
            (fact("Time", html! { (words::duration(answer.elapsed)) }))
            @match &answer.verdict {
                HornVerdict::Unknown { .. } => {}
                HornVerdict::Holds(_) => (judgement("Certificate", &checked.evidence, file)),
                HornVerdict::Violated { .. } => (judgement("Replay", &checked.evidence, file)),
            }
            @if let Some(scope) = report.limited(checked) { (fact("Scope", name(scope))) }
            @for line in &report.confirmed { (fact("Confirmed", name(line))) }
        }
    }
}

fn definitions(report: &HornReport, terms: &Terms, all: Vec<(Pred, TermId)>) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Definitions" { table class="steps" {
            thead { tr {
                th scope="col" { "Predicate" } th scope="col" { "Is true when" }
                th scope="col" { "Stands for" } th scope="col" { "Line" }
            } }
            tbody {
                @for (pred, formula) in all.iter().take(MOST_DEFINITIONS) {
                    @let (head, body) = definition(report, terms, *pred, *formula, FORMULA);
                    @let found = report.horn.predicate(*pred).place.as_ref();
                    @let at = found.and_then(|p| place(report.sources, p.span));
                    tr {
                        th scope="row" { (name(&head)) }
                        td class="action formula" { (name(&body)) }
                        td { @if let Some(found) = found { (name(&found.what)) } }
                        td { (name(&place_text(&at))) }
                    }
                }
            }
        } }
        @if all.len() > MOST_DEFINITIONS {
            p class="aside" { "and " (count((all.len() - MOST_DEFINITIONS) as u64, "more definition")) }
        }
    }
}

fn derived(report: &HornReport, all: &[Step], open: bool) -> Markup {
    let rows = pieces("Steps", all.len(), |range| step_rows(all, range));
    html! {
        @if open {
            h3 { "Counterexample: " (count(all.len() as u64, "step")) }
            p class="ending" { (ending(report.kind)) "." }
            (rows)
        } @else {
            details { summary { "The same as " (count(all.len() as u64, "step")) " of a derivation" } (rows) }
        }
    }
}

fn step_rows(all: &[Step], range: Range<usize>) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Steps" { table class="steps" {
            thead { tr {
                th scope="col" class="number" { "Step" }
                th scope="col" { "Derived" }
                th scope="col" { "From" }
                th scope="col" { "Clause" }
                th scope="col" { "Line" }
            } }
            tbody {
                @for step in &all[range] {
                    tr.bad[step.number == all.len()] {
                        td class="number" { (grouped(step.number as u64)) }
                        td class="action" { (name(&step.fact())) }
                        td { (step.sources()) }
                        td { (name(&step.what)) }
                        td { (name(&place_text(&step.place))) }
                    }
                }
            }
        } }
    }
}

fn call_tree(report: &HornReport, calls: &[CallRow]) -> Markup {
    html! {
        h3 { "Counterexample: " (count(calls.len() as u64, "step")) }
        p class="ending" { (ending(report.kind)) "." }
        (pieces("Steps", calls.len(), |range| call_rows(report, calls, range)))
    }
}

fn call_rows(report: &HornReport, calls: &[CallRow], range: Range<usize>) -> Markup {
    let last = calls.len();
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Calls" { table class="steps" {
            thead { tr {
                th scope="col" { "Line" }
                th scope="col" { "Function" }
                th scope="col" { "What happens" }
                th scope="col" { "Values" }
            } }
            tbody {
                @for at in range {
                    @let row = &calls[at];
                    @let found = row.span.and_then(|s| place(report.sources, s));
                    tr.bad[at + 1 == last] {
                        td { (name(&place_text(&found))) }
                        td { ("\u{2003}".repeat(row.depth.min(20))) (name(&row.function)) }
                        td class="action" { (name(&row.what)) }
                        td { (name(&values(row))) }
                    }
                }
            }
        } }
    }
}
