//! What processes do to each other, in the program's own words.

use suppose_model::program::views::{
    Change, Condition, Exposed, Exposure, Interference, Rule, Visible,
};
use suppose_model::program::{Init, Location, Program, Type};
use suppose_source::Sources;

use super::names::scalar;
use crate::block::Rely;
use crate::record::{Json, object};
use crate::words::{place, place_text};

/// More values than this are told as a range.
const LISTED: usize = 4;

/// One line for each rule.
pub(super) fn lines(program: &Program, sources: &Sources, all: &Interference) -> Vec<Rely> {
    let line = |rule: &Rule| {
        let text = &program.proctypes[rule.proctype as usize];
        let location = &text.locations[rule.location as usize];
        Rely {
            who: text.name.clone(),
            place: place_text(&at(sources, location)),
            statement: statement(location),
            changes: joined(rule.changes.iter().map(|c| change(program, c)), ", "),
            when: joined(rule.when.iter().map(|c| condition(program, c)), " and "),
        }
    };
    all.rules.iter().map(line).collect()
}

/// The same for JSON.
pub(super) fn record(program: &Program, sources: &Sources, all: &Interference) -> Json {
    let each = all.rules.iter().map(|rule| {
        let text = &program.proctypes[rule.proctype as usize];
        let location = &text.locations[rule.location as usize];
        let (file, line) = at(sources, location).unzip();
        let changes = rule.changes.iter().map(|c| change(program, c));
        let when = rule.when.iter().map(|c| condition(program, c));
        object! {
            "proctype": &text.name,
            "file": file,
            "line": line,
            "statement": statement(location),
            "changes": Json::list(changes),
            "when": Json::list(when),
        }
    });
    Json::list(each)
}

/// An exposed predicate: `how many of user are at lines 12 to 15`.
pub fn exposure(program: &Program, sources: &Sources, it: &Exposure) -> String {
    let Some(text) = program.proctypes.get(it.proctype as usize) else {
        return "a predicate".to_owned();
    };
    let locations = it.locations.iter();
    let locations = locations.filter_map(|l| text.locations.get(*l as usize));
    let mut lines: Vec<usize> = locations
        .filter_map(|l| at(sources, l))
        .map(|(_, line)| line)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let lines = match lines.as_slice() {
        [] => "its end".to_owned(),
        [one] => format!("line {one}"),
        [first, .., last] if last - first + 1 == lines.len() => format!("lines {first} to {last}"),
        all => format!("lines {}", joined(all.iter().map(usize::to_string), ", ")),
    };
    let name = &text.name;
    match it.how {
        Exposed::Count => format!("how many of `{name}` are at {lines}"),
        Exposed::Bits => format!("which of `{name}` are at {lines}"),
        Exposed::Witnesses => format!("which of `{name}` are at {lines}, with their variables"),
    }
}

fn at(sources: &Sources, location: &Location) -> Option<(String, usize)> {
    // A location with one statement may carry the span of the choice around it.
    let span = match location.edges.as_slice() {
        [only] => only.span,
        edges => location.span.or(edges.first().map(|e| e.span))?,
    };
    place(sources, span)
}

/// The statement at a location: the only one, or the choices.
fn statement(location: &Location) -> String {
    let mut texts: Vec<&str> = location.edges.iter().map(|e| e.text.as_str()).collect();
    texts.dedup();
    match texts.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, _, ..] => format!("{one} or another choice"),
    }
}

fn joined(texts: impl Iterator<Item = String>, by: &str) -> String {
    texts.collect::<Vec<_>>().join(by)
}

fn change(program: &Program, it: &Change) -> String {
    let name = name(program, &it.what);
    let ty = ty(program, &it.what);
    let say = |v: i32| scalar(program, ty, v);
    match it.values.as_slice() {
        [] => format!("{name} changes"),
        [(from, to)] => format!("{name} from {} to {}", say(*from), say(*to)),
        all => {
            let mut targets: Vec<i32> = all.iter().map(|(_, to)| *to).collect();
            targets.sort_unstable();
            targets.dedup();
            format!("{name} to {}", values(program, ty, &targets))
        }
    }
}

fn condition(program: &Program, it: &Condition) -> String {
    let name = name(program, &it.what);
    let ty = ty(program, &it.what);
    format!("{name} is {}", values(program, ty, &it.values))
}

fn name(program: &Program, what: &Visible) -> String {
    match what {
        Visible::Shared(slot) => match program.globals.get(*slot as usize) {
            Some(slot) => format!("`{}`", slot.name),
            None => "a variable".to_owned(),
        },
        Visible::Own(name) => format!("its `{name}`"),
        Visible::Other(name) => format!("`{name}` of another"),
        Visible::Messages(number) => {
            let mut made = program.globals.iter();
            // Channels of shared variables are made first, in the order of the variables.
            let made = made.by_ref().filter(|s| matches!(s.init, Init::Channel(_)));
            match made.into_iter().nth(*number as usize) {
                Some(slot) => format!("`len({})`", slot.name),
                None => format!("the length of channel {}", number + 1),
            }
        }
        Visible::Processes => "`_nr_pr`".to_owned(),
    }
}

fn ty(program: &Program, what: &Visible) -> Type {
    let of = |name: &str| {
        let base = name.split('.').next().unwrap_or(name);
        let starts = |n: &str| n.split(['[', '.']).next() == Some(base);
        let slot = program.globals.iter().find(|s| starts(&s.name));
        slot.map_or(Type::Int, |s| s.ty)
    };
    match what {
        Visible::Shared(slot) => program
            .globals
            .get(*slot as usize)
            .map_or(Type::Int, |s| s.ty),
        Visible::Own(name) | Visible::Other(name) if !name.contains('.') => of(name),
        _ => Type::Int,
    }
}

fn values(program: &Program, ty: Type, all: &[i32]) -> String {
    match all {
        [first, .., last] if all.len() > 2 && (*last - *first) as usize + 1 == all.len() => {
            format!(
                "{}..{}",
                scalar(program, ty, *first),
                scalar(program, ty, *last)
            )
        }
        [first, .., last] if all.len() > LISTED => format!(
            "one of {} values from {} to {}",
            all.len(),
            scalar(program, ty, *first),
            scalar(program, ty, *last)
        ),
        _ => joined(all.iter().map(|v| scalar(program, ty, *v)), " or "),
    }
}
