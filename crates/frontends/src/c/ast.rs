//! What the parser makes of a program: statements as written, types resolved.

use std::rc::Rc;

use suppose_number::Int;
use suppose_source::Span;

use super::types::{BinaryOp, IntType};

/// A type. One that is not supported is described for the message that refuses its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Int(IntType),
    /// What it is, in the user's words: "a pointer". May be declared, not used.
    Other(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
}

/// More operators in a row than this are a list.
pub(super) const CHAIN: usize = 100;

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Plain(BinaryOp),
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
    /// Levels of nesting, so that everything after the parser may recurse.
    pub(super) depth: usize,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Number(Int, IntType),
    Text,
    Name(Rc<str>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Many operators in a row, each applied to the result of those before it: a list, as nothing may recurse into it that deep.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `++` and `--`.
    Step {
        target: Box<Expr>,
        op: BinaryOp,
        prefix: bool,
    },
    Call(Rc<str>, Vec<Expr>),
    Cast(Type, Box<Expr>),
}

impl Expr {
    pub(super) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(..) | ExprKind::Text | ExprKind::Name(_) => Vec::new(),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Step { target: a, .. } => {
                vec![a]
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Assign(_, a, b) => vec![a, b],
            ExprKind::Chain(first, rest) => {
                let rest = rest.iter().map(|(_, e)| e);
                std::iter::once(&**first).chain(rest).collect()
            }
            ExprKind::Conditional(a, b, c) => vec![a, b, c],
            ExprKind::Call(_, arguments) => arguments.iter().collect(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Empty,
    Expr(Expr),
    Decl(Vec<Decl>),
    Block(Vec<Stmt>),
    /// A chain of `else if`.
    If(Vec<(Expr, Stmt)>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For {
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch(Expr, Box<Stmt>),
    Case(Expr),
    Default,
    Label(Rc<str>),
    Goto(Rc<str>),
    Break,
    Continue,
    Return(Option<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Storage {
    #[default]
    Plain,
    Static,
    Extern,
    Typedef,
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub(super) name: Rc<str>,
    pub(super) ty: IntType,
    pub(super) init: Option<Expr>,
    pub(super) storage: Storage,
    pub(super) is_const: bool,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Option<Rc<str>>,
    pub(super) ty: Type,
    pub(super) span: Span,
}

/// A function, declared or defined.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: Rc<str>,
    pub(super) span: Span,
    pub(super) result: Type,
    pub(super) params: Vec<Param>,
    /// `f()` and `f(int, ...)` take any further arguments.
    pub(super) open: bool,
    pub(super) body: Option<Vec<Stmt>>,
    pub(super) end: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Item {
    Global(Decl),
    Function(Function),
}
