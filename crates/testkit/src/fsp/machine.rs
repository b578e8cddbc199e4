//! A machine: what a process or a composed part does.

use std::collections::{BTreeMap, BTreeSet};

use suppose_model::lts::{
    Equivalence, Label, Labels, Lts, LtsBuilder, SizeLimits, determinise, minimise, reachable,
};

/// The state of an error.
pub(super) const ERROR: usize = usize::MAX;
/// The label that nobody sees.
pub(super) const TAU: &str = "tau";

/// Does nobody see it? What a process hides keeps its name behind a sign, since LTSA counts two
/// hidden labels between the same states as two.
pub(super) fn is_silent(label: &str) -> bool {
    label == TAU || label.starts_with("tau#")
}

/// States, edges and an alphabet. State 0 is the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    pub name: String,
    pub states: usize,
    pub edges: BTreeSet<(usize, String, usize)>,
    pub end: Option<usize>,
    pub alphabet: BTreeSet<String>,
    pub property: bool,
}

impl Machine {
    pub(super) fn next(&self, state: usize, label: &str) -> Vec<usize> {
        let edges = self.edges.range((state, label.to_owned(), 0)..);
        let same = edges.take_while(|e| e.0 == state && e.1 == label);
        same.map(|e| e.2).collect()
    }

    /// The labels that a state has steps with.
    pub(super) fn enabled(&self, state: usize) -> BTreeSet<String> {
        let edges = self.edges.range((state, String::new(), 0)..);
        let here = edges.take_while(|e| e.0 == state);
        here.map(|e| e.1.clone()).collect()
    }

    /// An end that is not there from the start.
    pub(super) fn later_end(&self) -> Option<usize> {
        self.end.filter(|e| *e != 0)
    }

    /// Gives every label its new names.
    pub(super) fn rename(&mut self, new: impl Fn(&str) -> Vec<String>) {
        let renamed = |l: &String| match is_silent(l) {
            true => vec![l.clone()],
            false => new(l),
        };
        self.alphabet = self.alphabet.iter().flat_map(renamed).collect();
        let edges = std::mem::take(&mut self.edges).into_iter();
        let all = edges.flat_map(|(s, l, t)| {
            let names = renamed(&l).into_iter();
            names.map(move |l| (s, l, t)).collect::<Vec<_>>()
        });
        self.edges = all.collect();
    }

    pub(super) fn hide(&mut self, hidden: impl Fn(&str) -> bool) {
        let edges = std::mem::take(&mut self.edges).into_iter();
        let all = edges.map(|(s, l, t)| match hidden(&l) {
            true => (s, format!("tau#{l}"), t),
            false => (s, l, t),
        });
        self.edges = all.collect();
        self.alphabet.retain(|l| !hidden(l));
    }

    /// Makes hidden labels one: in a part that is composed first, LTSA counts two hidden steps between the
    /// same states as one.
    pub(super) fn merge_silent(&mut self) {
        let edges = std::mem::take(&mut self.edges).into_iter();
        let all = edges.map(|(s, l, t)| match is_silent(&l) {
            true => (s, TAU.to_owned(), t),
            false => (s, l, t),
        });
        self.edges = all.collect();
    }

    /// What a property does not allow is an error.
    pub(super) fn complete(&mut self) {
        self.property = true;
        self.end = None;
        for state in 0..self.states {
            for label in &self.alphabet {
                if self.next(state, label).is_empty() {
                    self.edges.insert((state, label.clone(), ERROR));
                }
            }
        }
    }

    /// Only what can be reached, numbered again.
    pub(super) fn pruned(&self) -> Machine {
        let mut numbers = BTreeMap::from([(0, 0)]);
        let mut open = vec![0];
        let mut edges = BTreeSet::new();
        while let Some(state) = open.pop() {
            for label in self.enabled(state) {
                for target in self.next(state, &label) {
                    let next = numbers.len();
                    let number = match target {
                        ERROR => ERROR,
                        _ => *numbers.entry(target).or_insert_with(|| {
                            open.push(target);
                            next
                        }),
                    };
                    edges.insert((numbers[&state], label.clone(), number));
                }
            }
        }
        Machine {
            states: numbers.len(),
            edges,
            end: self.end.and_then(|e| numbers.get(&e).copied()),
            ..self.clone()
        }
    }

    fn to_lts(&self, labels: &mut Labels) -> Lts {
        let mut builder = LtsBuilder::new(&self.name);
        builder.states(self.states as u32);
        let error = self.states as u32;
        for label in &self.alphabet {
            builder.extend_alphabet([labels.intern(label)]);
        }
        for (source, label, target) in &self.edges {
            let label = match is_silent(label) {
                true => Label::TAU,
                false => labels.intern(label),
            };
            let target = match *target {
                ERROR => {
                    builder.error(error);
                    error
                }
                target => target as u32,
            };
            builder.edge(*source as u32, label, target);
        }
        if let Some(end) = self.end {
            builder.end(end as u32);
        }
        builder.build()
    }

    fn of_lts(&self, lts: &Lts, labels: &Labels) -> Machine {
        let first = lts.initial();
        let number = |state: u32| match state {
            s if lts.error() == Some(s) => ERROR,
            s if s == first => 0,
            0 => first as usize,
            s => s as usize,
        };
        let name = |l: Label| match l.is_tau() {
            true => TAU.to_owned(),
            false => labels.name(l).to_owned(),
        };
        let edges = lts.all_edges();
        let whole = Machine {
            states: lts.states(),
            edges: edges
                .map(|(s, l, t)| (number(s), name(l), number(t)))
                .collect(),
            end: lts.end().map(number),
            ..self.clone()
        };
        whole.pruned()
    }

    /// `minimal` and `deterministic`; these the model's own algorithms do, which have tests of
    /// their own.
    pub(super) fn reduced(&self, minimal: bool, deterministic: bool) -> Result<Machine, String> {
        let mut labels = Labels::new();
        let mut lts = self.to_lts(&mut labels);
        let limits = SizeLimits::default();
        if deterministic {
            if lts.is_deterministic() && !minimal {
                return Ok(self.clone());
            }
            let made = determinise(&lts, &limits).map_err(|e| e.to_string())?;
            lts = made.lts;
        }
        let small = minimise(&lts, Equivalence::Weak, &limits).map_err(|e| e.to_string())?;
        Ok(self.of_lts(&reachable(&small.lts), &labels))
    }
}
