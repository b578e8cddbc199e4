//! The benchmarks of Suppose: reproduces every table of `docs/benchmarks.md`.
//!
//! `cargo run --release -p suppose-bench -- smv` measures one suite. Every cell of a table is a process of its own, under its own
//! limits: a run of `suppose`, or of the program it is compared with. Models of a fixed size are files under `examples`; families
//! that grow are written by this program.

mod args;
mod cell;
mod child;
mod files;
mod horn;
mod liveness;
mod ltl;
mod markov;
mod models;
mod options;
mod parts;
mod product;
mod promela;
mod smv;
mod suites;
mod table;
mod values;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use suppose::Failure;
use suppose_report::{format_bytes, format_duration};

use args::{BenchArgs, Suite};
use cell::{Cell, RunSettings, measure};
use suites::{Case, Column};
use suppose::spin_run::Folder;
use table::TableKind;

fn main() -> ExitCode {
    let matches = match BenchArgs::command().try_get_matches_from(std::env::args_os()) {
        Ok(matches) => matches,
        Err(error) => return refuse(&error),
    };
    let done = BenchArgs::from_arg_matches(&matches)
        .map_err(|e| Failure::usage(e.to_string()))
        .and_then(|args| {
            options::refuse(args.suite, &matches)?;
            run(&args)
        });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "{}", failure.text(false));
            failure.status.into()
        }
    }
}

/// Help and version go to standard output and are no error.
fn refuse(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    match error.use_stderr() {
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    }
}

/// One table.
struct Plan {
    title: &'static str,
    cases: &'static [Case],
    columns: &'static [Column],
    kind: TableKind,
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
                TableKind::Assumptions,
            ),
            plan(
                "Balanced splits as in Table 2 of the paper",
                suites::PAPER,
                suites::BALANCED,
                TableKind::Assumptions,
            ),
        ],
        Suite::Growth => vec![plan(
            "Families by size",
            suites::GROWTH,
            suites::CONTEST,
            TableKind::Contest,
        )],
        Suite::Progress => vec![plan(
            "Liveness by size",
            suites::PROGRESS,
            suites::IN_PARTS,
            TableKind::Contest,
        )],
        Suite::Monolithic => vec![plan(
            "Exhaustive search",
            suites::MONOLITHIC,
            suites::EXHAUSTIVE,
            TableKind::Speed,
        )],
        Suite::Spin | Suite::Parts | Suite::Resy | Suite::Cegar | Suite::Liveness | Suite::Ltl => {
            Vec::new()
        }
        Suite::Horn | Suite::Markov | Suite::Smv => Vec::new(),
        Suite::Strategies => vec![plan(
            "Variants of the compositional engines",
            suites::PAPER,
            suites::STRATEGIES,
            TableKind::Assumptions,
        )],
    }
}

/// Measures and prints, row by row.
fn run(args: &BenchArgs) -> Result<(), Failure> {
    let program = product::find(args.suppose.as_deref())?;
    let version = product::version(&program)?;
    let folder = files::folder()?;
    let limits = RunSettings::new(args, program);
    say(&heading(args, &version));
    match args.suite {
        Suite::Spin | Suite::Resy => promela::bench(args, &limits, folder.path()),
        Suite::Parts => parts::bench(args, &limits, folder.path()),
        Suite::Liveness => liveness::bench(args, &limits, folder.path()),
        Suite::Ltl => ltl::bench(args, &limits, folder.path()),
        Suite::Horn => horn::bench(args, &limits, folder.path()),
        Suite::Markov => markov::bench(args, &limits, folder.path()),
        Suite::Smv => smv::bench(args, &limits, folder.path()),
        Suite::Cegar => smv::bench_paper(args, &limits, folder.path()),
        Suite::Agar | Suite::Growth | Suite::Progress | Suite::Monolithic | Suite::Strategies => {
            networks(args, &limits, &folder)
        }
    }
}

/// The suites on networks.
fn networks(args: &BenchArgs, limits: &RunSettings, folder: &Folder) -> Result<(), Failure> {
    for plan in plans(args.suite) {
        say(&format!("\n## {}\n\n{}", plan.title, table::head(&plan)));
        let program = match plan.kind {
            TableKind::Speed => bare(limits, folder)?,
            TableKind::Assumptions | TableKind::Contest => 0,
        };
        for case in plan.cases {
            let wanted = args
                .only
                .as_ref()
                .is_none_or(|w| case.name.contains(w.as_str()));
            if wanted {
                rows(&plan, case, args, limits, folder, program)?;
            }
        }
        say(&format!("\n{}", table::legend(plan.kind)));
    }
    Ok(())
}

/// What the program takes for a system of four states: its code and its tables, not its states.
fn bare(limits: &RunSettings, folder: &Folder) -> Result<u64, Failure> {
    let smallest = &suites::PAPER[0];
    let file = model(folder, smallest)?;
    let cell = measure(&file, smallest, 0, &suites::EXHAUSTIVE[0], limits)?;
    Ok(cell.peak)
}

/// All sizes of a case. A column that gave up at one size is not tried at larger ones.
fn rows(
    plan: &Plan,
    case: &Case,
    args: &BenchArgs,
    limits: &RunSettings,
    folder: &Folder,
    program: u64,
) -> Result<(), Failure> {
    let file = model(folder, case)?;
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
            if !args.quiet {
                let name = case.name;
                let _ = writeln!(std::io::stderr(), "{name}, N={size}: {}", column.name);
            }
            let cell = measure(&file, case, *size, column, limits)?;
            *given_up = !cell.decided();
            cells.push(Some(cell));
        }
        let sizes = table::sizes(plan.kind, case, *size, &cells);
        say(&table::row(plan, case, *size, &sizes, &cells, program));
    }
    Ok(())
}

/// Version, machine and command: what a reader needs to judge the numbers.
fn heading(args: &BenchArgs, version: &str) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut command = vec!["cargo run --release -p suppose-bench --".to_owned()];
    command.extend(std::env::args().skip(1));
    let beside = matches!(
        args.suite,
        Suite::Spin | Suite::Parts | Suite::Resy | Suite::Horn | Suite::Cegar
    );
    let certified = match args.certify || beside {
        true => "with",
        false => "without",
    };
    format!(
        "{version}, {cores} cores, {} {}; {} and {} a cell; median of {}; {certified} checking the \
         evidence\n\n    {}",
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

/// The model of a case, as a file.
fn model(folder: &Folder, case: &Case) -> Result<PathBuf, Failure> {
    let path = folder.path().join(case.file);
    files::write_file(&path, case.text.as_bytes())?;
    Ok(path)
}
