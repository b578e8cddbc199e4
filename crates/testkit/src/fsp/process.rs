//! Processes, from the tree to a machine: one state for every local process and value of its indices,
//! and one for every place between two actions.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{ERROR, Machine};
use super::parse::{Body, Label, Process};
use super::system::System;
use super::values::{Env, Found};

/// How many states before a process is given up.
const MOST_STATES: usize = 20_000;

/// A state's name, or its number once it has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Named(String),
    Number(usize),
}

struct Builder<'s, 'm> {
    system: &'s mut System<'m>,
    edges: Vec<(usize, String, Place)>,
    /// The states of local processes, by flattened name.
    known: BTreeMap<String, usize>,
    /// States that are another name for a place.
    same: BTreeMap<usize, Place>,
    states: usize,
    alphabet: BTreeSet<String>,
    stop: Option<usize>,
    end: Option<usize>,
}

fn flat(name: &str, indices: &[String]) -> String {
    let mut all = vec![name.to_owned()];
    all.extend(indices.iter().cloned());
    all.join(".")
}

/// A machine for a process with these parameters, before `+`, `/` and `\`.
pub(super) fn build(
    system: &mut System<'_>,
    process: &Process,
    parameters: &Env,
) -> Found<Machine> {
    let mut builder = Builder {
        system,
        edges: Vec::new(),
        known: BTreeMap::new(),
        same: BTreeMap::new(),
        states: 0,
        alphabet: BTreeSet::new(),
        stop: None,
        end: None,
    };
    let mut bodies: Vec<(usize, &Body, Env)> = Vec::new();
    for (name, indices, body) in &process.locals {
        for (values, env) in builder.system.globals.bindings(indices, parameters)? {
            let state = builder.fresh()?;
            if builder.known.insert(flat(name, &values), state).is_some() {
                return Err(format!("duplicate definition {name}"));
            }
            bodies.push((state, body, env));
        }
    }
    for (state, body, env) in bodies {
        builder.define(state, body, &env)?;
    }
    builder.finish()
}

impl Builder<'_, '_> {
    fn fresh(&mut self) -> Found<usize> {
        self.states += 1;
        match self.states > MOST_STATES {
            true => Err("too many states".to_owned()),
            false => Ok(self.states - 1),
        }
    }

    /// Makes a state do what a body says.
    fn define(&mut self, state: usize, body: &Body, env: &Env) -> Found<()> {
        match body {
            Body::Choice(branches) => {
                for (guard, actions, next) in branches {
                    let enabled = match guard {
                        Some(guard) => self.system.globals.holds(guard, env)?,
                        None => true,
                    };
                    if enabled {
                        self.actions(state, actions, next, env)?;
                    }
                }
            }
            other => {
                let place = self.place(other, env)?;
                self.same.insert(state, place);
            }
        }
        Ok(())
    }

    fn actions(&mut self, from: usize, actions: &[Label], next: &Body, env: &Env) -> Found<()> {
        let Some((first, rest)) = actions.split_first() else {
            return Ok(());
        };
        for (label, env) in self.system.globals.labels(first, env)? {
            self.alphabet.insert(label.clone());
            let place = match rest {
                [] => self.place(next, &env)?,
                rest => {
                    let between = self.fresh()?;
                    self.actions(between, rest, next, &env)?;
                    Place::Number(between)
                }
            };
            self.edges.push((from, label, place));
        }
        Ok(())
    }

    /// Where a body begins.
    fn place(&mut self, body: &Body, env: &Env) -> Found<Place> {
        match body {
            Body::Choice(_) => {
                let state = self.fresh()?;
                self.define(state, body, env)?;
                Ok(Place::Number(state))
            }
            Body::If(condition, then, otherwise) => {
                match (self.system.globals.holds(condition, env)?, otherwise) {
                    (true, _) => self.place(then, env),
                    (false, Some(otherwise)) => self.place(otherwise, env),
                    (false, None) => self.stopped(),
                }
            }
            Body::Refer(before, name, indices) => {
                let values = indices.iter();
                let values = values.map(|i| self.system.globals.value(i, env));
                let values = values.collect::<Found<Vec<String>>>()?;
                let mut place = self.reference(&flat(name, &values))?;
                for (name, arguments) in before.iter().rev() {
                    let machine = self.system.in_sequence(name, arguments.as_deref(), env)?;
                    place = self.insert(&machine, place)?;
                }
                Ok(place)
            }
        }
    }

    fn stopped(&mut self) -> Found<Place> {
        if self.stop.is_none() {
            self.stop = Some(self.fresh()?);
        }
        Ok(Place::Number(self.stop.unwrap_or(0)))
    }

    fn reference(&mut self, name: &str) -> Found<Place> {
        match name {
            "STOP" => self.stopped(),
            "END" => {
                if self.end.is_none() {
                    self.end = Some(self.fresh()?);
                }
                Ok(Place::Number(self.end.unwrap_or(0)))
            }
            // What is not defined is an error; whether it is, only the end of all definitions says.
            name => Ok(Place::Named(name.to_owned())),
        }
    }

    /// A copy of a machine whose end is a place.
    fn insert(&mut self, machine: &Machine, after: Place) -> Found<Place> {
        self.alphabet.extend(machine.alphabet.iter().cloned());
        if machine.end == Some(0) {
            return Ok(after);
        }
        let numbers: Vec<usize> = (0..machine.states)
            .map(|_| self.fresh())
            .collect::<Found<_>>()?;
        for (source, label, target) in &machine.edges {
            let target = match *target {
                ERROR => Place::Number(ERROR),
                target if machine.end == Some(target) => after.clone(),
                target => Place::Number(numbers[target]),
            };
            self.edges.push((numbers[*source], label.clone(), target));
        }
        Ok(Place::Number(numbers[0]))
    }

    fn number(&self, place: &Place) -> Found<usize> {
        let mut place = place.clone();
        for _ in 0..=self.states {
            let number = match &place {
                Place::Named(name) => self.known.get(name).copied().unwrap_or(ERROR),
                Place::Number(number) => *number,
            };
            match self.same.get(&number) {
                Some(next) => place = next.clone(),
                None => return Ok(number),
            }
        }
        Err("recursion without an action".to_owned())
    }

    fn finish(mut self) -> Found<Machine> {
        let first = self.number(&Place::Number(0))?;
        let mut edges = BTreeSet::new();
        if first == ERROR {
            edges.insert((0, super::machine::TAU.to_owned(), ERROR));
            return Ok(Machine {
                states: 1,
                edges,
                alphabet: self.alphabet,
                ..Machine::default()
            });
        }
        // The first state becomes state 0.
        let swap = |s: usize| match s {
            0 => first,
            s if s == first => 0,
            s => s,
        };
        for (source, label, target) in std::mem::take(&mut self.edges) {
            let target = self.number(&target)?;
            let target = if target == ERROR { ERROR } else { swap(target) };
            edges.insert((swap(source), label, target));
        }
        let whole = Machine {
            states: self.states,
            edges,
            end: self.end.map(swap),
            alphabet: self.alphabet,
            ..Machine::default()
        };
        Ok(whole.pruned())
    }
}
