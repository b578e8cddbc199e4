//! Numbers of states, choices, transitions and deadlocks are Storm's, on generated models and on our examples.
//!
//! Storm must be there: `stormpy` in the Python of `.test-tools` of the workspace, where `scripts/test.sh` puts it.

#![allow(clippy::unwrap_used)]

#[path = "support/prism_models.rs"]
mod prism_models;

use std::path::{Path, PathBuf};

use prism_models::{Wanted, random_model};
use suppose_frontends::prism::{Counts, Exploration, PrismOptions, read_text};
use suppose_testkit::for_each_seed;
use suppose_testkit::storm::Storm;

/// Storm, started with the script that counts.
fn start(name: &str) -> Storm {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Storm::start(name, &here.join("tests/support/storm_counts.py"))
}

fn count(storm: &mut Storm, text: &str) -> String {
    let file = storm.file("model.nm", text);
    storm.ask(file.display());
    storm.answer()
}

fn ours(text: &str) -> String {
    let (model, _) = match read_text("model.nm", text, &PrismOptions::default()) {
        Ok(read) => read,
        Err((errors, sources)) => panic!("{}", errors[0].render(&sources, false)),
    };
    let Counts {
        states,
        choices,
        transitions,
        deadlocks,
        ..
    } = model.count(&Exploration::unlimited()).unwrap();
    format!("{states} {choices} {transitions} {deadlocks}")
}

#[test]
fn generated_models() {
    let mut storm = start("generated");
    for_each_seed(200, |rng| {
        let wanted = Wanted {
            dtmc: rng.percent(40),
            reads: rng.percent(50),
            global: rng.percent(30),
            // Storm does not explore models with `system`.
            system: false,
            ..Wanted::default()
        };
        // Storm does not parse `<=>`, which is `=` between conditions.
        let text = random_model(rng, wanted).replace("<=>", "=");
        assert_eq!(ours(&text), count(&mut storm, &text), "{text}");
    });
}

#[test]
fn our_examples() {
    let mut storm = start("examples");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prism");
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let end = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            match path.is_dir() {
                true => folders.push(path),
                false if matches!(end, "nm" | "pm" | "prism") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    let mut compared = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        // Large ones, and those with constants to set, are for other tests.
        let Ok((model, _)) = read_text("model.nm", &text, &PrismOptions::default()) else {
            continue;
        };
        let mut how = Exploration::unlimited();
        how.limits.states = 3_000;
        if model.count(&how).is_err() {
            continue;
        }
        let answer = count(&mut storm, &text);
        if answer.starts_with("refused") && text.contains("endsystem") {
            continue;
        }
        compared += 1;
        assert_eq!(ours(&text), answer, "{}", file.display());
    }
    assert!(compared > 0, "no example was compared");
}
