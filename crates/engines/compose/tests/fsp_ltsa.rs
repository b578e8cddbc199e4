//! FSP models with the answers of LTSA itself: sizes, deadlocks, violations, safe assertions, refusals.
//!
//! `tests/fsp` has `expected.tsv` and a choice of the models. A folder with more of them is named by
//! `SUPPOSE_FSP_LTSA`; without it the second test only says that it was skipped:
//! `SUPPOSE_FSP_LTSA=.../fsp-ltsa cargo test -p suppose-compose --test fsp_ltsa -- --nocapture`.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod ltsa;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ltsa::{Answers, answers};
use suppose_testkit::fsp::{Naive, interpret};

/// One line of the table, by the names of the columns.
type Row<'t> = BTreeMap<&'t str, &'t str>;

/// In what we differ on purpose, or count in another way, and why: sizes, deadlock, violation.
const QUIRKS: [(&str, &str, &str); 18] = [
    ("s-basic-005", "s", MERGED),
    ("s-basic-012", "s", MERGED),
    ("s-flatten-030", "s", MERGED),
    ("s-props-008", "s", MERGED),
    ("s-relabel-030", "s", MERGED),
    ("s-share-005", "s", MERGED),
    ("s-share-015", "s", MERGED),
    ("s-share-042", "s", MERGED),
    ("s-basic-032", "d", ALONE),
    ("s-basic-034", "d", ALONE),
    ("s-mindet-026", "d", ALONE),
    ("s-mindet-037", "d", ALONE),
    ("s-seq-019", "d", ALONE),
    ("s-seq-020", "d", ALONE),
    ("hand-32", "d", ALONE),
    ("s-index-035", "s", TWICE),
    ("l-hide-043", "s", TWICE),
    ("s-index-016", "sv", SILENT),
];
const MERGED: &str = "relabelling makes a property nondeterministic; ours is made deterministic";
const ALONE: &str = "LTSA: a property goes on alone, with labels that no process has";
const TWICE: &str = "two hidden steps inside a part with the same ends: one step in LTSA";
const SILENT: &str = "`deterministic`: LTSA loses an error that is reached by hidden steps only";

fn rows(table: &str) -> Vec<Row<'_>> {
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let quirk = |file: &str| {
        QUIRKS
            .iter()
            .find(|q| file.contains(q.0))
            .map_or("", |q| q.1)
    };
    let row = |line| {
        let pairs = columns.iter().copied().zip(str::split(line, '\t'));
        let mut row: Row = pairs.collect();
        row.insert("quirk", quirk(row["file"]));
        row
    };
    lines.map(row).collect()
}

/// Inside a part that it had to compose, LTSA says `PART.NAME`, or only `PART`.
fn is_called(ours: &str, theirs: &str) -> bool {
    let of_part = theirs.strip_suffix(ours).is_some_and(|p| p.ends_with('.'));
    ours == theirs || of_part || theirs.starts_with("SUB") || theirs.starts_with("BUF")
}

/// Everything in which we differ from a line of the table.
fn differences(row: &Row<'_>, ours: &Answers) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, theirs: String, ours: String| {
        if theirs != ours {
            found.push(format!("{what} {theirs}, ours {ours}"));
        }
    };
    if !row["quirk"].contains('s') {
        let counts = (ours.counts.states, ours.counts.transitions);
        let theirs = format!("({}, {})", row["states"], row["transitions"]);
        compare("size", theirs, format!("{counts:?}"));
    }
    // What lies behind an error is not explored by LTSA; whether a step is an error may depend on a
    // choice inside a property that relabelling made nondeterministic.
    let deadlock = row["deadlock"] == "yes";
    if !row["quirk"].contains('d')
        && (ours.deadlock_before_errors && !deadlock || deadlock && !ours.deadlock)
    {
        compare(
            "deadlock",
            format!("{deadlock}"),
            format!("{}", ours.deadlock),
        );
    }
    let names: BTreeSet<&str> = row["violation"].split(';').filter(|n| *n != "no").collect();
    let firsts: BTreeSet<&str> = ours
        .first_errors
        .iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let named =
        |error: &BTreeSet<String>| names.iter().any(|n| error.iter().any(|e| is_called(e, n)));
    let all_named = ours.first_errors.iter().all(named);
    let all_found = names.iter().all(|n| firsts.iter().any(|e| is_called(e, n)));
    let reported = firsts.iter().all(|e| ours.violated.contains(*e));
    let same = all_named && all_found && reported && names.is_empty() == ours.violated.is_empty();
    if !same && !row["quirk"].contains('v') {
        compare(
            "violation",
            format!("{names:?}"),
            format!("{:?}", ours.violated),
        );
    }
    for pair in row["asserts"].split(';').filter(|p| !p.is_empty()) {
        let (name, verdict) = pair.split_once(':').unwrap();
        if let Some(holds) = ours.asserts.get(name) {
            let word = if *holds { "holds" } else { "violated" };
            if verdict != "error" {
                compare(
                    &format!("assert {name}"),
                    verdict.to_owned(),
                    word.to_owned(),
                );
            }
        }
    }
    found
}

/// In what the naive interpreter differs from a line of the table.
fn naive_differences(row: &Row<'_>, naive: &Naive) -> Vec<String> {
    let mut found = Vec::new();
    let size = format!("({}, {})", row["states"], row["transitions"]);
    let ours = format!("({}, {})", naive.states, naive.transitions);
    if size != ours && !row["quirk"].contains('v') {
        found.push(format!("naive size {ours} instead of {size}"));
    }
    if naive.deadlock != (row["deadlock"] == "yes") {
        found.push(format!("naive deadlock {}", naive.deadlock));
    }
    let names: BTreeSet<&str> = row["violation"].split(';').filter(|n| *n != "no").collect();
    let all_named = |e: &BTreeSet<String>| names.iter().any(|n| e.iter().any(|e| is_called(e, n)));
    let errors: BTreeSet<&String> = naive.errors.iter().flatten().collect();
    let all_found = names.iter().all(|n| errors.iter().any(|e| is_called(e, n)));
    if !(naive.errors.iter().all(all_named) && all_found || row["quirk"].contains('v')) {
        found.push(format!(
            "naive errors {:?} instead of {names:?}",
            naive.errors
        ));
    }
    found
}

/// Compares all models of a folder.
fn compare_all(folder: &Path) {
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let rows = rows(&table);
    let mut wrong = 0;
    for row in &rows {
        let text = std::fs::read_to_string(folder.join(row["file"])).unwrap();
        let found = match (answers(&text, Some(row["composite"])), row["error"]) {
            (Ok(ours), "") => differences(row, &ours),
            (Err(why), "") => vec![format!("refused: {why}")],
            (Ok(_), refusal) => vec![format!("accepted, LTSA: {refusal}")],
            (Err(_), _) => Vec::new(),
        };
        let mut found = found;
        match (interpret(&text, row["composite"]), row["error"]) {
            (Ok(naive), "") => found.extend(naive_differences(row, &naive)),
            (Err(why), "") => found.push(format!("naive: {why}")),
            _ => {}
        }
        if !found.is_empty() {
            wrong += 1;
            println!("{}: {}", row["file"], found.join("; "));
        }
    }
    for (file, what, why) in QUIRKS {
        println!("{file}: {what} differs on purpose: {why}");
    }
    println!("{} models, {wrong} differ without a reason", rows.len());
    assert_eq!(wrong, 0);
}

#[test]
fn representative_models_have_the_answers_of_ltsa() {
    compare_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fsp"));
}

#[test]
fn all_models_with_answers_of_ltsa_agree() {
    match std::env::var_os("SUPPOSE_FSP_LTSA") {
        Some(folder) => compare_all(Path::new(&folder)),
        None => println!("skipped: SUPPOSE_FSP_LTSA names no folder with LTSA's answers"),
    }
}
