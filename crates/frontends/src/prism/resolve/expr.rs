//! Names to numbers, types, and the computing of what is constant.

use std::cell::Cell;

use suppose_number::Rat;
use suppose_source::{Depth, Diagnostic, Span};

use super::super::ast::{Compare, Expr, ExprKind, Function, Type};
use super::super::lexer::{Names, Sym};
use super::super::term::{Term, TermKind};
use super::super::value::{self, Value};
use super::scope::{Meaning, Scope};

/// How the complaint about a constant without a value begins.
pub(super) const OPEN: &str = "the value of the constant";

/// New names for old ones, in a copied module.
pub(super) type Renaming = [(Sym, Sym)];

/// Calls for every name in an expression.
pub(super) fn names_in(expr: &Expr, each: &mut impl FnMut(Sym)) {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Label(_) => {}
        ExprKind::Name(name) => each(*name),
        ExprKind::Not(a) | ExprKind::Neg(a) => names_in(a, each),
        ExprKind::And(all) | ExprKind::Or(all) | ExprKind::Call(_, all) => {
            all.iter().for_each(|e| names_in(e, each));
        }
        ExprKind::Sum(all) | ExprKind::Product(all) => {
            all.iter().for_each(|(_, e)| names_in(e, each));
        }
        ExprKind::Compare(_, a, b) | ExprKind::Implies(a, b) | ExprKind::Iff(a, b) => {
            names_in(a, each);
            names_in(b, each);
        }
        ExprKind::Cond(a, b, c) => {
            names_in(a, each);
            names_in(b, each);
            names_in(c, each);
        }
        ExprKind::Probability(_) | ExprKind::Reward(_) => {}
    }
}

/// One use of the scope: counts what it makes.
struct Walk<'a> {
    scope: &'a Scope,
    names: &'a Names,
    depth: Depth,
    nodes: Cell<usize>,
}

impl Scope {
    /// The typed form of an expression, with names replaced first.
    pub(in super::super) fn resolve(
        &self,
        expr: &Expr,
        renaming: &Renaming,
        names: &Names,
    ) -> Result<Term, Diagnostic> {
        let walk = Walk {
            scope: self,
            names,
            depth: Depth::new(self.limits.depth.saturating_mul(2)),
            nodes: Cell::new(0),
        };
        walk.term(expr, renaming)
    }
}

type Made = Result<Term, Diagnostic>;

impl Walk<'_> {
    fn term(&self, expr: &Expr, renaming: &Renaming) -> Made {
        let span = expr.span;
        let _level = self.depth.enter().map_err(|deep| {
            let message = format!(
                "nested more than {} levels deep with its formulas",
                deep.limit
            );
            Diagnostic::error(span, message)
        })?;
        let nodes = self.nodes.get() + 1;
        self.nodes.set(nodes);
        if nodes > self.scope.limits.states {
            return Err(Diagnostic::error(
                span,
                "the expression becomes too large when its formulas are expanded",
            ));
        }
        let one = |e: &Expr| self.term(e, renaming);
        let made = match &expr.kind {
            ExprKind::Bool(b) => return Ok(Term::truth(*b, span)),
            ExprKind::Int(n) => return Ok(Term::int(*n, span)),
            ExprKind::Real(r) => return Ok(Term::real(r.clone(), span)),
            ExprKind::Name(name) => return self.name(*name, renaming, span),
            ExprKind::Label(_) | ExprKind::Probability(_) | ExprKind::Reward(_) => {
                return Err(Diagnostic::error(
                    span,
                    "this is a formula of a property and cannot be computed with",
                ));
            }
            ExprKind::Not(a) => {
                let a = self.condition(a, renaming)?;
                make(TermKind::Not(Box::new(a)), Type::Bool, span)
            }
            ExprKind::Neg(a) => {
                let a = numeric(one(a)?)?;
                let ty = a.ty;
                make(TermKind::Neg(Box::new(a)), ty, span)
            }
            ExprKind::And(all) => {
                let all = self.conditions(all, renaming)?;
                make(TermKind::And(all), Type::Bool, span)
            }
            ExprKind::Or(all) => {
                let all = self.conditions(all, renaming)?;
                make(TermKind::Or(all), Type::Bool, span)
            }
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.condition(a, renaming)?, self.condition(b, renaming)?);
                make(
                    TermKind::Implies(Box::new(a), Box::new(b)),
                    Type::Bool,
                    span,
                )
            }
            ExprKind::Iff(a, b) => {
                let (a, b) = (self.condition(a, renaming)?, self.condition(b, renaming)?);
                make(TermKind::Iff(Box::new(a), Box::new(b)), Type::Bool, span)
            }
            ExprKind::Sum(parts) => {
                let parts = self.marked(parts, renaming)?;
                let ty = join(parts.iter().map(|(_, t)| t.ty));
                make(TermKind::Sum(parts), ty, span)
            }
            ExprKind::Product(parts) => {
                let parts = self.marked(parts, renaming)?;
                let over = parts.iter().any(|(over, _)| *over);
                let ty = match over {
                    true => Type::Real,
                    false => join(parts.iter().map(|(_, t)| t.ty)),
                };
                make(TermKind::Product(parts), ty, span)
            }
            ExprKind::Compare(op, a, b) => compare(*op, one(a)?, one(b)?, span)?,
            ExprKind::Cond(test, then, otherwise) => {
                let test = self.condition(test, renaming)?;
                cond(test, one(then)?, one(otherwise)?, span)?
            }
            ExprKind::Call(function, arguments) => {
                let arguments: Result<Vec<Term>, _> =
                    arguments.iter().map(|a| numeric(one(a)?)).collect();
                call(*function, arguments?, span)?
            }
        };
        Ok(fold(made))
    }

    fn condition(&self, expr: &Expr, renaming: &Renaming) -> Made {
        super::expect_type(self.term(expr, renaming)?, Type::Bool, "this")
    }

    fn conditions(&self, all: &[Expr], renaming: &Renaming) -> Result<Vec<Term>, Diagnostic> {
        all.iter().map(|e| self.condition(e, renaming)).collect()
    }

    fn marked(
        &self,
        parts: &[(bool, Expr)],
        renaming: &Renaming,
    ) -> Result<Vec<(bool, Term)>, Diagnostic> {
        let one = |(mark, e): &(bool, Expr)| Ok((*mark, numeric(self.term(e, renaming)?)?));
        parts.iter().map(one).collect()
    }

    /// A formula is put in with the renaming applied inside, unless the formula itself is renamed.
    fn name(&self, name: Sym, renaming: &Renaming, span: Span) -> Made {
        let renamed = renaming.iter().find(|(old, _)| *old == name);
        let (name, inside) = match renamed {
            Some((_, new)) => (*new, &[] as &Renaming),
            None => (name, renaming),
        };
        let text = self.names.text(name);
        match self.scope.meanings.get(&name).map(|(meaning, _)| meaning) {
            None => Err(unknown(self.scope, self.names, text, span)),
            Some(Meaning::Open) => Err(Diagnostic::error(
                span,
                format!("{OPEN} `{text}` is not known"),
            )),
            Some(Meaning::Constant(value)) => Ok(Term {
                span,
                ..value.clone()
            }),
            Some(Meaning::Variable(number, ty)) => Ok(make(TermKind::Var(*number), *ty, span)),
            Some(Meaning::Formula(formula)) => {
                let (_, body) = &self.scope.formulas[*formula];
                // Its place is where it is used; what is inside keeps its own.
                Ok(Term {
                    span,
                    ..self.term(body, inside)?
                })
            }
        }
    }
}

fn unknown(scope: &Scope, names: &Names, text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{text}` is not declared"))
        .label("expected a variable, a constant or a formula")
        .did_you_mean(text, scope.meanings.keys().map(|name| names.text(*name)))
}

fn make(kind: TermKind, ty: Type, span: Span) -> Term {
    Term { kind, ty, span }
}

fn numeric(term: Term) -> Made {
    match term.ty {
        Type::Bool => {
            Err(Diagnostic::error(term.span, "a number is needed here")
                .label("this is a condition"))
        }
        _ => Ok(term),
    }
}

/// Double as soon as one is.
fn join(types: impl Iterator<Item = Type>) -> Type {
    match types.into_iter().any(|ty| ty == Type::Real) {
        true => Type::Real,
        false => Type::Int,
    }
}

fn compare(op: Compare, a: Term, b: Term, span: Span) -> Made {
    let equality = matches!(op, Compare::Eq | Compare::Ne);
    let both_bool = a.ty == Type::Bool && b.ty == Type::Bool;
    if (a.ty == Type::Bool) != (b.ty == Type::Bool) || (both_bool && !equality) {
        let message = format!(
            "values of type {} and {} cannot be compared so",
            a.ty.name(),
            b.ty.name()
        );
        return Err(Diagnostic::error(span, message));
    }
    Ok(make(
        TermKind::Compare(op, Box::new(a), Box::new(b)),
        Type::Bool,
        span,
    ))
}

fn cond(test: Term, then: Term, otherwise: Term, span: Span) -> Made {
    let ty = match (then.ty, otherwise.ty) {
        (a, b) if a == b => a,
        (Type::Bool, _) | (_, Type::Bool) => {
            return Err(Diagnostic::error(
                span,
                "one branch is a number, the other a condition",
            ));
        }
        _ => Type::Real,
    };
    let parts = (Box::new(test), Box::new(then), Box::new(otherwise));
    Ok(make(TermKind::Cond(parts.0, parts.1, parts.2), ty, span))
}

fn call(function: Function, arguments: Vec<Term>, span: Span) -> Made {
    let ty = match function {
        Function::Min | Function::Max | Function::Pow => join(arguments.iter().map(|a| a.ty)),
        Function::Floor | Function::Ceil | Function::Round => Type::Int,
        Function::Log => Type::Real,
        Function::Mod => {
            if let Some(real) = arguments.iter().find(|a| a.ty != Type::Int) {
                return Err(Diagnostic::error(real.span, "`mod` takes integers"));
            }
            Type::Int
        }
    };
    Ok(make(TermKind::Call(function, arguments), ty, span))
}

/// Computes a term whose parts are literals; what has no value stays, and is reported where it is used.
/// Connectives that one part decides are decided.
pub(in super::super) fn fold(mut term: Term) -> Term {
    let span = term.span;
    if term.parts().iter().all(|p| p.is_literal()) {
        return match value::evaluate(&term, &|_| None) {
            Ok(Value::Bool(b)) => Term::truth(b, span),
            Ok(Value::Int(n)) if term.ty == Type::Real => Term::real(Rat::from(n), span),
            Ok(Value::Int(n)) => Term::int(n, span),
            Ok(Value::Real(r)) => Term::real(r, span),
            _ => term,
        };
    }
    let truth = |t: &Term| match t.kind {
        TermKind::Bool(b) => Some(b),
        _ => None,
    };
    match &mut term.kind {
        TermKind::And(parts) => junction(parts, true, span).unwrap_or(term),
        TermKind::Or(parts) => junction(parts, false, span).unwrap_or(term),
        TermKind::Cond(test, then, otherwise) if then.ty == otherwise.ty => match truth(test) {
            Some(true) => (**then).clone(),
            Some(false) => (**otherwise).clone(),
            None => term,
        },
        TermKind::Implies(a, b) => match truth(a) {
            Some(false) => Term::truth(true, span),
            Some(true) => (**b).clone(),
            None => term,
        },
        _ => term,
    }
}

/// `unit` is what changes nothing: `true` for `&`. Flattens chains of the same kind.
fn junction(parts: &mut Vec<Term>, unit: bool, span: Span) -> Option<Term> {
    let is = |t: &Term, b: bool| matches!(t.kind, TermKind::Bool(v) if v == b);
    // What comes before decides first, so only a prefix without other parts may be cut.
    if let Some(at) = parts.iter().position(|p| is(p, !unit)) {
        parts.truncate(at + 1);
    }
    parts.retain(|p| !is(p, unit));
    if parts.iter().any(|p| nested(p, unit)) {
        let old = std::mem::take(parts);
        for part in old {
            match part.kind {
                TermKind::And(inner) if unit => parts.extend(inner),
                TermKind::Or(inner) if !unit => parts.extend(inner),
                _ => parts.push(part),
            }
        }
    }
    match parts.len() {
        0 => Some(Term::truth(unit, span)),
        1 => parts.pop(),
        _ => None,
    }
}

fn nested(term: &Term, unit: bool) -> bool {
    match term.kind {
        TermKind::And(_) => unit,
        TermKind::Or(_) => !unit,
        _ => false,
    }
}
