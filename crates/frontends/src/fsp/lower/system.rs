//! The chosen system, as a network.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_model::lts::{Fairness, Label, Lts, LtsBuilder, Network, Priority};
use suppose_source::{Diagnostic, ParserLimits, Span};

use super::composite::Whole;
use super::liveness::Known;
use super::ltl::{Allowed, Expanded, Translated};
use super::machine::{Interned, Machine, Name};
use super::rename::{Cover, Hidden};
use super::{Imported, Lowering, ends};
use crate::Undecided;
use crate::fsp::ast::{Body, Claim, ClaimKind, Composite, Ident, Parameter, Process};
use crate::fsp::check::{Defined, Definitions};
use crate::fsp::eval::{Lowered, Value, parameters};

/// Assertions that became properties, and the others.
type Assertions<'a> = (Vec<(Box<Allowed>, Span)>, Vec<(&'a Claim, Expanded)>);

/// The name LTSA gives to a system that is not named.
const DEFAULT: &str = "DEFAULT";

/// What a file became.
pub(in crate::fsp) struct System {
    pub(in crate::fsp) network: Network,
    pub(in crate::fsp) warnings: Vec<Diagnostic>,
    pub(in crate::fsp) undecided: Vec<Undecided>,
}

/// Lowers the chosen system (or the one that LTSA would choose).
pub(in crate::fsp) fn lower(
    definitions: &Definitions<'_>,
    imports: &[Imported<'_>],
    chosen: Option<&str>,
    constants: &[(String, i64)],
    fairness: Fairness,
) -> Lowered<System> {
    let mut lowering = Lowering::new(definitions, imports);
    let whole = lowering.choose(chosen, constants)?;
    let mut undecided = Vec::new();
    let network = lowering.network(whole, fairness, &mut undecided)?;
    lowering.warn_about_mentions();
    lowering.warn_about_unused();
    Ok(System {
        network,
        warnings: lowering.warnings,
        undecided,
    })
}

impl<'a> Lowering<'a> {
    fn choose(&mut self, chosen: Option<&str>, constants: &[(String, i64)]) -> Lowered<Whole> {
        let definitions = self.definitions;
        let target = match chosen {
            Some(name) => Some(self.named(name)?),
            None => definitions
                .find_system(DEFAULT)
                .filter(|d| !matches!(d, Defined::Claim(_)))
                .or(definitions.composites.last().map(|c| Defined::Composite(c))),
        };
        let formal = match target {
            Some(Defined::Composite(composite)) => &composite.parameters[..],
            Some(Defined::Process(process)) => &process.parameters[..],
            _ => &[],
        };
        self.check_constants(formal, constants)?;
        match target {
            Some(Defined::Composite(composite)) => self.top(composite, constants),
            Some(Defined::Process(process)) => self.single(process, constants),
            Some(Defined::Import(import)) => Ok(Whole {
                name: import.name.text.to_string(),
                machines: vec![self.imported(import, &import.name)?],
                hidden: None,
                priority: None,
            }),
            _ => self.all_processes(),
        }
    }

    fn named(&self, name: &str) -> Lowered<Defined<'a>> {
        match self.definitions.find_system(name) {
            Some(defined) if !matches!(defined, Defined::Claim(_)) => Ok(defined),
            _ => {
                let it = Diagnostic::error_without_place(format!("no process `{name}`"));
                let choose = "choose a process or a composition of the file";
                let it = it.did_you_mean_or(name, self.definitions.names(), choose);
                Err(it.help(among(self.definitions.names())))
            }
        }
    }

    /// Values from outside must be for something.
    fn check_constants(&self, formal: &[Parameter], constants: &[(String, i64)]) -> Lowered<()> {
        for (name, _) in constants {
            let is_parameter = formal.iter().any(|p| *p.name.text == **name);
            let is_constant = self.definitions.globals.constants.contains_key(&**name);
            if !is_parameter && !is_constant {
                let message = format!("no constant `{name}`, and the system has no such parameter");
                let parameters = formal.iter().map(|p| &*p.name.text);
                let constants = self.definitions.globals.constants.keys().map(|k| &**k);
                let mut all: Vec<&str> = parameters.chain(constants).collect();
                all.sort_unstable();
                let it = Diagnostic::error_without_place(message);
                let choose =
                    "give a value to a `const` of the file, or to a parameter of the system";
                let it = it.did_you_mean_or(name, all.iter().copied(), choose);
                return Err(it.help(among(all.into_iter())));
            }
        }
        Ok(())
    }

    /// The system's own parameters, with the values from outside.
    fn arguments(
        &self,
        formal: &[Parameter],
        name: &Ident,
        constants: &[(String, i64)],
    ) -> Lowered<Option<Vec<Value>>> {
        let given = |p: &Parameter| constants.iter().rev().find(|(n, _)| **n == *p.name.text);
        if !formal.iter().any(|p| given(p).is_some()) {
            return Ok(None);
        }
        let globals = &self.definitions.globals;
        let defaults = parameters(globals, formal, None, &name.text, name.span)?;
        let pairs = formal.iter().zip(defaults);
        let value = |(p, (_, default)): (&Parameter, (Rc<str>, Value))| match given(p) {
            Some((_, value)) => Value::Int(*value),
            None => default,
        };
        Ok(Some(pairs.map(value).collect()))
    }

    /// A composition as the system: composed on the fly, so `minimal` and `compose` change
    /// nothing. `deterministic` and `property` do.
    fn top(&mut self, composite: &'a Composite, constants: &[(String, i64)]) -> Lowered<Whole> {
        let arguments = self.arguments(&composite.parameters, &composite.name, constants)?;
        let modifiers = composite.modifiers;
        if !modifiers.deterministic && !modifiers.property {
            return self.whole(composite, arguments, &composite.name);
        }
        Ok(Whole {
            name: composite.name.text.to_string(),
            machines: self.composite(composite, arguments, &composite.name)?,
            hidden: None,
            priority: None,
        })
    }

    fn single(&mut self, process: &'a Process, constants: &[(String, i64)]) -> Lowered<Whole> {
        let arguments = self.arguments(&process.parameters, &process.name, constants)?;
        let template = self.template(process, arguments, &process.name)?;
        Ok(Whole {
            name: process.name.text.to_string(),
            machines: vec![self.instance(&template)],
            hidden: None,
            priority: None,
        })
    }

    /// No composition in the file: all its processes together, as LTSA does, except for those that
    /// others use in sequence.
    fn all_processes(&mut self) -> Lowered<Whole> {
        let definitions = self.definitions;
        let mut parts: Vec<&'a Process> = definitions.processes.clone();
        parts.retain(|p| !is_used_in_sequence(definitions, &p.name.text));
        if parts.is_empty() {
            parts = definitions.processes.clone();
        }
        let mut components = parts.iter().filter(|p| !p.modifiers.property);
        if let (Some(_), Some(second)) = (components.next(), components.next()) {
            let warning = Diagnostic::warning(
                second.name.span,
                "no composition is defined: all processes run in parallel",
            )
            .label("runs together with the others")
            .help("define the system, `||S = (P || Q).`, or choose one process as the system");
            self.warn(warning);
        }
        let mut machines = Vec::new();
        for process in &parts {
            let template = self.template(process, None, &process.name)?;
            machines.push(self.instance(&template));
        }
        let name = match parts.as_slice() {
            [one] => one.name.text.to_string(),
            _ => DEFAULT.to_owned(),
        };
        Ok(Whole {
            name,
            machines,
            hidden: None,
            priority: None,
        })
    }

    fn network(
        &mut self,
        whole: Whole,
        fairness: Fairness,
        undecided: &mut Vec<Undecided>,
    ) -> Lowered<Network> {
        let mut machines = whole.machines;
        if machines.is_empty() {
            let message = format!("the system `{}` has no components", whole.name);
            return Err(Diagnostic::error_without_place(message)
                .help("compose at least one process: `||S = (P).`"));
        }
        let processes = machines.iter().filter(|m| m.property.is_none());
        let required = ends::success(processes);
        let top = Top::new(self, whole.hidden, whole.priority, &mut machines);
        unique_names(&mut machines);
        let limits = self.definitions.globals.limits;
        check_size(&machines, &limits)?;
        let mut names = Interned::default();
        let components = machines.iter().filter(|m| m.property.is_none());
        let mut components: Vec<Lts> = components.map(|m| m.to_lts(&mut names)).collect();
        let mut properties: Vec<(Lts, Span)> = Vec::new();
        for machine in &machines {
            if let Some(span) = machine.property {
                let lts = machine.to_property(&mut names, &self.limits());
                let lts = lts.map_err(|limit| {
                    let message = format!("the property `{}` has {limit}", machine.name);
                    Diagnostic::error(span, message).label("too large")
                })?;
                properties.push((lts, span));
            }
        }
        let (assertions, live) = self.assertions(undecided)?;
        if assertions.iter().any(|(a, _)| a.other.is_some()) {
            components = components.iter().map(|c| show_tau(c, &mut names)).collect();
        }
        let stated = properties.len();
        for (allowed, span) in &assertions {
            properties.push((top.assertion(allowed, &components, &mut names), *span));
        }
        let done: Vec<Label> = components
            .iter()
            .flat_map(|c| c.alphabet())
            .copied()
            .collect();
        let liveness = self.liveness(&live, fairness, Known::new(&top, &mut names, done))?;
        let priority = top.priority(&names);
        let hidden = top.hidden_labels(&names);
        let mut network = Network::new(whole.name, names.labels);
        network.priority = priority;
        network.liveness = liveness;
        network.hidden = hidden;
        let parts: Vec<&Lts> = components.iter().collect();
        let success = required.map(|required| ends::ends(&required, &parts));
        for component in components {
            network.add_component(component);
        }
        for (number, (lts, span)) in properties.iter().enumerate() {
            network.add_property(lts, Some(*span));
            if let Some(property) = network.properties.last_mut() {
                property.asserted = number >= stated;
            }
        }
        self.close(&mut network);
        network.success = success.map(|mut ends| {
            ends.resize(network.components.len(), None);
            ends
        });
        Ok(network)
    }

    fn assertions(&mut self, undecided: &mut Vec<Undecided>) -> Lowered<Assertions<'a>> {
        let (mut assertions, mut live) = (Vec::new(), Vec::new());
        for claim in self.definitions.claims.clone() {
            if claim.kind != ClaimKind::Assert {
                continue;
            }
            let span = claim.name.span;
            match self.translate(claim, None, span)? {
                Translated::Property(allowed) => assertions.push((allowed, span)),
                Translated::Live(formula) => live.push((claim, formula)),
                Translated::Undecided(reason) => undecided.push(Undecided {
                    name: claim.name.text.to_string(),
                    reason,
                    span: Some(span),
                }),
            }
        }
        Ok((assertions, live))
    }

    fn close(&mut self, network: &mut Network) {
        let free = network.close();
        for property in &network.properties {
            let alphabet = property.lts.alphabet();
            let mine: Vec<String> = free
                .iter()
                .filter(|l| alphabet.binary_search(l).is_ok())
                .map(|l| format!("`{}`", network.labels.display(*l)))
                .collect();
            let (Some(span), false) = (property.span, mine.is_empty()) else {
                continue;
            };
            let shown = mine.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let more = match mine.len() {
                0..=5 => String::new(),
                n => format!(" and {} more", n - 5),
            };
            let message = format!(
                "`{}` speaks of {shown}{more}, which no component does",
                property.name()
            );
            let warning = Diagnostic::warning(span, message)
                .label("taken to happen at any time")
                .help("check the spelling, the prefixes and the relabelling");
            self.warn(warning);
        }
    }

    fn warn_about_unused(&mut self) {
        let definitions = self.definitions;
        let claims = definitions.claims.iter();
        let formulas = claims
            .filter(|c| c.kind != ClaimKind::Assert)
            .map(|c| &c.name);
        let processes = definitions.processes.iter();
        let properties = processes.filter(|p| p.modifiers.property).map(|p| &p.name);
        let unused: Vec<&Ident> = properties
            .chain(formulas)
            .filter(|name| !self.used.contains(&name.text))
            .collect();
        for name in unused {
            let message = format!(
                "`{}` is not part of the system: it is not checked",
                name.text
            );
            let warning = Diagnostic::warning(name.span, message)
                .label("defined, but not composed")
                .help(format!(
                    "compose it: `||CHECK = (SYSTEM || {}).`",
                    name.text
                ));
            self.warn(warning);
        }
    }
}

/// Hiding and priority of the whole system. Assertions see what the whole hides.
pub(super) struct Top {
    hidden: Option<(Hidden, u32)>,
    priority: Option<(bool, Cover)>,
}

impl Top {
    fn new(
        lowering: &mut Lowering<'_>,
        hidden: Option<Hidden>,
        priority: Option<(bool, Cover)>,
        machines: &mut [Machine],
    ) -> Self {
        let hidden = hidden.map(|hidden| {
            let scope = lowering.fresh_scope();
            hidden.apply(machines, scope);
            (hidden, scope)
        });
        Top { hidden, priority }
    }

    pub(super) fn name(&self, text: &str) -> Name {
        let mut name = Name::visible(text);
        if let Some((hidden, scope)) = &self.hidden
            && hidden.hides(&name)
        {
            name.scope = *scope;
        }
        name
    }

    /// The labels that the whole hides.
    fn hidden_labels(&self, names: &Interned) -> Vec<Label> {
        let scope = self.hidden.as_ref().map(|(_, scope)| *scope);
        let ours = |n: &Name| !n.is_visible() && Some(n.scope) == scope;
        let named = names.iter().filter(|(_, name)| ours(name));
        named.map(|(label, _)| label).collect()
    }

    /// The priority, also of labels that only properties and assertions have.
    fn priority(&self, names: &Interned) -> Option<Priority> {
        let (low, cover) = self.priority.as_ref()?;
        let scope = self.hidden.as_ref().map(|(_, scope)| *scope);
        let is_named =
            |n: &Name| (n.is_visible() || Some(n.scope) == scope) && cover.contains(&n.text);
        let named = names.iter().filter(|(_, name)| is_named(name));
        let labels = named.map(|(label, _)| label).collect();
        Some(Priority { labels, low: *low })
    }

    /// An assertion over the labels of the network.
    fn assertion(&self, allowed: &Allowed, components: &[Lts], names: &mut Interned) -> Lts {
        let alphabet = allowed.lts.alphabet().iter();
        let own = alphabet.filter(|l| Some(**l) != allowed.other);
        let map: FxHashMap<Label, Label> = own
            .map(|l| (*l, names.label(&self.name(allowed.labels.name(*l)))))
            .collect();
        let mut named: Vec<Label> = map.values().copied().collect();
        named.sort_unstable();
        let others: Vec<Label> = match allowed.other {
            None => Vec::new(),
            Some(_) => {
                let all = components.iter().flat_map(|c| c.alphabet().iter().copied());
                let mut all: Vec<Label> = all.filter(|l| named.binary_search(l).is_err()).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        };
        let mut builder = LtsBuilder::like(&allowed.lts);
        builder.extend_alphabet(named.iter().chain(&others).copied());
        for (source, label, target) in allowed.lts.all_edges() {
            match map.get(&label) {
                Some(label) => {
                    builder.edge(source, *label, target);
                }
                None => {
                    for label in &others {
                        builder.edge(source, *label, target);
                    }
                }
            }
        }
        builder.build()
    }
}

/// Gives the `tau` of a component a name of its own, so that an assertion can count its steps.
fn show_tau(lts: &Lts, names: &mut Interned) -> Lts {
    if lts.all_edges().all(|(_, label, _)| !label.is_tau()) {
        return lts.clone();
    }
    let silent = names.labels.intern_hidden("tau");
    let mut builder = LtsBuilder::like(lts);
    builder.extend_alphabet(lts.alphabet().iter().copied());
    for (source, label, target) in lts.all_edges() {
        let label = if label.is_tau() { silent } else { label };
        builder.edge(source, label, target);
    }
    builder.build()
}

/// Two instances of one process get different names.
fn unique_names(machines: &mut [Machine]) {
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for machine in machines {
        let count = seen.entry(machine.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            machine.name = format!("{}#{count}", machine.name);
        }
    }
}

fn check_size(machines: &[Machine], limits: &ParserLimits) -> Lowered<()> {
    let edges = machines.iter().map(Machine::edge_count);
    let edges = edges.fold(0usize, usize::saturating_add);
    let names = machines.iter().flat_map(|m| &m.labels).map(Vec::len);
    let (what, limit) = match () {
        () if edges > limits.transitions => ("transitions", limits.transitions),
        () if names.sum::<usize>() > limits.labels.saturating_mul(8) => ("labels", limits.labels),
        () => return Ok(()),
    };
    let message = format!("the components have more than {limit} {what}");
    Err(Diagnostic::error_without_place(message).help("use smaller ranges"))
}

/// Does another process put this one before a `;`?
fn is_used_in_sequence(definitions: &Definitions<'_>, name: &str) -> bool {
    let mut pending: Vec<&Body> = Vec::new();
    for process in definitions
        .processes
        .iter()
        .filter(|p| *p.name.text != *name)
    {
        pending.extend(process.locals.iter().map(|l| &l.body));
    }
    while let Some(body) = pending.pop() {
        match body {
            Body::Choice(branches) => pending.extend(branches.iter().map(|b| &b.next)),
            Body::If {
                then, otherwise, ..
            } => {
                pending.push(then);
                pending.extend(otherwise.as_deref());
            }
            Body::Refer(reference) => {
                if reference.before.iter().any(|i| *i.name.text == *name) {
                    return true;
                }
            }
        }
    }
    false
}

/// What there is to choose from.
fn among<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 30;
    let mut names: Vec<&str> = names.collect();
    // A process and a composition may have one name.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names.is_empty() {
        true => "there are none".to_owned(),
        false => format!(
            "there are {}{more}",
            names[..names.len().min(SHOWN)].join(", ")
        ),
    }
}
