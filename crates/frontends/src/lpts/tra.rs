//! PRISM's `.tra`, with `.sta` and `.lab`.
//!
//! The first line of a `.tra` has two numbers (states and transitions, a `dtmc`: lines are `from to
//! probability [action]`) or three (states, choices and transitions, an `mdp`: `from choice to probability [action]`). What has no action is
//! unobservable.

use std::fmt::Write as _;

use suppose_model::mdp::{Label, Labels, Lpts, State};
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::raw::{Raw, action, lines, probability, stem};
use super::{Explicit, Files, Written};

struct Row<'a> {
    from: State,
    choice: u64,
    to: State,
    p: Rat,
    action: &'a str,
    span: Span,
}

pub(super) fn read(
    files: Files,
    sources: &Sources,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Explicit, Diagnostic> {
    let mut raw = Raw::new(stem(files.main, sources), limits);
    let mut rows = lines(files.main, sources, "#");
    let place = Span::in_file(files.main, 0, 0);
    let (line, span) = rows
        .next()
        .ok_or_else(|| Diagnostic::error(place, "the file is empty"))?;
    let numbers: Option<Vec<u64>> = line.split_whitespace().map(|w| w.parse().ok()).collect();
    let (states, mdp) = match numbers.as_deref() {
        Some([states, _]) => (*states, false),
        Some([states, _, _]) => (*states, true),
        _ => {
            return Err(
                Diagnostic::error(span, "the first line says how large the model is")
                    .label("expected two numbers (dtmc) or three (mdp)"),
            );
        }
    };
    raw.states(usize::try_from(states).unwrap_or(usize::MAX), span)?;
    let mut all: Vec<Row<'_>> = Vec::new();
    for (line, span) in rows {
        all.push(row(line, span, mdp, &raw)?);
        if all.len() > limits.transitions {
            let message = format!("more than {} transitions", limits.transitions);
            return Err(Diagnostic::error(span, message));
        }
    }
    all.sort_by_key(|r| (r.from, r.choice));
    let mut deadlocks = Vec::new();
    match files.labels {
        Some(file) => read_labels(file, sources, &mut raw, &mut deadlocks)?,
        None => raw.initial(0),
    }
    let mut rest = &all[..];
    while let Some(first) = rest.first() {
        let same = rest.partition_point(|r| (r.from, r.choice) == (first.from, first.choice));
        let (here, after) = rest.split_at(same);
        rest = after;
        if here.len() == 1 && first.to == first.from && deadlocks.contains(&first.from) {
            continue;
        }
        let label = match first.action {
            "" => Label::TAU,
            name => action(labels, name, limits)
                .ok_or_else(|| Diagnostic::error(first.span, "too many actions"))?,
        };
        if let Some(other) = here.iter().find(|r| r.action != first.action && mdp) {
            return Err(Diagnostic::error(other.span, "one choice has two actions")
                .note(first.span, "the other is here"));
        }
        let parts: Vec<(State, Rat)> = here.iter().map(|r| (r.to, r.p.clone())).collect();
        let mixed = here.iter().any(|r| r.action != first.action);
        let label = if mixed { Label::TAU } else { label };
        raw.choice(first.from, label, &parts, first.span)?;
    }
    if let Some(file) = files.states {
        read_states(file, sources, &mut raw)?;
    }
    Ok(raw.build())
}

fn row<'a>(line: &'a str, span: Span, mdp: bool, raw: &Raw) -> Result<Row<'a>, Diagnostic> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = usize::from(mdp);
    let number = |n: usize| words.get(n).and_then(|w| w.parse::<u64>().ok());
    let choice = if mdp { number(1) } else { Some(0) };
    let p = words.get(2 + at).and_then(|w| probability(w));
    let (Some(from), Some(choice), Some(to), Some(p), true) =
        (number(0), choice, number(1 + at), p, words.len() <= 4 + at)
    else {
        let shown = if mdp { "from choice to" } else { "from to" };
        return Err(
            Diagnostic::error(span, "this is not a transition").label(format!(
                "expected `{shown} probability`, and perhaps an action"
            )),
        );
    };
    Ok(Row {
        from: raw.state(from, span)?,
        choice,
        to: raw.state(to, span)?,
        p,
        action: words.get(3 + at).copied().unwrap_or(""),
        span,
    })
}

/// `0="init" 1="deadlock" 2="goal"`, then `state: numbers`.
fn read_labels(
    file: FileId,
    sources: &Sources,
    raw: &mut Raw,
    deadlocks: &mut Vec<State>,
) -> Result<(), Diagnostic> {
    let mut rows = lines(file, sources, "");
    let place = Span::in_file(file, 0, 0);
    let (line, span) = rows
        .next()
        .ok_or_else(|| Diagnostic::error(place, "the file of labels is empty"))?;
    let mut names: Vec<(u64, &str)> = Vec::new();
    let mut rest = line;
    while let Some((number, after)) = rest.split_once("=\"") {
        let (name, after) = after.split_once('"').unwrap_or((after, ""));
        let number = number.trim().parse::<u64>();
        let number = number.map_err(|_| Diagnostic::error(span, "expected number=\"label\""))?;
        names.push((number, name));
        rest = after;
    }
    for (_, name) in names
        .iter()
        .filter(|(_, n)| !matches!(*n, "init" | "deadlock"))
    {
        raw.declare(name);
    }
    let mut initial: Option<State> = None;
    for (line, span) in rows {
        let wrong = || Diagnostic::error(span, "expected `state: labels`");
        let (state, numbers) = line.split_once(':').ok_or_else(wrong)?;
        let state = raw.state(state.trim().parse().map_err(|_| wrong())?, span)?;
        for number in numbers.split_whitespace() {
            let number: u64 = number.parse().map_err(|_| wrong())?;
            let name = names
                .iter()
                .find(|(n, _)| *n == number)
                .map(|(_, name)| *name);
            match name.ok_or_else(wrong)? {
                "init" => {
                    if initial.replace(state).is_some() {
                        return Err(Diagnostic::error(span, "there is a second initial state"));
                    }
                }
                "deadlock" => deadlocks.push(state),
                name => raw.label(name, state),
            }
        }
    }
    raw.initial(initial.unwrap_or(0));
    Ok(())
}

/// `(x,y)`, then `0:(1,true)`.
fn read_states(file: FileId, sources: &Sources, raw: &mut Raw) -> Result<(), Diagnostic> {
    let mut rows = lines(file, sources, "");
    let place = Span::in_file(file, 0, 0);
    let inside = |text: &str, span: Span| -> Result<Vec<String>, Diagnostic> {
        let inner = text
            .trim()
            .strip_prefix('(')
            .and_then(|t| t.strip_suffix(')'));
        let inner = inner.ok_or_else(|| Diagnostic::error(span, "expected values in brackets"))?;
        Ok(inner.split(',').map(|v| v.trim().to_owned()).collect())
    };
    let (line, span) = rows
        .next()
        .ok_or_else(|| Diagnostic::error(place, "the file of states is empty"))?;
    let variables = inside(line, span)?;
    for (line, span) in rows {
        let wrong = || Diagnostic::error(span, "expected `state:(values)`");
        let (state, values) = line.split_once(':').ok_or_else(wrong)?;
        let state = raw.state(state.trim().parse().map_err(|_| wrong())?, span)?;
        let values = inside(values, span)?;
        if values.len() != variables.len() {
            return Err(wrong());
        }
        let named = variables
            .iter()
            .zip(&values)
            .map(|(x, v)| format!("{x}={v}"));
        raw.name(state, &named.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

pub(super) fn write(lpts: &Lpts, labels: &Labels, propositions: &[String]) -> Written {
    let count = lpts.states() as State;
    let mut rows = String::new();
    let (mut choices, mut branches) = (0, 0);
    for from in 0..count {
        for (number, choice) in lpts.choices(from).iter().enumerate() {
            let name = match choice.label.is_tau() {
                true => String::new(),
                false => format!(
                    " {}",
                    labels.name(choice.label).replace(char::is_whitespace, "_")
                ),
            };
            choices += 1;
            for (to, p) in lpts.dist(choice.dist).probabilities() {
                branches += 1;
                let _ = writeln!(rows, "{from} {number} {to} {p}{name}");
            }
        }
        if lpts.choices(from).is_empty() {
            choices += 1;
            branches += 1;
            let _ = writeln!(rows, "{from} 0 {from} 1");
        }
    }
    Written {
        main: format!("{count} {choices} {branches}\n{rows}"),
        states: states_file(lpts),
        labels: Some(labels_file(lpts, propositions)),
    }
}

/// If the names of all states are of the form `x=1, y=2` with the same variables.
fn states_file(lpts: &Lpts) -> Option<String> {
    let mut text = String::new();
    let mut first: Option<Vec<String>> = None;
    for state in 0..lpts.states() as State {
        let name = lpts.state_name(state);
        let mut variables = Vec::new();
        let mut values = Vec::new();
        for part in name.split(", ") {
            let (variable, value) = part.split_once('=')?;
            variables.push(variable.to_owned());
            values.push(value.to_owned());
        }
        let shown = variables.join(",");
        match &first {
            None => {
                let _ = writeln!(text, "({shown})");
                first = Some(variables);
            }
            Some(others) if *others == variables => {}
            Some(_) => return None,
        }
        let _ = writeln!(text, "{state}:({})", values.join(","));
    }
    Some(text)
}

fn labels_file(lpts: &Lpts, propositions: &[String]) -> String {
    let mut text = String::from("0=\"init\" 1=\"deadlock\"");
    for (at, (number, _)) in lpts.propositions().iter().enumerate() {
        let name = propositions
            .get(*number as usize)
            .map_or("", |n| n.as_str());
        let _ = write!(text, " {}=\"{name}\"", at + 2);
    }
    text.push('\n');
    for state in 0..lpts.states() as State {
        let mut numbers = Vec::new();
        if lpts.initials().contains(&state) {
            numbers.push(0);
        }
        if lpts.choices(state).is_empty() {
            numbers.push(1);
        }
        for (at, (_, holds)) in lpts.propositions().iter().enumerate() {
            if holds.contains(state as usize) {
                numbers.push(at + 2);
            }
        }
        if !numbers.is_empty() {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{state}: {}", numbers.join(" "));
        }
    }
    text
}
