//! PCTL properties: what is asked, and the propositions it is asked about.

use rustc_hash::FxHashMap;
use suppose_model::mdp::{Comparison, Over, Steps};
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::ast::{
    Compare, Expr, ExprKind, Optimum, Path, Probability, Reward, RewardPath, StepBound, Structure,
    Type,
};
use super::lexer::Names;
use super::resolve::{Given, Scope};
use super::resolved::Resolved;
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

    /// Does any of them ask about rewards?
    pub(super) fn rewards(&self) -> bool {
        let mut found = false;
        for question in &self.list {
            question.ask.formulas(&mut |formula| {
                found |= matches!(formula, Formula::Reward(..));
            });
            found |= matches!(question.ask, Ask::Reward(..));
        }
        found
    }

    /// Are there some, all about the whole system? Bounds from above on probabilities may be decided by assumptions about components.
    pub(super) fn whole(&self) -> bool {
        let mut found = self.list.is_empty();
        for question in &self.list {
            question.ask.formulas(&mut |formula| {
                if let Formula::Probability(comparison, _, paths) = formula {
                    let turned = matches!(**paths, Paths::Globally(..));
                    found |= comparison.is_upper() != turned;
                }
            });
        }
        !found
    }

    /// Conditions that cannot be decomposed.
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
    pub(super) name: String,
    pub(super) ask: Ask,
    pub(super) over: Option<Over>,
}

#[derive(Clone, Debug)]
pub(super) enum Ask {
    Holds(Formula),
    Greatest(Paths),
    Least(Paths),
    /// The greatest reward, or the least?
    Reward(bool, u32, Earned),
}

/// What is added up.
#[derive(Clone, Debug)]
pub(super) enum Earned {
    Until(Formula),
    Within(u64),
    After(u64),
}

/// A formula about states, with the conditions of the model in it.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    /// A condition, and the name of the label it comes from.
    Condition(Term, Option<String>),
    Init,
    Deadlock,
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Probability(Comparison, Rat, Box<Paths>),
    Reward(Comparison, Rat, u32, Box<Earned>),
}

#[derive(Clone, Debug)]
pub(super) enum Paths {
    Next(Formula),
    Until(Formula, Formula, Steps),
    Globally(Formula, Steps),
    Not(Box<Paths>),
}

impl Ask {
    /// All formulas in it, what they are made of too.
    fn formulas<'a>(&'a self, each: &mut dyn FnMut(&'a Formula)) {
        match self {
            Ask::Holds(formula) => formula.formulas(each),
            Ask::Greatest(paths) | Ask::Least(paths) => paths.formulas(each),
            Ask::Reward(_, _, earned) => earned.formulas(each),
        }
    }

    fn conditions<'a>(&'a self, each: &mut impl FnMut(&'a Term)) {
        self.formulas(&mut |formula| {
            if let Formula::Condition(term, _) = formula {
                each(term);
            }
        });
    }
}

impl Formula {
    fn formulas<'a>(&'a self, each: &mut dyn FnMut(&'a Formula)) {
        each(self);
        match self {
            Formula::Condition(..) | Formula::Init | Formula::Deadlock => {}
            Formula::Not(a) => a.formulas(each),
            Formula::And(all) | Formula::Or(all) => all.iter().for_each(|f| f.formulas(each)),
            Formula::Probability(_, _, paths) => paths.formulas(each),
            Formula::Reward(_, _, _, earned) => earned.formulas(each),
        }
    }
}

impl Paths {
    fn formulas<'a>(&'a self, each: &mut dyn FnMut(&'a Formula)) {
        match self {
            Paths::Next(a) | Paths::Globally(a, _) => a.formulas(each),
            Paths::Until(a, b, _) => {
                a.formulas(each);
                b.formulas(each);
            }
            Paths::Not(paths) => paths.formulas(each),
        }
    }
}

impl Earned {
    fn formulas<'a>(&'a self, each: &mut dyn FnMut(&'a Formula)) {
        if let Earned::Until(goal) = self {
            goal.formulas(each);
        }
    }
}

/// Splits a condition at its connectives, exactly as [`super::atoms::Atoms`] does.
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
                Ok(body) => match reader.asked(body, property.over) {
                    Ok((ask, over)) => properties.list.push(Question {
                        name: shown,
                        ask,
                        over,
                    }),
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

pub(super) type Made<T> = Result<T, Diagnostic>;

impl Reader<'_> {
    fn asked(&self, expr: &Expr, over: Option<Optimum>) -> Made<(Ask, Option<Over>)> {
        let ask = self.ask(expr)?;
        if over.is_some() && matches!(ask, Ask::Holds(_)) {
            return Err(Diagnostic::error(expr.span, "this filter is about a value")
                .label("expected `P=? [ ... ]` or `R=? [ ... ]`"));
        }
        let over = over.map(|over| match over {
            Optimum::Max => Over::Greatest,
            Optimum::Min => Over::Least,
        });
        Ok((ask, over))
    }

    fn ask(&self, expr: &Expr) -> Made<Ask> {
        match &expr.kind {
            ExprKind::Probability(p) if p.bound.is_none() => {
                let paths = self.paths(&p.path)?;
                match self.greatest(p.optimum, "probability", "P", expr.span)? {
                    true => Ok(Ask::Greatest(paths)),
                    false => Ok(Ask::Least(paths)),
                }
            }
            ExprKind::Reward(r) if r.bound.is_none() => {
                let greatest = self.greatest(r.optimum, "expected reward", "R", expr.span)?;
                let structure = self.structure(&r.structure, expr.span)?;
                Ok(Ask::Reward(greatest, structure, self.earned(&r.path)?))
            }
            _ => self.formula(expr).map(Ask::Holds),
        }
    }

    /// Is the greatest value asked for, or the least?
    fn greatest(
        &self,
        optimum: Option<Optimum>,
        what: &str,
        letter: &str,
        span: Span,
    ) -> Made<bool> {
        match (optimum, self.model.ty) {
            (Some(Optimum::Max), _) | (None, ModelType::Dtmc) => Ok(true),
            (Some(Optimum::Min), _) => Ok(false),
            (None, ModelType::Mdp) => {
                let message = format!("in an mdp the {what} depends on the choices");
                let help = format!("ask for `{letter}max=? [...]` or `{letter}min=? [...]`");
                Err(Diagnostic::error(span, message).help(help))
            }
        }
    }

    fn structure(&self, structure: &Structure, span: Span) -> Made<u32> {
        let rewards = &self.model.rewards;
        let found = match structure {
            Structure::First => (!rewards.is_empty()).then_some(0),
            Structure::Named(name) => {
                let name = self.names.text(name.name).trim_matches('"');
                rewards.iter().position(|r| r.name == name)
            }
            Structure::Number(number) => {
                let number = self.constant(number, Type::Int)?;
                let number = number
                    .num()
                    .to_i64()
                    .and_then(|n| usize::try_from(n - 1).ok());
                number.filter(|n| *n < rewards.len())
            }
        };
        found.map(|at| at as u32).ok_or_else(|| {
            let names: Vec<&str> = rewards.iter().map(|r| r.name.as_str()).collect();
            let it = Diagnostic::error(span, "the model has no such rewards");
            match names.is_empty() {
                true => it.help("write them in the model: rewards \"steps\" true : 1; endrewards"),
                false => it.help(format!("it has: {}", names.join(", "))),
            }
        })
    }

    fn earned(&self, path: &RewardPath) -> Made<Earned> {
        Ok(match path {
            RewardPath::Reach(goal) => Earned::Until(self.formula(goal)?),
            RewardPath::Cumulative(steps) => Earned::Within(self.count(steps, 0)?),
            RewardPath::Instant(steps) => Earned::After(self.count(steps, 0)?),
        })
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
            ExprKind::Reward(r) => self.reward(r, expr.span)?,
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
                    "a bound is over all schedulers: P<=p bounds the maximum probability, P>=p the minimum",
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
        let paths = self.paths(&p.path)?;
        Ok(Formula::Probability(
            comparison(*op),
            bound_value,
            Box::new(paths),
        ))
    }

    fn reward(&self, r: &Reward, span: Span) -> Made<Formula> {
        let Some((op, bound)) = &r.bound else {
            let message = "inside a formula a reward needs a bound";
            return Err(Diagnostic::error(span, message));
        };
        if r.optimum.is_some() {
            let help =
                "a bound is over all schedulers: R<=v bounds the maximum reward, R>=v the minimum";
            return Err(Diagnostic::error(span, "`Rmax` and `Rmin` go with `=?`").help(help));
        }
        let value = self.constant(bound, Type::Real)?;
        let structure = self.structure(&r.structure, span)?;
        let earned = self.earned(&r.path)?;
        Ok(Formula::Reward(
            comparison(*op),
            value,
            structure,
            Box::new(earned),
        ))
    }

    fn paths(&self, path: &Path) -> Made<Paths> {
        let steps = |bound: &Option<StepBound>| -> Made<Steps> {
            bound.as_ref().map_or(Ok(Steps::ANY), |b| self.steps(b))
        };
        let not = |f: &Formula| Formula::Not(Box::new(f.clone()));
        Ok(match path {
            Path::Next(a) => Paths::Next(self.formula(a)?),
            Path::Until(a, b, bound) => {
                Paths::Until(self.formula(a)?, self.formula(b)?, steps(bound)?)
            }
            Path::Eventually(a, bound) => {
                let always = Formula::Condition(Term::truth(true, a.span), None);
                Paths::Until(always, self.formula(a)?, steps(bound)?)
            }
            Path::Always(a, bound) => Paths::Globally(self.formula(a)?, steps(bound)?),
            // `a W b` excludes `(a & !b) U (!a & !b)`.
            Path::WeakUntil(a, b, bound) => {
                let when = steps(bound)?;
                if when.from > 0 {
                    let it = Diagnostic::error(a.span, "`W` that counts later is not defined");
                    return Err(it.help("write it with `U` and `G`"));
                }
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let left = Formula::And(vec![a.clone(), not(&b)]);
                let right = Formula::And(vec![not(&a), not(&b)]);
                Paths::Not(Box::new(Paths::Until(left, right, when)))
            }
            // `a R b` excludes `!a U !b`.
            Path::Release(a, b, bound) => {
                let (left, right) = (not(&self.formula(a)?), not(&self.formula(b)?));
                Paths::Not(Box::new(Paths::Until(left, right, steps(bound)?)))
            }
        })
    }

    fn steps(&self, bound: &StepBound) -> Made<Steps> {
        Ok(match bound {
            StepBound::AtMost(steps, strict) => Steps {
                from: 0,
                to: Some(self.count(steps, -i64::from(*strict))?),
            },
            StepBound::AtLeast(steps, strict) => Steps {
                from: self.count(steps, i64::from(*strict))?,
                to: None,
            },
            StepBound::Exactly(steps) => {
                let steps = self.count(steps, 0)?;
                Steps {
                    from: steps,
                    to: Some(steps),
                }
            }
            StepBound::Between(from, last) => {
                let (first, to) = (self.count(from, 0)?, self.count(last, 0)?);
                if first > to {
                    let message = format!("no step is between {first} and {to}");
                    return Err(Diagnostic::error(from.span, message));
                }
                Steps {
                    from: first,
                    to: Some(to),
                }
            }
        })
    }

    /// A number of steps, and this many more.
    fn count(&self, steps: &Expr, more: i64) -> Made<u64> {
        let value = self.constant(steps, Type::Int)?;
        let value = value.num().to_i64().and_then(|n| n.checked_add(more));
        value.and_then(|n| u64::try_from(n).ok()).ok_or_else(|| {
            Diagnostic::error(steps.span, "this is not a number of steps")
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

fn comparison(op: Compare) -> Comparison {
    match op {
        Compare::Le => Comparison::AtMost,
        Compare::Lt => Comparison::Below,
        Compare::Ge => Comparison::AtLeast,
        _ => Comparison::Above,
    }
}

/// Is there a label, a probability or a reward in it?
fn speaks_of_paths(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Label(_) | ExprKind::Probability(_) | ExprKind::Reward(_) => true,
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
