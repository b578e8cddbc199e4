//! Tree to [`Resolved`]: constants get their values, formulas and renamings are put in, types are checked.

mod expr;
mod module;
mod scope;
mod system;

use suppose_source::{Diagnostic, Span, nearest};

use super::PrismOptions;
use super::ast::{Constant, Earner, Expr, Model, ModelType, RewardItem, Type};
use super::lexer::Names;
use super::resolved::{EarnerInfo, LabelInfo, Resolved, RewardInfo, RewardItemInfo};
use super::term::Term;
use super::value::{self, Value};

pub(super) use expr::fold;
pub(super) use scope::Scope;

/// Values for constants that the model leaves open: names, and expressions as text.
pub(super) type Given = [(String, String)];

/// Everything resolved, and the scope for properties.
pub(super) fn resolve(
    model: &Model,
    names: &Names,
    options: &PrismOptions,
) -> Result<(Resolved, Scope), Vec<Diagnostic>> {
    let given: &Given = &options.constants;
    let mut errors = Vec::new();
    let mut scope = Scope::new(&options.limits);
    scope.declare(model, names, &mut errors);
    scope.constants(&model.constants, names, given, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    if !options.unknown_constants {
        unknown_given(model, names, given, &mut errors);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut resolver = Resolver {
        model,
        names,
        scope,
        warnings: Vec::new(),
        actions: Vec::new(),
        errors,
    };
    let resolved = resolver.all();
    match (resolved, resolver.errors.is_empty()) {
        (Some(resolved), true) => Ok((resolved, resolver.scope)),
        _ => Err(resolver.errors),
    }
}

fn unknown_given(model: &Model, names: &Names, given: &Given, errors: &mut Vec<Diagnostic>) {
    for (name, _) in given {
        let declared = |c: &Constant| names.text(c.name.name) == name;
        if !model.constants.iter().any(declared) {
            let message = format!("there is no constant `{name}` to set");
            let known: Vec<&str> = (model.constants.iter())
                .map(|c| names.text(c.name.name))
                .collect();
            let help = match (nearest(name, known.iter().copied()), known.is_empty()) {
                (Some(near), _) => format!(
                    "did you mean `{near}`? The constants are {}",
                    known.join(", ")
                ),
                (None, false) => format!("the constants are {}", known.join(", ")),
                (None, true) => "the model has no constant".to_owned(),
            };
            errors.push(Diagnostic::error_without_place(message).help(help));
        }
    }
}

struct Resolver<'a> {
    model: &'a Model,
    names: &'a Names,
    scope: Scope,
    warnings: Vec<Diagnostic>,
    actions: Vec<String>,
    errors: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn all(&mut self) -> Option<Resolved> {
        if self.model.modules.is_empty() {
            self.errors.push(
                Diagnostic::error_without_place("there is no module").help(
                    "write one: module M  x : [0..1] init 0;  [go] x=0 -> (x'=1);  endmodule",
                ),
            );
            return None;
        }
        let plains = self.plain_modules()?;
        let variables = self.variables(&plains)?;
        let modules = self.modules(&plains, &variables);
        let labels = self.labels();
        let rewards = self.rewards();
        let init = self.init();
        if !self.errors.is_empty() {
            return None;
        }
        let vectors = self.vectors(&modules)?;
        self.globals_are_written_alone(&vectors, &modules, &variables);
        if !self.errors.is_empty() {
            return None;
        }
        Some(Resolved {
            ty: self.model.ty.unwrap_or(ModelType::Mdp),
            variables,
            modules,
            actions: std::mem::take(&mut self.actions),
            labels,
            rewards,
            init,
            vectors,
            warnings: std::mem::take(&mut self.warnings),
        })
    }

    fn labels(&mut self) -> Vec<LabelInfo> {
        let mut labels: Vec<LabelInfo> = Vec::new();
        for label in &self.model.labels {
            let name = self
                .names
                .text(label.name.name)
                .trim_matches('"')
                .to_owned();
            if labels.iter().any(|l| l.name == name) || name == "init" || name == "deadlock" {
                self.errors.push(Diagnostic::error(
                    label.name.span,
                    format!("there is already a label \"{name}\""),
                ));
            }
            match self.typed(&label.value, Type::Bool, "a label") {
                Ok(term) => labels.push(LabelInfo { name, term }),
                Err(error) => self.errors.push(error),
            }
        }
        labels
    }

    fn rewards(&mut self) -> Vec<RewardInfo> {
        let mut all: Vec<RewardInfo> = Vec::new();
        for structure in &self.model.rewards {
            let name = structure.name.map(|n| self.names.text(n.name));
            let name = name.unwrap_or_default().trim_matches('"').to_owned();
            if !name.is_empty() && all.iter().any(|r| r.name == name) {
                let message = format!("there are already rewards \"{name}\"");
                self.errors.push(Diagnostic::error(structure.span, message));
            }
            let mut items = Vec::new();
            for item in &structure.items {
                let made = self.reward_item(item);
                items.extend(made.map_err(|error| self.errors.push(error)).ok());
            }
            all.push(RewardInfo { name, items });
        }
        all
    }

    fn reward_item(&mut self, item: &RewardItem) -> Result<RewardItemInfo, Diagnostic> {
        let earner = match item.earner {
            Earner::State => EarnerInfo::State,
            Earner::Silent => EarnerInfo::Silent,
            Earner::Action(ident) => EarnerInfo::Action(self.names.text(ident.name).to_owned()),
        };
        Ok(RewardItemInfo {
            earner,
            guard: self.typed(&item.guard, Type::Bool, "the condition of a reward")?,
            value: self.typed(&item.value, Type::Real, "a reward")?,
        })
    }

    fn init(&mut self) -> Option<Term> {
        let init = self.model.init.as_ref()?;
        self.typed(init, Type::Bool, "`init`")
            .map_err(|error| self.errors.push(error))
            .ok()
    }

    fn typed(&self, expr: &Expr, wanted: Type, what: &str) -> Result<Term, Diagnostic> {
        let term = self.scope.resolve(expr, &[], self.names)?;
        expect_type(term, wanted, what)
    }
}

/// The value of an expression without variables.
fn constant_value(term: &Term) -> Result<Value, Diagnostic> {
    value::evaluate(term, &|_| None).map_err(|fault| {
        let not_constant = fault.message.contains("variable");
        let it = fault.diagnostic();
        match not_constant {
            true => it.help("only constants can be used here"),
            false => it,
        }
    })
}

/// Integers are numbers of type double too.
fn expect_type(term: Term, wanted: Type, what: &str) -> Result<Term, Diagnostic> {
    if term.ty == wanted || (wanted == Type::Real && term.ty == Type::Int) {
        return Ok(term);
    }
    let message = format!("{what} must be of type {}", wanted.name());
    let it = Diagnostic::error(term.span, message).label(format!("this is {}", term.ty.name()));
    Err(match (wanted, term.ty) {
        (Type::Int, Type::Real) => it.help("round it: floor(...), ceil(...), round(...)"),
        _ => it,
    })
}

fn twice(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(span, format!("`{name}` is declared twice")).note(first, "first here")
}
