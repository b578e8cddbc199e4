//! Infinite runs of PROMELA programs beside SPIN.
//!
//! Both tools run one after the other on the same files, each process under limits of its own. Times are processor time.
//! SPIN's verifier first gets the smallest stack that is enough for it; only the run with that one is counted.

use std::path::Path;

use serde_json::Value;
use suppose::Failure;
use suppose_report::{format_bytes, grouped};

use crate::args::BenchArgs;
use crate::cell::RunSettings;
use crate::child::{self, Ran};
use crate::promela::{arguments, seconds};
use crate::say;

/// A program, and the questions about it.
struct Family {
    name: &'static str,
    text: &'static str,
    rows: &'static [Row],
}

/// A question about a program of some size.
struct Row {
    set: &'static [(&'static str, i64)],
    /// As after `-p`.
    asked: &'static str,
    fair: bool,
    violated: bool,
}

macro_rules! family {
    ($name:literal, $file:literal, [$($row:expr),* $(,)?]) => {
        Family { name: $name, text: include_str!($file), rows: &[$($row),*] }
    };
}

macro_rules! holds {
    ($asked:literal $(, $name:ident = $value:literal)*) => {
        Row { set: &[$((stringify!($name), $value)),*], asked: $asked, fair: false, violated: false }
    };
}

macro_rules! holds_fair {
    ($asked:literal $(, $name:ident = $value:literal)*) => {
        Row { set: &[$((stringify!($name), $value)),*], asked: $asked, fair: true, violated: false }
    };
}

macro_rules! fails {
    ($asked:literal $(, $name:ident = $value:literal)*) => {
        Row { set: &[$((stringify!($name), $value)),*], asked: $asked, fair: false, violated: true }
    };
}

macro_rules! fails_fair {
    ($asked:literal $(, $name:ident = $value:literal)*) => {
        Row { set: &[$((stringify!($name), $value)),*], asked: $asked, fair: true, violated: true }
    };
}

const FAMILIES: &[Family] = &[
    family!(
        "philosophers",
        "../liveness/philosophers.pml",
        [
            holds!("progress", N = 4),
            holds!("progress", N = 6),
            holds!("progress", N = 8),
            fails!("eats", N = 8),
            fails_fair!("eats", N = 6),
        ]
    ),
    family!(
        "leader ring",
        "../liveness/leader.pml",
        [
            holds!("elected", N = 4),
            holds!("stays", N = 6),
            holds!("elected", N = 8),
        ]
    ),
    family!(
        "filter lock",
        "../liveness/peterson.pml",
        [
            holds_fair!("enters", N = 2),
            holds_fair!("enters", N = 3),
            holds!("progress", N = 3),
            fails!("enters", N = 4),
            holds_fair!("enters", N = 4),
        ]
    ),
    family!(
        "semaphore",
        "../liveness/semaphore.pml",
        [
            holds_fair!("never", N = 4, TICKET = 1),
            holds_fair!("never", N = 6, TICKET = 1),
            holds!("never", N = 7, TICKET = 1),
            fails_fair!("never", N = 5, TICKET = 0),
        ]
    ),
    family!(
        "alternating bit",
        "../liveness/alternating-bit.pml",
        [
            holds!("delivers", SIZE = 1),
            holds!("delivers", SIZE = 3, K = 4),
            holds!("delivers", SIZE = 9, K = 24),
            fails!("bold", SIZE = 3),
        ]
    ),
    family!(
        "elevator",
        "../liveness/elevator.pml",
        [
            holds_fair!("comes", N = 5),
            holds_fair!("progress", N = 7),
            holds_fair!("comes", N = 8),
            holds!("comes", N = 8),
        ]
    ),
    family!(
        "readers and writers",
        "../liveness/readers-writers.pml",
        [
            holds!("progress", R = 3, W = 2),
            holds!("progress", R = 5, W = 2),
            holds!("progress", R = 6, W = 3),
            fails_fair!("writer", R = 3, W = 2),
        ]
    ),
    family!(
        "token ring",
        "../liveness/token-ring.pml",
        [
            holds_fair!("returns", N = 5),
            holds_fair!("done", N = 8),
            fails!("acceptance", N = 6, MARKED = 1),
            holds!("returns", N = 8),
        ]
    ),
    family!(
        "producers and consumers",
        "../liveness/producer-consumer.pml",
        [
            holds!("progress", P = 1, C = 2),
            holds_fair!("taken", P = 2, C = 2),
            holds!("progress", P = 3, C = 2),
            holds_fair!("taken", P = 3, C = 2),
            holds!("taken", P = 3, C = 3),
        ]
    ),
    family!(
        "stabilising ring",
        "../liveness/stabilising.pml",
        [
            holds!("stabilises", N = 3),
            holds_fair!("stabilises", N = 4),
            holds!("stabilises", N = 5),
            fails!("stabilises", N = 5, K = 2),
        ]
    ),
];

const HEAD: &str = "
| program | question | verdict | states (SPIN) | spin -a + gcc + pan | pan alone | pan's memory | suppose | states | memory | end to end | suppose / pan | memory |
|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Measures and prints, row by row.
pub fn bench(args: &BenchArgs, limits: &RunSettings, folder: &Path) -> Result<(), Failure> {
    say(HEAD);
    let mut sums = Sums::default();
    for family in FAMILIES {
        let only = args.only.as_ref();
        if only.is_some_and(|only| !family.name.contains(only.as_str())) {
            continue;
        }
        crate::files::write_file(&folder.join("model.pml"), family.text.as_bytes())?;
        let rows = match args.quick {
            true => &family.rows[..1],
            false => family.rows,
        };
        for row in rows {
            measure(family, row, folder, limits, &mut sums)?;
        }
    }
    say(&sums.words());
    Ok(())
}

fn measure(
    family: &Family,
    row: &Row,
    folder: &Path,
    limits: &RunSettings,
    sums: &mut Sums,
) -> Result<(), Failure> {
    let ours = own(row, folder, limits)?;
    let theirs = peer(row, folder, limits)?;
    let name = named(family, row);
    if [ours.violated, theirs.violated].contains(&Some(!row.violated)) {
        return Err(Failure::internal(format!(
            "{name}, {}: `violated` is {:?} by suppose, {:?} by SPIN, and should be {}",
            row.asked, ours.violated, theirs.violated, row.violated
        )));
    }
    let decided = (ours.violated.is_some(), theirs.violated.is_some());
    let mut ratios = ["-".to_owned(), "-".to_owned(), "-".to_owned()];
    if decided == (true, true) {
        sums.add(&ours, &theirs);
        ratios = [
            format!("{:.1} x", theirs.total / ours.seconds),
            format!("{:.2}", ours.seconds / theirs.search),
            format!("{:.2}", ours.peak as f64 / theirs.peak as f64),
        ];
    }
    let verdict = match (row.violated, decided.0) {
        (_, false) => "-",
        (true, _) => "violated",
        (false, _) => "holds",
    };
    let cells = [
        name,
        format!("{}{}", row.asked, if row.fair { ", fair" } else { "" }),
        verdict.to_owned(),
        grouped(theirs.states),
        seconds(decided.1, theirs.total),
        seconds(decided.1, theirs.search),
        format_bytes(theirs.peak),
        seconds(decided.0, ours.seconds),
        grouped(ours.states),
        format_bytes(ours.peak),
    ];
    say(&format!(
        "| {} | {} |",
        cells.join(" | "),
        ratios.join(" | ")
    ));
    Ok(())
}

fn named(family: &Family, row: &Row) -> String {
    let values: Vec<String> = row.set.iter().map(|(n, v)| format!("{n}={v}")).collect();
    format!("{} {}", family.name, values.join(" "))
        .trim()
        .to_owned()
}

/// A run of `suppose`.
struct Own {
    seconds: f64,
    states: u64,
    peak: u64,
    violated: Option<bool>,
}

/// A run of SPIN, the compiler and the verifier.
struct Peer {
    /// Of all three.
    total: f64,
    /// Of the verifier alone.
    search: f64,
    states: u64,
    /// By its own account.
    peak: u64,
    violated: Option<bool>,
}

fn kept(limits: &RunSettings) -> child::ProcessLimits {
    child::ProcessLimits {
        cpu: limits.timeout,
        memory: limits.memory,
    }
}

/// The run of the median time.
fn median<T>(
    runs: u32,
    time: impl Fn(&T) -> f64,
    mut once: impl FnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut all = vec![once()?];
    for _ in 1..runs {
        all.push(once()?);
    }
    all.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let middle = (all.len() - 1) / 2;
    Ok(all.swap_remove(middle))
}

fn own(row: &Row, folder: &Path, limits: &RunSettings) -> Result<Own, Failure> {
    let mut command = vec![limits.program.display().to_string()];
    command.extend(arguments("check", &folder.join("model.pml"), row.set));
    command.extend(["-p", row.asked, "--format", "json", "--quiet"].map(str::to_owned));
    if row.fair {
        command.push("--fair".to_owned());
    }
    if !limits.certify {
        command.push("--no-certify".to_owned());
    }
    let once = || {
        let ran = child::run(&command, folder, kept(limits))?;
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
        let number = |v: &Value| v.as_u64().unwrap_or(0);
        let last = document["last_line"].as_str().unwrap_or("unknown");
        Ok(Own {
            seconds: ran.seconds,
            states: number(&document["claims"][0]["states"]),
            peak: number(&document["timing"]["peak_memory_bytes"]),
            violated: match last {
                "holds" => Some(false),
                last if last.starts_with("violated") => Some(true),
                _ => None,
            },
        })
    };
    median(limits.runs, |own: &Own| own.seconds, once)
}

fn peer(row: &Row, folder: &Path, limits: &RunSettings) -> Result<Peer, Failure> {
    let run = |command: &[&str]| {
        let command: Vec<String> = command.iter().map(|c| (*c).to_owned()).collect();
        // The verifier is run where it was made.
        let path = folder.display();
        let script = format!("cd \"{path}\" && exec \"$@\"");
        let mut all = ["sh", "-c", &script, "sh"].map(str::to_owned).to_vec();
        all.extend(command);
        child::run(&all, folder, kept(limits))
    };
    let defines: Vec<String> = row.set.iter().map(|(n, v)| format!("-D{n}={v}")).collect();
    let mut make: Vec<&str> = vec!["spin"];
    make.extend(defines.iter().map(String::as_str));
    make.extend(["-a", "model.pml"]);
    // Fairness is compiled for up to ten processes with three.
    let mut compile = vec!["gcc", "-O2", "-w", "-DNFAIR=3", "-DVECTORSZ=65536"];
    let mut search = vec!["./pan", "-A", "-E", "-c1"];
    match row.asked {
        "progress" => {
            compile.push("-DNP");
            search.push("-l");
        }
        "never" | "acceptance" => search.push("-a"),
        name => search.extend(["-a", "-N", name]),
    }
    if row.fair {
        search.push("-f");
    }
    compile.extend(["-o", "pan", "pan.c"]);
    let made = median(limits.runs, |r: &Ran| r.seconds, || run(&make))?;
    if !folder.join("pan.c").exists() {
        return Err(Failure::file(
            "`spin` wrote no `pan.c`; is it installed?".to_owned(),
        ));
    }
    let built = median(limits.runs, |r: &Ran| r.seconds, || run(&compile))?;
    let mut depth = "";
    for deeper in ["-m10000", "-m1000000", "-m20000000"] {
        search.push(deeper);
        depth = deeper;
        let first = run(&search)?;
        search.pop();
        if !first.stdout.contains("max search depth too small") {
            break;
        }
    }
    search.push(depth);
    let ran = median(limits.runs, |r: &Ran| r.seconds, || run(&search))?;
    Ok(read(&ran, made.seconds + built.seconds))
}

/// What the verifier printed.
fn read(ran: &Ran, before: f64) -> Peer {
    let number = |begin: &str, end: &str| {
        let line = ran
            .stdout
            .lines()
            .find(|l| l.contains(begin) && l.contains(end));
        let text = line.and_then(|l| l.get(l.find(begin)? + begin.len()..));
        let first = text.and_then(|t| t.split_whitespace().next());
        first.and_then(|n| n.parse::<f64>().ok())
    };
    let cut = [
        "max search depth too small",
        "out of memory",
        "reached -DMEMLIM",
    ];
    let whole = !cut.iter().any(|words| ran.stdout.contains(words));
    let errors = number("errors: ", "errors: ");
    Peer {
        total: before + ran.seconds,
        search: ran.seconds,
        states: number("", "states, stored").unwrap_or(0.0) as u64,
        peak: (number("", "total actual memory usage").unwrap_or(0.0) * 1_048_576.0) as u64,
        violated: errors
            .map(|n| n > 0.0)
            .filter(|violated| *violated || whole),
    }
}

/// For the lines below the table.
#[derive(Default)]
struct Sums {
    rows: u32,
    slower: u32,
    small: Vec<f64>,
    large: Vec<f64>,
    greedy: u32,
}

impl Sums {
    fn add(&mut self, ours: &Own, theirs: &Peer) {
        self.rows += 1;
        let speed = theirs.total / ours.seconds;
        self.slower += u32::from(speed < 1.0);
        self.greedy += u32::from(ours.peak > theirs.peak);
        if theirs.states < 100_000 {
            self.small.push(speed);
        }
        if theirs.states.max(ours.states) > 1_000_000 {
            self.large.push(ours.seconds / theirs.search);
        }
    }

    fn words(&self) -> String {
        let logs: f64 = self.small.iter().map(|s| s.ln()).sum();
        let mean = (logs / self.small.len().max(1) as f64).exp();
        let most = self.large.iter().copied().fold(0.0, f64::max);
        format!(
            "\nEnd to end: slower than SPIN in {} of {} rows; {mean:.1} times as fast in the geometric mean over the {} \
             rows under 100,000 states. Above a million states ({} rows), at most {most:.2} times as long as pan alone. \
             More memory than pan in {} rows.",
            self.slower,
            self.rows,
            self.small.len(),
            self.large.len(),
            self.greedy
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_verifier_prints_is_understood() {
        let ran = |stdout: &str| Ran {
            seconds: 1.0,
            stdout: stdout.to_owned(),
        };
        let text = "State-vector 36 byte, depth reached 17, errors: 0\n     3035 states, stored (5301 visited)\n  129.315\ttotal actual memory usage\n";
        let said = read(&ran(text), 2.0);
        assert_eq!((said.violated, said.states), (Some(false), 3035));
        assert_eq!((said.total, said.peak >> 20), (3.0, 129));
        let cut = format!("error: max search depth too small\n{text}");
        assert_eq!(read(&ran(&cut), 0.0).violated, None);
        let both = cut.replace("errors: 0", "errors: 1");
        assert_eq!(read(&ran(&both), 0.0).violated, Some(true));
        assert_eq!(read(&ran(""), 0.0).violated, None);
    }

    #[test]
    fn every_family_asks_for_what_its_program_has() {
        for family in FAMILIES {
            for row in family.rows {
                let there = match row.asked {
                    "acceptance" => family.text.contains("accept"),
                    "progress" => family.text.contains("progress:"),
                    "never" => family.text.contains("never {"),
                    name => family.text.contains(&format!("ltl {name} {{")),
                };
                assert!(there, "{} {}", family.name, row.asked);
                for (name, _) in row.set {
                    assert!(family.text.contains(&format!("#ifndef {name}\n")));
                }
            }
        }
    }
}
