//! Labels that relabelling, hiding and priority name, and that nothing has.
//!
//! LTSA ignores them without a message. One text may be examined for many instances, so a label is
//! reported only if no instance has it, after all are lowered.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use suppose_source::{Diagnostic, Span};

use super::Lowering;
use super::machine::Machine;
use crate::fsp::ast::SetExpr;
use crate::fsp::eval::{Locals, Lowered, Scope};
use suppose_source::nearest;

/// How many labels a warning lists.
const LISTED: usize = 8;

/// A label that was named somewhere.
#[derive(Debug)]
pub(super) struct Mention {
    span: Span,
    /// What it was named for.
    what: &'static str,
    /// One of the labels.
    text: String,
    /// Is it, or something that begins with it, a label of what it was named for?
    known: bool,
    /// What there is.
    there: Vec<String>,
}

/// What a source text names: its place and its labels.
pub(super) type Named = (Span, Vec<Rc<str>>);

/// The labels of a set, each expression by itself.
pub(super) fn named_in(set: &SetExpr, scope: Scope<'_>) -> Lowered<Vec<Named>> {
    let none = Locals::default();
    match set {
        SetExpr::Named(name) => Ok(vec![(name.span, scope.set(set, &none)?.to_vec())]),
        SetExpr::Literal(labels, _) => {
            let mut all = Vec::new();
            for label in labels {
                let texts = scope.labels(label, &none)?.into_iter();
                all.push((label.span, texts.map(|(text, _)| text.into()).collect()));
            }
            Ok(all)
        }
    }
}

impl Lowering<'_> {
    /// Notes labels that are named for machines.
    pub(super) fn mention<'x>(
        &mut self,
        what: &'static str,
        named: &[Named],
        machines: impl Iterator<Item = &'x Machine>,
    ) {
        if named.is_empty() {
            return;
        }
        let mut labels: FxHashSet<&str> = FxHashSet::default();
        let mut beginnings: FxHashSet<&str> = FxHashSet::default();
        let all = machines.flat_map(|m| m.labels.iter().flatten());
        for name in all.filter(|n| n.is_visible()) {
            if labels.insert(&name.text) {
                let dots = name.text.match_indices('.');
                beginnings.extend(dots.map(|(at, _)| &name.text[..at]));
            }
        }
        for (span, texts) in named {
            let is_known = |t: &Rc<str>| labels.contains(&**t) || beginnings.contains(&**t);
            let known = texts.is_empty() || texts.iter().any(is_known);
            if let Some(before) = self.mentions.iter_mut().find(|m| m.span == *span) {
                before.known |= known;
                continue;
            }
            let mut there: Vec<String> = labels.iter().map(|l| (*l).to_owned()).collect();
            there.sort_unstable();
            self.mentions.push(Mention {
                span: *span,
                what,
                text: texts.first().map_or(String::new(), |t| t.to_string()),
                known,
                there,
            });
        }
    }

    /// Warns of the labels that nothing has.
    pub(super) fn warn_about_mentions(&mut self) {
        for mention in std::mem::take(&mut self.mentions) {
            if mention.known {
                continue;
            }
            let Mention {
                what, text, there, ..
            } = &mention;
            let listed: Vec<String> = there
                .iter()
                .take(LISTED)
                .map(|l| format!("`{l}`"))
                .collect();
            let more = match there.len() > LISTED {
                true => format!(" and {} more", there.len() - LISTED),
                false => String::new(),
            };
            let listed = match listed.is_empty() {
                true => "there are no actions here".to_owned(),
                false => format!("there are {}{more}", listed.join(", ")),
            };
            let help = match nearest(text, there.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`? {listed}"),
                None => listed,
            };
            let warning =
                Diagnostic::warning(mention.span, format!("no action `{text}` to {what}"))
                    .label("changes nothing")
                    .help(help);
            self.warn(warning);
        }
    }
}
