//! Several LTSs compiled for fast synchronous exploration.
//!
//! A product has *parts* (components, assumptions) and perhaps a *guarantee*: a deterministic LTS
//! that watches. Parts synchronise on shared labels as LTSA's `||` does; a step whose label the
//! guarantee knows but does not allow is a violation.
//!
//! Layout of the work: for every label one part *leads* (the one that enables it in the fewest
//! of its states), so a state's steps are found by walking the led labels of each part's current
//! state and looking the other participants up in a dense `(state, label)` table of ranges.
//! Targets are stored already shifted into place: a successor is the record with the movers' bits
//! cleared and the targets' bits set.

use suppose_model::lts::{Label, Layout, Lts, Priority};

/// Above this many `(state, label)` cells a part is searched instead of tabulated.
const DENSE_CELLS: usize = 1 << 24;

/// Parts compiled for exploration; see the module's description.
#[derive(Clone, Debug)]
pub struct Product {
    parts: Vec<Part>,
    /// The last part watches instead of taking part.
    guarded: bool,
    actions: Vec<Action>,
    /// For every label of the network, its action; `u32::MAX` when no part has it.
    action_of: Vec<u32>,
    layout: Layout,
    initial: Vec<u64>,
    priority: Option<PriorityFilter>,
    /// Labels that do not count as progress.
    idle: Vec<bool>,
}

/// Who takes part in a label.
#[derive(Clone, Debug)]
struct Action {
    label: Label,
    leader: u32,
    /// The participants besides the leader: part and local label.
    others: Vec<(u32, u32)>,
    /// The label's local number in the guarantee.
    watched: Option<u32>,
}

/// One LTS, with its edges grouped by state and local label (0 is `tau`).
#[derive(Clone, Debug)]
struct Part {
    word: usize,
    shift: u32,
    mask: u64,
    rows: Rows,
    /// Targets, shifted into place, by state and local label.
    targets: Vec<u64>,
    led_offsets: Vec<u32>,
    led: Vec<Controlled>,
}

/// Where the targets of `(state, local label)` are.
#[derive(Clone, Debug)]
enum Rows {
    /// `offsets[state * stride + local]` and the next one.
    Dense { stride: usize, offsets: Vec<u32> },
    /// The local labels of the edges of a state, sorted, to be searched.
    Sparse { offsets: Vec<u32>, locals: Vec<u32> },
}

/// A label a part leads in some state, with its targets there.
#[derive(Clone, Copy, Debug)]
struct Controlled {
    action: u32,
    start: u32,
    end: u32,
}

/// What priority means for a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// Keeps the yielding ones from happening.
    Strong,
    /// Happens only where nothing strong can.
    Yielding,
    /// Is outside priority.
    Exempt,
}

#[derive(Clone, Debug)]
struct PriorityFilter {
    /// By label.
    ranks: Vec<Rank>,
}

/// Buffers for one exploring thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch<const W: usize> {
    current: Vec<u32>,
    choices: Vec<(u32, u32, u32)>,
    steps: Vec<(Label, Option<[u64; W]>)>,
}

impl Rows {
    fn range(&self, state: u32, local: u32) -> (u32, u32) {
        match self {
            Rows::Dense { stride, offsets } => {
                let at = state as usize * stride + local as usize;
                (offsets[at], offsets[at + 1])
            }
            Rows::Sparse { offsets, locals } => {
                let from = offsets[state as usize] as usize;
                let row = &locals[from..offsets[state as usize + 1] as usize];
                let start = row.partition_point(|l| *l < local);
                let len = row[start..].partition_point(|l| *l == local);
                ((from + start) as u32, (from + start + len) as u32)
            }
        }
    }
}

impl Part {
    fn state(&self, record: &[u64]) -> u32 {
        ((record[self.word] >> self.shift) & self.mask) as u32
    }

    fn led(&self, state: u32) -> &[Controlled] {
        let s = state as usize;
        &self.led[self.led_offsets[s] as usize..self.led_offsets[s + 1] as usize]
    }

    /// Fills the tables from an LTS; `leads` says which action a label of this part leads.
    fn fill(&mut self, lts: &Lts, tau_action: u32, leads: impl Fn(Label) -> Option<u32>) {
        let alphabet = lts.alphabet();
        let local = |label: Label| -> u32 {
            match alphabet.binary_search(&label) {
                Ok(at) => at as u32 + 1,
                Err(_) => 0,
            }
        };
        let states = lts.states();
        let stride = alphabet.len() + 1;
        let dense = states.saturating_mul(stride) <= DENSE_CELLS;
        self.targets.clear();
        self.led.clear();
        self.led_offsets.clear();
        let mut offsets = Vec::new();
        let mut locals = Vec::new();
        for state in 0..states as u32 {
            self.led_offsets.push(self.led.len() as u32);
            if !dense {
                offsets.push(self.targets.len() as u32);
            }
            let edges = lts.edges(state);
            let mut next = 0;
            while next < edges.len() {
                let label = edges[next].label;
                let start = self.targets.len() as u32;
                let here = local(label);
                if dense {
                    fill_to(
                        &mut offsets,
                        state as usize * stride + here as usize + 1,
                        start,
                    );
                }
                while next < edges.len() && edges[next].label == label {
                    self.targets
                        .push(u64::from(edges[next].target) << self.shift);
                    if !dense {
                        locals.push(here);
                    }
                    next += 1;
                }
                let end = self.targets.len() as u32;
                let action = if label.is_tau() {
                    Some(tau_action)
                } else {
                    leads(label)
                };
                if let Some(action) = action {
                    self.led.push(Controlled { action, start, end });
                }
            }
            if dense {
                fill_to(
                    &mut offsets,
                    (state as usize + 1) * stride,
                    self.targets.len() as u32,
                );
            }
        }
        self.led_offsets.push(self.led.len() as u32);
        offsets.push(self.targets.len() as u32);
        self.rows = match dense {
            true => Rows::Dense { stride, offsets },
            false => Rows::Sparse { offsets, locals },
        };
    }
}

fn fill_to(offsets: &mut Vec<u32>, len: usize, value: u32) {
    offsets.resize(len.max(offsets.len()), value);
}

/// In how large a share of its states an LTS enables each label of its alphabet, in 1/65536.
fn enabledness(lts: &Lts) -> Vec<u32> {
    let mut counts = vec![0u64; lts.alphabet().len()];
    for state in 0..lts.states() as u32 {
        let mut last = Label::TAU;
        for edge in lts.edges(state) {
            if edge.label != last {
                last = edge.label;
                if let Ok(at) = lts.alphabet().binary_search(&last) {
                    counts[at] += 1;
                }
            }
        }
    }
    let share = |c: u64| ((c << 16) / lts.states() as u64) as u32;
    counts.into_iter().map(share).collect()
}

impl Product {
    /// Compiles parts and perhaps a guarantee. `labels` is the number of labels of the network.
    pub fn new(parts: &[&Lts], guarantee: Option<&Lts>, labels: usize) -> Self {
        let room: Vec<u32> = parts.iter().map(|l| l.states() as u32).collect();
        Product::with_room(parts, &room, guarantee, labels)
    }

    /// The same with slots that hold at least `room[i]` states of part `i`, so that the part may
    /// be replaced by a larger one later.
    pub fn with_room(parts: &[&Lts], room: &[u32], guarantee: Option<&Lts>, labels: usize) -> Self {
        let all: Vec<&Lts> = parts.iter().copied().chain(guarantee).collect();
        let sizes = all.iter().enumerate().map(|(i, l)| {
            let states = l.states() as u32;
            room.get(i).map_or(states, |r| states.max(*r))
        });
        let layout = Layout::new(sizes);
        let layout = layout.clone().padded(round_words(layout.words()));
        let mut product = Product {
            parts: Vec::new(),
            guarded: guarantee.is_some(),
            actions: Vec::new(),
            action_of: vec![u32::MAX; labels],
            initial: vec![0; layout.words()],
            layout,
            priority: None,
            idle: vec![false; labels],
        };
        product.make_actions(&all, labels);
        for (i, lts) in all.iter().enumerate() {
            let (word, shift, mask) = product.layout.place(i);
            product.parts.push(Part {
                word,
                shift,
                mask,
                rows: Rows::Sparse {
                    offsets: Vec::new(),
                    locals: Vec::new(),
                },
                targets: Vec::new(),
                led_offsets: Vec::new(),
                led: Vec::new(),
            });
            product.replace_part(i, lts);
        }
        product
    }

    /// Gives a part another LTS over the same alphabet that fits its slot.
    pub fn replace_part(&mut self, number: usize, lts: &Lts) {
        debug_assert!(self.layout.fits(number, lts.states() as u32 - 1));
        let tau_action = (self.actions.len() - 1) as u32;
        let (actions, action_of) = (&self.actions, &self.action_of);
        let leads = |label: Label| {
            let action = action_of[label.index()];
            (actions[action as usize].leader == number as u32).then_some(action)
        };
        self.parts[number].fill(lts, tau_action, leads);
        self.layout.set(&mut self.initial, number, lts.initial());
    }

    fn make_actions(&mut self, all: &[&Lts], labels: usize) {
        let plain = all.len() - usize::from(self.guarded);
        let shares: Vec<Vec<u32>> = all.iter().map(|l| enabledness(l)).collect();
        let mut participants: Vec<Vec<(u32, u32)>> = vec![Vec::new(); labels];
        for (i, lts) in all.iter().enumerate() {
            for (at, label) in lts.alphabet().iter().enumerate() {
                participants[label.index()].push((i as u32, at as u32 + 1));
            }
        }
        for (label, who) in participants.into_iter().enumerate() {
            if who.is_empty() {
                continue;
            }
            let watched = who.iter().find(|(p, _)| *p as usize >= plain).copied();
            let movers = who.iter().filter(|(p, _)| (*p as usize) < plain);
            let share = |(p, l): &(u32, u32)| shares[*p as usize][*l as usize - 1];
            let leader = movers
                .clone()
                .min_by_key(|m| share(m))
                .map_or(u32::MAX, |m| m.0);
            self.action_of[label] = self.actions.len() as u32;
            self.actions.push(Action {
                label: Label(label as u32),
                leader,
                others: movers.filter(|(p, _)| *p != leader).copied().collect(),
                watched: watched.map(|(_, local)| local),
            });
        }
        self.actions.push(Action {
            label: Label::TAU,
            leader: u32::MAX,
            others: Vec::new(),
            watched: None,
        });
    }

    /// Lets only steps of the highest priority happen, and those with a label that is exempt.
    pub fn set_priority(
        &mut self,
        priority: Option<&Priority>,
        exempt: impl IntoIterator<Item = Label>,
    ) {
        self.priority = priority.map(|p| {
            let (named, others) = match p.low {
                true => (Rank::Yielding, Rank::Strong),
                false => (Rank::Strong, Rank::Yielding),
            };
            let mut ranks = vec![others; self.action_of.len()];
            for label in &p.labels {
                ranks[label.index()] = named;
            }
            for label in exempt {
                ranks[label.index()] = Rank::Exempt;
            }
            PriorityFilter { ranks }
        });
    }

    /// Says of a label that doing it does not keep a state from being a deadlock.
    pub fn set_idle(&mut self, label: Label) {
        self.idle[label.index()] = true;
    }

    /// Is doing that label progress?
    pub fn is_progress(&self, label: Label) -> bool {
        !self.idle[label.index()]
    }

    /// Labels that only the guarantee has: nobody leads them, they may happen at any time.
    fn free_actions(&self) -> impl Iterator<Item = &Action> {
        let free = |a: &&Action| a.leader == u32::MAX && !a.label.is_tau();
        self.actions.iter().filter(free)
    }

    /// Where the slots lie: the parts in order, then the guarantee.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The record of initial states.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// Calls `visit` for every step of a state: its label, and where it goes (none: a violation).
    pub fn steps<const W: usize>(
        &self,
        record: &[u64; W],
        scratch: &mut Scratch<W>,
        mut visit: impl FnMut(Label, Option<[u64; W]>),
    ) {
        let Some(filter) = &self.priority else {
            return self.all_steps(record, scratch, visit);
        };
        let mut steps = std::mem::take(&mut scratch.steps);
        steps.clear();
        self.all_steps(record, scratch, |label, to| steps.push((label, to)));
        let rank = |label: Label| filter.ranks[label.index()];
        let any_strong = steps.iter().any(|(label, _)| rank(*label) == Rank::Strong);
        for (label, to) in &steps {
            if !any_strong || rank(*label) != Rank::Yielding {
                visit(*label, *to);
            }
        }
        scratch.steps = steps;
    }

    #[inline]
    fn all_steps<const W: usize>(
        &self,
        record: &[u64; W],
        scratch: &mut Scratch<W>,
        mut visit: impl FnMut(Label, Option<[u64; W]>),
    ) {
        let Scratch {
            current, choices, ..
        } = scratch;
        current.clear();
        current.extend(self.parts.iter().map(|p| p.state(record)));
        let movers = self.parts.len() - usize::from(self.guarded);
        let watcher = if self.guarded {
            self.parts.last()
        } else {
            None
        };
        for (number, part) in self.parts[..movers].iter().enumerate() {
            'led: for led in part.led(current[number]) {
                let action = &self.actions[led.action as usize];
                let mut base = *record;
                base[part.word] &= !(part.mask << part.shift);
                choices.clear();
                match led.end - led.start {
                    1 => base[part.word] |= part.targets[led.start as usize],
                    _ => choices.push((number as u32, led.start, led.end)),
                }
                for (other, local) in &action.others {
                    let q = &self.parts[*other as usize];
                    let (start, end) = q.rows.range(current[*other as usize], *local);
                    if start == end {
                        continue 'led;
                    }
                    base[q.word] &= !(q.mask << q.shift);
                    match end - start {
                        1 => base[q.word] |= q.targets[start as usize],
                        _ => choices.push((*other, start, end)),
                    }
                }
                if let (Some(w), Some(local)) = (watcher, action.watched) {
                    let (start, end) = w.rows.range(current[movers], local);
                    if start == end {
                        visit(action.label, None);
                        continue 'led;
                    }
                    base[w.word] &= !(w.mask << w.shift);
                    base[w.word] |= w.targets[start as usize];
                }
                match choices.is_empty() {
                    true => visit(action.label, Some(base)),
                    false => self.choose(choices, base, |to| visit(action.label, Some(to))),
                }
            }
        }
        if let Some(w) = watcher {
            self.free_steps(w, current[movers], record, visit);
        }
    }

    fn free_steps<const W: usize>(
        &self,
        watcher: &Part,
        state: u32,
        record: &[u64; W],
        mut visit: impl FnMut(Label, Option<[u64; W]>),
    ) {
        for action in self.free_actions() {
            let (start, end) = watcher.rows.range(state, action.watched.unwrap_or(0));
            let mut to = *record;
            to[watcher.word] &= !(watcher.mask << watcher.shift);
            if start < end {
                to[watcher.word] |= watcher.targets[start as usize];
            }
            visit(action.label, (start < end).then_some(to));
        }
    }

    /// Every combination of the participants' targets.
    #[cold]
    fn choose<const W: usize>(
        &self,
        choices: &[(u32, u32, u32)],
        base: [u64; W],
        mut visit: impl FnMut([u64; W]),
    ) {
        let mut at: Vec<u32> = choices.iter().map(|c| c.1).collect();
        loop {
            let mut to = base;
            for (choice, target) in choices.iter().zip(&at) {
                let part = &self.parts[choice.0 as usize];
                to[part.word] |= part.targets[*target as usize];
            }
            visit(to);
            let mut digit = 0;
            loop {
                if digit == at.len() {
                    return;
                }
                at[digit] += 1;
                if at[digit] < choices[digit].2 {
                    break;
                }
                at[digit] = choices[digit].1;
                digit += 1;
            }
        }
    }
}

/// Record widths that [`crate::with_width`] knows.
pub const WIDTHS: [usize; 7] = [1, 2, 3, 4, 8, 32, 256];

/// The smallest known record width that is enough (or the width itself past the largest).
fn round_words(words: usize) -> usize {
    WIDTHS
        .iter()
        .copied()
        .find(|w| *w >= words)
        .unwrap_or(words)
}

/// Calls a function generic over the record width with the width of a product.
#[macro_export]
macro_rules! with_width {
    ($words:expr, $function:ident ( $($argument:expr),* ), else $otherwise:expr) => {
        match $words {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            8 => $function::<8>($($argument),*),
            32 => $function::<32>($($argument),*),
            256 => $function::<256>($($argument),*),
            _ => $otherwise,
        }
    };
}

/// The initial state of every component.
pub(crate) fn initial_states(network: &suppose_model::lts::Network) -> Vec<u32> {
    let initial = |c: &suppose_model::lts::Component| c.lts.initial();
    network.components.iter().map(initial).collect()
}
