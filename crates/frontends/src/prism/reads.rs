//! Reading another component's variables, made into acting together.
//!
//! A command of a component C whose guard has a part about the variables of a module D happens, in the new
//! model, together with a step of D that is possible exactly where that part is true and changes nothing. If D takes part in
//! the action anyway, its own commands get the part as a further guard instead. Foreign variables that occur in any other way (in a
//! probability, in a new value, in a part about several modules) are replaced by each of their values in
//! turn, and D's step is possible where they have these values.
//!
//! This is exact: in every state of the whole, the original command is enabled if and only if exactly one of its
//! copies is, with the same distribution, since a step that changes nothing does not change a product of distributions. The copies are
//! seen from outside as the original action (or as tau).

use super::ast::{Compare, Type};
use super::group::{Groups, mentioned};
use super::resolve::fold;
use super::resolved::{CommandInfo, Resolved, UpdateInfo, Vector};
use super::show::show;
use super::term::{Term, TermKind};

/// A command that reads more combinations of values than this is left as it is.
const VALUES: u64 = 256;
/// More new joint actions than this, and all is left as it is.
const VECTORS: usize = 4096;

/// The new model, and what was done.
pub(super) struct Transformed {
    pub(super) model: Resolved,
    pub(super) notes: Vec<String>,
}

/// A copy of a command that reads nothing foreign, and what must be true elsewhere for it.
#[derive(Clone)]
struct Variant {
    command: CommandInfo,
    /// Modules with conditions on their own variables.
    conditions: Vec<(usize, Term)>,
}

/// How a module takes part in a joint action.
#[derive(Clone)]
enum Part {
    /// With its commands that read nothing foreign.
    Plain(Vec<CommandInfo>),
    Reading(Variant),
}

/// Makes every reading that it can into a synchronisation.
pub(super) fn synchronise(model: &Resolved, groups: &Groups<'_>) -> Transformed {
    let mut it = Transformer {
        old: model,
        groups,
        new: model.clone(),
        notes: Vec::new(),
    };
    match it.run() {
        Some(()) => Transformed {
            model: it.new,
            notes: it.notes,
        },
        None => Transformed {
            model: model.clone(),
            notes: vec![format!(
                "reading is not made synchronisation: there would be more than {VECTORS} joint actions"
            )],
        },
    }
}

struct Transformer<'a> {
    old: &'a Resolved,
    groups: &'a Groups<'a>,
    new: Resolved,
    notes: Vec<String>,
}

impl Transformer<'_> {
    fn run(&mut self) -> Option<()> {
        // For each module, its commands: as they are, or as variants.
        let mut plain: Vec<Vec<CommandInfo>> = Vec::new();
        let mut reading: Vec<Vec<Variant>> = Vec::new();
        for module in 0..self.old.modules.len() {
            let (mut stay, mut variants) = (Vec::new(), Vec::new());
            for command in &self.old.modules[module].commands {
                match self.variants(module, command) {
                    Some(made) => variants.extend(made),
                    None => stay.push(command.clone()),
                }
            }
            plain.push(stay);
            reading.push(variants);
        }
        if reading.iter().all(Vec::is_empty) {
            return Some(());
        }
        for (module, commands) in plain.iter().enumerate() {
            self.new.modules[module].commands = commands.clone();
        }
        self.new.vectors.clear();
        for (module, variants) in reading.iter().enumerate() {
            for variant in variants.iter().filter(|v| v.command.action.is_none()) {
                let part = (module, Part::Reading(variant.clone()));
                self.add(None, vec![part])?;
            }
        }
        for vector in &self.old.vectors {
            self.expand(vector, &plain, &reading)?;
        }
        for module in &mut self.new.modules {
            module.alphabet = module.commands.iter().filter_map(|c| c.action).collect();
            module.alphabet.sort_unstable();
            module.alphabet.dedup();
        }
        Some(())
    }

    /// All ways to do a joint action, now that some commands read elsewhere.
    fn expand(
        &mut self,
        vector: &Vector,
        plain: &[Vec<CommandInfo>],
        reading: &[Vec<Variant>],
    ) -> Option<()> {
        let mut ways: Vec<Vec<(usize, Part)>> = vec![Vec::new()];
        let mut reads = false;
        for (module, action) in &vector.parts {
            let on = |c: &&CommandInfo| c.action == Some(*action);
            let mut parts: Vec<Part> = Vec::new();
            let stay: Vec<CommandInfo> = plain[*module].iter().filter(on).cloned().collect();
            if !stay.is_empty() {
                parts.push(Part::Plain(stay));
            }
            for variant in reading[*module].iter().filter(|v| on(&&v.command)) {
                reads = true;
                parts.push(Part::Reading(variant.clone()));
            }
            let mut next = Vec::new();
            for way in &ways {
                for part in &parts {
                    let mut way = way.clone();
                    way.push((*module, part.clone()));
                    next.push(way);
                }
            }
            ways = next;
            if ways.len() > VECTORS {
                return None;
            }
        }
        if !reads {
            self.new.vectors.push(vector.clone());
            return Some(());
        }
        for way in ways {
            if way.iter().all(|(_, part)| matches!(part, Part::Plain(_))) {
                self.new.vectors.push(vector.clone());
            } else {
                self.add(vector.seen, way)?;
            }
        }
        Some(())
    }

    /// Adds a synchronising action for this combination of commands.
    fn add(&mut self, seen: Option<u32>, way: Vec<(usize, Part)>) -> Option<()> {
        if self.new.vectors.len() >= VECTORS {
            return None;
        }
        let action = self.new.actions.len() as u32;
        let mut conditions: Vec<(usize, Term)> = Vec::new();
        let mut name = String::new();
        let mut parts: Vec<(usize, u32)> = Vec::new();
        let mut commands: Vec<(usize, CommandInfo)> = Vec::new();
        for (module, part) in way {
            parts.push((module, action));
            match part {
                Part::Plain(all) => commands.extend(all.into_iter().map(|c| (module, c))),
                Part::Reading(variant) => {
                    name = self.new.modules[module].name.clone();
                    conditions.extend(variant.conditions);
                    commands.push((module, variant.command));
                }
            }
        }
        let shown: Vec<String> = conditions.iter().map(|(_, t)| show(t, self.old)).collect();
        self.new
            .actions
            .push(format!("{name} reads {}", shown.join(" & ")));
        for (module, condition) in conditions {
            if !parts.iter().any(|(m, _)| *m == module) {
                parts.push((module, action));
                commands.push((module, stay(&condition)));
                continue;
            }
            for (_, command) in commands.iter_mut().filter(|(m, _)| *m == module) {
                command.guard = both(&command.guard, &condition);
            }
        }
        for (module, mut command) in commands {
            command.action = Some(action);
            self.new.modules[module].commands.push(command);
        }
        parts.sort_unstable();
        self.new.vectors.push(Vector { seen, parts });
        Some(())
    }

    /// The variants of a command that reads; none if it does not, or cannot be helped.
    fn variants(&mut self, module: usize, command: &CommandInfo) -> Option<Vec<Variant>> {
        let home = self.groups.of(module);
        let is_foreign = |v: u32| self.groups.of(self.groups.holder(v)) != home;
        let mut foreign = false;
        mentioned(command, &mut |v| foreign |= is_foreign(v));
        if !foreign {
            return None;
        }
        let mut conditions: Vec<(usize, Term)> = Vec::new();
        let mut own: Vec<Term> = Vec::new();
        let mut values: Vec<u32> = Vec::new();
        let mut see = |term: &Term| {
            term.variables(&mut |v, _| {
                if is_foreign(v) && !values.contains(&v) {
                    values.push(v);
                }
            });
        };
        for part in command.guard.conjuncts() {
            let modules = self.groups.modules_of(part);
            match modules.as_slice() {
                [only] if self.groups.of(*only) != home => conditions.push((*only, part.clone())),
                _ => {
                    see(part);
                    own.push(part.clone());
                }
            }
        }
        for update in &command.updates {
            see(&update.probability);
            update.assignments.iter().for_each(|(_, term)| see(term));
        }
        let reader = self.old.modules[module].name.clone();
        let count = self.combinations(&values);
        let Some(count) = count else {
            self.note(format!(
                "{reader} reads {}, which has too many values to be made synchronisation",
                self.names(&values)
            ));
            return None;
        };
        let rest = CommandInfo {
            guard: conjunction(own, &command.guard),
            ..command.clone()
        };
        let mut variants = Vec::new();
        for number in 0..count {
            let chosen = self.valuation(&values, number);
            let changed = substitute_command(&rest, &chosen);
            if matches!(changed.guard.kind, TermKind::Bool(false)) {
                continue;
            }
            let mut conditions = conditions.clone();
            for (v, value) in &chosen {
                let holder = self.groups.holder(*v);
                conditions.push((holder, self.equals(*v, *value)));
            }
            variants.push(Variant {
                command: changed,
                conditions: merged(conditions),
            });
        }
        let mut read: Vec<u32> = Vec::new();
        mentioned(command, &mut |v| {
            if is_foreign(v) && !read.contains(&v) {
                read.push(v);
            }
        });
        self.note(format!(
            "{reader} reads {}: made a synchronisation",
            self.names(&read)
        ));
        Some(variants)
    }

    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    fn names(&self, variables: &[u32]) -> String {
        let name = |v: &u32| {
            let holder = &self.old.modules[self.groups.holder(*v)].name;
            format!("{holder}.{}", self.old.variables[*v as usize].name)
        };
        variables.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// How many values the variables have together; none if too many.
    fn combinations(&self, variables: &[u32]) -> Option<u64> {
        let mut count = 1u64;
        for v in variables {
            let info = &self.old.variables[*v as usize];
            count = count.checked_mul((info.high - info.low) as u64 + 1)?;
            if count > VALUES {
                return None;
            }
        }
        Some(count)
    }

    /// The values with that number, in mixed radix.
    fn valuation(&self, variables: &[u32], mut number: u64) -> Vec<(u32, i64)> {
        let mut chosen = Vec::new();
        for v in variables {
            let info = &self.old.variables[*v as usize];
            let size = (info.high - info.low) as u64 + 1;
            chosen.push((*v, info.low + (number % size) as i64));
            number /= size;
        }
        chosen
    }

    fn equals(&self, variable: u32, value: i64) -> Term {
        let span = suppose_source::Span::default();
        let is_bool = self.old.variables[variable as usize].is_bool;
        let var = Term {
            kind: TermKind::Var(variable),
            ty: if is_bool { Type::Bool } else { Type::Int },
            span,
        };
        let kind = match (is_bool, value) {
            (true, 0) => TermKind::Not(Box::new(var)),
            (true, _) => return var,
            _ => TermKind::Compare(Compare::Eq, Box::new(var), Box::new(Term::int(value, span))),
        };
        Term {
            kind,
            ty: Type::Bool,
            span,
        }
    }
}

/// One condition for each module.
fn merged(conditions: Vec<(usize, Term)>) -> Vec<(usize, Term)> {
    let mut all: Vec<(usize, Term)> = Vec::new();
    for (module, condition) in conditions {
        match all.iter_mut().find(|(m, _)| *m == module) {
            Some((_, term)) => *term = both(term, &condition),
            None => all.push((module, condition)),
        }
    }
    all
}

fn both(a: &Term, b: &Term) -> Term {
    fold(Term {
        kind: TermKind::And(vec![a.clone(), b.clone()]),
        ty: Type::Bool,
        span: a.span,
    })
}

fn conjunction(parts: Vec<Term>, whole: &Term) -> Term {
    fold(Term {
        kind: TermKind::And(parts),
        ty: Type::Bool,
        span: whole.span,
    })
}

/// A step that changes nothing.
fn stay(guard: &Term) -> CommandInfo {
    CommandInfo {
        action: None,
        guard: guard.clone(),
        updates: vec![UpdateInfo {
            probability: Term::int(1, guard.span),
            assignments: Vec::new(),
            span: guard.span,
        }],
        span: guard.span,
    }
}

fn substitute_command(command: &CommandInfo, chosen: &[(u32, i64)]) -> CommandInfo {
    let update = |u: &UpdateInfo| UpdateInfo {
        probability: u.probability.substitute(chosen),
        assignments: u
            .assignments
            .iter()
            .map(|(v, term)| (*v, term.substitute(chosen)))
            .collect(),
        span: u.span,
    };
    CommandInfo {
        action: command.action,
        guard: command.guard.substitute(chosen),
        updates: command.updates.iter().map(update).collect(),
        span: command.span,
    }
}
