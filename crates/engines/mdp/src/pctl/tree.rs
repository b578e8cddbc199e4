//! Finite behaviours that do not have a property which simulation preserves.
//!
//! Why `P <= p [ φ U ψ ]` is false in a state: with enough steps some scheduler brings the probability above `p`. The nodes
//! of the behaviour are states with what they still owe: which untils are to be followed for how many more steps. Where
//! `ψ` comes true (or `φ` is needed) for the sake of a formula like this one, the node owes that too.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::mdp::{
    Comparison, PathFormula, Side, State, StateFormula, Tree, TreeBuilder, Weights,
};
use suppose_number::{Int, Rat};

use super::evaluate::Evaluation;
use super::graph::minus;
use super::mdp::Mdp;
use super::number::{DIGITS, to_units};
use super::until::Failure;

/// What trees may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// Numbers kept while looking for how many steps are needed.
    pub cells: usize,
    /// Nodes.
    pub nodes: usize,
}

/// An until of the formula, and its probability within this many steps.
struct Followed<'f> {
    left: &'f StateFormula,
    right: &'f StateFormula,
    left_states: FixedBitSet,
    right_states: FixedBitSet,
    /// By number of steps, then by state, in units, rounded down.
    layers: Vec<Vec<u64>>,
    /// More is too much.
    enough: u64,
}

/// What a node owes: an until by number, and how many steps of it.
type Debt = (u32, u32);

pub(super) struct Growth<'a, 'f> {
    mdp: &'a Mdp<'a>,
    untils: Vec<Followed<'f>>,
    /// Where a formula is true, by its address: formulas do not move.
    truth: FxHashMap<*const StateFormula, FixedBitSet>,
    number: FxHashMap<*const StateFormula, u32>,
    initial: State,
    size: Size,
}

/// A finite behaviour that refutes the formula in that initial state; none if it would be too large.
///
/// The formula is false there, is preserved by simulation and has no `G`.
pub(super) fn refute(
    evaluation: &mut Evaluation<'_>,
    formula: &StateFormula,
    initial: State,
    size: Size,
    cx: &Context,
) -> Result<Option<Tree>, Failure> {
    let mdp = evaluation.mdp;
    let mut growth = Growth {
        mdp,
        untils: Vec::new(),
        truth: FxHashMap::default(),
        number: FxHashMap::default(),
        initial,
        size,
    };
    if !growth.prepare(formula, Side::Outside, true, evaluation, cx)? {
        return Ok(None);
    }
    let mut owed = Vec::new();
    if !growth.why_false(formula, initial, &mut owed) {
        return Ok(None);
    }
    let Some(nodes) = growth.unfold(initial, owed, cx)? else {
        return Ok(None);
    };
    let simple = growth.untils.len() == 1;
    let cut = match simple {
        true => growth.cuts(&nodes),
        false => FixedBitSet::with_capacity(nodes.len()),
    };
    Ok(Some(assemble(mdp, initial, &nodes, &cut)))
}

/// The least number of units that is more than a bound allows; 0 if anything is.
fn enough(comparison: Comparison, bound: &Rat) -> u64 {
    let allows = |number: &Rat| comparison.allows(number, bound);
    if !allows(&Rat::ZERO) {
        return 0;
    }
    if allows(&Rat::ONE) {
        return u64::MAX;
    }
    match comparison {
        Comparison::AtMost => to_units(bound, false) + 1,
        _ => to_units(bound, true),
    }
}

/// A node, after all that it leads to.
struct Node {
    state: State,
    owed: Vec<Debt>,
    /// Choices over all states, each with the nodes it leads to.
    choices: Vec<(usize, Vec<u32>)>,
}

impl<'a, 'f> Growth<'a, 'f> {
    /// Computes where all parts of the formula are true, and the layers of all untils. False if that is too much.
    fn prepare(
        &mut self,
        formula: &'f StateFormula,
        side: Side,
        top: bool,
        evaluation: &mut Evaluation<'_>,
        cx: &Context,
    ) -> Result<bool, Failure> {
        match formula {
            StateFormula::Not(of) if !self.prepare(of, side.flipped(), top, evaluation, cx)? => {
                return Ok(false);
            }
            StateFormula::And(parts) | StateFormula::Or(parts) => {
                for part in parts {
                    if !self.prepare(part, side, top, evaluation, cx)? {
                        return Ok(false);
                    }
                }
            }
            StateFormula::Probability {
                comparison,
                bound,
                paths,
            } => {
                let PathFormula::Until { left, right, steps } = &**paths else {
                    return Ok(false);
                };
                if steps.from > 0 {
                    return Ok(false);
                }
                let steps = steps.to;
                let inner = side.of_arguments(*comparison);
                for argument in [left, right] {
                    if !self.prepare(argument, inner, false, evaluation, cx)? {
                        return Ok(false);
                    }
                }
                let left_states = self.truth_of(left);
                let right_states = self.truth_of(right);
                let mut until = Followed {
                    left,
                    right,
                    left_states,
                    right_states,
                    layers: Vec::new(),
                    enough: enough(*comparison, bound),
                };
                let wanted = evaluation.states(formula, side, &mut Vec::new())?;
                match top {
                    true => {
                        let mut only = FixedBitSet::with_capacity(self.mdp.states());
                        let initial = self.initial as usize;
                        only.set(initial, !wanted.contains(initial));
                        self.layers(&mut until, steps, &only, cx)?;
                    }
                    false => {
                        let mut false_there = wanted.clone();
                        false_there.toggle_range(..);
                        self.layers(&mut until, steps, &false_there, cx)?;
                    }
                }
                // What this many steps do not refute counts as true, so that debts can be paid.
                let mut truth = wanted;
                for state in 0..self.mdp.states() {
                    let refuted = until
                        .layers
                        .last()
                        .is_some_and(|l| l[state] >= until.enough);
                    truth.set(state, !refuted);
                }
                self.number.insert(formula, self.untils.len() as u32);
                self.untils.push(until);
                self.truth.insert(formula, truth);
                return Ok(true);
            }
            _ => {}
        }
        let truth = self.combine(formula, side, evaluation)?;
        self.truth.insert(formula, truth);
        Ok(true)
    }

    fn combine(
        &self,
        formula: &StateFormula,
        side: Side,
        evaluation: &mut Evaluation<'_>,
    ) -> Result<FixedBitSet, Failure> {
        Ok(match formula {
            StateFormula::Not(of) => {
                let mut truth = self.truth_of(of);
                truth.toggle_range(..);
                truth
            }
            StateFormula::And(parts) => {
                let mut all = evaluation.states(&StateFormula::True, side, &mut Vec::new())?;
                parts
                    .iter()
                    .for_each(|p| all.intersect_with(&self.truth_of(p)));
                all
            }
            StateFormula::Or(parts) => {
                let mut any = evaluation.states(&StateFormula::False, side, &mut Vec::new())?;
                parts.iter().for_each(|p| any.union_with(&self.truth_of(p)));
                any
            }
            simple => evaluation.states(simple, side, &mut Vec::new())?,
        })
    }

    fn truth_of(&self, formula: &StateFormula) -> FixedBitSet {
        let known = self.truth.get(&std::ptr::from_ref(formula));
        known
            .cloned()
            .unwrap_or_else(|| FixedBitSet::with_capacity(self.mdp.states()))
    }

    fn holds(&self, formula: &StateFormula, state: State) -> bool {
        let known = self.truth.get(&std::ptr::from_ref(formula));
        known.is_some_and(|truth| truth.contains(state as usize))
    }

    /// Steps until all of these states exceed the bound, or there is no more room.
    fn layers(
        &self,
        until: &mut Followed<'_>,
        steps: Option<u64>,
        refuted: &FixedBitSet,
        cx: &Context,
    ) -> Result<(), Stopped> {
        let number = |s| match until.right_states.contains(s) {
            true => 1u64 << DIGITS,
            false => 0,
        };
        let open = minus(&until.left_states, &until.right_states);
        let room = self.size.cells / self.mdp.states().max(1);
        let mut last: Vec<u64> = (0..self.mdp.states()).map(number).collect();
        loop {
            let done = refuted.ones().all(|s| last[s] >= until.enough);
            let taken = until.layers.len();
            if done || taken >= room || steps.is_some_and(|most| taken as u64 >= most) {
                until.layers.push(last);
                return Ok(());
            }
            let mut next = last.clone();
            for (count, state) in open.ones().enumerate() {
                if count % 256 == 0 {
                    cx.check()?;
                }
                let choices = self.mdp.choices(state as State);
                let best = choices.map(|c| mean(self.mdp, c, &last)).max();
                next[state] = best.unwrap_or(0);
            }
            let same = next == last;
            until.layers.push(last);
            if same {
                return Ok(());
            }
            last = next;
        }
    }

    /// What a node must owe for the formula to be false there; false if it cannot be.
    fn why_false(&self, formula: &StateFormula, state: State, owed: &mut Vec<Debt>) -> bool {
        match formula {
            StateFormula::Not(of) => self.why_true(of, state, owed),
            StateFormula::And(parts) => {
                let first = parts.iter().find(|part| !self.holds(part, state));
                first.is_some_and(|part| self.why_false(part, state, owed))
            }
            StateFormula::Or(parts) => parts.iter().all(|part| self.why_false(part, state, owed)),
            StateFormula::Probability { .. } => {
                let Some(number) = self.number.get(&std::ptr::from_ref(formula)) else {
                    return false;
                };
                let until = &self.untils[*number as usize];
                let exceeds = |layer: &Vec<u64>| layer[state as usize] >= until.enough;
                let Some(steps) = until.layers.iter().position(exceeds) else {
                    return false;
                };
                self.owe(*number, steps as u32, state, owed)
            }
            simple => !self.holds(simple, state),
        }
    }

    fn why_true(&self, formula: &StateFormula, state: State, owed: &mut Vec<Debt>) -> bool {
        match formula {
            StateFormula::Not(of) => self.why_false(of, state, owed),
            StateFormula::And(parts) => parts.iter().all(|part| self.why_true(part, state, owed)),
            StateFormula::Or(parts) => {
                let first = parts.iter().find(|part| self.holds(part, state));
                first.is_some_and(|part| self.why_true(part, state, owed))
            }
            // A bound on probabilities is never needed to be true in a formula that simulation preserves.
            StateFormula::Probability { .. } => false,
            simple => self.holds(simple, state),
        }
    }

    /// Owes an until for this many more steps, with what makes its arguments true here.
    fn owe(&self, number: u32, steps: u32, state: State, owed: &mut Vec<Debt>) -> bool {
        let until = &self.untils[number as usize];
        if until.right_states.contains(state as usize) {
            return self.why_true(until.right, state, owed);
        }
        if until.layers[steps as usize][state as usize] == 0 {
            return true;
        }
        owed.push((number, steps));
        self.why_true(until.left, state, owed)
    }

    /// The nodes below a state that owes something, the state last.
    fn unfold(
        &self,
        state: State,
        mut owed: Vec<Debt>,
        cx: &Context,
    ) -> Result<Option<Vec<Node>>, Stopped> {
        owed.sort_unstable();
        owed.dedup();
        let mut nodes: Vec<Node> = Vec::new();
        let mut known: FxHashMap<(State, Vec<Debt>), u32> = FxHashMap::default();
        // A node is looked at twice: to put what it leads to before it, and to take its number.
        let mut stack = vec![(state, owed, false)];
        while let Some((state, owed, ready)) = stack.pop() {
            cx.check()?;
            let key = (state, owed);
            if known.contains_key(&key) {
                continue;
            }
            if nodes.len() + stack.len() > self.size.nodes {
                return Ok(None);
            }
            let Some(choices) = self.steps_of(state, &key.1) else {
                return Ok(None);
            };
            if !ready {
                let (state, owed) = key;
                stack.push((state, owed, true));
                let children = choices.into_iter().flat_map(|c| c.1);
                for (child, debts) in children {
                    if !known.contains_key(&(child, debts.clone())) {
                        stack.push((child, debts, false));
                    }
                }
                continue;
            }
            let named = choices.into_iter().map(|(choice, children)| {
                let numbers = children.iter().map(|child| known.get(child).copied());
                Some((choice, numbers.collect::<Option<Vec<u32>>>()?))
            });
            let Some(choices) = named.collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            nodes.push(Node {
                state,
                owed: key.1.clone(),
                choices,
            });
            known.insert(key, nodes.len() as u32 - 1);
        }
        Ok(Some(nodes))
    }

    /// The choices of a node and what their targets owe.
    #[allow(clippy::type_complexity)] // a list of lists
    fn steps_of(
        &self,
        state: State,
        owed: &[Debt],
    ) -> Option<Vec<(usize, Vec<(State, Vec<Debt>)>)>> {
        let mut chosen: BTreeMap<usize, Vec<Vec<Debt>>> = BTreeMap::new();
        for (number, steps) in owed.iter().filter(|debt| debt.1 > 0) {
            let before = &self.untils[*number as usize].layers[*steps as usize - 1];
            let choices = self.mdp.choices(state);
            let best = choices.max_by_key(|c| (mean(self.mdp, *c, before), usize::MAX - c))?;
            let targets = self.mdp.targets(best);
            let debts = chosen
                .entry(best)
                .or_insert_with(|| vec![Vec::new(); targets.len()]);
            for (target, debts) in targets.iter().zip(debts) {
                if !self.owe(*number, steps - 1, *target, debts) {
                    return None;
                }
            }
        }
        let with_targets = |(choice, debts): (usize, Vec<Vec<Debt>>)| {
            let targets = self.mdp.targets(choice).iter().copied();
            let children = targets.zip(debts).map(|(target, mut debts)| {
                debts.sort_unstable();
                debts.dedup();
                (target, debts)
            });
            (choice, children.collect())
        };
        Some(chosen.into_iter().map(with_targets).collect())
    }

    /// Nodes that may end there with the probability still above the bound, as many as possible of those that add the least.
    fn cuts(&self, nodes: &[Node]) -> FixedBitSet {
        let until = &self.untils[0];
        let root = nodes.len() - 1;
        let none = FixedBitSet::with_capacity(nodes.len());
        let values = self.worth(nodes, &none);
        let mut reached = vec![0.0f64; nodes.len()];
        reached[root] = 1.0;
        for (at, node) in nodes.iter().enumerate().rev() {
            for (choice, children) in &node.choices {
                for ((_, p), child) in self.mdp.about(*choice).zip(children) {
                    reached[*child as usize] += reached[at] * p;
                }
            }
        }
        let inner = |at: &usize| !nodes[*at].choices.is_empty() && *at != root;
        let mut order: Vec<usize> = (0..nodes.len()).filter(inner).collect();
        let adds = |at: usize| reached[at] * values[at] as f64;
        order.sort_by(|a, b| adds(*a).total_cmp(&adds(*b)).then(a.cmp(b)));
        let first = |count: usize| {
            let mut cut = none.clone();
            order[..count].iter().for_each(|at| cut.insert(*at));
            cut
        };
        let fine = |count: usize| self.worth(nodes, &first(count))[root] >= until.enough;
        let (mut low, mut high) = (0, order.len() + 1);
        if !fine(0) {
            return none;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match fine(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        first(low)
    }

    /// The probability of the one until in each node, in units, rounded down.
    fn worth(&self, nodes: &[Node], cut: &FixedBitSet) -> Vec<u64> {
        let until = &self.untils[0];
        let mut values = vec![0u64; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            values[at] = if until.right_states.contains(node.state as usize) {
                1 << DIGITS
            } else if cut.contains(at) || node.owed.is_empty() {
                0
            } else {
                let worth = |(choice, children): &(usize, Vec<u32>)| {
                    let numbers = children.iter().map(|c| values[*c as usize]);
                    mean_of(self.mdp, *choice, numbers)
                };
                node.choices.iter().map(worth).max().unwrap_or(0)
            };
        }
        values
    }
}

fn assemble(mdp: &Mdp<'_>, initial: State, nodes: &[Node], cut: &FixedBitSet) -> Tree {
    let mut builder = TreeBuilder::new();
    let mut leaves: FxHashMap<State, u32> = FxHashMap::default();
    let mut number = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        if cut.contains(at) || node.choices.is_empty() {
            let leaf = leaves
                .entry(node.state)
                .or_insert_with(|| builder.node(node.state, Vec::new()));
            number.push(*leaf);
            continue;
        }
        let choices = node.choices.iter().map(|(choice, children)| {
            let dist = mdp.dist(*choice);
            let weighted = children.iter().enumerate();
            let branches = weighted.map(|(at, c)| (number[*c as usize], dist.weight(at)));
            (mdp.lpts.all_choices()[*choice].label, branches.collect())
        });
        number.push(builder.node(node.state, choices.collect()));
    }
    let root = number
        .last()
        .copied()
        .unwrap_or_else(|| builder.node(initial, Vec::new()));
    builder.build(root)
}

fn mean(mdp: &Mdp<'_>, choice: usize, values: &[u64]) -> u64 {
    let targets = mdp.targets(choice).iter();
    mean_of(mdp, choice, targets.map(|t| values[*t as usize]))
}

/// The expectation, rounded down.
fn mean_of(mdp: &Mdp<'_>, choice: usize, numbers: impl Iterator<Item = u64>) -> u64 {
    let dist = mdp.dist(choice);
    match dist.weights() {
        // The weights add up to less than 2^64 and the numbers are at most 2^60.
        Weights::Small(weights) => {
            let pairs = numbers.zip(weights);
            let sum: u128 = pairs.map(|(v, w)| u128::from(v) * u128::from(*w)).sum();
            let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
            (sum / total) as u64
        }
        Weights::Big(_) => {
            let pairs = numbers.enumerate();
            let sum = pairs.fold(Int::ZERO, |sum, (at, v)| {
                &sum + &(&Int::from(v) * &dist.weight(at))
            });
            let whole = sum.div_floor(&dist.total()).0;
            whole.to_i64().map_or(0, |w| w as u64)
        }
    }
}
