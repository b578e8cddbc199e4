//! SMT-LIB: predicates, functions, sorts, bound variables.

use super::SymbolKind;
use super::build::{Builder, ScopeId, Space};
use super::scan::Kind;

pub(super) fn build(b: &mut Builder) {
    let mut i = 0;
    while i < b.len() {
        i = match b.is(i, "(") {
            true => command(b, i),
            false => i + 1,
        };
    }
}

/// The end of a command: its bracket, or where the next line begins with one.
fn command_end(b: &Builder, i: usize) -> usize {
    let begins = |j: &usize| {
        let at_margin = b.tokens[*j].first && b.is(*j, "(");
        at_margin && b.text[..b.start(*j)].ends_with('\n')
    };
    match b.partner(i) {
        Some(close) => close,
        None => (i + 1..b.len()).find(begins).unwrap_or(b.len()),
    }
}

fn command(b: &mut Builder, i: usize) -> usize {
    let end = command_end(b, i);
    let kind = match b.at(i + 1) {
        "declare-fun" | "define-fun" | "define-fun-rec" | "declare-rel" => SymbolKind::Function,
        "declare-const" | "declare-var" | "define-const" => SymbolKind::Variable,
        "declare-sort" | "define-sort" | "declare-datatype" => SymbolKind::Type,
        _ => {
            terms(b, i + 1, end, 0);
            return end + 1;
        }
    };
    if b.is_name(i + 2) {
        let symbol = b.define(0, Space::Value, kind, i + 2, (i, end + 1));
        let rest = b.text[b.end_before(i + 3).min(b.end_before(end))..b.end_before(end)].to_owned();
        let is_declared = b.at(i + 1).starts_with("declare");
        let line = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        b.symbol(symbol).of_type = (is_declared && line.len() < 200).then_some(line);
    }
    let scope = b.scope(0, i, end + 1);
    let mut at = i + 3;
    if b.at(i + 1).starts_with("define-fun") && b.is(at, "(") {
        let close = b.close(at, end);
        bound(b, at, close, scope);
        at = close + 1;
    }
    terms(b, at, end, scope);
    end + 1
}

/// `((x Int) (y Int))`: the first of each pair.
fn bound(b: &mut Builder, open: usize, close: usize, scope: ScopeId) {
    let mut i = open + 1;
    while i < close {
        if b.is(i, "(") && b.is_name(i + 1) {
            let stop = b.close(i, close);
            let kind = SymbolKind::Parameter;
            let symbol = b.define(scope, Space::Value, kind, i + 1, (i, stop + 1));
            let of_type =
                b.text[b.start(i + 2).min(b.end_before(stop))..b.end_before(stop)].to_owned();
            b.symbol(symbol).of_type = (of_type.len() < 200).then_some(of_type);
        }
        i = b.after(i, close);
    }
}

fn terms(b: &mut Builder, from: usize, end: usize, scope: ScopeId) {
    let mut groups: Vec<(usize, ScopeId)> = Vec::new();
    let mut i = from;
    while i < end {
        while groups.last().is_some_and(|(close, _)| *close <= i) {
            groups.pop();
        }
        let here = groups.last().map_or(scope, |(_, s)| *s);
        let binds = matches!(b.at(i), "forall" | "exists" | "let")
            && b.before(i) == "("
            && b.is(i + 1, "(");
        if binds {
            let outer = b.close(i - 1, end);
            let inner = b.scope(here, i, outer);
            groups.push((outer, inner));
            let close = b.close(i + 1, end);
            bound(b, i + 1, close, inner);
            // The values of a `let` are outside of it; sorts name no variables.
            for j in i + 2..close {
                let is_bound = b.before(j) == "("
                    && b.is_name(j)
                    && b.tokens[j - 1].kind == Kind::Open
                    && is_pair(b, j - 1, i + 1);
                if b.is_name(j) && !is_bound {
                    b.refer(j, here, Space::Value);
                }
            }
            i = close + 1;
            continue;
        }
        if b.is_name(i) && !b.at(i).starts_with(':') {
            b.refer(i, here, Space::Value);
        }
        i += 1;
    }
}

/// Is the bracket at `i` directly inside the one at `open`?
fn is_pair(b: &Builder, i: usize, open: usize) -> bool {
    let mut at = open + 1;
    while at < i {
        at = b.after(at, i);
    }
    at == i
}
