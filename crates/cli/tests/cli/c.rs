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
        ran.stdout
            .contains("integers       of the machine, `long` has 64 bits"),
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
    let ran = suppose(["check", &file]);
    ran.ended(10, "violated(assertions)");
    assert!(ran.stdout.contains("of the machine"), "{}", ran.stdout);
    let document = suppose(["check", &file, "--format", "json"]).json();
    assert_eq!(validate(&document), Ok(()), "{document:#}");
    assert_eq!(document["horn"]["integers"], "machine");
    suppose(["check", &file, "--wrap"]).ended(10, "violated(assertions)");
    suppose(["check", &file, "--integers", "mathematical"]).ended(0, "holds");
}

/// A model of the tests.
fn model(name: &str) -> String {
    let file = root().join("crates/cli/tests/models").join(name);
    file.display().to_string()
}

#[test]
fn by_default_c_means_c() {
    let file = model("unsigned-subtraction-wraps.c");
    suppose(["check", &file]).ended(10, "violated(assertions)");
    let ran = suppose(["check", &file, "--integers", "mathematical"]);
    ran.ended(0, "holds");
    for name in [
        "shifts-and-conversions-hold.c",
        "narrow-sums-in-a-switch-hold.c",
    ] {
        suppose(["check", &model(name)]).ended(0, "holds");
    }
}

#[test]
fn a_run_finds_what_is_deep() {
    let file = model("violated-after-many-steps.c");
    let ran = suppose(["check", &file]);
    ran.ended(10, "violated(assertions)");
    assert!(ran.stdout.contains("replay         accepted"), "{ran:#?}");
}

#[test]
fn calls_that_do_the_same_are_told_once() {
    let folder = Folder::new();
    let file = model("shared-calls.c");
    for engine in ["auto", "recmc"] {
        let witness = folder.path("w.yml");
        let ran = suppose(["check", &file, "--witness", &witness, "--engine", engine]);
        ran.ended(10, "violated(assertions)");
        assert!(ran.stdout.contains("fib() as before"), "{ran:#?}");
        let written = std::fs::read_to_string(&witness).unwrap();
        assert!(written.contains("type: \"target\""), "{written}");
    }
    // Some 10^8 calls, of which 40 are different.
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("fib(10) == 55", "fib(40) > 0");
    let file = folder.file("deeper.c", text);
    let ran = suppose([
        "check",
        &file,
        "--engine",
        "recmc",
        "--timeout",
        "20s",
        "--full",
    ]);
    assert!(ran.stdout.lines().count() < 2_000, "{}", ran.stdout.len());
}

#[test]
fn signed_overflow_is_a_claim_of_its_own() {
    let folder = Folder::new();
    let text = "\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x + 1 > x);
    return 0;
}
";
    let file = folder.file("next.c", text);
    let ran = suppose(["check", &file]);
    ran.ended(10, "violated(no-overflow)");
    for part in [
        "assertions: holds",
        "runs up to the first signed overflow; there is one",
        "next.c:5    violated",
    ] {
        assert!(ran.stdout.contains(part), "no `{part}` in {}", ran.stdout);
    }
    let ran = suppose(["check", &file, "--engine", "recmc"]);
    golden("c-overflow.txt", &steady(&ran.stdout));
    let document = suppose(["check", &file, "--format", "json"]).json();
    assert_eq!(validate(&document), Ok(()), "{document:#}");
    assert_eq!(document["claims"][1]["name"], "no-overflow");
    suppose(["check", &file, "--property", "assertions"]).ended(0, "holds");
    suppose(["check", &file, "-p", "no-overflow"]).ended(10, "violated(no-overflow)");
    suppose(["check", &file, "--wrap"]).ended(10, "violated(assertions)");
    suppose(["check", &file, "--wrap", "-p", "no-overflow"]).refused(1, "no-overflow");
    let evidence = folder.path("next.cert");
    suppose(["check", &file, "--certificate", &evidence]).ended(10, "violated(no-overflow)");
    let ran = suppose(["certify", &evidence, &file]);
    assert!(
        ran.stdout.contains("certificate for assertions: accepted"),
        "{ran:#?}"
    );
    assert!(
        ran.stdout
            .contains("counterexample for no-overflow: accepted"),
        "{ran:#?}"
    );
}

#[test]
fn the_data_model_says_how_long_a_long_is() {
    let folder = Folder::new();
    let text = "\
#include <assert.h>
int main(void) {
    unsigned long x = 4294967295u;
    assert(x + 1 != 0);
    return 0;
}
";
    let file = folder.file("long.c", text);
    suppose(["check", &file]).ended(0, "holds");
    suppose(["check", &file, "--data-model", "LP64"]).ended(0, "holds");
    suppose(["check", &file, "--data-model", "ILP32"]).ended(10, "violated(assertions)");
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
        (
            "union u { int a; char b; };\nint main(void) { union u x; return 0; }",
            "bad.c:2:",
        ),
        ("int main(void) {\n  float f;\n}", "bad.c:2:"),
        (
            "struct s { int a : 3; };\nint main(void) { struct s x; x.a = 1; return 0; }",
            "bad.c:2:",
        ),
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
    integers: Option<String>,
    /// Of the claim that nothing overflows, where it is to be decided.
    overflow: Option<String>,
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
            if let Some(integers) = &check.integers {
                arguments.extend(["--integers".to_owned(), integers.clone()]);
            }
            for (name, value) in &check.set {
                arguments.extend(["--set".to_owned(), format!("{name}={value}")]);
            }
            let document = suppose(&arguments).json();
            assert_eq!(validate(&document), Ok(()), "{arguments:?}: {document:#}");
            let claims = document["claims"].as_array().unwrap();
            let of = |name: &str| claims.iter().find(|c| c["name"] == name);
            if let Some(overflow) = &check.overflow {
                assert_eq!(of("no-overflow").unwrap()["verdict"], overflow.as_str());
            }
            let verdict = &of("assertions").unwrap()["verdict"];
            if verdict == "unknown" {
                if hard {
                    continue;
                }
                undecided.push(check.file.clone());
                continue;
            }
            assert_eq!(verdict, check.verdict.as_str(), "{arguments:?}");
            for claim in claims {
                let status = &claim["evidence"]["status"];
                assert_eq!(status, "accepted", "{arguments:?}");
            }
        }
    }
    assert!(all >= 40, "{all}");
    assert!(undecided.is_empty(), "not decided: {undecided:?}");
}
