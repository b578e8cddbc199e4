//! `suppose solve`: a script in SMT-LIB, answered as z3 answers it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::support::{Folder, Ran, program, root, suppose};

const COUNTER: &str = "(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 10)) (inv (+ x 1)))))
(push)
(assert (forall ((x Int)) (=> (and (inv x) (> x 10)) false)))
(check-sat)
(get-model)
(pop 1)
(assert (forall ((x Int)) (=> (and (inv x) (> x 9)) false)))
(check-sat)
(get-model)
(get-info :reason-unknown)
(echo \"he said \"\"hello\"\"\")
(reset-assertions)
(check-sat)
";

/// Two predicates over a record and a bit vector.
const RECORDS: &str = "(set-logic HORN)
(declare-datatypes ((Pair 0)) (((mk (fst Int) (snd (_ BitVec 4))))))
(declare-fun |a b| (Pair Bool) Bool)
(declare-fun done (Int) Bool)
(assert (forall ((p Pair)) (=> (and (= (fst p) 0) (= (snd p) #x1)) (|a b| p true))))
(assert (forall ((p Pair) (c Bool)) (=> (|a b| p c)
  (|a b| (mk (+ 1 (fst p)) (bvadd (snd p) #x2)) (not c)))))
(assert (forall ((p Pair)) (=> (|a b| p true) (done (fst p)))))
(assert (forall ((p Pair) (c Bool)) (=> (and (|a b| p c) (= (snd p) #x4)) false)))
(assert (forall ((n Int)) (=> (and (done n) (< n 0)) false)))
";

fn z3() -> Option<std::path::PathBuf> {
    let tool = root().join(".test-tools/bin/z3");
    tool.is_file().then_some(tool)
}

#[test]
fn a_script_with_push_and_pop_is_answered_command_by_command() {
    let folder = Folder::new();
    let ran = suppose(["solve", &folder.file("counter.smt2", COUNTER)]);
    // The body of a definition begins further to the right.
    let lines = ran.stdout.lines();
    let answers: Vec<&str> = lines.filter(|line| !line.starts_with("    ")).collect();
    let expected = [
        "sat",
        "(",
        "  (define-fun inv ((x!0 Int)) Bool",
        ")",
        "unsat",
        "(error \"line 12 column 10: model is not available\")",
        "(:reason-unknown \"\")",
        "he said \"hello\"",
        "sat",
    ];
    assert_eq!(answers, expected, "{ran:#?}");
    assert_eq!(ran.status, 1, "an error in the script: {ran:#?}");
    assert_eq!(ran.stderr, "", "{ran:#?}");
}

/// The same words in the same order, except the model itself.
#[test]
fn z3_gives_the_same_answers() {
    let Some(z3) = z3() else {
        return;
    };
    let folder = Folder::new();
    let rules = "(declare-rel reg (Int))\n(declare-rel bad ())\n(declare-rel never ())\n(declare-var x Int)\n\
                 (rule (reg 0))\n(rule (=> (and (reg x) (< x 5)) (reg (+ x 1))))\n\
                 (rule (=> (and (reg x) (= x 3)) bad))\n(rule (=> (and (reg x) (= x 7)) never))\n\
                 (query bad)\n(query never)\n";
    let success =
        format!("(set-option :print-success true)\n{RECORDS}(check-sat)\n(exit)\n(check-sat)\n");
    let wrong = format!("(set-info :status unsat)\n{RECORDS}(check-sat)\n(check-sat)\n");
    for (name, text) in [
        ("counter.smt2", COUNTER),
        ("rules.smt2", rules),
        ("success.smt2", &success),
        ("annotation.smt2", &wrong),
    ] {
        let file = folder.file(name, text);
        let ours = suppose(["solve", &file]);
        let theirs: Ran = Command::new(&z3).arg(&file).output().unwrap().into();
        let words = |ran: &Ran| -> Vec<String> {
            let lines = ran.stdout.lines();
            // What z3 gives as the reason where there is none differs from run to run.
            let plain = lines.filter(|l| !l.starts_with("    ") && !l.starts_with("(:reason"));
            plain.map(str::to_owned).collect()
        };
        assert_eq!(
            words(&ours),
            words(&theirs),
            "{name}: {ours:#?} {theirs:#?}"
        );
        assert_eq!(ours.status, theirs.status, "{name}");
    }
}

/// Definitions over records and bit vectors, as they were declared, make the clauses true: z3 says so.
#[test]
fn a_model_is_about_the_sorts_as_they_were_declared() {
    let folder = Folder::new();
    let file = folder.file("records.smt2", format!("{RECORDS}(check-sat)\n"));
    let ran = suppose(["solve", "-model", &file]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let model = ran
        .stdout
        .strip_prefix("sat\n(\n")
        .and_then(|m| m.strip_suffix(")\n"));
    let model = model.unwrap_or_else(|| panic!("{ran:#?}"));
    assert!(
        model.contains("(define-fun |a b| ((x!0 Pair) (x!1 Bool)) Bool"),
        "{model}"
    );
    let Some(z3) = z3() else {
        return;
    };
    let (declared, clauses): (Vec<&str>, Vec<&str>) = RECORDS
        .split_inclusive('\n')
        .skip(1)
        .partition(|line| line.starts_with("(declare-datatypes"));
    let clauses = clauses
        .into_iter()
        .filter(|line| !line.starts_with("(declare-fun"));
    let text = format!(
        "{}{model}{}(check-sat)\n",
        declared.concat(),
        clauses.collect::<String>()
    );
    let judged: Ran = Command::new(z3)
        .arg(folder.file("model.smt2", text))
        .output()
        .unwrap()
        .into();
    assert_eq!(judged.stdout, "sat\n", "{judged:#?}");
}

#[test]
fn a_program_may_wait_for_each_answer() {
    let mut child = program()
        .args(["solve", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |text: &str| {
        to.write_all(text.as_bytes()).unwrap();
        to.flush().unwrap();
        from.next().unwrap().unwrap()
    };
    assert_eq!(ask("(echo \"ready; (or\") ; a comment (\n"), "ready; (or");
    let first = "(declare-fun p (Int)\n  Bool)\n(assert (forall ((x Int)) (=> (> x 0) (p x))))\n(check-sat)\n";
    assert_eq!(ask(first), "sat");
    let second = "(assert (forall ((x Int)) (=> (p x) false)))\n(check-sat)\n";
    assert_eq!(ask(second), "unsat");
    assert_eq!(
        ask("(assert (p\n)\n)\n(check-sat)\n").split(':').next(),
        Some("(error \"line 8 column 8")
    );
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// Without multiplication the invariant cannot be said, so no limit is long enough.
const HARD: &str = "(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int)) (p 0 0 x)))
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (p i s n) (< i n)) (p (+ i 1) (+ s n) n))))
(assert (forall ((i Int) (s Int) (n Int) (j Int) (t Int))
  (=> (and (p i s n) (p j t n) (>= i n) (>= j n) (> n 0) (> s (* 2 t))) false)))
(check-sat)
";

#[test]
fn limits_are_those_of_z3() {
    let folder = Folder::new();
    let text = format!("{HARD}(get-info :reason-unknown)\n");
    let file = folder.file("hard.smt2", text);
    let each = suppose(["solve", "-t:1", &file]);
    assert_eq!(
        each.stdout, "unknown\n(:reason-unknown \"timeout\")\n",
        "{each:#?}"
    );
    let whole = suppose(["solve", "-T:0", &file]);
    assert_eq!(whole.stdout, "timeout\n", "{whole:#?}");
    let inside = folder.file("inside.smt2", format!("(set-option :timeout 1)\n{HARD}"));
    let inside = suppose(["solve", &inside]);
    assert_eq!(inside.stdout, "unknown\n", "{inside:#?}");
    for ran in [each, whole, inside] {
        assert_eq!(ran.status, 0, "{ran:#?}");
    }
}

#[test]
fn what_is_wrong_is_an_error_with_its_position() {
    let folder = Folder::new();
    let said = |text: &str| {
        let ran = suppose(["solve", &folder.file("wrong.smt2", text)]);
        assert_eq!(ran.status, 1, "{ran:#?}");
        ran.stdout
    };
    let open = said("(assert\n");
    assert!(open.starts_with("(error \"line 2 column 0: "), "{open}");
    let undeclared =
        said("(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (q x)))\n(check-sat)\n");
    assert!(
        undeclared.starts_with("(error \"line 2 column 27: "),
        "{undeclared}"
    );
    assert!(undeclared.ends_with("\nunknown\n"), "{undeclared}");
    assert!(said("(pop 2)\n").contains("there are 0 levels to pop"));
    assert!(said("(push many)\n").contains("the number of levels"));
    assert!(said("(set-option :colour blue)\n").contains("unknown option `:colour`"));
    assert!(said("(check-sat-assuming (p))\n").contains("not supported"));
    assert!(said("(set-option :timeout soon)\n").contains("milliseconds"));

    suppose(["solve", "/nowhere/a.smt2"]).refused(2, "cannot read");
    suppose(["solve", "-in", "a.smt2"]).refused(1, "both a file and standard input");
    suppose(["solve", "-smt2"]).refused(1, "there is no file");
    suppose(["solve", "-t:soon", "a.smt2"]).refused(1, "whole number");
    suppose(["solve", "--timeout", "a.smt2"]).refused(1, "no option `--timeout`");
    suppose(["solve", "a.smt2", "b.smt2"]).refused(1, "one file");
    let file = folder.file("empty.smt2", "(check-sat)");
    let tuned = suppose(["solve", "fp.engine=spacer", &file]);
    assert_eq!((tuned.status, tuned.stdout.as_str()), (0, "sat\n"));
    assert!(
        tuned.stderr.contains("`fp.engine=spacer` has no effect"),
        "{tuned:#?}"
    );
}
