//! PROMELA: processes, inlines, blocks, channels, structures, labels.

use super::SymbolKind;
use super::build::{Builder, ScopeId, Space};
use super::directives;
use super::scan::Kind;

const TYPES: [&str; 9] = [
    "bit", "bool", "byte", "chan", "int", "mtype", "pid", "short", "unsigned",
];

pub(super) fn build(b: &mut Builder) {
    directives::build(b);
    let mut i = 0;
    while i < b.len() {
        i = unit(b, i).max(i + 1);
    }
}

/// The bracket that ends the body that opens at `i`; a body that is not closed ends where the next process begins.
fn body_end(b: &Builder, i: usize) -> usize {
    let next = (i + 1..b.len()).find(|j| {
        let begins = matches!(
            b.at(*j),
            "proctype" | "active" | "inline" | "ltl" | "never" | "D_proctype"
        );
        begins && b.tokens[*j].first
    });
    let end = next.unwrap_or(b.len());
    b.close(i, end)
}

/// One definition of the file; returns where the next begins.
fn unit(b: &mut Builder, i: usize) -> usize {
    match b.at(i) {
        "typedef" => typedef(b, i),
        "inline" => inline(b, i),
        "active" => {
            let after = match b.is(i + 1, "[") {
                true => {
                    let close = b.close(i + 1, b.len());
                    words(b, i + 2, close, 0);
                    close + 1
                }
                false => i + 1,
            };
            match matches!(b.at(after), "proctype" | "D_proctype") {
                true => proctype(b, i, after),
                false => after,
            }
        }
        "proctype" | "D_proctype" => proctype(b, i, i),
        "init" | "never" | "trace" | "notrace" => block(b, i),
        "ltl" => ltl(b, i),
        _ => match declares(b, i) {
            true => declarations(b, i, b.len(), 0, SymbolKind::Variable),
            false => {
                word(b, i, 0, 0);
                i + 1
            }
        },
    }
}

fn typedef(b: &mut Builder, i: usize) -> usize {
    let open = i + 2;
    if !b.is_name(i + 1) || !b.is(open, "{") {
        return i + 1;
    }
    let close = body_end(b, open);
    let symbol = b.define(0, Space::Type, SymbolKind::Type, i + 1, (i, close + 1));
    let scope = b.scope(0, open, close + 1);
    b.set_inner(symbol, scope);
    let mut at = open + 1;
    while at < close {
        at = match declares(b, at) {
            true => declarations(b, at, close, scope, SymbolKind::Field),
            false => at + 1,
        };
    }
    close + 1
}

fn inline(b: &mut Builder, i: usize) -> usize {
    if !b.is_name(i + 1) || !b.is(i + 2, "(") {
        return i + 1;
    }
    let close = b.close(i + 2, b.len());
    let open = close + 1;
    let end = match b.is(open, "{") {
        true => body_end(b, open),
        false => open,
    };
    let kind = SymbolKind::Function;
    b.define(0, Space::Value, kind, i + 1, (i, end + 1));
    let scope = b.scope(0, i, end + 1);
    for j in i + 3..close {
        if b.is_name(j) {
            b.define(scope, Space::Value, SymbolKind::Parameter, j, (j, j + 1));
        }
    }
    if b.is(open, "{") {
        sequence(b, open + 1, end, scope, scope);
    }
    end + 1
}

fn proctype(b: &mut Builder, from: usize, i: usize) -> usize {
    if !b.is_name(i + 1) {
        return i + 1;
    }
    let open = b.find(i + 2, b.len(), |b, j| b.is(j, "{") || b.is(j, ";"));
    let end = match b.is(open, "{") {
        true => body_end(b, open),
        false => open,
    };
    let symbol = b.define(0, Space::Value, SymbolKind::Process, i + 1, (from, end + 1));
    let scope = b.scope(0, i, end + 1);
    b.set_inner(symbol, scope);
    if b.is(i + 2, "(") {
        let close = b.close(i + 2, open);
        let mut at = i + 3;
        while at < close {
            at = match declares(b, at) {
                true => declarations(b, at, close, scope, SymbolKind::Parameter),
                false => at + 1,
            };
        }
        words(b, close + 1, open, scope);
    }
    sequence(b, open + 1, end, scope, scope);
    end + 1
}

/// `init`, and what is checked: `never`, `trace`.
fn block(b: &mut Builder, i: usize) -> usize {
    let named = b.is_name(i + 1);
    let open = b.find(i + 1, b.len(), |b, j| b.is(j, "{"));
    if open > i + 4 {
        return i + 1;
    }
    let end = body_end(b, open);
    let kind = match b.at(i) {
        "init" => SymbolKind::Process,
        _ => SymbolKind::Property,
    };
    let name = if named { i + 1 } else { i };
    let symbol = b.define(0, Space::Value, kind, name, (i, end + 1));
    let scope = b.scope(0, i, end + 1);
    b.set_inner(symbol, scope);
    sequence(b, open + 1, end, scope, scope);
    end + 1
}

fn ltl(b: &mut Builder, i: usize) -> usize {
    let named = b.is_name(i + 1);
    let open = i + 1 + usize::from(named);
    if !b.is(open, "{") {
        return i + 1;
    }
    let end = body_end(b, open);
    let name = if named { i + 1 } else { i };
    let kind = SymbolKind::Property;
    b.define(0, Space::Value, kind, name, (i, end + 1));
    for j in open + 1..end {
        let is_operator = matches!(
            b.at(j),
            "U" | "V"
                | "W"
                | "X"
                | "always"
                | "eventually"
                | "until"
                | "weakuntil"
                | "release"
                | "implies"
                | "equivalent"
                | "stronguntil"
                | "next"
        );
        if !is_operator {
            word(b, j, 0, 0);
        }
    }
    end + 1
}

/// Does a declaration begin here?
fn declares(b: &Builder, i: usize) -> bool {
    if matches!(b.at(i), "hidden" | "show" | "local") {
        return true;
    }
    if b.is(i, "mtype") && (b.is(i + 1, "=") || b.is(i + 1, "{")) {
        return true;
    }
    if b.is(i, "mtype") && b.is(i + 1, ":") && b.is_name(i + 2) {
        return true;
    }
    let is_type = TYPES.contains(&b.at(i))
        || b.is_name(i) && b.known(0, Space::Type, b.at(i)).is_some() && b.before(i) != ".";
    is_type && b.is_name(i + 1)
}

/// `byte a, b = 1, c[2]`; returns what comes after.
fn declarations(
    b: &mut Builder,
    from: usize,
    end: usize,
    scope: ScopeId,
    kind: SymbolKind,
) -> usize {
    let mut i = from;
    while matches!(b.at(i), "hidden" | "show" | "local") {
        i += 1;
    }
    let of_type = b.at(i);
    if b.is_name(i) {
        b.refer(i, 0, Space::Type);
    }
    i += 1;
    let mut subtype = None;
    if of_type == "mtype" && b.is(i, ":") {
        subtype = Some(b.at(i + 1));
        match b.known(0, Space::Label, b.at(i + 1)) {
            Some(symbol) => b.refer_to(i + 1, symbol),
            None => {
                b.define(0, Space::Label, SymbolKind::Type, i + 1, (i + 1, i + 2));
            }
        }
        i += 2;
    }
    if of_type == "mtype" && (b.is(i, "=") || b.is(i, "{")) {
        return symbols(b, i, end, subtype);
    }
    while i < end && b.is_name(i) {
        let symbol = b.define(scope, Space::Value, kind, i, (from, i + 1));
        if scope != 0 {
            b.set_ordered(symbol);
        }
        let it = b.symbol(symbol);
        it.of_type = Some(of_type.to_owned());
        it.values = range(of_type);
        if let Some(subtype) = subtype {
            it.of_type = Some(format!("mtype:{subtype}"));
        }
        i += 1;
        if b.is(i, ":") {
            let bits = b
                .at(i + 1)
                .parse::<u32>()
                .ok()
                .filter(|n| (1..=31).contains(n));
            b.symbol(symbol).values = bits.map(|n| format!("0..{}", (1u64 << n) - 1));
            word(b, i + 1, scope, scope);
            i += 2;
        }
        if b.is(i, "[") {
            let close = b.close(i, end);
            words(b, i + 1, close, scope);
            i = close + 1;
        }
        i = initial(b, i, end, scope);
        b.extend(symbol, i);
        if b.is(i, ",") && b.is_name(i + 1) {
            i += 1;
        } else {
            break;
        }
    }
    i
}

/// What a variable is at first; returns what comes after.
fn initial(b: &mut Builder, i: usize, end: usize, scope: ScopeId) -> usize {
    if !b.is(i, "=") {
        return i;
    }
    let stop = b.find(i + 1, end, |b, j| {
        let ends = matches!(b.at(j), "," | ";" | "->" | "::" | "}" | ")");
        let next = b.tokens[j].first && j > i + 1 && b.is_word(j) && b.is_word_or_close(j - 1);
        ends || next
    });
    words(b, i + 1, stop, scope);
    stop
}

/// `mtype = { a, b }`
fn symbols(b: &mut Builder, i: usize, end: usize, subtype: Option<&str>) -> usize {
    let open = if b.is(i, "=") { i + 1 } else { i };
    if !b.is(open, "{") {
        return open;
    }
    let close = b.close(open, end);
    let of_type = match subtype {
        Some(subtype) => format!("mtype:{subtype}"),
        None => "mtype".to_owned(),
    };
    for j in open + 1..close {
        if b.is_name(j) {
            let kind = SymbolKind::EnumMember;
            let symbol = b.define(0, Space::Value, kind, j, (j, j + 1));
            b.symbol(symbol).of_type = Some(of_type.clone());
        }
    }
    close + 1
}

/// The values of a type.
fn range(of_type: &str) -> Option<String> {
    let range = match of_type {
        "bit" | "bool" => "0..1",
        "byte" | "pid" => "0..255",
        "short" => "-32768..32767",
        "int" => "-2147483648..2147483647",
        _ => return None,
    };
    Some(range.to_owned())
}

/// Statements between brackets. `process` is the scope of labels.
fn sequence(b: &mut Builder, from: usize, end: usize, scope: ScopeId, process: ScopeId) {
    let mut blocks: Vec<(usize, ScopeId)> = vec![(end, scope)];
    let mut i = from;
    while i < end {
        while blocks.len() > 1 && blocks.last().is_some_and(|(close, _)| *close < i) {
            blocks.pop();
        }
        let here = blocks.last().map_or(scope, |(_, s)| *s);
        let at = b.at(i);
        i = match at {
            "{" if is_statement(b, i) => {
                let close = b.close(i, end);
                let inner = b.scope(here, i, close + 1);
                blocks.push((close, inner));
                i + 1
            }
            // Here a colon is that of a choice between two values, not of a label.
            "(" => {
                let close = b.close(i, end);
                words(b, i + 1, close, here);
                close
            }
            "c_code" | "c_expr" => {
                let open = b.find(i + 1, end, |b, j| b.is(j, "{"));
                b.after(open, end)
            }
            "assert" => {
                let after = b.after(i + 1, end);
                b.assertion(i, after);
                i + 1
            }
            "goto" if b.is_name(i + 1) => {
                b.refer(i + 1, process, Space::Label);
                i + 2
            }
            _ if declares(b, i) => declarations(b, i, end, here, SymbolKind::Variable),
            _ if is_label(b, i) => {
                let kind = SymbolKind::Label;
                b.define(process, Space::Label, kind, i, (i, i + 2));
                i + 2
            }
            _ => {
                word(b, i, here, process);
                i + 1
            }
        }
        .max(i + 1);
    }
}

/// Is this bracket a block, and no list of values or of types?
fn is_statement(b: &Builder, i: usize) -> bool {
    !matches!(b.before(i), "of" | "=" | ",")
}

/// `name :` before a statement.
fn is_label(b: &Builder, i: usize) -> bool {
    if !b.is_name(i) || !b.is(i + 1, ":") {
        return false;
    }
    let before = b.before(i);
    let begins = matches!(
        before,
        "{" | "}" | ";" | "->" | "::" | ":" | "fi" | "od" | "else"
    );
    begins || b.tokens[i].first
}

fn words(b: &mut Builder, from: usize, to: usize, scope: ScopeId) {
    for i in from..to.min(b.len()) {
        word(b, i, scope, scope);
    }
}

/// A use of a name, if the token is one.
fn word(b: &mut Builder, i: usize, scope: ScopeId, _process: ScopeId) {
    if i >= b.len() || !b.is_name(i) {
        return;
    }
    match b.before(i) {
        "." => b.refer_member(i, Space::Value),
        "@" => b.refer_member(i, Space::Label),
        ":" if i >= 2 => b.refer_member_or(i, scope),
        _ => b.refer_either(i, scope, Space::Value, Space::Type),
    }
}

impl Builder<'_> {
    /// Does an expression end with this token?
    fn is_word_or_close(&self, i: usize) -> bool {
        let token = self.tokens.get(i);
        token.is_some_and(|t| matches!(t.kind, Kind::Word | Kind::Close | Kind::Number))
    }
}
