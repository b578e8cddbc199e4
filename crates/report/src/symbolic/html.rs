//! The report on a finite-domain system as a page.

use std::ops::Range;

use maud::{Markup, html};
use suppose_model::fsm::{Cluster, Proof, Shows, System, Trace, VarId};

use super::classes::{Told, left_out, told};
use super::run::row;
use super::{
    SymbolicChecked, SymbolicClaim, SymbolicReport, SymbolicVerdict, asked, effort_text, ending,
    evidence_kind, proof_text, refinement_text, sizes, steps_text,
};
use crate::Document;
use crate::Evidence;
use crate::html::claim::{fact, judgement};
use crate::html::steps::pieces;
use crate::html::{Columns, badge, history, judged, name, page_of};
use crate::text::reason_text;
use crate::words::{self, count, grouped, shown};

/// More clusters of an abstraction are left out.
const MOST_CLUSTERS: usize = 500;

pub(super) fn page(report: &SymbolicReport) -> String {
    let sections = html! {
        (system(report))
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
    let columns = Columns(["Nodes", "Refinements"]);
    page_of(
        &report.base,
        &title,
        &report.overall(),
        columns,
        rows,
        sections,
    )
}

fn system(report: &SymbolicReport) -> Markup {
    let fair = report.system.fairness.len() as u64;
    html! {
        section class="card" {
            h2 { "System" }
            p {
                (sizes(report.system))
                @if fair > 0 { ", " (count(fair, "fairness constraint")) }
                "."
            }
            @if let Some((trace, part)) = report.stuck {
                h3 { "A run that gets stuck" }
                p class="ending" { "No step leads on from the last state. CTL and LTL speak only of runs that go on for ever." }
                (table(part, trace))
            }
        }
    }
}

fn summary_row(report: &SymbolicReport, checked: &SymbolicChecked, number: usize) -> Markup {
    let answer = checked.answer;
    let evidence = match evidence_kind(&answer.verdict) {
        None => "none",
        Some(_) => judged(&checked.evidence),
    };
    let effort = &answer.effort;
    let nodes = effort.relation_nodes.saturating_add(effort.checking_nodes);
    let heading = words::heading(&answer.claim.name(report.system));
    html! {
        tr {
            th scope="row" { a href=(format!("#claim-{}", number + 1)) { (name(&heading)) } }
            td { (badge(&report.standing(checked))) }
            td { (name(&answer.engine)) }
            td class="number" { (grouped(nodes)) }
            td class="number" { (grouped(effort.refinements)) }
            td class="number" { (words::duration(answer.run.elapsed)) }
            td { (evidence) }
        }
    }
}

fn section(report: &SymbolicReport, checked: &SymbolicChecked, number: usize) -> Markup {
    let answer = checked.answer;
    let heading = words::heading(&answer.claim.name(report.system));
    html! {
        section class="card claim" id=(format!("claim-{}", number + 1)) {
            h2 { (name(&heading)) " " (badge(&report.standing(checked))) }
            @if answer.claim != SymbolicClaim::Deadlock {
                p { code { (name(&asked(report.system, answer.claim))) } }
            }
            (facts(report, checked))
            @match &answer.verdict {
                SymbolicVerdict::Fails(trace, shows) => (counterexample(&answer.about, answer.claim, trace, *shows)),
                SymbolicVerdict::Holds(Some(proof)) => {
                    @if let Proof::Abstraction(clusters) = &**proof { (abstraction(&answer.about, clusters)) }
                },
                _ => {}
            }
            (history::section(&answer.run))
        }
    }
}

fn facts(report: &SymbolicReport, checked: &SymbolicChecked) -> Markup {
    let answer = checked.answer;
    let place = report.place(answer.claim);
    let apart = report.left_out(answer) as u64;
    html! {
        dl class="facts" {
            @match &answer.verdict {
                SymbolicVerdict::Unknown(reason) => (fact("Reason", name(&reason_text(reason)))),
                SymbolicVerdict::Steps(steps) => (fact("Result", html! { (steps_text(*steps)) })),
                _ => {}
            }
            @if !place.is_empty() { (fact("Written at", name(&place))) }
            (fact("Engine", html! {
                (name(&answer.engine))
                @if !checked.why_engine.is_empty() { ": " (name(&checked.why_engine)) }
            }))
            @if apart > 0 {
                (fact("Left out", html! { (count(apart, "variable")) " that the property does not depend on" }))
            }
            @if answer.effort.relation_nodes > 0 {
                (fact("Sets of states", html! { (effort_text(&answer.effort)) }))
            }
            @if let Some(text) = refinement_text(&answer.effort) { (fact("Refinement", html! { (text) })) }
            @if let SymbolicVerdict::Holds(Some(proof)) = &answer.verdict {
                @if let Some(text) = proof_text(proof) { (fact("Proof", html! { (text) })) }
            }
            (fact("Time", html! { (words::duration(answer.run.elapsed)) }))
            (evidence(checked))
        }
    }
}

fn evidence(checked: &SymbolicChecked) -> Markup {
    let file = checked.certificate_file.as_deref();
    match (evidence_kind(&checked.answer.verdict), &checked.evidence) {
        (None, _) => html! {},
        (Some("replay"), evidence) => judgement("Replay", evidence, file),
        (Some("certificate"), evidence) => judgement("Certificate", evidence, file),
        (Some(_), Evidence::NotChecked(why)) => {
            fact("Evidence", html! { "no certificate; " (name(why)) })
        }
        (Some(_), evidence) => judgement("Second look", evidence, None),
    }
}

fn counterexample(about: &System, claim: SymbolicClaim, trace: &Trace, shows: Shows) -> Markup {
    let states = count(trace.states.len() as u64, "state");
    html! {
        h3 { "Counterexample: " (states) @if trace.loops_to.is_some() { " with a loop" } }
        p class="ending" { (ending(claim, trace, shows)) "." }
        (table(about, trace))
    }
}

/// Variables by states; those that never change are folded away.
fn table(about: &System, trace: &Trace) -> Markup {
    let changes = |var: &VarId| {
        let row = row(about, trace, *var);
        row.windows(2).any(|w| w[0] != w[1])
    };
    let all: Vec<VarId> = about.state_vars().collect();
    let (moving, still): (Vec<VarId>, Vec<VarId>) = all.into_iter().partition(changes);
    let inputs: Vec<VarId> = about.inputs().collect();
    let steps = trace.states.len();
    html! {
        @if moving.is_empty() && inputs.is_empty() && steps > 1 { p { "No variable changes." } }
        @else if !moving.is_empty() || !inputs.is_empty() {
            (pieces("States", steps, |range| piece(about, trace, &moving, &inputs, range)))
        }
        @if !still.is_empty() {
            details open[moving.is_empty() && still.len() <= 30] {
                summary { (count(still.len() as u64, "variable")) " that " @if steps > 1 { "never " @if still.len() == 1 { "changes" } @else { "change" } } @else { "the state is made of" } }
                div class="scroll" { table {
                    thead { tr { th scope="col" { "Variable" } th scope="col" { "Value" } } }
                    tbody {
                        @for var in &still {
                            tr {
                                th scope="row" { (name(&about.variable(*var).name)) }
                                td { (name(row(about, trace, *var).first().map_or("", String::as_str))) }
                            }
                        }
                    }
                } }
            }
        }
    }
}

fn piece(
    about: &System,
    trace: &Trace,
    moving: &[VarId],
    inputs: &[VarId],
    range: Range<usize>,
) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="States" { table class="steps" {
            thead { tr {
                th scope="col" { "State" }
                @for at in range.clone() {
                    th scope="col" class="number" { (heading(trace, at)) }
                }
            } }
            tbody {
                @for var in moving { (variable(about, trace, *var, range.clone(), 0)) }
                // Inputs are of the step that leads to a state.
                @for var in inputs { (variable(about, trace, *var, range.clone(), 1)) }
            }
        } }
    }
}

/// The number of a state, and where the loop begins and is closed.
fn heading(trace: &Trace, at: usize) -> Markup {
    let last = at + 1 == trace.states.len();
    html! {
        (grouped(at as u64 + 1))
        @match trace.loops_to {
            Some(to) if last && at > 0 => { " = " (grouped(to as u64 + 1)) },
            Some(to) if to == at => { span class="aside" { " loop" } },
            _ => {}
        }
    }
}

/// One variable; what changes stands out. `shift` is 1 for inputs, whose first value is that of the step to the second state.
fn variable(
    about: &System,
    trace: &Trace,
    var: VarId,
    range: Range<usize>,
    shift: usize,
) -> Markup {
    let row = row(about, trace, var);
    let value = |at: usize| at.checked_sub(shift).and_then(|at| row.get(at));
    let changed = |at: usize| at > shift && value(at) != value(at - 1);
    html! {
        tr {
            th scope="row" { (name(&about.variable(var).name)) @if shift == 1 { span class="aside" { " input" } } }
            @for at in range {
                td.changed[changed(at)] { (name(value(at).map_or("", String::as_str))) }
            }
        }
    }
}

fn abstraction(about: &System, clusters: &[Cluster]) -> Markup {
    let apart = left_out(about, clusters) as u64;
    let told = told(about, clusters);
    html! {
        h3 { "Assumption" }
        p {
            @if clusters.is_empty() { "No values of any variable need to be told apart." }
            @else { "This is all that is told apart of the values of the variables, and the property holds of whatever takes no other steps between these classes." }
            @if apart > 0 { " Nothing is said of " (count(apart, "variable")) "." }
        }
        @if !told.is_empty() {
            div class="scroll" tabindex="0" role="region" aria-label="Classes" { table {
                thead { tr { th scope="col" { "Variables" } th scope="col" class="number" { "Classes" } th scope="col" { "Which" } } }
                tbody { @for told in told.iter().take(MOST_CLUSTERS) { (cluster(told)) } }
            } }
        }
        @if told.len() > MOST_CLUSTERS {
            p class="aside" { "and " (count((told.len() - MOST_CLUSTERS) as u64, "more cluster")) }
        }
    }
}

fn cluster(told: &Told) -> Markup {
    html! {
        tr {
            th scope="row" { (name(&told.vars.join(", "))) }
            td class="number" { (grouped(told.classes as u64)) }
            td {
                @if told.all_apart { "every value" }
                @else { @for condition in &told.conditions { div { (name(condition)) } } }
            }
        }
    }
}
