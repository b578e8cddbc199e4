//! Small random systems.

use suppose_model::lts::{
    Component, ComponentKind, Label, Labels, Lts, LtsBuilder, Network, Priority, Property,
};

/// SplitMix64.
#[derive(Clone)]
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

fn subset(rng: &mut Rng, labels: &[Label]) -> Vec<Label> {
    labels.iter().copied().filter(|_| !rng.once_in(3)).collect()
}

/// A random LTS: mostly one or two edges a state and label of its alphabet.
pub fn lts(rng: &mut Rng, name: &str, states: u32, alphabet: &[Label], tau: bool) -> Lts {
    let mut builder = LtsBuilder::new(name);
    builder
        .states(states)
        .initial(rng.below(states as usize) as u32);
    builder.extend_alphabet(alphabet.iter().copied());
    for state in 0..states {
        for label in alphabet.iter().copied().chain(tau.then_some(Label::TAU)) {
            let count = *rng.pick(&[0, 0, 1, 1, 1, 2]);
            for _ in 0..if label.is_tau() { count / 2 } else { count } {
                builder.edge(state, label, rng.below(states as usize) as u32);
            }
        }
    }
    if rng.once_in(2) {
        builder.end(rng.below(states as usize) as u32);
    }
    builder.build()
}

fn property(rng: &mut Rng, name: &str, alphabet: &[Label]) -> Lts {
    let states = 1 + rng.below(3) as u32;
    let mut builder = LtsBuilder::new(name);
    builder
        .states(states)
        .extend_alphabet(alphabet.iter().copied());
    for state in 0..states {
        for label in alphabet {
            if !rng.once_in(4) {
                builder.edge(state, *label, rng.below(states as usize) as u32);
            }
        }
    }
    builder.build()
}

/// Two to four components (one of them, at times, an environment), one or two properties, and
/// at times a priority.
pub fn network(rng: &mut Rng) -> Network {
    let mut labels = Labels::new();
    let mut names: Vec<Label> = ["a", "b", "c"].map(|n| labels.intern(n)).to_vec();
    names.push(labels.intern_hidden("b"));
    let mut network = Network::new("random \"<system>\"", labels);
    for number in 0..2 + rng.below(3) {
        let alphabet = subset(rng, &names);
        let states = 1 + rng.below(3) as u32;
        let tau = rng.once_in(2);
        let lts = lts(rng, &format!("M{number}"), states, &alphabet, tau);
        let kind = match rng.once_in(6) {
            true => ComponentKind::Environment,
            false => ComponentKind::Process,
        };
        network.components.push(Component { lts, kind });
    }
    for number in 0..1 + rng.below(2) {
        let alphabet = subset(rng, &names[..3]);
        let lts = property(rng, &format!("P{number}"), &alphabet);
        let asserted = number == 1;
        network.properties.push(Property {
            lts,
            span: None,
            asserted,
        });
    }
    if rng.once_in(4) {
        let mut labels = subset(rng, &names);
        labels.truncate(2);
        let low = rng.once_in(2);
        network.priority = Some(Priority { labels, low });
    }
    network.close();
    network
}
