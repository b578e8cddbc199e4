//! What proves a verdict.
//!
//! A counterexample is a run of the whole system. A certificate is a list of *premises*, each a
//! finite relation that one pass can check; the rules of compositional reasoning are all of this
//! one form, and the monolithic proof is the case of a single premise without assumptions.

use crate::lts::{Label, Lts, PackedStates};
use crate::relation::Relation;

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The processes never all stop (unless all are at their end).
    DeadlockFree,
    /// The property of that number in the network is never violated.
    Property(usize),
    /// The liveness claim of that number in the network is true.
    Liveness(usize),
}

/// One step of the whole system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkStep {
    /// The action.
    pub label: Label,
    /// The state of every component of the network after it.
    pub states: Vec<u32>,
}

/// A run of the whole system from its initial state to the violation.
///
/// For a property, the last step is the one the property does not allow. For deadlock, the last
/// state is the one where nothing can happen. For a liveness claim, the last steps are repeated forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The claim that it refutes.
    pub claim: Claim,
    /// The run.
    pub steps: Vec<NetworkStep>,
    /// The cycle, for a liveness claim.
    pub lasso: Option<Box<Lasso>>,
}

impl Counterexample {
    /// A run that ends.
    pub fn finite(claim: Claim, steps: Vec<NetworkStep>) -> Self {
        Counterexample {
            claim,
            steps,
            lasso: None,
        }
    }
}

/// The infinite suffix of a run: the steps from number `cycle` on are repeated; if there are none, the system has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The first step of the cycle.
    pub cycle: usize,
    /// Why almost all runs that begin like this one violate the claim. None if the claim is about all runs, or the beginning
    /// alone violates it.
    pub terminal: Option<TerminalSet>,
}

/// The residual of a formula after some letters: alternatives, each a set of formulas by number. Both are sorted, and no
/// alternative contains another. No alternative at all is false; one that is empty is true.
pub type Residual = Vec<Vec<u32>>;

/// A set of states that is never left, with what happens in it again and again.
///
/// A vector has a slot for the state of each process, one for each fluent of the claim, one for the number of the residual of
/// the formula, and a last one for its rank: 0 at the home of the set; from every other some step lowers it. So almost every run comes
/// home again and again, and goes every way from there again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalSet {
    /// What vectors and pairs refer to by number.
    pub residuals: Vec<Residual>,
    /// The vectors.
    pub vectors: PackedStates,
    /// Why the claim is violated. Its walk goes around the cycle of the run, or further while the system has stopped.
    pub set: RecurrentSet,
}

/// What happens in a set of vectors that is never left.
///
/// `again` and `forever` are bounds on the formulas that are true again and again, and from some time on. If the claim holds
/// they are lower bounds: a passage shows that a formula of `again` is true again and again, pairs show that one of `forever` is always
/// true. If it is violated they are upper bounds, and the other way round: a passage shows that a formula that is not in
/// `forever` fails again and again, pairs show that one that is not in `again` is never true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecurrentSet {
    /// The vector that almost every run comes back to.
    pub home: u32,
    /// Numbers of until-formulas (sorted).
    pub again: Vec<u32>,
    /// Numbers of release-formulas (sorted).
    pub forever: Vec<u32>,
    /// Steps that can be taken from home.
    pub walk: Vec<Visit>,
    /// Parts of the walk that decide a formula.
    pub passages: Vec<Passage>,
    /// Vectors, each with the residual of a formula; closed under steps.
    pub pairs: Vec<(u32, u32)>,
}

/// A step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The action; none if the system has stopped.
    pub label: Option<Label>,
    /// The vector after it.
    pub vector: u32,
}

/// The letters number `from` to `to` (exclusive) of a walk decide a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The formula; none for the residual of the claim at the beginning of the passage.
    pub node: Option<u32>,
    /// The first letter.
    pub from: u32,
    /// After the last letter.
    pub to: u32,
}

/// Why a liveness claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LivenessProof {
    /// For fair choice. A vector has a slot for the state of each process, for each fluent, for the residual of the claim, for its set
    /// (0: none, else number and 1), and for its rank: 0 at the homes of the sets and where nothing is left to show; from every
    /// other vector some step lowers it.
    Fair {
        /// What vectors and pairs refer to by number.
        residuals: Vec<Residual>,
        /// The vectors, closed under steps.
        vectors: PackedStates,
        /// The sets that are never left.
        sets: Vec<RecurrentSet>,
    },
    /// For all runs. A vector has a slot for the state of each process, for each fluent, for the number of a set of formulas that
    /// are all to be false from there on, and for its class. Classes never rise along a step; and along a step within a class, its
    /// release-formula is an obligation and remains one.
    All {
        /// Sets of formulas (sorted).
        owed: Vec<Vec<u32>>,
        /// The vectors, closed under steps.
        vectors: PackedStates,
        /// For each class, the release-formula whose failure is postponed forever in it; none if no step stays in the class.
        classes: Vec<Option<u32>>,
    },
    /// In parts. The premises of the certificate replace members of the system by smaller LTSs, its assumptions, and these processes and
    /// assumptions are left. The claim about them is the claim without the labels of the processes that no LTS of these has.
    Parts {
        /// Numbers of components.
        components: Vec<usize>,
        /// Numbers of assumptions.
        assumptions: Vec<usize>,
        /// Why the claim holds of what is left. Its vectors have a slot for each of these, components first.
        rest: Box<LivenessProof>,
    },
    /// By a safety property, the *counter*: an assumption that the first premises of the certificate guarantee for the whole
    /// system. The runs of the counter in which a *round* happens again and again satisfy the claim, and rounds do happen again and again.
    Bounded {
        /// The number of the counter among the assumptions.
        counter: usize,
        /// How many premises are about the counter. The others belong to `recurrence`.
        premises: usize,
        /// The counter was made to allow so many accepting rounds. For people: nothing rests on it.
        bound: u32,
        /// The labels that are rounds (sorted).
        rounds: Vec<Label>,
        /// Why the runs of the counter alone satisfy [`Liveness::or_rounds_end`](crate::lts::Liveness::or_rounds_end).
        counting: Box<LivenessProof>,
        /// Why [`Liveness::again`](crate::lts::Liveness::again) is true of the rounds.
        recurrence: Box<LivenessProof>,
    },
}

/// An assumption about some components: what the others may rely on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Its behaviour: an LTS without error state over its alphabet, perhaps nondeterministic.
    pub lts: Lts,
    /// What each of its states represents; empty when nothing is known.
    pub nodes: Vec<Node>,
}

/// What a state of an assumption represents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// How many concrete states.
    pub count: u64,
    /// Some of them, by name.
    pub examples: Vec<String>,
}

/// What a premise establishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// The assumption of that number.
    Assumption(usize),
    /// The property of that number.
    Property(usize),
    /// That the processes never all stop. Only without assumptions and with all components.
    DeadlockFree,
}

/// "These components, under these assumptions, have this guarantee", with the reason.
///
/// The relation holds vectors with one slot for each component, one for each assumption used, in
/// the order given, and (unless the guarantee is freedom from deadlock) a last one for the state
/// of the guarantee's LTS. It contains the vector of initial states; and for every vector `(s, x)`
/// in it and every step of the left side `s -a-> s'` (a label of the guarantee that the left side
/// does not have is a step that leaves `s` alone): if `a` is not a label of the guarantee, `(s', x)`
/// is in it, else some `(s', y)` with `x -a-> y` is. So every trace of the left side, restricted
/// to the labels of the guarantee, is one of the guarantee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Numbers of components of the network.
    pub components: Vec<usize>,
    /// Numbers of assumptions; each is guaranteed by an earlier premise.
    pub assumptions: Vec<usize>,
    /// What the members guarantee under the assumptions.
    pub guarantee: Guarantee,
    /// The simulation relation that proves it.
    pub relation: Relation,
}

/// Proof that a claim holds: the last premise guarantees the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The claim that it proves.
    pub claim: Claim,
    /// The assumptions, numbered.
    pub assumptions: Vec<Assumption>,
    /// The premises, each using only assumptions that earlier ones guarantee.
    pub premises: Vec<Premise>,
    /// Instead of all these, why a liveness claim holds.
    pub liveness: Option<Box<LivenessProof>>,
}
