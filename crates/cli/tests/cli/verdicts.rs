//! Verdicts: exit status, last line, JSON.

use serde_json::Value;

use crate::support::{Folder, Ran, channel, example, golden, program, root, suppose};

/// Two processes that take two locks in opposite order.
const LOCKS: &str = "\
P = (p.a -> p.b -> p.free -> P).
Q = (q.b -> q.a -> q.free -> Q).
A = (p.a -> p.free -> A | q.a -> q.free -> A).
B = (p.b -> p.free -> B | q.b -> q.free -> B).
||SYS = (P || Q || A || B).
";

fn check(arguments: &[&str]) -> Ran {
    suppose([&["check"], arguments].concat())
}

#[test]
fn every_verdict_has_its_status_and_last_line() {
    let folder = Folder::new();
    let channel = channel();
    check(&[&channel, "--system", "SYS"]).ended(0, "holds");
    check(&[&channel, "--system", "BROKEN"]).ended(10, "violated(Order)");
    let locks = folder.file("locks.lts", LOCKS);
    check(&[&locks]).ended(10, "violated(deadlock)");
    check(&[&locks, "--no-deadlock"]).ended(5, "unknown(nothing to check)");
}

#[test]
fn quiet_leaves_the_last_line() {
    let ran = check(&[&channel(), "--quiet"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("holds\n", ""));
}

#[test]
fn the_text_is_as_it_was_approved() {
    for (name, system) in [("holds", "SYS"), ("violated", "BROKEN")] {
        let model = "examples/fsp/channel/channel.lts";
        let arguments = [
            "check",
            model,
            "--system",
            system,
            "--engine",
            "agar",
            "--property",
            "Order",
        ];
        let output = program().current_dir(root()).args(arguments).output();
        let ran = Ran::from(output.unwrap());
        golden(&format!("check-{name}.txt"), &without_times(&ran.stdout));
    }
}

/// Times and memory differ from run to run: their lines are left out.
fn without_times(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|l| !l.trim_start().starts_with("time "));
    lines.map(|l| format!("{l}\n")).collect()
}

#[test]
fn claims_are_chosen() {
    let model = example("channel/channels.lts");
    let names = |arguments: &[&str]| -> Vec<String> {
        let all = [
            &[model.as_str(), "--system", "SYS", "--format", "json"],
            arguments,
        ]
        .concat();
        let document = check(&all).json();
        let claims = document["claims"].as_array().unwrap().iter();
        claims
            .map(|c| c["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&[]), ["Order", "Matched", "deadlock"]);
    assert_eq!(names(&["--no-deadlock"]), ["Order", "Matched"]);
    assert_eq!(names(&["--deadlock"]), ["deadlock"]);
    assert_eq!(names(&["--property", "Matched"]), ["Matched"]);
    assert_eq!(
        names(&["--property", "Matched", "--deadlock"]),
        ["Matched", "deadlock"]
    );
}

#[test]
fn the_document_says_what_was_done() {
    let ran = check(&[&channel(), "--engine", "agar", "--format", "json"]);
    let document = ran.json();
    assert_eq!(document["schema"], "suppose-report");
    assert_eq!(document["schema_version"], 1);
    assert_eq!(document["verdict"], "holds");
    assert_eq!(document["last_line"], "holds");
    let claim = &document["claims"][0];
    assert_eq!(claim["engine"]["name"], "agar");
    assert_eq!(claim["evidence"]["status"], "accepted");
    for size in ["states", "transitions", "largest"] {
        assert!(
            claim[size].as_u64().is_some_and(|n| n > 0),
            "{size}: {claim}"
        );
    }
    assert!(document["timing"]["peak_memory_bytes"].as_u64().is_some());
}

#[test]
fn the_same_run_gives_the_same_document() {
    for engine in ["auto", "monolithic", "agar", "learn"] {
        let run = || -> Value {
            let model = example("client-server/client-server.lts");
            let arguments = [&model, "--engine", engine, "--format", "json"];
            let mut document = check(&arguments).json();
            document["timing"] = Value::Null;
            document
        };
        assert_eq!(run(), run(), "{engine}");
    }
}

#[test]
fn auto_says_what_it_chose_and_why() {
    let document = check(&[&channel(), "--format", "json"]).json();
    for claim in document["claims"].as_array().unwrap() {
        let why = claim["engine"]["why"].as_str().unwrap();
        assert!(why.len() > 20, "{why}");
    }
}

#[test]
fn evidence_that_is_not_checked_is_said_to_be_so() {
    let model = channel();
    let document = check(&[&model, "--no-certify", "--format", "json"]).json();
    for claim in document["claims"].as_array().unwrap() {
        assert_eq!(claim["evidence"]["status"], "not checked");
    }
    assert!(
        check(&[&model, "--no-certify"])
            .stdout
            .contains("--no-certify")
    );
}

#[test]
fn splits_are_taken_by_name() {
    let model = example("client-server/client-server.lts");
    let arguments = [
        &model,
        "--system",
        "SYS",
        "--property",
        "Mutex",
        "--engine",
        "agar",
        "--format",
        "json",
    ];
    for split in [
        "SERVER/*",
        "c.*/SERVER",
        "auto",
        "interface",
        "balanced",
        "chain",
        "SERVER/c.1*/*",
    ] {
        let ran = check(&[&arguments[..], &["--split", split]].concat());
        assert_eq!(ran.status, 0, "{split}: {ran:#?}");
        let groups = ran.json()["claims"][0]["groups"].as_array().unwrap().len();
        let expected = match split {
            "SERVER/c.1*/*" => 3,
            "chain" => 4,
            // A small system is split in two.
            _ => 2,
        };
        assert_eq!(groups, expected, "{split}");
    }
}

#[test]
fn an_assumption_is_found_and_drawn() {
    let folder = Folder::new();
    let model = channel();
    for end in ["svg", "dot", "aut", "json"] {
        let out = folder.path(&format!("a.{end}"));
        suppose(["assume", &model, "--output", &out]).ended(0, "holds");
        assert!(std::fs::metadata(&out).unwrap().len() > 0, "{end}");
    }
    let document = suppose(["assume", &model, "--format", "json"]).json();
    let assumptions = document["claims"][0]["assumptions"].as_array().unwrap();
    assert_eq!(assumptions.len(), 1);
    assert_eq!(
        assumptions[0]["states"], 2,
        "the paper's assumption has two states"
    );
    suppose(["assume", &model, "--system", "BROKEN"]).ended(10, "violated(Order)");
}

#[test]
fn a_page_is_written() {
    let folder = Folder::new();
    let (first, second) = (folder.path("a.html"), folder.path("b.html"));
    let model = channel();
    check(&[&model, "--report", &first]).ended(0, "holds");
    suppose(["report", &model, "--system", "BROKEN", "-o", &second]).ended(10, "violated(Order)");
    for page in [first, second] {
        let text = std::fs::read_to_string(page).unwrap();
        assert!(text.starts_with("<!DOCTYPE html>") && text.contains("Order"));
    }
}
