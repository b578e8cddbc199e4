//! Bounds on the probabilities in one strongly connected component, found with floating-point numbers and then
//! checked exactly.
//!
//! Value iteration gives numbers `v` that one step changes by little. Let `y` be the expected number of steps until
//! the component is left, the longest under any choice, or under one policy. Then `v + εy` is what a step keeps from above once `ε` is more
//! than that little, and `v - εy` from below. Within an end component every state has the same greatest probability and no
//! step need ever leave; so an end component counts as one state there. After Haddad and Monmege (2018), and Hartmanns and Kaminski (2020).

use suppose_model::markov::{Dist, State, Weights};
use suppose_number::{Int, Rat};
use suppose_refine::{Context, Stopped};

use super::exact::Part;
use super::graph::end_components;
use super::number::{DIGITS, float_to_units, of_units, to_float, to_units};

/// At most so many looks at branches in one value iteration.
const LOOKS: u64 = 2_000_000_000;

/// Until no value changes by more.
const PRECISION: f64 = 1e-15;

/// Which choices count, and which members are one.
struct Game<'a> {
    part: &'a Part<'a>,
    /// The one choice of each member, if a policy is meant.
    policy: Option<&'a [usize]>,
    /// For each member the number of its class.
    class: Vec<u32>,
    /// For each class, is it of one member?
    alone: Vec<bool>,
}

impl<'a> Game<'a> {
    fn all(part: &'a Part<'a>) -> Self {
        let count = part.members.len();
        let mut class: Vec<u32> = (0..count as u32).collect();
        let mut alone = vec![true; count];
        if part.greatest {
            for merged in end_components(part.mdp, part.members) {
                let places = merged.iter().filter_map(|s| part.local(*s));
                let first = places.clone().next().unwrap_or(0);
                alone[first] = merged.len() == 1;
                places.for_each(|place| class[place] = first as u32);
            }
        }
        Game {
            part,
            policy: None,
            class,
            alone,
        }
    }

    fn of_policy(part: &'a Part<'a>, policy: &'a [usize]) -> Self {
        Game {
            part,
            policy: Some(policy),
            class: (0..part.members.len() as u32).collect(),
            alone: vec![true; part.members.len()],
        }
    }

    fn choices(&self, place: usize) -> std::ops::Range<usize> {
        match self.policy {
            Some(policy) => policy[place]..policy[place] + 1,
            None => self.part.mdp.choices(self.part.members[place]),
        }
    }

    /// Does a choice never leave the class?
    fn internal(&self, place: usize, choice: usize) -> bool {
        let own = self.class[place];
        let mut targets = self.part.mdp.targets(choice).iter();
        targets.all(|t| self.part.local(*t).is_some_and(|p| self.class[p] == own))
    }

    /// Iterates `value = reward + best expectation` by class until nothing changes much.
    fn iterate(
        &self,
        greatest: bool,
        reward: f64,
        precision: f64,
        mut values: Vec<f64>,
        outside: impl Fn(State) -> f64,
        cx: &Context,
    ) -> Result<Vec<f64>, Stopped> {
        let mut looks = 0u64;
        let start = if greatest {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        loop {
            let mut change = 0.0f64;
            let mut best = vec![start; self.alone.len()];
            for place in 0..self.part.members.len() {
                if place % 256 == 0 {
                    cx.check()?;
                }
                let class = self.class[place] as usize;
                for choice in self.choices(place) {
                    if self.internal(place, choice) {
                        continue;
                    }
                    let mut sum = reward;
                    for (target, probability) in self.part.mdp.about(choice) {
                        looks += 1;
                        sum += probability
                            * match self.part.local(target) {
                                Some(to) => values[self.class[to] as usize],
                                None => outside(target),
                            };
                    }
                    best[class] = match greatest {
                        true => best[class].max(sum),
                        false => best[class].min(sum),
                    };
                }
                // A class of one is known now, and others may use it at once.
                if self.alone[class] && best[class].is_finite() {
                    change = change.max((values[class] - best[class]).abs());
                    values[class] = best[class];
                }
            }
            for class in 0..self.alone.len() {
                if best[class].is_finite() {
                    change = change.max((values[class] - best[class]).abs());
                    values[class] = best[class];
                }
            }
            if change < precision || looks > LOOKS {
                return Ok(values);
            }
        }
    }
}

/// About the values of the members, and the policy they suggest, which leaves the component almost surely.
pub(super) struct Guess {
    pub policy: Vec<usize>,
    values: Vec<f64>,
}

/// By value iteration.
pub(super) fn guess(part: &Part<'_>, outside: &[Rat], cx: &Context) -> Result<Guess, Stopped> {
    let game = Game::all(part);
    let about = outside_floats(part, outside);
    let start = vec![0.0; part.members.len()];
    let values = game.iterate(part.greatest, 0.0, PRECISION, start, &about, cx)?;
    let value = |state: State| match part.local(state) {
        Some(place) => values[game.class[place] as usize],
        None => about(state),
    };
    let count = part.members.len();
    let mut good: Vec<Vec<usize>> = Vec::with_capacity(count);
    for (place, state) in part.members.iter().enumerate() {
        if place % 256 == 0 {
            cx.check()?;
        }
        let worth = |choice: usize| -> f64 {
            let branches = part.mdp.about(choice);
            branches.map(|(t, p)| p * value(t)).sum()
        };
        let choices: Vec<(usize, f64)> = part.mdp.choices(*state).map(|c| (c, worth(c))).collect();
        let best = choices.iter().map(|c| c.1);
        let best = match part.greatest {
            true => best.fold(f64::NEG_INFINITY, f64::max),
            false => best.fold(f64::INFINITY, f64::min),
        };
        let near = choices.iter().filter(|c| (c.1 - best).abs() <= 1e-12);
        good.push(near.map(|c| c.0).collect());
    }
    if !part.greatest {
        let policy = good.iter().enumerate().map(|(place, near)| {
            let first = part.mdp.choices(part.members[place]).start;
            near.first().copied().unwrap_or(first)
        });
        let policy = policy.collect();
        return Ok(Guess { policy, values });
    }
    let policy = leaving(part, &good);
    let values = game.class.iter().map(|c| values[*c as usize]).collect();
    Ok(Guess { policy, values })
}

/// A policy that leaves the component almost surely, by good choices where these do.
fn leaving(part: &Part<'_>, good: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut policy = vec![NONE; part.members.len()];
    let mut queue: Vec<State> = Vec::new();
    for only_good in [true, false] {
        let allowed = |place: usize, choice: usize| !only_good || good[place].contains(&choice);
        for (place, state) in part.members.iter().enumerate() {
            if policy[place] != NONE {
                continue;
            }
            let leads_on = |choice: &usize| {
                let mut targets = part.mdp.targets(*choice).iter();
                allowed(place, *choice)
                    && targets.any(|t| part.local(*t).is_none_or(|p| policy[p] != NONE))
            };
            if let Some(choice) = part.mdp.choices(*state).find(leads_on) {
                policy[place] = choice;
                queue.push(*state);
            }
        }
        while let Some(reached) = queue.pop() {
            for choice in part.mdp.incoming(reached) {
                let owner = part.mdp.owner(*choice as usize);
                if let Some(place) = part.local(owner)
                    && policy[place] == NONE
                    && allowed(place, *choice as usize)
                {
                    policy[place] = *choice as usize;
                    queue.push(owner);
                }
            }
        }
    }
    for (place, choice) in policy.iter_mut().enumerate() {
        if *choice == NONE {
            *choice = part.mdp.choices(part.members[place]).start;
        }
    }
    policy
}

fn outside_floats(part: &Part<'_>, outside: &[Rat]) -> impl Fn(State) -> f64 + use<> {
    // Each number outside is looked at many times, so it is converted once.
    let mut floats = rustc_hash::FxHashMap::default();
    for state in part.members {
        for choice in part.mdp.choices(*state) {
            for target in part.mdp.targets(choice) {
                if part.local(*target).is_none() {
                    let number = || to_float(&outside[*target as usize]);
                    floats.entry(*target).or_insert_with(number);
                }
            }
        }
    }
    move |state| floats.get(&state).copied().unwrap_or(0.0)
}

/// Numbers for the members that one step keeps from above (or below), given such numbers outside.
///
/// None if the iteration was not precise enough.
pub(super) fn bound(
    part: &Part<'_>,
    guess: &Guess,
    outside: &[Rat],
    upper: bool,
    cx: &Context,
) -> Result<Option<Vec<Rat>>, Stopped> {
    let every_choice = part.greatest == upper;
    let game = match every_choice {
        true => Game::all(part),
        false => Game::of_policy(part, &guess.policy),
    };
    let about = outside_floats(part, outside);
    let near = guess.values.clone();
    let values = game.iterate(part.greatest, 0.0, PRECISION, near, about, cx)?;
    // A step that takes off most of what it should is enough: the slack makes up for the rest.
    let none = vec![0.0; part.members.len()];
    let times = game.iterate(true, 1.0, 0.25, none, |_| 0.0, cx)?;
    let mut units = rustc_hash::FxHashMap::default();
    for state in part.members {
        for choice in part.mdp.choices(*state) {
            for target in part.mdp.targets(choice) {
                if part.local(*target).is_none() {
                    let number = || to_units(&outside[*target as usize], upper);
                    units.entry(*target).or_insert_with(number);
                }
            }
        }
    }
    let mut slack = 1e-16;
    while slack < 1e-2 {
        let sign = if upper { slack } else { -slack };
        let number = |class: &u32| {
            let class = *class as usize;
            let shifted = float_to_units((values[class] + sign * times[class]).max(0.0));
            match upper {
                true => (shifted + 1).min(1 << DIGITS),
                false => shifted.saturating_sub(1),
            }
        };
        let trial: Vec<u64> = game.class.iter().map(number).collect();
        if kept(&game, &trial, &units, upper, cx)? {
            return Ok(Some(trial.into_iter().map(of_units).collect()));
        }
        slack *= 4.0;
    }
    Ok(None)
}

/// Does every step that counts keep the numbers?
fn kept(
    game: &Game<'_>,
    trial: &[u64],
    outside: &rustc_hash::FxHashMap<State, u64>,
    upper: bool,
    cx: &Context,
) -> Result<bool, Stopped> {
    let part = game.part;
    for place in 0..part.members.len() {
        if place % 256 == 0 {
            cx.check()?;
        }
        if !upper && trial[place] == 0 {
            continue;
        }
        for choice in game.choices(place) {
            let value = |state: State| match part.local(state) {
                Some(to) => trial[to],
                None => outside.get(&state).copied().unwrap_or(0),
            };
            if !one_step(part.mdp.dist(choice), trial[place], value, upper) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Is a number at least (or at most) the mean of the numbers after a choice?
fn one_step(dist: Dist<'_>, number: u64, value: impl Fn(State) -> u64, upper: bool) -> bool {
    let targets = dist.targets().iter().map(|t| value(*t));
    let order = match dist.weights() {
        // The weights add up to less than 2^64 and the numbers are at most 2^60.
        Weights::Small(weights) => {
            let pairs = targets.zip(weights);
            let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
            let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
            (u128::from(number) * total).cmp(&sum)
        }
        Weights::Big(_) => {
            let pairs = targets.enumerate();
            let sum = pairs.fold(Int::ZERO, |sum, (at, v)| {
                &sum + &(&Int::from(v) * &dist.weight(at))
            });
            (&Int::from(number) * &dist.total()).cmp(&sum)
        }
    };
    match upper {
        true => order.is_ge(),
        false => order.is_le(),
    }
}
