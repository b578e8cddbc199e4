//! The table of Section 6 of the paper on counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu and Veith, 2000): the
//! same five designs, rewritten, by the concrete check on the cone of influence and by abstraction as the paper has it, with all
//! evidence checked.

use std::io::Write;
use std::path::Path;

use super::measure::{Cell, measure};
use super::suites::families;
use super::{table, variables};
use crate::args::BenchArgs;
use crate::cell::RunSettings;
use crate::files::write_file;
use suppose::Failure;

/// The designs in the order of the paper, what it calls them, and sizes near to its own that both engines decide.
const DESIGNS: &[(&str, &str, &str)] = &[
    ("cache-coherence", "4, 4", "gigamax"),
    ("guidance", "3, 20", "guidance"),
    ("priority-queue", "6, 15", "p-queue"),
    ("water-pressure", "1000", "waterpress"),
    ("bus-arbiter", "5, 7", "PCI bus"),
];

/// The concrete check, and abstraction with nothing that the paper does not have.
const ENGINES: [&[&str]; 2] = [
    &["bdd"],
    &["cegar", "--spurious", "bdd", "--separation", "paper"],
];

const HEAD: &str = "\
| design | in the paper | #Var | #Prop | #COI | time | TR | MC | evidence | #ABS | refinements | time | TR | MC | evidence |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

/// Measures and prints, row by row. Verdicts that differ, and evidence that is rejected, are an error.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    let limits = &RunSettings {
        certify: true,
        ..limits.clone()
    };
    crate::say(&format!(
        "\n## The table of Section 6\n\nFirst `--engine bdd`, then `--engine cegar --spurious bdd --separation paper`. Time includes checking the evidence.\n\n{HEAD}"
    ));
    let mut wrong = Vec::new();
    for (name, size, published) in DESIGNS {
        let wanted = args.only.as_ref().is_none_or(|w| name.contains(w.as_str()));
        let family = families().into_iter().find(|f| f.name == *name);
        let sizes = family.map(|f| f.sizes).unwrap_or_default();
        let chosen = match args.quick {
            true => sizes.first(),
            false => sizes.iter().find(|(it, _)| it == size),
        };
        let Some((size, text)) = chosen.filter(|_| wanted) else {
            continue;
        };
        let file = folder.join(format!("{name}.smv"));
        write_file(&file, text.as_bytes())?;
        let mut cells = Vec::new();
        for engine in ENGINES {
            if !args.quiet {
                let _ = writeln!(std::io::stderr(), "{name}({size}): {}", engine[0]);
            }
            cells.push(measure(&file, engine, folder, limits)?);
        }
        crate::say(&row(&format!("{name}({size})"), published, text, &cells));
        wrong.extend(differences(name, &cells));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::internal(wrong.join("\n"))),
    }
}

fn row(name: &str, published: &str, text: &str, cells: &[Cell]) -> String {
    let properties = cells.iter().map(|c| c.properties).max().unwrap_or(0);
    let (vars, bits) = variables(text);
    let mut line = format!("| {name} | {published} | {vars} ({bits}) | {properties} |");
    for (at, cell) in cells.iter().enumerate() {
        line += &match at {
            0 => format!(" {} |", table::between(cell.left_out)),
            _ => format!(
                " {} | {} |",
                table::between(cell.abstracted),
                cell.refinements
            ),
        };
        line += &format!(
            " {} | {} | {} | {} of {} |",
            table::time(cell),
            suppose_report::grouped(cell.relation),
            suppose_report::grouped(cell.checking),
            cell.accepted,
            cell.verdicts.len()
        );
    }
    line
}

/// Verdicts on which the engines differ.
fn differences(name: &str, cells: &[Cell]) -> Vec<String> {
    let [concrete, abstraction] = cells else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (property, verdict) in &abstraction.verdicts {
        if let Some(other) = concrete.verdicts.get(property)
            && other != verdict
        {
            found.push(format!(
                "{name}, {property}: {other} by bdd, {verdict} by cegar"
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_designs_are_those_families_of_the_paper() {
        let all = families();
        let of_paper: Vec<&str> = all.iter().filter(|f| f.in_paper).map(|f| f.name).collect();
        let shown: Vec<&str> = DESIGNS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(of_paper, shown);
        for (name, size, _) in DESIGNS {
            let family = all.iter().find(|f| f.name == *name).unwrap();
            assert!(family.sizes.iter().any(|(it, _)| it == size), "{name}");
        }
    }

    #[test]
    fn verdicts_that_differ_are_found() {
        let cell = |verdict: &str| Cell {
            verdicts: [("p".to_owned(), verdict.to_owned())].into(),
            ..Cell::default()
        };
        assert!(differences("m", &[cell("holds"), cell("holds")]).is_empty());
        let found = differences("m", &[cell("holds"), cell("violated")]);
        assert_eq!(found, ["m, p: holds by bdd, violated by cegar"]);
    }
}
