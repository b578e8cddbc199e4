//! Help, mistakes on the command line and files that cannot be read.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Folder, channel, golden, program, suppose};

#[test]
fn help_is_as_it_was_approved() {
    for command in [
        "check", "assume", "report", "certify", "convert", "draw", "simulate",
    ] {
        let ran = suppose([command, "--help"]);
        assert_eq!(ran.status, 0);
        golden(&format!("help-{command}.txt"), &ran.stdout);
    }
    golden("help.txt", &suppose(["--help"]).stdout);
}

#[test]
fn usage_errors_end_with_1() {
    let model = channel();
    suppose(["--no-such-option"]).refused(1, "--no-such-option");
    suppose(["chekc", "x"]).refused(1, "check");
    suppose(["check"]).refused(1, "<FILE>");
    suppose(Vec::<&str>::new()).refused(1, "Usage");
    suppose(["check", &model, "--engine", "magic"]).refused(1, "monolithic");
    suppose(["check", &model, "--timeout", "soon"]).refused(1, "does not start with a number");
    suppose(["check", &model, "--memory", "4XB"]).refused(1, "no unit of size");
    suppose(["check", &model, "--set", "N"]).refused(1, "NAME=NUMBER");
    suppose(["check", &model, "--set", "p=0.7"]).refused(1, "--const p=0.7");
    suppose(["check", &model, "--deadlock", "--no-deadlock"]).refused(1, "cannot be used with");
    suppose(["check", &model, "--property", "Oder"]).refused(1, "the properties are Order");
    suppose(["check", &model, "--split", "Input/Otput"]).refused(1, "Input, Output");
    suppose(["check", &model, "--split", "Input"]).refused(1, "`Output` is in no group");
    suppose(["draw", &model, "-o", "x.png"]).refused(1, ".svg or .dot");
    suppose(["man", "nothing"]).refused(1, "no command `nothing`");
    suppose(["bench", "smv", "--quick"]).refused(1, "cargo run --release -p suppose-bench");
}

/// What the front-end proposes is not lost where a warning takes one line.
#[test]
fn warnings_come_with_their_help() {
    let folder = Folder::new();
    let model = folder.file("m.lts", "P = (go -> halt -> P).\n||S = P/{x/stop}.\n");
    let ran = suppose(["check", &model]);
    ran.ended(0, "holds");
    let warning = "no action `stop` to relabel (there are `go`, `halt`)";
    assert!(ran.stdout.contains(warning), "{}", ran.stdout);
    let ran = suppose([
        "check",
        &folder.file("p.lts", "P = (a -> P).\n||P = (x:P).\n"),
        "--system",
        "Q",
    ]);
    assert!(
        ran.stderr.trim_end().ends_with("there are P"),
        "{}",
        ran.stderr
    );
}

#[test]
fn unreadable_files_end_with_2() {
    let folder = Folder::new();
    let here = folder.path("");
    suppose(["check", "no/such/file.lts"]).refused(2, "there is no file `no/such/file.lts`");
    let directory = folder.path("folder.lts");
    std::fs::create_dir(&directory).unwrap();
    suppose(["check", &directory]).refused(2, "is a folder");
    suppose(["check", &here]).refused(2, "is a folder");
    let text = folder.file("text", "hello");
    suppose(["check", &text]).refused(2, "--language");
    let bytes = folder.file("latin.lts", b"P = (a -> \xe9).\n");
    suppose(["check", &bytes]).refused(2, "latin.lts:1:11");
    let wide = folder.file("wide.lts", b"\xff\xfeP\0");
    suppose(["check", &wide]).refused(2, "UTF-16");
    for name in ["empty.lts", "empty.aut", "empty.json"] {
        suppose(["check", &folder.file(name, "")]).refused(2, "error");
    }
    let typo = folder.file("typo.lts", "P = (a -> P).\n||S = (Q).\n");
    suppose(["check", &typo]).refused(2, "typo.lts:2:8");
    let model = channel();
    suppose(["certify", "no.cert", &model]).refused(2, "there is no file `no.cert`");
    suppose(["check", &model, "--report", "no/such/folder/x.html"]).refused(2, "cannot write");
}

#[test]
fn errors_are_documents_in_json() {
    let folder = Folder::new();
    let typo = folder.file("typo.lts", "P = (a -> P).\n||S = (Q).\n");
    let ran = suppose(["check", &typo, "--format", "json"]);
    let document = ran.json();
    assert_eq!(ran.status, 2);
    assert_eq!(document["error"], "input error");
    assert_eq!(document["exit_status"], 2);
    assert_eq!(document["diagnostics"][0]["line"], 2);
    assert_eq!(document["diagnostics"][0]["severity"], "error");
    let missing = suppose(["check", "missing.lts", "--format", "json"]).json();
    assert_eq!(missing["exit_status"], 2);
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let model = channel();
    let commands: [&[&str]; 4] = [
        &["check", &model],
        &["check", &model, "--format", "json"],
        &["draw", &model],
        &["--help"],
    ];
    for arguments in commands {
        let mut child = program()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{arguments:?}: {errors}");
        assert_eq!(errors, "", "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_come_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = suppose(["completions", shell]);
        assert!(ran.status == 0 && ran.stdout.contains("certify"), "{shell}");
    }
    assert!(suppose(["man"]).stdout.contains(".TH suppose"));
    assert!(suppose(["man", "check"]).stdout.contains("split"));
}

#[test]
fn words_of_reports_are_explained() {
    let ran = suppose(["explain", "unknown(timeout)"]);
    assert_eq!(ran.status, 0);
    assert!(
        ran.stdout.starts_with("timeout (also: time limit)\n  "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("More: docs/cli.md#limits"));
    let phrase = suppose(["explain", "strong", "simulation", "--format", "json"]).json();
    assert_eq!(phrase["word"], "strong simulation");
    let all = suppose(["explain"]);
    for word in ["certificate", "agar", "partial-order reduction"] {
        assert!(all.stdout.contains(word), "{word} in {}", all.stdout);
    }
    let document = suppose(["explain", "--format", "json"]).json();
    assert_eq!(document["schema"], "suppose-glossary");
    suppose(["explain", "counterexmple"]).refused(1, "did you mean `counterexample`?");
}
