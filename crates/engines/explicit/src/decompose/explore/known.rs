//! What a process can do, evaluated once for all states that agree on what matters.

use std::cell::RefCell;
use std::rc::Rc;

use suppose_model::program::{Edge, Expr};

use super::super::ops::{Op, guards};
use super::super::process::{Effect, Target};
use super::super::residual::{Local, Trouble, View, not};
use super::Explorer;
use super::found::{FactsId, Stretch};
use super::table::OpId;

/// The choices of a stretch.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    /// Goes wrong.
    Wrong,
    /// Not supported.
    Refused(&'static str),
    /// Asks first.
    Wants(OpId),
    /// These.
    All(Rc<Picks>),
}

#[derive(Debug)]
pub(super) struct Picks {
    pub(super) list: Vec<Pick>,
    /// The condition under which nothing can be done; none if that cannot be, or if it was not asked for.
    pub(super) blocked: Option<Vec<OpId>>,
    pub(super) meets: bool,
    pub(super) vague: bool,
}

/// An edge that may be taken.
#[derive(Debug)]
pub(super) struct Pick {
    pub(super) edge: u32,
    pub(super) before: Vec<OpId>,
    pub(super) sure: bool,
}

/// What an edge does; see [`Effect`].
#[derive(Clone, Debug)]
pub(super) enum EdgeEffect {
    Ends,
    Fails,
    Quiet(Option<(Target, i32)>),
    Shared(Rc<[OpId]>),
    Asks(OpId, Rc<[Target]>),
    Asserts {
        passes: Rc<[OpId]>,
        fails: Rc<[OpId]>,
    },
    Offers(i32, Rc<[Expr]>),
    Takes(i32),
    /// Asks for shared data first.
    Wants(OpId),
    /// Not supported.
    Refused(&'static str),
}

/// For the choices, where there is a number of an edge otherwise.
const CHOICES: u32 = u32::MAX - 1;

impl Explorer<'_> {
    fn evaluate<T>(
        &self,
        process: usize,
        local: &Local,
        facts: FactsId,
        ask: impl FnOnce(&View) -> T,
    ) -> (T, Vec<u32>) {
        let seen = RefCell::new(Vec::new());
        let view = View {
            facts: &self.facts[facts as usize],
            asks: true,
            seen: Some(&seen),
            ..self.view(process, local)
        };
        let result = ask(&view);
        (result, seen.into_inner())
    }

    /// The choices of a stretch.
    pub(super) fn chosen(&mut self, stretch: &Stretch, begins: bool) -> Chosen {
        let (process, local) = (stretch.process, &stretch.local);
        let what = CHOICES + u32::from(begins);
        let question = (process as u32, local.location, what, stretch.facts);
        if let Some(known) = self.choices.get(question, &local.values) {
            return known.clone();
        }
        let ask = |view: &View| view.choices(!begins);
        let (choices, seen) = self.evaluate(process, local, stretch.facts, ask);
        let chosen = match choices {
            Err(Trouble::Wrong(_)) => Chosen::Wrong,
            Err(Trouble::Unsupported(what)) => Chosen::Refused(what),
            Err(Trouble::Ask(values)) => Chosen::Wants(self.number(Op::Ask(values))),
            Ok(choices) => {
                let may_rest = !begins && !choices.meets && choices.blocked != Expr::Const(0);
                let blocked = may_rest.then(|| self.conditions(choices.blocked));
                let picks = choices.list.into_iter().map(|choice| Pick {
                    edge: choice.edge,
                    before: self.conditions(choice.before),
                    sure: choice.sure,
                });
                Chosen::All(Rc::new(Picks {
                    list: picks.collect(),
                    blocked,
                    meets: choices.meets,
                    vague: choices.vague,
                }))
            }
        };
        let known = chosen.clone();
        self.choices.put(question, &seen, &local.values, known);
        chosen
    }

    /// What the edge of that number does.
    pub(super) fn deed(&mut self, stretch: &Stretch, number: u32, edge: &Edge) -> EdgeEffect {
        let (process, local) = (stretch.process, &stretch.local);
        let question = (process as u32, local.location, number, stretch.facts);
        if let Some(known) = self.deeds.get(question, &local.values) {
            return known.clone();
        }
        let ask = |view: &View| view.effect(edge);
        let (effect, seen) = self.evaluate(process, local, stretch.facts, ask);
        let deed = self.numbered(effect);
        let known = deed.clone();
        self.deeds.put(question, &seen, &local.values, known);
        deed
    }

    fn numbered(&mut self, effect: Result<Effect, Trouble>) -> EdgeEffect {
        match effect {
            Err(Trouble::Wrong(_)) | Ok(Effect::Fails) => EdgeEffect::Fails,
            Err(Trouble::Ask(values)) => EdgeEffect::Wants(self.number(Op::Ask(values))),
            Err(Trouble::Unsupported(what)) => EdgeEffect::Refused(what),
            Ok(Effect::Ends) => EdgeEffect::Ends,
            Ok(Effect::Quiet(change)) => EdgeEffect::Quiet(change),
            Ok(Effect::Shared(ops)) => {
                EdgeEffect::Shared(ops.into_iter().map(|op| self.number(op)).collect())
            }
            Ok(Effect::Asks(op, targets)) => EdgeEffect::Asks(self.number(op), targets.into()),
            Ok(Effect::Asserts(test)) => EdgeEffect::Asserts {
                fails: self.conditions(not(test.clone())).into(),
                passes: self.conditions(test).into(),
            },
            Ok(Effect::Offers(channel, values)) => EdgeEffect::Offers(channel, values.into()),
            Ok(Effect::Takes(channel)) => EdgeEffect::Takes(channel),
        }
    }

    fn number(&mut self, op: Op) -> OpId {
        self.ops.intern(self.program, op)
    }

    fn conditions(&mut self, condition: Expr) -> Vec<OpId> {
        let mut all = Vec::new();
        if condition != Expr::Const(1) {
            guards(condition, &mut all);
        }
        all.into_iter().map(|op| self.number(op)).collect()
    }

    fn facts_number(&mut self, facts: Vec<(Expr, i32)>) -> FactsId {
        let list = &mut self.facts;
        let number = self.facts_numbers.entry(facts).or_insert_with_key(|facts| {
            list.push(facts.clone());
            (list.len() - 1) as FactsId
        });
        *number
    }

    /// What is known after a track gave the values that its last operation asks for.
    pub(super) fn learn(&mut self, facts: FactsId, track: usize, used: usize) -> FactsId {
        let key = (facts, track, used);
        if let Some(known) = self.learnt.get(&key) {
            return *known;
        }
        let mut all = self.facts[facts as usize].clone();
        let asked = &self.tracks[track];
        if let Some(Op::Ask(exprs)) = asked.ops.last() {
            let values = asked.outputs[used].iter().copied();
            all.extend(exprs.iter().cloned().zip(values));
        }
        let number = self.facts_number(all);
        self.learnt.insert(key, number);
        number
    }

    /// An operation may change what is known of shared data.
    pub(super) fn forget(&mut self, op: OpId, facts: FactsId) -> FactsId {
        if self.facts[facts as usize].is_empty() {
            return facts;
        }
        if let Some(known) = self.forgotten.get(&(facts, op)) {
            return *known;
        }
        let mut all = self.facts[facts as usize].clone();
        if !matches!(self.ops.get(op), Op::Guard(_) | Op::Ask(_)) {
            let changed = &self.ops.cells[op as usize];
            all.retain(|(expr, _)| {
                let cells = Op::Guard(expr.clone()).cells(self.program);
                cells.iter().all(|cell| !changed.contains(cell))
            });
        }
        let number = self.facts_number(all);
        self.forgotten.insert((facts, op), number);
        number
    }
}
