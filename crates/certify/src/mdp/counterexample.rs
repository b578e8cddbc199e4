//! Checking counterexamples: the system does what the tree says, and the specification cannot follow.

use std::collections::{BTreeMap, BTreeSet};

use suppose_control::Context;
use suppose_model::lts::{Label, State};
use suppose_model::mdp::{
    Choice, Counterexample, Deficit, Lpts, Product, Refusal, Refused, System,
};
use suppose_number::Rat;

use super::flow::Problem;
use super::{Branches, check_system};
use crate::cancellation::Cancellation;
use crate::rejection::{Place, Rejection};

/// Accepts a counterexample if the system does what the tree says, and the specification does not simulate
/// the tree. Says why for the pair of the root and the initial state, which is the first, and for
/// all pairs that this reason rests on, by node.
pub fn check_counterexample(
    system: &System,
    specification: &Lpts,
    found: &Counterexample,
    cx: &Context,
) -> Result<Vec<Refusal>, Rejection> {
    check_system(system, specification)?;
    check_behaviour(system, found, cx)?;
    let mut watch = Cancellation::new(cx);
    let search = Search {
        system,
        specification,
        found,
    };
    search.refute(&mut watch)
}

/// The system does what the tree says, beginning in its initial state.
pub(super) fn check_behaviour(
    system: &System,
    found: &Counterexample,
    cx: &Context,
) -> Result<(), Rejection> {
    let mut watch = Cancellation::new(cx);
    check_shape(system, found)?;
    let parts = system.parts();
    let product = Product::new(&parts);
    if !product.initials().iter().any(|s| **s == *found.states[0]) {
        return Err(Rejection::at(Place::Node(0), "it is not the initial state"));
    }
    for node in 0..found.tree.states() as State {
        check_node(&product, found, node, &mut watch)?;
    }
    Ok(())
}

/// Numbers are in range, and branches lead to later nodes.
fn check_shape(system: &System, found: &Counterexample) -> Result<(), Rejection> {
    let tree = &found.tree;
    let wrong = |why: &str| Err(Rejection::at(Place::Whole, why));
    if found.states.len() != tree.states() {
        return wrong("there must be states for each node");
    }
    if tree.initial() != 0 {
        return wrong("the tree does not begin with its first node");
    }
    for node in 0..tree.states() as State {
        let at = |why: &str| Err(Rejection::at(Place::Node(node as usize), why));
        let states = &found.states[node as usize];
        let components = system.components.iter();
        if states.len() != components.len() {
            return at("there must be a state for each component");
        }
        let mut known = components.zip(states.iter());
        if !known.all(|(c, s)| (*s as usize) < c.lpts.states()) {
            return at("a component has no such state");
        }
        for choice in tree.choices(node) {
            if tree.dist(choice.dist).targets().iter().any(|t| *t <= node) {
                return at("a branch does not lead to a later node");
            }
        }
    }
    Ok(())
}

type Spread<'a> = Vec<(&'a [State], Rat)>;

/// Probabilities of vectors, each vector once, in order.
fn merged(mut all: Spread<'_>) -> Spread<'_> {
    all.sort_by(|a, b| a.0.cmp(b.0));
    let mut merged: Spread<'_> = Vec::with_capacity(all.len());
    for (state, p) in all {
        match merged.last_mut() {
            Some(last) if last.0 == state => last.1 = &last.1 + &p,
            _ => merged.push((state, p)),
        }
    }
    merged
}

/// Each choice of a node is one of the system.
fn check_node(
    product: &Product<'_>,
    found: &Counterexample,
    node: State,
    watch: &mut Cancellation<'_>,
) -> Result<(), Rejection> {
    let parts = product.parts().len();
    let state = &found.states[node as usize];
    let flaw = |why: &str| Rejection::at(Place::Node(node as usize), why);
    let mut wanted: Vec<(Label, Spread<'_>)> = Vec::new();
    for choice in found.tree.choices(node) {
        let dist = found.tree.dist(choice.dist).probabilities();
        let spread = dist.map(|(n, p)| (&*found.states[n as usize], p)).collect();
        wanted.push((choice.label, merged(spread)));
    }
    let mut result = Ok(());
    let mut branches = Branches::default();
    product.choices(state, |label, moves| {
        if result.is_err() || !wanted.iter().any(|(l, _)| *l == label) {
            return;
        }
        result = watch.tick();
        if let Err(why) = branches.read(product, state, moves) {
            result = Err(flaw(&why));
        }
        if result.is_err() {
            return;
        }
        let p = |at: usize| Rat::new(branches.weights[at].clone(), branches.total.clone());
        let all = (0..branches.len()).map(|at| (branches.state(at, parts), p(at)));
        let spread = merged(all.collect());
        wanted.retain(|(l, s)| *l != label || *s != spread);
    });
    result?;
    match wanted.is_empty() {
        true => Ok(()),
        false => Err(flaw("the system does not have its choice")),
    }
}

struct Search<'a> {
    system: &'a System,
    specification: &'a Lpts,
    found: &'a Counterexample,
}

/// For each node the states that matter, and whether they simulate it.
type Table = Vec<BTreeMap<State, bool>>;

impl Search<'_> {
    fn refute(&self, watch: &mut Cancellation<'_>) -> Result<Vec<Refusal>, Rejection> {
        let mut table = self.pairs(watch)?;
        for node in (0..table.len()).rev() {
            let states: Vec<State> = table[node].keys().copied().collect();
            for state in states {
                watch.tick()?;
                let simulates = self.refused(&table, node as State, state, watch)?.is_none();
                table[node].insert(state, simulates);
            }
        }
        let root = self.specification.initial();
        if table[0].get(&root) != Some(&false) {
            let why = "the specification simulates the tree";
            return Err(Rejection::at(Place::Whole, why));
        }
        self.reasons(&table, watch)
    }

    /// The pairs that matter: what can be reached from the pair at the root, action by action.
    fn pairs(&self, watch: &mut Cancellation<'_>) -> Result<Table, Rejection> {
        let tree = &self.found.tree;
        let mut table: Table = vec![BTreeMap::new(); tree.states()];
        table[0].insert(self.specification.initial(), false);
        for node in 0..tree.states() {
            let states: Vec<State> = table[node].keys().copied().collect();
            for choice in tree.choices(node as State) {
                let mut reached = BTreeSet::new();
                for state in &states {
                    for (_, own) in self.options(*state, choice) {
                        watch.tick()?;
                        reached.extend(self.specification.dist(own.dist).targets());
                    }
                }
                for next in tree.dist(choice.dist).targets() {
                    for state in &reached {
                        watch.tick()?;
                        table[*next as usize].insert(*state, false);
                    }
                }
            }
        }
        Ok(table)
    }

    /// The choices of a state of the specification that have the action, with their places.
    fn options(&self, state: State, choice: &Choice) -> impl Iterator<Item = (usize, Choice)> {
        let seen = self.system.observe(choice.label);
        let own = self.specification.choices(state).iter().enumerate();
        own.filter(move |(_, c)| c.label == seen)
            .map(|(at, c)| (at, *c))
    }

    /// Why the state does not simulate the node, given who simulates later nodes.
    fn refused(
        &self,
        table: &Table,
        node: State,
        state: State,
        watch: &mut Cancellation<'_>,
    ) -> Result<Option<Refused>, Rejection> {
        let vector = &self.found.states[node as usize];
        for (proposition, truth) in self.specification.propositions() {
            let owner = self.system.propositions[*proposition as usize].component;
            let lpts = &self.system.components[owner].lpts;
            let own = lpts.satisfies(vector[owner], *proposition);
            if own != Some(truth.contains(state as usize)) {
                return Ok(Some(Refused::Proposition(*proposition)));
            }
        }
        for (number, choice) in self.found.tree.choices(node).iter().enumerate() {
            let mut options = Vec::new();
            let mut matched = false;
            for (at, own) in self.options(state, choice) {
                watch.tick()?;
                match self.lack(table, choice, at, own, watch)? {
                    None => {
                        matched = true;
                        break;
                    }
                    Some(lack) => options.push(lack),
                }
            }
            if !matched {
                return Ok(Some(Refused::Choice {
                    choice: number,
                    options,
                }));
            }
        }
        Ok(None)
    }

    fn lack(
        &self,
        table: &Table,
        choice: &Choice,
        at: usize,
        own: Choice,
        watch: &mut Cancellation<'_>,
    ) -> Result<Option<Deficit>, Rejection> {
        let (left, right) = (
            self.found.tree.dist(choice.dist),
            self.specification.dist(own.dist),
        );
        let mut related = Vec::with_capacity(left.len() * right.len());
        for node in left.targets() {
            for state in right.targets() {
                watch.tick()?;
                related.push(table[*node as usize].get(state) == Some(&true));
            }
        }
        let weights: Vec<_> = (0..left.len()).map(|i| left.weight(i)).collect();
        let room: Vec<_> = (0..right.len()).map(|i| right.weight(i)).collect();
        let problem = Problem {
            left: &weights,
            right: &room,
            related: &related,
        };
        let Some(set) = problem.uncovered() else {
            return Ok(None);
        };
        let sum = |all: &mut dyn Iterator<Item = Rat>| all.fold(Rat::ZERO, |sum, p| &sum + &p);
        let may = |j: &usize| set.iter().any(|i| related[i * right.len() + j]);
        Ok(Some(Deficit {
            choice: at,
            nodes: set.iter().map(|i| left.targets()[*i]).collect(),
            needed: sum(&mut set.iter().map(|i| left.probability(*i))),
            available: sum(&mut (0..right.len()).filter(may).map(|j| right.probability(j))),
        }))
    }

    /// The reason at the root, and all it rests on.
    fn reasons(
        &self,
        table: &Table,
        watch: &mut Cancellation<'_>,
    ) -> Result<Vec<Refusal>, Rejection> {
        let mut wanted: BTreeSet<(State, State)> = BTreeSet::new();
        wanted.insert((0, self.specification.initial()));
        let mut reasons = Vec::new();
        while let Some((node, state)) = wanted.pop_first() {
            let Some(why) = self.refused(table, node, state, watch)? else {
                continue;
            };
            if let Refused::Choice { options, .. } = &why {
                for lack in options {
                    let own = self.specification.choices(state)[lack.choice];
                    let targets = self.specification.dist(own.dist).targets();
                    let pairs = lack
                        .nodes
                        .iter()
                        .flat_map(|n| targets.iter().map(|t| (*n, *t)));
                    wanted.extend(pairs.filter(|(n, t)| table[*n as usize].get(t) == Some(&false)));
                }
            }
            reasons.push(Refusal { node, state, why });
        }
        Ok(reasons)
    }
}
