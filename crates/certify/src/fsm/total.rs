//! Systems in which every state has a step by the way they are written.
//!
//! Whether every state has a step is a question of the form "for all, exists", which is none for a SAT solver. But in most
//! models only assignments say what a step does, and then a step can be constructed:
//!
//! - no `INVAR` and no `TRANS` constrains the next state;
//! - frozen variables have no assignment, so keeping their values satisfies everything said of them;
//! - in the next state, a variable depends on other variables of that state only through its `next(x) := e` or
//!   `x := e`, and these dependencies have no circle.
//!
//! Choose any inputs and take the variables in the order of their dependencies: a variable without an assignment gets any value of
//! its type, one with an assignment any value of the expression, which has one, and only values of the type of the variable, as
//! the [obligations](super::proof::check_obligations) say. The result satisfies all assignments, so it is a state, and there is a step to it.

use suppose_model::fsm::{System, VarId, VariableKind, When};

/// Does every state of the system have a step, provided that the obligations are met? `false` means that this is not known.
pub(super) fn has_steps_by_construction(system: &System) -> bool {
    let is_free = system.invariant.is_empty() && system.transition.is_empty();
    let binds_frozen = system
        .assignments
        .iter()
        .any(|a| a.when != When::Init && system.variable(a.var).kind == VariableKind::Frozen);
    is_free && !binds_frozen && !depends_in_a_circle(system)
}

/// The variables of a next state that another one of it depends on.
fn dependencies(system: &System) -> Vec<Vec<VarId>> {
    let mut all = vec![Vec::new(); system.variables.len()];
    for assignment in &system.assignments {
        let support = system.exprs.support(assignment.value);
        let within = match assignment.when {
            When::Init => continue,
            When::Next => support.next,
            When::Always => support.current,
        };
        all[assignment.var.index()].extend(within);
    }
    all
}

fn depends_in_a_circle(system: &System) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let on = dependencies(system);
    let mut marks = vec![Mark::New; on.len()];
    for root in 0..on.len() {
        let mut path = vec![(root, 0)];
        while let Some((var, at)) = path.pop() {
            if at == 0 {
                match marks[var] {
                    Mark::New => marks[var] = Mark::Open,
                    Mark::Open => return true,
                    Mark::Done => continue,
                }
            }
            match on[var].get(at) {
                Some(next) => {
                    path.push((var, at + 1));
                    path.push((next.index(), 0));
                }
                None => marks[var] = Mark::Done,
            }
        }
    }
    false
}
