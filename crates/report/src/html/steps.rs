//! A counterexample as a table: only what changed stands out.

use std::ops::Range;

use maud::{Markup, html};
use suppose_model::lts::Network;

use super::name;
use crate::trace::{Move, Trace};
use crate::words::{component_name, grouped};

/// Up to so many components have a column each; of more, only changes are listed.
const COLUMNS: usize = 12;
/// Rows a table; of several tables only the first and the last are unfolded.
const CHUNK: usize = 200;

/// The table, in pieces if it is long. `breaks`: the last step is the violation.
pub(super) fn table(network: &Network, trace: &Trace, breaks: bool) -> Markup {
    pieces("Steps", trace.moves.len(), |range| {
        piece(network, trace, range, breaks)
    })
}

/// A long table in pieces, of which the first and the last are open.
pub(crate) fn pieces(what: &str, length: usize, part: impl Fn(Range<usize>) -> Markup) -> Markup {
    let chunks = length.div_ceil(CHUNK).max(1);
    let range = |chunk: usize| chunk * CHUNK..((chunk + 1) * CHUNK).min(length);
    html! {
        @if chunks == 1 { (part(range(0))) }
        @else {
            @for chunk in 0..chunks {
                details class="piece" open[chunk == 0 || chunk + 1 == chunks] {
                    summary {
                        (what) " " (grouped(range(chunk).start as u64 + 1)) " to "
                        (grouped(range(chunk).end as u64))
                    }
                    (part(range(chunk)))
                }
            }
        }
    }
}

fn piece(network: &Network, trace: &Trace, range: Range<usize>, breaks: bool) -> Markup {
    let columns = trace.actors.len() <= COLUMNS;
    let last = trace.moves.len();
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Steps" { table class="steps" {
            thead { tr {
                th scope="col" class="number" { "Step" }
                th scope="col" { "Label" }
                @if columns {
                    @for actor in &trace.actors { th scope="col" { (name(&component_name(network, *actor))) } }
                } @else { th scope="col" { "What changes" } }
            } }
            tbody {
                @if columns {
                    tr class="start" {
                        td class="number" { (grouped(range.start as u64)) }
                        td { @if range.start == 0 { "start" } }
                        @for actor in &trace.actors { td { (name(&trace.state(network, range.start, *actor))) } }
                    }
                }
                @for step in &trace.moves[range] {
                    tr.bad[breaks && step.number == last] {
                        td class="number" { (grouped(step.number as u64)) }
                        td class="action" { (name(&step.label)) }
                        @if columns { (cells(network, trace, step)) } @else { (changes(network, step)) }
                    }
                }
            }
        } }
    }
}

fn cells(network: &Network, trace: &Trace, step: &Move) -> Markup {
    let changed = |actor: &usize| step.changes.iter().any(|c| c.component == *actor);
    html! {
        @for actor in &trace.actors {
            td.changed[changed(actor)] { (name(&trace.state(network, step.number, *actor))) }
        }
    }
}

fn changes(network: &Network, step: &Move) -> Markup {
    html! {
        td {
            @for (at, change) in step.changes.iter().enumerate() {
                @if at > 0 { ", " }
                (name(&component_name(network, change.component))) ": " (name(&change.from)) " → "
                span class="changed" { (name(&change.to)) }
            }
        }
    }
}
