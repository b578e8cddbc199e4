//! Properties.

use suppose_model::fsm::{BinaryOp, Bound, Connective, Formula, FormulaId, Property, Question};
use suppose_source::Diagnostic;

use super::super::ast::{ChainOp, Expr, ExprKind, Range, SpecDecl, SpecKind};
use super::psl::branches;
use super::{Flattener, Lowered, Scope};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Logic {
    Ctl,
    Ltl,
}

impl<'a> Flattener<'a> {
    pub(super) fn properties(&mut self) {
        for scope in 0..self.instances.len() {
            let module = self.instances[scope].module;
            for spec in &module.specs {
                let question = self.question(scope, &spec.kind);
                if let Some(question) = self.keep(question) {
                    self.property(scope, spec, question);
                }
                if self.errors.len() >= super::ERRORS {
                    return;
                }
            }
        }
    }

    fn property(&mut self, scope: Scope, spec: &SpecDecl, question: Question) {
        let prefix = &self.instances[scope].prefix;
        let context = prefix.strip_suffix('.').unwrap_or("").to_owned();
        let name = spec.name.map(|n| self.text(n.name).to_owned());
        let first = self
            .system
            .properties
            .iter()
            .find(|p| name.is_some() && p.name == name && p.context == context);
        if let (Some(first), Some(ident)) = (first, spec.name) {
            let message = format!("two properties are called `{}`", self.text(ident.name));
            self.errors.push(
                Diagnostic::error(ident.span, message)
                    .label("expected another name")
                    .note(first.span, "the first one is here"),
            );
        }
        self.system.properties.push(Property {
            name,
            context,
            question,
            span: spec.span,
        });
    }

    fn question(&mut self, scope: Scope, kind: &'a SpecKind) -> Lowered<Question> {
        match kind {
            SpecKind::Ctl(expr) => Ok(Question::Ctl(self.formula(scope, expr, Logic::Ctl)?)),
            SpecKind::Ltl(expr) => Ok(Question::Ltl(self.formula(scope, expr, Logic::Ltl)?)),
            SpecKind::Psl(expr) => match branches(expr) {
                true => Ok(Question::Ctl(self.formula(scope, expr, Logic::Ctl)?)),
                false => Ok(Question::Ltl(self.formula(scope, expr, Logic::Ltl)?)),
            },
            SpecKind::Invariant(expr) => {
                let it = self.condition(scope, expr, "INVARSPEC")?;
                self.must_be_defined(it, expr.span);
                Ok(Question::Invariant(it))
            }
            SpecKind::ComputeMin(from, to) => Ok(Question::ComputeMin(
                self.formula(scope, from, Logic::Ctl)?,
                self.formula(scope, to, Logic::Ctl)?,
            )),
            SpecKind::ComputeMax(from, to) => Ok(Question::ComputeMax(
                self.formula(scope, from, Logic::Ctl)?,
                self.formula(scope, to, Logic::Ctl)?,
            )),
        }
    }

    pub(super) fn make_formula(&mut self, node: Formula) -> FormulaId {
        self.system.formulas.make(node)
    }

    pub(super) fn formula(
        &mut self,
        scope: Scope,
        expr: &'a Expr,
        logic: Logic,
    ) -> Lowered<FormulaId> {
        if !expr.temporal {
            return self.atom(scope, expr, logic);
        }
        match &expr.kind {
            ExprKind::Not(a) => {
                let a = self.formula(scope, a, logic)?;
                Ok(self.make_formula(Formula::Not(a)))
            }
            ExprKind::Implies(all) => {
                let mut lowered = Vec::new();
                for part in all {
                    lowered.push(self.formula(scope, part, logic)?);
                }
                let mut parts = lowered.into_iter().rev();
                let last = parts.next().ok_or_else(|| self.misplaced(expr))?;
                Ok(parts.fold(last, |right, left| {
                    self.make_formula(Formula::Connective(Connective::Implies, left, right))
                }))
            }
            ExprKind::Chain(first, rest) => self.formula_chain(scope, first, rest, logic),
            ExprKind::Branch(quantifier, branch, bound, a) => {
                self.only(logic, Logic::Ctl, expr)?;
                let bound = self.bound(scope, bound.as_ref())?;
                let a = self.formula(scope, a, logic)?;
                Ok(self.make_formula(Formula::Branch(*quantifier, *branch, bound, a)))
            }
            ExprKind::BranchUntil(quantifier, bound, both) => {
                self.only(logic, Logic::Ctl, expr)?;
                let bound = self.bound(scope, bound.as_ref())?;
                let a = self.formula(scope, &both.0, logic)?;
                let b = self.formula(scope, &both.1, logic)?;
                Ok(self.make_formula(Formula::BranchUntil(*quantifier, bound, a, b)))
            }
            ExprKind::Linear(op, bound, a) => {
                self.only(logic, Logic::Ltl, expr)?;
                let bound = self.bound(scope, bound.as_ref())?;
                let a = self.formula(scope, a, logic)?;
                Ok(self.make_formula(Formula::Linear(*op, bound, a)))
            }
            ExprKind::Psl(op, all) => {
                self.only(logic, Logic::Ltl, expr)?;
                self.psl(scope, *op, all, expr)
            }
            _ => Err(self.misplaced(expr)),
        }
    }

    pub(super) fn misplaced(&self, expr: &Expr) -> Diagnostic {
        Diagnostic::error(expr.span, "a temporal operator occurs inside an expression")
            .label("expected an expression without temporal operators")
            .help("formulas are combined by `!`, `&`, `|`, `xor`, `xnor`, `->` and `<->`")
    }

    fn only(&self, found: Logic, wanted: Logic, expr: &Expr) -> Lowered<()> {
        if found == wanted {
            return Ok(());
        }
        let (message, help) = match wanted {
            Logic::Ctl => (
                "a CTL operator occurs in an LTL formula",
                "use `G`, `F`, `X` and `U`, or write CTLSPEC",
            ),
            Logic::Ltl => (
                "an LTL operator occurs in a CTL formula",
                "use `AG`, `EF` and their like, or write LTLSPEC",
            ),
        };
        Err(Diagnostic::error(expr.span, message)
            .label("expected an operator of the other kind")
            .help(help))
    }

    fn atom(&mut self, scope: Scope, expr: &'a Expr, logic: Logic) -> Lowered<FormulaId> {
        let atom = self.condition(scope, expr, "a part of a property")?;
        if logic == Logic::Ctl {
            self.no_next(atom, expr.span, "CTL")?;
            self.no_input(atom, expr.span, "CTL")?;
        }
        self.must_be_defined(atom, expr.span);
        Ok(self.make_formula(Formula::Atom(atom)))
    }

    fn formula_chain(
        &mut self,
        scope: Scope,
        first: &'a Expr,
        rest: &'a [(ChainOp, Expr)],
        logic: Logic,
    ) -> Lowered<FormulaId> {
        let mut left = self.formula(scope, first, logic)?;
        let mut at = 0;
        while let Some((op, part)) = rest.get(at) {
            let node = match op {
                ChainOp::And | ChainOp::Or => {
                    let run = rest[at..].iter().take_while(|(other, _)| other == op);
                    let mut all = vec![left];
                    for (_, part) in run {
                        all.push(self.formula(scope, part, logic)?);
                        at += 1;
                    }
                    left = self.make_formula(match op {
                        ChainOp::And => Formula::And(all.into()),
                        _ => Formula::Or(all.into()),
                    });
                    continue;
                }
                ChainOp::Linear(op) => {
                    self.only(logic, Logic::Ltl, part)?;
                    Formula::LinearPair(*op, left, self.formula(scope, part, logic)?)
                }
                ChainOp::Binary(op) => {
                    let connective = match op {
                        BinaryOp::Iff | BinaryOp::Xnor => Connective::Iff,
                        BinaryOp::Xor => Connective::Xor,
                        _ => return Err(self.misplaced(part)),
                    };
                    Formula::Connective(connective, left, self.formula(scope, part, logic)?)
                }
                ChainOp::Union => return Err(self.misplaced(part)),
            };
            left = self.make_formula(node);
            at += 1;
        }
        Ok(left)
    }

    fn bound(&mut self, scope: Scope, range: Option<&'a Range>) -> Lowered<Option<Bound>> {
        let Some(range) = range else {
            return Ok(None);
        };
        let (a, b) = (
            self.constant_number(scope, &range.0)?,
            self.constant_number(scope, &range.1)?,
        );
        match (u32::try_from(a), u32::try_from(b)) {
            (Ok(low), Ok(high)) if low <= high => Ok(Some(Bound { low, high })),
            _ => Err(Diagnostic::error(
                range.0.span.to(range.1.span),
                format!("there is no number of steps from {a} to {b}"),
            )
            .label("expected two numbers, the smaller first, neither negative")),
        }
    }
}
