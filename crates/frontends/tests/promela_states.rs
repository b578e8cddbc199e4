//! The programs that are read, run by the reference semantics: as many states as SPIN stores.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use suppose_model::program::semantics::State;
use suppose_model::program::{Program, StepResult};
use suppose_testkit::promela::expected::checks;

mod support;
use support::read_file;

/// How many states there are, without those inside an `atomic`; none if there are very many.
fn count(program: &Program) -> Option<usize> {
    let first = State::initial(program).ok()?;
    let mut seen = BTreeSet::from([first.clone()]);
    let mut stack = vec![first];
    while let Some(state) = stack.pop() {
        for step in state.moves(program) {
            if let StepResult::State(next) = step.outcome
                && seen.insert(next.clone())
            {
                stack.push(next);
            }
        }
        if seen.len() > 20_000 {
            return None;
        }
    }
    Some(seen.iter().filter(|s| s.alone.is_none()).count())
}

#[test]
fn as_many_states_as_spin() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for check in checks().iter().filter(|c| c.is_construct()) {
        let (file, Some(states)) = (&check.file, check.spin.states) else {
            continue;
        };
        let Ok(read) = read_file(&check.path()) else {
            continue;
        };
        // A claim is part of SPIN's state; such files are compared where claims are run.
        let text = std::fs::read_to_string(check.path()).unwrap();
        let claims = text.contains("never") || text.contains("ltl") || text.contains("trace");
        if claims || check.verdicts.values().any(|v| v == "violated") {
            continue;
        }
        let Some(ours) = count(&read.program) else {
            continue;
        };
        compared += 1;
        if ours as u64 != states {
            wrong.push(format!("{file}: {ours} states, SPIN has {states}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 60, "only {compared} models were compared");
}
