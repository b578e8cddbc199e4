//! Numbers and characters.

use suppose_number::Int;
use suppose_source::Diagnostic;

use crate::c::lexer::{Kind, Token};
use crate::c::types::{IntType, Semantics};

/// The value of a number or a character, if it is one.
pub(in crate::c) fn literal_value(token: &Token) -> Option<Int> {
    match token.kind {
        Kind::Char => character(&token.text).map(Int::from),
        Kind::Number => split(&token.text).and_then(|(base, digits, _)| value(base, digits)),
        _ => None,
    }
}

/// Value and type.
pub(super) fn literal(token: &Token, semantics: Semantics) -> Result<(Int, IntType), Diagnostic> {
    if token.kind == Kind::Char {
        return match character(&token.text) {
            Some(value) => Ok((Int::from(value), IntType::Int)),
            None => Err(Diagnostic::error(token.span, "this is not a character")
                .label("expected one character, as in `'a'`")),
        };
    }
    let wrong = |message: String| Err(Diagnostic::error(token.span, message));
    let text = &*token.text;
    let hex = text.starts_with("0x") || text.starts_with("0X");
    if text.contains('.') || (!hex && text.contains(['e', 'E'])) || text.contains(['p', 'P']) {
        return wrong(format!("`{text}` is a floating-point number"))
            .map_err(|d: Diagnostic| d.label("not supported").help("only integers are read"));
    }
    let parts = split(text).and_then(|(base, digits, suffix)| {
        let value = value(base, digits)?;
        Some((base, value, suffix.to_ascii_lowercase()))
    });
    let Some((base, value, suffix)) = parts else {
        return wrong(format!("`{text}` is not a number"));
    };
    let (unsigned, long) = match suffix.as_str() {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => {
            return wrong(format!("`{text}` is not a number"))
                .map_err(|d: Diagnostic| d.label(format!("unknown ending `{suffix}`")));
        }
    };
    let pairs = [
        (IntType::Int, IntType::UnsignedInt),
        (IntType::Long, IntType::UnsignedLong),
        (IntType::LongLong, IntType::UnsignedLongLong),
    ];
    for (signed, without_sign) in &pairs[long..] {
        if !unsigned && value <= semantics.range(*signed).1 {
            return Ok((value, *signed));
        }
        if (unsigned || base != 10) && value <= semantics.range(*without_sign).1 {
            return Ok((value, *without_sign));
        }
    }
    wrong(format!("the number `{text}` is too large for any type"))
}

/// Base, digits, suffix.
fn split(text: &str) -> Option<(u32, &str, &str)> {
    let (base, rest) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        [b'0', ..] => (8, text),
        _ => (10, text),
    };
    let end = rest.find(|c: char| !c.is_digit(base)).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    (!digits.is_empty()).then_some((base, digits, suffix))
}

/// At most 128 bits are taken: no type has more than 64.
fn value(base: u32, digits: &str) -> Option<Int> {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Int::ZERO);
    }
    i128::from_str_radix(digits, base).ok().map(Int::from)
}

/// The bytes of a text, without a 0 at its end.
pub(super) fn text_bytes(token: &Token) -> Result<Vec<u8>, Diagnostic> {
    let inner = token
        .text
        .strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'));
    let mut rest = inner.unwrap_or_default();
    let mut bytes = Vec::new();
    while let Some(first) = rest.chars().next() {
        if first != '\\' {
            let length = first.len_utf8();
            bytes.extend(&rest.as_bytes()[..length]);
            rest = &rest[length..];
            continue;
        }
        let body = &rest[1..];
        let length = match body.as_bytes().first() {
            Some(b'x') => 1 + body[1..].bytes().take_while(u8::is_ascii_hexdigit).count(),
            Some(b'0'..=b'7') => (body.bytes().take(3))
                .take_while(|b| (b'0'..=b'7').contains(b))
                .count(),
            Some(b'\n') => {
                rest = &body[1..];
                continue;
            }
            _ => body.chars().next().map_or(0, char::len_utf8),
        };
        let shown = format!("'\\{}'", &body[..length]);
        let Some(value) = character(&shown) else {
            return Err(Diagnostic::error(token.span, "an unknown `\\` in a text"));
        };
        bytes.push(value as u8);
        rest = &body[length..];
    }
    Ok(bytes)
}

fn character(text: &str) -> Option<i32> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    if first != '\\' {
        // Beyond ASCII a character is several bytes.
        return (rest.is_empty() && first.is_ascii()).then_some(first as i32);
    }
    let code = |digits: &str, base: u32| {
        if !digits.chars().all(|c| c.is_digit(base)) {
            return None;
        }
        let byte = u32::from_str_radix(digits, base)
            .ok()
            .filter(|n| *n < 256)?;
        Some(i32::from(byte as u8 as i8))
    };
    match rest {
        "n" => Some(10),
        "t" => Some(9),
        "r" => Some(13),
        "a" => Some(7),
        "b" => Some(8),
        "f" => Some(12),
        "v" => Some(11),
        "\\" | "'" | "\"" | "?" => Some(i32::from(rest.as_bytes()[0])),
        _ => match rest.strip_prefix('x') {
            Some(digits) if !digits.is_empty() => code(digits, 16),
            Some(_) => None,
            None if rest.len() <= 3 => code(rest, 8),
            None => None,
        },
    }
}
