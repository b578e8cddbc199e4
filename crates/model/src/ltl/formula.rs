//! Formulas in negation normal form, each stored once.

use rustc_hash::FxHashMap;

/// A formula's number; equal formulas have equal numbers.
pub type Id = u32;

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always true.
    True,
    /// Never true.
    False,
    /// An atom, or (`false`) its negation.
    Literal(u32, bool),
    /// All of these (at least two, sorted).
    And(Box<[Id]>),
    /// One of these (at least two, sorted).
    Or(Box<[Id]>),
    /// At the next position.
    Next(Id),
    /// The second at some position, the first at all before it.
    Until(Id, Id),
    /// The second at all positions up to and with the first at which the first is true, if there is one.
    Release(Id, Id),
}

/// Formulas, each stored once. Constructors simplify, so a formula may look different from what was built.
#[derive(Clone, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Id>,
    negations: Vec<Option<Id>>,
    classes: Vec<Class>,
}

/// What a formula's form says about suffixes (Etessami and Holzmann, "Optimizing Büchi automata", CONCUR 2000).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// If a suffix of a word satisfies it, the word does.
    pub eventual: bool,
    /// If a word satisfies it, all its suffixes do.
    pub universal: bool,
}

impl Default for Formulas {
    fn default() -> Self {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            negations: Vec::new(),
            classes: Vec::new(),
        };
        formulas.intern(Node::True);
        formulas.intern(Node::False);
        formulas
    }
}

impl Formulas {
    /// True.
    pub const TRUE: Id = 0;
    /// False.
    pub const FALSE: Id = 1;

    /// What a formula is made of.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// How many different formulas there are, parts included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// There are always `true` and `false`.
    pub fn is_empty(&self) -> bool {
        false
    }

    pub(super) fn class(&self, id: Id) -> Class {
        self.classes[id as usize]
    }

    /// Both of a class: whether it is true does not depend on any finite prefix.
    pub(super) fn is_suspendable(&self, id: Id) -> bool {
        self.class(id).eventual && self.class(id).universal
    }

    pub(super) fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = self.nodes.len() as Id;
        self.classes.push(self.classify(&node));
        self.nodes.push(node.clone());
        self.negations.push(None);
        self.ids.insert(node, id);
        id
    }

    fn classify(&self, node: &Node) -> Class {
        let of = |id: &Id| self.classes[*id as usize];
        let both = |a: &Id, b: &Id| Class {
            eventual: of(a).eventual && of(b).eventual,
            universal: of(a).universal && of(b).universal,
        };
        match node {
            Node::True | Node::False => Class {
                eventual: true,
                universal: true,
            },
            Node::Literal(..) => Class {
                eventual: false,
                universal: false,
            },
            Node::And(ids) | Node::Or(ids) => Class {
                eventual: ids.iter().all(|id| of(id).eventual),
                universal: ids.iter().all(|id| of(id).universal),
            },
            Node::Next(inner) => of(inner),
            Node::Until(left, right) => {
                let class = both(left, right);
                Class {
                    eventual: class.eventual || *left == Self::TRUE,
                    universal: class.universal,
                }
            }
            Node::Release(left, right) => {
                let class = both(left, right);
                Class {
                    eventual: class.eventual,
                    universal: class.universal || *left == Self::FALSE,
                }
            }
        }
    }

    /// True or false.
    pub fn constant(&self, value: bool) -> Id {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// An atom or its negation.
    pub fn literal(&mut self, atom: u32, positive: bool) -> Id {
        self.intern(Node::Literal(atom, positive))
    }

    /// The negation, if it was built before. Building it while a formula is simplified might not terminate.
    pub(super) fn known_negation(&mut self, id: Id) -> Option<Id> {
        match *self.node(id) {
            Node::Literal(atom, positive) => Some(self.literal(atom, !positive)),
            _ => self.negations[id as usize],
        }
    }

    /// The negation.
    pub fn not(&mut self, id: Id) -> Id {
        if let Some(negation) = self.negations[id as usize] {
            return negation;
        }
        let negation = match self.node(id).clone() {
            Node::True => Self::FALSE,
            Node::False => Self::TRUE,
            Node::Literal(atom, positive) => self.literal(atom, !positive),
            Node::And(ids) => {
                let parts = ids.iter().map(|id| self.not(*id)).collect();
                self.or(parts)
            }
            Node::Or(ids) => {
                let parts = ids.iter().map(|id| self.not(*id)).collect();
                self.and(parts)
            }
            Node::Next(inner) => {
                let inner = self.not(inner);
                self.next(inner)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.release(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.until(left, right)
            }
        };
        self.negations[id as usize] = Some(negation);
        self.negations[negation as usize].get_or_insert(id);
        negation
    }

    /// `left -> right`
    pub fn implies(&mut self, left: Id, right: Id) -> Id {
        let left = self.not(left);
        self.or(vec![left, right])
    }

    /// `left <-> right`
    pub fn equivalent(&mut self, left: Id, right: Id) -> Id {
        let (not_left, not_right) = (self.not(left), self.not(right));
        let one = self.or(vec![not_left, right]);
        let other = self.or(vec![left, not_right]);
        self.and(vec![one, other])
    }

    /// `<> inner`
    pub fn eventually(&mut self, inner: Id) -> Id {
        self.until(Self::TRUE, inner)
    }

    /// `[] inner`
    pub fn always(&mut self, inner: Id) -> Id {
        self.release(Self::FALSE, inner)
    }

    /// `left U right || [] left`, that is, `right R (left || right)`.
    pub fn weak_until(&mut self, left: Id, right: Id) -> Id {
        let either = self.or(vec![left, right]);
        self.release(right, either)
    }

    /// All formulas that this one is made of, itself included.
    pub fn parts(&self, root: Id) -> Vec<Id> {
        let mut seen = vec![false; self.nodes.len()];
        let mut pending = vec![root];
        let mut parts = Vec::new();
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            parts.push(id);
            match self.node(id) {
                Node::True | Node::False | Node::Literal(..) => {}
                Node::And(ids) | Node::Or(ids) => pending.extend(ids.iter()),
                Node::Next(inner) => pending.push(*inner),
                Node::Until(left, right) | Node::Release(left, right) => {
                    pending.extend([left, right]);
                }
            }
        }
        parts.sort_unstable();
        parts
    }

    /// One more than the highest atom in it.
    pub fn atoms(&self, root: Id) -> u32 {
        let atom = |id: Id| match self.node(id) {
            Node::Literal(atom, _) => atom + 1,
            _ => 0,
        };
        self.parts(root).into_iter().map(atom).max().unwrap_or(0)
    }

    /// Is there no `Until` in it? Then a word that violates it has a finite prefix all of whose continuations do.
    pub fn is_safe(&self, root: Id) -> bool {
        let parts = self.parts(root);
        !parts
            .iter()
            .any(|id| matches!(self.node(*id), Node::Until(..)))
    }
}
