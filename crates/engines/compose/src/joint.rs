//! All claims about the whole composition in one exploration.
//!
//! The steps of the components do not depend on the properties, so the states of the components are
//! explored once, breadth-first, with a row of bits for each of them: the states in which each property can
//! be by then. A row that grows after its state was expanded has the state expanded again. Every property
//! so gets at most the pairs that an exploration of its own would find, and two properties whose
//! states do not follow from those of the components do not multiply, as they would in a product.

use std::sync::Arc;
use std::time::Instant;

use suppose_control::{Context, Event, Stopped};
use suppose_model::lts::{Label, Network, State};
use suppose_model::{
    Answer, Certificate, Claim, Column, Guarantee, Premise, Reason, Relation, Run, SharedRelation,
    Verdict,
};

use crate::explore::{Exploration, Goal};
use crate::monolithic::{self, Whole};
use crate::product::Scratch;
use crate::with_width;

/// Rows do not get wider than so many bits: what does not fit is explored by itself.
const MOST_BITS: usize = 512;
/// Ask the context after this many states.
const ASK_EVERY: usize = 256;

/// Decides claims by exploring the whole composition, as many together as fit. `tell` gets each
/// answer as soon as it is known (those that share a relation together); `wanted` is asked now and then whether a claim is still of interest, and one that
/// is not gets no answer.
pub fn check(
    network: &Network,
    claims: &[Claim],
    cx: &Context,
    wanted: &dyn Fn(Claim) -> bool,
    tell: &mut dyn FnMut(Vec<Answer>),
) {
    decide(network, claims, false, cx, wanted, tell);
}

/// The same; if asked to, says now and then how much is probably left ([`Event::Forecast`]).
pub(crate) fn decide(
    network: &Network,
    claims: &[Claim],
    foresees: bool,
    cx: &Context,
    wanted: &dyn Fn(Claim) -> bool,
    tell: &mut dyn FnMut(Vec<Answer>),
) {
    let alike = alike(network, claims);
    for batch in alike.iter().flat_map(|claims| batches(network, claims)) {
        let batch: Vec<Claim> = batch.into_iter().filter(|c| wanted(*c)).collect();
        match batch.as_slice() {
            [] => {}
            [only] => tell(vec![monolithic::decide(network, *only, foresees, cx)]),
            several => together(network, several, foresees, cx, wanted, tell),
        }
    }
}

/// The claims in groups that see the same steps: which labels are outside priority may depend on the claim.
fn alike(network: &Network, claims: &[Claim]) -> Vec<Vec<Claim>> {
    if network.priority.is_none() {
        return vec![claims.to_vec()];
    }
    let mut groups: Vec<(Vec<Label>, Vec<Claim>)> = Vec::new();
    for claim in claims {
        let outside = network.outside(*claim);
        match groups.iter_mut().find(|(labels, _)| *labels == outside) {
            Some((_, group)) => group.push(*claim),
            None => groups.push((outside, vec![*claim])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// How many states the whole composition has, if at most so many. No property is looked at.
pub fn size_within(network: &Network, most: u64) -> Option<u64> {
    let whole = Whole::of_all(network, Claim::DeadlockFree);
    let words = whole.product.layout().words();
    with_width!(words, ends_within(&whole, most), else None)
}

fn ends_within<const W: usize>(whole: &Whole<'_>, most: u64) -> Option<u64> {
    let mut exploration = Exploration::<W>::new(&whole.product);
    let cx = Context::default().with_state_limit(most);
    let ended = exploration.run(&whole.product, Goal::Violations, &cx);
    let states = exploration.states() as u64;
    (ended.is_ok() && states <= most).then_some(states)
}

/// The claims in groups whose rows are narrow enough. Deadlock needs no bits.
fn batches(network: &Network, claims: &[Claim]) -> Vec<Vec<Claim>> {
    let mut batches: Vec<Vec<Claim>> = vec![Vec::new()];
    let mut alone = Vec::new();
    let mut used = 0;
    for claim in claims {
        let bits = match claim {
            Claim::DeadlockFree => 0,
            Claim::Property(p) => network.properties[*p].lts.states(),
            Claim::Liveness(_) => usize::MAX,
        };
        if bits > MOST_BITS {
            alone.push(vec![*claim]);
            continue;
        }
        if used + bits > MOST_BITS {
            batches.push(Vec::new());
            used = 0;
        }
        used += bits;
        if let Some(last) = batches.last_mut() {
            last.push(*claim);
        }
    }
    batches.extend(alone);
    batches
}

fn together(
    network: &Network,
    claims: &[Claim],
    foresees: bool,
    cx: &Context,
    wanted: &dyn Fn(Claim) -> bool,
    tell: &mut dyn FnMut(Vec<Answer>),
) {
    cx.emit(Event::Phase("exploring the whole system".to_owned()));
    let whole = Whole::of_all(network, claims[0]);
    let words = whole.product.layout().words();
    let mut joint = Joint {
        begun: Instant::now(),
        rows: Rows::new(network, claims),
        open: claims.to_vec(),
        whole: &whole,
        wanted,
        tell,
        cx,
    };
    with_width!(words, run(&mut joint, foresees), else {
        let why = format!("a state of this system takes {words} words of 64 bits, more than the engine packs");
        joint.give_up(&Reason::Unsupported(why), 0, 0)
    });
}

/// What is still open, and whom to tell.
struct Joint<'a, 'n> {
    begun: Instant,
    whole: &'a Whole<'n>,
    rows: Rows,
    open: Vec<Claim>,
    wanted: &'a dyn Fn(Claim) -> bool,
    tell: &'a mut dyn FnMut(Vec<Answer>),
    cx: &'a Context,
}

fn run<const W: usize>(joint: &mut Joint<'_, '_>, foresees: bool) {
    let mut exploration = Exploration::<W>::new(&joint.whole.product);
    if foresees {
        exploration.foresee();
    }
    joint.rows.begin();
    let mut scratch = Scratch::default();
    let mut again = Again::default();
    let result = joint
        .explore(&mut exploration, &mut again, &mut scratch)
        .and_then(|()| joint.settle(&mut exploration, &mut again, &mut scratch));
    let (states, transitions) = (exploration.states() as u64, exploration.transitions());
    match result {
        Err(stopped) => joint.give_up(&stopped.into(), states, transitions),
        Ok(()) if joint.open.is_empty() => {}
        Ok(()) => joint.prove(exploration),
    }
}

/// States to be expanded again, because their rows have grown.
#[derive(Default)]
struct Again {
    waits: Vec<bool>,
    count: usize,
}

impl Again {
    fn add(&mut self, state: u32) {
        let at = state as usize;
        if self.waits.len() <= at {
            self.waits.resize(at + 1, false);
        }
        self.count += usize::from(!std::mem::replace(&mut self.waits[at], true));
    }

    fn take(&mut self, at: usize) -> bool {
        let was = std::mem::take(&mut self.waits[at]);
        self.count -= usize::from(was);
        was
    }
}

impl Joint<'_, '_> {
    /// Expands every state once, in the order in which they are found.
    fn explore<const W: usize>(
        &mut self,
        exploration: &mut Exploration<W>,
        again: &mut Again,
        scratch: &mut Scratch<W>,
    ) -> Result<(), Stopped> {
        while let Some(state) = exploration.next_state() {
            if (state as usize).is_multiple_of(ASK_EVERY) {
                self.ask(exploration)?;
                if self.open.is_empty() {
                    return Ok(());
                }
                exploration.tell_forecast(&self.whole.product, scratch, self.cx);
            }
            let progress = self.expand(exploration, state, again, scratch)?;
            let asked = self.open.contains(&Claim::DeadlockFree);
            if asked && !progress && !self.whole.is_end(&exploration.record(state)) {
                let path = exploration.path_to(&self.whole.product, state);
                let found = self.whole.run_along(Claim::DeadlockFree, &path, None);
                let sizes = (exploration.states() as u64, exploration.transitions());
                self.answer(Claim::DeadlockFree, Verdict::Violated(found), sizes);
            }
        }
        Ok(())
    }

    /// Expands states again until no row grows any more.
    fn settle<const W: usize>(
        &mut self,
        exploration: &mut Exploration<W>,
        again: &mut Again,
        scratch: &mut Scratch<W>,
    ) -> Result<(), Stopped> {
        let mut expanded = 0usize;
        while again.count > 0 && !self.open.is_empty() {
            for state in 0..again.waits.len() {
                if !again.take(state) {
                    continue;
                }
                if expanded.is_multiple_of(ASK_EVERY) {
                    self.ask(exploration)?;
                }
                expanded += 1;
                self.expand(exploration, state as u32, again, scratch)?;
            }
        }
        Ok(())
    }

    /// Follows the steps of a state. Says whether one counts as progress.
    fn expand<const W: usize>(
        &mut self,
        exploration: &mut Exploration<W>,
        state: u32,
        again: &mut Again,
        scratch: &mut Scratch<W>,
    ) -> Result<bool, Stopped> {
        let record = exploration.record(state);
        let product = &self.whole.product;
        let rows = &mut self.rows;
        let expanded = exploration.expanded();
        let mut progress = false;
        product.steps(&record, scratch, |label, to| {
            exploration.count_transition();
            progress |= product.is_progress(label);
            let Some(to) = to else { return };
            let target = exploration.insert(&to, state);
            if rows.follow(state, label, target) && (target as usize) < expanded {
                again.add(target);
            }
        });
        for at in 0..self.rows.free.len() {
            let label = self.rows.free[at];
            if self.rows.follow(state, label, state) {
                again.add(state);
            }
        }
        while let Some(property) = self.rows.violated.pop() {
            self.refute(property)?;
        }
        Ok(progress)
    }

    /// A property is violated: a shortest run that shows it comes from an exploration of its own, which ends there.
    fn refute(&mut self, property: usize) -> Result<(), Stopped> {
        let claim = Claim::Property(property);
        if !self.open.contains(&claim) {
            return Ok(());
        }
        let mut answer = monolithic::check(self.whole.network, claim, self.cx);
        self.cx.check()?;
        answer.run.elapsed = self.begun.elapsed();
        self.open.retain(|c| *c != claim);
        (self.tell)(vec![answer]);
        Ok(())
    }

    fn ask<const W: usize>(&mut self, exploration: &mut Exploration<W>) -> Result<(), Stopped> {
        exploration.ask(self.cx)?;
        self.rows.reserve(self.cx)?;
        let (wanted, rows) = (self.wanted, &mut self.rows);
        self.open.retain(|claim| {
            let keep = wanted(*claim);
            if let (false, Claim::Property(p)) = (keep, claim) {
                rows.forget(*p);
            }
            keep
        });
        Ok(())
    }

    fn answer(&mut self, claim: Claim, verdict: Verdict, sizes: (u64, u64)) {
        let answer = self.made(claim, verdict, sizes);
        self.open.retain(|c| *c != claim);
        (self.tell)(vec![answer]);
    }

    fn made(&self, claim: Claim, verdict: Verdict, (states, transitions): (u64, u64)) -> Answer {
        Answer {
            claim,
            engine: "monolithic".to_owned(),
            verdict,
            run: Run {
                states,
                transitions,
                largest: states,
                groups: vec![self.whole.members.clone()],
                elapsed: self.begun.elapsed(),
                ..Run::default()
            },
        }
    }

    fn give_up(&mut self, reason: &Reason, states: u64, transitions: u64) {
        for claim in self.open.clone() {
            let verdict = Verdict::Unknown(reason.clone());
            self.answer(claim, verdict, (states, transitions));
        }
    }

    /// Everything was explored: what is open holds, by one relation.
    fn prove<const W: usize>(&mut self, exploration: Exploration<W>) {
        let transitions = exploration.transitions();
        let relation = Arc::new(SharedRelation {
            vectors: exploration.into_states(&self.whole.product),
            columns: self.rows.columns.clone(),
            width: self.rows.width,
            rows: std::mem::take(&mut self.rows.bits),
        });
        let mut answers = Vec::new();
        for claim in std::mem::take(&mut self.open) {
            let (column, guarantee) = match claim {
                // Liveness is decided alone.
                Claim::DeadlockFree | Claim::Liveness(_) => (None, Guarantee::DeadlockFree),
                Claim::Property(p) => (self.rows.column(p), Guarantee::Property(p)),
            };
            let relation = Relation::Shared {
                whole: Arc::clone(&relation),
                column,
            };
            let states = relation.len() as u64;
            let certificate = Certificate {
                claim,
                assumptions: Vec::new(),
                premises: vec![Premise {
                    components: self.whole.members.clone(),
                    assumptions: Vec::new(),
                    guarantee,
                    relation,
                }],
                liveness: None,
            };
            let verdict = Verdict::Holds(Box::new(certificate));
            answers.push(self.made(claim, verdict, (states, transitions)));
        }
        (self.tell)(answers);
    }
}

/// For every state of the components, the states in which each property can be.
struct Rows {
    columns: Vec<Column>,
    width: usize,
    bits: Vec<u64>,
    initial: Vec<u64>,
    /// For every label, the bits it leaves alone.
    stays: Vec<u64>,
    /// For every label, the bits it moves.
    moves: Vec<u64>,
    /// For every label that moves any, where it takes each bit.
    targets: Vec<Vec<u32>>,
    /// Labels that a property has and no component.
    free: Vec<Label>,
    /// Properties just found violated.
    violated: Vec<usize>,
}

/// In [`Rows::targets`]: the property does not allow it.
const VIOLATION: u32 = u32::MAX;

impl Rows {
    fn new(network: &Network, claims: &[Claim]) -> Self {
        let properties = claims.iter().filter_map(|c| match c {
            Claim::Property(p) => Some(*p),
            Claim::DeadlockFree | Claim::Liveness(_) => None,
        });
        let mut columns = Vec::new();
        let mut first = 0;
        for property in properties {
            let states = network.properties[property].lts.states();
            columns.push(Column {
                property,
                first,
                states,
            });
            first += states;
        }
        let (width, labels) = (first.div_ceil(64), network.labels.len());
        let mut all = vec![0; width];
        (0..first).for_each(|bit| set(&mut all, bit as u32));
        let mut it = Rows {
            columns,
            width,
            bits: Vec::new(),
            initial: vec![0; width],
            stays: all.repeat(labels),
            moves: vec![0; width * labels],
            targets: vec![Vec::new(); labels],
            free: Vec::new(),
            violated: Vec::new(),
        };
        let participants = network.participants();
        for number in 0..it.columns.len() {
            it.fill(network, number, &participants, first);
        }
        it
    }

    fn fill(&mut self, network: &Network, number: usize, who: &[Vec<usize>], bits: usize) {
        let column = self.columns[number];
        let lts = &network.properties[column.property].lts;
        let bit = |state: State| (column.first + state as usize) as u32;
        set(&mut self.initial, bit(lts.initial()));
        for label in lts.alphabet() {
            let at = label.index();
            let range = at * self.width..(at + 1) * self.width;
            if self.targets[at].is_empty() {
                self.targets[at] = vec![VIOLATION; bits];
                if who[at].is_empty() {
                    self.free.push(*label);
                }
            }
            for state in 0..lts.states() as State {
                set(&mut self.moves[range.clone()], bit(state));
                clear(&mut self.stays[range.clone()], bit(state));
                if let Some(edge) = lts.successors(state, *label).first() {
                    self.targets[at][bit(state) as usize] = bit(edge.target);
                }
            }
        }
    }

    fn column(&self, property: usize) -> Option<usize> {
        self.columns.iter().position(|c| c.property == property)
    }

    fn begin(&mut self) {
        self.bits = self.initial.clone();
    }

    /// Lets the properties go along with a step; says whether the target's row grew.
    #[inline]
    fn follow(&mut self, from: u32, label: Label, to: u32) -> bool {
        let width = self.width;
        let (from, to) = (from as usize * width, to as usize * width);
        if self.bits.len() < to + width {
            self.bits.resize(to + width, 0);
        }
        let table = label.index() * width;
        let mut grew = false;
        for word in 0..width {
            let row = self.bits[from + word];
            let stays = row & self.stays[table + word];
            grew |= stays & !self.bits[to + word] != 0;
            self.bits[to + word] |= stays;
            let mut moves = row & self.moves[table + word];
            while moves != 0 {
                let bit = word * 64 + moves.trailing_zeros() as usize;
                moves &= moves - 1;
                match self.targets[label.index()][bit] {
                    VIOLATION => self.violate(bit),
                    target => {
                        let (at, mask) = (target as usize / 64, 1u64 << (target % 64));
                        grew |= self.bits[to + at] & mask == 0;
                        self.bits[to + at] |= mask;
                    }
                }
            }
        }
        grew
    }

    #[cold]
    fn violate(&mut self, bit: usize) {
        let owner = |c: &&Column| (c.first..c.first + c.states).contains(&bit);
        if let Some(column) = self.columns.iter().find(owner) {
            let property = column.property;
            self.forget(property);
            self.violated.push(property);
        }
    }

    /// Nobody wants to know of that property any more: its bits stay where they are.
    fn forget(&mut self, property: usize) {
        let Some(column) = self.columns.iter().find(|c| c.property == property) else {
            return;
        };
        let (first, end) = (column.first, column.first + column.states);
        for label in 0..self.targets.len() {
            let range = label * self.width..(label + 1) * self.width;
            for bit in first..end {
                clear(&mut self.moves[range.clone()], bit as u32);
                clear(&mut self.stays[range.clone()], bit as u32);
            }
        }
    }

    /// Makes room while memory can still be asked for.
    fn reserve(&mut self, cx: &Context) -> Result<(), Stopped> {
        let spare = self.bits.len() / 8 + 8 * ASK_EVERY * self.width;
        if self.bits.capacity() - self.bits.len() < spare / 2 {
            cx.reserve(spare as u64 * 8)?;
            self.bits.reserve_exact(spare);
        }
        Ok(())
    }
}

fn set(row: &mut [u64], bit: u32) {
    row[bit as usize / 64] |= 1 << (bit % 64);
}

fn clear(row: &mut [u64], bit: u32) {
    row[bit as usize / 64] &= !(1 << (bit % 64));
}
