//! And-inverter graphs.

use rustc_hash::FxHashMap;

/// A wire: a node of a circuit, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The constant false.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// A constant.
    pub fn constant(truth: bool) -> Lit {
        Lit(u32::from(truth))
    }

    /// The wire of a node, negated or not.
    pub fn new(node: usize, negated: bool) -> Lit {
        Lit((node as u32) << 1 | u32::from(negated))
    }

    /// The number of its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Is it the negation of its node?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Is it true or false whatever the inputs are?
    pub fn is_constant(self) -> bool {
        self.node() == 0
    }

    /// This wire, or its negation if the truth is false.
    pub fn when(self, truth: bool) -> Lit {
        Lit(self.0 ^ u32::from(!truth))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// False: the node 0, and no other.
    False,
    /// An input, by its number.
    Input(u32),
    /// True if both are; the first is the smaller one.
    And(Lit, Lit),
}

/// Gates, each once. Parts of a node have smaller numbers than it has, so a loop over the numbers visits parts before wholes.
#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    known: FxHashMap<(Lit, Lit), u32>,
    inputs: Vec<u32>,
}

impl Default for Circuit {
    fn default() -> Self {
        Circuit::new()
    }
}

impl Circuit {
    /// No gates yet.
    pub fn new() -> Self {
        Circuit {
            gates: vec![Gate::False],
            known: FxHashMap::default(),
            inputs: Vec::new(),
        }
    }

    /// How many nodes there are, the constant and inputs among them.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Nothing but the constant?
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// What a node is.
    pub fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The wire of an input.
    pub fn input_lit(&self, input: usize) -> Lit {
        Lit::new(self.inputs[input] as usize, false)
    }

    /// A new input.
    pub fn input(&mut self) -> Lit {
        let number = self.inputs.len() as u32;
        self.inputs.push(self.gates.len() as u32);
        self.gates.push(Gate::Input(number));
        Lit::new(self.gates.len() - 1, false)
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        let fresh = self.gates.len() as u32;
        let node = *self.known.entry((a, b)).or_insert(fresh);
        if node == fresh {
            self.gates.push(Gate::And(a, b));
        }
        Lit::new(node as usize, false)
    }

    /// One of the two, or both.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// One of the two and not the other.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.is_constant() {
            return b.when(a == Lit::FALSE);
        }
        if b.is_constant() {
            return a.when(b == Lit::FALSE);
        }
        let (first, second) = (self.and(a, !b), self.and(!a, b));
        self.or(first, second)
    }

    /// Both or none.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// The second if the first is true.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        self.or(!a, b)
    }

    /// The second if the first is true, else the third.
    pub fn ite(&mut self, test: Lit, a: Lit, b: Lit) -> Lit {
        if a == b || test == Lit::TRUE {
            return a;
        }
        if test == Lit::FALSE {
            return b;
        }
        if a == !b {
            return self.iff(test, a);
        }
        let (first, second) = (self.and(test, a), self.and(!test, b));
        self.or(first, second)
    }

    /// All of them.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut so_far = Lit::TRUE;
        for lit in lits {
            so_far = self.and(so_far, lit);
        }
        so_far
    }

    /// One of them at least.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut none = Lit::TRUE;
        for lit in lits {
            none = self.and(none, !lit);
        }
        !none
    }

    /// The nodes that wires depend on, in order of their numbers: parts before wholes. The constant is not among them.
    pub fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<usize> {
        let mut seen = vec![false; self.gates.len()];
        let mut open: Vec<usize> = roots.into_iter().map(Lit::node).collect();
        while let Some(node) = open.pop() {
            if node != 0
                && !std::mem::replace(&mut seen[node], true)
                && let Gate::And(a, b) = self.gates[node]
            {
                open.extend([a.node(), b.node()]);
            }
        }
        (0..seen.len()).filter(|node| seen[*node]).collect()
    }

    /// The truth of every node, from that of the inputs by their numbers.
    pub fn evaluate(&self, input: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut truth: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let of = |lit: Lit| truth[lit.node()] != lit.is_negated();
            let here = match *gate {
                Gate::False => false,
                Gate::Input(number) => input(number as usize),
                Gate::And(a, b) => of(a) && of(b),
            };
            truth.push(here);
        }
        truth
    }
}
