//! The lines of the preprocessor, which PROMELA and C share.

use super::SymbolKind;
use super::build::{Builder, Space};
use super::scan::{Kind, Token};

/// Macros, their uses in conditions, and what is included.
pub(super) fn build(b: &mut Builder) {
    for line in b.directives() {
        let Some(first) = line.first() else {
            continue;
        };
        match b.of(*first) {
            "define" => define(b, &line),
            "include" => {
                if let Some(file) = line.get(1).filter(|t| t.kind == Kind::Text) {
                    b.include(*file);
                }
            }
            _ => words(b, &line[1..], &[]),
        }
    }
}

/// `#define NAME(a, b) body`
fn define(b: &mut Builder, line: &[Token]) {
    let Some(name) = line.get(1).filter(|t| t.kind == Kind::Word) else {
        return;
    };
    let end = line.last().map_or(0, |t| t.end as usize);
    let text = b.of(*name);
    // Defined again, it is the same macro.
    if b.known(0, Space::Value, text).is_some() {
        b.refer_aside(*name, 0);
    } else {
        let extent = name.start as usize..end;
        b.define_aside(0, SymbolKind::Macro, *name, extent);
    }
    let adjacent = line
        .get(2)
        .filter(|t| t.start == name.end && b.of(**t) == "(");
    let mut body = &line[2..];
    let mut parameters: Vec<&str> = Vec::new();
    if let Some(open) = adjacent {
        let close = (open.partner as usize).min(line.len() - 1);
        let inside = line.get(3..close).unwrap_or_default();
        parameters.extend(
            inside
                .iter()
                .filter(|t| t.kind == Kind::Word)
                .map(|t| b.of(*t)),
        );
        body = line.get(close..).unwrap_or_default();
    }
    words(b, body, &parameters);
}

fn words(b: &mut Builder, tokens: &[Token], parameters: &[&str]) {
    for token in tokens {
        let text = b.of(*token);
        let is_name = token.kind == Kind::Word && !token.reserved;
        if is_name && !parameters.contains(&text) && text != "defined" {
            b.refer_aside(*token, 0);
        }
    }
}
