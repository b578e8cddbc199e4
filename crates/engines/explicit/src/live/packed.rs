//! The graph of a compiled program: packed states in the store of the other searches.

use super::graph::{Arc, Graph, NEW};
use super::lasso;
use super::rebuild::{self, Builder};
use super::scc::{Hit, Scc};
use super::{MOST_FAIR, sets};
use crate::expand::{Expander, Halt};
use crate::finding::{End, unpack};
use crate::machine::{self, Exclusive, Machine};
use crate::store::{FULL, OUTSIDE, PATH, States, Store};
use crate::trace;
use crate::{ExplicitOptions, SearchResult, SearchVerdict};
use suppose_control::{Context, Event};
use suppose_model::Reason;
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, Question, Violation};

pub(super) struct Packed<'a, 'p> {
    pub(super) machine: Machine<'p>,
    pub(super) store: Store,
    pub(super) cx: &'a Context,
    pub(super) question: Question,
    pub(super) fair: bool,
    reduction: bool,
    expander: Expander,
    first: Vec<u64>,
    state: Vec<u64>,
    successor: Vec<u64>,
    /// What the claim can do in the state.
    moves: Vec<(u32, u32)>,
    /// For each location of each proctype, whether it has the label that is asked about.
    labelled: Vec<Vec<bool>>,
    /// The places of the claim that are accepting.
    accepting: Vec<bool>,
    count: u64,
}

impl<'a, 'p> Packed<'a, 'p> {
    pub(super) fn new(
        program: &'p Program,
        initial: &State,
        (question, compiled): (Question, machine::CompileOptions),
        options: &ExplicitOptions,
        cx: &'a Context,
    ) -> Result<Self, End> {
        let mut machine = Machine::new(program, initial, compiled).map_err(End::Unsupported)?;
        let first = machine.initial(initial).map_err(End::Unsupported)?;
        let label = |l: &suppose_model::program::Location| match question {
            Question::Progress => l.progress,
            Question::Acceptance => l.accept,
            _ => false,
        };
        let proctypes = program.proctypes.iter();
        let labelled = proctypes.map(|p| p.locations.iter().map(label).collect());
        let accepting = match question {
            Question::Claim(number) => {
                let places = program.claims[number].locations.iter();
                places.map(|l| l.accept).collect()
            }
            _ => Vec::new(),
        };
        Ok(Packed {
            machine,
            store: Store::new(),
            cx,
            question,
            fair: options.fair,
            reduction: compiled.reduction,
            expander: Expander::new(options.fair && super::meets(program)),
            first,
            state: Vec::new(),
            successor: Vec::new(),
            moves: Vec::new(),
            labelled: labelled.collect(),
            accepting,
            count: 0,
        })
    }

    pub(super) fn learn(&mut self, users: &Exclusive) {
        self.machine.exclusive.learn(users);
    }

    pub(super) fn users(self) -> Exclusive {
        self.machine.exclusive
    }

    pub(super) fn decide(&mut self) -> Result<SearchResult, End> {
        let all = sets(self.question, self.fair);
        let mut scc = Scc::new(self, all);
        let hit = scc.run();
        let (transitions, depth) = (scc.transitions, scc.depth);
        let (found, complete) = match hit {
            Ok(Hit::Nothing) if self.expander.cut => {
                (SearchVerdict::Unknown(crate::too_long()), false)
            }
            Ok(Hit::Nothing) => (SearchVerdict::Holds, true),
            Ok(Hit::State(state, violation)) => (self.stem(state, violation)?, false),
            Ok(Hit::Component(least)) => (self.lasso(least, all)?, false),
            Err(End::Stopped(stopped)) => (SearchVerdict::Unknown(stopped.into()), false),
            Err(end) => return Err(end),
        };
        Ok(SearchResult {
            threads: 1,
            symmetry: None,
            states: self.store.len() as u64,
            transitions,
            depth,
            memory: self.store.bytes(),
            complete,
            found: vec![(self.question, found)],
        })
    }

    fn stem(&mut self, state: u32, violation: Violation) -> Result<SearchVerdict, End> {
        let Some(stem) = lasso::way_to(self, state)? else {
            return Ok(lost());
        };
        let mut builder = Builder::new(self);
        builder.follow(&stem)?;
        Ok(builder.end(state, violation)?.unwrap_or_else(lost))
    }

    fn lasso(&mut self, least: u32, all: u64) -> Result<SearchVerdict, End> {
        let Some(lasso) = lasso::around(self, least, all)? else {
            return Ok(lost());
        };
        let (program, question, fair) = (self.machine.program, self.question, self.fair);
        let mut builder = Builder::new(self);
        builder.follow(&lasso.stem)?;
        let begin = builder.begun();
        builder.follow(&lasso.cycle)?;
        let trace = builder.cycle(question, begin, fair);
        Ok(match rebuild::closed(program, trace) {
            Some(trace) => SearchVerdict::Violated(trace),
            None => lost(),
        })
    }

    /// Expands [`Packed::state`]: whether the system can move, and whether all processes are followed. `proviso`: the steps are
    /// looked at for the first time.
    fn successors(&mut self, id: u32, proviso: bool) -> Result<(bool, bool), End> {
        loop {
            match self.try_successors(id, proviso) {
                Ok(found) => return Ok(found),
                Err(Halt::Stopped(stopped)) => return Err(stopped.into()),
                Err(Halt::Needs(need)) => {
                    self.machine.make(&need).map_err(End::Unsupported)?;
                    if self.machine.exclusive.is_lost() {
                        return Err(End::Again);
                    }
                }
            }
        }
    }

    fn try_successors(&mut self, id: u32, proviso: bool) -> Result<(bool, bool), Halt> {
        let head = self.store.head(id);
        if self.reduction && head & FULL == 0 {
            if self.reduced(proviso, head & OUTSIDE != 0)? {
                return Ok((true, false));
            }
            self.store.set_flag(id, FULL);
        }
        self.expander.clear();
        let any = self.expander.all(&self.machine, &self.state, self.cx)?;
        Ok((any, true))
    }

    /// Follows one process only: the first that can be. Whether it is must not depend on when it is asked, but for the proviso.
    fn reduced(&mut self, proviso: bool, outside: bool) -> Result<bool, Halt> {
        let alone = self
            .expander
            .alone(&self.machine, &self.state, 0, self.cx)?;
        let Some((_, messages)) = alone else {
            return Ok(false);
        };
        let closes = |it: &Self, there| match outside {
            true => it.store.parent(there) != NEW,
            false => it.store.head(there) & PATH != 0,
        };
        if proviso && self.meets(closes) {
            return Ok(false);
        }
        if messages {
            self.machine.exclusive.rely();
        }
        Ok(true)
    }

    /// Is some successor a known state like that?
    fn meets(&mut self, is_so: impl Fn(&Self, u32) -> bool) -> bool {
        for number in 0..self.expander.items.len() {
            for target in 0..self.targets() {
                self.fill(number, target);
                let record = &self.successor[self.machine.hidden..];
                let found = self.store.find(record, crate::store::hash(record));
                if found.is_some_and(|there| is_so(self, there)) {
                    return true;
                }
            }
        }
        false
    }

    /// With how many places of the claim each successor is; with one, if there is no claim.
    fn targets(&self) -> usize {
        match self.machine.claim {
            None => 1,
            Some(_) => self.moves.len(),
        }
    }

    /// Brings a successor into [`Packed::successor`], with the claim after that move.
    fn fill(&mut self, number: usize, target: usize) {
        let at = self.moves.get(target).map(|m| m.1);
        let (machine, successor) = (&self.machine, &mut self.successor);
        self.expander.fill(machine, number, at, successor);
    }

    /// The number of [`Packed::successor`].
    fn add(&mut self) -> Result<u32, End> {
        while let Some(bytes) = self.store.growth(1) {
            self.cx.reserve(bytes)?;
            self.store.grow();
        }
        let record = &self.successor[self.machine.hidden..];
        let hash = crate::store::hash(record);
        let (there, new) = self.store.insert(record, hash, NEW, 0)?;
        if new && self.question == Question::Progress {
            let successor = std::mem::take(&mut self.successor);
            if self.is_labelled(&successor) {
                self.store.set_flag(there, OUTSIDE);
            }
            self.successor = successor;
        }
        Ok(there)
    }

    /// Is some process at a label that is asked about?
    fn is_labelled(&self, state: &[u64]) -> bool {
        let config = self.machine.config(state);
        config.processes.iter().any(|code| {
            let code = &self.machine.codes[*code as usize];
            self.labelled[code.proctype as usize][code.pc.get(state) as usize]
        })
    }

    fn arcs(
        &mut self,
        id: u32,
        arcs: &mut Vec<Arc>,
        proviso: bool,
    ) -> Result<Option<Violation>, End> {
        unpack(&self.machine, &self.store, id, &mut self.state);
        self.moves.clear();
        let mut at = None;
        if let Some(claim) = &self.machine.claim {
            let (place, end) = (claim.at.get(&self.state) as u32, claim.end);
            at = Some(place);
            let mut moves = std::mem::take(&mut self.moves);
            let wrong = trace::claim_moves(&self.machine, &self.state, place, self.cx, &mut moves);
            self.moves = moves;
            if wrong.is_some() {
                return Ok(wrong);
            }
            if self.moves.iter().any(|m| m.1 == end) {
                return Ok(Some(Violation::Claim));
            }
            if self.moves.is_empty() {
                return Ok(None);
            }
        }
        let (any, full) = self.successors(id, proviso)?;
        let accepting = match at {
            Some(at) => self.accepting[at as usize],
            None => self.question == Question::Acceptance && self.is_labelled(&self.state),
        };
        let mut own = u64::from(accepting);
        if self.fair {
            // Where one process is followed alone, who is not able is looked up later (see the module).
            let able = self.able()?;
            own |= if full { !1 & !able } else { 0 };
        }
        if !any {
            self.stopped(id, own, at.is_some(), arcs)?;
            return Ok(None);
        }
        for number in 0..self.expander.items.len() {
            let node = self.expander.items[number].node;
            let moved = match self.fair {
                true => self.expander.movers(node) << 1,
                false => 0,
            };
            for target in 0..self.targets() {
                self.fill(number, target);
                let to = self.add()?;
                arcs.push(Arc {
                    to,
                    sets: own | moved,
                });
            }
        }
        Ok(None)
    }

    /// Where the system stops the claim goes on alone; without one, the system rests.
    fn stopped(&mut self, id: u32, own: u64, claim: bool, arcs: &mut Vec<Arc>) -> Result<(), End> {
        if !claim && own & 1 != 0 {
            arcs.push(Arc { to: id, sets: own });
        }
        for number in 0..self.moves.len() {
            self.successor.clone_from(&self.state);
            if let Some(claim) = &self.machine.claim {
                claim
                    .at
                    .set(&mut self.successor, self.moves[number].1 as i32);
            }
            let to = self.add()?;
            arcs.push(Arc { to, sets: own });
        }
        Ok(())
    }

    /// The processes that can take part in a step from the state, each with its bit.
    fn able(&self) -> Result<u64, End> {
        if self.machine.config(&self.state).processes.len() > MOST_FAIR {
            let why = format!("fairness is decided among at most {MOST_FAIR} processes");
            return Err(End::Unsupported(why));
        }
        // Beyond that, atomic sequences that meet in a state are not told apart by who took part in them.
        if self.expander.is_crowded() {
            let why = "an atomic sequence has too many states";
            return Err(End::Unsupported(why.to_owned()));
        }
        let items = self.expander.items.iter().map(|i| i.node);
        let wrong = self.expander.wrong.iter().map(|(_, node)| *node);
        let movers = items.chain(wrong).map(|node| self.expander.movers(node));
        Ok(movers.fold(0, |all, one| all | one) << 1)
    }
}

fn lost() -> SearchVerdict {
    let why = "a step of the counterexample is lost";
    SearchVerdict::Unknown(Reason::Internal(why.to_owned()))
}

impl Graph for Packed<'_, '_> {
    fn first(&mut self) -> Result<u32, End> {
        self.successor.clone_from(&self.first);
        self.add()
    }

    fn expand(&mut self, state: u32, arcs: &mut Vec<Arc>) -> Result<Option<Violation>, End> {
        self.arcs(state, arcs, true)
    }

    fn again(&mut self, state: u32, arcs: &mut Vec<Arc>) -> Result<(), End> {
        self.arcs(state, arcs, false).map(|_| ())
    }

    fn is_outside(&self, state: u32) -> bool {
        self.store.head(state) & OUTSIDE != 0
    }

    fn mark(&self, state: u32) -> u32 {
        self.store.parent(state)
    }

    fn set_mark(&mut self, state: u32, mark: u32) {
        self.store.set_parent(state, mark);
    }

    fn set_path(&mut self, state: u32, on: bool) {
        match on {
            true => self.store.set_flag(state, PATH),
            false => self.store.clear_flag(state, PATH),
        }
    }

    fn pause(&mut self, steps: u64, held: u64) -> Result<(), End> {
        self.count += 1;
        if self.count.is_multiple_of(128) {
            let states = self.store.len() as u64;
            self.cx.check_states(states)?;
            if self.count.is_multiple_of(1 << 15) {
                self.cx.reserve(held)?;
                self.cx.emit(Event::Explored {
                    states,
                    transitions: steps,
                });
            }
        }
        Ok(())
    }
}

/// What a builder of runs asks of the graph.
impl<'p> Packed<'_, 'p> {
    pub(super) fn parts(&mut self) -> (&mut Machine<'p>, &Store, &Context) {
        (&mut self.machine, &self.store, self.cx)
    }
}
