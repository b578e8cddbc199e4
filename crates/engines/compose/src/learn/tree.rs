//! The discrimination tree of [`super::ttt`].
//!
//! Inner nodes bear suffixes, leaves bear states; a state is on that side of a node which says
//! whether its access sequence followed by the node's suffix is in the language.

use super::dfa::Symbol;

const NONE: u32 = u32::MAX;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A state, once there is one.
    Leaf(Option<u32>),
    /// A suffix; the children by answer.
    Inner {
        suffix: Vec<Symbol>,
        children: [u32; 2],
        temporary: bool,
    },
}

/// The tree. The root bears the empty suffix, and is final.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Parent and side.
    parents: Vec<(u32, bool)>,
    /// Nodes that were made temporary; some are so no more.
    temporary: Vec<u32>,
}

impl Tree {
    pub const ROOT: u32 = 0;

    pub fn new() -> Self {
        let root = Node::Inner {
            suffix: Vec::new(),
            children: [1, 2],
            temporary: false,
        };
        Tree {
            nodes: vec![root, Node::Leaf(None), Node::Leaf(None)],
            parents: vec![(NONE, false), (Self::ROOT, false), (Self::ROOT, true)],
            temporary: Vec::new(),
        }
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub fn is_leaf(&self, node: u32) -> bool {
        matches!(self.node(node), Node::Leaf(_))
    }

    pub fn is_empty_leaf(&self, node: u32) -> bool {
        *self.node(node) == Node::Leaf(None)
    }

    /// The state of a leaf.
    pub fn state(&self, node: u32) -> Option<u32> {
        match self.node(node) {
            Node::Leaf(state) => *state,
            Node::Inner { .. } => None,
        }
    }

    /// On which side of its parent a node is.
    pub fn side(&self, node: u32) -> bool {
        self.parents[node as usize].1
    }

    pub fn suffix(&self, node: u32) -> &[Symbol] {
        match self.node(node) {
            Node::Leaf(_) => &[],
            Node::Inner { suffix, .. } => suffix,
        }
    }

    /// The child for an answer; a leaf is its own child.
    pub fn child(&self, node: u32, member: bool) -> u32 {
        match self.node(node) {
            Node::Leaf(_) => node,
            Node::Inner { children, .. } => children[usize::from(member)],
        }
    }

    pub fn occupy(&mut self, leaf: u32, state: u32) {
        self.nodes[leaf as usize] = Node::Leaf(Some(state));
    }

    /// Turns a leaf into a temporary node. Returns the leaves for the old and for the new state,
    /// which is on the side `member`.
    pub fn split(&mut self, leaf: u32, suffix: &[Symbol], member: bool) -> (u32, u32) {
        let children = [
            self.add(Node::Leaf(None), leaf, false),
            self.add(Node::Leaf(None), leaf, true),
        ];
        self.nodes[leaf as usize] = Node::Inner {
            suffix: suffix.to_vec(),
            children,
            temporary: true,
        };
        self.temporary.push(leaf);
        (
            children[usize::from(!member)],
            children[usize::from(member)],
        )
    }

    fn add(&mut self, node: Node, parent: u32, side: bool) -> u32 {
        self.nodes.push(node);
        self.parents.push((parent, side));
        self.nodes.len() as u32 - 1
    }

    pub fn is_temporary(&self, node: u32) -> bool {
        matches!(
            self.node(node),
            Node::Inner {
                temporary: true,
                ..
            }
        )
    }

    /// The top of the block a node is in, or the node itself.
    pub fn top(&self, mut node: u32) -> u32 {
        loop {
            let parent = self.parents[node as usize].0;
            if parent == NONE || !self.is_temporary(parent) {
                return node;
            }
            node = parent;
        }
    }

    /// The tops of all blocks.
    pub fn blocks(&mut self) -> Vec<u32> {
        let mut candidates = std::mem::take(&mut self.temporary);
        candidates.retain(|n| self.is_temporary(*n));
        let tops = candidates.iter().filter(|n| self.top(**n) == **n);
        let tops = tops.copied().collect();
        self.temporary = candidates;
        tops
    }

    /// Makes all suffixes final.
    pub fn finalise(&mut self) {
        for node in &mut self.nodes {
            if let Node::Inner { temporary, .. } = node {
                *temporary = false;
            }
        }
    }

    /// A node and all below it, parents first.
    pub fn subtree(&self, node: u32) -> Vec<u32> {
        let mut found = vec![node];
        let mut at = 0;
        while at < found.len() {
            if let Node::Inner { children, .. } = self.node(found[at]) {
                found.extend(children);
            }
            at += 1;
        }
        found
    }

    /// The leaves below a node with their states.
    pub fn leaves(&self, node: u32) -> Vec<(u32, u32)> {
        let below = self.subtree(node).into_iter();
        below
            .filter_map(|n| self.state(n).map(|s| (n, s)))
            .collect()
    }

    /// The inner nodes above a node with the side it is on, nearest first.
    pub fn path(&self, node: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let up = |at: &(u32, bool)| self.parents.get(at.0 as usize).copied();
        let first = Some(self.parents[node as usize]);
        std::iter::successors(first, up).take_while(|(n, _)| *n != NONE)
    }

    /// The lowest node that has targets on both sides, with the side of each.
    pub fn part(&self, targets: &[u32]) -> Option<(u32, Vec<bool>)> {
        let first = *targets.first()?;
        if targets.iter().all(|t| *t == first) {
            return None;
        }
        // Nodes above the first target, nearest first; the one wanted is the farthest at which
        // any other target leaves that line.
        let line: Vec<(u32, bool)> = self.path(first).collect();
        let meets = |target: &u32| {
            let above = self.path(*target);
            let found = above.filter_map(|(n, side)| {
                let at = line.iter().position(|(l, _)| *l == n)?;
                (line[at].1 != side).then_some((at, side))
            });
            found.last()
        };
        let met: Vec<Option<(usize, bool)>> = targets.iter().map(meets).collect();
        let highest = met.iter().flatten().map(|(at, _)| *at).max()?;
        let (node, own) = line[highest];
        let side = |m: &Option<(usize, bool)>| match m {
            Some((at, side)) if *at == highest => *side,
            _ => own,
        };
        Some((node, met.iter().map(side).collect()))
    }

    /// Replaces the top of a block by a final node with that suffix, its leaves on the sides given. What is
    /// below keeps its order of temporary nodes, where these still part anything.
    pub fn cut(&mut self, block: u32, suffix: Vec<Symbol>, members: &[(u32, u32)], sides: &[bool]) {
        let nodes = self.subtree(block);
        let mut halves: Vec<[u32; 2]> = vec![[NONE; 2]; self.nodes.len()];
        for ((leaf, _), side) in members.iter().zip(sides) {
            halves[*leaf as usize][usize::from(*side)] = *leaf;
        }
        for node in nodes.iter().rev() {
            let Node::Inner {
                suffix, children, ..
            } = self.node(*node).clone()
            else {
                continue;
            };
            for side in [0, 1] {
                let below = children.map(|c| halves[c as usize][side]);
                halves[*node as usize][side] = self.join(below, &suffix);
            }
            self.nodes[*node as usize] = Node::Leaf(None);
        }
        let children = halves[block as usize];
        for (side, child) in children.iter().enumerate() {
            self.parents[*child as usize] = (block, side == 1);
        }
        self.nodes[block as usize] = Node::Inner {
            suffix,
            children,
            temporary: false,
        };
    }

    fn join(&mut self, below: [u32; 2], suffix: &[Symbol]) -> u32 {
        match below {
            [NONE, other] | [other, NONE] => other,
            children => {
                let node = Node::Inner {
                    suffix: suffix.to_vec(),
                    children,
                    temporary: true,
                };
                let node = self.add(node, NONE, false);
                self.temporary.push(node);
                self.parents[children[0] as usize] = (node, false);
                self.parents[children[1] as usize] = (node, true);
                node
            }
        }
    }
}
