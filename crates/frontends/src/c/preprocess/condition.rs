//! The conditions of `#if` and `#elif`.

use suppose_source::{Diagnostic, Span};

use super::Preprocessor;
use crate::c::lexer::{Kind, Token};
use crate::c::parser::literal_value;

/// How deep a condition may be nested.
const DEPTH: usize = 100;

impl Preprocessor<'_> {
    pub(super) fn condition(&mut self, place: Span, line: &[Token]) -> Result<bool, Diagnostic> {
        let tokens = self.answered(line)?;
        let tokens = self.expanded(&tokens)?;
        let mut parser = Condition {
            tokens: &tokens,
            at: 0,
            place,
            depth: 0,
        };
        let value = parser.conditional()?;
        if parser.at < tokens.len() {
            return Err(parser.wrong());
        }
        Ok(value != 0)
    }

    /// The line with `defined` answered.
    fn answered(&mut self, line: &[Token]) -> Result<Vec<Token>, Diagnostic> {
        let mut answered = Vec::new();
        let mut at = 0;
        while let Some(token) = line.get(at) {
            at += 1;
            if !token.is_word("defined") {
                answered.push(token.clone());
                continue;
            }
            let round = line.get(at).is_some_and(|t| t.is("("));
            at += usize::from(round);
            let Some(name) = line.get(at).filter(|t| t.kind == Kind::Word) else {
                return Err(
                    Diagnostic::error(token.span, "expected the name of a macro")
                        .label("as in `defined(NAME)`"),
                );
            };
            at += 1 + usize::from(round);
            let digit = if self.is_known(&name.text) { "1" } else { "0" };
            answered.push(Token {
                kind: Kind::Number,
                text: self.texts.get(digit),
                ..token.clone()
            });
        }
        Ok(answered)
    }
}

struct Condition<'a> {
    tokens: &'a [Token],
    at: usize,
    place: Span,
    depth: usize,
}

impl Condition<'_> {
    fn wrong(&self) -> Diagnostic {
        let span = self.tokens.get(self.at).map_or(self.place, |t| t.span);
        Diagnostic::error(span, "this condition cannot be read")
            .label("expected an expression of numbers, macros and `defined(NAME)`")
    }

    fn takes(&mut self, punct: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.is(punct));
        self.at += usize::from(found);
        found
    }

    fn conditional(&mut self) -> Result<i64, Diagnostic> {
        let condition = self.binary(0)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        self.deeper()?;
        let then = self.conditional()?;
        if !self.takes(":") {
            return Err(self.wrong());
        }
        let otherwise = self.conditional()?;
        self.depth -= 1;
        Ok(if condition != 0 { then } else { otherwise })
    }

    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > DEPTH {
            let message = format!("nested more than {DEPTH} levels deep");
            return Err(Diagnostic::error(self.place, message).label("too deep"));
        }
        Ok(())
    }

    fn binary(&mut self, least: u8) -> Result<i64, Diagnostic> {
        let mut left = self.unary()?;
        while let Some(token) = self.tokens.get(self.at) {
            let Some(strength) = strength(&token.text).filter(|s| *s >= least) else {
                break;
            };
            self.at += 1;
            self.deeper()?;
            let right = self.binary(strength + 1)?;
            self.depth -= 1;
            left = apply(&token.text, left, right)
                .ok_or_else(|| Diagnostic::error(self.place, "division by zero in a condition"))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Diagnostic> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err(self.wrong());
        };
        self.deeper()?;
        self.at += 1;
        let value = match (token.kind, &*token.text) {
            (Kind::Punct, "!") => i64::from(self.unary()? == 0),
            (Kind::Punct, "-") => self.unary()?.wrapping_neg(),
            (Kind::Punct, "+") => self.unary()?,
            (Kind::Punct, "~") => !self.unary()?,
            (Kind::Punct, "(") => {
                let value = self.conditional()?;
                if !self.takes(")") {
                    return Err(self.wrong());
                }
                value
            }
            (Kind::Number | Kind::Char, _) => match literal_value(token) {
                Some(value) => value.to_i64().unwrap_or(i64::MAX),
                None => {
                    self.at -= 1;
                    return Err(self.wrong());
                }
            },
            // A name that is no macro counts as 0.
            (Kind::Word, _) => 0,
            _ => {
                self.at -= 1;
                return Err(self.wrong());
            }
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | "<=" | ">" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        _ => return None,
    })
}

fn apply(operator: &str, a: i64, b: i64) -> Option<i64> {
    let shift = |b: i64| u32::try_from(b & 63).unwrap_or(0);
    Some(match operator {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "<<" => a.wrapping_shl(shift(b)),
        ">>" => a.wrapping_shr(shift(b)),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 => return None,
        "/" => a.wrapping_div(b),
        _ => a.wrapping_rem(b),
    })
}
