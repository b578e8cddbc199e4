//! A derivation as rows.

use suppose_model::chc::{Derivation, Horn};
use suppose_source::{Sources, Span};

use super::names;

/// One application of a clause.
pub(super) struct Step {
    /// From 1.
    pub number: usize,
    /// The clause, from 0.
    pub clause: usize,
    /// The predicate that is derived; none for a query.
    pub predicate: Option<String>,
    /// The values it is derived for.
    pub values: Vec<String>,
    /// The steps it uses, from 1.
    pub from: Vec<usize>,
    /// File and line of the clause.
    pub place: Option<(String, usize)>,
    /// The same in the text.
    pub span: Option<Span>,
    /// What the clause is in the user's text.
    pub what: String,
}

impl Step {
    /// `inv(0, 1)`, or that it is a query.
    pub fn fact(&self) -> String {
        match &self.predicate {
            None => "query".to_owned(),
            Some(name) if self.values.is_empty() => name.clone(),
            Some(name) => format!("{name}({})", self.values.join(", ")),
        }
    }

    /// `from 1, 2`
    pub fn sources(&self) -> String {
        match self.from.is_empty() {
            true => String::new(),
            false => {
                let numbers: Vec<String> = self.from.iter().map(ToString::to_string).collect();
                format!("from {}", numbers.join(", "))
            }
        }
    }
}

/// The steps of a derivation, one after the other. What does not fit the clauses is left out: the checker
/// has said so already.
pub(super) fn derivation_steps(
    horn: &Horn,
    sources: &Sources,
    derivation: &Derivation,
) -> Vec<Step> {
    let mut all = Vec::new();
    for (at, inference) in derivation.steps.iter().enumerate() {
        let Some(clause) = horn.clauses.get(inference.clause) else {
            continue;
        };
        let head = clause.head.as_ref();
        let place = clause.place.as_ref();
        all.push(Step {
            number: at + 1,
            clause: inference.clause,
            predicate: head.map(|app| horn.predicate(app.pred).name.clone()),
            values: head.map_or_else(Vec::new, |app| names::values(horn, app, &inference.values)),
            from: inference.premises.iter().map(|p| p + 1).collect(),
            place: place.and_then(|p| crate::words::place(sources, p.span)),
            span: place.map(|p| p.span),
            what: place.map_or_else(String::new, |p| p.what.clone()),
        });
    }
    all
}
