//! One measurement: a run of the program on a model, and what it says of itself.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::models::Instance;
use crate::cell::{RunSettings, median};
use crate::child;
use crate::files::write_file;
use suppose::Failure;

/// A way to decide.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// For the table.
    pub name: &'static str,
    /// The arguments, as typed on a command line.
    pub options: &'static [&'static str],
    /// The two components of the table, each one group of modules.
    pub two_way: bool,
}

/// All ways, the automatic one last.
pub const COLUMNS: &[Column] = &[
    Column {
        name: "AGAR, two components",
        options: &["--engine", "agar-n"],
        two_way: true,
    },
    Column {
        name: "AGAR-N",
        options: &["--engine", "agar-n"],
        two_way: false,
    },
    Column {
        name: "AGAR, each component",
        options: &["--engine", "agar"],
        two_way: false,
    },
    Column {
        name: "learning",
        options: &["--engine", "learn"],
        two_way: true,
    },
    Column {
        name: "monolithic",
        options: &["--engine", "monolithic"],
        two_way: false,
    },
    Column {
        name: "auto",
        options: &[],
        two_way: false,
    },
];

/// Where the monolithic one is.
pub const MONOLITHIC: usize = 4;
/// Where the automatic one is.
pub const AUTO: usize = 5;

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// `holds`, `violated(..)` or `unknown(..)`.
    pub last_line: String,
    /// Processor time of the whole process.
    pub seconds: f64,
    /// The largest resident set, in bytes.
    pub peak: u64,
    /// The largest product, and the largest assumption.
    pub largest: u64,
    /// The largest assumption.
    pub assumption: u64,
    /// States of the components.
    pub components: Vec<u64>,
    /// States of the specification.
    pub specification: u64,
    /// The engine that answered.
    pub engine: String,
}

impl Cell {
    /// Is there a verdict?
    pub fn decided(&self) -> bool {
        matches!(self.last_line.as_str(), "holds" | "violated(conformance)")
    }
}

/// The files of a model.
#[derive(Clone, Debug)]
pub struct Files {
    system: PathBuf,
    specification: PathBuf,
    split: [Vec<String>; 2],
}

impl Files {
    /// Writes them.
    pub fn write(folder: &Path, name: &str, instance: Instance) -> Result<Files, Failure> {
        let system = folder.join(format!("{name}.nm"));
        let specification = folder.join(format!("{name}-spec.nm"));
        write_file(&system, instance.system.as_bytes())?;
        write_file(&specification, instance.specification.as_bytes())?;
        let split = instance.split;
        Ok(Files {
            system,
            specification,
            split,
        })
    }
}

/// Runs a cell as often as asked and gives the run with the median time.
pub fn measure(
    files: &Files,
    column: &Column,
    folder: &Path,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    median(
        limits.runs,
        || once(files, column, folder, limits),
        |cell| (cell.decided(), cell.seconds),
    )
}

fn once(
    files: &Files,
    column: &Column,
    folder: &Path,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    let shown = |path: &Path| path.display().to_string();
    let mut command = vec![
        shown(&limits.program),
        "check".to_owned(),
        shown(&files.system),
    ];
    command.extend(["--spec".to_owned(), shown(&files.specification)]);
    command.extend(column.options.iter().map(|o| (*o).to_owned()));
    if column.two_way {
        for group in &files.split {
            command.extend(["--group".to_owned(), group.join(",")]);
        }
    }
    command.extend(["--format", "json", "--quiet", "--timeout"].map(str::to_owned));
    // The limit is on processor time, which the kernel keeps; the clock only ends what waits.
    command.push(format!("{}ms", limits.timeout.as_millis() * 3));
    command.extend(["--memory".to_owned(), format!("{}B", limits.memory)]);
    if !limits.certify {
        command.push("--no-certify".to_owned());
    }
    let bounds = child::ProcessLimits {
        cpu: limits.timeout,
        memory: limits.memory.saturating_mul(4),
    };
    let ran = child::run(&command, folder, bounds)?;
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
    Ok(read(&document, ran.seconds, &files.split))
}

fn read(document: &Value, seconds: f64, split: &[Vec<String>; 2]) -> Cell {
    let number = |v: &Value| v.as_u64().unwrap_or(0);
    let claim = &document["claims"][0];
    let error = document["error"].as_str().unwrap_or("timeout");
    let last_line = match document["last_line"].as_str() {
        Some(line) => line.to_owned(),
        None => format!("unknown({error})"),
    };
    let components = document["markov"]["components"].as_array();
    let mut components: Vec<&Value> = components.into_iter().flatten().collect();
    // In the order of the split, where there is one.
    let place = |c: &&Value| {
        let member = c["members"][0].as_str().unwrap_or("");
        split
            .iter()
            .position(|group| group.iter().any(|m| m == member))
    };
    components.sort_by_key(place);
    Cell {
        last_line,
        seconds,
        peak: number(&document["timing"]["peak_memory_bytes"]),
        largest: number(&claim["largest"]),
        assumption: number(&claim["assumption_peak"]),
        components: components.iter().map(|c| number(&c["states"])).collect(),
        specification: number(&document["markov"]["specification"]["states"]),
        engine: claim["engine"]["name"].as_str().unwrap_or("").to_owned(),
    }
}
