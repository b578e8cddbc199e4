//! Formulas of linear temporal logic.

use super::{Parsed, Parser};
use crate::promela::ast::{Expr, ExprKind, Temporal};
use crate::promela::lexer::Token;
use suppose_source::Cursor;

impl Parser<'_> {
    /// Do the current token and the next touch each other?
    fn touches(&self) -> bool {
        let next = self.lexemes.get(self.at + 1);
        next.is_some_and(|n| n.span.start == self.span().end && n.span.file == self.span().file)
    }

    fn pair(&self, first: Token, second: Token) -> bool {
        self.token() == first && self.ahead(1) == second && self.touches()
    }

    /// Does `[]`, `<>`, `<->`, `/\` or `\/` start here?
    pub(super) fn is_temporal_ahead(&self) -> bool {
        self.pair(Token::LeftSquare, Token::RightSquare)
            || self.pair(Token::Less, Token::Greater)
            || self.pair(Token::Less, Token::Arrow)
            || self.pair(Token::Slash, Token::Backslash)
    }

    /// `&&` or `||`, in a formula also `/\` or `\/`.
    pub(super) fn is_connective(&self, token: Token) -> bool {
        let pair = match token {
            Token::AndAnd => (Token::Slash, Token::Backslash),
            _ => (Token::Backslash, Token::Slash),
        };
        self.token() == token || (self.ltl && self.pair(pair.0, pair.1))
    }

    /// A unary operator of temporal logic, taken.
    pub(super) fn temporal_prefix(&mut self) -> Option<Temporal> {
        let (operator, width) = match self.token() {
            _ if self.pair(Token::LeftSquare, Token::RightSquare) => (Temporal::Always, 2),
            _ if self.pair(Token::Less, Token::Greater) => (Temporal::Eventually, 2),
            Token::Word => match self.word() {
                "X" | "next" => (Temporal::Next, 1),
                "always" => (Temporal::Always, 1),
                "eventually" => (Temporal::Eventually, 1),
                _ => return None,
            },
            _ => return None,
        };
        (0..width).for_each(|_| self.next());
        Some(operator)
    }

    /// `->` and `<->`, grouped to the left.
    pub(super) fn implication(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let mut left = self.any_of()?;
        let mut length = 0;
        loop {
            let operator = match self.token() {
                Token::Arrow => Temporal::Implies,
                _ if self.pair(Token::Less, Token::Arrow) => {
                    self.next();
                    Temporal::Equivalent
                }
                Token::Word if self.word() == "implies" => Temporal::Implies,
                Token::Word if self.word() == "equivalent" => Temporal::Equivalent,
                _ => return Ok(left),
            };
            self.next();
            length += 1;
            if length > 100 {
                return Err(self.expected("fewer temporal operators in a row"));
            }
            let right = self.any_of()?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Temporal(operator, vec![left, right]);
            left = Expr { kind, span };
        }
    }

    /// `p U q` and its like bind more strongly than `&&`.
    pub(super) fn until(&mut self) -> Parsed<Expr> {
        let mut left = self.binary(0)?;
        let mut length = 0;
        while self.ltl && self.token() == Token::Word {
            let operator = match self.word() {
                "U" | "until" | "stronguntil" => Temporal::Until,
                "W" | "weakuntil" => Temporal::WeakUntil,
                "V" | "R" | "release" => Temporal::Release,
                _ => break,
            };
            self.next();
            length += 1;
            if length > 100 {
                return Err(self.expected("fewer temporal operators in a row"));
            }
            let right = self.binary(0)?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Temporal(operator, vec![left, right]);
            left = Expr { kind, span };
        }
        Ok(left)
    }
}
