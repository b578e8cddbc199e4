//! Measurements as a page: one table each, and two columns against each other as a picture.

use maud::{Markup, html};

use crate::html::{bare_page, name};
use crate::words::grouped;

/// One table of measurements.
#[derive(Clone, Debug, Default)]
pub struct Measurements {
    /// What is measured.
    pub title: String,
    /// The columns.
    pub columns: Vec<String>,
    /// The problems.
    pub rows: Vec<MeasuredRow>,
    /// The limit on processor time, in seconds.
    pub limit: f64,
}

/// One problem.
#[derive(Clone, Debug, Default)]
pub struct MeasuredRow {
    /// Its name.
    pub name: String,
    /// What it is counted with.
    pub family: String,
    /// `holds` or `violated`, if that is known.
    pub expected: Option<String>,
    /// One for each column.
    pub cells: Vec<MeasuredCell>,
}

/// One run.
#[derive(Clone, Debug, Default)]
pub struct MeasuredCell {
    /// `holds`, `violated` or `unknown`; empty when it was not run.
    pub verdict: String,
    /// Processor time.
    pub seconds: f64,
    /// Is it this program's?
    pub own: bool,
    /// Was the evidence accepted?
    pub certified: bool,
}

impl MeasuredCell {
    /// Is there a verdict?
    pub fn decided(&self) -> bool {
        matches!(self.verdict.as_str(), "holds" | "violated")
    }
}

impl MeasuredRow {
    /// Is it another verdict than the one that is known?
    pub fn is_wrong(&self, cell: &MeasuredCell) -> bool {
        let expected = self.expected.as_ref();
        cell.decided() && expected.is_some_and(|e| *e != cell.verdict)
    }

    /// Has the column a verdict that is not wrong?
    pub fn solved(&self, at: usize) -> bool {
        let cell = self.cells.get(at);
        cell.is_some_and(|c| c.decided() && !self.is_wrong(c))
    }
}

/// All tables as one self-contained HTML file.
pub fn measurements(version: &str, sheets: &[Measurements]) -> String {
    let sections = html! {
        @for sheet in sheets { (section(sheet)) }
    };
    bare_page(version, "Measurements", sections)
}

fn section(sheet: &Measurements) -> Markup {
    html! {
        section class="card" {
            h2 { (name(&sheet.title)) }
            p {
                (grouped(sheet.rows.len() as u64)) " problems, at most "
                (format!("{:.0}", sheet.limit)) " s of processor time each."
            }
            @for other in 1..sheet.columns.len() { (scatter(sheet, 0, other)) }
            details {
                summary { "All problems" }
                div class="scroll" tabindex="0" role="region" aria-label="Problems" { table {
                    thead { tr {
                        th scope="col" { "Problem" } th scope="col" { "Expected" }
                        @for column in &sheet.columns { th scope="col" class="number" { (name(column)) } }
                    } }
                    tbody { @for row in &sheet.rows { (row_of(row)) } }
                } }
            }
        }
    }
}

fn row_of(row: &MeasuredRow) -> Markup {
    html! {
        tr {
            th scope="row" { (name(&row.name)) }
            td { (row.expected.as_deref().unwrap_or("–")) }
            @for cell in &row.cells {
                td class="number" {
                    @if row.is_wrong(cell) { b { "wrong" } }
                    @else if cell.decided() { (format!("{:.2} s", cell.seconds)) }
                    @else { "–" }
                }
            }
        }
    }
}

const SIZE: f64 = 340.0;
const MARGIN: f64 = 46.0;
/// Times below are drawn as if they were this: the clock of the kernel is no finer.
const LEAST: f64 = 0.01;

/// Two columns against each other, both axes logarithmic; a dot below the diagonal is faster in the column of
/// the y axis. What was not decided lies on the line of the limit.
fn scatter(sheet: &Measurements, x: usize, y: usize) -> Markup {
    let most = (sheet.limit * 2.0).max(LEAST * 10.0);
    let place = |row: &MeasuredRow, at: usize| {
        let seconds = match row.solved(at) {
            true => row.cells[at].seconds.max(LEAST),
            false => most,
        };
        (seconds / LEAST).ln() / (most / LEAST).ln() * SIZE
    };
    let whole = SIZE + 2.0 * MARGIN;
    let limit = (sheet.limit.max(LEAST) / LEAST).ln() / (most / LEAST).ln() * SIZE;
    let at = |v: f64| format!("{v:.1}");
    let (left, bottom) = (MARGIN, MARGIN + SIZE);
    let label = format!("{} against {}", sheet.columns[y], sheet.columns[x]);
    html! {
        figure class="scatter" {
            svg viewBox=(format!("0 0 {whole} {whole}")) width=(whole) height=(whole) role="img" aria-label=(label) {
                rect x=(at(left)) y=(at(MARGIN)) width=(SIZE) height=(SIZE) fill="none" stroke="currentColor" {}
                line x1=(at(left)) y1=(at(bottom)) x2=(at(left + SIZE)) y2=(at(MARGIN)) stroke="currentColor" stroke-opacity="0.4" {}
                line x1=(at(left + limit)) y1=(at(MARGIN)) x2=(at(left + limit)) y2=(at(bottom)) stroke="currentColor" stroke-dasharray="3 3" stroke-opacity="0.4" {}
                line x1=(at(left)) y1=(at(bottom - limit)) x2=(at(left + SIZE)) y2=(at(bottom - limit)) stroke="currentColor" stroke-dasharray="3 3" stroke-opacity="0.4" {}
                @for tick in ticks(most) {
                    @let v = (tick / LEAST).ln() / (most / LEAST).ln() * SIZE;
                    text x=(at(left + v)) y=(at(bottom + 14.0)) text-anchor="middle" font-size="10" fill="currentColor" { (tick) }
                    text x=(at(left - 6.0)) y=(at(bottom - v + 3.0)) text-anchor="end" font-size="10" fill="currentColor" { (tick) }
                }
                @for row in &sheet.rows {
                    @let (cx, cy) = (left + place(row, x), bottom - place(row, y));
                    circle cx=(at(cx)) cy=(at(cy)) r="3.5" fill="currentColor" fill-opacity="0.45" {
                        title { (crate::words::shown(&row.name)) }
                    }
                }
                text x=(at(left + SIZE / 2.0)) y=(at(bottom + 32.0)) text-anchor="middle" font-size="12" fill="currentColor" {
                    (crate::words::shown(&sheet.columns[x])) ", seconds"
                }
                text x=(at(left)) y=(at(MARGIN - 12.0)) text-anchor="start" font-size="12" fill="currentColor" {
                    (crate::words::shown(&sheet.columns[y])) ", seconds"
                }
            }
            figcaption { (name(&label)) ": a dot for each problem; outside the dashed lines it was not decided." }
        }
    }
}

/// Powers of ten up to the largest.
fn ticks(most: f64) -> Vec<f64> {
    let mut all = Vec::new();
    let mut tick = LEAST;
    while tick <= most {
        all.push(tick);
        tick *= 10.0;
    }
    all.iter().map(|t| (t * 100.0).round() / 100.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_a_dot_and_names_are_escaped() {
        let cell = |verdict: &str, seconds: f64| MeasuredCell {
            verdict: verdict.to_owned(),
            seconds,
            own: true,
            certified: true,
        };
        let row = |name: &str, a: &str, b: &str| MeasuredRow {
            name: name.to_owned(),
            family: "f".to_owned(),
            expected: Some("holds".to_owned()),
            cells: vec![cell(a, 0.5), cell(b, 20.0)],
        };
        let sheet = Measurements {
            title: "T".to_owned(),
            columns: vec!["suppose".to_owned(), "other".to_owned()],
            rows: vec![
                row("<b>", "holds", "unknown"),
                row("c", "violated", "holds"),
            ],
            limit: 10.0,
        };
        assert!(sheet.rows[1].is_wrong(&sheet.rows[1].cells[0]) && !sheet.rows[1].solved(0));
        let page = measurements("1", &[sheet]);
        assert_eq!(page.matches("<circle").count(), 2);
        assert!(page.contains("&lt;b&gt;") && !page.contains("<b></b>"));
        assert_eq!(ticks(20.0), [0.01, 0.1, 1.0, 10.0]);
    }
}
