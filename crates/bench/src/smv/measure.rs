//! One measurement: a run of the program on a model, and what it says of itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::cell::{RunSettings, median};
use crate::child;
use suppose::Failure;

/// The engines by name; the first is what users get.
pub const ENGINES: &[&str] = &["auto", "bdd", "cegar"];

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// `holds` or `violated` by property; others are not decided.
    pub verdicts: BTreeMap<String, String>,
    /// How many properties there are.
    pub properties: usize,
    /// Why it gave up, if it did.
    pub reason: String,
    /// Processor time of the whole process.
    pub seconds: f64,
    /// Did it take more time than it had? What it decided then does not count as all.
    pub late: bool,
    /// The largest resident set, in bytes.
    pub peak: u64,
    /// The most and the fewest variables that were abstracted for a property at first.
    pub abstracted: (u64, u64),
    /// Refinements of all properties.
    pub refinements: u64,
    /// Nodes of the largest relation.
    pub relation: u64,
    /// The most nodes beside it.
    pub checking: u64,
    /// How many properties each engine decided.
    pub engines: BTreeMap<String, usize>,
    /// The fewest and the most variables that a property does not depend on.
    pub left_out: (u64, u64),
    /// How many verdicts have evidence that the checker accepted.
    pub accepted: usize,
}

impl Cell {
    /// Is there a verdict on every property?
    pub fn decided(&self) -> bool {
        !self.late && self.properties > 0 && self.verdicts.len() == self.properties
    }

    /// Whether there is a verdict on every property, and the time.
    pub fn timed(&self) -> (bool, f64) {
        (self.decided(), self.seconds)
    }

    /// Did it reach a limit? What is not for an engine is none.
    pub fn gave_up(&self) -> bool {
        !self.decided() && self.reason != "unsupported"
    }
}

/// Runs an engine, given by its name and perhaps options, as often as asked and gives the run with the median time.
pub fn measure(
    file: &Path,
    engine: &[&str],
    folder: &Path,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    median(
        limits.runs,
        || once(file, engine, folder, limits),
        Cell::timed,
    )
}

fn once(
    file: &Path,
    engine: &[&str],
    folder: &Path,
    limits: &RunSettings,
) -> Result<Cell, Failure> {
    let shown = |path: &Path| path.display().to_string();
    let mut command = vec![shown(&limits.program), "check".to_owned(), shown(file)];
    command.push("--engine".to_owned());
    command.extend(engine.iter().map(|word| (*word).to_owned()));
    command.extend(["--format", "json", "--quiet", "--timeout"].map(str::to_owned));
    command.push(format!("{}ms", own_limit(limits.timeout).as_millis()));
    command.extend(["--memory".to_owned(), format!("{}B", limits.memory)]);
    if !limits.certify {
        command.push("--no-certify".to_owned());
    }
    let bounds = child::ProcessLimits {
        cpu: limits.timeout + SPARE.max(limits.timeout / 10),
        memory: limits.memory.saturating_mul(4),
    };
    let ran = child::run(&command, folder, bounds)?;
    let document: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
    let mut cell = read(&document, ran.seconds);
    cell.late = ran.seconds > limits.timeout.as_secs_f64();
    if cell.late {
        cell.reason = "timeout".to_owned();
    }
    Ok(cell)
}

/// How much later than the limit the kernel kills, at least: its limit is in whole seconds, and the last resort.
const SPARE: Duration = Duration::from_secs(2);

/// The time a process gives itself: a little less than it has, so that it still says what it decided. It works in one thread
/// for the most part, so that it takes no more processor time than time.
fn own_limit(limit: Duration) -> Duration {
    limit * 19 / 20
}

fn read(document: &Value, seconds: f64) -> Cell {
    let number = |v: &Value| v.as_u64().unwrap_or(0);
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let claims: Vec<&Value> = document["claims"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let mut cell = Cell {
        properties: claims.len(),
        seconds,
        peak: number(&document["timing"]["peak_memory_bytes"]),
        reason: text(&document["error"]),
        ..Cell::default()
    };
    for (place, claim) in claims.iter().enumerate() {
        let verdict = text(&claim["verdict"]);
        if verdict == "holds" || verdict == "violated" {
            cell.verdicts.insert(text(&claim["name"]), verdict);
        } else if cell.reason.is_empty() {
            cell.reason = text(&claim["reason"]["word"]);
        }
        let own = &claim["symbolic"];
        let between = |(least, most): (u64, u64), value: u64| match place {
            0 => (value, value),
            _ => (least.min(value), most.max(value)),
        };
        cell.abstracted = between(cell.abstracted, number(&own["abstracted"]));
        cell.left_out = between(cell.left_out, number(&own["left_out"]));
        cell.accepted += usize::from(claim["evidence"]["status"] == "accepted");
        cell.refinements += number(&own["refinements"]);
        cell.relation = cell.relation.max(number(&own["relation_nodes"]));
        cell.checking = cell.checking.max(number(&own["checking_nodes"]));
        *cell
            .engines
            .entry(text(&claim["engine"]["name"]))
            .or_default() += 1;
    }
    if claims.is_empty() && cell.reason.is_empty() {
        cell.reason = "timeout".to_owned();
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_says_is_put_together() {
        let document = serde_json::json!({
            "claims": [
                {"name": "a", "verdict": "holds", "engine": {"name": "cegar"},
                 "symbolic": {"abstracted": 3, "refinements": 2, "relation_nodes": 10, "checking_nodes": 7}},
                {"name": "b", "verdict": "violated", "engine": {"name": "bdd"},
                 "symbolic": {"abstracted": 0, "refinements": 0, "relation_nodes": 20, "checking_nodes": 5}},
            ],
            "timing": {"peak_memory_bytes": 99},
        });
        let cell = read(&document, 1.5);
        assert!(cell.decided());
        assert_eq!(cell.abstracted, (0, 3));
        assert_eq!((cell.refinements, cell.relation, cell.checking), (2, 20, 7));
        assert_eq!(cell.verdicts["b"], "violated");
        let mut document = document;
        document["claims"][1]["verdict"] = "unknown".into();
        let cell = read(&document, 1.5);
        assert!(!cell.decided());
        assert_eq!(cell.verdicts.len(), 1);
        assert_eq!(read(&Value::Null, 60.0).reason, "timeout");
    }
}
