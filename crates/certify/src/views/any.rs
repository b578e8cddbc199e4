//! Proofs for any number of processes that do not know each other.
//!
//! Let the views be accepted for the program with `m` processes of the group ([`anonymous`]), and let `V` be closed under exchanging
//! any two of them. Let `t` be two more than the processes of the group that any step was looked at with, and `m` at least `t`. Say
//! that a state of the program with `n` of them *fits* if each view of it, with the members of the group renamed to any
//! of the `m`, is in `V`. By induction all reachable states fit, as in [`super`]: let `F` be the places that a step depends
//! on, and `a`, `b` two others. Renamed to different ones of the `m` (there are enough, and it does not matter to which,
//! since `V` is closed under exchanging them) they are a join of `V`: what they own is in their local states, and the shared
//! state does not speak of them, except for exposed counts. Of these only the upper bound depends on how many processes there are,
//! and it is no condition where the count is at most `m - t`, which is checked. So `F` was looked at with `m`, nothing
//! goes wrong, and the view of `a` and `b` after the step is in `V`. With fewer than `m` the same is true.

use suppose_control::Context;
use suppose_model::program::anonymous::{Group, anonymous};
use suppose_model::program::views::Exposed;
use suppose_model::program::{Program, ViewProof};

use super::joins::Joins;
use super::{Seat, Viewed, check};
use crate::rejection::Rejection;

/// Is it a proof for any number of processes, given with so many?
pub(super) fn any(
    program: &Program,
    proof: &ViewProof,
    count: u32,
    cx: &Context,
) -> Result<Viewed, Rejection> {
    let flaw = |why: &str| Err(Rejection::flaw(why));
    let group = anonymous(program, proof.question).map_err(Rejection::flaw)?;
    if count == 0 || count > group.count {
        return flaw("the proof is with more processes than the program has");
    }
    if proof.split.places != group.first + count {
        return flaw("the places are not those of the processes");
    }
    if !owns_alike(&group, proof, count) {
        return flaw("processes of the group do not own the same variables");
    }
    if proof.split.exposed.iter().any(|e| e.how != Exposed::Count) {
        return flaw("a proof for any number of processes can expose counts only");
    }
    let small = group.reduced(program, count);
    let (viewed, widest) = check(&small, proof, &|place| place >= group.first, cx)?;
    let widest = widest + 2;
    let exposed = proof.split.exposed.iter().enumerate();
    let mut counted = exposed.filter(|(_, e)| e.proctype == group.proctype);
    let most = |number: usize| {
        let values = proof.shared.iter().map(|s| s.exposed[number]);
        values.max().unwrap_or(0)
    };
    let has_room = |x: u64| x + u64::from(widest) <= u64::from(count);
    if widest > count || !counted.all(|(number, _)| has_room(most(number))) {
        return flaw("the proof is with too few processes to be one for any number");
    }
    match is_closed(&group, proof, count, cx)? {
        true => Ok(viewed),
        false => flaw("the views are not closed under exchanging processes"),
    }
}

/// Each owns its elements of arrays, and nothing else.
fn owns_alike(group: &Group, proof: &ViewProof, count: u32) -> bool {
    (group.first..group.first + count).all(|place| {
        let owners = (0u32..).zip(&proof.split.owners);
        let owned = owners.filter(|(_, owner)| **owner == Some(place));
        owned.map(|(slot, _)| slot).eq(group.slots(place))
    })
}

/// Does exchanging two neighbours lead from views to views?
fn is_closed(
    group: &Group,
    proof: &ViewProof,
    count: u32,
    cx: &Context,
) -> Result<bool, Rejection> {
    let set = Joins::views_of(proof);
    for view in &proof.views {
        cx.check()?;
        for low in group.first..group.first + count - 1 {
            let exchanged = |(place, local): Seat| match place {
                p if p == low => (low + 1, local),
                p if p == low + 1 => (low, local),
                p => (p, local),
            };
            let (a, b) = (exchanged(view.first), exchanged(view.second));
            let (first, second) = if a.0 < b.0 { (a, b) } else { (b, a) };
            if !set.contains(&(view.shared, first, second)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
