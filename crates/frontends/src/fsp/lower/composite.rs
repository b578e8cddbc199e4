//! Compositions, flattened into their parts.
//!
//! A composition with hiding stays a list of parts: what it hides gets names that only its parts
//! share. It is composed up front only for priority, `minimal`, `deterministic`, `compose` and
//! `property`, and for a relabelling that would make parts wait for each other.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use suppose_source::{Diagnostic, Span};

use super::machine::{Machine, Name};
use super::mentions::named_in;
use super::rename::{Cover, Hidden, Relabelling};
use super::{Lowering, shown_instance};
use crate::fsp::ast::{
    ClaimKind, Composite, CompositeBody, Hiding, Ident, Instance, Part, PartKind,
};
use crate::fsp::check::Defined;
use crate::fsp::eval::{Locals, Lowered, Scope, Value, parameters};

/// Machines that came from one name; relabelling treats them as one.
struct Unit {
    machines: Vec<Machine>,
    span: Span,
}

/// A composition's parts, with what is to be done to the whole.
pub(super) struct Whole {
    pub(super) name: String,
    pub(super) machines: Vec<Machine>,
    pub(super) hidden: Option<Hidden>,
    pub(super) priority: Option<(bool, Cover)>,
}

type Parameters = Rc<[(Rc<str>, Value)]>;

impl<'a> Lowering<'a> {
    /// The parts of a composition used inside another.
    pub(super) fn composite(
        &mut self,
        composite: &'a Composite,
        arguments: Option<Vec<Value>>,
        used_at: &Ident,
    ) -> Lowered<Vec<Machine>> {
        let whole = self.whole(composite, arguments, used_at)?;
        let modifiers = composite.modifiers;
        let span = composite.name.span;
        let up_front = whole.priority.is_some()
            || modifiers.minimal
            || modifiers.deterministic
            || modifiers.compose
            || modifiers.property;
        let mut machines = whole.machines;
        self.charge_names(&machines, span)?;
        if !up_front {
            if let Some(hidden) = whole.hidden {
                self.settle_ends(&mut machines);
                let scope = self.fresh_scope();
                hidden.apply(&mut machines, scope);
            }
            return Ok(machines);
        }
        let observers = match modifiers.property {
            true => Vec::new(),
            false => take_observers(&mut machines, whole.hidden.as_ref()),
        };
        let mut machine = self.compose_all(&whole.name, machines, whole.priority.as_ref(), span)?;
        if let Some(hidden) = whole.hidden {
            let scope = self.fresh_scope();
            hidden.apply(std::slice::from_mut(&mut machine), scope);
        }
        let deterministic = modifiers.deterministic || modifiers.property;
        if deterministic || modifiers.minimal {
            machine = self.with_tau(&machine, span)?;
            machine = self.reduce(machine, modifiers.minimal, deterministic, span)?;
        }
        if modifiers.property {
            machine.property = Some(span);
            machine = machine.without_error();
        }
        Ok(std::iter::once(machine).chain(observers).collect())
    }

    /// The parts of a composition, nothing done to them yet.
    pub(super) fn whole(
        &mut self,
        composite: &'a Composite,
        arguments: Option<Vec<Value>>,
        used_at: &Ident,
    ) -> Lowered<Whole> {
        let definitions = self.definitions;
        // Instances are few and each costs memory: the account makes endless doubling stop early.
        definitions.globals.spend(1000, used_at.span)?;
        self.used.insert(composite.name.text.clone());
        let actual: Parameters = parameters(
            &definitions.globals,
            &composite.parameters,
            arguments.as_deref(),
            &composite.name.text,
            used_at.span,
        )?
        .into();
        self.enter(used_at, format!("||{}", composite.name.text).into())?;
        let units = self.body(&composite.body, &actual, &Locals::default());
        self.active.pop();
        let machines: Vec<Machine> = units?.into_iter().flat_map(|u| u.machines).collect();
        let scope = Scope::new(&definitions.globals, &actual);
        let none = Locals::default();
        let priority = match &composite.priority {
            Some((low, set)) => {
                let named = named_in(set, scope)?;
                self.mention("give priority", &named, machines.iter());
                Some((*low, Cover::new(&scope.set(set, &none)?)))
            }
            None => None,
        };
        let hidden = match &composite.hiding {
            Some(hiding) => {
                let named = named_in(&hiding.set, scope)?;
                self.mention(hiding.purpose(), &named, machines.iter());
                Some(evaluate_hiding(hiding, scope)?)
            }
            None => None,
        };
        let name = shown_instance(&composite.name.text, arguments.as_deref());
        Ok(Whole {
            name,
            machines,
            hidden,
            priority,
        })
    }

    fn body(
        &mut self,
        body: &'a CompositeBody,
        parameters: &Parameters,
        locals: &Locals,
    ) -> Lowered<Vec<Unit>> {
        let limit = 2 * self.definitions.globals.limits.depth;
        if self.depth >= limit {
            let message = format!("compositions are nested more than {limit} levels deep");
            return Err(Diagnostic::error_without_place(message)
                .help("does one use itself, directly or through others, without end?"));
        }
        self.depth += 1;
        let units = self.body_here(body, parameters, locals);
        self.depth -= 1;
        units
    }

    fn body_here(
        &mut self,
        body: &'a CompositeBody,
        parameters: &Parameters,
        locals: &Locals,
    ) -> Lowered<Vec<Unit>> {
        let definitions = self.definitions;
        let scope = Scope::new(&definitions.globals, parameters);
        match body {
            CompositeBody::If {
                condition,
                then,
                otherwise,
            } => match (scope.holds(condition, locals)?, otherwise) {
                (true, _) => self.body(then, parameters, locals),
                (false, Some(otherwise)) => self.body(otherwise, parameters, locals),
                (false, None) => Ok(Vec::new()),
            },
            CompositeBody::ForAll { ranges, inner } => {
                let mut units = Vec::new();
                for locals in scope.bindings(ranges, locals)? {
                    units.extend(self.body(inner, parameters, &locals)?);
                }
                Ok(units)
            }
            CompositeBody::Part(part) => self.part(part, parameters, locals),
        }
    }

    fn part(
        &mut self,
        part: &'a Part,
        parameters: &Parameters,
        locals: &Locals,
    ) -> Lowered<Vec<Unit>> {
        let definitions = self.definitions;
        let scope = Scope::new(&definitions.globals, parameters);
        let mut units = Vec::new();
        match &part.prefix {
            None => units = self.inside(part, parameters, locals)?,
            Some(prefix) => {
                for (prefix, locals) in scope.labels(prefix, locals)? {
                    let mut prefixed = self.inside(part, parameters, &locals)?;
                    for machine in prefixed.iter_mut().flat_map(|u| &mut u.machines) {
                        machine.prefix(&prefix);
                    }
                    units.extend(prefixed);
                }
            }
        }
        if let Some(share) = &part.share {
            let labels = scope.labels(share, locals)?;
            let prefixes: Vec<String> = labels.into_iter().map(|l| l.0).collect();
            for machine in units.iter_mut().flat_map(|u| &mut u.machines) {
                machine.share(&prefixes);
            }
        }
        let relabelling = Relabelling::evaluate(&part.relabels, scope, locals)?;
        let machines = units.iter().flat_map(|u| &u.machines);
        self.mention("relabel", &relabelling.old, machines);
        if !relabelling.is_empty() {
            for unit in &mut units {
                self.relabel(unit, &relabelling)?;
            }
        }
        for unit in &units {
            self.charge_names(&unit.machines, part.span)?;
        }
        Ok(units)
    }

    fn inside(
        &mut self,
        part: &'a Part,
        parameters: &Parameters,
        locals: &Locals,
    ) -> Lowered<Vec<Unit>> {
        match &part.what {
            PartKind::One(instance) => Ok(vec![self.one(instance, parameters, locals)?]),
            PartKind::Group(bodies) => {
                let mut units = Vec::new();
                for body in bodies {
                    units.extend(self.body(body, parameters, locals)?);
                }
                Ok(units)
            }
        }
    }

    fn one(
        &mut self,
        instance: &'a Instance,
        parameters: &Parameters,
        locals: &Locals,
    ) -> Lowered<Unit> {
        let definitions = self.definitions;
        let scope = Scope::new(&definitions.globals, parameters);
        let name = &instance.name;
        definitions.globals.spend(100, name.span)?;
        let arguments = scope.arguments(instance.arguments.as_deref(), locals)?;
        let machines = match definitions.get(name)? {
            Defined::Process(process) => {
                let template = self.template(process, arguments, name)?;
                vec![self.instance(&template)]
            }
            Defined::Composite(composite) => self.composite(composite, arguments, name)?,
            Defined::Import(_) if arguments.is_some() => {
                let message = format!("`{}` is imported and has no parameters", name.text);
                return Err(Diagnostic::error(name.span, message).label("expected no arguments"));
            }
            Defined::Import(import) => vec![self.imported(import, name)?],
            Defined::Claim(claim) if claim.kind == ClaimKind::Assert => {
                let message = format!("`{}` is an assertion, not a process", name.text);
                return Err(Diagnostic::error(name.span, message)
                    .label("expected a process")
                    .help("assertions are checked without being composed; leave it out here"));
            }
            Defined::Claim(claim) => vec![self.claim_machine(claim, arguments, name)?],
        };
        Ok(Unit {
            machines,
            span: name.span,
        })
    }

    fn relabel(&mut self, unit: &mut Unit, relabelling: &Relabelling) -> Lowered<()> {
        if unit.machines.len() > 1 && !relabelling.is_safe_for(&unit.machines) {
            let machines = std::mem::take(&mut unit.machines);
            let mut names: Vec<&str> = machines.iter().map(|m| m.name.as_str()).collect();
            names.truncate(4);
            let name = names.join("||");
            unit.machines = vec![self.compose_all(&name, machines, None, unit.span)?];
        }
        for machine in &mut unit.machines {
            machine.rename(|n| relabelling.apply(n));
        }
        Ok(())
    }
}

/// Takes out the properties that see as much outside a composition as inside: all their labels
/// belong to other parts too, and none is hidden. They keep their names in verdicts so.
fn take_observers(machines: &mut Vec<Machine>, hidden: Option<&Hidden>) -> Vec<Machine> {
    let parts = machines.iter().filter(|m| m.property.is_none());
    let known: FxHashSet<Name> = parts
        .flat_map(|m| m.labels.iter().flatten())
        .cloned()
        .collect();
    let is_open = |n: &Name| n.is_visible() && hidden.is_none_or(|h| !h.hides(n));
    let observes = |m: &Machine| {
        m.property.is_some()
            && m.alphabet()
                .into_iter()
                .all(|n| is_open(n) && known.contains(n))
    };
    let (observers, rest) = std::mem::take(machines).into_iter().partition(observes);
    *machines = rest;
    observers
}

fn evaluate_hiding(hiding: &Hiding, scope: Scope<'_>) -> Lowered<Hidden> {
    let labels = scope.set(&hiding.set, &Locals::default())?;
    Ok(Hidden {
        cover: Cover::new(&labels),
        expose: hiding.expose,
    })
}
