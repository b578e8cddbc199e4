//! Programs whose processes of one proctype do not know each other: what they do does not depend on how many there are.
//!
//! [`anonymous`] is a look at the text. The last processes at the start are of one proctype and begin alike. None of them uses
//! its number for anything but as the index of an array of its own, which nobody else looks at. Nothing in the program
//! makes processes, and none of these ends; nothing looks at how many processes there are, who made the last step, where
//! another process is, what its variables are or what it can do. So a permutation of these processes maps runs to runs,
//! and a run with some of them is one with more of them, in which the others wait.

use super::semantics::partial::parts::{Part, parts, slots};
use super::{Action, Expr, Init, Location, Place, Proctype, Program, Question, Scope};

/// Processes that do not know each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their proctype.
    pub proctype: u32,
    /// The number of the first; they are the last processes at the start.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// Arrays of which each has one element: the first slot, and the number of slots of an element.
    pub arrays: Vec<(u32, u32)>,
}

impl Group {
    /// The slots of one of them, in ascending order.
    pub fn slots(&self, place: u32) -> Vec<u32> {
        let mut all: Vec<u32> = self
            .arrays
            .iter()
            .map(|(base, stride)| base + place * stride)
            .collect();
        all.sort_unstable();
        all
    }

    /// The program with so many of them.
    pub fn reduced(&self, program: &Program, count: u32) -> Program {
        let mut program = program.clone();
        program.start.truncate((self.first + count) as usize);
        program
    }
}

/// The group of a program, or why there is none.
pub fn anonymous(program: &Program, question: Question) -> Result<Group, String> {
    let Some(last) = program.start.last() else {
        return Err("there is no process at the start".to_owned());
    };
    let alike = program.start.iter().rev().take_while(|s| *s == last);
    let count = alike.count() as u32;
    let first = program.start.len() as u32 - count;
    let others = &program.start[..first as usize];
    if others.iter().any(|s| s.proctype == last.proctype) {
        return Err("processes of one proctype begin differently".to_owned());
    }
    if program.uses_last || program.uses_priority {
        return Err("`_last` and priorities tell processes apart".to_owned());
    }
    let text = &program.proctypes[last.proctype as usize];
    lives_on(text)?;
    let mut group = Group {
        proctype: last.proctype,
        first,
        count,
        arrays: Vec::new(),
    };
    let mut uses = Uses::default();
    for (number, text) in (0u32..).zip(&program.proctypes) {
        uses.of_text(text, number == group.proctype)?;
    }
    if let Question::Claim(number) = question
        && let Some(claim) = program.claims.get(number)
    {
        if claim.events.is_some() {
            return Err("the claim is about messages".to_owned());
        }
        uses.of_locations(&claim.locations, false)?;
    }
    for place in &uses.own {
        group.arrays.push(array(program, &group, place)?);
    }
    group.arrays.sort_unstable();
    group.arrays.dedup();
    let own: Vec<u32> = (0..first + count).flat_map(|p| group.slots(p)).collect();
    let touched = |place: &Place| slots(place, |_| None).iter().any(|s| own.contains(s));
    match uses.others.iter().any(touched) {
        true => Err("an array indexed by `_pid` is used otherwise too".to_owned()),
        false => Ok(group),
    }
}

/// No way leads to the end.
fn lives_on(text: &Proctype) -> Result<(), String> {
    let mut seen = vec![false; text.locations.len()];
    let mut open = vec![text.entry];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        for edge in &text.locations[at as usize].edges {
            if edge.action == Action::End {
                return Err(format!("`{}` can end", text.name));
            }
            open.push(edge.target);
        }
    }
    let has_channel = |init: &Init| matches!(init, Init::Channel(_));
    match text.locals.iter().any(|s| has_channel(&s.init)) {
        true => Err(format!("`{}` has channels of its own", text.name)),
        false => Ok(()),
    }
}

/// An array with the mover's number as its index, in bounds for all of them, and alike at the start.
fn array(program: &Program, group: &Group, place: &Place) -> Result<(u32, u32), String> {
    let [index] = place.indices.as_slice() else {
        return Err("`_pid` is one of several indices".to_owned());
    };
    let end = group.first + group.count;
    if index.bound < end {
        return Err("an array indexed by `_pid` is too short".to_owned());
    }
    let slot = |p: u32| {
        program
            .globals
            .get((place.base + p * index.stride) as usize)
    };
    let first = slot(group.first).map(|s| (&s.init, s.ty, s.hidden));
    let alike = |p: u32| slot(p).map(|s| (&s.init, s.ty, s.hidden)) == first;
    let plain = first.is_some_and(|(init, _, hidden)| matches!(init, Init::Value(_)) && !hidden);
    match plain && (group.first..end).all(alike) {
        true => Ok((place.base, index.stride)),
        false => Err("elements of an array indexed by `_pid` begin differently".to_owned()),
    }
}

/// Where shared variables are used.
#[derive(Default)]
struct Uses {
    /// With `_pid` as the index, by a process of the group.
    own: Vec<Place>,
    /// In any other way.
    others: Vec<Place>,
}

impl Uses {
    fn of_text(&mut self, text: &Proctype, in_group: bool) -> Result<(), String> {
        if !text.promises.is_empty() {
            return Err("exclusive channels are a matter of all processes".to_owned());
        }
        for slot in &text.locals {
            if let Init::Expr(value) = &slot.init {
                self.of_expr(value, in_group)?;
            }
        }
        if let Some(test) = &text.provided {
            self.of_expr(test, in_group)?;
        }
        self.of_locations(&text.locations, in_group)
    }

    fn of_locations(&mut self, locations: &[Location], in_group: bool) -> Result<(), String> {
        for edge in locations.iter().flat_map(|l| &l.edges) {
            if matches!(edge.action, Action::Run { .. } | Action::SetPriority(..)) {
                return Err("processes are made or given priorities".to_owned());
            }
            for part in parts(&edge.action) {
                match part {
                    Part::Value(e) | Part::Channel(e) => self.of_expr(e, in_group)?,
                    Part::Write(place) => self.of_place(place, in_group)?,
                }
            }
        }
        Ok(())
    }

    fn of_place(&mut self, place: &Place, in_group: bool) -> Result<(), String> {
        let is_own = |i: &super::Index| i.expr == Expr::Pid;
        if in_group && place.scope == Scope::Global && place.indices.iter().any(is_own) {
            self.own.push(place.clone());
            return Ok(());
        }
        if place.scope == Scope::Global {
            self.others.push(place.clone());
        }
        let mut indices = place.indices.iter();
        indices.try_for_each(|i| self.of_expr(&i.expr, in_group))
    }

    fn of_expr(&mut self, expr: &Expr, in_group: bool) -> Result<(), String> {
        match expr {
            Expr::Const(_) | Expr::Timeout => Ok(()),
            Expr::Pid if !in_group => Ok(()),
            Expr::Pid => Err("`_pid` is used as a value".to_owned()),
            Expr::Load(place) => self.of_place(place, in_group),
            Expr::Unary(_, a) | Expr::Len(a) | Expr::Full(a) | Expr::Empty(a) => {
                self.of_expr(a, in_group)
            }
            Expr::Binary(_, a, b) => {
                self.of_expr(a, in_group)?;
                self.of_expr(b, in_group)
            }
            Expr::Cond(a, b, c) => {
                self.of_expr(a, in_group)?;
                self.of_expr(b, in_group)?;
                self.of_expr(c, in_group)
            }
            Expr::Poll {
                channel, patterns, ..
            } => {
                self.of_expr(channel, in_group)?;
                for pattern in patterns {
                    if let super::Pattern::Match(value) = pattern {
                        self.of_expr(value, in_group)?;
                    }
                }
                Ok(())
            }
            Expr::Processes
            | Expr::Last
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::At { .. }
            | Expr::Remote { .. } => {
                Err("processes are counted or looked at from outside".to_owned())
            }
        }
    }
}
