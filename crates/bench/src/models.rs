//! The PROMELA models of the benchmarks, as data.

/// Values for the names a model leaves open.
pub type Set = &'static [(&'static str, i64)];

/// A model in several sizes.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Its name in tables.
    pub name: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The process whose requirement is wanted.
    pub component: &'static str,
    /// What is asked of it.
    pub property: &'static str,
    /// The sizes.
    pub sets: &'static [Set],
}

macro_rules! model {
    ($name:literal, $family:literal, $component:literal, [$([$($key:ident = $value:literal),*]),* $(,)?]) => {
        Model {
            name: $name,
            file: concat!($family, ".pml"),
            text: include_str!(concat!(
                "../../../examples/promela/",
                $family,
                "/",
                $family,
                ".pml"
            )),
            component: $component,
            property: "assertions",
            sets: &[$(&[$((stringify!($key), $value)),*]),*],
        }
    };
}

/// For the comparison with SPIN: small, large, with and without a violation.
pub const SPIN: &[Model] = &[
    model!(
        "alternating bit",
        "alternating-bit",
        "Sender",
        [[SIZE = 1], [SIZE = 4], [SIZE = 1, BROKEN = 1],]
    ),
    model!(
        "arithmetic",
        "arithmetic",
        "Left",
        [[M = 5], [M = 10], [M = 30], [M = 50]]
    ),
    model!(
        "bakery",
        "bakery",
        "P[0]",
        [[N = 2], [N = 3], [N = 4, MAX = 2]]
    ),
    model!(
        "cache coherence",
        "cache-coherence",
        "Directory",
        [[N = 2], [N = 3], [N = 5]]
    ),
    model!("dekker", "dekker", "P[0]", [[], [BROKEN = 1]]),
    model!(
        "elevator",
        "elevator",
        "Controller",
        [[N = 2], [N = 4], [N = 7]]
    ),
    model!(
        "leader election",
        "leader-election",
        "Node[1]",
        [[N = 3], [N = 5], [N = 7]]
    ),
    model!(
        "peterson",
        "peterson",
        "P[0]",
        [[N = 2], [N = 3], [N = 4], [N = 3, BROKEN = 1],]
    ),
    model!(
        "philosophers",
        "philosophers",
        "Philosopher[0]",
        [[N = 3], [N = 6, POLITE = 1], [N = 9, POLITE = 1],]
    ),
    model!(
        "pipeline",
        "pipeline",
        "Sink",
        [[N = 1, SIZE = 1], [N = 2, SIZE = 3], [N = 3, SIZE = 2],]
    ),
    model!(
        "producer, consumer",
        "producer-consumer",
        "Consumer[0]",
        [
            [P = 1, C = 1, SIZE = 2],
            [P = 2, C = 2, SIZE = 2],
            [P = 3, C = 3, SIZE = 3],
        ]
    ),
    model!(
        "production cell",
        "production-cell",
        "Loader",
        [[N = 4], [N = 9], [N = 9, BELT = 6]]
    ),
    model!(
        "readers, writers",
        "readers-writers",
        "Monitor",
        [[R = 2, W = 2], [R = 4, W = 3], [R = 8, W = 3],]
    ),
    model!(
        "sliding window",
        "sliding-window",
        "Sender",
        [[B = 2, W = 1], [B = 3, W = 2], [B = 6, W = 2],]
    ),
    model!("swarm", "swarm", "Worker[0]", [[N = 3], [N = 5], [N = 8]]),
    model!(
        "token ring",
        "token-ring",
        "Station[0]",
        [[N = 3], [N = 10]]
    ),
    model!(
        "workflow",
        "workflow",
        "Office",
        [[N = 2], [N = 4], [N = 7]]
    ),
];

/// The families of the table in the paper on RESY, and larger sizes.
pub const RESY: &[Model] = &[
    model!(
        "sliding window",
        "sliding-window",
        "Sender",
        [
            [B = 2, W = 1, PROPERTY = 1],
            [B = 3, W = 1, PROPERTY = 1],
            [B = 3, W = 2, PROPERTY = 1],
            [B = 2, W = 1, PROPERTY = 2],
            [B = 3, W = 1, PROPERTY = 2],
            [B = 3, W = 2, PROPERTY = 2],
            [B = 2, W = 1, PROPERTY = 3],
            [B = 3, W = 1, PROPERTY = 3],
            [B = 3, W = 2, PROPERTY = 3],
            [B = 2, W = 1, PROPERTY = 4],
            [B = 3, W = 1, PROPERTY = 4],
            [B = 3, W = 2, PROPERTY = 4],
            [B = 4, W = 2, PROPERTY = 1],
            [B = 5, W = 2, PROPERTY = 1],
            [B = 6, W = 2, PROPERTY = 1],
            [B = 8, W = 3, PROPERTY = 1],
        ]
    ),
    model!(
        "elevator",
        "elevator",
        "Controller",
        [
            [N = 2],
            [N = 3],
            [N = 4],
            [N = 5],
            [N = 6],
            [N = 7],
            [N = 8],
        ]
    ),
    model!(
        "production cell",
        "production-cell",
        "Loader",
        [
            [N = 2],
            [N = 3],
            [N = 4],
            [N = 5],
            [N = 6],
            [N = 7],
            [N = 8],
            [N = 9],
            [N = 9, BELT = 6],
            [N = 9, BELT = 9],
        ]
    ),
    model!(
        "workflow",
        "workflow",
        "Office",
        [
            [N = 2],
            [N = 3],
            [N = 4],
            [N = 5],
            [N = 6],
            [N = 7],
            [N = 8],
        ]
    ),
];
