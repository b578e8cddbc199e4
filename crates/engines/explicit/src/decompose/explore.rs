//! Explores processes and stores (shared data) separately, each against everything that the others may do.
//!
//! Each process is explored under everything the stores can answer, each store under everything the
//! processes can do to it. Both are found to a fixpoint: a store gains a state when some label leads
//! there, and a process learns a value when some state of a store has it.
//!
//! A label is a whole uninterrupted stretch of a process: one step, or the steps of an `atomic` or
//! `d_step` up to where it ends or blocks. Blocking there is part of the label (a guard at its
//! end), so the network is exact. Only where continuing depends on a partner for a
//! rendezvous does the stretch end without that guard. If it touched nothing shared up to there, this
//! makes no difference: what the process did for itself it could have done later, right before it
//! continues. Otherwise the network over-approximates the program, and [`Explorer::over_approximates`] says so.

mod found;
mod known;
mod labels;
mod meet;
mod memo;
mod settle;
mod table;
mod tracks;
mod wrong;

use std::collections::VecDeque;
use std::rc::Rc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use suppose_control::{Context, Stopped};
use suppose_model::program::semantics::State;
use suppose_model::program::{Edge, Expr, Keep, Program};

use super::ops::{Op, guards};
use super::residual::{Local, Trouble, View, and, not};
use super::shape::Shape;
use super::store::{Clusters, Store, Track};
use super::{DecompositionLimits, Refusal};

use found::{ChannelUsers, Ending, FactsId, Offer, Stretch, Then, Waiting, step};
use known::{Chosen, EdgeEffect};
use memo::Memo;
use settle::AmpleSets;

pub use found::{ExploredLabel, Key, LabelKind, Move, Side, steps};
pub use table::{List, Lists, OpId, Ops};

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// A process, what it does before, the channel and the message.
type OfferKey = (usize, List, i32, Rc<[i32]>);

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
    pub labels: Vec<ExploredLabel>,
    /// The steps of moves.
    pub steps: Lists,
    /// Can the network do more than the program?
    pub over_approximates: bool,
    clusters: &'a mut Clusters,
    start: &'a State,
    cx: &'a Context,
    limits: DecompositionLimits,
    track_numbers: Map<(usize, Vec<OpId>), usize>,
    /// The track of the last operation of a sequence and of those before it that the same store sees.
    sequence_tracks: Map<List, usize>,
    /// What the open operation of a track becomes with each of its values.
    closed: Map<(usize, usize), Rc<[OpId]>>,
    track_labels: Vec<Vec<usize>>,
    track_waiting: Vec<Vec<usize>>,
    label_numbers: Map<Key, usize>,
    endings: Map<Ending, usize>,
    waiting: Vec<Waiting<'a>>,
    offers: Vec<Offer>,
    offer_numbers: Map<OfferKey, usize>,
    venues: Map<i32, ChannelUsers>,
    todo: VecDeque<(usize, u32)>,
    dirty: VecDeque<usize>,
    /// What stretches know, each once; the first is nothing.
    facts: Vec<Vec<(Expr, i32)>>,
    facts_numbers: Map<Vec<(Expr, i32)>, FactsId>,
    learnt: Map<(FactsId, usize, usize), FactsId>,
    forgotten: Map<(FactsId, OpId), FactsId>,
    choices: Memo<Chosen>,
    deeds: Memo<EdgeEffect>,
    calm: Vec<AmpleSets>,
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
        limits: DecompositionLimits,
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
            steps: Lists::default(),
            over_approximates: false,
            clusters,
            start,
            cx,
            limits,
            track_numbers: Map::default(),
            sequence_tracks: Map::default(),
            closed: Map::default(),
            track_labels: Vec::new(),
            track_waiting: Vec::new(),
            label_numbers: Map::default(),
            endings: Map::default(),
            waiting: Vec::new(),
            offers: Vec::new(),
            offer_numbers: Map::default(),
            venues: Map::default(),
            todo: VecDeque::new(),
            dirty: VecDeque::new(),
            facts: vec![Vec::new()],
            facts_numbers: Map::from_iter([(Vec::new(), 0)]),
            learnt: Map::default(),
            forgotten: Map::default(),
            choices: Memo::default(),
            deeds: Memo::default(),
            calm: vec![AmpleSets::default(); start.processes.len()],
            stretches: Vec::new(),
        };
        for (number, process) in start.processes.iter().enumerate() {
            let own = shape.private[number].iter().map(|s| start.globals[*s]);
            let local = Local {
                location: process.location,
                values: process.locals.iter().copied().chain(own).collect(),
            };
            it.sides[number].intern(local);
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
                let stretch = Stretch {
                    process,
                    source: state,
                    local,
                    ops: 0,
                    steps: 0,
                    facts: 0,
                    offer: None,
                };
                self.extend(stretch)?;
            } else if let Some(track) = self.dirty.pop_front() {
                self.try_track(track)?;
            } else {
                return Ok(());
            }
        }
    }

    /// A label that no process does: a claim that becomes false.
    pub fn observe(&mut self, claim: usize, condition: Expr) -> Result<(), Failed> {
        let ops = self.guard(condition, 0);
        let key = Key {
            process: None,
            ops,
            meeting: None,
            kind: LabelKind::Claim(claim),
        };
        self.label(key)?;
        Ok(())
    }

    /// The sequence with one operation more.
    fn add(&mut self, op: Op, ops: List) -> List {
        let op = self.ops.intern(self.program, op);
        self.ops.sequences.push(ops, op)
    }

    /// The sequence with a condition at its end.
    fn guard(&mut self, condition: Expr, mut ops: List) -> List {
        if condition == Expr::Const(1) {
            return ops;
        }
        let mut all = Vec::new();
        guards(condition, &mut all);
        for op in all {
            ops = self.add(op, ops);
        }
        ops
    }

    fn state(&mut self, process: usize, local: Local) -> Result<u32, Failed> {
        let side = &mut self.sides[process];
        let next = side.states.len() as u32;
        let number = side.intern(local);
        if number == next {
            if u64::from(next) >= self.limits.states {
                let why = format!("process {process} alone has more than {next} states");
                return Err(Failed::Refused(Refusal { why }));
            }
            self.todo.push_back((process, next));
        }
        Ok(number)
    }

    fn view<'b>(&'b self, process: usize, local: &'b Local) -> View<'b> {
        View {
            program: self.program,
            shape: self.shape,
            process: Some(process),
            local,
            facts: &[],
            asks: false,
            seen: None,
        }
    }

    fn refuse(&self, process: usize, why: &str) -> Failed {
        let text = &self.program.proctypes[self.shape.proctypes[process] as usize];
        let why = format!("process `{}` uses {why}", text.name);
        Failed::Refused(Refusal { why })
    }

    /// Takes a stretch one step further, in all ways.
    fn extend(&mut self, mut stretch: Stretch) -> Result<(), Failed> {
        let process = stretch.process;
        self.assign(&mut stretch);
        if self.steps.length(stretch.steps) + self.ops.sequences.length(stretch.ops) > LONGEST {
            return Err(self.refuse(process, "an atomic sequence that does not end"));
        }
        let view = self.view(process, &stretch.local);
        let begins = stretch.steps == 0 && stretch.offer.is_none();
        let keep = if begins { Keep::Atomic } else { view.keep() };
        if keep == Keep::Nothing {
            return self.close(stretch, LabelKind::Normal);
        }
        let program = self.program;
        let text = &program.proctypes[self.shape.proctypes[process] as usize];
        let edges = &text.locations[stretch.local.location as usize].edges;
        if keep == Keep::DStep {
            return self.extend_d_step(stretch, edges);
        }
        let choices = match self.chosen(&stretch, begins) {
            Chosen::All(choices) => choices,
            Chosen::Wrong => return self.close(stretch, LabelKind::Wrong),
            Chosen::Refused(what) => return Err(self.refuse(process, what)),
            Chosen::Wants(op) => {
                stretch.ops = self.ops.sequences.push(stretch.ops, op);
                return self.wait(stretch, Then::Extend);
            }
        };
        self.over_approximates |= choices.vague;
        if !begins {
            if choices.meets {
                self.over_approximates |= stretch.ops != 0 || stretch.offer.is_some();
                self.close(stretch.clone(), LabelKind::Normal)?;
            } else if let Some(blocked) = &choices.blocked {
                let mut rests = stretch.clone();
                rests.ops = self.ops.sequences.append(rests.ops, blocked);
                self.close(rests, LabelKind::Normal)?;
            }
        }
        for choice in &choices.list {
            let edge = &edges[choice.edge as usize];
            let mut next = stretch.clone();
            next.ops = self.ops.sequences.append(next.ops, &choice.before);
            next.steps = self.steps.push(next.steps, step(choice.edge, true));
            if choice.sure {
                next.local.location = edge.target;
                self.stretches.push(next);
            } else {
                self.take(next, edge, begins)?;
            }
        }
        Ok(())
    }

    /// Inside an atomic sequence, sets variables of the process as long as that is all there is to do.
    fn assign(&mut self, stretch: &mut Stretch) {
        let mut count = 0;
        while stretch.steps != 0 && count < LONGEST {
            let view = self.view(stretch.process, &stretch.local);
            if view.keep() != Keep::Atomic {
                return;
            }
            let Some((edge, target, value)) = view.plain_assignment() else {
                return;
            };
            let location = edge.target;
            target.fill(&mut stretch.local, value);
            stretch.local.location = location;
            stretch.steps = self.steps.push(stretch.steps, step(0, true));
            count += 1;
        }
    }

    /// Inside a `d_step` the first edge that can be taken is.
    fn extend_d_step(&mut self, stretch: Stretch, edges: &'a [Edge]) -> Result<(), Failed> {
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
            next.ops = self.guard(before.clone(), next.ops);
            next.steps = self.steps.push(next.steps, step(number as u32, false));
            self.take(next, edge, false)?;
            before = and(before, not(able));
            if before == Expr::Const(0) {
                return Ok(());
            }
        }
        let mut stuck = stretch;
        stuck.ops = self.guard(before, stuck.ops);
        self.close(stuck, LabelKind::Wrong)
    }

    /// Takes an edge, which is the last one of the stretch's steps.
    fn take(&mut self, mut stretch: Stretch, edge: &'a Edge, begins: bool) -> Result<(), Failed> {
        let process = stretch.process;
        let number = self.steps.split(stretch.steps).map_or(0, |(_, s)| s >> 1);
        match self.deed(&stretch, number, edge) {
            EdgeEffect::Ends => {}
            EdgeEffect::Fails => self.close(stretch, LabelKind::Wrong)?,
            EdgeEffect::Refused(what) => return Err(self.refuse(process, what)),
            EdgeEffect::Wants(op) => {
                stretch.ops = self.ops.sequences.push(stretch.ops, op);
                self.wait(stretch, Then::Again(edge, begins))?;
            }
            EdgeEffect::Quiet(change) => {
                if let Some((variable, value)) = change {
                    variable.fill(&mut stretch.local, value);
                }
                stretch.local.location = edge.target;
                self.stretches.push(stretch);
            }
            EdgeEffect::Shared(ops) => {
                for op in ops.iter() {
                    stretch.facts = self.forget(*op, stretch.facts);
                    stretch.ops = self.ops.sequences.push(stretch.ops, *op);
                }
                stretch.local.location = edge.target;
                self.stretches.push(stretch);
            }
            EdgeEffect::Asserts { passes, fails } => {
                let mut failing = stretch.clone();
                failing.ops = self.ops.sequences.append(failing.ops, &fails);
                self.close(failing, LabelKind::Wrong)?;
                stretch.ops = self.ops.sequences.append(stretch.ops, &passes);
                stretch.local.location = edge.target;
                self.stretches.push(stretch);
            }
            EdgeEffect::Asks(op, targets) => {
                stretch.facts = self.forget(op, stretch.facts);
                stretch.ops = self.ops.sequences.push(stretch.ops, op);
                self.wait(stretch, Then::Goto(edge.target, targets))?;
            }
            EdgeEffect::Offers(..) if edge.d_step => self.close(stretch, LabelKind::Wrong)?,
            EdgeEffect::Offers(channel, values) => {
                // In the middle of a stretch a rendezvous was left for the next one.
                if begins {
                    self.offer(stretch, channel, &values, edge.target)?;
                }
            }
            EdgeEffect::Takes(channel) => {
                if begins {
                    self.listen(&stretch, channel)?;
                }
            }
        }
        Ok(())
    }
}
