//! What the graph alone tells: where a probability is 0 or 1 under the best or the worst scheduler; components.
//!
//! The fixed points are those of Bianco and de Alfaro (1995), as in Forejt, Kwiatkowska, Norman and Parker (2011).

use fixedbitset::FixedBitSet;
use suppose_model::markov::State;

use super::mdp::{Lists, Mdp, states_where};

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
pub(super) fn settled_greatest(mdp: &Mdp<'_>, left: &FixedBitSet, right: &FixedBitSet) -> Settled {
    let positive = attracted(mdp, left, right, |_| true).0;
    let mut one = positive.clone();
    loop {
        let within = |choice: usize| {
            mdp.targets(choice)
                .iter()
                .all(|t| one.contains(*t as usize))
        };
        let mut inside = left.clone();
        inside.intersect_with(&one);
        let (next, scheduler) = attracted(mdp, &inside, right, within);
        if next == one {
            let mut zero = positive;
            zero.toggle_range(..);
            return Settled {
                zero,
                one,
                scheduler,
            };
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
) -> (FixedBitSet, Vec<u32>) {
    let mut found = goal.clone();
    let mut scheduler = vec![0; mdp.states()];
    let mut queue: Vec<State> = goal.ones().map(|s| s as State).collect();
    let mut at = 0;
    while at < queue.len() {
        for choice in mdp.incoming(queue[at]) {
            let state = mdp.owner(*choice as usize);
            let new = inside.contains(state as usize) && !found.contains(state as usize);
            if new && allowed(*choice as usize) {
                found.insert(state as usize);
                scheduler[state as usize] = *choice - mdp.choices(state).start as u32;
                queue.push(state);
            }
        }
        at += 1;
    }
    (found, scheduler)
}

/// Of `left U right`: the least probability.
pub(super) fn settled_least(mdp: &Mdp<'_>, left: &FixedBitSet, right: &FixedBitSet) -> Settled {
    let positive = forced(mdp, left, right).0;
    let mut zero = positive;
    zero.toggle_range(..);
    let mut scheduler = vec![0; mdp.states()];
    for state in zero.ones().filter(|s| left.contains(*s)) {
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
    let mut one = attracted(mdp, &open, &zero, |_| true).0;
    one.toggle_range(..);
    Settled {
        zero,
        one,
        scheduler,
    }
}

/// The states of `inside` that reach `goal` with some probability whatever is chosen, and how many steps it
/// takes at least (0 in the goal).
pub(super) fn forced(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
) -> (FixedBitSet, Vec<u32>) {
    let mut found = goal.clone();
    let mut ranks = vec![0; mdp.states()];
    let mut waiting: Vec<u32> = (0..mdp.states() as State)
        .map(|s| mdp.choices(s).len() as u32)
        .collect();
    let mut hit = FixedBitSet::with_capacity(mdp.lpts.all_choices().len());
    let mut queue: Vec<State> = goal.ones().map(|s| s as State).collect();
    let mut at = 0;
    while at < queue.len() {
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
    (found, ranks)
}

/// Distances to `goal` where each state has one choice; none where it is not reached.
pub(super) fn distances(
    mdp: &Mdp<'_>,
    inside: &FixedBitSet,
    goal: &FixedBitSet,
    scheduler: &[u32],
) -> (FixedBitSet, Vec<u32>) {
    let mut found = goal.clone();
    let mut ranks = vec![0; mdp.states()];
    let mut queue: Vec<State> = goal.ones().map(|s| s as State).collect();
    let mut at = 0;
    while at < queue.len() {
        for choice in mdp.incoming(queue[at]) {
            let state = mdp.owner(*choice as usize);
            let own = mdp.choices(state).start as u32 + scheduler[state as usize];
            if own == *choice && inside.contains(state as usize) && !found.put(state as usize) {
                ranks[state as usize] = ranks[queue[at] as usize] + 1;
                queue.push(state);
            }
        }
        at += 1;
    }
    (found, ranks)
}

/// The strongly connected components among the states of a set, each after those it leads to.
pub(super) fn components(mdp: &Mdp<'_>, among: &FixedBitSet) -> Vec<Vec<State>> {
    let members: Vec<State> = among.ones().map(|s| s as State).collect();
    let mut number = vec![u32::MAX; mdp.states()];
    components_by(mdp, members, &mut number, |_| true)
}

/// `number` is a scratch pad, all of it `u32::MAX` before and after.
fn components_by(
    mdp: &Mdp<'_>,
    members: Vec<State>,
    number: &mut [u32],
    allowed: impl Fn(usize) -> bool,
) -> Vec<Vec<State>> {
    for (local, state) in members.iter().enumerate() {
        number[*state as usize] = local as u32;
    }
    let edges = Lists::new(members.len(), |put| {
        for (local, state) in members.iter().enumerate() {
            for choice in mdp.choices(*state).filter(|c| allowed(*c)) {
                for target in mdp.targets(choice) {
                    if number[*target as usize] != u32::MAX {
                        put(local as u32, number[*target as usize]);
                    }
                }
            }
        }
    });
    members.iter().for_each(|s| number[*s as usize] = u32::MAX);
    let found = tarjan(members.len(), &edges);
    let back = |part: Vec<u32>| part.into_iter().map(|l| members[l as usize]).collect();
    found.into_iter().map(back).collect()
}

/// Tarjan's algorithm without recursion.
fn tarjan(nodes: usize, edges: &Lists) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; nodes];
    let mut low = vec![0; nodes];
    let mut on_stack = FixedBitSet::with_capacity(nodes);
    let (mut stack, mut path, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for root in 0..nodes as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.pop() {
            let at = node as usize;
            if edge == 0 {
                order[at] = count;
                low[at] = count;
                count += 1;
                stack.push(node);
                on_stack.insert(at);
            }
            match edges.of(node).get(edge) {
                Some(next) => {
                    path.push((node, edge + 1));
                    if order[*next as usize] == NEW {
                        path.push((*next, 0));
                    } else if on_stack.contains(*next as usize) {
                        low[at] = low[at].min(order[*next as usize]);
                    }
                }
                None => {
                    if let Some((parent, _)) = path.last() {
                        low[*parent as usize] = low[*parent as usize].min(low[at]);
                    }
                    if low[at] == order[at] {
                        let from = stack.iter().rposition(|n| *n == node).unwrap_or(0);
                        let part = stack.split_off(from);
                        part.iter().for_each(|n| on_stack.set(*n as usize, false));
                        found.push(part);
                    }
                }
            }
        }
    }
    found
}

/// The maximal end components within a set: sets of states that a scheduler need never leave.
pub(super) fn end_components(mdp: &Mdp<'_>, among: &[State]) -> Vec<Vec<State>> {
    let mut found = Vec::new();
    let mut pending = vec![among.to_vec()];
    let mut set = FixedBitSet::with_capacity(mdp.states());
    let mut number = vec![u32::MAX; mdp.states()];
    while let Some(mut candidate) = pending.pop() {
        candidate.iter().for_each(|s| set.insert(*s as usize));
        prune(mdp, &mut set, &candidate);
        candidate.retain(|s| set.contains(*s as usize));
        let stays = |c: usize| mdp.targets(c).iter().all(|t| set.contains(*t as usize));
        let parts = components_by(mdp, candidate.clone(), &mut number, stays);
        match parts.len() {
            0 => {}
            1 => found.extend(parts),
            _ => pending.extend(parts),
        }
        candidate.iter().for_each(|s| set.set(*s as usize, false));
    }
    found
}

/// Takes out states that must leave.
fn prune(mdp: &Mdp<'_>, set: &mut FixedBitSet, candidate: &[State]) {
    let must_leave = |set: &FixedBitSet, state: State| {
        !mdp.choices(state)
            .any(|c| mdp.targets(c).iter().all(|t| set.contains(*t as usize)))
    };
    let mut queue: Vec<State> = Vec::new();
    for state in candidate {
        if must_leave(set, *state) {
            queue.push(*state);
        }
    }
    queue.iter().for_each(|s| set.set(*s as usize, false));
    while let Some(gone) = queue.pop() {
        for choice in mdp.incoming(gone) {
            let state = mdp.owner(*choice as usize);
            if set.contains(state as usize) && must_leave(set, state) {
                set.set(state as usize, false);
                queue.push(state);
            }
        }
    }
}

/// The states that are in the first set and not in the second.
pub(super) fn minus(first: &FixedBitSet, second: &FixedBitSet) -> FixedBitSet {
    states_where(first.len(), |s| {
        first.contains(s as usize) && !second.contains(s as usize)
    })
}
