//! A program compiled for speed.
//!
//! A state is a row of words. Its layout depends on the *configuration*: which processes live, in the
//! order of their numbers. Processes die youngest first, so configurations form a tree: `run` goes to a
//! child, an end to the parent, and a process keeps its place for life. Each process is therefore
//! compiled for the very place it has: fields have absolute addresses, and `_pid`, parameters and
//! variables that nothing writes are constants that take no room in the state at all.
//!
//! The first words hold hidden variables and are not stored. Then comes the head (the configuration in the
//! upper half), then the claim's location (of whatever kind it is) and `_last` where they matter, shared variables, and the
//! frames of the processes with their channels.

mod advance;
pub(crate) mod bits;
mod compile;
mod config;
mod eval;
mod events;
mod exclusive;
mod expr;
pub(crate) mod op;
mod perform;
mod queue;
pub(crate) mod reduce;
mod written;

pub(crate) use advance::Advance;
pub(crate) use config::{Config, Need};
pub(crate) use exclusive::Exclusive;
pub(crate) use perform::{Done, Work};
pub(crate) use written::{Written, last_slot, targets};

use bits::Field;
use op::{AtCode, Cell, Dest, Frame, Op, PollCode, RemoteCode, Value, Want};
use rustc_hash::FxHashMap;
use suppose_model::program::{Keep, Program};

/// What can stop a program from being compiled.
pub(crate) type Unsupported = String;

/// A compiled program.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: CompileOptions,
    /// How many words of hidden variables come first; the head is at this place.
    pub(crate) hidden: usize,
    pub(crate) globals: Vec<Cell>,
    pub(crate) last: Option<Field>,
    pub(crate) claim: Option<Claim>,
    events: Option<events::EventsCode>,
    pub(crate) configs: Vec<Config>,
    pub(crate) codes: Vec<ProcCode>,
    known: FxHashMap<config::Key, u32>,
    ops: Vec<Op>,
    polls: Vec<PollCode>,
    ats: Vec<AtCode>,
    remotes: Vec<RemoteCode>,
    written: Written,
    /// How many values of parameters are compiled in, for each proctype.
    specialised: Vec<u32>,
    pub(crate) facts: crate::machine::reduce::Facts,
    pub(crate) exclusive: Exclusive,
    /// Does any proctype have channels for itself?
    promises: bool,
}

/// What to compile in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CompileOptions {
    /// The claim to run along.
    pub(crate) claim: Option<usize>,
    pub(crate) reduction: bool,
    pub(crate) merge: bool,
    /// An assertion that fails is noted, and the run goes on.
    pub(crate) past_assertions: bool,
    /// The claim does not change when states are repeated, and infinite runs are looked at: reductions are sound under it.
    pub(crate) stutters: bool,
    /// Of infinite runs, only weakly fair ones count: who could have moved is part of the question.
    pub(crate) fair: bool,
    /// Labels that are looked at.
    pub(crate) labels: Labels,
}

/// Labels that a question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Labels {
    #[default]
    None,
    Accept,
    Progress,
}

/// The claim that runs along.
pub(crate) struct Claim {
    pub(crate) at: Field,
    pub(crate) end: u32,
    pub(crate) uses_timeout: bool,
    pub(crate) locations: Vec<Vec<ClaimEdge>>,
}

pub(crate) struct ClaimEdge {
    /// None is `else`.
    pub(crate) test: Option<Value>,
    pub(crate) target: u32,
    pub(crate) number: u32,
}

/// A proctype compiled for one place.
pub(crate) struct ProcCode {
    pub(crate) proctype: u32,
    pub(crate) locations: Vec<Loc>,
    pub(crate) edges: Vec<EdgeCode>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) pc: Field,
    pub(crate) provided: Option<Value>,
    /// First values that are computed, by slot.
    pub(crate) inits: Vec<(usize, Value)>,
    /// Channels that it has for itself, to receive from (true) or to send to.
    pub(crate) promises: Vec<(Value, bool)>,
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct Loc {
    /// Its edges, by rank and then as written.
    pub(crate) edges: std::ops::Range<u32>,
    pub(crate) keep: Keep,
    /// May a process rest here?
    pub(crate) end: bool,
    /// Can some edge receive?
    pub(crate) receives: bool,
    /// For a process that comes here, the bits of each word to keep: all but those of its dead variables.
    pub(crate) clear: Vec<(u16, u64)>,
    /// Is it enough to follow this process alone, if it can go on?
    pub(crate) ample: bool,
    /// Is that enough too while its sends and receives are those of nobody else?
    pub(crate) messages: bool,
    /// The only edge, if a process that comes here may take it at once.
    pub(crate) merge: bool,
    /// Can a process inside `atomic` go on from here in place?
    plain: bool,
}

/// An edge.
#[derive(Clone, Debug)]
pub(crate) struct EdgeCode {
    pub(crate) act: Act,
    pub(crate) target: u32,
    pub(crate) rank: u8,
    /// Its number in the location.
    pub(crate) number: u32,
    /// Does the target's location ask for anything but to be stored?
    pub(crate) keep: Keep,
    /// Part of a `d_step`.
    pub(crate) d_step: bool,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Always,
    Guard(Value),
    Else,
    Set(Field, i32),
    Assign(Dest, Value),
    Assert(Value),
    Send(Box<SendCode>),
    Receive(Box<ReceiveCode>),
    Run(Box<RunCode>),
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct SendCode {
    pub(crate) channel: Value,
    pub(crate) values: Vec<Value>,
    pub(crate) sorted: bool,
    /// Can computing the values go wrong? Then it is done even when the channel is full.
    pub(crate) fallible: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ReceiveCode {
    pub(crate) channel: Value,
    pub(crate) wants: Vec<Want>,
    pub(crate) any: bool,
    pub(crate) keep: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct RunCode {
    pub(crate) proctype: u32,
    pub(crate) arguments: Vec<Value>,
    pub(crate) result: Option<Dest>,
}

impl Machine<'_> {
    /// Where the claim is, on states or on messages, if one runs along.
    pub(crate) fn place(&self) -> Option<Field> {
        let claim = self.claim.as_ref().map(|c| c.at);
        claim.or(self.events.as_ref().map(|e| e.at))
    }

    /// At a location where a process only sends, receives and looks at itself: does no other process decide which of its
    /// edges are possible, or notice that they are taken? (See [`crate::machine::reduce`].)
    pub(crate) fn is_alone(&self, state: &[u64], config: &Config, one: usize, here: &Loc) -> bool {
        let code = &self.codes[config.processes[one] as usize];
        let edges = &code.edges[here.edges.start as usize..here.edges.end as usize];
        let channel = |value: Value| match value {
            Value::Const(number) => Some((number, config.channel(number).ok()?)),
            _ => None,
        };
        edges.iter().all(|edge| match &edge.act {
            Act::Send(send) => channel(send.channel).is_some_and(|(number, it)| {
                it.len(state) < it.capacity && self.exclusive.sends_alone(number, one as u32)
            }),
            Act::Receive(receive) => channel(receive.channel).is_some_and(|(number, it)| {
                it.len(state) > 0
                    && !receive.any
                    && self.exclusive.receives_alone(number, one as u32)
            }),
            _ => true,
        })
    }

    #[inline(always)]
    pub(crate) fn cell(&self, frame: Frame, slot: usize) -> Option<Cell> {
        match frame {
            Frame::Global => self.globals.get(slot).copied(),
            Frame::Process(code) => self.codes[code as usize].cells.get(slot).copied(),
        }
    }
}
