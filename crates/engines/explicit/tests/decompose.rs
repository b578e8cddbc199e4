//! Programs taken apart: the network says of assertions and claims what the program itself says.

use std::collections::{HashSet, VecDeque};

use suppose_compose::monolithic;
use suppose_control::Context;
use suppose_explicit::decompose::{Decomposed, DecompositionError, DecompositionLimits, decompose};
use suppose_model::lts::Network;
use suppose_model::program::semantics::{State, replay};
use suppose_model::program::{Program, Question, StepResult};
use suppose_model::{Claim, Verdict};
use suppose_testkit::Rng;
use suppose_testkit::promela::{Shape, program};

mod support;
use support::read;

/// Is a question answered with yes, looking at every state? None when there are too many.
fn naive(program: &Program, question: Question) -> Option<bool> {
    let Ok(initial) = State::initial(program) else {
        return Some(question != Question::Assertions);
    };
    let entry = match question {
        Question::Claim(number) => program.claims[number].entry,
        _ => 0,
    };
    let mut seen = HashSet::from([(initial.clone(), entry)]);
    let mut todo = VecDeque::from([(initial, entry)]);
    while let Some((state, at)) = todo.pop_front() {
        if seen.len() > 20_000 {
            return None;
        }
        let watching = match question {
            Question::Claim(number) if state.alone.is_none() => {
                let claim = &program.claims[number];
                let look = state.claim_looks(program, claim, at);
                let moves = look.ways;
                if look.wrong.is_some() || moves.iter().any(|(_, target)| *target == claim.end) {
                    return Some(false);
                }
                moves.into_iter().map(|(_, target)| target).collect()
            }
            _ => vec![at],
        };
        for it in state.moves(program) {
            match it.outcome {
                StepResult::Wrong(_) if question == Question::Assertions => return Some(false),
                StepResult::Wrong(_) => {}
                StepResult::Unfinished => return None,
                StepResult::State(next) => {
                    for at in &watching {
                        if seen.insert((next.clone(), *at)) {
                            todo.push_back((next.clone(), *at));
                        }
                    }
                }
            }
        }
    }
    Some(true)
}

fn whole(network: &Network, property: usize) -> Verdict {
    monolithic::check(network, Claim::Property(property), &Context::default()).verdict
}

/// Compares every question; how many were decided.
fn compare(program: &Program, taken: &Decomposed, what: &str) -> usize {
    let mut decided = 0;
    for (question, property) in &taken.questions {
        let Some(expected) = naive(program, *question) else {
            continue;
        };
        match whole(&taken.network, *property) {
            Verdict::Holds(_) => assert!(expected, "{question:?} is violated\n{what}"),
            Verdict::Violated(found) => match taken.trace(program, &found, *question) {
                Some(trace) => {
                    assert!(!expected, "{question:?} holds\n{what}");
                    let replayed = replay(program, &trace, &Context::default());
                    assert!(replayed.is_ok(), "{replayed:?}\n{trace:?}\n{what}");
                }
                None => assert!(
                    taken.over_approximates,
                    "{question:?}: no run {found:?}\n{what}"
                ),
            },
            Verdict::Unknown(reason) => panic!("{reason:?}\n{what}"),
        }
        decided += 1;
    }
    decided
}

#[test]
fn a_network_says_what_its_program_says_of_random_programs() {
    let count = std::env::var("SUPPOSE_PROGRAMS").ok();
    let count: u64 = count.and_then(|n| n.parse().ok()).unwrap_or(400);
    let (mut decided, mut refused) = (0, 0);
    for seed in 0..count {
        let mut rng = Rng::new(seed);
        let text = program(&mut rng, &Shape::plain());
        let program = read(&text);
        for whole in [false, true] {
            let limits = DecompositionLimits {
                states: 1000,
                labels: 1000,
                whole,
            };
            match decompose(&program, limits, &Context::default()) {
                Ok(taken) => {
                    let what = format!("seed {seed}, whole {whole}\n{text}");
                    decided += compare(&program, &taken, &what);
                }
                Err(DecompositionError::Refused(_)) => refused += 1,
                Err(DecompositionError::Stopped(why)) => panic!("{why:?}: seed {seed}"),
            }
        }
    }
    assert!(
        decided as u64 > count / 2,
        "{decided} decided, {refused} refused"
    );
}

fn taken(text: &str) -> (Program, Decomposed) {
    let program = read(text);
    let taken = decompose(
        &program,
        DecompositionLimits::default(),
        &Context::default(),
    )
    .expect("taken apart");
    compare(&program, &taken, text);
    (program, taken)
}

/// Found by random programs: a run notes only the first statements of a long `d_step`.
#[test]
fn a_counterexample_passes_a_long_d_step() {
    let (program, taken) = taken(
        "byte x, y; byte i;
         active proctype P() { d_step { for (i : 1 .. 250) { x = 3 - x }; i = 0 }; assert(y == 1) }
         active proctype Q() { y = 2 }",
    );
    assert!(!taken.over_approximates);
    assert_eq!(naive(&program, Question::Assertions), Some(false));
}

fn labels(taken: &Decomposed, part: &str) -> Vec<String> {
    let part = taken.parts.iter().find(|p| p.name == part).expect("a part");
    let lts = &taken.network.components[part.component].lts;
    let labels = lts.alphabet().iter();
    let mut labels: Vec<String> = labels.map(|l| taken.network.labels.display(*l)).collect();
    labels.sort();
    labels
}

#[test]
fn labels_are_what_is_left_of_statements() {
    let (_, taken) = taken(
        "byte x; chan c = [1] of { byte };
         active proctype P() { byte i = 3; c!i; x = i + 1 }
         active proctype Q() { byte j; c?j; (x == j + 1); assert(j == 3) }",
    );
    assert_eq!(labels(&taken, "P"), ["c!3", "x = 4"]);
    assert_eq!(labels(&taken, "Q"), ["c?3", "x==4"]);
    assert!(!taken.over_approximates);
}

#[test]
fn a_rendezvous_is_a_label_of_two() {
    let (_, taken) = taken(
        "mtype = { hello, bye }; chan c = [0] of { mtype };
         active proctype P() { c!hello; c!bye }
         active proctype Q() { mtype m; do :: c?m; assert(m != bye) od }",
    );
    assert_eq!(labels(&taken, "P"), ["c!bye", "c!hello"]);
    assert_eq!(labels(&taken, "Q"), ["c!bye", "c!hello", "fails"]);
}

#[test]
fn an_atomic_sequence_is_one_label_up_to_where_it_blocks() {
    let (_, taken) = taken(
        "byte x, y;
         active proctype P() { atomic { x = 1; y == 1; x = 2 } }
         active proctype Q() { y = 1; assert(x != 3) }",
    );
    assert_eq!(
        labels(&taken, "P"),
        ["x = 1; y!=1", "x = 1; y==1; x = 2", "y==1; x = 2"]
    );
}

#[test]
fn else_looks_at_the_options_before_it_only() {
    let (_, taken) = taken(
        "byte x;
         active proctype P() { if :: if :: x == 1 :: else fi :: x == 0; x = 2 fi }
         active proctype Q() { assert(x != 3) }",
    );
    let labels = labels(&taken, "P");
    assert!(labels.contains(&"x!=1".to_owned()), "{labels:?}");
}

#[test]
fn what_goes_wrong_does_so_for_everybody_who_does_it() {
    // A never really comes to the division, B does; B's is found when it is known that it can fail.
    let (program, taken) = taken(
        "byte y = 1, z, w, v, g;
         active proctype Maker() { y = 0; w = 1; w = 0; v = 1 }
         active proctype A() { atomic { w == 1 && v == 1 -> skip }; g = 10 / y }
         active proctype B() { byte t, u; t = y; t = w; u = v; t = z; u = w; t = v; (y == 0); g = 10 / y }",
    );
    assert_eq!(naive(&program, Question::Assertions), Some(false));
    let (_, property) = taken.questions[0];
    let answer = monolithic::check(
        &taken.network,
        Claim::Property(property),
        &Context::default(),
    );
    assert!(
        matches!(answer.verdict, Verdict::Violated(_)),
        "{:?}",
        answer.verdict
    );
}

/// A process that loops over steps on its own variables and messages that depend on them, and one
/// that minds in which order two messages come.
fn busy_loop(rng: &mut Rng) -> String {
    let mut options = String::new();
    let mut pick = |n: usize| rng.below(n);
    for _ in 0..3 + pick(4) {
        let (x, y) = (["a", "b", "c"][pick(3)], ["a", "b", "c"][pick(3)]);
        let (n, m) = (pick(3), pick(3));
        let guard = match pick(4) {
            0 => format!("{x} == {n}"),
            1 => format!("{x} != {n}"),
            2 => format!("{x} == {n} && {y} != {m}"),
            _ => format!("{x} < 2"),
        };
        let step = match pick(8) {
            0 => format!("out!{m}"),
            1 => format!("out!{x}; {x} = {m}"),
            2 => format!("shared = {m}"),
            3 => format!("{y} = {x}"),
            4 => format!("{x} = {m}; if :: {y} == {n} -> {y} = 0 :: else fi"),
            _ => format!("{x} = ({x} + 1) % 3"),
        };
        options += &match pick(4) {
            0 => format!("  :: {guard} -> {step}\n"),
            _ => format!("  :: atomic {{ {guard} -> {step} }}\n"),
        };
    }
    let (first, second, size) = (pick(3), pick(3), pick(2));
    format!(
        "chan out = [{size}] of {{ byte }}; byte shared;
active proctype P() {{ byte a, b, c;\n  do\n{options}  od }}
active proctype Q() {{ byte n, last = 9;
  do :: out?n -> assert(n != {second} || last != {first} || shared != {first}); last = n od }}"
    )
}

#[test]
fn steps_that_concern_nobody_else_can_come_first() {
    let (mut fewer, mut decided) = (0, 0);
    for seed in 0..400 {
        let text = busy_loop(&mut Rng::new(seed));
        let program = read(&text);
        let states = [false, true].map(|whole| {
            let limits = DecompositionLimits {
                whole,
                ..DecompositionLimits::default()
            };
            let taken = decompose(&program, limits, &Context::default()).expect("taken apart");
            decided += compare(
                &program,
                &taken,
                &format!("seed {seed}, whole {whole}\n{text}"),
            );
            let first = taken.network.components.first();
            first.map_or(0, |c| c.lts.states())
        });
        fewer += u32::from(states[0] < states[1]);
    }
    assert!(
        fewer > 40 && decided > 600,
        "{fewer} smaller, {decided} decided"
    );
}

#[test]
fn an_office_in_which_all_work_alone_comes_to_its_signatures_at_once() {
    let participant = |k: u32| {
        format!(
            ":: atomic {{ step[{k}] != 4 && step[{k}] < 7 -> step[{k}] = step[{k}] + 1 }}
             :: atomic {{ step[{k}] == 4 -> sign!{k}; step[{k}] = 5 }}\n"
        )
    };
    let text = format!(
        "chan sign = [0] of {{ byte }};
         active proctype Office() {{ byte step[3]; do {} od }}
         active proctype Registry() {{ byte k, seen; do :: sign?k -> seen++; assert(seen <= 3) od }}",
        (0..3).map(participant).collect::<String>()
    );
    let (_, taken) = taken(&text);
    // The first state; and for each set of those who signed, where all are or one of the others signs.
    assert_eq!(taken.network.components[0].lts.states(), 1 + 8 + 3 * 4);
}

#[test]
fn what_only_one_process_uses_is_its_own() {
    let (_, taken) = taken(
        "byte x, mine = 7;
         active proctype P() { mine++; x = mine }
         active proctype Q() { assert(x != 9) }",
    );
    assert_eq!(labels(&taken, "P"), ["x = 8"]);
}

#[test]
fn processes_made_at_the_start_are_there_from_the_start() {
    let (_, taken) = taken(
        "byte x;
         proctype P(byte n) { x = n }
         init { atomic { run P(1); run P(2) } }",
    );
    assert_eq!(taken.parts.len(), 2);
    assert_eq!(labels(&taken, "P[1]"), ["x = 1"]);
}

#[test]
fn a_claim_of_the_form_always_p_is_watched() {
    let (program, taken) = taken(
        "byte x;
         active proctype P() { do :: x < 3 -> x++ :: else -> break od }
         ltl small { [] (x < 3) }",
    );
    let claim = Question::Claim(0);
    let watched = taken.questions.iter().find(|(q, _)| *q == claim);
    let (_, property) = watched.expect("watched");
    assert!(matches!(
        whole(&taken.network, *property),
        Verdict::Violated(_)
    ));
    assert_eq!(naive(&program, claim), Some(false));
}

#[test]
fn what_cannot_be_taken_apart_is_refused_with_a_reason() {
    let refused = |text: &str| match decompose(
        &read(text),
        DecompositionLimits::default(),
        &Context::default(),
    ) {
        Err(DecompositionError::Refused(refusal)) => refusal.why,
        other => panic!("{other:?}"),
    };
    let why = refused("active proctype P() { timeout }");
    assert_eq!(why, "process `P` uses `timeout`");
    let why =
        refused("proctype Q() { skip } active proctype P() { do :: run Q() :: skip; skip od }");
    assert_eq!(why, "processes are made while the system runs");
}
