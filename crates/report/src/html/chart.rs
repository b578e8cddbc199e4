//! A counterexample as a message chart: a line down for each component, a bar for each label
//! between those who do it together, a dot for what one does alone.

use maud::{Markup, html};
use suppose_model::lts::Network;

use crate::draw::{CHAR, columns, shorten};
use crate::trace::{Move, Trace};
use crate::words::{component_name, count, grouped, shown};

const ROW: f64 = 30.0;
const LEFT: f64 = 56.0;
const HEAD: f64 = 34.0;
/// Columns of a component's name and of a label.
const NAME: usize = 20;
const LABEL: usize = 40;
/// At most so many steps and components; the last steps are what matters.
const MOST_STEPS: usize = 300;
const MOST_LIVES: usize = 24;
/// A single step may need this many components; beyond, there is no chart.
const MOST_AT_ONCE: usize = 80;

/// The steps that are charted and the components they need.
fn choose(trace: &Trace) -> (usize, Vec<usize>) {
    let mut first = trace.moves.len();
    let mut lives: Vec<usize> = Vec::new();
    for step in trace.moves.iter().rev().take(MOST_STEPS) {
        let mut with = lives.clone();
        with.extend(&step.participants);
        with.sort_unstable();
        with.dedup();
        if with.len() > MOST_LIVES && !lives.is_empty() {
            break;
        }
        lives = with;
        first -= 1;
    }
    (first, lives)
}

/// The chart, or nothing when there is nothing to chart.
pub(super) fn section(network: &Network, trace: &Trace, ending: &str) -> Markup {
    let (first, lives) = choose(trace);
    if lives.is_empty() || lives.len() > MOST_AT_ONCE {
        return html! {};
    }
    let steps = &trace.moves[first..];
    let names: Vec<String> = lives.iter().map(|c| component_name(network, *c)).collect();
    let wide = names.iter().map(|n| columns(&shorten(n, NAME))).max();
    let spacing = (wide.unwrap_or(0) as f64 * CHAR + 30.0).max(110.0);
    let middle = |i: usize| LEFT + spacing * (i as f64 + 0.5);
    let mut width = LEFT + spacing * lives.len() as f64 + 20.0;
    for step in steps {
        let end = lives.binary_search(step.participants.last().unwrap_or(&0));
        let text = columns(&shorten(&step.label, LABEL)) as f64 * CHAR + 20.0;
        width = width.max(end.map_or(LEFT, middle) + text);
    }
    width = width.max(LEFT + columns(ending) as f64 * CHAR + 20.0);
    let chart = Chart {
        x: (0..lives.len()).map(middle).collect(),
        width,
        lives,
    };
    html! {
        h3 { "Message chart" }
        @if first > 0 {
            p class="aside" { "The last " (count(steps.len() as u64, "step")) " of " (grouped(trace.moves.len() as u64)) "." }
        }
        div class="chart" tabindex="0" role="group" aria-label="Message chart" {
            (chart.header(&names))
            (chart.body(steps, ending))
        }
    }
}

struct Chart {
    lives: Vec<usize>,
    x: Vec<f64>,
    width: f64,
}

impl Chart {
    fn header(&self, names: &[String]) -> Markup {
        html! {
            svg class="drawing-svg chart-head" viewBox=(format!("0 0 {:.0} {HEAD}", self.width))
                width=(format!("{:.0}", self.width)) height=(HEAD) preserveAspectRatio="xMinYMin meet" aria-hidden="true" {
                @for (x, name) in self.x.iter().zip(names) {
                    g class="life" {
                        title { (shown(name)) }
                        text x=(format!("{x:.1}")) y="21" text-anchor="middle" { (shorten(name, NAME)) }
                    }
                }
            }
        }
    }

    fn body(&self, steps: &[Move], ending: &str) -> Markup {
        let height = ROW * (steps.len() as f64 + 1.5);
        let label = format!("Message chart of {}", count(steps.len() as u64, "step"));
        let end = ROW * (steps.len() as f64 + 0.7);
        html! {
            svg class="drawing-svg chart-body" viewBox=(format!("0 0 {:.0} {height:.0}", self.width))
                width=(format!("{:.0}", self.width)) height=(format!("{height:.0}")) role="img" aria-label=(label) {
                @for x in &self.x {
                    line class="lifeline" x1=(format!("{x:.1}")) x2=(format!("{x:.1}")) y1="0" y2=(format!("{end:.1}")) {}
                }
                @for (at, step) in steps.iter().enumerate() {
                    (self.event(step, ROW * (at as f64 + 0.75), at + 1 == steps.len()))
                }
                text class="ending" x=(LEFT) y=(format!("{:.1}", end + 14.0)) { (shown(ending)) }
            }
        }
    }

    fn event(&self, step: &Move, y: f64, last: bool) -> Markup {
        let place = |c: &usize| self.lives.binary_search(c).ok().map(|at| self.x[at]);
        let xs: Vec<f64> = step.participants.iter().filter_map(place).collect();
        let (from, to) = match (xs.first(), xs.last()) {
            (Some(from), Some(to)) => (*from, *to),
            _ => (LEFT, LEFT),
        };
        let alone = xs.len() < 2;
        let (x, anchor) = match alone {
            true => (from + 9.0, "start"),
            false => ((from + to) / 2.0, "middle"),
        };
        let text_y = if alone { y + 4.0 } else { y - 5.0 };
        html! {
            g class=(if last { "event last" } else { "event" }) {
                title { (step.number) ": " (shown(&step.label)) }
                text class="count" x="40" y=(format!("{:.1}", y + 4.0)) text-anchor="end" { (step.number) }
                @if !alone {
                    line class="bar" x1=(format!("{from:.1}")) x2=(format!("{to:.1}")) y1=(format!("{y:.1}")) y2=(format!("{y:.1}")) {}
                }
                @for x in &xs { circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" {} }
                text class="label" x=(format!("{x:.1}")) y=(format!("{text_y:.1}")) text-anchor=(anchor) { (shorten(&step.label, LABEL)) }
            }
        }
    }
}
