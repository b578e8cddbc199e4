//! Interned action labels.

use rustc_hash::FxHashMap;

/// An action label, by its number in a [`Labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

impl Label {
    /// The unobservable action: no two components ever do it together.
    pub const TAU: Label = Label(0);

    /// Is it the unobservable action?
    pub fn is_tau(self) -> bool {
        self == Label::TAU
    }

    /// The label as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The labels of one network. Number 0 is `tau`.
///
/// A *hidden* label is one that a composition hides: the components that share it still do it
/// together, but it is invisible outside, so no property may mention it. It keeps the name it
/// had, for counterexamples, and a unique internal one.
#[derive(Clone, Debug)]
pub struct Labels {
    names: Vec<Box<str>>,
    shown: FxHashMap<Label, Box<str>>,
    index: FxHashMap<Box<str>, Label>,
}

impl Default for Labels {
    fn default() -> Self {
        Self::new()
    }
}

impl Labels {
    /// Only `tau`.
    pub fn new() -> Self {
        let mut labels = Labels {
            names: Vec::new(),
            shown: FxHashMap::default(),
            index: FxHashMap::default(),
        };
        labels.intern("tau");
        labels
    }

    /// The label of that name, made if need be. `tau` gives [`Label::TAU`].
    pub fn intern(&mut self, name: &str) -> Label {
        if let Some(label) = self.index.get(name) {
            return *label;
        }
        let label = Label(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.into());
        self.index.insert(name.into(), label);
        label
    }

    /// A new label for the hidden action `name`, different from every other label.
    pub fn intern_hidden(&mut self, name: &str) -> Label {
        let mut number = self.names.len();
        let unique = loop {
            let candidate = format!("{name}#{number}");
            if !self.index.contains_key(candidate.as_str()) {
                break candidate;
            }
            number += 1;
        };
        let label = self.intern(&unique);
        self.shown.insert(label, name.into());
        label
    }

    /// The label of that name, if there is one.
    pub fn get(&self, name: &str) -> Option<Label> {
        self.index.get(name).copied()
    }

    /// The unique name.
    pub fn name(&self, label: Label) -> &str {
        &self.names[label.index()]
    }

    /// Was it made by [`Labels::intern_hidden`]?
    pub fn is_hidden(&self, label: Label) -> bool {
        self.shown.contains_key(&label)
    }

    /// The name it had before it was hidden, if it was.
    pub fn hidden_name(&self, label: Label) -> Option<&str> {
        self.shown.get(&label).map(|name| &**name)
    }

    /// The name for display: `tau`, the name, or `tau (name)` when hidden.
    pub fn display(&self, label: Label) -> String {
        match self.shown.get(&label) {
            Some(name) => format!("tau ({name})"),
            None => self.name(label).to_owned(),
        }
    }

    /// The number of labels, including `tau`.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: `tau` is always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All but `tau`, in order.
    pub fn iter(&self) -> impl Iterator<Item = Label> + use<> {
        (1..self.names.len()).map(|i| Label(i as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_labels_are_distinct_and_keep_their_name() {
        let mut labels = Labels::new();
        assert_eq!(labels.intern("tau"), Label::TAU);
        let x = labels.intern("x");
        let first = labels.intern_hidden("x");
        let second = labels.intern_hidden("x");
        assert!(x != first && first != second);
        assert_eq!(labels.display(first), "tau (x)");
        assert!(labels.is_hidden(second) && !labels.is_hidden(x));
    }
}
