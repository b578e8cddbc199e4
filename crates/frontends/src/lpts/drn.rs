//! Storm's direct encoding, DRN.
//!
//! Actions that are only numbered within their states (as Storm writes models without names of
//! actions) are unobservable.

use std::fmt::Write as _;

use suppose_model::markov::{Label, Labels, Lpts, State};
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::Explicit;
use super::raw::{Raw, action, lines, probability, stem};

/// One `action` of a state.
struct Action<'a> {
    state: State,
    name: &'a str,
    /// How many the state has before it.
    number: usize,
    parts: Vec<(State, Rat)>,
    span: Span,
}

pub(super) fn read(
    file: FileId,
    sources: &Sources,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Explicit, Diagnostic> {
    let mut raw = Raw::new(stem(file, sources), limits);
    let mut rows = lines(file, sources, "//");
    header(&mut rows, &mut raw, file)?;
    let mut state: Option<State> = None;
    let mut initial: Option<State> = None;
    let mut deadlocks: Vec<State> = Vec::new();
    let mut actions: Vec<Action<'_>> = Vec::new();
    for (line, span) in rows {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match first {
            "state" => {
                let now = state_line(rest, span, &mut raw, &mut initial, &mut deadlocks)?;
                if state.is_some_and(|before| now <= before) {
                    return Err(Diagnostic::error(
                        span,
                        "states must come in ascending order",
                    ));
                }
                state = Some(now);
            }
            "action" => {
                let Some(state) = state else {
                    return Err(Diagnostic::error(span, "an action before the first state"));
                };
                let number = match actions.last() {
                    Some(last) if last.state == state => last.number + 1,
                    _ => 0,
                };
                actions.push(Action {
                    state,
                    name: rest.split('[').next().unwrap_or("").trim(),
                    number,
                    parts: Vec::new(),
                    span,
                });
            }
            _ => {
                let Some(last) = actions.last_mut() else {
                    return Err(Diagnostic::error(span, "unexpected line")
                        .label("expected `state` or `action`"));
                };
                last.parts.push(branch(line, span, &raw)?);
            }
        }
    }
    let Some(initial) = initial else {
        let place = Span::in_file(file, 0, 0);
        return Err(Diagnostic::error(place, "no state has the label `init`"));
    };
    raw.initial(initial);
    let numbered = actions
        .iter()
        .all(|a| a.name.is_empty() || a.name == a.number.to_string());
    for it in &actions {
        let stays = matches!(&it.parts[..], [(to, _)] if *to == it.state);
        if stays && deadlocks.binary_search(&it.state).is_ok() {
            continue;
        }
        let label = match numbered {
            true => Label::TAU,
            false => action(labels, it.name, limits)
                .ok_or_else(|| Diagnostic::error(it.span, "too many actions"))?,
        };
        raw.choice(it.state, label, &it.parts, it.span)?;
    }
    Ok(raw.build())
}

/// Everything up to `@model`.
fn header<'a>(
    rows: &mut impl Iterator<Item = (&'a str, Span)>,
    raw: &mut Raw,
    file: FileId,
) -> Result<(), Diagnostic> {
    let mut counted = false;
    while let Some((line, span)) = rows.next() {
        if let Some(kind) = line.strip_prefix("@type:") {
            let kind = kind.trim();
            if !matches!(kind.to_ascii_lowercase().as_str(), "mdp" | "dtmc") {
                let message = format!("models of type {kind} are not read");
                return Err(Diagnostic::error(span, message).label("expected MDP or DTMC"));
            }
        } else if line == "@nr_states" {
            let count = rows.next().and_then(|(l, _)| l.parse::<usize>().ok());
            let count = count.ok_or_else(|| {
                Diagnostic::error(span, "there is no number of states").label("expected after this")
            })?;
            raw.states(count, span)?;
            counted = true;
        } else if line == "@model" {
            return match counted {
                true => Ok(()),
                false => Err(Diagnostic::error(span, "there is no `@nr_states`")),
            };
        }
    }
    Err(Diagnostic::error(
        Span::in_file(file, 0, 0),
        "there is no `@model`",
    ))
}

/// `state 3 [rewards] init goal`.
fn state_line(
    rest: &str,
    span: Span,
    raw: &mut Raw,
    initial: &mut Option<State>,
    deadlocks: &mut Vec<State>,
) -> Result<State, Diagnostic> {
    let mut rest = rest.trim();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest[..end].parse::<u64>();
    let number = number.map_err(|_| Diagnostic::error(span, "there is no number of a state"))?;
    let state = raw.state(number, span)?;
    rest = rest[end..].trim_start();
    if rest.starts_with('[') {
        rest = rest.split_once(']').map_or("", |(_, after)| after);
    }
    for label in words(rest) {
        match label {
            "init" => {
                if initial.replace(state).is_some() {
                    return Err(Diagnostic::error(span, "there is a second initial state"));
                }
            }
            "deadlock" => deadlocks.push(state),
            _ => raw.label(label, state),
        }
    }
    Ok(state)
}

/// Words; those in quotes may have spaces.
fn words(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"').and_then(|r| r.split_once('"')) {
            Some(found) => found,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        all.push(word);
        rest = after.trim_start();
    }
    all
}

/// `1 : 0.5`.
fn branch(line: &str, span: Span, raw: &Raw) -> Result<(State, Rat), Diagnostic> {
    let parts = line.split_once(':');
    let parsed = parts
        .and_then(|(state, p)| Some((state.trim().parse::<u64>().ok()?, probability(p.trim())?)));
    let Some((state, p)) = parsed else {
        return Err(Diagnostic::error(span, "this is not a branch")
            .label("expected a state, `:` and a probability"));
    };
    Ok((raw.state(state, span)?, p))
}

pub(super) fn write(lpts: &Lpts, labels: &Labels, propositions: &[String]) -> String {
    let count = lpts.states() as State;
    let stuck = (0..count).filter(|s| lpts.choices(*s).is_empty()).count();
    let mut text =
        String::from("@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\n\n");
    let _ = writeln!(
        text,
        "@nr_states\n{count}\n@nr_choices\n{}\n@model",
        lpts.all_choices().len() + stuck
    );
    for state in 0..count {
        let _ = write!(text, "state {state}");
        if lpts.initials().contains(&state) {
            text.push_str(" init");
        }
        let choices = lpts.choices(state);
        if choices.is_empty() {
            text.push_str(" deadlock");
        }
        for (number, holds) in lpts.propositions() {
            if holds.contains(state as usize) {
                let name = propositions
                    .get(*number as usize)
                    .map_or("", |n| n.as_str());
                match name.contains(char::is_whitespace) {
                    true => text.push_str(&format!(" \"{name}\"")),
                    false => text.push_str(&format!(" {name}")),
                }
            }
        }
        text.push('\n');
        for choice in choices {
            let name = labels.name(choice.label).replace(char::is_whitespace, "_");
            let _ = writeln!(text, "\taction {name}");
            for (to, p) in lpts.dist(choice.dist).probabilities() {
                let _ = writeln!(text, "\t\t{to} : {p}");
            }
        }
        if choices.is_empty() {
            let _ = writeln!(text, "\taction tau\n\t\t{state} : 1");
        }
    }
    text
}
