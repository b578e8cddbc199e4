//! The store of expressions.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use suppose_source::Span;

use super::sorts::{self, IllTyped};
use super::value::{Sort, Type, Value};

/// A variable, by its number in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

impl VarId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression, by its number in its [`Exprs`]. Equal expressions of one store have equal numbers, and the parts of
/// an expression have smaller numbers than it has: a loop over the numbers visits parts before wholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

impl ExprId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operators on two values. Boolean ones work bit by bit on words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `->`; true where the first is false, even if the second fails, and where the second is true.
    Implies,
    /// `<->`.
    Iff,
    /// `xor`.
    Xor,
    /// `xnor`.
    Xnor,
    /// `=`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `+`; words wrap around.
    Add,
    /// `-`; words wrap around.
    Subtract,
    /// `*`; words wrap around.
    Multiply,
    /// `/`, towards zero; fails on zero.
    Divide,
    /// `mod`, with the sign of the first; fails on zero.
    Modulo,
    /// `<<`, by a number or an unsigned word from 0 to the width; fails outside.
    ShiftLeft,
    /// `>>`, which fills signed words with their sign; fails as `<<` does.
    ShiftRight,
    /// `::`, of two words; the first has the high bits. Unsigned.
    Concatenate,
    /// `in`: every value of the first set is in the second.
    In,
    /// `max`, of numbers.
    Max,
    /// `min`, of numbers.
    Min,
}

/// Operators that change the sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cast {
    /// `bool`: of a number (is it not 0?), a word of one bit, or a boolean.
    Bool,
    /// `word1`: of a boolean.
    Word1,
    /// `toint`: of a boolean, a number or a word.
    ToInt,
    /// `signed`: the same bits.
    Signed,
    /// `unsigned`: the same bits.
    Unsigned,
    /// `extend`: this many bits more, copies of the sign if signed, else zero.
    Extend(u32),
    /// `resize`: to this many bits. Cut, a signed word keeps its sign bit.
    Resize(u32),
    /// `abs`: of a number.
    Abs,
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvaluationError {
    /// No condition of a `case` is true.
    NoCase(Span),
    /// An array has no element of that number.
    NoElement(Span),
}

/// An expression's outermost part. The store holds only those that have a sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Value(Value),
    /// A variable now (of an input: in the step from now).
    Current(VarId),
    /// A variable in the next state; never an input.
    Next(VarId),
    /// `!`.
    Not(ExprId),
    /// `-` before its operand.
    Negate(ExprId),
    /// `&` of two or more; false where one is false, even if another fails.
    And(Box<[ExprId]>),
    /// `|` of two or more; true where one is true, even if another fails.
    Or(Box<[ExprId]>),
    /// An operator on two.
    Binary(BinaryOp, ExprId, ExprId),
    /// The second if the first is true, else the third. `case` is a chain of these that may end in `EvaluationError`.
    Ite(ExprId, ExprId, ExprId),
    /// All values of one or more expressions: `{a, b}`, `a union b`, `1..3`. A choice in assignments.
    Set(Box<[ExprId]>),
    /// `w[high : low]`, unsigned.
    Bits(ExprId, u32, u32),
    /// An operator that changes the sort.
    Cast(Cast, ExprId),
    /// `count`: how many of one or more are true.
    Count(Box<[ExprId]>),
    /// No value.
    EvaluationError(EvaluationError),
}

#[derive(Clone, Copy, Debug)]
struct Fact {
    sort: Sort,
    is_set: bool,
    may_fail: bool,
    has_next: bool,
}

/// The expressions of a system, each once.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Vec<Node>,
    facts: Vec<Fact>,
    table: HashTable<u32>,
    sorts: Vec<Sort>,
    inputs: Vec<bool>,
}

fn hash(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node)
}

impl Exprs {
    /// No expression yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Variables must be declared here before they occur in expressions; [`super::System::add_variable`] does it.
    pub(super) fn declare(&mut self, ty: &Type, is_input: bool) -> VarId {
        self.sorts.push(ty.sort());
        self.inputs.push(is_input);
        VarId(self.sorts.len() as u32 - 1)
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The outermost part of an expression.
    pub fn node(&self, expr: ExprId) -> &Node {
        &self.nodes[expr.index()]
    }

    /// What its value can be; of a set, its members'.
    pub fn sort(&self, expr: ExprId) -> Sort {
        self.facts[expr.index()].sort
    }

    /// Can it have several values at once? Such an expression occurs only in sets, branches, `in` and assignments.
    pub fn is_set(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].is_set
    }

    /// Does it contain an operator that can fail? If not, it has a value everywhere.
    pub fn may_fail(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].may_fail
    }

    /// Does it mention the next state?
    pub fn has_next(&self, expr: ExprId) -> bool {
        self.facts[expr.index()].has_next
    }

    /// Is it a boolean with one value?
    pub fn is_boolean(&self, expr: ExprId) -> bool {
        let fact = self.facts[expr.index()];
        matches!(fact.sort, Sort::Boolean | Sort::Nothing) && !fact.is_set
    }

    pub(super) fn variable_sort(&self, var: VarId) -> Option<Sort> {
        self.sorts.get(var.index()).copied()
    }

    pub(super) fn is_input(&self, var: VarId) -> bool {
        self.inputs.get(var.index()).copied().unwrap_or(false)
    }

    /// The expression with this outermost part, or why it has no sort.
    pub fn make(&mut self, node: Node) -> Result<ExprId, IllTyped> {
        let key = hash(&node);
        if let Some(&found) = self.table.find(key, |&i| self.nodes[i as usize] == node) {
            return Ok(ExprId(found));
        }
        let (sort, is_set) = sorts::sort(self, &node)?;
        let mut fact = Fact {
            sort,
            is_set,
            may_fail: sorts::fails_itself(self, &node),
            has_next: matches!(node, Node::Next(_)),
        };
        for part in parts(&node) {
            fact.may_fail |= self.may_fail(part);
            fact.has_next |= self.has_next(part);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node);
        self.facts.push(fact);
        let nodes = &self.nodes;
        self.table
            .insert_unique(key, number, |&i| hash(&nodes[i as usize]));
        Ok(ExprId(number))
    }

    /// A constant.
    pub fn value(&mut self, value: Value) -> ExprId {
        self.make_right(Node::Value(value))
    }

    /// True or false.
    pub fn truth(&mut self, truth: bool) -> ExprId {
        self.value(Value::Bool(truth))
    }

    /// A variable now.
    pub fn current(&mut self, var: VarId) -> ExprId {
        self.make_right(Node::Current(var))
    }

    /// A variable in the next state.
    pub fn next(&mut self, var: VarId) -> ExprId {
        self.make_right(Node::Next(var))
    }

    /// The negation of a boolean.
    pub fn not(&mut self, expr: ExprId) -> ExprId {
        self.make_right(Node::Not(expr))
    }

    /// All of some booleans.
    pub fn and(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let parts: Box<[ExprId]> = parts.into_iter().collect();
        match *parts {
            [] => self.truth(true),
            [one] => one,
            _ => self.make_right(Node::And(parts)),
        }
    }

    /// One of some booleans.
    pub fn or(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let parts: Box<[ExprId]> = parts.into_iter().collect();
        match *parts {
            [] => self.truth(false),
            [one] => one,
            _ => self.make_right(Node::Or(parts)),
        }
    }

    /// Are two expressions of one sort equal?
    pub fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.make_right(Node::Binary(BinaryOp::Equal, a, b))
    }

    /// For expressions that are known to have a sort. Should one have none, it fails wherever it is evaluated.
    pub(super) fn make_right(&mut self, node: Node) -> ExprId {
        let made = self.make(node);
        debug_assert!(made.is_ok(), "{made:?}");
        let nothing = Node::EvaluationError(EvaluationError::NoCase(Span::default()));
        match made {
            Ok(expr) => expr,
            Err(_) => match self.make(nothing) {
                Ok(expr) => expr,
                Err(_) => ExprId(0),
            },
        }
    }
}

/// The direct parts of an expression.
pub fn parts(node: &Node) -> impl Iterator<Item = ExprId> + '_ {
    let (few, many): ([Option<ExprId>; 3], &[ExprId]) = match node {
        Node::Value(_) | Node::Current(_) | Node::Next(_) | Node::EvaluationError(_) => {
            ([None; 3], &[])
        }
        Node::Not(a) | Node::Negate(a) | Node::Bits(a, ..) | Node::Cast(_, a) => {
            ([Some(*a), None, None], &[])
        }
        Node::Binary(_, a, b) => ([Some(*a), Some(*b), None], &[]),
        Node::Ite(a, b, c) => ([Some(*a), Some(*b), Some(*c)], &[]),
        Node::And(all) | Node::Or(all) | Node::Set(all) | Node::Count(all) => ([None; 3], all),
    };
    few.into_iter().flatten().chain(many.iter().copied())
}
