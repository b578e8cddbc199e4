//! The text form: what one would write on a blackboard.
//!
//! ```text
//! lpts Channel            # or: spec Channel
//! init s0
//! s0 -send-> 9/10: s1, 1/10: s0
//! s1 -recv-> s0
//! s1 -tau-> 1/2: s0, 1/2: s1
//! actions lose            # takes part in it and never does it
//! label busy: s1
//! states s0 s1            # only to fix their numbers, or to have some without transitions
//! ```
//!
//! A name is letters, digits and `_ . ' @ + *`, or anything in double quotes. Without `init` the
//! first state that is mentioned is the initial one.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use suppose_model::mdp::{Labels, Lpts, State};
use suppose_number::Rat;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::Explicit;
use super::raw::{Raw, action, lines, probability, stem};

/// A line being read.
struct Line<'a> {
    rest: &'a str,
    span: Span,
    /// Length of the whole line.
    length: usize,
}

fn plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '@' | '+' | '*')
}

impl<'a> Line<'a> {
    fn place(&self) -> Span {
        let start = self.span.start as usize + (self.length - self.rest.len());
        Span::in_file(self.span.file, start, self.span.end as usize)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.rest.is_empty() {
            true => "the end of the line".to_owned(),
            false => format!("`{}`", self.rest.chars().take(20).collect::<String>()),
        };
        Diagnostic::error(self.place(), format!("unexpected {found}"))
            .label(format!("expected {what}"))
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                self.space();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), Diagnostic> {
        match self.eat(text) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{text}`"))),
        }
    }

    /// A name, plain or in quotes.
    fn name(&mut self, what: &str) -> Result<&'a str, Diagnostic> {
        if let Some(inside) = self.rest.strip_prefix('"') {
            let Some((name, rest)) = inside.split_once('"') else {
                return Err(Diagnostic::error(self.place(), "this name is not closed")
                    .label("expected another `\"`"));
            };
            self.rest = rest;
            self.space();
            return Ok(name);
        }
        let end = self.rest.find(|c| !plain(c)).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(self.expected(what));
        }
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.space();
        Ok(name)
    }

    fn end(&self) -> Result<(), Diagnostic> {
        match self.rest.is_empty() {
            true => Ok(()),
            false => Err(self.expected("the end of the line")),
        }
    }
}

/// States get numbers as they are mentioned.
struct States<'a> {
    numbers: FxHashMap<&'a str, State>,
    names: Vec<&'a str>,
}

impl<'a> States<'a> {
    fn number(&mut self, name: &'a str) -> State {
        let next = self.names.len() as State;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        number
    }
}

type Branches = Vec<(State, Rat)>;

#[derive(Default)]
struct Found<'a> {
    name: Option<&'a str>,
    initial: Option<State>,
    choices: Vec<(State, &'a str, Branches, Span)>,
    actions: Vec<&'a str>,
    labels: Vec<(&'a str, Vec<State>)>,
}

pub(super) fn read(
    file: FileId,
    sources: &Sources,
    labels: &mut Labels,
    limits: &ParserLimits,
) -> Result<Explicit, Diagnostic> {
    let mut states = States {
        numbers: FxHashMap::default(),
        names: Vec::new(),
    };
    let mut found = Found::default();
    for (text, span) in uncommented(file, sources) {
        let mut line = Line {
            rest: text,
            span,
            length: text.len(),
        };
        one(&mut line, &mut found, &mut states)?;
        line.end()?;
        if states.names.len() > limits.states {
            let message = format!("more than {} states", limits.states);
            return Err(Diagnostic::error(span, message));
        }
    }
    let whole = Span::in_file(file, 0, 0);
    let mut raw = Raw::new(found.name.unwrap_or(stem(file, sources)), limits);
    if states.names.is_empty() {
        return Err(Diagnostic::error(whole, "there is no state")
            .help("write `init s0` and transitions: s0 -go-> 1/2: s1, 1/2: s0"));
    }
    raw.states(states.names.len(), whole)?;
    raw.initial(found.initial.unwrap_or(0));
    for (number, name) in states.names.iter().enumerate() {
        raw.name(number as State, name);
    }
    let mut intern = |name: &str, span: Span| {
        action(labels, name, limits).ok_or_else(|| Diagnostic::error(span, "too many actions"))
    };
    for (state, name, parts, span) in &found.choices {
        let label = intern(name, *span)?;
        raw.choice(*state, label, parts, *span)?;
    }
    for name in &found.actions {
        let label = intern(name, whole)?;
        raw.alphabet(label);
    }
    for (name, holds) in &found.labels {
        raw.declare(name);
        holds.iter().for_each(|s| raw.label(name, *s));
    }
    Ok(raw.build())
}

/// Lines without comments; a `#` inside quotes is none.
fn uncommented(file: FileId, sources: &Sources) -> impl Iterator<Item = (&str, Span)> {
    lines(file, sources, "").filter_map(move |(line, span)| {
        let mut quoted = false;
        let comment = line.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            *c == '#' && !quoted
        });
        let end = comment.map_or(line.len(), |(at, _)| at);
        let shown = line[..end].trim_end();
        let start = span.start as usize;
        let span = Span::in_file(file, start, start + shown.len());
        (!shown.is_empty()).then_some((shown, span))
    })
}

fn one<'a>(
    line: &mut Line<'a>,
    found: &mut Found<'a>,
    states: &mut States<'a>,
) -> Result<(), Diagnostic> {
    let span = line.span;
    let quoted = line.rest.starts_with('"');
    let first =
        line.name("a state, or one of `lpts`, `spec`, `init`, `states`, `actions`, `label`")?;
    // A state may have any name: the words mean something only where no arrow follows.
    let word = if quoted || line.rest.starts_with('-') {
        ""
    } else {
        first
    };
    match word {
        "lpts" | "spec" => found.name = Some(line.name("a name")?),
        "init" => {
            let state = states.number(line.name("a state")?);
            if found.initial.replace(state).is_some() {
                return Err(Diagnostic::error(span, "there is a second `init`")
                    .help("there is one initial state"));
            }
        }
        "states" => {
            while !line.rest.is_empty() {
                states.number(line.name("a state")?);
                line.eat(",");
            }
        }
        "actions" => {
            while !line.rest.is_empty() {
                found.actions.push(line.name("an action")?);
                line.eat(",");
            }
        }
        "label" => {
            let name = line.name("the name of a label")?;
            line.expect(":")?;
            let mut holds = Vec::new();
            while !line.rest.is_empty() {
                holds.push(states.number(line.name("a state")?));
                line.eat(",");
            }
            found.labels.push((name, holds));
        }
        _ => {
            let state = states.number(first);
            line.expect("-")?;
            let action = line.name("an action")?;
            line.expect("->")?;
            let parts = branches(line, states)?;
            found.choices.push((state, action, parts, span));
        }
    }
    Ok(())
}

/// `s1`, or `9/10: s1, 1/10: s0`.
fn branches<'a>(line: &mut Line<'a>, states: &mut States<'a>) -> Result<Branches, Diagnostic> {
    let mut parts = Branches::new();
    loop {
        match weight(line) {
            Some(p) => parts.push((states.number(line.name("a state")?), p)),
            None if parts.is_empty() => {
                let state = states.number(line.name("a state, or a probability and `:`")?);
                return Ok(vec![(state, Rat::ONE)]);
            }
            None => return Err(line.expected("a probability and `:`")),
        }
        if !line.eat(",") {
            return Ok(parts);
        }
    }
}

/// A probability with its colon, if one comes.
fn weight(line: &mut Line<'_>) -> Option<Rat> {
    if line.rest.starts_with('"') {
        return None;
    }
    let (before, after) = line.rest.split_once(':')?;
    let value = probability(before.trim())?;
    line.rest = after;
    line.space();
    Some(value)
}

/// The text of a system. Without names of their own states are `s0`, `s1`, ...
pub(super) fn write(lpts: &Lpts, labels: &Labels, propositions: &[String]) -> String {
    let names = unique_names(lpts);
    let state = |s: State| quoted(&names[s as usize]);
    let mut text = format!("lpts {}\n", quoted(lpts.name()));
    if !mentioned_in_order(lpts) {
        let all: Vec<String> = (0..lpts.states() as State).map(state).collect();
        let _ = writeln!(text, "states {}", all.join(" "));
    }
    let _ = writeln!(text, "init {}", state(lpts.initial()));
    for from in 0..lpts.states() as State {
        for choice in lpts.choices(from) {
            let dist = lpts.dist(choice.dist);
            let action = quoted(labels.name(choice.label));
            let _ = write!(text, "{} -{action}-> ", state(from));
            match dist.dirac() {
                Some(to) => text.push_str(&state(to)),
                None => {
                    let parts = dist
                        .probabilities()
                        .map(|(s, p)| format!("{p}: {}", state(s)));
                    text.push_str(&parts.collect::<Vec<_>>().join(", "));
                }
            }
            text.push('\n');
        }
    }
    let done = |l| lpts.all_choices().iter().any(|c| c.label == l);
    let never: Vec<String> = lpts
        .alphabet()
        .iter()
        .filter(|l| !done(**l))
        .map(|l| quoted(labels.name(*l)))
        .collect();
    if !never.is_empty() {
        let _ = writeln!(text, "actions {}", never.join(" "));
    }
    for (number, holds) in lpts.propositions() {
        let name = propositions
            .get(*number as usize)
            .map_or("", |n| n.as_str());
        let states: Vec<String> = holds.ones().map(|s| state(s as State)).collect();
        let _ = writeln!(text, "label {}: {}", quoted(name), states.join(" "));
    }
    text
}

/// Do the other lines mention the states in the order of their numbers?
fn mentioned_in_order(lpts: &Lpts) -> bool {
    let mut next = 0;
    let mut mention = |state: State| {
        next += State::from(state == next);
        state < next
    };
    let mut in_order = mention(lpts.initial());
    for from in 0..lpts.states() as State {
        for choice in lpts.choices(from) {
            in_order &= mention(from);
            let dist = lpts.dist(choice.dist);
            in_order &= dist.targets().iter().all(|s| mention(*s));
        }
    }
    in_order && next == lpts.states() as State
}

/// Names that differ: their own if they do, else `s0`, `s1`, ...
fn unique_names(lpts: &Lpts) -> Vec<String> {
    let count = lpts.states() as State;
    if lpts.has_state_names() {
        let names: Vec<String> = (0..count).map(|s| lpts.state_name(s)).collect();
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        if sorted.windows(2).all(|w| w[0] != w[1]) && names.iter().all(|n| !n.contains('"')) {
            return names;
        }
    }
    (0..count).map(|s| format!("s{s}")).collect()
}

fn quoted(name: &str) -> String {
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "'")),
    }
}
