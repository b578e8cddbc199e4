//! How formulas become Horn clauses: how many, of which form, with which variables.

#![allow(clippy::unwrap_used)]

use suppose_frontends::smtlib::{read_text, write, write_definitions};
use suppose_model::chc::{Horn, Param, Terms};
use suppose_source::Severity;

fn system(text: &str) -> Horn {
    match read_text("t.smt2", text) {
        Ok((read, _)) => read.horn,
        Err((errors, sources)) => {
            let all: Vec<String> = errors.iter().map(|e| e.render(&sources, false)).collect();
            panic!("{}", all.join("\n"))
        }
    }
}

const DECLARED: &str = "(set-logic HORN) (declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun b () Bool)";

/// Each clause as `p q -> p`, in order.
fn shapes(assertion: &str) -> Vec<String> {
    let horn = system(&format!("{DECLARED} (assert {assertion})"));
    let name = |app: &suppose_model::chc::App| horn.predicate(app.pred).name.clone();
    let shape = |clause: &suppose_model::chc::Clause| {
        let body: Vec<String> = clause.body.iter().map(name).collect();
        let head = clause.head.as_ref().map_or("false".to_owned(), name);
        format!("{} -> {head}", body.join(" ")).trim().to_owned()
    };
    horn.clauses.iter().map(shape).collect()
}

#[test]
fn clauses_follow_polarity() {
    let x = |formula: &str| format!("(forall ((x Int)) {formula})");
    let cases: &[(String, &[&str])] = &[
        (x("(=> (p x) (q x))"), &["p -> q"]),
        (x("(=> (and (p x) (q x) (> x 0)) b)"), &["p q -> b"]),
        (x("(p x)"), &["-> p"]),
        (x("(not (p x))"), &["p -> false"]),
        (x("(or (q x) (not (p x)) (< x 3))"), &["p -> q"]),
        // Disjunctions in the body and conjunctions in the head are several clauses.
        (x("(=> (or (p x) (q x)) b)"), &["p -> b", "q -> b"]),
        (x("(=> (p x) (and b (q x)))"), &["p -> b", "p -> q"]),
        (
            x("(=> (or (and (p x) (> x 0)) (and (p x) (< x 0))) b)"),
            &["p -> b"],
        ),
        (x("(=> (p x) (=> (q x) b))"), &["p q -> b"]),
        (x("(= (p x) b)"), &["p -> b", "b -> p"]),
        (x("(ite (> x 0) (p x) (q x))"), &["-> p", "-> q"]),
        (x("(=> (ite (> x 0) (p x) (q x)) b)"), &["p -> b", "q -> b"]),
        (x("(=> (= (ite (p x) 1 2) 1) b)"), &["p -> b"]),
        (x("(=> (not (= (ite (p x) 1 2) 1)) false)"), &["-> p"]),
        (
            "(not (exists ((x Int)) (and (p x) (q x))))".to_owned(),
            &["p q -> false"],
        ),
        (
            "(forall ((x Int)) (=> (exists ((y Int)) (and (p y) (< x y))) (q x)))".to_owned(),
            &["p -> q"],
        ),
        (
            "(forall ((x Int)) (=> (p x) (forall ((y Int)) (=> (< x y) (q y)))))".to_owned(),
            &["p -> q"],
        ),
        (x("(=> (and (p x) (> x 0) (< x 0)) b)"), &["p -> b"]),
        (x("(=> (and (p x) (> x 0) (not (> x 0))) b)"), &[]),
        (x("(=> (p x) (p x))"), &[]),
        (x("(=> (and (p x) (p x)) b)"), &["p -> b"]),
        (x("(xor (p x) true)"), &["p -> false"]),
        (
            "(let ((f b)) (forall ((x Int)) (=> f (p x))))".to_owned(),
            &["b -> p"],
        ),
        ("true".to_owned(), &[]),
        ("false".to_owned(), &["-> false"]),
    ];
    for (formula, expected) in cases {
        assert_eq!(shapes(formula), *expected, "{formula}");
    }
}

#[test]
fn arguments_are_variables_and_no_more_than_needed() {
    let horn = system(&format!(
        "{DECLARED} (declare-fun r (Int Int Bool) Bool)
         (assert (forall ((x Int) (c Bool)) (=> (r x x c) (r x (+ x 1) c))))
         (assert (r 1 1 true))"
    ));
    let clause = &horn.clauses[0];
    assert_eq!(clause.body[0].args[0], clause.body[0].args[1]);
    assert_eq!(horn.variables(clause).len(), 3);
    let ground = &horn.clauses[1];
    assert_eq!(horn.variables(ground).len(), 2);
    // No variable is in two clauses, nor a parameter.
    let mut all: Vec<_> = horn
        .clauses
        .iter()
        .flat_map(|c| horn.variables(c))
        .collect();
    all.extend(horn.predicates.iter().flat_map(|p| p.formals.clone()));
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn names_and_places_are_the_users() {
    let text =
        "(declare-fun |a b| (Int) Bool)\n(assert (forall ((x' Int)) (=> (> |x'| 0) (|a b| x'))))";
    let text = text.replace("x'", "|x 1|").replace("||", "|");
    let horn = system(&text);
    assert_eq!(horn.predicates[0].name, "a b");
    let clause = &horn.clauses[0];
    assert_eq!(
        horn.terms.name(clause.head.as_ref().unwrap().args[0]),
        "x 1"
    );
    let span = clause.place.as_ref().unwrap().span;
    assert!(text[span.start as usize..span.end as usize].starts_with("(assert"));
}

#[test]
fn rules_of_z3() {
    let horn = system(
        "(declare-rel inv (Int (_ BitVec 2))) (declare-rel bad ())
         (declare-var x Int) (declare-var y (_ BitVec 2))
         (rule (inv 0 #b00) start)
         (rule (=> (and (inv x y) (< x 5)) (inv (+ x 1) (bvadd y #b01))))
         (rule (=> (and (inv x y) (> x 5)) bad))
         (query bad :print-certificate true)
         (query inv)
         (query (and (inv x y) (= x 2)))",
    );
    assert_eq!(horn.clauses.len(), 6);
    assert_eq!(horn.clauses.iter().filter(|c| c.head.is_none()).count(), 3);
    assert!(matches!(&horn.predicates[0].params[1], Param::Bits(bits) if bits.len() == 2));
    assert_eq!(horn.predicates[0].formals.len(), 3);
}

#[test]
fn definitions_are_put_in_with_their_own_names() {
    let horn = system(&format!(
        "{DECLARED}
         (define-fun next ((x Int) (y Int)) Bool (= y (+ x 1)))
         (define-const two Int 2)
         (define-sort Whole () Int)
         (assert (forall ((y Whole) (x Whole)) (=> (and (p y) (next y x) (< y two)) (p x))))"
    ));
    let text = write(&horn);
    assert!(text.contains("(= (+ y 1) x)"), "{text}");
    assert!(text.contains("(<= y 1)"), "{text}");
}

#[test]
fn no_query_is_a_warning() {
    let (read, _) = read_text("t.smt2", &format!("{DECLARED} (assert (p 0))")).unwrap();
    assert_eq!(read.warnings.len(), 1);
    assert_eq!(read.warnings[0].severity, Severity::Warning);
    assert!(read.warnings[0].message.contains("no query"));
    let (read, _) = read_text("t.smt2", &format!("{DECLARED} (assert (not b))")).unwrap();
    assert!(read.warnings.is_empty());
}

#[test]
fn a_long_chain_of_lets_is_read() {
    let mut text = format!("{DECLARED} (assert (forall ((x Int)) ");
    for i in 0..20_000 {
        let before = if i == 0 {
            "x".to_owned()
        } else {
            format!("a{}", i - 1)
        };
        text += &format!("(let ((a{i} (+ {before} 1))) ");
    }
    text += "(=> (= a19999 20000) (p x))";
    text += &")".repeat(20_002);
    let horn = system(&text);
    assert_eq!(horn.terms.variables(horn.clauses[0].constraint).len(), 1);
    assert!(write(&horn).contains("(= x 0)"));
}

/// Writing and reading again gives the same text.
#[test]
fn what_is_written_is_read_again() {
    let horn = system(&format!(
        "{DECLARED} (declare-fun r (Real Bool (_ BitVec 2)) Bool)
         (assert (forall ((x Real) (p Bool) (v (_ BitVec 2)) (|!1| Int)) (=> (and (r x p v) (> (* 3 x) 0.5) (= |!1| 3) (xor p (> x 1))) (r (/ x 7) (not p) (bvadd v v)))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x) (= (mod (+ x y) 4) 1) (distinct x y)) (q (div y 3)))))
         (assert (forall ((x Int)) (not (and b (q x)))))"
    ));
    let first = write(&horn);
    let again = write(&system(&first));
    assert_eq!(first, again);
}

#[test]
fn definitions_are_written_over_the_declared_parameters() {
    let mut horn = system(
        "(declare-fun r (Int (_ BitVec 2)) Bool) (declare-fun |s t| () Bool) (assert |s t|)",
    );
    let formals = horn.predicates[0].formals.clone();
    let low = horn.terms.var(formals[1]);
    let least = horn.terms.le(suppose_model::chc::Lin::var(formals[0]));
    let both = horn.terms.and([low, least]);
    let text = write_definitions(&horn, &horn.terms, &[both, Terms::TRUE]);
    assert!(
        text.contains("(define-fun r ((x!0 Int) (x!1 (_ BitVec 2))) Bool"),
        "{text}"
    );
    assert!(text.contains("(= ((_ extract 0 0) x!1) #b1)"), "{text}");
    assert!(text.contains("(<= x!0 0)"), "{text}");
    assert!(
        text.contains("(define-fun |s t| () Bool\n  true)"),
        "{text}"
    );
}
