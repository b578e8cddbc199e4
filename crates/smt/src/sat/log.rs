//! Why each clause holds: the clauses ever used, each with its reason.
//!
//! This is what cores weakened by arithmetic and proofs are read off. A node refers to earlier nodes
//! only, so the log is a derivation in order. What no living clause depends on is dropped by
//! [`Log::compact`]; everything lies in one array of words.

use suppose_number::Rat;

use super::lit::Lit;

/// A clause in the log.
pub(crate) type NodeId = u32;

/// Why a clause holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It says what a formula means, or that one is asserted.
    Input,
    /// By arithmetic, with factors.
    Farkas,
    /// By arithmetic and rounding, with factors; the conclusion is the last literal.
    Cut,
    /// Two bounds of one linear form exclude each other: by arithmetic, with factors that are known from the
    /// atoms.
    Unate,
    /// By unit propagation from its antecedents.
    Derived,
}

#[derive(Debug, Default)]
pub(crate) struct Log {
    /// For each node: kind and number of literals, the literals; then for `Derived` the number of antecedents
    /// and these, for `Farkas` and `Cut` the number of the factors.
    words: Vec<u32>,
    starts: Vec<u32>,
    factors: Vec<Box<[Rat]>>,
}

const KINDS: [Kind; 5] = [
    Kind::Input,
    Kind::Farkas,
    Kind::Cut,
    Kind::Unate,
    Kind::Derived,
];

impl Log {
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Its size in words.
    pub(crate) fn size(&self) -> usize {
        self.words.len()
    }

    fn begin(&mut self, kind: Kind, lits: &[Lit]) -> NodeId {
        self.starts.push(self.words.len() as u32);
        self.words.push((lits.len() as u32) << 3 | kind as u32);
        self.words.extend(lits.iter().map(|l| l.0));
        self.starts.len() as u32 - 1
    }

    pub(crate) fn plain(&mut self, kind: Kind, lits: &[Lit]) -> NodeId {
        debug_assert!(matches!(kind, Kind::Input | Kind::Unate));
        self.begin(kind, lits)
    }

    pub(crate) fn lemma(&mut self, kind: Kind, lits: &[Lit], factors: Vec<Rat>) -> NodeId {
        debug_assert!(matches!(kind, Kind::Farkas | Kind::Cut));
        let node = self.begin(kind, lits);
        self.words.push(self.factors.len() as u32);
        self.factors.push(factors.into_boxed_slice());
        node
    }

    pub(crate) fn derived(&mut self, lits: &[Lit], antecedents: &[NodeId]) -> NodeId {
        let node = self.begin(Kind::Derived, lits);
        self.words.push(antecedents.len() as u32);
        self.words.extend_from_slice(antecedents);
        node
    }

    pub(crate) fn kind(&self, node: NodeId) -> Kind {
        KINDS[(self.words[self.starts[node as usize] as usize] & 7) as usize]
    }

    fn span(&self, node: NodeId) -> (usize, usize) {
        let start = self.starts[node as usize] as usize;
        (start + 1, start + 1 + (self.words[start] >> 3) as usize)
    }

    pub(crate) fn lits(&self, node: NodeId) -> impl Iterator<Item = Lit> + '_ {
        let (from, to) = self.span(node);
        self.words[from..to].iter().map(|&w| Lit(w))
    }

    /// Of a `Derived` clause; none of others.
    pub(crate) fn antecedents(&self, node: NodeId) -> &[NodeId] {
        if self.kind(node) != Kind::Derived {
            return &[];
        }
        let (_, at) = self.span(node);
        &self.words[at + 1..at + 1 + self.words[at] as usize]
    }

    /// Of a `Farkas` or `Cut` clause; none of others.
    pub(crate) fn factors(&self, node: NodeId) -> &[Rat] {
        if !matches!(self.kind(node), Kind::Farkas | Kind::Cut) {
            return &[];
        }
        let (_, at) = self.span(node);
        &self.factors[self.words[at] as usize]
    }

    /// All nodes that some of these depend on, and these, in order.
    pub(crate) fn reachable(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<NodeId> = roots.to_vec();
        let mut all = Vec::new();
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                all.push(node);
                stack.extend_from_slice(self.antecedents(node));
            }
        }
        all.sort_unstable();
        all
    }

    /// Keeps what the given nodes depend on. The result has the new number of each node kept.
    pub(crate) fn compact(&mut self, live: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
        let mut keep = vec![false; self.len()];
        for node in live {
            keep[node as usize] = true;
        }
        for node in (0..self.len()).rev() {
            if keep[node] {
                for &antecedent in self.antecedents(node as u32) {
                    keep[antecedent as usize] = true;
                }
            }
        }
        let old = std::mem::take(self);
        let mut factors: Vec<Option<Box<[Rat]>>> = old.factors.into_iter().map(Some).collect();
        let mut map = vec![NodeId::MAX; keep.len()];
        for node in 0..keep.len() {
            if !keep[node] {
                continue;
            }
            let start = old.starts[node] as usize;
            let end = old
                .starts
                .get(node + 1)
                .map_or(old.words.len(), |&e| e as usize);
            let new = self.starts.len() as u32;
            map[node] = new;
            let at = self.words.len();
            self.starts.push(at as u32);
            self.words.extend_from_slice(&old.words[start..end]);
            let extra = at + 1 + (old.words[start] >> 3) as usize;
            match KINDS[(old.words[start] & 7) as usize] {
                Kind::Derived => {
                    for word in &mut self.words[extra + 1..] {
                        *word = map[*word as usize];
                    }
                }
                Kind::Farkas | Kind::Cut => {
                    let mine = factors[self.words[extra] as usize]
                        .take()
                        .unwrap_or_default();
                    self.words[extra] = self.factors.len() as u32;
                    self.factors.push(mine);
                }
                Kind::Input | Kind::Unate => {}
            }
        }
        map
    }
}
