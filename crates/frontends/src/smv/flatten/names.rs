//! What names represent, and definitions in the order they need each other.

use suppose_model::fsm::{Define, ExprId};
use suppose_source::{Diagnostic, Span};

use super::super::ast::{Expr, ExprKind};
use super::super::lexer::{Names, Sym};
use super::{Definition, Entity, Flattener, Lowered, Progress, Scope};

impl<'a> Flattener<'a> {
    /// What a name represents in a scope.
    pub(super) fn lookup(&mut self, scope: Scope, name: Sym, span: Span) -> Lowered<Entity> {
        match self.instances[scope].names.get(&name).copied() {
            Some(Entity::Parameter(number)) => {
                // An argument that leads back to its own parameter finds nothing there.
                self.instances[scope].names.insert(name, Entity::Pending);
                let entity = self.argument(scope, number);
                let kept = match &entity {
                    // What has no type yet will have one later.
                    Err(_) | Ok(Entity::Pending) => Entity::Parameter(number),
                    Ok(entity) => *entity,
                };
                self.instances[scope].names.insert(name, kept);
                entity
            }
            Some(entity) => Ok(entity),
            None => match self.system.symbols.find(self.text(name)) {
                Some(symbol) => Ok(Entity::Symbol(symbol)),
                None => Err(self.unknown(scope, name, span)),
            },
        }
    }

    fn unknown(&self, scope: Scope, name: Sym, span: Span) -> Diagnostic {
        let text = self.text(name);
        let place = match self.instances[scope].prefix.strip_suffix('.') {
            Some(prefix) => format!("in module `{}`, as `{prefix}`", {
                self.text(self.instances[scope].module.name.name)
            }),
            None => {
                let name = self.instances[scope].module.name.name;
                format!("in module `{}`", self.text(name))
            }
        };
        let it = Diagnostic::error(span, format!("`{text}` is not known {place}"))
            .label("expected a variable, a definition, a parameter or a constant");
        if text.contains('-') {
            return it.help("a name may contain `-`: put blanks around the operator");
        }
        let module = self.instances[scope].module;
        let declared = module.parameters.iter().map(|p| p.name);
        let declared = declared
            .chain(module.vars.iter().map(|v| v.name.name))
            .chain(module.defines.iter().map(|d| d.name.name));
        it.did_you_mean_or(
            text,
            declared.map(|d| self.text(d)),
            "declare it with VAR, DEFINE or CONSTANTS",
        )
    }

    /// What an argument represents: what it names, or a definition made for it.
    fn argument(&mut self, scope: Scope, number: usize) -> Lowered<Entity> {
        let Some((parent, arguments)) = self.instances[scope].parent else {
            return Ok(Entity::Pending);
        };
        let body: &'a Expr = &arguments[number];
        let named = match is_path(body) {
            true => self.static_path(parent, body)?,
            false => None,
        };
        if let Some(entity) = named {
            return Ok(entity);
        }
        self.definitions.push(Definition {
            name: None,
            scope: parent,
            body,
            span: body.span,
            progress: Progress::Waiting,
        });
        Ok(Entity::Define(self.definitions.len() - 1))
    }

    /// What a path without computed indices represents; none if it has one.
    pub(super) fn static_path(&mut self, scope: Scope, path: &'a Expr) -> Lowered<Option<Entity>> {
        if let Some(entity) = self.flat_name(scope, path) {
            return Ok(Some(entity));
        }
        match &path.kind {
            ExprKind::Name(name) if self.is_running(scope, *name) => Ok(None),
            ExprKind::Name(name) => self.lookup(scope, *name, path.span).map(Some),
            ExprKind::Itself => Ok(Some(Entity::Instance(scope))),
            ExprKind::Dot(base, field) => match self.static_path(scope, base)? {
                Some(Entity::Instance(inner)) if self.is_running(inner, field.name) => Ok(None),
                Some(Entity::Instance(inner)) => {
                    self.member(inner, field.name, field.span).map(Some)
                }
                Some(_) => Err(self.no_instance(base)),
                None => Ok(None),
            },
            ExprKind::Index(base, index) => {
                let Some(base) = self.static_path(scope, base)? else {
                    return Ok(None);
                };
                let at = match &index.kind {
                    ExprKind::Number(n) => *n,
                    ExprKind::Negate(inner) => match inner.kind {
                        ExprKind::Number(n) => -n,
                        _ => return Ok(None),
                    },
                    _ => return Ok(None),
                };
                match base {
                    Entity::Array(array) => self.element(array, at, index.span).map(Some),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// What a path represents that is itself a declared name, as in a system that was flattened.
    fn flat_name(&self, scope: Scope, path: &Expr) -> Option<Entity> {
        if !self.has_flat_names || matches!(path.kind, ExprKind::Name(_)) {
            return None;
        }
        let name = self.names.find(&joined(path, self.names)?)?;
        self.instances[scope].names.get(&name).copied()
    }

    /// A name in another instance: declared there, not one of its constants.
    pub(super) fn member(&mut self, inner: Scope, name: Sym, span: Span) -> Lowered<Entity> {
        if self.instances[inner].names.contains_key(&name) {
            return self.lookup(inner, name, span);
        }
        Err(self.unknown(inner, name, span))
    }

    pub(super) fn no_instance(&self, base: &Expr) -> Diagnostic {
        Diagnostic::error(base.span, "this is not a module instance")
            .label("expected an instance before `.`")
    }

    pub(super) fn element(&self, array: usize, at: i64, span: Span) -> Lowered<Entity> {
        let array = &self.arrays[array];
        let offset = usize::try_from(i128::from(at) - i128::from(array.low)).ok();
        let found = offset.and_then(|o| array.elements.get(o)).copied();
        found.ok_or_else(|| {
            let high = i128::from(array.low) + array.elements.len() as i128 - 1;
            Diagnostic::error(span, format!("the array has no element {at}"))
                .label(format!("expected an index from {} to {high}", array.low))
        })
    }

    /// `running` in a system with processes, where nothing else is called that.
    pub(super) fn is_running(&self, scope: Scope, name: Sym) -> bool {
        name == self.running
            && self.selector.is_some()
            && !self.instances[scope].names.contains_key(&name)
    }

    /// Gives every definition its expression.
    pub(super) fn lower_definitions(&mut self) {
        let mut at = 0;
        // Arguments add definitions on the way.
        while at < self.definitions.len() {
            let lowered = self.demand(at);
            self.keep(lowered);
            if self.errors.len() >= super::ERRORS {
                return;
            }
            at += 1;
        }
        for definition in &self.definitions {
            if let (Some(name), Progress::Done(expr)) = (&definition.name, definition.progress) {
                self.system.defines.push(Define {
                    name: name.clone(),
                    expr,
                    span: definition.span,
                });
            }
        }
    }

    /// The expression of a definition, after those that it needs; chains of them can be long.
    pub(super) fn demand(&mut self, definition: usize) -> Lowered<ExprId> {
        let mut open = vec![definition];
        while let Some(&top) = open.last() {
            match self.definitions[top].progress {
                Progress::Done(_) | Progress::Wrong => {
                    open.pop();
                    continue;
                }
                Progress::Busy => {
                    open.pop();
                    let result = self.lower_definition(top);
                    self.definitions[top].progress = match &result {
                        Ok(expr) => Progress::Done(*expr),
                        Err(_) => Progress::Wrong,
                    };
                    result?;
                    continue;
                }
                Progress::Waiting => {}
            }
            self.definitions[top].progress = Progress::Busy;
            let (scope, body) = (self.definitions[top].scope, self.definitions[top].body);
            let mut needed = Vec::new();
            self.needed(scope, body, &mut needed);
            for it in needed {
                match self.definitions[it].progress {
                    Progress::Waiting => open.push(it),
                    Progress::Busy => return Err(self.circle(&open, it)),
                    Progress::Done(_) | Progress::Wrong => {}
                }
            }
        }
        match self.definitions[definition].progress {
            Progress::Done(expr) => Ok(expr),
            _ => Err(self.broken(definition)),
        }
    }

    fn broken(&self, definition: usize) -> Diagnostic {
        let it = &self.definitions[definition];
        let name = it.name.clone().unwrap_or_else(|| "an argument".to_owned());
        Diagnostic::error(
            it.span,
            format!("`{name}` is not defined because of the error above"),
        )
    }

    fn circle(&mut self, open: &[usize], again: usize) -> Diagnostic {
        let name = |d: &Definition<'_>| d.name.clone().unwrap_or_else(|| "an argument".to_owned());
        let it = &self.definitions[again];
        let message = format!("`{}` is defined in terms of itself", name(it));
        let mut error = Diagnostic::error(it.span, message).label("expected no circle");
        let start = open.iter().position(|d| *d == again).unwrap_or(0);
        for other in open[start..].iter().filter(|d| **d != again).take(5) {
            let other = &self.definitions[*other];
            if other.progress == Progress::Busy {
                let text = format!("`{}` is on the way round", name(other));
                error = error.note(other.span, text);
            }
        }
        for definition in open {
            self.definitions[*definition].progress = Progress::Wrong;
        }
        error.help("use a variable and `next` if it is to change from state to state")
    }

    fn lower_definition(&mut self, definition: usize) -> Lowered<ExprId> {
        let (scope, body) = (
            self.definitions[definition].scope,
            self.definitions[definition].body,
        );
        if body.temporal {
            return Err(
                Diagnostic::error(body.span, "a definition cannot be temporal")
                    .label("expected an expression without temporal operators")
                    .help("write the formula where it is asked for"),
            );
        }
        self.expr(scope, body)
    }

    /// The definitions an expression mentions, perhaps with more than it needs.
    fn needed(&mut self, scope: Scope, expr: &'a Expr, out: &mut Vec<usize>) {
        if is_path(expr) {
            let mut entities = Vec::new();
            self.candidates(scope, expr, &mut entities, out);
            while let Some(entity) = entities.pop() {
                match entity {
                    Entity::Define(it) => out.push(it),
                    Entity::Array(array) => {
                        entities.extend_from_slice(&self.arrays[array].elements);
                    }
                    _ => {}
                }
            }
            return;
        }
        for part in parts(expr) {
            self.needed(scope, part, out);
        }
    }

    /// What a path may represent. Errors are reported when it is lowered.
    fn candidates(
        &mut self,
        scope: Scope,
        path: &'a Expr,
        entities: &mut Vec<Entity>,
        out: &mut Vec<usize>,
    ) {
        match &path.kind {
            ExprKind::Index(base, index) => {
                self.needed(scope, index, out);
                if let Ok(Some(entity)) = self.static_path(scope, path) {
                    entities.push(entity);
                } else {
                    self.candidates(scope, base, entities, out);
                }
            }
            _ => {
                if let Ok(Some(entity)) = self.static_path(scope, path) {
                    entities.push(entity);
                }
            }
        }
    }
}

/// The text of a path with constant indices.
fn joined(path: &Expr, names: &Names) -> Option<String> {
    match &path.kind {
        ExprKind::Name(name) => Some(names.text(*name).to_owned()),
        ExprKind::Dot(base, field) => Some(format!(
            "{}.{}",
            joined(base, names)?,
            names.text(field.name)
        )),
        ExprKind::Index(base, index) => {
            let number = match &index.kind {
                ExprKind::Number(n) => *n,
                ExprKind::Negate(inner) => match inner.kind {
                    ExprKind::Number(n) => -n,
                    _ => return None,
                },
                _ => return None,
            };
            Some(format!("{}[{number}]", joined(base, names)?))
        }
        _ => None,
    }
}

/// A name, or a selection from one.
pub(super) fn is_path(expr: &Expr) -> bool {
    let mut at = expr;
    loop {
        match &at.kind {
            ExprKind::Name(_) | ExprKind::Itself => return true,
            ExprKind::Dot(base, _) | ExprKind::Index(base, _) => at = base,
            _ => return false,
        }
    }
}

/// The direct parts of an expression.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Truth(_)
        | ExprKind::Number(_)
        | ExprKind::Word(_)
        | ExprKind::Name(_)
        | ExprKind::Itself => vec![],
        ExprKind::Dot(a, _) | ExprKind::Not(a) | ExprKind::Negate(a) | ExprKind::Next(a) => {
            vec![a]
        }
        ExprKind::Index(a, b) => vec![a, b],
        ExprKind::Bits(a, range) => vec![a, &range.0, &range.1],
        ExprKind::Chain(first, rest) => {
            let rest = rest.iter().map(|(_, e)| e);
            std::iter::once(&**first).chain(rest).collect()
        }
        ExprKind::Implies(all)
        | ExprKind::Set(all)
        | ExprKind::Call(_, all)
        | ExprKind::Psl(_, all)
        | ExprKind::Array(all) => all.iter().collect(),
        ExprKind::Choice(all) => vec![&all.0, &all.1, &all.2],
        ExprKind::Case(arms) => arms.iter().flat_map(|(c, v)| [c, v]).collect(),
        ExprKind::Range(range) => vec![&range.0, &range.1],
        ExprKind::Branch(.., a) | ExprKind::Linear(.., a) => vec![a],
        ExprKind::BranchUntil(.., both) => vec![&both.0, &both.1],
    }
}
