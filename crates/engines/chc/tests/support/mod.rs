//! Systems from text, and verdicts whose evidence was checked.
#![allow(dead_code)]

use suppose_certify::chc::{check_definitions, check_derivation};
use suppose_chc::{Found, evidence};
use suppose_control::Context;
use suppose_model::chc::Horn;

/// Reads clauses in SMT-LIB.
pub fn read(text: &str) -> Horn {
    match suppose_frontends::smtlib::read_text("clauses.smt2", text) {
        Ok((read, _)) => read.horn,
        Err((errors, _)) => panic!("{errors:?}"),
    }
}

/// The verdict, after its evidence was accepted: true if the system holds, none if it is unknown.
pub fn judged(horn: &Horn, found: &Found) -> Option<bool> {
    match found {
        Found::Holds { terms, definitions } => {
            let proofs = evidence::with_proofs(horn, terms, definitions, &Context::default());
            let proofs = proofs
                .expect("not stopped")
                .expect("every clause is proved");
            check_definitions(horn, &proofs, &Context::default())
                .expect("the definitions are right");
            Some(true)
        }
        Found::Violated(derivation) => {
            check_derivation(horn, derivation).expect("the derivation is right");
            Some(false)
        }
        Found::Unknown { .. } => None,
    }
}

/// Fig. 1.1 of the thesis: `Level<1>` to `Level<n>`, each of which calls the next twice. `b` is turned over on each
/// level, so two calls leave it as it was: what the main procedure asserts is true of the start `b`
/// if it is true at all; the clauses ask that two calls give back what they took (`safe`), or do not.
pub fn levels(n: usize, safe: bool) -> String {
    let mut text = String::from("(set-logic HORN)\n");
    for i in 1..=n + 1 {
        text += &format!("(declare-fun L{i} (Bool Bool) Bool)\n");
    }
    for i in 1..=n {
        let j = i + 1;
        // b: nothing is called; else the next level twice. Then b is turned over.
        text += &format!(
            "(assert (forall ((b Bool) (r Bool)) (=> (and b (= r (not b))) (L{i} b r))))\n\
             (assert (forall ((b Bool) (c Bool) (d Bool) (r Bool)) (=> (and (not b) (L{j} b c) (L{j} c d) (= r (not d))) (L{i} b r))))\n"
        );
    }
    let last = n + 1;
    text += &format!("(assert (forall ((b Bool)) (L{last} b b)))\n");
    let wrong = if safe { "(not (= b d))" } else { "(= b d)" };
    text += &format!(
        "(assert (forall ((b Bool) (c Bool) (d Bool)) (=> (and (L1 b c) (L1 c d) {wrong}) false)))\n"
    );
    text
}
