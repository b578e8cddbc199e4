//! Deadlocks and sizes of the whole composition, which is built state by state.

use std::collections::VecDeque;

use suppose_control::{Context, Event};
use suppose_model::lts::{SizeLimits, State};
use suppose_model::mdp::{
    Counterexample, Halted, LptsBuilder, Proof, Refutation, Sizes, System, Verdict, Whole, compose,
};
use suppose_model::{Reason, Run};

/// The composition of all components.
pub fn whole(system: &System, cx: &Context) -> Result<Whole, Reason> {
    let mut poll = |states: usize| {
        let states = states as u64;
        if states.is_multiple_of(1024) {
            cx.emit(Event::Explored {
                states,
                transitions: 0,
            });
        }
        cx.check_states(states)
    };
    let built = compose(
        &*system.name,
        &system.parts(),
        &SizeLimits::default(),
        &mut poll,
    );
    built.map_err(|halted| match halted {
        Halted::Stopped(why) => why.into(),
        Halted::TooLarge(why) => {
            Reason::Unsupported(format!("the composition is too large: {why}"))
        }
    })
}

/// How large it is.
pub fn sizes(whole: &Whole) -> Sizes {
    let lpts = &whole.lpts;
    let stuck = |s: &State| lpts.choices(*s).is_empty();
    Sizes {
        states: lpts.states() as u64,
        choices: lpts.all_choices().len() as u64,
        transitions: lpts.branches() as u64,
        deadlocks: (0..lpts.states() as State).filter(stuck).count() as u64,
    }
}

/// Looks for a state without a choice; the counterexample is a shortest path to one.
pub fn decide(whole: &Whole) -> (Verdict, Run) {
    let lpts = &whole.lpts;
    let run = Run {
        states: lpts.states() as u64,
        transitions: lpts.branches() as u64,
        largest: lpts.states() as u64,
        ..Run::default()
    };
    let mut before: Vec<Option<(State, usize)>> = vec![None; lpts.states()];
    let mut seen = vec![false; lpts.states()];
    let mut queue: VecDeque<State> = lpts.initials().iter().copied().collect();
    queue.iter().for_each(|s| seen[*s as usize] = true);
    while let Some(state) = queue.pop_front() {
        let choices = lpts.choices(state);
        if choices.is_empty() {
            let found = Box::new(path(whole, &before, state));
            return (Verdict::Violated(Refutation::Deadlock(found)), run);
        }
        for (number, choice) in choices.iter().enumerate() {
            for target in lpts.dist(choice.dist).targets() {
                if !std::mem::replace(&mut seen[*target as usize], true) {
                    before[*target as usize] = Some((state, number));
                    queue.push_back(*target);
                }
            }
        }
    }
    (Verdict::Holds(Proof::NoDeadlock), run)
}

/// The path to a state as a tree, with everything else that its steps could have led to. The state is the last node.
fn path(whole: &Whole, before: &[Option<(State, usize)>], end: State) -> Counterexample {
    let lpts = &whole.lpts;
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((state, number)) = before[at as usize] {
        steps.push((state, number, at));
        at = state;
    }
    let mut builder = LptsBuilder::new("counterexample");
    let mut nodes = vec![at];
    for (state, number, next) in steps.into_iter().rev() {
        let node = nodes.len() as State - 1;
        let choice = lpts.choices(state)[number];
        let mut branches = Vec::new();
        let mut onward = None;
        for (target, p) in lpts.dist(choice.dist).probabilities() {
            match target == next {
                true => onward = Some(p),
                false => {
                    branches.push((nodes.len() as State, p));
                    nodes.push(target);
                }
            }
        }
        if let Some(p) = onward {
            branches.push((nodes.len() as State, p));
            nodes.push(next);
        }
        // They are the probabilities of a distribution, so they add up.
        let _ = builder.choice(node, choice.label, &branches);
    }
    builder.states(nodes.len());
    let states = nodes.iter().map(|n| whole.vector(*n).into_boxed_slice());
    Counterexample {
        tree: builder.build(),
        states: states.collect(),
    }
}
