//! Measurements as Markdown.

use suppose_report::{MeasuredCell, MeasuredRow, Measurements};

/// One line for each family, with what the first column solved beside the second.
pub fn families(sheet: &Measurements) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in &sheet.rows {
        if !names.contains(&row.family.as_str()) {
            names.push(&row.family);
        }
    }
    let mut lines = vec![head(sheet)];
    for name in &names {
        let rows: Vec<&MeasuredRow> = sheet.rows.iter().filter(|r| r.family == *name).collect();
        lines.push(line(name, &rows, sheet));
    }
    if names.len() > 1 {
        let rows: Vec<&MeasuredRow> = sheet.rows.iter().collect();
        lines.push(line("**all**", &rows, sheet));
    }
    lines.push(
        "\nPAR-2: processor seconds, with twice the limit for what was not decided.".to_owned(),
    );
    lines.join("\n")
}

fn head(sheet: &Measurements) -> String {
    let mut names = vec!["family".to_owned(), "problems".to_owned()];
    for column in &sheet.columns {
        names.push(column.clone());
    }
    if sheet.columns.len() > 1 {
        names.extend(sheet.columns.iter().take(2).map(|c| format!("only {c}")));
    }
    names.extend(sheet.columns.iter().map(|c| format!("wrong {c}")));
    names.push("certified".to_owned());
    names.extend(sheet.columns.iter().map(|c| format!("PAR-2 {c}")));
    let rule = vec!["--:"; names.len() - 1];
    format!("| {} |\n|---|{}|", names.join(" | "), rule.join("|"))
}

fn line(name: &str, rows: &[&MeasuredRow], sheet: &Measurements) -> String {
    let count = |keep: &dyn Fn(&MeasuredRow) -> bool| rows.iter().filter(|r| keep(r)).count();
    let solved = |at: usize| move |r: &MeasuredRow| r.solved(at);
    let mut cells = vec![name.to_owned(), rows.len().to_string()];
    for at in 0..sheet.columns.len() {
        cells.push(count(&solved(at)).to_string());
    }
    if sheet.columns.len() > 1 {
        cells.push(count(&|r| r.solved(0) && !r.solved(1)).to_string());
        cells.push(count(&|r| r.solved(1) && !r.solved(0)).to_string());
    }
    for at in 0..sheet.columns.len() {
        cells.push(count(&|r| r.cells.get(at).is_some_and(|c| r.is_wrong(c))).to_string());
    }
    cells.push(count(&|r| r.cells.first().is_some_and(|c| c.decided() && c.certified)).to_string());
    for at in 0..sheet.columns.len() {
        cells.push(format!("{:.1}", par2(rows, at, sheet.limit)));
    }
    format!("| {} |", cells.join(" | "))
}

fn par2(rows: &[&MeasuredRow], at: usize, limit: f64) -> f64 {
    let cost = |r: &&MeasuredRow| match r.cells.get(at) {
        Some(cell) if r.solved(at) => cell.seconds,
        _ => 2.0 * limit,
    };
    rows.iter().map(cost).sum()
}

/// One line for each problem.
pub fn rows(sheet: &Measurements) -> String {
    let rule = vec!["--:"; sheet.columns.len()];
    let mut lines = vec![format!(
        "| problem | expected | {} |\n|---|---|{}|",
        sheet.columns.join(" | "),
        rule.join("|")
    )];
    for row in &sheet.rows {
        let cells: Vec<String> = row.cells.iter().map(|c| cell(row, c)).collect();
        lines.push(format!(
            "| {} | {} | {} |",
            row.name,
            row.expected.as_deref().unwrap_or("-"),
            cells.join(" | ")
        ));
    }
    lines.join("\n")
}

fn cell(row: &MeasuredRow, cell: &MeasuredCell) -> String {
    match (cell.decided(), row.is_wrong(cell)) {
        (false, _) => "-".to_owned(),
        (true, true) => format!("**wrong: {}**", cell.verdict),
        (true, false) => format!("{:.2} s", cell.seconds),
    }
}

/// One line for each column: what its setting solved.
pub fn totals(sheet: &Measurements) -> String {
    let rows: Vec<&MeasuredRow> = sheet.rows.iter().collect();
    let mut lines = vec![
        "| setting | solved | holds | violated | wrong | PAR-2 |\n|---|--:|--:|--:|--:|--:|"
            .to_owned(),
    ];
    for (at, column) in sheet.columns.iter().enumerate() {
        let with = |verdict: &str| {
            let is = |r: &&&MeasuredRow| r.solved(at) && r.cells[at].verdict == verdict;
            rows.iter().filter(is).count()
        };
        let wrong = rows.iter().filter(|r| r.is_wrong(&r.cells[at])).count();
        lines.push(format!(
            "| {column} | {} | {} | {} | {wrong} | {:.1} |",
            with("holds") + with("violated"),
            with("holds"),
            with("violated"),
            par2(&rows, at, sheet.limit)
        ));
    }
    lines.join("\n")
}
