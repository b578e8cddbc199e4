//! What the graph alone tells: where a probability is 0 or 1 under the best or the worst scheduler, and how far it is.
//!
//! The fixed points are those of Bianco and de Alfaro (1995), as in Forejt, Kwiatkowska, Norman and Parker (2011).

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::State;

use super::mdp::{Mdp, states_where};

/// So many states are looked at between two questions whether to stop.
pub(super) const POLL: usize = 1024;

/// Where a probability is settled by the graph, and choices that show it.
pub(super) struct Settled {
    /// It is 0 there.
    pub zero: FixedBitSet,
    /// It is 1 there.
    pub one: FixedBitSet,
    /// A choice, counted within its state, that keeps the probability so: for the greatest one where it is 1, for the least where it is 0.
    pub scheduler: Vec<u32>,
}

/// Of `left U right`: the greatest probability.
pub(super) fn settled_greatest(
    mdp: &Mdp<'_>,
    left: &FixedBitSet,
    right: &FixedBitSet,
    cx: &Context,
) -> Result<Settled, Stopped> {
    let positive = attracted(mdp, left, right, |_| true, cx)?.0;
    let mut one = positive.clone();
    loop {
        let within = |choice: usize| {
            mdp.targets(choice)
                .iter()
                .all(|t| one.contains(*t as usize))
        };
        let mut inside = left.clone();
        inside.intersect_with(&one);
        let (next, scheduler) = attracted(mdp, &inside, right, within, cx)?;
        if next == one {
            let mut zero = positive;
            zero.toggle_range(..);
            return Ok(Settled {
                zero,
                one,
                scheduler,
            });
        }
        one = next;
    }
}

/// The states from which some run of `inside` leads to `goal` by choices that are allowed, and for each one a choice that gets nearer.
fn attracted(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
    allowed: impl Fn(usize) -> bool,
    cx: &Context,
) -> Result<(FixedBitSet, Vec<u32>), Stopped> {
    let mut scheduler = vec![0; mdp.states()];
    let visit = |state: State, choice: u32, _: State| {
        scheduler[state as usize] = choice - mdp.choices(state).start as u32;
    };
    let found = backward(mdp, inside, goal, (allowed, visit), cx)?;
    Ok((found, scheduler))
}

/// The states of `inside` from which allowed choices lead to `goal`, breadth first: `visit` gets each one with the choice and
/// the state it leads to.
fn backward(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
    (allowed, mut visit): (impl Fn(usize) -> bool, impl FnMut(State, u32, State)),
    cx: &Context,
) -> Result<FixedBitSet, Stopped> {
    let mut found = goal.clone();
    let mut queue: Vec<State> = goal.ones().map(|s| s as State).collect();
    let mut at = 0;
    while at < queue.len() {
        if at % POLL == 0 {
            cx.check()?;
        }
        let target = queue[at];
        for choice in mdp.incoming(target) {
            let state = mdp.owner(*choice as usize);
            let new = inside.contains(state as usize) && !found.contains(state as usize);
            if new && allowed(*choice as usize) {
                found.insert(state as usize);
                visit(state, *choice, target);
                queue.push(state);
            }
        }
        at += 1;
    }
    Ok(found)
}

/// Why the greatest probability to reach `goal` is below 1: the round in which [`settled_greatest`] takes a state out, or none if it stays.
///
/// Every choice of a state that is taken out leads, with some probability, to one that was taken out before, or to states of the
/// same round only.
pub(super) fn rounds(
    mdp: &Mdp<'_>,
    goal: &FixedBitSet,
    cx: &Context,
) -> Result<(FixedBitSet, Vec<u32>), Stopped> {
    let mut left = states_where(mdp.states(), |_| true);
    let mut ranks = vec![0; mdp.states()];
    for round in 0.. {
        let within = |choice: usize| {
            let mut targets = mdp.targets(choice).iter();
            targets.all(|t| left.contains(*t as usize))
        };
        let next = attracted(mdp, &left, goal, within, cx)?.0;
        if next == left {
            break;
        }
        for state in minus(&left, &next).ones() {
            ranks[state] = round;
        }
        left = next;
    }
    left.toggle_range(..);
    Ok((left, ranks))
}

/// The states of `inside` from which some choices lead to `goal` with some probability, how far it is, and a choice that gets nearer.
pub(super) fn nearest(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
    cx: &Context,
) -> Result<(FixedBitSet, Vec<u32>, Vec<u32>), Stopped> {
    let mut ranks = vec![0; mdp.states()];
    let mut scheduler = vec![0; mdp.states()];
    let visit = |state: State, choice: u32, target: State| {
        ranks[state as usize] = ranks[target as usize] + 1;
        scheduler[state as usize] = choice - mdp.choices(state).start as u32;
    };
    let found = backward(mdp, inside, goal, (|_| true, visit), cx)?;
    Ok((found, ranks, scheduler))
}

/// Of `left U right`: the least probability.
pub(super) fn settled_least(
    mdp: &Mdp<'_>,
    left: &FixedBitSet,
    right: &FixedBitSet,
    cx: &Context,
) -> Result<Settled, Stopped> {
    let positive = forced(mdp, left, right, cx)?.0;
    let mut zero = positive;
    zero.toggle_range(..);
    let mut scheduler = vec![0; mdp.states()];
    for state in zero.ones().filter(|s| left.contains(*s)) {
        if state % POLL == 0 {
            cx.check()?;
        }
        let stays = |choice: &usize| {
            let targets = mdp.targets(*choice).iter();
            targets.copied().all(|t| zero.contains(t as usize))
        };
        let choices = mdp.choices(state as State);
        let start = choices.start;
        scheduler[state] = choices.clone().find(stays).unwrap_or(start) as u32 - start as u32;
    }
    let mut open = left.clone();
    open.difference_with(right);
    let mut one = attracted(mdp, &open, &zero, |_| true, cx)?.0;
    one.toggle_range(..);
    Ok(Settled {
        zero,
        one,
        scheduler,
    })
}

/// The states of `inside` that reach `goal` with some probability whatever is chosen, and how many steps it
/// takes at least (0 in the goal).
pub(super) fn forced(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
    cx: &Context,
) -> Result<(FixedBitSet, Vec<u32>), Stopped> {
    let mut found = goal.clone();
    let mut ranks = vec![0; mdp.states()];
    let mut waiting: Vec<u32> = (0..mdp.states() as State)
        .map(|s| mdp.choices(s).len() as u32)
        .collect();
    let mut hit = FixedBitSet::with_capacity(mdp.lpts.all_choices().len());
    let mut queue: Vec<State> = goal.ones().map(|s| s as State).collect();
    let mut at = 0;
    while at < queue.len() {
        if at % POLL == 0 {
            cx.check()?;
        }
        let rank = ranks[queue[at] as usize];
        for choice in mdp.incoming(queue[at]) {
            let state = mdp.owner(*choice as usize);
            if found.contains(state as usize)
                || !inside.contains(state as usize)
                || hit.put(*choice as usize)
            {
                continue;
            }
            waiting[state as usize] -= 1;
            if waiting[state as usize] == 0 {
                found.insert(state as usize);
                // Breadth first: the last of its choices to be hit is the farthest.
                ranks[state as usize] = rank + 1;
                queue.push(state);
            }
        }
        at += 1;
    }
    Ok((found, ranks))
}

/// Distances to `goal` where each state has one choice; none where it is not reached.
pub(super) fn distances(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
    scheduler: &[u32],
    cx: &Context,
) -> Result<(FixedBitSet, Vec<u32>), Stopped> {
    let mut ranks = vec![0; mdp.states()];
    let chosen = |choice: usize| {
        let state = mdp.owner(choice);
        mdp.choices(state).start + scheduler[state as usize] as usize == choice
    };
    let visit = |state: State, _: u32, target: State| {
        ranks[state as usize] = ranks[target as usize] + 1;
    };
    let found = backward(mdp, inside, goal, (chosen, visit), cx)?;
    Ok((found, ranks))
}

/// The states that are in the first set and not in the second.
pub(super) fn minus(first: &FixedBitSet, second: &FixedBitSet) -> FixedBitSet {
    states_where(first.len(), |s| {
        first.contains(s as usize) && !second.contains(s as usize)
    })
}
