//! Steps of a process that are invisible to the others and can be taken at once, and dead variables.
//!
//! A location is *private* if nothing that happens there is seen by others or depends on them: all its edges read and write the
//! process's own variables (and shared ones that nothing writes), lead to locations without exclusive control, and nothing asks where
//! the process is. A process that reaches a private location takes its next step at once. Such a step can be exchanged with every step
//! of another process. So for every run there is one in which a process takes its private steps right after the step that led
//! there, with the same last step, and the states between are not needed. A location that closes a loop of private ones is not
//! private, so a process comes to the end of its private steps. A claim that looks at the states between sees nothing new there, and it may
//! look at a state as often as it likes.
//!
//! Whether a process waits for a rendezvous is visible to others: it decides about `else` and about who loses control. So a process
//! that receives has no private location in a program with a rendezvous.
//!
//! A variable is *dead* at a location if on every path from there it is written before it is read, and no other process reads it. Its
//! value does not matter, and is set to 0.

use super::fixed::{Part, parts, slots};
use crate::program::{
    Action, Claim, Edge, Expr, Init, Keep, Location, Place, Proctype, Program, Question, Scope,
};

/// For one proctype, by location.
pub(super) struct Own {
    /// Does a process go on at once?
    pub private: Vec<bool>,
    /// The variables whose values do not matter.
    pub dead: Vec<Vec<u32>>,
}

/// Nothing is private, and nothing is dead.
pub(super) fn nothing(program: &Program) -> Vec<Own> {
    let each = program.proctypes.iter().map(|text| Own {
        private: vec![false; text.locations.len()],
        dead: vec![Vec::new(); text.locations.len()],
    });
    each.collect()
}

/// What is private and dead in each proctype.
pub(super) fn own(program: &Program, question: Question) -> Vec<Own> {
    let claim = match question {
        Question::Claim(number) => program.claims.get(number),
        _ => None,
    };
    let seen = Seen::of(program, claim);
    let constant = constants(program);
    let meets = program.channels.iter().any(|kind| kind.capacity == 0);
    let each = program.proctypes.iter().enumerate().map(|(number, text)| {
        let may_be_chosen = meets && receives(text);
        let hides = !program.uses_last
            && text.provided.is_none()
            && !may_be_chosen
            && !seen.anywhere
            && !seen.located.contains(&(number as u32));
        Own {
            private: match hides {
                true => private(text, &constant),
                false => vec![false; text.locations.len()],
            },
            dead: dead(text, number as u32, &seen),
        }
    });
    each.collect()
}

/// Does a process receive anywhere?
pub(super) fn receives(text: &Proctype) -> bool {
    let mut edges = text.locations.iter().flat_map(|l| &l.edges);
    edges.any(|e| matches!(e.action, Action::Receive { .. }))
}

/// What others see of processes.
#[derive(Default)]
struct Seen {
    /// Somebody asks where any process is.
    anywhere: bool,
    /// Proctypes whose locations or variables are read from outside.
    located: Vec<u32>,
    /// Variables that are read.
    read: Vec<(u32, Place)>,
}

impl Seen {
    fn of(program: &Program, claim: Option<&Claim>) -> Seen {
        let mut seen = Seen::default();
        let mut see = |e: &Expr| match e {
            Expr::PcValue(_) | Expr::Enabled(_) | Expr::Priority(_) => seen.anywhere = true,
            Expr::At { proctype, .. } => seen.located.push(*proctype),
            Expr::Remote {
                proctype, place, ..
            } => {
                seen.located.push(*proctype);
                seen.read.push((*proctype, place.clone()));
            }
            _ => {}
        };
        let texts = program.proctypes.iter();
        let locations = texts.clone().flat_map(|text| &text.locations);
        let locations = locations.chain(claim.iter().flat_map(|c| &c.locations));
        for edge in locations.flat_map(|l| &l.edges) {
            for part in parts(&edge.action) {
                exprs(&part).into_iter().for_each(|e| e.visit(&mut see));
            }
        }
        for text in texts {
            text.provided.iter().for_each(|test| test.visit(&mut see));
            text.promises.iter().for_each(|p| p.channel.visit(&mut see));
            for slot in &text.locals {
                if let Init::Expr(value) = &slot.init {
                    value.visit(&mut see);
                }
            }
        }
        seen
    }
}

/// The expressions of a part of an action.
fn exprs<'a>(part: &Part<'a>) -> Vec<&'a Expr> {
    match part {
        Part::Value(e) | Part::Channel(e) => vec![e],
        Part::Write(place) => place.indices.iter().map(|i| &i.expr).collect(),
    }
}

/// The shared variables that nothing writes.
fn constants(program: &Program) -> Vec<bool> {
    let mut constant: Vec<bool> = program.globals.iter().map(|slot| !slot.hidden).collect();
    let locations = program.proctypes.iter().flat_map(|text| &text.locations);
    for part in locations
        .flat_map(|l| &l.edges)
        .flat_map(|e| parts(&e.action))
    {
        let Part::Write(place) = part else {
            continue;
        };
        if place.scope == Scope::Global {
            for slot in slots(place, |_| None) {
                if let Some(it) = constant.get_mut(slot as usize) {
                    *it = false;
                }
            }
        }
    }
    constant
}

fn private(text: &Proctype, constant: &[bool]) -> Vec<bool> {
    let locations = text.locations.iter();
    let mut private: Vec<bool> = locations
        .map(|here| is_private(text, here, constant))
        .collect();
    let mut state = vec![Visit::New; private.len()];
    for from in 0..private.len() {
        cut(text, from, &mut private, &mut state);
    }
    private
}

fn is_private(text: &Proctype, here: &Location, constant: &[bool]) -> bool {
    let own = |edge: &Edge| {
        let target = &text.locations[edge.target as usize];
        let allowed = match &edge.action {
            Action::Else => true,
            Action::Guard(_) | Action::Assert(_) | Action::Assign(..) => parts(&edge.action)
                .iter()
                .all(|part| is_own(part, constant)),
            _ => false,
        };
        allowed && !edge.d_step && target.keep == Keep::Nothing
    };
    here.keep == Keep::Nothing && !here.edges.is_empty() && here.edges.iter().all(own)
}

fn is_own(part: &Part, constant: &[bool]) -> bool {
    let foreign = |e: &Expr| match e {
        Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => false,
        Expr::Load(place) => {
            let fixed = |slot: u32| constant.get(slot as usize).is_some_and(|c| *c);
            place.scope == Scope::Global && !slots(place, |_| None).into_iter().all(fixed)
        }
        _ => true,
    };
    let writes = match part {
        Part::Write(place) => place.scope == Scope::Local,
        _ => true,
    };
    writes && exprs(part).into_iter().all(|e| !e.any(foreign))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Makes the locations that close a loop of private ones not private. No recursion: a proctype may be long.
fn cut(text: &Proctype, from: usize, private: &mut [bool], state: &mut [Visit]) {
    let mut stack = vec![(from, 0)];
    while let Some((at, edge)) = stack.pop() {
        if edge == 0 {
            if !private[at] || state[at] != Visit::New {
                continue;
            }
            state[at] = Visit::Open;
        }
        let Some(next) = text.locations[at].edges.get(edge) else {
            state[at] = Visit::Done;
            continue;
        };
        stack.push((at, edge + 1));
        let target = next.target as usize;
        match state[target] {
            Visit::Open => private[target] = false,
            Visit::New => stack.push((target, 0)),
            Visit::Done => {}
        }
    }
}

/// The dead variables of each location.
fn dead(text: &Proctype, number: u32, seen: &Seen) -> Vec<Vec<u32>> {
    let mut always = vec![false; text.locals.len()];
    for expr in text
        .provided
        .iter()
        .chain(text.promises.iter().map(|p| &p.channel))
    {
        reads(expr, &mut always);
    }
    for (_, place) in seen.read.iter().filter(|(proctype, _)| *proctype == number) {
        mark(place, &mut always, true);
    }
    let mut live = vec![always; text.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..text.locations.len()).rev() {
            for edge in &text.locations[at].edges {
                let before = before(edge, &live[edge.target as usize]);
                for (now, is) in live[at].iter_mut().zip(before) {
                    changed |= is && !*now;
                    *now |= is;
                }
            }
        }
    }
    let each = live.into_iter().map(|live| {
        let slots = (0u32..).zip(live);
        slots
            .filter(|(_, live)| !live)
            .map(|(slot, _)| slot)
            .collect()
    });
    each.collect()
}

/// Is a variable of a process dead at its start, where no other process looks at it?
pub(in crate::program) fn dead_at_start(text: &Proctype, slot: u32) -> bool {
    dead(text, 0, &Seen::default())[text.entry as usize].contains(&slot)
}

/// The variables that are live before an edge, given those live after it.
fn before(edge: &Edge, after: &[bool]) -> Vec<bool> {
    let mut live = after.to_vec();
    let parts = parts(&edge.action);
    for part in &parts {
        // An element with a computed index is one of several, so none of them is surely written.
        if let Part::Write(place) = part
            && place.scope == Scope::Local
            && place.indices.is_empty()
        {
            mark(place, &mut live, false);
        }
    }
    for expr in parts.iter().flat_map(exprs) {
        reads(expr, &mut live);
    }
    live
}

fn reads(expr: &Expr, live: &mut [bool]) {
    expr.visit(&mut |e| {
        if let Expr::Load(place) = e
            && place.scope == Scope::Local
        {
            mark(place, live, true);
        }
    });
}

fn mark(place: &Place, live: &mut [bool], is: bool) {
    for slot in slots(place, |_| None) {
        if let Some(it) = live.get_mut(slot as usize) {
            *it = is;
        }
    }
}
