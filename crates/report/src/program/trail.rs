//! A run as a trail that `spin -t` follows.
//!
//! A line is `depth:process:transition`. SPIN merges statements only if the trail says so in its
//! head, which this one does not: each line is one step, and a rendezvous is two. The moves of a claim
//! are left out; without a head that starts the claim SPIN runs the processes alone, under their own
//! numbers.

use suppose_model::program::run::Trace;
use suppose_model::program::semantics::State;
use suppose_model::program::{Program, StepResult};

/// SPIN's line before the part that repeats.
const CYCLE: &str = "-1:-1:-1\n";

/// The trail of a run; none if SPIN's number of a step is not known, or the run is not one of the program.
pub fn trail(program: &Program, trace: &Trace) -> Option<String> {
    let mut lines = String::new();
    let mut depth = 0u64;
    let mut state = match State::at_start(program, trace.question) {
        Ok(state) => state,
        Err(_) => return trace.steps.is_empty().then_some(lines),
    };
    let begins = trace.cycle.map(|c| c.step);
    for (at, step) in trace.steps.iter().enumerate() {
        if begins == Some(at) {
            lines.push_str(CYCLE);
        }
        let first = (step.process, step.edges.first().copied()?);
        for (process, edge) in std::iter::once(first).chain(step.partner) {
            depth += 1;
            let number = number(program, &state, process, edge)?;
            lines.push_str(&format!("{depth}:{process}:{number}\n"));
        }
        match state.move_like(program, step)?.outcome {
            StepResult::State(next) => state = next,
            StepResult::Wrong(_) if at + 1 == trace.steps.len() => {}
            StepResult::Wrong(_) | StepResult::Unfinished => return None,
        }
    }
    if begins == Some(trace.steps.len()) {
        lines.push_str(CYCLE);
    }
    Some(lines)
}

/// SPIN's number of an edge that leaves the place where a process is.
fn number(program: &Program, state: &State, process: u32, edge: u32) -> Option<u32> {
    let process = state.processes.get(process as usize)?;
    let proctype = program.proctypes.get(process.proctype as usize)?;
    let location = proctype.locations.get(process.location as usize)?;
    location.edges.get(edge as usize)?.number
}
