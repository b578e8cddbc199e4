//! Where it is enough to follow one process.
//!
//! A location is *ample* if every edge out of it, possible at the moment or not, reads and writes
//! nothing but the process's own variables, and leads to a place where nothing is kept. Let a process be at
//! such a location, with some edge possible. No step of another process changes which of its edges are
//! possible or what they do, none of its steps changes that for another process (variables that remote
//! references can reach, locations that anyone asks about, `_last`, `provided` and priorities are all taken
//! out), and it takes part in no rendezvous. So in every run from here the process's next step can be
//! moved to the front, and following this process alone reaches every stop and every failing step that
//! following all would reach, if no process is put off forever (see [`crate::search`] for that). `timeout` needs no
//! care: while a step of this process is possible, `timeout` is false everywhere. Nor does `else`:
//! it depends on edges that are local themselves. `_pid` is a constant of the process. Ends of processes and `run` are
//! never local, as they change `_nr_pr` and the numbers of processes.
//!
//! # Messages
//!
//! At a location where all edges are such steps or sends and receives (without `else`, and none of them inside `atomic` or
//! `d_step`), following one process alone is enough too, in states where this is so of every send and receive:
//!
//! - a send is to a buffered channel that is not full, and no other process sends to it;
//! - a receive (not `??`) is from one that is not empty, no other process receives from it, and none sorts it;
//! - no other process can notice a message before it is received: none asks for the length, polls, has an `else` or
//!   an escape beside a send or receive of that channel, or uses it in the middle of an `atomic` or `d_step`, where a step is
//!   over or not depending on it.
//!
//! Then the others can only take messages from a channel to which this process sends, or put more behind those that it
//! receives. Neither changes which of its edges are possible or what they do, and the other way round its step
//! disables none of theirs and commutes with each. This is Holzmann and Peled's use of `xr` and `xs` (1994), with two
//! differences: who uses a channel is found out, not believed (`machine/exclusive`), and SPIN follows a process also where
//! another one has such a channel in the middle of an `atomic`.
//!
//! # Passing
//!
//! An ample location where the process moves strictly forward in the text can also be passed
//! without being stored, when just one edge is possible: every loop has a location that is stored.

use super::{Fact, Seen};
use crate::machine::{Written, last_slot, targets};
use suppose_model::program::{Action, Expr, Keep, Location, Place, Program, Scope};

/// Marks ample locations, and those that can be passed.
pub(super) fn mark(program: &Program, written: &Written, seen: &Seen, facts: &mut [Vec<Fact>]) {
    if program.uses_last || program.uses_priority || seen.all_locations {
        return;
    }
    for (proctype, text) in program.proctypes.iter().enumerate() {
        if text.provided.is_some() {
            continue;
        }
        let order = forward(&text.locations, text.entry);
        for (at, here) in text.locations.iter().enumerate() {
            let quiet = here.keep == Keep::Nothing
                && !here.edges.is_empty()
                && here.edges.iter().all(|edge| {
                    let keep = text.locations[edge.target as usize].keep;
                    keep == Keep::Nothing
                        && is_local(&edge.action, written)
                        && unseen(seen, proctype as u32, at as u32, edge)
                });
            facts[proctype][at].ample = quiet;
            facts[proctype][at].messages = !quiet && exchanges(text, at, written, seen, proctype);
            let on = |e: &suppose_model::program::Edge| order[e.target as usize] > order[at];
            let one_rank = here.edges.windows(2).all(|e| e[0].rank == e[1].rank);
            facts[proctype][at].merge = quiet && one_rank && here.edges.iter().all(on);
        }
    }
}

/// Is a location one where a process does nothing but send, receive, and deal with its own variables?
fn exchanges(
    text: &suppose_model::program::Proctype,
    at: usize,
    written: &Written,
    seen: &Seen,
    proctype: usize,
) -> bool {
    let here = &text.locations[at];
    here.keep == Keep::Nothing
        && here.edges.windows(2).all(|e| e[0].rank == e[1].rank)
        && here.edges.iter().all(|edge| {
            let keep = text.locations[edge.target as usize].keep;
            let message = matches!(edge.action, Action::Send { .. } | Action::Receive { .. });
            keep == Keep::Nothing
                && !edge.d_step
                && edge.action != Action::Else
                && (is_local(&edge.action, written) || message && is_own(&edge.action, written))
                && unseen(seen, proctype as u32, at as u32, edge)
        })
}

/// Does an action write and read nothing, but for messages, that another process could see or change?
fn is_own(action: &Action, written: &Written) -> bool {
    let mut own = true;
    targets(action, |place| own &= place.scope == Scope::Local);
    super::expressions(action, &mut |e| own &= reads_own(e, written));
    own
}

fn is_local(action: &Action, written: &Written) -> bool {
    let mut local = match action {
        Action::Guard(_) | Action::Else | Action::Assign(..) | Action::Assert(_) => true,
        _ => return false,
    };
    targets(action, |place| local &= place.scope == Scope::Local);
    super::expressions(action, &mut |e| local &= reads_own(e, written));
    local
}

/// Does an expression read nothing that another process could change?
fn reads_own(expr: &Expr, written: &Written) -> bool {
    let fixed = |place: &Place| {
        let last = last_slot(place);
        (place.base as usize..=last).all(|slot| written.globals.get(slot) == Some(&false))
    };
    let mut own = true;
    expr.visit(&mut |e| {
        own &= match e {
            Expr::Load(place) => place.scope == Scope::Local || fixed(place),
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {
                true
            }
            _ => false,
        }
    });
    own
}

/// Can nobody see that the edge is taken?
fn unseen(seen: &Seen, proctype: u32, at: u32, edge: &suppose_model::program::Edge) -> bool {
    let asked = seen.locations.iter().filter(|(p, _)| *p == proctype);
    let mut same = asked.map(|(_, set)| set.contains(&at) == set.contains(&edge.target));
    if !same.all(|same| same) {
        return false;
    }
    let labelled = &seen.labelled[proctype as usize];
    if labelled.contains(&at) != labelled.contains(&edge.target) {
        return false;
    }
    let mut hidden = true;
    targets(&edge.action, |place| {
        for (_, read) in seen.places.iter().filter(|(p, _)| *p == proctype) {
            let apart =
                last_slot(place) < read.base as usize || last_slot(read) < place.base as usize;
            hidden &= apart;
        }
    });
    hidden
}

/// A number for each location, so that every loop has an edge to a number that is not greater.
fn forward(locations: &[Location], entry: u32) -> Vec<usize> {
    // Reverse postorder of a depth-first walk; what is not reached comes in any order.
    let mut order = vec![usize::MAX; locations.len()];
    let mut visited = vec![false; locations.len()];
    let mut next = locations.len();
    let starts = std::iter::once(entry as usize).chain(0..locations.len());
    for start in starts {
        if start >= locations.len() || visited[start] {
            continue;
        }
        visited[start] = true;
        let mut stack = vec![(start, 0)];
        while let Some((at, edge)) = stack.pop() {
            match locations[at].edges.get(edge) {
                Some(out) => {
                    stack.push((at, edge + 1));
                    let target = out.target as usize;
                    if !visited[target] {
                        visited[target] = true;
                        stack.push((target, 0));
                    }
                }
                None => {
                    next -= 1;
                    order[at] = next;
                }
            }
        }
    }
    order
}
