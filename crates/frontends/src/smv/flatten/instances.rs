//! Instances of modules, and their variables.

use rustc_hash::FxHashSet;
use suppose_model::fsm::{Type, Value, VariableKind, Word};
use suppose_source::{Diagnostic, Span};

use super::super::ast::{DefineDecl, Expr, ExprKind, Ident, Module, TypeExpr, VarDecl};
use super::super::lexer::Sym;
use super::{Array, Definition, Entity, Flattener, Instance, Lowered, Progress, Scope};

/// The input that says which process moves, as NuSMV calls it.
const SELECTOR: &str = "_process_selector_";

impl<'a> Flattener<'a> {
    /// Makes all instances and variables; false after an error.
    pub(super) fn make_instances(&mut self, main: &'a Module) -> bool {
        if let Some(parameter) = main.parameters.first() {
            self.errors.push(
                Diagnostic::error(parameter.span, "the main module cannot have parameters")
                    .label("expected none"),
            );
            return false;
        }
        let mut todo: Vec<(Scope, &'a VarDecl)> = Vec::new();
        let made = self.instance(main, String::new(), None, None, &mut todo);
        if self.keep(made).is_none() {
            return false;
        }
        for (scope, define) in std::mem::take(&mut self.elsewhere) {
            let made = self.define_elsewhere(scope, define);
            self.keep(made);
            if self.errors.len() >= super::ERRORS {
                break;
            }
        }
        if !self.errors.is_empty() {
            return false;
        }
        self.symbols();
        self.name_clashes();
        self.make_selector();
        for (scope, decl) in todo {
            let made = self.variable(scope, decl);
            self.keep(made);
            if self.errors.len() >= super::ERRORS {
                break;
            }
        }
        self.errors.is_empty()
    }

    fn instance(
        &mut self,
        module: &'a Module,
        prefix: String,
        parent: Option<(Scope, &'a [Expr])>,
        owner: Option<Scope>,
        todo: &mut Vec<(Scope, &'a VarDecl)>,
    ) -> Lowered<Scope> {
        let scope = self.instances.len();
        let depth = parent.map_or(0, |(p, _)| self.instances[p].depth + 1);
        self.instances.push(Instance {
            module,
            prefix,
            parent,
            owner: owner.unwrap_or(scope),
            depth,
            names: Default::default(),
        });
        for (i, parameter) in module.parameters.iter().enumerate() {
            self.declare(scope, *parameter, Entity::Parameter(i))?;
        }
        for decl in &module.vars {
            match &decl.ty {
                TypeExpr::Instance { .. } => {
                    self.declare(scope, decl.name, Entity::Pending)?;
                    self.sub_instance(scope, decl, todo)?;
                }
                _ => {
                    self.declare(scope, decl.name, Entity::Pending)?;
                    todo.push((scope, decl));
                }
            }
        }
        if todo.len() > self.limits.labels || self.instances.len() > self.limits.labels {
            let message = format!("more than {} variables or instances", self.limits.labels);
            return Err(Diagnostic::error(module.name.span, message)
                .label("this module makes too many")
                .help("use fewer or smaller instances"));
        }
        for define in &module.defines {
            if self.may_be_elsewhere(scope, define.name) {
                self.elsewhere.push((scope, define));
                continue;
            }
            let name = format!(
                "{}{}",
                self.instances[scope].prefix,
                self.text(define.name.name)
            );
            let entity = self.definition(scope, name, &define.body, define.name.span);
            self.declare(scope, define.name, entity)?;
        }
        Ok(scope)
    }

    /// Is this a dotted name that begins with `self`, or with a name that is known here? Others are names of a system that was flattened.
    fn may_be_elsewhere(&self, scope: Scope, name: Ident) -> bool {
        let Some((first, _)) = self.text(name.name).split_once('.') else {
            return false;
        };
        let known = self.names.find(first);
        first == "self" || known.is_some_and(|f| self.instances[scope].names.contains_key(&f))
    }

    /// A definition in another instance (`m.x`, also through a parameter or `self`), where its name counts, of an expression that is
    /// read here.
    fn define_elsewhere(&mut self, scope: Scope, define: &'a DefineDecl) -> Lowered<()> {
        let (inner, name) = self.place_of(scope, define.name)?;
        let name = Ident {
            name,
            ..define.name
        };
        let whole = format!("{}{}", self.instances[inner].prefix, self.text(name.name));
        let entity = self.definition(scope, whole, &define.body, define.name.span);
        self.declare(inner, name, entity)
    }

    /// The instance and the name in it that a dotted name means.
    fn place_of(&mut self, scope: Scope, name: Ident) -> Lowered<(Scope, Sym)> {
        let (base, last) = match self.text(name.name).rsplit_once('.') {
            Some((base, last)) => (base, self.names.find(last)),
            None => ("self", Some(name.name)),
        };
        let mut at = scope;
        for (number, part) in base.split('.').enumerate() {
            if number == 0 && part == "self" {
                continue;
            }
            let known = self.names.find(part);
            let known = known.filter(|sym| self.instances[at].names.contains_key(sym));
            let Some(part) = known else {
                return Err(self.no_place(name));
            };
            at = match self.lookup(at, part, name.span)? {
                Entity::Instance(inner) => inner,
                _ => return Err(self.no_place(name)),
            };
        }
        last.map(|last| (at, last))
            .ok_or_else(|| self.no_place(name))
    }

    fn no_place(&self, name: Ident) -> Diagnostic {
        let message = format!("`{}` is in no instance of a module", self.text(name.name));
        Diagnostic::error(name.span, message)
            .label("expected instances before each `.`")
            .help("DEFINE can give a name to an instance: `m.x := e`, with `m` an instance, a parameter that is one, or `self`")
    }

    /// A definition; an array of them if its body is one.
    fn definition(&mut self, scope: Scope, name: String, body: &'a Expr, span: Span) -> Entity {
        if let ExprKind::Array(elements) = &body.kind {
            let parts = elements.iter().enumerate();
            let elements = parts
                .map(|(i, part)| self.definition(scope, format!("{name}[{i}]"), part, part.span));
            let elements = elements.collect();
            self.arrays.push(Array { low: 0, elements });
            return Entity::Array(self.arrays.len() - 1);
        }
        self.definitions.push(Definition {
            name: Some(name),
            scope,
            body,
            span,
            progress: Progress::Waiting,
        });
        Entity::Define(self.definitions.len() - 1)
    }

    fn declare(&mut self, scope: Scope, name: Ident, entity: Entity) -> Lowered<()> {
        if self.instances[scope].names.contains_key(&name.name) {
            let message = format!("`{}` is declared twice", self.text(name.name));
            return Err(Diagnostic::error(name.span, message)
                .label("expected another name")
                .help("rename one of them, and what speaks of it"));
        }
        self.has_flat_names |= self.text(name.name).contains(['.', '[']);
        self.instances[scope].names.insert(name.name, entity);
        Ok(())
    }

    fn sub_instance(
        &mut self,
        scope: Scope,
        decl: &'a VarDecl,
        todo: &mut Vec<(Scope, &'a VarDecl)>,
    ) -> Lowered<()> {
        let TypeExpr::Instance {
            module: name,
            arguments,
            process,
        } = &decl.ty
        else {
            return Ok(());
        };
        let Some(module) = self.modules.get(&name.name).copied() else {
            return Err(self.no_module(name));
        };
        if decl.kind != VariableKind::State {
            return Err(Diagnostic::error(
                decl.span,
                "an instance of a module cannot be an input or frozen",
            )
            .label("expected a type")
            .help("declare it with VAR"));
        }
        self.arity(module, *name, arguments)?;
        self.recursion(scope, module, *name)?;
        let prefix = format!(
            "{}{}.",
            self.instances[scope].prefix,
            self.text(decl.name.name)
        );
        let owner = match process {
            true => None,
            false => Some(self.instances[scope].owner),
        };
        let made = self.instance(module, prefix, Some((scope, arguments)), owner, todo)?;
        if *process {
            self.processes.push(made);
        }
        let entity = Entity::Instance(made);
        self.instances[scope].names.insert(decl.name.name, entity);
        Ok(())
    }

    fn no_module(&self, name: &Ident) -> Diagnostic {
        let text = self.text(name.name);
        Diagnostic::error(name.span, format!("there is no module `{text}`"))
            .label("expected a type or the name of a module")
            .help("types are `boolean`, `{a, b}`, `1..3`, `word[8]` and arrays of these")
    }

    fn arity(&self, module: &Module, name: Ident, arguments: &[Expr]) -> Lowered<()> {
        let (wanted, given) = (module.parameters.len(), arguments.len());
        if wanted == given {
            return Ok(());
        }
        let text = self.text(name.name);
        let message = format!("module `{text}` takes {wanted} arguments, not {given}");
        let span = arguments.last().map_or(name.span, |a| name.span.to(a.span));
        Err(Diagnostic::error(span, message)
            .label(format!("expected {wanted} arguments"))
            .note(module.name.span, "the module is here"))
    }

    /// A module must not contain itself, and nesting has a limit.
    fn recursion(&self, scope: Scope, module: &Module, name: Ident) -> Lowered<()> {
        let mut at = Some(scope);
        while let Some(it) = at {
            if self.instances[it].module.name.name == module.name.name {
                let message = format!("module `{}` contains itself", self.text(name.name));
                return Err(Diagnostic::error(name.span, message)
                    .label("expected another module: the instances would never end")
                    .note(module.name.span, "the module is here"));
            }
            at = self.instances[it].parent.map(|(p, _)| p);
        }
        if self.instances[scope].depth >= self.limits.depth {
            let message = format!("instances nest more than {} deep", self.limits.depth);
            return Err(Diagnostic::error(name.span, message).label("too deep"));
        }
        Ok(())
    }

    /// All constants of enumerations, which are known everywhere.
    fn symbols(&mut self) {
        let mut seen: FxHashSet<Sym> = FxHashSet::default();
        for i in 0..self.instances.len() {
            let module = self.instances[i].module;
            if !seen.insert(module.name.name) {
                continue;
            }
            for constant in &module.constants {
                self.system.symbols.intern(self.names.text(constant.name));
            }
            for decl in &module.vars {
                let mut ty = &decl.ty;
                while let TypeExpr::Array(_, of) = ty {
                    ty = of;
                }
                if let TypeExpr::Enumeration(values) = ty {
                    for value in values {
                        if let ExprKind::Name(name) = value.kind {
                            self.system.symbols.intern(self.names.text(name));
                        }
                    }
                }
            }
        }
    }

    /// With processes, an input says which one moves.
    fn make_selector(&mut self) {
        if self.processes.is_empty() {
            return;
        }
        let scopes = std::iter::once(0).chain(self.processes.iter().rev().copied());
        let values: Vec<Value> = scopes
            .collect::<Vec<_>>()
            .into_iter()
            .map(|scope| Value::Symbol(self.process_symbol(scope)))
            .collect();
        let ty = Type::Enumeration(values.into());
        let span = self.instances[0].module.name.span;
        self.selector = Some(
            self.system
                .add_variable(SELECTOR, ty, VariableKind::Input, span),
        );
    }

    pub(super) fn process_symbol(&mut self, scope: Scope) -> suppose_model::fsm::Symbol {
        let prefix = &self.instances[scope].prefix;
        let name = match prefix.strip_suffix('.') {
            Some(name) => name.to_owned(),
            None => "main".to_owned(),
        };
        self.system.symbols.intern(&name)
    }

    fn variable(&mut self, scope: Scope, decl: &'a VarDecl) -> Lowered<()> {
        let name = format!(
            "{}{}",
            self.instances[scope].prefix,
            self.text(decl.name.name)
        );
        let entity = self.typed(scope, &name, &decl.ty, decl)?;
        self.instances[scope].names.insert(decl.name.name, entity);
        Ok(())
    }

    fn typed(
        &mut self,
        scope: Scope,
        name: &str,
        ty: &'a TypeExpr,
        decl: &VarDecl,
    ) -> Lowered<Entity> {
        if let TypeExpr::Array(range, of) = ty {
            let (low, high) = self.range(scope, &range.0, &range.1)?;
            let count = (high as i128 - low as i128 + 1) as u128;
            if count + self.system.variables.len() as u128 > self.limits.labels as u128 {
                let message = format!("more than {} variables", self.limits.labels);
                return Err(Diagnostic::error(decl.span, message).label("the array is too large"));
            }
            let mut elements = Vec::new();
            for i in low..=high {
                elements.push(self.typed(scope, &format!("{name}[{i}]"), of, decl)?);
            }
            self.arrays.push(Array { low, elements });
            return Ok(Entity::Array(self.arrays.len() - 1));
        }
        let ty = self.plain_type(scope, ty, decl)?;
        let var = self.system.add_variable(name, ty, decl.kind, decl.span);
        Ok(Entity::Var(var))
    }

    fn plain_type(&mut self, scope: Scope, ty: &'a TypeExpr, decl: &VarDecl) -> Lowered<Type> {
        match ty {
            TypeExpr::Boolean => Ok(Type::Boolean),
            TypeExpr::Range(range) => {
                let (low, high) = self.range(scope, &range.0, &range.1)?;
                Ok(Type::Range(low, high))
            }
            TypeExpr::Word { signed, width } => {
                let bits = self.constant_number(scope, width)?;
                match u32::try_from(bits) {
                    Ok(bits) if (1..=Word::WIDEST).contains(&bits) => Ok(Type::Word {
                        signed: *signed,
                        width: bits,
                    }),
                    _ => Err(Diagnostic::error(
                        width.span,
                        format!("a word cannot have {bits} bits"),
                    )
                    .label(format!("expected 1 to {}", Word::WIDEST))),
                }
            }
            TypeExpr::Enumeration(values) => self.enumeration(scope, values),
            TypeExpr::Array(..) => Ok(Type::Boolean),
            TypeExpr::Instance { module, .. } => Err(Diagnostic::error(
                decl.span,
                "arrays of module instances are not supported",
            )
            .label(format!(
                "`{}` is taken for a module",
                self.text(module.name)
            ))
            .help("declare the instances one by one, as NuSMV asks for too")),
        }
    }

    fn range(&mut self, scope: Scope, low: &'a Expr, high: &'a Expr) -> Lowered<(i64, i64)> {
        let (a, b) = (
            self.constant_number(scope, low)?,
            self.constant_number(scope, high)?,
        );
        match a <= b {
            true => Ok((a, b)),
            false => Err(Diagnostic::error(
                low.span.to(high.span),
                format!("the range {a}..{b} is empty"),
            )
            .label("expected the smaller number first")
            .help(format!("did you mean {b}..{a}?"))),
        }
    }

    fn enumeration(&mut self, scope: Scope, values: &'a [Expr]) -> Lowered<Type> {
        let mut all: Vec<Value> = Vec::new();
        let mut seen = FxHashSet::default();
        for value in values {
            let added: Vec<Value> = match &value.kind {
                ExprKind::Name(name) => {
                    vec![Value::Symbol(self.system.symbols.intern(self.text(*name)))]
                }
                ExprKind::Truth(truth) => vec![Value::Bool(*truth)],
                ExprKind::Range(range) => {
                    let (low, high) = self.range(scope, &range.0, &range.1)?;
                    let most = self.limits.labels as i128;
                    if high as i128 - low as i128 > most {
                        let message = format!("more than {most} values are listed");
                        return Err(Diagnostic::error(value.span, message).label("too many"));
                    }
                    (low..=high).map(Value::Int).collect()
                }
                _ => vec![Value::Int(self.constant_number(scope, value)?)],
            };
            for it in added {
                if !seen.insert(it.clone()) {
                    let shown = self.system.symbols.show(&it);
                    return Err(
                        Diagnostic::error(value.span, format!("{shown} is listed twice"))
                            .label("expected each value once"),
                    );
                }
                all.push(it);
            }
        }
        let truths = all.iter().filter(|v| matches!(v, Value::Bool(_))).count();
        match truths {
            0 => Ok(Type::Enumeration(all.into())),
            2 if all.len() == 2 => Ok(Type::Boolean),
            _ => {
                let span = values.first().map_or(Span::default(), |v| v.span);
                Err(
                    Diagnostic::error(span, "TRUE and FALSE are mixed with other values")
                        .label("expected numbers and names only")
                        .help("use `boolean`, or names such as `yes` and `no`"),
                )
            }
        }
    }

    /// In the main module, whose names have no prefix, a constant and a variable cannot share a name.
    fn name_clashes(&mut self) {
        let module = self.instances[0].module;
        let declared = module.vars.iter().map(|v| v.name);
        for name in declared.chain(module.defines.iter().map(|d| d.name)) {
            let text = self.text(name.name);
            if self.system.symbols.find(text).is_some() {
                self.errors.push(
                    Diagnostic::error(
                        name.span,
                        format!("`{text}` is also a constant of an enumeration"),
                    )
                    .label("expected another name")
                    .help("rename the variable or the constant"),
                );
            }
        }
    }
}
