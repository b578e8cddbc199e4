//! Expressions with names resolved, formulas put in and types known.

use suppose_number::Rat;
use suppose_source::Span;

use super::ast::{Compare, Function, Type};
use super::resolve::fold;

/// A typed expression over variables by number.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    pub(super) ty: Type,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TermKind {
    Bool(bool),
    Int(i64),
    Real(Box<Rat>),
    Var(u32),
    Not(Box<Term>),
    Neg(Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    /// Terms with `-` marked.
    Sum(Vec<(bool, Term)>),
    /// Factors with `/` marked.
    Product(Vec<(bool, Term)>),
    Compare(Compare, Box<Term>, Box<Term>),
    Implies(Box<Term>, Box<Term>),
    Iff(Box<Term>, Box<Term>),
    Cond(Box<Term>, Box<Term>, Box<Term>),
    Call(Function, Vec<Term>),
}

impl Term {
    pub(super) fn truth(value: bool, span: Span) -> Term {
        Term {
            kind: TermKind::Bool(value),
            ty: Type::Bool,
            span,
        }
    }

    pub(super) fn int(value: i64, span: Span) -> Term {
        Term {
            kind: TermKind::Int(value),
            ty: Type::Int,
            span,
        }
    }

    pub(super) fn real(value: Rat, span: Span) -> Term {
        Term {
            kind: TermKind::Real(Box::new(value)),
            ty: Type::Real,
            span,
        }
    }

    /// A number or a truth value?
    pub(super) fn is_literal(&self) -> bool {
        matches!(
            self.kind,
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Real(_)
        )
    }

    /// Its direct parts.
    pub(super) fn parts(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Real(_) | TermKind::Var(_) => {
                Vec::new()
            }
            TermKind::Not(a) | TermKind::Neg(a) => vec![a],
            TermKind::And(all) | TermKind::Or(all) | TermKind::Call(_, all) => all.iter().collect(),
            TermKind::Sum(all) | TermKind::Product(all) => all.iter().map(|(_, t)| t).collect(),
            TermKind::Compare(_, a, b) | TermKind::Implies(a, b) | TermKind::Iff(a, b) => {
                vec![a, b]
            }
            TermKind::Cond(a, b, c) => vec![a, b, c],
        }
    }

    /// Calls for every variable that occurs, as often as it does.
    pub(super) fn variables(&self, each: &mut impl FnMut(u32, Span)) {
        if let TermKind::Var(v) = self.kind {
            each(v, self.span);
        }
        for part in self.parts() {
            part.variables(each);
        }
    }

    /// The parts of a conjunction, or the term alone.
    pub(super) fn conjuncts(&self) -> &[Term] {
        match &self.kind {
            TermKind::And(all) => all,
            _ => std::slice::from_ref(self),
        }
    }

    /// Substitutes constants for variables and folds constant subterms.
    pub(super) fn substitute(&self, chosen: &[(u32, i64)]) -> Term {
        let one = |t: &Term| Box::new(t.substitute(chosen));
        let all = |ts: &[Term]| ts.iter().map(|t| t.substitute(chosen)).collect();
        let marked = |ts: &[(bool, Term)]| {
            let one = |(mark, t): &(bool, Term)| (*mark, t.substitute(chosen));
            ts.iter().map(one).collect()
        };
        let kind = match &self.kind {
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Real(_) => return self.clone(),
            TermKind::Var(v) => {
                let Some((_, value)) = chosen.iter().find(|(c, _)| c == v) else {
                    return self.clone();
                };
                return match self.ty {
                    Type::Bool => Term::truth(*value != 0, self.span),
                    _ => Term::int(*value, self.span),
                };
            }
            TermKind::Not(a) => TermKind::Not(one(a)),
            TermKind::Neg(a) => TermKind::Neg(one(a)),
            TermKind::And(ts) => TermKind::And(all(ts)),
            TermKind::Or(ts) => TermKind::Or(all(ts)),
            TermKind::Sum(ts) => TermKind::Sum(marked(ts)),
            TermKind::Product(ts) => TermKind::Product(marked(ts)),
            TermKind::Compare(op, a, b) => TermKind::Compare(*op, one(a), one(b)),
            TermKind::Implies(a, b) => TermKind::Implies(one(a), one(b)),
            TermKind::Iff(a, b) => TermKind::Iff(one(a), one(b)),
            TermKind::Cond(a, b, c) => TermKind::Cond(one(a), one(b), one(c)),
            TermKind::Call(function, ts) => TermKind::Call(*function, all(ts)),
        };
        fold(Term {
            kind,
            ty: self.ty,
            span: self.span,
        })
    }
}
