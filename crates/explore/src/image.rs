//! A sorted set of states in one file, or in memory.
//!
//! A header, then for each partition that is not empty its states and their index (`coding`), then a directory of the
//! partitions, and last where the directory is. In a partition states are in ascending order, so sets are united, and subtracted from each
//! other, by reading them side by side.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::coding::{BLOCK, MOST_WORDS, Segment, decode, longest};
use crate::trouble::Trouble;

/// Into so many partitions states are put by their hashes, whatever the number of threads.
pub const PARTITIONS: usize = 64;

const MAGIC: &[u8; 8] = b"SUPSTATE";
const VERSION: u32 = 1;
const HEADER: usize = 16;
/// A partition in the directory: its number, its states, where it begins, the bytes of its states and of its index.
const PLACE: usize = 40;
/// Bytes read at once, in order and here and there.
const CHUNK: usize = 1 << 16;
const SPARSE: usize = 1 << 12;

/// The partition of a state. Zeros at its end do not matter.
#[inline]
pub(crate) fn hash(state: &[u64]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let len = state.iter().rposition(|w| *w != 0).map_or(0, |at| at + 1);
    let mut h = K;
    for word in &state[..len] {
        let product = u128::from(h ^ word) * u128::from(0xd6e8_feb8_6659_fd93u64);
        h = (product as u64) ^ (product >> 64) as u64;
    }
    h ^ h.wrapping_mul(K) >> 29
}

/// What a manifest says of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) states: u64,
    pub(crate) words: usize,
    /// Of the whole file, in hexadecimal digits.
    pub(crate) sha256: String,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    partition: usize,
    pub(crate) states: u64,
    at: u64,
    data: u64,
    index: u64,
}

impl Place {
    pub(crate) fn partition(&self) -> usize {
        self.partition
    }

    fn blocks(&self) -> u64 {
        self.states.div_ceil(BLOCK as u64)
    }
}

enum Source {
    File(PathBuf, File),
    Memory(Arc<Vec<u8>>),
}

/// A set that can be read.
pub(crate) struct Image {
    pub(crate) entry: Entry,
    source: Source,
    /// By partition.
    pub(crate) places: Vec<Place>,
}

enum Target {
    File(PathBuf, BufWriter<File>),
    Memory(Vec<u8>),
}

/// Writes a set, partition after partition.
pub(crate) struct ImageWriter {
    target: Target,
    digest: Sha256,
    at: u64,
    words: usize,
    states: u64,
    places: Vec<Place>,
}

impl ImageWriter {
    /// Into a new file, or into memory.
    pub(crate) fn new(path: Option<&Path>, words: usize) -> Result<ImageWriter, Trouble> {
        let target = match path {
            None => Target::Memory(Vec::new()),
            Some(path) => {
                let file = File::create(path).map_err(|e| Trouble::io("write", path, &e))?;
                Target::File(path.to_owned(), BufWriter::with_capacity(CHUNK, file))
            }
        };
        let mut it = ImageWriter {
            target,
            digest: Sha256::new(),
            at: 0,
            words,
            states: 0,
            places: Vec::new(),
        };
        it.put(MAGIC)?;
        it.put(&VERSION.to_le_bytes())?;
        it.put(&(words as u32).to_le_bytes())?;
        Ok(it)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        match &mut self.target {
            Target::Memory(to) => to.extend_from_slice(bytes),
            Target::File(path, out) => {
                let written = out.write_all(bytes);
                written.map_err(|e| Trouble::io("write", path, &e))?;
                self.digest.update(bytes);
            }
        }
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Adds a partition; their numbers ascend.
    pub(crate) fn add(&mut self, partition: usize, segment: &Segment) -> Result<(), Trouble> {
        if segment.count == 0 {
            return Ok(());
        }
        self.places.push(Place {
            partition,
            states: segment.count,
            at: self.at,
            data: segment.data.len() as u64,
            index: segment.index.len() as u64,
        });
        self.states += segment.count;
        self.put(&segment.data)?;
        self.put(&segment.index)
    }

    /// Ends the set. It is not forced to the disk yet.
    pub(crate) fn finish(mut self) -> Result<Image, Trouble> {
        let directory = self.at;
        let places = std::mem::take(&mut self.places);
        for place in &places {
            let numbers = [
                place.partition as u64,
                place.states,
                place.at,
                place.data,
                place.index,
            ];
            for number in numbers {
                self.put(&number.to_le_bytes())?;
            }
        }
        self.put(&directory.to_le_bytes())?;
        let mut entry = Entry {
            name: String::new(),
            bytes: self.at,
            states: self.states,
            words: self.words,
            sha256: String::new(),
        };
        let source = match self.target {
            Target::Memory(bytes) => Source::Memory(Arc::new(bytes)),
            Target::File(path, mut out) => {
                out.flush().map_err(|e| Trouble::io("write", &path, &e))?;
                entry.name = name_of(&path);
                entry.sha256 = hex(&self.digest.finalize());
                let file = open(&path)?;
                Source::File(path, file)
            }
        };
        Ok(Image {
            entry,
            source,
            places,
        })
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

impl Image {
    /// Opens a file; nothing in it is trusted.
    pub(crate) fn open(folder: &Path, entry: &Entry) -> Result<Image, Trouble> {
        let path = folder.join(&entry.name);
        let file = open(&path)?;
        let damaged = |why: &str| Trouble::damaged(&entry.name, why);
        let len = file
            .metadata()
            .map_err(|e| Trouble::io("read", &path, &e))?
            .len();
        if len != entry.bytes {
            let why = format!("it has {len} bytes instead of {}", entry.bytes);
            return Err(damaged(&why));
        }
        let source = Source::File(path, file);
        let mut head = Vec::new();
        if len < (HEADER + 8) as u64 {
            return Err(damaged("it is too short"));
        }
        source.read(0, HEADER, &mut head)?;
        if &head[..8] != MAGIC || head[8..12] != VERSION.to_le_bytes() {
            return Err(damaged("it is no set of states of this version"));
        }
        let words = u32::from_le_bytes([head[12], head[13], head[14], head[15]]) as usize;
        if words != entry.words || words == 0 || words > MOST_WORDS {
            return Err(damaged("its states have another width"));
        }
        source.read(len - 8, 8, &mut head)?;
        let directory = number(&head, 0);
        let size = (len - 8)
            .checked_sub(directory)
            .filter(|s| *s <= (PARTITIONS * PLACE) as u64 && s.is_multiple_of(PLACE as u64));
        let size = size.ok_or_else(|| damaged("it has no directory"))?;
        source.read(directory, size as usize, &mut head)?;
        let places = places(&head, words, directory)
            .filter(|places| places.iter().map(|p| p.states).sum::<u64>() == entry.states);
        let places = places.ok_or_else(|| damaged("its directory is wrong"))?;
        let entry = entry.clone();
        Ok(Image {
            entry,
            source,
            places,
        })
    }

    /// Compares the file with its checksum.
    pub(crate) fn verify(folder: &Path, entry: &Entry) -> Result<(), Trouble> {
        let path = folder.join(&entry.name);
        let mut file = open(&path)?;
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        loop {
            let read = file.read(&mut buffer);
            match read.map_err(|e| Trouble::io("read", &path, &e))? {
                0 => break,
                len => digest.update(&buffer[..len]),
            }
        }
        match hex(&digest.finalize()) == entry.sha256 {
            true => Ok(()),
            false => Err(Trouble::damaged(&entry.name, "its checksum is wrong")),
        }
    }

    /// Forces a file to the disk.
    pub(crate) fn sync(folder: &Path, name: &str) -> Result<(), Trouble> {
        let path = folder.join(name);
        let synced = File::open(&path).and_then(|file| file.sync_all());
        synced.map_err(|e| Trouble::io("write", &path, &e))
    }

    /// The bytes it takes in memory.
    pub(crate) fn resident(&self) -> u64 {
        let own = match &self.source {
            Source::File(..) => 0,
            Source::Memory(bytes) => bytes.len() as u64,
        };
        own + (self.places.len() * PLACE) as u64
    }

    pub(crate) fn place(&self, partition: usize) -> Option<&Place> {
        let found = self
            .places
            .binary_search_by_key(&partition, |p| p.partition);
        found.ok().map(|at| &self.places[at])
    }

    /// Reads a partition, with states of so many words. `wanted` states will be looked for, as far as is known.
    pub(crate) fn cursor(
        &self,
        partition: usize,
        width: usize,
        wanted: Option<u64>,
    ) -> Result<Option<Cursor<'_>>, Trouble> {
        let Some(place) = self.place(partition) else {
            return Ok(None);
        };
        let sparse = wanted.is_some_and(|wanted| wanted * 4 < place.blocks());
        let mut cursor = Cursor {
            image: self,
            place: *place,
            words: self.entry.words,
            index: Vec::new(),
            state: vec![0; width.max(self.entry.words)],
            chunk: if sparse { SPARSE } else { CHUNK },
            next_block: 0,
            left: 0,
            buffer: Vec::new(),
            at: 0,
            begin: 0,
        };
        if place.data + place.index <= CHUNK as u64 {
            // All at once.
            let size = (place.data + place.index) as usize;
            self.source.read(place.at, size, &mut cursor.buffer)?;
            cursor.index = cursor.buffer.split_off(place.data as usize);
        } else {
            let at = place.at + place.data;
            self.source
                .read(at, place.index as usize, &mut cursor.index)?;
        }
        Ok(Some(cursor))
    }
}

fn open(path: &Path) -> Result<File, Trouble> {
    File::open(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => Trouble::Refused(format!("`{}` is missing", path.display())),
        _ => Trouble::io("read", path, &e),
    })
}

fn number(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
}

/// The directory, if it fits the file.
fn places(bytes: &[u8], words: usize, end: u64) -> Option<Vec<Place>> {
    let mut places: Vec<Place> = Vec::new();
    let mut at = HEADER as u64;
    for entry in bytes.chunks_exact(PLACE) {
        let place = Place {
            partition: usize::try_from(number(entry, 0)).ok()?,
            states: number(entry, 8),
            at: number(entry, 16),
            data: number(entry, 24),
            index: number(entry, 32),
        };
        let ascends = places
            .last()
            .is_none_or(|last| last.partition < place.partition);
        let index = place.blocks().checked_mul(words as u64 * 8 + 8)?;
        if !ascends || place.partition >= PARTITIONS || place.states == 0 {
            return None;
        }
        if place.at != at || place.index != index {
            return None;
        }
        at = at.checked_add(place.data)?.checked_add(place.index)?;
        places.push(place);
    }
    (at == end).then_some(places)
}

impl Source {
    /// Reads so many bytes from there.
    fn read(&self, at: u64, len: usize, to: &mut Vec<u8>) -> Result<(), Trouble> {
        match self {
            Source::Memory(bytes) => {
                let found = bytes.get(at as usize..at as usize + len);
                let found = found.ok_or_else(|| Trouble::damaged("memory", "it ends early"))?;
                to.clear();
                to.extend_from_slice(found);
                Ok(())
            }
            Source::File(path, file) => {
                to.resize(len, 0);
                read_at(file, path, at, to).map_err(|e| Trouble::io("read", path, &e))
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, _: &Path, at: u64, to: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, to, at)
}

/// Elsewhere reading moves the place in the file, which threads share.
#[cfg(not(unix))]
fn read_at(_: &File, path: &Path, at: u64, to: &mut [u8]) -> io::Result<()> {
    use std::io::{Seek, SeekFrom};
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(to)
}

/// Reads the states of a partition in ascending order.
pub(crate) struct Cursor<'a> {
    image: &'a Image,
    place: Place,
    words: usize,
    index: Vec<u8>,
    /// The state it is at.
    pub(crate) state: Vec<u64>,
    chunk: usize,
    next_block: u64,
    /// States left in the block.
    left: u64,
    buffer: Vec<u8>,
    at: usize,
    /// Where the buffer begins in the states of the partition.
    begin: u64,
}

impl Cursor<'_> {
    fn damaged(&self) -> Trouble {
        Trouble::damaged(&self.image.entry.name, "its states are not in order")
    }

    fn entry(&self, block: u64) -> &[u8] {
        let size = self.words * 8 + 8;
        &self.index[block as usize * size..][..size]
    }

    /// States have more words from now on.
    pub(crate) fn widen(&mut self, words: usize) {
        self.state.resize(words.max(self.state.len()), 0);
    }

    /// Does the first state of a block come after that one?
    fn begins_after(&self, block: u64, state: &[u64]) -> bool {
        let entry = self.entry(block);
        for (word, wanted) in state.iter().enumerate() {
            let own = if word < self.words {
                number(entry, word * 8)
            } else {
                0
            };
            if own != *wanted {
                return own > *wanted;
            }
        }
        false
    }

    /// Goes to the next state; false at the end.
    pub(crate) fn next(&mut self) -> Result<bool, Trouble> {
        if self.left == 0 {
            return self.begin_block();
        }
        self.fill()?;
        let state = &mut self.state[..self.words];
        let used = decode(state, &self.buffer[self.at..]).ok_or_else(|| self.damaged())?;
        self.at += used;
        self.left -= 1;
        Ok(true)
    }

    fn begin_block(&mut self) -> Result<bool, Trouble> {
        let block = self.next_block;
        if block == self.place.blocks() {
            return Ok(false);
        }
        if block > 0 && !self.begins_after(block, &self.state) {
            return Err(self.damaged());
        }
        let size = self.words * 8 + 8;
        let entry = &self.index[block as usize * size..][..size];
        for (at, word) in self.state[..self.words].iter_mut().enumerate() {
            *word = number(entry, at * 8);
        }
        let at = number(entry, self.words * 8);
        self.left = (self.place.states - block * BLOCK as u64).min(BLOCK as u64) - 1;
        self.next_block = block + 1;
        self.seek(at)?;
        Ok(true)
    }

    /// Goes to a place among the states.
    fn seek(&mut self, at: u64) -> Result<(), Trouble> {
        if at > self.place.data {
            return Err(self.damaged());
        }
        let within = at.wrapping_sub(self.begin);
        match within <= self.buffer.len() as u64 {
            true => self.at = within as usize,
            false => {
                (self.begin, self.at) = (at, 0);
                self.buffer.clear();
            }
        }
        Ok(())
    }

    /// Has enough bytes for a state.
    fn fill(&mut self) -> Result<(), Trouble> {
        let needed = longest(self.words);
        if self.buffer.len() - self.at >= needed {
            return Ok(());
        }
        let begin = self.begin + self.at as u64;
        let left = self.place.data - begin;
        if (self.buffer.len() - self.at) as u64 == left {
            return Ok(());
        }
        let len = left.min(self.chunk.max(needed) as u64) as usize;
        let at = self.place.at + begin;
        self.image.source.read(at, len, &mut self.buffer)?;
        (self.begin, self.at) = (begin, 0);
        Ok(())
    }

    /// Goes on to the first state that is not before that one, from a state before it or the start; false if there is none.
    pub(crate) fn advance_to(&mut self, wanted: &[u64]) -> Result<bool, Trouble> {
        if self.next_block > 0 && self.state.as_slice() >= wanted {
            return Ok(true);
        }
        let blocks = self.place.blocks();
        if self.next_block < blocks && !self.begins_after(self.next_block, wanted) {
            let (mut low, mut step) = (self.next_block, 1);
            while low + step < blocks && !self.begins_after(low + step, wanted) {
                low += step;
                step *= 2;
            }
            let mut high = (low + step).min(blocks);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                match self.begins_after(middle, wanted) {
                    true => high = middle,
                    false => low = middle,
                }
            }
            (self.next_block, self.left) = (low, 0);
        }
        while self.next()? {
            if self.state.as_slice() >= wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
