//! Finite behaviours of several parts that run together, in which it is known who did what.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use suppose_control::{Context, Stopped};
use suppose_model::lts::Label;
use suppose_model::mdp::{
    Counterexample, DistId, Distributions, Lpts, LptsBuilder, Product, State, Tree, Weight, Whole,
};
use suppose_number::Int;

use super::blame::{Abstracted, Related};
use super::projection::Projection;

/// A behaviour of a product. Node 0 is the root, branches lead to nodes of higher numbers.
#[derive(Clone, Debug)]
pub(crate) struct Behaviour<'a> {
    parts: Vec<&'a Lpts>,
    nodes: Vec<Node>,
}

/// A node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The states of the parts.
    pub state: Box<[State]>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// A step of some parts together.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The action.
    pub label: Label,
    /// The distributions of the parts that move.
    pub moves: Box<[Option<DistId>]>,
    /// The nodes, in the order of [`Product::branches`].
    pub children: Box<[u32]>,
}

/// A bug: a step of a tree is no step of the product it is said to be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoSuchStep;

impl<'a> Behaviour<'a> {
    /// A tree whose nodes are mapped to states of a product.
    pub fn of_tree(
        tree: &Tree,
        vector: impl Fn(State) -> Vec<State>,
        parts: &[&'a Lpts],
    ) -> Result<Self, NoSuchStep> {
        let states: Vec<Vec<State>> = tree.states().iter().map(|s| vector(*s)).collect();
        let shape = tree.shape();
        let product = Product::new(parts);
        let mut nodes = Vec::with_capacity(tree.nodes());
        for node in 0..tree.nodes() as State {
            let mut steps = Vec::new();
            for choice in shape.choices(node) {
                let dist = shape.dist(choice.dist);
                let weighted = dist.targets().iter().enumerate();
                let targets: Vec<_> = weighted
                    .map(|(at, child)| (states[*child as usize].clone(), dist.weight(at)))
                    .collect();
                let from = &states[node as usize];
                let moves = moves_of(parts, from, choice.label, &targets).ok_or(NoSuchStep)?;
                let children = dist.targets().iter();
                let named = targets.into_iter().map(|t| t.0).zip(children.copied());
                let children = arrange(&product, from, &moves, named).ok_or(NoSuchStep)?;
                steps.push(Step {
                    label: choice.label,
                    moves,
                    children,
                });
            }
            nodes.push(Node {
                state: states[node as usize].clone().into(),
                steps,
            });
        }
        Ok(Behaviour {
            parts: parts.to_vec(),
            nodes,
        })
    }

    /// A node.
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes after a step, for every target of the distribution of a part that moves.
    pub fn children_by(&self, part: usize, step: &Step) -> Vec<Vec<u32>> {
        let Some(dist) = step.moves[part] else {
            return Vec::new();
        };
        let count = self.parts[part].dist(dist).len();
        let stride = self.stride(part, step);
        let mut sets = vec![Vec::new(); count];
        for (place, child) in step.children.iter().enumerate() {
            sets[place / stride % count].push(*child);
        }
        sets
    }

    /// How many nodes of a step differ only in what comes after that part.
    fn stride(&self, part: usize, step: &Step) -> usize {
        let after = self.parts.iter().zip(step.moves.iter()).skip(part + 1);
        after
            .filter_map(|(p, dist)| dist.map(|d| p.dist(d).len()))
            .product()
    }

    /// The behaviour in which a part, a quotient, is replaced by the system it is the quotient of: every step of the part by one of the
    /// system that is lifted to it. The result simulates this behaviour.
    pub fn replace<'b>(
        &self,
        part: usize,
        shadow: &Projection,
        level: &Abstracted<'b>,
        related: &Related,
        cx: &Context,
    ) -> Result<Result<Behaviour<'b>, NoSuchStep>, Stopped>
    where
        'a: 'b,
    {
        let mut parts: Vec<&'b Lpts> = self.parts.clone();
        parts[part] = level.concrete;
        let mut numbers = FxHashMap::default();
        let mut queue = VecDeque::from([(0u32, 0u32, level.concrete.initial())]);
        numbers.insert(queue[0], ());
        let mut nodes: Vec<((u32, u32, State), Vec<PendingStep>)> = Vec::new();
        while let Some(key) = queue.pop_front() {
            cx.check()?;
            let (of, node, state) = key;
            let mut steps = Vec::new();
            for (number, step) in self.node(of).steps.iter().enumerate() {
                let pending = match step.moves[part] {
                    None => Some(PendingStep::staying(step, node, state)),
                    Some(_) => (|| {
                        let there = shadow.step(node, of, number as u32)?;
                        let match_ = &shadow.nodes[node as usize].steps[there];
                        let dist = level.matching(related, match_, state)?;
                        Some(self.moving(part, step, match_.dist, &match_.children, level, dist))
                    })(),
                };
                let Some(pending) = pending else {
                    return Ok(Err(NoSuchStep));
                };
                for child in &pending.children {
                    if numbers.insert(*child, ()).is_none() {
                        queue.push_back(*child);
                    }
                }
                steps.push(pending);
            }
            nodes.push((key, steps));
        }
        Ok(Ok(self.finish(part, parts, nodes)))
    }

    /// The step with another distribution for one part.
    fn moving(
        &self,
        part: usize,
        step: &Step,
        old: DistId,
        shadows: &[u32],
        level: &Abstracted<'_>,
        new: DistId,
    ) -> PendingStep {
        let stride = self.stride(part, step);
        let old = level.quotient.lpts.dist(old);
        let new_targets = level.concrete.dist(new).targets();
        let mut children = Vec::new();
        for before in step.children.chunks(stride * old.len()) {
            for target in new_targets {
                let class = level.classes.of(*target);
                // The image of the new distribution is the old one, so the class is among its targets.
                let place = old.targets().binary_search(&class).unwrap_or(0);
                for child in &before[place * stride..(place + 1) * stride] {
                    children.push((*child, shadows[place], *target));
                }
            }
        }
        let mut moves = step.moves.clone();
        moves[part] = Some(new);
        PendingStep {
            label: step.label,
            moves,
            children,
        }
    }

    fn finish<'b>(
        &self,
        part: usize,
        parts: Vec<&'b Lpts>,
        mut nodes: Vec<((u32, u32, State), Vec<PendingStep>)>,
    ) -> Behaviour<'b> {
        // A branch leads to a higher node of the old behaviour, so this order is one of branches too.
        nodes.sort_unstable_by_key(|(key, _)| *key);
        let keys = nodes.iter().enumerate();
        let numbers: FxHashMap<_, u32> = keys.map(|(at, (key, _))| (*key, at as u32)).collect();
        let nodes = nodes.into_iter().map(|((of, _, state), steps)| {
            let mut vector = self.node(of).state.clone();
            vector[part] = state;
            let steps = steps.into_iter().map(|step| Step {
                label: step.label,
                moves: step.moves,
                children: step.children.iter().map(|c| numbers[c]).collect(),
            });
            Node {
                state: vector,
                steps: steps.collect(),
            }
        });
        Behaviour {
            nodes: nodes.collect(),
            parts,
        }
    }

    /// The behaviour in which a part that is a composition is replaced by the parts it is composed of.
    pub fn expand(
        &self,
        part: usize,
        whole: &Whole,
        inner: &[&'a Lpts],
    ) -> Result<Behaviour<'a>, NoSuchStep> {
        let mut parts = self.parts[..part].to_vec();
        parts.extend_from_slice(inner);
        parts.extend_from_slice(&self.parts[part + 1..]);
        let product = Product::new(&parts);
        let wide = |state: &[State]| {
            let mut vector = state[..part].to_vec();
            vector.extend(whole.vector(state[part]));
            vector.extend_from_slice(&state[part + 1..]);
            vector
        };
        let mut nodes = Vec::with_capacity(self.len());
        for node in &self.nodes {
            let from = wide(&node.state);
            let mut steps = Vec::new();
            for step in &node.steps {
                let inside = match step.moves[part] {
                    None => vec![None; inner.len()].into(),
                    Some(dist) => {
                        let dist = whole.lpts.dist(dist);
                        let targets: Vec<_> = (0..dist.len())
                            .map(|at| (whole.vector(dist.targets()[at]), dist.weight(at)))
                            .collect();
                        let from = whole.vector(node.state[part]);
                        moves_of(inner, &from, step.label, &targets).ok_or(NoSuchStep)?
                    }
                };
                let mut moves = step.moves[..part].to_vec();
                moves.extend_from_slice(&inside);
                moves.extend_from_slice(&step.moves[part + 1..]);
                let named = step.children.iter();
                let named = named.map(|c| (wide(&self.node(*c).state), *c));
                let children = arrange(&product, &from, &moves, named).ok_or(NoSuchStep)?;
                steps.push(Step {
                    label: step.label,
                    moves: moves.into(),
                    children,
                });
            }
            nodes.push(Node {
                state: from.into(),
                steps,
            });
        }
        Ok(Behaviour { parts, nodes })
    }

    /// As evidence. Part `i` is component `order[i]`.
    pub fn counterexample(&self, order: &[usize]) -> Counterexample {
        let product = Product::new(&self.parts);
        let mut builder = LptsBuilder::new("counterexample");
        builder.states(self.len());
        let mut places = vec![0; order.len()];
        for (part, component) in order.iter().enumerate() {
            places[*component] = part;
        }
        let mut states = Vec::with_capacity(self.len());
        for (number, node) in self.nodes.iter().enumerate() {
            states.push(places.iter().map(|p| node.state[*p]).collect());
            for step in &node.steps {
                let (mut small, mut big) = (Vec::new(), Vec::new());
                let mut children = step.children.iter();
                product.branches(&node.state, &step.moves, |_, weight| {
                    let child = children.next().copied().unwrap_or_default();
                    match weight {
                        Weight::Small(w) => small.push((child, w)),
                        Weight::Big(w) => big.push((child, w)),
                    }
                });
                let dist = match big.is_empty() {
                    true => builder.store().insert_weights(&mut small),
                    false => builder.store().insert_ints(&mut big),
                };
                if let Some(dist) = dist {
                    builder.choice_of(number as State, step.label, dist);
                }
            }
        }
        for (at, part) in self.parts.iter().enumerate() {
            for (number, truth) in part.propositions() {
                let mut holds = fixedbitset::FixedBitSet::with_capacity(self.len());
                for (node, it) in self.nodes.iter().enumerate() {
                    holds.set(node, truth.contains(it.state[at] as usize));
                }
                builder.proposition(*number, holds);
            }
        }
        Counterexample {
            tree: builder.build(),
            states,
        }
    }
}

/// A step whose nodes have no numbers yet.
struct PendingStep {
    label: Label,
    moves: Box<[Option<DistId>]>,
    /// Node of the old behaviour, node of its projection, state of the new part.
    children: Vec<(u32, u32, State)>,
}

impl PendingStep {
    fn staying(step: &Step, node: u32, state: State) -> Self {
        PendingStep {
            label: step.label,
            moves: step.moves.clone(),
            children: step.children.iter().map(|c| (*c, node, state)).collect(),
        }
    }
}

/// Which parts do a step, and how. The targets have weights, in any scale.
fn moves_of(
    parts: &[&Lpts],
    from: &[State],
    label: Label,
    targets: &[(Vec<State>, Int)],
) -> Option<Box<[Option<DistId>]>> {
    let mut moves = vec![None; parts.len()];
    if label.is_tau() {
        for (at, part) in parts.iter().enumerate() {
            let alone = targets.iter().all(|(to, _)| {
                let others = from.iter().zip(to).enumerate();
                others.into_iter().all(|(p, (a, b))| p == at || a == b)
            });
            if alone && let Some(dist) = marginal(part, from[at], label, at, targets) {
                moves[at] = Some(dist);
                return Some(moves.into());
            }
        }
        return None;
    }
    for (at, part) in parts.iter().enumerate() {
        if part.knows(label) {
            moves[at] = Some(marginal(part, from[at], label, at, targets)?);
        }
    }
    moves.iter().any(Option::is_some).then(|| moves.into())
}

/// The distribution of one part in a step, found by what the step does to it.
fn marginal(
    part: &Lpts,
    from: State,
    label: Label,
    at: usize,
    targets: &[(Vec<State>, Int)],
) -> Option<DistId> {
    let mut store = Distributions::new();
    let mut own = targets.iter().map(|(to, w)| (to[at], w.clone())).collect();
    let image = store.insert_ints(&mut own)?;
    let mut choices = part.choices_on(from, label).iter();
    let found = choices.find(|c| part.dist(c.dist) == store.get(image))?;
    Some(found.dist)
}

/// Nodes in the order of [`Product::branches`], found by their states.
fn arrange(
    product: &Product<'_>,
    from: &[State],
    moves: &[Option<DistId>],
    nodes: impl Iterator<Item = (Vec<State>, u32)>,
) -> Option<Box<[u32]>> {
    let (mut count, mut by_state) = (0, FxHashMap::default());
    for (state, node) in nodes {
        count += 1;
        by_state.insert(state, node);
    }
    let mut children = Vec::with_capacity(count);
    product.branches(from, moves, |next, _| {
        children.push(by_state.get(next).copied());
    });
    // A node for every branch, and a branch for every node.
    if children.len() != count {
        return None;
    }
    children.into_iter().collect()
}
