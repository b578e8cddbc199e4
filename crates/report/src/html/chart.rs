//! A chart of a run: a line down for each component or process, a bar for a label between those who do it together, an arrow for a
//! message.

use maud::{Markup, html};

use crate::block::{Chart, Event, EventKind};
use crate::draw::{CHAR, columns, shorten};
use crate::words::{count, grouped, shown};

const ROW: f64 = 30.0;
const LEFT: f64 = 56.0;
const HEAD: f64 = 34.0;
/// Columns of a name and of a label.
const NAME: usize = 20;
const LABEL: usize = 40;
/// At most this many events and lifelines; the last events are what matters.
const MOST_EVENTS: usize = 300;
const MOST_LIFELINES: usize = 24;
/// A single event may need this many lifelines; beyond, there is no chart.
const MOST_AT_ONCE: usize = 80;

/// The first event that is charted, and the lifelines that all of them need.
fn choose(events: &[Event]) -> (usize, Vec<usize>) {
    let mut first = events.len();
    let mut lifelines: Vec<usize> = Vec::new();
    for event in events.iter().rev().take(MOST_EVENTS) {
        let mut with = lifelines.clone();
        with.extend(event.kind.lifelines());
        with.sort_unstable();
        with.dedup();
        if with.len() > MOST_LIFELINES && !lifelines.is_empty() {
            break;
        }
        lifelines = with;
        first -= 1;
    }
    (first, lifelines)
}

/// The chart, or nothing when there is nothing to chart.
pub(super) fn section(chart: &Chart) -> Markup {
    let (first, lifelines) = choose(&chart.events);
    if lifelines.is_empty() || lifelines.len() > MOST_AT_ONCE {
        return html! {};
    }
    let (all, noun) = chart.of;
    let charted = chart.events.len() - first;
    let wide = lifelines
        .iter()
        .map(|l| columns(&shorten(&chart.lifelines[*l], NAME)));
    let spacing = wide.max().unwrap_or(0) as f64 * CHAR + 30.0;
    let mut drawn = Drawn {
        chart,
        first,
        spacing: spacing.max(110.0),
        width: 0.0,
        lifelines,
    };
    drawn.width = drawn.measure();
    html! {
        h3 { "Message chart" }
        @if charted < all {
            p class="aside" { "The last " (count(charted as u64, noun)) " of " (grouped(all as u64)) "." }
        }
        div class="chart" tabindex="0" role="group" aria-label="Message chart" {
            (drawn.header())
            (drawn.body())
        }
    }
}

struct Drawn<'a> {
    chart: &'a Chart,
    first: usize,
    lifelines: Vec<usize>,
    spacing: f64,
    width: f64,
}

impl Drawn<'_> {
    fn x(&self, lifeline: usize) -> f64 {
        let at = self.lifelines.binary_search(&lifeline).unwrap_or(0);
        LEFT + self.spacing * (at as f64 + 0.5)
    }

    /// The height of an event.
    fn y(&self, event: usize) -> f64 {
        ROW * ((event - self.first) as f64 + 0.75)
    }

    fn events(&self) -> &[Event] {
        &self.chart.events[self.first..]
    }

    fn measure(&self) -> f64 {
        let lifelines = LEFT + self.spacing * self.lifelines.len() as f64 + 20.0;
        let ending = LEFT + columns(&self.chart.ending) as f64 * CHAR + 20.0;
        let labels = self.events().iter().map(|event| {
            let last = event.kind.lifelines().into_iter().max().unwrap_or(0);
            self.x(last) + columns(&shorten(&event.label, LABEL)) as f64 * CHAR + 20.0
        });
        labels.fold(lifelines.max(ending), f64::max)
    }

    fn header(&self) -> Markup {
        let width = self.width;
        html! {
            svg class="drawing-svg chart-head" viewBox=(format!("0 0 {width:.0} {HEAD}"))
                width=(format!("{width:.0}")) height=(HEAD) preserveAspectRatio="xMinYMin meet" aria-hidden="true" {
                @for lifeline in &self.lifelines {
                    @let name = &self.chart.lifelines[*lifeline];
                    g class="life" {
                        title { (shown(name)) }
                        text x=(format!("{:.1}", self.x(*lifeline))) y="21" text-anchor="middle" { (shorten(name, NAME)) }
                    }
                }
            }
        }
    }

    fn body(&self) -> Markup {
        let (width, count_of) = (self.width, self.events().len());
        let end = ROW * (count_of as f64 + 0.7);
        let height = end + ROW;
        let label = format!(
            "Message chart of {}",
            count(count_of as u64, self.chart.of.1)
        );
        html! {
            svg class="drawing-svg chart-body" viewBox=(format!("0 0 {width:.0} {height:.0}"))
                width=(format!("{width:.0}")) height=(format!("{height:.0}")) role="img" aria-label=(label) {
                @for lifeline in &self.lifelines {
                    @let x = format!("{:.1}", self.x(*lifeline));
                    line class="lifeline" x1=(x) x2=(x) y1="0" y2=(format!("{end:.1}")) {}
                }
                @for (at, event) in self.chart.events.iter().enumerate().skip(self.first) { (self.event(at, event)) }
                text class="ending" x=(LEFT) y=(format!("{:.1}", end + 14.0)) { (shown(&self.chart.ending)) }
            }
        }
    }

    fn event(&self, at: usize, event: &Event) -> Markup {
        let y = self.y(at);
        let is_last =
            at + 1 == self.chart.events.len() && matches!(event.kind, EventKind::Joint(_));
        let lifelines = event.kind.lifelines();
        let xs: Vec<f64> = lifelines.iter().map(|lifeline| self.x(*lifeline)).collect();
        let (from, to) = match (xs.first(), xs.last()) {
            (Some(from), Some(to)) => (*from, *to),
            _ => (LEFT, LEFT),
        };
        // An arrow ends where the message arrives; what is still under way has none.
        let arrow = match event.kind {
            EventKind::Handover(..) => Some((from, y, to, y)),
            EventKind::Receive(_, Some(sent)) if sent >= self.first => {
                let sender = self.chart.events[sent].kind.lifelines()[0];
                Some((self.x(sender), self.y(sent), from, y))
            }
            _ => None,
        };
        let dots = match event.kind {
            EventKind::Joint(_) => &xs[..],
            _ => &xs[..1],
        };
        let alone = xs.len() < 2;
        let (x, text_y, anchor) = match alone {
            true => (from + 9.0, y + 4.0, "start"),
            false => ((from + to) / 2.0, y - 5.0, "middle"),
        };
        html! {
            g class=(if is_last { "event last" } else { "event" }) {
                title { (event.step) ": " (shown(&event.title)) }
                text class="count" x="40" y=(format!("{:.1}", y + 4.0)) text-anchor="end" { (event.step) }
                @if let Some(ends) = arrow { (self::arrow(ends)) }
                @else if !alone {
                    line class="bar" x1=(format!("{from:.1}")) x2=(format!("{to:.1}")) y1=(format!("{y:.1}")) y2=(format!("{y:.1}")) {}
                }
                @for x in dots { circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" {} }
                text class="label" x=(format!("{x:.1}")) y=(format!("{text_y:.1}")) text-anchor=(anchor) { (shorten(&event.label, LABEL)) }
            }
        }
    }
}

/// A line with a head.
fn arrow((x1, y1, x2, y2): (f64, f64, f64, f64)) -> Markup {
    let length = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt().max(1.0);
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    let (bx, by) = (x2 - 9.0 * ux, y2 - 9.0 * uy);
    let wing = |side: f64| format!("{:.1},{:.1}", bx - side * 4.0 * uy, by + side * 4.0 * ux);
    html! {
        line class="bar" x1=(format!("{x1:.1}")) y1=(format!("{y1:.1}")) x2=(format!("{x2:.1}")) y2=(format!("{y2:.1}")) {}
        polygon class="head" points=(format!("{x2:.1},{y2:.1} {} {}", wing(1.0), wing(-1.0))) {}
    }
}
