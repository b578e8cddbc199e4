//! The conditions of `#if` and `#elif`.

use suppose_source::{Diagnostic, Span};

use super::{Pending, Preprocessor, expand};
use crate::promela::lexer::{Lexeme, Names, Token};

/// How deep a condition may be nested.
const DEPTH: usize = 100;

impl Preprocessor<'_, '_> {
    pub(super) fn condition(&mut self, place: Span, line: &[Lexeme]) -> Result<bool, Diagnostic> {
        let tokens = self.known(line)?;
        let mut parser = Condition {
            names: self.names,
            tokens: &tokens,
            at: 0,
            place,
            depth: 0,
        };
        let value = parser.binary(0)?;
        match parser.tokens.get(parser.at) {
            None => Ok(value != 0),
            Some(_) => Err(parser.wrong()),
        }
    }

    /// The line with `defined` answered and macros expanded.
    fn known(&mut self, line: &[Lexeme]) -> Result<Vec<Lexeme>, Diagnostic> {
        let mut input = expand::Input::new(&[]);
        let mut pending = Vec::new();
        let mut at = 0;
        while let Some(lexeme) = line.get(at) {
            at += 1;
            let mut lexeme = *lexeme;
            if lexeme.token == Token::Word && self.names.text(lexeme.text) == "defined" {
                let round = line.get(at).is_some_and(|l| l.token == Token::LeftRound);
                at += usize::from(round);
                let Some(name) = line.get(at).filter(|l| l.token == Token::Word) else {
                    return Err(
                        Diagnostic::error(lexeme.span, "expected the name of a macro")
                            .label("as in `defined(NAME)`"),
                    );
                };
                at += 1 + usize::from(round);
                let digit = if self.macros.contains_key(&name.text) {
                    "1"
                } else {
                    "0"
                };
                lexeme.token = Token::Number;
                lexeme.text = self.names.intern(digit);
            }
            pending.push(Pending { lexeme, origin: 0 });
        }
        for one in pending.into_iter().rev() {
            input.push(one);
        }
        let mut known = Vec::new();
        while let Some(next) = self.next_expanded(&mut input)? {
            known.push(next.pending.lexeme);
        }
        Ok(known)
    }
}

struct Condition<'a> {
    names: &'a Names,
    tokens: &'a [Lexeme],
    at: usize,
    place: Span,
    depth: usize,
}

impl Condition<'_> {
    fn wrong(&self) -> Diagnostic {
        let span = self.tokens.get(self.at).map_or(self.place, |l| l.span);
        Diagnostic::error(span, "this condition cannot be read")
            .label("expected an expression of numbers, macros and `defined(NAME)`")
    }

    fn take(&mut self) -> Option<Lexeme> {
        let lexeme = self.tokens.get(self.at).copied();
        self.at += 1;
        lexeme
    }

    fn binary(&mut self, least: u8) -> Result<i64, Diagnostic> {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.tokens.get(self.at).and_then(|l| {
            let strength = strength(l.token)?;
            Some((l.token, strength))
        }) {
            if strength < least {
                break;
            }
            self.at += 1;
            let right = self.binary(strength + 1)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None => {
                    return Err(Diagnostic::error(
                        self.place,
                        "division by zero in a condition",
                    ));
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Diagnostic> {
        self.depth += 1;
        if self.depth > DEPTH {
            let message = format!("nested more than {DEPTH} levels deep");
            return Err(Diagnostic::error(self.place, message).label("too deep"));
        }
        let at = self.at;
        let value = match self.take().map(|l| (l.token, l.text)) {
            Some((Token::Bang, _)) => i64::from(self.unary()? == 0),
            Some((Token::Minus, _)) => self.unary()?.wrapping_neg(),
            Some((Token::Plus, _)) => self.unary()?,
            Some((Token::Tilde, _)) => !self.unary()?,
            Some((Token::LeftRound, _)) => {
                let value = self.binary(0)?;
                match self.take() {
                    Some(l) if l.token == Token::RightRound => value,
                    _ => {
                        self.at = at;
                        return Err(self.wrong());
                    }
                }
            }
            Some((Token::Number, text)) => number(self.names.text(text)).ok_or_else(|| {
                self.at = at;
                self.wrong()
            })?,
            Some((Token::Char, text)) => {
                let text = self.names.text(text);
                i64::from(text.as_bytes().get(1).copied().unwrap_or(0))
            }
            // A name that is no macro counts as 0, as in C.
            Some((Token::Word, _)) => 0,
            _ => {
                self.at = at;
                return Err(self.wrong());
            }
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => i64::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

fn strength(token: Token) -> Option<u8> {
    Some(match token {
        Token::OrOr => 1,
        Token::AndAnd => 2,
        Token::Or => 3,
        Token::Circumflex => 4,
        Token::And => 5,
        Token::Equal | Token::NotEqual => 6,
        Token::Less | Token::LessEqual | Token::Greater | Token::GreaterEqual => 7,
        Token::ShiftLeft | Token::ShiftRight => 8,
        Token::Plus | Token::Minus => 9,
        Token::Star | Token::Slash | Token::Percent => 10,
        _ => return None,
    })
}

fn apply(operator: Token, a: i64, b: i64) -> Option<i64> {
    let truth = i64::from;
    Some(match operator {
        Token::OrOr => truth(a != 0 || b != 0),
        Token::AndAnd => truth(a != 0 && b != 0),
        Token::Or => a | b,
        Token::Circumflex => a ^ b,
        Token::And => a & b,
        Token::Equal => truth(a == b),
        Token::NotEqual => truth(a != b),
        Token::Less => truth(a < b),
        Token::LessEqual => truth(a <= b),
        Token::Greater => truth(a > b),
        Token::GreaterEqual => truth(a >= b),
        Token::ShiftLeft => a.wrapping_shl(b as u32),
        Token::ShiftRight => a.wrapping_shr(b as u32),
        Token::Plus => a.wrapping_add(b),
        Token::Minus => a.wrapping_sub(b),
        Token::Star => a.wrapping_mul(b),
        Token::Slash if b == 0 => return None,
        Token::Slash => a.wrapping_div(b),
        Token::Percent if b == 0 => return None,
        Token::Percent => a.wrapping_rem(b),
        _ => return None,
    })
}
