//! Reports on Horn clauses and on C programs, which become clauses.
//!
//! There is one question: can a query be derived (of a program: can an assertion fail)? It holds because of a
//! definition of every predicate, shown as a formula people can read; it is violated because of a
//! derivation, shown step by step, and of a program as its calls.

mod html;
mod infix;
mod json;
mod names;
mod steps;
mod text;

use std::time::Duration;

use suppose_model::Reason;
use suppose_model::chc::{Definitions, Derivation, Horn, Pred, TermId, Terms};
use suppose_source::{Sources, Span};

use crate::{Checked, Document, Report, Standing};

/// Everything a report on clauses shows.
#[derive(Clone, Debug)]
pub struct HornReport<'a> {
    /// What all reports have. Its network is empty, and nothing is in its `checked`.
    pub base: Report<'a>,
    /// The clauses as they were read.
    pub horn: &'a Horn,
    /// The files that their places point into.
    pub sources: &'a Sources,
    /// What was read.
    pub kind: HornKind,
    /// The answer, once there is one.
    pub checked: Option<HornChecked<'a>>,
    /// What other solvers said of the answer, in one line each.
    pub confirmed: Vec<String>,
    /// How far a verdict that it holds goes, if not all the way.
    pub scope: Option<String>,
    /// Reports on other claims about the same program.
    pub more: Vec<HornReport<'a>>,
}

/// What clauses were made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornKind {
    /// The user wrote clauses.
    Clauses,
    /// The user wrote a C program.
    C {
        /// Which integers are meant.
        integers: HornIntegers,
        /// What is claimed.
        claim: HornClaim,
    },
}

/// Which integers a C program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornIntegers {
    /// Those of C on a machine with a `long` of so many bits: what follows a signed overflow is not said.
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

/// What is claimed of a C program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HornClaim {
    /// No assertion fails.
    Assertions,
    /// No signed result leaves the range of its type.
    NoOverflow,
}

impl HornKind {
    /// What the question is called.
    pub fn question(self) -> &'static str {
        match self {
            HornKind::Clauses => "queries",
            HornKind::C {
                claim: HornClaim::Assertions,
                ..
            } => "assertions",
            HornKind::C {
                claim: HornClaim::NoOverflow,
                ..
            } => "no-overflow",
        }
    }

    /// What it asks.
    fn meaning(self) -> &'static str {
        match self {
            HornKind::Clauses => "no query can be derived",
            HornKind::C {
                claim: HornClaim::Assertions,
                ..
            } => "no assertion fails and no error is reached",
            HornKind::C {
                claim: HornClaim::NoOverflow,
                ..
            } => "no signed operation leaves the range of its type",
        }
    }

    /// Is it a claim about runs up to the first signed overflow?
    pub fn has_overflow(self) -> bool {
        let HornKind::C { integers, claim } = self else {
            return false;
        };
        claim == HornClaim::Assertions && matches!(integers, HornIntegers::Machine { .. })
    }

    /// Which integers are meant, of a program.
    fn integers(self) -> Option<String> {
        let HornKind::C { integers, .. } = self else {
            return None;
        };
        Some(match integers {
            HornIntegers::Mathematical => "mathematical, without bounds".to_owned(),
            HornIntegers::Machine { long } => format!("of the machine, `long` has {long} bits"),
            HornIntegers::Wrap { long } => {
                format!("of the machine, signed ones wrap around too, `long` has {long} bits")
            }
        })
    }
}

/// The answer and what became of the evidence.
pub type HornChecked<'a> = Checked<'a, HornAnswer>;

/// A verdict on clauses, and how it came about.
#[derive(Clone, Debug)]
pub struct HornAnswer {
    /// Which engine answered.
    pub engine: String,
    /// The answer.
    pub verdict: HornVerdict,
    /// What it took.
    pub effort: Effort,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// The answer on clauses.
#[derive(Clone, Debug)]
pub enum HornVerdict {
    /// It holds, by definitions of all predicates.
    Holds(Box<Definitions>),
    /// It does not, by a derivation.
    Violated {
        /// The derivation.
        derivation: Derivation,
        /// Of a program: the same as calls.
        calls: Vec<CallRow>,
    },
    /// Not decided.
    Unknown {
        /// What stopped it.
        reason: Reason,
        /// No derivation up to this depth reaches a query.
        bound: Option<u32>,
        /// What was being tried as definitions, for those who want to go on by hand.
        candidates: Option<Box<Candidates>>,
    },
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
    /// Where.
    pub span: Option<Span>,
    /// Names and values.
    pub values: Vec<(String, String)>,
}

/// What an engine did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Questions to the solver.
    pub queries: u64,
    /// Goals looked at.
    pub obligations: u64,
    /// Facts about all derivations that were learned.
    pub lemmas: u64,
    /// Facts about some derivation that were learned.
    pub facts: u64,
    /// The depth of derivations that was reached.
    pub depth: u64,
}

impl<'a> HornReport<'a> {
    /// This one and those on the other claims.
    fn parts(&self) -> impl Iterator<Item = &HornReport<'a>> {
        std::iter::once(self).chain(&self.more)
    }

    /// How far the verdict goes, if not all the way. A violation is one whatever follows it.
    fn limited(&self, checked: &HornChecked) -> Option<&str> {
        let holds = matches!(checked.answer.verdict, HornVerdict::Holds(_));
        self.scope.as_deref().filter(|_| holds)
    }

    /// The verdict. Evidence that was rejected leaves it unknown.
    pub fn standing(&self, checked: &HornChecked) -> Standing {
        if let Some(rejected) = checked.evidence.rejection() {
            return rejected;
        }
        match &checked.answer.verdict {
            HornVerdict::Holds(_) => Standing::Holds,
            HornVerdict::Violated { .. } => Standing::Violated(self.kind.question().to_owned()),
            HornVerdict::Unknown { reason, .. } => Standing::Unknown(reason.word().to_owned()),
        }
    }
}

impl Document for HornReport<'_> {
    fn base(&self) -> &Report<'_> {
        &self.base
    }

    fn standings(&self) -> Vec<Standing> {
        let checked = self
            .parts()
            .flat_map(|p| p.checked.iter().map(|c| p.standing(c)));
        checked.collect()
    }

    fn text(&self, colour: bool, full: bool) -> String {
        text::text(self, colour, full)
    }

    fn json(&self) -> String {
        json::json(self)
    }

    fn html(&self) -> String {
        html::page(self)
    }
}

/// "no derivation up to depth 7"
fn bound_text(bound: u32) -> String {
    format!("no derivation up to depth {bound}")
}
