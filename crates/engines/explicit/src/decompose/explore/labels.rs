//! Stretches that are at their end become labels.

use super::super::Refusal;
use super::found::{Ending, ExploredLabel, Key, LabelKind, Meeting, Move, Stretch};
use super::table::OpId;
use super::{Explorer, Failed};

impl Explorer<'_> {
    /// A stretch is at its end.
    pub(super) fn close(&mut self, stretch: Stretch, kind: LabelKind) -> Result<(), Failed> {
        let process = stretch.process;
        let (target, after) = match kind {
            LabelKind::Normal => {
                let (local, after) = self.settle(process, stretch.local);
                (self.state(process, local)?, after)
            }
            _ => (stretch.source, 0),
        };
        let it = Move {
            process: process as u32,
            source: stretch.source,
            target,
            steps: stretch.steps,
            after,
        };
        if stretch.offer.is_none() && stretch.ops == 0 && kind == LabelKind::Normal {
            if it.source != it.target {
                self.sides[process].quiet.push(it);
            }
            return Ok(());
        }
        let ending = (process, stretch.offer, stretch.ops, kind);
        let label = match self.endings.get(&ending) {
            Some(known) => *known,
            None => {
                let label = self.ended(ending)?;
                self.endings.insert(ending, label);
                label
            }
        };
        self.add_move(label, it);
        Ok(())
    }

    /// The label of an ending that is met for the first time.
    pub(super) fn ended(&mut self, (process, offer, ops, kind): Ending) -> Result<usize, Failed> {
        let key = match offer {
            None => Key {
                process: Some(process),
                ops,
                meeting: None,
                kind,
            },
            Some(offer) => {
                let offer = &self.offers[offer];
                Key {
                    process: Some(offer.process),
                    ops: offer.ops,
                    meeting: Some(Meeting {
                        receiver: process,
                        channel: offer.channel,
                        values: offer.values.to_vec(),
                        ops,
                    }),
                    kind,
                }
            }
        };
        let label = self.label(key)?;
        if let Some(number) = offer
            && !self.offers[number].labels.contains(&label)
        {
            self.offers[number].labels.push(label);
            for at in 0..self.offers[number].moves.len() {
                self.add_move(label, self.offers[number].moves[at]);
            }
        }
        Ok(label)
    }

    pub(super) fn add_move(&mut self, label: usize, it: Move) {
        for at in 0..self.labels[label].variants.len() {
            let (variant, target) = (self.labels[label].variants[at], it.source);
            self.labels[variant].moves.push(Move {
                target,
                after: 0,
                ..it
            });
        }
        self.labels[label].moves.push(it);
    }

    pub(super) fn label(&mut self, key: Key) -> Result<usize, Failed> {
        if let Some(known) = self.label_numbers.get(&key) {
            return Ok(*known);
        }
        let number = self.labels.len();
        if number as u64 >= self.limits.labels {
            return Err(Failed::Refused(Refusal {
                why: format!("the processes have more than {number} labels"),
            }));
        }
        let mut all = self.ops.ids(key.ops);
        if let Some(meeting) = &key.meeting {
            all.extend(self.ops.ids(meeting.ops));
        }
        let mut by_cluster: Vec<(usize, Vec<OpId>)> = Vec::new();
        for op in all {
            let cluster = self.cluster(op)?;
            match by_cluster.iter_mut().find(|(c, _)| *c == cluster) {
                Some((_, ops)) => ops.push(op),
                None => by_cluster.push((cluster, vec![op])),
            }
        }
        let mut tracks = Vec::new();
        for (cluster, ops) in by_cluster {
            tracks.push(self.track(cluster, ops)?);
        }
        self.label_numbers.insert(key.clone(), number);
        self.labels.push(ExploredLabel {
            key,
            tracks: tracks.clone(),
            moves: Vec::new(),
            variants: Vec::new(),
        });
        for track in tracks {
            self.track_labels[track].push(number);
            for at in 0..self.tracks[track].wrong.len() {
                self.variant(number, track, self.tracks[track].wrong[at])?;
            }
            if !self.tracks[track].is_settled(&self.stores) {
                self.dirty.push_back(track);
            }
        }
        Ok(number)
    }
}
