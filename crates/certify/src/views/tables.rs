//! Is a proof by views well formed?

use suppose_model::program::views::{Local, Shared, View};
use suppose_model::program::{Claim, Program, Question, ViewProof};

use crate::rejection::Rejection;

/// All numbers are in range, and every state has the variables that it must have.
pub(super) fn check(program: &Program, proof: &ViewProof) -> Result<(), Rejection> {
    for shared in &proof.shared {
        check_shared(program, proof, shared).map_err(Rejection::flaw)?;
    }
    let exposed = &proof.split.exposed;
    let known = |e: &suppose_model::program::views::Exposure| {
        (e.proctype as usize) < program.proctypes.len()
    };
    if !exposed.iter().all(known) {
        return Err(Rejection::flaw("a predicate is about no proctype"));
    }
    for view in &proof.views {
        check_view(program, proof, view).map_err(Rejection::flaw)?;
    }
    Ok(())
}

fn check_shared(program: &Program, proof: &ViewProof, shared: &Shared) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("a shared state has {what}"));
    if shared.globals.len() != program.globals.len() {
        return wrong("not the variables of the program");
    }
    if shared.processes.len() > proof.split.places as usize {
        return wrong("too many processes");
    }
    let is_known = |p: &u32| (*p as usize) < program.proctypes.len();
    if !shared.processes.iter().all(is_known) {
        return wrong("a process of no proctype");
    }
    if shared.exposed.len() != proof.split.exposed.len() {
        return wrong("not the values of the exposed predicates");
    }
    let claim = match proof.question {
        Question::Claim(number) => program.claims.get(number),
        _ => None,
    };
    let places = claim.map_or(1, |c| match &c.events {
        Some(events) => events.places.len(),
        None => c.locations.len(),
    });
    // A `notrace` that is satisfied for good stays at its end, which need not be a place.
    let forbids = |c: &Claim| c.events.as_ref().is_some_and(|e| e.forbidden);
    let is_end = claim.is_some_and(|c| c.end == shared.claim && forbids(c));
    if shared.claim as usize >= places && !is_end {
        return wrong("a claim at no place");
    }
    for channel in &shared.channels {
        let Some(kind) = program.channels.get(channel.kind as usize) else {
            return wrong("a channel of no kind");
        };
        let fits = |m: &Vec<i32>| m.len() == kind.fields.len();
        if !channel.messages.iter().all(fits) || channel.messages.len() > kind.capacity as usize {
            return wrong("a channel with messages that it cannot have");
        }
    }
    Ok(())
}

fn check_view(program: &Program, proof: &ViewProof, view: &View) -> Result<(), String> {
    let shared = proof.shared.get(view.shared as usize);
    let shared = shared.ok_or("a view is in a shared state that is not listed")?;
    if view.first.0 >= view.second.0 || view.second.0 >= proof.split.places {
        return Err("a view is not of two places in their order".to_owned());
    }
    for (place, local) in [view.first, view.second] {
        let local = proof.locals.get(local as usize);
        let local = local.ok_or("a view is in a local state that is not listed")?;
        check_local(program, proof, shared, place, local)?;
    }
    Ok(())
}

fn check_local(
    program: &Program,
    proof: &ViewProof,
    shared: &Shared,
    place: u32,
    local: &Local,
) -> Result<(), String> {
    let owned = proof.split.owners.iter().filter(|o| **o == Some(place));
    let proctype = shared.processes.get(place as usize);
    let (variables, locations) = match proctype {
        Some(proctype) => {
            let text = &program.proctypes[*proctype as usize];
            (text.locals.len(), text.locations.len())
        }
        None => (0, 1),
    };
    let fits = local.owned.len() == owned.count()
        && local.locals.len() == variables
        && (local.location as usize) < locations;
    match fits {
        true => Ok(()),
        false => Err(format!(
            "a view has a local state that process {place} cannot be in"
        )),
    }
}
