//! PROMELA programs from outside: verdicts as SPIN gives them, runs in the program's lines.

use serde_json::Value;
use suppose_testkit::promela::expected::{Check, checks};

use crate::support::{Folder, Ran, golden, program, root, suppose};
use crate::validate::validate;

/// Larger models take too long for a test.
const STATES: u64 = 30_000;

fn model(path: &str) -> String {
    root()
        .join("examples/promela")
        .join(path)
        .display()
        .to_string()
}

fn run(check: &Check, more: &[&str]) -> Ran {
    let mut arguments = vec!["check".to_owned(), check.path().display().to_string()];
    for (name, value) in &check.set {
        arguments.extend(["--set".to_owned(), format!("{name}={value}")]);
    }
    arguments.extend(["--format", "json", "--memory", "2GiB"].map(str::to_owned));
    arguments.extend(more.iter().map(|s| (*s).to_owned()));
    suppose(&arguments)
}

/// What is asked, in our words, and the verdict; none for what we do not decide.
fn wanted(check: &Check) -> Vec<(String, Option<String>)> {
    let fails = |name: &str| check.verdicts.get(name).is_some_and(|v| v == "violated");
    let broken = fails("error");
    let mut wanted = Vec::new();
    for (name, verdict) in &check.verdicts {
        let verdict = Some(verdict.clone());
        match name.as_str() {
            "assertion" | "assertions" | "error" => wanted.push(("assertions".to_owned(), verdict)),
            // SPIN goes on behind an index out of range with what happens to be there; here the run is over.
            "end-state" | "end-states" if broken => {}
            "end-state" | "end-states" => wanted.push(("end-states".to_owned(), verdict)),
            "trace" if check.file.starts_with("notrace") => {
                wanted.push(("notrace".to_owned(), verdict));
            }
            _ => wanted.push((name.clone(), verdict)),
        }
    }
    wanted
}

#[track_caller]
fn verify(check: &Check) {
    let ran = run(check, &["--timeout", "120s"]);
    let document = ran.json();
    let what = format!("{} {:?}", check.file, check.set);
    assert!(!matches!(ran.status, 1 | 4 | 6), "{what}: {ran:#?}");
    if check.refused || document["schema"] == "suppose-error" {
        let c_code = check.file.starts_with("c-");
        assert!(check.refused || c_code, "{what}: {ran:#?}");
        return;
    }
    assert_eq!(validate(&document), Ok(()), "{what}");
    let undecided = document["undecided"].as_array().unwrap();
    let claims = document["claims"].as_array().unwrap();
    for (name, verdict) in wanted(check) {
        let Some(claim) = claims.iter().find(|c| c["name"] == name.as_str()) else {
            let named = undecided.iter().any(|u| u["name"] == name.as_str());
            assert!(named, "{what}: nothing is said of {name}");
            continue;
        };
        assert_eq!(
            claim["verdict"].as_str(),
            verdict.as_deref(),
            "{what}: {name}"
        );
        if claim["verdict"] == "violated" {
            assert_eq!(claim["evidence"]["status"], "accepted", "{what}: {name}");
        }
    }
}

#[test]
fn constructs_are_judged_as_spin_judges_them() {
    let mut checks = checks();
    checks.retain(Check::is_construct);
    assert!(checks.len() > 100);
    checks.iter().for_each(verify);
}

#[test]
fn families_are_judged_as_spin_judges_them() {
    let mut count = 0;
    let family = |c: &&Check| !c.is_construct() && c.is_up_to(STATES);
    for check in checks().iter().filter(family) {
        verify(check);
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn engines_on_parts_agree_where_they_decide() {
    let (checks, mut decided) = (checks(), 0);
    for name in ["sliding-window", "workflow", "alternating-bit", "peterson"] {
        let small = |c: &&Check| c.folder.ends_with(name) && c.is_up_to(6_000);
        for check in checks.iter().filter(small).take(3) {
            for engine in ["quotient", "agar", "learn"] {
                let more = [
                    "--engine",
                    engine,
                    "--property",
                    "assertions",
                    "--timeout",
                    "5s",
                ];
                let document = run(check, &more).json();
                assert_eq!(validate(&document), Ok(()), "{name} by {engine}");
                let claim = &document["claims"][0];
                let what = format!("{name} {:?} by {engine}", check.set);
                let expected = wanted(check).into_iter().find(|w| w.0 == "assertions");
                if claim["verdict"] == "unknown" {
                    continue;
                }
                assert_eq!(
                    claim["verdict"].as_str(),
                    expected.unwrap().1.as_deref(),
                    "{what}"
                );
                assert_eq!(claim["evidence"]["status"], "accepted", "{what}");
                decided += 1;
            }
        }
    }
    assert!(decided > 12, "{decided}");
}

/// Times and memory differ from run to run: their lines are left out.
fn without_times(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|l| !l.trim_start().starts_with("time "));
    lines.map(|l| format!("{l}\n")).collect()
}

fn printed(arguments: &[&str]) -> String {
    let output = program().current_dir(root()).args(arguments).output();
    without_times(&Ran::from(output.unwrap()).stdout)
}

#[test]
fn the_text_is_as_it_was_approved() {
    let window = "examples/promela/sliding-window/sliding-window.pml";
    let holds = [
        "check",
        window,
        "--engine",
        "quotient",
        "--component",
        "Sender",
        "-p",
        "assertions",
    ];
    golden("promela-holds.txt", &printed(&holds));
    let bits = "examples/promela/alternating-bit/alternating-bit.pml";
    let violated = [
        "check",
        bits,
        "--set",
        "BROKEN=1",
        "--engine",
        "monolithic",
        "-p",
        "assertions",
    ];
    let text = printed(&violated);
    let run: String = text
        .lines()
        .filter(|l| !l.contains("explored") && !l.contains("search "))
        .map(|l| format!("{l}\n"))
        .collect();
    golden("promela-violated.txt", &run);
}

#[test]
fn questions_are_chosen_by_name() {
    let file = model("constructs/ltl-two.pml");
    let names = |more: &[&str]| -> Vec<String> {
        let all = [&["check", &file, "--format", "json"], more].concat();
        let document = suppose(&all).json();
        let claims = document["claims"].as_array().unwrap().iter();
        claims
            .map(|c| c["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = names(&[]);
    assert_eq!(all[..2], ["assertions", "end-states"]);
    assert_eq!(all.len(), 4);
    assert_eq!(names(&["-p", "assertions"]), ["assertions"]);
    assert_eq!(names(&["-p", &all[2]]), [all[2].as_str()]);
    assert_eq!(names(&["--deadlock"]), ["end-states"]);
    assert!(!names(&["--no-deadlock"]).contains(&"end-states".to_owned()));
    suppose(["check", &file, "-p", "nothing"]).refused(1, "assertions, end-states");
}

const RACE: &str = "\
byte x;
chan c = [1] of { byte };
active proctype A() {
    c!7;
    x = x + 1
}
active proctype B() {
    byte y;
    c?y;
    assert(x == 0)
}
";

#[test]
fn a_run_is_told_in_the_programs_lines() {
    let folder = Folder::new();
    let file = folder.file("race.pml", RACE);
    let document = suppose(["check", &file, "--format", "json", "-p", "assertions"]).json();
    let run = &document["claims"][0]["counterexample"];
    let rows = run["rows"].as_array().unwrap();
    let row = |statement: &str| -> &Value {
        let is_it = |r: &&Value| r["statement"].as_str().unwrap().contains(statement);
        rows.iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("no {statement} in {run:#}"))
    };
    let sent = row("c!7");
    assert_eq!(
        (sent["line"].as_u64(), sent["name"].as_str()),
        (Some(4), Some("A[0]"))
    );
    assert_eq!(sent["message"]["kind"], "send");
    assert_eq!(sent["changes"][0]["to"], "<7>");
    let taken = row("c?y");
    assert_eq!(taken["message"]["sent_in"], sent["step"]);
    assert_eq!(taken["changes"][0]["name"], "y");
    assert_eq!(row("x = x + 1")["changes"][0]["to"], "1");
    assert!(
        run["ending"].as_str().unwrap().contains("race.pml:10"),
        "{run:#}"
    );
    let page = folder.path("race.html");
    suppose(["report", &file, "-o", &page]).ended(10, "violated(assertions)");
    let page = std::fs::read_to_string(page).unwrap();
    for part in ["Message chart", "race.pml:10", "<polygon", "What changes"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn long_runs_are_cut_unless_asked_for() {
    let folder = Folder::new();
    let text =
        "active proctype P() { byte n; do :: n < 200 -> n++ :: else -> break od; assert(false) }";
    let file = folder.file("long.pml", text);
    let cut = suppose(["check", &file]);
    assert!(cut.stdout.contains("more rows: --full"), "{cut:#?}");
    let whole = suppose(["check", &file, "--full"]);
    assert!(!whole.stdout.contains("more rows"));
    assert!(whole.stdout.lines().count() > 400);
}

#[test]
fn the_same_run_gives_the_same_document() {
    for engine in ["auto", "monolithic", "quotient", "agar", "learn"] {
        let run = || -> Value {
            let file = model("sliding-window/sliding-window.pml");
            let mut document =
                suppose(["check", &file, "--engine", engine, "--format", "json"]).json();
            document["timing"] = Value::Null;
            document
        };
        assert_eq!(run(), run(), "{engine}");
    }
}

#[test]
fn the_requirement_of_a_process_is_shown_and_written() {
    let folder = Folder::new();
    let file = model("sliding-window/sliding-window.pml");
    let output = folder.path("sender.aut");
    for name in ["Sender", "Sender[0]"] {
        let arguments = [
            "assume",
            &file,
            "--component",
            name,
            "--output",
            &output,
            "--format",
            "json",
        ];
        let document = suppose(arguments).json();
        let claim = &document["claims"][0];
        assert_eq!(claim["engine"]["name"], "quotient");
        assert_eq!(claim["evidence"]["status"], "accepted");
        let assumption = &claim["assumptions"][0];
        assert!(assumption["states"].as_u64().unwrap() <= 6, "{assumption}");
        let labels = assumption["alphabet"].as_array().unwrap();
        assert!(labels.iter().any(|l| l == "given = true"), "{assumption}");
        assert!(
            std::fs::read_to_string(&output)
                .unwrap()
                .starts_with("des (")
        );
    }
    suppose(["assume", &file, "--component", "Sender[1]"]).refused(1, "Sender, Receiver");
    let timeout = model("constructs/timeout.pml");
    let ran = suppose(["assume", &timeout]);
    ran.ended(5, "unknown(unsupported)");
    assert!(ran.stdout.contains("cannot be decomposed"), "{ran:#?}");
}

#[test]
fn other_commands_work_on_the_parts() {
    let folder = Folder::new();
    let file = model("sliding-window/sliding-window.pml");
    let out = folder.path("network.json");
    assert_eq!(suppose(["convert", &file, &out]).status, 0);
    suppose(["check", &out, "--no-deadlock"]).ended(0, "holds");
    let drawn = suppose(["draw", &file]);
    assert!(
        drawn.status == 0 && drawn.stdout.contains("Sender"),
        "{drawn:#?}"
    );
    let cert = folder.path("window.cert");
    let arguments = [
        "check",
        &file,
        "-p",
        "assertions",
        "--engine",
        "quotient",
        "--certificate",
        &cert,
    ];
    suppose(arguments).ended(0, "holds");
    suppose(["certify", &cert, &file]).ended(0, "holds");
    suppose(["certify", &cert, &file, "--set", "W=0"]).ended(4, "unknown(certificate rejected)");
    let timeout = model("constructs/timeout.pml");
    suppose(["draw", &timeout]).refused(2, "cannot be decomposed");
}

#[test]
fn claims_come_from_a_file_of_their_own() {
    let folder = Folder::new();
    let file = folder.file("m.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\n");
    let low = folder.file("low.ltl", "ltl low { [] (x < 2) }\n");
    let high = folder.file("high.never", "never { do :: x > 5 -> break :: else od }\n");
    let ran = suppose(["check", &file, "--property-file", &low]);
    ran.ended(10, "violated(low)");
    assert!(ran.stdout.contains("low.ltl:1"), "{ran:#?}");
    suppose(["check", &file, "--property-file", &high]).ended(0, "holds");
    let typo = folder.file("typo.ltl", "ltl low { [] (y < 2) }\n");
    suppose(["check", &file, "--property-file", &typo]).refused(2, "typo.ltl");
    let aut = folder.file("p.aut", "des (0, 0, 1)\n");
    suppose(["check", &file, "--property-file", &aut]).refused(2, "not a PROMELA claim");
}

#[test]
fn files_are_included_from_the_models_folder_only() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("models")).unwrap();
    folder.file("outside.h", "byte x;\n");
    folder.file("models/inside.h", "byte x;\n");
    let good = folder.file(
        "models/good.pml",
        "#include \"inside.h\"\nactive proctype P() { x = 1 }\n",
    );
    suppose(["check", &good]).ended(0, "holds");
    let outside = folder.path("outside.h");
    for name in ["../outside.h", outside.as_str(), "/etc/passwd", "none.h"] {
        let text = format!("#include \"{name}\"\nactive proctype P() {{ skip }}\n");
        let bad = folder.file("models/bad.pml", text);
        let ran = suppose(["check", &bad]);
        ran.refused(2, "bad.pml:1");
        assert!(!ran.stderr.contains("root:"), "{ran:#?}");
    }
    let link = folder.path("models/link.h");
    std::os::unix::fs::symlink(&outside, link).unwrap();
    let bad = folder.file(
        "models/bad.pml",
        "#include \"link.h\"\nactive proctype P() { skip }\n",
    );
    suppose(["check", &bad]).refused(2, "outside the model's folder");
}

#[test]
fn mistakes_have_their_status() {
    let folder = Folder::new();
    suppose(["check", &folder.file("empty.pml", "")]).refused(2, "error");
    suppose([
        "check",
        &folder.file("typo.pml", "active proctype P() {\n  y = 1\n}\n"),
    ])
    .refused(2, "typo.pml:2");
    suppose([
        "check",
        &folder.file("brace.pml", "active proctype P() { do :: skip"),
    ])
    .refused(2, "brace.pml");
    let race = folder.file("race.pml", RACE);
    suppose(["check", &race, "--system", "S"]).refused(1, "--system is for FSP");
    suppose(["check", &race, "--engine", "agar", "--component", "A"]).refused(1, "quotient");
    suppose(["check", &race, "--component", "Z"]).refused(1, "the processes are");
    suppose(["assume", &race, "--engine", "monolithic"])
        .refused(1, "`monolithic` is not for `suppose assume`");
    suppose(["check", &race, "--compaction", "7"]).refused(1, "--compaction");
}

/// Too many states for a second.
const WIDE: &str = "\
#define N 200
active [9] proctype P() { byte n; do :: n < N -> n++ :: n > 0 -> n-- od }
byte x;
active proctype Q() { do :: x++ od }
";

#[test]
fn limits_leave_what_was_explored() {
    let folder = Folder::new();
    let file = folder.file("wide.pml", WIDE);
    let limits: [[&str; 2]; 2] = [["--timeout", "1s"], ["--memory", "60MiB"]];
    for [option, value] in limits {
        let arguments = [
            "check",
            &file,
            option,
            value,
            "--engine",
            "monolithic",
            "--no-reduction",
            "--format",
            "json",
        ];
        let ran = suppose(arguments);
        assert_eq!(ran.status, 3, "{ran:#?}");
        let claim = &ran.json()["claims"][0];
        assert_eq!(claim["verdict"], "unknown");
        assert!(claim["states"].as_u64().unwrap() > 0, "{option}: {claim}");
    }
}

/// More states than are checked unless asked for.
const COUNTERS: &str = "byte a, b, c;
active proctype A() { do :: a < 15 -> a++ :: a > 0 -> a-- od }
active proctype B() { do :: b < 15 -> b++ :: b > 0 -> b-- od }
active proctype C() { do :: c < 7 -> c++ :: c > 0 -> assert(a < 50); c-- od }
";

#[test]
fn all_states_of_a_large_search_are_checked_when_asked_for() {
    let folder = Folder::new();
    let file = folder.file("counters.pml", COUNTERS);
    let path = folder.path("all.cert");
    let status = |more: &[&str]| {
        let all = ["check", &file, "-p", "assertions", "--format", "json"];
        let ran = suppose([&all[..], more].concat());
        let document = ran.json();
        assert_eq!((ran.status, &document["last_line"]), (0, &"holds".into()));
        let evidence = &document["claims"][0]["evidence"];
        evidence["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status(&[]), "not checked");
    assert_eq!(status(&["--no-certify"]), "not checked");
    assert_eq!(status(&["--recheck"]), "accepted");
    assert_eq!(status(&["--certificate", &path]), "accepted");
    let again = suppose(["certify", &path, &file]);
    again.ended(0, "holds");
    assert!(
        again.stdout.contains("for assertions: accepted"),
        "{again:#?}"
    );
}

#[test]
fn all_states_of_a_program_are_a_certificate() {
    let folder = Folder::new();
    let path = folder.path("all.cert");
    let file = model("alternating-bit/alternating-bit.pml");
    let all = [
        "check",
        &file,
        "--engine",
        "monolithic",
        "--certificate",
        &path,
    ];
    let ran = suppose(all);
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("none is wrong: accepted"), "{ran:#?}");
    let again = suppose(["certify", &path, &file]);
    again.ended(0, "holds");
    for question in ["assertions", "end-states"] {
        let line = format!("certificate for {question}: accepted (");
        assert!(again.stdout.contains(&line), "{again:#?}");
    }
    // Of this model, and of no other.
    let other = model("bakery/bakery.pml");
    suppose(["certify", &path, &other]).ended(4, "unknown(certificate rejected)");
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.find("\"blocks\":[").unwrap() + 200;
    let other = if &text[at..=at] == "B" { "C" } else { "B" };
    let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
    let changed = folder.file("changed.cert", changed);
    suppose(["certify", &changed, &file]).ended(4, "unknown(certificate rejected)");
}

#[test]
fn a_limit_while_a_program_is_taken_apart_is_a_limit() {
    let model = model("elevator/elevator.pml");
    let arguments = ["check", &model, "--set", "N=8", "--engine", "quotient"];
    let more = ["-p", "assertions", "--timeout", "50ms"];
    let ran = suppose(arguments.iter().chain(&more));
    ran.ended(3, "unknown(timeout)");
    assert!(!ran.stdout.contains("cannot be decomposed"), "{ran:#?}");
}

#[test]
fn a_search_that_did_not_end_is_not_said_to_be_small() {
    let model = model("bakery/bakery.pml");
    let ran = suppose(["check", &model, "--set", "N=5", "--timeout", "200ms"]);
    ran.ended(3, "unknown(timeout)");
    assert!(!ran.stdout.contains("few enough"), "{ran:#?}");
}

#[test]
fn a_d_step_that_is_not_followed_gives_no_verdict_and_a_whole_page() {
    let folder = Folder::new();
    let long = "active proctype P() { int i; d_step { for (i : 1 .. 2000000000) { skip } } }\n";
    let endless = "active proctype P() { d_step { do :: true od } }\n";
    for (name, text, status, last) in [
        ("long.pml", long, 5, "unknown(unsupported)"),
        ("endless.pml", endless, 10, "violated(assertions)"),
    ] {
        let file = folder.file(name, text);
        let page = folder.path(&format!("{name}.html"));
        let ran = suppose(["check", &file, "--timeout", "60s", "--report", &page]);
        ran.ended(status, last);
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.trim_end().ends_with("</html>"), "{name}");
        assert!(page.len() < 1 << 20, "{name}: {} bytes", page.len());
    }
}

/// A process that stops after 400 steps, beside others that can go on for long.
const DEEP: &str = "\
byte a, b, c; int n;
active proctype A() { do :: n < 400 -> a = (a + 1) % 50 :: n >= 400 -> break od }
active proctype B() { do :: n < 400 -> b = (b + 1) % 50 :: n >= 400 -> break od }
active proctype C() { do :: n < 400 -> c = (c + 1) % 50 :: n >= 400 -> break od }
active proctype D() { do :: n < 400 -> n++ :: n == 400 -> break od; a == 99 }
";

#[test]
fn a_violation_far_from_the_start_is_found_among_many_states() {
    let folder = Folder::new();
    let file = folder.file("deep.pml", DEEP);
    let ran = suppose(["check", &file, "--first", "--timeout", "60s"]);
    ran.ended(10, "violated(end-states)");
    assert!(ran.stdout.contains("assertions: holds"), "{ran:#?}");
    assert!(
        ran.stdout.contains("no statement that can fail"),
        "{ran:#?}"
    );
}

#[test]
fn the_first_violation_is_enough_if_asked_for() {
    let folder = Folder::new();
    let text =
        "byte x; active proctype P() { x = 1; assert(x == 0) } active proctype Q() { x == 5 }\n";
    let file = folder.file("both.pml", text);
    let verdicts = |more: &[&str]| {
        let all = [&["check", &file, "--format", "json"], more].concat();
        let ran = suppose(&all);
        assert_eq!(ran.status, 10, "{ran:#?}");
        let claims = ran.json()["claims"].clone();
        let verdict = |n: usize| claims[n]["verdict"].as_str().unwrap().to_owned();
        [verdict(0), verdict(1)]
    };
    assert_eq!(verdicts(&[]), ["violated", "violated"]);
    for more in [&["--first"][..], &["--first", "--engine", "monolithic"]] {
        let mut all = verdicts(more);
        all.sort();
        assert_eq!(all, ["unknown", "violated"], "{more:?}");
    }
}

#[test]
fn a_run_is_the_shortest_though_another_one_is_found_first() {
    let folder = Folder::new();
    let text =
        "int x; active proctype P() { do :: x < 300 -> x++ :: assert(x != 7 && x != 250) od }\n";
    let file = folder.file("short.pml", text);
    let ran = suppose(["check", &file, "-p", "assertions"]);
    ran.ended(10, "violated(assertions)");
    assert!(ran.stdout.contains("counterexample 15 steps"), "{ran:#?}");
}
