//! Systems from text, and verdicts whose evidence was checked.
#![allow(dead_code)]

use std::io::Write;
use std::process::{Command, Stdio};

use suppose_certify::chc::{check_definitions, check_derivation};
use suppose_chc::{ChcVerdict, evidence};
use suppose_control::Context;
use suppose_model::chc::Horn;
use suppose_testkit::installed;

/// Reads clauses in SMT-LIB.
pub fn read(text: &str) -> Horn {
    match suppose_frontends::smtlib::read_text("clauses.smt2", text) {
        Ok((read, _)) => read.horn,
        Err((errors, _)) => panic!("{errors:?}"),
    }
}

/// The verdict, after its evidence was accepted: true if the system holds, none if it is unknown.
pub fn judged(horn: &Horn, found: &ChcVerdict) -> Option<bool> {
    match found {
        ChcVerdict::Holds { terms, definitions } => {
            let proofs = evidence::with_proofs(horn, terms, definitions, &Context::default());
            let proofs = proofs
                .expect("not stopped")
                .expect("every clause is proved");
            check_definitions(horn, &proofs, &Context::default())
                .expect("the definitions are right");
            Some(true)
        }
        ChcVerdict::Violated(derivation) => {
            check_derivation(horn, derivation).expect("the derivation is right");
            Some(false)
        }
        ChcVerdict::Unknown { .. } => None,
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

/// What z3 says of systems, one after the other in one process: `sat`, `unsat`, or something else. `work` bounds that on each.
pub fn spacer(systems: &[String], work: u64) -> Vec<String> {
    let mut text = String::new();
    for system in systems {
        text += &format!("(set-option :rlimit {work})\n");
        text += system;
        text += "(echo \"next\")\n(reset)\n";
    }
    let mut child = Command::new(installed("z3"))
        .args(["-in", &format!("-T:{}", 5 + systems.len())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    let written = writer.join().expect("no panic");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answers: Vec<String> = output.split("next").map(|s| s.trim().to_owned()).collect();
    if answers.len() <= systems.len() {
        // z3 itself crashes on some systems, or hangs whatever the limit: those after it are asked anew.
        let crashed = answers.len();
        answers[crashed - 1] = "crashed".to_owned();
        answers.extend(spacer(&systems[crashed..], work));
        return answers;
    }
    written.expect("z3 reads");
    answers
}
