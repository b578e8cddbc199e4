//! Values of expressions, and the labels that label expressions represent.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_source::{Diagnostic, ParserLimits, Span};

use super::ast::{Domain, Expr, Index, LabelExpr, LabelPart, Op, OpKind, Parameter, SetExpr};
pub(super) use super::value::{Value, Values};
use super::value::{apply, int, overflow};

pub(super) type Lowered<T> = Result<T, Diagnostic>;

const LONGEST_LABEL: usize = 4096;

/// The constants, ranges and sets of a file, and the account of the work done.
#[derive(Debug)]
pub(super) struct Globals {
    pub(super) constants: FxHashMap<Rc<str>, Value>,
    pub(super) ranges: FxHashMap<Rc<str>, (i64, i64)>,
    pub(super) sets: FxHashMap<Rc<str>, Rc<[Rc<str>]>>,
    pub(super) limits: ParserLimits,
    work: Cell<usize>,
}

impl Globals {
    pub(super) fn new(limits: ParserLimits) -> Self {
        Globals {
            constants: FxHashMap::default(),
            ranges: FxHashMap::default(),
            sets: FxHashMap::default(),
            limits,
            work: Cell::new(0),
        }
    }

    /// Counts work, so that no input keeps the lowering busy forever.
    pub(super) fn spend(&self, amount: usize, span: Span) -> Lowered<()> {
        let work = self.work.get().saturating_add(amount);
        self.work.set(work);
        if work <= self.limits.transitions.saturating_mul(4) {
            return Ok(());
        }
        Err(
            Diagnostic::error(span, "the model is too large to be expanded")
                .label("the limit was reached here")
                .help("use smaller ranges"),
        )
    }
}

/// Variables bound by indices, the innermost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Locals(Rc<Vec<(Rc<str>, Value)>>);

impl Locals {
    fn get(&self, name: &str) -> Option<&Value> {
        let mut inner_first = self.0.iter().rev();
        inner_first.find(|(n, _)| **n == *name).map(|(_, v)| v)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(n, _)| &**n)
    }
}

/// Everything an expression may name, except for variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) globals: &'a Globals,
    pub(super) parameters: &'a [(Rc<str>, Value)],
}

/// Labels with the variables that each of them binds.
pub(super) type Expansion = Vec<(String, Locals)>;

impl<'a> Scope<'a> {
    pub(super) fn new(globals: &'a Globals, parameters: &'a [(Rc<str>, Value)]) -> Self {
        Scope {
            globals,
            parameters,
        }
    }

    /// The values of arguments, if any are given.
    pub(super) fn arguments(
        &self,
        exprs: Option<&[Expr]>,
        locals: &Locals,
    ) -> Lowered<Option<Vec<Value>>> {
        let values = |exprs: &[Expr]| exprs.iter().map(|e| self.value(e, locals)).collect();
        exprs.map(values).transpose()
    }

    pub(super) fn value(&self, expr: &Expr, locals: &Locals) -> Lowered<Value> {
        self.globals.spend(expr.ops.len(), expr.span)?;
        let mut stack: Vec<Value> = Vec::new();
        for op in &expr.ops {
            let value = self.step(op, &mut stack, locals)?;
            stack.push(value);
        }
        // The parser pairs operators and operands, so exactly one value is left.
        Ok(stack.pop().unwrap_or(Value::Int(0)))
    }

    fn step(&self, op: &Op, stack: &mut Vec<Value>, locals: &Locals) -> Lowered<Value> {
        let mut pop = || stack.pop().unwrap_or(Value::Int(0));
        Ok(match &op.kind {
            OpKind::Int(n) => Value::Int(*n),
            OpKind::Name(name) => self.name(name, op.span, locals)?,
            OpKind::Label(label) => self.one_label(label, locals)?,
            OpKind::Size(label) => Value::Int(self.labels(label, locals)?.len() as i64),
            OpKind::Select(label) => {
                let index = int(pop(), op.span)?;
                self.select(label, index, op.span, locals)?
            }
            OpKind::Negate => {
                let n = int(pop(), op.span)?;
                Value::Int(n.checked_neg().ok_or_else(|| overflow(op.span))?)
            }
            OpKind::Not => Value::Int(i64::from(int(pop(), op.span)? <= 0)),
            OpKind::Binary(binary) => {
                let right = pop();
                let left = pop();
                Value::Int(apply(*binary, left, right, op.span)?)
            }
        })
    }

    fn name(&self, name: &Rc<str>, span: Span, locals: &Locals) -> Lowered<Value> {
        if let Some(value) = locals.get(name) {
            return Ok(value.clone());
        }
        if let Some((_, value)) = self.parameters.iter().find(|(n, _)| n == name) {
            return Ok(value.clone());
        }
        if let Some(value) = self.globals.constants.get(name) {
            return Ok(value.clone());
        }
        Err(self.unknown_name(name, span, locals))
    }

    fn unknown_name(&self, name: &str, span: Span, locals: &Locals) -> Diagnostic {
        let upper = name.starts_with(|c: char| c.is_ascii_uppercase());
        let what = match upper {
            true => "constant or parameter",
            false => "variable",
        };
        let it = Diagnostic::error(span, format!("no {what} `{name}`")).label("not known here");
        if self.globals.ranges.contains_key(name) || self.globals.sets.contains_key(name) {
            return it.help(format!(
                "`{name}` is a range or a set: it can only stand alone in an index, `[i:{name}]`"
            ));
        }
        let constants = sorted(self.globals.constants.keys());
        let parameters = self.parameters.iter().map(|(n, _)| &**n);
        let known = locals.names().chain(parameters).chain(constants);
        let otherwise = match upper {
            true => {
                let value = u8::from(name != "False");
                format!("define it above: `const {name} = {value}`")
            }
            false => format!("bind it in an index: `[{name}:0..1]`"),
        };
        it.did_you_mean_or(name, known, otherwise)
    }

    pub(super) fn int(&self, expr: &Expr, locals: &Locals) -> Lowered<i64> {
        int(self.value(expr, locals)?, expr.span)
    }

    pub(super) fn holds(&self, expr: &Expr, locals: &Locals) -> Lowered<bool> {
        Ok(self.int(expr, locals)? != 0)
    }

    fn one_label(&self, label: &LabelExpr, locals: &Locals) -> Lowered<Value> {
        let mut labels = self.labels(label, locals)?;
        match (labels.pop(), labels.is_empty()) {
            (Some((text, _)), true) => Ok(Value::Label(text.into())),
            _ => Err(
                Diagnostic::error(label.span, "a label constant must be one label")
                    .label("this is a set"),
            ),
        }
    }

    fn select(&self, set: &LabelExpr, index: i64, span: Span, locals: &Locals) -> Lowered<Value> {
        let labels = self.labels(set, locals)?;
        let found = usize::try_from(index).ok().and_then(|i| labels.get(i));
        match found {
            Some((text, _)) => Ok(Value::Label(text.as_str().into())),
            None => Err(Diagnostic::error(
                span,
                format!(
                    "index {index} is out of range: the set has {} labels",
                    labels.len()
                ),
            )
            .label("the first label has index 0")),
        }
    }

    /// The labels that an expression represents, in order. Within one label a variable may be
    /// bound again, as in LTSA: the later one counts.
    pub(super) fn labels(&self, label: &LabelExpr, outer: &Locals) -> Lowered<Expansion> {
        let mut labels: Expansion = vec![(String::new(), outer.clone())];
        for part in &label.parts {
            if let LabelPart::Index(index) = part
                && let Some(name) = &index.variable
            {
                self.check_unbound(outer, &name.text, name.span)?;
            }
            let mut longer = Vec::with_capacity(labels.len());
            for (text, locals) in labels {
                self.extend(text, part, &locals, label.span, &mut longer)?;
            }
            labels = longer;
        }
        Ok(labels)
    }

    fn extend(
        &self,
        text: String,
        part: &LabelPart,
        locals: &Locals,
        span: Span,
        labels: &mut Expansion,
    ) -> Lowered<()> {
        let (values, variable) = match part {
            LabelPart::Name(name) => {
                labels.push((self.join(text, &name.text, span)?, locals.clone()));
                return Ok(());
            }
            LabelPart::Set(set) => (Values::Labels(self.set(set, locals)?), None),
            LabelPart::Difference(left, right) => {
                let removed: FxHashSet<Rc<str>> =
                    self.set(right, locals)?.iter().cloned().collect();
                let left = self.set(left, locals)?;
                let kept = left.iter().filter(|l| !removed.contains(*l)).cloned();
                (Values::Labels(kept.collect()), None)
            }
            LabelPart::Index(index) => (self.values(index, locals)?, index.variable.as_ref()),
        };
        self.check_size(values.len().saturating_add(labels.len() as u64), span)?;
        for position in 0..values.len() {
            let value = values.get(position);
            let text = self.join(text.clone(), &value.to_string(), span)?;
            let locals = match variable {
                Some(name) => self.bind_again(locals, &name.text, value, name.span)?,
                None => locals.clone(),
            };
            labels.push((text, locals));
        }
        Ok(())
    }

    /// Adds a part to a label. Labels are kept short, since prefixes of them are looked up.
    fn join(&self, mut text: String, part: &str, span: Span) -> Lowered<String> {
        self.globals.spend(1, span)?;
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(part);
        if text.len() > LONGEST_LABEL {
            let message = format!("the label is longer than {LONGEST_LABEL} characters");
            return Err(Diagnostic::error(span, message).label("too long"));
        }
        Ok(text)
    }

    fn check_size(&self, size: u64, span: Span) -> Lowered<()> {
        let limit = self.globals.limits.labels;
        if size <= limit as u64 {
            return Ok(());
        }
        Err(
            Diagnostic::error(span, format!("this expands to more than {limit} labels"))
                .label("too many")
                .help("use smaller ranges"),
        )
    }

    fn check_unbound(&self, locals: &Locals, name: &Rc<str>, span: Span) -> Lowered<()> {
        match locals.get(name) {
            None => Ok(()),
            Some(_) => {
                let message = format!("the variable `{name}` is already bound");
                Err(Diagnostic::error(span, message).help("use another name"))
            }
        }
    }

    fn bind(&self, locals: &Locals, name: &Rc<str>, value: Value, span: Span) -> Lowered<Locals> {
        self.check_unbound(locals, name, span)?;
        self.bind_again(locals, name, value, span)
    }

    fn bind_again(
        &self,
        locals: &Locals,
        name: &Rc<str>,
        value: Value,
        span: Span,
    ) -> Lowered<Locals> {
        let limit = self.globals.limits.depth;
        if locals.0.len() >= limit {
            let message = format!("more than {limit} variables at once");
            return Err(Diagnostic::error(span, message));
        }
        let mut bound = Vec::with_capacity(locals.0.len() + 1);
        bound.extend(locals.0.iter().cloned());
        bound.push((name.clone(), value));
        Ok(Locals(Rc::new(bound)))
    }

    /// The labels of a set, each once.
    pub(super) fn set(&self, set: &SetExpr, locals: &Locals) -> Lowered<Rc<[Rc<str>]>> {
        let (labels, span) = match set {
            SetExpr::Named(name) => {
                return self.globals.sets.get(&name.text).cloned().ok_or_else(|| {
                    let it = Diagnostic::error(name.span, format!("no set `{}`", name.text))
                        .label("expected the name of a set of labels");
                    let define = format!("define it above: `set {} = {{a, b}}`", name.text);
                    it.did_you_mean_or(&name.text, sorted(self.globals.sets.keys()), define)
                });
            }
            SetExpr::Literal(labels, span) => (labels, *span),
        };
        let mut seen = FxHashSet::default();
        let mut all: Vec<Rc<str>> = Vec::new();
        for label in labels {
            for (text, _) in self.labels(label, locals)? {
                let text: Rc<str> = text.into();
                if seen.insert(text.clone()) {
                    all.push(text);
                }
            }
            self.check_size(all.len() as u64, span)?;
        }
        Ok(all.into())
    }

    /// What an index runs over.
    pub(super) fn values(&self, index: &Index, locals: &Locals) -> Lowered<Values> {
        match &index.domain {
            Domain::Set(set) => Ok(Values::Labels(self.set(set, locals)?)),
            Domain::Range(low, high) => {
                let (low, high) = (self.int(low, locals)?, self.int(high, locals)?);
                if low > high {
                    let message = format!("the range {low}..{high} is empty");
                    return Err(Diagnostic::error(index.span, message)
                        .label("expected the smaller bound first"));
                }
                Ok(Values::Ints(low, high))
            }
            Domain::Value(expr) => {
                if let Some(name) = expr.as_name() {
                    if let Some(set) = self.globals.sets.get(name) {
                        return Ok(Values::Labels(set.clone()));
                    }
                    if let Some((low, high)) = self.globals.ranges.get(name) {
                        return Ok(Values::Ints(*low, *high));
                    }
                    if index.variable.is_some() && locals.get(name).is_none() {
                        return Err(self.unknown_range(name, expr.span));
                    }
                }
                Ok(Values::One(self.value(expr, locals)?))
            }
        }
    }

    fn unknown_range(&self, name: &str, span: Span) -> Diagnostic {
        let it = Diagnostic::error(span, format!("no range or set `{name}`"))
            .label("expected a range, such as 0..2, or the name of a range or a set");
        let known = sorted(self.globals.ranges.keys()).chain(sorted(self.globals.sets.keys()));
        it.did_you_mean_or(
            name,
            known,
            format!("define it above: `range {name} = 0..2`"),
        )
    }

    /// All ways to bind the variables of `[i:R][j:S]`, the last index fastest.
    pub(super) fn bindings(&self, ranges: &[Index], locals: &Locals) -> Lowered<Vec<Locals>> {
        let mut bound = vec![locals.clone()];
        for index in ranges {
            let mut longer = Vec::new();
            for locals in bound {
                let values = self.values(index, &locals)?;
                let size = values.len().saturating_add(longer.len() as u64);
                self.check_size(size, index.span)?;
                for position in 0..values.len() {
                    self.globals.spend(1, index.span)?;
                    longer.push(match &index.variable {
                        Some(name) => {
                            let value = values.get(position);
                            self.bind(&locals, &name.text, value, name.span)?
                        }
                        None => locals.clone(),
                    });
                }
            }
            bound = longer;
        }
        Ok(bound)
    }

    /// Binds one variable; for indices of local processes.
    pub(super) fn bind_index(
        &self,
        locals: &Locals,
        index: &Index,
        value: Value,
    ) -> Lowered<Locals> {
        match &index.variable {
            Some(name) => self.bind(locals, &name.text, value, name.span),
            None => Ok(locals.clone()),
        }
    }
}

/// Actual parameters: the arguments if there are any, else the defaults.
pub(super) fn parameters(
    globals: &Globals,
    formal: &[Parameter],
    arguments: Option<&[Value]>,
    name: &str,
    span: Span,
) -> Lowered<Vec<(Rc<str>, Value)>> {
    if let Some(arguments) = arguments
        && arguments.len() != formal.len()
    {
        let (has, given) = (formal.len(), arguments.len());
        let message = format!("`{name}` has {has} parameters, but {given} are given");
        return Err(Diagnostic::error(span, message).label(format!("expected {has}")));
    }
    let mut actual: Vec<(Rc<str>, Value)> = Vec::new();
    for (i, parameter) in formal.iter().enumerate() {
        let value = match arguments {
            Some(arguments) => arguments[i].clone(),
            None => Scope::new(globals, &actual).value(&parameter.default, &Locals::default())?,
        };
        if actual.iter().any(|(n, _)| *n == parameter.name.text) {
            let message = format!("the parameter `{}` is there twice", parameter.name.text);
            return Err(Diagnostic::error(parameter.name.span, message));
        }
        actual.push((parameter.name.text.clone(), value));
    }
    Ok(actual)
}

/// The keys of a map in order.
pub(super) fn sorted<'k>(
    keys: impl IntoIterator<Item = &'k Rc<str>>,
) -> impl Iterator<Item = &'k str> {
    let mut keys: Vec<&str> = keys.into_iter().map(|k| &**k).collect();
    keys.sort_unstable();
    keys.into_iter()
}
