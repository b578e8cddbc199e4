//! C programs from outside: verdicts, calls with lines and values, which integers were meant.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::horn::steady;
use crate::support::{Folder, golden, root, suppose};
use crate::validate::validate;

const COUNTER: &str = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int twice(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum + 2;
    return sum;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10)
        return 0;
    if (twice(n) != 2 * n)
        reach_error();
    return 0;
}
";

#[test]
fn a_program_that_is_right_holds() {
    let folder = Folder::new();
    let file = folder.file("prog.c", COUNTER);
    let ran = suppose(["check", &file, "--engine", "recmc"]);
    ran.ended(0, "holds");
    assert!(
        ran.stdout.contains("integers       mathematical"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("certificate    accepted"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_program_that_is_wrong_is_shown_by_its_calls() {
    let folder = Folder::new();
    let file = folder.file("prog.c", COUNTER.replace("2 * n", "2 * n + 2"));
    let ran = suppose(["check", &file, "--engine", "recmc"]);
    ran.ended(10, "violated(assertions)");
    for part in ["main()", "twice()", "prog.c:15", "replay         accepted"] {
        assert!(ran.stdout.contains(part), "no `{part}` in {}", ran.stdout);
    }
    golden("c-violated.txt", &steady(&ran.stdout));
    let document = suppose(["check", &file, "--format", "json"]).json();
    assert_eq!(validate(&document), Ok(()), "{document:#}");
    let calls = document["claims"][0]["counterexample"]["calls"]
        .as_array()
        .unwrap();
    assert_eq!(calls[0]["function"], "main");
    assert_eq!(calls.last().unwrap()["what"], "violated");
}

#[test]
fn machine_integers_wrap_around_and_others_do_not() {
    let folder = Folder::new();
    let text = "\
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char y = x + 1;
    assert(y > x);
}
";
    let file = folder.file("wrap.c", text);
    let ran = suppose(["check", &file, "--wrap"]);
    ran.ended(10, "violated(assertions)");
    assert!(ran.stdout.contains("of the machine"), "{}", ran.stdout);
    let document = suppose(["check", &file, "--wrap", "--format", "json"]).json();
    assert_eq!(document["horn"]["integers"], "machine");
}

#[test]
fn evidence_about_a_program_goes_round() {
    let folder = Folder::new();
    let file = folder.file("prog.c", COUNTER);
    let evidence = folder.path("prog.cert");
    suppose(["check", &file, "--certificate", &evidence]).ended(0, "holds");
    suppose(["certify", &evidence, &file]).ended(0, "holds");
    // The same text with other integers is another program.
    let ran = suppose(["certify", &evidence, &file, "--wrap"]);
    assert_eq!(ran.status, 4, "{ran:#?}");
}

#[test]
fn witnesses_have_the_form_of_the_competition() {
    let folder = Folder::new();
    let witness = folder.path("w.yml");
    for (text, status, kind) in [
        (COUNTER.to_owned(), 0, "invariant_set"),
        (
            COUNTER.replace("2 * n", "2 * n + 2"),
            10,
            "violation_sequence",
        ),
    ] {
        let file = folder.file("prog.c", text);
        let ran = suppose(["check", &file, "--witness", &witness]);
        assert_eq!(ran.status, status, "{ran:#?}");
        let written = std::fs::read_to_string(&witness).unwrap();
        let head = format!("- entry_type: \"{kind}\"");
        assert!(written.starts_with(&head), "{written}");
        assert!(written.contains("format_version: \"2.0\""), "{written}");
    }
}

#[test]
fn a_program_is_written_as_clauses() {
    let folder = Folder::new();
    let file = folder.file("prog.c", COUNTER);
    let clauses = folder.path("prog.smt2");
    let ran = suppose(["convert", &file, &clauses]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    suppose(["check", &clauses]).ended(0, "holds");
    suppose(["convert", &file, &folder.path("prog.aut")]).refused(1, "cannot write Horn clauses");
}

#[test]
fn what_is_not_read_is_refused_with_its_place() {
    let folder = Folder::new();
    for (text, place) in [
        ("int main(void) { int a[3]; return 0; }", "bad.c:1:"),
        ("int main(void) {\n  float f;\n}", "bad.c:2:"),
        ("int main(void) {\n  int *p;\n}", "bad.c:2:"),
        ("int main(void) {", "bad.c:1:"),
    ] {
        let file = folder.file("bad.c", text);
        suppose(["check", &file]).refused(2, place);
    }
}

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    check: Vec<Check>,
}

#[derive(Deserialize)]
struct Check {
    file: String,
    verdict: String,
    #[serde(default)]
    wrap: bool,
    #[serde(default)]
    set: std::collections::BTreeMap<String, i64>,
}

/// What is not decided yet, and may not be wrong.
const HARD: &[&str] = &["two-phases.c"];

/// The folders with an `expected.toml`.
fn tables(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.join("expected.toml").is_file() {
        found.push(folder.to_owned());
    }
    let mut inside: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.is_dir())
        .collect();
    inside.sort();
    found.extend(inside.iter().flat_map(|p| tables(p)));
    found
}

#[test]
fn examples_are_judged_as_expected() {
    let (mut all, mut undecided) = (0, Vec::new());
    for folder in tables(&root().join("examples/c")) {
        let text = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
        let table: Table = toml::from_str(&text).unwrap();
        for check in &table.check {
            all += 1;
            let mut arguments = vec!["check".to_owned()];
            arguments.push(folder.join(&check.file).display().to_string());
            let hard = HARD.iter().any(|h| check.file.ends_with(h));
            let limit = if hard { "2s" } else { "120s" };
            arguments.extend(["--timeout", limit, "--format", "json"].map(str::to_owned));
            if check.wrap {
                arguments.push("--wrap".to_owned());
            }
            for (name, value) in &check.set {
                arguments.extend(["--set".to_owned(), format!("{name}={value}")]);
            }
            let document = suppose(&arguments).json();
            assert_eq!(validate(&document), Ok(()), "{arguments:?}: {document:#}");
            if document["verdict"] == "unknown" {
                if hard {
                    continue;
                }
                undecided.push(check.file.clone());
                continue;
            }
            assert_eq!(document["verdict"], check.verdict.as_str(), "{arguments:?}");
            let status = &document["claims"][0]["evidence"]["status"];
            assert_eq!(status, "accepted", "{arguments:?}");
        }
    }
    assert!(all >= 40, "{all}");
    assert!(undecided.is_empty(), "not decided: {undecided:?}");
}
