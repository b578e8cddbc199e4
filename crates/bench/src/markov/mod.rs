//! Conformance of probabilistic systems: Tables 6.1 and 6.2 of Komuravelli's thesis, and larger sizes.

mod measure;
mod models;
mod suites;
mod table;

use std::io::Write;
use std::path::Path;

use crate::args::BenchArgs;
use crate::cell::RunSettings;
use measure::{COLUMNS, Files, measure};
use suites::ROWS;
use suppose::Failure;
use table::Measured;

/// Measures and prints, row by row.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    crate::say(&format!(
        "\n## Time and memory (Table 6.1)\n\nProcessor time of the whole process.\n\n{}",
        table::time_head()
    ));
    let mut all: Vec<Measured> = Vec::new();
    let mut given_up = vec![false; COLUMNS.len()];
    for row in ROWS {
        let first = all.last().is_none_or(|last| last.row.family != row.family);
        let name = format!("{}-{}", row.family.name(), row.n);
        let wanted = args.only.as_ref().is_none_or(|w| name.contains(w.as_str()));
        if !wanted || (args.quick && !first) {
            continue;
        }
        if first {
            given_up.fill(false);
        }
        let files = Files::write(folder, &name, row.family.instance(row.n))?;
        let mut cells = Vec::new();
        for (column, given_up) in COLUMNS.iter().zip(&mut given_up) {
            if *given_up {
                cells.push(None);
                continue;
            }
            if !args.quiet {
                let _ = writeln!(std::io::stderr(), "{name}: {}", column.name);
            }
            let cell = measure(&files, column, folder, limits)?;
            *given_up = !cell.decided();
            cells.push(Some(cell));
        }
        let measured = Measured { row: *row, cells };
        crate::say(&table::time_row(&measured));
        all.push(measured);
    }
    crate::say(&format!("\n## Sizes (Table 6.2)\n\n{}", table::size_head()));
    for measured in &all {
        crate::say(&table::size_row(measured));
    }
    crate::say(
        "\n## Growth\n\nFactor by which the time grows from one size to the next, from 0.05 s on:\n",
    );
    table::growth(&all).iter().for_each(|line| crate::say(line));
    let slow = table::slow_choices(&all);
    crate::say(&match slow.is_empty() {
        true => "\n`auto` is within twice the time of the best engine on every row.".to_owned(),
        false => format!(
            "\n`auto` takes more than twice the time of the best engine:\n\n{}",
            slow.join("\n")
        ),
    });
    Ok(())
}
