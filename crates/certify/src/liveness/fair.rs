//! Certificates and terminal sets under fair choice.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use suppose_model::lts::{Liveness, PackedStates, Temporal};
use suppose_model::{Counterexample, RecurrentSet, Residual, TerminalSet};

use super::residual::{Alternatives, Reading, after, expand, least, nothing};
use super::vectors::{Processes, Vector, Vectors};
use super::word::{Letter, before, next};
use super::{flaw, left};
use crate::cancellation::Cancellation;
use crate::rejection::Rejection;
use crate::summary::Summary;

/// So many letters of standing still are looked at.
const MOST_STILL: usize = 100_000;

/// The residuals of evidence, by number, and what is left of each after letters.
struct Table<'e> {
    claim: &'e Liveness,
    all: Vec<Alternatives>,
    numbers: BTreeMap<Alternatives, u32>,
}

/// What letters leave of residuals in one reading.
struct Left<'s> {
    reading: Reading<'s>,
    memo: FxHashMap<(u32, Letter), Alternatives>,
}

impl<'s> Left<'s> {
    fn new(reading: Reading<'s>) -> Self {
        let memo = FxHashMap::default();
        Left { reading, memo }
    }

    fn after(
        &mut self,
        table: &Table<'_>,
        residual: u32,
        letter: &Letter,
    ) -> Result<&Alternatives, Rejection> {
        let key = (residual, letter.clone());
        if !self.memo.contains_key(&key) {
            let left = &table.all[residual as usize];
            let left = after(table.claim, left, letter, &self.reading).map_err(flaw)?;
            self.memo.insert(key.clone(), left);
        }
        Ok(&self.memo[&key])
    }
}

impl<'e> Table<'e> {
    fn new(claim: &'e Liveness, residuals: &[Residual]) -> Result<Self, Rejection> {
        let set = |r: &Residual| -> Alternatives {
            r.iter().map(|a| a.iter().copied().collect()).collect()
        };
        let all: Vec<Alternatives> = residuals.iter().map(set).collect();
        let known = |n: &u32| {
            let node = claim.nodes.get(*n as usize);
            node.is_some_and(|n| !matches!(n, Temporal::And(_) | Temporal::Or(_)))
        };
        if !all.iter().flatten().flatten().all(known) {
            return Err(flaw(
                "what is left mentions a formula that the claim does not have",
            ));
        }
        let numbers = all.iter().cloned().zip(0u32..).collect();
        Ok(Table {
            claim,
            all,
            numbers,
        })
    }

    fn number(&self, residual: &Alternatives) -> Option<u32> {
        self.numbers.get(residual).copied()
    }

    fn is_true(&self, residual: u32) -> bool {
        self.all[residual as usize] == nothing()
    }
}

/// A set of vectors that no step leaves, and what is claimed of it.
struct Closed<'c> {
    processes: &'c Processes<'c>,
    table: &'c Table<'c>,
    vectors: &'c Vectors,
    set: &'c RecurrentSet,
    members: Vec<u32>,
    again: BTreeSet<u32>,
    forever: BTreeSet<u32>,
    /// The letters of the walk, and the vectors before each.
    letters: Vec<Letter>,
    places: Vec<u32>,
}

impl<'c> Closed<'c> {
    fn new(
        processes: &'c Processes<'c>,
        table: &'c Table<'c>,
        vectors: &'c Vectors,
        set: &'c RecurrentSet,
        members: Vec<u32>,
    ) -> Result<Self, Rejection> {
        let nodes = &table.claim.nodes;
        let is = |n: &u32, until: bool| match nodes.get(*n as usize) {
            Some(Temporal::Until(..)) => until,
            Some(Temporal::Release(..)) => !until,
            _ => false,
        };
        if !set.again.iter().all(|n| is(n, true)) || !set.forever.iter().all(|n| is(n, false)) {
            return Err(flaw("a set is said to have a formula of the wrong kind"));
        }
        let mut it = Closed {
            processes,
            table,
            vectors,
            set,
            members,
            again: set.again.iter().copied().collect(),
            forever: set.forever.iter().copied().collect(),
            letters: Vec::new(),
            places: vec![set.home],
        };
        it.follow()?;
        Ok(it)
    }

    fn vector(&self, number: u32) -> Result<&'c Vector, Rejection> {
        let vector = self.vectors.get(number);
        vector.ok_or_else(|| flaw("a vector is mentioned that is not there"))
    }

    /// Each step of the walk is one of the system.
    fn follow(&mut self) -> Result<(), Rejection> {
        let mut plain = Left::new(Reading::Plain);
        let mut at = self.set.home;
        for visit in &self.set.walk {
            let (now, then) = (self.vector(at)?, self.vector(visit.vector)?);
            let letter = next(self.table.claim, &now.fluents, visit.label);
            let step = (visit.label, then.states.clone());
            let left = plain.after(self.table, now.rest[0], &letter)?;
            let left = self.table.number(left);
            let found = left.and_then(|left| {
                self.vectors
                    .find(self.table.claim, &then.states, &letter, left)
            });
            if !self.processes.steps(&now.states)?.contains(&step) || found != Some(visit.vector) {
                return Err(flaw("a step of a walk is not one of the system"));
            }
            self.letters.push(letter);
            self.places.push(visit.vector);
            at = visit.vector;
        }
        Ok(())
    }

    /// What is left at the end of a passage.
    fn passage(
        &self,
        start: Alternatives,
        from: u32,
        to: u32,
        reading: &Reading<'_>,
    ) -> Result<Alternatives, Rejection> {
        let letters = self.letters.get(from as usize..to as usize);
        let letters = letters.ok_or_else(|| flaw("a passage is outside its walk"))?;
        let mut left = least(&start);
        for letter in letters {
            left = after(self.table.claim, &left, letter, reading).map_err(flaw)?;
        }
        Ok(left)
    }

    /// Some passage decides the formula in that way.
    fn shows(&self, node: u32, reading: &Reading<'_>, truth: bool) -> Result<(), Rejection> {
        let mut all = self.set.passages.iter();
        let passage = all.find(|p| p.node == Some(node));
        let passage = passage.ok_or_else(|| flaw(format!("no passage is about formula {node}")))?;
        let start = expand(self.table.claim, node).map_err(flaw)?;
        let left = self.passage(start, passage.from, passage.to, reading)?;
        let fine = match truth {
            true => left == nothing(),
            false => left.is_empty(),
        };
        match fine {
            true => Ok(()),
            false => Err(flaw(format!("a passage does not decide formula {node}"))),
        }
    }

    /// The pairs are closed under steps, and in none of them the formula is decided in that way.
    fn never(
        &self,
        reading: Reading<'_>,
        truth: bool,
        watch: &mut Cancellation<'_>,
    ) -> Result<u64, Rejection> {
        let pairs: BTreeSet<(u32, u32)> = self.set.pairs.iter().copied().collect();
        let (bad, fine) = match truth {
            true => (nothing(), Alternatives::new()),
            false => (Alternatives::new(), nothing()),
        };
        let mut left = Left::new(reading);
        let mut steps = 0;
        for (vector, residual) in &pairs {
            if *residual as usize >= self.table.all.len() {
                return Err(flaw("a pair mentions what is not there"));
            }
            if self.table.all[*residual as usize] == bad {
                return Err(flaw("a pair is decided in the wrong way"));
            }
            let now = self.vector(*vector)?;
            for (label, states) in self.processes.steps(&now.states)? {
                watch.tick()?;
                steps += 1;
                let letter = next(self.table.claim, &now.fluents, label);
                let then = left.after(self.table, *residual, &letter)?;
                if *then == fine {
                    continue;
                }
                let number = self.table.number(then);
                let to = self.successor(now, &letter, &states)?;
                if number.is_none_or(|n| !pairs.contains(&(to, n))) {
                    return Err(flaw("a step leads out of the pairs"));
                }
            }
        }
        Ok(steps)
    }

    /// The vector after a step.
    fn successor(&self, now: &Vector, letter: &Letter, states: &[u32]) -> Result<u32, Rejection> {
        let claim = self.table.claim;
        let left = &self.table.all[now.rest[0] as usize];
        let left = after(claim, left, letter, &Reading::Plain).map_err(flaw)?;
        let number = self.table.number(&left);
        let found = number.and_then(|n| self.vectors.find(claim, states, letter, n));
        found.ok_or_else(|| flaw("a step leads out of the vectors"))
    }

    /// The formula is paired with every vector.
    fn everywhere(&self, node: u32) -> Result<(), Rejection> {
        let start = least(&expand(self.table.claim, node).map_err(flaw)?);
        let number = self.table.number(&start);
        let paired = |vector: &u32| {
            number.is_some_and(|n| self.set.pairs.binary_search(&(*vector, n)).is_ok())
        };
        match self.set.pairs.is_sorted() && self.members.iter().all(paired) {
            true => Ok(()),
            false => Err(flaw(format!(
                "formula {node} is not paired with every vector"
            ))),
        }
    }
}

/// Steps stay within the vectors, and ranks fall along some step.
struct Walked {
    steps: u64,
    members: Vec<Vec<u32>>,
}

/// Checks all vectors. The slots after states and fluents are what is left, then the set (if `sets` is given), then the rank.
fn walk_all(
    table: &Table<'_>,
    processes: &Processes<'_>,
    vectors: &Vectors,
    homes: &[u32],
    has_set_slot: bool,
    watch: &mut Cancellation<'_>,
) -> Result<Walked, Rejection> {
    let mut walked = Walked {
        steps: 0,
        members: vec![Vec::new(); homes.len()],
    };
    let set_of = |v: &Vector| match has_set_slot {
        true => v.rest[1] as usize,
        false => 1,
    };
    let rank = |v: &Vector| v.rest[v.rest.len() - 1];
    let mut plain = Left::new(Reading::Plain);
    for (number, vector) in vectors.iter() {
        let at = |why: &str| Rejection::at_vector(0, number as usize, why);
        let (left, set) = (vector.rest[0], set_of(vector));
        if left as usize >= table.all.len() || set > homes.len() {
            return Err(at("it mentions what is not there"));
        }
        if set > 0 {
            walked.members[set - 1].push(number);
        }
        if table.is_true(left) {
            match set {
                0 => continue,
                _ => return Err(at("nothing is left to show, but it is in a set")),
            }
        }
        let is_home = set > 0 && homes[set - 1] == number;
        if (rank(vector) == 0) != is_home {
            return Err(at("its rank is 0 if and only if it is a home"));
        }
        let mut falls = is_home;
        for (label, states) in processes.steps(&vector.states)? {
            watch.tick()?;
            walked.steps += 1;
            let letter = next(table.claim, &vector.fluents, label);
            let then = table.number(plain.after(table, left, &letter)?);
            let to = then.and_then(|n| vectors.find(table.claim, &states, &letter, n));
            let to = to.and_then(|to| vectors.get(to));
            let to = to.ok_or_else(|| at("a step leads out of the vectors"))?;
            if set > 0 && set_of(to) != set {
                return Err(at("a step leaves its set"));
            }
            falls |= rank(to) < rank(vector);
        }
        if !falls {
            return Err(at("no step lowers its rank"));
        }
    }
    Ok(walked)
}

/// Almost every run satisfies the claim.
pub(super) fn holds(
    claim: &Liveness,
    processes: &Processes<'_>,
    residuals: &[Residual],
    packed: &PackedStates,
    sets: &[RecurrentSet],
    watch: &mut Cancellation<'_>,
) -> Result<Summary, Rejection> {
    let vectors = Vectors::new(claim, processes, packed, 3)?;
    let table = Table::new(claim, residuals)?;
    let root = table.number(&left(claim, &[])?);
    let start = before(claim);
    let start = root.and_then(|n| vectors.find(claim, &processes.initial(), &start, n));
    start.ok_or_else(|| flaw("it does not have the initial states"))?;
    let homes: Vec<u32> = sets.iter().map(|s| s.home).collect();
    let walked = walk_all(&table, processes, &vectors, &homes, true, watch)?;
    let mut steps = walked.steps;
    for (set, members) in sets.iter().zip(walked.members) {
        let closed = Closed::new(processes, &table, &vectors, set, members)?;
        if !closed.members.contains(&set.home) {
            return Err(flaw("the home of a set is not in it"));
        }
        for node in &closed.again {
            closed.shows(*node, &Reading::Guaranteed(&closed.forever), true)?;
        }
        for node in &closed.forever {
            closed.everywhere(*node)?;
        }
        let home = closed.vector(set.home)?;
        if !set.pairs.contains(&(set.home, home.rest[0])) {
            return Err(flaw("what is left at home is not among the pairs"));
        }
        steps += closed.never(Reading::Safe(&closed.again), false, watch)?;
    }
    Ok(Summary {
        vectors: vectors.len() as u64,
        steps,
        ..Summary::default()
    })
}

/// Almost every run that begins like this one violates the claim.
pub(super) fn violated(
    claim: &Liveness,
    processes: &Processes<'_>,
    evidence: &Counterexample,
    cycle: usize,
    terminal: &TerminalSet,
    watch: &mut Cancellation<'_>,
) -> Result<(), Rejection> {
    let vectors = Vectors::new(claim, processes, &terminal.vectors, 2)?;
    let table = Table::new(claim, &terminal.residuals)?;
    let set = &terminal.set;
    let walked = walk_all(&table, processes, &vectors, &[set.home], false, watch)?;
    let members = walked.members.into_iter().next().unwrap_or_default();
    let closed = Closed::new(processes, &table, &vectors, set, members)?;
    arrives(&closed, evidence, cycle)?;
    let numbers = 0..claim.nodes.len() as u32;
    for node in numbers {
        match &claim.nodes[node as usize] {
            Temporal::Until(..) if !closed.again.contains(&node) => closed.everywhere(node)?,
            Temporal::Release(..) if !closed.forever.contains(&node) => {
                closed.shows(node, &Reading::Safe(&closed.again), false)?;
            }
            _ => {}
        }
    }
    closed.never(Reading::Guaranteed(&closed.forever), true, watch)?;
    let last = set.passages.iter().find(|p| p.node.is_none());
    let last = last.ok_or_else(|| flaw("no passage is about the claim"))?;
    let place = closed.places.get(last.from as usize);
    let place = place.ok_or_else(|| flaw("a passage is outside its walk"))?;
    let start = table.all[closed.vector(*place)?.rest[0] as usize].clone();
    let left = closed.passage(start, last.from, last.to, &Reading::Safe(&closed.again))?;
    match left.is_empty() {
        true => Ok(()),
        false => Err(flaw("a passage does not make the claim false")),
    }
}

/// The run reaches the home of the set, and the walk is its cycle.
fn arrives(closed: &Closed<'_>, evidence: &Counterexample, cycle: usize) -> Result<(), Rejection> {
    let claim = closed.table.claim;
    let steps = &evidence.steps;
    let mut letter = before(claim);
    let mut letters = Vec::new();
    for step in &steps[..cycle] {
        letter = next(claim, &letter, Some(step.label));
        letters.push(letter.clone());
    }
    let home = closed.vector(closed.set.home)?;
    let states = match cycle.checked_sub(1) {
        Some(last) => closed.processes.of(&steps[last].states),
        None => closed.processes.initial(),
    };
    let mut now = left(claim, &letters)?;
    let stopped = cycle == steps.len();
    // A system that has stopped stays as it is until what is left is what is left at home.
    let mut patience = MOST_STILL;
    let at_home = |now: &Alternatives, letter: &Letter| {
        let number = closed.table.number(now);
        let found = number.and_then(|n| closed.vectors.find(claim, &states, letter, n));
        found == Some(closed.set.home)
    };
    while stopped && !at_home(&now, &letter) && patience > 0 {
        patience -= 1;
        letter = next(claim, &letter, None);
        now = after(claim, &now, &letter, &Reading::Plain).map_err(flaw)?;
    }
    if home.states != states || !at_home(&now, &letter) {
        return Err(flaw("the run does not come to the home of the set"));
    }
    let ends = closed.places.last() == Some(&closed.set.home);
    let real = closed
        .set
        .walk
        .iter()
        .filter_map(|v| Some((v.label?, v.vector)));
    let mut same = real.clone().count() == steps.len() - cycle;
    for (step, (label, vector)) in steps[cycle..].iter().zip(real) {
        let states = &closed.vector(vector)?.states;
        same &= step.label == label && closed.processes.of(&step.states) == *states;
    }
    match ends && same {
        true => Ok(()),
        false => Err(flaw("the walk from home is not the cycle of the run")),
    }
}
