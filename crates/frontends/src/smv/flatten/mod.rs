//! Modules to one flat system.
//!
//! First all instances are made, then their variables, then definitions in the order they need each other, then
//! constraints, assignments and properties. Every name has its meaning in the scope of an instance.

mod assign;
mod check;
mod expr;
mod instances;
mod names;
mod old;
mod psl;
mod spec;
mod wholes;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::fsm::{Constraint, ExprId, Fairness, Node, Symbol, System, VarId};
use suppose_source::{Diagnostic, ParserLimits, Span};

use super::Dialect;
use super::ast::{DefineDecl, Expr, FairDecl, Module, Section, TypeExpr};
use super::lexer::{Names, Sym};

type Lowered<T> = Result<T, Diagnostic>;

/// After this many errors the rest is not worth examining.
const ERRORS: usize = 20;

/// An instance, by its number.
type Scope = usize;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entity {
    Var(VarId),
    Symbol(Symbol),
    Define(usize),
    Array(usize),
    Instance(Scope),
    /// The parameter of that number, whose argument has not been examined yet.
    Parameter(usize),
    /// A variable whose type has not been examined yet.
    Pending,
}

#[derive(Debug)]
struct Array {
    low: i64,
    elements: Vec<Entity>,
}

struct Instance<'a> {
    module: &'a Module,
    /// What its names begin with: empty, or the name and a dot.
    prefix: String,
    /// Where it is declared, and the arguments.
    parent: Option<(Scope, &'a [Expr])>,
    /// The process it belongs to.
    owner: Scope,
    depth: usize,
    names: FxHashMap<Sym, Entity>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Waiting,
    Busy,
    Done(ExprId),
    /// Wrong, and reported.
    Wrong,
}

/// A definition, or the argument of an instance.
struct Definition<'a> {
    name: Option<String>,
    scope: Scope,
    body: &'a Expr,
    span: Span,
    progress: Progress,
}

struct Flattener<'a> {
    modules: FxHashMap<Sym, &'a Module>,
    names: &'a Names,
    dialect: Dialect,
    limits: ParserLimits,
    system: System,
    instances: Vec<Instance<'a>>,
    arrays: Vec<Array>,
    definitions: Vec<Definition<'a>>,
    /// Definitions with dotted names, which may belong to other instances.
    elsewhere: Vec<(Scope, &'a DefineDecl)>,
    /// Processes other than the main module.
    processes: Vec<Scope>,
    /// The input that says which process moves.
    selector: Option<VarId>,
    running: Sym,
    /// Is a name such as `m.x` declared as a whole?
    has_flat_names: bool,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

pub(super) fn flatten(
    modules: Vec<Module>,
    names: &mut Names,
    dialect: Dialect,
    limits: &ParserLimits,
) -> Result<(System, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (running, main) = (names.intern("running"), names.intern("main"));
    let names: &Names = names;
    let modules = wholes::with_isa(modules, names).map_err(|error| vec![error])?;
    let mut flattener = Flattener {
        modules: FxHashMap::default(),
        names,
        dialect,
        limits: *limits,
        system: System::default(),
        instances: Vec::new(),
        arrays: Vec::new(),
        definitions: Vec::new(),
        elsewhere: Vec::new(),
        processes: Vec::new(),
        selector: None,
        running,
        has_flat_names: false,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    flattener.run(&modules, main);
    match flattener.errors.is_empty() {
        true => Ok((flattener.system, flattener.warnings)),
        false => {
            flattener.errors.truncate(ERRORS);
            Err(flattener.errors)
        }
    }
}

/// The modules that no other contains or takes in.
fn roots(modules: &[Module]) -> Vec<&Module> {
    let mut inside: FxHashSet<Sym> = FxHashSet::default();
    for module in modules {
        inside.extend(module.isa.iter().map(|name| name.name));
        for decl in &module.vars {
            let mut ty = &decl.ty;
            while let TypeExpr::Array(_, of) = ty {
                ty = of;
            }
            if let TypeExpr::Instance { module, .. } = ty {
                inside.insert(module.name);
            }
        }
    }
    let is_root = |module: &&Module| !inside.contains(&module.name.name);
    modules.iter().filter(is_root).collect()
}

impl<'a> Flattener<'a> {
    fn run(&mut self, modules: &'a [Module], main: Sym) {
        for module in modules {
            if let Some(first) = self.modules.insert(module.name.name, module) {
                let message = format!("two modules are called `{}`", self.text(module.name.name));
                self.errors.push(
                    Diagnostic::error(module.name.span, message)
                        .label("expected another name")
                        .note(first.name.span, "the first one is here"),
                );
            }
        }
        let main = match self.modules.get(&main).copied() {
            Some(main) => main,
            None => match roots(modules)[..] {
                [only] => {
                    self.warnings.push(self.instead_of_main(only));
                    only
                }
                ref several => {
                    self.errors.push(self.no_main(several));
                    return;
                }
            },
        };
        if !self.errors.is_empty() || !self.make_instances(main) {
            return;
        }
        self.lower_definitions();
        if !self.errors.is_empty() {
            return;
        }
        for scope in 0..self.instances.len() {
            self.constraints(scope);
            if self.errors.len() >= ERRORS {
                return;
            }
        }
        self.assignments();
        self.properties();
        if self.errors.is_empty() {
            self.check();
        }
    }

    fn instead_of_main(&self, module: &Module) -> Diagnostic {
        let name = self.text(module.name.name);
        let message = format!("there is no module `main`: the system is `{name}`");
        Diagnostic::warning(module.name.span, message)
            .label("the only module that is in no other")
            .help("NuSMV asks for the name `main`")
    }

    fn no_main(&self, roots: &[&Module]) -> Diagnostic {
        let mut it = Diagnostic::error_without_place("there is no module `main`");
        for root in roots.iter().take(5) {
            let text = format!("`{}` is in no other module", self.text(root.name.name));
            it = it.note(root.name.span, text);
        }
        match roots {
            [] => {
                it.help("every module is in another one: write `MODULE main`, which is the system")
            }
            _ => it.help("rename the one to `main` that is the system"),
        }
    }

    fn text(&self, sym: Sym) -> &'a str {
        self.names.text(sym)
    }

    /// Keeps an error and continues without the value.
    fn keep<T>(&mut self, result: Lowered<T>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn constraints(&mut self, scope: Scope) {
        let module = self.instances[scope].module;
        for (section, expr) in &module.constraints {
            let lowered = self.constraint(scope, *section, expr);
            self.keep(lowered);
        }
        for fair in &module.fairness {
            let lowered = match fair {
                FairDecl::Justice(expr) => {
                    let it = self.state_condition(scope, expr, "FAIRNESS");
                    it.map(Fairness::Justice)
                }
                FairDecl::Compassion(p, q) => {
                    let both = self
                        .state_condition(scope, p, "COMPASSION")
                        .and_then(|p| Ok((p, self.state_condition(scope, q, "COMPASSION")?)));
                    both.map(|(p, q)| Fairness::Compassion(p, q))
                }
            };
            if let Some(fair) = self.keep(lowered) {
                self.system.fairness.push(fair);
            }
        }
    }

    /// A boolean without next values; inputs are allowed.
    fn state_condition(&mut self, scope: Scope, expr: &'a Expr, what: &str) -> Lowered<ExprId> {
        let lowered = self.condition(scope, expr, what)?;
        self.no_next(lowered, expr.span, what)?;
        Ok(lowered)
    }

    fn constraint(&mut self, scope: Scope, section: Section, expr: &'a Expr) -> Lowered<()> {
        let what = match section {
            Section::Init => "INIT",
            Section::Invar => "INVAR",
            Section::Trans => "TRANS",
        };
        let lowered = self.condition(scope, expr, what)?;
        if section != Section::Trans {
            self.no_next(lowered, expr.span, what)?;
            self.no_input(lowered, expr.span, what)?;
        }
        self.must_be_defined(lowered, expr.span);
        let parts = self.conjuncts(lowered);
        let list = match section {
            Section::Init => &mut self.system.init,
            Section::Invar => &mut self.system.invariant,
            Section::Trans => &mut self.system.transition,
        };
        list.extend(parts.into_iter().map(|part| Constraint {
            expr: part,
            span: expr.span,
        }));
        Ok(())
    }

    /// The parts of a conjunction, only where no part relies on another to decide before it fails.
    fn conjuncts(&self, expr: ExprId) -> Vec<ExprId> {
        if self.system.exprs.may_fail(expr) {
            return vec![expr];
        }
        let mut parts = Vec::new();
        let mut open = vec![expr];
        while let Some(it) = open.pop() {
            match self.system.exprs.node(it) {
                Node::And(all) => open.extend(all.iter().rev()),
                _ => parts.push(it),
            }
        }
        parts
    }

    fn no_next(&self, expr: ExprId, span: Span, what: &str) -> Lowered<()> {
        if !self.system.exprs.has_next(expr) {
            return Ok(());
        }
        Err(
            Diagnostic::error(span, format!("{what} cannot speak of the next state"))
                .label("expected an expression without `next`")
                .help("`next` is allowed in TRANS, in assignments to `next(..)` and in INVARSPEC"),
        )
    }

    fn no_input(&self, expr: ExprId, span: Span, what: &str) -> Lowered<()> {
        let support = self.system.exprs.support(expr);
        let input = support.current.iter().find(|v| self.system.is_input(**v));
        match input {
            None => Ok(()),
            Some(var) => {
                let name = &self.system.variable(*var).name;
                let message = format!("{what} cannot speak of the input `{name}`");
                Err(Diagnostic::error(span, message)
                    .label("expected an expression of state variables")
                    .note(self.system.variable(*var).span, "declared as an input here")
                    .help("inputs belong to steps: use TRANS, or declare it with VAR"))
            }
        }
    }
}
