//! The abstract environment with the property, as far as the process can drive it.
//!
//! A state is expanded only once the process may be in some state there: an environment alone,
//! without the process that keeps it in order, is often far larger than the whole system. Targets of
//! edges that the process never offers are known but not expanded. Where the part left out is
//! small, it is added, since the backward fixpoint must take the worst of what it does not see.

use hashbrown::HashTable;
use suppose_control::{Context, Event};
use suppose_model::Reason;
use suppose_model::lts::{Label, Layout, Lts};

use super::abstraction::Member;
use super::process::{Direction, Process};
use super::sets::{Sets, insert, is_empty, is_subset, unite};
use crate::product::{Product, Scratch};
use crate::with_width;

/// The target of a step that the property does not allow.
pub(super) const ERROR: u32 = u32::MAX;

/// Ask the context after about so many words of sets or edges.
const ASK_EVERY: usize = 1 << 14;

/// A step of the abstract environment with the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    /// What the process does along with it; 0: nothing.
    pub channel: u32,
    pub label: Label,
    /// A state, or [`ERROR`].
    pub target: u32,
}

/// What was explored.
#[derive(Clone, Debug)]
pub(super) struct Region {
    layout: Layout,
    arena: Vec<u64>,
    table: HashTable<u32>,
    /// The edges of every expanded state, sorted.
    spans: Vec<Option<(u32, u32)>>,
    pub edges: Vec<Edge>,
    /// The states the process may be in (the label VF of the paper on the may-edges).
    pub upper: Sets,
    pub transitions: u64,
    /// The labels of the environment and the property.
    known: Vec<bool>,
    channel_of: Vec<u32>,
    product: Product,
}

/// What to explore.
pub(super) struct Scene<'a> {
    pub members: &'a [Member<'a>],
    pub property: &'a Lts,
    pub process: &'a Process,
    /// The channel of every label of the network; 0 if the process does not have it.
    pub channel_of: &'a [u32],
    /// Give up past so many states.
    pub most: usize,
}

impl Region {
    /// Explores; beyond what the process can drive, up to `slack` times as many states. None if
    /// there are more states than wanted.
    pub fn explore(scene: &Scene<'_>, slack: usize, cx: &Context) -> Result<Option<Self>, Reason> {
        let parts: Vec<&Lts> = scene.members.iter().map(|m| &m.may).collect();
        let labels = scene.channel_of.len();
        let product = Product::new(&parts, Some(scene.property), labels);
        let words = product.layout().words();
        with_width!(words, explore_wide(product, scene, slack, cx), else {
            Err(Reason::Unsupported(super::TOO_WIDE.to_owned()))
        })
    }

    /// Finds the edges of a state that has none yet.
    pub fn expand(&mut self, state: usize) {
        let words = self.layout.words();
        // Wider records are refused before there is a region.
        with_width!(words, expand_once(self, state), else ());
    }

    fn intern<const W: usize>(&mut self, record: &[u64; W]) -> u32 {
        let hash_now = hash(record);
        let Region { arena, table, .. } = self;
        let same = |s: &u32| arena[*s as usize * W..][..W] == record[..];
        if let Some(found) = table.find(hash_now, same) {
            return *found;
        }
        let number = self.spans.len() as u32;
        arena.extend_from_slice(record);
        table.insert_unique(hash_now, number, |s| hash(&arena[*s as usize * W..][..W]));
        self.spans.push(None);
        self.upper.push();
        number
    }

    fn expand_wide<const W: usize>(&mut self, state: usize, scratch: &mut Scratch<W>) {
        let mut record = [0; W];
        record.copy_from_slice(&self.arena[state * W..][..W]);
        let mut steps = Vec::new();
        self.product
            .steps(&record, scratch, |label, to| steps.push((label, to)));
        let mut edges = Vec::with_capacity(steps.len());
        for (label, to) in steps {
            let channel = self.channel_of[label.index()];
            let target = to.map_or(ERROR, |to| self.intern(&to));
            if channel != 0 || target as usize != state {
                edges.push(Edge {
                    channel,
                    label,
                    target,
                });
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let from = self.edges.len() as u32;
        self.edges.extend_from_slice(&edges);
        self.transitions += edges.len() as u64;
        self.spans[state] = Some((from, self.edges.len() as u32));
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn is_expanded(&self, state: usize) -> bool {
        self.spans[state].is_some()
    }

    /// The numbers of the edges of a state.
    pub fn edges_of(&self, state: usize) -> std::ops::Range<usize> {
        self.spans[state].map_or(0..0, |(from, to)| from as usize..to as usize)
    }

    /// Is a step of the process with that label one that nobody else sees?
    pub fn is_private(&self, label: Label) -> bool {
        !self.known[label.index()]
    }

    /// The class of a member (or the property's state, last) in a state.
    pub fn slot(&self, state: usize, slot: usize) -> u32 {
        let words = self.layout.words();
        self.layout.get(&self.arena[state * words..][..words], slot)
    }

    /// The state with those slots, if it was found.
    pub fn find(&self, values: impl Iterator<Item = u32>) -> Option<u32> {
        let mut record = vec![0; self.layout.words()];
        for (slot, value) in values.enumerate() {
            if !self.layout.fits(slot, value) {
                return None;
            }
            self.layout.set(&mut record, slot, value);
        }
        let words = record.len();
        let found = self.table.find(hash(&record), |s| {
            self.arena[*s as usize * words..][..words] == record[..]
        });
        found.copied()
    }

    /// The participants whose edge an edge is made of: member, and its edge (to any class, when it is an error).
    pub fn movers(
        &self,
        members: &[Member<'_>],
        source: usize,
        edge: &Edge,
    ) -> Vec<(usize, u32, Option<u32>)> {
        let mut movers = Vec::new();
        for (slot, member) in members.iter().enumerate() {
            let from = self.slot(source, slot);
            let to = match edge.target {
                ERROR => None,
                target => Some(self.slot(target as usize, slot)),
            };
            let moves = match edge.label.is_tau() {
                true => to != Some(from),
                false => member.lts.has_label(edge.label),
            };
            if moves {
                movers.push((slot, from, to));
            }
        }
        movers
    }
}

fn known(scene: &Scene<'_>) -> Vec<bool> {
    let mut known = vec![false; scene.channel_of.len()];
    let all = scene.members.iter().map(|m| m.lts).chain([scene.property]);
    for label in all.flat_map(|lts| lts.alphabet()) {
        known[label.index()] = true;
    }
    known
}

struct Explorer<'a, const W: usize> {
    scene: &'a Scene<'a>,
    region: Region,
    scratch: Scratch<W>,
    done: Sets,
    queue: std::collections::VecDeque<u32>,
    queued: Vec<bool>,
    work: usize,
}

fn expand_once<const W: usize>(region: &mut Region, state: usize) {
    region.expand_wide::<W>(state, &mut Scratch::default());
}

fn explore_wide<const W: usize>(
    product: Product,
    scene: &Scene<'_>,
    slack: usize,
    cx: &Context,
) -> Result<Option<Region>, Reason> {
    let mut initial = [0; W];
    initial.copy_from_slice(product.initial());
    let states = scene.process.states;
    let mut explorer = Explorer::<W> {
        scene,
        region: Region {
            layout: product.layout().clone(),
            arena: Vec::new(),
            table: HashTable::new(),
            spans: Vec::new(),
            edges: Vec::new(),
            upper: Sets::new(0, states),
            transitions: 0,
            known: known(scene),
            channel_of: scene.channel_of.to_vec(),
            product,
        },
        scratch: Scratch::default(),
        done: Sets::new(0, states),
        queue: std::collections::VecDeque::new(),
        queued: Vec::new(),
        work: 0,
    };
    explorer.region.intern(&initial);
    explorer.queued.push(false);
    explorer.done.push();
    insert(explorer.region.upper.row_mut(0), scene.process.initial);
    explorer.enqueue(0);
    if !explorer.drive(cx)? {
        return Ok(None);
    }
    explorer.widen(slack, cx)?;
    Ok(Some(explorer.region))
}

impl<const W: usize> Explorer<'_, W> {
    fn enqueue(&mut self, state: u32) {
        if !std::mem::replace(&mut self.queued[state as usize], true) {
            self.queue.push_back(state);
        }
    }

    fn ask(&mut self, cx: &Context, more: usize) -> Result<(), Reason> {
        self.work += more + 64;
        if self.work < ASK_EVERY {
            return Ok(());
        }
        let work = std::mem::take(&mut self.work) as u64;
        let states = self.region.len();
        cx.spend_on_states(states as u64, work)?;
        if states >= (ERROR - 1) as usize || self.region.edges.len() >= ERROR as usize {
            return Err(Reason::Memory);
        }
        // Everything grows by doubling: what is held now may be asked for once more.
        let words = 2 * self.region.upper.row(0).len() + W + 4;
        cx.reserve((states * words * 8 + self.region.edges.len() * 12) as u64)?;
        cx.emit(Event::Explored {
            states: states as u64,
            transitions: self.region.transitions,
        });
        Ok(())
    }

    fn expand(&mut self, state: usize) {
        self.region.expand_wide(state, &mut self.scratch);
        self.queued.resize(self.region.len(), false);
        while self.done.len() < self.region.len() {
            self.done.push();
        }
    }

    /// The least labels that contain the initial states and are closed under all steps. False if
    /// there are too many states.
    fn drive(&mut self, cx: &Context) -> Result<bool, Reason> {
        let words = self.region.upper.row(0).len();
        let (mut image, mut new) = (vec![0; words], vec![0; words]);
        while let Some(state) = self.queue.pop_front() {
            let state = state as usize;
            self.queued[state] = false;
            if !self.region.is_expanded(state) {
                if self.region.len() > self.scene.most {
                    return Ok(false);
                }
                self.expand(state);
            }
            self.ask(cx, words)?;
            let process = self.scene.process;
            let (upper, done) = (self.region.upper.row_mut(state), self.done.row_mut(state));
            process.close_from(Direction::Forward, upper, done);
            for ((word, all), old) in new.iter_mut().zip(upper).zip(done) {
                *word = *all & !*old;
                *old = *all;
            }
            let mut last = 0;
            for number in self.region.edges_of(state) {
                let edge = self.region.edges[number];
                if edge.channel != last {
                    last = edge.channel;
                    image.fill(0);
                    process.image(Direction::Forward, last, &new, &mut image);
                    self.ask(cx, words)?;
                }
                let set = if last == 0 { &new } else { &image };
                if edge.target == ERROR || is_empty(set) {
                    continue;
                }
                if !is_subset(set, self.region.upper.row(edge.target as usize)) {
                    unite(self.region.upper.row_mut(edge.target as usize), set);
                    self.enqueue(edge.target);
                }
            }
        }
        Ok(true)
    }

    /// Expands what the process offers somewhere, wherever the environment is, if that is not
    /// much more.
    fn widen(&mut self, slack: usize, cx: &Context) -> Result<(), Reason> {
        let driven = (0..self.region.len()).filter(|s| self.region.is_expanded(*s));
        let most = driven.count().saturating_add(16).saturating_mul(slack);
        let most = most.min(self.scene.most);
        let mut open: Vec<u32> = Vec::new();
        for state in (0..self.region.len()).filter(|s| self.region.is_expanded(*s)) {
            open.extend(self.offered(state));
        }
        while let Some(state) = open.pop() {
            let state = state as usize;
            if self.region.is_expanded(state) {
                continue;
            }
            if self.region.len() > most {
                return Ok(());
            }
            self.expand(state);
            self.ask(cx, W)?;
            open.extend(self.offered(state));
        }
        Ok(())
    }

    /// Where edges go that the process offers in some state of its own.
    fn offered(&self, state: usize) -> impl Iterator<Item = u32> + '_ {
        let edges = self.region.edges[self.region.edges_of(state)].iter();
        let process = self.scene.process;
        edges
            .filter(|e| e.target != ERROR)
            .filter(|e| e.channel == 0 || !is_empty(process.offers(e.channel)))
            .map(|e| e.target)
    }
}

fn hash(record: &[u64]) -> u64 {
    let mut h = 0u64;
    for word in record {
        h = (h ^ *word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        h ^= h >> 32;
    }
    h = h.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h ^ (h >> 29)
}
