//! The suites, as data.

/// A model and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The family's name in tables, with the property.
    pub name: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Which composition.
    pub system: &'static str,
    /// The property; empty for deadlock.
    pub property: &'static str,
    /// The two-way split.
    pub split: &'static str,
    /// Values of the constant `N`; 0 when the file has none.
    pub sizes: &'static [i64],
}

macro_rules! case {
    ($name:literal, $family:literal, $file:literal, $property:literal, $split:literal, $sizes:expr) => {
        Case {
            name: $name,
            file: concat!($file, ".lts"),
            text: include_str!(concat!(
                "../../../examples/fsp/",
                $family,
                "/",
                $file,
                ".lts"
            )),
            system: "SYS",
            property: $property,
            split: $split,
            sizes: &$sizes,
        }
    };
    ($name:literal, $family:literal, $property:literal, $split:literal, $sizes:expr) => {
        case!($name, $family, $family, $property, $split, $sizes)
    };
}

/// The case studies of the paper on AGAR, split as in its Table 1.
pub const PAPER: &[Case] = &[
    case!("channel, Order", "channel", "Order", "Input/Output", [0]),
    case!(
        "gas station, Change",
        "gas-station",
        "Change",
        "c.*:CUSTOMER/*",
        [3, 4, 5, 6]
    ),
    case!(
        "Chiron, property 2",
        "chiron",
        "P2",
        "*/KIND*",
        [2, 3, 4, 5, 6]
    ),
    case!(
        "Chiron, property 3",
        "chiron",
        "P3",
        "*/KIND*",
        [2, 3, 4, 5, 6]
    ),
    case!(
        "MER, Exclusive",
        "mer",
        "Exclusive",
        "*/u.1:USER,BOX(1,*),ARBITER",
        [2, 3, 4, 5, 6]
    ),
    case!("rover, Clear", "rover", "Clear", "*/MONITOR*", [2, 3, 4]),
    case!(
        "client-server, Mutex",
        "client-server",
        "Mutex",
        "SERVER/*",
        [3, 5, 7, 10]
    ),
];

/// Families that grow, up to a size that exhaustive search hardly manages or not at all.
pub const GROWTH: &[Case] = &[
    case!(
        "channels, Order",
        "channel",
        "channels",
        "Order",
        "chain",
        [6, 9, 12]
    ),
    case!("links, Order", "links", "Order", "chain", [2, 3, 4]),
    case!(
        "pipeline, First",
        "pipeline",
        "First",
        "chain",
        [16, 20, 24]
    ),
    case!(
        "pipeline, Bounded",
        "pipeline",
        "Bounded",
        "chain",
        [12, 16, 20]
    ),
    case!(
        "tree arbiter, Siblings",
        "tree-arbiter",
        "Siblings",
        "chain",
        [4, 8, 16]
    ),
    case!(
        "tree arbiter, Cousins",
        "tree-arbiter",
        "Cousins",
        "chain",
        [4, 8, 16]
    ),
    case!(
        "token ring, Mutex01",
        "token-ring",
        "Mutex01",
        "chain",
        [8, 12, 16, 20]
    ),
    case!(
        "token ring, Mutex",
        "token-ring",
        "Mutex",
        "chain",
        [8, 12, 16, 20]
    ),
    case!(
        "client-server, Mutex12",
        "client-server",
        "Mutex12",
        "chain",
        [8, 10, 12]
    ),
    case!(
        "client-server, Mutex",
        "client-server",
        "Mutex",
        "chain",
        [8, 10, 12]
    ),
    case!(
        "lock server, Lock1of12",
        "lock-server",
        "Lock1of12",
        "chain",
        [5, 7, 9]
    ),
    case!(
        "readers/writers, Safe11",
        "readers-writers",
        "Safe11",
        "chain",
        [8, 10, 12]
    ),
    case!(
        "philosophers, Neighbours",
        "philosophers",
        "Neighbours",
        "chain",
        [7, 8, 9]
    ),
    case!(
        "philosophers, Crowd",
        "philosophers",
        "Crowd",
        "chain",
        [7, 8, 9]
    ),
    case!("MER, Exclusive12", "mer", "Exclusive12", "chain", [4, 6, 7]),
    case!(
        "gas station, Order",
        "gas-station",
        "Order",
        "chain",
        [6, 9, 11]
    ),
    case!(
        "gas station, Change",
        "gas-station",
        "Change",
        "chain",
        [4, 6, 8]
    ),
    case!("Chiron, property 2", "chiron", "P2", "chain", [4, 6, 8]),
    case!("rover, Clear", "rover", "Clear", "chain", [4, 6, 8]),
];

macro_rules! live {
    ($name:literal, $file:literal, $claim:literal, $sizes:expr) => {
        Case {
            name: $name,
            file: concat!($file, ".lts"),
            text: include_str!(concat!("../progress/", $file, ".lts")),
            system: "SYS",
            property: $claim,
            split: "chain",
            sizes: &$sizes,
        }
    };
}

/// Liveness of families that grow: progress, and responses as formulas.
pub const PROGRESS: &[Case] = &[
    live!("philosophers, EATS", "philosophers", "EATS", [5, 7, 9, 12]),
    live!(
        "token ring, ENTERS",
        "token-ring",
        "ENTERS",
        [8, 12, 16, 24]
    ),
    live!(
        "token ring, LEAVES",
        "token-ring",
        "LEAVES",
        [8, 12, 16, 24]
    ),
    live!("leader ring, LEADER", "leader-ring", "LEADER", [8, 12, 16]),
    live!("scheduler, ENTERS", "scheduler", "ENTERS", [8, 12, 16, 24]),
    live!("scheduler, LEAVES", "scheduler", "LEAVES", [8, 12, 16, 24]),
    live!(
        "readers/writers, WRITES",
        "readers-writers",
        "WRITES",
        [5, 8, 12]
    ),
    live!("pipeline, OUT", "pipeline", "OUT", [8, 12, 16, 24]),
    live!(
        "client-server, ANSWERED",
        "client-server",
        "ANSWERED",
        [6, 9, 12]
    ),
    live!("elevator, OPENS", "elevator", "OPENS", [3, 5, 7]),
    live!("elevator, COMES", "elevator", "COMES", [3, 5, 7]),
    live!("Milner, STARTS", "milner", "STARTS", [8, 12, 16, 24]),
];

/// The whole against the parts, for liveness.
pub const IN_PARTS: &[Column] = &[
    column("minimise", "--engine minimise"),
    column("learn", "--engine learn"),
    column("auto", ""),
    column("monolithic", "--engine monolithic"),
];

/// State spaces to run through.
pub const MONOLITHIC: &[Case] = &[
    case!(
        "philosophers, deadlock",
        "philosophers",
        "",
        "auto",
        [7, 8, 9]
    ),
    case!(
        "client-server, Mutex",
        "client-server",
        "Mutex",
        "auto",
        [10, 12]
    ),
    case!(
        "pipeline, Alternate",
        "pipeline",
        "Alternate",
        "auto",
        [16, 20]
    ),
    case!("MER, deadlock", "mer", "", "auto", [6]),
    case!("token ring, Mutex", "token-ring", "Mutex", "auto", [12, 16]),
];

/// What is run in a column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its heading.
    pub name: &'static str,
    /// The engine and its options, with blanks between them; `{split}` is the case's.
    pub options: &'static str,
}

const fn column(name: &'static str, options: &'static str) -> Column {
    Column { name, options }
}

/// AGAR, learning and exhaustive search, as in the paper, and the rule for n components.
pub const ENGINES: &[Column] = &[
    column("AGAR", "--engine agar --alphabet full --split {split}"),
    column("L*", "--engine learn --alphabet full --split {split}"),
    column(
        "AGAR, alphabet refined",
        "--engine agar --alphabet refine --split {split}",
    ),
    column(
        "L*, alphabet refined",
        "--engine learn --alphabet refine --split {split}",
    ),
    AGAR_CHAIN,
    LSTAR_CHAIN,
    column("monolithic", "--engine monolithic"),
];

/// The same engines along balanced splits, as in the paper's Table 2.
pub const BALANCED: &[Column] = &[
    column("AGAR", "--engine agar --alphabet full --split balanced"),
    column("L*", "--engine learn --alphabet full --split balanced"),
    column(
        "AGAR, alphabet refined",
        "--engine agar --alphabet refine --split balanced",
    ),
    column(
        "L*, alphabet refined",
        "--engine learn --alphabet refine --split balanced",
    ),
];

/// Compositional against exhaustive.
pub const CONTEST: &[Column] = &[
    AGAR_CHAIN,
    LSTAR_CHAIN,
    column("auto", ""),
    column("monolithic", "--engine monolithic"),
];

/// AGAR by the rule for n components.
const AGAR_CHAIN: Column = column("AGAR, n-way", "--engine agar --split chain");

/// Learning by the rule for n components.
const LSTAR_CHAIN: Column = column("L*, n-way", "--engine learn --split chain");

/// Exhaustive search only.
pub const EXHAUSTIVE: &[Column] = &[column("monolithic", "--engine monolithic")];

/// Ways to split classes, and the paper's restart.
pub const STRATEGIES: &[Column] = &[
    column("stuck", "--engine agar --splitting stuck --split {split}"),
    column(
        "earliest",
        "--engine agar --splitting earliest --split {split}",
    ),
    column("all", "--engine agar --splitting all --split {split}"),
    column(
        "stuck, restart",
        "--engine agar --splitting stuck --restart --split {split}",
    ),
    column("TTT", "--engine learn --learner ttt --split {split}"),
    column("L*", "--engine learn --learner lstar --split {split}"),
];
