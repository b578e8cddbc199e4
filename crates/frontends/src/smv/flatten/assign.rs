//! Assignments, and what processes make of them.

use std::collections::BTreeMap;

use suppose_model::fsm::{Assignment, ExprId, VarId, VariableKind, When};
use suppose_source::{Diagnostic, Span};

use super::super::ast::AssignDecl;
use super::{Entity, Flattener, Lowered, Scope};

/// What is assigned to a variable.
#[derive(Default)]
struct Given {
    init: Option<(ExprId, Span)>,
    always: Option<(ExprId, Span)>,
    /// Indexed by the assigning process.
    next: Vec<(Scope, ExprId, Span)>,
}

impl<'a> Flattener<'a> {
    pub(super) fn assignments(&mut self) {
        let mut given: BTreeMap<VarId, Given> = BTreeMap::new();
        for scope in 0..self.instances.len() {
            let module = self.instances[scope].module;
            for decl in &module.assigns {
                let one = self.assignment(scope, decl, &mut given);
                self.keep(one);
                if self.errors.len() >= super::ERRORS {
                    return;
                }
            }
        }
        for (var, given) in given {
            let made = self.assigned(var, given);
            self.keep(made);
        }
    }

    fn assignment(
        &mut self,
        scope: Scope,
        decl: &'a AssignDecl,
        given: &mut BTreeMap<VarId, Given>,
    ) -> Lowered<()> {
        let var = self.target(scope, decl)?;
        let (value, span) = (self.assigned_value(scope, var, decl)?, decl.span);
        let owner = self.instances[scope].owner;
        let given = given.entry(var).or_default();
        let before = match decl.when {
            When::Init => given.init.or(given.always).map(|(_, span)| span),
            When::Next => {
                let same = given.next.iter().find(|(other, ..)| *other == owner);
                same.map(|(.., s)| *s).or(given.always.map(|(_, s)| s))
            }
            When::Always => {
                let next = given.next.first().map(|(.., span)| *span);
                given.init.or(given.always).map(|(_, s)| s).or(next)
            }
        };
        if let Some(before) = before {
            let name = self.system.variable(var).name.clone();
            return Err(
                Diagnostic::error(span, format!("`{name}` is assigned twice"))
                    .label("expected one assignment")
                    .note(before, "the other one is here")
                    .help("a variable has `init` and `next`, each once, or one plain assignment"),
            );
        }
        match decl.when {
            When::Init => given.init = Some((value, span)),
            When::Always => given.always = Some((value, span)),
            When::Next => given.next.push((owner, value, span)),
        }
        Ok(())
    }

    fn target(&mut self, scope: Scope, decl: &'a AssignDecl) -> Lowered<VarId> {
        let span = decl.target.span;
        let var = match self.static_path(scope, &decl.target)? {
            Some(Entity::Var(var)) => var,
            None => {
                return Err(Diagnostic::error(span, "the index must be a number")
                    .label("expected a constant index")
                    .help("assign every element: next(a[0]) := i = 0 ? .. : a[0]; and so on"));
            }
            Some(Entity::Array(_)) => {
                return Err(Diagnostic::error(span, "a whole array cannot be assigned")
                    .label("expected an element")
                    .help("assign every element"));
            }
            Some(_) => {
                return Err(Diagnostic::error(span, "only variables can be assigned")
                    .label("expected a variable")
                    .help("definitions, constants and arguments that are expressions have their value already"));
            }
        };
        let variable = self.system.variable(var);
        match variable.kind {
            VariableKind::Input => Err(Diagnostic::error(
                span,
                format!("the input `{}` cannot be assigned", variable.name),
            )
            .label("expected a state variable")
            .note(variable.span, "declared as an input here")),
            VariableKind::Frozen if decl.when != When::Init => Err(Diagnostic::error(
                span,
                format!(
                    "the frozen variable `{}` can be given a first value only",
                    variable.name
                ),
            )
            .label("expected `init(..)`")
            .note(variable.span, "declared as frozen here")),
            _ => Ok(var),
        }
    }

    fn assigned_value(
        &mut self,
        scope: Scope,
        var: VarId,
        decl: &'a AssignDecl,
    ) -> Lowered<ExprId> {
        self.not_temporal(&decl.value, "an assignment")?;
        let value = self.expr(scope, &decl.value)?;
        let sort = self.system.variable(var).ty.sort();
        let value = self.as_sort(value, sort);
        let found = self.system.exprs.sort(value);
        if !sort.joins(found) {
            let variable = self.system.variable(var);
            let message = format!(
                "`{}` is {}, and what is assigned is {}",
                variable.name,
                sort.show(),
                found.show()
            );
            return Err(Diagnostic::error(decl.value.span, message)
                .label(format!("expected {}", sort.show()))
                .note(variable.span, "declared here"));
        }
        if decl.when != When::Next {
            let what = match decl.when {
                When::Init => "a first value",
                _ => "an assignment without `next`",
            };
            self.no_next(value, decl.value.span, what)?;
            self.no_input(value, decl.value.span, what)?;
        }
        Ok(value)
    }

    /// The assignments of one variable. With processes, it changes when one that assigns it moves, and else stays.
    fn assigned(&mut self, var: VarId, given: Given) -> Lowered<()> {
        if let Some((value, span)) = given.init {
            self.assign(var, When::Init, value, span);
        }
        if let Some((value, span)) = given.always {
            self.assign(var, When::Always, value, span);
        }
        let Some((_, first, span)) = given.next.first().copied() else {
            return Ok(());
        };
        if self.selector.is_none() {
            self.assign(var, When::Next, first, span);
            return Ok(());
        }
        let mut value = self.system.exprs.current(var);
        for (owner, next, span) in given.next {
            let running = self.is_running_process(owner, span)?;
            value = self.branch(running, next, value, span)?;
        }
        self.assign(var, When::Next, value, span);
        Ok(())
    }

    fn assign(&mut self, var: VarId, when: When, value: ExprId, span: Span) {
        self.must_be_of_type(var, value, span);
        self.system.assignments.push(Assignment {
            var,
            when,
            value,
            span,
        });
    }
}
