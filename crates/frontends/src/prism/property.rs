//! PCTL properties: what is asked, and the propositions it is asked about.

use rustc_hash::FxHashMap;
use suppose_model::markov::{Comparison, PathFormula, Property, Query, StateFormula};
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::ast::{Compare, Expr, ExprKind, Optimum, Path, Probability, StepBound, Type};
use super::group::Groups;
use super::lexer::Names;
use super::resolve::{Given, Scope};
use super::resolved::Resolved;
use super::show::show;
use super::term::{Term, TermKind};
use super::value::{self, Value};
use super::{ModelType, PrismModel, parser};
use crate::Undecided;

/// Properties that were read, not yet about components.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    pub(super) list: Vec<Question>,
    /// Properties that are not decided here, and why.
    pub undecided: Vec<Undecided>,
}

impl Properties {
    /// Their names, or their texts.
    pub fn names(&self) -> Vec<&str> {
        self.list.iter().map(|q| q.name.as_str()).collect()
    }

    /// These, and then the others.
    pub fn append(&mut self, mut others: Properties) {
        self.list.append(&mut others.list);
        self.undecided.append(&mut others.undecided);
    }

    /// Only those whose name is wanted.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        self.list.retain(|q| wanted(&q.name));
        self.undecided.retain(|u| wanted(&u.name));
    }

    /// Conditions that cannot be taken apart.
    pub(super) fn indivisible(&self) -> Vec<&Term> {
        let mut atoms = Vec::new();
        for question in &self.list {
            question
                .ask
                .conditions(&mut |term| divide(term, &mut |t| atoms.push(t)));
        }
        atoms
    }
}

/// One property.
#[derive(Clone, Debug)]
pub(super) struct Question {
    name: String,
    ask: Ask,
}

#[derive(Clone, Debug)]
enum Ask {
    Holds(Formula),
    Greatest(Paths),
    Least(Paths),
}

/// A formula about states, with the conditions of the model in it.
#[derive(Clone, Debug)]
enum Formula {
    /// A condition, and the name of the label it comes from.
    Condition(Term, Option<String>),
    Init,
    Deadlock,
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Probability(Comparison, Rat, Box<Paths>),
}

#[derive(Clone, Debug)]
enum Paths {
    Next(Formula),
    Until(Formula, Formula, Option<u64>),
    Globally(Formula, Option<u64>),
}

impl Ask {
    fn conditions<'a>(&'a self, each: &mut impl FnMut(&'a Term)) {
        match self {
            Ask::Holds(formula) => formula.conditions(each),
            Ask::Greatest(paths) | Ask::Least(paths) => paths.conditions(each),
        }
    }
}

impl Formula {
    fn conditions<'a>(&'a self, each: &mut impl FnMut(&'a Term)) {
        match self {
            Formula::Condition(term, _) => each(term),
            Formula::Init | Formula::Deadlock => {}
            Formula::Not(a) => a.conditions(each),
            Formula::And(all) | Formula::Or(all) => all.iter().for_each(|f| f.conditions(each)),
            Formula::Probability(_, _, paths) => paths.conditions(each),
        }
    }
}

impl Paths {
    fn conditions<'a>(&'a self, each: &mut impl FnMut(&'a Term)) {
        match self {
            Paths::Next(a) | Paths::Globally(a, _) => a.conditions(each),
            Paths::Until(a, b, _) => {
                a.conditions(each);
                b.conditions(each);
            }
        }
    }
}

/// Takes a condition apart as far as [`Atoms::split`] does.
fn divide<'a>(term: &'a Term, each: &mut impl FnMut(&'a Term)) {
    match &term.kind {
        TermKind::And(all) | TermKind::Or(all) => all.iter().for_each(|t| divide(t, each)),
        TermKind::Not(a) => divide(a, each),
        TermKind::Implies(a, b) => {
            divide(a, each);
            divide(b, each);
        }
        // The sides of `<=>` occur twice in what it becomes, so they stay whole.
        TermKind::Iff(a, b) => {
            each(a);
            each(b);
        }
        _ => each(term),
    }
}

impl PrismModel {
    /// Reads the properties in a file of `sources`: `P<=0.1 [ F "bad" ]`, or a whole `.pctl` file.
    /// `constants` are values for those that the file leaves open.
    pub fn properties(
        &self,
        file: FileId,
        sources: &Sources,
        constants: &Given,
        limits: &ParserLimits,
    ) -> Result<Properties, Vec<Diagnostic>> {
        let text = sources.file(file).map_or("", |f| f.text());
        let mut names = self.names.clone();
        let ast = parser::parse_properties(text, file, &mut names, limits)?;
        let mut errors = Vec::new();
        let mut scope = self.scope.clone();
        scope.add_constants(&ast.constants, &names, constants, &mut errors);
        let mut reader = Reader {
            scope: &scope,
            names: &names,
            model: &self.resolved,
            labels: FxHashMap::default(),
        };
        for label in &ast.labels {
            let name = names.text(label.name.name).trim_matches('"').to_owned();
            match reader.formula(&label.value) {
                Ok(formula) => {
                    reader.labels.insert(name, formula);
                }
                Err(error) => errors.push(error),
            }
        }
        let mut properties = Properties::default();
        for property in &ast.properties {
            let shown = match property.name {
                Some(ident) => names.text(ident.name).trim_matches('"').to_owned(),
                None => sources.text(property.span).trim().to_owned(),
            };
            match &property.body {
                Err(reason) => properties.undecided.push(Undecided {
                    name: shown,
                    reason: reason.clone(),
                    span: Some(property.span),
                }),
                Ok(body) => match reader.ask(body) {
                    Ok(ask) => properties.list.push(Question { name: shown, ask }),
                    Err(error) => errors.push(error),
                },
            }
        }
        if properties.list.is_empty() && properties.undecided.is_empty() && errors.is_empty() {
            errors.push(
                Diagnostic::error_without_place("there is no property")
                    .help("write one: P<=0.1 [ F \"bad\" ]"),
            );
        }
        match errors.is_empty() {
            true => Ok(properties),
            false => Err(errors),
        }
    }
}

struct Reader<'a> {
    scope: &'a Scope,
    names: &'a Names,
    model: &'a Resolved,
    /// Labels of the file of properties.
    labels: FxHashMap<String, Formula>,
}

type Made<T> = Result<T, Diagnostic>;

impl Reader<'_> {
    fn ask(&self, expr: &Expr) -> Made<Ask> {
        let ExprKind::Probability(probability) = &expr.kind else {
            return self.formula(expr).map(Ask::Holds);
        };
        if probability.bound.is_some() {
            return self.formula(expr).map(Ask::Holds);
        }
        if let Path::WeakUntil(..) = probability.path {
            return Err(
                Diagnostic::error(expr.span, "the value of a weak until is not computed")
                    .help("ask for the until that it excludes: a W b is !((a & !b) U (!a & !b))"),
            );
        }
        let (paths, _) = self.paths(&probability.path)?;
        match (probability.optimum, self.model.ty) {
            (Some(Optimum::Max), _) | (None, ModelType::Dtmc) => Ok(Ask::Greatest(paths)),
            (Some(Optimum::Min), _) => Ok(Ask::Least(paths)),
            (None, ModelType::Mdp) => Err(Diagnostic::error(
                expr.span,
                "in an mdp the probability depends on the choices",
            )
            .help("ask for `Pmax=? [...]` or `Pmin=? [...]`")),
        }
    }

    fn formula(&self, expr: &Expr) -> Made<Formula> {
        let one = |e: &Expr| self.formula(e);
        if !speaks_of_paths(expr) {
            let term = self.scope.resolve(expr, &[], self.names)?;
            if term.ty != Type::Bool {
                return Err(Diagnostic::error(term.span, "a property is a condition")
                    .label(format!("this is {}", term.ty.name())));
            }
            return Ok(Formula::Condition(term, None));
        }
        Ok(match &expr.kind {
            ExprKind::Label(name) => self.label(self.names.text(*name), expr.span)?,
            ExprKind::Not(a) => Formula::Not(Box::new(one(a)?)),
            ExprKind::And(all) => Formula::And(all.iter().map(one).collect::<Made<_>>()?),
            ExprKind::Or(all) => Formula::Or(all.iter().map(one).collect::<Made<_>>()?),
            ExprKind::Implies(a, b) => Formula::Or(vec![Formula::Not(Box::new(one(a)?)), one(b)?]),
            ExprKind::Iff(a, b) => {
                let (a, b) = (one(a)?, one(b)?);
                let not = |f: &Formula| Formula::Not(Box::new(f.clone()));
                Formula::Or(vec![
                    Formula::And(vec![not(&a), not(&b)]),
                    Formula::And(vec![a, b]),
                ])
            }
            ExprKind::Probability(p) => self.probability(p, expr.span)?,
            _ => {
                return Err(Diagnostic::error(
                    expr.span,
                    "labels and probabilities can be combined with !, &, |, => and <=> only",
                ));
            }
        })
    }

    fn label(&self, quoted: &str, span: Span) -> Made<Formula> {
        let name = quoted.trim_matches('"');
        if let Some(formula) = self.labels.get(name) {
            return Ok(formula.clone());
        }
        if let Some(label) = self.model.labels.iter().find(|l| l.name == name) {
            return Ok(Formula::Condition(
                label.term.clone(),
                Some(quoted.to_owned()),
            ));
        }
        match name {
            "init" => Ok(Formula::Init),
            "deadlock" => Ok(Formula::Deadlock),
            _ => {
                let known: Vec<&str> = self.model.labels.iter().map(|l| l.name.as_str()).collect();
                let it = Diagnostic::error(span, format!("there is no label {quoted}"));
                Err(match known.is_empty() {
                    true => it.help(format!("define it in the model: label {quoted} = ...;")),
                    false => it.help(format!("the model has: {}", known.join(", "))),
                })
            }
        }
    }

    fn probability(&self, p: &Probability, span: Span) -> Made<Formula> {
        let Some((op, bound)) = &p.bound else {
            return Err(Diagnostic::error(
                span,
                "inside a formula a probability needs a bound",
            ));
        };
        if p.optimum.is_some() {
            return Err(
                Diagnostic::error(span, "`Pmax` and `Pmin` go with `=?`").help(
                    "a bound is for every way to choose: P<=p is about the greatest probability, P>=p about the least",
                ),
            );
        }
        let bound_value = self.constant(bound, Type::Real)?;
        if bound_value.is_negative() || bound_value > Rat::ONE {
            return Err(Diagnostic::error(
                bound.span,
                format!("the bound {bound_value} is not a probability"),
            ));
        }
        let comparison = match op {
            Compare::Le => Comparison::AtMost,
            Compare::Lt => Comparison::Below,
            Compare::Ge => Comparison::AtLeast,
            _ => Comparison::Above,
        };
        let (paths, complement) = self.paths(&p.path)?;
        if !complement {
            return Ok(Formula::Probability(
                comparison,
                bound_value,
                Box::new(paths),
            ));
        }
        let turned = match comparison {
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Below => Comparison::Above,
            Comparison::AtLeast => Comparison::AtMost,
            Comparison::Above => Comparison::Below,
        };
        let rest = &Rat::ONE - &bound_value;
        Ok(Formula::Probability(turned, rest, Box::new(paths)))
    }

    /// The paths, or those that are not meant (`true`): `a W b` excludes `(a & !b) U (!a & !b)`.
    fn paths(&self, path: &Path) -> Made<(Paths, bool)> {
        let steps = |bound: &Option<StepBound>| -> Made<Option<u64>> {
            bound.as_ref().map(|b| self.steps(b)).transpose()
        };
        Ok(match path {
            Path::Next(a) => (Paths::Next(self.formula(a)?), false),
            Path::Until(a, b, bound) => (
                Paths::Until(self.formula(a)?, self.formula(b)?, steps(bound)?),
                false,
            ),
            Path::Eventually(a, bound) => {
                let always = Formula::Condition(Term::truth(true, a.span), None);
                (Paths::Until(always, self.formula(a)?, steps(bound)?), false)
            }
            Path::Always(a, bound) => (Paths::Globally(self.formula(a)?, steps(bound)?), false),
            Path::WeakUntil(a, b, bound) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let not = |f: &Formula| Formula::Not(Box::new(f.clone()));
                let left = Formula::And(vec![a.clone(), not(&b)]);
                let right = Formula::And(vec![not(&a), not(&b)]);
                (Paths::Until(left, right, steps(bound)?), true)
            }
        })
    }

    fn steps(&self, bound: &StepBound) -> Made<u64> {
        let value = self.constant(&bound.steps, Type::Int)?;
        let value = value
            .num()
            .to_i64()
            .map(|n| if bound.strict { n - 1 } else { n });
        value.and_then(|n| u64::try_from(n).ok()).ok_or_else(|| {
            Diagnostic::error(bound.steps.span, "this is not a number of steps")
                .label("expected at least 0")
        })
    }

    fn constant(&self, expr: &Expr, wanted: Type) -> Made<Rat> {
        let term = self.scope.resolve(expr, &[], self.names)?;
        if term.ty == Type::Bool || (wanted == Type::Int && term.ty != Type::Int) {
            return Err(Diagnostic::error(term.span, "a number is needed here")
                .label(format!("this is {}", term.ty.name())));
        }
        match value::evaluate(&term, &|_| None) {
            Ok(Value::Int(n)) => Ok(Rat::from(n)),
            Ok(Value::Real(r)) => Ok(r),
            Ok(_) => Err(Diagnostic::error(term.span, "this number is irrational")),
            Err(fault) => Err(fault.diagnostic()),
        }
    }
}

/// Is there a label or a probability in it?
fn speaks_of_paths(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Label(_) | ExprKind::Probability(_) => true,
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Name(_) => false,
        ExprKind::Not(a) | ExprKind::Neg(a) => speaks_of_paths(a),
        ExprKind::And(all) | ExprKind::Or(all) | ExprKind::Call(_, all) => {
            all.iter().any(speaks_of_paths)
        }
        ExprKind::Sum(all) | ExprKind::Product(all) => all.iter().any(|(_, e)| speaks_of_paths(e)),
        ExprKind::Compare(_, a, b) | ExprKind::Implies(a, b) | ExprKind::Iff(a, b) => {
            speaks_of_paths(a) || speaks_of_paths(b)
        }
        ExprKind::Cond(a, b, c) => [a, b, c].iter().any(|e| speaks_of_paths(e)),
    }
}

/// A proposition of a component.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) name: String,
    pub(super) component: usize,
    pub(super) term: Term,
}

/// The propositions of a system, collected while properties are lowered.
pub(super) struct Atoms<'a> {
    groups: &'a Groups<'a>,
    /// The component of a module.
    component: Vec<usize>,
    components: usize,
    atoms: Vec<Atom>,
    index: FxHashMap<(String, usize), u32>,
}

impl<'a> Atoms<'a> {
    pub(super) fn new(groups: &'a Groups<'a>, list: &[Vec<usize>]) -> Atoms<'a> {
        let count = list.iter().map(Vec::len).sum();
        let mut component = vec![0; count];
        for (number, modules) in list.iter().enumerate() {
            for module in modules {
                component[*module] = number;
            }
        }
        Atoms {
            groups,
            component,
            components: list.len(),
            atoms: Vec::new(),
            index: FxHashMap::default(),
        }
    }

    pub(super) fn list(&self) -> &[Atom] {
        &self.atoms
    }

    pub(super) fn property(&mut self, question: &Question, model: &Resolved) -> Made<Property> {
        let query = match &question.ask {
            Ask::Holds(formula) => Query::Holds(self.formula(formula, model)?),
            Ask::Greatest(paths) => Query::Greatest(self.paths(paths, model)?),
            Ask::Least(paths) => Query::Least(self.paths(paths, model)?),
        };
        Ok(Property {
            name: question.name.clone(),
            query,
        })
    }

    fn paths(&mut self, paths: &Paths, model: &Resolved) -> Made<PathFormula> {
        Ok(match paths {
            Paths::Next(a) => PathFormula::Next(self.formula(a, model)?),
            Paths::Until(a, b, steps) => PathFormula::Until {
                left: self.formula(a, model)?,
                right: self.formula(b, model)?,
                steps: *steps,
            },
            Paths::Globally(a, steps) => PathFormula::Globally {
                always: self.formula(a, model)?,
                steps: *steps,
            },
        })
    }

    fn formula(&mut self, formula: &Formula, model: &Resolved) -> Made<StateFormula> {
        Ok(match formula {
            Formula::Condition(term, name) => self.split(term, name.as_deref(), model)?,
            Formula::Init => self.init(model),
            Formula::Deadlock => StateFormula::Deadlock,
            Formula::Not(a) => StateFormula::Not(Box::new(self.formula(a, model)?)),
            Formula::And(all) => StateFormula::And(self.formulas(all, model)?),
            Formula::Or(all) => StateFormula::Or(self.formulas(all, model)?),
            Formula::Probability(comparison, bound, paths) => StateFormula::Probability {
                comparison: *comparison,
                bound: bound.clone(),
                paths: Box::new(self.paths(paths, model)?),
            },
        })
    }

    fn formulas(&mut self, all: &[Formula], model: &Resolved) -> Made<Vec<StateFormula>> {
        all.iter().map(|f| self.formula(f, model)).collect()
    }

    /// A condition as a combination of propositions of one component each.
    fn split(&mut self, term: &Term, name: Option<&str>, model: &Resolved) -> Made<StateFormula> {
        if let TermKind::Bool(value) = term.kind {
            return Ok(if value {
                StateFormula::True
            } else {
                StateFormula::False
            });
        }
        let modules = self.groups.modules_of(term);
        let mut components: Vec<usize> = modules.iter().map(|m| self.component[*m]).collect();
        components.dedup();
        components.sort_unstable();
        components.dedup();
        if components.len() <= 1 {
            let component = components.first().copied().unwrap_or(0);
            let name = name.map_or_else(|| show(term, model), str::to_owned);
            return Ok(self.atom(name, component, term.clone()));
        }
        let mut one = |t: &Term| self.split(t, None, model);
        let not = |f: StateFormula| StateFormula::Not(Box::new(f));
        Ok(match &term.kind {
            TermKind::And(all) => StateFormula::And(all.iter().map(one).collect::<Made<_>>()?),
            TermKind::Or(all) => StateFormula::Or(all.iter().map(one).collect::<Made<_>>()?),
            TermKind::Not(a) => not(one(a)?),
            TermKind::Implies(a, b) => StateFormula::Or(vec![not(one(a)?), one(b)?]),
            TermKind::Iff(a, b) => {
                let (a, b) = (one(a)?, one(b)?);
                StateFormula::Or(vec![
                    StateFormula::And(vec![not(a.clone()), not(b.clone())]),
                    StateFormula::And(vec![a, b]),
                ])
            }
            // The groups were made so that this does not occur.
            _ => {
                return Err(Diagnostic::error(
                    term.span,
                    "this compares variables of different components",
                ));
            }
        })
    }

    /// Every component is in its initial state.
    fn init(&mut self, model: &Resolved) -> StateFormula {
        let span = Span::default();
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); self.components];
        for (number, variable) in model.variables.iter().enumerate() {
            let ty = if variable.is_bool {
                Type::Bool
            } else {
                Type::Int
            };
            let var = Term {
                kind: TermKind::Var(number as u32),
                ty,
                span,
            };
            let value = variable.init.unwrap_or(variable.low);
            let value = match variable.is_bool {
                true => Term::truth(value != 0, span),
                false => Term::int(value, span),
            };
            let kind = TermKind::Compare(Compare::Eq, Box::new(var), Box::new(value));
            let component = self.component[self.groups.holder(number as u32)];
            parts[component].push(Term {
                kind,
                ty: Type::Bool,
                span,
            });
        }
        let mut all = Vec::new();
        for (component, terms) in parts.into_iter().enumerate() {
            if !terms.is_empty() {
                let term = Term {
                    kind: TermKind::And(terms),
                    ty: Type::Bool,
                    span,
                };
                all.push(self.atom("\"init\"".to_owned(), component, term));
            }
        }
        StateFormula::And(all)
    }

    /// Makes sure that there is a proposition.
    pub(super) fn add(&mut self, name: String, component: usize, term: Term) {
        self.atom(name, component, term);
    }

    fn atom(&mut self, name: String, component: usize, term: Term) -> StateFormula {
        let next = self.atoms.len() as u32;
        let number = *self.index.entry((name.clone(), component)).or_insert(next);
        if number == next {
            self.atoms.push(Atom {
                name,
                component,
                term,
            });
        }
        StateFormula::Proposition(number)
    }
}
