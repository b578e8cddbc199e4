//! Breadth-first and depth-first search over the stored states.

use crate::expand::Halt;
use crate::finding::{End, Findings, settle};
use crate::machine::{self, Exclusive, Machine};
use crate::parallel::{Level, Parallel};
use crate::store::{CLOSED, NONE, STUTTER, States, Store};
use crate::symmetry::Exchange;
use crate::trace;
use crate::walker::{ASK_EVERY, Sink, Walker, make_room};
use crate::{ExplicitOptions, Order, SearchResult, SearchVerdict};
use suppose_control::{Context, Event, Stopped};
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, Violation};

struct Search<'a, 'p> {
    machine: Machine<'p>,
    store: Store,
    walker: Walker,
    options: &'a ExplicitOptions,
    cx: &'a Context,
    findings: Findings,
    transitions: u64,
    depth: u64,
    complete: bool,
    fresh: Vec<u32>,
    exchange: Option<&'a Exchange<'a>>,
    /// The states, once several threads look for them; [`Search::store`] is empty then.
    parallel: Option<Parallel>,
}

/// Puts successors into the store.
struct Adding<'a> {
    store: &'a mut Store,
    cx: &'a Context,
    findings: &'a mut Findings,
    claim: Question,
    from: u32,
    transitions: &'a mut u64,
    fresh: &'a mut Vec<u32>,
}

impl Sink for Adding<'_> {
    fn add(&mut self, record: &[u64], hash: u64, flags: u64) -> Result<(), End> {
        *self.transitions += 1;
        make_room(self.store, 1, self.cx)?;
        let (there, new) = self.store.insert(record, hash, self.from, flags)?;
        if new {
            self.fresh.push(there);
        }
        Ok(())
    }

    fn claim_violated(&mut self, violation: Violation) {
        self.findings.add(self.claim, violation, self.from);
    }
}

/// From so many states on, several threads pay.
const SWITCH: usize = if cfg!(test) { 30 } else { 100_000 };

/// Explores for questions that share an exploration.
pub(crate) fn explore(
    program: &Program,
    initial: &State,
    group: &[Question],
    options: &ExplicitOptions,
    exchange: Option<&Exchange>,
    cx: &Context,
) -> Result<SearchResult, End> {
    let claim = match group[0] {
        Question::Claim(number) => Some(number),
        _ => None,
    };
    let compiled = machine::CompileOptions {
        claim,
        reduction: options.reduction,
        merge: options.merge,
        past_assertions: options.past_assertions || group.contains(&Question::EndStates),
        ..machine::CompileOptions::default()
    };
    let searched = (group, compiled, exchange);
    settle(|users| attempt_at(program, initial, searched, users, options, cx))
}

/// Explores with what is known of the users of channels; says what is known then, if that was wrong.
fn attempt_at(
    program: &Program,
    initial: &State,
    (group, compiled, exchange): (&[Question], machine::CompileOptions, Option<&Exchange>),
    users: Option<&Exclusive>,
    options: &ExplicitOptions,
    cx: &Context,
) -> Result<SearchResult, (End, Exclusive)> {
    let nothing = |end: End| (end, Exclusive::default());
    let unsupported = |why: String| nothing(End::Unsupported(why));
    let mut machine = Machine::new(program, initial, compiled).map_err(unsupported)?;
    if let Some(users) = users {
        machine.exclusive.learn(users);
    }
    let first = machine.initial(initial).map_err(unsupported)?;
    if let (Some(bits), None) = (options.compaction, &machine.claim) {
        let found = crate::compact::explore(&mut machine, &first, group, options, bits, cx);
        return found.map_err(nothing);
    }
    let mut search = Search {
        machine,
        store: Store::new(),
        walker: Walker::new(exchange),
        options,
        cx,
        findings: Findings::new(group),
        transitions: 0,
        depth: 0,
        complete: false,
        fresh: Vec::new(),
        exchange,
        parallel: None,
    };
    let stopped = match search.run(&first) {
        Ok(()) => None,
        Err(End::Stopped(stopped)) => Some(stopped),
        Err(other) => return Err((other, search.machine.exclusive)),
    };
    search.outcome(group, stopped).map_err(nothing)
}

impl Search<'_, '_> {
    fn run(&mut self, first: &[u64]) -> Result<(), End> {
        let record = &first[self.machine.hidden..];
        let hash = crate::store::hash(record);
        self.store.insert(record, hash, NONE, 0)?;
        self.complete = match self.options.order {
            Order::Breadth => self.breadth(),
            Order::Depth | Order::DepthLast => self.depth(),
        }?;
        Ok(())
    }

    fn breadth(&mut self) -> Result<bool, End> {
        let mut at = 0;
        let mut level = 1;
        let mut count = 0u64;
        while let Some(id) = self.store.seek(at) {
            if id >= level {
                self.depth += 1;
                level = self.store.next();
                if self.options.threads > 1 && self.store.len() >= SWITCH {
                    return self.on_threads(id, count);
                }
            }
            at = id + self.walker.load(&self.machine, &self.store, id);
            self.expand(id)?;
            count += 1;
            if self.pause(count)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on with several threads: `first` is the first state of a level, and `count` are expanded.
    fn on_threads(&mut self, first: u32, count: u64) -> Result<bool, End> {
        let store = std::mem::replace(&mut self.store, Store::new());
        let mut parallel = Parallel::new(&self.machine, &store, first, self.options.threads)?;
        drop(store);
        self.findings.renumber(|id| parallel.new_number(id));
        let ended = parallel.run(&mut Level {
            machine: &mut self.machine,
            findings: &mut self.findings,
            options: self.options,
            exchange: self.exchange,
            cx: self.cx,
            count,
            transitions: &mut self.transitions,
            depth: &mut self.depth,
            cut: &mut self.walker.expander.cut,
        });
        self.parallel = Some(parallel);
        ended
    }

    fn depth(&mut self) -> Result<bool, End> {
        let mut stack = vec![0];
        let mut count = 0u64;
        while let Some(id) = stack.pop() {
            self.walker.load(&self.machine, &self.store, id);
            self.store.set_flag(id, CLOSED);
            self.expand(id)?;
            match self.options.order {
                Order::DepthLast => stack.extend(&self.fresh),
                _ => stack.extend(self.fresh.iter().rev()),
            }
            self.depth = self.depth.max(stack.len() as u64);
            count += 1;
            if self.pause(count)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks at limits from time to time; true when nothing is left to find.
    fn pause(&mut self, count: u64) -> Result<bool, End> {
        if self.findings.is_enough(self.options) {
            return Ok(true);
        }
        if count.is_multiple_of(ASK_EVERY) {
            let states = self.store.len() as u64;
            self.cx.check_states(states)?;
            if count.is_multiple_of(1 << 15) {
                let transitions = self.transitions;
                self.cx.emit(Event::Explored {
                    states,
                    transitions,
                });
            }
        }
        Ok(false)
    }

    /// Expands the state that the walker has, which has that number.
    fn expand(&mut self, id: u32) -> Result<(), End> {
        self.fresh.clear();
        let any = loop {
            match self.successors(id) {
                Ok(any) => break any,
                Err(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Err(Halt::Needs(need)) => {
                    self.machine.make(&need).map_err(End::Unsupported)?;
                    if self.machine.exclusive.is_lost() {
                        return Err(End::Again);
                    }
                }
            }
        };
        for (violation, _) in &self.walker.expander.wrong {
            let question = self.machine.blame(*violation);
            self.findings.add(question, *violation, id);
        }
        if self.machine.claim.is_none() {
            if !any {
                self.stops(id);
            }
            return self.add_all(id);
        }
        let alone = self.store.head(id) & STUTTER != 0;
        let mut adding = Adding {
            store: &mut self.store,
            cx: self.cx,
            findings: &mut self.findings,
            claim: Question::Claim(self.machine.options.claim.unwrap_or_default()),
            from: id,
            transitions: &mut self.transitions,
            fresh: &mut self.fresh,
        };
        self.walker
            .under_claim(&self.machine, self.cx, any, alone, &mut adding)
    }

    /// Fills the expander; whether there is any step.
    fn successors(&mut self, id: u32) -> Result<bool, Halt> {
        let breadth = self.options.order == Order::Breadth;
        let store = &self.store;
        let is_open = |record: &[u64], hash| match store.find(record, hash) {
            None => true,
            Some(there) if breadth => there > id,
            Some(there) => store.head(there) & CLOSED == 0,
        };
        let (any, relies) = self.walker.successors(&self.machine, self.cx, is_open)?;
        if relies {
            self.machine.exclusive.rely();
        }
        Ok(any)
    }

    /// The system stops here: may it?
    fn stops(&mut self, id: u32) {
        if let Some(violation) = self.machine.stopped(&self.walker.state) {
            self.findings
                .add(self.machine.blame(violation), violation, id);
        }
    }

    fn add_all(&mut self, id: u32) -> Result<(), End> {
        let items = &self.walker.expander.items;
        self.transitions += items.len() as u64;
        make_room(&mut self.store, items.len(), self.cx)?;
        let mut touched = 0;
        for item in items {
            touched ^= self.store.touch(item.hash);
        }
        std::hint::black_box(touched);
        for item in items {
            let record = &self.walker.expander.words[item.start as usize..item.end as usize];
            let (there, new) = self.store.insert(record, item.hash, id, 0)?;
            if new {
                self.fresh.push(there);
            }
        }
        Ok(())
    }

    fn outcome(
        mut self,
        group: &[Question],
        stopped: Option<Stopped>,
    ) -> Result<SearchResult, End> {
        let mut found = Vec::new();
        for question in group {
            let finding = self.findings.of(*question);
            let answer = match (finding, stopped) {
                (Some(finding), _) => {
                    let goal = *finding;
                    let states: &dyn States = match &self.parallel {
                        Some(parallel) => &parallel.states,
                        None => &self.store,
                    };
                    trace::rebuild(&mut self.machine, states, goal, self.exchange, self.cx)
                }
                (None, Some(stopped)) => SearchVerdict::Unknown(stopped.into()),
                (None, None) if !self.complete && self.options.first => {
                    SearchVerdict::Unknown(crate::not_first())
                }
                (None, None) if self.walker.expander.cut => {
                    SearchVerdict::Unknown(crate::too_long())
                }
                (None, None) => SearchVerdict::Holds,
            };
            found.push((*question, answer));
        }
        let (states, memory) = match &self.parallel {
            Some(parallel) => (parallel.count, parallel.bytes()),
            None => (self.store.len() as u64, self.store.bytes()),
        };
        Ok(SearchResult {
            symmetry: None,
            threads: self.parallel.map_or(1, |p| p.threads),
            states,
            transitions: self.transitions,
            depth: self.depth,
            memory,
            complete: self.complete && !self.walker.expander.cut,
            found,
        })
    }
}
