//! `trace` and `notrace` against real SPIN.

use suppose_control::Context;
use suppose_explicit::{ExplicitOptions, Order, SearchVerdict, search};
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question, Type, Violation};
use suppose_testkit::promela::spin::{EVENTS, Said, spin};
use suppose_testkit::promela::{Shape, program as random_program};
use suppose_testkit::rng::{Rng, for_each_seed};

mod support;
use support::read;

/// What SPIN says is wrong, in our words.
fn errors(said: &Said) -> Vec<Violation> {
    let ours = [
        Violation::Event,
        Violation::EventTwice,
        Violation::EventsCame,
        Violation::EventsMissing,
    ];
    let both = EVENTS.iter().zip(ours);
    let both = both.filter(|(words, _)| said.events.contains(words));
    both.map(|(_, ours)| ours).collect()
}

fn question(program: &Program) -> Question {
    let claim = program.claims.iter().position(|c| c.events.is_some());
    Question::Claim(claim.expect("a claim on messages"))
}

/// The violation, if there is one, and the states; the same with all reductions and orders.
fn ours(program: &Program) -> (Option<Violation>, u64) {
    let question = question(program);
    let one = |options: ExplicitOptions| {
        let report = search(program, &[question], &options, &Context::default());
        let violation = match &report.verdicts[0].1 {
            SearchVerdict::Holds | SearchVerdict::Likely(_) => None,
            SearchVerdict::Violated(trace) => {
                let replayed = replay(program, trace, &Context::default());
                assert!(replayed.is_ok(), "{replayed:?}\n{trace:#?}");
                Some(trace.violation)
            }
            other => panic!("{other:?}"),
        };
        (violation, report.states)
    };
    let faithful = one(ExplicitOptions {
        exhaust: true,
        past_assertions: true,
        ..ExplicitOptions::faithful()
    });
    for order in [Order::Breadth, Order::Depth] {
        for compaction in [None, Some(64)] {
            let reduced = one(ExplicitOptions {
                order,
                compaction,
                past_assertions: true,
                ..ExplicitOptions::default()
            });
            assert_eq!(faithful.0.is_some(), reduced.0.is_some());
        }
    }
    faithful
}

const SYSTEM: &str = "mtype = { a, b }; chan q = [2] of { mtype, byte }; chan m = [0] of { byte };
    chan k[2] = [1] of { byte }; byte z = 7;
    active proctype P() { chan mine = q; mine!a,1; m!5; q!b,2; k[1]!3; end: 0 }
    active proctype Q() { byte x; q?a,x; m?x; q?<b,_>; q?b,x; d_step { k[1]?x; k[0]!x; k[0]?_ }; end: 0 }";

/// Claims on the system above, and what is wrong with each.
const CLAIMS: &[(&str, Option<Violation>)] = &[
    ("trace { q!a,1; q!b,2 }", None),
    ("trace { q!a,1; q?a,1; q!b,2; q?b,2 }", None),
    ("trace { q!a; q!b }", None),
    ("trace { q!z,1; q!_,z }", None),
    ("trace { q!a,2; q!b,2 }", Some(Violation::Event)),
    ("trace { q!b,2 }", Some(Violation::Event)),
    ("trace { q!a,1 }", Some(Violation::Event)),
    (
        "trace { q!a,1; q!b,2; q!a,1 }",
        Some(Violation::EventsMissing),
    ),
    (
        "trace { do :: q!a,_ :: q!b,_ od }",
        Some(Violation::EventsMissing),
    ),
    ("trace { end: do :: q!a,_ :: q!b,_ od }", None),
    ("trace { do :: q!a,_ :: q!b,_ -> break od }", None),
    ("trace { m!5; m?5 }", None),
    ("trace { m?5; m!5 }", Some(Violation::Event)),
    ("trace { m!4 + 1 }", None),
    ("trace { k[1]!3; k[1]?eval(3); k[0]!3; k[0]?3 }", None),
    ("trace { k[1]!3; k[0]!3; k[1]?3 }", Some(Violation::Event)),
    (
        "trace { if :: q!a,1; q!b,2 :: q!a,1; q!b,1 fi }",
        Some(Violation::EventTwice),
    ),
    (
        "trace { if :: q!a,1; goto L :: q!b,1 fi; q!a,1; L: q!b,2 }",
        None,
    ),
    ("notrace { q!a,1; q!b,2 }", Some(Violation::EventsCame)),
    ("notrace { q!a,1; q?b,2 }", None),
    ("notrace { m!6 }", None),
    (
        "notrace { if :: q!a,2 :: q!a,1; m!5; q!b,2 fi }",
        Some(Violation::EventsCame),
    ),
];

#[test]
fn claims_on_messages_are_judged_as_spin_judges_them() {
    for (claim, expected) in CLAIMS {
        let text = format!("{SYSTEM}\n{claim}\n");
        let program = read(&text);
        let (found, states) = ours(&program);
        assert_eq!(found, *expected, "{claim}");
        let said = spin(&text).expect("SPIN takes it");
        let mut errors = errors(&said);
        if claim.starts_with("notrace") {
            // That SPIN asks for the end of what must not happen is not its meaning.
            errors.retain(|e| *e != Violation::EventsMissing);
        }
        match expected {
            Some(wrong) => assert!(errors.contains(wrong), "{claim}: {said:?}"),
            None => assert_eq!((errors, said.states), (Vec::new(), states), "{claim}"),
        }
    }
}

/// What SPIN gets wrong: a message counts when it is really exchanged, and with its own values.
#[test]
fn messages_count_when_they_are_exchanged() {
    let offered = "chan m = [0] of { byte };
        active proctype P() { if :: m!1 :: m!2 fi } active proctype Q() { m?2 }
        trace { m!2 }";
    let (found, _) = ours(&read(offered));
    assert_eq!(found, None);
    let sorted = "chan q = [2] of { byte };
        active proctype P() { q!!2; q!!1; q??2; q?1 }
        trace { q!2; q!1; q?2; q?1 }";
    let (found, _) = ours(&read(sorted));
    assert_eq!(found, None);
}

/// A random claim on the buffered channels of a program, if it has any.
fn random_claim(rng: &mut Rng, program: &Program) -> Option<String> {
    let mut names = Vec::new();
    for slot in program.globals.iter().filter(|s| s.ty == Type::Chan) {
        if let suppose_model::program::Init::Channel(kind) = slot.init
            && program.channels[kind as usize].capacity > 0
        {
            names.push((
                slot.name.clone(),
                program.channels[kind as usize].fields.len(),
            ));
        }
    }
    let event = |rng: &mut Rng| {
        let (name, fields) = rng.pick(&names)?.clone();
        let way = if rng.percent(70) { "!" } else { "?" };
        let fields: Vec<String> = (0..fields)
            .map(|_| match rng.below(3) {
                0 => rng.below(3).to_string(),
                _ => "_".to_owned(),
            })
            .collect();
        Some(format!("{name}{way}{}", fields.join(",")))
    };
    let (first, second, third) = (event(rng)?, event(rng)?, event(rng)?);
    Some(match rng.below(4) {
        0 => format!("notrace {{ {first}; {second} }}"),
        1 => format!("trace {{ end: do :: {first} :: {second}; {third} od }}"),
        2 => format!("trace {{ {first}; end: do :: {second} od }}"),
        _ => format!("notrace {{ do :: {first} :: {second} -> break od; {third} }}"),
    })
}

fn like_spin(rng: &mut Rng, compared: &mut [u64; 2]) {
    let shape = Shape {
        asserts: 0,
        ..Shape::without_errors()
    };
    let system = random_program(rng, &shape);
    if system.contains("!!") || system.contains("??") {
        return;
    }
    let Some(claim) = random_claim(rng, &read(&system)) else {
        return;
    };
    let text = format!("{system}\n{claim}\n");
    let (found, states) = ours(&read(&text));
    let Some(said) = spin(&text).filter(|s| s.clean) else {
        return;
    };
    let mut errors = errors(&said);
    if claim.starts_with("notrace") {
        errors.retain(|e| *e != Violation::EventsMissing);
    }
    assert_eq!(found.is_some(), !errors.is_empty(), "{said:?}\n{text}");
    if found.is_none() {
        assert_eq!(states, said.states, "states of\n{text}");
    }
    compared[usize::from(found.is_some())] += 1;
}

#[test]
fn random_claims_on_messages_are_judged_as_spin_judges_them() {
    let mut compared = [0; 2];
    for_each_seed(40, |rng| like_spin(rng, &mut compared));
    assert!(compared[0] + compared[1] > 3, "{compared:?}");
}
