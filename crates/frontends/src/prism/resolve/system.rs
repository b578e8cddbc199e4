//! `system ... endsystem` as a list of [`Vector`]s: all the ways in which modules act together.
//!
//! For every subsystem we keep its alphabet and its vectors. `A |[S]| B` joins the vectors of an action
//! in `S` pairwise; hiding and renaming change how vectors are seen. Without a `system` all
//! modules run in parallel on their common actions, so every action has one vector.

use suppose_source::{Diagnostic, Span};

use super::super::ast::{Composition, Ident};
use super::super::resolved::{ModuleInfo, VariableInfo, Vector};
use super::Resolver;

/// A part of the system.
struct Subsystem {
    /// Actions seen from outside, sorted.
    alphabet: Vec<u32>,
    vectors: Vec<Vector>,
}

/// The most modules that can act together.
const PARTS: usize = 1000;

/// More ways to act together than this are refused.
const VECTORS: usize = 1 << 16;

impl Resolver<'_> {
    pub(super) fn vectors(&mut self, modules: &[ModuleInfo]) -> Option<Vec<Vector>> {
        let Some((composition, span)) = &self.model.system else {
            let vectors = all_together(modules, self.actions.len());
            return self.not_too_wide(vectors, modules[0].span);
        };
        let mut used = vec![false; modules.len()];
        let system = match self.subsystem(composition, *span, modules, &mut used) {
            Ok(system) => system,
            Err(error) => {
                self.errors.push(error);
                return None;
            }
        };
        if let Some(left_out) = used.iter().position(|used| !used) {
            let message = format!(
                "the module `{}` is not in the system",
                modules[left_out].name
            );
            self.errors.push(
                Diagnostic::error(*span, message).note(modules[left_out].span, "this module"),
            );
            return None;
        }
        self.not_too_wide(system.vectors, *span)
    }

    /// Two modules that act together could assign different values to a global variable.
    pub(super) fn globals_are_written_alone(
        &mut self,
        vectors: &[Vector],
        modules: &[ModuleInfo],
        variables: &[VariableInfo],
    ) {
        let mut joint: Vec<(usize, u32)> = Vec::new();
        for vector in vectors.iter().filter(|v| v.parts.len() > 1) {
            joint.extend_from_slice(&vector.parts);
        }
        joint.sort_unstable();
        joint.dedup();
        for (module, action) in joint {
            let commands = modules[module].commands.iter();
            for command in commands.filter(|c| c.action == Some(action)) {
                let written = command.updates.iter().flat_map(|u| &u.assignments);
                let global = |v: &&(u32, _)| variables[v.0 as usize].owner.is_none();
                if let Some((v, _)) = { written }.find(global) {
                    let (name, action) =
                        (&variables[*v as usize].name, &self.actions[action as usize]);
                    let message = format!(
                        "`{name}` is global, and `{action}` is done together with other modules"
                    );
                    self.errors.push(
                        Diagnostic::error(command.span, message)
                            .help("assign to global variables in commands without action, or with one that no other module has"),
                    );
                }
            }
        }
    }

    fn not_too_wide(&mut self, vectors: Vec<Vector>, span: Span) -> Option<Vec<Vector>> {
        if vectors.iter().any(|v| v.parts.len() > PARTS) {
            let message = format!("more than {PARTS} modules act together");
            self.errors.push(Diagnostic::error(span, message));
            return None;
        }
        Some(vectors)
    }

    fn subsystem(
        &mut self,
        composition: &Composition,
        span: Span,
        modules: &[ModuleInfo],
        used: &mut [bool],
    ) -> Result<Subsystem, Diagnostic> {
        match composition {
            Composition::Module(ident) => self.module(*ident, modules, used),
            Composition::Parallel(parts) => {
                let mut whole: Option<Subsystem> = None;
                for part in parts {
                    let part = self.subsystem(part, span, modules, used)?;
                    whole = Some(match whole {
                        None => part,
                        Some(left) => {
                            let common = intersection(&left.alphabet, &part.alphabet);
                            join(left, part, &common, span)?
                        }
                    });
                }
                whole.ok_or_else(|| Diagnostic::error(span, "the system is empty"))
            }
            Composition::Interleave(parts) => {
                let mut whole: Option<Subsystem> = None;
                for part in parts {
                    let part = self.subsystem(part, span, modules, used)?;
                    whole = Some(match whole {
                        None => part,
                        Some(left) => join(left, part, &[], span)?,
                    });
                }
                whole.ok_or_else(|| Diagnostic::error(span, "the system is empty"))
            }
            Composition::On(left, actions, right) => {
                let left = self.subsystem(left, span, modules, used)?;
                let right = self.subsystem(right, span, modules, used)?;
                let actions = self.known(actions);
                join(left, right, &actions, span)
            }
            Composition::Hide(inner, actions) => {
                let mut inner = self.subsystem(inner, span, modules, used)?;
                let hidden = self.known(actions);
                inner.alphabet.retain(|a| !hidden.contains(a));
                for vector in &mut inner.vectors {
                    vector.seen = vector.seen.filter(|a| !hidden.contains(a));
                }
                Ok(inner)
            }
            Composition::Rename(inner, pairs) => {
                let mut inner = self.subsystem(inner, span, modules, used)?;
                let pairs: Vec<(u32, u32)> = pairs
                    .iter()
                    .filter_map(|(old, new)| Some((self.find(*old)?, self.find_or_add(*new))))
                    .collect();
                let rename = |a: u32| pairs.iter().find(|(old, _)| *old == a).map_or(a, |p| p.1);
                for action in &mut inner.alphabet {
                    *action = rename(*action);
                }
                inner.alphabet.sort_unstable();
                inner.alphabet.dedup();
                for vector in &mut inner.vectors {
                    vector.seen = vector.seen.map(rename);
                }
                Ok(inner)
            }
        }
    }

    fn module(
        &self,
        ident: Ident,
        modules: &[ModuleInfo],
        used: &mut [bool],
    ) -> Result<Subsystem, Diagnostic> {
        let text = self.names.text(ident.name);
        let Some(number) = modules.iter().position(|m| m.name == text) else {
            return Err(Diagnostic::error(
                ident.span,
                format!("there is no module `{text}`"),
            ));
        };
        if std::mem::replace(&mut used[number], true) {
            return Err(Diagnostic::error(
                ident.span,
                format!("the module `{text}` is in the system twice"),
            ));
        }
        let alphabet = modules[number].alphabet.clone();
        let vectors = alphabet.iter().map(|action| Vector {
            seen: Some(*action),
            parts: vec![(number, *action)],
        });
        Ok(Subsystem {
            vectors: vectors.collect(),
            alphabet,
        })
    }

    fn find(&self, ident: Ident) -> Option<u32> {
        let text = self.names.text(ident.name);
        self.actions
            .iter()
            .position(|a| a == text)
            .map(|a| a as u32)
    }

    fn find_or_add(&mut self, ident: Ident) -> u32 {
        self.find(ident).unwrap_or_else(|| {
            self.actions.push(self.names.text(ident.name).to_owned());
            self.actions.len() as u32 - 1
        })
    }

    /// The numbers of actions that some module has.
    fn known(&mut self, actions: &[Ident]) -> Vec<u32> {
        let mut known = Vec::new();
        for action in actions {
            match self.find(*action) {
                Some(number) => known.push(number),
                None => {
                    let text = self.names.text(action.name);
                    self.warnings.push(Diagnostic::warning(
                        action.span,
                        format!("no module does the action `{text}`"),
                    ));
                }
            }
        }
        known
    }
}

/// All modules in parallel: one vector for each action.
fn all_together(modules: &[ModuleInfo], actions: usize) -> Vec<Vector> {
    let mut vectors: Vec<Vector> = (0..actions as u32)
        .map(|action| Vector {
            seen: Some(action),
            parts: Vec::new(),
        })
        .collect();
    for (number, module) in modules.iter().enumerate() {
        for action in &module.alphabet {
            vectors[*action as usize].parts.push((number, *action));
        }
    }
    vectors.retain(|v| !v.parts.is_empty());
    vectors
}

fn intersection(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().copied().filter(|x| b.contains(x)).collect()
}

/// Both side by side, together on `common`.
fn join(
    left: Subsystem,
    right: Subsystem,
    common: &[u32],
    span: Span,
) -> Result<Subsystem, Diagnostic> {
    let is_common = |v: &Vector| v.seen.is_some_and(|a| common.contains(&a));
    let mut vectors: Vec<Vector> = Vec::new();
    for vector in left.vectors.iter().chain(&right.vectors) {
        if !is_common(vector) {
            vectors.push(vector.clone());
        }
    }
    for a in left.vectors.iter().filter(|v| is_common(v)) {
        for b in right.vectors.iter().filter(|v| v.seen == a.seen) {
            let mut parts = a.parts.clone();
            parts.extend_from_slice(&b.parts);
            parts.sort_unstable();
            vectors.push(Vector {
                seen: a.seen,
                parts,
            });
            if vectors.len() > VECTORS {
                return Err(Diagnostic::error(
                    span,
                    format!("the system has more than {VECTORS} ways to act together"),
                ));
            }
        }
    }
    let mut alphabet = left.alphabet;
    alphabet.extend_from_slice(&right.alphabet);
    alphabet.sort_unstable();
    alphabet.dedup();
    Ok(Subsystem { alphabet, vectors })
}
