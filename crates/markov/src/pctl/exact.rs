//! The exact probabilities in one strongly connected component, those outside being known: policy iteration
//! in exact arithmetic, from the policy that floating-point numbers suggest.
//!
//! A policy that leaves the component almost surely has one solution of its linear equations. For greatest probabilities a policy changes only
//! where that strictly helps, and then it still leaves: on a set that the new policy never left nothing could have been better
//! than before, so the old policy would not have left it either. For least probabilities every policy leaves, since
//! states of probability 0 were taken out before.

use suppose_model::markov::State;
use suppose_number::Rat;
use suppose_refine::{Context, Stopped};

use super::mdp::{Mdp, expected};
use super::number::size;

/// A component under work.
pub(super) struct Part<'a> {
    pub mdp: &'a Mdp<'a>,
    pub members: &'a [State],
    /// For each state its place among the members, or `u32::MAX`.
    pub place: &'a [u32],
    /// Greatest or least probabilities?
    pub greatest: bool,
}

impl Part<'_> {
    pub fn local(&self, state: State) -> Option<usize> {
        let place = self.place[state as usize];
        (place != u32::MAX).then_some(place as usize)
    }

    /// Is `a` better than `b`?
    pub fn better<T: PartialOrd>(&self, a: &T, b: &T) -> bool {
        match self.greatest {
            true => a > b,
            false => a < b,
        }
    }
}

/// The values of the members, and the policy that has them: choices by their numbers over all states.
pub(super) type Solved = (Vec<Rat>, Vec<usize>);

/// Solves a component, or gives none if the work is more than allowed.
pub(super) fn solve(
    part: &Part<'_>,
    outside: &[Rat],
    mut policy: Vec<usize>,
    work: &mut u64,
    cx: &Context,
) -> Result<Option<Solved>, Stopped> {
    loop {
        let Some(values) = evaluate(part, outside, &policy, work, cx)? else {
            return Ok(None);
        };
        let value = |state: State| match part.local(state) {
            Some(place) => &values[place],
            None => &outside[state as usize],
        };
        let mut changed = false;
        for (place, state) in part.members.iter().enumerate() {
            cx.check()?;
            let mut best: Option<(Rat, usize)> = None;
            for choice in part.mdp.choices(*state).filter(|c| *c != policy[place]) {
                let now = expected(part.mdp.dist(choice), value);
                if !spend(work, cost(&now)) {
                    return Ok(None);
                }
                let than = best.as_ref().map_or(&values[place], |b| &b.0);
                if part.better(&now, than) {
                    best = Some((now, choice));
                }
            }
            if let Some((_, choice)) = best {
                policy[place] = choice;
                changed = true;
            }
        }
        if !changed {
            return Ok(Some((values, policy)));
        }
    }
}

/// About what computing a fraction takes: common divisors take time that grows with the square.
fn cost(number: &Rat) -> u64 {
    let size = size(number) as u64;
    size + size * size / 256
}

fn spend(work: &mut u64, cost: u64) -> bool {
    let enough = *work > cost;
    *work = work.saturating_sub(cost);
    enough
}

/// One row: the value of a member is a sum over members and a constant.
#[derive(Default)]
struct Row {
    /// Ascending by member.
    terms: Vec<(u32, Rat)>,
    constant: Rat,
}

/// The values under one policy, by eliminating one member after another, the least entangled first.
fn evaluate(
    part: &Part<'_>,
    outside: &[Rat],
    policy: &[usize],
    work: &mut u64,
    cx: &Context,
) -> Result<Option<Vec<Rat>>, Stopped> {
    let count = part.members.len();
    let mut rows: Vec<Row> = Vec::with_capacity(count);
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (place, choice) in policy.iter().enumerate() {
        let mut row = Row::default();
        for (target, probability) in part.mdp.dist(*choice).probabilities() {
            match part.local(target) {
                Some(to) => {
                    row.terms.push((to as u32, probability));
                    users[to].push(place as u32);
                }
                None => row
                    .constant
                    .add_product(&probability, &outside[target as usize]),
            }
        }
        row.terms.sort_by_key(|t| t.0);
        rows.push(row);
    }
    let mut order = Vec::with_capacity(count);
    let mut done = vec![false; count];
    let mut queue = std::collections::BTreeSet::new();
    let degree =
        |rows: &[Row], users: &[Vec<u32>], at: usize| rows[at].terms.len() * users[at].len();
    let mut degrees: Vec<usize> = (0..count).map(|at| degree(&rows, &users, at)).collect();
    queue.extend(degrees.iter().copied().zip(0..count as u32));
    while let Some((_, next)) = queue.pop_first() {
        let at = next as usize;
        done[at] = true;
        order.push(at);
        if !free_of_itself(&mut rows[at], next) {
            return Ok(None);
        }
        let mut using = std::mem::take(&mut users[at]);
        using.sort_unstable();
        using.dedup();
        for user in using {
            cx.check()?;
            if done[user as usize] {
                continue;
            }
            let (row, pivot) = pair(&mut rows, user as usize, at);
            let Ok(found) = row.terms.binary_search_by_key(&next, |t| t.0) else {
                continue;
            };
            let factor = row.terms.remove(found).1;
            row.constant.add_product(&factor, &pivot.constant);
            let spent = merge(row, pivot, &factor, |new| users[new as usize].push(user));
            if !spend(work, spent) {
                return Ok(None);
            }
            let now = degree(&rows, &users, user as usize);
            if now != degrees[user as usize] {
                queue.remove(&(degrees[user as usize], user));
                degrees[user as usize] = now;
                queue.insert((now, user));
            }
        }
    }
    let mut values = vec![Rat::ZERO; count];
    for at in order.into_iter().rev() {
        cx.check()?;
        let row = &rows[at];
        let mut value = row.constant.clone();
        for (member, factor) in &row.terms {
            value.add_product(factor, &values[*member as usize]);
            if !spend(work, cost(&value)) {
                return Ok(None);
            }
        }
        values[at] = value;
    }
    Ok(Some(values))
}

/// Solves a row for its own member; false if it says nothing about it (which a policy that leaves never does).
fn free_of_itself(row: &mut Row, own: u32) -> bool {
    let Ok(found) = row.terms.binary_search_by_key(&own, |t| t.0) else {
        return true;
    };
    let rest = &Rat::ONE - &row.terms.remove(found).1;
    if !rest.is_positive() {
        return false;
    }
    let factor = rest.recip();
    row.terms.iter_mut().for_each(|t| t.1 *= &factor);
    row.constant *= &factor;
    true
}

fn pair(rows: &mut [Row], a: usize, b: usize) -> (&mut Row, &Row) {
    if a < b {
        let (low, high) = rows.split_at_mut(b);
        (&mut low[a], &high[0])
    } else {
        let (low, high) = rows.split_at_mut(a);
        (&mut high[0], &low[b])
    }
}

/// Adds a multiple of the pivot's terms; says what is new, and returns about what it cost.
fn merge(row: &mut Row, pivot: &Row, factor: &Rat, mut new: impl FnMut(u32)) -> u64 {
    let old = std::mem::take(&mut row.terms);
    let mut spent = cost(factor);
    let mut merged = Vec::with_capacity(old.len() + pivot.terms.len());
    let mut old = old.into_iter().peekable();
    for (member, coefficient) in &pivot.terms {
        while let Some(term) = old.next_if(|t| t.0 < *member) {
            merged.push(term);
        }
        let mut term = match old.next_if(|t| t.0 == *member) {
            Some(term) => term,
            None => {
                new(*member);
                (*member, Rat::ZERO)
            }
        };
        term.1.add_product(factor, coefficient);
        spent += cost(&term.1);
        merged.push(term);
    }
    merged.extend(old);
    row.terms = merged;
    spent
}
