//! Compiles a program, and proctypes for the places their processes have.

use super::advance::is_plain;
use super::bits::{Field, pack, width_for};
use super::config::{Config, Need};
use super::events::EventsCode;
use super::exclusive::{Exclusive, Use};
use super::expr::Who;
use super::op::{Cell, Dest, Op, Value, shape};
use super::written::Written;
use super::{
    Act, Claim, ClaimEdge, CompileOptions, EdgeCode, Loc, Machine, ProcCode, ReceiveCode, RunCode,
    SendCode, Unsupported,
};
use crate::machine::reduce::Facts;
use suppose_model::program::semantics::State;
use suppose_model::program::{Action, Expr, Init, Keep, Program};

pub(super) const NOBODY: Who = Who { code: None, pid: 0 };

impl<'a> Machine<'a> {
    /// Compiles a program. `initial` is its first state.
    pub(crate) fn new(
        program: &'a Program,
        initial: &State,
        options: CompileOptions,
    ) -> Result<Machine<'a>, Unsupported> {
        if program.uses_priority {
            return Err("priorities are beyond this engine".to_owned());
        }
        let written = Written::new(program);
        let facts = Facts::new(program, &written, &options);
        let mut it = Machine {
            program,
            options,
            hidden: 0,
            globals: Vec::new(),
            last: None,
            claim: None,
            events: None,
            configs: Vec::new(),
            codes: Vec::new(),
            known: Default::default(),
            ops: Vec::new(),
            polls: Vec::new(),
            ats: Vec::new(),
            remotes: Vec::new(),
            written,
            specialised: vec![0; program.proctypes.len()],
            facts,
            exclusive: Exclusive::default(),
            promises: program.proctypes.iter().any(|p| !p.promises.is_empty()),
        };
        it.lay_out(initial)?;
        if let Some(number) = options.claim {
            it.compile_claim(number)?;
            it.compile_events(number)?;
        }
        Ok(it)
    }

    /// Places hidden and shared variables, and the shared channels.
    fn lay_out(&mut self, initial: &State) -> Result<(), Unsupported> {
        let globals = &self.program.globals;
        let mut cells: Vec<Cell> = (0..globals.len())
            .map(|slot| Cell::Always(initial.globals[slot]))
            .collect();
        let mut place = |hidden: bool, from: u32, extra: &[u32]| {
            let slots: Vec<usize> = (0..globals.len())
                .filter(|s| self.written.globals[*s] && globals[*s].hidden == hidden)
                .collect();
            let mut widths: Vec<u32> = extra.to_vec();
            widths.extend(slots.iter().map(|s| shape(globals[*s].ty).1));
            let (places, end) = pack(&widths, from);
            for (slot, bit) in slots.iter().zip(&places[extra.len()..]) {
                let (bits, _, signed) = shape(globals[*slot].ty);
                cells[*slot] = Cell::Field(Field::new(*bit, bits, signed));
            }
            (places, end)
        };
        let (_, end) = place(true, 0, &[]);
        self.hidden = end.div_ceil(64) as usize;
        let mut extra = Vec::new();
        let claim = self.options.claim.map(|n| &self.program.claims[n]);
        let places = |c: &suppose_model::program::Claim| match &c.events {
            Some(events) => events.places.len(),
            None => c.locations.len(),
        };
        let claim_width = claim.map(|c| width_for(places(c) as u32));
        extra.extend(claim_width);
        if self.program.uses_last {
            extra.push(8);
        }
        let head = (self.hidden as u32 + 1) * 64;
        let (places, end) = place(false, head, &extra);
        let mut places = places.into_iter();
        if let (Some(width), Some(claim)) = (claim_width, claim)
            && let Some(bit) = places.next()
        {
            let at = Field::new(bit, width, false);
            match claim.events {
                Some(_) => self.events = Some(EventsCode::new(at)),
                None => {
                    self.claim = Some(Claim {
                        at,
                        end: claim.end,
                        uses_timeout: false,
                        locations: Vec::new(),
                    });
                }
            }
        }
        if self.program.uses_last
            && let Some(bit) = places.next()
        {
            self.last = Some(Field::new(bit, 8, false));
        }
        self.globals = cells;
        let words = end.div_ceil(64).max(self.hidden as u32 + 1) as usize;
        let mut root = Config::root(words, end);
        for channel in initial.channels.iter().filter(|c| c.owner.is_none()) {
            root.add_channel(self.program, channel.kind)?;
        }
        self.exclusive = Exclusive::new(root.channels.len());
        self.configs.push(root);
        Ok(())
    }

    /// The first state in words.
    pub(crate) fn initial(&mut self, initial: &State) -> Result<Vec<u64>, Unsupported> {
        let mut words = vec![0; self.configs[0].words];
        for (cell, value) in self.globals.iter().zip(&initial.globals) {
            if let Cell::Field(field) = cell {
                field.set(&mut words, *value);
            }
        }
        words[..self.hidden].fill(0);
        let mut at = 0;
        for start in &self.program.start {
            at = self.make(&Need {
                from: at,
                proctype: start.proctype,
                arguments: start.arguments.clone(),
            })?;
            self.enter(at, &start.arguments, &mut words)
                .map_err(|wrong| wrong.words().to_owned())?;
        }
        if let (Some(at), Some(number)) = (self.place(), self.options.claim) {
            at.set(&mut words, self.program.claims[number].entry as i32);
        }
        Ok(words)
    }

    fn compile_claim(&mut self, number: usize) -> Result<(), Unsupported> {
        let text = &self.program.claims[number];
        let mut locations = Vec::new();
        let mut uses_timeout = false;
        for location in &text.locations {
            let mut edges = Vec::new();
            for (number, edge) in location.edges.iter().enumerate() {
                let test = match &edge.action {
                    Action::Guard(test) => {
                        uses_timeout |= test.any(|e| matches!(e, Expr::Timeout));
                        Some(self.value(NOBODY, test)?)
                    }
                    Action::Else => None,
                    _ => continue,
                };
                edges.push(ClaimEdge {
                    test,
                    target: edge.target,
                    number: number as u32,
                });
            }
            locations.push(edges);
        }
        if let Some(claim) = &mut self.claim {
            claim.locations = locations;
            claim.uses_timeout = uses_timeout;
        }
        Ok(())
    }

    /// Compiles a proctype for a place; the number of the code.
    pub(super) fn compile(
        &mut self,
        proctype: u32,
        pid: u32,
        pc: Field,
        cells: Vec<Cell>,
    ) -> Result<u32, Unsupported> {
        let number = self.codes.len() as u32;
        self.codes.push(ProcCode {
            proctype,
            locations: Vec::new(),
            edges: Vec::new(),
            cells,
            pc,
            provided: None,
            inits: Vec::new(),
            promises: Vec::new(),
        });
        let who = Who {
            code: Some(number),
            pid: pid as i32,
        };
        self.fold_initial(proctype, who)?;
        let text = &self.program.proctypes[proctype as usize];
        let mut locations = Vec::new();
        let mut edges = Vec::new();
        for (at, location) in text.locations.iter().enumerate() {
            let start = edges.len() as u32;
            let mut order: Vec<usize> = (0..location.edges.len()).collect();
            order.sort_by_key(|e| location.edges[*e].rank);
            for e in order {
                let edge = &location.edges[e];
                let keep = match edge.action {
                    Action::End => Default::default(),
                    _ => text.locations[edge.target as usize].keep,
                };
                edges.push(EdgeCode {
                    act: self.act(who, &edge.action)?,
                    target: edge.target,
                    rank: edge.rank,
                    number: e as u32,
                    keep,
                    d_step: edge.d_step,
                });
            }
            let mine = &edges[start as usize..];
            note_uses(&mut self.exclusive, pid, location.keep, mine);
            let facts = &self.facts.locations[proctype as usize][at];
            locations.push(Loc {
                edges: start..edges.len() as u32,
                keep: location.keep,
                end: location.end || mine.iter().any(|e| matches!(e.act, Act::End)),
                receives: mine.iter().any(|e| matches!(e.act, Act::Receive(_))),
                clear: self.clear_masks(number, &facts.dead),
                ample: facts.ample,
                messages: facts.messages,
                merge: facts.merge,
                plain: text.provided.is_none() && is_plain(mine),
            });
        }
        let provided = match &text.provided {
            Some(condition) => Some(self.value(who, condition)?),
            None => None,
        };
        let mut inits = Vec::new();
        for (slot, what) in text.locals.iter().enumerate() {
            if let Init::Expr(expr) = &what.init {
                inits.push((slot, self.value(who, expr)?));
            }
        }
        let mut promises = Vec::new();
        for promise in &text.promises {
            let channel = self.value(who, &promise.channel)?;
            // Where others use the channel it matters whether this process exists yet, so none of them uses it alone.
            let number = match channel {
                Value::Const(number) => Some(number),
                _ => None,
            };
            let uses = if promise.receives {
                Use::Receive
            } else {
                Use::Send
            };
            self.exclusive.note(number, uses, pid);
            promises.push((channel, promise.receives));
        }
        let code = &mut self.codes[number as usize];
        code.promises = promises;
        code.locations = locations;
        code.edges = edges;
        code.provided = provided;
        code.inits = inits;
        Ok(number)
    }

    /// Variables that no step writes, and whose initial value is the same for all processes of this code, are constants, as
    /// `chan c = q[i]` with a parameter `i`: only then is it known which channel the process uses.
    fn fold_initial(&mut self, proctype: u32, who: Who) -> Result<(), Unsupported> {
        let Some(code) = who.code else {
            return Ok(());
        };
        let program = self.program;
        let text = &program.proctypes[proctype as usize];
        for (slot, what) in text.locals.iter().enumerate() {
            if !self.written.at_start[proctype as usize][slot] {
                continue;
            }
            // A parameter has its value from the call.
            if let (Init::Expr(expr), false) = (&what.init, slot < text.parameters as usize)
                && let Value::Const(value) = self.value(who, expr)?
            {
                self.codes[code as usize].cells[slot] = Cell::Always(what.ty.truncate(value));
            }
        }
        Ok(())
    }

    fn clear_masks(&self, code: u32, dead: &[u32]) -> Vec<(u16, u64)> {
        let mut masks: Vec<(u16, u64)> = Vec::new();
        for slot in dead {
            let Cell::Field(field) = self.codes[code as usize].cells[*slot as usize] else {
                continue;
            };
            let (word, bits) = field.mask();
            match masks.iter_mut().find(|(w, _)| *w as usize == word) {
                Some((_, mask)) => *mask &= !bits,
                None => masks.push((word as u16, !bits)),
            }
        }
        masks
    }

    fn act(&mut self, who: Who, action: &Action) -> Result<Act, Unsupported> {
        Ok(match action {
            Action::Guard(test) => match self.value(who, test)? {
                Value::Const(1..) | Value::Const(..=-1) => Act::Always,
                test => Act::Guard(test),
            },
            Action::Else => Act::Else,
            Action::Assign(place, value) => {
                let dest = self.dest(who, place)?;
                match (dest, self.value(who, value)?) {
                    (Dest::Field(field), Value::Const(value)) => Act::Set(field, value),
                    (dest, value) => Act::Assign(dest, value),
                }
            }
            Action::Assert(test) => match self.value(who, test)? {
                Value::Const(1..) | Value::Const(..=-1) => Act::Always,
                test => Act::Assert(test),
            },
            Action::Send {
                channel,
                values,
                sorted,
            } => {
                let channel = self.value(who, channel)?;
                let mut codes = Vec::new();
                for value in values {
                    codes.push(self.value(who, value)?);
                }
                let fallible = codes.iter().any(|v| self.may_fail(*v));
                Act::Send(Box::new(SendCode {
                    channel,
                    values: codes,
                    sorted: *sorted,
                    fallible,
                }))
            }
            Action::Receive {
                channel,
                patterns,
                any,
                keep,
            } => Act::Receive(Box::new(ReceiveCode {
                channel: self.value(who, channel)?,
                wants: self.wants(who, patterns)?,
                any: *any,
                keep: *keep,
            })),
            Action::Run {
                proctype,
                arguments,
                result,
                ..
            } => {
                let mut codes = Vec::new();
                for argument in arguments {
                    codes.push(self.value(who, argument)?);
                }
                let result = match result {
                    Some(place) => Some(self.dest(who, place)?),
                    None => None,
                };
                Act::Run(Box::new(RunCode {
                    proctype: *proctype,
                    arguments: codes,
                    result,
                }))
            }
            Action::SetPriority(..) => {
                return Err("priorities are beyond this engine".to_owned());
            }
            Action::End => Act::End,
        })
    }

    /// Can computing this go wrong?
    fn may_fail(&self, value: Value) -> bool {
        let code = match value {
            Value::Const(_) | Value::Load(_) => return false,
            Value::FieldConst(op, _, constant) => return op.apply(1, constant).is_none(),
            Value::Code(code) => code,
        };
        let ops = &self.ops[code.start as usize..code.end as usize];
        let safe = |op: &Op| match op {
            Op::Binary(op)
            | Op::BinaryConst(op, _)
            | Op::FieldConst(op, ..)
            | Op::FieldField(op, ..) => op.apply(1, 0).is_some(),
            Op::Const(_)
            | Op::Load(_)
            | Op::Unary(_)
            | Op::Truth
            | Op::AndSkip(_)
            | Op::OrSkip(_)
            | Op::IfSkip(_)
            | Op::Skip(_)
            | Op::Processes => true,
            _ => false,
        };
        !ops.iter().all(safe)
    }
}

/// Notes which channels the edges of a location send to and receive from.
fn note_uses(exclusive: &mut Exclusive, pid: u32, keep: Keep, edges: &[EdgeCode]) {
    let waits = edges.iter().any(|e| matches!(e.act, Act::Else))
        || edges.windows(2).any(|pair| pair[0].rank != pair[1].rank)
        || keep != Keep::Nothing;
    for edge in edges {
        let (channel, uses) = match &edge.act {
            Act::Send(send) if send.sorted => (send.channel, &[Use::Send, Use::Sort][..]),
            Act::Send(send) => (send.channel, &[Use::Send][..]),
            Act::Receive(receive) => (receive.channel, &[Use::Receive][..]),
            _ => continue,
        };
        let number = match channel {
            Value::Const(number) => Some(number),
            _ => None,
        };
        for what in uses {
            exclusive.note(number, *what, pid);
        }
        if waits {
            exclusive.note(number, Use::Look, pid);
        }
    }
}
