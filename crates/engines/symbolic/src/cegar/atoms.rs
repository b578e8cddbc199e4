//! Atomic formulas, and which variables they tie together (Section 4.1).
//!
//! Atoms are those of the property, of fairness and, beginning there, of the conditions and constraints that decide on the variables
//! of atoms found before. (The paper takes the conditions of the whole program. Those that are not found in this way decide only on
//! variables that no atom speaks of, which are abstracted away and whose conditions then do not matter.)

use rustc_hash::FxHashSet;
use suppose_model::fsm::{BinaryOp, ExprId, Fairness, Node, System, VarId, parts};

/// Choices within comparisons are taken apart in so many expressions; beyond that comparisons stay whole.
const MOST_CHOICES: usize = 10_000;

/// The atoms of a system and a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Atoms {
    /// Those the abstraction must respect: of the property and of fairness.
    pub must: Vec<ExprId>,
    /// Those of the program.
    pub may: Vec<ExprId>,
}

/// The atoms in boolean expressions, in order: what is left when boolean operators are taken off. A comparison of a choice, as of a
/// `case`, is one of comparisons.
fn split(system: &mut System, exprs: &[ExprId], predicate: bool, into: &mut Vec<ExprId>) {
    let mut seen = FxHashSet::default();
    let mut open: Vec<(ExprId, bool)> = exprs.iter().rev().map(|e| (*e, predicate)).collect();
    while let Some((expr, predicate)) = open.pop() {
        if !seen.insert((expr, predicate)) {
            continue;
        }
        let boolean = predicate && system.exprs.is_boolean(expr);
        match system.exprs.node(expr) {
            Node::Value(_) | Node::EvaluationError(_) => {}
            Node::Ite(test, a, b) => {
                open.extend([(*b, predicate), (*a, predicate), (*test, true)]);
            }
            node if predicate && is_operator(system, node) => {
                open.extend(parts(node).map(|p| (p, true)));
            }
            Node::Binary(op, a, b) if boolean => match of_choice(system, *op, *a, *b) {
                Some((test, parts)) if seen.len() < MOST_CHOICES => {
                    open.push((test, true));
                    for part in parts {
                        // The choices have the sort of the whole, so the parts have one.
                        open.extend(system.exprs.make(part).ok().map(|p| (p, true)));
                    }
                }
                _ => into.push(expr),
            },
            _ if boolean => into.push(expr),
            node => open.extend(parts(node).map(|p| (p, false))),
        }
    }
}

/// The boolean expressions that an expression is made of, with boolean operators and choices taken off.
pub(super) fn leaves(system: &System, expr: ExprId) -> Vec<ExprId> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    let mut open = vec![expr];
    while let Some(it) = open.pop() {
        if !seen.insert(it) {
            continue;
        }
        match system.exprs.node(it) {
            Node::Value(_) | Node::EvaluationError(_) => {}
            Node::Ite(test, a, b) => open.extend([*test, *a, *b]),
            node if is_operator(system, node) => open.extend(parts(node)),
            _ if system.exprs.is_boolean(it) => found.push(it),
            node => open.extend(parts(node)),
        }
    }
    found.sort_unstable();
    found
}

/// If an operand is a choice, what decides it, and the same operator on each.
fn of_choice(system: &System, op: BinaryOp, a: ExprId, b: ExprId) -> Option<(ExprId, [Node; 2])> {
    if let Node::Ite(test, x, y) = system.exprs.node(a) {
        let parts = [*x, *y].map(|it| Node::Binary(op, it, b));
        return Some((*test, parts));
    }
    match system.exprs.node(b) {
        Node::Ite(test, x, y) => {
            let parts = [*x, *y].map(|it| Node::Binary(op, a, it));
            Some((*test, parts))
        }
        _ => None,
    }
}

fn is_operator(system: &System, node: &Node) -> bool {
    let boolean = |e: &ExprId| system.exprs.is_boolean(*e);
    match node {
        Node::Not(a) => boolean(a),
        Node::And(all) | Node::Or(all) => all.iter().all(boolean),
        Node::Binary(op, a, b) => {
            use BinaryOp as Op;
            matches!(
                op,
                Op::Implies | Op::Iff | Op::Xor | Op::Xnor | Op::Equal | Op::Unequal
            ) && boolean(a)
                && boolean(b)
        }
        _ => false,
    }
}

/// The atom about one state, if it is about one: without inputs, and not about both now and next.
fn of_state(system: &mut System, atom: ExprId) -> Option<ExprId> {
    let support = system.exprs.support(atom);
    let inputs = support.current.iter().any(|v| system.is_input(*v));
    if inputs {
        return None;
    }
    match (support.current.is_empty(), support.next.is_empty()) {
        (false, true) => Some(atom),
        (true, false) => system.exprs.unshifted(atom),
        _ => None,
    }
}

/// Collects the atoms; may add expressions to the system, for atoms about next values.
pub(super) fn atoms(system: &mut System, property: &[ExprId]) -> Atoms {
    let mut must = Vec::new();
    let mut roots = property.to_vec();
    for constraint in &system.fairness {
        match constraint {
            Fairness::Justice(a) => roots.push(*a),
            Fairness::Compassion(a, b) => roots.extend([*a, *b]),
        }
    }
    split(system, &roots, true, &mut must);
    let mut known: FxHashSet<ExprId> = must.iter().copied().collect();
    let mut relevant: FxHashSet<VarId> = FxHashSet::default();
    let support = system.exprs.support_of_all(must.iter().copied());
    let mut new: Vec<VarId> = support.current;
    new.extend(support.next);
    let (mut may, mut used) = (Vec::new(), FxHashSet::default());
    while !new.is_empty() {
        relevant.extend(new.iter().copied());
        let (mut values, mut predicates) = (Vec::new(), Vec::new());
        for assignment in &system.assignments {
            if relevant.contains(&assignment.var) && used.insert(assignment.value) {
                values.push(assignment.value);
            }
        }
        let constraints = system.invariant.iter().chain(&system.transition);
        for constraint in constraints.chain(&system.init) {
            let support = system.exprs.support(constraint.expr);
            let mut vars = support.current.iter().chain(&support.next);
            if vars.any(|v| relevant.contains(v)) && used.insert(constraint.expr) {
                predicates.push(constraint.expr);
            }
        }
        let mut found = Vec::new();
        split(system, &values, false, &mut found);
        split(system, &predicates, true, &mut found);
        new.clear();
        for atom in found {
            let Some(atom) = of_state(system, atom) else {
                continue;
            };
            if known.insert(atom) {
                may.push(atom);
                let vars = system.exprs.support(atom).current;
                new.extend(vars.into_iter().filter(|v| !relevant.contains(v)));
            }
        }
    }
    Atoms { must, may }
}

/// Variables that stand in atoms, tied together where they stand in one atom: variable clusters.
pub(super) fn clusters(system: &System, atoms: &Atoms) -> Vec<Vec<VarId>> {
    let mut parent: Vec<usize> = (0..system.variables.len()).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let mut present = vec![false; parent.len()];
    for atom in atoms.must.iter().chain(&atoms.may) {
        let vars = system.exprs.support(*atom).current;
        for var in &vars {
            present[var.index()] = true;
            let (a, b) = (
                root(&mut parent, vars[0].index()),
                root(&mut parent, var.index()),
            );
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut clusters: Vec<Vec<VarId>> = vec![Vec::new(); parent.len()];
    for var in system.state_vars().filter(|v| present[v.index()]) {
        clusters[root(&mut parent, var.index())].push(var);
    }
    clusters.retain(|c| !c.is_empty());
    clusters
}

/// How far each variable is from the property, along what variables depend on; none if it is not reached.
pub(super) fn distances(system: &System, atoms: &Atoms) -> Vec<Option<u32>> {
    let mut on: Vec<Vec<VarId>> = vec![Vec::new(); system.variables.len()];
    for assignment in &system.assignments {
        let support = system.exprs.support(assignment.value);
        on[assignment.var.index()].extend(support.current.iter().chain(&support.next));
    }
    for constraint in system.transition.iter().chain(&system.invariant) {
        let support = system.exprs.support(constraint.expr);
        let all: Vec<VarId> = support.current.into_iter().chain(support.next).collect();
        for var in &all {
            on[var.index()].extend(&all);
        }
    }
    let mut distance = vec![None; on.len()];
    let mut now = system
        .exprs
        .support_of_all(atoms.must.iter().copied())
        .current;
    for steps in 0.. {
        now.retain(|v| distance[v.index()].is_none());
        if now.is_empty() {
            break;
        }
        now.iter().for_each(|v| distance[v.index()] = Some(steps));
        now = now
            .iter()
            .flat_map(|v| on[v.index()].iter().copied())
            .collect();
    }
    distance
}
