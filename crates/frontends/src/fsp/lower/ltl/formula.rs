//! Formulas in negation normal form, with fluents and quantifiers expanded.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, Span};

use crate::fsp::ast::{Claim, Formula, Index, LabelExpr, LabelPart};
use crate::fsp::check::{Defined, Definitions};
use crate::fsp::eval::{Locals, Lowered, Scope, Value, parameters};

/// A formula's number; equal formulas have equal numbers.
pub(in crate::fsp::lower) type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::fsp::lower) enum Node {
    True,
    False,
    /// An atom or its negation.
    Literal(u32, bool),
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What can be true after an action.
#[derive(Clone, Debug)]
pub(in crate::fsp::lower) enum Atom {
    /// Set by some actions, reset by others, kept by the rest.
    Fluent {
        starts: Vec<Rc<str>>,
        ends: Vec<Rc<str>>,
        initially: bool,
    },
    /// The action just done is one of these.
    Actions(Vec<Rc<str>>),
}

/// A formula with everything it is made of.
pub(in crate::fsp::lower) struct Expanded {
    pub(in crate::fsp::lower) nodes: Vec<Node>,
    pub(in crate::fsp::lower) atoms: Vec<Atom>,
    pub(in crate::fsp::lower) root: Id,
    /// Labels that count as actions of the formula besides those it names.
    pub(in crate::fsp::lower) extension: Vec<Rc<str>>,
}

impl Expanded {
    /// Syntactically safe: no `until` is left in negation normal form.
    pub(super) fn is_safe(&self) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut pending = vec![self.root];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            match &self.nodes[id as usize] {
                Node::Until(..) => return false,
                Node::And(ids) | Node::Or(ids) => pending.extend(ids),
                Node::Next(inner) => pending.push(*inner),
                Node::Release(left, right) => pending.extend([left, right]),
                Node::True | Node::False | Node::Literal(..) => {}
            }
        }
        true
    }
}

/// Expands the formula of a claim.
pub(super) fn expand<'a>(
    definitions: &'a Definitions<'a>,
    claim: &'a Claim,
    arguments: Option<&[Value]>,
    span: Span,
) -> Lowered<Expanded> {
    let mut expander = Expander {
        definitions,
        nodes: Vec::new(),
        ids: FxHashMap::default(),
        atoms: Vec::new(),
        fluents: FxHashMap::default(),
        actions: FxHashMap::default(),
        depth: 0,
    };
    expander.intern(Node::True);
    expander.intern(Node::False);
    let actual = parameters(
        &definitions.globals,
        &claim.parameters,
        arguments,
        &claim.name.text,
        span,
    )?;
    let scope = Scope::new(&definitions.globals, &actual);
    let none = Locals::default();
    let root = expander.build(&claim.formula, true, scope, &none)?;
    let extension = match &claim.extension {
        Some(set) => scope.set(set, &none)?.to_vec(),
        None => Vec::new(),
    };
    Ok(Expanded {
        nodes: expander.nodes,
        atoms: expander.atoms,
        root,
        extension,
    })
}

const TRUE: Id = 0;
const FALSE: Id = 1;

struct Expander<'a> {
    definitions: &'a Definitions<'a>,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Id>,
    atoms: Vec<Atom>,
    fluents: FxHashMap<String, u32>,
    actions: FxHashMap<Vec<Rc<str>>, u32>,
    depth: usize,
}

impl Expander<'_> {
    fn intern(&mut self, node: Node) -> Id {
        let next = self.nodes.len() as Id;
        let id = *self.ids.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    fn constant(&self, value: bool) -> Id {
        if value { TRUE } else { FALSE }
    }

    /// Conjunction (`and`) or disjunction of parts, flat and sorted.
    fn join(&mut self, and: bool, parts: Vec<Id>) -> Id {
        let (neutral, absorbing) = match and {
            true => (TRUE, FALSE),
            false => (FALSE, TRUE),
        };
        let mut flat = Vec::new();
        for part in parts {
            match (&self.nodes[part as usize], and) {
                (Node::And(ids), true) | (Node::Or(ids), false) => flat.extend_from_slice(ids),
                _ => flat.push(part),
            }
        }
        flat.retain(|id| *id != neutral);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&absorbing) {
            return absorbing;
        }
        match flat.as_slice() {
            [] => neutral,
            [one] => *one,
            _ if and => self.intern(Node::And(flat)),
            _ => self.intern(Node::Or(flat)),
        }
    }

    fn next(&mut self, inner: Id) -> Id {
        match inner {
            TRUE | FALSE => inner,
            _ => self.intern(Node::Next(inner)),
        }
    }

    /// `left U right`, or `left R right`.
    fn until(&mut self, release: bool, left: Id, right: Id) -> Id {
        match (release, right) {
            (_, TRUE | FALSE) => right,
            (true, _) if left == TRUE => right,
            (false, _) if left == FALSE => right,
            (true, _) => self.intern(Node::Release(left, right)),
            (false, _) => self.intern(Node::Until(left, right)),
        }
    }

    fn build(
        &mut self,
        formula: &Formula,
        positive: bool,
        scope: Scope<'_>,
        locals: &Locals,
    ) -> Lowered<Id> {
        self.depth += 1;
        let built = self.build_here(formula, positive, scope, locals);
        self.depth -= 1;
        built
    }

    fn build_here(
        &mut self,
        formula: &Formula,
        positive: bool,
        scope: Scope<'_>,
        locals: &Locals,
    ) -> Lowered<Id> {
        match formula {
            Formula::Not(inner) => self.build(inner, !positive, scope, locals),
            Formula::Next(inner) => {
                let inner = self.build(inner, positive, scope, locals)?;
                Ok(self.next(inner))
            }
            Formula::Always(inner) => {
                let inner = self.build(inner, positive, scope, locals)?;
                let left = self.constant(!positive);
                Ok(self.until(positive, left, inner))
            }
            Formula::Eventually(inner) => {
                let inner = self.build(inner, positive, scope, locals)?;
                let left = self.constant(positive);
                Ok(self.until(!positive, left, inner))
            }
            Formula::And(parts) => self.build_all(positive, parts, positive, scope, locals),
            Formula::Or(parts) => self.build_all(!positive, parts, positive, scope, locals),
            Formula::Implies(left, right) => {
                let left = self.build(left, !positive, scope, locals)?;
                let right = self.build(right, positive, scope, locals)?;
                Ok(self.join(!positive, vec![left, right]))
            }
            Formula::Equivalent(left, right) => {
                let l = self.build(left, true, scope, locals)?;
                let not_l = self.build(left, false, scope, locals)?;
                let r = self.build(right, positive, scope, locals)?;
                let not_r = self.build(right, !positive, scope, locals)?;
                let one = self.join(false, vec![not_l, r]);
                let other = self.join(false, vec![l, not_r]);
                Ok(self.join(true, vec![one, other]))
            }
            Formula::Until(left, right) => {
                let left = self.build(left, positive, scope, locals)?;
                let right = self.build(right, positive, scope, locals)?;
                Ok(self.until(!positive, left, right))
            }
            // a W b is b R (a || b)
            Formula::WeakUntil(left, right) => {
                let left = self.build(left, positive, scope, locals)?;
                let right = self.build(right, positive, scope, locals)?;
                let either = self.join(!positive, vec![left, right]);
                Ok(self.until(positive, right, either))
            }
            Formula::Quantified {
                exists,
                ranges,
                inner,
            } => {
                let mut parts = Vec::new();
                for locals in scope.bindings(ranges, locals)? {
                    parts.push(self.build(inner, positive, scope, &locals)?);
                }
                Ok(self.join(*exists != positive, parts))
            }
            Formula::Rigid(expr) => {
                let value = scope.int(expr, locals)? > 0;
                Ok(self.constant(value == positive))
            }
            Formula::Actions(label) => {
                let labels = scope.labels(label, locals)?;
                let mut labels: Vec<Rc<str>> = labels.into_iter().map(|l| l.0.into()).collect();
                labels.sort_unstable();
                labels.dedup();
                let atom = self.action_atom(labels);
                Ok(self.intern(Node::Literal(atom, positive)))
            }
            Formula::Name {
                name,
                indices,
                arguments,
            } => {
                self.spend(name.span)?;
                match self.definitions.find(&name.text) {
                    Some(Defined::Claim(claim)) if indices.is_empty() => {
                        let arguments = scope.arguments(arguments.as_deref(), locals)?;
                        let actual = parameters(
                            scope.globals,
                            &claim.parameters,
                            arguments.as_deref(),
                            &name.text,
                            name.span,
                        )?;
                        let inner = Scope::new(scope.globals, &actual);
                        self.build(&claim.formula, positive, inner, locals)
                    }
                    _ => {
                        let atoms = self.fluent_atoms(name, indices, scope, locals)?;
                        let mut parts = Vec::new();
                        for atom in atoms {
                            parts.push(self.intern(Node::Literal(atom, positive)));
                        }
                        Ok(self.join(!positive, parts))
                    }
                }
            }
        }
    }

    fn build_all(
        &mut self,
        and: bool,
        parts: &[Formula],
        positive: bool,
        scope: Scope<'_>,
        locals: &Locals,
    ) -> Lowered<Id> {
        let mut built = Vec::with_capacity(parts.len());
        for part in parts {
            built.push(self.build(part, positive, scope, locals)?);
        }
        Ok(self.join(and, built))
    }

    /// Claims may name each other: both depth and work are limited.
    fn spend(&self, span: Span) -> Lowered<()> {
        let limit = self.definitions.globals.limits.depth;
        if self.depth > limit {
            let message = format!("the formula is nested more than {limit} levels deep");
            return Err(Diagnostic::error(span, message)
                .label("too deep")
                .help("does an assertion name itself, directly or through others?"));
        }
        self.definitions.globals.spend(1000, span)
    }

    fn action_atom(&mut self, labels: Vec<Rc<str>>) -> u32 {
        let next = self.atoms.len() as u32;
        let atom = *self.actions.entry(labels.clone()).or_insert(next);
        if atom == next {
            self.atoms.push(Atom::Actions(labels));
        }
        atom
    }

    /// The fluents that a name with indices represents.
    fn fluent_atoms(
        &mut self,
        name: &crate::fsp::ast::Ident,
        indices: &[Index],
        scope: Scope<'_>,
        locals: &Locals,
    ) -> Lowered<Vec<u32>> {
        let fluents = &self.definitions.fluents;
        let Some(fluent) = fluents.iter().find(|f| f.name.text == name.text) else {
            let message = format!("no fluent or assertion `{}`", name.text);
            let it = Diagnostic::error(name.span, message).label("expected a fluent");
            let claims = self.definitions.claims.iter().map(|c| &*c.name.text);
            let known = fluents.iter().map(|f| &*f.name.text).chain(claims);
            let define = format!("define it: `fluent {} = <{{start}}, {{end}}>`", name.text);
            return Err(it.did_you_mean_or(&name.text, known, define));
        };
        let wanted = LabelExpr {
            parts: indices.iter().cloned().map(LabelPart::Index).collect(),
            span: name.span,
        };
        let wanted = scope.labels(&wanted, locals)?;
        let mut atoms = Vec::new();
        for (text, _) in wanted {
            let key = format!("{}.{text}", name.text);
            if let Some(atom) = self.fluents.get(&key) {
                atoms.push(*atom);
                continue;
            }
            let Some(atom) = evaluate_fluent(self.definitions, fluent, &text)? else {
                let shown = text.replace('.', "][");
                let message = format!("the fluent `{}` has no index [{shown}]", name.text);
                return Err(Diagnostic::error(name.span, message)
                    .label("index out of range")
                    .note(fluent.name.span, "defined here"));
            };
            atoms.push(self.atoms.len() as u32);
            self.fluents.insert(key, self.atoms.len() as u32);
            self.atoms.push(atom);
        }
        Ok(atoms)
    }
}

/// One fluent of a definition, by its indices.
fn evaluate_fluent(
    definitions: &Definitions<'_>,
    fluent: &crate::fsp::ast::Fluent,
    indices: &str,
) -> Lowered<Option<Atom>> {
    let scope = Scope::new(&definitions.globals, &[]);
    let ranges = LabelExpr {
        parts: fluent
            .ranges
            .iter()
            .cloned()
            .map(LabelPart::Index)
            .collect(),
        span: fluent.name.span,
    };
    let all = scope.labels(&ranges, &Locals::default())?;
    let Some((_, locals)) = all.into_iter().find(|(text, _)| text == indices) else {
        return Ok(None);
    };
    let actions = |label: &LabelExpr| -> Lowered<Vec<Rc<str>>> {
        let labels = scope.labels(label, &locals)?;
        Ok(labels.into_iter().map(|l| l.0.into()).collect())
    };
    let (starts, ends) = (actions(&fluent.starts)?, actions(&fluent.ends)?);
    if let Some(both) = starts.iter().find(|l| ends.contains(l)) {
        let message = format!(
            "the action `{both}` both starts and ends the fluent `{}`",
            fluent.name.text
        );
        return Err(Diagnostic::error(fluent.name.span, message).label("expected disjoint sets"));
    }
    let initially = match &fluent.initially {
        Some(expr) => scope.int(expr, &locals)? > 0,
        None => false,
    };
    Ok(Some(Atom::Fluent {
        starts,
        ends,
        initially,
    }))
}
