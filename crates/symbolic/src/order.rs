//! A first order of the variables: those that depend on each other near each other.

use suppose_model::symbolic::{System, VarId};

/// All variables, depth first along what their assignments depend on, dependencies first.
pub fn order(system: &System) -> Vec<VarId> {
    let count = system.variables.len();
    let mut on: Vec<Vec<VarId>> = vec![Vec::new(); count];
    for assignment in &system.assignments {
        let support = system.exprs.support(assignment.value);
        let all = support.current.iter().chain(&support.next);
        on[assignment.var.index()].extend(all.copied());
    }
    let constraints = system.transition.iter().chain(&system.invariant);
    for constraint in constraints.chain(&system.init) {
        let support = system.exprs.support(constraint.expr);
        let mut all: Vec<VarId> = support
            .current
            .iter()
            .chain(&support.next)
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        for pair in all.windows(2) {
            on[pair[0].index()].push(pair[1]);
        }
    }
    for list in &mut on {
        list.sort_unstable();
        list.dedup();
    }
    let mut seen = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for first in system.vars() {
        // Each entry is a variable and how many of its dependencies were looked at.
        let mut stack = vec![(first, 0)];
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        while let Some((var, at)) = stack.pop() {
            match on[var.index()].get(at) {
                Some(next) => {
                    stack.push((var, at + 1));
                    if !std::mem::replace(&mut seen[next.index()], true) {
                        stack.push((*next, 0));
                    }
                }
                None => order.push(var),
            }
        }
    }
    order
}
