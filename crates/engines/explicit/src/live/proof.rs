//! Numbers that show that there is no cycle, made without any reduction, by the reference semantics.

use super::graph::{DONE, Graph};
use super::plain::Plain;
use super::scc::{Hit, Scc};
use super::sets;
use crate::finding::End;
use suppose_control::{Context, Stopped};
use suppose_model::program::{Claim, LiveProof, Program, Question, RankedState, Violation};

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofEnd {
    /// There is a cycle, or the claim comes to its end.
    Violated,
    /// An expression of the claim cannot be evaluated in a state.
    Wrong(Violation),
    /// A `d_step` is too long to be followed.
    TooLong,
    /// Something that is not covered.
    Unsupported(String),
    /// A limit.
    Stopped(Stopped),
}

/// Makes a proof. A claim is given as the automaton that runs along, which need not be the program's own.
pub fn prove(
    program: &Program,
    question: Question,
    claim: Option<&Claim>,
    fair: bool,
    cx: &Context,
) -> Result<LiveProof, ProofEnd> {
    let mut graph = Plain::new(program, question, claim, fair, cx);
    let mut scc = Scc::new(&mut graph, sets(question, fair));
    scc.missed = Some(Vec::new());
    let hit = scc.run().map_err(|end| match end {
        End::Unsupported(why) => ProofEnd::Unsupported(why),
        End::Stopped(stopped) => ProofEnd::Stopped(stopped),
        End::Again => ProofEnd::Unsupported("the search did not settle".to_owned()),
    })?;
    let missed = scc.missed.take().unwrap_or_default();
    match hit {
        Hit::Nothing => {}
        Hit::State(_, Violation::Claim) | Hit::Component(_) => return Err(ProofEnd::Violated),
        Hit::State(_, violation) => return Err(ProofEnd::Wrong(violation)),
    }
    if graph.cut {
        return Err(ProofEnd::TooLong);
    }
    let outside: Vec<bool> = (0..graph.nodes.len() as u32)
        .map(|n| graph.is_outside(n))
        .collect();
    let marks = graph.marks.iter().zip(outside);
    let states = graph.nodes.into_iter().zip(marks);
    let states = states.map(|((state, claim), (mark, outside))| RankedState {
        state,
        claim,
        number: if outside { 0 } else { mark - DONE },
    });
    Ok(LiveProof {
        question,
        fair,
        states: states.collect(),
        missed,
    })
}
