//! A first order of the variables: those that depend on each other near each other.

use suppose_model::fsm::{ExprId, Node, System, Type, VarId, parts};

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

/// The same order in groups: the numbers and words of a group are compared with each other, computed from each other or copied, so their
/// bits are best interleaved.
pub fn interleaved(system: &System) -> Vec<Vec<VarId>> {
    let mut weaver = Grouper {
        system,
        same: system.vars().collect(),
    };
    let assigned = system.assignments.iter().map(|a| a.value);
    let constraints = system.init.iter().chain(&system.invariant);
    let constraints = constraints.chain(&system.transition).map(|c| c.expr);
    for expr in system.exprs.within(assigned.chain(constraints)) {
        if let Node::Binary(_, a, b) = system.exprs.node(expr) {
            let mut values = Vec::new();
            weaver.sources(*a, &mut values);
            weaver.sources(*b, &mut values);
            weaver.unite(&values);
        }
    }
    let mut groups: Vec<Vec<VarId>> = Vec::new();
    let mut group_of = vec![None; system.variables.len()];
    for var in order(system) {
        let head = weaver.find(var);
        match group_of[head.index()] {
            Some(at) => {
                let group: &mut Vec<VarId> = &mut groups[at];
                group.push(var);
            }
            None => {
                group_of[head.index()] = Some(groups.len());
                groups.push(vec![var]);
            }
        }
    }
    groups
}

struct Grouper<'a> {
    system: &'a System,
    same: Vec<VarId>,
}

impl Grouper<'_> {
    fn find(&mut self, var: VarId) -> VarId {
        let mut at = var;
        while self.same[at.index()] != at {
            self.same[at.index()] = self.same[self.same[at.index()].index()];
            at = self.same[at.index()];
        }
        at
    }

    fn unite(&mut self, vars: &[VarId]) {
        let numeric = |v: &&VarId| {
            let ty = &self.system.variable(**v).ty;
            matches!(ty, Type::Range(..) | Type::Word { .. }) && ty.size() > 4
        };
        let vars: Vec<VarId> = vars.iter().filter(numeric).copied().collect();
        for pair in vars.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            self.same[b.index()] = a;
        }
    }

    /// The variables that a value is made of; those that only choose among values are not.
    fn sources(&self, expr: ExprId, found: &mut Vec<VarId>) {
        let mut open = vec![expr];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(it) = open.pop() {
            if !seen.insert(it) || self.system.exprs.is_boolean(it) {
                continue;
            }
            match self.system.exprs.node(it) {
                Node::Current(var) | Node::Next(var) => found.push(*var),
                Node::Ite(_, a, b) => open.extend([*a, *b]),
                node => open.extend(parts(node)),
            }
        }
    }
}
