//! The letters that a claim sees: which propositions are true after an action.

use rustc_hash::FxHashMap;
use suppose_model::lts::{Label, Liveness, Network, Proposition};

/// The class of the letter of a system that has stopped.
pub(super) const STOPPED: u32 = 0;

/// What actions mean for the propositions of a claim. Actions of one class mean the same.
pub(crate) struct Letters {
    class_of: Vec<u32>,
    classes: Vec<Class>,
    /// For every proposition that is a fluent, its bit.
    bit: Vec<Option<usize>>,
    initial: Vec<u64>,
    numbers: FxHashMap<(u32, Box<[u64]>), u32>,
    /// For every letter, what each proposition is.
    values: Vec<Box<[bool]>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Class {
    /// For every proposition, whether the action is one of it. Not for fluents.
    done: Vec<bool>,
    set: Vec<u64>,
    reset: Vec<u64>,
}

impl Letters {
    pub fn new(network: &Network, claim: &Liveness) -> Self {
        let mut bit = vec![None; claim.propositions.len()];
        let mut fluents = 0usize;
        for number in claim.fluents() {
            bit[number] = Some(fluents);
            fluents += 1;
        }
        let words = fluents.div_ceil(64);
        let mut it = Letters {
            class_of: Vec::new(),
            classes: Vec::new(),
            bit,
            initial: vec![0; words],
            numbers: FxHashMap::default(),
            values: Vec::new(),
        };
        for (proposition, bit) in claim.propositions.iter().zip(&it.bit) {
            if let (
                Proposition::Fluent {
                    initially: true, ..
                },
                Some(bit),
            ) = (proposition, bit)
            {
                it.initial[bit / 64] |= 1 << (bit % 64);
            }
        }
        let mut known: FxHashMap<Class, u32> = FxHashMap::default();
        let none = it.class(claim, None);
        known.insert(none.clone(), STOPPED);
        it.classes.push(none);
        for label in 0..network.labels.len() as u32 {
            let class = it.class(claim, Some(Label(label)));
            let next = it.classes.len() as u32;
            let number = *known.entry(class.clone()).or_insert(next);
            if number == next {
                it.classes.push(class);
            }
            it.class_of.push(number);
        }
        it
    }

    fn class(&self, claim: &Liveness, label: Option<Label>) -> Class {
        let words = self.initial.len();
        let mut class = Class {
            done: vec![false; claim.propositions.len()],
            set: vec![0; words],
            reset: vec![0; words],
        };
        let Some(label) = label.filter(|l| !l.is_tau()) else {
            return class;
        };
        let has = |labels: &[Label]| labels.binary_search(&label).is_ok();
        for (number, proposition) in claim.propositions.iter().enumerate() {
            match (proposition, self.bit[number]) {
                (Proposition::Actions(labels), _) => class.done[number] = has(labels),
                (Proposition::Fluent { starts, ends, .. }, Some(bit)) => {
                    let mask = 1u64 << (bit % 64);
                    if has(starts) {
                        class.set[bit / 64] |= mask;
                    } else if has(ends) {
                        class.reset[bit / 64] |= mask;
                    }
                }
                (Proposition::Fluent { .. }, None) => {}
            }
        }
        class
    }

    /// The class of an action; none if the system has stopped.
    pub fn class_of(&self, label: Option<Label>) -> u32 {
        label.map_or(STOPPED, |l| self.class_of[l.index()])
    }

    /// Words for the values of the fluents.
    pub fn words(&self) -> usize {
        self.initial.len()
    }

    /// Their values before the first action.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// Lets an action change the fluents.
    pub fn apply(&self, class: u32, fluents: &mut [u64]) {
        let class = &self.classes[class as usize];
        for (word, (set, reset)) in fluents.iter_mut().zip(class.set.iter().zip(&class.reset)) {
            *word = *word & !reset | set;
        }
    }

    /// The number of the letter of an action after which the fluents are these.
    pub fn letter(&mut self, class: u32, fluents: &[u64]) -> u32 {
        if let Some(number) = self.numbers.get(&(class, fluents.into())) {
            return *number;
        }
        let done = &self.classes[class as usize].done;
        let value = |number: usize| match self.bit[number] {
            Some(bit) => fluents[bit / 64] >> (bit % 64) & 1 == 1,
            None => done[number],
        };
        let values = (0..done.len()).map(value).collect();
        let number = self.values.len() as u32;
        self.values.push(values);
        self.numbers.insert((class, fluents.into()), number);
        number
    }

    /// Is a proposition true in a letter?
    pub fn holds(&self, letter: u32, proposition: u32) -> bool {
        self.values[letter as usize][proposition as usize]
    }

    /// The values of the fluents, one a slot.
    pub fn slots<'w>(&self, fluents: &'w [u64]) -> impl Iterator<Item = u32> + use<'w> {
        let count = self.bit.iter().flatten().count();
        (0..count).map(move |bit| (fluents[bit / 64] >> (bit % 64) & 1) as u32)
    }
}
