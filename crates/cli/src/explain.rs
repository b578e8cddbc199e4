//! The glossary: a word, or the list of all words.

use serde_json::{Value, json};
use suppose::Failure;
use suppose::explain::GLOSSARY;

use crate::args::{ExplainArgs, Format, OutputOptions};
use crate::output::Output;

/// The columns that a text may have.
const WIDTH: usize = 100;

/// Explains a word, or lists all.
pub fn explain(args: &ExplainArgs, look: OutputOptions) -> Result<Output, Failure> {
    let asked = args.words.join(" ");
    if asked.trim().is_empty() {
        return Ok(Output::ok(match look.format {
            Format::Json => format!("{:#}", document()),
            Format::Text => list(),
        }));
    }
    let entry = suppose::explain(&asked)?;
    Ok(Output::ok(match look.format {
        Format::Json => format!("{:#}", entry.json()),
        Format::Text => entry.text_in(WIDTH),
    }))
}

/// All words by topic.
fn list() -> String {
    let mut lines = Vec::new();
    for topic in GLOSSARY {
        lines.push(format!("{}:", topic.title));
        let mut line = " ".to_owned();
        for (at, entry) in topic.entries.iter().enumerate() {
            if line.chars().count() + entry.word.chars().count() + 3 > WIDTH {
                lines.push(std::mem::replace(&mut line, " ".to_owned()));
            }
            let comma = if at + 1 < topic.entries.len() {
                ","
            } else {
                ""
            };
            line.push_str(&format!(" {}{comma}", entry.word));
        }
        lines.push(line);
        lines.push(String::new());
    }
    lines.push("`suppose explain WORD` explains one.".to_owned());
    lines.join("\n")
}

fn document() -> Value {
    let topics = GLOSSARY.iter().map(|topic| {
        let entries: Vec<Value> = topic.entries.iter().map(|e| e.json()).collect();
        json!({ "title": topic.title, "entries": entries })
    });
    json!({
        "schema": "suppose-glossary",
        "schema_version": 1,
        "topics": topics.collect::<Vec<_>>(),
    })
}
