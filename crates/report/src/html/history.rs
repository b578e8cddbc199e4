//! The history of refinement: how large the assumption and the product were in each round.

use maud::{Markup, html};
use suppose_model::{Round, Run};

use super::name;
use crate::words::{count, grouped};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
/// Rounds beyond are thinned out, and dots drawn for few only.
const MOST_POINTS: usize = 600;
const MOST_DOTS: usize = 60;
/// Rows of the table at its start and at its end.
const ROWS: usize = 200;

/// Plots and table, or nothing when nothing was refined.
pub(super) fn section(run: &Run) -> Markup {
    let rounds = &run.rounds;
    if rounds.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Refinement: " (count(rounds.len() as u64, "round")) }
        @if rounds.len() > 1 {
            div class="plots" {
                (plot(rounds, "States of the assumption", |r| r.assumption_states))
                (plot(rounds, "States explored", |r| r.states))
            }
        }
        details {
            summary { "Round by round" }
            (table(rounds))
        }
    }
}

fn table(rounds: &[Round]) -> Markup {
    let cut = match rounds.len() > 2 * ROWS {
        true => ROWS..rounds.len() - ROWS,
        false => 0..0,
    };
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Rounds" { table class="rounds" {
            thead { tr {
                th scope="col" class="number" { "Round" }
                th scope="col" class="number" { "Assumption" }
                th scope="col" class="number" { "Labels" }
                th scope="col" class="number" { "States explored" }
                th scope="col" { "Then" }
            } }
            tbody {
                @for (at, round) in rounds.iter().enumerate() {
                    @if !cut.is_empty() && at == cut.start {
                        tr { td colspan="5" class="aside" { (grouped(cut.len() as u64)) " rounds left out; the JSON report has all." } }
                    }
                    @if !cut.contains(&at) {
                        tr {
                            td class="number" { (grouped(round.number)) }
                            td class="number" { (grouped(round.assumption_states)) }
                            td class="number" { (grouped(round.alphabet)) }
                            td class="number" { (grouped(round.states)) }
                            td { (name(&round.refined)) }
                        }
                    }
                }
            }
        } }
    }
}

fn plot(rounds: &[Round], title: &str, value: impl Fn(&Round) -> u64) -> Markup {
    let most = rounds.iter().map(&value).max().unwrap_or(0);
    let ticks = ticks(most);
    let top = ticks.last().copied().unwrap_or(1).max(1) as f64;
    let last = (rounds.len() - 1).max(1) as f64;
    let x = |at: usize| LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / last;
    let y = |value: u64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value as f64 / top).min(1.0);
    let stride = rounds.len().div_ceil(MOST_POINTS);
    let points: Vec<usize> = (0..rounds.len())
        .filter(|at| at % stride == 0 || at + 1 == rounds.len())
        .collect();
    let line = points
        .iter()
        .map(|at| format!("{:.1},{:.1}", x(*at), y(value(&rounds[*at]))));
    let line = line.collect::<Vec<_>>().join(" ");
    html! {
        svg class="drawing-svg plot" viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) height=(HEIGHT)
            role="img" aria-label=(format!("{title} over {}, at most {}", count(rounds.len() as u64, "round"), grouped(most))) {
            text class="plot-title" x=(LEFT) y="14" { (title) }
            @for tick in &ticks {
                line class="grid" x1=(LEFT) x2=(WIDTH - RIGHT) y1=(format!("{:.1}", y(*tick))) y2=(format!("{:.1}", y(*tick))) {}
                text class="tick" x=(LEFT - 8.0) y=(format!("{:.1}", y(*tick) + 4.0)) text-anchor="end" { (short(*tick)) }
            }
            @for at in round_ticks(rounds.len()) {
                text class="tick" x=(format!("{:.1}", x(at))) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (rounds[at].number) }
            }
            text class="tick" x=((LEFT + WIDTH - RIGHT) / 2.0) y=(HEIGHT - 3.0) text-anchor="middle" { "round" }
            polyline class="series" points=(line) {}
            @if points.len() <= MOST_DOTS {
                @for at in &points {
                    circle class="dot" cx=(format!("{:.1}", x(*at))) cy=(format!("{:.1}", y(value(&rounds[*at])))) r="3" {
                        title { "round " (rounds[*at].number) ": " (grouped(value(&rounds[*at]))) }
                    }
                }
            }
        }
    }
}

/// Round numbers from 0 to at least `most`, about four steps of 1, 2 or 5 times a power of ten.
fn ticks(most: u64) -> Vec<u64> {
    let mut step: u64 = 1;
    let mut factors = [2, 5, 10].iter().cycle();
    let mut decade: u64 = 1;
    while most / step >= 5 || (most / step == 4 && !most.is_multiple_of(step)) {
        let factor = factors.next().copied().unwrap_or(10);
        step = decade.saturating_mul(factor);
        if factor == 10 {
            decade = step;
        }
        if step == u64::MAX {
            break;
        }
    }
    let count = most.div_ceil(step).max(1);
    (0..=count).map(|i| i.saturating_mul(step)).collect()
}

/// The places of at most eight rounds to be numbered under the plot.
fn round_ticks(count: usize) -> Vec<usize> {
    let stride = ticks(count as u64).get(1).copied().unwrap_or(1).max(1) as usize;
    let mut places: Vec<usize> = (0..count).filter(|at| (at + 1) % stride == 0).collect();
    if places.first().is_none_or(|at| *at > 0) {
        places.insert(0, 0);
    }
    places
}

/// `1,200`, `15k`, `3M`.
fn short(number: u64) -> String {
    for (unit, suffix) in [
        (1_000_000_000_000, "T"),
        (1_000_000_000, "G"),
        (1_000_000, "M"),
        (1_000, "k"),
    ] {
        if number >= 10 * unit || (number >= unit && number.is_multiple_of(unit / 10)) {
            let tenths = number / (unit / 10);
            return match tenths % 10 {
                0 => format!("{}{suffix}", tenths / 10),
                rest => format!("{}.{rest}{suffix}", tenths / 10),
            };
        }
    }
    grouped(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover() {
        assert_eq!(ticks(4), [0, 1, 2, 3, 4]);
        assert_eq!(ticks(5), [0, 2, 4, 6]);
        assert_eq!(ticks(0), [0, 1]);
        assert_eq!(ticks(730), [0, 200, 400, 600, 800]);
        for most in (0..10_000).chain([u64::MAX - 1, u64::MAX]) {
            let ticks = ticks(most);
            assert!(ticks.len() <= 6 && ticks[ticks.len() - 1] >= most, "{most}");
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(999), "999");
        assert_eq!(short(1_200), "1.2k");
        assert_eq!(short(15_000), "15k");
        assert_eq!(short(3_000_000), "3M");
    }
}
