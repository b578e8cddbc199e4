//! All states of a program as a file.
//!
//! The rows are sorted, and each is written as how it differs from the one before: how many bytes it has, and then in turn how many
//! bytes are the same and how many are not, with these. Blocks of such rows are written as base64.

use std::io::{self, Write};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error, MapAccess, SeqAccess};
use sha2::{Digest, Sha256};
use suppose_model::program::visited::Records;
use suppose_model::program::{Program, Question, Visited};

use super::file::ProgramEvidence;
use crate::file::frame::{Formats, spend};
use crate::file::object::{Fields, List, ReadList};
use crate::file::write::field;

/// A block is written when it has so many bytes.
const BLOCK: usize = 48 << 10;

/// More bytes than any state has.
const LONGEST: usize = 1 << 24;

impl ProgramEvidence for Visited {
    const FORMATS: Formats = Formats {
        certificate: "suppose states certificate",
        counterexample: "",
        neither: "this is no list of the states of a program",
        version: 1,
    };
    const WHAT: &'static str = "a list of the states of a program";

    fn question(&self) -> Question {
        self.question
    }

    fn fits(program: &Program, question: Question) -> bool {
        !program.is_liveness(question)
    }

    fn write_rest(&self, _: &Program, out: &mut impl Write) -> io::Result<()> {
        field(out, "states", &self.states.len())?;
        out.write_all(b"\"blocks\":[")?;
        let mut order: Vec<u32> = (0..self.states.len() as u32).collect();
        order.sort_unstable_by_key(|row| self.states.get(*row as usize));
        let mut sum = Sha256::new();
        let mut block = Vec::new();
        let mut before: &[u8] = &[];
        let mut between = "\n";
        for row in order {
            let row = self.states.get(row as usize);
            add_row(before, row, &mut block);
            sum.update((row.len() as u64).to_le_bytes());
            sum.update(row);
            before = row;
            if block.len() >= BLOCK {
                write!(out, "{between}\"{}\"", STANDARD.encode(&block))?;
                between = ",\n";
                block.clear();
            }
        }
        if !block.is_empty() {
            write!(out, "{between}\"{}\"", STANDARD.encode(&block))?;
        }
        write!(out, "\n],\n\"sha256\":\"{}\"", hex(sum))
    }

    fn read_rest<'de, A: MapAccess<'de>>(
        _: &Program,
        question: Question,
        mut most: u64,
        fields: &mut Fields<A>,
    ) -> Result<Self, A::Error> {
        let count: u64 = fields.next("states")?;
        let blocks = Blocks {
            count,
            left: &mut most,
        };
        let states: Records = fields.next_seed("blocks", List(blocks))?;
        let sum: String = fields.next("sha256")?;
        let mut ours = Sha256::new();
        for row in states.iter() {
            ours.update((row.len() as u64).to_le_bytes());
            ours.update(row);
        }
        if sum != hex(ours) {
            return Err(A::Error::custom("the states are not those of the checksum"));
        }
        Ok(Visited {
            question,
            states: Arc::new(states),
        })
    }
}

fn hex(sum: Sha256) -> String {
    sum.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn add_length(mut length: usize, to: &mut Vec<u8>) {
    while length >= 0x80 {
        to.push(length as u8 | 0x80);
        length >>= 7;
    }
    to.push(length as u8);
}

/// How a row differs from the one before.
fn add_row(before: &[u8], row: &[u8], to: &mut Vec<u8>) {
    add_length(row.len(), to);
    let same = |at: usize| before.get(at) == row.get(at);
    let mut at = 0;
    while at < row.len() {
        let first = (at..row.len()).find(|at| !same(*at)).unwrap_or(row.len());
        add_length(first - at, to);
        if first == row.len() {
            return;
        }
        // A single byte that is the same again is not worth two numbers.
        let again = |at: &usize| same(*at) && (at + 1 == row.len() || same(at + 1));
        let end = (first..row.len()).find(again).unwrap_or(row.len());
        add_length(end - first, to);
        to.extend_from_slice(&row[first..end]);
        at = end;
    }
}

/// Reads the blocks.
struct Blocks<'a> {
    count: u64,
    /// How much may still be read: one for each state and each eight bytes of it.
    left: &'a mut u64,
}

impl<'de> ReadList<'de> for Blocks<'_> {
    type Value = Records;
    const WHAT: &'static str = "a list of blocks";

    fn read<A: SeqAccess<'de>>(self, mut items: A) -> Result<Records, A::Error> {
        let mut states = Records::default();
        while let Some(text) = items.next_element::<String>()? {
            let block = STANDARD.decode(&text).map_err(A::Error::custom)?;
            let mut block = Block { rest: &block };
            while !block.rest.is_empty() {
                let length = block.length().filter(|length| *length <= LONGEST);
                let length = length.ok_or_else(|| A::Error::custom("a block is cut off"))?;
                spend(self.left, 1 + length as u64 / 8)?;
                let row = block.row(states.last(), length);
                let row = row.ok_or_else(|| A::Error::custom("a block is cut off"))?;
                if !states.is_empty() && states.last() >= row.as_slice() {
                    return Err(A::Error::custom("the states are not sorted"));
                }
                states.push(&row);
            }
        }
        match states.len() as u64 == self.count {
            true => Ok(states),
            false => Err(A::Error::custom(
                "there are more or fewer states than it says",
            )),
        }
    }
}

struct Block<'a> {
    rest: &'a [u8],
}

impl Block<'_> {
    fn length(&mut self) -> Option<usize> {
        let mut length = 0;
        for shift in (0..28).step_by(7) {
            let (first, rest) = self.rest.split_first()?;
            self.rest = rest;
            length |= usize::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return Some(length);
            }
        }
        None
    }

    /// The row of that length after this one.
    fn row(&mut self, before: &[u8], length: usize) -> Option<Vec<u8>> {
        let mut row = Vec::new();
        let room = |row: &Vec<u8>, more: usize| more <= length - row.len();
        while row.len() < length {
            let same = self.length().filter(|same| room(&row, *same))?;
            row.extend_from_slice(before.get(row.len()..row.len() + same)?);
            if row.len() == length {
                break;
            }
            let other = self
                .length()
                .filter(|other| *other > 0 && room(&row, *other))?;
            let (bytes, rest) = self.rest.split_at_checked(other)?;
            row.extend_from_slice(bytes);
            self.rest = rest;
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let rows: [&[u8]; 6] = [b"", b"a", b"abcdefgh", b"abXdefgh", b"abcdefghi", b"b"];
        let mut before: &[u8] = &[];
        for row in rows {
            let mut bytes = Vec::new();
            add_row(before, row, &mut bytes);
            let mut block = Block { rest: &bytes };
            let length = block.length().unwrap();
            assert_eq!(block.row(before, length).as_deref(), Some(row));
            assert!(block.rest.is_empty());
            for cut in 0..bytes.len() {
                let mut block = Block {
                    rest: &bytes[..cut],
                };
                let length = block.length();
                assert!(length.is_none_or(|length| block.row(before, length).is_none()));
            }
            before = row;
        }
    }
}
