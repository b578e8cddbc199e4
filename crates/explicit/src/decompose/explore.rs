//! Finds what processes and stores can do, together but not in composition.
//!
//! Each process is explored under everything the stores can answer, each store under everything the
//! processes can do to it. Both are found to a fixpoint: a store gains a state when some label leads
//! there, and a process learns a value when some state of a store has it.
//!
//! A label is a whole uninterrupted stretch of a process: one step, or the steps of an `atomic` or
//! `d_step` up to where it ends or blocks. That it blocks there is part of the label (a guard at its
//! end), so nothing is lost and nothing added. Only where going on depends on a partner for a
//! rendezvous does the stretch end without that guard. If it touched nothing shared up to there, this
//! makes no difference: what the process did for itself it could have done later, right before it
//! goes on. Otherwise the network can do more than the program, and [`Explorer::generous`] says so.

mod meet;
mod table;
mod wrong;

use std::collections::VecDeque;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_model::program::semantics::State;
use suppose_model::program::{Edge, Expr, Keep, Program};
use suppose_refine::{Context, Stopped};

use super::ops::{Op, guards};
use super::process::{Effect, Target};
use super::residual::{Local, Trouble, View, and, not};
use super::shape::Shape;
use super::store::{Clusters, Ran, Store, Track};
use super::{Limits, Refusal};

pub use table::{OpId, Ops};

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// What a label is to the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An ordinary one.
    Normal,
    /// Something goes wrong: an assertion fails, an index is out of range.
    Wrong,
    /// The claim of that number is violated.
    Claim(usize),
}

/// What makes a label.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The process that does it; none for a claim.
    pub process: Option<usize>,
    /// What it does to shared data.
    pub ops: Vec<OpId>,
    /// The rendezvous, if it is one.
    pub meeting: Option<Meeting>,
    /// What it is to the questions.
    pub kind: Kind,
}

/// A rendezvous.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// Who receives.
    pub receiver: usize,
    /// The channel.
    pub channel: i32,
    /// The message.
    pub values: Vec<i32>,
    /// What the receiver does to shared data.
    pub ops: Vec<OpId>,
}

/// What one process does on a label: from there to there, by these steps (the edges of each).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process.
    pub process: usize,
    /// The number of its state before.
    pub source: u32,
    /// The number of its state after.
    pub target: u32,
    /// The steps.
    pub steps: Vec<Vec<u32>>,
}

/// A label with what was found of it.
#[derive(Clone, Debug)]
pub struct Found {
    /// What makes it.
    pub key: Key,
    /// What each store sees of it.
    pub tracks: Vec<usize>,
    /// What processes do on it.
    pub moves: Vec<Move>,
    /// The same label where an operation goes wrong.
    variants: Vec<usize>,
}

/// The states of one process.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// By number; 0 is the first.
    pub states: Vec<Local>,
    numbers: Map<Local, u32>,
    /// Steps that touch nothing shared.
    pub quiet: Vec<Move>,
}

/// A stretch that is not at its end yet.
#[derive(Clone, Debug)]
struct Stretch {
    process: usize,
    source: u32,
    local: Local,
    ops: Vec<OpId>,
    steps: Vec<Vec<u32>>,
    /// For a receiver: which offer it takes.
    offer: Option<usize>,
}

/// A stretch that waits for values.
#[derive(Clone, Debug)]
struct Waiting {
    stretch: Stretch,
    targets: Vec<Target>,
    /// Where it goes then; none when the values are those of an offer.
    then: Then,
    /// Values already used.
    used: usize,
}

#[derive(Clone, Debug)]
enum Then {
    Goto(u32),
    /// Takes that edge again, knowing these.
    Again(Box<Edge>, Vec<Expr>, bool),
    Offer {
        channel: i32,
        target: u32,
        known: Vec<Option<i32>>,
    },
}

/// What a process wants to send: those with the same key are one offer.
#[derive(Clone, Debug)]
struct Offer {
    process: usize,
    ops: Vec<OpId>,
    channel: i32,
    values: Vec<i32>,
    /// From where to where, by which edge.
    moves: Vec<Move>,
    /// The labels it became part of.
    labels: Vec<usize>,
}

/// A process that waits to receive.
#[derive(Clone, Debug)]
struct Listener {
    process: usize,
    source: u32,
    edge: u32,
    ops: Vec<OpId>,
    channel: i32,
}

/// Everything found.
pub struct Explorer<'a> {
    /// The program.
    pub program: &'a Program,
    /// What is shared.
    pub shape: &'a Shape,
    /// The processes.
    pub sides: Vec<Side>,
    /// The stores, by the cell that stands for their cluster.
    pub stores: Map<usize, Store>,
    /// What is done to shared data.
    pub ops: Ops,
    /// What stores see of labels.
    pub tracks: Vec<Track>,
    /// The labels.
    pub labels: Vec<Found>,
    /// Why the network can do more than the program, if so.
    pub generous: bool,
    clusters: &'a mut Clusters,
    start: &'a State,
    cx: &'a Context,
    limits: Limits,
    track_numbers: Map<(usize, Vec<OpId>), usize>,
    track_labels: Vec<Vec<usize>>,
    track_waiting: Vec<Vec<usize>>,
    label_numbers: Map<Key, usize>,
    waiting: Vec<Waiting>,
    offers: Vec<Offer>,
    offer_numbers: Map<(usize, Vec<OpId>, i32, Vec<i32>), usize>,
    listeners: Vec<Listener>,
    todo: VecDeque<(usize, u32)>,
    dirty: VecDeque<usize>,
    stretches: Vec<Stretch>,
}

/// Why an exploration did not end.
#[derive(Clone, Debug)]
pub enum Failed {
    /// Two clusters became one: begin again.
    Again,
    /// It cannot be done.
    Refused(Refusal),
    /// It was told to stop.
    Stopped(Stopped),
}

impl From<Stopped> for Failed {
    fn from(why: Stopped) -> Self {
        Failed::Stopped(why)
    }
}

const SHARED_INDEX: &str = "an array of its own at a shared index in a condition";

/// So many steps make a stretch that does not end.
const LONGEST: usize = 10_000;

impl<'a> Explorer<'a> {
    /// Begins at a state of the program.
    pub fn new(
        program: &'a Program,
        shape: &'a Shape,
        start: &'a State,
        clusters: &'a mut Clusters,
        limits: Limits,
        cx: &'a Context,
    ) -> Self {
        let mut it = Explorer {
            program,
            shape,
            sides: vec![Side::default(); start.processes.len()],
            stores: Map::default(),
            ops: Ops::default(),
            tracks: Vec::new(),
            labels: Vec::new(),
            generous: false,
            clusters,
            start,
            cx,
            limits,
            track_numbers: Map::default(),
            track_labels: Vec::new(),
            track_waiting: Vec::new(),
            label_numbers: Map::default(),
            waiting: Vec::new(),
            offers: Vec::new(),
            offer_numbers: Map::default(),
            listeners: Vec::new(),
            todo: VecDeque::new(),
            dirty: VecDeque::new(),
            stretches: Vec::new(),
        };
        for (number, process) in start.processes.iter().enumerate() {
            let own = shape.private[number].iter().map(|s| start.globals[*s]);
            let local = Local {
                location: process.location,
                locals: process.locals.clone(),
                own: own.collect(),
            };
            it.sides[number].states.push(local.clone());
            it.sides[number].numbers.insert(local, 0);
            it.todo.push_back((number, 0));
        }
        it
    }

    /// Explores until nothing new is found.
    pub fn run(&mut self) -> Result<(), Failed> {
        loop {
            self.cx.check()?;
            if let Some(stretch) = self.stretches.pop() {
                self.extend(stretch)?;
            } else if let Some((process, state)) = self.todo.pop_front() {
                let local = self.sides[process].states[state as usize].clone();
                self.extend(Stretch {
                    process,
                    source: state,
                    local,
                    ops: Vec::new(),
                    steps: Vec::new(),
                    offer: None,
                })?;
            } else if let Some(track) = self.dirty.pop_front() {
                self.try_track(track)?;
            } else {
                return Ok(());
            }
        }
    }

    /// A label that no process does: a claim that becomes false.
    pub fn observe(&mut self, claim: usize, condition: Expr) -> Result<(), Failed> {
        let mut ops = Vec::new();
        self.guard(condition, &mut ops);
        let key = Key {
            process: None,
            ops,
            meeting: None,
            kind: Kind::Claim(claim),
        };
        self.label(key)?;
        Ok(())
    }

    fn add(&mut self, op: Op, ops: &mut Vec<OpId>) {
        ops.push(self.ops.intern(self.program, op));
    }

    fn guard(&mut self, condition: Expr, ops: &mut Vec<OpId>) {
        let mut all = Vec::new();
        guards(condition, &mut all);
        for op in all {
            self.add(op, ops);
        }
    }

    fn state(&mut self, process: usize, local: Local) -> Result<u32, Failed> {
        let side = &mut self.sides[process];
        if let Some(known) = side.numbers.get(&local) {
            return Ok(*known);
        }
        let next = side.states.len() as u32;
        if u64::from(next) >= self.limits.states {
            let why = format!("process {process} alone has more than {next} states");
            return Err(Failed::Refused(Refusal { why }));
        }
        side.states.push(local.clone());
        side.numbers.insert(local, next);
        self.todo.push_back((process, next));
        Ok(next)
    }

    fn view<'b>(&'b self, process: usize, local: &'b Local) -> View<'b> {
        View {
            program: self.program,
            shape: self.shape,
            process: Some(process),
            local,
            facts: &[],
            asks: false,
        }
    }

    fn refuse(&self, process: usize, why: &str) -> Failed {
        let text = &self.program.proctypes[self.shape.proctypes[process] as usize];
        let why = format!("process `{}` uses {why}", text.name);
        Failed::Refused(Refusal { why })
    }

    /// Takes a stretch one step further, in all ways.
    fn extend(&mut self, stretch: Stretch) -> Result<(), Failed> {
        let process = stretch.process;
        if stretch.steps.len() + stretch.ops.len() > LONGEST
            || stretch.steps.last().is_some_and(|s| s.len() > LONGEST)
        {
            return Err(self.refuse(process, "an atomic sequence that does not end"));
        }
        let view = self.view(process, &stretch.local);
        let begins = stretch.steps.is_empty() && stretch.offer.is_none();
        let keep = if begins { Keep::Atomic } else { view.keep() };
        if keep == Keep::Nothing {
            return self.close(stretch, Kind::Normal);
        }
        let choices = match view.choices() {
            Ok(choices) => choices,
            Err(Trouble::Wrong(_)) => return self.close(stretch, Kind::Wrong),
            Err(Trouble::Unsupported(what)) => return Err(self.refuse(process, what)),
            Err(Trouble::Ask(_)) => return Err(self.refuse(process, SHARED_INDEX)),
        };
        let program = self.program;
        let text = &program.proctypes[self.shape.proctypes[process] as usize];
        let edges = &text.locations[stretch.local.location as usize].edges;
        if keep == Keep::DStep {
            return self.extend_d_step(stretch, edges);
        }
        self.generous |= choices.vague;
        if !begins {
            if choices.meets {
                self.generous |= !stretch.ops.is_empty() || stretch.offer.is_some();
                self.close(stretch.clone(), Kind::Normal)?;
            } else if choices.blocked != Expr::Const(0) {
                let mut rests = stretch.clone();
                self.guard(choices.blocked, &mut rests.ops);
                self.close(rests, Kind::Normal)?;
            }
        }
        for choice in choices.list {
            let mut next = stretch.clone();
            self.guard(choice.before, &mut next.ops);
            next.steps.push(vec![choice.edge]);
            self.take(next, &edges[choice.edge as usize], begins, &[])?;
        }
        Ok(())
    }

    /// Inside a `d_step` the first edge that can be taken is.
    fn extend_d_step(&mut self, stretch: Stretch, edges: &[Edge]) -> Result<(), Failed> {
        let process = stretch.process;
        let mut before = Expr::Const(1);
        for (number, edge) in edges.iter().enumerate() {
            let able = match self.view(process, &stretch.local).able_now(edge) {
                Ok(Some(able)) => able,
                Ok(None) => return Err(self.refuse(process, "a rendezvous inside a `d_step`")),
                Err(Trouble::Wrong(_)) => Expr::Const(1),
                Err(Trouble::Unsupported(what)) => return Err(self.refuse(process, what)),
                Err(Trouble::Ask(_)) => return Err(self.refuse(process, SHARED_INDEX)),
            };
            if able == Expr::Const(0) {
                continue;
            }
            let mut next = stretch.clone();
            self.guard(before.clone(), &mut next.ops);
            if let Some(step) = next.steps.last_mut() {
                step.push(number as u32);
            }
            self.take(next, edge, false, &[])?;
            before = and(before, not(able));
            if before == Expr::Const(0) {
                return Ok(());
            }
        }
        let mut stuck = stretch;
        self.guard(before, &mut stuck.ops);
        self.close(stuck, Kind::Wrong)
    }

    /// Takes an edge, which is the last one of the stretch's steps.
    fn take(
        &mut self,
        mut stretch: Stretch,
        edge: &Edge,
        begins: bool,
        facts: &[(Expr, i32)],
    ) -> Result<(), Failed> {
        let process = stretch.process;
        let view = View {
            facts,
            asks: true,
            ..self.view(process, &stretch.local)
        };
        let effect = match view.effect(edge) {
            Ok(effect) => effect,
            Err(Trouble::Wrong(_)) => Effect::Fails,
            Err(Trouble::Ask(values)) => {
                self.add(Op::Ask(values.clone()), &mut stretch.ops);
                let then = Then::Again(Box::new(edge.clone()), values, begins);
                return self.wait(stretch, Vec::new(), then);
            }
            Err(Trouble::Unsupported(what)) => return Err(self.refuse(process, what)),
        };
        match effect {
            Effect::Ends => {}
            Effect::Fails => self.close(stretch, Kind::Wrong)?,
            Effect::Quiet(next) => {
                stretch.local = next;
                self.stretches.push(stretch);
            }
            Effect::Shared(ops, next) => {
                for op in ops {
                    self.add(op, &mut stretch.ops);
                }
                stretch.local = next;
                self.stretches.push(stretch);
            }
            Effect::Asserts(test) => {
                let mut fails = stretch.clone();
                self.guard(not(test.clone()), &mut fails.ops);
                self.close(fails, Kind::Wrong)?;
                self.guard(test, &mut stretch.ops);
                stretch.local.location = edge.target;
                self.stretches.push(stretch);
            }
            Effect::Asks(op, targets) => {
                self.add(op, &mut stretch.ops);
                let then = Then::Goto(edge.target);
                self.wait(stretch, targets, then)?;
            }
            Effect::Offers(channel, values) => {
                // In the middle of a stretch a rendezvous was left for the next one.
                if begins {
                    self.offer(stretch, channel, values, edge.target)?;
                }
            }
            Effect::Takes(channel) => {
                if begins {
                    self.listen(&stretch, channel)?;
                }
            }
        }
        Ok(())
    }

    fn wait(&mut self, stretch: Stretch, targets: Vec<Target>, then: Then) -> Result<(), Failed> {
        let Some(open) = stretch.ops.last() else {
            return Ok(());
        };
        let cluster = self.cluster(*open)?;
        let mut ops = Vec::new();
        for op in &stretch.ops {
            if self.cluster(*op)? == cluster {
                ops.push(*op);
            }
        }
        let track = self.track(cluster, ops)?;
        let number = self.waiting.len();
        self.waiting.push(Waiting {
            stretch,
            targets,
            then,
            used: 0,
        });
        self.track_waiting[track].push(number);
        self.dirty.push_back(track);
        Ok(())
    }

    /// Goes on with all values that are known by now.
    fn resume(&mut self, number: usize, track: usize) -> Result<(), Failed> {
        while let Some(values) = self.tracks[track].outputs.get(self.waiting[number].used) {
            let values = values.clone();
            self.waiting[number].used += 1;
            let Waiting {
                mut stretch,
                targets,
                then,
                ..
            } = self.waiting[number].clone();
            if let Some(open) = stretch.ops.pop() {
                match self.ops.get(open).closed(&values) {
                    Op::Guard(all) => self.guard(all, &mut stretch.ops),
                    other => self.add(other, &mut stretch.ops),
                }
            }
            match then {
                Then::Goto(location) => {
                    for (target, value) in targets.iter().zip(&values) {
                        target.fill(&mut stretch.local, *value);
                    }
                    stretch.local.location = location;
                    self.stretches.push(stretch);
                }
                Then::Again(edge, asked, begins) => {
                    let facts: Vec<(Expr, i32)> = asked.into_iter().zip(values).collect();
                    self.take(stretch, &edge, begins, &facts)?;
                }
                Then::Offer {
                    channel,
                    target,
                    known,
                } => {
                    let mut values = values.into_iter();
                    let all = known.into_iter().map(|k| k.or_else(|| values.next()));
                    let all = all.map(|v| v.unwrap_or(0)).collect();
                    self.offer_values(stretch, channel, all, target)?;
                }
            }
        }
        Ok(())
    }

    /// A stretch is at its end.
    fn close(&mut self, stretch: Stretch, kind: Kind) -> Result<(), Failed> {
        let process = stretch.process;
        let target = match kind {
            Kind::Normal => self.state(process, stretch.local)?,
            _ => stretch.source,
        };
        let it = Move {
            process,
            source: stretch.source,
            target,
            steps: stretch.steps,
        };
        let key = match stretch.offer {
            None if stretch.ops.is_empty() && kind == Kind::Normal => {
                if it.source != it.target {
                    self.sides[process].quiet.push(it);
                }
                return Ok(());
            }
            None => Key {
                process: Some(process),
                ops: stretch.ops,
                meeting: None,
                kind,
            },
            Some(offer) => {
                let offer = &self.offers[offer];
                Key {
                    process: Some(offer.process),
                    ops: offer.ops.clone(),
                    meeting: Some(Meeting {
                        receiver: process,
                        channel: offer.channel,
                        values: offer.values.clone(),
                        ops: stretch.ops,
                    }),
                    kind,
                }
            }
        };
        let label = self.label(key)?;
        self.add_move(label, it);
        if let Some(number) = stretch.offer {
            let offer = &mut self.offers[number];
            if !offer.labels.contains(&label) {
                offer.labels.push(label);
                for it in offer.moves.clone() {
                    self.add_move(label, it);
                }
            }
        }
        Ok(())
    }

    fn add_move(&mut self, label: usize, it: Move) {
        for variant in self.labels[label].variants.clone() {
            let target = it.source;
            let it = Move {
                target,
                ..it.clone()
            };
            self.labels[variant].moves.push(it);
        }
        self.labels[label].moves.push(it);
    }

    fn label(&mut self, key: Key) -> Result<usize, Failed> {
        if let Some(known) = self.label_numbers.get(&key) {
            return Ok(*known);
        }
        let number = self.labels.len();
        if number as u64 >= self.limits.labels {
            return Err(Failed::Refused(Refusal {
                why: format!("the processes have more than {number} labels"),
            }));
        }
        let all: Vec<OpId> = key.all_ops().collect();
        let mut by_cluster: Vec<(usize, Vec<OpId>)> = Vec::new();
        for op in all {
            let cluster = self.cluster(op)?;
            match by_cluster.iter_mut().find(|(c, _)| *c == cluster) {
                Some((_, ops)) => ops.push(op),
                None => by_cluster.push((cluster, vec![op])),
            }
        }
        let mut tracks = Vec::new();
        for (cluster, ops) in by_cluster {
            tracks.push(self.track(cluster, ops)?);
        }
        self.label_numbers.insert(key.clone(), number);
        self.labels.push(Found {
            key,
            tracks: tracks.clone(),
            moves: Vec::new(),
            variants: Vec::new(),
        });
        for track in tracks {
            self.track_labels[track].push(number);
            self.dirty.push_back(track);
        }
        Ok(number)
    }

    /// The cluster of an operation. That it touches two is found out here: then they become one.
    fn cluster(&mut self, op: OpId) -> Result<usize, Failed> {
        let cells = &self.ops.cells[op as usize];
        if self.clusters.join(cells) {
            return Err(Failed::Again);
        }
        // An operation without cells goes wrong or not whatever the data: any cluster will do.
        Ok(cells.first().map_or(0, |cell| self.clusters.find(*cell)))
    }

    fn track(&mut self, cluster: usize, ops: Vec<OpId>) -> Result<usize, Failed> {
        let key = (cluster, ops);
        if let Some(known) = self.track_numbers.get(&key) {
            return Ok(*known);
        }
        let number = self.tracks.len();
        self.tracks.push(Track {
            cluster,
            ops: key.1.iter().map(|op| self.ops.get(*op).clone()).collect(),
            tried: 0,
            edges: Vec::new(),
            outputs: Vec::new(),
            wrong: None,
        });
        self.track_numbers.insert(key, number);
        self.track_labels.push(Vec::new());
        self.track_waiting.push(Vec::new());
        let start = self.start.clone();
        let store = self.stores.entry(cluster).or_default();
        if store.states.is_empty() {
            let processes = Vec::new();
            store.intern(State { processes, ..start });
        }
        store.tracks.push(number);
        Ok(number)
    }

    /// Tries a track on the states of its store that it has not seen.
    fn try_track(&mut self, number: usize) -> Result<(), Failed> {
        let cluster = self.tracks[number].cluster;
        loop {
            let track = &self.tracks[number];
            let Some(state) = self.stores[&cluster].states.get(track.tried) else {
                break;
            };
            let (ran, open) = (track.run(self.program, state), track.is_open());
            let source = self.tracks[number].tried as u32;
            self.tracks[number].tried += 1;
            match ran {
                Ran::Blocked => {}
                Ran::Wrong(op) => self.went_wrong(number, op)?,
                Ran::To(_, values) if open => {
                    if !self.tracks[number].outputs.contains(&values) {
                        self.tracks[number].outputs.push(values);
                    }
                }
                Ran::To(next, _) => self.leads(number, source, next)?,
            }
            if source.is_multiple_of(256) {
                self.cx.check()?;
            }
        }
        for waiting in self.track_waiting[number].clone() {
            self.resume(waiting, number)?;
        }
        Ok(())
    }

    fn leads(&mut self, track: usize, source: u32, next: State) -> Result<(), Failed> {
        let cluster = self.tracks[track].cluster;
        let Some(store) = self.stores.get_mut(&cluster) else {
            return Ok(());
        };
        let (target, new) = store.intern(next);
        if new {
            let states = store.states.len() as u64;
            self.cx.check_states(states)?;
            if states > self.limits.states {
                return Err(Failed::Refused(Refusal {
                    why: format!(
                        "a shared variable or channel alone has more than {states} values"
                    ),
                }));
            }
            let tracks = store.tracks.clone();
            self.dirty.extend(tracks);
        }
        self.tracks[track].edges.push((source, target));
        Ok(())
    }
}

impl Key {
    /// All operations, the sender's first.
    pub fn all_ops(&self) -> impl Iterator<Item = OpId> {
        let more = self.meeting.iter().flat_map(|m| &m.ops);
        self.ops.iter().chain(more).copied()
    }
}

impl Explorer<'_> {
    /// The cells of a cluster that are not fixed or private.
    pub fn cells_of(&self, cluster: usize) -> Vec<usize> {
        let slots = self.program.globals.len();
        let cells = slots + self.shape.channels.len() + 1;
        let is_data = |cell: &usize| match cell.checked_sub(slots) {
            None => self.shape.fixed[*cell].is_none() && self.shape.owner[*cell].is_none(),
            Some(channel) => channel > 0,
        };
        let all = (0..cells).filter(is_data);
        all.filter(|cell| self.clusters.find(*cell) == cluster)
            .collect()
    }
}
