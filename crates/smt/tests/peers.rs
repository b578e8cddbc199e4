//! The same problems for z3 and cvc5: no disagreement.
//!
//! Both must be there, on the PATH or in `.test-tools/bin` of the workspace, where `scripts/test.sh` puts them.

mod checker;
mod formulas;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use formulas::Maker;
use suppose_control::Context;
use suppose_model::chc::{Sort, TermId, Terms, Var, write_term};
use suppose_smt::{SatResult, Solver, prove};
use suppose_testkit::{Rng, installed};

const BATCH: u64 = 250;

/// The peers, with bounds on what they do for one problem: some they do not decide. Counted in steps
/// and not in seconds, so that each run sees the same.
const LIMITS: [(&str, &str); 2] = [
    ("z3", "(set-option :rlimit 20000000)\n"),
    ("cvc5", "(set-option :reproducible-resource-limit 100000)\n"),
];

fn peer(name: &str) -> Command {
    let mut command = Command::new(installed(name));
    match name {
        "z3" => command.args(["-in", "-T:120"]),
        _ => command.args(["--incremental", "--lang=smt2"]),
    };
    command
}

fn ask(name: &str, text: &str) -> Vec<String> {
    let mut child = peer(name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the peer starts");
    let mut stdin = child.stdin.take().expect("piped");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the peer ends");
    writer.join().expect("no panic").expect("the peer reads");
    let answers = String::from_utf8_lossy(&output.stdout);
    answers.lines().map(str::to_owned).collect()
}

fn problem(rng: &mut Rng) -> (Maker, TermId) {
    let kinds: [&[Sort]; 4] = [
        &[Sort::Int],
        &[Sort::Real],
        &[Sort::Int, Sort::Real],
        &[Sort::Bool, Sort::Int, Sort::Bool, Sort::Real],
    ];
    let kind = kinds[rng.below(4)];
    let mut sorts: Vec<Sort> = (0..rng.between(2, 7))
        .map(|_| kind[rng.below(kind.len())])
        .collect();
    if rng.percent(50) {
        sorts.push(Sort::Bool);
    }
    let mut maker = Maker::new(&sorts);
    maker.factor = rng.between(1, 6);
    maker.constant = rng.between(0, 20);
    let (parts, depth) = (rng.between(1, 8), rng.between(1, 3));
    let parts: Vec<TermId> = (0..parts).map(|_| maker.formula(rng, depth)).collect();
    let formula = maker.terms.and(parts);
    (maker, formula)
}

fn write_problem(text: &mut String, terms: &Terms, vars: &[Var], formula: TermId) {
    text.push_str("(push 1)\n");
    for &var in vars {
        let sort = terms.sort(var);
        let _ = writeln!(text, "(declare-const {} {sort:?})", terms.name(var));
    }
    text.push_str("(assert ");
    write_term(text, terms, formula, &|v: Var| terms.name(v).to_owned());
    text.push_str(")\n(check-sat)\n(pop 1)\n");
}

fn compare(count: u64) {
    let cx = Context::default();
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = number("SUPPOSE_SEED").unwrap_or(0);
    let count = number("SUPPOSE_CASES").unwrap_or(count);
    let (mut unknown, mut theirs_unknown, mut seen) = (0, 0, [0, 0]);
    for batch in (first..first + count).step_by(BATCH as usize) {
        let seeds = batch..(batch + BATCH).min(first + count);
        let mut text = String::new();
        let mut ours = Vec::new();
        for seed in seeds.clone() {
            let (mut maker, formula) = problem(&mut Rng::new(seed));
            write_problem(&mut text, &maker.terms, &maker.vars, formula);
            let mut solver = Solver::new();
            solver.assert(&mut maker.terms, formula);
            let outcome = solver.check(&mut maker.terms, &[], &cx).expect("no limit");
            match outcome {
                SatResult::Sat => assert!(solver.model().eval(&maker.terms, formula)),
                SatResult::Unsat => {
                    let proof = prove(&mut maker.terms, formula, &cx).expect("no limit");
                    let proof = proof.expect("what is decided once is decided twice");
                    let checked = checker::check(&mut maker.terms, formula, &proof);
                    assert_eq!(checked, Ok(()), "SUPPOSE_SEED={seed}");
                }
                SatResult::Unknown => unknown += 1,
            }
            ours.push(outcome);
        }
        for (name, limit) in LIMITS {
            let theirs = ask(name, &format!("{limit}(set-logic ALL)\n{text}"));
            assert_eq!(theirs.len(), ours.len(), "{name} answers all: {theirs:?}");
            for ((seed, our), their) in seeds.clone().zip(&ours).zip(&theirs) {
                match (our, their.split(' ').next().unwrap_or_default()) {
                    (SatResult::Sat, "sat") => seen[0] += 1,
                    (SatResult::Unsat, "unsat") => seen[1] += 1,
                    (SatResult::Unknown, "sat" | "unsat") => {}
                    (_, "unknown") => theirs_unknown += 1,
                    _ => panic!("SUPPOSE_SEED={seed}: we say {our:?}, {name} says {their}"),
                }
            }
        }
    }
    assert!(seen.iter().all(|&n| n > count / 5), "{seen:?}");
    assert!(
        theirs_unknown * 200 <= count,
        "they do not decide {theirs_unknown}"
    );
    assert!(
        unknown * 500 <= count,
        "{unknown} of {count} are not decided"
    );
}

#[test]
fn no_disagreement_with_z3_and_cvc5() {
    compare(5_000);
}

#[test]
#[ignore = "takes minutes; the long mode runs it"]
fn no_disagreement_in_a_hundred_thousand() {
    compare(100_000);
}
