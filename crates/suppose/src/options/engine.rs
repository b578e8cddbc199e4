//! Who decides, and how.

use serde::Serialize;

use super::engine_name::EngineName;
use super::mdp::PartitionName;
use super::smv::SmvEngineOptions;
#[cfg(feature = "clap")]
use super::values;
use super::{AssumeOptions, ClauseOptions, StorageOptions};

/// Who decides, and how.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct EngineOptions {
    /// The engine to use
    #[cfg_attr(
        feature = "clap",
        arg(long, value_parser = values::engine(), default_value_t, help_heading = "Engine")
    )]
    pub engine: EngineName,

    /// Whose requirement is wanted.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub process: ProcessOptions,

    /// How the system is split.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rule: SplitOptions,

    /// Which learner `--engine learn` uses
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, default_value_t, help_heading = "Engine")
    )]
    pub learner: Learner,

    /// Alphabet of an assumption: the whole interface, or only labels found necessary
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, default_value_t, help_heading = "Engine")
    )]
    pub alphabet: Alphabet,

    /// Which classes a spurious counterexample splits (`--engine agar`)
    #[cfg_attr(feature = "clap", arg(long, value_enum, help_heading = "Engine"))]
    pub splitting: Option<Splitting>,

    /// Explore premise 1 again from the start after every refinement
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub restart: bool,

    /// How states are searched.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub search: SearchOptions,

    /// Where its states are kept.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub storage: StorageOptions,

    /// How Horn clauses are decided.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub horn: ClauseOptions,

    /// Form of a learned assumption about a probabilistic system
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, help_heading = "Probabilistic systems")
    )]
    pub partition: Option<PartitionName>,

    /// How SMV models are abstracted.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub smv: SmvEngineOptions,
}

impl EngineOptions {
    /// For `suppose assume`, which has few of these options.
    pub fn for_assumptions(args: &AssumeOptions) -> EngineOptions {
        EngineOptions {
            engine: args.engine,
            process: args.process.clone(),
            rule: args.rule.clone(),
            learner: Learner::default(),
            alphabet: Alphabet::default(),
            splitting: None,
            restart: false,
            search: SearchOptions::default(),
            storage: StorageOptions::default(),
            horn: ClauseOptions::default(),
            partition: None,
            smv: SmvEngineOptions::default(),
        }
    }
}

/// Whose requirement is wanted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Engine")
)]
pub struct ProcessOptions {
    /// The process whose requirement the engine `quotient` finds (repeatable: several as one)
    ///
    /// For a PROMELA program the name of a proctype, or `P[1]` for the process with that number. Without
    /// it a process with many states and few shared labels is chosen.
    #[cfg_attr(feature = "clap", arg(long = "component", value_name = "NAME"))]
    pub components: Vec<String>,

    /// Reduce one component after the other to what is required of it (`--engine quotient`)
    ///
    /// Each --component has a turn, or all processes have. The later ones are reduced in a system where the earlier ones are
    /// small already, so the order matters: as given, those with few labels that others see, or the largest or
    /// the smallest first.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "ORDER", num_args = 0..=1, require_equals = true, default_missing_value = "largest"))]
    pub in_turn: Option<TurnOrder>,
}

/// How a requirement is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Engine")
)]
pub struct RefinementOptions {
    /// In which order the engine `quotient` refines the environment [default: doubling]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW"))]
    pub schedule: Option<ScheduleName>,

    /// Which states of the process the engine `quotient` merges [default: further]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHICH"))]
    pub merging: Option<MergingName>,

    /// How the engine `quotient` explores the environment [default: turns]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW"))]
    pub environment: Option<EnvironmentName>,
}

impl RefinementOptions {
    /// Is any of them given?
    pub fn is_given(&self) -> bool {
        *self != RefinementOptions::default()
    }
}

/// In which order the environment is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleName {
    /// Four edges in the first round, twice as many in each next one, alternating forward and backward.
    Doubling,
    /// As in the paper: one edge per round, ten rounds in each direction.
    Paper,
}

/// Which states of a process are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum MergingName {
    /// Equivalent states, and then any states as long as the verdict stays the same.
    Further,
    /// Equivalent states, by both equivalences until neither merges anything.
    Repeated,
    /// As in the paper: by the forward and then the backward equivalence, once each.
    Once,
}

/// How the environment is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum EnvironmentName {
    /// Concrete and abstract, alternately.
    Turns,
    /// Modal abstraction from the first state on, however small it is (section 5 of the paper).
    Abstract,
    /// Concrete (sections 3 and 4 of the paper).
    Plain,
}

/// Whose turn is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TurnOrder {
    /// In the given order, or that of the system.
    Given,
    /// Fewest shared labels first.
    Interface,
    /// Most states first.
    Largest,
    /// Fewest states first.
    Smallest,
}

/// How the states of a program are searched.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Search of PROMELA programs")
)]
pub struct SearchOptions {
    /// Search order: breadth-first gives shortest counterexamples, depth-first often finds one sooner
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub order: SearchOrder,

    /// No partial-order or symmetry reduction: explore all interleavings
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_reduction: bool,

    /// Store every state, also where processes of a proctype can be exchanged and one state could stand for several
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_symmetry: bool,

    /// Search with this many threads; results are the same for any number [default: one for each core]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256)))]
    pub threads: Option<u16>,

    /// Keep hashes of this many bits instead of states: less memory, but states can be missed, so
    /// nothing is said to hold
    #[cfg_attr(feature = "clap", arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(16..=64)))]
    pub compaction: Option<u32>,

    /// Stop at the first violation found, however long its run is
    #[cfg_attr(feature = "clap", arg(long))]
    pub first: bool,

    /// Also ask whether some infinite run passes `progress` labels only finitely often (SPIN's -l); the same as the property
    /// `progress`
    #[cfg_attr(feature = "clap", arg(long))]
    pub progress: bool,

    /// Of infinite runs, look at weakly fair ones only: a process that can always take a step takes one some time (SPIN's -f)
    #[cfg_attr(feature = "clap", arg(long))]
    pub fair: bool,
}

/// Orders of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// Breadth-first.
    #[default]
    Breadth,
    /// Depth-first.
    Depth,
}

/// How a system is split.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Engine")
)]
pub struct SplitOptions {
    /// How to split the system: auto, chain, interface, balanced, or names as in `A,B/C,D`
    ///
    /// `chain` puts every component into a group of its own, `interface` makes two groups with few
    /// labels between them, `balanced` two of about equal size. `auto` is `interface` for
    /// systems of at most 4,096 states and `chain` for larger ones; for `suppose assume`, which
    /// shows one assumption, always `interface`.
    ///
    /// Groups are separated by `/`, components in a group by `,`; in a name `*` stands for any
    /// text, and alone for all components that are left. The first group is checked
    /// against the property under an assumption about the rest. Two groups use one assumption,
    /// more use one between each group and those after it.
    #[cfg_attr(feature = "clap", arg(long, default_value = "auto"))]
    pub split: String,
}

/// The learners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Learner {
    /// Angluin's L* with Rivest and Schapire's analysis of counterexamples.
    #[default]
    Lstar,
    /// TTT, with a discrimination tree.
    Ttt,
}

/// The alphabet of an assumption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Alphabet {
    /// Start with the property's labels and add others when needed.
    #[default]
    Refine,
    /// All labels of the interface.
    Full,
}

/// Which classes to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Splitting {
    /// Where the concrete run gets stuck.
    Stuck,
    /// The earliest class from which the rest cannot be followed.
    Earliest,
    /// All of them.
    All,
}

impl Default for SplitOptions {
    fn default() -> Self {
        SplitOptions {
            split: "auto".to_owned(),
        }
    }
}
