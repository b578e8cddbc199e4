//! `progress`, and assertions that are not safe: formulas about infinite runs.
//!
//! `progress P = {..}` says that one of the actions is done again and again, `if {..} then {..}` that this is so if one of the
//! others is done again and again. Both are always about fair choice.

use rustc_hash::FxHashSet;
use suppose_model::lts::{Fairness, Label, Liveness, LivenessKind, Proposition, Temporal};
use suppose_source::{Diagnostic, Span};

use super::Lowering;
use super::ltl::{Atom, Expanded, Node};
use super::machine::Interned;
use super::system::Top;
use crate::fsp::ast::{Claim, LabelExpr, LabelPart, Progress};
use crate::fsp::eval::{Locals, Lowered, Scope};

/// So many claims at most come from one definition with indices.
const MOST_CLAIMS: usize = 10_000;

/// The labels that a claim can mention.
pub(super) struct Known<'n> {
    top: &'n Top,
    names: &'n mut Interned,
    /// The labels of processes.
    done: FxHashSet<Label>,
}

impl<'n> Known<'n> {
    /// `done` are the labels of the processes.
    pub(super) fn new(top: &'n Top, names: &'n mut Interned, done: Vec<Label>) -> Self {
        Known {
            top,
            names,
            done: done.into_iter().collect(),
        }
    }

    /// The labels of names, sorted; notes the names that no process has. They get a label if they may happen.
    fn labels<'t>(
        &mut self,
        names: impl IntoIterator<Item = &'t str>,
        may_happen: bool,
        unknown: &mut Vec<String>,
    ) -> Vec<Label> {
        let mut labels = Vec::new();
        for text in names {
            let name = self.top.name(text);
            let found = self.names.find(&name).filter(|l| self.done.contains(l));
            if found.is_none() {
                unknown.push(text.to_owned());
            }
            match found {
                Some(label) => labels.push(label),
                None if may_happen => labels.push(self.names.label(&name)),
                None => {}
            }
        }
        labels.sort_unstable();
        labels.dedup();
        labels
    }
}

impl<'a> Lowering<'a> {
    /// All liveness claims of the file.
    pub(super) fn liveness(
        &mut self,
        assertions: &[(&'a Claim, Expanded)],
        fairness: Fairness,
        mut known: Known<'_>,
    ) -> Lowered<Vec<Liveness>> {
        let mut all = Vec::new();
        for progress in self.definitions.progress.clone() {
            self.progress(progress, &mut known, &mut all)?;
        }
        for (claim, formula) in assertions {
            let (name, span) = (claim.name.text.to_string(), claim.name.span);
            let mut unknown = Vec::new();
            let liveness = assertion(name, span, formula, fairness, &mut known, &mut unknown);
            self.warn_of_unknown(&liveness.name, span, unknown, "taken to happen at any time");
            all.push(liveness);
        }
        Ok(all)
    }

    /// A progress property, one for each value of its indices.
    fn progress(
        &mut self,
        progress: &Progress,
        known: &mut Known<'_>,
        all: &mut Vec<Liveness>,
    ) -> Lowered<()> {
        let scope = Scope::new(&self.definitions.globals, &[]);
        let span = progress.name.span;
        let indices = LabelExpr {
            parts: progress
                .indices
                .iter()
                .cloned()
                .map(LabelPart::Index)
                .collect(),
            span,
        };
        let values = match progress.indices.is_empty() {
            true => vec![(String::new(), Locals::default())],
            false => scope.labels(&indices, &Locals::default())?,
        };
        if values.len() > MOST_CLAIMS {
            let message = format!(
                "`{}` is more than {MOST_CLAIMS} properties",
                progress.name.text
            );
            return Err(Diagnostic::error(span, message).label("use a smaller range"));
        }
        let mut unknown = Vec::new();
        for (index, locals) in values {
            let mut actions =
                |label: &LabelExpr, unknown: &mut Vec<String>| -> Lowered<Vec<Label>> {
                    let names = scope.labels(label, &locals)?;
                    Ok(known.labels(names.iter().map(|n| n.0.as_str()), false, unknown))
                };
            let condition = match &progress.condition {
                Some(condition) => Some(actions(condition, &mut unknown)?),
                None => None,
            };
            let name = match index.as_str() {
                "" => progress.name.text.to_string(),
                index => format!("{}.{index}", progress.name.text),
            };
            let actions = actions(&progress.actions, &mut unknown)?;
            all.push(recurring(name, span, condition, actions));
        }
        self.warn_of_unknown(&progress.name.text, span, unknown, "taken never to happen");
        Ok(())
    }

    fn warn_of_unknown(&mut self, name: &str, span: Span, mut unknown: Vec<String>, taken: &str) {
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return;
        }
        let shown: Vec<String> = unknown.iter().take(5).map(|n| format!("`{n}`")).collect();
        let more = match unknown.len() {
            0..=5 => String::new(),
            n => format!(" and {} more", n - 5),
        };
        let message = format!(
            "`{name}` speaks of {}{more}, which no process does",
            shown.join(", ")
        );
        let warning = Diagnostic::warning(span, message)
            .label(taken)
            .help("check the spelling, the prefixes and the relabelling");
        self.warn(warning);
    }
}

/// `[]<> actions`, or `[]<> condition -> []<> actions`.
fn recurring(
    name: String,
    span: Span,
    condition: Option<Vec<Label>>,
    actions: Vec<Label>,
) -> Liveness {
    let mut nodes = vec![Temporal::True, Temporal::False];
    let mut propositions = vec![Proposition::Actions(actions)];
    let mut add = |node| {
        nodes.push(node);
        nodes.len() as u32 - 1
    };
    let done = add(Temporal::Literal(0, true));
    let finally = add(Temporal::Until(0, done));
    let mut root = add(Temporal::Release(1, finally));
    if let Some(condition) = condition {
        propositions.push(Proposition::Actions(condition));
        let not_done = add(Temporal::Literal(1, false));
        let always = add(Temporal::Release(1, not_done));
        let finally = add(Temporal::Until(0, always));
        root = add(Temporal::Or(vec![root, finally]));
    }
    Liveness {
        name,
        span: Some(span),
        kind: LivenessKind::Progress,
        fairness: Fairness::FairChoice,
        propositions,
        nodes,
        root,
    }
}

fn assertion(
    name: String,
    span: Span,
    formula: &Expanded,
    fairness: Fairness,
    known: &mut Known<'_>,
    unknown: &mut Vec<String>,
) -> Liveness {
    let mut labels =
        |names: &[std::rc::Rc<str>]| known.labels(names.iter().map(|n| &**n), true, unknown);
    let mut proposition = |atom: &Atom| match atom {
        Atom::Actions(actions) => Proposition::Actions(labels(actions)),
        Atom::Fluent {
            starts,
            ends,
            initially,
        } => Proposition::Fluent {
            starts: labels(starts),
            ends: labels(ends),
            initially: *initially,
        },
    };
    let node = |node: &Node| match node {
        Node::True => Temporal::True,
        Node::False => Temporal::False,
        Node::Literal(atom, positive) => Temporal::Literal(*atom, *positive),
        Node::And(parts) => Temporal::And(parts.clone()),
        Node::Or(parts) => Temporal::Or(parts.clone()),
        Node::Next(inner) => Temporal::Next(*inner),
        Node::Until(left, right) => Temporal::Until(*left, *right),
        Node::Release(left, right) => Temporal::Release(*left, *right),
    };
    Liveness {
        name,
        span: Some(span),
        kind: LivenessKind::Assertion,
        fairness,
        propositions: formula.atoms.iter().map(&mut proposition).collect(),
        nodes: formula.nodes.iter().map(node).collect(),
        root: formula.root,
    }
}
