//! Counterexamples step by step, and charts, in text.

use std::fmt::Write;
use std::ops::Range;

use suppose_source::FileId;

use super::{DIM, Page, RED};
use crate::block::{Cell, Changes, Chart, Column, Cut, Event, EventKind, Row, Steps, Width};
use crate::draw::shorten;
use crate::words::{count, shown};

/// A chart has at most this many lifelines and events, and this many columns for each lifeline.
const MOST_LIFELINES: usize = 6;
const MOST_EVENTS: usize = 30;
const COLUMN: usize = 22;
/// A longer line of the model is cut.
const LONGEST_LINE: usize = 100;

/// What is left out of this many rows.
pub(super) fn left_out(rows: usize, cut: Cut, full: bool) -> Range<usize> {
    match rows > cut.beyond && !full {
        true => cut.first..rows - cut.last,
        false => rows..rows,
    }
}

/// The line that stands for what is left out.
pub(super) fn more(rows: usize, noun: &str) -> String {
    let left_out = count(rows as u64, &format!("more {noun}"));
    format!("({left_out}: --full, --report and --format json show them)")
}

impl Page<'_> {
    pub(super) fn steps(&mut self, steps: &Steps) {
        let mut lines = format!("{}{}", steps.count, self.table(steps));
        for (at, line) in steps.ending.iter().enumerate() {
            let line = shown(line);
            let _ = match at {
                0 => write!(lines, "\n{}", self.paint(&line, RED)),
                _ => write!(lines, "\n{line}"),
            };
        }
        self.field("counterexample", &lines);
    }

    fn table(&self, steps: &Steps) -> String {
        let rows = &steps.rows;
        let cut = left_out(rows.len(), steps.cut, self.full);
        let columns: Vec<usize> = (0..steps.columns.len())
            .filter(|c| !steps.columns[*c].is_on_page_only)
            .collect();
        let texts = |row: &Row| -> Vec<String> {
            let cell = |c: &usize| self.cell(row, &row.cells[*c], &steps.columns[*c]);
            columns.iter().map(cell).collect()
        };
        let written: Vec<Option<Vec<String>>> = (0..rows.len())
            .map(|at| (!cut.contains(&at)).then(|| texts(&rows[at])))
            .collect();
        let widths: Vec<usize> = (0..columns.len())
            .map(|c| width(&steps.columns[columns[c]], c, &written))
            .collect();
        // Source lines begin below what happens.
        let action = columns.iter().position(|c| {
            let cell = |row: &Row| matches!(row.cells[*c], Cell::Action(..));
            rows.first().is_some_and(cell)
        });
        let before = widths[..action.unwrap_or(0)].iter().map(|width| width + 2);
        let indent: usize = before.sum();
        let mut shown_last = None;
        let mut lines = String::new();
        for (at, row) in written.iter().enumerate() {
            if at == cut.start {
                let digits = widths.first().copied().unwrap_or(0);
                let digits = match steps.columns[columns[0]].width {
                    Width::Number => digits,
                    _ => 0,
                };
                let more = more(cut.len(), steps.cut.noun);
                let _ = write!(lines, "\n{:>digits$}  {more}", "…");
            }
            let Some(row) = row else { continue };
            let cells = row.iter().zip(&columns).zip(&widths);
            let cells = cells.map(|((text, c), width)| match steps.columns[*c].width {
                Width::Number => format!("{text:>width$}"),
                _ => format!("{text:<width$}"),
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            let _ = write!(lines, "\n{}", line.trim_end());
            if let Some(source) = self.source_line(&rows[at], &mut shown_last) {
                let _ = write!(lines, "\n{:indent$}  {}", "", self.paint(&source, DIM));
            }
        }
        lines
    }

    /// The line of the model that a step comes from, unless it is the one that was shown last, or says no more than the step.
    fn source_line(&self, row: &Row, shown_last: &mut Option<(FileId, usize)>) -> Option<String> {
        let (span, sources) = (row.span?, self.sources?);
        let file = sources.file(span.file)?;
        let place = (span.file, file.position(span.start).line);
        if shown_last.replace(place) == Some(place) {
            return None;
        }
        let line = file.line(span.start).trim();
        let action = row.cells.iter().find_map(|cell| match cell {
            Cell::Action(text, _) => Some(bare(text)),
            _ => None,
        });
        let says_more = !line.is_empty() && action.is_none_or(|action| bare(line) != action);
        says_more.then(|| format!("| {}", shorten(&shown(line), LONGEST_LINE)))
    }

    fn cell(&self, row: &Row, cell: &Cell, column: &Column) -> String {
        let text = match cell {
            Cell::Number(number) => return number.map_or_else(String::new, |n| n.to_string()),
            Cell::Changes(changes) => return changed(changes),
            Cell::Text(text) => shown(text),
            Cell::Action(text, _) => shown(text),
        };
        let indent = match cell {
            Cell::Action(..) => "  ".repeat(row.depth.min(20)),
            _ => String::new(),
        };
        match column.longest {
            Some((most, also_in_full)) if also_in_full || !self.full => {
                format!("{indent}{}", shorten(&text, most))
            }
            _ => format!("{indent}{text}"),
        }
    }

    pub(super) fn chart(&mut self, chart: &Chart) {
        let most = if self.full { usize::MAX } else { MOST_EVENTS };
        let events = &chart.events[chart.events.len().saturating_sub(most)..];
        let mut lifelines: Vec<usize> = events.iter().flat_map(|e| e.kind.lifelines()).collect();
        lifelines.sort_unstable();
        lifelines.dedup();
        if lifelines.len() < 2 || lifelines.len() > MOST_LIFELINES {
            return;
        }
        let digits = chart.steps.to_string().len();
        let mut head = " ".repeat(digits);
        for lifeline in &lifelines {
            let name = shorten(&chart.lifelines[*lifeline], COLUMN - 2);
            let _ = write!(head, "  {name:<COLUMN$}");
        }
        let mut lines = vec![head.trim_end().to_owned()];
        for event in events {
            let line = format!(
                "{:>digits$}{}",
                event.step,
                event_text(chart, event, &lifelines)
            );
            lines.push(line.trim_end().to_owned());
        }
        self.field("messages", &lines.join("\n"));
    }
}

/// A column of the table: as wide as what is written in it.
fn width(column: &Column, at: usize, written: &[Option<Vec<String>>]) -> usize {
    let widths = written.iter().flatten().map(|row| row[at].chars().count());
    let widest = widths.max().unwrap_or(0);
    match column.width {
        Width::Number => widest,
        Width::Padded(most) => widest.min(most),
        Width::Free => 0,
    }
}

/// A statement without white space and the signs around it.
fn bare(statement: &str) -> String {
    let text = statement.trim().trim_start_matches("::");
    let text = text.trim_end_matches([';', ' ', '{', '}']);
    let text = text.strip_suffix("->").unwrap_or(text);
    text.trim_end_matches([';', ' '])
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect()
}

fn changed(changes: &Changes) -> String {
    let all = changes.all.iter().take(changes.most);
    let mut texts: Vec<String> = all
        .map(|c| format!("{}: {} -> {}", shown(&c.name), shown(&c.from), shown(&c.to)))
        .collect();
    if changes.all.len() > changes.most {
        texts.push(format!("and {} more", changes.all.len() - changes.most));
    }
    texts.extend(changes.others.iter().map(|o| shown(o).into_owned()));
    texts.join(", ")
}

/// One message: an arrow where it goes at once, else what is done to it in the column of the process.
fn event_text(chart: &Chart, event: &Event, lifelines: &[usize]) -> String {
    let place = |lifeline: usize| lifelines.binary_search(&lifeline).unwrap_or(0);
    let label = shorten(&event.label, COLUMN - 4);
    let cell = COLUMN + 2;
    let alone = |lifeline: usize, remark: String| {
        let indent = " ".repeat(place(lifeline) * cell);
        format!("{indent}  {label}{remark}")
    };
    let (own, other) = match &event.kind {
        EventKind::Handover(from, to) if from != to => (place(*from), place(*to)),
        EventKind::Receive(lifeline, Some(sent)) => {
            let step = chart.events[*sent].step;
            return alone(*lifeline, format!(" (of {step})"));
        }
        kind => {
            return alone(
                kind.lifelines().first().copied().unwrap_or(0),
                String::new(),
            );
        }
    };
    let (left, right) = (own.min(other), own.max(other));
    let span = (right - left) * cell;
    let dashes = span.saturating_sub(label.chars().count() + 3);
    let arrow = match own < other {
        true => format!("{label} {}>", "-".repeat(dashes)),
        false => format!("<{} {label}", "-".repeat(dashes)),
    };
    format!("{}  {arrow}", " ".repeat(left * cell))
}
