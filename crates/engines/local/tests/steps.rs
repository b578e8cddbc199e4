//! Steps of which only some processes are known, against whole states: what is not looked at must not matter.
//!
//! For random programs, random owners of shared variables and random exposed predicates: each step of the whole program is found by
//! a look at the few places that it says it needs, and what it changes is all among these.

use std::collections::{BTreeSet, VecDeque};

use suppose_model::program::semantics::State;
use suppose_model::program::semantics::partial::{Look, Member, Partial};
use suppose_model::program::views::{Exposed, Exposure, Local, Shared, Split};
use suppose_model::program::{Program, Question, StepResult, Type};
use suppose_testkit::Rng;
use suppose_testkit::promela::{Shape, claim, program};
use suppose_testkit::rng::for_each_seed;

mod support;
use support::{questions, read};

/// A random split, which need not be a clever one.
fn split(rng: &mut Rng, program: &Program) -> Split {
    let places = 7;
    let owner = |slot: &suppose_model::program::Slot, rng: &mut Rng| {
        let may = slot.ty != Type::Chan && !slot.hidden;
        (may && rng.percent(60)).then(|| rng.below(5) as u32)
    };
    let owners = program
        .globals
        .iter()
        .map(|slot| owner(slot, rng))
        .collect();
    let mut exposed = Vec::new();
    for how in [Exposed::Count, Exposed::Bits, Exposed::Witnesses] {
        if rng.percent(20) {
            let proctype = rng.below(program.proctypes.len());
            let count = program.proctypes[proctype].locations.len() as u32;
            let locations: Vec<u32> = (0..count).filter(|_| rng.percent(40)).collect();
            exposed.push(Exposure {
                proctype: proctype as u32,
                locations,
                how,
            });
        }
    }
    Split {
        places,
        owners,
        exposed,
        merge: false,
    }
}

/// What a step of the whole program leads to, and who took part: the mover, and who received.
struct Whole {
    after: Result<State, suppose_model::program::Violation>,
    mover: u32,
    partners: Vec<u32>,
}

/// All steps from a state in which nobody goes on alone, through atomic sequences.
fn whole(program: &Program, state: &State) -> Option<Vec<Whole>> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([(state.clone(), None, Vec::new())]);
    while let Some((state, mover, partners)) = open.pop_front() {
        if seen.len() > 300 {
            return None;
        }
        for it in state.moves(program) {
            let mover = mover.unwrap_or(it.step.process);
            let mut partners: Vec<u32> = partners.clone();
            partners.extend(it.step.partner.map(|(partner, _)| partner));
            match it.outcome {
                StepResult::State(next) if next.alone.is_some() => {
                    if seen.insert((next.clone(), mover, partners.clone())) {
                        open.push_back((next, Some(mover), partners));
                    }
                }
                StepResult::State(next) => all.push(Whole {
                    after: Ok(next),
                    mover,
                    partners,
                }),
                StepResult::Wrong(wrong) => all.push(Whole {
                    after: Err(wrong),
                    mover,
                    partners,
                }),
                StepResult::Unfinished => return None,
            }
        }
    }
    Some(all)
}

/// Looks at what is needed, and no more. What is known and seen in the end; none if the program is not covered.
fn look<'a>(
    partial: &Partial,
    shared: &Shared,
    locals: &'a [Local],
    mover: u32,
    partners: &[u32],
) -> Option<(
    Vec<Member<'a>>,
    suppose_model::program::semantics::partial::Seen,
)> {
    let member = |place: u32| -> Member { (place, &locals[place as usize]) };
    let mut members = vec![member(mover)];
    let mut met: Vec<Member> = Vec::new();
    loop {
        let met_now: Vec<Member> = met.clone();
        match partial.look(shared, &members, &met_now, Some(mover)) {
            Look::Need(place) => {
                let known = members.iter().chain(&met).all(|(m, _)| *m != place);
                assert!(known, "place {place} is known already");
                members.push(member(place));
            }
            Look::Refused(_) | Look::TooManyProcesses => return None,
            Look::Seen(seen) => {
                let known: Vec<Member> = members.iter().chain(&met).copied().collect();
                let stranger = |p: &&u32| known.iter().all(|(m, _)| m != *p);
                match partners.iter().find(stranger) {
                    None => return Some((known, seen)),
                    Some(place) => {
                        assert!(seen.partners.contains(place), "{place} may receive");
                        met.push(member(*place));
                    }
                }
            }
        }
    }
}

fn covers(program: &Program, question: Question, split: Split, most: usize) -> u64 {
    let Ok(partial) = Partial::new(program, question, split) else {
        return 0;
    };
    let Ok(initial) = State::at_start(program, question) else {
        return 0;
    };
    // A claim that looks at states is not moved here: the steps of the processes are looked at.
    let claim = match question {
        Question::Claim(number) => program.claims[number].events.is_some(),
        _ => true,
    };
    if !claim {
        return 0;
    }
    let mut compared = 0;
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = VecDeque::from([initial]);
    while let Some(state) = open.pop_front() {
        let Some(steps) = whole(program, &state) else {
            return compared;
        };
        let at = state.events.map_or(0, |(_, at)| at);
        let Ok((shared, locals)) = partial.take_apart(&state, at) else {
            return compared;
        };
        for step in steps {
            let found = look(&partial, &shared, &locals, step.mover, &step.partners);
            let Some((known, found)) = found else {
                return compared;
            };
            let after = match step.after {
                Ok(after) => after,
                Err(wrong) => {
                    let asked = match question {
                        Question::Assertions => !wrong.is_event(),
                        _ => wrong.is_event(),
                    };
                    assert!(!asked || found.wrong.is_some(), "{wrong:?} is missed");
                    continue;
                }
            };
            let at = after.events.map_or(0, |(_, at)| at);
            let Ok((shared_after, locals_after)) = partial.take_apart(&after, at) else {
                return compared;
            };
            let is_same = |effect: &&suppose_model::program::semantics::partial::Effect| {
                let mut members = known.iter().zip(&effect.members);
                effect.shared == shared_after
                    && members.all(|((place, _), local)| locals_after[*place as usize] == *local)
            };
            assert!(
                found.effects.iter().any(|e| is_same(&e)),
                "a step of {} is missed",
                step.mover
            );
            for (place, (old, new)) in locals.iter().zip(&locals_after).enumerate() {
                let is_known = known.iter().any(|(p, _)| *p as usize == place);
                assert!(is_known || old == new, "place {place} changes unseen");
            }
            compared += 1;
            if seen.len() < most && seen.insert(after.clone()) {
                open.push_back(after);
            }
        }
    }
    compared
}

#[test]
fn every_step_is_found_from_the_places_it_needs() {
    let mut compared = 0;
    let shapes = [Shape::default(), Shape::messages(), Shape::plain()];
    let wild = Shape {
        processes: (2, 4),
        remote: 25,
        arrays: 60,
        pid: 25,
        nr_pr: 10,
        provided: 20,
        d_step: 15,
        rendezvous: 70,
        channels: (1, 2),
        timeout: 15,
        unless: 15,
        ..Shape::default()
    };
    for_each_seed(400, |rng| {
        let shape = match rng.below(4) {
            3 => &wild,
            number => &shapes[number],
        };
        let text = program(rng, shape);
        let program = read(&text);
        for question in questions(&program) {
            let split = split(rng, &program);
            compared += covers(&program, question, split, 120);
        }
    });
    assert!(compared > 20_000, "{compared}");
}

/// Claims on states are looked at in `proofs.rs`; here they only must not be in the way.
#[test]
fn claims_do_not_hide_steps() {
    for_each_seed(40, |rng| {
        let text = claim::program(rng);
        let program = read(&text);
        let split = split(rng, &program);
        covers(&program, Question::Assertions, split, 60);
    });
}
