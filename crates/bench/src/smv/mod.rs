//! Families of SMV models by size, beside NuSMV; and the table of Section 6 of the paper on counterexample-guided abstraction refinement
//! ([`paper`]).

mod families;
mod measure;
mod paper;
mod peer;
mod suites;
mod table;

use std::io::Write;
use std::path::Path;

use suppose_frontends::smv::{Dialect, read_text};

use crate::args::BenchArgs;
use crate::cell::RunSettings;
use crate::files::write_file;
use measure::{Cell, ENGINES};
use suites::{Family, families};
use suppose::Failure;
use table::Measured;

pub use paper::bench as bench_paper;

/// Measures and prints, row by row. Verdicts that differ are an error.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    let program = peer::find();
    if program.is_none() && !args.quiet {
        let _ = writeln!(
            std::io::stderr(),
            "NuSMV is not there: its columns stay empty"
        );
    }
    crate::say(&format!(
        "\n## Time and memory\n\nProcessor time of the whole process; NuSMV with `-dynamic -coi`. In parentheses the number of properties decided, where not all were: because of a limit, or because abstraction is for universal properties only.\n\n{}",
        table::time_head()
    ));
    let mut all: Vec<Measured> = Vec::new();
    for family in families() {
        let run = Run {
            family: &family,
            folder,
            limits,
            program: program.as_deref(),
            quiet: args.quiet,
        };
        run.rows(args, &mut all)?;
    }
    crate::say(&format!("\n## Nodes\n\n{}", table::node_head()));
    all.iter().for_each(|it| crate::say(&table::node_row(it)));
    crate::say("\n## Together\n");
    table::summary(&all).iter().for_each(|l| crate::say(l));
    let differences: Vec<String> = all.iter().flat_map(Measured::differences).collect();
    match differences.is_empty() {
        true => Ok(()),
        false => Err(Failure::internal(format!(
            "verdicts differ:\n{}",
            differences.join("\n")
        ))),
    }
}

/// What the rows of a family share.
struct Run<'a> {
    family: &'a Family,
    folder: &'a Path,
    limits: &'a RunSettings,
    program: Option<&'a Path>,
    quiet: bool,
}

impl Run<'_> {
    /// All sizes. What gave up at one size is not tried at larger ones, except for the automatic choice.
    fn rows(&self, args: &BenchArgs, all: &mut Vec<Measured>) -> Result<(), Failure> {
        let mut given_up = vec![false; ENGINES.len() + 1];
        for (number, (size, text)) in self.family.sizes.iter().enumerate() {
            let name = format!("{}-{}", self.family.name, size.replace(", ", "-"));
            let wanted = args.only.as_ref().is_none_or(|w| name.contains(w.as_str()));
            if !wanted || (args.quick && number > 0) {
                continue;
            }
            let file = self.folder.join(format!("{name}.smv"));
            write_file(&file, text.as_bytes())?;
            let mut cells: Vec<Option<Cell>> = Vec::new();
            for (at, given_up) in given_up.iter_mut().enumerate() {
                let engine = ENGINES.get(at);
                let is_asked = |e: &&str| args.engine.as_ref().is_none_or(|a| a == e);
                cells.push(match *given_up || !engine.is_none_or(is_asked) {
                    true => None,
                    false => self.cell(at, &name, &file)?,
                });
                *given_up |= at > 0 && cells[at].as_ref().is_some_and(Cell::gave_up);
            }
            let measured = Measured {
                family: self.family.name,
                in_paper: self.family.in_paper,
                size: size.clone(),
                variables: variables(text),
                peer: cells.pop().flatten(),
                cells,
            };
            crate::say(&table::time_row(&measured));
            all.push(measured);
        }
        Ok(())
    }

    /// By one of our engines, or by NuSMV, which comes after them.
    fn cell(&self, at: usize, name: &str, file: &Path) -> Result<Option<Cell>, Failure> {
        let engine = ENGINES.get(at).copied();
        if !self.quiet {
            let who = engine.unwrap_or("NuSMV");
            let _ = writeln!(std::io::stderr(), "{name}: {who}");
        }
        match (engine, self.program) {
            (Some(engine), _) => {
                measure::measure(file, &[engine], self.folder, self.limits).map(Some)
            }
            (None, Some(program)) => {
                peer::measure(program, file, self.folder, self.limits).map(Some)
            }
            (None, None) => Ok(None),
        }
    }
}

/// State variables, and the bits that they take.
fn variables(text: &str) -> (usize, u32) {
    let Ok((read, _)) = read_text("model.smv", text, Dialect::NuSmv) else {
        return (0, 0);
    };
    let system = &read.system;
    let bits = |size: u128| size.next_power_of_two().trailing_zeros();
    let sizes = system.state_vars().map(|v| system.variable(v).ty.size());
    (system.state_vars().count(), sizes.map(bits).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_read_and_every_property_has_a_name() {
        for family in families() {
            for (size, text) in &family.sizes {
                let Ok((read, _)) = read_text("model.smv", text, Dialect::NuSmv) else {
                    panic!("{}({size}):\n{text}", family.name);
                };
                assert!(read.system.properties.len() > 3);
                assert!(read.system.properties.iter().all(|p| p.name.is_some()));
            }
        }
    }

    #[test]
    fn the_first_size_of_every_family_is_an_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/smv");
        for family in families() {
            let file = folder.join(format!("{}.smv", family.name));
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            assert_eq!(text, family.sizes[0].1, "{}", file.display());
        }
    }
}
