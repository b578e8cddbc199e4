//! Solves a [`Task`] component by component, those that lead to no unsolved one first.
//!
//! Three passes. *Floating-point numbers* give a candidate and a policy: one state at a time where there is no cycle, else by [`super::candidate`].
//! *Fractions* are tried next, for a bounded amount of work: elimination in cycles, from the policy that was found. Where that is too much, all
//! values are rounded to *units*, a power of one half, once up and once down: exactly one step for a state without a cycle; in a component with cycles the candidate `v` becomes
//! `v ± εy`, where `y` is about the most expected steps until the component is left: a step then keeps it, once `ε` is more than what a step changes `v` by. That is checked in
//! exact arithmetic, with a larger `ε` until it is so. After Haddad and Monmege (2018), and Hartmanns and Kaminski (2020).
//!
//! What did not pay: value iteration to the last digit before asking whether the component is small (41 states took 29 s), and one pass that mixes fractions
//! and rounded numbers (a fraction of a thousand digits makes all that depend on it slow).

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::graph::Components;
use suppose_model::mdp::{Dist, Numbers, State, Weights};
use suppose_number::{Int, Rat};

use super::candidate::Game;
use super::compact::{Compact, Task};
use super::exact::{self, Part, cost, spend};
use super::graph::POLL;
use super::number::{DIGITS, float_to_units, units};
use super::until::{Effort, Failure};

/// Bounds for every state of the system, and a choice for every open state, counted within it.
pub(super) struct Solved {
    pub lower: Numbers,
    /// None if the lower numbers are exact.
    pub upper: Option<Numbers>,
    pub scheduler: Vec<(State, u32)>,
}

struct Solver<'a> {
    task: &'a Task<'a>,
    compact: Compact,
    /// The open states, component by component, and where each begins.
    order: Vec<u32>,
    starts: Vec<u32>,
    /// By open state.
    values: Vec<f64>,
    /// The one that stands for it, where a scheduler may stay for nothing.
    class: Vec<u32>,
    /// The choice of each, by its number in `compact`.
    policy: Vec<u32>,
    /// Scratch: the place within the component at hand.
    place: Vec<u32>,
}

/// Solves a task.
pub(super) fn solve(task: &Task<'_>, effort: Effort, cx: &Context) -> Result<Solved, Failure> {
    let compact = Compact::new(task, cx)?;
    let count = compact.len();
    let (order, starts) = compact.components(cx)?;
    let mut solver = Solver {
        task,
        order,
        starts,
        values: vec![0.0; count],
        class: (0..count as u32).collect(),
        policy: (0..count).map(|at| compact.first[at]).collect(),
        place: vec![u32::MAX; count],
        compact,
    };
    solver.candidate(cx)?;
    if let Some(values) = solver.fractions(effort, cx)? {
        let lower = solver.everywhere_exact(values);
        let scheduler = solver.scheduler();
        return Ok(Solved {
            lower,
            upper: None,
            scheduler,
        });
    }
    let (lower, upper) = solver.rounded(cx)?;
    let scheduler = solver.scheduler();
    Ok(Solved {
        lower,
        upper,
        scheduler,
    })
}

impl Solver<'_> {
    fn components(&self) -> usize {
        self.starts.len() - 1
    }

    fn members(&self, component: usize) -> std::ops::Range<usize> {
        self.starts[component] as usize..self.starts[component + 1] as usize
    }

    /// The first pass: floating-point numbers and a policy.
    fn candidate(&mut self, cx: &Context) -> Result<(), Failure> {
        for component in 0..self.components() {
            let members = self.members(component);
            if members.len() == 1 {
                if members.start.is_multiple_of(256) {
                    cx.check()?;
                }
                self.single(self.order[members.start] as usize);
                continue;
            }
            let members: Vec<u32> = self.order[members].to_vec();
            if self.task.may_stay() {
                self.stays(&members, cx)?;
            }
            let (class, place) = (&self.class, &mut self.place);
            let game = Game::all(self.task, &self.compact, &members, class, place);
            game.values(&mut self.values, place, cx)?;
            self.choose(&members, cx)?;
        }
        Ok(())
    }

    /// A state without a cycle but that to itself.
    fn single(&mut self, at: usize) {
        let mut best: Option<(f64, u32)> = None;
        for choice in self.compact.choices(at) {
            let mut sum = self.compact.constant[choice];
            let mut own = 0.0;
            for branch in self.compact.branches(choice) {
                let target = self.compact.target[branch] as usize;
                match target == at {
                    true => own = self.compact.probability[branch],
                    false => sum += self.compact.probability[branch] * self.values[target],
                }
            }
            if own == 1.0 {
                continue;
            }
            let now = sum / (1.0 - own);
            if best.is_none_or(|(than, _)| self.task.better(&now, &than)) {
                best = Some((now, choice as u32));
            }
        }
        if let Some((value, choice)) = best {
            self.values[at] = value;
            self.policy[at] = choice;
        }
    }

    /// Finds the sets of members that a scheduler need never leave and where nothing is earned, and lets one stand for all.
    fn stays(&mut self, members: &[u32], cx: &Context) -> Result<(), Stopped> {
        let single = |m: &u32| self.compact.choices(*m as usize).len() < 2;
        if members.iter().all(single) {
            return Ok(());
        }
        let mut pending: Vec<Vec<u32>> = vec![members.to_vec()];
        while let Some(set) = pending.pop() {
            let (set, inside) = self.may_remain(set, cx)?;
            let parts = self.connected(&set, |choice| inside.contains(choice), cx)?;
            match parts.len() {
                0 => {}
                1 => {
                    let first = parts[0][0];
                    parts[0]
                        .iter()
                        .for_each(|m| self.class[*m as usize] = first);
                }
                _ => pending.extend(parts),
            }
        }
        Ok(())
    }

    /// The members of a set that have a free choice that leads to such members only, and these choices.
    fn may_remain(
        &mut self,
        mut set: Vec<u32>,
        cx: &Context,
    ) -> Result<(Vec<u32>, FixedBitSet), Stopped> {
        for (place, member) in set.iter().enumerate() {
            self.place[*member as usize] = place as u32;
        }
        let mut inside = FixedBitSet::with_capacity(self.compact.choice.len());
        let mut count = vec![0u32; set.len()];
        let mut users: Vec<Vec<(u32, u32)>> = vec![Vec::new(); set.len()];
        for (place, member) in set.iter().enumerate() {
            if place % POLL == 0 {
                cx.check()?;
            }
            for choice in self.compact.choices(*member as usize) {
                let targets = self.compact.targets(choice);
                let within = |t: &u32| self.place[*t as usize] != u32::MAX;
                if self.compact.stays(self.task, choice)
                    && self.task.is_free(self.compact.choice[choice] as usize)
                    && targets.iter().all(within)
                {
                    inside.insert(choice);
                    count[place] += 1;
                    for target in targets {
                        let to = self.place[*target as usize] as usize;
                        users[to].push((place as u32, choice as u32));
                    }
                }
            }
        }
        let mut queue: Vec<usize> = (0..set.len()).filter(|place| count[*place] == 0).collect();
        while let Some(gone) = queue.pop() {
            for (place, choice) in &users[gone] {
                if inside.contains(*choice as usize) {
                    inside.set(*choice as usize, false);
                    count[*place as usize] -= 1;
                    if count[*place as usize] == 0 {
                        queue.push(*place as usize);
                    }
                }
            }
        }
        set.iter().for_each(|m| self.place[*m as usize] = u32::MAX);
        let mut place = 0;
        set.retain(|_| {
            place += 1;
            count[place - 1] > 0
        });
        Ok((set, inside))
    }

    /// The strongly connected components of some open states by some of their choices.
    fn connected(
        &self,
        set: &[u32],
        allowed: impl Fn(usize) -> bool,
        cx: &Context,
    ) -> Result<Vec<Vec<u32>>, Stopped> {
        let mut number = rustc_hash::FxHashMap::default();
        set.iter().enumerate().for_each(|(at, m)| {
            number.insert(*m, at as u32);
        });
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); set.len()];
        for (at, member) in set.iter().enumerate() {
            if at % POLL == 0 {
                cx.check()?;
            }
            for choice in self
                .compact
                .choices(*member as usize)
                .filter(|c| allowed(*c))
            {
                let targets = self.compact.targets(choice).iter();
                edges[at].extend(targets.filter_map(|t| number.get(t).copied()));
            }
        }
        let parts = Components::of_lists(edges.len(), |at| &edges[at as usize]);
        let back = |part: &[u32]| part.iter().rev().map(|l| set[*l as usize]).collect();
        Ok(parts.iter().map(back).collect())
    }

    /// A policy of the members that leaves the component, by near-best choices where these do.
    fn choose(&mut self, members: &[u32], cx: &Context) -> Result<(), Stopped> {
        for (place, member) in members.iter().enumerate() {
            self.place[*member as usize] = place as u32;
        }
        let near: Vec<f64> = members
            .iter()
            .map(|member| {
                let choices = self.compact.choices(*member as usize);
                let all = choices.map(|c| self.compact.worth(c, &self.values));
                match self.task.greatest {
                    true => all.fold(f64::NEG_INFINITY, f64::max),
                    false => all.fold(f64::INFINITY, f64::min),
                }
            })
            .collect();
        let good = |place: usize, choice: usize| {
            let worth = self.compact.worth(choice, &self.values);
            (worth - near[place]).abs() <= 1e-12 * near[place].abs().max(1e-2)
        };
        const NONE: u32 = u32::MAX;
        let mut chosen = vec![NONE; members.len()];
        let mut users: Vec<Vec<(u32, u32)>> = vec![Vec::new(); members.len()];
        for (place, member) in members.iter().enumerate() {
            if place % POLL == 0 {
                cx.check()?;
            }
            for choice in self.compact.choices(*member as usize) {
                for target in self.compact.targets(choice) {
                    let to = self.place[*target as usize];
                    if to != u32::MAX {
                        users[to as usize].push((place as u32, choice as u32));
                    }
                }
            }
        }
        for only_good in [true, false] {
            let mut queue: Vec<usize> = Vec::new();
            for (place, member) in members.iter().enumerate() {
                if chosen[place] != NONE {
                    if !only_good {
                        queue.push(place);
                    }
                    continue;
                }
                let leaves = |choice: &usize| {
                    let outside = |t: &u32| self.place[*t as usize] == u32::MAX;
                    (!only_good || good(place, *choice))
                        && (!self.compact.stays(self.task, *choice)
                            || self.compact.targets(*choice).iter().any(outside))
                };
                let mut choices = self.compact.choices(*member as usize);
                if let Some(choice) = choices.find(leaves) {
                    chosen[place] = choice as u32;
                    queue.push(place);
                }
            }
            let mut at = 0;
            while at < queue.len() {
                if at % POLL == 0 {
                    cx.check()?;
                }
                for (place, choice) in &users[queue[at]] {
                    let place = *place as usize;
                    if chosen[place] == NONE && (!only_good || good(place, *choice as usize)) {
                        chosen[place] = *choice;
                        queue.push(place);
                    }
                }
                at += 1;
            }
        }
        for (place, member) in members.iter().enumerate() {
            if chosen[place] != NONE {
                self.policy[*member as usize] = chosen[place];
            }
            self.place[*member as usize] = u32::MAX;
        }
        Ok(())
    }

    /// The second pass: fractions, if they are not too much work.
    fn fractions(&mut self, effort: Effort, cx: &Context) -> Result<Option<Vec<Rat>>, Stopped> {
        let mut work = effort.digits + effort.digits / 100_000 * self.compact.target.len() as u64;
        let mut known = vec![Rat::ZERO; self.compact.len()];
        for component in 0..self.components() {
            let range = self.members(component);
            if range.start.is_multiple_of(64) {
                cx.check()?;
            }
            if range.len() == 1 {
                let at = self.order[range.start] as usize;
                let Some((value, choice)) = self.single_fraction(at, &known) else {
                    continue;
                };
                let branches = self.compact.branches(choice as usize).len() as u64 + 1;
                if !spend(&mut work, cost(&value) * branches) {
                    return Ok(None);
                }
                known[at] = value;
                self.policy[at] = choice;
                continue;
            }
            let members: Vec<u32> = self.order[range].to_vec();
            for (place, member) in members.iter().enumerate() {
                self.place[*member as usize] = place as u32;
            }
            let part = Part {
                task: self.task,
                compact: &self.compact,
                members: &members,
                place: &self.place,
            };
            let policy = members.iter().map(|m| self.policy[*m as usize]).collect();
            let solved = exact::solve(&part, &known, policy, &mut work, cx)?;
            members
                .iter()
                .for_each(|m| self.place[*m as usize] = u32::MAX);
            let Some((values, policy)) = solved else {
                return Ok(None);
            };
            for ((member, value), choice) in members.iter().zip(values).zip(policy) {
                known[*member as usize] = value;
                self.policy[*member as usize] = choice;
            }
        }
        Ok(Some(known))
    }

    fn single_fraction(&self, at: usize, known: &[Rat]) -> Option<(Rat, u32)> {
        let mut best: Option<(Rat, u32)> = None;
        for choice in self.compact.choices(at) {
            // While it is being solved the state's own value is 0.
            let mut now = exact::worth(self.task, &self.compact, choice, |t| &known[t as usize]);
            if self.compact.targets(choice).contains(&(at as u32)) {
                let dist = self.task.mdp.dist(self.compact.choice[choice] as usize);
                let place = dist.targets().binary_search(&self.compact.states[at]);
                let own = place.map_or(Rat::ZERO, |p| dist.probability(p));
                let rest = &Rat::ONE - &own;
                if !rest.is_positive() {
                    continue;
                }
                now = &now / &rest;
            }
            if best
                .as_ref()
                .is_none_or(|(than, _)| self.task.better(&now, than))
            {
                best = Some((now, choice as u32));
            }
        }
        best
    }

    fn everywhere_exact(&self, values: Vec<Rat>) -> Numbers {
        if self.compact.len() == 0 {
            let number = |s: usize| u64::from(self.task.one.contains(s));
            let values = (0..self.task.mdp.states()).map(number).collect();
            return Numbers::Units { bits: 0, values };
        }
        let mut all: Vec<Rat> = (0..self.task.mdp.states())
            .map(|s| match self.task.one.contains(s) {
                true => Rat::ONE,
                false => Rat::ZERO,
            })
            .collect();
        for (state, value) in self.compact.states.iter().zip(values) {
            all[*state as usize] = value;
        }
        Numbers::Exact(all)
    }

    fn scheduler(&self) -> Vec<(State, u32)> {
        let chosen = |(at, state): (usize, &State)| {
            let choice = self.compact.choice[self.policy[at] as usize];
            (*state, choice - self.task.mdp.choices(*state).start as u32)
        };
        let states = self.compact.states.iter().enumerate();
        let some = states.filter(|(at, _)| !self.compact.choices(*at).is_empty());
        some.map(chosen).collect()
    }

    /// The third pass: bounds in units; one list, if both are the same.
    fn rounded(&mut self, cx: &Context) -> Result<(Numbers, Option<Numbers>), Failure> {
        let most = self.values.iter().fold(1.0f64, |most, v| most.max(*v));
        if !most.is_finite() {
            return Err(Failure::Imprecise);
        }
        let bits = match self.task.rewards {
            None => DIGITS,
            Some(_) => DIGITS.saturating_sub(most.log2().ceil() as u32 + 1),
        };
        let one = 1u64 << bits;
        let start = |s: usize| if self.task.one.contains(s) { one } else { 0 };
        let mut low: Vec<u64> = (0..self.task.mdp.states()).map(start).collect();
        let mut high = low.clone();
        let earned = |up: bool| -> Result<Vec<u64>, Failure> {
            let distinct = self.task.rewards.iter().flat_map(|r| &r.distinct);
            let all = distinct.map(|r| units(r, bits, up)).collect::<Option<_>>();
            all.ok_or(Failure::Imprecise)
        };
        let round = Rounding {
            bits,
            down: earned(false)?,
            up: earned(true)?,
        };
        let mut steps = vec![0.0; self.compact.len()];
        for component in 0..self.components() {
            let range = self.members(component);
            if range.start.is_multiple_of(256) {
                cx.check()?;
            }
            if range.len() == 1 {
                self.single_rounded(
                    self.order[range.start] as usize,
                    &round,
                    &mut low,
                    &mut high,
                );
                continue;
            }
            let members: Vec<u32> = self.order[range].to_vec();
            let policy: Vec<u32> = members.iter().map(|m| self.policy[*m as usize]).collect();
            for up in [false, true] {
                let every = self.task.greatest == up;
                let game = match every {
                    true => {
                        let (class, place) = (&self.class, &mut self.place);
                        let all = Game::all(self.task, &self.compact, &members, class, place);
                        all.near(&self.values)
                    }
                    false => Game::of_policy(self.task, &self.compact, &members, &policy),
                };
                // Those of one policy are a good beginning for the most of all policies, but not the other way round.
                if !every {
                    members.iter().for_each(|m| steps[*m as usize] = 0.0);
                }
                game.steps(&mut steps, &mut self.place, cx)?;
                let list = if up { &mut high } else { &mut low };
                if !self.shifted(&members, every, up, &round, &steps, list, cx)? {
                    return Err(Failure::Imprecise);
                }
            }
            members.iter().for_each(|m| steps[*m as usize] = 0.0);
        }
        let upper = (low != high).then_some(Numbers::Units { bits, values: high });
        Ok((Numbers::Units { bits, values: low }, upper))
    }

    /// What a choice earns, in units.
    fn earned(&self, choice: usize, round: &Rounding, up: bool) -> u64 {
        let Some(r) = self.task.rewards else { return 0 };
        let number = self.compact.choice[choice] as usize;
        let list = if up { &round.up } else { &round.down };
        let state = self.task.mdp.owner(number) as usize;
        list[r.states[state] as usize].saturating_add(list[r.choices[number] as usize])
    }

    fn single_rounded(&mut self, at: usize, round: &Rounding, low: &mut [u64], high: &mut [u64]) {
        let state = self.compact.states[at];
        let mut best: [Option<(u64, u32)>; 2] = [None, None];
        for choice in self.compact.choices(at) {
            let dist = self.task.mdp.dist(self.compact.choice[choice] as usize);
            for (side, list) in [&*low, &*high].into_iter().enumerate() {
                let up = side == 1;
                let Some(now) = alone(dist, state, list, self.earned(choice, round, up), up) else {
                    continue;
                };
                if best[side].is_none_or(|(than, _)| self.task.better(&now, &than)) {
                    best[side] = Some((now, choice as u32));
                }
            }
        }
        low[state as usize] = best[0].map_or(0, |b| b.0);
        high[state as usize] = best[1].map_or(0, |b| b.0);
        let side = usize::from(!self.task.greatest);
        if let Some((_, choice)) = best[side] {
            self.policy[at] = choice;
        }
    }

    /// Shifts the candidate until a step keeps it; false if it would be too far.
    #[allow(clippy::too_many_arguments)] // one call, and each says something else
    fn shifted(
        &self,
        members: &[u32],
        every: bool,
        up: bool,
        round: &Rounding,
        steps: &[f64],
        list: &mut [u64],
        cx: &Context,
    ) -> Result<bool, Stopped> {
        let scale = members.iter().map(|m| self.values[*m as usize]);
        let scale = scale.fold(1e-3f64, f64::max);
        let unit = 2f64.powi(-(round.bits as i32));
        let mut slack = (4.0 * unit).max(1e-16 * scale);
        while slack < 1e-2 * scale.max(1.0) {
            for member in members {
                let at = *member as usize;
                let class = self.class[at] as usize;
                let of = if every { class } else { at };
                let by = slack * steps[of];
                let shifted = if up {
                    self.values[of] + by
                } else {
                    self.values[of] - by
                };
                let units = float_to_units(shifted.max(0.0), round.bits);
                list[self.compact.states[at] as usize] = match (up, self.task.rewards) {
                    (true, None) => (units + 1).min(1 << round.bits),
                    (true, Some(_)) => units + 1,
                    (false, _) => units.saturating_sub(1),
                };
            }
            if self.kept(members, every, up, round, list, cx)? {
                return Ok(true);
            }
            slack *= 4.0;
        }
        Ok(false)
    }

    /// Does every step that counts keep the numbers?
    fn kept(
        &self,
        members: &[u32],
        every: bool,
        up: bool,
        round: &Rounding,
        list: &[u64],
        cx: &Context,
    ) -> Result<bool, Stopped> {
        for (count, member) in members.iter().enumerate() {
            if count % 256 == 0 {
                cx.check()?;
            }
            let at = *member as usize;
            let number = list[self.compact.states[at] as usize];
            if !up && number == 0 {
                continue;
            }
            let choices = match every {
                true => self.compact.choices(at),
                false => self.policy[at] as usize..self.policy[at] as usize + 1,
            };
            for choice in choices {
                let dist = self.task.mdp.dist(self.compact.choice[choice] as usize);
                let earned = self.earned(choice, round, up);
                let fine = match number.checked_sub(earned) {
                    None => !up,
                    Some(rest) => one_step(dist, rest, list, up),
                };
                if !fine {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

struct Rounding {
    bits: u32,
    /// The distinct rewards, rounded down and up.
    down: Vec<u64>,
    up: Vec<u64>,
}

/// The least number that a step keeps from above (or the greatest from below) in a state that leads to others and to itself only. None if it only
/// leads to itself, or there is no such number.
fn alone(dist: Dist<'_>, state: State, list: &[u64], earned: u64, up: bool) -> Option<u64> {
    match dist.weights() {
        Weights::Small(weights) => {
            let (mut sum, mut own, mut total) = (0u128, 0u128, 0u128);
            for (target, weight) in dist.targets().iter().zip(weights) {
                let weight = u128::from(*weight);
                total += weight;
                match *target == state {
                    true => own = weight,
                    false => sum += u128::from(list[*target as usize]) * weight,
                }
            }
            let rest = total - own;
            if rest == 0 {
                return None;
            }
            sum = sum.checked_add(u128::from(earned).checked_mul(total)?)?;
            let mean = if up { sum.div_ceil(rest) } else { sum / rest };
            u64::try_from(mean).ok()
        }
        Weights::Big(_) => {
            let (mut sum, mut own) = (Int::ZERO, Int::ZERO);
            let total = dist.total();
            for (at, target) in dist.targets().iter().enumerate() {
                match *target == state {
                    true => own = dist.weight(at),
                    false => sum = &sum + &(&Int::from(list[*target as usize]) * &dist.weight(at)),
                }
            }
            let rest = &total - &own;
            if !rest.is_positive() {
                return None;
            }
            sum = &sum + &(&Int::from(earned) * &total);
            let mean = match up {
                true => sum.div_ceil(&rest),
                false => sum.div_floor(&rest).0,
            };
            mean.to_i64().and_then(|m| u64::try_from(m).ok())
        }
    }
}

/// Is a number at least (or at most) the mean of the numbers after a choice?
fn one_step(dist: Dist<'_>, number: u64, list: &[u64], upper: bool) -> bool {
    let targets = dist.targets().iter().map(|t| list[*t as usize]);
    let order = match dist.weights() {
        // The weights add up to less than 2^64, so no product and no sum reaches 2^128.
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
