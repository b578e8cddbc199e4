//! What processes do to what others see, read off the steps that a check looks at.
//!
//! For each proctype and location: which shared variables, owned variables and channels change, and which values the others
//! have then. Values are kept up to a bound; what has more is not spoken of.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use suppose_model::program::views::{
    Change, Condition, Interference, Local, Rule, Shared, Visible,
};
use suppose_model::program::{Program, ViewProof};

/// More values than this are not listed.
const MOST: usize = 64;
/// With more shared states times conditions than this, only conditions on what changes are given.
const WORK: usize = 4_000_000;

/// Values that were met; none if there are too many.
struct Values<T>(Option<BTreeSet<T>>);

impl<T: Ord + Copy> Values<T> {
    fn new() -> Self {
        Values(Some(BTreeSet::new()))
    }

    fn add(&mut self, value: T) {
        if let Some(all) = &mut self.0 {
            all.insert(value);
            if all.len() > MOST {
                self.0 = None;
            }
        }
    }

    fn list(&self) -> Vec<T> {
        self.0.iter().flatten().copied().collect()
    }
}

/// What is known of the variables of one name that processes own.
struct Owned {
    own: Values<i32>,
    other: Values<i32>,
    own_changes: Values<(i32, i32)>,
    other_changes: Values<(i32, i32)>,
}

impl Owned {
    fn new(_: &String) -> Self {
        Owned {
            own: Values::new(),
            other: Values::new(),
            own_changes: Values::new(),
            other_changes: Values::new(),
        }
    }
}

/// All steps from one location that others see, put together.
struct Steps {
    /// The numbers of the shared states before and after.
    shared: FxHashSet<(u32, u32)>,
    /// By the number of the name.
    owned: Vec<Owned>,
}

/// Puts steps together.
pub(super) struct Recorder<'a> {
    proof: &'a ViewProof,
    /// The names of variables that are owned.
    names: Vec<String>,
    /// Of each name, whether it holds numbers of processes that can be exchanged: these are not told.
    are_processes: Vec<bool>,
    /// For each place, the names of the slots that it owns.
    owned: Vec<Vec<usize>>,
    steps: BTreeMap<(u32, u32), Steps>,
}

/// Who takes part in a step: a place, its local state before and after it.
pub(super) type Part<'a> = (u32, &'a Local, &'a Local);

impl<'a> Recorder<'a> {
    pub fn new(program: &Program, proof: &'a ViewProof) -> Self {
        let mut owned = vec![Vec::new(); proof.split.places as usize];
        let mut names: Vec<String> = Vec::new();
        let mut are_processes = Vec::new();
        let owners = program.globals.iter().zip(&proof.split.owners);
        for (at, (slot, owner)) in owners.enumerate() {
            let Some(owner) = owner else {
                continue;
            };
            let name = array(&slot.name);
            let number = names.iter().position(|n| *n == name).unwrap_or(names.len());
            if number == names.len() {
                names.push(name);
                are_processes.push(is_process(proof, at as u32));
            }
            owned[*owner as usize].push(number);
        }
        Recorder {
            proof,
            names,
            are_processes,
            owned,
            steps: BTreeMap::new(),
        }
    }

    /// Does anybody own anything?
    pub fn owns(&self) -> bool {
        !self.names.is_empty()
    }

    fn at(&mut self, processes: &[u32], mover: u32, location: u32) -> Option<&mut Steps> {
        let proctype = *processes.get(mover as usize)?;
        let names = &self.names;
        let new = || Steps {
            shared: FxHashSet::default(),
            owned: names.iter().map(Owned::new).collect(),
        };
        Some(self.steps.entry((proctype, location)).or_insert_with(new))
    }

    /// A step of the first part, which the others take part in, between shared states of these numbers. False if nobody else
    /// sees anything of it.
    pub fn step(&mut self, processes: &[u32], (before, after): (u32, u32), parts: &[Part]) -> bool {
        let Some((mover, at, _)) = parts.first() else {
            return false;
        };
        let is_seen = before != after || parts.iter().any(|(_, old, new)| old.owned != new.owned);
        let places: Vec<Vec<usize>> = match is_seen {
            true => parts
                .iter()
                .map(|p| self.owned[p.0 as usize].clone())
                .collect(),
            false => return false,
        };
        let (mover, location) = (*mover, at.location);
        let are_processes = self.are_processes.clone();
        let Some(steps) = self.at(processes, mover, location) else {
            return false;
        };
        steps.shared.insert((before, after));
        for ((place, old, new), names) in parts.iter().zip(&places) {
            for (name, (old, new)) in names.iter().zip(old.owned.iter().zip(&new.owned)) {
                let it = &mut steps.owned[*name];
                let (values, changes) = match *place == mover {
                    true => (&mut it.own, &mut it.own_changes),
                    false => (&mut it.other, &mut it.other_changes),
                };
                match are_processes[*name] {
                    true if old != new => changes.0 = None,
                    true => {}
                    false => {
                        values.add(*old);
                        if old != new {
                            changes.add((*old, *new));
                        }
                    }
                }
            }
        }
        true
    }

    /// Somebody who takes no part in such a step.
    pub fn beside(&mut self, processes: &[u32], (mover, at): (u32, &Local), other: (u32, &Local)) {
        let names = self.owned[other.0 as usize].clone();
        let are_processes = self.are_processes.clone();
        let Some(steps) = self.at(processes, mover, at.location) else {
            return;
        };
        for (name, value) in names.iter().zip(&other.1.owned) {
            if !are_processes[*name] {
                steps.owned[*name].other.add(*value);
            }
        }
    }

    /// All of it, as short as it can be said; the shared states by their numbers.
    pub fn finish(self, shared: &[Shared]) -> Interference {
        let all = self.all_owned();
        let table = Table::new(self.proof, shared);
        let rules = self.steps.iter().map(|((proctype, location), steps)| {
            let mut changes = table.changes(steps);
            let mut when = Vec::new();
            for ((name, it), all) in self.names.iter().zip(&steps.owned).zip(&all) {
                for (what, values, changed) in [
                    (Visible::Own(name.clone()), &it.own, &it.own_changes),
                    (Visible::Other(name.clone()), &it.other, &it.other_changes),
                ] {
                    let values = values.list();
                    if !values.is_empty() && values != all.list() {
                        let what = what.clone();
                        when.push(Condition { what, values });
                    }
                    if changed.0.as_ref().is_none_or(|c| !c.is_empty()) {
                        let values = changed.list();
                        changes.push(Change { what, values });
                    }
                }
            }
            let mut conditions = table.conditions(steps, &changes);
            conditions.extend(when);
            Rule {
                proctype: *proctype,
                location: *location,
                when: conditions,
                changes,
            }
        });
        Interference {
            rules: rules.collect(),
        }
    }

    /// All values of what is owned, by name.
    fn all_owned(&self) -> Vec<Values<i32>> {
        let mut all: Vec<Values<i32>> = self.names.iter().map(|_| Values::new()).collect();
        for view in &self.proof.views {
            for (place, local) in [view.first, view.second] {
                let local = &self.proof.locals[local as usize];
                for (name, value) in self.owned[place as usize].iter().zip(&local.owned) {
                    all[*name].add(*value);
                }
            }
        }
        all
    }
}

/// The shared states of a proof as a table: what is seen of each.
struct Table<'a> {
    proof: &'a ViewProof,
    /// Those of the proof are the first.
    shared: &'a [Shared],
    columns: Vec<Visible>,
}

impl<'a> Table<'a> {
    fn new(proof: &'a ViewProof, shared: &'a [Shared]) -> Self {
        let owners = (0u32..).zip(&proof.split.owners);
        let free = owners.filter(|(_, owner)| owner.is_none());
        let channels = proof.shared.iter().map(|s| s.channels.len()).max();
        let channels = 0..channels.unwrap_or(0) as u32;
        let columns = free.map(|(slot, _)| Visible::Shared(slot));
        let columns = columns.chain(channels.map(Visible::Messages));
        let columns = columns.chain([Visible::Processes]).collect();
        Table {
            proof,
            shared,
            columns,
        }
    }

    fn value(&self, number: u32, what: &Visible) -> Option<i32> {
        let shared = &self.shared[number as usize];
        match what {
            Visible::Shared(slot) => shared.globals.get(*slot as usize).copied(),
            Visible::Messages(channel) => {
                let channel = shared.channels.get(*channel as usize)?;
                Some(channel.messages.len() as i32)
            }
            Visible::Processes => Some(shared.processes.len() as i32),
            Visible::Own(_) | Visible::Other(_) => None,
        }
    }

    fn changes(&self, steps: &Steps) -> Vec<Change> {
        let mut pairs: Vec<(u32, u32)> = steps.shared.iter().copied().collect();
        pairs.sort_unstable();
        let mut all = Vec::new();
        for what in &self.columns {
            let mut values = Values::new();
            let is_process = self.is_process(what);
            for (before, after) in &pairs {
                if let (Some(old), Some(new)) =
                    (self.value(*before, what), self.value(*after, what))
                    && old != new
                {
                    values.add((old, new));
                    if is_process {
                        values.0 = None;
                    }
                }
            }
            if values.0.as_ref().is_none_or(|v| !v.is_empty()) {
                all.push(Change {
                    what: what.clone(),
                    values: values.list(),
                });
            }
        }
        all
    }

    fn is_process(&self, what: &Visible) -> bool {
        matches!(what, Visible::Shared(slot) if is_process(self.proof, *slot))
    }

    /// The conditions on the shared state, without those that the others imply.
    fn conditions(&self, steps: &Steps, changes: &[Change]) -> Vec<Condition> {
        let mut before: Vec<u32> = steps.shared.iter().map(|(before, _)| *before).collect();
        before.sort_unstable();
        before.dedup();
        let count = self.proof.shared.len() as u32;
        let is_small = count as usize * self.columns.len() <= WORK;
        let mut kept: Vec<(Condition, Vec<bool>)> = Vec::new();
        for what in &self.columns {
            let changed = changes.iter().any(|c| c.what == *what);
            if !is_small && !changed || self.is_process(what) {
                continue;
            }
            let mut values = Values::new();
            let here = before.iter().filter_map(|b| self.value(*b, what));
            here.for_each(|v| values.add(v));
            let values = values.list();
            if values.is_empty() {
                continue;
            }
            let fits = |n: u32| {
                let value = self.value(n, what);
                value.is_none_or(|v| values.binary_search(&v).is_ok())
            };
            let fits: Vec<bool> = (0..count).map(fits).collect();
            if fits.contains(&false) {
                let what = what.clone();
                kept.push((Condition { what, values }, fits));
            }
        }
        // Those on what changes are looked at last, so that they stay.
        kept.sort_by_key(|(c, _)| changes.iter().any(|change| change.what == c.what));
        let mut at = 0;
        while at < kept.len() {
            let implied = |n: usize| {
                let others = kept.iter().enumerate().filter(|(other, _)| *other != at);
                kept[at].1[n] || others.into_iter().any(|(_, (_, fits))| !fits[n])
            };
            match (0..count as usize).all(implied) {
                true => drop(kept.remove(at)),
                false => at += 1,
            }
        }
        let mut conditions: Vec<Condition> = kept.into_iter().map(|(c, _)| c).collect();
        conditions.sort_by(|a, b| a.what.cmp(&b.what));
        conditions
    }
}

/// The name of the array that an element is of.
fn array(name: &str) -> String {
    match name.split_once('[') {
        Some((array, rest)) => {
            let after = rest.split_once(']').map_or("", |(_, after)| after);
            format!("{array}{after}")
        }
        None => name.to_owned(),
    }
}

/// Does a shared variable hold numbers of processes that can be exchanged?
fn is_process(proof: &ViewProof, slot: u32) -> bool {
    let symmetry = proof.symmetry.as_ref();
    symmetry.is_some_and(|s| s.globals[slot as usize].is_some())
}
