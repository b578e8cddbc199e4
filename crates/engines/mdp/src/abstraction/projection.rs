//! What one part does in a behaviour of several.

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_control::{Context, Stopped};
use suppose_model::lts::Label;
use suppose_model::mdp::{DistId, State};

use super::behaviour::Behaviour;

/// A behaviour of one part: nodes as in a tree, the root first, branches to higher numbers.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    /// The nodes.
    pub nodes: Vec<Shadow>,
    /// For a node here, a node of the behaviour it stands for, and a step of that: the step here.
    steps: FxHashMap<(u32, u32, u32), u32>,
}

/// A node: stands for nodes of the behaviour between which the part did not move.
#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    /// The state of the part.
    pub state: State,
    /// What it does.
    pub steps: Vec<ShadowStep>,
}

/// A step of the part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShadowStep {
    /// The action.
    pub label: Label,
    /// The distribution.
    pub dist: DistId,
    /// The nodes, one for each target.
    pub children: Vec<u32>,
}

impl Projection {
    /// The projection onto a part (Section 6.3 of the thesis). Where several nodes of the behaviour differ in other parts
    /// only, one node does what any of them does; where the part takes no part in a step, it stays at its node.
    ///
    /// The behaviour is simulated by the composition of its projections, each node by its images.
    pub fn onto(behaviour: &Behaviour<'_>, part: usize, cx: &Context) -> Result<Self, Stopped> {
        let mut found = Discovery::default();
        found.node(behaviour, part, vec![0]);
        let mut at = 0;
        while at < found.members.len() {
            cx.check()?;
            found.explore(behaviour, part, at as u32);
            at += 1;
        }
        Ok(found.arrange(behaviour, part))
    }

    /// The step here that stands for a step of the behaviour.
    pub fn step(&self, node: u32, of: u32, step: u32) -> Option<usize> {
        self.steps.get(&(node, of, step)).map(|s| *s as usize)
    }
}

#[derive(Default)]
struct Discovery {
    numbers: FxHashMap<Vec<u32>, u32>,
    members: Vec<Vec<u32>>,
    shadows: Vec<Vec<ShadowStep>>,
    steps: FxHashMap<(u32, u32, u32), u32>,
}

impl Discovery {
    /// The node for these nodes and all that follow them without a move of the part.
    fn node(&mut self, behaviour: &Behaviour<'_>, part: usize, mut set: Vec<u32>) -> u32 {
        let mut seen: FxHashSet<u32> = set.iter().copied().collect();
        let mut at = 0;
        while at < set.len() {
            let steps = &behaviour.node(set[at]).steps;
            for step in steps.iter().filter(|s| s.moves[part].is_none()) {
                set.extend(step.children.iter().filter(|c| seen.insert(**c)));
            }
            at += 1;
        }
        set.sort_unstable();
        set.dedup();
        let next = self.members.len() as u32;
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.members.push(set);
            self.shadows.push(Vec::new());
        }
        number
    }

    fn explore(&mut self, behaviour: &Behaviour<'_>, part: usize, node: u32) {
        for member in self.members[node as usize].clone() {
            for (number, step) in behaviour.node(member).steps.iter().enumerate() {
                let Some(dist) = step.moves[part] else {
                    continue;
                };
                let sets = behaviour.children_by(part, step);
                let children = sets.into_iter().map(|set| self.node(behaviour, part, set));
                let shadow = ShadowStep {
                    label: step.label,
                    dist,
                    children: children.collect(),
                };
                let steps = &mut self.shadows[node as usize];
                let same = steps.iter().position(|s| *s == shadow);
                let place = same.unwrap_or(steps.len());
                if same.is_none() {
                    steps.push(shadow);
                }
                self.steps
                    .insert((node, member, number as u32), place as u32);
            }
        }
    }

    /// Numbers nodes by the least they stand for, which grows along every branch.
    fn arrange(self, behaviour: &Behaviour<'_>, part: usize) -> Projection {
        let mut order: Vec<u32> = (0..self.members.len() as u32).collect();
        order.sort_by(|a, b| self.members[*a as usize].cmp(&self.members[*b as usize]));
        let mut number = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            number[*old as usize] = new as u32;
        }
        let nodes = order.iter().map(|old| {
            let mut steps = self.shadows[*old as usize].clone();
            for step in &mut steps {
                step.children
                    .iter_mut()
                    .for_each(|c| *c = number[*c as usize]);
            }
            Shadow {
                state: behaviour.node(self.members[*old as usize][0]).state[part],
                steps,
            }
        });
        let renumber =
            |(key, step): (&(u32, u32, u32), &u32)| ((number[key.0 as usize], key.1, key.2), *step);
        Projection {
            nodes: nodes.collect(),
            steps: self.steps.iter().map(renumber).collect(),
        }
    }
}
