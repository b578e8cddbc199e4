//! Runs and abstractions of finite-domain systems on the page.

use std::ops::Range;

use maud::{Markup, html};
use suppose_model::fsm::{Cluster, System, Trace, VarId};

use super::table::{frame, pieces};
use super::{name, stepper};
use crate::block::States;
use crate::fsm::classes::{Classes, classes, left_out};
use crate::fsm::run::row;
use crate::words::{count, grouped};

/// More clusters of an abstraction are left out.
const MOST_CLUSTERS: usize = 500;

pub(super) fn states(run: &States) -> Markup {
    let length = count(run.trace.states.len() as u64, "state");
    html! {
        @match &run.ending {
            Some(ending) => {
                h3 { "Counterexample: " (length) @if run.trace.loops_to.is_some() { " with a loop" } }
                p class="ending" { (ending) "." }
            }
            None => {
                h3 { "A run to a deadlock" }
                p class="ending" { "The last state has no successor. CTL and LTL properties are about infinite runs only." }
            }
        }
        (stepper::of_states(run))
        (table(run.system, run.trace))
    }
}

fn table(system: &System, trace: &Trace) -> Markup {
    let changes = |var: &VarId| {
        let row = row(system, trace, *var);
        row.windows(2).any(|w| w[0] != w[1])
    };
    let all: Vec<VarId> = system.state_vars().collect();
    let (moving, still): (Vec<VarId>, Vec<VarId>) = all.into_iter().partition(changes);
    let inputs: Vec<VarId> = system.inputs().collect();
    let steps = trace.states.len();
    html! {
        @if moving.is_empty() && inputs.is_empty() && steps > 1 { p { "No variable changes." } }
        @else if !moving.is_empty() || !inputs.is_empty() {
            (pieces("States", steps, |range| frame("States", piece(system, trace, &moving, &inputs, range))))
        }
        @if !still.is_empty() {
            details open[moving.is_empty() && still.len() <= 30] {
                summary { (count(still.len() as u64, "variable")) " that " @if steps > 1 { "never " @if still.len() == 1 { "changes" } @else { "change" } } @else { "the state is made of" } }
                div class="scroll" { table {
                    thead { tr { th scope="col" { "Variable" } th scope="col" { "Value" } } }
                    tbody {
                        @for var in &still {
                            tr {
                                th scope="row" { (name(&system.variable(*var).name)) }
                                td { (name(row(system, trace, *var).first().map_or("", String::as_str))) }
                            }
                        }
                    }
                } }
            }
        }
    }
}

fn piece(
    system: &System,
    trace: &Trace,
    moving: &[VarId],
    inputs: &[VarId],
    range: Range<usize>,
) -> Markup {
    html! {
        table class="steps" {
            thead { tr {
                th scope="col" { "State" }
                @for at in range.clone() {
                    th scope="col" class="number" { (heading(trace, at)) }
                }
            } }
            tbody {
                @for var in moving { (variable(system, trace, *var, range.clone(), 0)) }
                // Inputs are of the step that leads to a state.
                @for var in inputs { (variable(system, trace, *var, range.clone(), 1)) }
            }
        }
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
    system: &System,
    trace: &Trace,
    var: VarId,
    range: Range<usize>,
    shift: usize,
) -> Markup {
    let row = row(system, trace, var);
    let value = |at: usize| at.checked_sub(shift).and_then(|at| row.get(at));
    let changed = |at: usize| at > shift && value(at) != value(at - 1);
    html! {
        tr {
            th scope="row" { (name(&system.variable(var).name)) @if shift == 1 { span class="aside" { " input" } } }
            @for at in range {
                td.changed[changed(at)] { (name(value(at).map_or("", String::as_str))) }
            }
        }
    }
}

pub(super) fn abstraction(system: &System, clusters: &[Cluster]) -> Markup {
    let away = left_out(system, clusters) as u64;
    let shown = clusters.iter().take(MOST_CLUSTERS);
    html! {
        h3 { "Assumption" }
        p {
            @if clusters.is_empty() { "No values of variables need to be distinguished." }
            @else { "The abstraction distinguishes nothing else, and the property holds in every system that has no other steps between these classes." }
            @if away > 0 { " Nothing is said of " (count(away, "variable")) "." }
        }
        @if !clusters.is_empty() {
            (frame("Classes", html! { table {
                thead { tr { th scope="col" { "Variables" } th scope="col" class="number" { "Classes" } th scope="col" { "Which" } } }
                tbody { @for it in shown { (cluster(&classes(system, it))) } }
            } }))
        }
        @if clusters.len() > MOST_CLUSTERS {
            p class="aside" { "and " (count((clusters.len() - MOST_CLUSTERS) as u64, "more cluster")) }
        }
    }
}

fn cluster(it: &Classes) -> Markup {
    html! {
        tr {
            th scope="row" { (name(&it.vars.join(", "))) }
            td class="number" { (grouped(it.classes as u64)) }
            td {
                @if it.all_apart { "every value" }
                @else { @for condition in &it.conditions { div { (name(condition)) } } }
            }
        }
    }
}
