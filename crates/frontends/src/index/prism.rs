//! PRISM: constants, formulas, labels, modules with variables and commands, renamed modules, rewards.

use super::SymbolKind;
use super::build::{Builder, Space, SymbolId, Values};

/// Words that begin a definition.
const STARTS: [&str; 14] = [
    "const",
    "formula",
    "label",
    "global",
    "module",
    "rewards",
    "system",
    "init",
    "mdp",
    "dtmc",
    "ctmc",
    "probabilistic",
    "nondeterministic",
    "stochastic",
];

pub(super) fn build(b: &mut Builder) {
    let mut i = 0;
    while i < b.len() {
        i = unit(b, i).max(i + 1);
    }
}

/// The token after the semicolon, or where the next definition begins.
fn statement_end(b: &Builder, i: usize) -> usize {
    let end = b.len();
    let stop = b.find(i + 1, end, |b, j| {
        b.is(j, ";") || STARTS.contains(&b.at(j)) && b.tokens[j].first
    });
    match b.is(stop, ";") {
        true => stop + 1,
        false => stop,
    }
}

/// The token after the word that ends what begins at `i`.
fn block_end(b: &Builder, i: usize, word: &str) -> usize {
    let starts = |j: &usize| {
        let at = b.at(*j);
        at == word || matches!(at, "module" | "rewards" | "system") && b.tokens[*j].first
    };
    let found = (i + 1..b.len()).find(starts).unwrap_or(b.len());
    match b.is(found, word) {
        true => found + 1,
        false => found,
    }
}

fn unit(b: &mut Builder, i: usize) -> usize {
    match b.at(i) {
        "const" => {
            let name = match b.at(i + 1) {
                "int" | "double" | "bool" | "rate" | "prob" => i + 2,
                _ => i + 1,
            };
            named(b, i, name, SymbolKind::Constant)
        }
        "formula" => named(b, i, i + 1, SymbolKind::Constant),
        "label" => {
            let end = statement_end(b, i);
            if b.is_text(i + 1) {
                b.define(0, Space::Label, SymbolKind::Label, i + 1, (i, end));
            }
            words(b, i + 2, end);
            end
        }
        "global" => {
            let end = statement_end(b, i);
            match b.is_name(i + 1) {
                true => variable(b, i + 1, end),
                false => words(b, i + 1, end),
            }
            end
        }
        "module" => module(b, i),
        "rewards" => rewards(b, i),
        "system" => {
            let end = block_end(b, i, "endsystem");
            composition(b, i + 1, end);
            end
        }
        "init" => {
            let end = block_end(b, i, "endinit");
            words(b, i + 1, end);
            end
        }
        _ => {
            words(b, i, i + 1);
            i + 1
        }
    }
}

fn named(b: &mut Builder, i: usize, name: usize, kind: SymbolKind) -> usize {
    let end = statement_end(b, i);
    if b.is_name(name) {
        let symbol = b.define(0, Space::Value, kind, name, (i, end));
        if b.is(name + 1, "=") {
            b.set_values(symbol, Values::Of(name + 2, end - 1));
        }
        if name == i + 2 {
            b.symbol(symbol).of_type = Some(b.at(i + 1).to_owned());
        }
    }
    words(b, name + 1, end);
    end
}

/// `x : [0..3] init 0;`
fn variable(b: &mut Builder, i: usize, end: usize) {
    let symbol = b.define(0, Space::Value, SymbolKind::Variable, i, (i, end));
    words(b, i + 1, end);
    if b.is(i + 2, "[") {
        let close = b.close(i + 2, end);
        let dots = b.find(i + 3, close, |b, j| b.is(j, ".."));
        if dots < close {
            b.set_values(symbol, Values::Between((i + 3, dots), (dots + 1, close)));
        }
    } else if b.is(i + 2, "bool") {
        b.symbol(symbol).values = Some("false, true".to_owned());
    }
    let of_type = b.text[b.start(i + 2).min(b.end_before(end))..b.end_before(end)].to_owned();
    b.symbol(symbol).of_type = Some(of_type.trim_end_matches(';').trim().to_owned());
}

fn module(b: &mut Builder, i: usize) -> usize {
    let end = block_end(b, i, "endmodule");
    if b.is_name(i + 1) {
        let symbol = b.define(0, Space::Type, SymbolKind::Process, i + 1, (i, end));
        let scope = b.scope(0, i, end);
        b.set_inner(symbol, scope);
    }
    if b.is(i + 2, "=") {
        renamed(b, i + 3, end);
        return end;
    }
    let mut at = i + 2;
    while at < end {
        let stop = statement_end(b, at).min(end);
        if b.is_name(at) && b.is(at + 1, ":") {
            variable(b, at, stop);
        } else if b.is(at, "[") {
            let close = b.close(at, stop);
            (at + 1..close).for_each(|j| action(b, j));
            words(b, close + 1, stop);
        } else {
            words(b, at, stop);
        }
        at = stop.max(at + 1);
    }
    end
}

/// `module B = A [x = y, go = went] endmodule`: variables of A have new names in B.
fn renamed(b: &mut Builder, i: usize, end: usize) {
    if b.is_name(i) {
        b.refer(i, 0, Space::Type);
    }
    if !b.is(i + 1, "[") {
        return;
    }
    let close = b.close(i + 1, end);
    let mut at = i + 2;
    while at < close {
        let stop = b.find(at, close, |b, j| b.is(j, ","));
        if b.is_name(at) && b.is(at + 1, "=") && b.is_name(at + 2) {
            pair(b, at);
        }
        at = stop + 1;
    }
}

/// `old = new`
fn pair(b: &mut Builder, at: usize) {
    let (old, new) = (b.at(at), at + 2);
    let value = b.known(0, Space::Value, old);
    let is_variable = value.is_some_and(|s| b.symbol(s).kind == SymbolKind::Variable);
    if b.known(0, Space::Action, old).is_some() && value.is_none() {
        action(b, at);
        action(b, new);
        return;
    }
    b.refer(at, 0, Space::Value);
    match value {
        Some(variable) if is_variable && b.known(0, Space::Value, b.at(new)).is_none() => {
            let kind = SymbolKind::Variable;
            let symbol: SymbolId = b.define(0, Space::Value, kind, new, (at, new + 1));
            b.copy_values(variable, symbol);
        }
        _ => b.refer(new, 0, Space::Value),
    }
}

fn rewards(b: &mut Builder, i: usize) -> usize {
    let end = block_end(b, i, "endrewards");
    let named = b.is_text(i + 1);
    if named {
        let kind = SymbolKind::Rewards;
        b.define(0, Space::Label, kind, i + 1, (i, end));
    }
    let mut at = i + 1 + usize::from(named);
    while at < end {
        let stop = statement_end(b, at).min(end);
        let close = match b.is(at, "[") {
            true => b.close(at, stop),
            false => at,
        };
        (at..close).for_each(|j| action(b, j));
        words(b, close, stop);
        at = stop.max(at + 1);
    }
    end
}

/// Modules, and between `|[ ]|`, `{ }` the actions.
fn composition(b: &mut Builder, from: usize, end: usize) {
    for i in from..end {
        if !b.is_name(i) {
            continue;
        }
        match b.known(0, Space::Type, b.at(i)) {
            Some(module) => b.refer_to(i, module),
            None => action(b, i),
        }
    }
}

fn action(b: &mut Builder, i: usize) {
    if !b.is_name(i) {
        return;
    }
    match b.known(0, Space::Action, b.at(i)) {
        Some(symbol) => b.refer_to(i, symbol),
        None => {
            b.define(0, Space::Action, SymbolKind::Action, i, (i, i + 1));
        }
    }
}

fn words(b: &mut Builder, from: usize, to: usize) {
    for i in from..to.min(b.len()) {
        if b.is_name(i) {
            b.refer(i, 0, Space::Value);
        } else if b.is_text(i) {
            b.refer(i, 0, Space::Label);
        }
    }
}
