//! `suppose ltl`: formulas and automata.

use crate::support::{Folder, suppose};

#[test]
fn a_formula_is_an_automaton_that_is_read_again() {
    let folder = Folder::new();
    let hoa = suppose(["ltl", "[] (p -> <> q)"]);
    assert_eq!(hoa.status, 0, "{hoa:#?}");
    assert!(hoa.stdout.starts_with("HOA: v1\n"), "{hoa:#?}");
    assert!(hoa.stdout.contains("States: 2\n"), "{hoa:#?}");
    let file = folder.file("a.hoa", &hoa.stdout);
    let again = suppose(["ltl", "--automaton", &file]);
    let body = |text: &str| text[text.find("--BODY--").unwrap()..].to_owned();
    assert_eq!(body(&again.stdout), body(&hoa.stdout));
}

/// The claim of the negated formula says of a program what the formula says.
#[test]
fn a_claim_is_checked_as_the_formula_is() {
    let folder = Folder::new();
    let program = "byte x; active proctype P() { do :: x = 1 - x :: x = 2 od }";
    for (formula, status) in [
        ("[] <> one", 10),
        ("[] (one -> <> !one)", 0),
        ("<> [] !one || [] <> one", 0),
        ("!one U one", 10),
    ] {
        let claim = suppose(["ltl", formula, "--negated", "--to", "never"]);
        assert!(claim.stdout.starts_with("never { /* !("), "{claim:#?}");
        let text = format!("#define one (x == 1)\n{program}\n{}", claim.stdout);
        let file = folder.file("claim.pml", text);
        let ran = suppose(["check", &file, "-p", "never"]);
        assert_eq!(ran.status, status, "{formula}: {ran:#?}");
        let text = format!("#define one (x == 1)\n{program}\nltl f {{ {formula} }}\n");
        let file = folder.file("formula.pml", text);
        let ran = suppose(["check", &file, "-p", "f"]);
        assert_eq!(ran.status, status, "{formula}: {ran:#?}");
    }
}

/// Atoms of an automaton can be expressions of the program.
#[test]
fn an_automaton_of_another_tool_is_a_claim() {
    let folder = Folder::new();
    let hoa = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"x == 2\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
               --BODY--\nState: 0\n[t] 0\n[0] 1\nState: 1 {0}\n[0] 1\n--END--\n";
    let file = folder.file("a.hoa", hoa);
    let claim = suppose(["ltl", "--automaton", &file, "--to", "never"]);
    assert!(
        claim.stdout.contains("((x == 2)) -> goto accept_S1"),
        "{claim:#?}"
    );
    let program = "byte x; active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 2 od }";
    let file = folder.file("m.pml", format!("{program}\n{}", claim.stdout));
    suppose(["check", &file, "-p", "never"]).ended(10, "violated(never)");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    for (arguments, status, words) in [
        (&["ltl", "[] (p -> "][..], 1, "column 10: expected"),
        (&["ltl"], 1, "<FORMULA>"),
        (
            &["ltl", "p", "--automaton", "x.hoa"],
            1,
            "cannot be used with",
        ),
        (
            &["ltl", "--automaton", "no-such.hoa"],
            2,
            "cannot read `no-such.hoa`",
        ),
        (
            &["ltl", "p", "--to", "dot"],
            1,
            "possible values: hoa, never",
        ),
    ] {
        let ran = suppose(arguments);
        assert_eq!(ran.status, status, "{ran:#?}");
        assert!(ran.stderr.contains(words), "{ran:#?}");
    }
    let file = folder.file(
        "bad.hoa",
        "HOA: v1\nStates: 1\nAcceptance: 1 Fin(0)\n--BODY--\n--END--\n",
    );
    let ran = suppose(["ltl", "--automaton", &file]);
    assert_ne!(ran.status, 0, "{ran:#?}");
    assert!(ran.stderr.contains("line "), "{ran:#?}");
    let many: Vec<String> = (0..130).map(|n| format!("<> p{n}")).collect();
    let ran = suppose(["ltl", &many.join(" && ")]);
    assert_ne!(ran.status, 0, "{ran:#?}");
    assert!(ran.stderr.contains("too large"), "{ran:#?}");
    let long = "<> p && ".repeat(10_000) + "q";
    let ran = suppose(["ltl", &long]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let deep = "! ( ".repeat(20_000) + "q";
    let ran = suppose(["ltl", &deep]);
    assert_eq!(ran.status, 1, "{ran:#?}");
}
