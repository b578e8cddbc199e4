//! The tree of a model as it is written: names not resolved, formulas and renamings not put in.

use suppose_number::Rat;
pub(super) use suppose_source::Ident;
use suppose_source::Span;

use super::lexer::Sym;

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Bool(bool),
    Int(i64),
    Real(Rat),
    Name(Sym),
    /// `"ready"`: only in properties and labels.
    Label(Sym),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    /// Chains are one node each: generated models make them long.
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// Terms with `-` marked.
    Sum(Vec<(bool, Expr)>),
    /// Factors with `/` marked.
    Product(Vec<(bool, Expr)>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    Implies(Box<Expr>, Box<Expr>),
    Iff(Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// `P<=0.1 [ ... ]`: only in properties.
    Probability(Box<Probability>),
    /// `R{"time"}<=5 [ ... ]`: only in properties.
    Reward(Box<Reward>),
}

/// `R{"time"}max=? [ F "done" ]`.
#[derive(Clone, Debug)]
pub(super) struct Reward {
    pub(super) structure: Structure,
    pub(super) optimum: Option<Optimum>,
    /// None: what is the expected reward?
    pub(super) bound: Option<(Compare, Expr)>,
    pub(super) path: RewardPath,
}

/// Which reward structure.
#[derive(Clone, Debug)]
pub(super) enum Structure {
    /// `R`: the first one.
    First,
    /// `R{"time"}`
    Named(Ident),
    /// `R{2}`
    Number(Expr),
}

/// What is added up.
#[derive(Clone, Debug)]
pub(super) enum RewardPath {
    /// `F "done"`
    Reach(Expr),
    /// `C<=5`
    Cumulative(Expr),
    /// `I=5`
    Instant(Expr),
}

/// `P<=0.1 [ path ]`, `Pmax=? [ path ]`.
#[derive(Clone, Debug)]
pub(super) struct Probability {
    pub(super) optimum: Option<Optimum>,
    /// None: what is the probability?
    pub(super) bound: Option<(Compare, Expr)>,
    pub(super) path: Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Optimum {
    Min,
    Max,
}

/// What is said of a path. A bound is a number of steps, and `true` when it is not part of it.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Next(Expr),
    Until(Expr, Expr, Option<StepBound>),
    Eventually(Expr, Option<StepBound>),
    Always(Expr, Option<StepBound>),
    WeakUntil(Expr, Expr, Option<StepBound>),
    Release(Expr, Expr, Option<StepBound>),
}

/// When something is to come true.
#[derive(Clone, Debug)]
pub(super) enum StepBound {
    /// `<=k`, or `<k` when strict.
    AtMost(Expr, bool),
    /// `>=k`, or `>k` when strict.
    AtLeast(Expr, bool),
    /// `=k`
    Exactly(Expr),
    /// `[a,b]`
    Between(Expr, Expr),
}

/// One property of a file or of the command line.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: Option<Ident>,
    pub(super) span: Span,
    /// Or why it is not decided here.
    pub(super) body: Result<Expr, String>,
    /// `filter(max, ..., "init")`: of the values in all initial states.
    pub(super) over: Option<Optimum>,
}

/// A file of properties.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties {
    pub(super) constants: Vec<Constant>,
    pub(super) labels: Vec<Definition>,
    pub(super) properties: Vec<Property>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Min,
    Max,
    Floor,
    Ceil,
    Round,
    Pow,
    Mod,
    Log,
}

impl Function {
    /// The function of that name.
    pub(super) fn of(name: &str) -> Option<Function> {
        Some(match name {
            "min" => Function::Min,
            "max" => Function::Max,
            "floor" => Function::Floor,
            "ceil" => Function::Ceil,
            "round" => Function::Round,
            "pow" => Function::Pow,
            "mod" => Function::Mod,
            "log" => Function::Log,
            _ => return None,
        })
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Round => "round",
            Function::Pow => "pow",
            Function::Mod => "mod",
            Function::Log => "log",
        }
    }
}

/// The type of a constant, a formula or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int,
    Real,
}

impl Type {
    pub(super) fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Real => "double",
        }
    }
}

/// `const int N = 3;`
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) name: Ident,
    pub(super) ty: Type,
    pub(super) value: Option<Expr>,
}

/// `formula f = x + 1;` and `label "l" = x = 1;`
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: Ident,
    pub(super) value: Expr,
}

/// What a variable holds.
#[derive(Clone, Debug)]
pub(super) enum Range {
    Bool,
    /// `int` without bounds.
    Int,
    Between(Expr, Expr),
}

/// `x : [0..7] init 0;`
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Ident,
    pub(super) range: Range,
    pub(super) init: Option<Expr>,
}

/// `[a] g -> p : u + q : v;`
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) action: Option<Ident>,
    pub(super) guard: Expr,
    pub(super) updates: Vec<Update>,
    pub(super) span: Span,
}

/// A probability, 1 if none is written, and what is assigned with it.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) probability: Option<Expr>,
    pub(super) assignments: Vec<(Ident, Expr)>,
    pub(super) span: Span,
}

/// A module, or a copy of one with other names.
#[derive(Clone, Debug)]
pub(super) enum Module {
    Plain(Plain),
    Renamed(Renamed),
}

impl Module {
    pub(super) fn name(&self) -> Ident {
        match self {
            Module::Plain(it) => it.name,
            Module::Renamed(it) => it.name,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) name: Ident,
    pub(super) variables: Vec<Variable>,
    pub(super) commands: Vec<Command>,
}

#[derive(Clone, Debug)]
pub(super) struct Renamed {
    pub(super) name: Ident,
    pub(super) base: Ident,
    pub(super) pairs: Vec<(Ident, Ident)>,
}

/// `system ... endsystem`.
#[derive(Clone, Debug)]
pub(super) enum Composition {
    Module(Ident),
    /// `||`: on all common actions.
    Parallel(Vec<Composition>),
    /// `|||`
    Interleave(Vec<Composition>),
    /// `|[a, b]|`
    On(Box<Composition>, Vec<Ident>, Box<Composition>),
    /// `/ {a, b}`
    Hide(Box<Composition>, Vec<Ident>),
    /// `{a <- b}`
    Rename(Box<Composition>, Vec<(Ident, Ident)>),
}

/// Of several enabled commands, who chooses?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelType {
    /// Anyone: nondeterminism.
    Mdp,
    /// Chance, each with the same probability.
    Dtmc,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub(super) ty: Option<ModelType>,
    pub(super) constants: Vec<Constant>,
    pub(super) formulas: Vec<Definition>,
    pub(super) labels: Vec<Definition>,
    pub(super) globals: Vec<Variable>,
    pub(super) modules: Vec<Module>,
    pub(super) init: Option<Expr>,
    pub(super) system: Option<(Composition, Span)>,
    pub(super) rewards: Vec<RewardStructure>,
}

/// `rewards "time" ... endrewards`.
#[derive(Clone, Debug)]
pub(super) struct RewardStructure {
    /// None: it has no name.
    pub(super) name: Option<Ident>,
    pub(super) items: Vec<RewardItem>,
    pub(super) span: Span,
}

/// `x=1 : 5;` or `[go] x=1 : 5;`
#[derive(Clone, Debug)]
pub(super) struct RewardItem {
    pub(super) earner: Earner,
    pub(super) guard: Expr,
    pub(super) value: Expr,
}

/// What a reward is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Earner {
    /// Being in a state.
    State,
    /// A command without action.
    Silent,
    /// An action.
    Action(Ident),
}
