//! Horn clauses beside Z3, problem by problem in one run.
//!
//! Times are processor times of whole processes, all threads together, and so are the limits: two engines
//! side by side do not get more than one.

mod growth;
mod problems;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;
use suppose_report::{MeasuredCell, MeasuredRow, Measurements};

use crate::args::BenchArgs;
use crate::cell;
use crate::child::{self, ProcessLimits};
use crate::files::{on_path, write_file};
use crate::say;
use problems::Problem;
use suppose::Failure;

/// A column: a program with its options.
#[derive(Clone, Debug)]
struct Column {
    name: &'static str,
    program: Program,
}

#[derive(Clone, Debug)]
enum Program {
    /// The program that is measured.
    Own(&'static [&'static str]),
    /// Z3, at that path.
    Z3(PathBuf),
}

/// The settings that are compared with each other.
const ABLATION: &[(&str, &[&str])] = &[
    ("recmc", &["--engine", "recmc"]),
    (
        "without must-summaries",
        &["--engine", "recmc", "--no-must-summaries"],
    ),
    ("values for projection", &["--engine", "recmc", "--values"]),
    ("gpdr", &["--engine", "gpdr"]),
    (
        "without invariants",
        &["--engine", "recmc", "--no-invariants"],
    ),
    (
        "abstraction of constraints",
        &["--abstraction", "constraints"],
    ),
    ("abstraction of variables", &["--abstraction", "variables"]),
    (
        "abstraction of constraints, loop counters",
        &["--abstraction", "constraints", "--bounds", "counters"],
    ),
];

/// Measures and prints.
pub fn bench(args: &BenchArgs, limits: &cell::RunSettings, folder: &Path) -> Result<(), Failure> {
    let bench = Bench {
        program: &limits.program,
        limits: ProcessLimits {
            cpu: args.cpu,
            memory: args.memory,
        },
        folder,
        quiet: args.quiet,
    };
    let mut columns = vec![Column {
        name: "suppose",
        program: Program::Own(&[]),
    }];
    columns.extend(peer(args)?);
    let mut all = Vec::new();
    for source in sources(args) {
        all.extend(problems::of_folder(&source, folder)?);
    }
    let growth = problems::of_growth(folder, args.quick)?;
    keep(&mut all, args);
    if args.quick {
        thin(&mut all);
    }
    say(&format!(
        "\nProcessor time of whole processes, at most {} s each; all verdicts of suppose with evidence checked.",
        args.cpu.as_secs()
    ));
    let mut sheets = Vec::new();
    let mut wanted = growth;
    keep(&mut wanted, args);
    if !all.is_empty() {
        sheets.push(bench.sheet("Problems", &columns, &all)?);
        let sheet = &sheets[0];
        say(&format!("\n## Problems\n\n{}", table::families(sheet)));
        if args.rows {
            say(&format!("\n{}", table::rows(sheet)));
        }
    }
    if !wanted.is_empty() {
        let growth = bench.sheet("Growth", &columns, &wanted)?;
        say(&format!("\n## Growth\n\n{}", table::rows(&growth)));
        sheets.push(growth);
    }
    if args.ablation && !all.is_empty() {
        let own = |&(name, options): &(&'static str, &'static [&'static str])| Column {
            name,
            program: Program::Own(options),
        };
        let columns: Vec<Column> = ABLATION.iter().map(own).collect();
        let sheet = bench.sheet("Ablation", &columns, &all)?;
        say(&format!("\n## Ablation\n\n{}", table::totals(&sheet)));
        sheets.push(sheet);
    }
    if let Some(path) = &args.report {
        let page = suppose_report::measurements(env!("CARGO_PKG_VERSION"), &sheets);
        write_file(path, page.as_bytes())?;
    }
    match sheets.iter().flat_map(|s| &s.rows).find_map(wrong) {
        Some(what) => Err(Failure::internal(what)),
        None => Ok(()),
    }
}

/// A wrong verdict of `suppose` is a bug.
fn wrong(row: &MeasuredRow) -> Option<String> {
    let expected = row.expected.as_ref()?;
    let cell = row
        .cells
        .iter()
        .find(|c| c.own && c.decided() && c.verdict != *expected)?;
    Some(format!(
        "{}: {} instead of {expected}",
        row.name, cell.verdict
    ))
}

fn sources(args: &BenchArgs) -> Vec<PathBuf> {
    match &args.models {
        Some(folder) => vec![folder.clone()],
        None => ["examples/horn", "examples/c"]
            .iter()
            .map(PathBuf::from)
            .filter(|p| p.is_dir())
            .collect(),
    }
}

fn keep(problems: &mut Vec<Problem>, args: &BenchArgs) {
    if let Some(only) = &args.only {
        problems.retain(|p| p.name.contains(only.as_str()) || p.family.contains(only.as_str()));
    }
}

/// The first three problems of each family.
fn thin(problems: &mut Vec<Problem>) {
    let mut seen: Vec<(String, u32)> = Vec::new();
    problems.retain(
        |p| match seen.iter_mut().find(|(family, _)| *family == p.family) {
            Some((_, count)) => {
                *count += 1;
                *count <= 3
            }
            None => {
                seen.push((p.family.clone(), 1));
                true
            }
        },
    );
}

/// Z3, if it is there or asked for.
fn peer(args: &BenchArgs) -> Result<Option<Column>, Failure> {
    let program = match &args.peer {
        None if on_path("z3") => PathBuf::from("z3"),
        None => return Ok(None),
        Some(path) if path.as_os_str() == "z3" => path.clone(),
        Some(path) if path.is_file() => path.clone(),
        Some(path) => {
            return Err(Failure::file(format!(
                "there is no file `{}`",
                path.display()
            )));
        }
    };
    Ok(Some(Column {
        name: "z3",
        program: Program::Z3(program),
    }))
}

/// What the sheets share.
struct Bench<'a> {
    /// What is measured.
    program: &'a Path,
    limits: ProcessLimits,
    folder: &'a Path,
    quiet: bool,
}

impl Bench<'_> {
    fn sheet(
        &self,
        title: &str,
        columns: &[Column],
        problems: &[Problem],
    ) -> Result<Measurements, Failure> {
        let mut rows = Vec::new();
        for (at, problem) in problems.iter().enumerate() {
            if !self.quiet {
                let _ = writeln!(
                    std::io::stderr(),
                    "{title} {} of {}: {}",
                    at + 1,
                    problems.len(),
                    problem.name
                );
            }
            let mut cells = Vec::new();
            for column in columns {
                cells.push(self.measure(column, problem)?);
            }
            rows.push(MeasuredRow {
                name: problem.name.clone(),
                family: problem.family.clone(),
                expected: problem.expected.clone(),
                cells,
            });
        }
        Ok(Measurements {
            title: title.to_owned(),
            columns: columns.iter().map(|c| c.name.to_owned()).collect(),
            rows,
            limit: self.limits.cpu.as_secs_f64(),
        })
    }

    fn measure(&self, column: &Column, problem: &Problem) -> Result<MeasuredCell, Failure> {
        match &column.program {
            Program::Own(options) => {
                let mut command = vec![self.program.display().to_string(), "check".to_owned()];
                command.push(problem.file.display().to_string());
                command.extend(problem.options.iter().cloned());
                command.extend(options.iter().map(|o| (*o).to_owned()));
                command.extend(["--format", "json", "--quiet"].map(str::to_owned));
                let ran = child::run(&command, self.folder, self.limits)?;
                let document: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
                let verdict = document["verdict"].as_str().unwrap_or("unknown");
                let evidence = &document["claims"][0]["evidence"]["status"];
                Ok(MeasuredCell {
                    verdict: verdict.to_owned(),
                    seconds: ran.seconds,
                    own: true,
                    certified: evidence == "accepted",
                })
            }
            Program::Z3(program) => {
                let Some(file) = &problem.clauses else {
                    return Ok(MeasuredCell::default());
                };
                let command = [program.display().to_string(), file.display().to_string()];
                let ran = child::run(&command, self.folder, self.limits)?;
                let verdict = match ran.stdout.lines().next() {
                    Some("sat") => "holds",
                    Some("unsat") => "violated",
                    _ => "unknown",
                };
                Ok(MeasuredCell {
                    verdict: verdict.to_owned(),
                    seconds: ran.seconds,
                    own: false,
                    certified: false,
                })
            }
        }
    }
}
