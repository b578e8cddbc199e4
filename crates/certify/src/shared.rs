//! Certificates that share a relation: one pass over it checks them all.
//!
//! A shared relation lists vectors of states of the components, each with the set of states in which
//! every property can be by then; the column of a property represents all pairs of a vector and a
//! state in its set (see [`SharedRelation`]). The conditions are those of a premise on each column by
//! itself: the pair of initial states is there; and for every pair and every step of the
//! components, the pair of their successor and of the state to which the property goes along is there too. The
//! steps do not depend on the properties, so they are followed once; where priority makes them depend on what is
//! asked, the certificates are checked one by one.

use std::sync::Arc;

use suppose_control::Context;
use suppose_model::lts::{ComponentKind, Label, Layout, Network, State};
use suppose_model::{Certificate, Guarantee, Relation, SharedRelation};

use crate::admissible::admissible;
use crate::cancellation::Cancellation;
use crate::certificate::concludes;
use crate::index::{BATCH, Index, MOST};
use crate::left::{LeftSide, Scratch, ranks};
use crate::rejection::{Place, Rejection};
use crate::relation::{matches, shape};
use crate::summary::Summary;
use crate::{certificate, system};

/// Accepts or rejects each of several certificates, as [`certificate()`](crate::certificate()) does. Those
/// that share their relation are checked in one pass; if that fails, each by itself, so that a flaw
/// in one is no flaw of the others.
pub fn certificates(
    network: &Network,
    certificates: &[&Certificate],
    cx: &Context,
) -> Vec<Result<Summary, Rejection>> {
    let mut results: Vec<Option<Result<Summary, Rejection>>> = vec![None; certificates.len()];
    for first in 0..certificates.len() {
        if results[first].is_some() {
            continue;
        }
        let alike: Vec<usize> = (first..certificates.len())
            .filter(|other| results[*other].is_none())
            .filter(|other| *other == first || share(certificates[first], certificates[*other]))
            .collect();
        let group: Vec<&Certificate> = alike.iter().map(|i| certificates[*i]).collect();
        let together = match group.len() {
            1 => None,
            _ => Some(check(network, &group, cx)),
        };
        for number in alike {
            results[number] = Some(match &together {
                Some(Ok(summary)) => Ok(*summary),
                Some(Err(Rejection::Stopped(why))) => Err(Rejection::Stopped(*why)),
                _ => certificate::certificate(network, certificates[number], cx),
            });
        }
    }
    results.into_iter().flatten().collect()
}

/// What a certificate with a single premise and a shared relation has.
fn shared(certificate: &Certificate) -> Option<(&Arc<SharedRelation>, &[usize])> {
    match certificate.premises.as_slice() {
        [only] => match &only.relation {
            Relation::Shared { whole, .. } if certificate.assumptions.is_empty() => {
                Some((whole, &only.components))
            }
            _ => None,
        },
        _ => None,
    }
}

fn share(one: &Certificate, two: &Certificate) -> bool {
    match (shared(one), shared(two)) {
        (Some((a, first)), Some((b, second))) => Arc::ptr_eq(a, b) && first == second,
        _ => false,
    }
}

/// Checks certificates that share a relation, in one pass.
fn check(network: &Network, group: &[&Certificate], cx: &Context) -> Result<Summary, Rejection> {
    let flaw = |why: String| Rejection::at(Place::Premise(0), why);
    system::check(network)?;
    for certificate in group {
        concludes(certificate).map_err(|why| Rejection::at(Place::Whole, why))?;
        admissible(network, &certificate.premises[0], &[]).map_err(flaw)?;
    }
    let Some((whole, components)) = shared(group[0]) else {
        return Err(flaw("there is no shared relation".to_owned()));
    };
    shape(network, whole).map_err(flaw)?;
    let mut wanted = Vec::new();
    let mut progress = false;
    for certificate in group {
        let premise = &certificate.premises[0];
        matches(&premise.relation, premise.guarantee).map_err(flaw)?;
        match &premise.relation {
            Relation::Shared {
                column: Some(column),
                ..
            } => wanted.push(*column),
            _ => progress = true,
        }
    }
    let guarantee = |c: &Certificate| c.premises[0].guarantee;
    let ranks_of = |c: &Certificate| ranks(network, guarantee(c));
    if group.iter().any(|c| ranks_of(c) != ranks_of(group[0])) {
        return Err(flaw("priority lets them see different steps".to_owned()));
    }
    let left = left_side(network, components, guarantee(group[0]));
    let mut pass = Pass {
        whole,
        layout: whole.vectors.layout(),
        columns: Columns::new(network, whole, &wanted, &left),
        progress: progress.then(|| Progress::new(network, components)),
        batch: Batch::default(),
        steps: 0,
    };
    pass.run(&left, &mut Cancellation::new(cx))?;
    Ok(Summary {
        premises: 1,
        assumptions: 0,
        vectors: whole.vectors.len() as u64,
        steps: pass.steps,
    })
}

fn left_side<'a>(network: &'a Network, components: &[usize], goal: Guarantee) -> LeftSide<'a> {
    let members = components.iter().map(|c| &network.components[*c].lts);
    LeftSide::new(members.collect(), network, goal)
}

/// The columns that are asked for, bit by bit.
struct Columns {
    width: usize,
    /// For every label, the bits that it leaves alone; only bits of these columns.
    stays: Vec<u64>,
    /// For every label, where it takes each other bit, ascending; none: it is not allowed there.
    moves: Vec<Vec<(u32, Option<u32>)>>,
    /// The bits of the initial states.
    initial: Vec<u64>,
    /// Labels that a column has and no component.
    free: Vec<Label>,
}

impl Columns {
    fn new(network: &Network, whole: &SharedRelation, wanted: &[usize], left: &LeftSide) -> Self {
        let (width, labels) = (whole.width, network.labels.len());
        let mut it = Columns {
            width,
            stays: Vec::new(),
            moves: vec![Vec::new(); labels],
            initial: vec![0; width],
            free: Vec::new(),
        };
        let mut all = vec![0; width];
        for column in wanted.iter().map(|c| whole.columns[*c]) {
            let lts = &network.properties[column.property].lts;
            let bit = |state: State| (column.first + state as usize) as u32;
            set(&mut it.initial, bit(lts.initial()));
            (0..lts.states() as State).for_each(|state| set(&mut all, bit(state)));
            for label in lts.alphabet() {
                for state in 0..lts.states() as State {
                    let to = lts.successors(state, *label).first();
                    let to = to.map(|edge| bit(edge.target));
                    it.moves[label.index()].push((bit(state), to));
                }
                if left.with(*label).is_empty() {
                    it.free.push(*label);
                }
            }
        }
        it.stays = all.repeat(labels);
        for (label, moves) in it.moves.iter().enumerate() {
            for (from, _) in moves {
                it.stays[label * width + *from as usize / 64] &= !(1 << (from % 64));
            }
        }
        it
    }

    /// Does every state in the sets of one row go along with a label into the sets of another?
    fn follow(&self, label: Label, from: &[u64], to: &[u64]) -> Result<(), &'static str> {
        let stays = &self.stays[label.index() * self.width..][..self.width];
        let lost = |((from, to), stays): ((&u64, &u64), &u64)| from & stays & !to != 0;
        if from.iter().zip(to).zip(stays).any(lost) {
            return Err("a step leads out of the relation");
        }
        for (bit, next) in &self.moves[label.index()] {
            if !is_set(from, *bit) {
                continue;
            }
            match next {
                None => return Err("a step is not allowed by the guarantee"),
                Some(next) if !is_set(to, *next) => {
                    return Err("a step leads out of the relation");
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

fn set(row: &mut [u64], bit: u32) {
    row[bit as usize / 64] |= 1 << (bit % 64);
}

fn is_set(row: &[u64], bit: u32) -> bool {
    row[bit as usize / 64] >> (bit % 64) & 1 == 1
}

/// What freedom from deadlock asks for.
struct Progress {
    /// For every member, whether it is a process.
    is_process: Vec<bool>,
    /// Where each member must be for a stop to be success: see [`Network::success`].
    success: Option<Vec<Option<State>>>,
}

impl Progress {
    fn new(network: &Network, components: &[usize]) -> Self {
        let of = |number: &usize| network.components[*number].kind == ComponentKind::Process;
        let all = network.success.as_ref();
        Progress {
            is_process: components.iter().map(of).collect(),
            success: all.map(|all| components.iter().map(|c| all[*c]).collect()),
        }
    }

    /// May the system stop there?
    fn is_end(&self, states: &[State]) -> bool {
        let there = |(end, state): (&Option<State>, &State)| end.is_none_or(|e| e == *state);
        let ended = |ends: &Vec<Option<State>>| ends.iter().zip(states).all(there);
        self.success.as_ref().is_some_and(ended)
    }
}

/// Successors that have to be in the relation, with the vectors and labels they came by.
#[derive(Default)]
struct Batch {
    records: Vec<u64>,
    sources: Vec<(usize, Label)>,
    found: Vec<(u64, u32)>,
    targets: Vec<u32>,
}

struct Pass<'a> {
    whole: &'a SharedRelation,
    layout: &'a Layout,
    columns: Columns,
    progress: Option<Progress>,
    batch: Batch,
    steps: u64,
}

impl Pass<'_> {
    fn run(&mut self, left: &LeftSide, watch: &mut Cancellation) -> Result<(), Rejection> {
        let vectors = &self.whole.vectors;
        let sizes: Vec<u32> = left.members().iter().map(|m| m.states() as u32).collect();
        let narrow = |(slot, size): (usize, &u32)| !self.layout.fits(slot, size - 1);
        if self.layout.slots() != sizes.len() || sizes.iter().enumerate().any(narrow) {
            return Err(whole_flaw("its vectors do not fit the components"));
        }
        if vectors.len() > MOST {
            return Err(whole_flaw("its relation has too many vectors"));
        }
        let mut index = Index::new(vectors);
        for vector in 0..vectors.len() {
            watch.tick()?;
            index.add(vector);
        }
        self.starts(left, &index)?;
        let mut states = vec![0; sizes.len()];
        let mut scratch = Scratch::default();
        for (vector, record) in vectors.iter().enumerate() {
            watch.tick()?;
            for (slot, state) in states.iter_mut().enumerate() {
                *state = self.layout.get(record, slot);
                if *state >= sizes[slot] {
                    return Err(flaw(vector, "a slot is no state"));
                }
            }
            let mut moved = false;
            left.steps(&states, &mut scratch, |step| {
                watch.tick()?;
                self.steps += 1;
                if let Some(progress) = &self.progress {
                    moved |= step
                        .members
                        .iter()
                        .any(|m| progress.is_process[*m as usize]);
                }
                let at = self.batch.records.len();
                self.batch.records.extend_from_slice(record);
                let next = &mut self.batch.records[at..];
                for (member, target) in step.members.iter().zip(step.targets) {
                    self.layout.set(next, *member as usize, *target);
                }
                self.batch.sources.push((vector, step.label));
                match self.batch.sources.len() < BATCH {
                    true => Ok(()),
                    false => self.flush(&index),
                }
            })?;
            let stuck = |p: &Progress| !moved && !p.is_end(&states);
            if self.progress.as_ref().is_some_and(stuck) {
                return Err(flaw(vector, "no process can take part in a step"));
            }
            for label in &self.columns.free {
                self.steps += 1;
                let row = self.whole.row(vector);
                let followed = self.columns.follow(*label, row, row);
                followed.map_err(|why| flaw(vector, why))?;
            }
        }
        self.flush(&index)
    }

    /// The pairs of initial states are in the relation.
    fn starts(&self, left: &LeftSide, index: &Index) -> Result<(), Rejection> {
        let initial: Vec<State> = left.members().iter().map(|m| m.initial()).collect();
        let found = self.layout.pack(&initial).and_then(|r| index.find(&r));
        let there = |vector: u32| {
            let row = self.whole.row(vector as usize);
            let initial = self.columns.initial.iter();
            initial.zip(row).all(|(initial, row)| initial & !row == 0)
        };
        match found.is_some_and(there) {
            true => Ok(()),
            false => Err(whole_flaw("its relation does not have the initial states")),
        }
    }

    /// Looks up the whole batch, and lets the properties go along.
    fn flush(&mut self, index: &Index) -> Result<(), Rejection> {
        let Batch {
            records,
            sources,
            found,
            targets,
        } = &mut self.batch;
        if let Some(missing) = index.find_all(records, found, targets) {
            return Err(flaw(sources[missing].0, "a step leads out of the relation"));
        }
        for ((vector, label), target) in sources.iter().zip(targets.iter()) {
            let (from, to) = (self.whole.row(*vector), self.whole.row(*target as usize));
            let followed = self.columns.follow(*label, from, to);
            followed.map_err(|why| flaw(*vector, why))?;
        }
        records.clear();
        sources.clear();
        Ok(())
    }
}

fn whole_flaw(why: &str) -> Rejection {
    Rejection::at(Place::Premise(0), why)
}

fn flaw(vector: usize, why: &str) -> Rejection {
    Rejection::at(Place::Vector { premise: 0, vector }, why)
}
