//! The tables: time and memory, sizes, and how the cost grows.

use std::fmt::Write;

use suppose_report::grouped;

use super::measure::{AUTO, COLUMNS, Cell, MONOLITHIC};
use super::suites::{Family, Published, Row, Run};

/// A row with its cells; none where a column gave up at a smaller size.
pub struct Measured {
    /// The row.
    pub row: Row,
    /// By column.
    pub cells: Vec<Option<Cell>>,
}

/// The head of Table 6.1.
pub fn time_head() -> String {
    let mut names = String::from("| system |");
    let mut rule = String::from("|---|");
    for column in COLUMNS {
        let _ = write!(names, " {} |", column.name);
        rule.push_str("---:|");
    }
    format!("{names} published: AGAR, AGAR-N, monolithic |\n{rule}---|")
}

/// A row of Table 6.1.
pub fn time_row(it: &Measured) -> String {
    let mut line = format!("| {}({}) |", it.row.family.name(), it.row.n);
    for (number, cell) in it.cells.iter().enumerate() {
        let text = match cell {
            None => "–".to_owned(),
            Some(cell) => time_cell(cell, number == AUTO),
        };
        let _ = write!(line, " {text} |");
    }
    let published = it.row.published.map_or("–".to_owned(), |p| {
        [p.agar, p.agar_n, p.monolithic]
            .map(published_run)
            .join(", ")
    });
    let _ = write!(line, " {published} |");
    line
}

fn time_cell(cell: &Cell, auto: bool) -> String {
    if !cell.decided() {
        return cell.last_line.clone();
    }
    let engine = match auto {
        true => format!(" ({})", cell.engine),
        false => String::new(),
    };
    let wrong = match cell.last_line == "holds" {
        true => "",
        false => " **violated**",
    };
    format!(
        "{} s, {:.0} MB{engine}{wrong}",
        seconds(cell.seconds),
        cell.peak as f64 / 1e6
    )
}

fn seconds(time: f64) -> String {
    match time {
        t if t < 10.0 => format!("{t:.2}"),
        t => format!("{t:.0}"),
    }
}

fn published_run(run: Run) -> String {
    match run {
        Run::Done(time, memory) => format!("{time} s {memory} MB"),
        Run::Time => "no time".to_owned(),
        Run::Memory => "no memory".to_owned(),
    }
}

/// The head of Table 6.2.
pub fn size_head() -> &'static str {
    "| system | \\|L1\\| | \\|L2\\| | two components: \\|LM\\| | \\|AM\\| | \\|Lc\\| | AGAR-N: \\|LM\\| | \\|AM\\| | \\|L\\| | \\|P\\| | published \\|L1\\| \\|L2\\| \\|L\\| \\|P\\| \\|AM\\| |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
}

/// A row of Table 6.2.
pub fn size_row(it: &Measured) -> String {
    let known = |n: Option<u64>| n.map_or("–".to_owned(), grouped);
    let cell = |number: usize| it.cells[number].as_ref();
    let decided = |number: usize| cell(number).filter(|c| c.decided());
    let two = cell(0).filter(|c| c.components.len() == 2);
    let component = |at: usize| known(two.map(|c| c.components[at]));
    let each = it.cells.iter().flatten().find(|c| c.components.len() > 2);
    let each = each
        .or(cell(1))
        .and_then(|c| c.components.iter().max().copied());
    let specification = it.cells.iter().flatten().map(|c| c.specification).max();
    let published = |p: Published| {
        let assumption = p.assumption.map_or("–".to_owned(), grouped);
        let [a, b] = p.components.map(grouped);
        let (l, s) = (grouped(p.system), grouped(p.specification));
        format!("{a} {b} {l} {s} {assumption}")
    };
    let fields = [
        component(0),
        component(1),
        known(decided(0).map(|c| c.largest)),
        known(decided(0).map(|c| c.assumption)),
        known(each),
        known(decided(1).map(|c| c.largest)),
        known(decided(1).map(|c| c.assumption)),
        known(decided(MONOLITHIC).map(|c| c.largest)),
        known(specification),
        it.row.published.map_or("–".to_owned(), published),
    ];
    format!(
        "| {}({}) | {} |",
        it.row.family.name(),
        it.row.n,
        fields.join(" | ")
    )
}

/// The mean factor by which the time grows from one size to the next, over the sizes that take long enough.
pub fn growth(all: &[Measured]) -> Vec<String> {
    let families = [
        Family::OneFails,
        Family::AllFail,
        Family::Arbiter,
        Family::Sensors,
    ];
    let mut lines = Vec::new();
    for family in families {
        let rows: Vec<&Measured> = all.iter().filter(|m| m.row.family == family).collect();
        let mut parts = Vec::new();
        for (number, column) in COLUMNS.iter().enumerate() {
            let times: Vec<f64> = rows
                .iter()
                .filter_map(|m| m.cells[number].as_ref().filter(|c| c.decided()))
                .map(|c| c.seconds)
                .skip_while(|t| *t < 0.05)
                .collect();
            if let (Some(first), Some(last), true) = (times.first(), times.last(), times.len() > 1)
            {
                let factor = (last / first).powf(1.0 / (times.len() as f64 - 1.0));
                parts.push(format!("{} ×{factor:.1}", column.name));
            }
        }
        if !parts.is_empty() {
            lines.push(format!("- {}: {}", family.name(), parts.join(", ")));
        }
    }
    lines
}

/// Rows where the automatic choice takes more than twice the time of the best engine.
pub fn slow_choices(all: &[Measured]) -> Vec<String> {
    let mut lines = Vec::new();
    for it in all {
        let decided = it.cells.iter().enumerate();
        let decided = decided.filter_map(|(i, c)| Some((i, c.as_ref().filter(|c| c.decided())?)));
        let best = decided
            .filter(|(i, _)| *i != AUTO)
            .map(|(i, c)| (c.seconds, i));
        let Some((best, engine)) = best.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            continue;
        };
        let name = format!("{}({})", it.row.family.name(), it.row.n);
        match it.cells[AUTO].as_ref().filter(|c| c.decided()) {
            // The kernel counts in hundredths of a second.
            Some(auto) if auto.seconds <= 2.0 * best + 0.03 => {}
            Some(auto) => lines.push(format!(
                "- {name}: auto {} s, {} {} s",
                seconds(auto.seconds),
                COLUMNS[engine].name,
                seconds(best)
            )),
            None => lines.push(format!("- {name}: auto gave up")),
        }
    }
    lines
}
