//! Simulation of finite behaviours, from the leaves up (Fig. 4.11 of the thesis).
//!
//! What a node is related to depends on its children only, so nothing is ever looked at twice. A [`TreeCheck`] goes choice by
//! choice and says after each what fell, which is what a refinement of an abstraction wants to know (Fig. 6.2).

use fixedbitset::FixedBitSet;
use suppose_control::{Context, Stopped};
use suppose_model::lts::{Label, State};
use suppose_model::mdp::Lpts;

use crate::flow::Matcher;
use crate::simulation::{Screen, Seen, range_on};

/// What a node may be related to.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// Any state.
    All,
    /// States of one class.
    Classes {
        /// For every node its class.
        nodes: &'a [u32],
        /// For every right state its class.
        states: &'a [u32],
    },
}

impl Start<'_> {
    fn allows(self, node: State, state: State) -> bool {
        match self {
            Start::All => true,
            Start::Classes { nodes, states } => nodes[node as usize] == states[state as usize],
        }
    }
}

/// A choice of a node was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefinementStep {
    /// The node.
    pub node: State,
    /// The choice, by its place among all choices of the tree.
    pub choice: usize,
    /// States that were related to the node before and are not any more, ascending: they cannot match the choice.
    pub fell: Vec<State>,
}

/// The coarsest simulation between a finite behaviour and a system, within what is allowed at the start.
pub struct TreeCheck<'a> {
    tree: &'a Lpts,
    right: &'a Lpts,
    seen: Seen<'a>,
    start: Start<'a>,
    screen: Screen,
    /// For nodes with choices that were looked at; those without are related to all that is allowed.
    sets: Vec<Option<FixedBitSet>>,
    /// The node whose choices are looked at, counting down.
    node: State,
    /// The next of its choices, by its place among all.
    choice: usize,
    matcher: Matcher,
}

impl<'a> TreeCheck<'a> {
    /// Nothing looked at yet. In `tree` the root is 0 and branches lead to nodes of higher numbers.
    ///
    /// Propositions and `seen` are understood as by [`crate::simulation::simulate`].
    pub fn new(tree: &'a Lpts, right: &'a Lpts, seen: &'a [Label], start: Start<'a>) -> Self {
        let last = tree.states() as State - 1;
        TreeCheck {
            tree,
            right,
            seen: Seen(seen),
            start,
            screen: Screen::new(tree, right, Seen(seen)),
            sets: vec![None; tree.states()],
            node: last,
            choice: tree.choice_range(last).start,
            matcher: Matcher::default(),
        }
    }

    /// Is the state related to the node, as far as its choices were looked at?
    pub fn related(&self, node: State, state: State) -> bool {
        match &self.sets[node as usize] {
            Some(set) => set.contains(state as usize),
            None => self.start.allows(node, state) && self.screen.agrees(node, state),
        }
    }

    /// The states related to the node, as far as its choices were looked at, ascending.
    pub fn states(&self, node: State) -> impl Iterator<Item = State> {
        (0..self.right.states() as State).filter(move |state| self.related(node, *state))
    }

    /// Looks at the next choice of the tree. None after the last.
    pub fn step(&mut self, cx: &Context) -> Result<Option<RefinementStep>, Stopped> {
        while self.choice == self.tree.choice_range(self.node).end {
            if self.node == 0 {
                return Ok(None);
            }
            self.node -= 1;
            self.choice = self.tree.choice_range(self.node).start;
        }
        let (node, number) = (self.node, self.choice);
        let mut set = match self.sets[node as usize].take() {
            Some(set) => set,
            None => {
                cx.reserve(self.right.states() as u64 / 8)?;
                let mut set = FixedBitSet::with_capacity(self.right.states());
                set.extend(self.states(node).map(|state| state as usize));
                set
            }
        };
        let mut fell = Vec::new();
        for state in set.ones() {
            cx.check()?;
            if !self.matches(number, state as State) {
                fell.push(state as State);
            }
        }
        for state in &fell {
            set.set(*state as usize, false);
        }
        self.sets[node as usize] = Some(set);
        self.choice += 1;
        Ok(Some(RefinementStep {
            node,
            choice: number,
            fell,
        }))
    }

    /// Does the right state have a choice that matches that one of the tree?
    fn matches(&mut self, number: usize, state: State) -> bool {
        let choice = self.tree.all_choices()[number];
        let (from, upto) = range_on(self.right, state, self.seen, choice);
        let left = self.tree.dist(choice.dist);
        let mut matcher = std::mem::take(&mut self.matcher);
        let matches = (from..upto).any(|with| {
            let right = self.right.dist(self.right.all_choices()[with].dist);
            matcher.related(left, right, |row, column| {
                u8::from(self.related(left.targets()[row], right.targets()[column]))
            })
        });
        self.matcher = matcher;
        matches
    }

    /// Looks at all that is left.
    pub fn finish(&mut self, cx: &Context) -> Result<(), Stopped> {
        while self.step(cx)?.is_some() {}
        Ok(())
    }
}

/// The coarsest simulation between a finite behaviour and a system, within what is allowed at the start.
pub fn simulate_tree<'a>(
    tree: &'a Lpts,
    right: &'a Lpts,
    seen: &'a [Label],
    start: Start<'a>,
    cx: &Context,
) -> Result<TreeCheck<'a>, Stopped> {
    let mut check = TreeCheck::new(tree, right, seen, start);
    check.finish(cx)?;
    Ok(check)
}
