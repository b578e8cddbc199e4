//! `suppose bench`: every cell of a table is a process of its own, under its own limits.

mod cell;
mod horn;
mod markov;
mod models;
mod promela;
mod smv;
mod suites;
mod table;

use std::io::Write;
use std::path::PathBuf;

use suppose_report::{format_bytes, format_duration};

use crate::args::{BenchArgs, Look, Suite};
use crate::failure::Failure;
use crate::output::Output;
use cell::{Cell, Limits, measure};
use suites::{Case, Column};
use table::Kind;

/// One table.
struct Plan {
    title: &'static str,
    cases: &'static [Case],
    columns: &'static [Column],
    kind: Kind,
}

fn plans(suite: Suite) -> Vec<Plan> {
    let plan = |title, cases, columns, kind| Plan {
        title,
        cases,
        columns,
        kind,
    };
    match suite {
        Suite::Agar => vec![
            plan(
                "Two-way splits as in Table 1 of the paper",
                suites::PAPER,
                suites::ENGINES,
                Kind::Assumptions,
            ),
            plan(
                "Balanced splits as in Table 2 of the paper",
                suites::PAPER,
                suites::BALANCED,
                Kind::Assumptions,
            ),
        ],
        Suite::Growth => vec![plan(
            "Families by size",
            suites::GROWTH,
            suites::CONTEST,
            Kind::Contest,
        )],
        Suite::Monolithic => vec![plan(
            "Exhaustive search",
            suites::MONOLITHIC,
            suites::EXHAUSTIVE,
            Kind::Speed,
        )],
        Suite::Spin | Suite::Resy | Suite::Horn | Suite::Markov | Suite::Smv => Vec::new(),
        Suite::Strategies => vec![plan(
            "Variants of the compositional engines",
            suites::PAPER,
            suites::STRATEGIES,
            Kind::Assumptions,
        )],
    }
}

/// Measures and prints, row by row.
pub fn run(args: &BenchArgs, look: Look) -> Result<Output, Failure> {
    let folder = Folder::new()?;
    let limits = Limits::from(args);
    say(&heading(args));
    if matches!(args.suite, Suite::Spin | Suite::Resy) {
        promela::bench(args)?;
        return Ok(Output::ok(""));
    }
    if args.suite == Suite::Horn {
        horn::bench(args, look)?;
        return Ok(Output::ok(""));
    }
    if args.suite == Suite::Markov {
        markov::bench(args, folder.path(), look)?;
        return Ok(Output::ok(""));
    }
    if args.suite == Suite::Smv {
        smv::bench(args, folder.path(), look)?;
        return Ok(Output::ok(""));
    }
    for plan in plans(args.suite) {
        say(&format!("\n## {}\n\n{}", plan.title, table::head(&plan)));
        let program = match plan.kind {
            Kind::Speed => bare(&limits, &folder)?,
            Kind::Assumptions | Kind::Contest => 0,
        };
        for case in plan.cases {
            let wanted = args
                .only
                .as_ref()
                .is_none_or(|w| case.name.contains(w.as_str()));
            if wanted {
                rows(&plan, case, args, &limits, &folder, program, look)?;
            }
        }
        say(&format!("\n{}", table::legend(plan.kind)));
    }
    Ok(Output::ok(""))
}

/// What the program takes for a system of four states: its code and its tables, not its states.
fn bare(limits: &Limits, folder: &Folder) -> Result<u64, Failure> {
    let smallest = &suites::PAPER[0];
    let file = folder.file(smallest)?;
    let cell = measure(&file, smallest, 0, &suites::EXHAUSTIVE[0], limits)?;
    Ok(cell.peak)
}

/// All sizes of a case. A column that gave up at one size is not tried at larger ones.
fn rows(
    plan: &Plan,
    case: &Case,
    args: &BenchArgs,
    limits: &Limits,
    folder: &Folder,
    program: u64,
    look: Look,
) -> Result<(), Failure> {
    let file = folder.file(case)?;
    let mut given_up = vec![false; plan.columns.len()];
    let sizes = match args.quick {
        true => &case.sizes[..1],
        false => case.sizes,
    };
    for size in sizes {
        let mut cells: Vec<Option<Cell>> = Vec::new();
        for (column, given_up) in plan.columns.iter().zip(&mut given_up) {
            if *given_up {
                cells.push(None);
                continue;
            }
            if !look.quiet {
                let name = case.name;
                let _ = writeln!(std::io::stderr(), "{name}, N={size}: {}", column.name);
            }
            let cell = measure(&file, case, *size, column, limits)?;
            *given_up = !cell.decided();
            cells.push(Some(cell));
        }
        let sizes = table::sizes(plan.kind, case, *size, &file, &cells);
        say(&table::row(plan, case, *size, &sizes, &cells, program));
    }
    Ok(())
}

/// Version, machine and command: what a reader needs to judge the numbers.
fn heading(args: &BenchArgs) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut command = vec!["suppose".to_owned()];
    command.extend(std::env::args().skip(1));
    let beside = matches!(args.suite, Suite::Spin | Suite::Resy | Suite::Horn);
    let certified = match args.certify || beside {
        true => "with",
        false => "without",
    };
    format!(
        "suppose {}, {cores} cores, {} {}; {} and {} a cell; median of {}; {certified} checking the \
         evidence\n\n    {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        format_duration(match args.suite {
            Suite::Horn => args.cpu,
            _ => args.timeout,
        }),
        format_bytes(args.memory),
        args.runs,
        command.join(" ")
    )
}

/// Rows appear as they are done. A reader that went away stops nothing: it is only a table.
fn say(text: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// A temporary folder for the models, gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Failure> {
        let name = format!("suppose-bench-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)
            .map_err(|e| Failure::file(format!("cannot make `{}`: {e}", path.display())))?;
        Ok(Folder(path))
    }

    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn file(&self, case: &Case) -> Result<PathBuf, Failure> {
        let path = self.0.join(case.file);
        crate::output::write_file(&path, case.text.as_bytes())?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
