//! Which modules make one component.
//!
//! A component is self-contained: its commands read and write its own variables only. So modules that share a global
//! variable, or read each other's variables, are one component, unless the reading is made a synchronisation first
//! ([`super::reads`]). So are all modules of a `dtmc`: who moves is drawn among all of them.

use suppose_source::Diagnostic;

use super::resolved::{CommandInfo, Resolved, VariableInfo};
use super::term::Term;
use super::{ExplorationError, ModelType};

/// What to do with a module that reads a variable of another component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reads {
    /// Both become one component.
    #[default]
    Group,
    /// The command that reads happens together with a step of the owner that says what is read and
    /// changes nothing. Where that is not possible they become one component.
    Synchronise,
}

/// Which modules make one component.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// All modules in one component.
    pub one: bool,
    /// All modules in one component, unless a property could be decided by assumptions about components.
    pub one_if_whole: bool,
    /// Modules that are one component, by name. Modules that are not named are on their own.
    pub groups: Vec<Vec<String>>,
    /// What to do about reading.
    pub reads: Reads,
    /// For a component, by the name of one of its modules: the actions it shares, in place of those
    /// that are computed. What it does beyond these it does alone.
    pub actions: Vec<(String, Vec<String>)>,
}

/// Sets of modules that grow together, with the reasons.
#[derive(Debug)]
pub(super) struct Groups<'m> {
    model: &'m Resolved,
    /// The least module of the group, for each module.
    of: Vec<usize>,
    /// The variables each module uses, ascending.
    used: Vec<Vec<u32>>,
    /// The module that has a variable: the owner, or the first to use a global.
    holders: Vec<usize>,
    pub(super) notes: Vec<String>,
}

impl<'m> Groups<'m> {
    /// As the caller wants them.
    pub(super) fn new(
        model: &'m Resolved,
        grouping: &Grouping,
    ) -> Result<Groups<'m>, ExplorationError> {
        let used: Vec<Vec<u32>> = (0..model.modules.len()).map(|m| used(model, m)).collect();
        let holder = |(v, info): (usize, &VariableInfo)| {
            let uses = |vs: &Vec<u32>| vs.binary_search(&(v as u32)).is_ok();
            info.owner
                .or_else(|| used.iter().position(uses))
                .unwrap_or(0)
        };
        let mut it = Groups {
            model,
            of: (0..model.modules.len()).collect(),
            holders: model.variables.iter().enumerate().map(holder).collect(),
            used,
            notes: Vec::new(),
        };
        for group in &grouping.groups {
            let mut first = None;
            for name in group {
                let module = it.module(name)?;
                it.unite(*first.get_or_insert(module), module);
            }
        }
        if grouping.one {
            for module in 1..model.modules.len() {
                it.unite(0, module);
            }
        } else if model.ty == ModelType::Dtmc && !it.is_one() {
            for module in 1..model.modules.len() {
                it.unite(0, module);
            }
            it.notes.push(
                "all modules are one component: in a dtmc the next command is drawn among all of them"
                    .to_owned(),
            );
        }
        Ok(it)
    }

    /// A module by its name.
    pub(super) fn module(&self, name: &str) -> Result<usize, ExplorationError> {
        let found = self.model.modules.iter().position(|m| m.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.model.modules.iter().map(|m| m.name.as_str()).collect();
            ExplorationError::Invalid(vec![
                Diagnostic::error_without_place(format!("there is no module `{name}`"))
                    .help(format!("there are: {}", names.join(", "))),
            ])
        })
    }

    fn is_one(&self) -> bool {
        self.of.iter().all(|g| *g == 0)
    }

    /// The group of a module.
    pub(super) fn of(&self, module: usize) -> usize {
        self.of[module]
    }

    fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.of[a], self.of[b]);
        let (low, high) = (a.min(b), a.max(b));
        for group in &mut self.of {
            if *group == high {
                *group = low;
            }
        }
        low != high
    }

    /// Unites and says why, if they were apart.
    pub(super) fn unite_because(&mut self, a: usize, b: usize, why: &str) {
        if self.unite(a, b) {
            let (a, b) = (&self.model.modules[a].name, &self.model.modules[b].name);
            self.notes
                .push(format!("modules {a} and {b} are one component: {why}"));
        }
    }

    /// Whoever uses a global variable is one component with all others who do.
    pub(super) fn share_globals(&mut self) {
        let mut user: Vec<Option<usize>> = vec![None; self.model.variables.len()];
        for module in 0..self.model.modules.len() {
            for v in self.used[module].clone() {
                if self.model.variables[v as usize].owner.is_some() {
                    continue;
                }
                let name = &self.model.variables[v as usize].name;
                match user[v as usize] {
                    None => user[v as usize] = Some(module),
                    Some(other) => {
                        self.unite_because(other, module, &format!("both use the global {name}"));
                    }
                }
            }
        }
    }

    /// Whoever reads a variable is one component with its owner.
    pub(super) fn share_reads(&mut self) {
        for module in 0..self.model.modules.len() {
            for v in self.used[module].clone() {
                let variable = &self.model.variables[v as usize];
                if let Some(owner) = variable.owner {
                    let (reader, owned) = (
                        &self.model.modules[module].name,
                        &self.model.modules[owner].name,
                    );
                    let why = format!("{reader} reads {owned}.{}", variable.name);
                    self.unite_because(owner, module, &why);
                }
            }
        }
    }

    /// An atom of a property is about one component.
    pub(super) fn share_atom(&mut self, term: &Term) {
        let mut first: Option<usize> = None;
        for module in self.modules_of(term) {
            match first {
                None => first = Some(module),
                Some(first) => {
                    self.unite_because(first, module, "the property compares variables of both")
                }
            }
        }
    }

    /// The modules whose variables a term has; a global counts for a module that uses it.
    pub(super) fn modules_of(&self, term: &Term) -> Vec<usize> {
        let mut modules = Vec::new();
        term.variables(&mut |v, _| modules.push(self.holder(v)));
        modules.sort_unstable();
        modules.dedup();
        modules
    }

    /// The module that has a variable.
    pub(super) fn holder(&self, variable: u32) -> usize {
        self.holders[variable as usize]
    }

    /// The groups, each with its modules ascending.
    pub(super) fn list(&self) -> Vec<Vec<usize>> {
        let mut list: Vec<Vec<usize>> = Vec::new();
        let mut place: Vec<Option<usize>> = vec![None; self.of.len()];
        for (module, group) in self.of.iter().enumerate() {
            let at = *place[*group].get_or_insert_with(|| {
                list.push(Vec::new());
                list.len() - 1
            });
            list[at].push(module);
        }
        list
    }
}

/// The variables that a command mentions, with repetitions.
pub(super) fn mentioned(command: &CommandInfo, each: &mut impl FnMut(u32)) {
    let mut see = |v: u32, _| each(v);
    command.guard.variables(&mut see);
    for update in &command.updates {
        update.probability.variables(&mut see);
        for (_, term) in &update.assignments {
            term.variables(&mut see);
        }
    }
    for update in &command.updates {
        for (variable, _) in &update.assignments {
            each(*variable);
        }
    }
}

/// The variables that a module uses, ascending.
fn used(model: &Resolved, module: usize) -> Vec<u32> {
    let mut used = Vec::new();
    for command in &model.modules[module].commands {
        mentioned(command, &mut |v| used.push(v));
    }
    used.sort_unstable();
    used.dedup();
    used
}
