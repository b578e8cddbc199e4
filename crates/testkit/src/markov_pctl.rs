//! Probabilistic properties, naively: every memoryless scheduler of a tiny system, one after another, exactly.

use fixedbitset::FixedBitSet;
use suppose_model::lts::Labels;
use suppose_model::mdp::{
    Amount, Comparison, Component, Lpts, LptsBuilder, PathFormula, Proposition, RewardPaths,
    Rewards, SizeLimits, State, StateFormula, Steps, System, compose,
};
use suppose_number::{Int, Rat};

use crate::Rng;

/// The shape of random systems.
#[derive(Clone, Copy, Debug)]
pub struct MarkovShape {
    /// At most so many components.
    pub components: usize,
    /// At most so many states each.
    pub states: usize,
    /// At most so many choices of a state.
    pub choices: usize,
    /// At most so many branches of a choice.
    pub branches: usize,
    /// Weights from 1 to this.
    pub weight: usize,
}

/// A random system with one or two propositions for each component.
pub fn random_system(rng: &mut Rng, shape: &MarkovShape) -> System {
    let mut labels = Labels::new();
    let names: Vec<_> = ["a", "b", "c"].iter().map(|n| labels.intern(n)).collect();
    let mut system = System::new("random", labels);
    for number in 0..rng.between(1, shape.components) {
        let states = rng.between(1, shape.states);
        let mut it = LptsBuilder::new(format!("m{number}"));
        it.states(states);
        for state in 0..states as State {
            for _ in 0..rng.between(0, shape.choices) {
                let label = match rng.percent(25) {
                    true => suppose_model::lts::Label::TAU,
                    false => names[rng.below(names.len())],
                };
                let mut parts = Vec::new();
                for _ in 0..rng.between(1, shape.branches) {
                    let weight = rng.between(1, shape.weight) as u64;
                    parts.push((rng.below(states) as State, weight));
                }
                if let Some(dist) = it.store().insert_weights(&mut parts) {
                    it.choice_of(state, label, dist);
                }
            }
        }
        for _ in 0..rng.between(1, 2) {
            let proposition = system.propositions.len() as u32;
            let mut truth = FixedBitSet::with_capacity(states);
            (0..states).for_each(|s| truth.set(s, rng.percent(30)));
            it.proposition(proposition, truth);
            system.propositions.push(Proposition {
                name: format!("p{proposition}"),
                component: number,
            });
        }
        system.components.push(Component {
            lpts: it.build(),
            members: vec![format!("m{number}")],
        });
    }
    system
}

/// A random fraction between 0 and 1, often at the ends.
pub fn random_bound(rng: &mut Rng) -> Rat {
    match rng.below(6) {
        0 => Rat::ZERO,
        1 => Rat::ONE,
        _ => {
            let den = rng.between(1, 12) as i64;
            Rat::new(
                Int::from(rng.below(den as usize + 1) as i64),
                Int::from(den),
            )
        }
    }
}

fn random_literal(rng: &mut Rng, system: &System) -> StateFormula {
    let proposition = StateFormula::Proposition(rng.below(system.propositions.len()) as u32);
    match rng.below(8) {
        0 => StateFormula::True,
        1 | 2 => StateFormula::Not(Box::new(proposition)),
        _ => proposition,
    }
}

/// A random formula of any kind, bounds on probabilities at most so many deep.
pub fn random_formula(rng: &mut Rng, system: &System, depth: usize) -> StateFormula {
    if depth == 0 {
        return match rng.below(12) {
            0 => StateFormula::Deadlock,
            1 => StateFormula::False,
            _ => random_literal(rng, system),
        };
    }
    match rng.below(8) {
        0 => StateFormula::Not(Box::new(random_formula(rng, system, depth))),
        1 => StateFormula::And(vec![
            random_formula(rng, system, depth),
            random_formula(rng, system, depth - 1),
        ]),
        2 => StateFormula::Or(vec![
            random_formula(rng, system, depth),
            random_formula(rng, system, depth - 1),
        ]),
        _ => StateFormula::Probability {
            comparison: [
                Comparison::AtMost,
                Comparison::Below,
                Comparison::AtLeast,
                Comparison::Above,
            ][rng.below(4)],
            bound: random_bound(rng),
            paths: Box::new(random_paths(rng, system, depth - 1)),
        },
    }
}

fn random_steps(rng: &mut Rng) -> Steps {
    let to = rng.percent(35).then(|| rng.below(5) as u64);
    let from = match rng.percent(25) {
        true => rng.below(4) as u64,
        false => 0,
    };
    Steps {
        from,
        to: to.map(|to| to + from),
    }
}

/// A random path formula.
pub fn random_paths(rng: &mut Rng, system: &System, depth: usize) -> PathFormula {
    let steps = random_steps(rng);
    match rng.below(8) {
        0 => PathFormula::Next(random_formula(rng, system, depth)),
        1 => PathFormula::Globally {
            always: random_formula(rng, system, depth),
            steps,
        },
        7 => PathFormula::Not(Box::new(PathFormula::Until {
            left: random_formula(rng, system, depth),
            right: random_formula(rng, system, depth),
            steps,
        })),
        2..5 => PathFormula::Until {
            left: StateFormula::True,
            right: random_formula(rng, system, depth),
            steps,
        },
        _ => PathFormula::Until {
            left: random_formula(rng, system, depth),
            right: random_formula(rng, system, depth),
            steps,
        },
    }
}

/// A random formula that simulation preserves.
pub fn random_safe_formula(rng: &mut Rng, system: &System, depth: usize) -> StateFormula {
    if depth == 0 {
        return random_literal(rng, system);
    }
    match rng.below(8) {
        0 => StateFormula::And(vec![
            random_safe_formula(rng, system, depth),
            random_safe_formula(rng, system, depth - 1),
        ]),
        1 => StateFormula::Or(vec![
            random_safe_formula(rng, system, depth),
            random_safe_formula(rng, system, depth - 1),
        ]),
        _ => {
            let steps = rng.percent(35).then(|| rng.below(6) as u64);
            let comparison = match rng.percent(85) {
                true => Comparison::AtMost,
                false => Comparison::Below,
            };
            let mut argument = || match rng.percent(70) {
                true => random_literal(rng, system),
                false => StateFormula::Not(Box::new(random_safe_formula(rng, system, depth - 1))),
            };
            let right = argument();
            let left = argument();
            let left = match rng.percent(60) {
                true => StateFormula::True,
                false => left,
            };
            StateFormula::Probability {
                comparison,
                bound: random_bound(rng),
                paths: Box::new(PathFormula::Until {
                    left,
                    right,
                    steps: steps.into(),
                }),
            }
        }
    }
}

/// The whole system, built.
pub fn whole(system: &System) -> Lpts {
    let built = compose(
        "whole",
        &system.parts(),
        &SizeLimits::default(),
        &mut |_| Ok(()),
    );
    built.expect("a small system").lpts
}

/// How many memoryless schedulers there are; stops counting at `u64::MAX`.
pub fn schedulers(lpts: &Lpts) -> u64 {
    (0..lpts.states() as State)
        .map(|s| lpts.choices(s).len().max(1) as u64)
        .fold(1, u64::saturating_mul)
}

/// Is the formula true, state by state?
pub fn holds(lpts: &Lpts, formula: &StateFormula) -> Vec<bool> {
    let states = 0..lpts.states();
    match formula {
        StateFormula::True => vec![true; lpts.states()],
        StateFormula::False => vec![false; lpts.states()],
        StateFormula::Proposition(number) => states
            .map(|s| lpts.satisfies(s as State, *number) == Some(true))
            .collect(),
        StateFormula::Deadlock => states
            .map(|s| lpts.choices(s as State).is_empty())
            .collect(),
        StateFormula::Not(of) => holds(lpts, of).into_iter().map(|t| !t).collect(),
        StateFormula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|p| holds(lpts, p)).collect();
            states.map(|s| parts.iter().all(|p| p[s])).collect()
        }
        StateFormula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|p| holds(lpts, p)).collect();
            states.map(|s| parts.iter().any(|p| p[s])).collect()
        }
        StateFormula::Probability {
            comparison,
            bound,
            paths,
        } => {
            let values = probability(lpts, paths, comparison.is_upper());
            values.iter().map(|v| comparison.allows(v, bound)).collect()
        }
        StateFormula::Reward {
            comparison,
            bound,
            structure,
            paths,
        } => {
            let values = reward(lpts, *structure, paths, comparison.is_upper());
            let allows = |v: &Amount| comparison.allows_amount(v, bound);
            values.iter().map(allows).collect()
        }
    }
}

/// The greatest or least probability of paths, state by state.
pub fn probability(lpts: &Lpts, paths: &PathFormula, greatest: bool) -> Vec<Rat> {
    match paths {
        PathFormula::Next(of) => {
            let truth = holds(lpts, of);
            let values: Vec<Rat> = truth.iter().map(|t| number(*t)).collect();
            best_step(lpts, &values, greatest)
        }
        PathFormula::Until { left, right, steps } => {
            let (left, right) = (holds(lpts, left), holds(lpts, right));
            if steps.to.is_some_and(|to| to < steps.from) {
                return vec![Rat::ZERO; lpts.states()];
            }
            let mut values = match steps.to {
                Some(to) => within(lpts, &left, &right, to - steps.from, greatest),
                None => ever(lpts, &left, &right, greatest),
            };
            for _ in 0..steps.from {
                let next = best_step(lpts, &values, greatest);
                let pick = |(s, v)| if left[s] { v } else { Rat::ZERO };
                values = next.into_iter().enumerate().map(pick).collect();
            }
            values
        }
        PathFormula::Not(of) => {
            let values = probability(lpts, of, !greatest);
            values.iter().map(|v| &Rat::ONE - v).collect()
        }
        PathFormula::Globally { always, steps } => {
            let until = PathFormula::Until {
                left: StateFormula::True,
                right: StateFormula::Not(Box::new(always.clone())),
                steps: *steps,
            };
            let values = probability(lpts, &until, !greatest);
            values.iter().map(|v| &Rat::ONE - v).collect()
        }
    }
}

/// The greatest or least expected reward, state by state.
pub fn reward(lpts: &Lpts, structure: u32, paths: &RewardPaths, greatest: bool) -> Vec<Amount> {
    let rewards = lpts.rewards(structure).expect("the system has them");
    let own = |s: usize| rewards.state(s).clone();
    let finite = |values: Vec<Rat>| values.into_iter().map(Amount::Finite).collect();
    match paths {
        RewardPaths::After(steps) => {
            let mut values: Vec<Rat> = (0..lpts.states()).map(own).collect();
            (0..*steps).for_each(|_| values = best_step(lpts, &values, greatest));
            finite(values)
        }
        RewardPaths::Within(steps) => {
            let mut values = vec![Rat::ZERO; lpts.states()];
            for _ in 0..*steps {
                let best = |state: usize| {
                    let count = lpts.choices(state as State).len().max(1);
                    let all = (0..count).map(|c| {
                        let earned = earned(lpts, rewards, state, c);
                        &after(lpts, state, c, &values) + &earned
                    });
                    if greatest { all.max() } else { all.min() }.unwrap_or(Rat::ZERO)
                };
                values = (0..lpts.states()).map(best).collect();
            }
            finite(values)
        }
        RewardPaths::Until(goal) => {
            let goal = holds(lpts, goal);
            each_scheduler(lpts, greatest, |scheduler| {
                until_goal(lpts, rewards, &goal, scheduler)
            })
        }
    }
}

fn earned(lpts: &Lpts, rewards: &Rewards, state: usize, choice: usize) -> Rat {
    let range = lpts.choice_range(state as State);
    match range.is_empty() {
        true => rewards.state(state).clone(),
        false => rewards.state(state) + rewards.choice(range.start + choice),
    }
}

/// The expected reward under one scheduler: infinite where the goal may be missed, else the one solution of linear equations.
fn until_goal(lpts: &Lpts, rewards: &Rewards, goal: &[bool], scheduler: &[usize]) -> Vec<Amount> {
    let count = lpts.states();
    let all = vec![true; count];
    let sure = chain(lpts, &all, goal, scheduler);
    let mut rows: Vec<Vec<Rat>> = Vec::new();
    for state in 0..count {
        let mut row = vec![Rat::ZERO; count + 1];
        row[state] = Rat::ONE;
        if !goal[state] && sure[state] == Rat::ONE {
            for (target, p) in step(lpts, scheduler, state) {
                row[target as usize] = &row[target as usize] - &p;
            }
            row[count] = earned(lpts, rewards, state, scheduler[state]);
        }
        rows.push(row);
    }
    let values = eliminate(rows).into_iter().zip(&sure);
    let amount = |(v, sure): (Rat, &Rat)| match *sure == Rat::ONE {
        true => Amount::Finite(v),
        false => Amount::Infinite,
    };
    values.map(amount).collect()
}

fn number(truth: bool) -> Rat {
    if truth { Rat::ONE } else { Rat::ZERO }
}

fn after(lpts: &Lpts, state: usize, choice: usize, values: &[Rat]) -> Rat {
    match lpts.choices(state as State).get(choice) {
        None => values[state].clone(),
        Some(choice) => lpts
            .dist(choice.dist)
            .probabilities()
            .fold(Rat::ZERO, |sum, (t, p)| &sum + &(&p * &values[t as usize])),
    }
}

fn best_step(lpts: &Lpts, values: &[Rat], greatest: bool) -> Vec<Rat> {
    let best = |state: usize| {
        let count = lpts.choices(state as State).len().max(1);
        let all = (0..count).map(|c| after(lpts, state, c, values));
        if greatest { all.max() } else { all.min() }.unwrap_or(Rat::ZERO)
    };
    (0..lpts.states()).map(best).collect()
}

fn within(lpts: &Lpts, left: &[bool], right: &[bool], steps: u64, greatest: bool) -> Vec<Rat> {
    let mut values: Vec<Rat> = right.iter().map(|t| number(*t)).collect();
    for _ in 0..steps {
        let next = best_step(lpts, &values, greatest);
        for state in (0..lpts.states()).filter(|s| left[*s] && !right[*s]) {
            values[state] = next[state].clone();
        }
    }
    values
}

/// The best of what every memoryless scheduler gives.
fn each_scheduler<T: Ord>(
    lpts: &Lpts,
    greatest: bool,
    values: impl Fn(&[usize]) -> Vec<T>,
) -> Vec<T> {
    let sizes: Vec<usize> = (0..lpts.states())
        .map(|s| lpts.choices(s as State).len().max(1))
        .collect();
    let mut scheduler = vec![0; lpts.states()];
    let mut best: Option<Vec<T>> = None;
    loop {
        let values = values(&scheduler);
        best = Some(match best {
            None => values,
            Some(old) => {
                let pairs = old.into_iter().zip(values);
                let pick = |(a, b): (T, T)| if greatest { a.max(b) } else { a.min(b) };
                pairs.map(pick).collect()
            }
        });
        let Some(at) = (0..sizes.len()).find(|s| scheduler[*s] + 1 < sizes[*s]) else {
            return best.unwrap_or_default();
        };
        scheduler[at] += 1;
        scheduler[..at].fill(0);
    }
}

fn ever(lpts: &Lpts, left: &[bool], right: &[bool], greatest: bool) -> Vec<Rat> {
    each_scheduler(lpts, greatest, |scheduler| {
        chain(lpts, left, right, scheduler)
    })
}

fn step(lpts: &Lpts, scheduler: &[usize], state: usize) -> Vec<(State, Rat)> {
    match lpts.choices(state as State).get(scheduler[state]) {
        None => vec![(state as State, Rat::ONE)],
        Some(choice) => lpts.dist(choice.dist).probabilities().collect(),
    }
}

/// The probabilities under one scheduler: 0 where the goal is out of reach, else the one solution of linear equations.
fn chain(lpts: &Lpts, left: &[bool], right: &[bool], scheduler: &[usize]) -> Vec<Rat> {
    let count = lpts.states();
    let mut reach = right.to_vec();
    for _ in 0..count {
        for state in 0..count {
            let targets = step(lpts, scheduler, state);
            let leads = targets.iter().any(|(t, _)| reach[*t as usize]);
            reach[state] |= left[state] && leads;
        }
    }
    // One row for each state: coefficients, then the constant.
    let mut rows: Vec<Vec<Rat>> = Vec::new();
    for state in 0..count {
        let mut row = vec![Rat::ZERO; count + 1];
        row[state] = Rat::ONE;
        if right[state] {
            row[count] = Rat::ONE;
        } else if reach[state] {
            for (target, p) in step(lpts, scheduler, state) {
                row[target as usize] = &row[target as usize] - &p;
            }
        }
        rows.push(row);
    }
    eliminate(rows)
}

fn eliminate(mut rows: Vec<Vec<Rat>>) -> Vec<Rat> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).find(|r| !rows[*r][column].is_zero());
        rows.swap(column, pivot.expect("one solution"));
        let factor = rows[column][column].recip();
        let pivot: Vec<Rat> = rows[column].iter().map(|v| v * &factor).collect();
        rows[column].clone_from(&pivot);
        for (other, row) in rows.iter_mut().enumerate() {
            if other != column && !row[column].is_zero() {
                let factor = row[column].clone();
                let pairs = row.iter_mut().zip(&pivot);
                pairs.for_each(|(v, p)| *v = &*v - &(&factor * p));
            }
        }
    }
    rows.into_iter().map(|row| row[count].clone()).collect()
}

/// The same system of one component, with random rewards.
pub fn with_random_rewards(rng: &mut Rng, system: &System) -> System {
    let built = whole(system);
    let mut distinct = vec![Rat::ZERO];
    for _ in 0..3 {
        let num = Int::from(rng.between(0, 9) as i64);
        distinct.push(Rat::new(num, Int::from(rng.between(1, 4) as i64)));
    }
    let mut pick = |count: usize| -> Vec<u32> {
        (0..count)
            .map(|_| rng.below(distinct.len()) as u32 * u32::from(rng.percent(60)))
            .collect()
    };
    let (states, choices) = (pick(built.states()), pick(built.all_choices().len()));
    let rewards = Rewards {
        number: 0,
        distinct,
        states,
        choices,
    };
    let mut one = System::new("random", system.labels.clone());
    one.propositions = system.propositions.clone();
    one.propositions.iter_mut().for_each(|p| p.component = 0);
    one.rewards = vec!["r".to_owned()];
    one.components.push(Component {
        lpts: built.with_rewards(vec![rewards]),
        members: vec!["all".to_owned()],
    });
    one
}

/// What may be added up.
pub fn random_reward_paths(rng: &mut Rng, system: &System) -> RewardPaths {
    match rng.below(5) {
        0 => RewardPaths::Within(rng.below(6) as u64),
        1 => RewardPaths::After(rng.below(6) as u64),
        _ => {
            let depth = usize::from(rng.percent(20));
            RewardPaths::Until(random_formula(rng, system, depth))
        }
    }
}
