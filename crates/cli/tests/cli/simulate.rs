//! `suppose simulate`: walks by chance, by choice and along counterexamples.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Folder, Ran, channel, golden, program, root, suppose};
use crate::validate;

fn example(path: &str) -> String {
    root().join("examples").join(path).display().to_string()
}

/// Runs with these lines on standard input.
fn typed(arguments: &[&str], lines: &str) -> Ran {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who quits does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_walk_in_each_language_is_as_it_was_approved() {
    for (name, file) in [
        ("fsp", "fsp/philosophers/philosophers.lts"),
        ("promela", "promela/alternating-bit/alternating-bit.pml"),
        ("smv", "smv/lift.smv"),
        ("prism", "prism/csma/csma-2.nm"),
    ] {
        let file = example(file);
        let ran = suppose(["simulate", &file, "--steps", "6", "--seed", "3"]);
        ran.ended(0, "6 steps taken");
        golden(&format!("simulate-{name}.txt"), &ran.stdout);
    }
}

#[test]
fn the_same_seed_is_the_same_walk() {
    let file = example("fsp/philosophers/philosophers.lts");
    let walk = |seed: &str| suppose(["simulate", &file, "--seed", seed]).stdout;
    assert_eq!(walk("5"), walk("5"));
    assert_ne!(walk("5"), walk("6"));
}

#[test]
fn a_walk_ends_where_nothing_can_be_done() {
    let folder = Folder::new();
    let model = folder.file(
        "m.lts",
        "P = (a -> b -> STOP).\nQ = (a -> b -> END).\n||S = P.\n",
    );
    suppose(["simulate", &model]).ended(0, "deadlock after 2 steps");
    suppose(["simulate", &model, "--system", "Q"]).ended(0, "end after 2 steps");
    let wrong = folder.file(
        "m.pml",
        "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n",
    );
    let ran = suppose(["simulate", &wrong]);
    ran.ended(0, "violated(assertions) after 2 steps");
    assert!(ran.stdout.contains("the assertion is false"), "{ran:#?}");
    let claim = "byte x;\nactive proctype P() { x = 1; x = 2; x = 3 }\nltl low { [] (x < 2) }\n";
    let claim = folder.file("c.pml", claim);
    let ran = suppose(["simulate", &claim]);
    ran.ended(0, "violated(low) after 2 steps");
    let order = "P = (b -> a -> P).\nproperty O = (a -> b -> O).\n||S = (P || O).\n";
    let order = folder.file("o.lts", order);
    suppose(["simulate", &order]).ended(0, "violated(O) after 1 step");
    let error = folder.file("e.lts", "P = (a -> b -> ERROR).\n");
    let ran = suppose(["simulate", &error]);
    ran.ended(0, "violated(ERROR) after 2 steps");
    assert!(ran.stdout.contains("P is in its error state"), "{ran:#?}");
    suppose(["simulate", &error, "-q"]).ended(0, "violated(ERROR) after 2 steps");
    let empty = folder.file("e.smv", "MODULE main\nVAR x : boolean;\nINIT x & !x\n");
    suppose(["simulate", &empty]).refused(2, "the model has no initial state");
}

#[test]
fn the_user_chooses() {
    let model = channel();
    let lines = "1\n7\nx\nu\n1\nr 2\ns\n?\nu\nu\nu\nu\n";
    let ran = typed(&["simulate", &model, "--system", "SYS", "-i"], lines);
    ran.ended(0, "quit after 0 steps");
    golden("simulate-interactive.txt", &ran.stdout);
    typed(&["simulate", &model, "-i"], "1\nq\n1\n").ended(0, "quit after 1 step");
    typed(&["simulate", &model, "-i"], "").ended(0, "quit after 0 steps");
    typed(&["simulate", &model, "-i", "-q"], "1\n").ended(0, "quit after 1 step");
}

#[test]
fn the_user_chooses_initial_states_and_outcomes() {
    let folder = Folder::new();
    let smv = folder.file(
        "m.smv",
        "MODULE main\nVAR x : 0..2; y : {a, b};\nASSIGN init(y) := a; next(x) := (x + 1) mod 3;\n",
    );
    let ran = typed(&["simulate", &smv, "-i"], "9\n2\n1\nq\n");
    ran.ended(0, "quit after 1 step");
    golden("simulate-initial.txt", &ran.stdout);
    typed(&["simulate", &smv, "-i"], "r\nq\n").ended(0, "quit after 0 steps");
    typed(&["simulate", &smv, "-i"], "q\n").ended(0, "quit after 0 steps");
    let die = example("prism/die/die.nm");
    let ran = typed(&["simulate", &die, "-i"], "1.2\n1.9\n1.1\nr\n");
    golden("simulate-outcomes.txt", &ran.stdout);
    let stdin = typed(&["simulate", "-", "--language", "fsp", "-i"], "P = STOP.\n");
    stdin.refused(
        1,
        "standard input cannot be the model and the choices at once",
    );
}

#[test]
fn counterexamples_are_followed_to_their_end() {
    let folder = Folder::new();
    let pml =
        "byte x;\nactive [2] proctype P() { byte t; t = x; x = t + 1 }\nltl low { [] (x < 2) }\n";
    let pml = folder.file("m.pml", pml);
    let broken = channel();
    let cases: [(&[&str], &str); 7] = [
        (
            &["fsp/philosophers/philosophers.lts", "--system", "CLASSIC"],
            "violated(deadlock)",
        ),
        (&[&broken, "--system", "BROKEN"], "violated(Order)"),
        (&[&pml], "violated(low) after"),
        (&["smv/alternating-bit.smv"], "violated(goes_on)"),
        (
            &["smv/deadlock.smv", "-p", "both_free"],
            "violated(both_free)",
        ),
        (
            &[
                "prism/die/die-wrong.nm",
                "--spec",
                &example("prism/die/die-spec.nm"),
            ],
            "violated(conformance)",
        ),
        (
            &["promela/philosophers/philosophers.pml"],
            "violated(end-states)",
        ),
    ];
    for (arguments, last) in cases {
        let file = match arguments[0].starts_with('/') {
            true => arguments[0].to_owned(),
            false => example(arguments[0]),
        };
        let mut line = vec!["simulate", &file, "--counterexample"];
        line.extend(&arguments[1..]);
        let ran = suppose(&line);
        assert_eq!(ran.status, 0, "{line:?}: {ran:#?}");
        assert!(ran.last_line().starts_with(last), "{line:?}: {ran:#?}");
        assert!(ran.stdout.contains("step 1"), "{line:?}: {ran:#?}");
    }
    let ran = suppose(["simulate", &example("fsp/channel/channel.lts"), "-c"]);
    ran.ended(0, "holds");
    assert!(
        ran.stdout.starts_with("there is no run to follow"),
        "{ran:#?}"
    );
}

/// Of all examples with a violation that is shown by a run: the walk ends in one that the examples record.
#[test]
fn counterexamples_of_the_smv_examples_are_followed() {
    let mut followed = 0;
    for check in suppose_testkit::smv::checks().iter().filter(|c| !c.old) {
        if check.states.is_none_or(|n| n > 3_000) {
            continue;
        }
        let violated: Vec<&String> = check
            .verdicts
            .iter()
            .filter(|(_, verdict)| *verdict == "violated")
            .map(|(name, _)| name)
            .collect();
        if violated.is_empty() {
            continue;
        }
        let path = check.path().display().to_string();
        let ran = suppose(["simulate", &path, "-c"]);
        let last = ran.last_line();
        let named = |name: &&&String| {
            last.starts_with(&format!("violated({name}) after"))
                || last.starts_with(&format!("violated(property {name}) after"))
        };
        assert!(violated.iter().any(|n| named(&n)), "{path}: {ran:#?}");
        followed += 1;
    }
    assert!(followed >= 3, "only {followed}");
}

#[test]
fn documents_are_as_the_schema_says() {
    let schema: Value = serde_json::from_str(include_str!(
        "../../../suppose/schema/simulation.schema.json"
    ))
    .unwrap();
    for arguments in [
        vec!["simulate", "prism/die/die.nm"],
        vec!["simulate", "smv/alternating-bit.smv", "-c"],
        vec![
            "simulate",
            "promela/alternating-bit/alternating-bit.pml",
            "--steps",
            "3",
        ],
    ] {
        let file = example(arguments[1]);
        let mut line = vec!["simulate", &file, "--format", "json"];
        line.extend(&arguments[2..]);
        let ran = suppose(&line);
        let document = ran.json();
        validate::check(&schema, &schema, &document, "").unwrap();
        assert_eq!(ran.status, 0);
        assert_eq!(document["schema"], "suppose-simulation");
    }
    let ran = typed(&["simulate", &channel(), "-i", "--format", "json"], "1\n");
    assert_eq!(ran.json()["steps"][0]["number"], 1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let model = channel();
    suppose(["simulate", &example("horn/mutex-safe.smt2")]).refused(1, "`suppose simulate` is for");
    suppose(["simulate", &model, "-p", "Order"]).refused(1, "--counterexample");
    suppose(["simulate", &model, "-i", "-c"]).refused(1, "cannot be used with");
    suppose(["simulate", &model, "-c", "-p", "Oder"]).refused(1, "the properties are Order");
}
