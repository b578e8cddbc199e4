//! Relabelling and hiding of names.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::{Machine, Name, ScopeId};
use super::mentions::Named;
use crate::fsp::ast::Relabel;
use crate::fsp::eval::{Locals, Lowered, Scope};

/// `/{new/old, ...}`, evaluated. An old name may get several new ones.
#[derive(Debug, Default)]
pub(super) struct Relabelling {
    map: FxHashMap<String, Vec<Rc<str>>>,
    /// The old names, as they are written.
    pub(super) old: Vec<Named>,
}

impl Relabelling {
    pub(super) fn evaluate(
        relabels: &[Relabel],
        scope: Scope<'_>,
        locals: &Locals,
    ) -> Lowered<Self> {
        let mut relabelling = Relabelling::default();
        relabelling.add(relabels, scope, locals)?;
        Ok(relabelling)
    }

    fn add(&mut self, relabels: &[Relabel], scope: Scope<'_>, locals: &Locals) -> Lowered<()> {
        for relabel in relabels {
            match relabel {
                Relabel::ForAll { ranges, inner } => {
                    for locals in scope.bindings(ranges, locals)? {
                        self.add(inner, scope, &locals)?;
                    }
                }
                // Variables that the new label binds are known in the old one: `new[i:R]/old[i]`.
                Relabel::Pair { new, old } => {
                    let span = old.span;
                    let mut texts: Vec<Rc<str>> = Vec::new();
                    for (new, locals) in scope.labels(new, locals)? {
                        let new: Rc<str> = new.into();
                        for (old, _) in scope.labels(old, &locals)? {
                            texts.push(old.as_str().into());
                            let names = self.map.entry(old).or_default();
                            if !names.contains(&new) {
                                names.push(new.clone());
                            }
                        }
                    }
                    self.old.push((span, texts));
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The new names of a name: its own entry, or that of its longest prefix.
    pub(super) fn apply(&self, name: &Name) -> Vec<Name> {
        if !name.is_visible() {
            return vec![name.clone()];
        }
        let text = &*name.text;
        if let Some(new) = self.map.get(text) {
            return new.iter().cloned().map(Name::visible).collect();
        }
        for prefix in prefixes(text) {
            if let Some(new) = self.map.get(prefix) {
                let rest = &text[prefix.len()..];
                let join = |new: &Rc<str>| Name::visible(format!("{new}{rest}"));
                return new.iter().map(join).collect();
            }
        }
        vec![name.clone()]
    }

    /// Can the parts of a composition be relabelled one by one? Not if two labels become one,
    /// unless the same part alone does both.
    pub(super) fn is_safe_for(&self, machines: &[Machine]) -> bool {
        const SEVERAL: usize = usize::MAX;
        let mut owner: FxHashMap<&Name, usize> = FxHashMap::default();
        for (number, machine) in machines.iter().enumerate() {
            for name in machine.labels.iter().flatten() {
                let known = owner.entry(name).or_insert(number);
                if *known != number {
                    *known = SEVERAL;
                }
            }
        }
        let mut sources: FxHashMap<Name, (usize, &Name)> = FxHashMap::default();
        let mut names: Vec<&Name> = owner.keys().copied().collect();
        names.sort_unstable();
        for old in names {
            for new in self.apply(old) {
                match sources.get(&new) {
                    Some((before, name))
                        if *name != old && (*before != owner[old] || *before == SEVERAL) =>
                    {
                        return false;
                    }
                    Some(_) => {}
                    None => {
                        sources.insert(new, (owner[old], old));
                    }
                }
            }
        }
        true
    }
}

/// The proper prefixes of a dotted name, the longest first.
fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    text.rmatch_indices('.').map(|(at, _)| &text[..at])
}

/// A set of labels as hiding and priority understand it: a name covers all that it is a prefix of.
#[derive(Debug)]
pub(super) struct Cover(FxHashSet<Rc<str>>);

impl Cover {
    pub(super) fn new(labels: &[Rc<str>]) -> Self {
        Cover(labels.iter().cloned().collect())
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.0.contains(text) || prefixes(text).any(|p| self.0.contains(p))
    }
}

/// Which names a composition or process hides.
#[derive(Debug)]
pub(super) struct Hidden {
    pub(super) cover: Cover,
    pub(super) expose: bool,
}

impl Hidden {
    pub(super) fn hides(&self, name: &Name) -> bool {
        name.is_visible() && self.cover.contains(&name.text) != self.expose
    }

    /// Gives the hidden names of machines a scope.
    pub(super) fn apply(&self, machines: &mut [Machine], scope: ScopeId) {
        for machine in machines {
            machine.rename(|name| {
                let mut name = name.clone();
                if self.hides(&name) {
                    name.scope = scope;
                }
                vec![name]
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_prefix_wins_and_dots_bound_prefixes() {
        let mut map = FxHashMap::default();
        map.insert("a".to_owned(), vec!["x".into()]);
        map.insert("a.b".to_owned(), vec!["y".into(), "z".into()]);
        let relabelling = Relabelling {
            map,
            ..Relabelling::default()
        };
        let apply = |text: &str| -> Vec<String> {
            let names = relabelling.apply(&Name::visible(text));
            names.iter().map(|n| n.text.to_string()).collect()
        };
        assert_eq!(apply("a"), ["x"]);
        assert_eq!(apply("a.c.d"), ["x.c.d"]);
        assert_eq!(apply("a.b.c"), ["y.c", "z.c"]);
        assert_eq!(apply("ab"), ["ab"]);
    }
}
