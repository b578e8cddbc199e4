//! Several models that were checked in one call: what became of each, as a table and as one document.

use std::fmt::Write;
use std::time::Duration;

use serde_json::Value;
use suppose_source::{Sources, Span};
use unicode_width::UnicodeWidthStr;

use crate::words::{duration, shown};

/// One model that was checked, as its JSON document tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Its file, as the user named it.
    pub file: String,
    /// `holds`, `violated(<claim>)` or `unknown(<reason>)`; of a model that could not be checked, why: `input error`.
    pub outcome: String,
    /// Why it could not be checked at all, or not to the end.
    pub errors: Vec<Problem>,
    /// What was asked, with the verdicts.
    pub claims: Vec<CheckedClaim>,
    /// How long it took.
    pub elapsed: Duration,
    /// What was expected of the model as a whole.
    pub expected: Option<Expectation>,
}

/// What was expected of a claim or a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The verdict.
    pub verdict: String,
    /// Was it the one that was found?
    pub is_met: bool,
}

/// An error in a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Where, if that is known.
    pub place: Option<Place>,
}

/// A line of a file; counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The column, if it is known.
    pub column: Option<u64>,
}

/// One claim of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckedClaim {
    /// Its name.
    pub name: String,
    /// What sort of claim: `property`, `deadlock`, `assertions`.
    pub kind: String,
    /// `holds`, `violated`, or `unknown`.
    pub verdict: String,
    /// Why it is not known: one word, and a sentence.
    pub reason: Option<(String, String)>,
    /// The engine that decided it.
    pub engine: String,
    /// How long it took, if an engine worked on it.
    pub elapsed: Option<Duration>,
    /// Where it is written; if that is not known, where a counterexample ends.
    pub place: Option<Place>,
    /// The steps of a counterexample, each with its place, and how it ends.
    pub steps: Vec<(String, Option<Place>)>,
    /// How the counterexample ends.
    pub ending: String,
    /// What was expected.
    pub expected: Option<Expectation>,
}

/// How other programs are to take a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is as it should be.
    Passed,
    /// It is violated, or not what was expected.
    Failed,
    /// It is not known, though it was tried.
    Undecided,
    /// No engine decides it.
    Skipped,
}

impl CheckedClaim {
    /// How to take it.
    pub fn standing(&self) -> Standing {
        match (&self.expected, self.verdict.as_str(), &self.reason) {
            (Some(expected), ..) if expected.is_met => Standing::Passed,
            (Some(_), ..) => Standing::Failed,
            (None, "holds", _) => Standing::Passed,
            (None, "violated", _) => Standing::Failed,
            (None, _, Some((word, _))) if word == "unsupported" => Standing::Skipped,
            (None, ..) => Standing::Undecided,
        }
    }

    /// The verdict in a sentence.
    pub fn sentence(&self) -> String {
        let name = shown(&self.name);
        let mut text = match (self.verdict.as_str(), &self.reason) {
            ("unknown", Some((_, why))) => format!("{name} is not decided: {}", shown(why)),
            ("violated", _) => format!("{name} is violated"),
            (verdict, _) => format!("{name}: {verdict}"),
        };
        if !self.ending.is_empty() {
            text = format!("{text}: {}", shown(&self.ending));
        }
        match self.expected.as_ref().filter(|e| !e.is_met) {
            Some(expected) => format!("{text} (expected: {})", shown(&expected.verdict)),
            None => text,
        }
    }
}

impl Place {
    /// The beginning of a span.
    pub fn of(sources: &Sources, span: Span) -> Option<Place> {
        let file = sources.file(span.file)?;
        let at = file.position(span.start);
        Some(Place {
            file: file.name().to_owned(),
            line: at.line as u64,
            column: Some(at.column as u64),
        })
    }
}

impl Checked {
    /// From the JSON document of a result or of an error.
    pub fn of(file: &str, document: &Value) -> Checked {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let outcome = match document["last_line"].as_str() {
            Some(line) => line.to_owned(),
            None => text(&document["error"]),
        };
        let errors = list(&document["diagnostics"])
            .filter(|d| d["severity"] == "error")
            .map(Problem::of);
        Checked {
            file: file.to_owned(),
            outcome,
            errors: errors.collect(),
            claims: claims(file, document),
            elapsed: seconds(&document["timing"]["elapsed_seconds"]).unwrap_or_default(),
            expected: None,
        }
    }
}

impl Problem {
    fn of(diagnostic: &Value) -> Problem {
        let text = |name: &str| diagnostic[name].as_str().unwrap_or_default().to_owned();
        let place = diagnostic["line"].as_u64().map(|line| Place {
            file: text("file"),
            line,
            column: diagnostic["column"].as_u64(),
        });
        Problem {
            message: text("message"),
            place,
        }
    }
}

fn claims(file: &str, document: &Value) -> Vec<CheckedClaim> {
    let times = &document["timing"]["claims_seconds"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let decided = list(&document["claims"]).enumerate().map(|(at, claim)| {
        let reason = &claim["reason"];
        let steps = steps(file, &claim["counterexample"]);
        let written = place(file, &claim["location"]);
        let last = || steps.iter().rev().find_map(|(_, place)| place.clone());
        CheckedClaim {
            place: written.or_else(last),
            ending: text(&claim["counterexample"]["ending"]),
            expected: None,
            name: text(&claim["name"]),
            kind: text(&claim["kind"]),
            verdict: text(&claim["verdict"]),
            reason: reason
                .is_object()
                .then(|| (text(&reason["word"]), text(&reason["text"]))),
            engine: text(&claim["engine"]["name"]),
            elapsed: seconds(&times[at]),
            steps,
        }
    });
    let undecided = list(&document["undecided"]).map(|claim| CheckedClaim {
        name: text(&claim["name"]),
        kind: "undecided".to_owned(),
        verdict: "unknown".to_owned(),
        reason: Some((text(&claim["reason"]), text(&claim["reason"]))),
        ..CheckedClaim::default()
    });
    decided.chain(undecided).collect()
}

/// The steps of a counterexample. Each kind of model has its own form.
fn steps(model: &str, found: &Value) -> Vec<(String, Option<Place>)> {
    let named = |value: &Value, sign: &str| {
        let to = value["to"].as_str().or(value["value"].as_str());
        let to = to.unwrap_or_default();
        format!("{}{sign}{to}", value["name"].as_str().unwrap_or_default())
    };
    let all = |values: &Value, sign: &str| {
        let words: Vec<String> = list(values).map(|v| named(v, sign)).collect();
        words.join(", ")
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let join = |words: Vec<String>| {
        let words = words.into_iter().filter(|w| !w.is_empty());
        words.collect::<Vec<_>>().join("; ")
    };
    let own = ["rows", "calls", "steps", "states", "inferences"];
    let own = own.iter().find(|k| found[**k].is_array());
    let Some(own) = own else {
        return Vec::new();
    };
    let step = |step: &Value| {
        let words = match *own {
            "rows" => {
                let what = format!("{}: {}", text(&step["name"]), text(&step["statement"]));
                vec![what, all(&step["changes"], " = ")]
            }
            "calls" => vec![text(&step["what"]), all(&step["values"], " = ")],
            "steps" => vec![text(&step["label"]), all(&step["changes"], " -> ")],
            "states" => vec![all(&step["inputs"], " = "), all(&step["changes"], " = ")],
            _ => vec![text(&step["what"])],
        };
        (join(words), place(model, step))
    };
    list(&found[*own]).map(step).collect()
}

/// The place that a record tells. A file without a folder is one beside the model, or the model itself.
fn place(model: &str, record: &Value) -> Option<Place> {
    let line = record["line"].as_u64()?;
    let file = record["file"].as_str()?;
    let folder = model.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = match (file.contains('/'), folder.is_empty()) {
        (false, false) => format!("{folder}/{file}"),
        _ => file.to_owned(),
    };
    let column = record["column"].as_u64();
    Some(Place { file, line, column })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn seconds(value: &Value) -> Option<Duration> {
    Duration::try_from_secs_f64(value.as_f64()?).ok()
}

/// A table: file, claim, verdict and time, a line for each claim.
pub fn summary(checked: &[Checked], elapsed: Duration) -> String {
    let mut rows: Vec<[String; 4]> = vec![["file", "claim", "verdict", "time"].map(str::to_owned)];
    for model in checked {
        let file = shown(&model.file).into_owned();
        if model.claims.is_empty() {
            let outcome = shown(&model.outcome).into_owned();
            rows.push([file, "-".to_owned(), outcome, duration(model.elapsed)]);
            continue;
        }
        for (number, claim) in model.claims.iter().enumerate() {
            let file = match number {
                0 => file.clone(),
                _ => String::new(),
            };
            let time = claim.elapsed.map_or("-".to_owned(), duration);
            let name = shown(&claim.name).into_owned();
            rows.push([file, name, verdict(claim), time]);
        }
    }
    let width = |column: usize| rows.iter().map(|r| r[column].width()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for row in &rows {
        for (cell, width) in row.iter().zip(widths) {
            let padding = width.saturating_sub(cell.width()) + 2;
            let _ = write!(text, "{cell}{:padding$}", "");
        }
        let _ = writeln!(text, "{}", row[3]);
    }
    let _ = writeln!(text, "\n{}, time {}", counted(checked), duration(elapsed));
    text
}

/// `unknown(timeout)`, `holds`.
fn verdict(claim: &CheckedClaim) -> String {
    match &claim.reason {
        Some((word, _)) => format!("{}({})", claim.verdict, shown(word)),
        None => claim.verdict.clone(),
    }
}

/// `3 models: 1 violated, 2 hold`
fn counted(checked: &[Checked]) -> String {
    let (mut violated, mut unknown, mut hold, mut failed) = (0, 0, 0, 0);
    for model in checked {
        match model.outcome.split('(').next() {
            Some("violated") => violated += 1,
            Some("unknown") => unknown += 1,
            Some("holds") => hold += 1,
            _ => failed += 1,
        }
    }
    let some = [
        (violated, "violated"),
        (unknown, "unknown"),
        (failed, "not checked"),
        (hold, if hold == 1 { "holds" } else { "hold" }),
    ];
    let words = some.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = words.map(|(n, word)| format!("{n} {word}")).collect();
    let models = match checked.len() {
        1 => "1 model".to_owned(),
        n => format!("{n} models"),
    };
    format!("{models}: {}", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_become_rows() {
        let report = json!({
            "last_line": "violated(a)",
            "claims": [
                { "name": "a", "kind": "property", "verdict": "violated", "reason": null, "engine": { "name": "agar" } },
                { "name": "λ\u{1b}", "kind": "property", "verdict": "unknown", "reason": { "word": "timeout", "text": "late" } },
            ],
            "undecided": [{ "name": "u", "reason": "unsupported" }],
            "timing": { "elapsed_seconds": 1.5, "claims_seconds": [0.002, 1.0] },
        });
        let error = json!({
            "error": "input error",
            "diagnostics": [{ "severity": "error", "message": "no", "file": "x", "line": 3, "column": 4 }],
        });
        let checked = [
            Checked::of("dir/a.lts", &report),
            Checked::of("x\n.pml", &error),
        ];
        assert_eq!(checked[1].errors[0].place.as_ref().unwrap().line, 3);
        let text = summary(&checked, Duration::from_secs(2));
        let expected = "\
file       claim    verdict               time
dir/a.lts  a        violated              2.0 ms
           λ\\u{1b}  unknown(timeout)      1.00 s
           u        unknown(unsupported)  -
x\\n.pml    -        input error           0.0 ms

2 models: 1 violated, 1 not checked, time 2.00 s
";
        assert_eq!(text, expected);
    }
}
