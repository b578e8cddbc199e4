//! What the parser makes of a program: statements as written, types resolved.

use std::rc::Rc;

use suppose_number::Int;
use suppose_source::Span;

use super::types::{BinaryOp, IntType};

pub(super) use super::shapes::{Length, Shapes, Type};

/// The first value of a variable.
#[derive(Clone, Debug)]
pub(super) enum Init {
    Value(Expr),
    /// Values in braces, each with the way to what it is for, if that is given.
    List(Vec<(Vec<Designator>, Init)>, Span),
}

/// A part of an initialiser's way: `.name` or `[3]`.
#[derive(Clone, Debug)]
pub(super) enum Designator {
    Field(Rc<str>),
    Index(u64),
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
    /// A text with its bytes, the 0 at its end included.
    Text(Rc<[u8]>),
    Name(Rc<str>),
    Index(Box<Expr>, Box<Expr>),
    Member(Box<Expr>, Rc<str>),
    Deref(Box<Expr>),
    Address(Box<Expr>),
    SizeOf(Box<Expr>),
    /// gcc's `({ ... })`.
    Block(Rc<[Stmt]>),
    /// A call of what an expression gives, which is no name of a function.
    CallPointer(Box<Expr>, Vec<Expr>),
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
            ExprKind::Number(..)
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Block(_) => Vec::new(),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Member(a, _)
            | ExprKind::Deref(a)
            | ExprKind::Address(a)
            | ExprKind::Step { target: a, .. } => {
                vec![a]
            }
            ExprKind::CallPointer(callee, arguments) => {
                std::iter::once(&**callee).chain(arguments).collect()
            }
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
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
    /// Something that is refused if it can be reached: what it is.
    Unsupported(&'static str),
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
    pub(super) ty: Type,
    pub(super) init: Option<Init>,
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
