//! What the tests share.
#![allow(dead_code)]

use suppose_certify::program::invariant;
use suppose_control::Context;
use suppose_explicit::visited::visited;
use suppose_explicit::{Order, search};
use suppose_model::program::{Program, Question, Trace};

/// The program of a text that is right.
pub fn read(text: &str) -> Program {
    match suppose_frontends::promela::read_text("model.pml", text) {
        Ok((read, _)) => read.program,
        Err((errors, _)) => panic!("{errors:?}\n{text}"),
    }
}

/// Is a question answered with yes, by a look at every state? None when there are too many.
pub fn naive(program: &Program, question: Question, most: u64) -> Option<bool> {
    let cx = Context::default().with_state_limit(most);
    let states = visited(program, question, &cx).ok()?;
    Some(invariant(program, &[question], &states, 1, &Context::default()).is_ok())
}

/// Assertions and all claims.
pub fn questions(program: &Program) -> Vec<Question> {
    let claims = (0..program.claims.len()).map(Question::Claim);
    std::iter::once(Question::Assertions)
        .chain(claims)
        .collect()
}

/// A run that violates a question, by the search of programs in several orders.
pub fn violation(program: &Program, question: Question, cx: &Context) -> Option<Trace> {
    for order in [Order::DepthLast, Order::Depth, Order::Breadth] {
        let options = suppose_explicit::ExplicitOptions {
            order,
            first: true,
            ..suppose_explicit::ExplicitOptions::default()
        };
        for (_, found) in search(program, &[question], &options, cx).verdicts {
            match found {
                suppose_explicit::SearchVerdict::Violated(trace) => return Some(trace),
                suppose_explicit::SearchVerdict::Holds => return None,
                _ => {}
            }
        }
    }
    None
}
