//! TTT: the learner of Isberner, Howar and Steffen (RV 2014), after its three trees.
//!
//! The states form a spanning tree of access sequences; a discrimination tree tells them apart;
//! its suffixes are short because those that come from a counterexample stay only for a while. A
//! counterexample splits a leaf by a *temporary* suffix. The subtrees of temporary nodes are
//! *blocks*. A block is cut by a *final* suffix `a v` as soon as the `a`-successors of its states lie
//! on both sides of a node with the final suffix `v`. When no block can be cut, some state's place
//! in its block contradicts the conjecture, and that is the next counterexample, found without
//! the teacher. So no conjecture is handed out while there are temporary nodes.
//!
//! A transition points at a node of the tree, perhaps an inner one, and moves down as far as
//! is needed: to its block while blocks are cut, to a leaf for a conjecture.

use suppose_control::Stopped;

use super::dfa::{Dfa, Symbol};
use super::learner::{Hypothesis, Language, Learner, Membership, breakpoint};
use super::tree::{Node, Tree};

/// How far a transition is moved down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// To a leaf or the top of a block.
    Block,
    /// To a leaf.
    Leaf,
}

#[derive(Debug)]
struct State {
    access: Vec<Symbol>,
    /// The transition that ends the access sequence; none for the empty one.
    home: Option<usize>,
    leaf: u32,
    accepting: bool,
}

/// The learner TTT.
#[derive(Debug)]
pub struct Ttt {
    symbols: u32,
    language: Language,
    states: Vec<State>,
    /// The node that `state * symbols + symbol` points at.
    transitions: Vec<u32>,
    /// For every node, transitions that pointed at it; some do no more.
    incoming: Vec<Vec<usize>>,
    /// Transitions that may point at an inner node.
    open: Vec<usize>,
    tree: Tree,
}

impl Ttt {
    /// For a language over that many symbols.
    pub fn new(symbols: u32, language: Language) -> Self {
        Ttt {
            symbols,
            language,
            states: Vec::new(),
            transitions: Vec::new(),
            incoming: Vec::new(),
            open: Vec::new(),
            tree: Tree::new(),
        }
    }

    fn word(&self, transition: usize) -> Vec<Symbol> {
        let symbols = self.symbols as usize;
        let mut word = self.states[transition / symbols].access.clone();
        word.push((transition % symbols) as Symbol);
        word
    }

    /// Gives a leaf its state, with the access sequence that its home transition stands for.
    fn add_state(&mut self, home: Option<usize>, leaf: u32, accepting: bool) {
        let access = home.map_or_else(Vec::new, |transition| self.word(transition));
        let state = self.states.len() as u32;
        self.tree.occupy(leaf, state);
        let dead = !accepting && self.language == Language::PrefixClosed;
        // Extensions of a word outside a prefix-closed language stay outside.
        let start = if dead { leaf } else { Tree::ROOT };
        for _ in 0..self.symbols {
            self.transitions.push(start);
            self.point(self.transitions.len() - 1, start);
        }
        self.states.push(State {
            access,
            home,
            leaf,
            accepting,
        });
        self.point_home(state);
    }

    fn begin(&mut self, oracle: &mut dyn Membership) -> Result<(), Stopped> {
        let accepting = oracle.member(&[])?;
        let leaf = self.tree.child(Tree::ROOT, accepting);
        self.add_state(None, leaf, accepting);
        self.settle(Depth::Leaf, oracle)
    }

    fn point(&mut self, transition: usize, node: u32) {
        self.transitions[transition] = node;
        if self.incoming.len() <= node as usize {
            self.incoming.resize(node as usize + 1, Vec::new());
        }
        match self.tree.is_leaf(node) {
            true => self.incoming[node as usize].push(transition),
            false => self.open.push(transition),
        }
    }

    /// What points at a node that is no leaf any more is to be moved down.
    fn reopen(&mut self, node: u32) {
        if let Some(incoming) = self.incoming.get_mut(node as usize) {
            let incoming = std::mem::take(incoming);
            let transitions = &self.transitions;
            let stays = incoming.into_iter().filter(|t| transitions[*t] == node);
            self.open.extend(stays);
        }
    }

    /// Moves open transitions down. An empty leaf that one reaches becomes a state.
    fn settle(&mut self, depth: Depth, oracle: &mut dyn Membership) -> Result<(), Stopped> {
        let mut waiting = Vec::new();
        while let Some(transition) = self.open.pop() {
            let node = self.transitions[transition];
            if self.tree.is_leaf(node) {
                continue;
            }
            let node = self.sift(transition, node, depth, oracle)?;
            if !self.tree.is_leaf(node) {
                self.transitions[transition] = node;
                waiting.push(transition);
                continue;
            }
            self.point(transition, node);
            if self.tree.is_empty_leaf(node) {
                let accepting = self.tree.side(node);
                self.add_state(Some(transition), node, accepting);
            }
        }
        self.open = waiting;
        Ok(())
    }

    fn sift(
        &self,
        transition: usize,
        mut node: u32,
        depth: Depth,
        oracle: &mut dyn Membership,
    ) -> Result<u32, Stopped> {
        let mut word = self.word(transition);
        let length = word.len();
        while let Node::Inner {
            suffix, temporary, ..
        } = self.tree.node(node)
        {
            if *temporary && depth == Depth::Block {
                return Ok(node);
            }
            word.truncate(length);
            word.extend_from_slice(suffix);
            node = self.tree.child(node, oracle.member(&word)?);
        }
        Ok(node)
    }

    fn dfa(&self) -> Dfa {
        let target = |node: &u32| self.tree.state(*node).unwrap_or(0);
        let targets = self.transitions.iter().map(target).collect();
        let accepting = self.states.iter().map(|s| s.accepting).collect();
        Dfa::new(self.symbols, 0, accepting, targets)
    }

    /// Splits the leaf where a counterexample shows that it stands for two states.
    fn split(&mut self, word: &[Symbol], oracle: &mut dyn Membership) -> Result<bool, Stopped> {
        self.settle(Depth::Leaf, oracle)?;
        let Some(at) = breakpoint(word, self, oracle)? else {
            return Ok(false);
        };
        let transition = at.state as usize * self.symbols as usize + at.symbol as usize;
        let old = self.step(at.state, at.symbol);
        let leaf = self.states[old as usize].leaf;
        let (old_leaf, new_leaf) = self.tree.split(leaf, &word[at.rest..], at.member);
        self.tree.occupy(old_leaf, old);
        self.reopen(leaf);
        self.states[old as usize].leaf = old_leaf;
        self.point_home(old);
        let accepting = self.states[old as usize].accepting;
        self.add_state(Some(transition), new_leaf, accepting);
        Ok(true)
    }

    /// The transition that ends a state's access sequence leads to it, whatever the tree.
    fn point_home(&mut self, state: u32) {
        let State { home, leaf, .. } = self.states[state as usize];
        if let Some(home) = home {
            self.point(home, leaf);
        }
    }

    /// Cuts blocks by final suffixes until none is left.
    fn stabilise(&mut self, oracle: &mut dyn Membership) -> Result<(), Stopped> {
        loop {
            self.settle(Depth::Block, oracle)?;
            let blocks = self.tree.blocks();
            if blocks.is_empty() {
                return Ok(());
            }
            if blocks.into_iter().any(|block| self.cut(block)) {
                continue;
            }
            self.settle(Depth::Leaf, oracle)?;
            let split = match self.contradiction() {
                Some(word) => self.split(&word, oracle)?,
                None => false,
            };
            if !split {
                // Cannot be with a teacher that keeps to its answers: see the module's description.
                // Temporary suffixes do tell states apart, so making them final is sound.
                self.tree.finalise();
            }
        }
    }

    /// Cuts one block if some symbol leads its states to both sides of a final node.
    fn cut(&mut self, block: u32) -> bool {
        let members = self.tree.leaves(block);
        for symbol in 0..self.symbols {
            let slot = |state: u32| state as usize * self.symbols as usize + symbol as usize;
            let targets: Vec<u32> = members
                .iter()
                .map(|(_, state)| self.tree.top(self.transitions[slot(*state)]))
                .collect();
            let Some((splitter, sides)) = self.tree.part(&targets) else {
                continue;
            };
            let mut suffix = vec![symbol];
            suffix.extend_from_slice(self.tree.suffix(splitter));
            self.replace(block, suffix, &members, &sides);
            return true;
        }
        false
    }

    fn replace(&mut self, block: u32, suffix: Vec<Symbol>, members: &[(u32, u32)], sides: &[bool]) {
        let inside = self.tree.subtree(block);
        self.tree.cut(block, suffix, members, sides);
        // What pointed into the block starts again at its top, but for the access sequences.
        for at in 0..self.open.len() {
            let transition = self.open[at];
            if inside.contains(&self.transitions[transition]) {
                self.transitions[transition] = block;
            }
        }
        for node in inside {
            let incoming = self.incoming.get_mut(node as usize).map(std::mem::take);
            for transition in incoming.into_iter().flatten() {
                if self.transitions[transition] == node {
                    self.point(transition, block);
                }
            }
        }
        for (_, state) in members {
            self.point_home(*state);
        }
    }

    /// A state whose place in its block the conjecture contradicts, as a counterexample.
    fn contradiction(&mut self) -> Option<Vec<Symbol>> {
        for block in self.tree.blocks() {
            for (leaf, state) in self.tree.leaves(block) {
                let above = self.tree.path(leaf);
                let mut above = above.take_while(|(node, _)| self.tree.is_temporary(*node));
                let wrong = above.find(|(node, member)| {
                    let suffix = self.tree.suffix(*node).iter();
                    let end = suffix.fold(state, |state, symbol| self.step(state, *symbol));
                    self.accepting(end) != *member
                });
                if let Some((node, _)) = wrong {
                    let mut word = self.access(state);
                    word.extend_from_slice(self.tree.suffix(node));
                    return Some(word);
                }
            }
        }
        None
    }
}

impl Hypothesis for Ttt {
    fn step(&self, state: u32, symbol: Symbol) -> u32 {
        let transition = state as usize * self.symbols as usize + symbol as usize;
        self.tree.state(self.transitions[transition]).unwrap_or(0)
    }

    fn accepting(&self, state: u32) -> bool {
        self.states[state as usize].accepting
    }

    fn access(&self, state: u32) -> Vec<Symbol> {
        self.states[state as usize].access.clone()
    }
}

impl Learner for Ttt {
    fn conjecture(&mut self, oracle: &mut dyn Membership) -> Result<Dfa, Stopped> {
        if self.states.is_empty() {
            self.begin(oracle)?;
        }
        Ok(self.dfa())
    }

    fn refine(&mut self, word: &[Symbol], oracle: &mut dyn Membership) -> Result<bool, Stopped> {
        if self.states.is_empty() {
            self.begin(oracle)?;
        }
        if !self.split(word, oracle)? {
            return Ok(false);
        }
        self.stabilise(oracle)?;
        self.settle(Depth::Leaf, oracle)?;
        Ok(true)
    }

    fn states(&self) -> usize {
        self.states.len()
    }
}
