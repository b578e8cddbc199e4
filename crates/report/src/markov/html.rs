//! The report on a probabilistic system as a page.

use maud::{Markup, html};
use suppose_model::mdp::{Counterexample, Lpts};

use super::text::sizes_text;
use super::tree::{What, depth, lines, reasons, whole_state};
use super::{
    MarkovChecked, MarkovReport, MarkovVerdict, about, assumptions_of, evidence_kind, heading,
    lpts, tree_of,
};
use crate::Document;
use crate::draw;
use crate::html::claim::{fact, judgement};
use crate::html::{badge, drawing, history, judged, name, page as page_with};
use crate::text::{assumption_name, explored, groups, reason_text};
use crate::words::{self, count, grouped, shown};

/// More lines of a tree, rows of an assumption and reasons are left out.
const MOST_LINES: usize = 2_000;
const MOST_ROWS: usize = 500;
const MOST_REASONS: usize = 200;

pub(super) fn page(report: &MarkovReport) -> String {
    let sections = html! {
        (sizes(report))
        @for (number, checked) in report.checked.iter().enumerate() { (section(report, checked, number)) }
    };
    let rows = html! {
        @for (number, checked) in report.checked.iter().enumerate() { (summary_row(report, checked, number)) }
    };
    let title = match report.system.name.is_empty() {
        true => report.base.files.join(", "),
        false => report.system.name.clone(),
    };
    let title = shown(&title).into_owned();
    page_with(&report.base, &title, &report.overall(), rows, sections)
}

fn sizes(report: &MarkovReport) -> Markup {
    let components = &report.system.components;
    html! {
        section class="card" {
            h2 { "Sizes" }
            @if let Some(sizes) = &report.sizes { p { "The composition has " (sizes_text(sizes)) "." } }
            div class="scroll" { table class="summary" {
                thead { tr {
                    th scope="col" { "Component" } th scope="col" { "Modules" }
                    th scope="col" class="number" { "States" } th scope="col" class="number" { "Choices" }
                    th scope="col" class="number" { "Transitions" }
                } }
                tbody {
                    @for component in components {
                        (size_row(&component.lpts, component.lpts.name(), &component.members.join(", ")))
                    }
                    @if let Some(specification) = report.specification {
                        (size_row(specification, specification.name(), "the specification"))
                    }
                }
            } }
            @if let Some(specification) = report.specification {
                (picture(specification, report, "The specification"))
            }
        }
    }
}

fn size_row(lpts: &Lpts, title: &str, what: &str) -> Markup {
    html! {
        tr {
            th scope="row" { (name(title)) }
            td { (name(what)) }
            td class="number" { (grouped(lpts.states() as u64)) }
            td class="number" { (grouped(lpts.all_choices().len() as u64)) }
            td class="number" { (grouped(lpts.branches() as u64)) }
        }
    }
}

/// A drawing if it is small enough to be of use.
fn picture(lpts: &Lpts, report: &MarkovReport, what: &str) -> Markup {
    html! {
        @if draw::lpts_readable(lpts) {
            h3 { (what) }
            (drawing(draw::lpts_in_page(lpts, &report.system.labels), what, "A dot stands for a draw; the fractions are its probabilities."))
        } @else {
            p class="aside" { (what) " has " (lpts::sizes(lpts)) ": too large to draw here." }
        }
    }
}

fn summary_row(report: &MarkovReport, checked: &MarkovChecked, number: usize) -> Markup {
    let answer = checked.answer;
    let evidence = match evidence_kind(&answer.verdict) {
        None => "none",
        Some(_) => judged(&checked.evidence),
    };
    html! {
        tr {
            th scope="row" { a href=(format!("#claim-{}", number + 1)) { (name(&heading(&answer.claim))) } }
            td { (badge(&report.standing(checked))) }
            td { (name(&answer.engine)) }
            td class="number" { (grouped(answer.run.states)) }
            td class="number" { (grouped(answer.run.transitions)) }
            td class="number" { (words::duration(answer.run.elapsed)) }
            td { (evidence) }
        }
    }
}

fn section(report: &MarkovReport, checked: &MarkovChecked, number: usize) -> Markup {
    let answer = checked.answer;
    let (assumptions, groups) = assumptions_of(&answer.verdict);
    html! {
        section class="card claim" id=(format!("claim-{}", number + 1)) {
            h2 { (name(&heading(&answer.claim))) " " (badge(&report.standing(checked))) }
            (facts(report, checked))
            @for (number, assumption) in assumptions.iter().enumerate() {
                (assumption_section(report, assumption, groups, number, assumptions.len() > 1))
            }
            @if let Some(tree) = tree_of(&answer.verdict) { (counterexample(report, &answer.verdict, tree)) }
            (history::section(&answer.run))
        }
    }
}

fn facts(report: &MarkovReport, checked: &MarkovChecked) -> Markup {
    let answer = checked.answer;
    let run = &answer.run;
    html! {
        dl class="facts" {
            @if let MarkovVerdict::Unknown(reason) = &answer.verdict {
                (fact("Reason", name(&reason_text(reason))))
            }
            @if let Some(value) = &answer.value {
                @let label = if value.is_reward { "Expected reward" } else { "Probability" };
                (fact(label, html! { (value.text()) }))
            }
            (fact("Engine", html! {
                (name(&answer.engine))
                @if !checked.why_engine.is_empty() { ": " (name(&checked.why_engine)) }
            }))
            @if run.groups.len() > 1 { (fact("Split", name(&groups(&report.base, &run.groups)))) }
            (fact("Explored", html! { (explored(run)) }))
            (fact("Time", html! { (words::duration(run.elapsed)) }))
            @match evidence_kind(&answer.verdict) {
                None => {}
                Some("replay") => (judgement("Replay", &checked.evidence, checked.certificate_file.as_deref())),
                Some("recheck") => (judgement("Second search", &checked.evidence, None)),
                Some(_) => (judgement("Certificate", &checked.evidence, checked.certificate_file.as_deref())),
            }
        }
    }
}

fn assumption_section(
    report: &MarkovReport,
    assumption: &Lpts,
    groups: &[Vec<usize>],
    number: usize,
    many: bool,
) -> Markup {
    let title = format!("Assumption {}", assumption_name(number, many));
    let rows = lpts::rows(assumption, &report.system.labels);
    html! {
        h3 { (title) }
        p {
            (lpts::sizes(assumption)) ", about " (name(&about(report, groups, number))) "."
            @if lpts::allows_all(assumption) { " It says nothing: any behaviour will do." }
        }
        @if draw::lpts_readable(assumption) {
            (drawing(draw::lpts_in_page(assumption, &report.system.labels), &title, "A dot stands for a draw; the fractions are its probabilities."))
        }
        details {
            summary { "As text" }
            pre { @for row in rows.iter().take(MOST_ROWS) { (row) "\n" } }
            @if rows.len() > MOST_ROWS {
                p class="aside" { "and " (count((rows.len() - MOST_ROWS) as u64, "more row")) }
            }
        }
    }
}

fn counterexample(
    report: &MarkovReport,
    verdict: &MarkovVerdict,
    found: &Counterexample,
) -> Markup {
    let nodes = count(found.tree.states() as u64, "node");
    let deep = count(depth(&found.tree) as u64, "step");
    let why = match verdict {
        MarkovVerdict::Differs { refusals, .. } => reasons(report, found, refusals),
        MarkovVerdict::Deadlock(_) => vec!["in the last node nothing can be done".to_owned()],
        _ => vec!["the property is false of this behaviour".to_owned()],
    };
    html! {
        h3 { "Counterexample: a tree of " (nodes) ", " (deep) " deep" }
        @if draw::lpts_readable(&found.tree) {
            @let title = |node| format!("node {node}\n{}", whole_state(report, found, node));
            (drawing(draw::tree_in_page(&found.tree, &report.system.labels, &title), "The counterexample", "Point at a node to see the states of all components."))
        }
        @if !why.is_empty() {
            h4 { "Why it is one" }
            ul class="ending" { @for line in why.iter().take(MOST_REASONS) { li { (name(line)) } } }
            @if why.len() > MOST_REASONS {
                p class="aside" { "and " (count((why.len() - MOST_REASONS) as u64, "more reason")) }
            }
        }
        details open[found.tree.states() <= 40] { summary { "Step by step" } (rows(report, found)) }
    }
}

fn rows(report: &MarkovReport, found: &Counterexample) -> Markup {
    let all = lines(report, found, MOST_LINES + 1);
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Tree" { table class="steps" {
            thead { tr {
                th scope="col" { "Action" } th scope="col" class="number" { "Probability" }
                th scope="col" class="number" { "Node" } th scope="col" { "What changes" }
            } }
            tbody {
                @for line in all.iter().take(MOST_LINES) {
                    @let indent = "\u{2003}".repeat(line.depth.min(20));
                    tr { @match &line.what {
                        What::Action(action) => {
                            td class="action" { (indent) (name(action)) } td {} td {} td {}
                        }
                        What::Node { node, probability, states, again } => {
                            td {} td class="number" { (probability.as_deref().unwrap_or("")) }
                            td class="number" { (node) }
                            td { (indent) (name(states)) @if *again { " (see above)" } }
                        }
                    } }
                }
            }
        } }
        @if all.len() > MOST_LINES { p class="aside" { "The rest is left out." } }
    }
}
