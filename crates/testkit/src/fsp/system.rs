//! Compositions, as LTSA makes them: a part that hides, has a priority or is to be reduced is composed
//! before it is used, all others are lists of machines.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::machine::{ERROR, Machine, TAU, is_silent};
use super::parse::{Composite, Expr, Hiding, Model, Parts, Process, Relabel, Set};
use super::process;
use super::values::{Env, Found, Globals};

/// How deep processes and compositions may use each other.
const DEEPEST: usize = 100;
/// How many states before a composition is given up.
const MOST_STATES: usize = 20_000;

pub(super) struct System<'m> {
    pub(super) globals: Globals,
    model: &'m Model,
    depth: usize,
    /// Has a part that hides been composed?
    pub(super) hides: bool,
}

/// Machines that came from one name.
type Unit = Vec<Machine>;

/// What an exploration found.
#[derive(Debug, Default)]
pub(super) struct Whole {
    pub machine: Machine,
    pub states: usize,
    pub transitions: usize,
    pub deadlock: bool,
    pub errors: BTreeSet<BTreeSet<String>>,
}

fn covers(set: &[String], label: &str) -> bool {
    let mut prefixes = label.match_indices('.').map(|(at, _)| &label[..at]);
    let within = |l: &str| set.iter().any(|s| s == l);
    within(label) || prefixes.any(within)
}

impl<'m> System<'m> {
    pub(super) fn new(model: &'m Model) -> Found<Self> {
        Ok(System {
            globals: Globals::new(model)?,
            model,
            depth: 0,
            hides: false,
        })
    }

    fn enter(&mut self) -> Found<()> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => Err("recursion without end".to_owned()),
            false => Ok(()),
        }
    }

    fn parameters(&self, formal: &[(String, Expr)], actual: Option<&[String]>) -> Found<Env> {
        let mut env = Env::new();
        if actual.is_some_and(|a| a.len() != formal.len()) {
            return Err("actuals do not match".to_owned());
        }
        for (i, (name, default)) in formal.iter().enumerate() {
            let value = match actual {
                Some(actual) => actual[i].clone(),
                None => self.globals.value(default, &env)?,
            };
            env.push((name.clone(), value));
        }
        Ok(env)
    }

    fn actual(&self, arguments: Option<&[Expr]>, env: &Env) -> Found<Option<Vec<String>>> {
        let Some(arguments) = arguments else {
            return Ok(None);
        };
        let values = arguments.iter().map(|e| self.globals.value(e, env));
        values.collect::<Found<Vec<String>>>().map(Some)
    }

    fn find(&self, name: &str) -> Option<&'m Process> {
        self.model.processes.iter().find(|p| p.name == name)
    }

    fn process(&mut self, process: &'m Process, actual: Option<Vec<String>>) -> Found<Machine> {
        self.enter()?;
        let env = self.parameters(&process.parameters, actual.as_deref())?;
        let mut machine = process::build(self, process, &env)?;
        machine.name = match &actual {
            Some(values) => format!("{}({})", process.name, values.join(",")),
            None => process.name.clone(),
        };
        if let Some(extension) = &process.extension {
            machine.alphabet.extend(self.globals.set(extension, &env)?);
        }
        let relabels = self.relabelling(&process.relabels, &env)?;
        machine.rename(|l| renamed(&relabels, l));
        self.hide(&mut machine, &process.hiding, &env)?;
        let words = process.words;
        if words.property {
            let once = |(s, l, _): &(usize, String, usize)| machine.next(*s, l).len() == 1;
            if process.hiding.is_some() || !machine.edges.iter().all(once) {
                return Err("a property must be deterministic".to_owned());
            }
            machine.complete();
        } else if words.minimal || words.deterministic {
            machine = machine.reduced(words.minimal, words.deterministic)?;
        }
        self.depth -= 1;
        Ok(machine)
    }

    /// A process before a `;`.
    pub(super) fn in_sequence(
        &mut self,
        name: &str,
        arguments: Option<&[Expr]>,
        env: &Env,
    ) -> Found<Machine> {
        let actual = self.actual(arguments, env)?;
        let process = self
            .find(name)
            .ok_or_else(|| format!("no process {name}"))?;
        let machine = self.process(process, actual)?;
        match machine.end {
            Some(_) => Ok(machine),
            None => Err(format!("{name} never ends")),
        }
    }

    fn hide(&mut self, machine: &mut Machine, hiding: &Hiding, env: &Env) -> Found<()> {
        if let Some((expose, set)) = hiding {
            let set = self.globals.set(set, env)?;
            machine.hide(|l| !is_silent(l) && covers(&set, l) != *expose);
        }
        Ok(())
    }

    fn relabelling(&self, all: &[Relabel], env: &Env) -> Found<BTreeMap<String, Vec<String>>> {
        let mut map: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for relabel in all {
            match relabel {
                Relabel::Pair(new, old) => {
                    for (new, env) in self.globals.labels(new, env)? {
                        for (old, _) in self.globals.labels(old, &env)? {
                            let names = map.entry(old).or_default();
                            if !names.contains(&new) {
                                names.push(new.clone());
                            }
                        }
                    }
                }
                Relabel::ForAll(indices, inner) => {
                    for (_, env) in self.globals.bindings(indices, env)? {
                        for (old, new) in self.relabelling(inner, &env)? {
                            map.entry(old).or_default().extend(new);
                        }
                    }
                }
            }
        }
        Ok(map)
    }

    /// The machines of a composition, and what is done to them as a whole.
    pub(super) fn machines(
        &mut self,
        composite: &'m Composite,
        actual: Option<&[String]>,
    ) -> Found<(Vec<Machine>, Env)> {
        self.enter()?;
        let env = self.parameters(&composite.parameters, actual)?;
        let units = self.parts(&composite.body, &env)?;
        self.depth -= 1;
        Ok((units.into_iter().flatten().collect(), env))
    }

    fn used(&mut self, composite: &'m Composite, actual: Option<&[String]>) -> Found<Unit> {
        let (machines, env) = self.machines(composite, actual)?;
        let words = composite.words;
        let reduced = words.minimal || words.deterministic || words.property;
        let plain = composite.priority.is_none() && composite.hiding.is_none();
        if plain && !reduced && !words.compose {
            return Ok(machines);
        }
        self.hides |= composite.hiding.is_some() || hides(&machines);
        let priority = self.priority(&composite.priority, &env)?;
        let mut machine = compose(&machines, priority.as_ref(), false)?.machine;
        machine.name.clone_from(&composite.name);
        self.hide(&mut machine, &composite.hiding, &env)?;
        machine.merge_silent();
        if reduced {
            let deterministic = words.deterministic || words.property;
            machine = machine.reduced(words.minimal, deterministic)?;
        }
        if words.property {
            machine.complete();
        }
        Ok(vec![machine])
    }

    pub(super) fn priority(
        &self,
        priority: &Option<(bool, Set)>,
        env: &Env,
    ) -> Found<Option<(bool, Vec<String>)>> {
        match priority {
            None => Ok(None),
            Some((low, set)) => Ok(Some((*low, self.globals.set(set, env)?))),
        }
    }

    fn parts(&mut self, parts: &'m Parts, env: &Env) -> Found<Vec<Unit>> {
        match parts {
            Parts::If(condition, then, otherwise) => {
                match (self.globals.holds(condition, env)?, otherwise) {
                    (true, _) => self.parts(then, env),
                    (false, Some(otherwise)) => self.parts(otherwise, env),
                    (false, None) => Ok(Vec::new()),
                }
            }
            Parts::ForAll(indices, inner) => {
                let mut all = Vec::new();
                for (_, env) in self.globals.bindings(indices, env)? {
                    all.extend(self.parts(inner, &env)?);
                }
                Ok(all)
            }
            Parts::Part {
                share,
                prefix,
                what,
                relabels,
            } => {
                let mut units = Vec::new();
                match prefix {
                    None => units = self.inside(what, env)?,
                    Some(prefix) => {
                        for (prefix, env) in self.globals.labels(prefix, env)? {
                            let mut more = self.inside(what, &env)?;
                            for machine in more.iter_mut().flatten() {
                                machine.name = format!("{prefix}:{}", machine.name);
                                machine.rename(|l| vec![format!("{prefix}.{l}")]);
                            }
                            units.extend(more);
                        }
                    }
                }
                if let Some(share) = share {
                    let labels = self.globals.labels(share, env)?;
                    let prefixes: Vec<String> = labels.into_iter().map(|l| l.0).collect();
                    for machine in units.iter_mut().flatten() {
                        machine.name = format!("{{{}}}::{}", prefixes.join(","), machine.name);
                        machine.rename(|l| prefixes.iter().map(|p| format!("{p}.{l}")).collect());
                    }
                }
                let relabels = self.relabelling(relabels, env)?;
                for unit in &mut units {
                    self.hides |= relabel(unit, &relabels)?;
                }
                Ok(units)
            }
        }
    }

    fn inside(
        &mut self,
        what: &'m Result<(String, Option<Vec<Expr>>), Vec<Parts>>,
        env: &Env,
    ) -> Found<Vec<Unit>> {
        match what {
            Err(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.parts(part, env)?);
                }
                Ok(all)
            }
            Ok((name, arguments)) => {
                let actual = self.actual(arguments.as_deref(), env)?;
                if let Some(process) = self.find(name) {
                    return Ok(vec![vec![self.process(process, actual)?]]);
                }
                let composite = self.model.composites.iter().find(|c| c.name == *name);
                let composite = composite.ok_or_else(|| format!("no process {name}"))?;
                Ok(vec![self.used(composite, actual.as_deref())?])
            }
        }
    }
}

fn renamed(map: &BTreeMap<String, Vec<String>>, label: &str) -> Vec<String> {
    if let Some(new) = map.get(label) {
        return new.clone();
    }
    let prefixes = label.rmatch_indices('.');
    for (at, _) in prefixes {
        if let Some(new) = map.get(&label[..at]) {
            let rest = &label[at..];
            return new.iter().map(|n| format!("{n}{rest}")).collect();
        }
    }
    vec![label.to_owned()]
}

/// A whole part gets new names: if two labels become one, it has to be composed before. Says whether it was, with hidden
/// steps in it.
fn relabel(unit: &mut Unit, map: &BTreeMap<String, Vec<String>>) -> Found<bool> {
    let mut hidden = false;
    let alphabet: BTreeSet<String> = unit.iter().flat_map(|m| m.alphabet.clone()).collect();
    let new: Vec<String> = alphabet.iter().flat_map(|l| renamed(map, l)).collect();
    let distinct: BTreeSet<&String> = new.iter().collect();
    if unit.len() > 1 && distinct.len() != new.len() {
        hidden = hides(unit);
        let name = format!("IN({})", unit[0].name);
        let mut machine = compose(unit, None, false)?.machine;
        machine.name = name;
        *unit = vec![machine];
    }
    for machine in unit {
        machine.rename(|l| renamed(map, l));
    }
    Ok(hidden)
}

/// Do machines that are composed first have hidden steps? Two of them between the same states are one then.
fn hides(machines: &[Machine]) -> bool {
    let mut edges = machines.iter().flat_map(|m| &m.edges);
    edges.any(|(_, label, _)| is_silent(label))
}

/// Composes machines, as LTSA does. `alone`: labels that only properties have never happen.
pub(super) fn compose(
    machines: &[Machine],
    priority: Option<&(bool, Vec<String>)>,
    alone: bool,
) -> Found<Whole> {
    let mut whole = Whole::default();
    let alphabet: BTreeSet<String> = machines.iter().flat_map(|m| m.alphabet.clone()).collect();
    let ending: Vec<&Machine> = machines
        .iter()
        .filter(|m| m.later_end().is_some())
        .collect();
    let known = |l: &String| ending.iter().any(|m| m.alphabet.contains(l));
    let processes = machines.iter().filter(|m| !(alone && m.property));
    let mut labels = processes.flat_map(|m| &m.alphabet);
    let can_end = !ending.is_empty() && labels.all(known);
    let start: Vec<usize> = vec![0; machines.len()];
    let mut numbers = BTreeMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    let mut ends = Vec::new();
    while let Some(vector) = queue.pop_front() {
        if numbers.len() > MOST_STATES {
            return Err("too many states".to_owned());
        }
        let from = numbers[&vector];
        let mut steps = steps(machines, &vector);
        if alone {
            let process = |l: &str| {
                let mut all = machines.iter();
                l == TAU || all.any(|m| !m.property && m.alphabet.contains(l))
            };
            steps.retain(|(l, _)| process(l));
        }
        if let Some((low, set)) = priority {
            let high = |l: &str| (l != TAU && covers(set, l)) != *low;
            if steps.iter().any(|(l, _)| high(l)) {
                steps.retain(|(l, _)| high(l));
            }
        }
        if steps.is_empty() {
            let there = |(m, s): (&Machine, &usize)| m.later_end().is_none_or(|e| e == *s);
            match can_end && machines.iter().zip(&vector).all(there) {
                true => ends.push(from),
                false => whole.deadlock = true,
            }
        }
        for (label, next) in steps {
            whole.transitions += 1;
            let wrong = machines.iter().zip(&next).filter(|(_, s)| **s == ERROR);
            let wrong: BTreeSet<String> = wrong.map(|(m, _)| m.name.clone()).collect();
            let to = match wrong.is_empty() {
                false => {
                    whole.errors.insert(wrong);
                    ERROR
                }
                true => {
                    let fresh = numbers.len();
                    *numbers.entry(next.clone()).or_insert_with(|| {
                        queue.push_back(next);
                        fresh
                    })
                }
            };
            whole.machine.edges.insert((from, label, to));
        }
    }
    // All ends are one state.
    let first = ends.first().copied();
    let same = |s: usize| match first {
        Some(first) if ends.contains(&s) => first,
        _ => s,
    };
    let edges = std::mem::take(&mut whole.machine.edges).into_iter();
    whole.machine.edges = edges.map(|(s, l, t)| (s, l, same(t))).collect();
    whole.machine.end = first;
    whole.machine.states = numbers.len();
    whole.machine.alphabet = alphabet;
    whole.states = numbers.len() - ends.len().saturating_sub(1);
    Ok(whole)
}

/// All steps of a vector, one for every choice.
pub(super) fn steps(machines: &[Machine], vector: &[usize]) -> Vec<(String, Vec<usize>)> {
    let mut all = Vec::new();
    let mut labels = BTreeSet::new();
    for (i, machine) in machines.iter().enumerate() {
        for label in machine.enabled(vector[i]) {
            if !is_silent(&label) {
                labels.insert(label);
                continue;
            }
            for target in machine.next(vector[i], &label) {
                let mut next = vector.to_vec();
                next[i] = target;
                all.push((TAU.to_owned(), next));
            }
        }
    }
    for label in labels {
        let mut ways = vec![vector.to_vec()];
        for (i, machine) in machines.iter().enumerate() {
            if machine.alphabet.contains(&label) {
                let targets = machine.next(vector[i], &label);
                let mut longer = Vec::new();
                for way in &ways {
                    for target in &targets {
                        let mut next = way.clone();
                        next[i] = *target;
                        longer.push(next);
                    }
                }
                ways = longer;
            }
        }
        all.extend(ways.into_iter().map(|way| (label.clone(), way)));
    }
    all
}
