//! What has to hold for a system to make sense: no circles among assignments, and every expression has a value.

use rustc_hash::FxHashMap;
use suppose_model::fsm::{
    Evaluator, ExprId, Fault, Node, Obligation, Subject, Valuation, Value, VarId, When,
};
use suppose_source::{Diagnostic, Span};

use super::Flattener;

/// An obligation is examined under this many valuations at most; engines look at the others.
const VALUATIONS: u128 = 1 << 7;

/// All obligations together, counted in expressions evaluated.
const WORK: u64 = 50_000_000;

impl Flattener<'_> {
    pub(super) fn must_be_defined(&mut self, expr: ExprId, span: Span) {
        if !self.system.exprs.may_fail(expr) {
            return;
        }
        let claim = self.system.exprs.defined(expr);
        self.oblige(claim, Subject::Expression(expr), span);
    }

    pub(super) fn must_be_of_type(&mut self, var: VarId, value: ExprId, span: Span) {
        let ty = self.system.variable(var).ty.clone();
        let typed = self.system.exprs.of_type(value, &ty);
        let claim = match self.system.exprs.may_fail(value) {
            false => typed,
            true => {
                let defined = self.system.exprs.defined(value);
                self.system.exprs.and([defined, typed])
            }
        };
        self.oblige(claim, Subject::Assignment(var, value), span);
    }

    fn oblige(&mut self, claim: ExprId, subject: Subject, span: Span) {
        if !matches!(
            self.system.exprs.node(claim),
            Node::Value(Value::Bool(true))
        ) {
            self.system.obligations.push(Obligation {
                claim,
                subject,
                span,
            });
        }
    }

    pub(super) fn check(&mut self) {
        for when in [When::Init, When::Next, When::Always] {
            if let Some(error) = self.circle_of(when) {
                self.errors.push(error);
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let all = std::mem::take(&mut self.system.obligations);
        let mut work = WORK;
        for obligation in all {
            if !seen.insert((obligation.claim, obligation.span.start)) {
                continue;
            }
            match self.discharge(&obligation, &mut work) {
                Discharged::Holds => {}
                Discharged::Open => self.system.obligations.push(obligation),
                Discharged::Fails(error) => {
                    self.errors.push(*error);
                    if self.errors.len() >= super::ERRORS {
                        return;
                    }
                }
            }
        }
    }

    /// Tries all valuations, if there are not too many.
    fn discharge(&self, obligation: &Obligation, work: &mut u64) -> Discharged {
        let exprs = &self.system.exprs;
        let support = exprs.support(obligation.claim);
        let now = support.current.iter().map(|v| (*v, false));
        let places: Vec<(VarId, bool)> =
            now.chain(support.next.iter().map(|v| (*v, true))).collect();
        let mut count: u128 = 1;
        for (var, _) in &places {
            count = count.saturating_mul(self.system.variable(*var).ty.size());
        }
        let cost = count.saturating_mul(exprs.within([obligation.claim]).len() as u128);
        match u64::try_from(cost) {
            Ok(cost) if count <= VALUATIONS && cost <= *work => *work -= cost,
            _ => return Discharged::Open,
        }
        let mut evaluator = Evaluator::new(exprs);
        let mut under = Few::default();
        for number in 0..count {
            let mut rest = number;
            for (var, next) in &places {
                let ty = &self.system.variable(*var).ty;
                let index = rest % ty.size();
                rest /= ty.size();
                if let Some(value) = ty.value(index) {
                    under.0.insert((*var, *next), value);
                }
            }
            if evaluator.holds(obligation.claim, &under) != Ok(true) {
                let error = self.failure(obligation, &places, &under, &mut evaluator);
                return Discharged::Fails(Box::new(error));
            }
        }
        Discharged::Holds
    }

    /// With some value for every variable of an expression; the claim about it may need fewer.
    fn completed(&self, under: &Few, expr: ExprId) -> Few {
        let mut all = under.clone();
        let support = self.system.exprs.support(expr);
        let now = support.current.iter().map(|v| (*v, false));
        for (var, next) in now.chain(support.next.iter().map(|v| (*v, true))) {
            if let Some(first) = self.system.variable(var).ty.value(0) {
                all.0.entry((var, next)).or_insert(first);
            }
        }
        all
    }

    fn failure(
        &self,
        obligation: &Obligation,
        places: &[(VarId, bool)],
        under: &Few,
        evaluator: &mut Evaluator<'_>,
    ) -> Diagnostic {
        let (expr, var) = match obligation.subject {
            Subject::Expression(expr) => (expr, None),
            Subject::Assignment(var, expr) => (expr, Some(var)),
        };
        let mut place = obligation.span;
        let fault = match evaluator.values(expr, &self.completed(under, expr)) {
            Err(fault) => fault,
            Ok(values) => {
                let outside = var.and_then(|var| {
                    let ty = &self.system.variable(var).ty;
                    let value = values.as_slice().iter().find(|v| !ty.contains(v))?;
                    Some(Fault::NotOfType(var, value.clone()))
                });
                outside.unwrap_or(Fault::Unsound)
            }
        };
        let (message, label, help) = match fault {
            Fault::EvaluationError(suppose_model::fsm::EvaluationError::NoCase(span)) => {
                place = span;
                (
                    "the conditions of this `case` are not exhaustive".to_owned(),
                    "expected that one of them is true",
                    "end it with `TRUE : ..;`",
                )
            }
            Fault::EvaluationError(suppose_model::fsm::EvaluationError::NoElement(span)) => {
                place = span;
                (
                    "the index can lie outside of the array".to_owned(),
                    "expected an index inside",
                    "make the array larger, or guard the selection by a `case`",
                )
            }
            other => (
                other.show(&self.system),
                "expected a value under every valuation of the variables",
                "guard it by a `case`; reachable or not, all valuations count, as in NuSMV",
            ),
        };
        let shown: Vec<String> = places
            .iter()
            .filter_map(|(var, next)| {
                let value = under.0.get(&(*var, *next))?;
                let name = &self.system.variable(*var).name;
                let name = if *next {
                    format!("next({name})")
                } else {
                    name.clone()
                };
                Some(format!("{name} = {}", self.system.symbols.show(value)))
            })
            .take(8)
            .collect();
        let it = Diagnostic::error(place, message).label(label).help(help);
        match shown.is_empty() {
            true => it,
            false => it.help(format!("it happens when {}", shown.join(", "))),
        }
    }

    /// Variables that are assigned by each other in a circle, in one state.
    fn circle_of(&self, when: When) -> Option<Diagnostic> {
        let mut needs: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        let mut order = Vec::new();
        for a in self.system.assignments.iter().filter(|a| a.when == when) {
            let support = self.system.exprs.support(a.value);
            let needed = match when {
                When::Next => support.next,
                _ => support.current,
            };
            needs.insert(a.var, needed);
            order.push(a);
        }
        // 1: on the way, 2: done.
        let mut marks: FxHashMap<VarId, u8> = FxHashMap::default();
        for a in order {
            let mut open = vec![a.var];
            while let Some(&top) = open.last() {
                if marks.get(&top).copied().unwrap_or(0) > 0 {
                    marks.insert(top, 2);
                    open.pop();
                    continue;
                }
                marks.insert(top, 1);
                for needed in needs.get(&top).into_iter().flatten() {
                    match marks.get(needed).copied().unwrap_or(0) {
                        0 if needs.contains_key(needed) => open.push(*needed),
                        1 => return Some(self.assigned_in_circle(*needed, when)),
                        _ => {}
                    }
                }
            }
        }
        None
    }

    fn assigned_in_circle(&self, var: VarId, when: When) -> Diagnostic {
        let name = &self.system.variable(var).name;
        let span = self
            .system
            .assignment(var, when)
            .map_or(Span::default(), |a| a.span);
        Diagnostic::error(span, format!("`{name}` is assigned by way of itself"))
            .label("expected no circle of assignments")
            .help("use the value before the step, without `next`, or a TRANS")
    }
}

enum Discharged {
    Holds,
    /// Not examined: too many valuations.
    Open,
    Fails(Box<Diagnostic>),
}

/// Values of some variables, now or next.
#[derive(Clone, Default)]
struct Few(FxHashMap<(VarId, bool), Value>);

impl Valuation for Few {
    fn current(&self, var: VarId) -> Option<Value> {
        self.0.get(&(var, false)).cloned()
    }

    fn next(&self, var: VarId) -> Option<Value> {
        self.0.get(&(var, true)).cloned()
    }
}
