//! Sets united and subtracted, partition by partition.

use std::path::Path;
use std::sync::Arc;

use suppose_control::{Context, on_threads};

use crate::coding::{Encoder, Segment};
use crate::image::{Image, ImageWriter, PARTITIONS};
use crate::rows;
use crate::trouble::Trouble;

/// Partitions that each thread does before they are written.
const EACH: usize = 8;

/// States of a partition, as several threads have found them.
type Found = Vec<Vec<u64>>;

/// How sets are made.
pub(crate) struct Maker<'a> {
    pub(crate) threads: usize,
    pub(crate) words: usize,
    pub(crate) cx: &'a Context,
}

struct Task {
    partition: usize,
    rows: Found,
    made: Result<Segment, Trouble>,
}

impl Maker<'_> {
    /// Writes a set whose partitions are made of rows that `take` hands out.
    pub(crate) fn write(
        &self,
        path: Option<&Path>,
        mut take: impl FnMut(usize) -> Found,
        make: impl Fn(usize, Found) -> Result<Segment, Trouble> + Sync,
    ) -> Result<Image, Trouble> {
        let mut writer = ImageWriter::new(path, self.words)?;
        for first in (0..PARTITIONS).step_by(EACH * self.threads) {
            let end = (first + EACH * self.threads).min(PARTITIONS);
            let tasks = (first..end).map(|partition| Task {
                partition,
                rows: take(partition),
                made: Ok(Segment::default()),
            });
            let mut tasks: Vec<Task> = tasks.collect();
            let share = tasks.len().div_ceil(self.threads);
            let mut shares: Vec<&mut [Task]> = tasks.chunks_mut(share).collect();
            on_threads(&mut shares, |tasks| {
                for task in tasks.iter_mut() {
                    let rows = std::mem::take(&mut task.rows);
                    let asked = self.cx.check().map_err(Trouble::from);
                    task.made = asked.and_then(|()| make(task.partition, rows));
                }
            });
            for task in tasks {
                writer.add(task.partition, &task.made?)?;
            }
        }
        writer.finish()
    }

    /// States in order, one of each.
    pub(crate) fn sorted(&self, rows: Found) -> Vec<u64> {
        let mut rows = match rows.len() {
            1 => rows.into_iter().flatten().collect(),
            _ => rows.concat(),
        };
        rows::sort(&mut rows, self.words);
        rows
    }

    pub(crate) fn encode(&self, rows: &[u64]) -> Segment {
        let mut encoder = Encoder::new(self.words);
        for state in rows.chunks_exact(self.words) {
            encoder.push(state);
        }
        encoder.finish()
    }

    /// Appends the states of a partition.
    pub(crate) fn append(
        &self,
        image: &Image,
        partition: usize,
        rows: &mut Vec<u64>,
    ) -> Result<(), Trouble> {
        if let Some(mut cursor) = image.cursor(partition, self.words, None)? {
            while cursor.next()? {
                rows.extend_from_slice(&cursor.state);
            }
        }
        Ok(())
    }

    /// Takes the states of a set away from sorted rows.
    pub(crate) fn subtract(
        &self,
        image: &Image,
        partition: usize,
        rows: &mut Vec<u64>,
    ) -> Result<(), Trouble> {
        let (words, count) = (self.words, rows.len() / self.words);
        if count == 0 {
            return Ok(());
        }
        let Some(mut cursor) = image.cursor(partition, words, Some(count as u64))? else {
            return Ok(());
        };
        let (mut kept, mut more) = (0, true);
        for at in 0..count {
            let state = &rows[at * words..][..words];
            more = more && cursor.advance_to(state)?;
            if !more || cursor.state != state {
                rows.copy_within(at * words..(at + 1) * words, kept * words);
                kept += 1;
            }
        }
        rows.truncate(kept * words);
        Ok(())
    }

    /// Unites sets that have no state in common.
    pub(crate) fn unite(
        &self,
        path: Option<&Path>,
        images: &[Arc<Image>],
    ) -> Result<Image, Trouble> {
        self.write(
            path,
            |_| Vec::new(),
            |partition, _| self.united(partition, images),
        )
    }

    fn united(&self, partition: usize, images: &[Arc<Image>]) -> Result<Segment, Trouble> {
        let mut cursors = Vec::new();
        for image in images {
            if let Some(mut cursor) = image.cursor(partition, self.words, None)?
                && cursor.next()?
            {
                cursors.push(cursor);
            }
        }
        let mut encoder = Encoder::new(self.words);
        let mut count = 0u32;
        loop {
            let heads = cursors.iter().enumerate();
            let Some((least, _)) = heads.min_by(|(_, a), (_, b)| a.state.cmp(&b.state)) else {
                return Ok(encoder.finish());
            };
            encoder.push(&cursors[least].state);
            if !cursors[least].next()? {
                cursors.swap_remove(least);
            }
            count = count.wrapping_add(1);
            if count.is_multiple_of(1 << 14) {
                self.cx.check()?;
            }
        }
    }
}
