//! FSP: processes and their local definitions, index variables, actions.

use super::SymbolKind;
use super::build::{Builder, Space, SymbolId, Values};
use super::scan::Kind;

/// Words that begin a definition.
const STARTS: [&str; 16] = [
    "const",
    "range",
    "set",
    "property",
    "progress",
    "fluent",
    "assert",
    "constraint",
    "ltl_property",
    "deterministic",
    "minimal",
    "compose",
    "menu",
    "animation",
    "import",
    "include",
];
const MODIFIERS: [&str; 4] = ["deterministic", "minimal", "compose", "property"];

pub(super) fn build(b: &mut Builder) {
    let mut i = 0;
    while i < b.len() {
        let header = header(b, i);
        let end = item_end(b, header);
        item(b, i, header, end);
        i = end.max(i + 1);
    }
}

fn is_upper(b: &Builder, i: usize) -> bool {
    b.is_name(i) && b.at(i).starts_with(|c: char| c.is_ascii_uppercase())
}

fn is_lower(b: &Builder, i: usize) -> bool {
    b.is_name(i) && !is_upper(b, i)
}

/// The name that a definition is of.
fn header(b: &Builder, i: usize) -> usize {
    let mut h = i;
    while STARTS.contains(&b.at(h)) || b.is(h, "||") {
        let is_modifier = MODIFIERS.contains(&b.at(h)) || b.is(h, "||");
        h += 1;
        if !is_modifier && !b.is(h, "||") {
            break;
        }
    }
    h
}

/// Does a process or composition begin here: `NAME =`, `NAME(N=1) =`, `|| NAME =`?
fn begins(b: &Builder, i: usize) -> bool {
    let name = if b.is(i, "||") { i + 1 } else { i };
    if !is_upper(b, name) {
        return false;
    }
    let after = match b.is(name + 1, "(") {
        true => b.after(name + 1, b.len()),
        false => name + 1,
    };
    b.is(after, "=")
}

/// The token after a definition: behind its full stop, or where the next one begins.
fn item_end(b: &Builder, header: usize) -> usize {
    let mut i = header + 1;
    while i < b.len() {
        let ends = b.is(i, ".") && !is_lower(b, i + 1) && !matches!(b.at(i + 1), "{" | "[");
        if ends {
            return i + 1;
        }
        let is_next = STARTS.contains(&b.at(i)) || begins(b, i) && b.before(i) != ",";
        // `/{forall ...}` and the like are in brackets; `|| NAME` inside a formula has no `=`.
        if is_next {
            return i;
        }
        i = b.after(i, b.len());
    }
    b.len()
}

fn item(b: &mut Builder, from: usize, header: usize, end: usize) {
    let word = match header.checked_sub(1).filter(|w| *w >= from) {
        Some(w) => b.at(w),
        None => "",
    };
    let is_composition = (from..header).any(|i| b.is(i, "||"));
    let kind = match word {
        _ if is_composition => SymbolKind::Composition,
        "const" => SymbolKind::Constant,
        "range" | "set" | "menu" => SymbolKind::Type,
        "property" | "progress" | "assert" | "constraint" | "ltl_property" => SymbolKind::Property,
        "fluent" => SymbolKind::Variable,
        _ => SymbolKind::Process,
    };
    if !is_upper(b, header) {
        body(b, header, end, 0, (is_composition, true));
        return;
    }
    let space = match is_composition {
        true => Space::Type,
        false => Space::Value,
    };
    let symbol = b.define(0, space, kind, header, (from, end));
    values(b, symbol, word, header, end);
    let scope = b.scope(0, from, end);
    let parted =
        matches!(kind, SymbolKind::Process | SymbolKind::Composition) || word == "property";
    let mut at = header + 1;
    if b.is(at, "(") {
        let close = b.close(at, end);
        parameters(b, at + 1, close, scope);
        at = close + 1;
    }
    body(b, at, end, scope, (is_composition, parted));
}

/// What a constant or a range is.
fn values(b: &mut Builder, symbol: SymbolId, word: &str, header: usize, end: usize) {
    let first = header + 2;
    if word == "const" && first < end {
        b.set_values(symbol, Values::Of(first, end));
    }
    let dots = b.find(first, end, |b, i| b.is(i, ".."));
    if word == "range" && dots < end {
        b.set_values(symbol, Values::Between((first, dots), (dots + 1, end)));
    }
}

/// `N=2, M=3`
fn parameters(b: &mut Builder, from: usize, to: usize, scope: usize) {
    let mut i = from;
    while i < to {
        let comma = b.find(i, to, |b, i| b.is(i, ","));
        if is_upper(b, i) {
            let symbol = b.define(scope, Space::Value, SymbolKind::Parameter, i, (i, comma));
            let default =
                (i + 2 < comma).then(|| b.text[b.start(i + 2)..b.end_before(comma)].trim());
            b.symbol(symbol).values = default.map(|d| format!("{d} by default"));
        }
        for j in i + 1..comma {
            if is_upper(b, j) {
                b.refer(j, 0, Space::Value);
            }
        }
        i = comma + 1;
    }
}

/// An open bracket.
struct Group {
    close: usize,
    /// Are small words in it variables?
    is_expression: bool,
}

/// A variable that can be used.
struct Bound {
    symbol: SymbolId,
    /// How many brackets were open around it.
    depth: usize,
}

struct Body<'b, 't> {
    b: &'b mut Builder<'t>,
    end: usize,
    scope: usize,
    is_composition: bool,
    /// Does a comma outside of brackets begin something new, and belongs to no pair of labels?
    is_parted: bool,
    groups: Vec<Group>,
    variables: Vec<(&'t str, Bound)>,
    /// Between `when` or `if` and the end of the condition.
    in_guard: bool,
    local: Option<SymbolId>,
}

/// What comes after the name of a definition.
fn body(
    b: &mut Builder,
    from: usize,
    end: usize,
    scope: usize,
    (is_composition, is_parted): (bool, bool),
) {
    let mut it = Body {
        b,
        end,
        scope,
        is_composition,
        is_parted,
        groups: Vec::new(),
        variables: Vec::new(),
        in_guard: false,
        local: None,
    };
    let mut i = from;
    while i < end {
        it.token(i);
        i += 1;
    }
    if let Some(local) = it.local {
        it.b.extend(local, end);
    }
}

impl Body<'_, '_> {
    fn token(&mut self, i: usize) {
        while self.groups.last().is_some_and(|g| g.close < i) {
            self.groups.pop();
        }
        let kind = self.b.tokens[i].kind;
        match kind {
            Kind::Open => self.open(i),
            Kind::Close if self.groups.last().is_some_and(|g| g.close == i) => {
                self.groups.pop();
                // An index in brackets is seen until what it belongs to ends.
                let depth = self.groups.len();
                self.variables.retain(|(_, v)| v.depth <= depth);
            }
            Kind::Word => self.word(i),
            Kind::Mark => match self.b.at(i) {
                "," | "|" => self.separate(),
                "||" if self.is_composition => self.separate(),
                "->" => self.in_guard = false,
                _ => {}
            },
            _ => {}
        }
    }

    fn separate(&mut self) {
        let depth = self.groups.len();
        if depth == 0 && !self.is_parted {
            return;
        }
        self.variables.retain(|(_, v)| v.depth < depth);
        if depth == 0 && self.local.is_some() {
            self.variables.clear();
        }
        self.in_guard = false;
    }

    fn open(&mut self, i: usize) {
        let b = &*self.b;
        let outer = self.in_guard || self.groups.last().is_some_and(|g| g.is_expression);
        let before = b.before(i);
        let is_call = i > 0 && is_upper(b, i - 1) || matches!(before, "rigid" | "@");
        let is_expression = match b.at(i) {
            "[" => true,
            "{" => false,
            _ => is_call || outer,
        };
        let close = b.close(i, self.end);
        let symbol_at = i + 1;
        self.groups.push(Group {
            close,
            is_expression,
        });
        let declares = b.is(i, "[") && is_lower(b, symbol_at) && b.is(symbol_at + 1, ":");
        if declares {
            self.declare(symbol_at, close);
        }
    }

    /// `i: 0..N` between square brackets.
    fn declare(&mut self, i: usize, close: usize) {
        let depth = self.groups.len() - 1;
        let scope = self.b.scope(self.scope, i, self.b.len());
        let kind = SymbolKind::Variable;
        let symbol = self.b.define(scope, Space::Value, kind, i, (i, close));
        let first = i + 2;
        let dots = self.b.find(first, close, |b, i| b.is(i, ".."));
        if dots < close {
            let values = Values::Between((first, dots), (dots + 1, close));
            self.b.set_values(symbol, values);
        } else if first < close {
            let domain = self.b.text[self.b.start(first)..self.b.end_before(close)].to_owned();
            self.b.symbol(symbol).of_type = Some(domain);
        }
        self.variables.push((self.b.at(i), Bound { symbol, depth }));
    }

    fn word(&mut self, i: usize) {
        match self.b.at(i) {
            "when" | "if" => self.in_guard = true,
            "then" | "else" => self.in_guard = false,
            "True" | "False" => {}
            _ if is_upper(self.b, i) => self.upper(i),
            _ if is_lower(self.b, i) => self.lower(i),
            _ => {}
        }
    }

    fn upper(&mut self, i: usize) {
        if !self.is_composition && self.groups.is_empty() && self.b.before(i) == "," {
            let mut after = i + 1;
            while self.b.is(after, "[") {
                after = self.b.after(after, self.end);
            }
            if self.b.is(after, "=") {
                if let Some(local) = self.local {
                    self.b.extend(local, i - 1);
                }
                let kind = SymbolKind::LocalProcess;
                let of = (i, i + 1);
                self.local = Some(self.b.define(self.scope, Space::Value, kind, i, of));
                return;
            }
        }
        match self.is_composition {
            true => self
                .b
                .refer_either(i, self.scope, Space::Type, Space::Value),
            false => self
                .b
                .refer_either(i, self.scope, Space::Value, Space::Type),
        }
    }

    fn lower(&mut self, i: usize) {
        let word = self.b.at(i);
        let declared_here = self.b.before(i) == "[" && self.b.is(i + 1, ":");
        if declared_here {
            return;
        }
        let in_group = self.groups.last().is_some_and(|g| g.is_expression);
        let before = self.b.before(i);
        let follows_operator = matches!(
            before,
            "when"
                | "if"
                | "+"
                | "-"
                | "*"
                | "/"
                | "%"
                | "<"
                | "<="
                | ">"
                | ">="
                | "=="
                | "!="
                | "!"
                | "&&"
                | "||"
                | "&"
                | "|"
                | "^"
                | "<<"
                | ">>"
        );
        let is_label = matches!(before, "'" | ".");
        let known = self.variables.iter().rev().find(|(name, _)| *name == word);
        match known {
            Some((_, bound)) if !is_label && (in_group || self.in_guard && follows_operator) => {
                self.b.refer_to(i, bound.symbol);
            }
            _ => {
                if !in_group && !follows_operator {
                    self.in_guard = false;
                }
                self.action(i);
            }
        }
    }

    fn action(&mut self, i: usize) {
        match self.b.known(0, Space::Action, self.b.at(i)) {
            Some(symbol) => self.b.refer_to(i, symbol),
            None => {
                let kind = SymbolKind::Action;
                self.b.define(0, Space::Action, kind, i, (i, i + 1));
            }
        }
    }
}
