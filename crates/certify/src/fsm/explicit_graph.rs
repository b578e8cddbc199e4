//! A finite graph on which properties are decided plainly: the concrete one of a small system, or an abstraction.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Bound, Branch, Connective, ExprId, Formula, FormulaId, Formulas, Quantifier,
};

use super::fair::{Arrow, Fair, backwards, fair_nodes};

/// The graph with what is known of its states and steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    pub(super) initial: Vec<usize>,
    /// The edges out of each state; every edge has a line of its own.
    pub(super) next: Vec<Vec<Arrow>>,
    pub(super) fair: Fair,
    /// Where expressions hold, state by state.
    pub(super) on_states: FxHashMap<ExprId, Vec<bool>>,
    /// Where expressions hold, line by line.
    pub(super) on_lines: FxHashMap<ExprId, Vec<bool>>,
}

/// What a question has that its logic does not have, or an expression that nobody looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Foreign;

/// Decides formulas of CTL.
pub(super) struct Branching<'a> {
    board: &'a Board,
    /// The states from which a fair path leads on.
    fair: Vec<bool>,
}

type Set = Vec<bool>;

fn not(set: &[bool]) -> Set {
    set.iter().map(|b| !b).collect()
}

fn each(len: usize, holds: impl Fn(usize) -> bool) -> Set {
    (0..len).map(holds).collect()
}

impl<'a> Branching<'a> {
    pub(super) fn new(board: &'a Board) -> Self {
        let all = vec![true; board.next.len()];
        Branching {
            fair: fair_nodes(&board.next, &board.fair, &all),
            board,
        }
    }

    /// The states from which a fair path leads on.
    pub(super) fn fair(&self) -> &[bool] {
        &self.fair
    }

    /// Does the formula hold in all initial states from which there is a fair run?
    pub(super) fn holds(&self, formulas: &Formulas, formula: FormulaId) -> Result<bool, Foreign> {
        let set = self.states(formulas, formula)?;
        let mut initial = self.board.initial.iter();
        Ok(initial.all(|s| set[*s] || !self.fair[*s]))
    }

    /// The states where a formula holds.
    pub(super) fn states(&self, formulas: &Formulas, formula: FormulaId) -> Result<Set, Foreign> {
        let mut known: FxHashMap<FormulaId, Set> = FxHashMap::default();
        let len = self.board.next.len();
        for it in formulas.within(formula) {
            let set = match formulas.node(it) {
                Formula::Atom(expr) => self.board.on_states.get(expr).ok_or(Foreign)?.clone(),
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
                Formula::Linear(..) | Formula::LinearPair(..) => return Err(Foreign),
            };
            known.insert(it, set);
        }
        known.remove(&formula).ok_or(Foreign)
    }

    fn some(&self, op: Branch, bound: Option<Bound>, a: &[bool]) -> Set {
        let all = vec![true; a.len()];
        match (op, bound) {
            (Branch::Next, _) => self.ex(a),
            (Branch::Finally, None) => self.eu(&all, a),
            (Branch::Globally, None) => fair_nodes(&self.board.next, &self.board.fair, a),
            (Branch::Finally, Some(bound)) => self.ebu(&all, a, bound),
            (Branch::Globally, Some(bound)) => self.ebg(a, bound),
        }
    }

    /// Some step leads to a state of the set from which a fair path leads on.
    fn ex(&self, a: &[bool]) -> Set {
        let good = |arrow: &Arrow| a[arrow.to] && self.fair[arrow.to];
        let next = self.board.next.iter();
        next.map(|arrows| arrows.iter().any(good)).collect()
    }

    fn eu(&self, a: &[bool], b: &[bool]) -> Set {
        let goal = each(a.len(), |s| b[s] && self.fair[s]);
        backwards(&self.board.next, a, goal)
    }

    /// Not so where the second never comes, or the first is lost before.
    fn au(&self, a: &[bool], b: &[bool]) -> Set {
        let without = not(b);
        let never = fair_nodes(&self.board.next, &self.board.fair, &without);
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

/// A function so often, or until it changes nothing any more.
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
