//! Random LTSs, properties and networks.

use suppose_model::lts::{Label, Labels, Lts, LtsBuilder, Network, Priority};

use crate::rng::Rng;

/// How large and of what kind random models are. Ranges include both ends.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Components of a network.
    pub components: (usize, usize),
    /// States of an LTS.
    pub states: (usize, usize),
    /// Labels of a network.
    pub labels: (usize, usize),
    /// Properties of a network.
    pub properties: (usize, usize),
    /// Edges per state, on average, in hundredths.
    pub edges_per_state: u32,
    /// How often an edge is `tau`, in a hundred.
    pub tau: u32,
    /// May a state have several edges with one label?
    pub nondeterministic: bool,
    /// How often an LTS has an end, in a hundred.
    pub end: u32,
    /// How often an LTS has an error state, in a hundred.
    pub error: u32,
    /// How often a component has a label in its alphabet, in a hundred.
    pub shared: u32,
    /// How often a property allows a label, in a hundred.
    pub allowed: u32,
    /// How often a network has a priority, in a hundred.
    pub priority: u32,
}

impl Shape {
    /// Shapes in which many runs refine: much is shared and the property forbids little.
    pub fn refining() -> [Shape; 3] {
        let shape = Shape::default();
        [
            shape.clone(),
            Shape {
                labels: (3, 8),
                shared: 66,
                allowed: 85,
                tau: 8,
                ..shape.clone()
            },
            Shape {
                components: (2, 3),
                states: (3, 8),
                labels: (2, 4),
                allowed: 90,
                edges_per_state: 160,
                error: 20,
                ..shape
            },
        ]
    }
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            components: (2, 5),
            states: (1, 6),
            labels: (1, 5),
            properties: (1, 2),
            edges_per_state: 200,
            tau: 15,
            nondeterministic: true,
            end: 15,
            error: 0,
            shared: 60,
            allowed: 75,
            priority: 0,
        }
    }
}

impl Shape {
    /// The same without `tau`, nondeterminism and ends.
    pub fn plain() -> Self {
        Shape {
            tau: 0,
            nondeterministic: false,
            end: 0,
            ..Shape::default()
        }
    }
}

/// The labels `a`, `b`, ... .
pub fn labels(count: usize) -> Labels {
    let mut labels = Labels::new();
    for number in 0..count {
        let letter = char::from(b'a' + (number % 26) as u8);
        let name = match number / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        };
        labels.intern(&name);
    }
    labels
}

/// An LTS over (some of) the labels given; its alphabet is exactly those.
pub fn lts(rng: &mut Rng, name: &str, alphabet: &[Label], shape: &Shape) -> Lts {
    let states = rng.between(shape.states.0, shape.states.1).max(1);
    let mut builder = LtsBuilder::new(name);
    builder
        .states(states as u32)
        .extend_alphabet(alphabet.iter().copied());
    let most = states * shape.edges_per_state as usize / 50;
    let mut taken = std::collections::BTreeSet::new();
    for _ in 0..rng.below(most + 1) {
        let source = rng.below(states) as u32;
        let target = rng.below(states) as u32;
        let silent = rng.percent(shape.tau) || alphabet.is_empty() && shape.tau > 0;
        let label = if silent {
            Label::TAU
        } else {
            match rng.pick(alphabet) {
                Some(label) => *label,
                None => continue,
            }
        };
        if shape.nondeterministic || taken.insert((source, label)) {
            builder.edge(source, label, target);
        }
    }
    if rng.percent(shape.end) {
        let end = rng.below(states) as u32;
        let built = builder.build();
        return with_end(&built, end);
    }
    if states > 1 && rng.percent(shape.error) {
        builder.error(rng.between(1, states - 1) as u32);
    }
    builder.build()
}

/// As languages have it: nothing happens at the end.
fn with_end(lts: &Lts, end: u32) -> Lts {
    let mut builder = LtsBuilder::like(lts);
    builder.extend_alphabet(lts.alphabet().iter().copied());
    for (source, label, target) in lts.all_edges().filter(|e| e.0 != end) {
        builder.edge(source, label, target);
    }
    builder.end(end);
    builder.build()
}

/// A property over exactly the labels given: deterministic, without `tau`.
pub fn property(rng: &mut Rng, name: &str, alphabet: &[Label], shape: &Shape) -> Lts {
    let states = rng.between(shape.states.0, shape.states.1).max(1);
    let mut builder = LtsBuilder::new(name);
    builder
        .states(states as u32)
        .extend_alphabet(alphabet.iter().copied());
    for source in 0..states {
        for label in alphabet {
            if rng.percent(shape.allowed) {
                builder.edge(source as u32, *label, rng.below(states) as u32);
            }
        }
    }
    builder.build()
}

/// A closed network. Component `i` is called `M<i>`, property `i` is called `P<i>`.
pub fn network(rng: &mut Rng, shape: &Shape) -> Network {
    let count = rng.between(shape.labels.0, shape.labels.1);
    let all: Vec<Label> = labels(count).iter().collect();
    let mut network = Network::new("random", labels(count));
    for number in 0..rng.between(shape.components.0, shape.components.1) {
        let alphabet = rng.subset(&all, shape.shared);
        let component = lts(rng, &format!("M{number}"), &alphabet, shape);
        network.add_component(component);
    }
    for number in 0..rng.between(shape.properties.0, shape.properties.1) {
        let alphabet = rng.subset(&all, shape.shared);
        let property = property(rng, &format!("P{number}"), &alphabet, shape);
        network.add_property(&property, None);
    }
    if rng.percent(shape.priority) {
        let labels = rng.subset(&all, 40);
        let low = rng.percent(50);
        network.priority = Some(Priority { labels, low });
    }
    network.close();
    network
}
