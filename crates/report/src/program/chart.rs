//! The messages of a run as a chart: a line down for each process, an arrow for each message.

use maud::{Markup, html};

use super::messages::Kind;
use super::run::{Row, Run};
use crate::draw::{CHAR, columns, shorten};
use crate::words::{count, grouped, shown};

/// A chart in text has at most so many processes and messages.
const TEXT_LIVES: usize = 6;
const TEXT_MESSAGES: usize = 30;
/// And so many columns for each process.
const TEXT_WIDTH: usize = 22;

/// A picture has at most so many.
const MOST_LIVES: usize = 24;
const MOST_MESSAGES: usize = 300;

/// The rows with messages, at most so many: the last, for they matter most.
fn chosen(run: &Run, most: usize) -> Vec<usize> {
    let with = (0..run.rows.len()).filter(|r| run.rows[*r].message.is_some());
    let mut all: Vec<usize> = with.collect();
    all.drain(..all.len().saturating_sub(most));
    all
}

/// The processes that send or receive in these rows, in order.
fn lives(run: &Run, rows: &[usize]) -> Vec<usize> {
    let mut lives = Vec::new();
    for row in rows.iter().map(|r| &run.rows[*r]) {
        lives.push(row.process);
        if let Some(Kind::Handed(to)) = row.message.as_ref().map(|m| m.kind) {
            lives.push(to);
        }
    }
    lives.sort_unstable();
    lives.dedup();
    lives
}

fn name(run: &Run, process: usize) -> &str {
    let found = run.actors.iter().find(|(number, _)| *number == process);
    found.map_or("", |(_, name)| name)
}

/// The chart in text, if it is small enough to be read.
pub(super) fn text(run: &Run, full: bool) -> Option<String> {
    let rows = chosen(run, if full { usize::MAX } else { TEXT_MESSAGES });
    let lives = lives(run, &rows);
    if lives.len() < 2 || lives.len() > TEXT_LIVES {
        return None;
    }
    let digits = run.steps.to_string().len();
    let mut head = " ".repeat(digits);
    for process in &lives {
        let name = shorten(&shown(name(run, *process)), TEXT_WIDTH - 2);
        head.push_str(&format!("  {name:<TEXT_WIDTH$}"));
    }
    let mut lines = vec![head.trim_end().to_owned()];
    for row in rows.iter().map(|r| &run.rows[*r]) {
        let line = format!("{:>digits$}{}", row.step, text_row(run, row, &lives));
        lines.push(line.trim_end().to_owned());
    }
    Some(lines.join("\n"))
}

/// One message: an arrow where it goes at once, else what is done to it in the process's column.
fn text_row(run: &Run, row: &Row, lives: &[usize]) -> String {
    let place = |process: usize| lives.binary_search(&process).unwrap_or(0);
    let Some(message) = &row.message else {
        return String::new();
    };
    let label = shorten(&shown(&message.label()), TEXT_WIDTH - 4);
    let cell = TEXT_WIDTH + 2;
    let own = place(row.process);
    let other = match message.kind {
        Kind::Handed(to) => place(to),
        Kind::Sent | Kind::Received(_) => own,
    };
    if own == other {
        let from = match message.kind {
            Kind::Received(Some(sent)) => format!(" (of {})", run.rows[sent].step),
            _ => String::new(),
        };
        return format!("{}  {label}{from}", " ".repeat(own * cell));
    }
    let (left, right) = (own.min(other), own.max(other));
    let span = (right - left) * cell;
    let dashes = span.saturating_sub(label.chars().count() + 3);
    let arrow = match own < other {
        true => format!("{label} {}>", "-".repeat(dashes)),
        false => format!("<{} {label}", "-".repeat(dashes)),
    };
    format!("{}  {arrow}", " ".repeat(left * cell))
}

const ROW: f64 = 30.0;
const LEFT: f64 = 56.0;
const HEAD: f64 = 34.0;
const NAME: usize = 20;
const LABEL: usize = 40;

/// The chart as a picture, or nothing when there is nothing to chart.
pub(super) fn picture(run: &Run) -> Markup {
    let rows = chosen(run, MOST_MESSAGES);
    let lives = lives(run, &rows);
    if lives.is_empty() || lives.len() > MOST_LIVES {
        return html! {};
    }
    let names: Vec<&str> = lives.iter().map(|p| name(run, *p)).collect();
    let wide = names.iter().map(|n| columns(&shorten(n, NAME))).max();
    let spacing = (wide.unwrap_or(0) as f64 * CHAR + 30.0).max(130.0);
    let chart = Chart {
        run,
        rows: &rows,
        lives: &lives,
        spacing,
    };
    let all = run.rows.iter().filter(|r| r.message.is_some()).count();
    html! {
        h3 { "Message chart" }
        @if rows.len() < all {
            p class="aside" { "The last " (count(rows.len() as u64, "message")) " of " (grouped(all as u64)) "." }
        }
        div class="chart" tabindex="0" role="group" aria-label="Message chart" {
            (chart.header(&names))
            (chart.body())
        }
    }
}

struct Chart<'a> {
    run: &'a Run,
    rows: &'a [usize],
    lives: &'a [usize],
    spacing: f64,
}

impl Chart<'_> {
    fn x(&self, process: usize) -> f64 {
        let at = self.lives.binary_search(&process).unwrap_or(0);
        LEFT + self.spacing * (at as f64 + 0.5)
    }

    fn y(&self, at: usize) -> f64 {
        ROW * (at as f64 + 0.75)
    }

    fn width(&self) -> f64 {
        let lives = LEFT + self.spacing * self.lives.len() as f64 + 20.0;
        let labels = self.rows.iter().map(|r| {
            let row = &self.run.rows[*r];
            let text = row.message.as_ref().map_or(String::new(), |m| m.label());
            self.x(row.process) + columns(&shorten(&text, LABEL)) as f64 * CHAR + 20.0
        });
        labels.fold(lives, f64::max)
    }

    fn header(&self, names: &[&str]) -> Markup {
        let width = self.width();
        html! {
            svg class="drawing-svg chart-head" viewBox=(format!("0 0 {width:.0} {HEAD}"))
                width=(format!("{width:.0}")) height=(HEAD) preserveAspectRatio="xMinYMin meet" aria-hidden="true" {
                @for (process, name) in self.lives.iter().zip(names) {
                    g class="life" {
                        title { (shown(name)) }
                        text x=(format!("{:.1}", self.x(*process))) y="21" text-anchor="middle" { (shorten(name, NAME)) }
                    }
                }
            }
        }
    }

    fn body(&self) -> Markup {
        let width = self.width();
        let end = ROW * (self.rows.len() as f64 + 0.7);
        let height = end + ROW;
        let label = format!(
            "Message chart of {}",
            count(self.rows.len() as u64, "message")
        );
        let ending = self.run.ending.first().map_or("", String::as_str);
        html! {
            svg class="drawing-svg chart-body" viewBox=(format!("0 0 {width:.0} {height:.0}"))
                width=(format!("{width:.0}")) height=(format!("{height:.0}")) role="img" aria-label=(label) {
                @for process in self.lives {
                    line class="lifeline" x1=(format!("{:.1}", self.x(*process))) x2=(format!("{:.1}", self.x(*process)))
                        y1="0" y2=(format!("{end:.1}")) {}
                }
                @for (at, row) in self.rows.iter().enumerate() { (self.event(at, &self.run.rows[*row])) }
                text class="ending" x=(LEFT) y=(format!("{:.1}", end + 14.0)) { (shown(ending)) }
            }
        }
    }

    fn event(&self, at: usize, row: &Row) -> Markup {
        let Some(message) = &row.message else {
            return html! {};
        };
        let (x, y) = (self.x(row.process), self.y(at));
        let text = message.label();
        // An arrow ends where the message arrives; what is still under way has none.
        let arrow = match message.kind {
            Kind::Handed(to) => Some((x, y, self.x(to), y)),
            Kind::Received(Some(sent)) => self.rows.binary_search(&sent).ok().map(|from| {
                let sender = self.run.rows[sent].process;
                (self.x(sender), self.y(from), x, y)
            }),
            Kind::Sent | Kind::Received(None) => None,
        };
        let (label_x, label_y, anchor) = match message.kind {
            Kind::Handed(to) => ((x + self.x(to)) / 2.0, y - 5.0, "middle"),
            _ => (x + 9.0, y + 4.0, "start"),
        };
        html! {
            g class="event" {
                title { (row.step) ": " (shown(&row.name)) " " (shown(&text)) }
                text class="count" x="40" y=(format!("{:.1}", y + 4.0)) text-anchor="end" { (row.step) }
                @if let Some(ends) = arrow { (self::arrow(ends)) }
                circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" {}
                text class="label" x=(format!("{label_x:.1}")) y=(format!("{label_y:.1}")) text-anchor=(anchor) {
                    (shorten(&text, LABEL))
                }
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
