//! Answers about Horn clauses, and about C programs, which become clauses.

use suppose_source::Span;

use super::theory::Structures;
use super::{Definitions, Derivation, Pred, TermId, Terms};
use crate::Run;
use crate::answer::answered;

/// What is claimed: that no query can be derived, in the words of what the user wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Of clauses: no query can be derived.
    Queries,
    /// Of a C program: no assertion fails.
    Assertions,
    /// Of a C program: no signed result leaves the range of its type.
    NoOverflow,
    /// Of a C program: memory is only accessed where there is some.
    ValidDeref,
    /// Of a C program: only what was allocated, and not yet freed, is freed.
    ValidFree,
}

impl Claim {
    /// As the last line has it.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Queries => "queries",
            Claim::Assertions => "assertions",
            Claim::NoOverflow => "no-overflow",
            Claim::ValidDeref => "valid-deref",
            Claim::ValidFree => "valid-free",
        }
    }

    /// What holds if the claim does.
    pub fn meaning(self) -> &'static str {
        match self {
            Claim::Queries => "no query can be derived",
            Claim::Assertions => "no assertion fails and no error is reached",
            Claim::NoOverflow => "no signed operation leaves the range of its type",
            Claim::ValidDeref => "memory is only accessed where there is some",
            Claim::ValidFree => "only what was allocated and not yet freed is freed",
        }
    }
}

/// Which integers a C program computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Those of C on a machine with a `long` of this many bits: what follows a signed overflow is undefined.
    Machine {
        /// 32 or 64.
        long: u32,
    },
    /// The same, with signed results that wrap around.
    Wrap {
        /// 32 or 64.
        long: u32,
    },
    /// Those of mathematics.
    Mathematical,
}

/// A verdict on clauses, and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The claim that was checked.
    pub claim: Claim,
    /// The name of the engine that gave the answer.
    pub engine: String,
    /// The verdict, with its evidence or the reason why there is none.
    pub verdict: Verdict,
    /// Statistics of the run.
    pub effort: Effort,
    /// Of a claim that is not decided: what was being tried as definitions.
    pub candidates: Option<Box<Candidates>>,
    /// What other solvers said of the answer, in one line each.
    pub confirmed: Vec<String>,
    /// The time, and the questions to the solver.
    pub run: Run,
}

/// The verdict on clauses: definitions of all predicates, or a derivation of a query.
pub type Verdict = crate::Verdict<Box<Definitions>, Refutation>;

/// Why a claim is violated.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// A derivation of a query.
    pub derivation: Derivation,
    /// Of a program: the same as calls.
    pub calls: Vec<CallRow>,
    /// What the names in it represent, where the clauses have some.
    pub structures: Option<Structures>,
}

/// Formulas that an engine was working with.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The store of the formulas.
    pub terms: Terms,
    /// Over the formal parameters of the predicate.
    pub formulas: Vec<(Pred, TermId)>,
}

/// A line of a call tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRow {
    /// How deep the call is nested, from 0.
    pub depth: usize,
    /// The function.
    pub function: String,
    /// What happens there.
    pub what: String,
    /// Its position in the source.
    pub span: Option<Span>,
    /// Names and values.
    pub values: Vec<(String, String)>,
}

/// Statistics of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Proof obligations.
    pub obligations: u64,
    /// Facts about all derivations that were learned.
    pub lemmas: u64,
    /// Facts about some derivation that were learned.
    pub facts: u64,
    /// The depth of derivations that was reached.
    pub depth: u64,
    /// Of a claim that is not decided: no derivation up to this depth reaches a query.
    pub bound: Option<u32>,
}

answered!(Answer, Claim);
