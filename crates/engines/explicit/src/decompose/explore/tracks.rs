//! Shared data under what processes do to it, and stretches that wait for its values.

use std::rc::Rc;

use suppose_model::program::semantics::State;

use super::super::Refusal;
use super::super::ops::Op;
use super::super::store::{Ran, Track};
use super::found::{Stretch, Then, Waiting};
use super::table::{List, OpId};
use super::{Explorer, Failed};

impl<'a> Explorer<'a> {
    pub(super) fn wait(&mut self, stretch: Stretch, then: Then<'a>) -> Result<(), Failed> {
        let Some(track) = self.sequence_track(stretch.ops)? else {
            return Ok(());
        };
        let number = self.waiting.len();
        self.waiting.push(Waiting {
            stretch,
            then,
            used: 0,
        });
        self.track_waiting[track].push(number);
        for at in 0..self.tracks[track].wrong.len() {
            self.waits_wrong(number, track, self.tracks[track].wrong[at])?;
        }
        if self.tracks[track].is_settled(&self.stores) {
            return self.resume(number, track);
        }
        self.dirty.push_back(track);
        Ok(())
    }

    /// The track of the last operation of a sequence, with those before it that the same store sees.
    pub(super) fn sequence_track(&mut self, sequence: List) -> Result<Option<usize>, Failed> {
        if let Some(known) = self.sequence_tracks.get(&sequence) {
            return Ok(Some(*known));
        }
        let all = self.ops.ids(sequence);
        let Some(open) = all.last() else {
            return Ok(None);
        };
        let cluster = self.cluster(*open)?;
        let mut ops = Vec::new();
        for op in &all {
            if self.cluster(*op)? == cluster {
                ops.push(*op);
            }
        }
        let track = self.track(cluster, ops)?;
        self.sequence_tracks.insert(sequence, track);
        Ok(Some(track))
    }

    /// What an open operation becomes when its values are known.
    fn closed(&mut self, track: usize, used: usize, open: OpId, values: &[i32]) -> Rc<[OpId]> {
        if let Some(known) = self.closed.get(&(track, used)) {
            return Rc::clone(known);
        }
        let sequence = match self.ops.get(open).closed(values) {
            Op::Guard(all) => self.guard(all, 0),
            other => self.add(other, 0),
        };
        let all: Rc<[OpId]> = self.ops.ids(sequence).into();
        self.closed.insert((track, used), Rc::clone(&all));
        all
    }

    /// Goes on with all values that are known by now.
    pub(super) fn resume(&mut self, number: usize, track: usize) -> Result<(), Failed> {
        while let Some(values) = self.tracks[track].outputs.get(self.waiting[number].used) {
            let (values, used) = (values.clone(), self.waiting[number].used);
            self.waiting[number].used += 1;
            let Waiting {
                mut stretch, then, ..
            } = self.waiting[number].clone();
            if let Some((before, open)) = self.ops.sequences.split(stretch.ops) {
                stretch.ops = before;
                for op in self.closed(track, used, open, &values).iter() {
                    stretch.ops = self.ops.sequences.push(stretch.ops, *op);
                }
            }
            match then {
                Then::Goto(location, targets) => {
                    for (target, value) in targets.iter().zip(&values) {
                        target.fill(&mut stretch.local, *value);
                    }
                    stretch.local.location = location;
                    self.stretches.push(stretch);
                }
                Then::Again(edge, begins) => {
                    stretch.facts = self.learn(stretch.facts, track, used);
                    self.take(stretch, edge, begins)?;
                }
                Then::Extend => {
                    stretch.facts = self.learn(stretch.facts, track, used);
                    self.extend(stretch)?;
                }
                Then::Offer {
                    channel,
                    target,
                    known,
                } => {
                    let mut values = values.into_iter();
                    let all = known.iter().map(|k| k.or_else(|| values.next()));
                    let all = all.map(|v| v.unwrap_or(0)).collect();
                    self.offer_values(stretch, channel, all, target)?;
                }
            }
        }
        Ok(())
    }

    /// The cluster of an operation. That it touches two is found out here: then they become one.
    pub(super) fn cluster(&mut self, op: OpId) -> Result<usize, Failed> {
        let cells = &self.ops.cells[op as usize];
        if self.clusters.join(cells) {
            return Err(Failed::Again);
        }
        // An operation without cells goes wrong or not whatever the data: any cluster will do.
        Ok(cells.first().map_or(0, |cell| self.clusters.find(*cell)))
    }

    pub(super) fn track(&mut self, cluster: usize, ops: Vec<OpId>) -> Result<usize, Failed> {
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
            wrong: Vec::new(),
            resumed: 0,
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
    pub(super) fn try_track(&mut self, number: usize) -> Result<(), Failed> {
        let cluster = self.tracks[number].cluster;
        let known = self.tracks[number].outputs.len();
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
        // Without new values only the stretches that came since are to go on.
        let grown = self.tracks[number].outputs.len() > known;
        let first = if grown {
            0
        } else {
            self.tracks[number].resumed
        };
        let last = self.track_waiting[number].len();
        self.tracks[number].resumed = last;
        for at in first..last {
            self.resume(self.track_waiting[number][at], number)?;
        }
        Ok(())
    }

    pub(super) fn leads(&mut self, track: usize, source: u32, next: State) -> Result<(), Failed> {
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
