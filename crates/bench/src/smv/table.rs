//! The tables and what they sum up to.

use suppose_report::grouped;

use super::measure::{Cell, ENGINES};

/// A row with its cells.
pub struct Measured {
    /// The family.
    pub family: &'static str,
    /// One of those that the table of the paper has?
    pub in_paper: bool,
    /// The size.
    pub size: String,
    /// State variables, and bits that they take.
    pub variables: (usize, u32),
    /// Of [`ENGINES`]; none where an engine gave up at a smaller size.
    pub cells: Vec<Option<Cell>>,
    /// Of NuSMV; none without it.
    pub peer: Option<Cell>,
}

impl Measured {
    fn auto(&self) -> Option<&Cell> {
        self.cells.first()?.as_ref().filter(|c| c.decided())
    }

    fn beside(&self) -> Option<&Cell> {
        self.peer.as_ref().filter(|c| c.decided())
    }

    /// Properties on which two of the cells differ.
    pub fn differences(&self) -> Vec<String> {
        let names = ENGINES.iter().copied().chain(["NuSMV"]);
        let cells = self.cells.iter().chain([&self.peer]);
        let cells: Vec<(&str, &Cell)> = names
            .zip(cells)
            .filter_map(|(name, cell)| Some((name, cell.as_ref()?)))
            .collect();
        let mut found = Vec::new();
        for (at, (one, first)) in cells.iter().enumerate() {
            for (other, second) in &cells[at + 1..] {
                for (property, verdict) in &first.verdicts {
                    let against = second.verdicts.get(property);
                    if let Some(against) = against.filter(|a| *a != verdict) {
                        found.push(format!(
                            "{}({}), {property}: {verdict} by {one}, {against} by {other}",
                            self.family, self.size
                        ));
                    }
                }
            }
        }
        found
    }
}

/// The head of the table of times.
pub fn time_head() -> String {
    let engines = ENGINES.join(" | ");
    let rules = "---:|".repeat(ENGINES.len());
    format!(
        "| model | properties | variables (bits) | {engines} | NuSMV | NuSMV/auto |\n|---|---:|---:|{rules}---:|---:|"
    )
}

/// A row of times and memory.
pub fn time_row(it: &Measured) -> String {
    let decided = it.cells.iter().flatten().chain(&it.peer);
    let properties = decided.map(|c| c.properties).max().unwrap_or(0);
    let cells: Vec<String> = it.cells.iter().chain([&it.peer]).map(cell).collect();
    let ratio = match (it.auto(), it.beside()) {
        (Some(auto), Some(beside)) => format!("{:.1}", ratio(beside, auto)),
        (Some(_), None) if it.peer.is_some() => "∞".to_owned(),
        _ => "–".to_owned(),
    };
    let (variables, bits) = it.variables;
    format!(
        "| {}({}) | {properties} | {variables} ({bits}) | {} | {ratio} |",
        it.family,
        it.size,
        cells.join(" | ")
    )
}

/// A number, or the least and the most.
pub fn between((least, most): (u64, u64)) -> String {
    match least == most {
        true => least.to_string(),
        false => format!("{least}–{most}"),
    }
}

/// The time of a run, or why it gave up, with the number of properties decided if not all were.
pub fn time(cell: &Cell) -> String {
    match cell {
        cell if cell.gave_up() => format!("{} ({})", cell.reason, cell.verdicts.len()),
        cell if !cell.decided() => format!("{} s ({})", seconds(cell.seconds), cell.verdicts.len()),
        cell => format!("{} s", seconds(cell.seconds)),
    }
}

fn cell(cell: &Option<Cell>) -> String {
    match cell {
        None => "–".to_owned(),
        Some(cell) if cell.decided() && cell.peak > 0 => {
            let memory = cell.peak as f64 / 1e6;
            format!("{}, {memory:.0} MB", time(cell))
        }
        Some(cell) => time(cell),
    }
}

fn seconds(time: f64) -> String {
    match time {
        t if t < 0.1 => format!("{t:.3}"),
        t if t < 10.0 => format!("{t:.2}"),
        t => format!("{t:.0}"),
    }
}

fn ratio(beside: &Cell, auto: &Cell) -> f64 {
    beside.seconds.max(SHORTEST) / auto.seconds.max(SHORTEST)
}

/// The kernel counts in microseconds.
const SHORTEST: f64 = 1e-6;

/// The head of the table of nodes.
pub fn node_head() -> &'static str {
    "| model | abstracted | refinements | relation: auto | bdd | cegar | NuSMV | checking: auto | bdd | cegar | NuSMV | decided by |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
}

/// A row of nodes.
pub fn node_row(it: &Measured) -> String {
    let decided = |cell: &Option<Cell>| cell.clone().filter(Cell::decided);
    let all: Vec<Option<Cell>> = it.cells.iter().chain([&it.peer]).map(decided).collect();
    let of = |what: fn(&Cell) -> u64| -> Vec<String> {
        let one = |c: &Option<Cell>| c.as_ref().map_or("–".to_owned(), |c| grouped(what(c)));
        all.iter().map(one).collect()
    };
    let (abstracted, refinements, engines) = match all.first() {
        Some(Some(auto)) => {
            let engines = auto.engines.iter();
            let engines: Vec<String> = engines.map(|(name, n)| format!("{name} {n}")).collect();
            (
                between(auto.abstracted),
                auto.refinements.to_string(),
                engines.join(", "),
            )
        }
        _ => ("–".to_owned(), "–".to_owned(), "–".to_owned()),
    };
    format!(
        "| {}({}) | {abstracted} | {refinements} | {} | {} | {engines} |",
        it.family,
        it.size,
        of(|c| c.relation).join(" | "),
        of(|c| c.checking).join(" | ")
    )
}

/// What the tables show, in sentences.
pub fn summary(all: &[Measured]) -> Vec<String> {
    let mut lines = Vec::new();
    let both: Vec<(&Cell, &Cell)> = all
        .iter()
        .filter_map(|it| Some((it.auto()?, it.beside()?)))
        .collect();
    if !both.is_empty() {
        let faster = both.iter().filter(|(a, b)| a.seconds < b.seconds).count();
        let product: f64 = both.iter().map(|(a, b)| ratio(b, a).ln()).sum();
        lines.push(format!(
            "- Where both decide everything ({} rows): auto is faster on {faster} ({:.0} %), {:.1} times in the geometric mean.",
            both.len(),
            100.0 * faster as f64 / both.len() as f64,
            (product / both.len() as f64).exp()
        ));
    }
    for limit in SLOW {
        lines.extend(slow(&both, limit));
    }
    let alone = |own: fn(&Measured) -> bool| -> Vec<String> {
        let rows = all.iter().filter(|it| own(it));
        rows.map(|it| format!("{}({})", it.family, it.size))
            .collect()
    };
    let ours = alone(|it| it.peer.is_some() && it.beside().is_none() && it.auto().is_some());
    let theirs = alone(|it| it.beside().is_some() && it.auto().is_none());
    let neither = alone(|it| it.peer.is_some() && it.beside().is_none() && it.auto().is_none());
    for (who, rows) in [
        ("Only auto", ours),
        ("Only NuSMV", theirs),
        ("Neither", neither),
    ] {
        if !rows.is_empty() {
            lines.push(format!(
                "- {who} decides everything on {}.",
                rows.join(", ")
            ));
        }
    }
    lines.extend(nodes_by_family(all));
    lines
}

/// What takes NuSMV longer than this is compared by itself too, in seconds.
const SLOW: [f64; 2] = [0.1, 0.5];

/// The rows that take NuSMV longer.
fn slow(both: &[(&Cell, &Cell)], limit: f64) -> Option<String> {
    let slow: Vec<f64> = both
        .iter()
        .filter(|(_, b)| b.seconds > limit)
        .map(|(a, b)| ratio(b, a))
        .collect();
    if slow.is_empty() {
        return None;
    }
    let mean = slow.iter().map(|r| r.ln()).sum::<f64>() / slow.len() as f64;
    Some(format!(
        "- Of these, {} take NuSMV more than {limit} s: auto is faster on {}, {:.1} times in the geometric mean.",
        slow.len(),
        slow.iter().filter(|r| **r > 1.0).count(),
        mean.exp()
    ))
}

/// By family of the paper: the best ratio of checking nodes and the geometric mean of all.
fn nodes_by_family(all: &[Measured]) -> Vec<String> {
    let mut families: Vec<&str> = all
        .iter()
        .filter(|m| m.in_paper)
        .map(|m| m.family)
        .collect();
    families.dedup();
    let mut lines = Vec::new();
    for family in families {
        let rows = all.iter().filter(|m| m.family == family);
        let ratios: Vec<f64> = rows
            .filter_map(|it| Some((it.auto()?, it.beside()?)))
            .map(|(a, b)| b.checking.max(1) as f64 / a.checking.max(1) as f64)
            .collect();
        let Some(last) = ratios.last() else {
            continue;
        };
        let mean = ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64;
        lines.push(format!(
            "- {family}: NuSMV has {:.1} times the checking nodes in the geometric mean, {last:.1} times at the largest size both decide.",
            mean.exp()
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(auto: Option<(&str, f64)>, peer: Option<(&str, f64)>) -> Measured {
        let cell = |(verdict, seconds): (&str, f64)| Cell {
            verdicts: [("p".to_owned(), verdict.to_owned())].into(),
            properties: 1,
            seconds,
            checking: 10,
            ..Cell::default()
        };
        Measured {
            family: "ring",
            in_paper: true,
            size: "3".to_owned(),
            variables: (2, 5),
            cells: vec![auto.map(cell), None, None],
            peer: peer.map(cell),
        }
    }

    #[test]
    fn different_verdicts_are_found() {
        let same = row(Some(("holds", 1.0)), Some(("holds", 2.0)));
        assert!(same.differences().is_empty());
        let other = row(Some(("holds", 1.0)), Some(("violated", 2.0)));
        assert_eq!(
            other.differences(),
            ["ring(3), p: holds by auto, violated by NuSMV"]
        );
    }

    #[test]
    fn short_times_have_three_decimals_and_ratios_are_of_what_was_measured() {
        let it = row(Some(("holds", 0.004)), Some(("holds", 0.0144)));
        let line = time_row(&it);
        assert!(
            line.ends_with("| 0.004 s | – | – | 0.014 s | 3.6 |"),
            "{line}"
        );
    }

    #[test]
    fn the_summary_counts_and_takes_the_mean() {
        let rows = [
            row(Some(("holds", 1.0)), Some(("holds", 4.0))),
            row(Some(("holds", 4.0)), Some(("holds", 4.0))),
        ];
        let lines = summary(&rows);
        assert!(lines[0].contains("2 rows"), "{lines:?}");
        assert!(
            lines[0].contains("faster on 1 (50 %), 2.0 times"),
            "{lines:?}"
        );
        assert!(
            lines[1].contains("2 take NuSMV more than 0.1 s: auto is faster on 1, 2.0 times"),
            "{lines:?}"
        );
    }
}
