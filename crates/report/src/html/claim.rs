//! The section of one claim.

use maud::{Markup, html};
use suppose_model::lts::State;
use suppose_model::{Assumption, Certificate, Claim, Counterexample, Guarantee, Premise, Verdict};

use super::{badge, chart, drawing, history, judged, name, steps};
use crate::process::process;
use crate::text::{about, assumption_name, groups, reason_text};
use crate::trace::{self, Trace};
use crate::words::{self, component_name, count, grouped, shown};
use crate::{Checked, Evidence, Report, draw};

/// An assumption with more transitions is not written out as text.
const WRITTEN_EDGES: usize = 2_000;
/// Rows of a table that are shown without unfolding, and rows that are shown at all.
const ROWS: usize = 20;
const MOST_ROWS: usize = 500;

/// The section of a claim.
pub(super) fn section(report: &Report, checked: &Checked, number: usize) -> Markup {
    let answer = checked.answer;
    let standing = report.standing(checked);
    html! {
        section class="card claim" id=(format!("claim-{}", number + 1)) {
            h2 { (name(&words::heading(&report.claim_name(answer.claim)))) " " (badge(&standing)) }
            (facts(report, checked))
            @match &answer.verdict {
                Verdict::Holds(certificate) => (proof(report, certificate)),
                Verdict::Violated(found) => (counterexample(report, found)),
                Verdict::Unknown(_) => {}
            }
            (history::section(&answer.run))
        }
    }
}

fn facts(report: &Report, checked: &Checked) -> Markup {
    let answer = checked.answer;
    let run = &answer.run;
    html! {
        dl class="facts" {
            @if let Verdict::Unknown(reason) = &answer.verdict {
                (fact("Reason", name(&reason_text(reason))))
            }
            (fact("Engine", html! {
                (name(&answer.engine))
                @if !checked.why_engine.is_empty() { ": " (name(&checked.why_engine)) }
            }))
            @if run.groups.len() > 1 { (fact("Split", name(&groups(report, &run.groups)))) }
            (fact("Explored", html! {
                (count(run.states, "state")) ", " (count(run.transitions, "transition"))
                @if run.largest > 0 && run.largest < run.states {
                    "; at most " (count(run.largest, "state")) " at once"
                }
            }))
            @if run.queries > 0 { (fact("Queries", html! { (grouped(run.queries)) })) }
            (fact("Time", html! { (words::duration(run.elapsed)) }))
            @if !matches!(answer.verdict, Verdict::Unknown(_)) { (evidence(checked)) }
        }
    }
}

pub(crate) fn fact(term: &str, value: Markup) -> Markup {
    html! { div { dt { (term) } dd { (value) } } }
}

fn evidence(checked: &Checked) -> Markup {
    let term = match checked.answer.verdict {
        Verdict::Violated(_) => "Replay",
        _ => "Certificate",
    };
    judgement(term, &checked.evidence, checked.certificate_file.as_deref())
}

/// What was said of evidence.
pub(crate) fn judgement(term: &str, evidence: &Evidence, file: Option<&str>) -> Markup {
    let word = judged(evidence);
    fact(
        term,
        html! {
            span class=(format!("evidence {}", word.replace(' ', "-"))) { (word) }
            @match evidence {
                Evidence::Accepted => {}
                Evidence::NotChecked(why) => { ": " (name(why)) }
                Evidence::Rejected(why) => { ": " (name(why)) ". This is a bug: please report it." }
            }
            @if let Some(file) = file { ", written to " code { (name(file)) } }
        },
    )
}

fn counterexample(report: &Report, found: &Counterexample) -> Markup {
    let trace = Trace::new(report.network, found);
    let length = trace.moves.len();
    let ending = trace::ending(report.network, found.claim, length);
    html! {
        h3 { "Counterexample: " (count(length as u64, "step")) }
        p class="ending" { (ending) "." }
        (steps::table(report.network, &trace, matches!(found.claim, Claim::Property(_))))
        (chart::section(report.network, &trace, &ending))
    }
}

pub(crate) fn proof(report: &Report, certificate: &Certificate) -> Markup {
    let many = certificate.assumptions.len() > 1;
    html! {
        @for (number, assumption) in certificate.assumptions.iter().enumerate() {
            (section_of(report, certificate, assumption, number, many))
        }
        @if certificate.premises.len() > 1 {
            h3 { "Why it holds" }
            ol class="premises" {
                @for premise in certificate.premises.iter().take(MOST_ROWS) {
                    li {
                        (name(&premise.components.iter()
                            .map(|c| component_name(report.network, *c))
                            .collect::<Vec<_>>().join(", ")))
                        @for (at, used) in premise.assumptions.iter().enumerate() {
                            @if at == 0 { ", supposing " } @else { " and " }
                            b { (assumption_name(*used, many)) }
                            ","
                        }
                        @match premise.guarantee {
                            Guarantee::Assumption(n) => { (verb(premise, " keeps to ", " keep to ")) b { (assumption_name(n, many)) } }
                            Guarantee::Property(n) => {
                                (verb(premise, " satisfies ", " satisfy ")) (name(&report.claim_name(Claim::Property(n))))
                            }
                            Guarantee::DeadlockFree => { (verb(premise, " never stops", " never stop")) }
                        }
                        @if !premise.relation.is_empty() {
                            span class="aside" {
                                " (" (count(premise.relation.len() as u64, "combination")) " checked)"
                            }
                        }
                    }
                }
            }
        }
    }
}

fn verb<'a>(premise: &Premise, one: &'a str, many: &'a str) -> &'a str {
    if premise.components.len() == 1 {
        one
    } else {
        many
    }
}

fn section_of(
    report: &Report,
    certificate: &Certificate,
    assumption: &Assumption,
    number: usize,
    many: bool,
) -> Markup {
    let own = assumption_name(number, many);
    let lts = &assumption.lts;
    let labels = &report.network.labels;
    let sizes = format!(
        "{}, {}, {}",
        count(lts.states() as u64, "state"),
        count(lts.transitions() as u64, "transition"),
        count(lts.alphabet().len() as u64, "label")
    );
    html! {
        h3 { "Assumption " (own) }
        p {
            (sizes)
            @if let Some(about) = about(report, certificate, number) { ". What the rest may rely on from " (name(&about)) }
            "."
        }
        @if draw::readable(lts) {
            (drawing(
                draw::automaton_in_page(lts, labels, &assumption.nodes),
                &format!("Assumption {own}"),
                "Point at a state to see what it stands for.",
            ))
        } @else {
            p class="notice too-large" {
                "Too large to draw here. The JSON report (" code { "--format json" }
                ") has all its transitions; " code { "suppose assume --output" } " writes DOT and SVG."
            }
        }
        @if lts.transitions() <= WRITTEN_EDGES {
            details {
                summary { "As text" }
                pre tabindex="0" { (process(&own, lts, labels)) }
            }
        }
        (stands_for(assumption))
    }
}

/// What the states stand for, for those who read rather than point.
fn stands_for(assumption: &Assumption) -> Markup {
    let lts = &assumption.lts;
    let shown_rows = lts.states().min(MOST_ROWS);
    html! {
        @if !assumption.nodes.is_empty() {
            details {
                summary { "What its states stand for" }
                div class="scroll" tabindex="0" role="region" aria-label="States" { table {
                    thead { tr {
                        th scope="col" { "State" } th scope="col" class="number" { "Concrete states" } th scope="col" { "Such as" }
                    } }
                    tbody {
                        @for (state, node) in assumption.nodes.iter().enumerate().take(shown_rows) {
                            tr {
                                th scope="row" { (name(&lts.state_name(state as State))) }
                                td class="number" { (grouped(node.count)) }
                                td { (name(&some(&node.examples))) }
                            }
                        }
                    }
                } }
                @if lts.states() > shown_rows {
                    p class="aside" { "and " (grouped((lts.states() - shown_rows) as u64)) " more" }
                }
            }
        }
    }
}

fn some(examples: &[String]) -> String {
    let names: Vec<_> = examples.iter().take(ROWS).map(|e| shown(e)).collect();
    let more = if examples.len() > ROWS { ", …" } else { "" };
    names.join(", ") + more
}
