//! The process whose requirement is wanted, as the fixpoints see it.
//!
//! Labels that the process shares with the environment or the property are its *channels*; its
//! other steps (`tau` and labels nobody else knows) are *private*: the environment stays where it
//! is. Channel 0 is private; to an environment's edge it means that the process stays.

use suppose_control::{Context, Stopped};
use suppose_model::Reason;
use suppose_model::lts::{Label, Layout, Lts, LtsBuilder, Network, PackedStates};

use super::sets::{Sets, contains, insert, ones, unite};
use crate::explore::{Exploration, Goal};
use crate::product::{Product, Scratch};
use crate::with_width;

/// Edges of one channel from each state that has some. Where a state's edges begin is found by its
/// rank in the set of these states, which is kept elsewhere.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// For every word of that set, how many states come before it.
    ranks: Vec<u32>,
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Rows {
    /// From pairs that are sorted and without duplicates, and the set of their first elements.
    fn new(pairs: &[(u32, u32)], sources: &[u64]) -> Self {
        let mut rows = Rows::default();
        if pairs.is_empty() {
            return rows;
        }
        let mut before = 0;
        for word in sources {
            rows.ranks.push(before);
            before += word.count_ones();
        }
        let mut last = None;
        for (source, target) in pairs {
            if last.replace(*source) != Some(*source) {
                rows.starts.push(rows.targets.len() as u32);
            }
            rows.targets.push(*target);
        }
        rows.starts.push(rows.targets.len() as u32);
        rows
    }

    /// The edges of a state that is in the set of sources.
    fn of(&self, sources: &[u64], source: u32) -> &[u32] {
        let word = source as usize / 64;
        let below = sources[word] & ((1 << (source % 64)) - 1);
        let at = (self.ranks[word] + below.count_ones()) as usize;
        &self.targets[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Which way edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// A process (or a quotient of it) in rows by channel.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub states: usize,
    pub initial: u32,
    /// (channel, source, target), sorted, without duplicates and private loops.
    edges: Vec<(u32, u32, u32)>,
    forward: Vec<Rows>,
    backward: Vec<Rows>,
    /// Row `c`: the states with an edge on channel `c`.
    offers: Sets,
    /// Row `c`: the states that an edge on channel `c` leads to.
    reached: Sets,
}

impl Process {
    pub fn new(
        states: usize,
        initial: u32,
        channels: usize,
        mut edges: Vec<(u32, u32, u32)>,
    ) -> Self {
        edges.retain(|(channel, source, target)| *channel != 0 || source != target);
        edges.sort_unstable();
        edges.dedup();
        let mut it = Process {
            states,
            initial,
            forward: Vec::new(),
            backward: Vec::new(),
            offers: Sets::new(channels, states),
            reached: Sets::new(channels, states),
            edges,
        };
        let mut rest = &it.edges[..];
        for channel in 0..channels {
            let count = rest.partition_point(|e| e.0 as usize == channel);
            let (mine, others) = rest.split_at(count);
            rest = others;
            let mut pairs: Vec<(u32, u32)> = mine.iter().map(|e| (e.1, e.2)).collect();
            for pair in &pairs {
                insert(it.offers.row_mut(channel), pair.0);
                insert(it.reached.row_mut(channel), pair.1);
            }
            it.forward.push(Rows::new(&pairs, it.offers.row(channel)));
            for pair in &mut pairs {
                *pair = (pair.1, pair.0);
            }
            pairs.sort_unstable();
            it.backward.push(Rows::new(&pairs, it.reached.row(channel)));
        }
        it
    }

    pub fn channels(&self) -> usize {
        self.forward.len()
    }

    pub fn has_private(&self) -> bool {
        self.edges.first().is_some_and(|e| e.0 == 0)
    }

    /// The states with an edge on that channel.
    pub fn offers(&self, channel: u32) -> &[u64] {
        self.offers.row(channel as usize)
    }

    /// Adds the states that edges on a channel lead to (or, backward, come from).
    pub fn image(&self, way: Direction, channel: u32, set: &[u64], into: &mut [u64]) {
        let (rows, from) = match way {
            Direction::Forward => (&self.forward, &self.offers),
            Direction::Backward => (&self.backward, &self.reached),
        };
        let (rows, from) = (&rows[channel as usize], from.row(channel as usize));
        for (at, (word, mask)) in set.iter().zip(from).enumerate() {
            let mut rest = word & mask;
            while rest != 0 {
                let state = at as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                for target in rows.of(from, state) {
                    insert(into, *target);
                }
            }
        }
    }

    /// Adds what private steps lead to (or come from).
    pub fn close(&self, way: Direction, set: &mut [u64]) {
        let nothing = vec![0; set.len()];
        self.close_from(way, set, &nothing);
    }

    /// The same where a part of the set is closed already.
    pub fn close_from(&self, way: Direction, set: &mut [u64], closed: &[u64]) {
        if !self.has_private() {
            return;
        }
        let (rows, from) = match way {
            Direction::Forward => (&self.forward[0], self.offers.row(0)),
            Direction::Backward => (&self.backward[0], self.reached.row(0)),
        };
        let mut open: Vec<u32> = Vec::new();
        for (at, word) in set.iter().enumerate() {
            let mut rest = word & !closed[at] & from[at];
            while rest != 0 {
                open.push(at as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        while let Some(state) = open.pop() {
            for target in rows.of(from, state) {
                if insert(set, *target) && contains(from, *target) {
                    open.push(*target);
                }
            }
        }
    }

    /// The quotient by a class map onto `0..classes`.
    pub fn quotient(&self, class_of: &[u32], classes: usize) -> Process {
        let class = |s: u32| class_of[s as usize];
        let edges = self.edges.iter();
        let edges = edges.map(|(c, s, t)| (*c, class(*s), class(*t)));
        Process::new(
            classes,
            class(self.initial),
            self.channels(),
            edges.collect(),
        )
    }

    /// As an LTS: private steps are `tau`.
    pub fn to_lts(&self, name: &str, labels: &[Label]) -> Lts {
        let mut builder = LtsBuilder::new(name);
        builder
            .states(self.states as u32)
            .initial(self.initial)
            .extend_alphabet(labels[1..].iter().copied());
        for (channel, source, target) in &self.edges {
            builder.edge(*source, labels[*channel as usize], *target);
        }
        builder.build()
    }

    /// The same behaviour without private steps: a channel's edge may be preceded by some. With
    /// it, for every state here, its number there, if it is initial or entered on a channel.
    pub fn without_private(&self) -> (Process, Vec<Option<u32>>) {
        let mut entered = vec![0; self.states.div_ceil(64).max(1)];
        for channel in 1..self.channels() {
            unite(&mut entered, self.reached.row(channel));
        }
        insert(&mut entered, self.initial);
        let mut number = vec![None; self.states];
        for (new, old) in ones(&entered).enumerate() {
            number[old as usize] = Some(new as u32);
        }
        let mut edges = Vec::new();
        for (source, old) in ones(&entered).enumerate() {
            let mut set = vec![0; entered.len()];
            insert(&mut set, old);
            self.close(Direction::Forward, &mut set);
            for channel in 1..self.channels() as u32 {
                let mut targets = vec![0; entered.len()];
                self.image(Direction::Forward, channel, &set, &mut targets);
                let new = |t: u32| number[t as usize].unwrap_or(0);
                edges.extend(ones(&targets).map(|t| (channel, source as u32, new(t))));
            }
        }
        let initial = number[self.initial as usize].unwrap_or(0);
        let states = ones(&entered).count();
        let it = Process::new(states, initial, self.channels(), edges);
        (it, number)
    }
}

/// The components of the process, composed.
#[derive(Clone, Debug)]
pub(super) struct Composed {
    /// States in breadth-first order, labels those of the network.
    pub lts: Lts,
    /// The components' states of every state.
    pub vectors: PackedStates,
    /// How many states each component has.
    pub sizes: Vec<u32>,
}

/// Composes the components of the process, up to that many states.
pub(super) fn compose(
    network: &Network,
    group: &[usize],
    most: u64,
    cx: &Context,
) -> Result<Composed, Reason> {
    let parts: Vec<&Lts> = group.iter().map(|i| &network.components[*i].lts).collect();
    let product = Product::new(&parts, None, network.labels.len());
    let name = group.iter().map(|i| network.components[*i].lts.name());
    let name = name.collect::<Vec<_>>().join(" || ");
    let words = product.layout().words();
    with_width!(words, compose_wide(&product, &parts, &name, most, cx), else {
        Err(Reason::Unsupported(super::TOO_WIDE.to_owned()))
    })
}

fn compose_wide<const W: usize>(
    product: &Product,
    parts: &[&Lts],
    name: &str,
    most: u64,
    cx: &Context,
) -> Result<Composed, Reason> {
    let mut exploration = Exploration::<W>::new(product);
    let limited = cx.with_state_limit(most);
    match exploration.run(product, Goal::Violations, &limited) {
        Err(Stopped::Superseded) if exploration.states() as u64 > most => {
            let why = format!("the process has more than {most} states");
            return Err(Reason::Unsupported(why));
        }
        other => other?,
    };
    let mut builder = LtsBuilder::new(name);
    builder.states(exploration.states() as u32).initial(0);
    for part in parts {
        builder.extend_alphabet(part.alphabet().iter().copied());
    }
    let mut scratch = Scratch::default();
    for state in 0..exploration.states() as u32 {
        if state.is_multiple_of(256) {
            cx.check()?;
        }
        let record = exploration.record(state);
        product.steps(&record, &mut scratch, |label, to| {
            if let Some(target) = to.and_then(|to| exploration.find(&to)) {
                builder.edge(state, label, target);
            }
        });
        if let [part] = parts
            && let Some(name) = part.given_name(product.layout().get(&record, 0))
        {
            builder.state_name(state, name);
        }
    }
    let vectors = exploration.into_states(product);
    Ok(Composed {
        lts: builder.build(),
        vectors,
        sizes: parts.iter().map(|p| p.states() as u32).collect(),
    })
}

impl Composed {
    /// The states of the components in a state.
    pub fn vector(&self, state: u32) -> Vec<u32> {
        let layout: &Layout = self.vectors.layout();
        layout.unpack(self.vectors.record(state as usize))
    }
}
