//! The processes together with the fluents of a claim and what is left of its formula, explored breadth-first.

use rustc_hash::FxHashMap;
use suppose_control::{Context, Event, Stopped};
use suppose_model::Claim;
use suppose_model::lts::{Label, Layout, Network};

use super::letters::{Letters, STOPPED};
use super::residual::TooLarge;
use crate::product::{Product, Scratch};

/// The label of a step of a system that has stopped.
pub(super) const STOP: u32 = u32::MAX;
const EMPTY: u32 = u32::MAX;
const MOST: usize = u32::MAX as usize - 1;
/// Ask the context after this many states.
const ASK_EVERY: usize = 256;
const TELL_EVERY: usize = 1 << 14;

/// Why there is no graph.
#[derive(Debug)]
pub(super) enum Failed {
    Stopped(Stopped),
    TooLarge,
}

impl From<Stopped> for Failed {
    fn from(stopped: Stopped) -> Self {
        Failed::Stopped(stopped)
    }
}

impl From<TooLarge> for Failed {
    fn from(_: TooLarge) -> Self {
        Failed::TooLarge
    }
}

/// The processes of a network, compiled.
pub(super) struct Processes<'a> {
    pub network: &'a Network,
    /// Component numbers, in the order of the slots.
    pub members: Vec<usize>,
    pub product: Product,
}

impl<'a> Processes<'a> {
    pub fn new(network: &'a Network, number: usize) -> Self {
        let claim = Claim::Liveness(number);
        let members = network.processes();
        let environment = network.environment_of(&network.liveness[number]);
        let parts = members.iter().map(|i| &network.components[*i].lts);
        // The environment has one state, which needs no room.
        let parts: Vec<_> = parts.chain(&environment).collect();
        let mut product = Product::new(&parts, None, network.labels.len());
        product.set_priority(network.priority.as_ref(), network.outside(claim));
        Processes {
            network,
            members,
            product,
        }
    }
}

/// A step, seen from its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The label's number, or [`STOP`].
    pub label: u32,
    pub target: u32,
}

impl Edge {
    pub fn action(self) -> Option<Label> {
        (self.label != STOP).then_some(Label(self.label))
    }
}

/// What to do with a state, by what is left there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    Expand,
    /// It has no steps that matter.
    Leaf,
    /// Nothing else matters.
    Halt,
}

/// What is left of the formula, from letter to letter.
pub(crate) trait Track {
    /// At the beginning.
    fn initial(&mut self) -> Result<Vec<u32>, TooLarge>;

    /// After a letter: several if there is a choice.
    fn after(&mut self, left: u32, letter: u32, letters: &Letters) -> Result<Vec<u32>, TooLarge>;

    /// What to do where this is left.
    fn plan(&self, left: u32) -> Plan;
}

/// The states found, in the order of their distance.
pub(super) struct Graph {
    pub stride: usize,
    /// Words of the processes in a record.
    width: usize,
    arena: Vec<u64>,
    parents: Vec<u32>,
    offsets: Vec<u64>,
    edges: Vec<Edge>,
    table: Vec<u32>,
    /// The state at which it halted.
    pub halted: Option<u32>,
}

impl Graph {
    pub fn states(&self) -> usize {
        self.parents.len()
    }

    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    pub fn record(&self, state: u32) -> &[u64] {
        &self.arena[state as usize * self.stride..][..self.stride]
    }

    pub fn fluents(&self, state: u32) -> &[u64] {
        &self.record(state)[self.width..self.stride - 1]
    }

    pub fn left(&self, state: u32) -> u32 {
        self.record(state)[self.stride - 1] as u32
    }

    /// The steps of a state; none of leaves.
    pub fn edges(&self, state: u32) -> &[Edge] {
        let s = state as usize;
        match self.offsets.get(s + 1) {
            Some(end) => &self.edges[self.offsets[s] as usize..*end as usize],
            None => &[],
        }
    }

    /// The number of the letter of a step.
    pub fn letter(&self, edge: Edge, letters: &mut Letters) -> u32 {
        letters.letter(letters.class_of(edge.action()), self.fluents(edge.target))
    }

    /// The states of the processes.
    pub fn process_states<'g>(
        &'g self,
        layout: &'g Layout,
        state: u32,
        processes: usize,
    ) -> impl Iterator<Item = u32> + 'g {
        let record = self.record(state);
        (0..processes).map(move |slot| layout.get(record, slot))
    }

    /// A shortest way from the initial states.
    pub fn path_to(&self, state: u32) -> Vec<Edge> {
        let mut path = Vec::new();
        let mut at = state;
        while self.parents[at as usize] != at {
            let parent = self.parents[at as usize];
            let mut edges = self.edges(parent).iter();
            if let Some(edge) = edges.find(|e| e.target == at) {
                path.push(*edge);
            }
            at = parent;
        }
        path.reverse();
        path
    }

    fn hash(record: &[u64]) -> u64 {
        let mut hash = 0u64;
        for word in record {
            hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        hash ^ hash >> 29
    }

    fn intern(&mut self, record: &[u64], parent: Option<u32>) -> u32 {
        if self.states() * 2 >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = Graph::hash(record) as usize & mask;
        loop {
            match self.table[at] {
                EMPTY => break,
                state if self.record(state) == record => return state,
                _ => at = (at + 1) & mask,
            }
        }
        let state = self.states() as u32;
        self.table[at] = state;
        self.arena.extend_from_slice(record);
        self.parents.push(parent.unwrap_or(state));
        state
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mut table = vec![EMPTY; size];
        for state in 0..self.states() as u32 {
            let mut at = Graph::hash(self.record(state)) as usize & (size - 1);
            while table[at] != EMPTY {
                at = (at + 1) & (size - 1);
            }
            table[at] = state;
        }
        self.table = table;
    }

    /// Bytes that as many states again would take.
    fn bytes(&self) -> u64 {
        (self.arena.len() * 8 + self.edges.len() * 8 + self.table.len() * 4) as u64
    }
}

/// Explores everything that can be reached.
pub(super) fn explore<const W: usize>(
    processes: &Processes<'_>,
    letters: &mut Letters,
    track: &mut dyn Track,
    cx: &Context,
) -> Result<Graph, Failed> {
    let mut it = Exploration::<W> {
        processes,
        letters,
        track,
        memo: FxHashMap::default(),
        scratch: Scratch::default(),
        record: Vec::new(),
        graph: Graph {
            stride: 0,
            width: W,
            arena: Vec::new(),
            parents: Vec::new(),
            offsets: vec![0],
            edges: Vec::new(),
            table: vec![EMPTY; 1 << 10],
            halted: None,
        },
    };
    it.graph.stride = W + it.letters.words() + 1;
    it.run(cx)?;
    Ok(it.graph)
}

struct Exploration<'e, const W: usize> {
    processes: &'e Processes<'e>,
    letters: &'e mut Letters,
    track: &'e mut dyn Track,
    memo: FxHashMap<(u32, u32), Box<[u32]>>,
    scratch: Scratch<W>,
    /// Room for one record.
    record: Vec<u64>,
    graph: Graph,
}

impl<const W: usize> Exploration<'_, W> {
    fn run(&mut self, cx: &Context) -> Result<(), Failed> {
        let mut record = self.processes.product.initial().to_vec();
        record.extend_from_slice(self.letters.initial());
        record.push(0);
        for left in self.track.initial()? {
            record[self.graph.stride - 1] = u64::from(left);
            self.graph.intern(&record, None);
        }
        let mut told = 0;
        let mut next = 0;
        let mut steps: Vec<(Label, [u64; W])> = Vec::new();
        while next < self.graph.states() {
            if next.is_multiple_of(ASK_EVERY) {
                let work = (self.graph.edges.len() + next) as u64 * 8;
                cx.spend_on_states(self.graph.states() as u64, work - told)?;
                told = work;
                cx.reserve(self.graph.bytes() / 4)?;
                if self.graph.states() > MOST {
                    return Err(Stopped::Memory.into());
                }
            }
            if next.is_multiple_of(TELL_EVERY) {
                cx.emit(Event::Explored {
                    states: self.graph.states() as u64,
                    transitions: self.graph.edges.len() as u64,
                });
            }
            let state = next as u32;
            match self.track.plan(self.graph.left(state)) {
                Plan::Expand => self.expand(state, &mut steps)?,
                Plan::Leaf => {}
                Plan::Halt => {
                    self.graph.halted = Some(state);
                    return Ok(());
                }
            }
            self.graph.offsets.push(self.graph.edges.len() as u64);
            next += 1;
        }
        Ok(())
    }

    fn expand(&mut self, state: u32, steps: &mut Vec<(Label, [u64; W])>) -> Result<(), Failed> {
        let mut base = [0; W];
        base.copy_from_slice(&self.graph.record(state)[..W]);
        let errors = &self.processes.network.errors;
        let mut is_error = false;
        steps.clear();
        self.processes
            .product
            .steps(&base, &mut self.scratch, |label, to| {
                is_error |= errors.binary_search(&label).is_ok();
                steps.extend(to.map(|to| (label, to)));
            });
        // A process in its error state stops the whole.
        if is_error {
            steps.clear();
        }
        if steps.is_empty() {
            return self.add(state, STOP, &base, STOPPED);
        }
        for (label, to) in steps.iter() {
            let class = self.letters.class_of(Some(*label));
            self.add(state, label.0, to, class)?;
        }
        Ok(())
    }

    fn add(&mut self, state: u32, label: u32, to: &[u64; W], class: u32) -> Result<(), Failed> {
        let words = self.letters.words();
        let mut record = std::mem::take(&mut self.record);
        record.clear();
        record.extend_from_slice(to);
        record.extend_from_slice(self.graph.fluents(state));
        self.letters.apply(class, &mut record[W..W + words]);
        let letter = self.letters.letter(class, &record[W..W + words]);
        let left = self.graph.left(state);
        if !self.memo.contains_key(&(left, letter)) {
            let after = self.track.after(left, letter, self.letters)?;
            self.memo.insert((left, letter), after.into());
        }
        record.push(0);
        for left in &self.memo[&(left, letter)] {
            record[W + words] = u64::from(*left);
            let target = self.graph.intern(&record, Some(state));
            self.graph.edges.push(Edge { label, target });
        }
        self.record = record;
        Ok(())
    }
}
