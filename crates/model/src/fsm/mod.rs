//! Finite-domain transition systems, as NuSMV has them.
//!
//! A [`System`] has typed variables and says by expressions which states are initial, which steps there are and what
//! holds in every state; fairness says which infinite runs count, and properties ask for verdicts. Hierarchies, arrays
//! and processes are gone: a front-end flattens them, and keeps their names.
//!
//! - A *state* gives every state and frozen variable a value such that all of [`System::invariant`] and the
//!   combinational assignments hold. Steps from a state choose values for the inputs too.
//! - *Initial* are the states where [`System::init`] and the `init` assignments hold.
//! - There is a *step* `(s, i, t)` between states `s` and `t` with inputs `i` where [`System::transition`] and the `next`
//!   assignments hold and frozen variables keep their values.
//! - An assignment holds where the variable's value is one of those of the expression.
//! - An infinite run is *fair* if every justice constraint holds in infinitely many of its steps `(s, i)`, and for every
//!   pair of compassion, if the first holds in infinitely many then the second does.
//! - A CTL formula holds if it holds in all initial states from which there is a fair run, with quantifiers over fair
//!   runs; an LTL formula if it holds on all fair runs from initial states; an invariant in all reachable states (or
//!   steps, if it mentions inputs or the next state), whether fair or not.
//! - A state without a step is a *deadlock*: no run, fair or not, continues from there. CTL means little then,
//!   so reachable deadlocks must be searched for and reported.
//!
//! Expressions can fail (`case` without a true condition, division by zero, an assignment of a value outside the type).
//! Systems are meant to be such that none does under any valuation, reachable or not; what a front-end could not show
//! itself is left in [`System::obligations`] for engines to look at before they do anything else.
//!
//! [`Simulator`] runs systems state by state, plainly; it replays counterexamples.

mod answer;
mod compute;
mod cone;
mod defined;
mod eval;
mod evidence;
mod expr;
mod formula;
mod print;
mod simulate;
mod solve;
mod sorts;
mod support;
mod value;
mod word;

use suppose_source::Span;

pub use answer::{Answer, Basis, Claim, Effort, Refutation, Verdict};
pub use compute::Fault;
pub use cone::Cone;
pub use eval::{Evaluator, Valuation, Values};
pub use evidence::{Cluster, Decision, Decisions, Proof, Shows, Trace};
pub use expr::{BinaryOp, Cast, EvaluationError, ExprId, Exprs, Node, VarId, parts};
pub use formula::{
    Bound, Branch, Connective, Formula, FormulaId, Formulas, Linear, LinearPair, Quantifier,
    parts as formula_parts,
};
pub use print::Printer;
pub use simulate::{Edge, Graph, Simulator, Successor};
pub use solve::{Inputs, State, Stopped};
pub use sorts::IllTyped;
pub use support::Support;
pub use value::{Sort, Symbol, Symbols, Type, Value};
pub use word::Word;

/// Which SMV a system was written in: the same text can mean different systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// NuSMV 2.6.
    #[default]
    NuSmv,
    /// The SMV of Carnegie Mellon: 0 and 1 are booleans, `!` and `mod` bind looser, and there is no LTL.
    Old,
}

/// How a variable changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// `VAR`: a part of the state.
    State,
    /// `FROZENVAR`: a part of the state that keeps its first value.
    Frozen,
    /// `IVAR`: chosen in every step; not part of the state.
    Input,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its whole name: `p1.buffer[3]`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// State variable, input or frozen.
    pub kind: VariableKind,
    /// Where it is declared.
    pub span: Span,
    /// Its place among the inputs, or among the other variables.
    pub slot: usize,
}

/// When an assignment holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// `init(x) := e`: in initial states.
    Init,
    /// `next(x) := e`: in the next state, with `e` evaluated in the step.
    Next,
    /// `x := e`: in every state.
    Always,
}

/// The variable has one of the values of the expression.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The variable; no input. Each has at most one assignment of a kind, and `Always` alone.
    pub var: VarId,
    /// Whether it gives the initial, the current or the next value.
    pub when: When,
    /// The expression; it may be a set, and only that of `Next` may mention inputs and next values. Assignments of one
    /// kind do not depend on each other in a circle within one state.
    pub value: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// A boolean expression that holds in initial states, steps, or all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The expression.
    pub expr: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// A name for an expression.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its whole name.
    pub name: String,
    /// The expression.
    pub expr: ExprId,
    /// Where it is written.
    pub span: Span,
}

/// Which infinite runs count. The expressions may mention inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Infinitely often.
    Justice(ExprId),
    /// If the first infinitely often, then the second too.
    Compassion(ExprId, ExprId),
}

/// The property of a specification, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `CTLSPEC`.
    Ctl(FormulaId),
    /// `LTLSPEC`.
    Ltl(FormulaId),
    /// `INVARSPEC`.
    Invariant(ExprId),
    /// `COMPUTE MIN [from, to]`: the length of a shortest path from a reachable state of the first set to one of the second, where only
    /// states from which there is a fair run count.
    ComputeMin(FormulaId, FormulaId),
    /// `COMPUTE MAX [from, to]`: that of a longest one through such states before the second set is reached.
    ComputeMax(FormulaId, FormulaId),
}

/// A property of the system.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name given to it with `NAME`.
    pub name: Option<String>,
    /// The instance it is written for; empty for the main module.
    pub context: String,
    /// The formula, by its kind.
    pub question: Question,
    /// Where it is written.
    pub span: Span,
}

/// Something that must be true under every valuation for the system to make sense.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// A boolean expression that never fails, see [`Exprs::defined`]; may mention inputs and next values.
    pub claim: ExprId,
    /// What has no value where the claim is false.
    pub subject: Subject,
    /// Where it is written.
    pub span: Span,
}

/// What an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The expression fails.
    Expression(ExprId),
    /// The expression, assigned to the variable, fails or has a value that is not of its type.
    Assignment(VarId, ExprId),
}

/// A finite-domain transition system with its properties.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The name shown in reports.
    pub name: String,
    /// Constants of enumerations.
    pub symbols: Symbols,
    /// Its variables, by [`VarId`].
    pub variables: Vec<Variable>,
    /// Its expressions.
    pub exprs: Exprs,
    /// Its formulas.
    pub formulas: Formulas,
    /// Names for expressions, in the order of the text.
    pub defines: Vec<Define>,
    /// Constraints on initial states in addition to `invariant`: no next values, no inputs.
    pub init: Vec<Constraint>,
    /// What every state satisfies: no next values, no inputs.
    pub invariant: Vec<Constraint>,
    /// What every step satisfies.
    pub transition: Vec<Constraint>,
    /// Assignments: constraints too, that say of which variable.
    pub assignments: Vec<Assignment>,
    /// Which infinite runs count.
    pub fairness: Vec<Fairness>,
    /// The properties.
    pub properties: Vec<Property>,
    /// Proof obligations that every property depends on.
    pub obligations: Vec<Obligation>,
}

impl System {
    /// Adds a variable.
    pub fn add_variable(&mut self, name: &str, ty: Type, kind: VariableKind, span: Span) -> VarId {
        let is_input = kind == VariableKind::Input;
        let same = |v: &&Variable| (v.kind == VariableKind::Input) == is_input;
        let slot = self.variables.iter().rev().find(same);
        let slot = slot.map_or(0, |v| v.slot + 1);
        let var = self.exprs.declare(&ty, is_input);
        self.variables.push(Variable {
            name: name.to_owned(),
            ty,
            kind,
            span,
            slot,
        });
        var
    }

    /// A variable.
    pub fn variable(&self, var: VarId) -> &Variable {
        &self.variables[var.index()]
    }

    /// Is it an input?
    pub fn is_input(&self, var: VarId) -> bool {
        self.variable(var).kind == VariableKind::Input
    }

    /// All variables.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.variables.len() as u32).map(VarId)
    }

    /// State and frozen variables, in the order of their slots.
    pub fn state_vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars().filter(|v| !self.is_input(*v))
    }

    /// Inputs, in the order of their slots.
    pub fn inputs(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars().filter(|v| self.is_input(*v))
    }

    /// The assignment to a variable, if there is one.
    pub fn assignment(&self, var: VarId, when: When) -> Option<&Assignment> {
        let is = |a: &&Assignment| a.var == var && a.when == when;
        self.assignments.iter().find(is)
    }
}
