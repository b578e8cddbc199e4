//! What is said about Horn clauses that cannot be read: message, place and help.

#![allow(clippy::unwrap_used)]

use suppose_frontends::smtlib::read_text;
use suppose_source::{Diagnostic, Severity};

/// All errors of a text: message, line and column (0, 0 without a place), label, help.
fn errors(text: &str) -> Vec<(String, usize, usize, String, String)> {
    let (errors, sources) = match read_text("m.smt2", text) {
        Ok(_) => return Vec::new(),
        Err(failed) => failed,
    };
    let shown = |it: &Diagnostic| {
        assert!(it.severity == Severity::Error);
        assert!(it.render(&sources, false).contains(&it.message));
        let (line, column) = it.span.map_or((0, 0), |span| {
            let position = sources.file(span.file).unwrap().position(span.start);
            (position.line, position.column)
        });
        (
            it.message.clone(),
            line,
            column,
            it.label.clone(),
            it.help.join(" "),
        )
    };
    errors.iter().map(shown).collect()
}

/// Text, message, line, column, and a part of the label or the help.
type Case = (&'static str, &'static str, usize, usize, &'static str);

fn check(cases: &[Case]) {
    for (text, message, line, column, more) in cases {
        let found = errors(text);
        let Some((found_message, found_line, found_column, label, help)) = found.first() else {
            panic!("read without an error: {text}");
        };
        assert_eq!(found_message, message, "{text}");
        assert_eq!((*found_line, *found_column), (*line, *column), "{text}");
        let all = format!("{label} {help}");
        assert!(all.contains(more), "{text}\n{all}");
    }
}

#[test]
fn brackets_and_words() {
    check(&[
        (
            "",
            "there is no predicate and no clause",
            0,
            0,
            "declare-fun",
        ),
        (
            "(assert (p 0)",
            "the text ends where 1 list is still open",
            1,
            14,
            "cut off",
        ),
        (
            "(declare-fun p () Bool)\n(assert (=> (",
            "the text ends where 3 lists are still open",
            2,
            14,
            "expected `)`",
        ),
        ("(check-sat))", "`)` closes no list", 1, 12, "remove it"),
        (
            "(declare-fun |p (",
            "the quoted name has no end",
            1,
            14,
            "another `|`",
        ),
        (
            "(set-info :source \"x)",
            "the string has no end",
            1,
            19,
            "another `\"",
        ),
        (
            "(assert (= 12ab 3))",
            "`12ab` is not a number",
            1,
            12,
            "between bars",
        ),
        ("(assert (= 1. 3))", "`1.` is not a number", 1, 12, "1.5"),
        (
            "(assert #b012)",
            "this is not a bit-vector constant",
            1,
            9,
            "#b0101",
        ),
        (
            "(assert {x})",
            "`{` cannot stand here",
            1,
            9,
            "between bars",
        ),
        ("hello", "this is not a command", 1, 1, "(assert ...)"),
        (
            "(declare-fn p () Bool)",
            "there is no command `declare-fn`",
            1,
            1,
            "declare-fun",
        ),
        (
            "(frobnicate)",
            "there is no command `frobnicate`",
            1,
            1,
            "expected a command",
        ),
        (
            "(push 1)",
            "`push` is not supported",
            1,
            1,
            "file of its own",
        ),
    ]);
}

#[test]
fn declarations() {
    check(&[
        (
            "(declare-fun p Int Bool)",
            "this `declaration` is not complete",
            1,
            16,
            "(declare-fun name (sort ...) Bool)",
        ),
        (
            "(declare-fun p (Int))",
            "this `declare-fun` is not complete",
            1,
            1,
            "(declare-fun name (sort ...) Bool)",
        ),
        (
            "(declare-fun p () Bool)\n(declare-fun p (Int) Bool)",
            "`p` is declared twice",
            2,
            14,
            "another name",
        ),
        (
            "(declare-fun f (Int) Int)",
            "`f` is declared with sort Int, but unknown functions are not Horn",
            1,
            22,
            "a predicate",
        ),
        (
            "(declare-const n Int)",
            "`n` is declared with sort Int, but unknown functions are not Horn",
            1,
            18,
            "forall",
        ),
        (
            "(declare-fun p ((Array Int)) Bool)",
            "this array sort is not complete",
            1,
            17,
            "(Array index element)",
        ),
        (
            "(declare-fun p (String) Bool)",
            "the sort `String` is not supported yet",
            1,
            17,
            "Bool, Int, Real",
        ),
        (
            "(declare-fun p ((_ FloatingPoint 8 24)) Bool)",
            "floating-point numbers are not supported yet",
            1,
            17,
            "Bool, Int",
        ),
        (
            "(declare-fun p (List) Bool)",
            "there is no sort `List`",
            1,
            17,
            "Bool, Int, Real",
        ),
        (
            "(declare-fun p ((_ BitVec 0)) Bool)",
            "this is not a bit-vector width",
            1,
            27,
            "from 1 to",
        ),
        (
            "(declare-fun p ((_ BitVec 99999999999)) Bool)",
            "this is not a bit-vector width",
            1,
            27,
            "from 1 to",
        ),
        (
            "(declare-datatypes ((T 0)) (((c (d T)))))",
            "the datatype `T` has no values",
            1,
            1,
            "without fields of that datatype",
        ),
        (
            "(declare-sort S 1)",
            "sorts with parameters are not supported yet",
            1,
            17,
            "expected 0",
        ),
        (
            "(declare-fun and (Int) Bool)",
            "`and` has a meaning of its own",
            1,
            14,
            "another name",
        ),
        (
            "(define-fun f ((x Int) (x Int)) Int x)",
            "`x` is declared twice here",
            1,
            25,
            "another name",
        ),
        (
            "(define-fun-rec f ((x Int)) Int (f x))",
            "recursive definitions are not supported",
            1,
            1,
            "declare a predicate",
        ),
        (
            "(define-sort S (T) T)",
            "sorts with parameters are not supported yet",
            1,
            16,
            "`()`",
        ),
    ]);
}

/// After `(declare-fun p (Int) Bool) (declare-fun q (Bool (_ BitVec 4)) Bool)` and a new line.
fn check_after(cases: &[Case]) {
    for &(text, message, line, column, more) in cases {
        let whole =
            format!("(declare-fun p (Int) Bool) (declare-fun q (Bool (_ BitVec 4)) Bool)\n{text}");
        let found = errors(&whole);
        let Some((found_message, found_line, found_column, label, help)) = found.first() else {
            panic!("read without an error: {text}");
        };
        assert_eq!(found_message, message, "{text}");
        assert_eq!((*found_line, *found_column), (line + 1, column), "{text}");
        let all = format!("{label} {help}");
        assert!(all.contains(more), "{text}\n{all}");
    }
}

#[test]
fn terms() {
    check_after(&[
        (
            "(assert (r 1))",
            "`r` is neither a declared predicate nor an operator",
            1,
            10,
            "(declare-fun r (Int) Bool)",
        ),
        (
            "(assert (forall ((counter Int)) (p countr)))",
            "`countr` is not declared",
            1,
            36,
            "did you mean `counter`?",
        ),
        ("(assert (p x))", "`x` is not declared", 1, 12, "bind it"),
        (
            "(assert (p 1 2))",
            "`p` takes 1 argument, found 2",
            1,
            9,
            "expected 1 argument",
        ),
        (
            "(assert p)",
            "`p` takes 1 argument, found 0",
            1,
            9,
            "expected 1 argument",
        ),
        (
            "(assert (p true))",
            "argument 1 of `p` is of sort Bool",
            1,
            12,
            "expected Int",
        ),
        (
            "(assert (p 1.5))",
            "argument 1 of `p` is of sort Real",
            1,
            12,
            "expected Int",
        ),
        (
            "(assert (q true #b101))",
            "argument 2 of `q` is of sort (_ BitVec 3)",
            1,
            17,
            "expected (_ BitVec 4)",
        ),
        (
            "(assert (q (p 1) #b1010))",
            "a predicate occurs in the argument of a predicate",
            1,
            9,
            "one clause for each",
        ),
        (
            "(assert (+ 1 2))",
            "this is a term of sort Int, not a formula",
            1,
            9,
            "expected Bool",
        ),
        (
            "(assert (and true 3))",
            "this is a term of sort Int",
            1,
            19,
            "expected Bool",
        ),
        (
            "(assert (= 1 true))",
            "this is a term of sort Bool",
            1,
            14,
            "expected Int",
        ),
        (
            "(assert (< 1 true))",
            "this is a term of sort Bool",
            1,
            14,
            "expected Int or Real",
        ),
        (
            "(assert (not true false))",
            "`not` takes 1 argument, found 2",
            1,
            9,
            "expected 1 argument",
        ),
        (
            "(assert (=> true))",
            "`=>` takes 2 or more arguments, found 1",
            1,
            9,
            "2 or more",
        ),
        (
            "(assert (forall ((x Int) (y Int)) (=> (= (* x y) 1) (p x))))",
            "the product of two variables is not linear",
            1,
            42,
            "all factors but one",
        ),
        (
            "(assert (forall ((x Int)) (p (div x 0))))",
            "division by 0",
            1,
            37,
            "other than 0",
        ),
        (
            "(assert (forall ((x Int)) (p (mod x 0))))",
            "division by 0",
            1,
            37,
            "other than 0",
        ),
        (
            "(assert (forall ((x Real)) (=> (= (/ x 0.0) 1.0) (p 1))))",
            "division by 0",
            1,
            40,
            "other than 0",
        ),
        (
            "(assert (forall ((x Int)) (p (div 5 x))))",
            "division by a term with variables is not linear",
            1,
            37,
            "other than 0",
        ),
        (
            "(assert (forall ((x Int)) (=> (= (select x 1) 2) (p x))))",
            "this is a term of sort Int",
            1,
            42,
            "an array",
        ),
        (
            "(assert (= (bvadd #b01 #b001) #b01))",
            "this is a term of sort (_ BitVec 3)",
            1,
            24,
            "(_ BitVec 2)",
        ),
        (
            "(assert (= ((_ extract 4 2) #b0101) #b101))",
            "there are no bits 4 to 2 in a bit vector of width 4",
            1,
            13,
            "below 4",
        ),
        (
            "(assert (= (_ bv9 3) #b001))",
            "the number does not fit 3 bits",
            1,
            12,
            "below 2 to the 3",
        ),
        (
            "(assert (forall (x Int) (p x)))",
            "this declares no variables",
            1,
            18,
            "((name sort) ...)",
        ),
        (
            "(assert (let ((x 1) (x 2)) (p x)))",
            "`x` is bound twice in one `let`",
            1,
            21,
            "another name",
        ),
        (
            "(assert (let x (p 1)))",
            "this `let` is not complete",
            1,
            14,
            "(let ((name term) ...) term)",
        ),
        (
            "(assert (forall ((x Int)) (x 1)))",
            "`x` is a variable and takes no arguments",
            1,
            28,
            "without brackets",
        ),
        (
            "(assert ())",
            "an empty list is not a term",
            1,
            9,
            "expected a term",
        ),
        (
            "(assert \"text\")",
            "strings are not supported yet",
            1,
            9,
            "Bool, Int, Real",
        ),
        ("(assert)", "this `assert` is not complete", 1, 1, "(assert"),
        (
            "(define-fun f ((x Int)) Bool (+ x 1))\n(assert (f 1))",
            "the body of `f` is of sort Int",
            1,
            30,
            "expected Bool",
        ),
        (
            "(define-fun f ((x Int)) Int (* x x))\n(assert (forall ((y Int)) (p (f y))))",
            "the product of two variables is not linear",
            1,
            29,
            "all factors but one",
        ),
    ]);
}

#[test]
fn clauses() {
    check_after(&[
        (
            "(assert (forall ((x Int) (y Int)) (=> (> x y) (or (p x) (p y)))))",
            "this is not a Horn clause: its head is `p` or `p`",
            1,
            1,
            "negated predicate",
        ),
        (
            "(assert (forall ((x Int)) (=> (not (p x)) (p (+ x 1)))))",
            "this is not a Horn clause: its head is `p` or `p`",
            1,
            1,
            "at most one predicate",
        ),
        (
            "(assert (forall ((x Int)) (=> (forall ((y Int)) (p y)) (p x))))",
            "`forall` cannot stand in the body of a clause",
            1,
            31,
            "one `forall` around",
        ),
        (
            "(assert (forall ((x Int)) (=> (p x) (exists ((y Int)) (p y)))))",
            "`exists` cannot stand in the head of a clause",
            1,
            37,
            "one `forall` around",
        ),
        (
            "(assert (forall ((x Int)) (p (ite (p x) 1 2))))",
            "a predicate decides here which number is meant",
            1,
            27,
            "one clause for each",
        ),
        ("(rule)", "this `rule` is not complete", 1, 1, "(rule"),
        ("(query r)", "`r` is not declared", 1, 8, "bind it"),
    ]);
}

/// Errors of several commands are found together.
#[test]
fn several_errors() {
    let found = errors("(declare-fun p (Int) Bool)\n(assert (p))\n(assert (p 1))\n(assert (r 1))");
    let lines: Vec<usize> = found.iter().map(|e| e.1).collect();
    assert_eq!(lines, [2, 4]);
}

#[test]
fn too_many_cases() {
    // A conjunction of disjunctions of predicates: 2 to the 13 clauses.
    let mut text = "(declare-fun p (Int) Bool) (assert (=> (and".to_owned();
    for i in 0..13 {
        text += &format!(" (or (p {}) (p {}))", 2 * i, 2 * i + 1);
    }
    text += ") false))";
    let found = errors(&text);
    assert!(
        found[0].0.starts_with("this formula expands to more than"),
        "{found:?}"
    );
    assert!(found[0].4.contains("a predicate of its own"));
}
