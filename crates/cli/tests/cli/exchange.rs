//! Results for other programs: SARIF, JUnit XML and annotations of GitHub.

use serde_json::Value;

use crate::support::{Folder, Ran, program};

const HOSTILE: &str = "a,b:%0A\n::error::'\"<&>.lts";

fn models() -> Folder {
    let folder = Folder::new();
    folder.file(
        HOSTILE,
        "P = (a -> b -> P).\nproperty SAFE = (b -> a -> SAFE).\n||S = (P || SAFE).\n",
    );
    folder.file(
        "b.pml",
        "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 2)\n}\n",
    );
    folder.file("c.smv", "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nINVARSPEC NAME small := x < 3;\nINVARSPEC NAME fine := x < 4;\n");
    folder.file("d.lts", "P = (a ->\n");
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let output = program()
        .current_dir(folder.path(""))
        .args(arguments)
        .output();
    output.unwrap().into()
}

fn document(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.path(name)).unwrap()).unwrap()
}

#[test]
fn all_models_are_in_each_file() {
    let folder = models();
    let ran = run(
        &folder,
        &[
            "check", ".", "-j2", "--sarif", "r.sarif", "--junit", "r.xml", "--github",
        ],
    );
    assert_eq!(ran.status, 10, "{ran:#?}");
    let run_of = &document(&folder, "r.sarif")["runs"][0];
    let results = run_of["results"].as_array().unwrap();
    let seen: Vec<(String, u64, usize)> = results
        .iter()
        .map(|r| {
            let at = &r["locations"][0]["physicalLocation"];
            let uri = at["artifactLocation"]["uri"].as_str().unwrap().to_owned();
            let steps = &r["codeFlows"][0]["threadFlows"][0]["locations"];
            (
                uri,
                at["region"]["startLine"].as_u64().unwrap(),
                steps.as_array().unwrap().len(),
            )
        })
        .collect();
    let name = "a%2Cb%3A%250A%0A%3A%3Aerror%3A%3A%27%22%3C%26%3E.lts".to_owned();
    assert_eq!(
        seen,
        [
            (name, 2, 1),
            ("b.pml".to_owned(), 4, 2),
            ("c.smv".to_owned(), 4, 4)
        ]
    );
    assert_eq!(run_of["invocations"][0]["exitCode"], 10);
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(
        xml.contains("tests=\"7\" failures=\"3\" errors=\"1\" skipped=\"0\""),
        "{xml}"
    );
    let lines: Vec<&str> = ran.stderr.lines().filter(|l| l.contains("::")).collect();
    assert_eq!(lines.len(), 4, "{}", ran.stderr);
    assert!(
        lines[0].starts_with("::error file=./a%2Cb%3A%250A%0A%3A%3Aerror"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("::error file=./b.pml,line=4,title=assertions::"),
        "{}",
        lines[1]
    );
}

#[test]
fn one_model_and_one_that_cannot_be_read() {
    let folder = models();
    run(&folder, &["check", "c.smv", "--junit", "r.xml"]).ended(10, "violated(small)");
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
    let ran = run(
        &folder,
        &[
            "check", "d.lts", "--junit", "r.xml", "--sarif", "r.sarif", "--github",
        ],
    );
    ran.refused(2, "::error file=d.lts,line=");
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(xml.contains("errors=\"1\""), "{xml}");
    let notices =
        &document(&folder, "r.sarif")["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notices.as_array().unwrap().len(), 1);
}

/// In a test, what is expected is no failure, and what is not expected is one.
#[test]
fn expectations_decide() {
    let folder = models();
    folder.file("suppose.toml", "[[model]]\nfiles = \"b.pml\"\nexpect = { assertions = \"violated\" }\n\n[[model]]\nfiles = \"c.smv\"\nexpect = { small = \"violated\", fine = \"violated\" }\n\n[[model]]\nfiles = \"d.lts\"\nexpect = \"error\"\n");
    let ran = run(&folder, &["test", "--junit", "r.xml", "--github"]);
    ran.ended(11, "failed(c.smv: fine)");
    let xml = std::fs::read_to_string(folder.path("r.xml")).unwrap();
    assert!(
        xml.contains("tests=\"5\" failures=\"1\" errors=\"0\""),
        "{xml}"
    );
    let lines: Vec<&str> = ran.stderr.lines().filter(|l| l.starts_with("::")).collect();
    assert_eq!(
        lines,
        ["::error file=c.smv,line=5,col=24,title=fine::fine: holds (expected: violated)"]
    );
}

#[test]
fn results_overwrite_nothing_and_are_tried_before_the_work() {
    let folder = models();
    run(&folder, &["check", "b.pml", "--sarif", "b.pml"])
        .refused(1, "--sarif would overwrite the input");
    run(&folder, &["check", "b.pml", "c.smv", "--junit", "c.smv"])
        .refused(1, "--junit would overwrite the input");
    run(&folder, &["check", "b.pml", "--junit", "x", "--sarif", "x"])
        .refused(1, "name the same file");
    run(&folder, &["check", "b.pml", "--junit", "none/x.xml"])
        .refused(2, "there is no folder `none`");
    folder.file("suppose.toml", "[[model]]\nfiles = \"b.pml\"\n");
    run(&folder, &["test", "--junit", "suppose.toml"])
        .refused(1, "--junit would overwrite the input");
    // A disk that fills up later changes no verdict.
    let ran = run(&folder, &["check", "b.pml", "--junit", "/dev/full"]);
    ran.refused(10, "cannot write `/dev/full`")
        .ended(10, "violated(assertions)");
}

#[test]
fn counterexamples_are_traces_and_charts() {
    let folder = models();
    let ran = run(
        &folder,
        &["check", "b.pml", "--itf", "b.itf.json", "--chart", "b.puml"],
    );
    ran.ended(10, "violated(assertions)");
    let trace = document(&folder, "b.itf.json");
    assert_eq!(trace["vars"], serde_json::json!(["x", "P[0]"]));
    let states = trace["states"].as_array().unwrap();
    assert_eq!(
        (states.len(), &states[0]["x"], &states[2]["x"]),
        (3, &0.into(), &1.into())
    );
    assert_eq!(trace["#meta"]["claim"], "assertions");
    let chart = std::fs::read_to_string(folder.path("b.puml")).unwrap();
    assert!(
        chart.starts_with("@startuml\n") && chart.contains("1. x = 1\n"),
        "{chart}"
    );
    // Of several counterexamples each has its own file; names that differ in signs only, too.
    folder.file("e.smv", "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\nINVARSPEC x < 3;\nINVARSPEC NAME two := x < 2;\nLTLSPEC NAME live := G F (x = 9 mod 8 & FALSE);\n");
    let ran = run(
        &folder,
        &["check", "e.smv", "--chart", "out.mmd", "--itf", "t.json"],
    );
    assert_eq!(ran.status, 10, "{ran:#?}");
    let two = std::fs::read_to_string(folder.path("out.two.mmd")).unwrap();
    assert!(two.contains("Note over p0: 1. x = 1\n"), "{two}");
    let live = document(&folder, "t.live.json");
    assert!(live["loop"].is_u64(), "{live}");
    assert_eq!(
        std::fs::read_dir(folder.path(""))
            .unwrap()
            .flatten()
            .filter(|f| f.file_name().to_string_lossy().starts_with("t."))
            .count(),
        3
    );
    let ran = run(
        &folder,
        &["check", "c.smv", "--property", "fine", "--itf", "none.json"],
    );
    ran.ended(0, "holds");
    assert!(
        ran.stdout
            .contains("no counterexample to write to `none.json`"),
        "{}",
        ran.stdout
    );
    run(&folder, &["check", "b.pml", "--chart", "x.png"])
        .refused(1, ".mmd (Mermaid) or .puml (PlantUML)");
    folder.file("f.c", "int main(void) { return 0; }\n");
    run(&folder, &["check", "f.c", "--itf", "x.json"]).refused(1, "--itf is for");
}

/// The module for BenchExec runs the program and reads what it prints.
#[test]
fn benchexec_reads_the_verdicts() {
    let test = crate::support::root().join("contrib/benchexec/test_suppose.py");
    let ran = std::process::Command::new("python3")
        .arg("-B")
        .arg(test)
        .arg(env!("CARGO_BIN_EXE_suppose"))
        .output()
        .unwrap();
    let ran: Ran = ran.into();
    ran.ended(0, "ok");
}

/// The events of a text, each a line; what every one has is looked at.
fn events(text: &str) -> Vec<Value> {
    let events: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert!(events.iter().all(|e| e["at_seconds"].is_number()), "{text}");
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["schema"], "suppose-events");
    assert_eq!(events[events.len() - 1]["event"], "end");
    events
}

fn of<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|e| e["event"] == kind).collect()
}

#[test]
fn events_are_lines_of_json() {
    let folder = models();
    let ran = run(&folder, &["check", ".", "-j2", "--events", "-"]);
    assert_eq!(ran.status, 10);
    let all = events(&ran.stdout);
    assert_eq!(all[0]["models"], 4);
    assert_eq!(of(&all, "model").len(), 4);
    let files: Vec<&str> = of(&all, "claim")
        .iter()
        .map(|e| e["file"].as_str().unwrap())
        .collect();
    assert!(
        files.contains(&format!("./{HOSTILE}").as_str()),
        "{files:?}"
    );
    // Every claim is told once, before its model is done.
    for model in of(&all, "model") {
        let at = all.iter().position(|e| e == model).unwrap();
        let late = all[at..]
            .iter()
            .filter(|e| e["event"] == "claim" && e["file"] == model["file"]);
        assert_eq!(late.count(), 0, "{all:#?}");
    }
    let mut claims: Vec<String> = of(&all, "claim")
        .iter()
        .map(|e| format!("{} {}", e["file"], e["claim"]))
        .collect();
    let told = claims.len();
    claims.sort();
    claims.dedup();
    assert_eq!(claims.len(), told);
    assert_eq!(all[all.len() - 1]["exit_status"], 10);
    // Beside the text, for one model, and for one that cannot be read.
    run(&folder, &["check", "c.smv", "--events", "e.ndjson"]).ended(10, "violated(small)");
    let all = events(&std::fs::read_to_string(folder.path("e.ndjson")).unwrap());
    assert_eq!(of(&all, "claim").len(), 2);
    assert_eq!(all[all.len() - 1]["last_line"], "violated(small)");
    run(&folder, &["check", "d.lts", "--events", "e.ndjson"]).refused(2, "d.lts");
    let all = events(&std::fs::read_to_string(folder.path("e.ndjson")).unwrap());
    assert_eq!(of(&all, "model")[0]["errors"].as_array().unwrap().len(), 1);
    let ran = run(
        &folder,
        &["check", "c.smv", "--events", "-", "--format", "json"],
    );
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("both use standard output"), "{ran:#?}");
    run(&folder, &["check", "c.smv", "--events", "c.smv"]).refused(1, "would overwrite the input");
}

/// Progress is told for one model and for several, whoever checks them.
#[test]
fn progress_is_an_event() {
    let folder = models();
    crate::support::endless(&folder);
    for more in [&[][..], &["c.smv", "-j2"]] {
        let mut line = vec![
            "check",
            "endless.lts",
            "--timeout",
            "3s",
            "--events",
            "e.ndjson",
        ];
        line.extend(more);
        run(&folder, &line);
        let all = events(&std::fs::read_to_string(folder.path("e.ndjson")).unwrap());
        let progress = of(&all, "progress");
        assert!(!progress.is_empty(), "{all:#?}");
        assert!(progress.iter().all(|e| e["file"] == "endless.lts"
            && e["states"].is_u64()
            && e["memory_bytes"].is_u64()));
    }
}

#[test]
fn a_test_has_events_too() {
    let folder = models();
    folder.file("suppose.toml", "[[model]]\nfiles = \"b.pml\"\n");
    let ran = run(&folder, &["test", "--events", "-"]);
    let all = events(&ran.stdout);
    assert_eq!(
        (ran.status, &all[all.len() - 1]["last_line"]),
        (11, &"failed(b.pml: assertions)".into())
    );
}
