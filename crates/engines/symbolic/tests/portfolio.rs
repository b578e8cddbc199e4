//! All engines in turns: every property gets its turns, and what they find is what the oracle finds.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use suppose_control::{Context, Stopped, Unsupervised};
use suppose_frontends::smv::{Dialect, read_text};
use suppose_model::fsm::{Claim, System, Verdict};
use suppose_symbolic::check::memory::Memory;
use suppose_symbolic::portfolio::{Portfolio, Settings, Told};
use suppose_symbolic::{Concrete, RelationOptions, SymbolicVerdict};
use suppose_testkit::Rng;
use suppose_testkit::smv::{Oracle, Shape, random};

fn system(text: &str) -> Arc<System> {
    match read_text("model.smv", text, Dialect::NuSmv) {
        Ok((read, _)) => Arc::new(read.system),
        Err(_) => panic!("{text}"),
    }
}

/// By claim the verdict, if there is one, and the engine.
fn decided(system: &Arc<System>) -> Vec<(Option<bool>, String)> {
    let claims: Vec<Claim> = (0..system.properties.len()).map(Claim::Property).collect();
    let mut found = vec![(None, String::new()); claims.len()];
    let portfolio = Portfolio::new(system, Settings::default(), &Unsupervised);
    portfolio.decide(&claims, &mut |told| {
        if let Told::Decided(reply) = told
            && let Claim::Property(number) = reply.answer.claim
        {
            let verdict = match reply.answer.verdict {
                Verdict::Holds(_) => Some(true),
                Verdict::Violated(_) => Some(false),
                Verdict::Unknown(_) => None,
            };
            found[number] = (verdict, reply.answer.engine.clone());
        }
    });
    found
}

/// Control with a watchdog beside a long shift register whose taps feed back into it.
fn watched_register(bits: usize) -> String {
    let mut text =
        "MODULE main\nVAR st : {idle, run, done, err}; wd : 0..15; busy : boolean;\n".to_owned();
    for i in 0..bits {
        let _ = writeln!(text, "d{i} : boolean;");
    }
    text.push_str(
        "IVAR go : boolean;\nASSIGN init(st) := idle; init(wd) := 0; init(busy) := FALSE;\n",
    );
    let _ = writeln!(
        text,
        "next(st) := case st = idle & go : run; st = run & wd = 15 : err; st = run & d{} : done; st = run : run; TRUE : idle; esac;",
        bits - 1
    );
    text.push_str("next(wd) := case st = run & wd < 15 : wd + 1; st = run : wd; TRUE : 0; esac;\n");
    text.push_str("next(busy) := next(st) = run;\n");
    for i in 0..bits {
        let before = (i + bits - 1) % bits;
        let (a, b) = ((i * 7 + 3) % bits, (i * 13 + 5) % bits);
        let _ = writeln!(
            text,
            "init(d{i}) := FALSE; next(d{i}) := st = run ? (d{before} xor (d{a} & d{b})) : d{i};"
        );
    }
    text.push_str("INVARSPEC st = run -> busy\nSPEC AG (st = run -> AF st = idle)\nLTLSPEC G (st = err -> X st = idle)\n");
    text
}

#[test]
fn every_property_of_a_large_system_is_decided() {
    let found = decided(&system(&watched_register(500)));
    assert!(found.iter().all(|(v, _)| *v == Some(true)), "{found:?}");
}

#[test]
fn what_registers_hand_on_is_shown_by_induction() {
    let mut text =
        "MODULE main\nIVAR a : unsigned word[8]; b : unsigned word[8];\nVAR\n".to_owned();
    for name in ["p", "q", "r"] {
        for stage in 0..3 {
            let _ = writeln!(text, "{name}{stage} : unsigned word[8];");
        }
    }
    text.push_str("ASSIGN next(p0) := a; next(q0) := b; next(r0) := a + b;\n");
    for name in ["p", "q", "r"] {
        let _ = writeln!(text, "next({name}1) := {name}0; next({name}2) := {name}1;");
        for stage in 0..3 {
            let _ = writeln!(text, "init({name}{stage}) := 0ud8_0;");
        }
    }
    text.push_str("INVARSPEC r2 = p2 + q2\n");
    let found = decided(&system(&text));
    assert_eq!(found, [(Some(true), "induction".to_owned())]);
}

/// A turn that is too short is not lost: the next one goes on. So turns of half the work that one alone takes are enough, a few of them.
#[test]
fn a_search_that_is_stopped_goes_on_from_there() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/smv/buses.smv");
    let text = std::fs::read_to_string(file).expect("the example");
    let whole = system(&text);
    let part = whole.cone(&whole.properties[0]).system;
    let decides = |memory: &Memory, work: u64| {
        let cx = Context::default().with_work(work);
        let engine = Concrete::new(&part, RelationOptions::default(), &cx).remembering(memory);
        match engine.decide(&part.properties[0]) {
            Ok(answer) => matches!(answer.found, SymbolicVerdict::Holds(_)),
            Err(why) => {
                assert_eq!(why, Stopped::Superseded);
                false
            }
        }
    };
    let mut work = 64;
    while !decides(&Memory::default(), work) {
        work *= 2;
    }
    assert!(work > 64, "it takes so little that the test shows nothing");
    let memory = Memory::default();
    let turns = (1..=8).find(|_| decides(&memory, work / 2));
    assert!(turns.is_some_and(|turns| turns > 1), "{turns:?}");
}

#[test]
fn on_random_systems_the_portfolio_says_what_the_oracle_says() {
    let mut count = 0;
    for seed in 9_000..9_250 {
        let text = random(&mut Rng::new(seed), Shape::default());
        let system = system(&text);
        let Ok(mut oracle) = Oracle::new(&system, 500, 2_000_000) else {
            continue;
        };
        for (property, (verdict, engine)) in system.properties.iter().zip(decided(&system)) {
            if let Ok(Some(expected)) = oracle.verdict(&property.question) {
                let name = format!("seed {seed}, {:?} by {engine}\n{text}", property.name);
                assert_eq!(verdict, Some(expected), "{name}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}
