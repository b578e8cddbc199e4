//! Storm's direct encoding, DRN.
//!
//! Rewards are in brackets after a state and after an action, one for each name under `@reward_models`.
//!
//! Actions that are only numbered within their states (as Storm writes models without names of
//! actions) are unobservable.

use std::fmt::Write as _;

use suppose_model::mdp::{Label, Labels, Lpts, Rewards, State};
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
    earned: Vec<Rat>,
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
    let rewards = header(&mut rows, &mut raw, file)?;
    let mut states = States {
        rewards: rewards.len(),
        ..States::default()
    };
    raw.rewards(rewards);
    let mut state: Option<State> = None;
    let mut actions: Vec<Action<'_>> = Vec::new();
    for (line, span) in rows {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match first {
            "state" => {
                let now = states.line(rest, span, &mut raw)?;
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
                let (name, earned) = match rest.find('[') {
                    Some(at) => (&rest[..at], bracket(&rest[at..], states.rewards, span)?.0),
                    None => (rest, vec![Rat::ZERO; states.rewards]),
                };
                actions.push(Action {
                    state,
                    name: name.trim(),
                    number,
                    earned,
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
    let States {
        initials,
        deadlocks,
        ..
    } = states;
    let Some((first, others)) = initials.split_first() else {
        let place = Span::in_file(file, 0, 0);
        return Err(Diagnostic::error(place, "no state has the label `init`"));
    };
    raw.initial(*first);
    others.iter().for_each(|state| raw.also_initial(*state));
    let numbered = actions
        .iter()
        .all(|a| a.name.is_empty() || a.name == a.number.to_string());
    for it in actions {
        let stays = matches!(&it.parts[..], [(to, _)] if *to == it.state);
        if stays && deadlocks.binary_search(&it.state).is_ok() {
            if it.earned.iter().any(|r| !r.is_zero()) {
                let message = "the step of a deadlock that stays there earns something";
                return Err(Diagnostic::error(it.span, message)
                    .help("let the state earn it, or leave the label `deadlock` out"));
            }
            continue;
        }
        let label = match numbered {
            true => Label::TAU,
            false => action(labels, it.name, limits)
                .ok_or_else(|| Diagnostic::error(it.span, "too many actions"))?,
        };
        raw.choice_that_earns(it.state, label, &it.parts, it.earned, it.span)?;
    }
    Ok(raw.build())
}

/// Everything up to `@model`; the names of the reward structures.
fn header<'a>(
    rows: &mut impl Iterator<Item = (&'a str, Span)>,
    raw: &mut Raw,
    file: FileId,
) -> Result<Vec<String>, Diagnostic> {
    let (mut counted, mut named, mut rewards) = (false, false, Vec::new());
    while let Some((line, span)) = rows.next() {
        // The line of names is there only if there is a name.
        if std::mem::replace(&mut named, line == "@reward_models") && !line.starts_with('@') {
            rewards = words(line).into_iter().map(str::to_owned).collect();
            check_names(&rewards, span)?;
        } else if let Some(kind) = line.strip_prefix("@type:") {
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
                true => Ok(rewards),
                false => Err(Diagnostic::error(span, "there is no `@nr_states`")),
            };
        }
    }
    Err(Diagnostic::error(
        Span::in_file(file, 0, 0),
        "there is no `@model`",
    ))
}

/// Structures are asked for by name.
fn check_names(names: &[String], span: Span) -> Result<(), Diagnostic> {
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            let message = format!("there are already rewards `{name}`");
            return Err(Diagnostic::error(span, message));
        }
    }
    Ok(())
}

/// What the lines of states say together.
#[derive(Default)]
struct States {
    /// How many reward structures there are.
    rewards: usize,
    initials: Vec<State>,
    deadlocks: Vec<State>,
}

impl States {
    /// `state 3 [rewards] init goal`.
    fn line(&mut self, rest: &str, span: Span, raw: &mut Raw) -> Result<State, Diagnostic> {
        let mut rest = rest.trim();
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number = rest[..end].parse::<u64>();
        let number =
            number.map_err(|_| Diagnostic::error(span, "there is no number of a state"))?;
        let state = raw.state(number, span)?;
        rest = rest[end..].trim_start();
        if rest.starts_with('[') {
            let (earned, after) = bracket(rest, self.rewards, span)?;
            raw.earns(state, earned);
            rest = after;
        }
        for label in words(rest) {
            match label {
                "init" => self.initials.push(state),
                "deadlock" => self.deadlocks.push(state),
                _ => raw.label(label, state),
            }
        }
        Ok(state)
    }
}

/// `[1, 1/2] and more`: this many rewards, and what comes after.
fn bracket(text: &str, count: usize, span: Span) -> Result<(Vec<Rat>, &str), Diagnostic> {
    let inside = text.strip_prefix('[').and_then(|t| t.split_once(']'));
    let Some((inside, after)) = inside else {
        return Err(Diagnostic::error(span, "there is no `]` after the rewards"));
    };
    let mut amounts = Vec::new();
    for amount in inside.split(',').map(str::trim).filter(|a| !a.is_empty()) {
        let read = probability(amount).ok_or_else(|| {
            Diagnostic::error(span, format!("`{amount}` is not a reward"))
                .label("expected numbers that are at least 0")
        })?;
        amounts.push(read);
    }
    if amounts.len() != count {
        let message = format!(
            "there are {} rewards, and {count} names of rewards",
            amounts.len()
        );
        return Err(Diagnostic::error(span, message)
            .help("the line after `@reward_models` has the names, with spaces between them"));
    }
    Ok((amounts, after))
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

pub(super) fn write(
    lpts: &Lpts,
    labels: &Labels,
    propositions: &[String],
    rewards: &[String],
) -> String {
    let count = lpts.states() as State;
    let stuck = (0..count).filter(|s| lpts.choices(*s).is_empty()).count();
    let structures: Vec<&Rewards> = (0..rewards.len() as u32)
        .filter_map(|number| lpts.rewards(number))
        .collect();
    let named = structures.iter().map(|r| &rewards[r.number as usize]);
    let named: Vec<String> = named.map(|name| quoted(name)).collect();
    let mut text = String::from("@type: MDP\n@value_type: rational\n@parameters\n\n");
    let _ = writeln!(text, "@reward_models\n{}", named.join(" "));
    let _ = writeln!(
        text,
        "@nr_states\n{count}\n@nr_choices\n{}\n@model",
        lpts.all_choices().len() + stuck
    );
    for state in 0..count {
        let of_state = |r: &Rewards| r.state(state as usize).clone();
        let _ = write!(text, "state {state}{}", amounts(&structures, of_state));
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
                text.push(' ');
                text.push_str(&quoted(name));
            }
        }
        text.push('\n');
        for (number, choice) in lpts.choice_range(state).zip(choices) {
            let name = labels.name(choice.label).replace(char::is_whitespace, "_");
            let earned = amounts(&structures, |r| r.choice(number).clone());
            let _ = writeln!(text, "\taction {name}{earned}");
            for (to, p) in lpts.dist(choice.dist).probabilities() {
                let _ = writeln!(text, "\t\t{to} : {p}");
            }
        }
        if choices.is_empty() {
            let earned = amounts(&structures, |_| Rat::ZERO);
            let _ = writeln!(text, "\taction tau{earned}\n\t\t{state} : 1");
        }
    }
    text
}

/// A name, in quotes if it would not be one word.
fn quoted(name: &str) -> String {
    match name.is_empty() || name.contains(char::is_whitespace) {
        true => format!("\"{name}\""),
        false => name.to_owned(),
    }
}

/// ` [1, 1/2]`, or nothing where there are no rewards.
fn amounts(structures: &[&Rewards], earned: impl Fn(&Rewards) -> Rat) -> String {
    if structures.is_empty() {
        return String::new();
    }
    let all: Vec<String> = structures.iter().map(|r| earned(r).to_string()).collect();
    format!(" [{}]", all.join(", "))
}
