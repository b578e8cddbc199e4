//! Counterexamples as tables: only what changed stands out.

use std::ops::Range;

use maud::{Markup, html};

use suppose_source::Sources;

use super::{name, stepper};
use crate::block::{Cell, Changes, Row, StateColumns, Steps, Width};
use crate::words::grouped;

/// Up to this many have a column each for their states; of more, only changes are listed.
const COLUMNS: usize = 12;
/// Rows a table; of several tables only the first and the last are unfolded.
const CHUNK: usize = 200;
/// This many tables are kept at the start and at the end of what is longer: a browser has to show the page.
const KEPT: usize = 10;

/// A long table in pieces, of which the first and the last are open. What is very long is cut in the middle, and says so.
pub(super) fn pieces(what: &str, length: usize, part: impl Fn(Range<usize>) -> Markup) -> Markup {
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
                        " are not in these tables: they would be too large. The player above them has all steps, and so has --format json."
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

/// A table that scrolls in its own frame.
pub(super) fn frame(label: &str, table: Markup) -> Markup {
    html! { div class="scroll" tabindex="0" role="region" aria-label=(label) { (table) } }
}

pub(super) fn steps(steps: &Steps, sources: Option<&Sources>) -> Markup {
    let rows = pieces("Steps", steps.rows.len(), |range| piece(steps, range));
    let mut ending = steps.ending.iter();
    let first = ending.next().map_or("", String::as_str);
    html! {
        @if steps.is_second {
            details { summary { "The same as " (steps.count) " of a derivation" } (rows) }
        } @else {
            h3 { "Counterexample: " (steps.count) }
            p class="ending" { (name(first)) "." }
            @if ending.len() > 0 { ul { @for line in ending { li { (name(line)) } } } }
            (stepper::of_steps(steps, sources))
            (rows)
        }
    }
}

fn piece(steps: &Steps, range: Range<usize>) -> Markup {
    let states = steps.states.as_ref();
    let states = states.filter(|states| states.names.len() <= COLUMNS);
    // The states of all come in the place of what changes.
    let kept = steps.columns.len() - usize::from(states.is_some());
    frame(
        "Steps",
        html! { table class="steps" {
            thead { tr {
                @for column in &steps.columns[..kept] {
                    th scope="col" class=[(column.width == Width::Number).then_some("number")] { (column.name) }
                }
                @if let Some(states) = states {
                    @for actor in &states.names { th scope="col" { (name(actor)) } }
                }
            } }
            tbody {
                @if let Some(states) = states { (start(states, range.start)) }
                @for at in range {
                    @let row = &steps.rows[at];
                    tr.bad[row.is_bad] {
                        @for (c, cell) in row.cells[..kept].iter().enumerate() {
                            (self::cell(cell, row, steps.columns[c].width))
                        }
                        @if let Some(states) = states { (after(states, at + 1)) }
                    }
                }
            }
        } },
    )
}

/// The states before the first step of a piece.
fn start(states: &StateColumns, at: usize) -> Markup {
    html! {
        tr class="start" {
            td class="number" { (grouped(at as u64)) }
            td { @if at == 0 { "start" } }
            @for column in 0..states.names.len() { td { (name(&(states.state)(at, column).0)) } }
        }
    }
}

fn after(states: &StateColumns, at: usize) -> Markup {
    html! {
        @for column in 0..states.names.len() {
            @let (state, is_changed) = (states.state)(at, column);
            td.changed[is_changed] { (name(&state)) }
        }
    }
}

fn cell(cell: &Cell, row: &Row, width: Width) -> Markup {
    match cell {
        Cell::Number(number) => {
            html! { td class="number" { @if let Some(number) = number { (grouped(*number as u64)) } } }
        }
        Cell::Text(text) => html! { td.number[width == Width::Number] { (name(text)) } },
        Cell::Action(text, remark) => html! {
            td class="action" {
                ("\u{2003}".repeat(row.depth.min(20))) (name(text))
                @if !remark.is_empty() { span class="aside" { " " (remark) } }
            }
        },
        Cell::Changes(changes) => changed(changes),
    }
}

fn changed(changes: &Changes) -> Markup {
    html! {
        td {
            @for (at, change) in changes.all.iter().enumerate() {
                @if at > 0 { ", " }
                (name(&change.name)) ": " (name(&change.from)) " → "
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
        let whole = rows(4_200);
        assert_eq!(whole.matches("<i>").count(), 4_200);
        assert!(!whole.contains("not in these"));
        let cut = rows(1_000_000);
        assert_eq!(cut.matches("<i>").count(), 4_000);
        assert!(
            cut.contains("Rows 2,001 to 998,000 are not in these tables"),
            "{}",
            &cut[..500]
        );
        assert!(cut.contains("<i>0</i>") && cut.contains("<i>999999</i>"));
    }
}
