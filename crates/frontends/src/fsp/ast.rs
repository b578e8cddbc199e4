//! What a file says, before anything is evaluated.
//!
//! Chains that a user may make long (sums, label parts, action prefixes, conjunctions) are flat
//! lists here, so that neither evaluation nor dropping recurses along them. What does nest is
//! limited by the parser.

use std::rc::Rc;

use suppose_source::Span;

/// A name with its place.
#[derive(Clone, Debug)]
pub(super) struct Ident {
    pub(super) text: Rc<str>,
    pub(super) span: Span,
}

/// An integer expression in postfix order.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) ops: Vec<Op>,
    pub(super) span: Span,
}

impl Expr {
    /// The name, if the expression is nothing else.
    pub(super) fn as_name(&self) -> Option<&Rc<str>> {
        match self.ops.as_slice() {
            [
                Op {
                    kind: OpKind::Name(name),
                    ..
                },
            ] => Some(name),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Op {
    pub(super) kind: OpKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum OpKind {
    Int(i64),
    /// A variable (lower case), or a constant or parameter (upper case).
    Name(Rc<str>),
    /// `'label`
    Label(LabelExpr),
    /// `#set`: how many labels.
    Size(LabelExpr),
    /// `@(set, index)`: the label at the index on the stack.
    Select(LabelExpr),
    Negate,
    Not,
    Binary(Binary),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// One or more labels: parts joined by dots or indices.
#[derive(Clone, Debug)]
pub(super) struct LabelExpr {
    pub(super) parts: Vec<LabelPart>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum LabelPart {
    Name(Ident),
    Set(SetExpr),
    /// `S\{a}`
    Difference(SetExpr, SetExpr),
    Index(Index),
}

#[derive(Clone, Debug)]
pub(super) enum SetExpr {
    Literal(Vec<LabelExpr>, Span),
    Named(Ident),
}

/// An index in square brackets.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// `i:` before the domain.
    pub(super) variable: Option<Ident>,
    pub(super) domain: Domain,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Domain {
    /// A value, or the name of a range or a set.
    Value(Expr),
    Range(Expr, Expr),
    Set(SetExpr),
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: Ident,
    pub(super) default: Expr,
}

#[derive(Clone, Debug)]
pub(super) enum Relabel {
    Pair {
        new: LabelExpr,
        old: LabelExpr,
    },
    ForAll {
        ranges: Vec<Index>,
        inner: Vec<Relabel>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Hiding {
    /// `@`: the named stay, all others are hidden.
    pub(super) expose: bool,
    pub(super) set: SetExpr,
}

impl Hiding {
    /// What the named labels are named for.
    pub(super) fn purpose(&self) -> &'static str {
        match self.expose {
            true => "keep visible",
            false => "hide",
        }
    }
}

/// The words before a definition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Modifiers {
    pub(super) deterministic: bool,
    pub(super) minimal: bool,
    pub(super) compose: bool,
    pub(super) property: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: Ident,
    pub(super) modifiers: Modifiers,
    pub(super) parameters: Vec<Parameter>,
    /// The first is the process itself.
    pub(super) locals: Vec<Local>,
    pub(super) extension: Option<SetExpr>,
    pub(super) relabels: Vec<Relabel>,
    pub(super) hiding: Option<Hiding>,
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: Ident,
    pub(super) indices: Vec<Index>,
    pub(super) body: Body,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Choice(Vec<Branch>),
    If {
        condition: Expr,
        then: Box<Body>,
        /// Without it: STOP.
        otherwise: Option<Box<Body>>,
    },
    Refer(Reference),
}

/// `P(1); Q; LOCAL[i]`
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) before: Vec<Instance>,
    pub(super) name: Ident,
    pub(super) indices: Vec<Expr>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) guard: Option<Expr>,
    /// At least one.
    pub(super) actions: Vec<LabelExpr>,
    pub(super) next: Body,
}

/// A process or composition with actual parameters.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) name: Ident,
    pub(super) arguments: Option<Vec<Expr>>,
}

#[derive(Clone, Debug)]
pub(super) struct Composite {
    pub(super) name: Ident,
    pub(super) modifiers: Modifiers,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: CompositeBody,
    /// Low (`>>`) or high (`<<`), and the labels.
    pub(super) priority: Option<(bool, SetExpr)>,
    pub(super) hiding: Option<Hiding>,
}

#[derive(Clone, Debug)]
pub(super) enum CompositeBody {
    If {
        condition: Expr,
        then: Box<CompositeBody>,
        otherwise: Option<Box<CompositeBody>>,
    },
    ForAll {
        ranges: Vec<Index>,
        inner: Box<CompositeBody>,
    },
    Part(Part),
}

/// `{a,b}::c:( ... )/{new/old}`
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) share: Option<LabelExpr>,
    pub(super) prefix: Option<LabelExpr>,
    pub(super) what: PartKind,
    pub(super) relabels: Vec<Relabel>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum PartKind {
    One(Instance),
    Group(Vec<CompositeBody>),
}

#[derive(Clone, Debug)]
pub(super) struct Fluent {
    pub(super) name: Ident,
    pub(super) ranges: Vec<Index>,
    pub(super) starts: LabelExpr,
    pub(super) ends: LabelExpr,
    pub(super) initially: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClaimKind {
    Assert,
    Constraint,
    LtlProperty,
}

/// A formula with a name.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) kind: ClaimKind,
    pub(super) name: Ident,
    pub(super) parameters: Vec<Parameter>,
    pub(super) formula: Formula,
    pub(super) extension: Option<SetExpr>,
}

#[derive(Clone, Debug)]
pub(super) enum Formula {
    Not(Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    /// A fluent, with indices, or another claim, with arguments.
    Name {
        name: Ident,
        indices: Vec<Index>,
        arguments: Option<Vec<Expr>>,
    },
    Actions(LabelExpr),
    /// For all, or (`exists`) for some.
    Quantified {
        exists: bool,
        ranges: Vec<Index>,
        inner: Box<Formula>,
    },
    Rigid(Expr),
}

/// `progress P[i:R] = if {..} then {..}`
#[derive(Clone, Debug)]
pub(super) struct Progress {
    pub(super) name: Ident,
    pub(super) indices: Vec<Index>,
    /// The actions after `if`.
    pub(super) condition: Option<LabelExpr>,
    pub(super) actions: LabelExpr,
}

/// `import P = "file.aut"`
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) name: Ident,
    /// The file's name as it is written.
    pub(super) file: Ident,
}

#[derive(Clone, Debug)]
pub(super) enum Item {
    Const(Ident, Expr),
    Range(Ident, Expr, Expr),
    Set(Ident, SetExpr),
    Process(Process),
    Composite(Composite),
    Fluent(Fluent),
    Claim(Claim),
    Progress(Progress),
    Import(Import),
}
