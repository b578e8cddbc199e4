//! JSON: `{"format": "suppose-lpts", "version": 1, ...}`.

use serde::{Deserialize, Serialize};
use suppose_model::mdp::{Labels, Lpts, State};
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, SourceFile, Sources, Span};

use super::Explicit;
use super::raw::{Raw, action, probability};

const FORMAT: &str = "suppose-lpts";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    name: String,
    states: u64,
    initial: u64,
    /// Empty, or one for each state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    state_names: Vec<String>,
    /// Actions it takes part in beyond those it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    actions: Vec<String>,
    choices: Vec<Choice>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    labels: Vec<Proposition>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    from: u64,
    action: String,
    /// States with probabilities.
    to: Vec<(u64, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposition {
    name: String,
    states: Vec<u64>,
}

/// Only the head, to recognise what a document is.
#[derive(Deserialize)]
struct Head {
    format: String,
}

pub(super) fn is_ours(text: &str) -> bool {
    serde_json::from_str::<Head>(text).is_ok_and(|head| head.format == FORMAT)
}

pub(super) fn read(
    file: FileId,
    sources: &Sources,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Explicit, Diagnostic> {
    let source = sources.file(file);
    let text = source.map_or("", SourceFile::text);
    let document: Document = serde_json::from_str(text).map_err(|error| {
        let at = offset(text, error.line(), error.column());
        Diagnostic::error(
            Span::in_file(file, at, at),
            format!("not a {FORMAT} document: {error}"),
        )
    })?;
    let whole = Span::in_file(file, 0, 0);
    let wrong = |message: String| Diagnostic::error(whole, message);
    if document.format != FORMAT || document.version != VERSION {
        return Err(wrong(format!(
            "`{}` version {} is not read here",
            document.format, document.version
        ))
        .label(format!("expected `{FORMAT}` version {VERSION}")));
    }
    let mut raw = Raw::new(&document.name, limits);
    raw.states(
        usize::try_from(document.states).unwrap_or(usize::MAX),
        whole,
    )?;
    let initial = raw.state(document.initial, whole)?;
    raw.initial(initial);
    if !document.state_names.is_empty() && document.state_names.len() as u64 != document.states {
        return Err(wrong(
            "there must be a name for every state, or none".to_owned(),
        ));
    }
    for (state, name) in document.state_names.iter().enumerate() {
        raw.name(state as State, name);
    }
    let mut intern = |name: &str| {
        action(labels, name, limits).ok_or_else(|| wrong("too many actions".to_owned()))
    };
    for (number, choice) in document.choices.iter().enumerate() {
        let from = raw.state(choice.from, whole)?;
        let mut parts: Vec<(State, Rat)> = Vec::new();
        for (to, p) in &choice.to {
            let p = probability(p)
                .ok_or_else(|| wrong(format!("choice {number}: `{p}` is not a probability")))?;
            parts.push((raw.state(*to, whole)?, p));
        }
        let label = intern(&choice.action)?;
        raw.choice(from, label, &parts, whole)
            .map_err(|e| e.help(format!("choice {number}, from state {from}")))?;
    }
    for name in &document.actions {
        let label = intern(name)?;
        raw.alphabet(label);
    }
    for label in &document.labels {
        raw.declare(&label.name);
        for state in &label.states {
            let state = raw.state(*state, whole)?;
            raw.label(&label.name, state);
        }
    }
    Ok(raw.build())
}

/// The place of a line and column, both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split('\n')
        .take(line.saturating_sub(1))
        .map(|l| l.len() + 1)
        .sum();
    (before + column.saturating_sub(1)).min(text.len())
}

pub(super) fn write(lpts: &Lpts, labels: &Labels, propositions: &[String]) -> String {
    let count = lpts.states() as State;
    let mut choices = Vec::new();
    for from in 0..count {
        for choice in lpts.choices(from) {
            let parts = lpts.dist(choice.dist).probabilities();
            choices.push(Choice {
                from: u64::from(from),
                action: labels.name(choice.label).to_owned(),
                to: parts.map(|(s, p)| (u64::from(s), p.to_string())).collect(),
            });
        }
    }
    let done = |l| lpts.all_choices().iter().any(|c| c.label == l);
    let never = lpts.alphabet().iter().filter(|l| !done(**l));
    let named = |(number, states): &(u32, fixedbitset::FixedBitSet)| Proposition {
        name: propositions
            .get(*number as usize)
            .cloned()
            .unwrap_or_default(),
        states: states.ones().map(|s| s as u64).collect(),
    };
    let document = Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        name: lpts.name().to_owned(),
        states: u64::from(count),
        initial: u64::from(lpts.initial()),
        state_names: match lpts.has_state_names() {
            true => (0..count).map(|s| lpts.state_name(s)).collect(),
            false => Vec::new(),
        },
        actions: never.map(|l| labels.name(*l).to_owned()).collect(),
        choices,
        labels: lpts.propositions().iter().map(named).collect(),
    };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}
