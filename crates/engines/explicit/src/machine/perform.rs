//! Executes steps on compiled states, following the reference semantics.

use super::config::{Channel, Config, Need, own_channels};
use super::op::{Cell, Want};
use super::queue::{append, remove};
use super::{Act, EdgeCode, Machine, ProcCode, ReceiveCode, RunCode, SendCode};
use suppose_control::{Context, Stopped};
use suppose_model::program::run::NOTED_EDGES;
use suppose_model::program::semantics::{LONGEST_D_STEP, MOST};
use suppose_model::program::{Init, Keep, Violation};

/// From this many edges on, a `d_step` is watched for coming back to a state that it has passed.
const WATCHED_FROM: u64 = 1 << 10;

/// What became of an attempt to take an edge.
#[derive(Debug)]
pub(crate) enum Done {
    /// It has to wait.
    Blocked,
    /// [`Work::next`] is the state after it.
    Moved,
    /// The message in [`Work::message`] can go to whoever receives from that channel.
    Meets(i32),
    Wrong(Violation),
    /// A `d_step` is too long to be followed.
    Unfinished,
    /// A configuration is missing; make it and try again.
    Needs(Need),
    Stopped(Stopped),
}

/// What a single action came to.
enum Acted {
    No,
    Yes,
    Wrong(Violation),
    Needs(Need),
}

impl From<Violation> for Acted {
    fn from(violation: Violation) -> Acted {
        Acted::Wrong(violation)
    }
}

/// Room for one step.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) next: Vec<u64>,
    pub(crate) message: Vec<i32>,
    /// The edges of the step, by number; of a `d_step` the first ones.
    pub(crate) edges: Vec<u32>,
    /// Those of the partner in a rendezvous behind its receive.
    pub(crate) rest: Vec<u32>,
    /// An assertion failed on the way.
    pub(crate) failed: bool,
    /// In a `d_step`: after this many edges it did.
    pub(crate) failed_after: u64,
    /// How many edges of a `d_step` were taken, the first one included.
    pub(crate) count: u64,
    arguments: Vec<i32>,
    /// A state that the `d_step` has passed.
    passed: Vec<u64>,
}

impl Work {
    fn start(&mut self, state: &[u64]) {
        self.next.clear();
        self.next.extend_from_slice(state);
    }

    /// A step begins with that edge.
    #[inline(always)]
    pub(crate) fn begin(&mut self, edge: u32) {
        self.edges.clear();
        self.edges.push(edge);
        self.rest.clear();
        self.count = 1;
    }
}

macro_rules! attempt {
    ($value:expr, $wrap:path) => {
        match $value {
            Ok(value) => value,
            Err(violation) => return $wrap(violation),
        }
    };
}

/// Notes an edge inside a `d_step`.
fn note(partner: bool, number: u32, work: &mut Work) {
    let list = match partner {
        true => &mut work.rest,
        false => &mut work.edges,
    };
    if list.len() < NOTED_EDGES {
        list.push(number);
    }
}

impl Machine<'_> {
    /// The number of the configuration of a state.
    #[inline(always)]
    pub(crate) fn config_of(&self, words: &[u64]) -> u32 {
        (words[self.hidden] >> 32) as u32
    }

    #[inline(always)]
    pub(crate) fn config(&self, words: &[u64]) -> &Config {
        &self.configs[self.config_of(words) as usize]
    }

    /// Tries an edge of process `one`.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "all of them are the state")]
    pub(crate) fn take(
        &self,
        state: &[u64],
        config: &Config,
        one: usize,
        edge: &EdgeCode,
        timeout: bool,
        work: &mut Work,
        cx: &Context,
    ) -> Done {
        let code = &self.codes[config.processes[one] as usize];
        match &edge.act {
            Act::Guard(test) => {
                if attempt!(self.eval(state, config, timeout, *test), Done::Wrong) == 0 {
                    return Done::Blocked;
                }
                work.start(state);
            }
            Act::Always | Act::Else => work.start(state),
            Act::Set(field, value) => {
                work.start(state);
                field.set(&mut work.next, *value);
            }
            Act::Send(send) => {
                let number = attempt!(self.eval(state, config, timeout, send.channel), Done::Wrong);
                attempt!(
                    self.keeps(state, config, one, number, (false, true)),
                    Done::Wrong
                );
                let channel = attempt!(config.channel(number), Done::Wrong);
                let fits = channel.fields.len() == send.values.len();
                let full = channel.len(state) >= channel.capacity;
                if full && channel.capacity > 0 && fits && !send.fallible {
                    return Done::Blocked;
                }
                if let Err(wrong) = self.message(state, config, timeout, send, channel, work) {
                    return Done::Wrong(wrong);
                }
                if channel.capacity == 0 {
                    return match edge.d_step {
                        true => Done::Wrong(Violation::DStepRendezvous),
                        false => Done::Meets(number),
                    };
                }
                if full {
                    return Done::Blocked;
                }
                work.start(state);
                append(&mut work.next, channel, &work.message, send.sorted);
                if let Err(wrong) = self.event(config, number, true, work) {
                    return Done::Wrong(wrong);
                }
            }
            act => {
                if let Act::Receive(receive) = act
                    && let Ok(number) = self.eval(state, config, timeout, receive.channel)
                    && let Ok(channel) = config.channel(number)
                    && channel.len(state) == 0
                    && self
                        .keeps(state, config, one, number, (true, false))
                        .is_ok()
                {
                    return Done::Blocked;
                }
                work.start(state);
                match self.perform(one, act, timeout, work) {
                    Acted::No => return Done::Blocked,
                    Acted::Yes => {}
                    Acted::Wrong(violation) => return Done::Wrong(violation),
                    Acted::Needs(need) => return Done::Needs(need),
                }
                if matches!(act, Act::End) {
                    self.settle(one, work);
                    return Done::Moved;
                }
            }
        }
        code.pc.set(&mut work.next, edge.target as i32);
        if edge.keep == Keep::DStep {
            let done = self.go_on(one, code, (edge.target, false), work, cx);
            if !matches!(done, Done::Moved) {
                return done;
            }
        } else {
            self.clear(code, edge.target, work);
        }
        self.settle(one, work);
        Done::Moved
    }

    /// May the system rest here?
    pub(crate) fn rests(&self, state: &[u64]) -> bool {
        let config = self.config(state);
        config.processes.iter().all(|code| {
            let code = &self.codes[*code as usize];
            code.locations[code.pc.get(state) as usize].end
        })
    }

    /// Is this edge, which is a local one, possible? Its step is not done.
    pub(crate) fn possible(&self, state: &[u64], config: &Config, edge: &EdgeCode) -> bool {
        match &edge.act {
            Act::Guard(test) => self.eval(state, config, false, *test) != Ok(0),
            _ => true,
        }
    }

    /// Clears the variables that are dead at a location.
    #[inline(always)]
    pub(super) fn clear(&self, code: &ProcCode, location: u32, work: &mut Work) {
        for (word, mask) in &code.locations[location as usize].clear {
            work.next[*word as usize] &= mask;
        }
    }

    /// What is done after every step.
    #[inline(always)]
    pub(super) fn settle(&self, mover: usize, work: &mut Work) {
        work.next[..self.hidden].fill(0);
        if let Some(last) = self.last {
            last.set(&mut work.next, mover as i32);
        }
    }

    /// Goes through the rest of a `d_step`. A state comes back only if the `d_step` never ends, for it has no choice; states
    /// passed are kept at powers of two (Brent), so one that comes back is met again.
    fn go_on(
        &self,
        one: usize,
        code: &ProcCode,
        (from, partner): (u32, bool),
        work: &mut Work,
        cx: &Context,
    ) -> Done {
        let mut at = from;
        let (mut passed_at, mut mark) = (None, WATCHED_FROM);
        loop {
            if work.failed && work.failed_after == 0 {
                work.failed_after = work.count;
            }
            let here = &code.locations[at as usize];
            if here.keep != Keep::DStep {
                self.clear(code, at, work);
                return Done::Moved;
            }
            if passed_at == Some(at) && work.passed == work.next {
                return Done::Wrong(Violation::Endless);
            }
            if work.count == mark {
                work.passed.clone_from(&work.next);
                (passed_at, mark) = (Some(at), mark * 2);
            }
            if work.count >= LONGEST_D_STEP {
                return Done::Unfinished;
            }
            if work.count % 4096 == 4095
                && let Err(stopped) = cx.check()
            {
                return Done::Stopped(stopped);
            }
            match self.first(one, code, at, work) {
                Ok(Some(edge)) => {
                    work.count += 1;
                    note(partner, edge.number, work);
                    if matches!(edge.act, Act::End) {
                        return Done::Moved;
                    }
                    at = edge.target;
                    code.pc.set(&mut work.next, at as i32);
                }
                Ok(None) => return Done::Wrong(Violation::DStepBlocks),
                Err((number, acted)) => {
                    work.count += 1;
                    note(partner, number, work);
                    return match acted {
                        Acted::Needs(need) => Done::Needs(need),
                        Acted::Wrong(wrong) => Done::Wrong(wrong),
                        _ => Done::Blocked,
                    };
                }
            }
        }
    }

    /// Inside a `d_step`: takes the first edge that can be taken.
    fn first<'c>(
        &self,
        one: usize,
        code: &'c ProcCode,
        at: u32,
        work: &mut Work,
    ) -> Result<Option<&'c EdgeCode>, (u32, Acted)> {
        let here = &code.locations[at as usize];
        // The order as written counts here, not that of ranks.
        for number in 0..here.edges.len() as u32 {
            let edges = &code.edges[here.edges.start as usize..here.edges.end as usize];
            let Some(edge) = edges.iter().find(|e| e.number == number) else {
                continue;
            };
            if let Some(wrong) = self.meets(edge, work) {
                return Err((number, Acted::Wrong(wrong)));
            }
            match self.perform(one, &edge.act, false, work) {
                Acted::No => {}
                Acted::Yes => return Ok(Some(edge)),
                bad => return Err((number, bad)),
            }
        }
        Ok(None)
    }

    /// What is wrong with a send inside a `d_step`: it offers a rendezvous, or there is no channel at all.
    fn meets(&self, edge: &EdgeCode, work: &Work) -> Option<Violation> {
        let Act::Send(send) = &edge.act else {
            return None;
        };
        let config = self.config(&work.next);
        let number = self.eval(&work.next, config, false, send.channel);
        match number.and_then(|n| config.channel(n)) {
            Ok(channel) if channel.capacity == 0 => Some(Violation::DStepRendezvous),
            Ok(_) => None,
            Err(wrong) => Some(wrong),
        }
    }

    /// Computes the message of a send.
    fn message(
        &self,
        state: &[u64],
        config: &Config,
        timeout: bool,
        send: &SendCode,
        channel: &Channel,
        work: &mut Work,
    ) -> Result<(), Violation> {
        if channel.fields.len() != send.values.len() {
            return Err(Violation::Channel);
        }
        work.message.clear();
        for (ty, value) in channel.fields.iter().zip(&send.values) {
            let value = self.eval(state, config, timeout, *value)?;
            work.message.push(ty.truncate(value));
        }
        Ok(())
    }

    /// Does what an edge says, except for going to its target, on [`Work::next`].
    fn perform(&self, one: usize, act: &Act, timeout: bool, work: &mut Work) -> Acted {
        let config = self.config(&work.next);
        match act {
            Act::Always | Act::Else => Acted::Yes,
            Act::Guard(test) => {
                match attempt!(self.eval(&work.next, config, timeout, *test), Acted::Wrong) {
                    0 => Acted::No,
                    _ => Acted::Yes,
                }
            }
            Act::Set(field, value) => {
                field.set(&mut work.next, *value);
                Acted::Yes
            }
            Act::Assign(dest, value) => {
                let value = attempt!(self.eval(&work.next, config, timeout, *value), Acted::Wrong);
                attempt!(
                    self.store(&mut work.next, config, *dest, value),
                    Acted::Wrong
                );
                Acted::Yes
            }
            Act::Assert(test) => {
                match attempt!(self.eval(&work.next, config, timeout, *test), Acted::Wrong) {
                    0 if self.options.past_assertions => {
                        work.failed = true;
                        Acted::Yes
                    }
                    0 => Acted::Wrong(Violation::Assertion),
                    _ => Acted::Yes,
                }
            }
            Act::Send(send) => {
                let number = self.eval(&work.next, config, timeout, send.channel);
                let number = attempt!(number, Acted::Wrong);
                attempt!(
                    self.keeps(&work.next, config, one, number, (false, true)),
                    Acted::Wrong
                );
                let channel = attempt!(config.channel(number), Acted::Wrong);
                let state = std::mem::take(&mut work.next);
                let made = self.message(&state, config, timeout, send, channel, work);
                work.next = state;
                attempt!(made, Acted::Wrong);
                if channel.len(&work.next) >= channel.capacity {
                    return Acted::No;
                }
                append(&mut work.next, channel, &work.message, send.sorted);
                attempt!(self.event(config, number, true, work), Acted::Wrong);
                Acted::Yes
            }
            Act::Receive(receive) => self.receive(one, config, receive, timeout, work),
            Act::Run(run) => self.make_process(one, run, timeout, work),
            Act::End => self.end(one, work),
        }
    }

    fn receive(
        &self,
        one: usize,
        config: &Config,
        receive: &ReceiveCode,
        timeout: bool,
        work: &mut Work,
    ) -> Acted {
        let words = &mut work.next;
        let number = attempt!(
            self.eval(words, config, timeout, receive.channel),
            Acted::Wrong
        );
        attempt!(
            self.keeps(words, config, one, number, (true, false)),
            Acted::Wrong
        );
        let channel = attempt!(config.channel(number), Acted::Wrong);
        let found = self.matching(words, config, timeout, number, &receive.wants, receive.any);
        let Some(which) = attempt!(found, Acted::Wrong) else {
            return Acted::No;
        };
        work.message.clear();
        for field in 0..channel.fields.len() {
            work.message.push(channel.field(which, field).get(words));
        }
        if !receive.keep {
            remove(words, channel, which);
            attempt!(self.event(config, number, false, work), Acted::Wrong);
        }
        let words = &mut work.next;
        for (value, want) in work.message.iter().zip(&receive.wants) {
            if let Want::Store(dest) = want {
                attempt!(self.store(words, config, *dest, *value), Acted::Wrong);
            }
        }
        Acted::Yes
    }

    /// Gives the message in [`Work::message`] to a receive of process `other`, on [`Work::next`].
    pub(crate) fn accept(
        &self,
        (other, config): (usize, &Config),
        number: i32,
        receive: &ReceiveCode,
        timeout: bool,
        work: &mut Work,
    ) -> Result<bool, Violation> {
        let from = self.eval(&work.next, config, timeout, receive.channel);
        if from != Ok(number) || receive.keep {
            return Ok(false);
        }
        self.keeps(&work.next, config, other, number, (true, false))?;
        if work.message.len() != receive.wants.len() {
            return Err(Violation::Channel);
        }
        for (value, want) in work.message.iter().zip(&receive.wants) {
            if let Want::Match(wanted) = want
                && self.eval(&work.next, config, timeout, *wanted)? != *value
            {
                return Ok(false);
            }
        }
        for (value, want) in work.message.iter().zip(&receive.wants) {
            if let Want::Store(dest) = want {
                self.store(&mut work.next, config, *dest, *value)?;
            }
        }
        Ok(true)
    }

    /// Both sides of a rendezvous go to their targets, and the receiver through the rest of its `d_step`.
    pub(crate) fn met(
        &self,
        config: &Config,
        sender: (usize, &EdgeCode),
        receiver: (usize, &EdgeCode),
        work: &mut Work,
        cx: &Context,
    ) -> Done {
        for (one, edge) in [sender, receiver] {
            let code = &self.codes[config.processes[one] as usize];
            code.pc.set(&mut work.next, edge.target as i32);
        }
        let (one, edge) = sender;
        self.clear(
            &self.codes[config.processes[one] as usize],
            edge.target,
            work,
        );
        let (other, edge) = receiver;
        let code = &self.codes[config.processes[other] as usize];
        if edge.keep == Keep::DStep {
            let done = self.go_on(other, code, (edge.target, true), work, cx);
            if !matches!(done, Done::Moved) {
                return done;
            }
        } else {
            self.clear(code, edge.target, work);
        }
        self.settle(other, work);
        Done::Moved
    }

    fn make_process(&self, one: usize, run: &RunCode, timeout: bool, work: &mut Work) -> Acted {
        let old = self.config(&work.next);
        work.arguments.clear();
        for argument in &run.arguments {
            let value = attempt!(self.eval(&work.next, old, timeout, *argument), Acted::Wrong);
            work.arguments.push(value);
        }
        let text = &self.program.proctypes[run.proctype as usize];
        let number = old.processes.len();
        let channels = own_channels(text, work.arguments.len()).count();
        if number >= MOST || old.channels.len() + channels > MOST {
            return Acted::Wrong(Violation::TooMany);
        }
        let from = self.config_of(&work.next);
        let Some(child) = self.child(from, run.proctype, &work.arguments) else {
            return Acted::Needs(Need {
                from,
                proctype: run.proctype,
                arguments: work.arguments.clone(),
            });
        };
        attempt!(
            self.enter(child, &work.arguments, &mut work.next),
            Acted::Wrong
        );
        if let Some(dest) = run.result {
            let config = self.config(&work.next);
            let code = config.processes[one];
            debug_assert!(code < self.codes.len() as u32);
            attempt!(
                self.store(&mut work.next, config, dest, number as i32),
                Acted::Wrong
            );
        }
        Acted::Yes
    }

    /// Goes to a configuration with one more process, and sets that one up.
    pub(crate) fn enter(
        &self,
        child: u32,
        arguments: &[i32],
        words: &mut Vec<u64>,
    ) -> Result<(), Violation> {
        let config = &self.configs[child as usize];
        words.resize(config.words, 0);
        words[self.hidden] = u64::from(child) << 32;
        let Some(code) = config.processes.last() else {
            return Ok(());
        };
        let code = &self.codes[*code as usize];
        let text = &self.program.proctypes[code.proctype as usize];
        code.pc.set(words, text.entry as i32);
        let first = config.channels.len() - own_channels(text, arguments.len()).count();
        let mut channel = first as i32;
        for (place, slot) in text.locals.iter().enumerate() {
            let given = place < text.parameters as usize && place < arguments.len();
            let value = match &slot.init {
                _ if given => arguments[place],
                Init::Value(value) => *value,
                Init::Channel(_) => {
                    channel += 1;
                    channel
                }
                Init::Expr(_) => {
                    let value = code.inits.iter().find(|(p, _)| *p == place);
                    let value = value.map_or(super::op::Value::Const(0), |(_, v)| *v);
                    self.eval(words, config, false, value)?
                }
            };
            if let Cell::Field(field) = code.cells[place] {
                field.set(words, value);
            }
        }
        for (word, mask) in &code.locations[text.entry as usize].clear {
            words[*word as usize] &= mask;
        }
        Ok(())
    }

    fn end(&self, one: usize, work: &mut Work) -> Acted {
        let config = self.config(&work.next);
        if one + 1 != config.processes.len() {
            return Acted::No;
        }
        let parent = &self.configs[config.parent as usize];
        let end = parent.end();
        if let Some(word) = work.next.get_mut(end as usize / 64) {
            *word &= (1u64 << (end % 64)) - 1;
        }
        work.next.truncate(parent.words);
        work.next[self.hidden] = u64::from(config.parent) << 32;
        Acted::Yes
    }
}
