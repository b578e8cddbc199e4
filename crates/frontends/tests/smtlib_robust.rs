//! No text makes the reader of Horn clauses panic, overflow or hang.
//! `PROPTEST_CASES=100000` runs it longer.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use suppose_frontends::smtlib::{read_text, write};

/// Reads; if it is read, what is written is read again.
fn outcome(text: &str) -> bool {
    match read_text("m.smt2", text) {
        Ok((read, sources)) => {
            for warning in &read.warnings {
                let _ = warning.render(&sources, false);
            }
            for clause in &read.horn.clauses {
                for app in clause.body.iter().chain(&clause.head) {
                    let formals = &read.horn.predicate(app.pred).formals;
                    assert_eq!(app.args.len(), formals.len());
                    for (arg, formal) in app.args.iter().zip(formals) {
                        assert_eq!(read.horn.terms.sort(*arg), read.horn.terms.sort(*formal));
                    }
                }
            }
            if !read.horn.predicates.is_empty() || !read.horn.clauses.is_empty() {
                let written = write(&read.horn);
                assert!(read_text("w.smt2", &written).is_ok(), "{text}\n{written}");
            }
            true
        }
        Err((errors, sources)) => {
            assert!(!errors.is_empty());
            for error in &errors {
                assert!(error.render(&sources, false).contains("error"));
            }
            false
        }
    }
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "(",
    ")",
    "(",
    ")",
    "assert",
    "forall",
    "exists",
    "let",
    "declare-fun",
    "define-fun",
    "p",
    "q",
    "x",
    "y",
    "Int",
    "Bool",
    "Real",
    "(_ BitVec 2)",
    "((x Int))",
    "((y Bool))",
    "=>",
    "and",
    "or",
    "not",
    "ite",
    "=",
    "<",
    "+",
    "-",
    "*",
    "div",
    "mod",
    "0",
    "1",
    "2",
    "1.5",
    "#b01",
    "bvadd",
    "bvudiv",
    "true",
    "false",
    "(p x)",
    "(q x y)",
    "rule",
    "query",
    "((x (p 1)))",
    "to_real",
    "xor",
    "distinct",
    "!",
    "_",
    "|a b|",
    ":k",
    "\"s\"",
    "; c\n",
];

const TEXT: &str = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int (_ BitVec 3)) Bool)
(define-fun f ((a Int)) Int (ite (< a 0) (- a) (mod a 5)))
(assert (forall ((x Int) (v (_ BitVec 3))) (=> (and (p x) (or (q x v) (bvult v #b011))) (q (f x) (bvmul v v)))))
(assert (not (exists ((x Int)) (let ((y (div x 3))) (and (p y) (distinct x y 2))))))
(check-sat)";

#[test]
fn deep_texts() {
    for depth in [1_000usize, 50_000, 99_990] {
        let open = "(not ".repeat(depth);
        let close = ")".repeat(depth);
        assert!(outcome(&format!(
            "(declare-fun p () Bool) (assert {open}p{close})"
        )));
        let open = "(and true (or false ".repeat(depth / 2);
        let close = "))".repeat(depth / 2);
        assert!(outcome(&format!(
            "(declare-fun p () Bool) (assert {open}p{close})"
        )));
        let open = "(let ((x (+ x 1))) ".repeat(depth);
        let close = ")".repeat(depth);
        assert!(outcome(&format!(
            "(declare-fun p (Int) Bool) (assert (let ((x 0)) {open}(p x){close}))"
        )));
    }
    assert!(!outcome(&"(".repeat(200_000)));
    assert!(!outcome(&")".repeat(200_000)));
    assert!(!outcome(&format!("(assert {}", "(ite (f ".repeat(50_000))));
}

#[test]
fn huge_things() {
    let digits = "9".repeat(5_000);
    assert!(outcome(&format!(
        "(declare-fun p (Int) Bool) (assert (p {digits}))"
    )));
    assert!(!outcome(&format!(
        "(declare-fun p (Int) Bool) (assert (p {}))",
        "9".repeat(50_000)
    )));
    // Definitions that double: 2 to the 60 without a limit.
    let mut text = "(declare-fun p (Int) Bool) (define-fun f0 ((x Int)) Int (+ x 1))".to_owned();
    for i in 1..60 {
        text += &format!(
            "(define-fun f{i} ((x Int)) Int (f{} (f{} x)))",
            i - 1,
            i - 1
        );
    }
    assert!(!outcome(&format!("{text} (assert (p (f59 0)))")));
    // A product of wide vectors.
    let wide = "(declare-fun p ((_ BitVec 4096)) Bool) (assert (forall ((x (_ BitVec 4096))) (p (bvmul x x))))";
    assert!(!outcome(wide));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..80)) {
        outcome(&words.join(" "));
    }

    #[test]
    fn any_term(words in prop::collection::vec(prop::sample::select(WORDS), 0..30)) {
        let text = words.join(" ");
        let open = text.matches('(').count();
        let close = text.matches(')').count();
        let text = format!("{text}{}", ")".repeat(open.saturating_sub(close)));
        outcome(&format!("(declare-fun p (Int) Bool) (declare-fun q (Int Bool) Bool) (assert (forall ((x Int) (y Bool)) ({text})))"));
    }

    #[test]
    fn any_characters(text in "\\PC{0,60}") {
        outcome(&text);
    }

    #[test]
    fn cut_off(at in 0..TEXT.len()) {
        let mut end = at;
        while !TEXT.is_char_boundary(end) { end -= 1; }
        outcome(&TEXT[..end]);
    }

    #[test]
    fn one_change(at in 0..TEXT.len(), with in prop::sample::select(WORDS)) {
        outcome(&format!("{} {with} {}", &TEXT[..at], &TEXT[at + 1..]));
    }
}
