//! A run by what changes.

use suppose_model::fsm::{System, Trace, Value, VarId};

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub name: String,
    pub value: String,
}

/// One state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// From 1.
    pub number: usize,
    /// The inputs of the step that leads here, those that differ from the step before.
    pub inputs: Vec<Named>,
    /// Values that differ from the state before; all of the first state.
    pub changed: Vec<Named>,
    /// The loop begins here.
    pub is_loop_head: bool,
    /// The loop is closed here: it is the state of that number again.
    pub again: Option<usize>,
}

/// The states of a run.
pub(crate) fn points(system: &System, trace: &Trace) -> Vec<Point> {
    let states: Vec<VarId> = system.state_vars().collect();
    let inputs: Vec<VarId> = system.inputs().collect();
    let last = trace.states.len().saturating_sub(1);
    let point = |at: usize| {
        let before = at.checked_sub(1);
        let step = before.and_then(|b| trace.inputs.get(b));
        let step_before = before
            .and_then(|b| b.checked_sub(1))
            .and_then(|b| trace.inputs.get(b));
        let state = trace.states.get(at).map(|s| &s[..]);
        let state_before = before.and_then(|b| trace.states.get(b)).map(|s| &s[..]);
        Point {
            number: at + 1,
            inputs: differing(
                system,
                &inputs,
                step.map(|s| &s[..]),
                step_before.map(|s| &s[..]),
            ),
            changed: differing(system, &states, state, state_before),
            is_loop_head: trace.loops_to == Some(at) && at != last,
            again: match at == last && at > 0 {
                true => trace.loops_to.map(|to| to + 1),
                false => None,
            },
        }
    };
    (0..trace.states.len()).map(point).collect()
}

/// The values that are not as before.
fn differing(
    system: &System,
    vars: &[VarId],
    now: Option<&[Value]>,
    before: Option<&[Value]>,
) -> Vec<Named> {
    let Some(now) = now else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (var, (at, value)) in vars.iter().zip(now.iter().enumerate()) {
        if before.and_then(|b| b.get(at)) != Some(value) {
            found.push(Named {
                name: system.variable(*var).name.clone(),
                value: system.symbols.show(value),
            });
        }
    }
    found
}

/// All values of one variable, state by state; of an input, step by step.
pub(crate) fn row(system: &System, trace: &Trace, var: VarId) -> Vec<String> {
    let slot = system.variable(var).slot;
    let show = |values: &[Value]| {
        let value = values.get(slot).map(|v| system.symbols.show(v));
        value.unwrap_or_default()
    };
    match system.is_input(var) {
        true => trace.inputs.iter().map(|i| show(i)).collect(),
        false => trace.states.iter().map(|s| show(s)).collect(),
    }
}
