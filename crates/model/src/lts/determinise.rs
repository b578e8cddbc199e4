//! Subset construction.

use super::interner::Interner;
use super::size::{SizeLimits, TooLarge};
use super::{Edge, Label, Lts, State};

/// A deterministic LTS without `tau` that has the same traces, and what its states represent.
#[derive(Clone, Debug)]
pub struct Determinised {
    /// State 0 is initial, numbers are in breadth-first order.
    pub lts: Lts,
    /// How many states of the original each state represents. The error state and the end stand
    /// for several sets; the number is that of the first.
    pub sizes: Vec<u32>,
}

/// LTSA's `deterministic`, before minimisation. The sets are closed under `tau`. A set that
/// contains the error state is the error state. A set is the end if it contains the end and
/// besides only states that do nothing but become it silently; all such sets are one state.
pub fn determinise(lts: &Lts, limits: &SizeLimits) -> Result<Determinised, TooLarge> {
    let mut subsets = Subsets {
        lts,
        limits,
        sets: Interner::new(),
        kind: Vec::new(),
        state_of_set: Vec::new(),
        states: Vec::new(),
        error: None,
        end: None,
        closure: Closure::new(lts.states()),
    };
    subsets.run()
}

/// The `tau` closure of sets of states.
pub(super) struct Closure {
    stamp: Vec<u32>,
    now: u32,
}

impl Closure {
    pub(super) fn new(states: usize) -> Self {
        Closure {
            stamp: vec![0; states],
            now: 0,
        }
    }

    /// Adds what can be reached by steps that are `silent`; sorts, and removes duplicates.
    pub(super) fn close(
        &mut self,
        lts: &Lts,
        set: &mut Vec<State>,
        silent: impl Fn(Label) -> bool,
    ) {
        self.tick();
        set.retain(|s| std::mem::replace(&mut self.stamp[*s as usize], self.now) != self.now);
        let mut next = 0;
        while next < set.len() {
            for edge in lts.edges(set[next]) {
                let seen = &mut self.stamp[edge.target as usize];
                if silent(edge.label) && *seen != self.now {
                    *seen = self.now;
                    set.push(edge.target);
                }
            }
            next += 1;
        }
        set.sort_unstable();
    }

    fn tick(&mut self) {
        if self.now == u32::MAX {
            self.stamp.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }
}

struct Subsets<'a> {
    lts: &'a Lts,
    limits: &'a SizeLimits,
    sets: Interner<State>,
    kind: Vec<Kind>,
    state_of_set: Vec<State>,
    /// The first set of every state.
    states: Vec<u32>,
    error: Option<State>,
    end: Option<State>,
    closure: Closure,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Error,
    End,
    Other,
}

impl Subsets<'_> {
    fn run(&mut self) -> Result<Determinised, TooLarge> {
        let mut buffer = vec![self.lts.initial()];
        self.visit(&mut buffer)?;
        let (mut offsets, mut edges) = (vec![0u32], Vec::new());
        let mut next = 0;
        while next < self.states.len() {
            let set = self.states[next];
            if self.kind[set as usize] != Kind::Error {
                self.expand(set, &mut edges)?;
            }
            self.limits.check_transitions(edges.len())?;
            offsets.push(edges.len() as u32);
            next += 1;
        }
        let sizes = self
            .states
            .iter()
            .map(|set| self.sets.get(*set).len() as u32);
        let alphabet = self.lts.alphabet().to_vec();
        let name = self.lts.name().to_owned();
        let sizes = sizes.collect();
        let rows = (offsets, edges);
        let lts = Lts::from_rows(name, alphabet, 0, rows, self.error, self.end);
        Ok(Determinised { lts, sizes })
    }

    fn expand(&mut self, set: u32, edges: &mut Vec<Edge>) -> Result<(), TooLarge> {
        let mut moves: Vec<Edge> = Vec::new();
        for state in self.sets.get(set) {
            moves.extend(self.lts.edges(*state).iter().filter(|e| !e.label.is_tau()));
        }
        moves.sort_unstable();
        let mut buffer = Vec::new();
        for group in moves.chunk_by(|x, y| x.label == y.label) {
            buffer.clear();
            buffer.extend(group.iter().map(|e| e.target));
            let target = self.visit(&mut buffer)?;
            let label = group[0].label;
            edges.push(Edge { label, target });
        }
        Ok(())
    }

    /// The state of the closure of a set, made if need be.
    fn visit(&mut self, set: &mut Vec<State>) -> Result<State, TooLarge> {
        self.closure.close(self.lts, set, Label::is_tau);
        let (id, new) = self.sets.intern(set);
        if new {
            self.limits.check_transitions(self.sets.entries())?;
            let kind = self.kind_of(set);
            self.kind.push(kind);
            let shared = match kind {
                Kind::Error => self.error,
                Kind::End => self.end,
                Kind::Other => None,
            };
            let state = match shared {
                Some(state) => state,
                None => self.new_state(id, kind)?,
            };
            self.state_of_set.push(state);
        }
        Ok(self.state_of_set[id as usize])
    }

    fn new_state(&mut self, set: u32, kind: Kind) -> Result<State, TooLarge> {
        let state = self.limits.next_state(self.states.len())?;
        self.states.push(set);
        match kind {
            Kind::Error => self.error = Some(state),
            Kind::End => self.end = Some(state),
            Kind::Other => {}
        }
        Ok(state)
    }

    fn kind_of(&self, set: &[State]) -> Kind {
        let contains = |s: State| set.binary_search(&s).is_ok();
        if self.lts.error().is_some_and(contains) {
            return Kind::Error;
        }
        let Some(end) = self.lts.end().filter(|s| contains(*s)) else {
            return Kind::Other;
        };
        let only_silent = |s: &State| self.lts.edges(*s).iter().all(|e| e.label.is_tau());
        let passing = |s: &State| *s == end || !self.lts.edges(*s).is_empty();
        if set.iter().all(|s| only_silent(s) && passing(s)) {
            Kind::End
        } else {
            Kind::Other
        }
    }
}
