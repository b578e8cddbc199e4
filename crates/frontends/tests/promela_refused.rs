//! What real SPIN refuses is refused, and what it calls dubious gets a warning.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use suppose_frontends::promela::read_text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Taken,
    Dubious,
    Refused,
}
use Said::{Dubious, Refused, Taken};

const CHANNEL: &str = "chan c = [2] of { byte }; byte x; byte a[2];";

/// Bodies of a process beside these declarations.
const BODIES: &[(&str, Said)] = &[
    ("full(c)", Taken),
    ("!full(c)", Refused),
    ("!empty(c)", Refused),
    ("!nfull(c)", Refused),
    ("!(nempty(c))", Refused),
    ("(1 && !full(c))", Refused),
    ("(full(c) || empty(c)) && (nfull(c) || 1)", Taken),
    ("!len(c)", Taken),
    ("!c?[1]", Taken),
    ("full(c) == 1", Refused),
    ("x = full(c)", Taken),
    ("x = (full(c) -> 1 : 2)", Refused),
    ("assert(full(c))", Taken),
    ("assert(!full(c))", Refused),
    ("c!full(c)", Refused),
    ("c?eval(full(c))", Refused),
    ("a[full(c)] = 1", Refused),
    ("printf(\"%d\", full(c))", Refused),
    ("enabled(full(c))", Refused),
    ("byte y = full(c); skip", Refused),
    ("byte y; byte y; y = 1", Refused),
    ("byte y; y = 2; byte y; y = 1", Refused),
    ("byte x; x = 1", Refused),
    ("byte y; { byte y; y = 1 }", Refused),
    ("{ byte y; y = 1 }; { byte y; y = 2 }", Taken),
    ("{ byte y; y = 1 }; byte y; y = 2", Taken),
    ("byte y; do :: byte y; y = 1; break od", Refused),
    ("if :: byte y; y = 1 :: byte y; y = 2 fi", Refused),
    ("byte y; atomic { byte y; y = 1 }", Refused),
    ("byte i; for (i : 1 .. 2) { byte i; i = 3 }", Refused),
    ("byte y; y: y = 1", Refused),
    ("if :: c?x :: else fi", Dubious),
    ("if :: c!x :: else fi", Dubious),
    ("if :: else :: c?x fi", Dubious),
    ("do :: c?x :: else -> break od", Dubious),
    ("if :: full(c) -> c?x :: else fi", Dubious),
    ("if :: nempty(c) -> c?x :: else fi", Dubious),
    ("if :: len(c) > 0 -> c?x :: else fi", Taken),
    ("if :: c?[1] -> c?x :: else fi", Taken),
    ("if :: x == 1 -> c?x :: else fi", Taken),
    ("if :: if :: c?x :: x == 1 fi :: else fi", Taken),
    ("do :: atomic { c?x; x = 1 } :: else -> break od", Taken),
    ("do :: d_step { c?x; x = 1 } :: else -> break od", Taken),
    ("do :: x == 1 :: else -> break od unless { c?x }", Taken),
    ("if :: x == 1 :: else :: else fi", Refused),
];

/// Whole programs.
const PROGRAMS: &[(&str, Said)] = &[
    ("byte x; byte x; init { skip }", Refused),
    ("init { byte x; x = 1 } byte x;", Taken),
    (
        "byte n; proctype P(byte n) { skip } init { run P(1) }",
        Refused,
    ),
    (
        "proctype P(byte n) { byte n; skip } init { run P(1) }",
        Refused,
    ),
    (
        "proctype P(byte n) { { byte n; n = 1 } } init { run P(1) }",
        Refused,
    ),
    ("inline f() { byte t; t = 1 } init { f(); f() }", Taken),
    ("inline f() { byte t; t = 1 } init { byte t; f() }", Refused),
    ("typedef T { byte x }; byte x; init { T t; t.x = x }", Taken),
    (
        "byte t; typedef T { byte x }; init { T t; t.x = 1 }",
        Refused,
    ),
    (
        "chan c = [1] of { byte, byte }; init { byte x; c?x,x }",
        Refused,
    ),
    (
        "chan c = [1] of { byte, byte }; byte x; init { c?x,eval(x) }",
        Taken,
    ),
    (
        "chan c = [1] of { byte, byte }; byte a[2]; init { c?a[0],a[1] }",
        Taken,
    ),
    (
        "chan c = [1] of { byte }; init { skip } ltl { [] !full(c) }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { skip } ltl { [] nfull(c) }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { skip } never { do :: nfull(c) od }",
        Taken,
    ),
    (
        "chan c = [1] of { byte }; active proctype P() provided (nfull(c)) { skip }",
        Taken,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { c!1 }",
        Taken,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { c!1; c!_; goto L; L: c?2 }",
        Taken,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { skip }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { if :: c!1 :: else fi }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { atomic { c!1 } }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { c!!1 }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { c??1 }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { c?<1> }",
        Refused,
    ),
    (
        "chan c = [1] of { byte }; init { c!1 } trace { c!1 } notrace { c!2 }",
        Refused,
    ),
];

/// What SPIN says. It continues after many an error.
fn spin(text: &str) -> Said {
    let folder = std::env::temp_dir().join(format!("suppose-refused-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("m.pml"), text).unwrap();
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let mut command = Command::new("spin");
    let command = command.args(["-a", "m.pml"]).current_dir(&folder);
    let output = command.output().expect("SPIN is needed");
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    let made = folder.join("pan.c").exists() && output.status.success();
    let _ = std::fs::remove_dir_all(&folder);
    match words.contains("Error") {
        _ if !made => Refused,
        true if words.contains("not an event") || words.contains("redefined") => Refused,
        true => Dubious,
        false => Taken,
    }
}

fn ours(text: &str) -> Said {
    match read_text("m.pml", text) {
        Err((errors, _)) => {
            assert!(!errors.is_empty());
            Refused
        }
        Ok((read, _)) => match read.warnings.is_empty() {
            true => Taken,
            false => Dubious,
        },
    }
}

#[test]
fn what_spin_refuses_is_refused() {
    let mut wrong = Vec::new();
    let bodies = BODIES
        .iter()
        .map(|(body, said)| (format!("{CHANNEL} active proctype P() {{ {body} }}"), *said));
    let programs = PROGRAMS
        .iter()
        .map(|(text, said)| ((*text).to_owned(), *said));
    for (text, expected) in bodies.chain(programs) {
        let (ours, theirs) = (ours(&text), spin(&text));
        if ours != expected || theirs != expected {
            wrong.push(format!(
                "{text}\n  ours {ours:?}, SPIN {theirs:?}, expected {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
