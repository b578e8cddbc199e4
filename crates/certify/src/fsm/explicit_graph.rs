//! Explicit-state CTL on a finite graph: the states of a small system, or the vectors of an abstraction.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Bound, Branch, Connective, ExprId, Formula, FormulaId, Formulas, Quantifier,
};

use super::fair::{Fair, GraphEdge, backwards, fair_nodes};

/// A graph with fairness constraints and the truth of atoms in its states and on its edges.
#[derive(Clone, Debug, Default)]
pub(super) struct ExplicitGraph {
    pub(super) initial: Vec<usize>,
    /// The outgoing edges of each state; `line` numbers the concrete steps behind an edge.
    pub(super) next: Vec<Vec<GraphEdge>>,
    pub(super) fair: Fair,
    /// For each atom, the states where it is true.
    pub(super) on_states: FxHashMap<ExprId, Vec<bool>>,
    /// For each atom over inputs or the next state, the lines where it is true.
    pub(super) on_lines: FxHashMap<ExprId, Vec<bool>>,
}

/// The formula is not in the logic, or contains an atom without truth values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotInLogic;

/// Decides CTL formulas under fairness.
pub(super) struct CtlChecker<'a> {
    graph: &'a ExplicitGraph,
    /// The states from which a fair path exists.
    fair: Vec<bool>,
}

type Set = Vec<bool>;

fn not(set: &[bool]) -> Set {
    set.iter().map(|b| !b).collect()
}

fn each(len: usize, holds: impl Fn(usize) -> bool) -> Set {
    (0..len).map(holds).collect()
}

impl<'a> CtlChecker<'a> {
    pub(super) fn new(graph: &'a ExplicitGraph) -> Self {
        let all = vec![true; graph.next.len()];
        CtlChecker {
            fair: fair_nodes(&graph.next, &graph.fair, &all),
            graph,
        }
    }

    /// The states from which a fair path exists.
    pub(super) fn fair(&self) -> &[bool] {
        &self.fair
    }

    /// Does the formula hold in all initial states from which there is a fair run?
    pub(super) fn holds(
        &self,
        formulas: &Formulas,
        formula: FormulaId,
    ) -> Result<bool, NotInLogic> {
        let set = self.states(formulas, formula)?;
        let mut initial = self.graph.initial.iter();
        Ok(initial.all(|s| set[*s] || !self.fair[*s]))
    }

    /// The states where a formula holds.
    pub(super) fn states(
        &self,
        formulas: &Formulas,
        formula: FormulaId,
    ) -> Result<Set, NotInLogic> {
        let mut known: FxHashMap<FormulaId, Set> = FxHashMap::default();
        let len = self.graph.next.len();
        for it in formulas.within(formula) {
            let set = match formulas.node(it) {
                Formula::Atom(expr) => self.graph.on_states.get(expr).ok_or(NotInLogic)?.clone(),
                Formula::Not(a) => not(&known[a]),
                Formula::And(all) => each(len, |s| all.iter().all(|f| known[f][s])),
                Formula::Or(all) => each(len, |s| all.iter().any(|f| known[f][s])),
                Formula::Connective(op, a, b) => {
                    let (a, b) = (&known[a], &known[b]);
                    each(len, |s| match op {
                        Connective::Implies => !a[s] || b[s],
                        Connective::Iff => a[s] == b[s],
                        Connective::Xor => a[s] != b[s],
                    })
                }
                Formula::Branch(Quantifier::Some, op, bound, a) => {
                    self.some(*op, *bound, &known[a])
                }
                // On all paths: on none the opposite.
                Formula::Branch(Quantifier::All, op, bound, a) => {
                    let dual = match op {
                        Branch::Next => Branch::Next,
                        Branch::Finally => Branch::Globally,
                        Branch::Globally => Branch::Finally,
                    };
                    not(&self.some(dual, *bound, &not(&known[a])))
                }
                Formula::BranchUntil(Quantifier::Some, bound, a, b) => match bound {
                    None => self.eu(&known[a], &known[b]),
                    Some(bound) => self.ebu(&known[a], &known[b], *bound),
                },
                Formula::BranchUntil(Quantifier::All, bound, a, b) => match bound {
                    None => self.au(&known[a], &known[b]),
                    Some(bound) => self.abu(&known[a], &known[b], *bound),
                },
                Formula::Linear(..) | Formula::LinearPair(..) => return Err(NotInLogic),
            };
            known.insert(it, set);
        }
        known.remove(&formula).ok_or(NotInLogic)
    }

    fn some(&self, op: Branch, bound: Option<Bound>, a: &[bool]) -> Set {
        let all = vec![true; a.len()];
        match (op, bound) {
            (Branch::Next, _) => self.ex(a),
            (Branch::Finally, None) => self.eu(&all, a),
            (Branch::Globally, None) => fair_nodes(&self.graph.next, &self.graph.fair, a),
            (Branch::Finally, Some(bound)) => self.ebu(&all, a, bound),
            (Branch::Globally, Some(bound)) => self.ebg(a, bound),
        }
    }

    /// Some step leads to a state of the set from which a fair path leads on.
    fn ex(&self, a: &[bool]) -> Set {
        let good = |arrow: &GraphEdge| a[arrow.to] && self.fair[arrow.to];
        let next = self.graph.next.iter();
        next.map(|arrows| arrows.iter().any(good)).collect()
    }

    fn eu(&self, a: &[bool], b: &[bool]) -> Set {
        let goal = each(a.len(), |s| b[s] && self.fair[s]);
        backwards(&self.graph.next, a, goal)
    }

    /// Not so where the second never comes, or the first is lost before.
    fn au(&self, a: &[bool], b: &[bool]) -> Set {
        let without = not(b);
        let never = fair_nodes(&self.graph.next, &self.graph.fair, &without);
        let lost = each(a.len(), |s| !a[s] && !b[s]);
        let broken = self.eu(&without, &lost);
        each(a.len(), |s| !never[s] && !broken[s])
    }

    fn ebu(&self, a: &[bool], b: &[bool], bound: Bound) -> Set {
        let goal = each(a.len(), |s| b[s] && self.fair[s]);
        let found = repeat(bound.high - bound.low, goal.clone(), |found| {
            let before = self.ex(found);
            each(a.len(), |s| goal[s] || a[s] && before[s])
        });
        repeat(bound.low, found, |found| {
            let before = self.ex(found);
            each(a.len(), |s| a[s] && before[s])
        })
    }

    fn abu(&self, a: &[bool], b: &[bool], bound: Bound) -> Set {
        let ax = |set: &[bool]| not(&self.ex(&not(set)));
        let found = repeat(bound.high - bound.low, b.to_vec(), |found| {
            let before = ax(found);
            each(a.len(), |s| b[s] || a[s] && before[s])
        });
        repeat(bound.low, found, |found| {
            let before = ax(found);
            each(a.len(), |s| a[s] && before[s])
        })
    }

    fn ebg(&self, a: &[bool], bound: Bound) -> Set {
        let first = each(a.len(), |s| a[s] && self.fair[s]);
        let found = repeat(bound.high - bound.low, first, |found| {
            let before = self.ex(found);
            each(a.len(), |s| a[s] && before[s])
        });
        repeat(bound.low, found, |found| self.ex(found))
    }
}

/// Iterates a function that many times, or to its fixed point.
pub(super) fn repeat(
    times: u32,
    first: Vec<bool>,
    step: impl Fn(&[bool]) -> Vec<bool>,
) -> Vec<bool> {
    let mut now = first;
    for _ in 0..times {
        let then = step(&now);
        if then == now {
            break;
        }
        now = then;
    }
    now
}
