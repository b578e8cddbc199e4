//! The tree of a program, with names not yet resolved and inlines already put in.

use suppose_model::program::{Binary, Type, Unary};
pub(super) use suppose_source::Ident;
use suppose_source::Span;

use super::lexer::Sym;

/// A variable, an element of an array, or a field: `a[1].b`.
#[derive(Clone, Debug)]
pub(super) struct VarRef {
    pub(super) parts: Vec<Part>,
    pub(super) span: Span,
}

/// A name with an index.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: Ident,
    pub(super) index: Option<Expr>,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Const(i32),
    Var(VarRef),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Chains of `&&` or `||`, which programs make long.
    Chain(Binary, Vec<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Len(VarRef),
    Full(VarRef),
    Empty(VarRef),
    Nfull(VarRef),
    Nempty(VarRef),
    Poll {
        channel: VarRef,
        patterns: Vec<Pattern>,
        any: bool,
    },
    Run {
        proctype: Ident,
        arguments: Vec<Expr>,
        priority: Option<u8>,
    },
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    Timeout,
    Nonprogress,
    RemoteLabel {
        proctype: Ident,
        process: Option<Box<Expr>>,
        label: Ident,
    },
    RemoteVar {
        proctype: Ident,
        process: Option<Box<Expr>>,
        variable: VarRef,
    },
    /// An operator of temporal logic; only inside `ltl`.
    Temporal(Temporal, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Temporal {
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
}

/// A field of a receive.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Var(VarRef),
    Eval(Expr),
    Const(i32),
}

/// What comes between the separators of a sequence.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Decl(Decl),
    Stmt(Box<Stmt>),
    Unless(Box<(Stmt, Stmt)>),
    /// `xr` (true) or `xs`, and what it is about: a promise of the process.
    Exclusive(bool, VarRef),
}

/// `type a, b = 1, c[2]`.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub(super) hidden: bool,
    pub(super) ty: DeclType,
    pub(super) variables: Vec<Variable>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum DeclType {
    /// `unsigned` has its width at the variable, an `mtype` its list by name.
    Scalar(Type),
    Mtype(Option<Ident>),
    Struct(Ident),
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Ident,
    /// `unsigned x : 3`.
    pub(super) bits: Option<(i64, Span)>,
    pub(super) length: Option<Expr>,
    pub(super) init: Option<Init>,
    /// The declaration as written.
    pub(super) text: String,
}

#[derive(Clone, Debug)]
pub(super) enum Init {
    Expr(Expr),
    List(Vec<Expr>),
    Channel {
        capacity: Expr,
        fields: Vec<DeclType>,
        span: Span,
    },
}

/// A statement, its labels, and how it was written.
#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) labels: Vec<Ident>,
    pub(super) kind: StmtKind,
    pub(super) span: Span,
    pub(super) text: String,
}

pub(super) type Sequence = Vec<Step>;

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Expr(Expr),
    Else,
    Print,
    Assert(Expr),
    Assign(VarRef, Expr),
    /// `x++` with 1, `x--` with -1.
    Count(VarRef, i32),
    SetPriority(Expr, Expr),
    Send {
        channel: VarRef,
        values: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        channel: VarRef,
        patterns: Vec<Pattern>,
        any: bool,
        keep: bool,
    },
    Goto(Ident),
    Break,
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    For {
        variable: VarRef,
        range: Range,
        body: Sequence,
    },
    /// `plain` is the form with two numbers, which SPIN makes an `if` of.
    Select {
        variable: VarRef,
        low: Expr,
        high: Expr,
        plain: bool,
    },
    Atomic(Sequence),
    DStep(Sequence),
    Block(Sequence),
}

#[derive(Clone, Debug)]
pub(super) enum Range {
    Between(Expr, Expr),
    In(VarRef),
}

#[derive(Clone, Debug)]
pub(super) struct Proctype {
    /// None for `init`.
    pub(super) name: Ident,
    /// How many at the start.
    pub(super) active: Option<Expr>,
    pub(super) parameters: Vec<Decl>,
    pub(super) priority: Option<u8>,
    pub(super) provided: Option<Expr>,
    pub(super) body: Sequence,
    /// From `active` or `proctype` to the closing brace.
    pub(super) span: Span,
    /// How many declarations of shared variables precede it.
    pub(super) globals: usize,
    /// From brace to brace.
    pub(super) body_span: Span,
    /// The closing brace.
    pub(super) end: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Never {
    pub(super) name: Option<Ident>,
    pub(super) body: Sequence,
    /// Does it ask about progress with `np_`?
    pub(super) progress: bool,
    pub(super) span: Span,
    pub(super) end: Span,
}

/// A `trace` or `notrace`.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The keyword, which is its name.
    pub(super) name: Ident,
    pub(super) forbidden: bool,
    pub(super) body: Sequence,
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) end: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Ltl {
    pub(super) name: Option<Ident>,
    pub(super) formula: Expr,
    /// Does it ask about progress with `np_`?
    pub(super) progress: bool,
    pub(super) text: String,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Typedef {
    pub(super) name: Ident,
    pub(super) fields: Vec<Decl>,
}

/// The names of a declaration of symbolic constants.
#[derive(Clone, Debug)]
pub(super) struct Symbols {
    pub(super) subtype: Option<Ident>,
    pub(super) names: Vec<Ident>,
}

/// A whole program. Each list is in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) typedefs: Vec<Typedef>,
    pub(super) symbols: Vec<Symbols>,
    pub(super) globals: Vec<Decl>,
    pub(super) proctypes: Vec<Proctype>,
    pub(super) nevers: Vec<Never>,
    pub(super) ltls: Vec<Ltl>,
    /// Labels that are looked at from outside, with their proctypes.
    pub(super) watched: Vec<(Sym, Sym)>,
    /// `trace` and `notrace`.
    pub(super) traces: Vec<Trace>,
    /// What has a body, in the order of the text.
    pub(super) bodies: Vec<BodyOf>,
}

/// What a body is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyOf {
    Proctype,
    Never,
    Trace,
}
