//! Random small programs, of a shape made of any bytes: as many states as real SPIN stores, and the same verdicts, by all ways
//! of searching; every run that is found is one of the program.
//!
//! `cargo +nightly fuzz run spin -- -max_len=48` in this folder. Needs `spin` and `gcc`, and takes about a second a program, most of it in
//! the compiler. A failure prints the program.

#![no_main]

use libfuzzer_sys::fuzz_target;
use suppose_explicit::{SearchVerdict, ExplicitOptions, Order, Report, search};
use suppose_frontends::promela::read_text;
use suppose_model::program::semantics::replay;
use suppose_model::program::{Program, Question};
use suppose_control::Context;
use suppose_testkit::promela::spin::spin;
use suppose_testkit::promela::{Shape, program};
use suppose_testkit::rng::Rng;

const QUESTIONS: [Question; 2] = [Question::Assertions, Question::EndStates];

/// More states are not worth the time.
const STATES: u64 = 20_000;

/// Each byte turns one knob of the generator, as far as there are bytes.
fn shape(bytes: &[u8]) -> Shape {
    let mut shape = Shape::without_errors();
    let knobs = [
        &mut shape.rendezvous,
        &mut shape.init,
        &mut shape.instances,
        &mut shape.arrays,
        &mut shape.records,
        &mut shape.mtypes,
        &mut shape.atomic,
        &mut shape.d_step,
        &mut shape.timeout,
        &mut shape.asserts,
        &mut shape.end_labels,
        &mut shape.unless,
        &mut shape.gotos,
        &mut shape.sorted,
        &mut shape.random_receive,
        &mut shape.copy,
        &mut shape.matching,
        &mut shape.pid,
        &mut shape.nr_pr,
        &mut shape.polls,
        &mut shape.remote,
        &mut shape.provided,
        &mut shape.ranges,
        &mut shape.wrap,
        &mut shape.inline,
    ];
    for (knob, byte) in knobs.into_iter().zip(bytes) {
        *knob = u32::from(*byte) * 100 / 255;
    }
    shape
}

fn run(text: &str, program: &Program, options: &ExplicitOptions) -> Option<Report> {
    let cx = Context::default().with_state_limit(STATES);
    let report = search(program, &QUESTIONS, options, &cx);
    for (question, found) in &report.verdicts {
        match found {
            SearchVerdict::Unknown(_) => return None,
            SearchVerdict::Violated(trace) => {
                assert_eq!(trace.question, *question);
                let replayed = replay(program, trace);
                assert!(replayed.is_ok(), "{replayed:?}\n{text}");
            }
            _ => {}
        }
    }
    Some(report)
}

fn violated(report: &Report) -> Vec<bool> {
    let verdicts = report.verdicts.iter();
    let is = |found: &SearchVerdict| matches!(found, SearchVerdict::Violated(_));
    verdicts.map(|(_, found)| is(found)).collect()
}

fuzz_target!(|data: &[u8]| {
    let Some((seed, knobs)) = data.split_first_chunk::<4>() else {
        return;
    };
    let mut rng = Rng::new(u64::from(u32::from_le_bytes(*seed)));
    let text = program(&mut rng, &shape(knobs));
    let Ok((read, _)) = read_text("fuzz.pml", &text) else {
        panic!("the front-end refuses\n{text}");
    };
    let as_spin = ExplicitOptions {
        exhaust: true,
        past_assertions: true,
        ..ExplicitOptions::faithful()
    };
    let Some(ours) = run(&text, &read.program, &as_spin) else {
        return;
    };
    for order in [Order::Breadth, Order::Depth] {
        let options = ExplicitOptions {
            order,
            ..ExplicitOptions::default()
        };
        let Some(reduced) = run(&text, &read.program, &options) else {
            return;
        };
        assert_eq!(violated(&reduced), violated(&ours), "{order:?}\n{text}");
    }
    let Some(said) = spin(&text).filter(|said| said.clean) else {
        return;
    };
    assert_eq!(ours.states, said.states, "states of\n{text}");
    let theirs = vec![said.assertion, said.end_state];
    assert_eq!(violated(&ours), theirs, "verdicts of\n{text}");
});
