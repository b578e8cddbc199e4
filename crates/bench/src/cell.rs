//! One measurement: a run of the program, and what it says of itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::args::BenchArgs;
use crate::suites::{Case, Column};
use suppose::Failure;

/// Under what a cell runs.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The program that is measured.
    pub program: PathBuf,
    /// Time.
    pub timeout: Duration,
    /// Bytes.
    pub memory: u64,
    /// The number of runs.
    pub runs: u32,
    /// Check the evidence?
    pub certify: bool,
}

impl RunSettings {
    /// Those of the command line.
    pub fn new(args: &BenchArgs, program: PathBuf) -> Self {
        RunSettings {
            program,
            timeout: args.timeout,
            memory: args.memory,
            runs: args.runs,
            certify: args.certify,
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Cell {
    /// `holds`, `violated(..)` or `unknown(..)`.
    pub last_line: String,
    /// Time of the engine.
    pub seconds: f64,
    /// The largest resident set, in bytes.
    pub peak: u64,
    /// The largest assumption of the run.
    pub assumption: u64,
    /// States explored.
    pub states: u64,
    /// Transitions explored.
    pub transitions: u64,
    /// The components of each group.
    pub groups: Vec<Vec<usize>>,
    /// The engine that answered.
    pub engine: String,
}

impl Cell {
    /// Is there a verdict?
    pub fn decided(&self) -> bool {
        !self.last_line.starts_with("unknown")
    }
}

/// Runs a cell as often as asked and gives the run with the median time.
pub fn measure(
    file: &Path,
    case: &Case,
    size: i64,
    column: &Column,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    median(
        limits.runs,
        || once(file, case, size, column, limits),
        |cell| (cell.decided(), cell.seconds),
    )
}

/// Runs a cell that often, unless there is no verdict, and gives the run with the median time. `result` says whether there is a verdict,
/// and how many seconds it took.
pub fn median<C>(
    runs: u32,
    once: impl Fn() -> Result<C, Failure>,
    result: impl Fn(&C) -> (bool, f64),
) -> Result<C, Failure> {
    let mut cells = Vec::new();
    for _ in 0..runs {
        let cell = once()?;
        let (decided, _) = result(&cell);
        cells.push(cell);
        if !decided {
            break;
        }
    }
    cells.sort_by(|a, b| result(a).1.total_cmp(&result(b).1));
    let middle = (cells.len() - 1) / 2;
    Ok(cells.swap_remove(middle))
}

fn once(
    file: &Path,
    case: &Case,
    size: i64,
    column: &Column,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    let mut command = Command::new(&limits.program);
    command
        .arg("check")
        .arg(file)
        .args(arguments(case, size, column));
    command.args(["--format", "json", "--quiet"]);
    command
        .arg("--timeout")
        .arg(format!("{}ms", limits.timeout.as_millis()));
    command.arg("--memory").arg(format!("{}B", limits.memory));
    if !limits.certify {
        command.arg("--no-certify");
    }
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().map_err(Failure::internal)?;
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let name = case.name;
        Failure::internal(format!(
            "`{}` ({name}, N={size}) printed no result",
            column.name
        ))
    })?;
    Ok(read(&document))
}

/// The options of a cell, as they would be typed.
pub fn arguments(case: &Case, size: i64, column: &Column) -> Vec<String> {
    let mut arguments = vec!["--system".to_owned(), case.system.to_owned()];
    if size > 0 {
        arguments.extend(["--set".to_owned(), format!("N={size}")]);
    }
    match case.property {
        "" => arguments.push("--deadlock".to_owned()),
        name => arguments.extend(["--property".to_owned(), name.to_owned()]),
    }
    let options = column.options.split_whitespace();
    arguments.extend(options.map(|o| o.replace("{split}", case.split)));
    arguments
}

fn read(document: &Value) -> Cell {
    let claim = &document["claims"][0];
    let number = |v: &Value| v.as_u64().unwrap_or(0);
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let timing = &document["timing"];
    let group = |v: &Value| {
        let numbers = v.as_array().into_iter().flatten();
        numbers.map(|n| number(n) as usize).collect()
    };
    let groups = claim["groups"].as_array().into_iter().flatten();
    let last_line = match document["last_line"].as_str() {
        Some(line) => line.to_owned(),
        None => format!("unknown({})", document["error"].as_str().unwrap_or("error")),
    };
    Cell {
        last_line,
        seconds: timing["claims_seconds"][0].as_f64().unwrap_or(0.0),
        peak: number(&timing["peak_memory_bytes"]),
        assumption: number(&claim["assumption_peak"]),
        states: number(&claim["states"]),
        transitions: number(&claim["transitions"]),
        groups: groups.map(group).collect(),
        engine: text(&claim["engine"]["name"]),
    }
}
