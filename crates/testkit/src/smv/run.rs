//! Runs, examined step by step.

use suppose_model::fsm::{Simulator, System, Trace};

/// Values that may be tried for one step.
const TRIES: u64 = 1_000_000;

/// Is every state and step of the trace one of the system, and does a loop end where it begins?
pub fn is_run(system: &System, trace: &Trace) -> bool {
    let mut simulator = Simulator::new(system, TRIES);
    let Some(first) = trace.states.first() else {
        return false;
    };
    let begins = simulator.is_initial(first) == Ok(true);
    let steps = trace.states.windows(2).zip(&trace.inputs);
    let mut steps = steps.map(|(pair, inputs)| simulator.is_step(&pair[0], inputs, &pair[1]));
    let whole = steps.all(|it| it == Ok(true));
    let back = trace
        .loops_to
        .is_none_or(|at| trace.states.last() == trace.states.get(at));
    begins && whole && back && trace.inputs.len() + 1 == trace.states.len()
}
