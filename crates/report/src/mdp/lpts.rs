//! A system with few states as text.

use std::fmt::Write;

use suppose_model::lts::{Labels, State};
use suppose_model::mdp::{Choice, Lpts};

use super::number::fraction;
use crate::words::{count, label_name, shown};

/// `2 states, 3 choices`
pub(crate) fn sizes(lpts: &Lpts) -> String {
    format!(
        "{}, {}",
        count(lpts.states() as u64, "state"),
        count(lpts.all_choices().len() as u64, "choice")
    )
}

/// Does it say nothing: one state, and every action of its alphabet a loop?
pub(crate) fn allows_all(lpts: &Lpts) -> bool {
    lpts.states() == 1
        && lpts.is_certain()
        && lpts.propositions().is_empty()
        && lpts.all_choices().len() == lpts.alphabet().len()
}

/// `2/3: idle, 1/3: busy`, or the one state.
pub(crate) fn branches(lpts: &Lpts, choice: &Choice) -> String {
    let dist = lpts.dist(choice.dist);
    if let Some(only) = dist.dirac() {
        return shown(&lpts.state_name(only)).into_owned();
    }
    let parts = dist
        .probabilities()
        .map(|(state, p)| format!("{}: {}", fraction(&p), shown(&lpts.state_name(state))));
    parts.collect::<Vec<_>>().join(", ")
}

/// The states with their choices, the initial one first: `busy -send-> 2/3: idle, 1/3: busy`.
pub(crate) fn rows(lpts: &Lpts, labels: &Labels) -> Vec<String> {
    let initial = lpts.initial();
    let states = (0..lpts.states() as State).filter(|s| *s != initial);
    let mut rows = Vec::new();
    for state in std::iter::once(initial).chain(states) {
        let name = shown(&lpts.state_name(state)).into_owned();
        let choices = lpts.choices(state);
        if choices.is_empty() {
            rows.push(format!("{name} does nothing"));
        }
        for choice in choices {
            let action = label_name(labels, choice.label);
            rows.push(format!(
                "{name} -{}-> {}",
                shown(&action),
                branches(lpts, choice)
            ));
        }
    }
    rows
}

/// The actions it knows but never does.
pub(crate) fn blocked(lpts: &Lpts, labels: &Labels) -> Option<String> {
    let done = |l: &suppose_model::lts::Label| lpts.all_choices().iter().any(|c| c.label == *l);
    let never = lpts.alphabet().iter().filter(|l| !done(l));
    let names: Vec<String> = never
        .map(|l| shown(&label_name(labels, *l)).into_owned())
        .collect();
    (!names.is_empty()).then(|| {
        let mut text = String::new();
        let _ = write!(text, "never: {}", names.join(", "));
        text
    })
}
