//! PROMELA models beside the real SPIN: the suites `spin` and `resy`.
//!
//! Both tools run in the same loop on the same machine, one after the other. A time is that of whole
//! processes, from their start to their end. SPIN's is that of `spin -a`, the C compiler and the search.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use suppose_control::Context;
use suppose_explicit::decompose::{DecompositionLimits, decompose};
use suppose_report::{format_bytes, grouped};

use crate::args::{BenchArgs, Suite};
use crate::cell::RunSettings;
use crate::models::{Model, RESY, SPIN};
use crate::say;
use suppose::Failure;
use suppose::spin_run::{self as spin, SpinResult};

/// Measures and prints, row by row.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    let resy = args.suite == Suite::Resy;
    say(if resy { RESY_HEAD } else { SPIN_HEAD });
    let mut sums = Sums::default();
    for model in if resy { RESY } else { SPIN } {
        if args
            .only
            .as_ref()
            .is_some_and(|only| !model.name.contains(only.as_str()))
        {
            continue;
        }
        let file = folder.join("model.pml");
        crate::files::write_file(&file, model.text.as_bytes())?;
        let sets = if args.quick {
            &model.sets[..1]
        } else {
            model.sets
        };
        for set in sets {
            match resy {
                true => resy_row(model, set, &file, folder, limits)?,
                false => spin_row(model, set, &file, folder, limits, &mut sums)?,
            }
        }
    }
    if !resy {
        say(&sums.words());
    }
    Ok(())
}

const SPIN_HEAD: &str = "
| model | states (SPIN) | spin -a + gcc + pan | pan alone | pan's memory | suppose | states | memory | end to end | pan alone / suppose | memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

const RESY_HEAD: &str = "
| model | M | E | A | assume | memory | check | memory | front-end, 10 % | SPIN | memory | SPIN / check |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// One run of the program.
pub struct Own {
    /// Wall-clock time.
    pub seconds: f64,
    /// The largest resident set, in bytes.
    pub peak: u64,
    /// The verdict.
    pub last_line: String,
    /// All that it said.
    pub document: Value,
}

/// The run of the median time.
pub fn own(arguments: &[String], limits: &RunSettings) -> Result<Own, Failure> {
    let mut all = Vec::new();
    for _ in 0..limits.runs {
        let begun = Instant::now();
        let output = Command::new(&limits.program)
            .args(arguments)
            .args(["--format", "json", "--quiet"])
            .arg("--timeout")
            .arg(format!("{}ms", limits.timeout.as_millis()))
            .arg("--memory")
            .arg(format!("{}B", limits.memory))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .map_err(Failure::internal)?;
        let seconds = begun.elapsed().as_secs_f64();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        let last_line = match document["last_line"].as_str() {
            Some(line) => line.to_owned(),
            None => format!("unknown({})", document["error"].as_str().unwrap_or("error")),
        };
        all.push(Own {
            seconds,
            peak: document["timing"]["peak_memory_bytes"]
                .as_u64()
                .unwrap_or(0),
            last_line,
            document,
        });
    }
    all.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let middle = (all.len() - 1) / 2;
    Ok(all.swap_remove(middle))
}

/// SPIN's median run; none when it gave no verdict inside the limits.
pub struct Peer {
    /// Of all of it.
    pub total: f64,
    /// Of the search alone.
    search: f64,
    /// What it said.
    pub said: SpinResult,
}

/// Runs SPIN on `model.pml` of a folder.
pub fn peer(
    folder: &Path,
    set: &[(&str, i64)],
    end_states: bool,
    limits: &RunSettings,
) -> Result<Peer, Failure> {
    let defines: Vec<String> = set.iter().map(|(n, v)| format!("{n}={v}")).collect();
    let mut all = Vec::new();
    for _ in 0..limits.runs {
        let until = spin::SpinLimits {
            until: Some(Instant::now() + limits.timeout),
            memory: limits.memory >> 20,
        };
        let ask = spin::Ask {
            end_states,
            trail: false,
        };
        let said = spin::check(folder, &defines, ask, until).map_err(Failure::file)?;
        let total: Duration = said.times.iter().sum();
        all.push(Peer {
            total: total.as_secs_f64(),
            search: said.times[2].as_secs_f64(),
            said,
        });
    }
    all.sort_by(|a, b| a.total.total_cmp(&b.total));
    let middle = (all.len() - 1) / 2;
    Ok(all.swap_remove(middle))
}

/// A command with values for the names that a model leaves open.
pub fn arguments(command: &str, file: &Path, set: &[(&str, i64)]) -> Vec<String> {
    let mut all = vec![command.to_owned(), file.display().to_string()];
    for (name, value) in set {
        all.extend(["--set".to_owned(), format!("{name}={value}")]);
    }
    all
}

fn named(model: &Model, set: &[(&str, i64)]) -> String {
    let values: Vec<String> = set.iter().map(|(n, v)| format!("{n}={v}")).collect();
    format!("{} {}", model.name, values.join(" "))
        .trim()
        .to_owned()
}

fn spin_row(
    model: &Model,
    set: &[(&str, i64)],
    file: &Path,
    folder: &Path,
    limits: &RunSettings,
    sums: &mut Sums,
) -> Result<(), Failure> {
    let mut asked = arguments("check", file, set);
    asked.extend(["--property", "assertions", "--deadlock"].map(str::to_owned));
    let ours = own(&asked, limits)?;
    let theirs = peer(folder, set, true, limits)?;
    let states: u64 = ours.document["claims"][0]["states"].as_u64().unwrap_or(0);
    let decided = !ours.last_line.starts_with("unknown");
    if decided
        && theirs.said.decided()
        && ours.last_line.starts_with("violated") != theirs.said.violated()
    {
        let name = named(model, set);
        return Err(Failure::internal(format!(
            "{name}: SPIN and suppose disagree"
        )));
    }
    let speed = theirs.total / ours.seconds;
    let memory = ours.peak as f64 / (theirs.said.memory * 1024.0 * 1024.0);
    if decided && theirs.said.decided() {
        sums.add(theirs.said.states, speed);
    }
    say(&format!(
        "| {} | {} | {} | {} | {:.0} MB | {} | {} | {} | {speed:.1} x | {:.2} | {memory:.2} |",
        named(model, set),
        grouped(theirs.said.states),
        seconds(theirs.said.decided(), theirs.total),
        seconds(theirs.said.decided(), theirs.search),
        theirs.said.memory,
        seconds(decided, ours.seconds),
        grouped(states),
        format_bytes(ours.peak),
        theirs.search / ours.seconds,
    ));
    Ok(())
}

fn resy_row(
    model: &Model,
    set: &[(&str, i64)],
    file: &Path,
    folder: &Path,
    limits: &RunSettings,
) -> Result<(), Failure> {
    let with = |command: &str, more: &[&str]| {
        let mut all = arguments(command, file, set);
        all.extend(
            ["--component", model.component, "--property", model.property].map(str::to_owned),
        );
        all.extend(more.iter().map(|m| (*m).to_owned()));
        own(&all, limits)
    };
    let assume = with("assume", &["--engine", "quotient"])?;
    let check = with("check", &["--engine", "quotient"])?;
    let front = with("spin", &["--threshold", "10%"])?;
    let theirs = peer(folder, set, false, limits)?;
    let (m, e) = sizes(model, set)?;
    let claim = &assume.document["claims"][0];
    // Of a property that is violated nothing is required: any automaton will do, and the smallest has one state.
    let states = match claim["verdict"].as_str() {
        Some("violated") => &claim["assumption_peak"],
        _ => &claim["assumptions"][0]["states"],
    };
    let decided = |own: &Own| !own.last_line.starts_with("unknown");
    let fast = match (decided(&check), theirs.said.decided()) {
        (true, true) => format!("{:.1} x", theirs.total / check.seconds),
        (true, false) => "SPIN gave up".to_owned(),
        (false, _) => "-".to_owned(),
    };
    say(&format!(
        "| {} | {m} | {e} | {} | {} | {} | {} | {} | {} | {} | {:.0} MB | {fast} |",
        named(model, set),
        states.as_u64().map_or("-".to_owned(), |n| n.to_string()),
        seconds(decided(&assume), assume.seconds),
        format_bytes(assume.peak),
        seconds(decided(&check), check.seconds),
        format_bytes(check.peak),
        seconds(decided(&front), front.seconds),
        seconds(theirs.said.decided(), theirs.total),
        theirs.said.memory,
    ));
    Ok(())
}

/// States of the process, and of everything else together.
fn sizes(model: &Model, set: &[(&str, i64)]) -> Result<(String, String), Failure> {
    let defines: Vec<(String, i64)> = set.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let mut sources = suppose_source::Sources::single(model.file, model.text);
    let mut none = |_: &str| Err("there are no other files".to_owned());
    let limits = suppose_source::ParserLimits::default();
    let file = suppose_source::FileId(0);
    let read = suppose_frontends::promela::read(file, &mut sources, &mut none, &defines, &limits)
        .map_err(|_| Failure::internal(format!("{} is not read", model.file)))?;
    let cx = Context::default();
    let whole = DecompositionLimits {
        states: 1 << 20,
        whole: true,
        ..DecompositionLimits::default()
    };
    let Ok(taken) = decompose(&read.program, whole, &cx) else {
        return Ok(("-".to_owned(), "-".to_owned()));
    };
    let part = taken.parts.iter().find(|p| p.name == model.component);
    let Some(part) = part else {
        return Ok(("-".to_owned(), "-".to_owned()));
    };
    let m = taken.network.components[part.component].lts.states() as u64;
    let mut others = taken.network.clone();
    others.components.remove(part.component);
    others.properties.clear();
    let most = suppose_model::lts::SizeLimits {
        states: 2_000_000,
        ..suppose_model::lts::SizeLimits::default()
    };
    let e = suppose_model::lts::count(&others, &most);
    let e = e.map_or("> 2,000,000".to_owned(), |size| grouped(size.states as u64));
    Ok((grouped(m), e))
}

/// A time in a table.
pub fn seconds(decided: bool, value: f64) -> String {
    match (decided, value) {
        (false, _) => "-".to_owned(),
        (true, v) if v < 0.1 => format!("{:.1} ms", v * 1000.0),
        (true, v) if v < 10.0 => format!("{v:.2} s"),
        (true, v) => format!("{v:.1} s"),
    }
}

/// For the line below the table.
#[derive(Default)]
struct Sums {
    small: Vec<f64>,
    slower: u32,
    all: u32,
}

impl Sums {
    fn add(&mut self, states: u64, speed: f64) {
        self.all += 1;
        self.slower += u32::from(speed < 1.0);
        if states < 100_000 {
            self.small.push(speed);
        }
    }

    fn words(&self) -> String {
        let logs: f64 = self.small.iter().map(|s| s.ln()).sum();
        let mean = (logs / self.small.len().max(1) as f64).exp();
        format!(
            "\nEnd to end: slower than SPIN on {} of {} models; {mean:.1} times as fast in the geometric mean over the {} \
             models under 100,000 states.",
            self.slower,
            self.all,
            self.small.len()
        )
    }
}
