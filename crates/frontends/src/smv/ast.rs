//! The tree of an SMV text.

use suppose_model::fsm::{
    BinaryOp, Branch, Cast, Linear, LinearPair, Quantifier, VariableKind, When, Word,
};
pub(super) use suppose_source::Ident;
use suppose_source::Span;

use super::lexer::Sym;

/// An expression or a formula.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
    /// Does it contain a temporal operator?
    pub(super) temporal: bool,
}

/// From this many to this many; constants.
pub(super) type Range = Box<(Expr, Expr)>;

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Truth(bool),
    Number(i64),
    Word(Word),
    Name(Sym),
    Itself,
    Dot(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Bits(Box<Expr>, Range),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// Operators of one strength in a row, to be taken from the left.
    Chain(Box<Expr>, Vec<(ChainOp, Expr)>),
    /// `a -> b -> c`, to be taken from the right.
    Implies(Vec<Expr>),
    Choice(Box<(Expr, Expr, Expr)>),
    Case(Vec<(Expr, Expr)>),
    Set(Vec<Expr>),
    /// `1..3`.
    Range(Range),
    Next(Box<Expr>),
    Call(Function, Vec<Expr>),
    /// `[1, 2, 3]`, in definitions.
    Array(Vec<Expr>),
    Branch(Quantifier, Branch, Option<Range>, Box<Expr>),
    BranchUntil(Quantifier, Option<Range>, Box<(Expr, Expr)>),
    Linear(Linear, Option<Range>, Box<Expr>),
    /// An operator of PSL with its operands, and then its bounds, constants.
    Psl(PslOp, Vec<Expr>),
}

/// An operator of PSL that LTL has only in other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PslOp {
    /// The first until the second, which must come if `strong`; up to and with that moment if `inclusive`.
    Until { strong: bool, inclusive: bool },
    /// The first before the second, or at the same time if `inclusive`; it must come if `strong`.
    Before { strong: bool, inclusive: bool },
    /// After this many to this many steps, in every one of these moments or in one.
    Next { every: bool },
    /// At the event (the first operand) of this many to this many, in every one of these moments or in one, the second; they must come if `strong`.
    Event { every: bool, strong: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainOp {
    And,
    Or,
    Union,
    Binary(BinaryOp),
    Linear(LinearPair),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Cast(Cast),
    Extend,
    Resize,
    Sizeof,
    SignedConstant,
    UnsignedConstant,
    Count,
    Max,
    Min,
}

/// What a variable is declared to be.
#[derive(Clone, Debug)]
pub(super) enum TypeExpr {
    Boolean,
    Enumeration(Vec<Expr>),
    Range(Range),
    Word {
        signed: bool,
        width: Expr,
    },
    Array(Range, Box<TypeExpr>),
    Instance {
        module: Ident,
        arguments: Vec<Expr>,
        process: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) struct VarDecl {
    pub(super) name: Ident,
    pub(super) ty: TypeExpr,
    pub(super) kind: VariableKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct DefineDecl {
    pub(super) name: Ident,
    pub(super) body: Expr,
}

#[derive(Clone, Debug)]
pub(super) struct AssignDecl {
    pub(super) target: Expr,
    pub(super) when: When,
    pub(super) value: Expr,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Init,
    Invar,
    Trans,
}

#[derive(Clone, Debug)]
pub(super) enum FairDecl {
    Justice(Expr),
    Compassion(Expr, Expr),
}

#[derive(Clone, Debug)]
pub(super) enum SpecKind {
    Ctl(Expr),
    Ltl(Expr),
    Invariant(Expr),
    /// Of LTL or of CTL, as its operators are.
    Psl(Expr),
    ComputeMin(Expr, Expr),
    ComputeMax(Expr, Expr),
}

#[derive(Clone, Debug)]
pub(super) struct SpecDecl {
    pub(super) name: Option<Ident>,
    pub(super) kind: SpecKind,
    pub(super) span: Span,
}

/// A module. What `ISA` names is put in by the flattening.
#[derive(Clone, Debug)]
pub(super) struct Module {
    pub(super) name: Ident,
    pub(super) parameters: Vec<Ident>,
    pub(super) vars: Vec<VarDecl>,
    pub(super) defines: Vec<DefineDecl>,
    pub(super) constants: Vec<Ident>,
    pub(super) assigns: Vec<AssignDecl>,
    pub(super) constraints: Vec<(Section, Expr)>,
    pub(super) fairness: Vec<FairDecl>,
    pub(super) specs: Vec<SpecDecl>,
    pub(super) isa: Vec<Ident>,
}

impl Module {
    pub(super) fn new(name: Ident, parameters: Vec<Ident>) -> Self {
        Module {
            name,
            parameters,
            vars: Vec::new(),
            defines: Vec::new(),
            constants: Vec::new(),
            assigns: Vec::new(),
            constraints: Vec::new(),
            fairness: Vec::new(),
            specs: Vec::new(),
            isa: Vec::new(),
        }
    }
}
