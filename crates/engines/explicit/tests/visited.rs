//! Lists of all states as evidence: made for random programs, accepted where the search says that a question holds and refused where
//! it does not; damaged ones are refused.

// Helpers of tests are tests too: what goes wrong here fails one.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use support::read;
use suppose_certify::file::{Model, ReadLimits};
use suppose_certify::program::file::{read as read_file, write};
use suppose_certify::program::{invariant, visited as accepts};
use suppose_control::Context;
use suppose_explicit::visited::{VisitedEnd, visited};
use suppose_explicit::{ExplicitOptions, SearchVerdict, search};
use suppose_model::program::visited::{Records, unpack};
use suppose_model::program::{Program, Question, Visited};
use suppose_testkit::promela::claim::program as random_claim;
use suppose_testkit::promela::{Shape, program as random_program};
use suppose_testkit::rng::{Rng, for_each_seed};

fn list(program: &Program, question: Question) -> Option<Visited> {
    let cx = Context::default().with_state_limit(3_000);
    let states = visited(program, question, &cx).ok()?;
    Some(Visited {
        question,
        states: Arc::new(states),
    })
}

/// Compares the search with what the checker says of all states; how many questions hold, and how many do not.
fn compare(program: &Program, text: &str) -> (u32, u32) {
    let questions: Vec<Question> = program
        .questions()
        .into_iter()
        .filter(|q| !program.is_liveness(*q))
        .collect();
    let cx = Context::default().with_state_limit(3_000);
    let report = search(program, &questions, &ExplicitOptions::default(), &cx);
    let (mut holds, mut fails) = (0, 0);
    let mut plain = Vec::new();
    for (question, found) in &report.verdicts {
        let Some(set) = list(program, *question) else {
            continue;
        };
        let checked = accepts(program, &set, 2, &Context::default());
        match found {
            SearchVerdict::Holds => {
                assert_eq!(checked, Ok(()), "{question:?}\n{text}");
                holds += 1;
                if !matches!(question, Question::Claim(_)) {
                    plain.push(*question);
                }
            }
            SearchVerdict::Violated(_) => {
                let why = checked.expect_err(text).to_string();
                assert!(
                    !why.contains("missing") && !why.contains("no state"),
                    "{why}\n{text}"
                );
                fails += 1;
            }
            _ => {}
        }
    }
    if let [first, _] = plain[..] {
        let set = list(program, first).expect("it was made before");
        let checked = invariant(program, &plain, &set.states, 1, &Context::default());
        assert_eq!(checked, Ok(()), "{text}");
    }
    (holds, fails)
}

fn many(seeds: u64, text: impl Fn(&mut Rng) -> String + Sync) {
    let sums = std::sync::Mutex::new((0, 0));
    for_each_seed(seeds, |rng| {
        let text = text(rng);
        let Ok((it, _)) = suppose_frontends::promela::read_text("m.pml", &text) else {
            return;
        };
        let (holds, fails) = compare(&it.program, &text);
        let mut sums = sums.lock().unwrap();
        *sums = (sums.0 + holds, sums.1 + fails);
    });
    let (holds, fails) = *sums.lock().unwrap();
    assert!(holds > 30 && fails > 15, "{holds} hold, {fails} do not");
}

#[test]
fn states_of_random_programs_are_accepted_where_they_should_be() {
    many(150, |rng| random_program(rng, &Shape::with_errors()));
}

#[test]
fn so_are_states_with_the_places_of_a_claim() {
    many(150, random_claim);
}

#[test]
fn so_are_states_with_the_places_of_a_claim_on_messages() {
    many(150, |rng| random_program(rng, &Shape::messages()));
}

/// Processes that come and go, channels of their own, parameters, `_last`, atomic sequences and a rendezvous.
const TEXT: &str = "
    chan link = [0] of { byte, bool }; byte x = 2; short y = -300; hidden byte h;
    proctype Child(byte a; chan c) { chan own = [2] of { byte }; own!a; c!a; atomic { own?h; y = y + 1 } }
    active proctype P() {
        chan c = [1] of { byte }; byte v;
        do
        :: x > 0 -> run Child(x, c); c?v; x--; link!v, true
        :: else -> break
        od
    }
    active proctype Q() { byte b; do :: link?b, _ -> assert(b > 0 && _last >= 0) od }
    never { do :: y > 0 -> break :: else od }";

#[test]
fn every_state_is_needed() {
    let program = read(TEXT);
    for question in [Question::Assertions, Question::Claim(0)] {
        let set = list(&program, question).unwrap();
        assert!(set.states.len() > 20);
        assert_eq!(accepts(&program, &set, 1, &Context::default()), Ok(()));
        for left_out in 0..set.states.len() {
            let mut less = Records::default();
            let others = (0..set.states.len()).filter(|row| *row != left_out);
            others.for_each(|row| less.push(set.states.get(row)));
            let less = Visited {
                question,
                states: Arc::new(less),
            };
            assert!(
                accepts(&program, &less, 1, &Context::default()).is_err(),
                "{left_out}"
            );
        }
    }
}

/// The rows are states of the program, and nothing else is.
#[test]
fn a_changed_state_is_another_one_or_none() {
    let program = read(TEXT);
    let set = list(&program, Question::Assertions).unwrap();
    for row in set.states.iter() {
        assert!(unpack(&program, set.question, row).is_some());
        for at in 0..row.len() {
            assert!(unpack(&program, set.question, &row[..at]).is_none());
        }
        let longer = [row, &[0]].concat();
        assert!(unpack(&program, set.question, &longer).is_none());
    }
    for at in 0..set.states.len() {
        let mut changed = Records::default();
        for (number, row) in set.states.iter().enumerate() {
            let mut row = row.to_vec();
            let last = row.len() - 1;
            row[(at * 7).min(last)] ^= if number == at { 2 } else { 0 };
            changed.push(&row);
        }
        let changed = Visited {
            question: set.question,
            states: Arc::new(changed),
        };
        assert!(
            accepts(&program, &changed, 2, &Context::default()).is_err(),
            "{at}"
        );
    }
}

/// A claim on messages that is at no place of its own.
#[test]
fn a_place_of_a_claim_must_be_there() {
    let text = "mtype = { a }; chan c = [1] of { mtype }; trace { do :: c!a; c?a od }
        active proctype P() { do :: c!a; c?a od }";
    let program = read(text);
    let set = list(&program, Question::Claim(0)).unwrap();
    assert_eq!(accepts(&program, &set, 1, &Context::default()), Ok(()));
    let mut row = set.states.get(0).to_vec();
    row[0] = 126;
    assert!(unpack(&program, set.question, &row).is_none());
}

/// Priorities are beyond the compiled program.
#[test]
fn programs_that_are_not_compiled_are_listed_too() {
    let text = "byte x; active proctype P() priority 2 { x = 1; x = 2 } active proctype Q() { assert(x == 2) }";
    assert_eq!(compare(&read(text), text), (2, 0));
    let wrong = text.replace("== 2", "== 1");
    assert_eq!(compare(&read(&wrong), &wrong), (1, 1));
}

#[test]
fn there_is_a_limit_and_nothing_said_behind_a_long_d_step() {
    let program = read(
        "byte x, y; active proctype P() { do :: x++ od } active proctype Q() { do :: y++ od }",
    );
    let cx = Context::default().with_state_limit(1_000);
    let listed = visited(&program, Question::Assertions, &cx);
    assert!(matches!(listed, Err(VisitedEnd::Stopped(_))), "{listed:?}");
}

fn written(program: &Program, set: &Visited) -> String {
    let mut out = Vec::new();
    write(&mut out, program, &models(), set).unwrap();
    String::from_utf8(out).unwrap()
}

fn models() -> Vec<Model> {
    vec![Model::of("m.pml", TEXT.as_bytes())]
}

/// Is it read, and accepted?
fn certified(program: &Program, text: &str) -> bool {
    let set: Result<Visited, _> =
        read_file(text.as_bytes(), program, &models(), &ReadLimits::default());
    set.is_ok_and(|set| accepts(program, &set, 1, &Context::default()).is_ok())
}

#[test]
fn files_come_back_and_damaged_ones_are_refused() {
    let program = read(TEXT);
    let set = list(&program, Question::EndStates).unwrap();
    let text = written(&program, &set);
    let back: Visited =
        read_file(text.as_bytes(), &program, &models(), &ReadLimits::default()).unwrap();
    assert_eq!(
        written(&program, &back),
        text,
        "the same evidence gives the same bytes"
    );
    // Q waits for ever in the end.
    let set = list(&program, Question::Assertions).unwrap();
    let text = written(&program, &set);
    assert!(certified(&program, &text));
    for (from, to) in [
        ("suppose states certificate", "suppose states"),
        ("\"version\":1", "\"version\":2"),
        ("\"sha256\":\"", "\"sha256\":\"0"),
        ("\"assertions\"", "\"end-states\""),
        ("\"assertions\"", "\"nothing\""),
        ("\"assertions\"", "\"progress\""),
        ("\"states\":", "\"states\":1"),
        ("\"blocks\":[", "\"blocks\":[\"\","),
        ("\"blocks\":[", "\"blocks\":[\"AA==\","),
        ("\"blocks\":[", "\"blocks\":[\"/////w==\","),
        ("\"blocks\":[", "\"blocks\":[\"?\","),
        ("\"blocks\":[", "\"blocks\":[7,"),
        ("\"blocks\":[", "\"more\":1,\"blocks\":["),
        ("]\n}\n", "],\"more\":1}\n"),
    ] {
        let changed = text.replacen(from, to, 1);
        // An empty block is none.
        let same = to.ends_with("[\"\",") || changed == text;
        assert_eq!(certified(&program, &changed), same, "{from} -> {to}");
    }
    // The last hash is that of the states.
    let at = text.rfind("\"sha256\":\"").unwrap() + 10;
    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
    assert!(!certified(
        &program,
        &format!("{}{digit}{}", &text[..at], &text[at + 1..])
    ));
    let blocks = text.find("\"blocks\"").unwrap() + 12..text.rfind('"').unwrap() - 80;
    for at in blocks.step_by(5) {
        let other = if &text[at..=at] == "B" { "C" } else { "B" };
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        assert!(!certified(&program, &changed), "{at}");
    }
    for end in (0..text.trim_end().len()).step_by(11) {
        assert!(!certified(&program, &text[..end]), "{end}");
    }
}

/// A small file cannot stand for more than a reader takes.
#[test]
fn a_file_that_unpacks_to_too_much_is_refused() {
    let program = read(TEXT);
    let set = list(&program, Question::Assertions).unwrap();
    let text = written(&program, &set);
    let limits = ReadLimits {
        vectors: set.states.len() as u64,
        ..ReadLimits::default()
    };
    let read: Result<Visited, _> = read_file(text.as_bytes(), &program, &models(), &limits);
    assert!(read.unwrap_err().message.contains("too large"));
}
