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
/// So many tables are kept at the start and at the end of what is longer: a browser has to show the page.
const KEPT: usize = 50;

/// The table, in pieces if it is long. `breaks`: the last step is the violation.
pub(super) fn table(network: &Network, trace: &Trace, breaks: bool) -> Markup {
    pieces("Steps", trace.moves.len(), |range| {
        piece(network, trace, range, breaks)
    })
}

/// A long table in pieces, of which the first and the last are open. What is very long is cut in the middle, and says so.
pub(crate) fn pieces(what: &str, length: usize, part: impl Fn(Range<usize>) -> Markup) -> Markup {
    let chunks = length.div_ceil(CHUNK).max(1);
    let cut = match chunks > 2 * KEPT + 1 {
        true => KEPT..chunks - KEPT,
        false => chunks..chunks,
    };
    let range = |chunk: usize| chunk * CHUNK..((chunk + 1) * CHUNK).min(length);
    html! {
        @if chunks == 1 { (part(range(0))) }
        @else {
            @for chunk in (0..chunks).filter(|c| !cut.contains(c)) {
                @if chunk == cut.end && !cut.is_empty() {
                    p class="aside" {
                        (what) " " (grouped(range(cut.start).start as u64 + 1)) " to "
                        (grouped(range(cut.end - 1).end as u64))
                        " are left out of this page: it would be too large. They are in the document of --format json."
                    }
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_very_long_is_cut_in_the_middle() {
        let rows = |length: usize| {
            let page = pieces(
                "Rows",
                length,
                |range| html! { @for at in range { i { (at) } } },
            );
            page.into_string()
        };
        let whole = rows(20_200);
        assert_eq!(whole.matches("<i>").count(), 20_200);
        assert!(!whole.contains("left out"));
        let cut = rows(1_000_000);
        assert_eq!(cut.matches("<i>").count(), 20_000);
        assert!(
            cut.contains("Rows 10,001 to 990,000 are left out"),
            "{}",
            &cut[..500]
        );
        assert!(cut.contains("<i>0</i>") && cut.contains("<i>999999</i>"));
    }
}
