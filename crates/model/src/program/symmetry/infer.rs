//! Which variables hold numbers of processes: what is copied from, compared with or used like `_pid`, until nothing is added.

use super::Symmetry;
use super::strict;
use crate::program::semantics::partial::parts::slots;
use crate::program::{
    Action, Binary, Expr, Init, Location, Pattern, Place, Program, Question, Scope, Start,
};

/// What [`infer`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredSymmetry {
    /// The processes, and where their numbers are kept.
    pub symmetry: Symmetry,
    /// For each shared variable, of which process it is the element of an array.
    pub elements: Vec<Option<u32>>,
    /// Would it be the same with any number of these processes?
    pub any: bool,
    /// Does a process use `timeout`?
    pub timeout: bool,
}

/// The largest number of processes.
pub(super) const MOST: i32 = 255;

/// The processes of a program that can be exchanged, or why there are none.
pub fn infer(program: &Program, question: Question) -> Result<InferredSymmetry, String> {
    let (start, first, count) = alike(program)?;
    let texts = program.proctypes.iter();
    let mut types = Types {
        program,
        symmetry: Symmetry {
            proctype: start.proctype,
            first,
            count,
            globals: vec![None; program.globals.len()],
            locals: texts.map(|t| vec![None; t.locals.len()]).collect(),
            fields: program
                .channels
                .iter()
                .map(|c| vec![None; c.fields.len()])
                .collect(),
        },
        columns: vec![None; program.globals.len()],
        changed: true,
    };
    while std::mem::take(&mut types.changed) {
        types.pass(question)?;
    }
    strict::check(types, question)
}

/// The longest run of processes that begin alike, if there is no other one of their proctype.
fn alike(program: &Program) -> Result<(&Start, u32, u32), String> {
    let mut best: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < program.start.len() {
        let same = program.start[at..].iter();
        let count = same.take_while(|s| **s == program.start[at]).count();
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((at, count));
        }
        at += count;
    }
    match best {
        Some((first, count)) if count > 1 => {
            Ok((&program.start[first], first as u32, count as u32))
        }
        _ => Err("no two processes begin alike".to_owned()),
    }
}

/// An element of an array that has one for each process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// The index is the number of a process with this added.
    pub added: i32,
    pub stride: u32,
    pub bound: u32,
    /// The number of the process.
    pub of: i32,
}

/// What is known so far.
pub(super) struct Types<'a> {
    pub program: &'a Program,
    pub symmetry: Symmetry,
    /// For each shared variable.
    pub columns: Vec<Option<Column>>,
    changed: bool,
}

/// The proctype of the process that evaluates; none for a claim.
pub(super) type At = Option<u32>;

const CONFLICT: &str = "a variable holds numbers of processes in two ways";

impl Types<'_> {
    fn pass(&mut self, question: Question) -> Result<(), String> {
        let program = self.program;
        for (number, text) in (0u32..).zip(&program.proctypes) {
            let at = Some(number);
            for (slot, it) in text.locals.iter().enumerate() {
                if let Init::Expr(value) = &it.init {
                    self.expr(at, value)?;
                    if let Some(added) = self.added(at, value) {
                        self.set_local(number, slot, added)?;
                    }
                }
            }
            if let Some(test) = &text.provided {
                self.expr(at, test)?;
            }
            self.locations(at, &text.locations)?;
        }
        if let Question::Claim(number) = question
            && let Some(claim) = program.claims.get(number)
        {
            self.locations(None, &claim.locations)?;
        }
        Ok(())
    }

    fn locations(&mut self, at: At, locations: &[Location]) -> Result<(), String> {
        for edge in locations.iter().flat_map(|l| &l.edges) {
            self.action(at, &edge.action)?;
        }
        Ok(())
    }

    fn action(&mut self, at: At, action: &Action) -> Result<(), String> {
        match action {
            Action::Guard(test) | Action::Assert(test) => self.expr(at, test),
            Action::Assign(place, value) => {
                let place = Expr::Load(place.clone());
                self.expr(at, &place)?;
                self.expr(at, value)?;
                self.unify(at, &place, value)
            }
            Action::Send {
                channel, values, ..
            } => {
                for (field, value) in values.iter().enumerate() {
                    self.field(at, channel, field, value)?;
                }
                self.expr(at, channel)
            }
            Action::Receive {
                channel, patterns, ..
            } => self.patterns(at, channel, patterns),
            Action::Else | Action::End => Ok(()),
            Action::Run { .. } | Action::SetPriority(..) => {
                Err("processes are made or given priorities".to_owned())
            }
        }
    }

    fn patterns(&mut self, at: At, channel: &Expr, patterns: &[Pattern]) -> Result<(), String> {
        for (field, pattern) in patterns.iter().enumerate() {
            match pattern {
                Pattern::Match(value) => self.field(at, channel, field, value)?,
                Pattern::Store(place) => {
                    self.field(at, channel, field, &Expr::Load(place.clone()))?;
                }
                Pattern::Ignore => {}
            }
        }
        self.expr(at, channel)
    }

    /// A value that goes into or comes out of a field of a message.
    fn field(&mut self, at: At, channel: &Expr, field: usize, value: &Expr) -> Result<(), String> {
        self.expr(at, value)?;
        let Some(kind) = self.kind(channel) else {
            return Ok(());
        };
        let held = self.symmetry.fields[kind as usize].get(field).copied();
        match (held.flatten(), self.added(at, value)) {
            (None, Some(added)) => {
                self.symmetry.fields[kind as usize][field] = Some(added);
                self.changed = true;
                Ok(())
            }
            (Some(added), _) => self.force(at, value, added),
            (None, None) => Ok(()),
        }
    }

    /// The kind of the channel that a shared variable is, where nothing writes it.
    pub fn kind(&self, channel: &Expr) -> Option<u32> {
        let Expr::Load(place) = channel else {
            return None;
        };
        let [slot] = slots(place, |_| None)[..] else {
            return None;
        };
        match (place.scope, &self.program.globals.get(slot as usize)?.init) {
            (Scope::Global, Init::Channel(kind)) => Some(*kind),
            _ => None,
        }
    }

    fn expr(&mut self, at: At, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Load(place) => self.place(at, place),
            Expr::Unary(_, a) | Expr::Len(a) | Expr::Full(a) | Expr::Empty(a) => self.expr(at, a),
            Expr::Binary(op, a, b) => {
                self.expr(at, a)?;
                self.expr(at, b)?;
                match op {
                    Binary::Eq | Binary::Ne => self.unify(at, a, b),
                    _ => Ok(()),
                }
            }
            Expr::Cond(test, a, b) => {
                self.expr(at, test)?;
                self.expr(at, a)?;
                self.expr(at, b)?;
                self.unify(at, a, b)
            }
            Expr::Poll {
                channel, patterns, ..
            } => self.patterns(at, channel, patterns),
            _ => Ok(()),
        }
    }

    fn place(&mut self, at: At, place: &Place) -> Result<(), String> {
        for index in &place.indices {
            self.expr(at, &index.expr)?;
        }
        if place.scope == Scope::Local {
            return Ok(());
        }
        for (number, index) in place.indices.iter().enumerate() {
            if let Some(added) = self.added(at, &index.expr) {
                self.mark(place, number, added)?;
                continue;
            }
            let column = slots(place, |_| None)
                .first()
                .and_then(|slot| self.columns.get(*slot as usize).copied().flatten());
            if let Some(it) = column
                && (it.stride, it.bound) == (index.stride, index.bound)
            {
                self.force(at, &index.expr, it.added)?;
            }
        }
        Ok(())
    }

    /// The elements of an array whose index is the number of a process.
    fn mark(&mut self, place: &Place, number: usize, added: i32) -> Result<(), String> {
        let index = &place.indices[number];
        for value in 0..index.bound {
            let mut one = place.clone();
            one.indices.remove(number);
            one.base += value * index.stride;
            let column = Column {
                added,
                stride: index.stride,
                bound: index.bound,
                of: value as i32 - added,
            };
            for slot in slots(&one, |_| None) {
                match self.columns.get_mut(slot as usize) {
                    Some(it @ None) => {
                        *it = Some(column);
                        self.changed = true;
                    }
                    Some(Some(it)) if *it == column => {}
                    _ => return Err("an array is indexed by `_pid` in two ways".to_owned()),
                }
            }
        }
        Ok(())
    }

    /// What is added to the number that an expression is; none if it is not known to be one.
    pub fn added(&self, at: At, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Pid => (at == Some(self.symmetry.proctype)).then_some(0),
            Expr::Load(place) => {
                let slot = *slots(place, |_| None).first()? as usize;
                match (place.scope, at) {
                    (Scope::Global, _) => *self.symmetry.globals.get(slot)?,
                    (Scope::Local, Some(text)) => *self.symmetry.locals[text as usize].get(slot)?,
                    (Scope::Local, None) => None,
                }
            }
            Expr::Binary(Binary::Add, a, b) => match (&**a, &**b) {
                (a, Expr::Const(c)) | (Expr::Const(c), a) => self.added(at, a)?.checked_add(*c),
                _ => None,
            },
            Expr::Binary(Binary::Sub, a, b) => match &**b {
                Expr::Const(c) => self.added(at, a)?.checked_sub(*c),
                _ => None,
            },
            Expr::Cond(_, a, b) => self.added(at, a).or_else(|| self.added(at, b)),
            _ => None,
        }
    }

    fn unify(&mut self, at: At, a: &Expr, b: &Expr) -> Result<(), String> {
        match (self.added(at, a), self.added(at, b)) {
            (Some(added), None) => self.force(at, b, added),
            (None, Some(added)) => self.force(at, a, added),
            _ => Ok(()),
        }
    }

    /// An expression is a number of a process with this added.
    fn force(&mut self, at: At, expr: &Expr, added: i32) -> Result<(), String> {
        match expr {
            Expr::Load(place) => {
                for slot in slots(place, |_| None) {
                    match (place.scope, at) {
                        (Scope::Global, _) => self.set_global(slot as usize, added)?,
                        (Scope::Local, Some(text)) => {
                            self.set_local(text, slot as usize, added)?;
                        }
                        (Scope::Local, None) => {}
                    }
                }
                Ok(())
            }
            Expr::Binary(Binary::Add, a, b) => match (&**a, &**b) {
                (a, Expr::Const(c)) | (Expr::Const(c), a) => {
                    self.force(at, a, added.wrapping_sub(*c))
                }
                _ => Ok(()),
            },
            Expr::Binary(Binary::Sub, a, b) => match &**b {
                Expr::Const(c) => self.force(at, a, added.wrapping_add(*c)),
                _ => Ok(()),
            },
            Expr::Cond(_, a, b) => {
                self.force(at, a, added)?;
                self.force(at, b, added)
            }
            _ => Ok(()),
        }
    }

    fn set_global(&mut self, slot: usize, added: i32) -> Result<(), String> {
        let it = self.symmetry.globals.get_mut(slot);
        set(it, added, &mut self.changed)
    }

    fn set_local(&mut self, text: u32, slot: usize, added: i32) -> Result<(), String> {
        let it = self.symmetry.locals[text as usize].get_mut(slot);
        set(it, added, &mut self.changed)
    }
}

fn set(it: Option<&mut Option<i32>>, added: i32, changed: &mut bool) -> Result<(), String> {
    match it {
        Some(it @ None) => {
            *it = Some(added);
            *changed = true;
            Ok(())
        }
        Some(Some(known)) if *known == added => Ok(()),
        _ => Err(CONFLICT.to_owned()),
    }
}
