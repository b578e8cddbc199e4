//! Every word that heads a line or section of a report has an entry in the glossary. The words are found in the sources of the
//! renderers, so that one that is added there needs an entry.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

#[test]
fn every_heading_of_reports_is_explained() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/src");
    let mut found = Vec::new();
    for file in rust_files(&sources) {
        let text = std::fs::read_to_string(&file).unwrap();
        // Names of lines, of evidence, of formulas and of what is defined; titles on the page.
        for before in [
            "fact(", "field(", "Formula(", "h2 {", "h3 {", "noun: ", "title: ",
        ] {
            found.extend(literals_after(&text, before));
        }
        if text.contains("evidence.name = match") {
            let from = text.find("evidence.name = match").unwrap();
            let until = from + text[from..].find("};").unwrap();
            found.extend(literals_after(&text[from..until], "Some("));
        }
    }
    found.retain(|word| !word.trim().is_empty());
    for known in ["explored", "replay", "claim", "Verdicts", "definition"] {
        assert!(found.iter().any(|w| w == known), "{known} is not found");
    }
    // Rows of tables, and titles with a meaning of their own on the page.
    let plain = [
        "row",
        "step",
        "state",
        "event",
        "T",
        "The specification",
        "A run to a deadlock",
        "Assumption A",
        "More",
        "States",
        "file",
    ];
    for heading in found {
        let word = heading.split([':', '(']).next().unwrap_or("").trim();
        if plain.contains(&word) {
            continue;
        }
        if let Err(failure) = suppose::explain(word) {
            panic!("add an entry for `{word}`: {}", failure.text(false));
        }
    }
}

/// The string literals that directly follow, white space left out.
fn literals_after(text: &str, before: &str) -> Vec<String> {
    let literal = |(at, _): (usize, &str)| {
        let rest = text[at + before.len()..].trim_start().strip_prefix('"')?;
        Some(rest[..rest.find('"')?].to_owned())
    };
    text.match_indices(before).filter_map(literal).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(rust_files(&path)),
            false => files.extend(path.extension().is_some_and(|e| e == "rs").then_some(path)),
        }
    }
    files.sort();
    files
}
