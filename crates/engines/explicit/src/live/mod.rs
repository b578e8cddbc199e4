//! Infinite runs: acceptance cycles, under a claim or through labels, and cycles without progress.
//!
//! A graph of states (with the place of the claim) is searched depth-first for its strongly connected components, while it is
//! made (Couvreur, "On-the-fly verification of linear temporal logic", FM 1999; the stack of roots is Gabow's). A component with
//! a step of every acceptance set has an infinite run that is not allowed. The sets are those of
//! [`suppose_model::program::LiveProof`]: one for the claim or the labels, and under weak fairness one more for each process, so
//! that fairness costs no copies of the state space. For progress, components are those of the states without a `progress`
//! label; the others are passed, but belong to none.
//!
//! Every state is expanded once: its successors are stored at once, those that are on the stack are merged at once, and only
//! new ones wait. A state needs no more room than for safety: what was its parent there is its number on the stack here, and
//! that of its component afterwards.
//!
//! # Reduction
//!
//! For claims that do not change when states are repeated (formulas without `X`), and for labels, one process is followed alone
//! where that is enough (`machine/reduce`), steps that change what the claim or the labels look at being taken out, unless one
//! of its successors is on the path: so every cycle has a state where all processes are followed. The path does not go through
//! states with a `progress` label. Of those, one process is followed alone only if no successor was expanded before. A step that is
//! followed alone is to such a state again, for the question looks at labels; so a cycle either is among these states, and
//! the one expanded last has an expanded successor, or has a step that changes that, from a state where all are followed.
//!
//! Under weak fairness, whether a process could have moved is part of the question. A step of a process that is followed alone
//! changes that for no other process: it touches nothing but the process's own variables. (Messages are never followed alone
//! under fairness, and there is no reduction with rendezvous channels, where coming to an offer makes the other side able, nor
//! with `timeout`, which waits for all.) So moving it to the front changes, for each other process, neither when it is able nor
//! when it moves, up to repetition; and the process itself was able all along, so in a fair run it does move. Hence every
//! fair run has a fair run in the reduced graph that the claim cannot tell from it. Who is not able is looked up only in states
//! where all processes are followed: one that is not able where another is followed alone is not able after that step either,
//! nor, going on, in the next state where all are followed, and every cycle has such a state.
//!
//! # What was not built
//!
//! A nested depth-first search needs two bits for a state instead of the 32 that are here anyway, and expands most states twice
//! when nothing is wrong; it was not built, since it would need copies for fairness.

mod graph;
mod lasso;
mod packed;
mod plain;
mod proof;
mod rebuild;
mod scc;

pub use proof::{ProofEnd, prove};

use suppose_control::Context;
use suppose_model::Reason;
use suppose_model::program::semantics::State;
use suppose_model::program::{Action, Edge, Expr, FormulaNode, Proctype, Program, Question};

use crate::finding::{End, settle};
use crate::machine::{self, Exclusive, Labels};
use crate::{ExplicitOptions, SearchResult, SearchVerdict};

use packed::Packed;

/// The most processes that fairness can tell apart.
pub(crate) const MOST_FAIR: usize = 63;

/// The acceptance sets of a question, a bit for each.
pub(super) fn sets(question: Question, fair: bool) -> u64 {
    let own = u64::from(question != Question::Progress);
    own | if fair { !1 } else { 0 }
}

/// Why there is no reduction, if there is none. Without a reason, it is sound.
fn unreduced(
    program: &Program,
    question: Question,
    options: &ExplicitOptions,
) -> Option<&'static str> {
    if options.fair
        && let Some(why) = noticed(program)
    {
        return Some(why);
    }
    let Question::Claim(number) = question else {
        return None;
    };
    let claim = program.claims.get(number)?;
    let Some(formula) = &claim.formula else {
        return Some("not with a never claim, which may count steps");
    };
    if formula
        .nodes
        .iter()
        .any(|n| matches!(n, FormulaNode::Next(_)))
    {
        return Some("not with X, which counts steps");
    }
    let timeout = |e: &Expr| e.any(|e| matches!(e, Expr::Timeout));
    if formula.atoms.iter().any(timeout) {
        return Some("not with timeout in the formula");
    }
    None
}

/// Why a step that is a process's own affair may all the same change who else is able to move, if it may.
fn noticed(program: &Program) -> Option<&'static str> {
    if meets(program) {
        return Some("not under fairness with rendezvous channels");
    }
    let mut edges = program.proctypes.iter().flat_map(|p| &p.locations);
    let timeout = |e: &Expr| e.any(|e| matches!(e, Expr::Timeout));
    let waits = |edge: &Edge| matches!(&edge.action, Action::Guard(test) if timeout(test));
    let provided = |p: &Proctype| p.provided.as_ref().is_some_and(timeout);
    if edges.any(|l| l.edges.iter().any(waits)) || program.proctypes.iter().any(provided) {
        return Some("not under fairness with timeout");
    }
    None
}

/// Can two processes take part in one step?
fn meets(program: &Program) -> bool {
    program.channels.iter().any(|kind| kind.capacity == 0)
}

/// How a question about infinite runs is searched, for people.
pub(crate) fn how(program: &Program, question: Question, options: &ExplicitOptions) -> String {
    let mut words = vec!["depth-first for cycles".to_owned()];
    if options.fair {
        words.push("weak fairness".to_owned());
    }
    if options.reduction {
        words.push(match unreduced(program, question, options) {
            None => "partial-order reduction".to_owned(),
            Some(why) => format!("no partial-order reduction ({why})"),
        });
    }
    words.join(", ")
}

/// Decides a question about infinite runs.
pub(crate) fn decide(
    program: &Program,
    initial: &State,
    question: Question,
    options: &ExplicitOptions,
    cx: &Context,
) -> SearchResult {
    let unsupported = |why: String| {
        let found = SearchVerdict::Unknown(Reason::Unsupported(why));
        crate::all(&[question], &found)
    };
    let outcome = match compiled(program, initial, question, options, cx) {
        Err(End::Unsupported(_) | End::Again) => plain::decide(program, question, options, cx),
        outcome => outcome,
    };
    match outcome {
        Ok(outcome) => outcome,
        Err(End::Unsupported(why)) => unsupported(why),
        Err(End::Again) => unsupported("the search did not settle".to_owned()),
        Err(End::Stopped(stopped)) => {
            crate::all(&[question], &SearchVerdict::Unknown(stopped.into()))
        }
    }
}

fn compiled(
    program: &Program,
    initial: &State,
    question: Question,
    options: &ExplicitOptions,
    cx: &Context,
) -> Result<SearchResult, End> {
    let reduces = unreduced(program, question, options).is_none();
    let claim = match question {
        Question::Claim(number) => Some(number),
        _ => None,
    };
    let compiled = machine::CompileOptions {
        claim,
        reduction: options.reduction && reduces,
        // Under a claim no state is passed anyway.
        merge: options.merge && (!options.fair || reduces || claim.is_some()),
        past_assertions: false,
        stutters: reduces,
        fair: options.fair,
        labels: match question {
            Question::Acceptance => Labels::Accept,
            Question::Progress => Labels::Progress,
            _ => Labels::None,
        },
    };
    settle(|users| {
        let graph = Packed::new(program, initial, (question, compiled), options, cx);
        let mut graph = graph.map_err(|end| (end, Exclusive::default()))?;
        if let Some(users) = users {
            graph.learn(users);
        }
        graph.decide().map_err(|end| (end, graph.users()))
    })
}
