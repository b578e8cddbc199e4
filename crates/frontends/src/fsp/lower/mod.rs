//! Definitions to machines, machines to a network.

mod block;
mod composite;
mod ends;
mod explicit;
mod liveness;
mod ltl;
mod machine;
mod mentions;
mod paths;
mod process;
mod references;
mod rename;
mod system;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_model::lts::SizeLimits;
use suppose_source::{Diagnostic, FileId, Span};

use super::ast::{Ident, Import, Process};
use super::check::{Defined, Definitions};
use super::eval::{Locals, Lowered, Scope, Value, parameters};
use crate::aut;
use machine::{Interned, Machine, Name, PRIVATE, ScopeId};
use rename::{Cover, Hidden, Relabelling};

pub(super) use system::lower;

/// A file that may be imported: its name as it is written, its number and its text.
pub(crate) type Imported<'t> = (String, FileId, &'t str);

/// What is known while a file is lowered.
struct Lowering<'a> {
    definitions: &'a Definitions<'a>,
    /// Files that may be imported.
    imports: &'a [Imported<'a>],
    /// Processes that were compiled, by name and arguments.
    templates: FxHashMap<String, Rc<Machine>>,
    /// Processes and compositions being compiled, to see recursion.
    active: Vec<Rc<str>>,
    /// How many bodies of compositions are being lowered inside each other.
    depth: usize,
    next_scope: ScopeId,
    warnings: Vec<Diagnostic>,
    /// The places of warnings given, so that instances of one process do not repeat them.
    warned: FxHashSet<Option<Span>>,
    /// What relabelling, hiding and priority name.
    mentions: Vec<mentions::Mention>,
    /// The names of everything that became part of the system.
    used: FxHashSet<Rc<str>>,
}

impl<'a> Lowering<'a> {
    fn new(definitions: &'a Definitions<'a>, imports: &'a [Imported<'a>]) -> Self {
        Lowering {
            definitions,
            imports,
            templates: FxHashMap::default(),
            active: Vec::new(),
            depth: 0,
            next_scope: PRIVATE + 1,
            warnings: Vec::new(),
            warned: FxHashSet::default(),
            mentions: Vec::new(),
            used: FxHashSet::default(),
        }
    }

    fn warn(&mut self, warning: Diagnostic) {
        if self.warned.insert(warning.span) {
            self.warnings.push(warning);
        }
    }

    fn limits(&self) -> SizeLimits {
        let limits = self.definitions.globals.limits;
        SizeLimits {
            states: limits.states,
            transitions: limits.transitions,
        }
    }

    fn fresh_scope(&mut self) -> ScopeId {
        self.next_scope += 1;
        self.next_scope - 1
    }

    /// Notes that a definition is being compiled; nesting is limited, since it recurses here.
    fn enter(&mut self, name: &Ident, instance: Rc<str>) -> Lowered<()> {
        let limit = self.definitions.globals.limits.depth;
        if self.active.len() >= limit {
            let message = format!("`{}` is nested more than {limit} levels deep", name.text);
            return Err(Diagnostic::error(name.span, message)
                .label("used here")
                .help("does it use itself, directly or through others, without end?"));
        }
        self.active.push(instance);
        Ok(())
    }

    /// Counts the work of looking up names and all their prefixes.
    fn charge_names(&self, machines: &[Machine], span: Span) -> Lowered<()> {
        let names = machines.iter().flat_map(|m| m.labels.iter().flatten());
        let cost = |n: &Name| 1 + n.text.len() * n.text.len() / 1024;
        self.definitions.globals.spend(names.map(cost).sum(), span)
    }

    /// A process as it is defined, its hidden names private.
    fn template(
        &mut self,
        process: &'a Process,
        arguments: Option<Vec<Value>>,
        used_at: &Ident,
    ) -> Lowered<Rc<Machine>> {
        let name = shown_instance(&process.name.text, arguments.as_deref());
        self.used.insert(process.name.text.clone());
        if let Some(known) = self.templates.get(&name) {
            return Ok(known.clone());
        }
        if self.active.iter().any(|a| **a == *name) {
            let message = format!("`{name}` is part of its own sequence");
            return Err(Diagnostic::error(used_at.span, message)
                .label("this recursion through `;` never ends")
                .help("let a parameter change, with a case that ends: `P(N=3) = if (N==0) then END else (a -> P(N-1);END)`; or refer to a local process"));
        }
        self.enter(used_at, name.as_str().into())?;
        let machine = self.compile(process, arguments, used_at, &name);
        self.active.pop();
        let machine = Rc::new(machine?);
        self.templates.insert(name, machine.clone());
        Ok(machine)
    }

    fn compile(
        &mut self,
        process: &'a Process,
        arguments: Option<Vec<Value>>,
        used_at: &Ident,
        name: &str,
    ) -> Lowered<Machine> {
        let definitions = self.definitions;
        let globals = &definitions.globals;
        let actual: Rc<[(Rc<str>, Value)]> = parameters(
            globals,
            &process.parameters,
            arguments.as_deref(),
            &process.name.text,
            used_at.span,
        )?
        .into();
        let (core, mut alphabet) = process::build(self, process, actual.clone())?;
        let scope = Scope::new(globals, &actual);
        let none = Locals::default();
        if let Some(extension) = &process.extension {
            let mut known: FxHashSet<Name> = alphabet.iter().cloned().collect();
            for text in scope.set(extension, &none)?.iter() {
                let name = Name::visible(text.clone());
                if known.insert(name.clone()) {
                    alphabet.push(name);
                }
            }
        }
        let mut machine = Machine {
            name: name.to_owned(),
            core: Rc::new(core),
            labels: alphabet.into_iter().map(|n| vec![n]).collect(),
            property: None,
            ending: None,
        };
        self.charge_names(std::slice::from_ref(&machine), process.name.span)?;
        let relabelling = Relabelling::evaluate(&process.relabels, scope, &none)?;
        self.mention("relabel", &relabelling.old, std::iter::once(&machine));
        if !relabelling.is_empty() {
            machine.rename(|n| relabelling.apply(n));
        }
        if let Some(hiding) = &process.hiding {
            let hidden = Hidden {
                cover: Cover::new(&scope.set(&hiding.set, &none)?),
                expose: hiding.expose,
            };
            let named = mentions::named_in(&hiding.set, scope)?;
            let what = hiding.purpose();
            self.mention(what, &named, std::iter::once(&machine));
            hidden.apply(std::slice::from_mut(&mut machine), PRIVATE);
        }
        self.modify(machine, process)
    }

    /// `property`, `minimal` and `deterministic` before a process.
    fn modify(&mut self, machine: Machine, process: &Process) -> Lowered<Machine> {
        let modifiers = process.modifiers;
        let span = process.name.span;
        if modifiers.property {
            return self.property(machine, process);
        }
        if modifiers.minimal || modifiers.deterministic {
            let machine = self.with_tau(&machine, span)?;
            return self.reduce(machine, modifiers.minimal, modifiers.deterministic, span);
        }
        Ok(machine)
    }

    /// A property must be deterministic after relabelling; labels that became one
    /// are one from here on.
    fn property(&mut self, machine: Machine, process: &Process) -> Lowered<Machine> {
        let span = process.name.span;
        let hidden = machine.labels.iter().flatten().any(|n| !n.is_visible());
        let mut names = Interned::default();
        let lts = machine.to_lts(&mut names);
        if hidden || !lts.is_deterministic() {
            let message = format!("the property `{}` is not deterministic", process.name.text);
            let label = match hidden {
                true => "hides actions",
                false => "has two edges with the same action from one state",
            };
            return Err(Diagnostic::error(span, message).label(label).help(
                "make each action lead to one state only, and hide nothing; or write `property ||NAME = (...)`",
            ));
        }
        let mut property = Machine::from_lts(&lts, &names, Some(span));
        property.core = Rc::new(machine::Core {
            edges: property.core.edges.clone(),
            states: property.core.states,
            error: property.core.error,
            end: None,
            state_names: machine.core.state_names.clone(),
        });
        Ok(property.without_error())
    }

    /// A process that is read from another file.
    fn imported(&mut self, import: &Import, used_at: &Ident) -> Lowered<Machine> {
        self.used.insert(import.name.text.clone());
        let mut files = self.imports.iter();
        let Some((_, file, text)) = files.find(|(name, ..)| **name == *import.file.text) else {
            let message = format!("the file `{}` was not read", import.file.text);
            return Err(Diagnostic::error(import.file.span, message)
                .label("to be imported")
                .note(used_at.span, "used here")
                .help("it must be an `.aut` file in the folder of this one"));
        };
        let mut names = Interned::default();
        let limits = self.definitions.globals.limits;
        let lts = aut::read(text, *file, &import.name.text, &mut names.labels, &limits);
        let lts = lts.map_err(|mut errors| errors.swap_remove(0))?;
        Ok(Machine::from_lts(&lts, &names, None))
    }

    /// An instance: the hidden actions of the process get a fresh scope.
    fn instance(&mut self, template: &Machine) -> Machine {
        let mut machine = template.clone();
        let private = machine.labels.iter().flatten().any(|n| n.scope == PRIVATE);
        if private {
            let scope = self.fresh_scope();
            machine.rename(|name| {
                let mut name = name.clone();
                if name.scope == PRIVATE {
                    name.scope = scope;
                }
                vec![name]
            });
        }
        machine
    }

    /// A process (or a whole composition) before a `;`: it must be able to end.
    fn sequential(&mut self, name: &Ident, arguments: Option<Vec<Value>>) -> Lowered<Rc<Machine>> {
        let machine = match self.definitions.get(name)? {
            Defined::Process(process) => self.template(process, arguments, name)?,
            Defined::Composite(composite) => {
                let machines = self.composite(composite, arguments, name)?;
                let whole = self.compose_all(&name.text, machines, None, name.span)?;
                Rc::new(self.with_tau(&whole, name.span)?)
            }
            Defined::Import(import) => Rc::new(self.imported(import, name)?),
            Defined::Claim(_) => {
                let message = format!("`{}` is a formula, not a process", name.text);
                return Err(Diagnostic::error(name.span, message).label("expected a process"));
            }
        };
        if machine.core.end.is_none() || machine.property.is_some() {
            let message = format!("`{}` never ends", name.text);
            return Err(Diagnostic::error(name.span, message)
                .label("the process before `;` must be able to reach END")
                .help("let it end: `(a -> END)`"));
        }
        Ok(machine)
    }
}

/// `P(1,2)`
fn shown_instance(name: &str, arguments: Option<&[Value]>) -> String {
    match arguments {
        None => name.to_owned(),
        Some(values) => {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            format!("{name}({})", values.join(","))
        }
    }
}
