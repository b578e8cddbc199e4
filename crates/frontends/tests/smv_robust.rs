//! No text makes the SMV front-end panic, overflow or hang.
//! `PROPTEST_CASES=100000` runs it longer.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;

use proptest::prelude::*;
use suppose_frontends::smv::{Dialect, read};
use suppose_model::fsm::System;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources};

fn outcome_in(text: &str, dialect: Dialect) -> Result<System, Vec<Diagnostic>> {
    let limits = ParserLimits {
        depth: 100,
        labels: 20_000,
        transitions: 4_000_000,
        ..ParserLimits::default()
    };
    let sources = Sources::single("m.smv", text);
    match read(FileId(0), &sources, dialect, &limits) {
        Ok(read) => {
            for warning in &read.warnings {
                let _ = warning.render(&sources, false);
            }
            let _ = read.system.to_smv();
            Ok(read.system)
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in &errors {
                assert!(error.render(&sources, false).contains("error"));
            }
            Err(errors)
        }
    }
}

fn outcome(text: &str) -> Result<System, Vec<Diagnostic>> {
    let _ = outcome_in(text, Dialect::Old);
    outcome_in(text, Dialect::NuSmv)
}

const MODEL: &str = "\
MODULE main
VAR
  s : boolean; n : 0..3; e : {red, green, 7}; w : unsigned word[4]; v : signed word[4];
  a : array 0..1 of array -1..1 of 0..3; p : process part(s, self, n + 1); q : process part(s, self, 2);
IVAR i : boolean;
FROZENVAR f : 0..1;
CONSTANTS yellow;
DEFINE d := [1, 2]; c := n > 1 ? next(s) : i; big := w[3:2] :: w[1:0];
ASSIGN
  init(n) := {0, 1} union 2; next(n) := case n < 3 & i : n + 1; TRUE : 0; esac;
  init(a[0][-1]) := d[1]; next(w) := w << 1 | extend(w[1:0], 2) xor !w;
INIT a[f][n mod 2] in 1..3 & bool(w[0:0]) = word1(s) :: w[2:0] > 0ud4_3;
INVAR count(s, n = 2) <= 2 -> toint(v) >= -8
TRANS c <-> s xnor next(e) != red
FAIRNESS p.running
COMPASSION (s, n = 1)
CTLSPEC NAME one := AG (s -> AF !s) & E [s U n = 2] | !A [s BU 1..2 EX s] & ABF 0..3 s
LTLSPEC G (s -> F [0, 2] s) U (X s S Y Z O H [1, 2] s) V s T s
INVARSPEC resize(v, 2) = swconst(1, 2) | sizeof(w) = max(4, abs(-n)) -> next(s)
COMPUTE MIN [s, n = 2]
MODULE part(s, up, k)
ISA base
ASSIGN next(b) := up.n = k | running; next(s) := !s;
MODULE base
VAR b : boolean;
";

#[test]
fn every_beginning_of_a_model() {
    let whole = MODEL.replace("= word1(s) :: w[2:0] > 0ud4_3", "");
    let errors = outcome(&whole);
    let shown: Vec<String> = errors
        .as_ref()
        .err()
        .into_iter()
        .flatten()
        .map(|e| e.message.clone())
        .collect();
    assert!(shown.is_empty(), "{shown:?}");
    for end in 0..whole.len() {
        let _ = outcome(&whole[..end]);
    }
}

#[test]
fn every_model_with_a_word_left_out_or_doubled() {
    let words: Vec<&str> = MODEL
        .split_inclusive([' ', '\n', ';', '(', ')', '{', '}', '[', ']', '.'])
        .collect();
    for at in 0..words.len() {
        let mut less = words.clone();
        let word = less.remove(at);
        let _ = outcome(&less.concat());
        less.insert(at, word);
        less.insert(at, word);
        let _ = outcome(&less.concat());
    }
}

#[test]
fn deep_nesting_is_refused() {
    let shapes = [
        ("(", "x", ")"),
        ("!", "x", ""),
        ("- ", "1", ""),
        ("{", "x", "}"),
        ("x ? x : ", "x", ""),
        ("x ? ", "x", " : x"),
        ("case x : ", "x", "; esac"),
        ("next(", "x", ")"),
        ("toint(", "x", ")"),
        ("AG ", "x", ""),
        ("A [x U ", "x", "]"),
        ("x[", "x", "]"),
        ("x -> (", "x", ")"),
        (
            "x -> x <-> x | x & x = x in x union x << x + x * x :: (",
            "x",
            ")",
        ),
    ];
    for (open, inner, close) in shapes {
        let deep = 5_000;
        let text = format!(
            "MODULE main\nVAR x : boolean;\nSPEC {}{inner}{}",
            open.repeat(deep),
            close.repeat(deep)
        );
        let message = outcome(&text).unwrap_err()[0].message.clone();
        assert!(message.contains("levels deep"), "{open}: {message}");
    }
    let arrays = format!(
        "MODULE main\nVAR x : {} boolean;",
        "array 0..0 of ".repeat(5_000)
    );
    assert!(
        outcome(&arrays).unwrap_err()[0]
            .message
            .contains("levels deep")
    );
    let selections = format!(
        "MODULE main\nVAR x : boolean;\nINIT x{}",
        ".x".repeat(5_000)
    );
    assert!(
        outcome(&selections).unwrap_err()[0]
            .message
            .contains("levels deep")
    );
}

#[test]
fn long_chains_are_read() {
    for operator in ["&", "|", "xor", "<->", "->", "="] {
        let chain = vec!["x"; 20_000].join(&format!(" {operator} "));
        let text = format!("MODULE main\nVAR x : boolean;\nINIT {chain}\nSPEC {chain}");
        assert!(outcome(&text).is_ok(), "{operator}");
    }
    let sum = vec!["n"; 20_000].join(" + ");
    let text = format!("MODULE main\nVAR n : 0..1;\nINIT {sum} > 3");
    assert!(outcome(&text).is_ok());
    // Definitions that need each other from the last to the first.
    let mut text = String::from("MODULE main\nVAR x : boolean;\nDEFINE\n");
    for n in 0..20_000 {
        writeln!(text, "d{n} := !d{};", n + 1).unwrap();
    }
    text.push_str("d20000 := x;\nINIT d0");
    assert!(outcome(&text).is_ok());
}

#[test]
fn hierarchies_do_not_blow_up() {
    let mut text = String::from("MODULE main\nVAR m : m0;\n");
    for n in 0..40 {
        writeln!(text, "MODULE m{n}\nVAR a : m{}; b : m{};", n + 1, n + 1).unwrap();
    }
    text.push_str("MODULE m40\nVAR x : boolean;\n");
    assert!(outcome(&text).unwrap_err()[0].message.contains("more than"));
    let mut text = String::from("MODULE main\nVAR m : m0;\n");
    for n in 0..300 {
        writeln!(text, "MODULE m{n}\nVAR a : m{};", n + 1).unwrap();
    }
    text.push_str("MODULE m300\nVAR x : boolean;\n");
    assert!(outcome(&text).unwrap_err()[0].message.contains("deep"));
    for large in [
        "VAR a : array 0..4000000000 of boolean;",
        "VAR a : array 0..999 of array 0..999 of boolean;",
        "VAR x : 0..4000000000; y : 0..4000000000; ASSIGN next(x) := x * y * x;",
        "VAR x : boolean; INIT 1 in 0..4000000000",
        "VAR w : word[64]; x : 0..9; INIT toint(w) = x",
        "VAR w : signed word[65]; x : 0..9; INIT toint(w) = x",
        "VAR x : {0..4000000000};",
    ] {
        assert!(
            outcome(&format!("MODULE main\n{large}")).is_err(),
            "{large}"
        );
    }
}

#[test]
fn large_models_are_read() {
    let mut text = String::from("MODULE main\nVAR\n");
    for n in 0..300 {
        writeln!(text, "  x{n} : 0..9; b{n} : boolean;").unwrap();
    }
    text.push_str("ASSIGN\n");
    for n in 0..300 {
        let (a, b) = ((n + 1) % 300, (n * 7 + 3) % 300);
        writeln!(text, "  init(x{n}) := 0;").unwrap();
        writeln!(
            text,
            "  next(x{n}) := case b{n} & x{a} > x{b} : (x{a} + x{b}) mod 10; TRUE : x{n}; esac;"
        )
        .unwrap();
        writeln!(text, "  next(b{n}) := x{n} < x{a} xor b{b};").unwrap();
    }
    let system = outcome(&text).unwrap();
    assert_eq!((system.variables.len(), system.obligations.len()), (600, 0));
    let mut text = String::from("MODULE main\nVAR x : 0..7;\nDEFINE\n");
    for n in 0..100_000 {
        writeln!(text, "  d{n} := (x + {}) mod 8 = {};", n % 13, n % 8).unwrap();
    }
    assert_eq!(outcome(&text).unwrap().defines.len(), 100_000);
}

const WORDS: &[&str] = &[
    "MODULE", "main", "VAR", "IVAR", "DEFINE", "ASSIGN", "INIT", "TRANS", "SPEC", "LTLSPEC", "x",
    "y", "m", ".", ":", ":=", ";", "(", ")", "{", "}", "[", "]", ",", "..", "0", "1", "3",
    "boolean", "word", "array", "of", "process", "case", "esac", "next", "init", "TRUE", "&", "|",
    "!", "->", "<->", "=", "<", "+", "-", "*", "/", "mod", "in", "union", "::", "<<", "?", "AG",
    "EF", "A", "E", "U", "G", "F", "X", "S", "running", "self", "0ud2_1", "toint",
];

proptest! {
    #[test]
    fn any_text(text in "\\PC{0,200}") {
        let _ = outcome(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let _ = outcome(&format!("MODULE main VAR x : boolean; y : 0..3; {}", words.join(" ")));
    }
}
