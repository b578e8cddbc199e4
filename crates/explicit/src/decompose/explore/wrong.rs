//! Operations that go wrong on some shared data: a label becomes two.

use super::super::ops::Op;
use super::{Explorer, Failed, Kind, Move, OpId};

impl Explorer<'_> {
    /// An operation of a track goes wrong on some state: the labels and stretches that contain it do.
    pub(super) fn went_wrong(&mut self, track: usize, op: usize) -> Result<(), Failed> {
        if self.tracks[track].wrong == Some(op) {
            return Ok(());
        }
        self.tracks[track].wrong = Some(op);
        for label in self.track_labels[track].clone() {
            self.variant(label, track, op)?;
        }
        for waiting in self.track_waiting[track].clone() {
            let mut stretch = self.waiting[waiting].stretch.clone();
            self.cut(&mut stretch.ops, track, op)?;
            self.close(stretch, Kind::Wrong)?;
        }
        Ok(())
    }

    /// Keeps the operations up to the one that goes wrong, and makes it the condition.
    fn cut(&mut self, ops: &mut Vec<OpId>, track: usize, op: usize) -> Result<bool, Failed> {
        let cluster = self.tracks[track].cluster;
        let mut seen = 0;
        for at in 0..ops.len() {
            if self.cluster(ops[at])? != cluster {
                continue;
            }
            if seen == op {
                ops.truncate(at + 1);
                if let Some(last) = ops.pop() {
                    let last = Box::new(self.ops.get(last).clone());
                    self.add(Op::Fails(last), ops);
                }
                return Ok(true);
            }
            seen += 1;
        }
        Ok(false)
    }

    fn variant(&mut self, label: usize, track: usize, op: usize) -> Result<(), Failed> {
        let mut key = self.labels[label].key.clone();
        if key.kind != Kind::Normal {
            return Ok(());
        }
        key.kind = Kind::Wrong;
        let mut ops = key.ops.clone();
        if self.cut(&mut ops, track, op)? {
            key.ops = ops;
            if let Some(meeting) = &mut key.meeting {
                meeting.ops.clear();
            }
        } else if let Some(mut meeting) = key.meeting.take() {
            let before = key.ops.iter();
            let mut count = 0;
            for op in before {
                count += usize::from(self.cluster(*op)? == self.tracks[track].cluster);
            }
            self.cut(&mut meeting.ops, track, op.saturating_sub(count))?;
            key.meeting = Some(meeting);
        }
        let variant = self.label(key)?;
        if !self.labels[label].variants.contains(&variant) {
            self.labels[label].variants.push(variant);
            for it in self.labels[label].moves.clone() {
                let target = it.source;
                self.labels[variant].moves.push(Move { target, ..it });
            }
        }
        Ok(())
    }
}
