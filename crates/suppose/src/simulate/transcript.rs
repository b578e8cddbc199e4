//! The transcript of a walk.

use serde_json::{Value, json};
use suppose_number::Rat;

use crate::steps::Violation;

/// The name of the document that [`Transcript::json`] makes.
pub const SCHEMA: &str = "suppose-simulation";
/// Its version: it changes when a reader of an older one could misunderstand the document.
pub const SCHEMA_VERSION: u32 = 1;

/// A walk from beginning to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// All values of the first state; none if there is an error before it.
    pub start: Vec<(String, String)>,
    /// Remarks on it.
    pub notes: Vec<String>,
    /// The steps.
    pub steps: Vec<Taken>,
    /// Why it ends.
    pub end: End,
    /// The run repeats forever from this state (0 is the first).
    pub loops_to: Option<usize>,
    /// Remarks on the walk.
    pub remarks: Vec<String>,
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What was done.
    pub label: String,
    /// Who took part.
    pub actors: Vec<String>,
    /// File and line.
    pub place: Option<String>,
    /// The probability of this outcome, if the step is probabilistic.
    pub probability: Option<Rat>,
    /// What is different after it.
    pub changes: Vec<Change>,
    /// Remarks on the state after it.
    pub notes: Vec<String>,
}

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its name in the model.
    pub name: String,
    /// The value after the step; none if it is there no longer.
    pub value: Option<String>,
}

/// Why a walk ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It has as many steps as were asked for.
    Steps,
    /// No step is possible, and the state is not a valid end state.
    Deadlock(String),
    /// Everything is at its end.
    Finished,
    /// A property is violated.
    Violated(Violation),
    /// The user quit.
    Quit,
}

impl End {
    /// In a word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            End::Steps => "steps",
            End::Deadlock(_) => "deadlock",
            End::Finished => "end",
            End::Violated(_) => "violated",
            End::Quit => "quit",
        }
    }

    /// As it stands in the document of a walk.
    pub fn json(&self) -> Value {
        json!({ "reason": self.word(), "property": self.property(), "why": self.why() })
    }

    fn property(&self) -> Option<&str> {
        match self {
            End::Violated(violation) => Some(&violation.property),
            _ => None,
        }
    }

    fn why(&self) -> Option<&str> {
        match self {
            End::Violated(violation) => Some(&violation.why),
            End::Deadlock(why) => Some(why),
            _ => None,
        }
    }
}

impl Transcript {
    /// How it ended, in one line: `20 steps taken`, `deadlock after 7 steps`, `violated(Order) after 2 steps`.
    pub fn last_line(&self) -> String {
        let count = self.steps.len();
        let steps = match count {
            1 => "1 step".to_owned(),
            _ => format!("{count} steps"),
        };
        match &self.end {
            End::Steps => format!("{steps} taken"),
            End::Deadlock(_) => format!("deadlock after {steps}"),
            End::Finished => format!("end after {steps}"),
            End::Violated(violation) => {
                let name = suppose_report::shown(&violation.property);
                format!("violated({name}) after {steps}")
            }
            End::Quit => format!("quit after {steps}"),
        }
    }

    /// As a document. The caller adds what only it knows: files, the seed.
    pub fn json(&self) -> Value {
        let pair = |(name, value): &(String, String)| json!({ "name": name, "value": value });
        let steps = self.steps.iter().enumerate();
        json!({
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "start": {
                "values": self.start.iter().map(pair).collect::<Vec<_>>(),
                "notes": self.notes,
            },
            "steps": steps.map(|(at, step)| step.json(at + 1)).collect::<Vec<_>>(),
            "loops_to": self.loops_to,
            "remarks": self.remarks,
            "end": self.end.json(),
        })
    }
}

impl Taken {
    /// As it stands in the document of a walk, as the step of that number (from 1).
    pub fn json(&self, number: usize) -> Value {
        json!({
            "number": number,
            "label": self.label,
            "actors": self.actors,
            "place": self.place,
            "probability": self.probability.as_ref().map(ToString::to_string),
            "changes": self.changes.iter().map(Change::json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

impl Change {
    /// As it stands in the document of a walk.
    pub fn json(&self) -> Value {
        json!({ "name": self.name, "value": self.value })
    }
}
