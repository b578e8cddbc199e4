//! Predicates and definitions with their arguments.

use rustc_hash::FxHashMap;
use suppose_model::chc::Pred;
use suppose_source::{Diagnostic, Span};

use super::elaborate::{Application, Arg, Elaborator, Task, Value, internal};
use super::formula::Truth;
use super::sexp::{Id, Name};
use super::sort::Sort;

type Fallible<T> = Result<T, Diagnostic>;

impl Elaborator<'_> {
    /// A predicate of any values; for a query that names it alone.
    pub(super) fn any_instance(&mut self, name: Name, span: Span) -> Option<Truth> {
        let relation = self.globals.predicates.get(&name)?.clone();
        let mut args = Vec::new();
        for (i, &sort) in relation.sorts.iter().enumerate() {
            let value = self.fresh(&format!("{}_{i}", self.sexps.text(name)), sort);
            self.push_args(&mut args, value, sort).ok()?.ok()?;
        }
        Some(self.application(relation.pred, args, span))
    }

    pub(super) fn predicate(
        &mut self,
        name: Name,
        values: Vec<Value>,
        whole: Id,
    ) -> Fallible<Value> {
        let globals = self.globals;
        let Some(relation) = globals.predicates.get(&name) else {
            return Err(internal(self.sexps.span(whole)));
        };
        self.arity(
            name,
            relation.sorts.len(),
            values.len(),
            relation.span,
            whole,
        )?;
        let mut args = Vec::new();
        for (i, (value, &sort)) in values.into_iter().zip(&relation.sorts).enumerate() {
            self.push_args(&mut args, value, sort).map_err(|found| {
                self.wrong_sort(
                    whole,
                    i,
                    &format!("argument {} of `{}`", i + 1, self.sexps.text(name)),
                    found,
                )
                .label(format!("expected {}", self.shown(sort)))
                .note(relation.span, "declared here")
            })??;
        }
        let pred = relation.pred;
        Ok(Value::Bool(self.application(
            pred,
            args,
            self.sexps.span(whole),
        )))
    }

    fn wrong_sort(&self, whole: Id, argument: usize, what: &str, found: Sort) -> Diagnostic {
        let at = self
            .sexps
            .list(whole)
            .get(argument + 1)
            .copied()
            .unwrap_or(whole);
        Diagnostic::error(
            self.sexps.span(at),
            format!("{what} is of sort {}", self.shown(found)),
        )
    }

    fn arity(
        &self,
        name: Name,
        wanted: usize,
        found: usize,
        declared: Span,
        whole: Id,
    ) -> Fallible<()> {
        if wanted == found {
            return Ok(());
        }
        let plural = if wanted == 1 { "" } else { "s" };
        Err(Diagnostic::error(
            self.sexps.span(whole),
            format!(
                "`{}` takes {wanted} argument{plural}, found {found}",
                self.sexps.text(name)
            ),
        )
        .label(format!("expected {wanted} argument{plural}"))
        .note(declared, "declared here"))
    }

    fn application(&mut self, pred: Pred, args: Vec<Arg>, span: Span) -> Truth {
        let app = Application { pred, args };
        let number = match self.known_apps.get(&app) {
            Some(&number) => number,
            None => {
                let number = self.apps.len() as u32;
                self.apps.push(app.clone());
                self.known_apps.insert(app, number);
                number
            }
        };
        self.scratch.formulas.app(number, span)
    }

    /// Adds a value as one or more arguments; the value's sort if it is another one.
    #[allow(
        clippy::type_complexity,
        reason = "two kinds of failure: of sorts, and of form"
    )]
    fn push_args(
        &mut self,
        args: &mut Vec<Arg>,
        value: Value,
        sort: Sort,
    ) -> Result<Fallible<()>, Sort> {
        match (value, sort) {
            (Value::Bool(Truth::Pure(term)), Sort::Bool) => args.push(Arg::Bool(term)),
            (Value::Bool(Truth::Mixed(_)), Sort::Bool) => {
                return Ok(Err(Diagnostic::error_without_place(
                    "a predicate occurs in the argument of a predicate",
                )
                .label("expected arguments without predicates and quantifiers")
                .help("write one clause for each of its two values")));
            }
            (Value::Number(number, real), Sort::Int | Sort::Real)
                if sort == Sort::Real || !real =>
            {
                match self.scratch.name(number, real) {
                    Ok(ratio) => args.push(Arg::Number(ratio)),
                    Err(error) => return Ok(Err(error)),
                }
            }
            (value, sort) if value.sort() == sort => {
                if let Err(error) = self.parts(&value, args) {
                    return Ok(Err(error));
                }
            }
            (other, _) => return Err(other.sort()),
        }
        Ok(Ok(()))
    }

    pub(super) fn enter(&mut self, name: Name, args: Vec<Value>, whole: Id) -> Fallible<()> {
        let globals = self.globals;
        let Some(definition) = globals.macros.get(&name) else {
            return Err(internal(self.sexps.span(whole)));
        };
        self.arity(
            name,
            definition.parameters.len(),
            args.len(),
            definition.span,
            whole,
        )?;
        let mut inner: FxHashMap<Name, Vec<Value>> = FxHashMap::default();
        for (i, (value, &(parameter, sort))) in
            args.into_iter().zip(&definition.parameters).enumerate()
        {
            let found = value.sort();
            let value = fit(value, sort).ok_or_else(|| {
                self.wrong_sort(
                    whole,
                    i,
                    &format!("argument {} of `{}`", i + 1, self.sexps.text(name)),
                    found,
                )
                .label(format!("expected {}", self.shown(sort)))
                .note(definition.span, "defined here")
            })?;
            inner.insert(parameter, vec![value]);
        }
        let call = self.sexps.span(whole);
        self.calls.push(call);
        let locals = std::mem::replace(&mut self.locals, inner);
        self.tasks.push(Task::Leave { locals, name, call });
        self.tasks.push(Task::Eval(definition.body));
        Ok(())
    }

    pub(super) fn leave(&mut self, name: Name, call: Span) -> Fallible<()> {
        let globals = self.globals;
        let (Some(value), Some(definition)) = (self.values.pop(), globals.macros.get(&name)) else {
            return Err(internal(call));
        };
        let found = value.sort();
        match fit(value, definition.result) {
            Some(value) => {
                self.values.push(value);
                Ok(())
            }
            None => Err(Diagnostic::error(
                self.sexps.span(definition.body),
                format!(
                    "the body of `{}` is of sort {}",
                    self.sexps.text(name),
                    self.shown(found)
                ),
            )
            .label(format!("expected {}", self.shown(definition.result)))),
        }
    }
}

/// The value as one of that sort: integers are reals.
pub(super) fn fit(value: Value, sort: Sort) -> Option<Value> {
    match (value, sort) {
        (Value::Number(number, false), Sort::Real) => Some(Value::Number(number, true)),
        (value, sort) => (value.sort() == sort).then_some(value),
    }
}
