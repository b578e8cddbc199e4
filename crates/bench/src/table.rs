//! Cells to Markdown.

use suppose_frontends::{Input, Language, LoadOptions, Role};
use suppose_model::lts::{self, Lts, Network};
use suppose_report::{format_bytes, grouped};

use crate::Plan;
use crate::cell::Cell;
use crate::suites::Case;

/// What a table shows of each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Assumption, time and memory; the sizes of both sides of the split.
    Assumptions,
    /// Time and memory.
    Contest,
    /// States and transitions a second, bytes a state.
    Speed,
}

/// An upper bound on the state spaces that are built only to tell their size.
const SIZE_LIMIT: usize = 2_000_000;

/// The heading of a table.
pub fn head(plan: &Plan) -> String {
    let mut cells = vec!["case".to_owned(), "N".to_owned()];
    match plan.kind {
        TableKind::Assumptions => {
            cells.extend(["M1 ‖ P".to_owned(), "M2".to_owned()]);
            for column in plan.columns {
                cells.push(format!("{}: A", column.name));
                cells.extend(["time".to_owned(), "memory".to_owned()]);
            }
        }
        TableKind::Contest => {
            for column in plan.columns {
                cells.extend([format!("{}: time", column.name), "memory".to_owned()]);
            }
        }
        TableKind::Speed => cells.extend(
            [
                "states",
                "transitions",
                "time",
                "states/s",
                "transitions/s",
                "peak",
                "bytes/state",
            ]
            .map(str::to_owned),
        ),
    }
    let rule = vec!["---"; cells.len()].join("|");
    format!("| {} |\n|{rule}|", cells.join(" | "))
}

/// What the columns mean.
pub fn legend(kind: TableKind) -> &'static str {
    match kind {
        TableKind::Assumptions => {
            "A: states of the largest assumption of the run. M1 ‖ P and M2: states of the two sides. \
             Time in seconds, of the engine. Memory: peak resident set. –: no verdict within the \
             limits, or not tried because a smaller size had none."
        }
        TableKind::Contest => {
            "Time in seconds, of the engine. Memory: peak resident set. –: no verdict within the \
             limits, or not tried because a smaller size had none."
        }
        TableKind::Speed => {
            "Time in seconds, of the engine. Peak: resident set of the whole process. Bytes/state: of \
             the peak, what exceeds that of the same program on a system of four states."
        }
    }
}

/// One row.
///
/// `program` is what the program takes without states, in bytes.
pub fn row(
    plan: &Plan,
    case: &Case,
    size: i64,
    sizes: &Sizes,
    cells: &[Option<Cell>],
    program: u64,
) -> String {
    let n = if size > 0 {
        size.to_string()
    } else {
        String::new()
    };
    let mut shown = vec![case.name.to_owned(), n];
    if plan.kind == TableKind::Assumptions {
        shown.extend([sizes.first.clone(), sizes.second.clone()]);
    }
    for (cell, column) in cells.iter().zip(plan.columns) {
        shown.extend(shown_cell(plan.kind, cell.as_ref(), column.name, program));
    }
    format!("| {} |", shown.join(" | "))
}

fn shown_cell(kind: TableKind, cell: Option<&Cell>, column: &str, program: u64) -> Vec<String> {
    let none = || "–".to_owned();
    let Some(cell) = cell else {
        let width = match kind {
            TableKind::Assumptions => 3,
            TableKind::Contest => 2,
            TableKind::Speed => 7,
        };
        return (0..width).map(|_| none()).collect();
    };
    let decided = cell.decided();
    let time = match decided {
        true if cell.seconds < 0.1 => format!("{:.4}", cell.seconds),
        true => format!("{:.2}", cell.seconds),
        false => none(),
    };
    let memory = match decided {
        true => format_bytes(cell.peak),
        false => cell.last_line.clone(),
    };
    match kind {
        TableKind::Assumptions => {
            let assumption = match decided && cell.assumption > 0 {
                true => grouped(cell.assumption),
                false => none(),
            };
            vec![assumption, time, memory]
        }
        TableKind::Contest if column == "auto" && decided => {
            vec![format!("{time} ({})", cell.engine), memory]
        }
        TableKind::Contest => vec![time, memory],
        TableKind::Speed => {
            let rate = |n: u64| grouped((n as f64 / cell.seconds.max(1e-9)) as u64);
            let bytes = cell.peak.saturating_sub(program) as f64 / cell.states.max(1) as f64;
            vec![
                grouped(cell.states),
                grouped(cell.transitions),
                time,
                rate(cell.states),
                rate(cell.transitions),
                memory,
                format!("{bytes:.1}"),
            ]
        }
    }
}

/// The sizes of the two sides of a split.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    first: String,
    second: String,
}

/// Builds both sides to count their states; only where the table shows them.
pub fn sizes(kind: TableKind, case: &Case, size: i64, cells: &[Option<Cell>]) -> Sizes {
    if kind != TableKind::Assumptions {
        return Sizes::default();
    }
    let two = |c: &&Cell| c.groups.len() == 2;
    let Some(cell) = cells.iter().flatten().find(two) else {
        return Sizes::default();
    };
    let constants = match size {
        0 => Vec::new(),
        n => vec![("N".to_owned(), n)],
    };
    let input = Input {
        name: case.file.to_owned(),
        text: case.text.to_owned(),
        role: Role::Component,
        language: Some(Language::Fsp),
    };
    let options = LoadOptions {
        system: Some(case.system.to_owned()),
        constants,
        ..LoadOptions::default()
    };
    let Ok(loaded) = suppose_frontends::load(vec![input], &options) else {
        return Sizes::default();
    };
    let network = loaded.network;
    let property = network
        .properties
        .iter()
        .find(|p| p.name() == case.property);
    let property = property.map(|p| lts::complete(&p.lts));
    Sizes {
        first: states(&network, &cell.groups[0], property.as_ref()),
        second: states(&network, &cell.groups[1], None),
    }
}

fn states(network: &Network, group: &[usize], property: Option<&Lts>) -> String {
    let parts = group.iter().filter_map(|i| network.components.get(*i));
    let parts: Vec<&Lts> = parts.map(|c| &c.lts).chain(property).collect();
    let limits = lts::SizeLimits {
        states: SIZE_LIMIT,
        ..lts::SizeLimits::default()
    };
    match lts::compose("", &parts, None, &limits) {
        Ok(whole) => grouped(whole.counts.states as u64),
        Err(_) => format!("> {}", grouped(SIZE_LIMIT as u64)),
    }
}
