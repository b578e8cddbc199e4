//! Options on Horn clauses and C programs.

use serde::Serialize;

/// How Horn clauses and C programs are decided.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(
    feature = "clap",
    derive(clap::Args),
    command(next_help_heading = "Horn clauses and C programs")
)]
pub struct ClauseOptions {
    /// Abstract the clauses to the parts that the proofs so far have needed
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "PARTS"))]
    pub abstraction: Option<AbstractionName>,

    /// What is bounded while an abstraction is refined; the bounds grow
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHAT"))]
    pub bounds: Option<BoundsName>,

    /// Which predicate of a clause's body is expanded first
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "ORDER"))]
    pub query_order: Option<QueryOrder>,

    /// The SMT solver of `recmc` or `gpdr`; external ones must be on the PATH
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "SOLVER"))]
    pub solver: Option<SolverName>,

    /// Forget what was found to be reachable: facts for one goal do not answer others
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub no_must_summaries: bool,

    /// Make goals from the values of models instead of projecting them
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub values: bool,

    /// Work on the clauses as they are
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub no_simplification: bool,

    /// Do not look for invariants of a fixed form before the search
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub no_invariants: bool,

    /// Cut goals down to bounds of single variables where lemmas have diverged
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub concretise: bool,
}

impl ClauseOptions {
    /// Is it not our own solver that answers the engine's questions?
    pub fn asks_another_solver(&self) -> bool {
        self.solver.is_some_and(|name| name != SolverName::Own)
    }
}

/// Who answers an engine's questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum SolverName {
    /// The embedded solver.
    Own,
    /// The `z3` on the PATH.
    Z3,
    /// The `cvc5` on the PATH.
    Cvc5,
}

/// What an abstraction may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum AbstractionName {
    /// Nothing: no abstraction.
    None,
    /// Every literal of a clause's constraint.
    Constraints,
    /// Only what gives a value to an argument of a clause's head.
    Variables,
}

/// What is bounded while an abstraction is refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum BoundsName {
    /// The depth of derivations.
    Depth,
    /// The iterations of each loop, by counters, as in the thesis; for linear clauses.
    Counters,
}

/// In which order the predicates of a clause's body are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum QueryOrder {
    /// The first one first.
    TopDown,
    /// The last one first.
    BottomUp,
}

/// Which integers a C program computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum IntegersName {
    /// C semantics: unsigned results wrap around, signed overflow is undefined.
    Machine,
    /// Signed results wrap around too, as with `gcc -fwrapv`.
    Wrap,
    /// Unbounded mathematical integers.
    Mathematical,
}

/// How long the types of C are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum DataModelName {
    /// `int` and `long` have 32 bits.
    #[cfg_attr(feature = "clap", value(name = "ILP32", alias = "ilp32"))]
    Ilp32,
    /// `int` has 32 bits, `long` 64.
    #[cfg_attr(feature = "clap", value(name = "LP64", alias = "lp64"))]
    Lp64,
}
