//! The exact solution in one strongly connected component, those it leads to being solved: policy iteration in exact arithmetic, from
//! the policy that floating-point numbers suggest.
//!
//! A policy that leaves the component almost surely has one solution of its linear equations. A policy changes only where that strictly
//! helps, and then it still leaves where it must: on a set that the new policy never left, each value would be at least (or at most) the reward and the mean of the
//! others, strictly somewhere, which no mean over the set allows. For least probabilities and greatest rewards every policy leaves, since
//! states of probability 0, and states from where the goal may be missed, were taken out before.

use suppose_control::{Context, Stopped};
use suppose_number::Rat;

use super::compact::{Compact, Task};
use super::number::size;

/// A component under work. Numbers are those of the open states.
pub(super) struct Part<'a> {
    pub task: &'a Task<'a>,
    pub compact: &'a Compact,
    pub members: &'a [u32],
    /// For each open state its place among the members, or `u32::MAX`.
    pub place: &'a [u32],
}

impl Part<'_> {
    fn inside(&self, local: u32) -> Option<usize> {
        let place = self.place[local as usize];
        (place != u32::MAX).then_some(place as usize)
    }
}

/// The values of the members, and the policy that has them.
pub(super) type Solved = (Vec<Rat>, Vec<u32>);

/// What a choice earns, with the probability that it leads where the value is 1.
pub(super) fn constant(task: &Task<'_>, choice: usize) -> Rat {
    let mut sum = match task.rewards {
        Some(r) => r.state(task.mdp.owner(choice) as usize) + r.choice(choice),
        None => Rat::ZERO,
    };
    if task.rewards.is_none() {
        for (target, probability) in task.mdp.dist(choice).probabilities() {
            let at = target as usize;
            if !task.open.contains(at) && task.one.contains(at) {
                sum += &probability;
            }
        }
    }
    sum
}

/// What a choice is worth, given values of open states.
pub(super) fn worth<'v>(
    task: &Task<'_>,
    compact: &Compact,
    choice: usize,
    value: impl Fn(u32) -> &'v Rat,
) -> Rat {
    let dist = task.mdp.dist(compact.choice[choice] as usize);
    let mut sum = Rat::ZERO;
    for (at, target) in dist.targets().iter().enumerate() {
        let local = compact.local[*target as usize];
        if local != u32::MAX {
            sum.add_product(&Rat::from(dist.weight(at)), value(local));
        } else if task.one.contains(*target as usize) {
            sum += &Rat::from(dist.weight(at));
        }
    }
    if dist.len() > 1 {
        sum = &sum / &Rat::from(dist.total());
    }
    if let Some(r) = task.rewards {
        let number = compact.choice[choice] as usize;
        sum += r.state(task.mdp.owner(number) as usize);
        sum += r.choice(number);
    }
    sum
}

/// Solves a component, or gives none if the work is more than allowed.
pub(super) fn solve(
    part: &Part<'_>,
    known: &[Rat],
    mut policy: Vec<u32>,
    work: &mut u64,
    cx: &Context,
) -> Result<Option<Solved>, Stopped> {
    loop {
        let Some(values) = evaluate(part, known, &policy, work, cx)? else {
            return Ok(None);
        };
        let value = |local: u32| match part.inside(local) {
            Some(place) => &values[place],
            None => &known[local as usize],
        };
        let mut changed = false;
        for (place, member) in part.members.iter().enumerate() {
            cx.check()?;
            let mut best: Option<(Rat, u32)> = None;
            let choices = part.compact.choices(*member as usize);
            for choice in choices.filter(|c| *c as u32 != policy[place]) {
                let now = worth(part.task, part.compact, choice, value);
                if !spend(work, cost(&now)) {
                    return Ok(None);
                }
                let than = best.as_ref().map_or(&values[place], |b| &b.0);
                if part.task.better(&now, than) {
                    best = Some((now, choice as u32));
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
pub(super) fn cost(number: &Rat) -> u64 {
    let size = size(number) as u64;
    16 + size + size * size / 256
}

pub(super) fn spend(work: &mut u64, cost: u64) -> bool {
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
    known: &[Rat],
    policy: &[u32],
    work: &mut u64,
    cx: &Context,
) -> Result<Option<Vec<Rat>>, Stopped> {
    let count = part.members.len();
    let mut rows: Vec<Row> = Vec::with_capacity(count);
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (place, choice) in policy.iter().enumerate() {
        let number = part.compact.choice[*choice as usize] as usize;
        let mut row = Row {
            terms: Vec::new(),
            constant: constant(part.task, number),
        };
        for (target, probability) in part.task.mdp.dist(number).probabilities() {
            let local = part.compact.local[target as usize];
            if local == u32::MAX {
                continue;
            }
            match part.inside(local) {
                Some(to) => {
                    row.terms.push((to as u32, probability));
                    users[to].push(place as u32);
                }
                None => row
                    .constant
                    .add_product(&probability, &known[local as usize]),
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
    while let Some((least, next)) = queue.pop_first() {
        let at = next as usize;
        // No other member is less entangled, and numbers only grow: a lost cause is given up before the work is done. Of members that all
        // depend on each other, eliminating them takes a third of the cube of their number.
        let each = (least / 4) as u64 * cost(&rows[at].constant);
        if each.saturating_mul((count - order.len()) as u64) > *work {
            return Ok(None);
        }
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
            if !spend(work, spent + cost(&rows[user as usize].constant)) {
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
