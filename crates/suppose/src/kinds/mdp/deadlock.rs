//! Sizes and deadlocks: the composition, state by state.

use std::collections::VecDeque;

use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{Limits, State};
use suppose_model::mdp::{
    Counterexample, Halted, Lpts, LptsBuilder, Proof, Refutation, Rewards, RewardsBuilder, Sizes,
    System, Verdict, Whole, compose,
};
use suppose_model::{Reason, Run};

/// The composition.
pub fn whole(system: &System, cx: &Context) -> Result<Whole, Reason> {
    let mut stopped = None;
    let mut go_on = |states: usize| {
        let states = states as u64;
        if states.is_multiple_of(1024) {
            cx.emit(Event::Explored {
                states,
                transitions: 0,
            });
        }
        match cx.check_states(states) {
            Ok(()) => true,
            Err(why) => {
                stopped = Some(why);
                false
            }
        }
    };
    let built = compose(
        &*system.name,
        &system.parts(),
        &Limits::default(),
        &mut go_on,
    );
    built.map_err(|halted| match halted {
        Halted::Stopped => stopped.unwrap_or(Stopped::Timeout).into(),
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

/// Is there a state without a choice? If so, a shortest way to one.
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

/// The way to a state as a tree, with everything else that its steps could have led to. The state is the last node.
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

/// The composition with actions as they are seen from outside, and its states called by those of the parts.
pub fn seen(whole: &Whole, system: &System) -> Lpts {
    let lpts = &whole.lpts;
    let mut builder = LptsBuilder::new(&*system.name);
    builder.states(lpts.states());
    builder.initial(lpts.initial());
    for state in lpts.initials() {
        builder.also_initial(*state);
    }
    let alphabet = lpts.alphabet().iter().map(|l| system.observe(*l));
    builder.extend_alphabet(alphabet);
    for state in 0..lpts.states() as State {
        for choice in lpts.choices(state) {
            let dist = builder.store().insert(lpts.dist(choice.dist));
            builder.choice_of(state, system.observe(choice.label), dist);
        }
        let parts = system.components.iter().zip(whole.vector(state));
        let names: Vec<String> = parts.map(|(c, s)| c.lpts.state_name(s)).collect();
        builder.state_name(state, names.join(","));
    }
    for (number, truth) in lpts.propositions() {
        builder.proposition(*number, truth.clone());
    }
    builder.build()
}

/// The only component of a system, with its rewards and the actions as they are seen from outside.
pub fn alone(lpts: &Lpts, system: &System) -> Lpts {
    let mut builder = LptsBuilder::new(&*system.name);
    builder.states(lpts.states());
    builder.initial(lpts.initial());
    for state in lpts.initials() {
        builder.also_initial(*state);
    }
    builder.extend_alphabet(lpts.alphabet().iter().map(|l| system.observe(*l)));
    let count = system.rewards.len() as u32;
    let structures: Vec<&Rewards> = (0..count).filter_map(|n| lpts.rewards(n)).collect();
    let mut earned = RewardsBuilder::new(structures.len());
    for state in 0..lpts.states() as State {
        let at = state as usize;
        earned.state(structures.iter().map(|r| r.state(at).clone()));
        for (number, choice) in lpts.choice_range(state).zip(lpts.choices(state)) {
            let dist = builder.store().insert(lpts.dist(choice.dist));
            let tag = earned.choice(structures.iter().map(|r| r.choice(number).clone()));
            builder.choice_tagged(state, system.observe(choice.label), dist, tag);
        }
        if lpts.has_state_names() {
            builder.state_name(state, lpts.state_name(state));
        }
    }
    let (whole, tags) = builder.build_tagged();
    whole
        .with_propositions(lpts.propositions().to_vec())
        .with_rewards(earned.finish(&tags))
}
