//! The engine against the reference semantics, on random programs.

mod generate;
mod rounds;
mod threads;

use crate::{ExplicitOptions, Order, SearchResult, SearchVerdict, plain, search};
use suppose_control::Context;
use suppose_model::program::semantics::{State, replay};
use suppose_model::program::{Program, Question};
use suppose_testkit::rng::for_each_seed;

const FAITHFUL: ExplicitOptions = ExplicitOptions {
    order: Order::Breadth,
    reduction: false,
    merge: false,
    symmetry: false,
    compaction: None,
    exhaust: true,
    first: false,
    past_assertions: false,
    threads: 1,
    fair: false,
};

/// Too many states to be worth it.
const MOST: u64 = 700;

fn groups(program: &Program) -> Vec<Vec<Question>> {
    let mut groups = vec![vec![Question::Assertions, Question::EndStates]];
    groups.extend((0..program.claims.len()).map(|c| vec![Question::Claim(c)]));
    groups
}

fn reference(
    program: &Program,
    group: &[Question],
    options: &ExplicitOptions,
) -> Option<SearchResult> {
    // Programs with many processes take the reference very long.
    let cx = Context::default().with_state_limit(MOST).with_work(900);
    State::initial(program).ok()?;
    let outcome = plain::explore(program, group, options, &cx);
    outcome.complete.then_some(outcome)
}

fn word(found: &SearchVerdict) -> &'static str {
    match found {
        SearchVerdict::Holds => "holds",
        SearchVerdict::Likely(_) => "likely",
        SearchVerdict::Violated(_) => "violated",
        SearchVerdict::Unknown(_) => "unknown",
    }
}

fn replays(program: &Program, found: &SearchVerdict) {
    if let SearchVerdict::Violated(trace) = found {
        let replayed = replay(program, trace, &Context::default());
        assert!(replayed.is_ok(), "{replayed:?}\n{trace:#?}");
    }
}

fn words(found: &[(Question, SearchVerdict)]) -> Vec<(Question, &'static str)> {
    let mut words: Vec<_> = found.iter().map(|(q, f)| (*q, word(f))).collect();
    words.sort_unstable();
    words
}

fn agrees(program: &Program, choices: &[ExplicitOptions]) {
    for group in groups(program) {
        let Some(expected) = reference(program, &group, &FAITHFUL) else {
            continue;
        };
        let initial = State::initial(program).unwrap();
        for options in choices {
            let cx = Context::default();
            let Ok(found) = search::explore(program, &initial, &group, options, None, &cx) else {
                panic!("the engine does not take the program");
            };
            let mut said = words(&found.found);
            if options.compaction.is_some() {
                said.iter_mut()
                    .filter(|(_, word)| *word == "likely")
                    .for_each(|(_, word)| *word = "holds");
            }
            assert_eq!(said, words(&expected.found), "{options:?}");
            for (_, found) in &found.found {
                replays(program, found);
            }
            let claim = match group[0] {
                Question::Claim(claim) => program.claims[claim].events.is_none(),
                _ => false,
            };
            match options.reduction || options.merge {
                false if !claim => assert_eq!(found.states, expected.states),
                false => {}
                true => assert!(found.states <= expected.states || claim),
            }
        }
    }
}

#[test]
fn states_and_verdicts_are_those_of_the_reference() {
    for_each_seed(700, |rng| {
        let program = generate::program(rng);
        agrees(&program, &[FAITHFUL]);
    });
}

/// Claims on messages are violated in every way that they can be.
#[test]
fn claims_on_messages_are_violated_in_all_ways() {
    let mut ways = std::collections::BTreeSet::new();
    let mut holds = 0;
    for_each_seed(700, |rng| {
        let program = generate::program(rng);
        let Some(number) = program.claims.iter().position(|c| c.events.is_some()) else {
            return;
        };
        let Ok(initial) = State::initial(&program) else {
            return;
        };
        let group = [Question::Claim(number)];
        let cx = Context::default().with_state_limit(MOST);
        let Ok(found) = search::explore(
            &program,
            &initial,
            &group,
            &ExplicitOptions::default(),
            None,
            &cx,
        ) else {
            panic!("the engine does not take the program");
        };
        match &found.found[0].1 {
            SearchVerdict::Violated(trace) => ways.extend([trace.violation]),
            SearchVerdict::Holds => holds += 1,
            _ => {}
        }
    });
    use suppose_model::program::Violation::*;
    let all = [Event, EventTwice, EventsCame, EventsMissing];
    assert!(all.iter().all(|way| ways.contains(way)), "{ways:?}");
    assert!(holds > 20, "{holds}");
}

#[test]
fn depth_first_finds_the_same() {
    for_each_seed(200, |rng| {
        let program = generate::program(rng);
        for order in [Order::Depth, Order::DepthLast] {
            agrees(&program, &[ExplicitOptions { order, ..FAITHFUL }]);
        }
    });
}

#[test]
fn reductions_do_not_change_verdicts() {
    let mut choices = Vec::new();
    for (reduction, merge) in [(true, false), (false, true), (true, true)] {
        for order in [Order::Breadth, Order::Depth] {
            choices.push(ExplicitOptions {
                order,
                reduction,
                merge,
                ..FAITHFUL
            });
        }
    }
    for_each_seed(600, |rng| {
        let program = generate::program(rng);
        agrees(&program, &choices);
    });
}

#[test]
fn hashes_of_many_bits_stand_for_states() {
    for_each_seed(300, |rng| {
        let program = generate::program(rng);
        let compaction = Some(64);
        agrees(
            &program,
            &[ExplicitOptions {
                compaction,
                ..FAITHFUL
            }],
        );
    });
}

#[test]
fn hashes_of_few_bits_miss_states_and_say_so() {
    let mut missed = 0;
    for_each_seed(1500, |rng| {
        let program = generate::program(rng);
        let group = [Question::Assertions, Question::EndStates];
        let Some(expected) = reference(&program, &group, &FAITHFUL) else {
            return;
        };
        let initial = State::initial(&program).unwrap();
        let compaction = Some(1);
        let options = ExplicitOptions {
            compaction,
            ..FAITHFUL
        };
        let cx = Context::default();
        let Ok(found) = search::explore(&program, &initial, &group, &options, None, &cx) else {
            panic!("the engine does not take the program");
        };
        assert!(found.states <= expected.states);
        missed += u64::from(found.states < expected.states);
        for (_, found) in &found.found {
            assert_ne!(*found, SearchVerdict::Holds);
            replays(&program, found);
        }
    });
    assert!(missed > 0);
}
