//! Local processes with indices: one state for every value.

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
        let mut pairs = self.values.iter().zip(&other.values);
        self.values.len() == other.values.len() && pairs.all(|(a, b)| meet(a, b))
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
