//! Horn clauses from outside: verdicts, definitions, derivations, files, and what is refused.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::support::{Folder, Ran, golden, program, root, suppose};
use crate::validate::validate;

const HOLDS: &str = "\
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 5)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x y)) (inv (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (> x 5)) false)))
(check-sat)
";

fn violated() -> String {
    HOLDS.replace("> x 5", "> x 4")
}

/// Squares, and none is twice another but 0: true, and no formula of linear arithmetic says why.
const ENDLESS: &str = "\
(set-logic HORN)
(declare-fun square (Int Int) Bool)
(assert (square 0 0))
(assert (forall ((i Int) (s Int)) (=> (square i s) (square (+ i 1) (+ s i i 1)))))
(assert (forall ((i Int) (s Int) (j Int) (t Int))
  (=> (and (square i s) (square j t) (= t (* 2 s)) (> s 0)) false)))
(check-sat)
";

/// Without what differs from run to run, or with every improvement of an engine.
pub fn steady(text: &str) -> String {
    let changing = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with("time ") && !line.starts_with("work ")
    };
    let lines: Vec<&str> = text.lines().filter(changing).collect();
    lines.join("\n") + "\n"
}

fn in_folder(folder: &Folder, text: &str) -> String {
    folder.file("clauses.smt2", text)
}

#[test]
fn definitions_are_shown_and_checked() {
    let folder = Folder::new();
    let file = in_folder(&folder, HOLDS);
    let ran = suppose(["check", &file, "--engine", "recmc", "--no-invariants"]);
    ran.ended(0, "holds");
    for part in ["queries: holds", "inv(x, y): ", "certificate    accepted"] {
        assert!(ran.stdout.contains(part), "no `{part}` in {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("sat"), "{}", ran.stdout);
}

/// Numbers of 9,999 digits, whose product stands in definitions and proofs.
#[test]
fn numbers_up_to_the_limit_are_decided_and_certified() {
    let folder = Folder::new();
    for (divisor, verdict, status) in [("7", "holds", 0), ("3", "violated(queries)", 10)] {
        let (long, by) = ("9".repeat(9_999), divisor.repeat(9_999));
        let file = in_folder(
            &folder,
            &format!(
                "(declare-fun p (Int) Bool)
                 (assert (forall ((x Int)) (=> (= x {long}) (p (* {long} x)))))
                 (assert (forall ((x Int)) (=> (and (p x) (= 0 (mod x {by}))) false)))"
            ),
        );
        let evidence = &folder.path("evidence");
        for engine in ["auto", "recmc", "bmc", "induction"] {
            if engine == "bmc" && status == 0 {
                continue;
            }
            let ran = suppose([
                "check",
                &file,
                "--engine",
                engine,
                "--certificate",
                evidence,
            ]);
            ran.ended(status, verdict);
            suppose(["certify", evidence, &file]).ended(status, verdict);
        }
    }
}

#[test]
fn numbers_over_the_limit_are_refused_before_any_work() {
    let folder = Folder::new();
    let long = "9".repeat(10_001);
    let text = format!("(declare-fun p (Int) Bool)(assert (p {long}))");
    let ran = suppose(["check", &in_folder(&folder, &text)]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("more than 10000 digits"),
        "{}",
        ran.stderr
    );
    // Forty of the longest numbers, multiplied.
    let mut product = "x".to_owned();
    for _ in 0..40 {
        product = format!("(* {} {product})", &long[1..]);
    }
    let text = format!("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p {product})))");
    let ran = suppose(["check", &in_folder(&folder, &text)]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("longer than 262144 bits"),
        "{}",
        ran.stderr
    );
}

/// Values that grow with every step: the run goes on as long as evidence can be written, and says why it ends.
#[test]
fn numbers_that_outgrow_the_limit_on_the_way_end_the_run_with_the_reason() {
    let folder = Folder::new();
    let long = "9".repeat(9_999);
    let mut text =
        String::from("(declare-fun p0 (Int) Bool)(assert (forall ((x Int)) (=> (> x 0) (p0 x))))");
    for i in 0..9 {
        let next = i + 1;
        text += &format!(
            "(declare-fun p{next} (Int) Bool)
             (assert (forall ((x Int)) (=> (p{i} x) (p{next} (* {long} x)))))"
        );
    }
    text += "(assert (forall ((x Int)) (=> (p9 x) false)))";
    let file = in_folder(&folder, &text);
    for engine in ["recmc", "bmc"] {
        let ran = suppose(["check", &file, "--engine", engine]);
        ran.ended(5, "unknown(unsupported)");
        assert!(
            ran.stdout.contains("longer than 262144 bits"),
            "{}",
            ran.stdout
        );
    }
}

/// Each predicate's solver once had room for the variables of all: 3 GiB.
#[test]
fn thousands_of_predicates_take_little_memory() {
    let folder = Folder::new();
    let n = 4_000;
    let all = "(x Int) (y Int) (z Int)";
    let mut text = String::from("(set-logic HORN)\n");
    for i in 0..n {
        text += &format!("(declare-fun P{i} (Int Int Int) Bool)\n");
    }
    text += &format!("(assert (forall ({all}) (=> (and (= x 0) (= y 0) (= z 0)) (P0 x y z))))\n");
    for i in 0..n - 1 {
        let (one, two, next) = (i % 7, i % 5, i + 1);
        text += &format!(
            "(assert (forall ({all} (x1 Int)) (=> (and (P{i} x y z) (or (and (< y {one}) (= x1 (+ x 1))) (and (>= y {two}) (= x1 (+ x 2))))) (P{next} x1 (+ y 1) z))))
(assert (forall ({all}) (=> (and (P{i} x y z) (< z 5)) (P{i} x y (+ z 1)))))\n"
        );
    }
    text += &format!(
        "(assert (forall ({all}) (=> (and (P{} x y z) (or (< x y) (> z 6))) false)))\n",
        n - 1
    );
    let file = in_folder(&folder, &text);
    suppose(["check", &file, "--memory", "1GiB"]).ended(0, "holds");
}

/// C programs of machine integers, as clauses, on which one question about integers was not decided, which ended the whole run. By all
/// 65,536 inputs they hold.
#[test]
fn a_question_that_is_hard_to_decide_does_not_end_the_run() {
    let folder = Folder::new();
    for text in [
        include_str!("../models/wraps-and-shifts.smt2"),
        include_str!("../models/wraps-in-a-switch.smt2"),
    ] {
        let file = in_folder(&folder, text);
        for engine in ["auto", "recmc"] {
            suppose(["check", &file, "--engine", engine]).ended(0, "holds");
        }
    }
}

#[test]
fn loop_counters_are_for_an_abstraction_of_linear_clauses() {
    let folder = Folder::new();
    let file = in_folder(&folder, HOLDS);
    let counting = |file: &str| {
        let options = ["--abstraction", "constraints", "--bounds", "counters"];
        suppose(["check", file].into_iter().chain(options))
    };
    let ran = counting(&file);
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("loop counters"), "{}", ran.stdout);
    counting(&in_folder(&folder, &violated())).ended(10, "violated(queries)");
    let ran = counting(&in_folder(&folder, ENDLESS));
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    let file = in_folder(&folder, HOLDS);
    let ran = suppose(["check", &file, "--bounds", "counters"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains("--abstraction"), "{}", ran.stderr);
}

#[test]
fn a_derivation_is_shown_step_by_step() {
    let folder = Folder::new();
    let file = in_folder(&folder, &violated());
    let ran = suppose(["check", &file, "--engine", "bmc"]);
    ran.ended(10, "violated(queries)");
    golden("horn-violated.txt", &steady(&ran.stdout));
}

#[test]
fn every_engine_agrees() {
    let folder = Folder::new();
    let (good, bad) = (
        folder.file("good.smt2", HOLDS),
        folder.file("bad.smt2", violated()),
    );
    for engine in ["auto", "recmc", "gpdr"] {
        suppose(["check", &good, "--engine", engine]).ended(0, "holds");
        suppose(["check", &bad, "--engine", engine]).ended(10, "violated(queries)");
    }
    for abstraction in ["none", "constraints", "variables"] {
        suppose(["check", &good, "--abstraction", abstraction]).ended(0, "holds");
        suppose(["check", &bad, "--abstraction", abstraction]).ended(10, "violated(queries)");
    }
    for order in ["top-down", "bottom-up"] {
        suppose(["check", &good, "--query-order", order]).ended(0, "holds");
        suppose(["check", &bad, "--query-order", order]).ended(10, "violated(queries)");
    }
}

#[test]
fn documents_fit_the_schema_and_repeat() {
    let folder = Folder::new();
    let (good, bad) = (
        folder.file("good.smt2", HOLDS),
        folder.file("bad.smt2", violated()),
    );
    for (file, verdict) in [(&good, "holds"), (&bad, "violated")] {
        let once = || {
            let ran = suppose(["check", file, "--engine", "recmc", "--format", "json"]);
            let mut document = ran.json();
            assert_eq!(validate(&document), Ok(()), "{document:#}");
            document["timing"] = Value::Null;
            document
        };
        let document = once();
        assert_eq!(document["verdict"], verdict);
        assert_eq!(document["horn"]["kind"], "clauses");
        assert_eq!(document["claims"][0]["kind"], "queries");
        assert_eq!(document["claims"][0]["evidence"]["status"], "accepted");
        assert_eq!(document, once());
    }
    let document = suppose(["check", &bad, "--format", "json"]).json();
    let steps = document["claims"][0]["counterexample"]["inferences"]
        .as_array()
        .unwrap();
    assert_eq!(steps.last().unwrap()["predicate"], Value::Null);
    assert_eq!(steps[0]["predicate"], "inv");
    assert_eq!(steps[0]["line"], 3);
}

#[test]
fn evidence_goes_round_and_damage_is_noticed() {
    let folder = Folder::new();
    for (text, status, last) in [
        (HOLDS.to_owned(), 0, "holds"),
        (violated(), 10, "violated(queries)"),
    ] {
        let file = in_folder(&folder, &text);
        let evidence = folder.path("it.cert");
        suppose(["check", &file, "--certificate", &evidence]).ended(status, last);
        let ran = suppose(["certify", &evidence, &file]);
        ran.ended(status, last);
        assert!(ran.stdout.contains("accepted"), "{ran:#?}");
        let document = suppose(["certify", &evidence, &file, "--format", "json"]).json();
        assert_eq!(document["accepted"], true);
        let other = folder.file("other.smt2", text.replace("(= y 5)", "(= y 6)"));
        suppose(["certify", &evidence, &other]).ended(4, "unknown(certificate rejected)");
        let written = std::fs::read_to_string(&evidence).unwrap();
        let cut = folder.file("cut.cert", &written[..written.len() / 2]);
        suppose(["certify", &cut, &file]).ended(4, "unknown(certificate rejected)");
    }
}

/// Every number of a certificate is changed in turn. What is still accepted must still say the same.
#[test]
fn no_change_of_a_number_makes_wrong_evidence_pass() {
    let folder = Folder::new();
    let file = in_folder(&folder, &violated());
    let evidence = folder.path("it.cert");
    suppose([
        "check",
        &file,
        "--engine",
        "bmc",
        "--certificate",
        &evidence,
    ])
    .ended(10, "violated(queries)");
    let written = std::fs::read_to_string(&evidence).unwrap();
    let steps = written.find("\"steps\"").unwrap();
    let mut rejected = 0;
    for (at, c) in written.char_indices().filter(|(at, _)| *at > steps) {
        if !c.is_ascii_digit() {
            continue;
        }
        let other = if c == '9' { "8" } else { "9" };
        let changed = format!("{}{other}{}", &written[..at], &written[at + 1..]);
        let changed = folder.file("changed.cert", changed);
        let ran = suppose(["certify", &changed, &file]);
        assert!(matches!(ran.status, 4 | 10), "{ran:#?}");
        rejected += usize::from(ran.status == 4);
    }
    assert!(rejected > 10, "{rejected}");
}

#[test]
fn definitions_are_written_for_other_solvers() {
    let folder = Folder::new();
    let file = in_folder(&folder, HOLDS);
    let defs = folder.path("defs.smt2");
    suppose(["check", &file, "--definitions", &defs]).ended(0, "holds");
    let text = std::fs::read_to_string(&defs).unwrap();
    assert!(text.starts_with("(define-fun inv ("), "{text}");
    let none = folder.path("none.smt2");
    let bad = folder.file("bad.smt2", violated());
    suppose(["check", &bad, "--definitions", &none]).ended(10, "violated(queries)");
    assert!(!std::path::Path::new(&none).exists());
}

/// The solvers that `scripts/test.sh` installs.
fn tools() -> PathBuf {
    root().join(".test-tools/bin")
}

#[test]
fn other_solvers_confirm_every_clause() {
    let folder = Folder::new();
    let file = in_folder(&folder, HOLDS);
    for solver in ["z3", "cvc5"] {
        if !tools().join(solver).is_file() {
            let ran = suppose(["check", &file, "--certify-with", solver]);
            ran.refused(1, "on the PATH");
            continue;
        }
        let ran: Ran = program()
            .env("PATH", format!("{}:/usr/bin:/bin", tools().display()))
            .args(["check", &file, "--certify-with", solver])
            .output()
            .unwrap()
            .into();
        ran.ended(0, "holds");
        let line = format!("{solver} confirms 3 of 3 clauses");
        assert!(ran.stdout.contains(&line), "{ran:#?}");
    }
    suppose(["check", &file, "--certify-with", "yices"]).refused(1, "unknown solver");
    suppose(["check", &file, "--certify-with", "z3"]).refused(1, "no `z3` on the PATH");
}

/// A run with these folders, and the system's, on the PATH.
fn with_tools(folder: &std::path::Path, arguments: &[&str]) -> Ran {
    program()
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .args(arguments)
        .output()
        .unwrap()
        .into()
}

#[test]
fn other_solvers_answer_the_search() {
    let folder = Folder::new();
    let file = in_folder(&folder, HOLDS);
    let bad = folder.file("bad.smt2", violated());
    for solver in ["z3", "cvc5"] {
        let ask = ["check", &file, "--solver", solver];
        if !tools().join(solver).is_file() {
            suppose(ask).refused(1, "on the PATH");
            continue;
        }
        let ran = with_tools(&tools(), &ask);
        ran.ended(0, "holds");
        let line = format!("recmc with {solver}");
        assert!(ran.stdout.contains(&line), "{ran:#?}");
        assert!(ran.stdout.contains("certificate    accepted"), "{ran:#?}");
        let ran = with_tools(&tools(), &["check", &bad, "--solver", solver]);
        ran.ended(10, "violated(queries)");
        let gpdr = ["check", &bad, "--solver", solver, "--engine", "gpdr"];
        let ran = with_tools(&tools(), &gpdr);
        ran.ended(10, "violated(queries)");
        let line = format!("gpdr with {solver}");
        assert!(ran.stdout.contains(&line), "{ran:#?}");
    }
    suppose(["check", &file, "--solver", "own"]).ended(0, "holds");
    suppose(["check", &file, "--solver", "z3"]).refused(1, "no `z3` on the PATH");
}

/// Whatever stands in for a solver, there is no wrong verdict, with or without a look at the evidence.
#[test]
fn a_solver_that_fails_gives_no_verdict() {
    use std::os::unix::fs::PermissionsExt;

    // Answers everything with those words, as a solver would that is wrong.
    let liar = |check: &str, rest: &str| {
        format!(
            "while read -r line; do case $line in *echo*) echo \"${{line#*echo }}\" | tr -d ')';; \
             *check-sat*) echo {check};; *get-*) echo '{rest}';; esac; done"
        )
    };
    let scripts = [
        ("quits", "exit 0".to_owned(), "ended without an answer"),
        ("garbage", "echo '?'; exit 1".to_owned(), "answered `?`"),
        ("unsat", liar("unsat", "()"), "exceeded the bounds"),
        ("sat", liar("sat", "((v0 true))"), "answered `((v0 true))`"),
        ("unknown", liar("unknown", ""), "did not decide"),
    ];
    let folder = Folder::new();
    let file = folder.file("bad.smt2", violated());
    // All are written before any is run: one that is being written cannot be.
    let silent = ("silent", "exec sleep 1000".to_owned(), "");
    for (name, text, _) in scripts.iter().chain([&silent]) {
        let bin = PathBuf::from(folder.path(name));
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("z3"), format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(bin.join("z3"), PermissionsExt::from_mode(0o755)).unwrap();
    }
    for (name, _, why) in &scripts {
        for more in [None, Some("--no-certify")] {
            let mut arguments = vec!["check", &file, "--solver", "z3"];
            arguments.extend(more);
            let ran = with_tools(folder.path(name).as_ref(), &arguments);
            ran.ended(5, "unknown(unsupported)");
            assert!(ran.stdout.contains(why), "{name}: {ran:#?}");
        }
    }
    let limited = ["check", &file, "--solver", "z3", "--timeout", "300ms"];
    with_tools(folder.path("silent").as_ref(), &limited).ended(3, "unknown(timeout)");
}

#[test]
fn the_page_has_definitions_and_steps() {
    let folder = Folder::new();
    let page = folder.path("out.html");
    let file = in_folder(&folder, &HOLDS.replace("inv", "|a<b>|"));
    suppose(["report", &file, "-o", &page]).ended(0, "holds");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("Definitions") && text.contains("a&lt;b&gt;("));
    assert!(!text.contains("a<b>"));
    let bad = folder.file("bad.smt2", violated());
    suppose(["report", &bad, "-o", &page]).ended(10, "violated(queries)");
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .contains("Counterexample")
    );
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let file = in_folder(&folder, HOLDS);
    let model = crate::support::channel();
    for (arguments, message) in [
        (
            vec!["check", &file, "--trail", "t"],
            "--trail is for PROMELA",
        ),
        (vec!["check", &file, "--wrap"], "--wrap is for C"),
        (
            vec!["check", &file, "--witness", "w.yml"],
            "--witness is for C",
        ),
        (
            vec!["check", &file, "--engine", "agar"],
            "the engine `agar` is for",
        ),
        (
            vec!["check", &file, "--component", "P"],
            "--component is for",
        ),
        (vec!["check", &file, "--split", "A/B"], "--split is for"),
        (vec!["check", &file, "--deadlock"], "--deadlock is for"),
        (vec!["check", &file, "--set", "N=3"], "--set is for"),
        (vec!["check", &file, "--property", "p"], "no property `p`"),
        (
            vec![
                "check",
                &file,
                "--engine",
                "bmc",
                "--abstraction",
                "variables",
            ],
            "for the engine `recmc`",
        ),
        (
            vec!["check", &model, "--engine", "recmc"],
            "is for Horn clauses",
        ),
        (
            vec!["check", &model, "--definitions", "d"],
            "--definitions is for Horn",
        ),
        (
            vec!["check", &model, "--abstraction", "none"],
            "--abstraction is for Horn",
        ),
        (vec!["check", &model, "--wrap"], "--wrap is for C"),
        (
            vec!["check", &model, "--solver", "own"],
            "--solver is for Horn",
        ),
        (
            vec!["check", &file, "--engine", "bmc", "--solver", "z3"],
            "for the engines `recmc` and `gpdr`",
        ),
        (
            vec![
                "check",
                &file,
                "--abstraction",
                "variables",
                "--solver",
                "cvc5",
            ],
            "for the engines `recmc` and `gpdr`",
        ),
        (
            vec!["assume", &model, "--engine", "recmc"],
            "is for Horn clauses",
        ),
    ] {
        suppose(arguments).refused(1, message);
    }
    suppose(["assume", &file]).refused(1, "`suppose assume` is for");
    suppose(["check", &file, "--property", "queries"]).ended(0, "holds");
}

#[test]
fn bad_clauses_are_refused_with_their_place() {
    let folder = Folder::new();
    for (text, message) in [
        ("(assert (p 1))", "clauses.smt2:1:"),
        (
            "(declare-fun p (Int) Bool)\n(assert (p 1 2))",
            "clauses.smt2:2:",
        ),
        (
            "(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (p x)",
            "clauses.smt2:",
        ),
        ("(declare-fun p (String) Bool)", "clauses.smt2:1:"),
    ] {
        let file = in_folder(&folder, text);
        suppose(["check", &file]).refused(2, message);
        let document = suppose(["check", &file, "--format", "json"]).json();
        assert_eq!(document["exit_status"], 2);
    }
    suppose(["check", &folder.path("none.smt2")]).refused(2, "there is no file");
    let aimless = "(declare-fun p (Int) Bool)\n(assert (p 1))\n";
    let ran = suppose(["check", &in_folder(&folder, aimless)]);
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("warning"), "{ran:#?}");
}

/// There is no verdict, but it is known how far there is no derivation.
fn told(ran: &Ran, last_line: &str) {
    assert_eq!(ran.status, 3, "{ran:#?}");
    let document = ran.json();
    assert_eq!(validate(&document), Ok(()), "{document:#}");
    assert_eq!(document["last_line"], last_line);
    let effort = &document["claims"][0]["effort"];
    assert!(effort["bound"].is_u64(), "{document:#}");
}

#[test]
fn limits_leave_a_bound() {
    let folder = Folder::new();
    let file = in_folder(&folder, ENDLESS);
    for engine in ["auto", "recmc", "gpdr"] {
        let limit = ["--timeout", "2s", "--format", "json"];
        let ran = suppose(["check", &file, "--engine", engine].iter().chain(&limit));
        told(&ran, "unknown(timeout)");
    }
    let ran = suppose(["check", &file, "--timeout", "2s"]);
    ran.ended(3, "unknown(timeout)");
    assert!(
        ran.stdout.contains("no derivation up to depth"),
        "{}",
        ran.stdout
    );
}

#[test]
fn ctrl_c_leaves_a_bound() {
    let folder = Folder::new();
    let file = in_folder(&folder, ENDLESS);
    let ran = crate::limits::interrupted(&["check", &file]);
    ran.ended(3, "unknown(interrupted)");
    assert!(
        ran.stdout.contains("reason         interrupted"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_memory_limit_is_kept() {
    let folder = Folder::new();
    let file = in_folder(&folder, ENDLESS);
    let ran = suppose(["check", &file, "--memory", "9MiB", "--timeout", "60s"]);
    ran.ended(3, "unknown(memory)");
}

/// What is not decided yet, and may not be wrong.
const HARD: &[&str] = &[];

#[derive(Deserialize)]
struct Table {
    check: Vec<Check>,
}

#[derive(Deserialize)]
struct Check {
    file: String,
    verdict: String,
}

#[test]
fn examples_are_judged_as_expected() {
    let folder = root().join("examples/horn");
    let text = std::fs::read_to_string(folder.join("expected.toml")).unwrap();
    let table: Table = toml::from_str(&text).unwrap();
    assert!(table.check.len() >= 20);
    for check in &table.check {
        let file = folder.join(&check.file).display().to_string();
        let hard = HARD.contains(&check.file.as_str());
        let limit = if hard { "2s" } else { "120s" };
        let ran = suppose(["check", &file, "--timeout", limit, "--format", "json"]);
        let document = ran.json();
        assert_eq!(validate(&document), Ok(()), "{file}");
        if hard && document["verdict"] == "unknown" {
            continue;
        }
        assert_eq!(
            document["verdict"],
            check.verdict.as_str(),
            "{file}: {document:#}"
        );
        assert_eq!(
            document["claims"][0]["evidence"]["status"], "accepted",
            "{file}"
        );
    }
}
