//! Fluent linear temporal logic: safe formulas become properties.
//!
//! As in LTSA (Giannakopoulou and Magee, "Fluent model checking for event-based systems"), a
//! formula is about the states after each action: its first position is after the first action.
//! An action used as a proposition is true just after it, and false after any other, `tau`
//! included.

mod automaton;
mod formula;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use suppose_model::lts::{Equivalence, Label, Labels, Lts, LtsBuilder, minimise, reachable};
use suppose_source::{Diagnostic, Span};

pub(super) use formula::{Atom, Expanded, Node};

use super::machine::{Core, Machine, Name};
use super::{Lowering, shown_instance};
use crate::fsp::ast::{Claim, ClaimKind, Ident};
use crate::fsp::eval::{Lowered, Value};

/// What a formula became.
pub(super) enum Translated {
    Property(Box<Allowed>),
    /// Not syntactically safe.
    Live(Expanded),
    /// Why it is not decided.
    Undecided(String),
}

/// The deterministic LTS of what a formula allows, over its own labels.
pub(super) struct Allowed {
    pub(super) lts: Lts,
    pub(super) labels: Labels,
    /// The label that represents every other action, if the formula depends on those.
    pub(super) other: Option<Label>,
}

impl<'a> Lowering<'a> {
    pub(super) fn translate(
        &mut self,
        claim: &'a Claim,
        arguments: Option<&[Value]>,
        span: Span,
    ) -> Lowered<Translated> {
        let expanded = formula::expand(self.definitions, claim, arguments, span)?;
        if !expanded.is_safe() {
            return Ok(Translated::Live(expanded));
        }
        let too_large = || {
            Ok(Translated::Undecided(
                "its automaton is too large".to_owned(),
            ))
        };
        let Ok(automaton) = automaton::build(&expanded) else {
            return too_large();
        };
        match allowed(&claim.name.text, &automaton, &self.limits()) {
            Ok(allowed) => Ok(Translated::Property(Box::new(allowed))),
            Err(_) => too_large(),
        }
    }

    /// A `constraint` or `ltl_property` that is used in a composition.
    pub(super) fn claim_machine(
        &mut self,
        claim: &'a Claim,
        arguments: Option<Vec<Value>>,
        used_at: &Ident,
    ) -> Lowered<Machine> {
        self.used.insert(claim.name.text.clone());
        let name = &claim.name.text;
        let refuse = |message: String| {
            Diagnostic::error(used_at.span, message)
                .label("used in a composition")
                .note(claim.name.span, "defined here")
        };
        let allowed = match self.translate(claim, arguments.as_deref(), used_at.span)? {
            Translated::Property(allowed) => allowed,
            Translated::Live(_) => {
                return Err(refuse(format!(
                    "`{name}` cannot be composed: it says that something must happen in the end"
                ))
                .help("only a safety property can be composed; write it as an `assert`"));
            }
            Translated::Undecided(reason) => {
                return Err(refuse(format!("`{name}` cannot be composed: {reason}")));
            }
        };
        if allowed.other.is_some() {
            return Err(refuse(format!(
                "`{name}` cannot be composed: it depends on actions that it does not name"
            ))
            .help(
                "name them with `+{...}`, avoid `X` and actions as propositions, or use `assert`",
            ));
        }
        let names = allowed.lts.alphabet().iter();
        let labels = names.map(|l| vec![Name::visible(allowed.labels.name(*l))]);
        let number = |label| allowed.lts.alphabet().binary_search(&label).unwrap_or(0);
        let edges = allowed.lts.all_edges();
        let core = Core {
            states: allowed.lts.states() as u32,
            edges: edges.map(|(s, l, t)| (s, number(l) as u32, t)).collect(),
            ..Core::default()
        };
        Ok(Machine {
            name: shown_instance(name, arguments.as_deref()),
            core: Rc::new(core),
            labels: labels.collect(),
            property: (claim.kind == ClaimKind::LtlProperty).then_some(claim.name.span),
            ending: None,
        })
    }
}

/// Minimises an automaton and drops the actions that never change anything.
fn allowed(
    name: &str,
    automaton: &automaton::Automaton,
    limits: &suppose_model::lts::SizeLimits,
) -> Result<Allowed, suppose_model::lts::TooLarge> {
    let mut labels = Labels::new();
    let other = labels.intern("*");
    let letters: Vec<Label> = std::iter::once(other)
        .chain(automaton.actions.iter().map(|a| labels.intern(a)))
        .collect();
    let mut builder = LtsBuilder::new(name);
    builder.states(automaton.rows.len() as u32);
    builder.extend_alphabet(letters.iter().copied());
    for (source, row) in automaton.rows.iter().enumerate() {
        for (letter, target) in letters.iter().zip(row) {
            if let Some(target) = target {
                builder.edge(source as u32, *letter, *target);
            }
        }
    }
    let lts = reachable(&builder.build());
    let lts = reachable(&minimise(&lts, Equivalence::Strong, limits)?.lts);
    let idle = |label: &Label| {
        let loops = |s: u32| matches!(lts.successors(s, *label), [e] if e.target == s);
        (0..lts.states() as u32).all(loops)
    };
    // What is dropped would count as one of the others, so nothing is if those matter.
    let kept: Vec<Label> = match idle(&other) {
        true => letters.into_iter().filter(|l| !idle(l)).collect(),
        false => letters,
    };
    let mut builder = LtsBuilder::like(&lts);
    builder.extend_alphabet(kept.iter().copied());
    for (source, label, target) in lts.all_edges() {
        if kept.contains(&label) {
            builder.edge(source, label, target);
        }
    }
    Ok(Allowed {
        lts: builder.build(),
        other: kept.contains(&other).then_some(other),
        labels,
    })
}
