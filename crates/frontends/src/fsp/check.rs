//! The definitions of a file: names are unique, constants, ranges and sets have values.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, ParserLimits, Span};

use super::ast::{Claim, Composite, Fluent, Ident, Import, Item, Process, Progress};
use super::eval::{Globals, Locals, Lowered, Scope, Value};

/// Names the language itself gives to processes.
pub(super) const RESERVED: [&str; 3] = ["STOP", "END", "ERROR"];

/// Everything a file defines.
pub(super) struct Definitions<'a> {
    pub(super) globals: Globals,
    pub(super) processes: Vec<&'a Process>,
    pub(super) composites: Vec<&'a Composite>,
    pub(super) claims: Vec<&'a Claim>,
    pub(super) fluents: Vec<&'a Fluent>,
    pub(super) progress: Vec<&'a Progress>,
    pub(super) imports: Vec<&'a Import>,
    /// Processes and formulas, and apart from them compositions: one of each may have the same name.
    names: FxHashMap<Rc<str>, Defined<'a>>,
    composite_names: FxHashMap<Rc<str>, Defined<'a>>,
}

/// What a composition can contain.
#[derive(Clone, Copy)]
pub(super) enum Defined<'a> {
    Process(&'a Process),
    Composite(&'a Composite),
    Claim(&'a Claim),
    Import(&'a Import),
}

impl Defined<'_> {
    fn span(&self) -> Span {
        match self {
            Defined::Process(it) => it.name.span,
            Defined::Composite(it) => it.name.span,
            Defined::Claim(it) => it.name.span,
            Defined::Import(it) => it.name.span,
        }
    }
}

impl<'a> Definitions<'a> {
    /// Collects the definitions; `overrides` replace the values of constants.
    pub(super) fn collect(
        items: &'a [Item],
        limits: ParserLimits,
        overrides: &[(String, i64)],
    ) -> Lowered<Self> {
        let mut all = Definitions {
            globals: Globals::new(limits),
            processes: Vec::new(),
            composites: Vec::new(),
            claims: Vec::new(),
            fluents: Vec::new(),
            progress: Vec::new(),
            imports: Vec::new(),
            names: FxHashMap::default(),
            composite_names: FxHashMap::default(),
        };
        let mut first: FxHashMap<(&str, Rc<str>), Span> = FxHashMap::default();
        let mut unique = |kind: &'static str, name: &Ident| match first
            .insert((kind, name.text.clone()), name.span)
        {
            Some(before) => Err(duplicate(kind, name, before)),
            None => Ok(()),
        };
        for item in items {
            match item {
                Item::Const(name, _) => unique("constant", name)?,
                Item::Range(name, ..) => unique("range", name)?,
                Item::Set(name, _) => unique("set", name)?,
                Item::Fluent(it) => unique("fluent", &it.name)?,
                Item::Progress(it) => unique("progress property", &it.name)?,
                Item::Process(_) | Item::Composite(_) | Item::Claim(_) | Item::Import(_) => {}
            }
            all.add(item, overrides)?;
        }
        Ok(all)
    }

    fn add(&mut self, item: &'a Item, overrides: &[(String, i64)]) -> Lowered<()> {
        let none = Locals::default();
        let scope = Scope::new(&self.globals, &[]);
        match item {
            Item::Const(name, expr) => {
                let given = overrides.iter().rev().find(|(n, _)| **n == *name.text);
                let value = match given {
                    Some((_, value)) => Value::Int(*value),
                    None => scope.value(expr, &none)?,
                };
                self.globals.constants.insert(name.text.clone(), value);
            }
            Item::Range(name, low, high) => {
                let (l, h) = (scope.int(low, &none)?, scope.int(high, &none)?);
                if l > h {
                    let message = format!("the range {l}..{h} is empty");
                    return Err(Diagnostic::error(low.span.to(high.span), message)
                        .label("expected the smaller bound first"));
                }
                self.globals.ranges.insert(name.text.clone(), (l, h));
            }
            Item::Set(name, set) => {
                let labels = scope.set(set, &none)?;
                self.globals.sets.insert(name.text.clone(), labels);
            }
            Item::Process(it) => {
                self.define(&it.name, Defined::Process(it))?;
                self.processes.push(it);
            }
            Item::Composite(it) => {
                self.define(&it.name, Defined::Composite(it))?;
                self.composites.push(it);
            }
            Item::Claim(it) => {
                self.define(&it.name, Defined::Claim(it))?;
                self.claims.push(it);
            }
            Item::Fluent(it) => self.fluents.push(it),
            Item::Progress(it) => self.progress.push(it),
            Item::Import(it) => {
                self.define(&it.name, Defined::Import(it))?;
                self.imports.push(it);
            }
        }
        Ok(())
    }

    fn define(&mut self, name: &Ident, defined: Defined<'a>) -> Lowered<()> {
        if RESERVED.contains(&&*name.text) {
            let message = format!("`{}` cannot be defined", name.text);
            return Err(Diagnostic::error(name.span, message).label("has a fixed meaning"));
        }
        let names = match defined {
            Defined::Composite(_) => &mut self.composite_names,
            Defined::Process(_) | Defined::Claim(_) | Defined::Import(_) => &mut self.names,
        };
        match names.insert(name.text.clone(), defined) {
            Some(before) => Err(duplicate("process", name, before.span())),
            None => Ok(()),
        }
    }

    /// What a name means inside a system: as in LTSA, the process if there is also a composition.
    pub(super) fn find(&self, name: &str) -> Option<Defined<'a>> {
        let process = self.names.get(name);
        process.or_else(|| self.composite_names.get(name)).copied()
    }

    /// What a name means as a system: the composition if there is also a process.
    pub(super) fn find_system(&self, name: &str) -> Option<Defined<'a>> {
        let composite = self.composite_names.get(name);
        composite.or_else(|| self.names.get(name)).copied()
    }

    /// The definition of a name, or what to say if there is none.
    pub(super) fn get(&self, name: &Ident) -> Lowered<Defined<'a>> {
        self.find(&name.text).ok_or_else(|| self.unknown(name))
    }

    pub(super) fn unknown(&self, name: &Ident) -> Diagnostic {
        let it = Diagnostic::error(name.span, format!("no process `{}`", name.text))
            .label("expected the name of a process or a composition");
        let define = format!("define it: `{} = (a -> STOP).`", name.text);
        it.did_you_mean_or(&name.text, self.names(), define)
    }

    /// The names of all processes and compositions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let processes = self.processes.iter().map(|p| &*p.name.text);
        let composites = self.composites.iter().map(|c| &*c.name.text);
        let imports = self.imports.iter().map(|i| &*i.name.text);
        composites.chain(processes).chain(imports)
    }
}

fn duplicate(kind: &str, name: &Ident, before: Span) -> Diagnostic {
    Diagnostic::error(
        name.span,
        format!("the {kind} `{}` is defined twice", name.text),
    )
    .label("defined again")
    .note(before, "first defined here")
    .help("give one of them another name")
}
