//! Expressions for display, with as many brackets as needed.

use std::fmt::Write as _;

use super::ast::Compare;
use super::resolved::Resolved;
use super::term::{Term, TermKind};

/// The text of a term in the language of the model.
pub(super) fn show(term: &Term, model: &Resolved) -> String {
    let mut text = String::new();
    write(term, model, 0, &mut text);
    text
}

/// How tightly an operator binds.
fn level(term: &Term) -> u8 {
    match &term.kind {
        TermKind::Cond(..) => 0,
        TermKind::Implies(..) => 1,
        TermKind::Iff(..) => 2,
        TermKind::Or(_) => 3,
        TermKind::And(_) => 4,
        TermKind::Not(_) => 5,
        TermKind::Compare(Compare::Eq | Compare::Ne, ..) => 6,
        TermKind::Compare(..) => 7,
        TermKind::Sum(_) => 8,
        TermKind::Product(_) => 9,
        TermKind::Neg(_) => 10,
        TermKind::Int(n) if *n < 0 => 10,
        // `1/3` is a product of two numbers.
        TermKind::Real(_) => 9,
        _ => 11,
    }
}

fn write(term: &Term, model: &Resolved, outer: u8, text: &mut String) {
    let level = level(term);
    let brackets = level < outer;
    if brackets {
        text.push('(');
    }
    match &term.kind {
        TermKind::Bool(b) => {
            let _ = write!(text, "{b}");
        }
        TermKind::Int(n) => {
            let _ = write!(text, "{n}");
        }
        TermKind::Real(r) => {
            let _ = write!(text, "{r}");
        }
        TermKind::Var(v) => text.push_str(&model.variables[*v as usize].name),
        TermKind::Not(a) => {
            text.push('!');
            write(a, model, level, text);
        }
        TermKind::Neg(a) => {
            text.push('-');
            write(a, model, level, text);
        }
        TermKind::And(all) => join(all.iter(), " & ", model, level, text),
        TermKind::Or(all) => join(all.iter(), " | ", model, level, text),
        TermKind::Implies(a, b) => pair(a, " => ", b, model, level, text),
        TermKind::Iff(a, b) => pair(a, " <=> ", b, model, level, text),
        TermKind::Compare(op, a, b) => {
            let op = match op {
                Compare::Eq => "=",
                Compare::Ne => "!=",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            };
            pair(a, op, b, model, level, text);
        }
        TermKind::Sum(parts) => marked(parts, ["+", "-"], model, level, text),
        TermKind::Product(parts) => marked(parts, ["*", "/"], model, level, text),
        TermKind::Cond(a, b, c) => {
            write(a, model, 1, text);
            text.push_str(" ? ");
            write(b, model, 1, text);
            text.push_str(" : ");
            write(c, model, 0, text);
        }
        TermKind::Call(function, arguments) => {
            text.push_str(function.name());
            text.push('(');
            join(arguments.iter(), ", ", model, 0, text);
            text.push(')');
        }
    }
    if brackets {
        text.push(')');
    }
}

fn join<'a>(
    all: impl Iterator<Item = &'a Term>,
    between: &str,
    model: &Resolved,
    level: u8,
    text: &mut String,
) {
    for (at, part) in all.enumerate() {
        if at > 0 {
            text.push_str(between);
        }
        write(part, model, level, text);
    }
}

fn pair(a: &Term, op: &str, b: &Term, model: &Resolved, level: u8, text: &mut String) {
    write(a, model, level, text);
    text.push_str(op);
    write(b, model, level + 1, text);
}

fn marked(
    parts: &[(bool, Term)],
    signs: [&str; 2],
    model: &Resolved,
    level: u8,
    text: &mut String,
) {
    for (at, (mark, part)) in parts.iter().enumerate() {
        if at > 0 {
            text.push_str(signs[usize::from(*mark)]);
        }
        write(part, model, if at > 0 { level + 1 } else { level }, text);
    }
}
