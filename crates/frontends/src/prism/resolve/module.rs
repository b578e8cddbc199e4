//! Modules: copies are made, variables numbered, commands resolved.

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, Span};

use super::super::ast::{Command, Ident, Module, Plain, Range, Type, Update, Variable};
use super::super::lexer::Sym;
use super::super::resolved::{CommandInfo, ModuleInfo, UpdateInfo, VariableInfo};
use super::super::term::{Term, TermKind};
use super::super::value::Value;
use super::expr::Renaming;
use super::scope::Meaning;
use super::{Resolver, constant_value, expect_type};

/// The widest range a variable can have.
const WIDTH: i64 = u32::MAX as i64;

/// A module with the renaming that makes it.
pub(super) struct Instance<'a> {
    name: Ident,
    plain: &'a Plain,
    renaming: Vec<(Sym, Sym)>,
}

impl Instance<'_> {
    fn rename(&self, ident: Ident) -> Ident {
        let new = self.renaming.iter().find(|(old, _)| *old == ident.name);
        Ident {
            name: new.map_or(ident.name, |(_, new)| *new),
            ..ident
        }
    }

    /// Where to point at for a copy: its own name, not the original's.
    fn place(&self, original: Span) -> Span {
        match self.renaming.is_empty() {
            true => original,
            false => self.name.span,
        }
    }
}

impl<'a> Resolver<'a> {
    /// Every module as a plain one with a renaming; copies of copies compose theirs.
    pub(super) fn plain_modules(&mut self) -> Option<Vec<Instance<'a>>> {
        let by_name: FxHashMap<Sym, &'a Module> = self
            .model
            .modules
            .iter()
            .map(|m| (m.name().name, m))
            .collect();
        let mut instances = Vec::new();
        for module in &self.model.modules {
            match self.instance(module, &by_name) {
                Ok(instance) => instances.push(instance),
                Err(error) => self.errors.push(error),
            }
        }
        self.errors.is_empty().then_some(instances)
    }

    fn instance(
        &self,
        module: &'a Module,
        by_name: &FxHashMap<Sym, &'a Module>,
    ) -> Result<Instance<'a>, Diagnostic> {
        let name = module.name();
        let mut renaming: Vec<(Sym, Sym)> = Vec::new();
        let mut current = module;
        for _ in 0..=self.model.modules.len() {
            let copy = match current {
                Module::Plain(plain) => {
                    return Ok(Instance {
                        name,
                        plain,
                        renaming,
                    });
                }
                Module::Renamed(copy) => copy,
            };
            // The copied module's own renaming acts first.
            let mut composed: Vec<(Sym, Sym)> = Vec::new();
            for (old, new) in &copy.pairs {
                if composed.iter().any(|(seen, _)| *seen == old.name) {
                    let message = format!("`{}` is renamed twice", self.names.text(old.name));
                    return Err(Diagnostic::error(old.span, message));
                }
                let last = renaming.iter().find(|(from, _)| *from == new.name);
                composed.push((old.name, last.map_or(new.name, |(_, to)| *to)));
            }
            for (old, new) in renaming {
                if !composed.iter().any(|(seen, _)| *seen == old) {
                    composed.push((old, new));
                }
            }
            renaming = composed;
            let Some(next) = by_name.get(&copy.base.name) else {
                let text = self.names.text(copy.base.name);
                return Err(Diagnostic::error(
                    copy.base.span,
                    format!("there is no module `{text}` to copy"),
                ));
            };
            current = next;
        }
        Err(Diagnostic::error(
            name.span,
            "this module is a copy of itself",
        ))
    }

    /// Globals first, then module by module.
    pub(super) fn variables(&mut self, instances: &[Instance<'_>]) -> Option<Vec<VariableInfo>> {
        let mut variables = Vec::new();
        for global in &self.model.globals {
            self.declare(global, global.name, global.name.span, None, &mut variables);
        }
        for (owner, instance) in instances.iter().enumerate() {
            for variable in &instance.plain.variables {
                let name = instance.rename(variable.name);
                let span = instance.place(variable.name.span);
                if name.name == variable.name.name && !instance.renaming.is_empty() {
                    let text = self.names.text(name.name);
                    let message =
                        format!("the copy of the module must rename the variable `{text}`");
                    self.errors.push(Diagnostic::error(span, message));
                    continue;
                }
                let name = Ident { span, ..name };
                self.declare(variable, name, span, Some(owner), &mut variables);
            }
        }
        if !self.errors.is_empty() {
            return None;
        }
        // Ranges and initial values may use constants only, so they come after the names.
        let globals = self.model.globals.iter().map(|v| (v, &[] as &Renaming));
        let locals = instances
            .iter()
            .flat_map(|i| i.plain.variables.iter().map(|v| (v, i.renaming.as_slice())));
        for (number, (variable, renaming)) in globals.chain(locals).enumerate() {
            if let Err(error) = self.bounds(variable, renaming, &mut variables[number]) {
                self.errors.push(error);
            }
        }
        self.errors.is_empty().then_some(variables)
    }

    fn declare(
        &mut self,
        variable: &Variable,
        name: Ident,
        span: Span,
        owner: Option<usize>,
        variables: &mut Vec<VariableInfo>,
    ) {
        let is_bool = matches!(variable.range, Range::Bool);
        let ty = if is_bool { Type::Bool } else { Type::Int };
        let meaning = Meaning::Variable(variables.len() as u32, ty);
        if let Err(error) = self.scope.add(Ident { span, ..name }, meaning, self.names) {
            self.errors.push(error);
        }
        variables.push(VariableInfo {
            name: self.names.text(name.name).to_owned(),
            is_bool,
            low: 0,
            high: 1,
            unbounded: false,
            init: None,
            owner,
        });
    }

    fn bounds(
        &self,
        variable: &Variable,
        renaming: &Renaming,
        info: &mut VariableInfo,
    ) -> Result<(), Diagnostic> {
        let constant = |expr| -> Result<(i64, Span), Diagnostic> {
            let term = self.scope.resolve(expr, renaming, self.names)?;
            let wanted = if info.is_bool { Type::Bool } else { Type::Int };
            let term = expect_type(term, wanted, "this")?;
            match constant_value(&term)? {
                Value::Bool(b) => Ok((i64::from(b), term.span)),
                Value::Int(n) => Ok((n, term.span)),
                _ => Err(Diagnostic::error(term.span, "this is not an integer")),
            }
        };
        let name = &info.name;
        let mut unbounded = false;
        let (low, high) = match &variable.range {
            Range::Bool => (0, 1),
            Range::Int => {
                unbounded = true;
                (i64::from(i32::MIN), i64::from(i32::MAX))
            }
            Range::Between(low, high) => {
                let ((low, start), (high, end)) = (constant(low)?, constant(high)?);
                let span = start.to(end);
                if low > high {
                    return Err(Diagnostic::error(
                        span,
                        format!("the range {low}..{high} of `{name}` is empty"),
                    ));
                }
                if high.checked_sub(low).is_none_or(|width| width >= WIDTH) {
                    return Err(Diagnostic::error(
                        span,
                        format!("the range {low}..{high} of `{name}` is too large"),
                    )
                    .label("expected fewer than 2^32 values"));
                }
                (low, high)
            }
        };
        let init = match &variable.init {
            Some(init) => {
                let (value, span) = constant(init)?;
                if value < low || value > high {
                    return Err(Diagnostic::error(
                        span,
                        format!("`{name}` begins with {value}, outside its range {low}..{high}"),
                    ));
                }
                if self.model.init.is_some() {
                    return Err(Diagnostic::error(
                        span,
                        "initial values are given here and in `init ... endinit`",
                    )
                    .help("keep one of the two"));
                }
                Some(value)
            }
            None if self.model.init.is_some() => None,
            None if unbounded => Some(0),
            None => Some(low),
        };
        (info.low, info.high, info.unbounded, info.init) = (low, high, unbounded, init);
        Ok(())
    }

    pub(super) fn modules(
        &mut self,
        instances: &[Instance<'_>],
        variables: &[VariableInfo],
    ) -> Vec<ModuleInfo> {
        let mut numbers: FxHashMap<Sym, u32> = FxHashMap::default();
        let mut modules = Vec::new();
        for (owner, instance) in instances.iter().enumerate() {
            let mut commands = Vec::new();
            for command in &instance.plain.commands {
                let action = command
                    .action
                    .map(|a| self.action(instance.rename(a), &mut numbers));
                match self.command(command, action, owner, instance, variables) {
                    Ok(command) => commands.push(command),
                    Err(error) => self.errors.push(error),
                }
                if self.errors.len() >= 20 {
                    return modules;
                }
            }
            let mut alphabet: Vec<u32> = commands.iter().filter_map(|c| c.action).collect();
            alphabet.sort_unstable();
            alphabet.dedup();
            modules.push(ModuleInfo {
                name: self.names.text(instance.name.name).to_owned(),
                span: instance.name.span,
                commands,
                alphabet,
            });
        }
        modules
    }

    fn action(&mut self, ident: Ident, numbers: &mut FxHashMap<Sym, u32>) -> u32 {
        let names = self.names;
        let actions = &mut self.actions;
        *numbers.entry(ident.name).or_insert_with(|| {
            actions.push(names.text(ident.name).to_owned());
            actions.len() as u32 - 1
        })
    }

    fn command(
        &self,
        command: &Command,
        action: Option<u32>,
        owner: usize,
        instance: &Instance<'_>,
        variables: &[VariableInfo],
    ) -> Result<CommandInfo, Diagnostic> {
        let renaming = instance.renaming.as_slice();
        let guard = self.scope.resolve(&command.guard, renaming, self.names)?;
        let guard = expect_type(guard, Type::Bool, "a guard")?;
        let update = |u: &Update| self.update(u, owner, instance, variables);
        let updates: Result<Vec<_>, _> = command.updates.iter().map(update).collect();
        Ok(CommandInfo {
            action,
            guard,
            updates: updates?,
            span: command.span,
        })
    }

    fn update(
        &self,
        update: &Update,
        owner: usize,
        instance: &Instance<'_>,
        variables: &[VariableInfo],
    ) -> Result<UpdateInfo, Diagnostic> {
        let renaming = instance.renaming.as_slice();
        let probability = match &update.probability {
            Some(p) => {
                let term = self.scope.resolve(p, renaming, self.names)?;
                expect_type(term, Type::Real, "a probability")?
            }
            None => Term::int(1, update.span),
        };
        if let TermKind::Call(..) = probability.kind
            && probability.is_literal()
        {
            constant_value(&probability)?;
        }
        let mut assignments: Vec<(u32, Term)> = Vec::new();
        for (variable, value) in &update.assignments {
            let renamed = instance.rename(*variable);
            let number = self.assignable(renamed, owner, instance, variables)?;
            if assignments.iter().any(|(other, _)| *other == number) {
                let text = self.names.text(renamed.name);
                return Err(Diagnostic::error(
                    variable.span,
                    format!("`{text}` is assigned twice in one update"),
                ));
            }
            let term = self.scope.resolve(value, renaming, self.names)?;
            let is_bool = variables[number as usize].is_bool;
            let wanted = if is_bool { Type::Bool } else { Type::Int };
            let what = format!("the value for `{}`", self.names.text(renamed.name));
            assignments.push((number, expect_type(term, wanted, &what)?));
        }
        Ok(UpdateInfo {
            probability,
            assignments,
            span: update.span,
        })
    }

    /// A module assigns to its own variables and to global ones.
    fn assignable(
        &self,
        ident: Ident,
        owner: usize,
        instance: &Instance<'_>,
        variables: &[VariableInfo],
    ) -> Result<u32, Diagnostic> {
        let text = self.names.text(ident.name);
        let span = ident.span;
        match self.scope.meanings.get(&ident.name) {
            Some((Meaning::Variable(number, _), place)) => {
                let of = variables[*number as usize].owner;
                if of.is_none_or(|of| of == owner) {
                    return Ok(*number);
                }
                let module = self.names.text(instance.name.name);
                let message = format!(
                    "the module `{module}` assigns to `{text}`, which belongs to another module"
                );
                Err(Diagnostic::error(span, message)
                    .note(*place, "declared here")
                    .help("declare it with `global`, or synchronise on an action"))
            }
            Some((_, place)) => Err(
                Diagnostic::error(span, format!("`{text}` is not a variable"))
                    .note(*place, "declared here"),
            ),
            None => {
                let message = format!("the variable `{text}` is not declared");
                let known = variables.iter().map(|v| v.name.as_str());
                Err(Diagnostic::error(span, message).did_you_mean(text, known))
            }
        }
    }
}
