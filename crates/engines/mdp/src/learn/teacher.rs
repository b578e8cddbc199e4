//! The teacher: what is wrong with an assumption, or with the system (Section 5.4 of the thesis).

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use suppose_control::Context;
use suppose_model::Run;
use suppose_model::lts::State;
use suppose_model::mdp::{Certificate, Counterexample, Lpts, LptsBuilder, System, Tree, Whole};

use super::samples::Negative;
use crate::abstraction::{Behaviour, Projection};
use crate::engine::Failure;
use crate::flow::Matcher;
use crate::product::build;
use crate::simulation::{Simulation, relation, simulate};
use crate::tree::{Start, TreeCheck, simulate_tree};

/// The two sides and the specification.
pub(super) struct Teacher<'a> {
    pub system: &'a System,
    pub spec: &'a Lpts,
    pub groups: Vec<Vec<usize>>,
    first: Vec<&'a Lpts>,
    rest: Vec<&'a Lpts>,
    /// What the assumption is about, built.
    pub target: Whole,
}

/// What the teacher says of an assumption.
pub(super) enum Reply {
    /// Both premises hold.
    Sufficient(Box<Certificate>),
    /// It must have that behaviour.
    Positive(Lpts),
    /// It must not have that behaviour.
    Negative(Negative),
    /// Whatever is assumed, the system does not conform.
    Violated(Box<Counterexample>),
}

impl<'a> Teacher<'a> {
    pub fn new(
        system: &'a System,
        spec: &'a Lpts,
        groups: Vec<Vec<usize>>,
        run: &mut Run,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let rest = system.members(&groups[1]);
        Ok(Teacher {
            system,
            spec,
            first: system.members(&groups[0]),
            target: build("assumption", &rest, run, cx)?,
            rest,
            groups,
        })
    }

    /// Checks both premises.
    pub fn ask(&self, guess: &Lpts, run: &mut Run, cx: &Context) -> Result<Reply, Failure> {
        run.queries += 1;
        let second = match simulate(&self.target.lpts, guess, &[], cx)? {
            Simulation::Holds(pairs) => pairs,
            Simulation::Fails(tree) => return Ok(Reply::Positive(tree.shape().clone())),
        };
        let mut parts = self.first.clone();
        parts.push(guess);
        let whole = build("premise", &parts, run, cx)?;
        let seen = &self.system.observed;
        match simulate(&whole.lpts, self.spec, seen, cx)? {
            Simulation::Holds(pairs) => {
                let first = relation(&parts, &whole, self.spec, seen, &pairs, cx)?;
                let second = relation(&self.rest, &self.target, guess, &[], &second, cx)?;
                Ok(Reply::Sufficient(Box::new(Certificate {
                    groups: self.groups.clone(),
                    assumptions: vec![guess.clone()],
                    premises: vec![first, second],
                })))
            }
            Simulation::Fails(tree) => self.project(&tree, &whole, &parts, run, cx),
        }
    }

    /// The assumption's part of a counterexample: real if the system behind the assumption can do it too.
    fn project(
        &self,
        tree: &Tree,
        whole: &Whole,
        parts: &[&Lpts],
        run: &mut Run,
        cx: &Context,
    ) -> Result<Reply, Failure> {
        let behaviour = Behaviour::of_tree(tree, |s| whole.vector(s), parts)
            .map_err(|_| Failure::Bug("a counterexample is no behaviour".to_owned()))?;
        let shadow = Projection::onto(&behaviour, parts.len() - 1, cx)?;
        let negative = shape(&shadow, parts[parts.len() - 1]);
        let target = &self.target.lpts;
        let check = simulate_tree(&negative, target, &[], Start::All, cx)?;
        if !check.related(0, target.initial()) {
            return Ok(Reply::Negative(negative));
        }
        let (followed, states) = follow(&negative, target, &check, cx)?;
        drop(check);
        let mut parts = self.first.clone();
        parts.push(&followed);
        let whole = build("counterexample", &parts, run, cx)?;
        let Simulation::Fails(tree) = simulate(&whole.lpts, self.spec, &self.system.observed, cx)?
        else {
            return Err(Failure::Bug("a counterexample conforms".to_owned()));
        };
        Ok(Reply::Violated(Box::new(
            self.found(&tree, &whole, &states),
        )))
    }

    /// In terms of the components' states.
    fn found(&self, tree: &Tree, whole: &Whole, states: &[State]) -> Counterexample {
        let order = self.groups.concat();
        tree.counterexample(|state| {
            let mut vector = whole.vector(state);
            let node = vector.pop().unwrap_or_default();
            vector.extend(self.target.vector(states[node as usize]));
            let mut all = vec![0; order.len()];
            for (place, component) in order.iter().enumerate() {
                all[*component] = vector[place];
            }
            all.into_boxed_slice()
        })
    }
}

/// A projection as a tree.
fn shape(shadow: &Projection, part: &Lpts) -> Negative {
    let mut builder = LptsBuilder::new("sample");
    builder.states(shadow.nodes.len());
    for (number, node) in shadow.nodes.iter().enumerate() {
        for step in &node.steps {
            let dist = part.dist(step.dist);
            let children = step.children.iter().enumerate();
            let mut image = children.map(|(at, c)| (*c, dist.weight(at))).collect();
            if let Some(dist) = builder.store().insert_ints(&mut image) {
                builder.choice_of(number as State, step.label, dist);
            }
        }
    }
    builder.build()
}

/// What a system does when it simulates a finite behaviour: a finite behaviour of its own that simulates the other, and
/// the states its nodes stand for. Several nodes that are sent to one state come together there.
fn follow(
    tree: &Negative,
    target: &Lpts,
    check: &TreeCheck<'_>,
    cx: &Context,
) -> Result<(Lpts, Vec<State>), Failure> {
    let mut builder = LptsBuilder::new("followed");
    builder.extend_alphabet(target.alphabet().iter().copied());
    let mut numbers: FxHashMap<(Vec<State>, State), State> = FxHashMap::default();
    let mut states = vec![target.initial()];
    numbers.insert((vec![0], target.initial()), 0);
    let mut queue = VecDeque::from([(vec![0 as State], target.initial())]);
    let mut matcher = Matcher::default();
    while let Some(key) = queue.pop_front() {
        cx.check()?;
        let (nodes, state) = &key;
        let here = numbers[&key];
        for choice in nodes.iter().flat_map(|n| tree.choices(*n)) {
            let left = tree.dist(choice.dist);
            let mut options = target.choices_on(*state, choice.label).iter();
            let found = options.find(|option| {
                let right = target.dist(option.dist);
                matcher.related(left, right, |row, column| {
                    u8::from(check.related(left.targets()[row], right.targets()[column]))
                })
            });
            let Some(found) = found else {
                return Err(Failure::Bug("a simulation cannot be followed".to_owned()));
            };
            let right = target.dist(found.dist);
            let mut image = Vec::with_capacity(right.len());
            for (column, to) in right.targets().iter().enumerate() {
                let rows = (0..left.len()).filter(|row| matcher.uses(*row, column));
                let mut from: Vec<State> = rows.map(|row| left.targets()[row]).collect();
                from.sort_unstable();
                let child = (from, *to);
                let next = states.len() as State;
                let number = *numbers.entry(child.clone()).or_insert(next);
                if number == next {
                    states.push(*to);
                    queue.push_back(child);
                }
                image.push((number, right.weight(column)));
            }
            if let Some(dist) = builder.store().insert_ints(&mut image) {
                builder.choice_of(here, choice.label, dist);
            }
        }
    }
    builder.states(states.len());
    Ok((builder.build(), states))
}
