//! Use of shared variables: which are never written, and which only one process uses.

use suppose_model::program::semantics::State;
use suppose_model::program::{Action, Edge, Expr, Pattern, Place, Program, Scope};

/// What is known of the shared data before anything is explored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The value of each shared slot that nobody changes.
    pub fixed: Vec<Option<i32>>,
    /// The only process that uses a slot, and the place among its own.
    pub owner: Vec<Option<(usize, usize)>>,
    /// For each process, the slots that are its own.
    pub private: Vec<Vec<usize>>,
    /// The kind of each channel.
    pub channels: Vec<u32>,
    /// The proctype of each process.
    pub proctypes: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Users {
    #[default]
    None,
    One(usize),
    Several,
}

struct Survey<'a> {
    program: &'a Program,
    state: &'a State,
    users: Vec<Users>,
    written: Vec<bool>,
}

impl Shape {
    /// Looks at a program whose processes are those of `state`. What claims look at is shared.
    pub fn new(program: &Program, state: &State) -> Shape {
        let slots = program.globals.len();
        let mut survey = Survey {
            program,
            state,
            users: vec![Users::None; slots],
            written: vec![false; slots],
        };
        for (number, process) in state.processes.iter().enumerate() {
            let text = &program.proctypes[process.proctype as usize];
            for edge in text.locations.iter().flat_map(|l| &l.edges) {
                survey.edge(number, edge);
            }
            if let Some(condition) = &text.provided {
                survey.expr(Some(number), condition);
            }
        }
        for edge in program
            .claims
            .iter()
            .filter(|c| c.formula.is_none() && !c.accepts_cycles())
            .flat_map(|c| &c.locations)
            .flat_map(|l| &l.edges)
        {
            if let Action::Guard(test) = &edge.action {
                survey.expr(None, test);
            }
        }
        survey.finish()
    }
}

impl Survey<'_> {
    fn finish(self) -> Shape {
        let slots = self.users.len();
        let mut shape = Shape {
            fixed: vec![None; slots],
            owner: vec![None; slots],
            private: vec![Vec::new(); self.state.processes.len()],
            channels: self.state.channels.iter().map(|c| c.kind).collect(),
            proctypes: self.state.processes.iter().map(|p| p.proctype).collect(),
        };
        for slot in 0..slots {
            if !self.written[slot] {
                shape.fixed[slot] = Some(self.state.globals[slot]);
            } else if let Users::One(process) = self.users[slot] {
                shape.owner[slot] = Some((process, shape.private[process].len()));
                shape.private[process].push(slot);
            }
        }
        shape
    }

    fn edge(&mut self, process: usize, edge: &Edge) {
        let me = Some(process);
        match &edge.action {
            Action::Guard(e) | Action::Assert(e) => self.expr(me, e),
            Action::Else | Action::End => {}
            Action::Assign(place, e) => {
                self.place(me, place, true);
                self.expr(me, e);
            }
            Action::Send {
                channel, values, ..
            } => {
                self.expr(me, channel);
                values.iter().for_each(|e| self.expr(me, e));
            }
            Action::Receive {
                channel, patterns, ..
            } => {
                self.expr(me, channel);
                for pattern in patterns {
                    match pattern {
                        Pattern::Match(e) => self.expr(me, e),
                        Pattern::Store(place) => self.place(me, place, true),
                        Pattern::Ignore => {}
                    }
                }
            }
            Action::Run {
                arguments, result, ..
            } => {
                arguments.iter().for_each(|e| self.expr(me, e));
                if let Some(place) = result {
                    self.place(me, place, true);
                }
            }
            Action::SetPriority(a, b) => {
                self.expr(me, a);
                self.expr(me, b);
            }
        }
    }

    fn expr(&mut self, me: Option<usize>, expr: &Expr) {
        let mut places = Vec::new();
        expr.visit(&mut |e| {
            if let Expr::Load(place) = e {
                places.push(place);
            }
        });
        for place in places {
            self.touch(me, place, false);
        }
    }

    fn place(&mut self, me: Option<usize>, place: &Place, writes: bool) {
        self.touch(me, place, writes);
        for index in &place.indices {
            self.expr(me, &index.expr);
        }
    }

    /// Notes all slots a place can be.
    fn touch(&mut self, me: Option<usize>, place: &Place, writes: bool) {
        if place.scope != Scope::Global {
            return;
        }
        let mut slots = vec![place.base];
        let mut shared = false;
        for index in &place.indices {
            match self.known(me, &index.expr) {
                Some(value) => {
                    let value = u32::try_from(value).ok().filter(|v| *v < index.bound);
                    let Some(value) = value else { return };
                    slots.iter_mut().for_each(|s| *s += value * index.stride);
                }
                None => {
                    shared |= index
                        .expr
                        .any(|e| matches!(e, Expr::Load(p) if p.scope == Scope::Global));
                    let all = (0..index.bound).map(|v| v * index.stride);
                    slots = all
                        .flat_map(|more| slots.iter().map(move |s| s + more))
                        .collect();
                }
            }
        }
        for slot in slots {
            let Some(user) = self.users.get_mut(slot as usize) else {
                continue;
            };
            *user = match (*user, me) {
                _ if shared => Users::Several,
                (Users::None, Some(me)) => Users::One(me),
                (Users::One(other), Some(me)) if other == me => Users::One(me),
                _ => Users::Several,
            };
            self.written[slot as usize] |= writes;
        }
    }

    /// The value of an index that does not depend on where the process is.
    fn known(&self, me: Option<usize>, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Pid => me.map(|me| me as i32),
            Expr::Unary(op, a) => Some(op.apply(self.known(me, a)?)),
            Expr::Binary(op, a, b) => op.apply(self.known(me, a)?, self.known(me, b)?),
            Expr::Load(place) if place.scope == Scope::Local && place.indices.is_empty() => {
                self.parameter(me?, place.base)
            }
            _ => None,
        }
    }

    /// The value of a local that its proctype never changes.
    fn parameter(&self, me: usize, slot: u32) -> Option<i32> {
        let process = &self.state.processes[me];
        let text = &self.program.proctypes[process.proctype as usize];
        let may_be = |place: &Place| {
            let reach: u32 = place.indices.iter().map(|i| (i.bound - 1) * i.stride).sum();
            place.scope == Scope::Local && (place.base..=place.base + reach).contains(&slot)
        };
        let changes = |edge: &Edge| match &edge.action {
            Action::Assign(place, _) => may_be(place),
            Action::Receive { patterns, .. } => patterns
                .iter()
                .any(|p| matches!(p, Pattern::Store(place) if may_be(place))),
            Action::Run {
                result: Some(place),
                ..
            } => may_be(place),
            _ => false,
        };
        let mut edges = text.locations.iter().flat_map(|l| &l.edges);
        match edges.any(changes) {
            true => None,
            false => process.locals.get(slot as usize).copied(),
        }
    }
}
