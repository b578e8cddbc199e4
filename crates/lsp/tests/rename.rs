//! Every name of every example gets another name, and the front-end reads the result as the same model.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use suppose::{CheckOptions, Language, Outline, Silent, Source};
use suppose_frontends::index::{Index, SymbolKind};

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => models(&path, found),
            false if Language::of(path.to_str().unwrap()).is_some() => found.push(path),
            false => {}
        }
    }
}

fn outline(path: &Path, text: &str) -> Option<Outline> {
    let source = Source::edited(path, text);
    suppose::outline(&source, &CheckOptions::default(), Arc::new(Silent)).ok()
}

/// Renames what can be renamed; returns the text, how many names it was, and why others were not.
fn renamed(language: Language, text: &str) -> (String, usize, Vec<String>) {
    let mut text = text.to_owned();
    let (mut count, mut refused) = (0, Vec::new());
    let mut number = 0;
    loop {
        let index = Index::new(language, &text);
        let Some(symbol) = index.symbols().get(number) else {
            return (text, count, refused);
        };
        let new = match symbol.name.starts_with(|c: char| c.is_ascii_uppercase()) {
            true => format!("Zz{number}"),
            false => format!("zz{number}"),
        };
        // Names that begin so mean something to SPIN.
        let special = ["end", "progress", "accept"];
        let is_special = symbol.kind == SymbolKind::Label
            && language == Language::Promela
            && special.iter().any(|s| symbol.name.starts_with(s));
        if !is_special {
            match index.rename(number, &new, &text) {
                Ok(places) => {
                    count += 1;
                    for place in places.iter().rev() {
                        let quoted = text[place.clone()].starts_with('"');
                        let inner = match quoted {
                            true => place.start + 1..place.end - 1,
                            false => place.clone(),
                        };
                        text.replace_range(inner, &new);
                    }
                }
                Err(why) => refused.push(format!("{}: {}", symbol.name, why.0)),
            }
        }
        number += 1;
    }
}

#[test]
fn examples_mean_the_same_with_other_names() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    models(&root, &mut files);
    let (mut names, mut wrong) = (0, Vec::new());
    let mut refusals = 0;
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let Some(language) = Language::detect(file.to_str().unwrap(), &text) else {
            continue;
        };
        let Some(before) = outline(&file, &text) else {
            continue;
        };
        let (changed, count, refused) = renamed(language, &text);
        names += count;
        refusals += refused.len();
        let shown = file.strip_prefix(&root).unwrap().display();
        match outline(&file, &changed) {
            None => {
                let source = Source::edited(&file, changed.as_str());
                let why = suppose::outline(&source, &CheckOptions::default(), Arc::new(Silent));
                wrong.push(format!("{shown}: {}", why.unwrap_err().text(false)));
            }
            Some(after) => {
                let same = before.claims.len() == after.claims.len()
                    && before.components.len() == after.components.len();
                if !same {
                    wrong.push(format!(
                        "{shown}: {:?} became {:?}",
                        before.claims, after.claims
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} files:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        names > 3_000 && refusals < names / 10,
        "{names} renamed, {refusals} refused"
    );
}
