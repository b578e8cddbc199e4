//! The steps from a state, up to the next states that are stored.
//!
//! States inside an `atomic` sequence are not stored: they are kept only while their
//! state is expanded.

use crate::machine::{Act, Advance, Config, Done, EdgeCode, Machine, Need, ReceiveCode, Work};
use rustc_hash::FxHashSet;
use suppose_control::{Context, Stopped};
use suppose_model::program::run::TraceStep;
use suppose_model::program::{Keep, Violation};

/// Why an expansion ends early.
#[derive(Debug)]
pub(crate) enum Halt {
    Needs(Need),
    Stopped(Stopped),
}

/// A successor, in [`Expander::words`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) hash: u64,
    /// The last step to it, in the record.
    pub(crate) node: u32,
}

/// A state inside an atomic sequence.
struct Inner {
    start: usize,
    process: usize,
    node: u32,
}

/// A step on the way from the expanded state.
#[derive(Debug)]
struct Node {
    before: u32,
    step: TraceStep,
}

/// After this many inner states of one expansion they are looked up, so that loops end.
const MANY: usize = 64;
/// This many steps inside `atomic` are taken in place before the state is put aside, so that loops end.
const IN_PLACE: usize = 256;
const START: u32 = u32::MAX;

/// Finds successors.
pub(crate) struct Expander {
    work: Work,
    /// The successors' records one after the other.
    pub(crate) words: Vec<u64>,
    pub(crate) items: Vec<Item>,
    /// What went wrong, and the last step to it.
    pub(crate) wrong: Vec<(Violation, u32)>,
    inner: Vec<Inner>,
    inner_words: Vec<u64>,
    inner_count: usize,
    inner_seen: FxHashSet<Box<[u64]>>,
    current: Vec<u64>,
    record: bool,
    nodes: Vec<Node>,
    /// The node of the state whose steps are tried.
    node: u32,
    /// The process that is followed. Where steps are not recorded, it is the node of all of them.
    origin: u32,
    /// Did the last step in place go wrong?
    gone: bool,
    /// Was a step not followed to its end? It is not among the successors then.
    pub(crate) cut: bool,
}

impl Expander {
    /// With `record`, the steps can be asked for afterwards.
    pub(crate) fn new(record: bool) -> Expander {
        Expander {
            work: Work::default(),
            words: Vec::new(),
            items: Vec::new(),
            wrong: Vec::new(),
            inner: Vec::new(),
            inner_words: Vec::new(),
            inner_count: 0,
            inner_seen: FxHashSet::default(),
            current: Vec::new(),
            record,
            nodes: Vec::new(),
            node: START,
            origin: START,
            gone: false,
            cut: false,
        }
    }

    /// Forgets the successors of the state before.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.items.clear();
        self.wrong.clear();
        self.inner.clear();
        self.inner_words.clear();
        self.inner_count = 0;
        if !self.inner_seen.is_empty() {
            self.inner_seen.clear();
        }
        self.nodes.clear();
        self.node = START;
    }

    /// All steps of all processes, with `timeout` if there are none without.
    pub(crate) fn all(
        &mut self,
        machine: &Machine,
        state: &[u64],
        cx: &Context,
    ) -> Result<bool, Halt> {
        let mut any = false;
        for timeout in [false, true] {
            for one in 0..machine.config(state).processes.len() {
                any |= self.of(machine, state, one, timeout, cx)?;
            }
            if any {
                break;
            }
        }
        Ok(any)
    }

    /// The steps of one process only: the first one from that number on that can be followed alone, since no other can notice or
    /// hinder its steps. Its number, and whether that is so because of who uses its channels.
    pub(crate) fn alone(
        &mut self,
        machine: &Machine,
        state: &[u64],
        first: usize,
        cx: &Context,
    ) -> Result<Option<(usize, bool)>, Halt> {
        let config = machine.config(state);
        for (one, code) in config.processes.iter().enumerate().skip(first) {
            let code = &machine.codes[*code as usize];
            let here = &code.locations[code.pc.get(state) as usize];
            let messages = here.messages && machine.is_alone(state, config, one, here);
            if !here.ample && !messages {
                continue;
            }
            self.clear();
            let any = self.of(machine, state, one, false, cx)?;
            if any && self.wrong.is_empty() {
                return Ok(Some((one, messages)));
            }
        }
        Ok(None)
    }

    /// Brings a successor into a row of words, with the claim at that place.
    pub(crate) fn fill(
        &self,
        machine: &Machine,
        number: usize,
        at: Option<u32>,
        to: &mut Vec<u64>,
    ) {
        let item = self.items[number];
        to.clear();
        to.resize(machine.hidden, 0);
        to.extend_from_slice(&self.words[item.start as usize..item.end as usize]);
        if let (Some(claim), Some(at)) = (&machine.claim, at) {
            claim.at.set(to, at as i32);
        }
    }

    /// The steps of one process from a stored state; whether there are any.
    #[inline]
    pub(crate) fn of(
        &mut self,
        machine: &Machine,
        state: &[u64],
        one: usize,
        timeout: bool,
        cx: &Context,
    ) -> Result<bool, Halt> {
        self.node = START;
        self.origin = one as u32;
        let config = machine.config(state);
        let any = self.steps(machine, config, state, one, timeout, cx)?;
        if !self.inner.is_empty() {
            self.go_on(machine, cx)?;
        }
        Ok(any)
    }

    /// Follows atomic sequences to their ends.
    fn go_on(&mut self, machine: &Machine, cx: &Context) -> Result<(), Halt> {
        while let Some(Inner {
            start,
            process,
            node,
        }) = self.inner.pop()
        {
            self.inner_count += 1;
            if self.inner_count % 256 == 255 {
                let held =
                    self.inner_words.len() + self.inner_seen.len() * (self.current.len() + 8);
                let room = cx.reserve(held as u64 * 8);
                let room = room.and(cx.check_states(self.inner_seen.len() as u64));
                room.map_err(Halt::Stopped)?;
            }
            let mut state = std::mem::take(&mut self.current);
            state.clear();
            state.extend_from_slice(&self.inner_words[start..]);
            self.inner_words.truncate(start);
            if self.inner_count > MANY {
                let mut key = state.clone();
                key.push(process as u64);
                if !self.inner_seen.insert(key.into()) {
                    self.current = state;
                    continue;
                }
            }
            self.node = node;
            let config = machine.config(&state);
            let any = self.steps(machine, config, &state, process, false, cx);
            if let Ok(false) = any {
                self.emit(machine, &state, node);
            }
            self.current = state;
            any?;
        }
        Ok(())
    }

    fn emit(&mut self, machine: &Machine, state: &[u64], node: u32) {
        let start = self.words.len() as u32;
        let record = &state[machine.hidden..];
        self.words.extend_from_slice(record);
        self.items.push(Item {
            start,
            end: self.words.len() as u32,
            hash: crate::store::hash(record),
            node,
        });
    }

    #[inline(always)]
    fn provided(
        machine: &Machine,
        config: &Config,
        state: &[u64],
        one: usize,
        timeout: bool,
    ) -> Result<bool, Violation> {
        match machine.codes[config.processes[one] as usize].provided {
            None => Ok(true),
            Some(test) => Ok(machine.eval(state, config, timeout, test)? != 0),
        }
    }

    /// The single steps of one process.
    #[inline]
    fn steps(
        &mut self,
        machine: &Machine,
        config: &Config,
        state: &[u64],
        one: usize,
        timeout: bool,
        cx: &Context,
    ) -> Result<bool, Halt> {
        match Self::provided(machine, config, state, one, timeout) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(violation) => {
                self.work.edges.clear();
                self.work.rest.clear();
                self.work.count = 0;
                self.failed(one, None, violation);
                return Ok(true);
            }
        }
        let code = &machine.codes[config.processes[one] as usize];
        let location = &code.locations[code.pc.get(state) as usize];
        let edges = &code.edges[location.edges.start as usize..location.edges.end as usize];
        let mut any = false;
        let mut rank = edges.first().map_or(0, |e| e.rank);
        for edge in edges {
            if edge.rank != rank {
                if any {
                    break;
                }
                rank = edge.rank;
            }
            if any && matches!(edge.act, Act::Else) {
                continue;
            }
            any |= self.step(machine, config, state, one, edge, timeout, cx)?;
        }
        Ok(any)
    }

    /// Takes an edge in all the ways it can be taken.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "all of them are the state")]
    fn step(
        &mut self,
        machine: &Machine,
        config: &Config,
        state: &[u64],
        one: usize,
        edge: &EdgeCode,
        timeout: bool,
        cx: &Context,
    ) -> Result<bool, Halt> {
        self.work.begin(edge.number);
        (self.work.failed, self.work.failed_after) = (false, 0);
        match machine.take(state, config, one, edge, timeout, &mut self.work, cx) {
            Done::Blocked => return Ok(false),
            Done::Moved => {
                let atomic = match edge.keep {
                    Keep::Nothing => false,
                    Keep::Atomic => true,
                    Keep::DStep => self.ends_atomic(machine, one),
                };
                if self.work.failed {
                    self.failed_on_the_way(one, None);
                }
                self.moved(machine, one, one, None, atomic, cx);
            }
            Done::Meets(number) => {
                return self.meet(machine, config, state, (one, edge), timeout, number, cx);
            }
            // A run is over with the first thing that goes wrong.
            Done::Wrong(_) if self.work.failed => self.failed_on_the_way(one, None),
            Done::Wrong(violation) => self.failed(one, None, violation),
            Done::Unfinished => self.cut = true,
            Done::Needs(need) => return Err(Halt::Needs(need)),
            Done::Stopped(stopped) => return Err(Halt::Stopped(stopped)),
        }
        Ok(true)
    }

    /// Is the process inside `atomic` after its `d_step`?
    fn ends_atomic(&self, machine: &Machine, one: usize) -> bool {
        let config = machine.config(&self.work.next);
        let Some(code) = config.processes.get(one) else {
            return false;
        };
        let code = &machine.codes[*code as usize];
        let at = code.pc.get(&self.work.next) as usize;
        code.locations[at].keep == Keep::Atomic
    }

    fn note(&mut self, process: usize, partner: Option<(u32, u32)>) -> u32 {
        if !self.record {
            return self.origin;
        }
        self.nodes.push(Node {
            before: self.node,
            step: TraceStep {
                process: process as u32,
                edges: self.work.edges.clone(),
                partner,
                rest: self.work.rest.clone(),
                more: self.left_out(partner.is_some()),
                claim: None,
            },
        });
        self.nodes.len() as u32 - 1
    }

    /// How many edges of the `d_step` are not noted.
    fn left_out(&self, partner: bool) -> u64 {
        let noted = match partner {
            true => 1 + self.work.rest.len(),
            false => self.work.edges.len(),
        };
        self.work.count.saturating_sub(noted as u64)
    }

    fn failed(&mut self, one: usize, partner: Option<(u32, u32)>, violation: Violation) {
        let node = self.note(one, partner);
        self.wrong.push((violation, node));
    }

    /// The step passed an assertion that fails; it is shown up to there.
    fn failed_on_the_way(&mut self, one: usize, partner: Option<(u32, u32)>) {
        self.work.failed = false;
        let all = (self.work.edges.clone(), self.work.rest.clone());
        let count = self.work.count;
        let after = self.work.failed_after;
        if after > 0 {
            let kept = usize::try_from(after).unwrap_or(usize::MAX);
            match partner {
                Some(_) => self.work.rest.truncate(kept - 1),
                None => self.work.edges.truncate(kept),
            }
            self.work.count = after;
        }
        self.failed(one, partner, Violation::Assertion);
        (self.work.edges, self.work.rest) = all;
        self.work.count = count;
    }

    /// A step is done: `mover` goes on alone if it is inside `atomic`.
    #[inline]
    fn moved(
        &mut self,
        machine: &Machine,
        one: usize,
        mover: usize,
        partner: Option<(u32, u32)>,
        atomic: bool,
        cx: &Context,
    ) {
        let mut node = self.note(one, partner);
        let mut atomic = atomic;
        let mut alone = false;
        if atomic {
            let before = self.node;
            for _ in 0..IN_PLACE {
                self.node = node;
                match self.advance(machine, mover) {
                    Some((next, keep)) => {
                        (node, alone) = (next, true);
                        atomic = keep == Keep::Atomic;
                    }
                    None if self.gone => {
                        self.node = before;
                        return;
                    }
                    None => break,
                }
                if !atomic {
                    break;
                }
            }
            self.node = before;
        }
        if atomic {
            self.inner.push(Inner {
                start: self.inner_words.len(),
                process: mover,
                node,
            });
            self.inner_words.extend_from_slice(&self.work.next);
        } else {
            let mut next = std::mem::take(&mut self.work.next);
            if machine.options.merge {
                node = self.pass(machine, &mut next, mover, node, cx);
                if one != mover && !alone {
                    node = self.pass(machine, &mut next, one, node, cx);
                }
            }
            self.emit(machine, &next, node);
            self.work.next = next;
        }
    }

    /// One step inside `atomic` in place: the step's node, and what the process keeps. None where there is not just one plain step;
    /// also where that one goes wrong, and then [`Expander::gone`] says so.
    #[inline]
    fn advance(&mut self, machine: &Machine, mover: usize) -> Option<(u32, Keep)> {
        let config = machine.config(&self.work.next);
        self.gone = false;
        let (number, kept) = match machine.advance(config, mover, &mut self.work) {
            Advance::No => return None,
            Advance::Moved(number, keep) => (number, Ok(keep)),
            Advance::Wrong(number, violation) => (number, Err(violation)),
        };
        self.work.begin(number);
        match kept {
            Ok(keep) => {
                if std::mem::take(&mut self.work.failed) {
                    self.failed(mover, None, Violation::Assertion);
                }
                Some((self.note(mover, None), keep))
            }
            Err(violation) => {
                self.failed(mover, None, violation);
                self.gone = true;
                None
            }
        }
    }

    /// Passes through locations that need not be stored (see [`crate::machine::reduce`]), while just one step
    /// is possible and nothing goes wrong.
    fn pass(
        &mut self,
        machine: &Machine,
        state: &mut Vec<u64>,
        one: usize,
        node: u32,
        cx: &Context,
    ) -> u32 {
        let mut node = node;
        let config = machine.config(state);
        let Some(code) = config.processes.get(one) else {
            return node;
        };
        let code = &machine.codes[*code as usize];
        loop {
            let location = &code.locations[code.pc.get(state) as usize];
            if !location.merge {
                return node;
            }
            let edges = &code.edges[location.edges.start as usize..location.edges.end as usize];
            let Some(edge) = self.only(machine, config, state, one, edges, cx) else {
                return node;
            };
            std::mem::swap(state, &mut self.work.next);
            let before = std::mem::replace(&mut self.node, node);
            self.work.begin(edge);
            node = self.note(one, None);
            self.node = before;
        }
    }

    /// Takes the only edge that is possible, if there is just one; its number. All are local.
    fn only(
        &mut self,
        machine: &Machine,
        config: &Config,
        state: &[u64],
        one: usize,
        edges: &[EdgeCode],
        cx: &Context,
    ) -> Option<u32> {
        let mut found = None;
        for edge in edges {
            let skip = match edge.act {
                Act::Else => found.is_some(),
                _ => found.is_some() && !machine.possible(state, config, edge),
            };
            if skip {
                continue;
            }
            match machine.take(state, config, one, edge, false, &mut self.work, cx) {
                Done::Blocked => {}
                Done::Moved if found.is_none() && !self.work.failed => found = Some(edge.number),
                _ => {
                    self.work.failed = false;
                    return None;
                }
            }
        }
        found
    }

    /// A rendezvous with each process that can receive now; whether there is one.
    #[allow(clippy::too_many_arguments, reason = "all of them are the state")]
    fn meet(
        &mut self,
        machine: &Machine,
        config: &Config,
        state: &[u64],
        (one, edge): (usize, &EdgeCode),
        timeout: bool,
        number: i32,
        cx: &Context,
    ) -> Result<bool, Halt> {
        let mut any = false;
        for other in (0..config.processes.len()).filter(|o| *o != one) {
            let code = &machine.codes[config.processes[other] as usize];
            let location = &code.locations[code.pc.get(state) as usize];
            if !location.receives
                || Self::provided(machine, config, state, other, timeout) == Ok(false)
            {
                continue;
            }
            let edges = &code.edges[location.edges.start as usize..location.edges.end as usize];
            let mut found = None;
            for theirs in edges {
                if found.is_some_and(|rank| rank != theirs.rank) {
                    break;
                }
                let Act::Receive(receive) = &theirs.act else {
                    continue;
                };
                let to = (other, theirs, &**receive);
                self.work.begin(edge.number);
                (self.work.failed, self.work.failed_after) = (false, 0);
                if self.hand_over(machine, config, state, (one, edge), to, timeout, number, cx)? {
                    found = Some(theirs.rank);
                    any = true;
                }
            }
        }
        Ok(any)
    }

    #[allow(clippy::too_many_arguments, reason = "all of them are the state")]
    fn hand_over(
        &mut self,
        machine: &Machine,
        config: &Config,
        state: &[u64],
        (one, edge): (usize, &EdgeCode),
        (other, theirs, receive): (usize, &EdgeCode, &ReceiveCode),
        timeout: bool,
        number: i32,
        cx: &Context,
    ) -> Result<bool, Halt> {
        if machine.eval(state, config, timeout, receive.channel) != Ok(number) {
            return Ok(false);
        }
        self.work.next.clear();
        self.work.next.extend_from_slice(state);
        let partner = Some((other as u32, theirs.number));
        match machine.accept((other, config), number, receive, timeout, &mut self.work) {
            Ok(false) => return Ok(false),
            Err(violation) => {
                self.failed(one, partner, violation);
                return Ok(true);
            }
            Ok(true) => {}
        }
        if let Err(violation) = machine.exchanged(config, number, &mut self.work) {
            self.failed(one, partner, violation);
            return Ok(true);
        }
        let (sender, receiver) = ((one, edge), (other, theirs));
        // A `d_step` may send and receive, and others may still be given this message.
        let message = (theirs.keep == Keep::DStep).then(|| self.work.message.clone());
        let met = machine.met(config, sender, receiver, &mut self.work, cx);
        if let Some(message) = message {
            self.work.message = message;
        }
        match met {
            Done::Moved => {
                let atomic = match theirs.keep {
                    Keep::Nothing => false,
                    Keep::Atomic => true,
                    Keep::DStep => self.ends_atomic(machine, other),
                };
                if self.work.failed {
                    self.failed_on_the_way(one, partner);
                }
                self.moved(machine, one, other, partner, atomic, cx);
            }
            Done::Wrong(_) if self.work.failed => self.failed_on_the_way(one, partner),
            Done::Wrong(violation) => self.failed(one, partner, violation),
            Done::Unfinished => self.cut = true,
            Done::Needs(need) => return Err(Halt::Needs(need)),
            Done::Stopped(stopped) => return Err(Halt::Stopped(stopped)),
            Done::Blocked | Done::Meets(_) => return Ok(false),
        }
        Ok(true)
    }

    /// The steps to a node from the expanded state.
    pub(crate) fn steps_to(&self, node: u32) -> Vec<TraceStep> {
        let mut steps = Vec::new();
        let mut at = node;
        while let Some(node) = self.nodes.get(at as usize) {
            steps.push(node.step.clone());
            at = node.before;
        }
        steps.reverse();
        steps
    }

    /// The processes that take part in the steps to a node, each with its bit; there are at most 64. Without `record`, only the one
    /// that begins is known, which is all of them in a program without rendezvous.
    pub(crate) fn movers(&self, node: u32) -> u64 {
        let bit = |process: u32| 1u64.checked_shl(process).unwrap_or(0);
        if !self.record {
            return bit(node);
        }
        let mut movers = 0;
        let mut at = node;
        while let Some(node) = self.nodes.get(at as usize) {
            movers |= bit(node.step.process);
            movers |= node.step.partner.map_or(0, |(other, _)| bit(other));
            at = node.before;
        }
        movers
    }

    /// Were there so many inner states that some were not followed twice, though others may take part in the second way there?
    pub(crate) fn is_crowded(&self) -> bool {
        self.record && self.inner_count > MANY
    }
}
