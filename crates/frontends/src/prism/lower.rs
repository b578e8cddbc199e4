//! A model as a [`System`], or as one [`Lpts`].

use fixedbitset::FixedBitSet;
use suppose_model::lts::{Label, Labels, PackedStates};
use suppose_model::mdp::{
    Component, DistId, Lpts, LptsBuilder, Property, Proposition, System, Variables,
};
use suppose_number::{Int, Rat};
use suppose_source::Diagnostic;

use super::atoms::Atoms;
use super::code::Code;
use super::explore::{Bounds, Found, OnFault, Sink, explore};
use super::group::{Grouping, Groups, Reads};
use super::initial::initial_states;
use super::machine::{Joint, Machine};
use super::property::Properties;
use super::resolved::{Resolved, Vector};
use super::rewards::Earning;
use super::term::Term;
use super::{Exploration, ExplorationError, ModelType, PrismModel, reads};

/// A component alone that has more states than this is explored together with the others, if these are fewer.
const ALONE: usize = 300_000;

/// A system made from a model.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The system.
    pub system: System,
    /// The properties, about the system's propositions, in the order they were given.
    pub properties: Vec<Property>,
    /// What was done that the user should know: which modules were put together and why.
    pub notes: Vec<String>,
    /// Where a component, alone, would leave the range of a variable or the like. The choice was left
    /// out. If the whole model never comes there (then [`PrismModel::count`] succeeds), nothing is lost.
    pub blocked: Vec<Diagnostic>,
}

impl Lowered {
    fn with_notes(mut self, mut notes: Vec<String>) -> Lowered {
        notes.append(&mut self.notes);
        self.notes = notes;
        self
    }
}

/// A model as one system of states.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Its behaviour, with the actions as seen from outside.
    pub lpts: Lpts,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl PrismModel {
    /// The model as a system of components. `labels` has those of the specification, if that was
    /// read before; the system's are added.
    pub fn system(
        &self,
        grouping: &Grouping,
        properties: &Properties,
        labels: Labels,
        how: &Exploration<'_>,
    ) -> Result<Lowered, ExplorationError> {
        let initial = initial_states(&self.resolved, how.limits.states, how.stop)?;
        let mut grouping = grouping.clone();
        let mut notes = Vec::new();
        grouping.one |= grouping.one_if_whole && properties.whole();
        if !grouping.one && self.resolved.modules.len() > 1 {
            let why = match (properties.rewards(), initial.len()) {
                (true, _) => Some("rewards are those of the whole system"),
                (_, 1) => None,
                _ => Some("a component begins in one state, and the model in several"),
            };
            if let Some(why) = why {
                grouping.one = true;
                notes.push(format!("all modules are one component: {why}"));
            }
        }
        let mut states = ALONE.min(how.limits.states);
        loop {
            let mut limited = *how;
            let apart = !grouping.one && self.resolved.modules.len() > 1;
            // With actions given by hand, components mean something else than the modules together.
            let may_join = apart && grouping.actions.is_empty();
            if may_join {
                limited.limits.states = states;
            }
            let lowered = self.lowered(&grouping, &initial, properties, labels.clone(), &limited);
            let Err(ExplorationError::TooLarge(alone)) = &lowered else {
                return lowered.map(|it| it.with_notes(notes));
            };
            if !may_join {
                return lowered.map(|it| it.with_notes(notes));
            }
            let mut together = grouping.clone();
            together.one = true;
            let lowered = self.lowered(&together, &initial, properties, labels.clone(), &limited);
            match lowered {
                Err(ExplorationError::TooLarge(_)) if states < how.limits.states => {
                    states = states.saturating_mul(10).min(how.limits.states);
                }
                Ok(whole) => {
                    notes.push(format!("all modules are one component: {alone}"));
                    return Ok(whole.with_notes(notes));
                }
                other => return other,
            }
        }
    }

    /// The model with components as the grouping says.
    fn lowered(
        &self,
        grouping: &Grouping,
        initial: &[Vec<i64>],
        properties: &Properties,
        labels: Labels,
        how: &Exploration<'_>,
    ) -> Result<Lowered, ExplorationError> {
        let mut notes = Vec::new();
        let mut model = self.resolved.clone();
        if let [only] = initial {
            for (variable, value) in model.variables.iter_mut().zip(only) {
                variable.init = Some(*value);
            }
        }
        if grouping.reads == Reads::Synchronise && model.ty == ModelType::Mdp && !grouping.one {
            let mut before = Groups::new(&model, grouping)?;
            before.share_globals();
            let transformed = reads::synchronise(&model, &before);
            notes.extend(transformed.notes);
            model = transformed.model;
        }
        let mut groups = Groups::new(&model, grouping)?;
        groups.share_globals();
        groups.share_reads();
        for atom in properties.indivisible() {
            groups.share_atom(atom);
        }
        notes.append(&mut groups.notes);
        let mut system = System::new(self.name.clone(), labels);
        system.rewards = model.rewards.iter().map(|r| r.name.clone()).collect();
        Builder {
            model: &model,
            groups: &groups,
            grouping,
            how,
            initial,
            rewards: match groups.list().len() {
                1 if !model.rewards.is_empty() => Some(properties.rewards()),
                _ => None,
            },
            system,
            notes,
            blocked: Vec::new(),
        }
        .build(properties)
    }

    /// The model as one LPTS, for a specification. Its labels are added to `labels`.
    pub fn whole(
        &self,
        labels: &mut Labels,
        how: &Exploration<'_>,
    ) -> Result<Whole, ExplorationError> {
        let grouping = Grouping {
            one: true,
            ..Grouping::default()
        };
        self.single_initial(how)?;
        let taken = std::mem::take(labels);
        let lowered = self.system(&grouping, &Properties::default(), taken, how)?;
        *labels = lowered.system.labels;
        let mut components = lowered.system.components;
        match components.pop() {
            Some(component) if components.is_empty() => Ok(Whole {
                lpts: component.lpts.renamed(self.name.clone()),
                notes: lowered.notes,
            }),
            _ => Err(ExplorationError::Invalid(vec![
                Diagnostic::error_without_place("the model is not one component"),
            ])),
        }
    }

    /// Conformance is between systems with one initial state: if the model has several, says so.
    pub fn single_initial(&self, how: &Exploration<'_>) -> Result<(), ExplorationError> {
        let states = initial_states(&self.resolved, how.limits.states, how.stop)?;
        match (states.len(), &self.resolved.init) {
            (1, _) => Ok(()),
            (count, init) => {
                let span = init.as_ref().map(|t| t.span).unwrap_or_default();
                Err(ExplorationError::Invalid(vec![
                    Diagnostic::error(span, format!("the model has {count} initial states"))
                        .label("expected a condition that one state fulfils")
                        .help("what is compared begins in one state: give each variable an `init` value instead, or let a first command choose"),
                ]))
            }
        }
    }
}

struct Builder<'a> {
    model: &'a Resolved,
    groups: &'a Groups<'a>,
    grouping: &'a Grouping,
    how: &'a Exploration<'a>,
    initial: &'a [Vec<i64>],
    /// Are there rewards, and does a property ask about them? They are computed in any case: choices that differ in their rewards stay
    /// apart, so that evidence means the same whatever else is asked.
    rewards: Option<bool>,
    system: System,
    notes: Vec<String>,
    blocked: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn build(mut self, properties: &Properties) -> Result<Lowered, ExplorationError> {
        let list = self.groups.list();
        let vector_labels = self.vector_labels(&list);
        let mut atoms = Atoms::new(self.groups, &list);
        let lowered: Result<Vec<Property>, Diagnostic> = properties
            .list
            .iter()
            .map(|p| atoms.property(p, self.model))
            .collect();
        let lowered = lowered.map_err(|e| ExplorationError::Invalid(vec![e]))?;
        for (number, modules) in list.iter().enumerate() {
            let component = self.component(number, modules, &vector_labels, &atoms)?;
            self.system.components.push(component);
        }
        for atom in atoms.list() {
            self.system.propositions.push(Proposition {
                name: atom.name.clone(),
                component: atom.component,
            });
        }
        Ok(Lowered {
            system: self.system,
            properties: lowered,
            notes: self.notes,
            blocked: self.blocked,
        })
    }

    /// A label for every vector. Vectors that are seen as the same action need labels of their own if
    /// different components take part: the same label would make them act together.
    fn vector_labels(&mut self, list: &[Vec<usize>]) -> Vec<Label> {
        let model = self.model;
        let group_of = |vector: &Vector| {
            let first = self.groups.of(vector.parts[0].0);
            let same = vector.parts.iter().all(|p| self.groups.of(p.0) == first);
            same.then_some(first)
        };
        let homes: Vec<Option<usize>> = model.vectors.iter().map(group_of).collect();
        let mut by_action: Vec<Vec<usize>> = vec![Vec::new(); model.actions.len()];
        for (number, vector) in model.vectors.iter().enumerate() {
            if let Some(action) = vector.seen {
                by_action[action as usize].push(number);
            }
        }
        let mut result = vec![Label::TAU; model.vectors.len()];
        for (number, vector) in model.vectors.iter().enumerate() {
            result[number] = match vector.seen {
                None if homes[number].is_some() => Label::TAU,
                None => {
                    let name = &model.actions[vector.parts[0].1 as usize];
                    let label = self.system.labels.intern_hidden(name);
                    self.system.observe_as(label, Label::TAU);
                    label
                }
                Some(action) => {
                    let all = &by_action[action as usize];
                    let home = homes[all[0]];
                    let one_home = home.is_some() && all.iter().all(|v| homes[*v] == home);
                    let seen =
                        intern_action(&mut self.system.labels, &model.actions[action as usize]);
                    if all.len() == 1 || one_home || list.len() == 1 {
                        seen
                    } else {
                        let place = all.iter().position(|v| *v == number).unwrap_or(0);
                        let label = self.copy_of(seen, place + 1);
                        self.system.observe_as(label, seen);
                        label
                    }
                }
            };
        }
        result
    }

    /// A new label whose name begins with that of another: `send@2`.
    fn copy_of(&mut self, seen: Label, mut number: usize) -> Label {
        let base = self.system.labels.name(seen).to_owned();
        loop {
            let name = format!("{base}@{number}");
            if self.system.labels.get(&name).is_none() {
                return self.system.labels.intern(&name);
            }
            number += 1;
        }
    }

    fn component(
        &mut self,
        number: usize,
        modules: &[usize],
        vector_labels: &[Label],
        atoms: &Atoms<'_>,
    ) -> Result<Component, ExplorationError> {
        let model = self.model;
        let members: Vec<String> = modules
            .iter()
            .map(|m| model.modules[*m].name.clone())
            .collect();
        let name = members.join("+");
        let here = |v: &u32| modules.contains(&self.groups.holder(*v));
        let variables: Vec<u32> = (0..model.variables.len() as u32).filter(here).collect();
        let labels = self.own_labels(modules, vector_labels)?;
        let joints = joints(model, modules, &labels);
        let mut machine = Machine::new(model, modules, &variables, joints);
        let what = match self.groups.list().len() {
            1 => "the model".to_owned(),
            _ => format!("the component {name}, explored alone,"),
        };
        let bounds = Bounds {
            limits: self.how.limits,
            stop: self.how.stop,
            on_fault: match self.groups.list().len() {
                1 => OnFault::Refuse,
                _ => OnFault::Block,
            },
            what: &what,
        };
        let labels_of = &mut self.system.labels;
        let earning = self
            .rewards
            .map(|asked| Earning::new(model, labels_of, asked));
        let mut sink = Lpts1::new(&name, model.ty, earning);
        let start: Vec<Vec<u64>> = self.initial.iter().map(|s| machine.pack(s)).collect();
        let found = explore(model, &mut machine, &start, &bounds, &mut sink)?;
        if let Some(bad) = sink.mixed {
            let shown = show_state(&mut machine, &found, bad);
            self.notes.push(format!(
                "in the state {shown} commands with different actions are drawn from: the step is seen as tau"
            ));
        }
        let Found { states, blocked } = found;
        self.blocked.extend(blocked);
        let mut builder = sink.builder;
        builder.states(states.len());
        let mut different = start;
        different.sort_unstable();
        different.dedup();
        // The initial states come first.
        (1..different.len() as u32).for_each(|state| {
            builder.also_initial(state);
        });
        builder.extend_alphabet(labels.iter().flatten().copied());
        for (atom, info) in atoms.list().iter().enumerate() {
            if info.component == number {
                let set = satisfying(&info.term, &mut machine, model, &states)?;
                builder.proposition(atom as u32, set);
            }
        }
        let (mut lpts, tags) = builder.build_tagged();
        if let Some(earning) = sink.earning {
            lpts = lpts.with_rewards(earning.finish(&tags));
        }
        let named = variables.iter().map(|v| {
            let info = &model.variables[*v as usize];
            (info.name.clone(), info.low, info.is_bool)
        });
        let variables = named.collect();
        Ok(Component {
            lpts: lpts.with_variables(Variables { states, variables }),
            members,
        })
    }

    /// The labels of the vectors as this component has them; none for those it has no part in.
    fn own_labels(
        &mut self,
        modules: &[usize],
        vector_labels: &[Label],
    ) -> Result<Vec<Option<Label>>, ExplorationError> {
        let model = self.model;
        let takes_part = |v: &Vector| v.parts.iter().any(|p| modules.contains(&p.0));
        let mut labels: Vec<Option<Label>> = model
            .vectors
            .iter()
            .zip(vector_labels)
            .map(|(vector, label)| takes_part(vector).then_some(*label))
            .collect();
        let mut given: Option<&Vec<String>> = None;
        for (name, actions) in &self.grouping.actions {
            if modules.contains(&self.groups.module(name)?) {
                given = Some(actions);
            }
        }
        let Some(given) = given else {
            return Ok(labels);
        };
        let mut alone: Vec<(Label, Label)> = Vec::new();
        for (vector, label) in model.vectors.iter().zip(&mut labels) {
            let (Some(action), Some(old)) = (vector.seen, *label) else {
                continue;
            };
            if given.contains(&model.actions[action as usize]) {
                continue;
            }
            let new = match alone.iter().find(|(from, _)| *from == old) {
                Some((_, new)) => *new,
                None => {
                    let new = self.copy_of(old, 1);
                    let seen = self.system.observe(old);
                    self.system.observe_as(new, seen);
                    alone.push((old, new));
                    new
                }
            };
            *label = Some(new);
        }
        // Actions it is said to share and never does: it blocks them.
        for action in given {
            let label = intern_action(&mut self.system.labels, action);
            if !labels.contains(&Some(label)) {
                labels.push(Some(label));
            }
        }
        Ok(labels)
    }
}

/// The label of an action of the model. PRISM knows no `tau`, so an action of that name is another.
pub(super) fn intern_action(labels: &mut Labels, name: &str) -> Label {
    match name {
        "tau" => labels.intern("[tau]"),
        _ => labels.intern(name),
    }
}

/// The joint actions of a machine of these modules. One label may represent several vectors.
fn joints(model: &Resolved, modules: &[usize], labels: &[Option<Label>]) -> Vec<Joint> {
    let mut joints = Vec::new();
    for (vector, label) in model.vectors.iter().zip(labels) {
        let Some(label) = label else { continue };
        let place = |(module, action): &(usize, u32)| {
            let at = modules.iter().position(|m| m == module)?;
            Some((at, *action))
        };
        joints.push(Joint {
            label: label.0,
            parts: vector.parts.iter().filter_map(place).collect(),
        });
    }
    joints
}

/// The states where a condition is true.
fn satisfying(
    term: &Term,
    machine: &mut Machine<'_>,
    model: &Resolved,
    states: &PackedStates,
) -> Result<FixedBitSet, ExplorationError> {
    let range = |v: u32| {
        (
            model.variables[v as usize].low,
            model.variables[v as usize].high,
        )
    };
    let code = Code::new(term, &range);
    let mut set = FixedBitSet::with_capacity(states.len());
    for (state, record) in states.iter().enumerate() {
        machine.load(record);
        match code.run(machine.values()) {
            Ok(value) => set.set(state, value != 0),
            Err(fault) => {
                let it = fault
                    .diagnostic()
                    .help(format!("in the state {}", machine.show()));
                return Err(ExplorationError::Invalid(vec![it]));
            }
        }
    }
    Ok(set)
}

fn show_state(machine: &mut Machine<'_>, found: &Found, state: u32) -> String {
    machine.load(found.states.record(state as usize));
    machine.show()
}

/// Builds the LPTS of a component.
struct Lpts1 {
    builder: LptsBuilder,
    ty: ModelType,
    branches: usize,
    /// The choices of the present state of a `dtmc`.
    drawn: Vec<(Label, DistId)>,
    /// A state of a `dtmc` where choices with different labels are drawn from.
    mixed: Option<u32>,
    small: Vec<(u32, u64)>,
    /// The rewards, if a property uses them.
    earning: Option<Earning>,
}

impl Lpts1 {
    fn new(name: &str, ty: ModelType, earning: Option<Earning>) -> Lpts1 {
        Lpts1 {
            builder: LptsBuilder::new(name),
            ty,
            branches: 0,
            drawn: Vec::new(),
            mixed: None,
            small: Vec::new(),
            earning,
        }
    }

    fn insert(&mut self, targets: &mut Vec<(u32, Int)>) -> Option<DistId> {
        if let [(target, _)] = targets[..] {
            return Some(self.builder.store().insert_dirac(target));
        }
        self.small.clear();
        for (target, weight) in targets.iter() {
            match weight.to_i64().and_then(|w| u64::try_from(w).ok()) {
                Some(weight) => self.small.push((*target, weight)),
                None => return self.builder.store().insert_ints(targets),
            }
        }
        self.builder.store().insert_weights(&mut self.small)
    }
}

impl Sink for Lpts1 {
    fn begin(&mut self, values: &[i64]) -> Result<(), ExplorationError> {
        match &mut self.earning {
            Some(earning) => earning.state(values),
            None => Ok(()),
        }
    }

    fn choice(&mut self, state: u32, label: Option<u32>, targets: &mut Vec<(u32, Int)>) {
        let label = label.map_or(Label::TAU, Label);
        let Some(dist) = self.insert(targets) else {
            return;
        };
        self.branches += targets.len();
        match self.ty {
            ModelType::Mdp => {
                let tag = self.earning.as_mut().map_or(0, |e| e.choice(&[label]));
                self.builder.choice_tagged(state, label, dist, tag);
            }
            ModelType::Dtmc => self.drawn.push((label, dist)),
        }
    }

    fn state(&mut self, state: u32, _: usize) {
        let [(label, dist), ..] = self.drawn[..] else {
            return;
        };
        let tag = match &mut self.earning {
            None => 0,
            Some(earning) => {
                let labels: Vec<Label> = self.drawn.iter().map(|d| d.0).collect();
                earning.choice(&labels)
            }
        };
        if self.drawn.len() == 1 {
            self.builder.choice_tagged(state, label, dist, tag);
            self.drawn.clear();
            return;
        }
        let same = self.drawn.iter().all(|d| d.0 == label);
        if !same {
            self.mixed.get_or_insert(state);
        }
        let share = Rat::new(Int::ONE, Int::from(self.drawn.len() as i64));
        let mut parts: Vec<(u32, Rat)> = Vec::new();
        for (_, dist) in self.drawn.drain(..) {
            let dist = self.builder.store().get(dist);
            parts.extend(dist.probabilities().map(|(s, p)| (s, &p * &share)));
        }
        let label = if same { label } else { Label::TAU };
        // They add up to 1 by construction.
        if let Ok(dist) = self.builder.store().insert_probabilities(&parts) {
            self.builder.choice_tagged(state, label, dist, tag);
        }
    }

    fn branches(&self) -> usize {
        self.branches
    }
}
