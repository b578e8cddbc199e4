//! Infinite runs: the engine against real SPIN, a naive oracle and the checker.
//!
//! The long mode: `SUPPOSE_CASES=3000 cargo test --release -p suppose-explicit --test cycles -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::sync::Mutex;

use suppose_certify::program::{automaton, ranks, run};
use suppose_control::Context;
use suppose_explicit::live::{ProofEnd, prove};
use suppose_explicit::{ExplicitOptions, SearchVerdict, search};
use suppose_frontends::promela;
use suppose_model::program::{LiveProof, Program, Question};
use suppose_source::{FileId, ParserLimits, Sources};
use suppose_testkit::promela::cycles::{Asks, naive, program as random_program};
use suppose_testkit::promela::spin::cycles as spin_cycles;
use suppose_testkit::rng::{Rng, for_each_seed, long_run};

fn read(text: &str) -> Option<Program> {
    let mut sources = Sources::single("test.pml", text);
    let mut none = |_: &str| Err("there are no other files".to_owned());
    let limits = ParserLimits::default();
    let read = promela::read(FileId(0), &mut sources, &mut none, &[], &limits);
    read.ok().map(|r| r.program)
}

/// The question about infinite runs, if there is just one.
fn question(program: &Program) -> Option<Question> {
    let questions = program.questions();
    let is_safe = |q: &Question| matches!(q, Question::Assertions | Question::EndStates);
    questions.into_iter().find(|q| !is_safe(q))
}

fn ways(fair: bool) -> Vec<ExplicitOptions> {
    let with = |reduction: bool, merge: bool| ExplicitOptions {
        reduction,
        merge,
        fair,
        ..ExplicitOptions::default()
    };
    vec![
        with(false, false),
        with(true, true),
        with(true, false),
        with(false, true),
    ]
}

/// The verdict in all ways, with the evidence checked. None for too many states.
fn violated(program: &Program, question: Question, fair: bool, text: &str) -> Option<bool> {
    decided(program, question, fair, text).map(|(violated, _)| violated)
}

/// Also whether a run that stops is the counterexample.
fn decided(program: &Program, question: Question, fair: bool, text: &str) -> Option<(bool, bool)> {
    let mut answers = Vec::new();
    let mut stops = false;
    for options in ways(fair) {
        let cx = Context::default().with_state_limit(20_000);
        let report = search(program, &[question], &options, &cx);
        let violated = match &report.verdicts[0].1 {
            SearchVerdict::Violated(trace) => {
                let checked = run(program, trace, &Context::default());
                assert!(checked.is_ok(), "{checked:?}\n{trace:#?}\n{text}");
                stops |= trace.cycle.is_none_or(|c| c.step == trace.steps.len());
                true
            }
            SearchVerdict::Holds => false,
            SearchVerdict::Unknown(_) => return None,
            other => panic!("{other:?}\n{text}"),
        };
        answers.push((violated, options));
    }
    let first = answers[0].0;
    for (violated, options) in &answers {
        assert_eq!(*violated, first, "with {options:?}\n{text}");
    }
    Some((first, stops))
}

/// The proof that a question holds is made and accepted.
fn proved(program: &Program, question: Question, fair: bool) -> Option<LiveProof> {
    let claim = match question {
        Question::Claim(number) => program.claims.get(number),
        _ => None,
    };
    let own = match claim {
        Some(claim) if claim.formula.is_some() => Some(automaton(claim)?),
        claim => claim.cloned(),
    };
    let cx = Context::default().with_state_limit(3_000);
    match prove(program, question, own.as_ref(), fair, &cx) {
        Ok(proof) => {
            let checked = ranks(program, own.as_ref(), &proof, &Context::default());
            assert!(checked.is_ok(), "{checked:?}");
            Some(proof)
        }
        Err(ProofEnd::Violated) => panic!("the proof finds a cycle"),
        Err(_) => None,
    }
}

/// Compares one random program; what came of it.
fn compare(rng: &mut Rng, with_spin: bool) -> &'static str {
    let fair = rng.percent(40);
    let asks = [Asks::Claim, Asks::Claim, Asks::Accept, Asks::Progress][rng.below(4)];
    let text = random_program(rng, asks, fair);
    let Some(program) = read(&text) else {
        return "refused";
    };
    let Some(question) = question(&program) else {
        return "nothing asked";
    };
    let Some((ours, stops)) = decided(&program, question, fair, &text) else {
        return "too many states";
    };
    if !ours && program.is_liveness(question) {
        proved(&program, question, fair);
    }
    let claim = match question {
        Question::Claim(number) => program.claims.get(number),
        _ => None,
    };
    if let Some(naively) = naive(&program, question, claim, fair) {
        assert_eq!(ours, naively, "fair {fair}, {asks:?}\n{text}");
    }
    if with_spin {
        // SPIN overlooks runs that stop when it looks for fair ones: see `spin_overlooks_fair_runs_that_stop`.
        let fairly = fair && !(ours && stops);
        let Some(theirs) = spin_cycles(&text, asks == Asks::Progress, fairly) else {
            return "SPIN does not take it";
        };
        assert_eq!(ours, theirs, "fair {fair}, {asks:?}\n{text}");
    }
    match ours {
        true => "violated",
        false => "holds",
    }
}

#[test]
fn random_programs_agree_with_the_naive_oracle() {
    for_each_seed(150, |rng| {
        compare(rng, false);
    });
}

#[test]
fn random_programs_agree_with_spin() {
    for_each_seed(40, |rng| {
        compare(rng, true);
    });
}

#[test]
#[ignore = "long"]
fn thousands_of_random_programs_agree_with_spin() {
    let counts: Mutex<BTreeMap<&str, u32>> = Mutex::new(BTreeMap::new());
    long_run(0, 3000, |_, rng| {
        let what = compare(rng, true);
        if let Ok(mut counts) = counts.lock() {
            *counts.entry(what).or_default() += 1;
        }
    });
    println!("{counts:?}");
}

const TOGGLE: &str = "byte x;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { accept: x == 7 }
ltl p { [] <> (x == 1) }
";

/// SPIN counts accept labels of processes under a formula too, and says that this formula is violated though it holds.
#[test]
fn accept_labels_of_processes_are_no_part_of_a_formula() {
    let program = read(TOGGLE).unwrap();
    assert_eq!(
        violated(&program, Question::Claim(0), false, TOGGLE),
        Some(false)
    );
    assert_eq!(
        violated(&program, Question::Acceptance, false, TOGGLE),
        Some(true)
    );
    assert_eq!(spin_cycles(TOGGLE, false, false), Some(true));
}

/// A process that can always take a step may be put off for ever, unless runs are to be fair.
#[test]
fn fairness_lets_every_process_move() {
    let text = "bool done;
        active proctype P() { do :: skip od }
        active proctype Q() { done = true }
        ltl p { <> done }";
    let program = read(text).unwrap();
    assert_eq!(
        violated(&program, Question::Claim(0), false, text),
        Some(true)
    );
    assert_eq!(
        violated(&program, Question::Claim(0), true, text),
        Some(false)
    );
}

/// A run that stops is fair, for no process can move; SPIN finds this one without `-f`, and with `-f` it does not.
#[test]
fn spin_overlooks_fair_runs_that_stop() {
    let text = "byte x;
        active proctype P() { x == 0; skip }
        ltl p { [] <> true -> [] <> (x != 0) }";
    let program = read(text).unwrap();
    for fair in [false, true] {
        assert_eq!(
            violated(&program, Question::Claim(0), fair, text),
            Some(true)
        );
        assert_eq!(spin_cycles(text, false, fair), Some(!fair));
    }
}

/// Where a process is followed alone under fairness, nobody else may become able, or no longer be able, by its steps.
#[test]
fn fair_runs_are_not_lost_by_reduction() {
    for (text, violates) in [
        // B is able only while the channel has a message, and C takes each one: B may wait for ever.
        (
            "chan c = [2] of { bit }; bool got;
             active proctype A() { bit x; do :: x = 0; c!x od }
             active proctype C() { do :: c?_ od }
             active proctype B() { c?_; got = true }
             ltl p { <> got }",
            true,
        ),
        // B can receive only where A offers, and A offers only now and then.
        (
            "chan c = [0] of { bit }; bool got, x;
             active proctype A() { bit y; do :: y = 1; y = 0; x = !x :: c!0; break od }
             active proctype B() { c?_; got = true }
             ltl p { <> got }",
            true,
        ),
        // Where A can move, nobody has waited long enough.
        (
            "bool got, x;
             active proctype A() { bit y; do :: x -> y = 1; y = 0; x = false od }
             active proctype T() { do :: timeout -> x = true od }
             active proctype B() { timeout; got = true }
             ltl p { <> got }",
            true,
        ),
        // A's own steps are always possible, and so are B's.
        (
            "bool got, x;
             active proctype A() { byte y; do :: y = 1; y = 2; x = !x od }
             active proctype B() { byte z; z = 1; z = 2; got = true }
             ltl p { <> got }",
            false,
        ),
    ] {
        let program = read(text).unwrap();
        let asked = Question::Claim(0);
        assert_eq!(
            violated(&program, asked, true, text),
            Some(violates),
            "{text}"
        );
        let naively = naive(&program, asked, program.claims.first(), true);
        assert_eq!(naively, Some(violates), "{text}");
    }
}

/// A run that stops repeats its last state for a formula, is at an accept label for ever, and lacks no progress.
#[test]
fn runs_that_stop() {
    for (text, violates) in [
        (
            "byte x; active proctype P() { x = 1 } ltl p { <> (x == 2) }",
            true,
        ),
        (
            "byte x; active proctype P() { x = 1 } ltl p { <> [] (x == 1) }",
            false,
        ),
        ("byte x; active proctype P() { accept: x == 7 }", true),
        (
            "byte x; active proctype P() { progress: x = 1; x == 7 }",
            false,
        ),
    ] {
        let program = read(text).unwrap();
        let asked = question(&program).unwrap();
        assert_eq!(
            violated(&program, asked, false, text),
            Some(violates),
            "{text}"
        );
    }
}

/// A label of a loop is none of a loop that its first option begins with.
#[test]
fn labels_of_a_choice_are_not_those_of_a_choice_in_it() {
    let text = "byte x;
        active proctype P() { progress: do :: do :: x = 1 - x :: break od :: x = 0 od }";
    let program = read(text).unwrap();
    assert_eq!(
        violated(&program, Question::Progress, false, text),
        Some(true)
    );
    let text = "byte x;
        active proctype P() { end0: do :: do :: x == 0 -> x = 1 :: x == 9 -> break od; x = 3 :: x == 8 od }";
    let program = read(text).unwrap();
    let report = search(
        &program,
        &[Question::EndStates],
        &ExplicitOptions::default(),
        &Context::default(),
    );
    assert!(matches!(report.verdicts[0].1, SearchVerdict::Violated(_)));
}

/// Every number and every state matters: a damaged proof is refused, or still a proof.
#[test]
fn damaged_proofs_are_refused() {
    let text = "byte x; bool b;
        active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
        active proctype Q() { do :: b = !b od }
        ltl p { [] <> (x == 3) }";
    let program = read(text).unwrap();
    let proof = proved(&program, Question::Claim(0), true).expect("a proof");
    let own = automaton(&program.claims[0]).unwrap();
    let accepted =
        |proof: &LiveProof| ranks(&program, Some(&own), proof, &Context::default()).is_ok();
    assert!(accepted(&proof));
    for at in 0..proof.states.len() {
        let mut less = proof.clone();
        less.states.remove(at);
        assert!(!accepted(&less), "without state {at}");
    }
    let mut equal = proof.clone();
    for state in &mut equal.states {
        state.number = 0;
    }
    assert!(!accepted(&equal));
    for at in 0..proof.missed.len() {
        for set in [None, Some(0), Some(1), Some(2), Some(64)] {
            let mut other = proof.clone();
            let within = |s: &&suppose_model::program::RankedState| s.number as usize == at;
            other.missed[at] = set;
            let several = proof.states.iter().filter(within).count() > 1;
            if set.is_none() && several {
                assert!(!accepted(&other));
            }
        }
    }
    let mut unfair = proof;
    unfair.fair = false;
    assert!(!accepted(&unfair), "it holds of fair runs only");
}
