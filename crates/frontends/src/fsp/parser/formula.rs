//! Assertions in fluent linear temporal logic.

use super::{Parsed, Parser, Token};
use crate::fsp::ast::{Claim, ClaimKind, Formula};
use suppose_source::Cursor;

type Pair = fn(Box<Formula>, Box<Formula>) -> Formula;

impl Parser<'_> {
    pub(super) fn claim(&mut self) -> Parsed<Claim> {
        let kind = match self.token() {
            Token::Constraint => ClaimKind::Constraint,
            Token::LtlProperty => ClaimKind::LtlProperty,
            _ => ClaimKind::Assert,
        };
        self.next();
        let name = self.ident(Token::Upper, "the name of an assertion")?;
        let parameters = self.parameters()?;
        self.expect(Token::Becomes, "=")?;
        let formula = self.formula_unary()?;
        if self.is_formula_operator() {
            return Err(self.expected("the end of the assertion").help(
                "put a formula with several operators in parentheses: `assert A = (p && q)`",
            ));
        }
        let extension = match self.eat(Token::Plus) {
            true => Some(self.set()?),
            false => None,
        };
        Ok(Claim {
            kind,
            name,
            parameters,
            formula,
            extension,
        })
    }

    /// `||` is missing on purpose: after an assertion it starts a composition.
    fn is_formula_operator(&self) -> bool {
        match self.token() {
            Token::AndAnd | Token::Arrow | Token::Equivalent => true,
            _ => self.is_word("U") || self.is_word("W"),
        }
    }

    /// `X`, `U` and `W` are operators in formulas, unless a definition of that name starts.
    fn is_word(&self, word: &str) -> bool {
        self.token() == Token::Upper
            && self.current_text() == word
            && self.ahead(1) != Token::Becomes
    }

    fn formula_or(&mut self) -> Parsed<Formula> {
        let first = self.formula_pair()?;
        if self.token() != Token::OrOr {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Token::OrOr) {
            parts.push(self.formula_pair()?);
        }
        Ok(Formula::Or(parts))
    }

    fn formula_pair(&mut self) -> Parsed<Formula> {
        let left = self.formula_and()?;
        let make: Pair = match self.token() {
            Token::Arrow => Formula::Implies,
            Token::Equivalent => Formula::Equivalent,
            _ if self.is_word("U") => Formula::Until,
            _ if self.is_word("W") => Formula::WeakUntil,
            _ => return Ok(left),
        };
        self.next();
        let right = self.formula_and()?;
        Ok(make(Box::new(left), Box::new(right)))
    }

    fn formula_and(&mut self) -> Parsed<Formula> {
        let first = self.formula_unary()?;
        if self.token() != Token::AndAnd {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Token::AndAnd) {
            parts.push(self.formula_unary()?);
        }
        Ok(Formula::And(parts))
    }

    fn formula_unary(&mut self) -> Parsed<Formula> {
        let _level = self.enter()?;
        match self.token() {
            Token::Not => self.formula_prefix(Formula::Not),
            Token::Always => self.formula_prefix(Formula::Always),
            Token::Eventually => self.formula_prefix(Formula::Eventually),
            _ if self.is_word("X") => self.formula_prefix(Formula::Next),
            Token::LeftRound => {
                self.next();
                let inner = self.formula_or()?;
                self.expect(Token::RightRound, ")")?;
                Ok(inner)
            }
            Token::Forall | Token::Exists => {
                let exists = self.token() == Token::Exists;
                self.next();
                let ranges = self.ranges()?;
                let inner = Box::new(self.formula_unary()?);
                Ok(Formula::Quantified {
                    exists,
                    ranges,
                    inner,
                })
            }
            Token::Rigid => {
                self.next();
                Ok(Formula::Rigid(self.simple_expression()?))
            }
            Token::Upper if !self.is_set_name() => {
                let name = self.ident(Token::Upper, "a fluent")?;
                let indices = self.indices()?;
                let arguments = match indices.is_empty() {
                    true => self.arguments()?,
                    false => None,
                };
                Ok(Formula::Name {
                    name,
                    indices,
                    arguments,
                })
            }
            _ if self.starts_label() => Ok(Formula::Actions(self.label()?)),
            _ => Err(self.expected("a formula")),
        }
    }

    fn formula_prefix(&mut self, make: fn(Box<Formula>) -> Formula) -> Parsed<Formula> {
        self.next();
        Ok(make(Box::new(self.formula_unary()?)))
    }
}
