//! C: functions, blocks, declarations, labels.

use super::SymbolKind;
use super::build::{Builder, ScopeId, Space};
use super::directives;

const TYPES: [&str; 14] = [
    "void", "char", "short", "int", "long", "signed", "unsigned", "_Bool", "float", "double",
    "struct", "union", "enum", "__int128",
];
const STORAGE: [&str; 12] = [
    "const",
    "volatile",
    "static",
    "extern",
    "typedef",
    "register",
    "auto",
    "inline",
    "__inline",
    "__inline__",
    "_Noreturn",
    "__extension__",
];

pub(super) fn build(b: &mut Builder) {
    directives::build(b);
    let mut i = 0;
    while i < b.len() {
        i = match declares(b, i, 0) {
            true => declaration(b, i, b.len(), 0, true),
            false => {
                word(b, i, 0);
                i + 1
            }
        }
        .max(i + 1);
    }
}

/// Names of types that headers define.
fn is_known_type(name: &str) -> bool {
    let sized = name.strip_suffix("_t").is_some();
    sized || matches!(name, "bool" | "FILE")
}

fn is_type_name(b: &Builder, i: usize) -> bool {
    b.is_name(i) && (b.known(0, Space::Type, b.at(i)).is_some() || is_known_type(b.at(i)))
}

/// Does a declaration begin here?
fn declares(b: &Builder, i: usize, _scope: ScopeId) -> bool {
    if TYPES.contains(&b.at(i)) || STORAGE.contains(&b.at(i)) {
        return true;
    }
    let named = is_type_name(b, i) || b.is_name(i) && b.is_name(i + 1);
    named && (b.is_name(i + 1) || b.is(i + 1, "*") && b.is_name(i + 2) && is_type_name(b, i))
}

/// The words of the type; returns what comes after, and is it a `typedef`?
fn specifiers(b: &mut Builder, i: usize, end: usize) -> (usize, bool) {
    let (mut at, mut is_typedef, mut has_type) = (i, false, false);
    while at < end {
        match b.at(at) {
            "typedef" => is_typedef = true,
            "struct" | "union" | "enum" => {
                has_type = true;
                if b.is_name(at + 1) {
                    at += 1;
                }
                if b.is(at + 1, "{") {
                    let close = b.close(at + 1, end);
                    constants(b, at + 2, close);
                    at = close;
                }
            }
            "__attribute__" => at = b.after(at + 1, end) - 1,
            word if TYPES.contains(&word) => has_type = true,
            word if STORAGE.contains(&word) => {}
            _ if !has_type && b.is_name(at) && (b.is_name(at + 1) || b.is(at + 1, "*")) => {
                has_type = true;
                b.refer(at, 0, Space::Type);
            }
            _ => break,
        }
        at += 1;
    }
    (at, is_typedef)
}

/// `enum { A, B = 2 }`
fn constants(b: &mut Builder, from: usize, to: usize) {
    let mut i = from;
    while i < to {
        let stop = b.find(i, to, |b, j| b.is(j, ","));
        if b.is_name(i) && (b.is(i + 1, "=") || i + 1 == stop) {
            b.define(0, Space::Value, SymbolKind::EnumMember, i, (i, stop));
            words(b, i + 1, stop, 0);
        }
        i = stop + 1;
    }
}

/// `int x = 1, y[3];` or a function; returns what comes after.
fn declaration(b: &mut Builder, i: usize, end: usize, scope: ScopeId, is_outer: bool) -> usize {
    let (mut at, is_typedef) = specifiers(b, i, end);
    let of_type = b.text[b.start(i).min(b.end_before(at))..b.end_before(at)].to_owned();
    loop {
        let stars = b.find(at, end, |b, j| !matches!(b.at(j), "*" | "const"));
        at = stars;
        if !b.is_name(at) {
            return at;
        }
        let name = at;
        if is_outer && b.is(name + 1, "(") {
            let close = b.close(name + 1, end);
            let body = b.find(close + 1, end, |b, j| matches!(b.at(j), "{" | ";" | ","));
            if !b.is(body, ",") {
                return function(b, (i, name, body), end, &of_type);
            }
        }
        let (space, kind) = match is_typedef {
            true => (Space::Type, SymbolKind::Type),
            false => (Space::Value, SymbolKind::Variable),
        };
        let symbol = b.define(scope, space, kind, name, (i, name + 1));
        b.set_ordered(symbol);
        let values = range(&of_type);
        let it = b.symbol(symbol);
        it.of_type = Some(of_type.clone());
        it.values = values;
        let stop = b.find(name + 1, end, |b, j| matches!(b.at(j), "," | ";"));
        words(b, name + 1, stop, scope);
        b.extend(symbol, stop);
        if !b.is(stop, ",") || stop >= end {
            return stop + 1;
        }
        at = stop + 1;
    }
}

fn function(
    b: &mut Builder,
    (from, name, body): (usize, usize, usize),
    end: usize,
    of_type: &str,
) -> usize {
    let open = b.is(body, "{");
    let close = match open {
        true => b.close(body, end),
        false => body,
    };
    // A function that is declared before it is defined is the same.
    let known = b.known(0, Space::Value, b.at(name));
    match known {
        Some(symbol) => b.refer_to(name, symbol),
        None => {
            let kind = SymbolKind::Function;
            let symbol = b.define(0, Space::Value, kind, name, (from, close + 1));
            b.symbol(symbol).of_type = Some(of_type.to_owned());
        }
    }
    let scope = b.scope(0, name + 1, close + 1);
    let parameters = b.close(name + 1, end);
    let mut i = name + 2;
    while i < parameters {
        let stop = b.find(i, parameters, |b, j| b.is(j, ","));
        parameter(b, i, stop, scope);
        i = stop + 1;
    }
    if open {
        statements(b, body + 1, close, scope);
    }
    close + 1
}

fn parameter(b: &mut Builder, i: usize, stop: usize, scope: ScopeId) {
    let (at, _) = specifiers(b, i, stop);
    let of_type = b.text[b.start(i).min(b.end_before(at))..b.end_before(at)].to_owned();
    let name = b.find(at, stop, |b, j| b.is_name(j));
    if name < stop {
        let kind = SymbolKind::Parameter;
        let symbol = b.define(scope, Space::Value, kind, name, (i, stop));
        let values = range(&of_type);
        let it = b.symbol(symbol);
        it.of_type = Some(of_type);
        it.values = values;
        words(b, name + 1, stop, scope);
    }
}

/// The values of a type, where `int` has 32 bits.
fn range(of_type: &str) -> Option<String> {
    let mut words: Vec<&str> = of_type.split_whitespace().collect();
    words.retain(|w| !STORAGE.contains(w));
    let unsigned = words.contains(&"unsigned");
    words.retain(|w| !matches!(*w, "signed" | "unsigned" | "int"));
    let range = match (words.as_slice(), unsigned) {
        (["_Bool" | "bool"], _) => "0..1",
        (["char"], true) => "0..255",
        (["char"], false) => "-128..127",
        (["short"], true) => "0..65535",
        (["short"], false) => "-32768..32767",
        ([], true) => "0..4294967295",
        ([], false) if of_type.contains("int") || of_type.contains("signed") => {
            "-2147483648..2147483647"
        }
        _ => return None,
    };
    Some(range.to_owned())
}

/// The statements of a function, with a scope for each block and each `for`.
fn statements(b: &mut Builder, from: usize, end: usize, function: ScopeId) {
    let mut blocks: Vec<(usize, ScopeId)> = vec![(end, function)];
    let mut i = from;
    while i < end {
        while blocks.len() > 1 && blocks.last().is_some_and(|(close, _)| *close <= i) {
            blocks.pop();
        }
        let scope = blocks.last().map_or(function, |(_, s)| *s);
        i = match b.at(i) {
            "{" => {
                let close = b.close(i, end);
                let inner = b.scope(scope, i, close + 1);
                blocks.push((close, inner));
                i + 1
            }
            "for" if b.is(i + 1, "(") => {
                let stop = statement_end(b, i, end);
                let inner = b.scope(scope, i, stop);
                blocks.push((stop, inner));
                i + 2
            }
            "goto" if b.is_name(i + 1) => {
                b.refer(i + 1, function, Space::Label);
                i + 2
            }
            "assert" | "__VERIFIER_assert" | "reach_error" if b.is(i + 1, "(") => {
                let after = b.after(i + 1, end);
                b.assertion(i, after);
                word(b, i, scope);
                i + 1
            }
            _ if is_statement_start(b, i) && is_label(b, i) => {
                b.define(function, Space::Label, SymbolKind::Label, i, (i, i + 2));
                i + 2
            }
            _ if is_statement_start(b, i) && declares(b, i, scope) => {
                declaration(b, i, end, scope, false)
            }
            _ => {
                word(b, i, scope);
                i + 1
            }
        }
        .max(i + 1);
    }
}

fn is_statement_start(b: &Builder, i: usize) -> bool {
    matches!(b.before(i), "{" | "}" | ";" | ":" | ")" | "else" | "do")
        || b.before(i) == "(" && b.at(i.saturating_sub(2)) == "for"
}

fn is_label(b: &Builder, i: usize) -> bool {
    b.is_name(i) && b.is(i + 1, ":") && b.before(i) != ")"
}

/// The token after the statement at `i`.
fn statement_end(b: &Builder, i: usize, end: usize) -> usize {
    let mut at = i;
    while matches!(b.at(at), "for" | "while" | "if") && b.is(at + 1, "(") {
        at = b.after(at + 1, end);
    }
    match b.is(at, "{") {
        true => b.after(at, end),
        false => (b.find(at, end, |b, j| b.is(j, ";")) + 1).min(end),
    }
}

fn words(b: &mut Builder, from: usize, to: usize, scope: ScopeId) {
    for i in from..to.min(b.len()) {
        word(b, i, scope);
    }
}

fn word(b: &mut Builder, i: usize, scope: ScopeId) {
    // Members and tags have names of their own.
    let is_apart = matches!(b.before(i), "." | "->" | "struct" | "union" | "enum");
    if i < b.len() && b.is_name(i) && !is_apart {
        b.refer_either(i, scope, Space::Value, Space::Type);
    }
}
