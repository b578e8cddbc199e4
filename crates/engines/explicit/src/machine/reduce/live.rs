//! Which local variables matter where.
//!
//! A variable is live at a location if on some path from there it is read before it is written. The value
//! of one that is not cannot change what the process can do, nor anybody else: others see it only by remote
//! references, and what those can reach is always live. States that differ in dead variables only are
//! therefore bisimilar, with the same edges, and setting dead variables to 0 keeps every verdict and
//! every run.

use super::{Fact, Seen, expressions};
use crate::machine::{last_slot, targets};
use suppose_model::program::{Action, Edge, Expr, Place, Program, Scope};

type Set = Vec<bool>;

fn add(set: &mut Set, place: &Place) {
    let end = last_slot(place).saturating_add(1).min(set.len());
    let start = (place.base as usize).min(end);
    set[start..end].fill(true);
}

fn reads(expr: &Expr, set: &mut Set) {
    expr.visit(&mut |e| {
        if let Expr::Load(place) = e
            && place.scope == Scope::Local
        {
            add(set, place);
        }
    });
}

/// Live before the edge, given what is live after it.
fn before(edge: &Edge, after: &Set) -> Set {
    let mut set = match edge.action {
        Action::End => vec![false; after.len()],
        _ => after.clone(),
    };
    targets(&edge.action, |place| {
        // An element with a computed index is one of several: none of them is surely written.
        if place.scope == Scope::Local
            && place.indices.is_empty()
            && let Some(slot) = set.get_mut(place.base as usize)
        {
            *slot = false;
        }
    });
    expressions(&edge.action, &mut |e| reads(e, &mut set));
    set
}

/// Marks the dead variables of each location.
pub(super) fn mark(program: &Program, proctype: usize, seen: &Seen, facts: &mut [Fact]) {
    let text = &program.proctypes[proctype];
    let mut always = vec![false; text.locals.len()];
    if let Some(condition) = &text.provided {
        reads(condition, &mut always);
    }
    for (_, place) in seen.places.iter().filter(|(p, _)| *p as usize == proctype) {
        add(&mut always, place);
    }
    let mut live = vec![always; text.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..text.locations.len()).rev() {
            for edge in &text.locations[at].edges {
                let set = before(edge, &live[edge.target as usize]);
                for (slot, is) in set.into_iter().enumerate() {
                    changed |= is && !live[at][slot];
                    live[at][slot] |= is;
                }
            }
        }
    }
    for (fact, live) in facts.iter_mut().zip(live) {
        let dead = live.iter().enumerate().filter(|(_, is)| !**is);
        fact.dead = dead.map(|(slot, _)| slot as u32).collect();
    }
}
