//! Local processes with indices: one state for every value.
//!
//! As in LTSA the indices are one flat list: with `P[s:{[0..1][0..1]}]`, `P[i][j]` is a state of it, and a
//! value such as `0.1` represents two indices.

use rustc_hash::FxHashSet;

use crate::fsp::ast::Local;
use crate::fsp::eval::{Value, Values};

/// A local process for all values of its indices.
pub(super) struct Block<'a> {
    pub(super) local: &'a Local,
    pub(super) values: Vec<Values>,
    pub(super) base: u32,
    pub(super) size: u32,
}

impl Block<'_> {
    /// The state for some values of the indices.
    pub(super) fn state(&self, indices: &[Value]) -> Option<u32> {
        if indices.len() != self.values.len() {
            return None;
        }
        let mut offset = 0u64;
        for (values, index) in self.values.iter().zip(indices) {
            offset = offset * values.len() + values.find(index)?;
        }
        Some(self.base + offset as u32)
    }

    /// The state for a flat list of indices.
    pub(super) fn flat_state(&self, flat: &Flat) -> Option<u32> {
        let offset = self.flat_offset(&self.values, &flat.0, 0)?;
        Some(self.base + offset as u32)
    }

    fn flat_offset(&self, values: &[Values], parts: &[String], offset: u64) -> Option<u64> {
        let Some((first, rest)) = values.split_first() else {
            return parts.is_empty().then_some(offset);
        };
        let next = |position: u64, taken: usize| {
            let offset = offset * first.len() + position;
            self.flat_offset(rest, &parts[taken..], offset)
        };
        let (part, _) = parts.split_first()?;
        if let Values::Ints(..) = first {
            let value = Value::Int(part.parse().ok()?);
            return next(first.find(&value)?, 1);
        }
        // Several labels of a set may begin the list: one of them leads to its end.
        (0..first.len()).find_map(|position| {
            let flat = Flat::of(&first.get(position));
            let begins = flat.0.len() <= parts.len() && parts.starts_with(&flat.0);
            begins.then(|| next(position, flat.0.len())).flatten()
        })
    }

    fn has_dots(&self) -> bool {
        let dotted = |v: &Values| match v {
            Values::Labels(labels) => labels.iter().any(|l| l.contains('.')),
            Values::One(value) => value.to_string().contains('.'),
            Values::Ints(..) => false,
        };
        self.values.iter().any(dotted)
    }

    /// Do two states of this block have the same flat list of indices?
    pub(super) fn overlaps_itself(&self) -> bool {
        let mut seen = FxHashSet::default();
        let all = self.base..self.base + self.size;
        self.has_dots() && !all.map(|s| self.flat(s)).all(|flat| seen.insert(flat))
    }

    fn flat(&self, state: u32) -> Flat {
        let indices = self.indices(state);
        Flat(indices.iter().flat_map(|i| Flat::of(i).0).collect())
    }

    /// The values of the indices at a state.
    pub(super) fn indices(&self, state: u32) -> Vec<Value> {
        let mut rest = u64::from(state - self.base);
        let mut indices: Vec<Value> = Vec::new();
        for values in self.values.iter().rev() {
            indices.push(values.get(rest % values.len()));
            rest /= values.len();
        }
        indices.reverse();
        indices
    }

    /// Is there a state that both define?
    pub(super) fn overlaps(&self, other: &Block<'_>) -> bool {
        if self.has_dots() || other.has_dots() {
            let (small, large) = match self.size <= other.size {
                true => (self, other),
                false => (other, self),
            };
            let mut all = small.base..small.base + small.size;
            return all.any(|s| large.flat_state(&small.flat(s)).is_some());
        }
        let mut pairs = self.values.iter().zip(&other.values);
        self.values.len() == other.values.len() && pairs.all(|(a, b)| meet(a, b))
    }
}

/// Indices as one list.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Flat(Vec<String>);

impl Flat {
    /// None if it would be no other list.
    pub(super) fn new(indices: &[Value]) -> Option<Flat> {
        let flat = Flat(indices.iter().flat_map(|i| Flat::of(i).0).collect());
        (!indices.is_empty()).then_some(flat)
    }

    fn of(value: &Value) -> Flat {
        Flat(value.to_string().split('.').map(str::to_owned).collect())
    }
}

fn meet(a: &Values, b: &Values) -> bool {
    match (a, b) {
        (Values::Ints(low, high), Values::Ints(l, h)) => low <= h && l <= high,
        (Values::One(value), other) | (other, Values::One(value)) => other.find(value).is_some(),
        (Values::Labels(labels), other) | (other, Values::Labels(labels)) => labels
            .iter()
            .any(|l| other.find(&Value::Label(l.clone())).is_some()),
    }
}

/// `BUFF[2]`
pub(super) fn shown_state(name: &str, indices: &[Value]) -> String {
    let mut shown = name.to_owned();
    for index in indices {
        shown.push_str(&format!("[{index}]"));
    }
    shown
}
