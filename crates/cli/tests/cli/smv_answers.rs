//! SMV models that were answered wrongly, not at all, or not read, with their right answers.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Folder, suppose};

fn claims(document: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let claims = document["claims"].as_array().unwrap();
    let one = |c: &Value| {
        (
            text(&c["verdict"]),
            text(&c["symbolic"]["steps"]),
            text(&c["evidence"]["status"]),
        )
    };
    claims.iter().map(one).collect()
}

#[track_caller]
fn answers(name: &str, text: &str, more: &[&str], expected: &[(&str, &str)]) {
    let folder = Folder::new();
    let file = folder.file(name, text);
    let mut arguments = vec!["check", &file, "--format", "json"];
    arguments.extend(more);
    let ran = suppose(&arguments);
    let found = claims(&ran.json());
    let shown: Vec<(&str, &str)> = found
        .iter()
        .map(|(v, s, _)| (v.as_str(), s.as_str()))
        .collect();
    assert_eq!(shown, expected, "{ran:#?}");
    for (_, _, evidence) in &found {
        assert_eq!(evidence, "accepted", "{ran:#?}");
    }
}

#[test]
fn compute_looks_at_states_with_a_fair_run_only() {
    let text = "MODULE main
VAR x : 0..3;
ASSIGN init(x) := 0;
 next(x) := case x=0 : {1,2}; x=1 : 1; x=2 : 3; TRUE : 3; esac;
FAIRNESS x = 3
COMPUTE MIN [x = 0, x = 1]
COMPUTE MAX [x = 0, x = 3]
";
    answers(
        "compute.smv",
        text,
        &[],
        &[("holds", "infinite"), ("holds", "2")],
    );
}

#[test]
fn what_far_variables_prove_about_the_past_is_accepted() {
    let text = "MODULE main
VAR x0 : 1..4; x1 : boolean;
ASSIGN init(x0) := 2; next(x0) := case !x1 : {3, 4}; TRUE : {4, 1}; esac; next(x1) := {TRUE, FALSE};
LTLSPEC Z ((x1 -> 4 < x0) S (O (!x1)))
";
    answers(
        "past.smv",
        text,
        &["--engine", "cegar", "--far", "0"],
        &[("holds", "")],
    );
}

#[test]
fn a_property_in_psl_is_decided() {
    let text = "MODULE main
VAR x : 0..2;
ASSIGN init(x) := 0; next(x) := case x = 2 : 0; TRUE : x + 1; esac;
PSLSPEC always x = 0 -> next[2](x = 2);
PSLSPEC always (x = 1 before x = 2);
PSLSPEC never x = 2;
PSLSPEC forall i in {0:1} : always (x = i -> next! (x = i + 1));
";
    answers(
        "psl.smv",
        text,
        &[],
        &[
            ("holds", ""),
            ("violated", ""),
            ("violated", ""),
            ("holds", ""),
        ],
    );
}

#[test]
fn the_only_root_is_the_system() {
    let folder = Folder::new();
    let text = "MODULE part\nVAR x : boolean;\nMODULE top\nVAR p : part;\nASSIGN next(p.x) := TRUE;\nSPEC AG (AX p.x)\n";
    let file = folder.file("top.smv", text);
    let ran = suppose(["check", &file]);
    ran.ended(0, "holds");
    assert!(ran.stdout.contains("the system is `top`"), "{ran:#?}");
}

/// Stages of registers of words, as circuits have them: the claim needs as many steps of induction as there are stages, and has no small
/// decision diagram.
fn stages(stages: usize, width: usize) -> String {
    let mut text =
        format!("MODULE main\nIVAR a : unsigned word[{width}]; b : unsigned word[{width}];\n");
    for i in 0..stages {
        let (p, q, r) = match i {
            0 => ("a".to_owned(), "b".to_owned(), "a + b".to_owned()),
            _ => (
                format!("p{}", i - 1),
                format!("q{}", i - 1),
                format!("r{}", i - 1),
            ),
        };
        for (name, value) in [("p", p), ("q", q), ("r", r)] {
            let _ = writeln!(
                text,
                "VAR {name}{i} : unsigned word[{width}];\nASSIGN init({name}{i}) := 0ud{width}_0; next({name}{i}) := {value};"
            );
        }
    }
    let last = stages - 1;
    let _ = writeln!(
        text,
        "INVARSPEC r{last} = p{last} + q{last}\nINVARSPEC r{last} != 0ud{width}_3"
    );
    text
}

#[test]
fn registers_in_a_row_are_proved_by_induction() {
    let folder = Folder::new();
    let file = folder.file("stages.smv", stages(3, 8));
    let ran = suppose(["check", &file, "--format", "json"]);
    let document = ran.json();
    let found = claims(&document);
    let verdicts: Vec<&str> = found.iter().map(|(v, ..)| v.as_str()).collect();
    assert_eq!(verdicts, ["holds", "violated"], "{ran:#?}");
    assert_eq!(
        document["claims"][0]["engine"]["name"], "induction",
        "{ran:#?}"
    );
    let first = folder.path("c.cert");
    let only = ["--property", "0", "--engine", "induction"];
    suppose(
        ["check", &file, "--certificate", &first]
            .iter()
            .chain(&only),
    )
    .ended(0, "holds");
    suppose(["certify", &first, &file]).ended(0, "holds");
    // One step less proves nothing.
    let text = std::fs::read_to_string(&first).unwrap();
    let depth = document["claims"][0]["symbolic"]["proof"]["decisions"]
        .as_u64()
        .unwrap();
    let less = text.replace(
        &format!("\"depth\":{depth}"),
        &format!("\"depth\":{}", depth - 1),
    );
    assert_ne!(text, less);
    let less = folder.file("less.cert", less);
    assert_eq!(suppose(["certify", &less, &file]).status, 4);
}

/// Two thousand registers whose values depend on each other, and on a small machine that all properties are about.
fn control_beside_data(registers: usize) -> String {
    let last = registers - 1;
    let mut text = format!(
        "MODULE main
VAR st : {{idle, run, done, err}}; wd : 0..15; busy : boolean;
IVAR start : boolean; x : boolean;
ASSIGN init(st) := idle; init(wd) := 0; init(busy) := FALSE;
 next(st) := case st = idle & start : run; st = run & wd = 15 : err; st = run & d{last} : done; st = done | st = err : idle; TRUE : st; esac;
 next(wd) := case st = run & wd < 15 : wd + 1; st = idle : 0; TRUE : wd; esac;
 next(busy) := case st = idle & start : TRUE; st = done | st = err : FALSE; TRUE : busy; esac;
VAR d0 : boolean;
ASSIGN init(d0) := FALSE; next(d0) := x xor d0;
"
    );
    for i in 1..registers {
        let (before, a, b) = (i - 1, (i * 7 + 3) % registers, (i * 13 + 5) % registers);
        let _ = writeln!(
            text,
            "VAR d{i} : boolean;\nASSIGN init(d{i}) := FALSE; next(d{i}) := st = run ? (d{before} xor (d{a} & d{b})) : d{i};"
        );
    }
    text + "INVARSPEC st = run -> busy\nSPEC AG (st = run -> AF st = idle)\nLTLSPEC G (st = err -> X st = idle)\n"
}

#[test]
fn every_property_of_a_large_system_has_its_turn() {
    let folder = Folder::new();
    let file = folder.file("large.smv", control_beside_data(2_000));
    let ran = suppose([
        "check",
        &file,
        "--format",
        "json",
        "--timeout",
        "300s",
        "--no-certify",
    ]);
    let found = claims(&ran.json());
    let verdicts: Vec<&str> = found.iter().map(|(v, ..)| v.as_str()).collect();
    assert_eq!(verdicts, ["holds", "holds", "holds"], "{ran:#?}");
}
