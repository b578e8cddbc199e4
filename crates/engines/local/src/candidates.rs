//! Predicates that may be worth exposing.
//!
//! Between two writes of a shared variable a process has told the others something that they see only in the value of that variable.
//! So the candidates are the locations behind a write up to the next write of the same variable by that process, and those behind a
//! write up to a given other write: a lock that is taken by one variable and given back by another. Those of variables that
//! the failing statement reads come first, then those of one variable, then the smaller ones.

use std::collections::BTreeSet;

use suppose_model::program::views::{Exposed, Exposure};
use suppose_model::program::{Action, Expr, Pattern, Place, Proctype, Program, Question, Scope};

use crate::explore::Alarm;

/// No more locations than so many parts of a proctype's are of use.
const MOST: usize = 60;

/// Candidates, the best first.
pub(crate) fn candidates(program: &Program, question: Question, alarm: &Alarm) -> Vec<Exposure> {
    let read = read_at(program, question, alarm);
    let mut regions: Vec<Region> = Vec::new();
    for (number, text) in program.proctypes.iter().enumerate() {
        let all = writes(text);
        let mut add = |far: bool, two: bool, region: Vec<u32>| {
            if !region.is_empty() && region.len() < text.locations.len() {
                let order = (far, two, region.len());
                regions.push((order, number as u32, region));
            }
        };
        for (variable, from) in &all {
            let of_it = |places: &[&Place], _| places.iter().any(|p| is(p, *variable));
            let far = !read.contains(variable);
            add(far, false, region(text, *from, of_it));
            for (other, to) in all.iter().filter(|(_, to)| to != from) {
                let ends = |places: &[&Place], target: u32| {
                    target == *to && places.iter().any(|p| is(p, *other))
                };
                let far = far && !read.contains(other);
                add(far, true, region(text, *from, ends));
            }
        }
    }
    regions.sort();
    let mut seen = BTreeSet::new();
    regions.retain(|(_, proctype, region)| seen.insert((*proctype, region.clone())));
    regions.truncate(MOST);
    let each = |how: Exposed| {
        let exposure = move |(_, proctype, locations): &Region| Exposure {
            proctype: *proctype,
            locations: locations.clone(),
            how,
        };
        regions.iter().map(exposure)
    };
    let hows = [Exposed::Count, Exposed::Bits, Exposed::Witnesses];
    hows.into_iter().flat_map(each).collect()
}

/// The shared variables (their first slots) that the failing statement reads.
fn read_at(program: &Program, question: Question, alarm: &Alarm) -> BTreeSet<u32> {
    let mut read = BTreeSet::new();
    let mut see = |e: &Expr| {
        e.visit(&mut |e| {
            if let Expr::Load(place) = e
                && place.scope == Scope::Global
            {
                read.insert(place.base);
            }
        });
    };
    match (alarm.mover, question) {
        (Some((proctype, location)), _) => {
            let text = &program.proctypes[proctype as usize];
            // An atomic sequence may go on behind this location, and fail there.
            let near = behind(text, location);
            for edge in near.iter().flat_map(|l| &text.locations[*l as usize].edges) {
                match &edge.action {
                    Action::Assert(test) | Action::Guard(test) => see(test),
                    _ => {}
                }
            }
        }
        (None, Question::Claim(number)) => {
            let edges = program.claims[number].locations.iter();
            for edge in edges.flat_map(|l| &l.edges) {
                if let Action::Guard(test) = &edge.action {
                    see(test);
                }
            }
        }
        _ => {}
    }
    read
}

/// A location and those behind it in the same atomic sequence.
fn behind(text: &Proctype, location: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([location]);
    let mut open = vec![location];
    while let Some(at) = open.pop() {
        for edge in &text.locations[at as usize].edges {
            let keeps = text.locations[edge.target as usize].keep != Default::default();
            if keeps && found.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    found
}

/// The shared variables that a proctype writes, and where each write leads.
fn writes(text: &Proctype) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for edge in text.locations.iter().flat_map(|l| &l.edges) {
        for place in written(&edge.action) {
            if place.scope == Scope::Global {
                all.push((place.base, edge.target));
            }
        }
    }
    all
}

fn written(action: &Action) -> Vec<&Place> {
    match action {
        Action::Assign(place, _) => vec![place],
        Action::Receive { patterns, .. } => {
            let mut places = Vec::new();
            for pattern in patterns {
                if let Pattern::Store(place) = pattern {
                    places.push(place);
                }
            }
            places
        }
        Action::Run { result, .. } => result.iter().collect(),
        _ => Vec::new(),
    }
}

/// How good a candidate is, its proctype and its locations.
type Region = ((bool, bool, usize), u32, Vec<u32>);

fn is(place: &Place, variable: u32) -> bool {
    place.scope == Scope::Global && place.base == variable
}

/// The locations from one on up to an edge that writes such places and leads there.
fn region(text: &Proctype, from: u32, ends: impl Fn(&[&Place], u32) -> bool) -> Vec<u32> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for edge in &text.locations[at as usize].edges {
            let ends = ends(&written(&edge.action), edge.target);
            if !ends && found.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    found.into_iter().collect()
}
