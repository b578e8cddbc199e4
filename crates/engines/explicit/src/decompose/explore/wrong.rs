//! Operations that go wrong on some shared data: a label becomes two.

use super::super::ops::Op;
use super::found::{LabelKind, Move};
use super::{Explorer, Failed, List};

impl Explorer<'_> {
    /// An operation of a track goes wrong on some state: the labels and stretches that contain it do.
    pub(super) fn went_wrong(&mut self, track: usize, op: usize) -> Result<(), Failed> {
        if self.tracks[track].wrong.contains(&op) {
            return Ok(());
        }
        self.tracks[track].wrong.push(op);
        for at in 0..self.track_labels[track].len() {
            self.variant(self.track_labels[track][at], track, op)?;
        }
        for at in 0..self.track_waiting[track].len() {
            self.waits_wrong(self.track_waiting[track][at], track, op)?;
        }
        Ok(())
    }

    /// A stretch that waits for values goes wrong where the operation does.
    pub(super) fn waits_wrong(
        &mut self,
        number: usize,
        track: usize,
        op: usize,
    ) -> Result<(), Failed> {
        let mut stretch = self.waiting[number].stretch.clone();
        stretch.ops = self.cut(stretch.ops, track, op)?.unwrap_or(stretch.ops);
        self.close(stretch, LabelKind::Wrong)
    }

    /// Keeps the operations up to the one that goes wrong, and makes it the condition. None if it is not among them.
    fn cut(&mut self, ops: List, track: usize, op: usize) -> Result<Option<List>, Failed> {
        let cluster = self.tracks[track].cluster;
        let (mut kept, mut seen) = (0, 0);
        for id in self.ops.ids(ops) {
            if self.cluster(id)? == cluster {
                if seen == op {
                    let last = Box::new(self.ops.get(id).clone());
                    return Ok(Some(self.add(Op::Fails(last), kept)));
                }
                seen += 1;
            }
            kept = self.ops.sequences.push(kept, id);
        }
        Ok(None)
    }

    /// The same label, but the operation goes wrong.
    pub(super) fn variant(&mut self, label: usize, track: usize, op: usize) -> Result<(), Failed> {
        let mut key = self.labels[label].key.clone();
        if key.kind != LabelKind::Normal {
            return Ok(());
        }
        key.kind = LabelKind::Wrong;
        if let Some(ops) = self.cut(key.ops, track, op)? {
            key.ops = ops;
            if let Some(meeting) = &mut key.meeting {
                meeting.ops = 0;
            }
        } else if let Some(mut meeting) = key.meeting.take() {
            let mut count = 0;
            for op in self.ops.ids(key.ops) {
                count += usize::from(self.cluster(op)? == self.tracks[track].cluster);
            }
            let cut = self.cut(meeting.ops, track, op.saturating_sub(count))?;
            meeting.ops = cut.unwrap_or(meeting.ops);
            key.meeting = Some(meeting);
        }
        let variant = self.label(key)?;
        if !self.labels[label].variants.contains(&variant) {
            self.labels[label].variants.push(variant);
            for at in 0..self.labels[label].moves.len() {
                let it = self.labels[label].moves[at];
                let target = it.source;
                self.labels[variant].moves.push(Move {
                    target,
                    after: 0,
                    ..it
                });
            }
        }
        Ok(())
    }
}
