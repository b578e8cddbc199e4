//! SMV: modules, their variables and definitions, instances, enumerations.

use super::SymbolKind;
use super::build::{Builder, ScopeId, Space, SymbolId, Values};

/// Words that begin a section.
const SECTIONS: [&str; 22] = [
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "ISA",
    "PRED",
    "MIRROR",
];

pub(super) fn build(b: &mut Builder) {
    let mut i = 0;
    while i < b.len() {
        match b.is(i, "MODULE") {
            true => i = module(b, i),
            false => i += 1,
        }
    }
}

/// The next section, or the end.
fn section_end(b: &Builder, i: usize) -> usize {
    (i..b.len())
        .find(|j| SECTIONS.contains(&b.at(*j)))
        .unwrap_or(b.len())
}

fn module(b: &mut Builder, i: usize) -> usize {
    let end = (i + 1..b.len())
        .find(|j| b.is(*j, "MODULE"))
        .unwrap_or(b.len());
    let scope = b.scope(0, i, end);
    if b.is_name(i + 1) {
        let kind = SymbolKind::Process;
        let symbol = b.define(0, Space::Type, kind, i + 1, (i, end));
        b.set_inner(symbol, scope);
    }
    let mut at = i + 2;
    if b.is(at, "(") {
        let close = b.close(at, end);
        for j in at + 1..close {
            if b.is_name(j) {
                b.define(scope, Space::Value, SymbolKind::Parameter, j, (j, j + 1));
            }
        }
        at = close + 1;
    }
    while at < end {
        let word = b.at(at);
        let stop = section_end(b, at + 1).min(end);
        match word {
            "VAR" | "IVAR" | "FROZENVAR" => variables(b, at + 1, stop, scope),
            "DEFINE" => definitions(b, at + 1, stop, scope),
            "CONSTANTS" => literals(b, at + 1, stop, None),
            "ISA" => (at + 1..stop).for_each(|j| module_name(b, j)),
            "SPEC" | "CTLSPEC" | "LTLSPEC" | "INVARSPEC" | "COMPUTE" | "PSLSPEC" => {
                specification(b, at, stop, scope);
            }
            _ => words(b, at + 1, stop, scope),
        }
        at = stop;
    }
    end
}

fn module_name(b: &mut Builder, i: usize) {
    if b.is_name(i) {
        b.refer(i, 0, Space::Type);
    }
}

/// Where an entry ends: behind its semicolon, or before the next line that looks like an entry.
fn entry_end(b: &Builder, i: usize, end: usize, sign: &str) -> usize {
    let stop = b.find(i, end, |b, j| {
        b.is(j, ";") || j > i + 1 && b.is_name(j) && b.tokens[j].first && b.is(j + 1, sign)
    });
    match b.is(stop, ";") && stop < end {
        true => stop + 1,
        false => stop,
    }
}

/// `x : 0..3; m : M(x);`
fn variables(b: &mut Builder, from: usize, end: usize, scope: ScopeId) {
    let mut i = from;
    while i < end {
        let stop = entry_end(b, i, end, ":");
        let colon = b.find(i, stop, |b, j| b.is(j, ":"));
        if b.is_name(i) && colon == i + 1 {
            let kind = SymbolKind::Variable;
            let symbol = b.define(scope, Space::Value, kind, i, (i, stop));
            type_of(b, symbol, colon + 1, stop, scope);
        } else {
            words(b, i, stop, scope);
        }
        i = stop.max(i + 1);
    }
}

fn type_of(b: &mut Builder, symbol: SymbolId, from: usize, stop: usize, scope: ScopeId) {
    let last = match b.before(stop) {
        ";" => stop - 1,
        _ => stop,
    };
    let written = b.text[b.start(from).min(b.end_before(last))..b.end_before(last)].to_owned();
    let first = if b.is(from, "process") {
        from + 1
    } else {
        from
    };
    if b.is_name(first) && (b.is(first + 1, "(") || first + 1 == last) {
        module_name(b, first);
        b.symbol(symbol).of_type = Some(b.at(first).to_owned());
        words(b, first + 1, stop, scope);
        return;
    }
    if b.is(from, "{") {
        literals(b, from + 1, b.close(from, last), Some(scope));
        b.symbol(symbol).values = Some(written.clone());
    } else {
        let dots = b.find(from, last, |b, j| b.is(j, ".."));
        if dots < last && !b.is(from, "array") {
            b.set_values(symbol, Values::Between((from, dots), (dots + 1, last)));
        } else if b.is(from, "boolean") {
            b.symbol(symbol).values = Some("FALSE, TRUE".to_owned());
        }
        let braces = b.find(from, last, |b, j| b.is(j, "{"));
        literals(b, braces + 1, b.close(braces, last), Some(scope));
        words(b, from, braces, scope);
    }
    b.symbol(symbol).of_type = Some(written.split_whitespace().collect::<Vec<_>>().join(" "));
}

/// The values of an enumeration, which all modules share.
fn literals(b: &mut Builder, from: usize, to: usize, scope: Option<ScopeId>) {
    for i in from..to {
        if !b.is_name(i) {
            continue;
        }
        let name = b.at(i);
        if scope.is_some_and(|s| b.known(s, Space::Value, name).is_some()) && b.before(i) == ".." {
            continue;
        }
        match b.known(0, Space::Value, name) {
            Some(symbol) => b.refer_to(i, symbol),
            None => {
                let kind = SymbolKind::EnumMember;
                b.define(0, Space::Value, kind, i, (i, i + 1));
            }
        }
    }
}

/// `d := x + 1;`
fn definitions(b: &mut Builder, from: usize, end: usize, scope: ScopeId) {
    let mut i = from;
    while i < end {
        let stop = entry_end(b, i, end, ":=");
        if b.is_name(i) && b.is(i + 1, ":=") {
            let kind = SymbolKind::Constant;
            let symbol = b.define(scope, Space::Value, kind, i, (i, stop));
            let last = if b.before(stop) == ";" {
                stop - 1
            } else {
                stop
            };
            b.set_values(symbol, Values::Of(i + 2, last));
            words(b, i + 2, stop, scope);
        } else {
            words(b, i, stop, scope);
        }
        i = stop.max(i + 1);
    }
}

fn specification(b: &mut Builder, at: usize, stop: usize, scope: ScopeId) {
    let named = b.is(at + 1, "NAME") && b.is_name(at + 2);
    let name = if named { at + 2 } else { at };
    let kind = SymbolKind::Property;
    b.define(0, Space::Label, kind, name, (at, stop));
    words(b, if named { at + 3 } else { at + 1 }, stop, scope);
}

fn words(b: &mut Builder, from: usize, to: usize, scope: ScopeId) {
    for i in from..to.min(b.len()) {
        if !b.is_name(i) {
            continue;
        }
        match b.before(i) {
            "." => b.refer_member(i, Space::Value),
            _ => b.refer(i, scope, Space::Value),
        }
    }
}
