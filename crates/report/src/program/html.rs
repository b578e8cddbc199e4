//! The report on a program as a page.

use std::ops::Range;

use maud::{Markup, html};
use suppose_model::program::Trace;

use super::run::{Row, Run};
use super::{ProgramChecked, ProgramReport, ProgramVerdict, chart, meaning};
use crate::Document;
use crate::Evidence;
use crate::html::claim::{fact, judgement, proof};
use crate::html::steps::pieces;
use crate::html::{badge, history, judged, name, page as frame};
use crate::text::{explored, groups, reason_text};
use crate::words::{self, count, grouped, place_text};

pub(super) fn page(report: &ProgramReport) -> String {
    let sections = html! {
        @for (number, checked) in report.checked.iter().enumerate() {
            (section(report, checked, number))
        }
    };
    let rows = html! {
        @for (number, checked) in report.checked.iter().enumerate() {
            (summary_row(report, checked, number))
        }
    };
    let title = words::shown(&report.program.name);
    frame(&report.base, &title, &report.overall(), rows, sections)
}

fn summary_row(report: &ProgramReport, checked: &ProgramChecked, number: usize) -> Markup {
    let answer = checked.answer;
    let evidence = match &answer.verdict {
        ProgramVerdict::Unknown(_) => "none",
        ProgramVerdict::Exhausted if matches!(checked.evidence, Evidence::NotChecked(_)) => {
            "all states visited"
        }
        _ => judged(&checked.evidence),
    };
    html! {
        tr {
            th scope="row" { a href=(format!("#claim-{}", number + 1)) { (name(report.name(answer.question))) } }
            td { (badge(&report.standing(checked))) }
            td { (name(&answer.engine)) }
            td class="number" { (grouped(answer.run.states)) }
            td class="number" { (grouped(answer.run.transitions)) }
            td class="number" { (words::duration(answer.run.elapsed)) }
            td { (evidence) }
        }
    }
}

fn section(report: &ProgramReport, checked: &ProgramChecked, number: usize) -> Markup {
    let answer = checked.answer;
    html! {
        section class="card claim" id=(format!("claim-{}", number + 1)) {
            h2 { (name(report.name(answer.question))) " " (badge(&report.standing(checked))) }
            p { (name(&meaning(report.program, answer.question))) }
            (facts(report, checked))
            @match &answer.verdict {
                ProgramVerdict::Proved(certificate) => (proof(&report.base, certificate)),
                ProgramVerdict::Violated(trace) => (counterexample(report, trace)),
                ProgramVerdict::Exhausted | ProgramVerdict::Evident | ProgramVerdict::Unknown(_) => {}
            }
            (history::section(&answer.run))
        }
    }
}

fn facts(report: &ProgramReport, checked: &ProgramChecked) -> Markup {
    let answer = checked.answer;
    let run = &answer.run;
    html! {
        dl class="facts" {
            @if let ProgramVerdict::Unknown(reason) = &answer.verdict {
                (fact("Reason", name(&reason_text(reason))))
            }
            (fact("Engine", html! {
                (name(&answer.engine))
                @if !checked.why_engine.is_empty() { ": " (name(&checked.why_engine)) }
            }))
            @if run.groups.len() > 1 { (fact("Split", name(&groups(&report.base, &run.groups)))) }
            (fact("Explored", html! { (explored(run)) }))
            @if let Some(search) = &answer.search {
                (fact("Search", html! {
                    (name(&search.how)) "; depth " (grouped(search.depth)) ", "
                    (words::bytes(search.memory)) " for states"
                }))
            }
            @if run.queries > 0 { (fact("Queries", html! { (grouped(run.queries)) })) }
            (fact("Time", html! { (words::duration(run.elapsed)) }))
            (evidence(checked))
        }
    }
}

fn evidence(checked: &ProgramChecked) -> Markup {
    let file = checked.certificate_file.as_deref();
    match (&checked.answer.verdict, &checked.evidence) {
        (ProgramVerdict::Unknown(_), _) => html! {},
        (ProgramVerdict::Violated(_), evidence) => judgement("Replay", evidence, file),
        (ProgramVerdict::Proved(_), evidence) => judgement("Certificate", evidence, file),
        (ProgramVerdict::Exhausted, Evidence::NotChecked(why)) => fact(
            "Evidence",
            html! { "all states were looked at; " (name(why)) },
        ),
        (ProgramVerdict::Exhausted, evidence) => judgement("Second look", evidence, file),
        (ProgramVerdict::Evident, evidence) => judgement("Statements", evidence, file),
    }
}

fn counterexample(report: &ProgramReport, trace: &Trace) -> Markup {
    let run = Run::new(report.program, report.sources, trace);
    let mut ending = run.ending.iter();
    let first = ending.next().map_or("", String::as_str);
    html! {
        h3 { "Counterexample: " (count(run.steps as u64, "step")) }
        p class="ending" { (words::shown(first)) "." }
        @if ending.len() > 0 { ul { @for line in ending { li { (name(line)) } } } }
        (table(&run))
        (chart::picture(&run))
    }
}

fn table(run: &Run) -> Markup {
    pieces("Rows", run.rows.len(), |range| piece(run, range))
}

fn piece(run: &Run, range: Range<usize>) -> Markup {
    let last = run.rows.len();
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Steps" { table class="steps" {
            thead { tr {
                th scope="col" class="number" { "Step" }
                th scope="col" { "Process" }
                th scope="col" { "Line" }
                th scope="col" { "Statement" }
                th scope="col" { "What changes" }
            } }
            tbody {
                @for at in range { (row(&run.rows[at], at + 1 == last)) }
            }
        } }
    }
}

fn row(row: &Row, last: bool) -> Markup {
    html! {
        tr.bad[last] {
            td class="number" { @if row.first { (grouped(row.step as u64)) } }
            td { (name(&row.name)) }
            td { (name(&place_text(&row.place))) }
            td class="action" { (name(&row.statement)) @if !row.keeps.is_empty() { span class="aside" { " " (row.keeps) } } }
            td {
                @for (at, change) in row.changes.iter().enumerate() {
                    @if at > 0 { ", " }
                    (name(&change.name)) ": " (name(&change.from)) " → "
                    span class="changed" { (name(&change.to)) }
                }
            }
        }
    }
}
