//! What is sent to and received from channels.

use suppose_source::Cursor;
use suppose_source::Diagnostic;

use super::{Parsed, Parser};
use crate::promela::ast::{Expr, ExprKind, Pattern, StmtKind, VarRef};
use crate::promela::lexer::Token;

impl Parser<'_> {
    /// `c ? [patterns]`, or the variable itself.
    pub(super) fn poll_or(&mut self, variable: VarRef) -> Parsed<ExprKind> {
        let query = matches!(self.token(), Token::Query | Token::QueryQuery);
        if !query || self.ahead(1) != Token::LeftSquare {
            return Ok(ExprKind::Var(variable));
        }
        let any = self.token() == Token::QueryQuery;
        self.next();
        self.next();
        let mut patterns = Vec::new();
        self.patterns(&mut patterns)?;
        self.expect(Token::RightSquare, "]")?;
        Ok(ExprKind::Poll {
            channel: variable,
            patterns,
            any,
        })
    }

    pub(super) fn send(&mut self, channel: VarRef) -> Parsed<StmtKind> {
        let sorted = self.token() == Token::BangBang;
        self.next();
        let mut values: Vec<Expr> = Vec::new();
        loop {
            // In `c!name(a, b)` the name is the first field.
            let tagged = self.token() == Token::Word && self.ahead(1) == Token::LeftRound;
            if tagged && values.is_empty() {
                let name = self.var_ref()?;
                let span = name.span;
                let kind = ExprKind::Var(name);
                values.push(Expr { kind, span });
                self.next();
                values.extend(self.arguments()?);
                break;
            }
            values.push(self.part()?);
            if values.len() == 1 && self.eat(Token::LeftRound) {
                values.extend(self.arguments()?);
                break;
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        Ok(StmtKind::Send {
            channel,
            values,
            sorted,
        })
    }

    pub(super) fn receive(&mut self, channel: VarRef) -> Parsed<StmtKind> {
        let any = self.token() == Token::QueryQuery;
        self.next();
        let keep = self.eat(Token::Less);
        let mut patterns = Vec::new();
        self.patterns(&mut patterns)?;
        if keep {
            self.expect(Token::Greater, ">")?;
        }
        Ok(StmtKind::Receive {
            channel,
            patterns,
            any,
            keep,
        })
    }

    fn patterns(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        let _level = self.enter()?;
        loop {
            if self.eat(Token::LeftRound) {
                self.patterns(patterns)?;
                self.expect(Token::RightRound, ")")?;
            } else {
                let pattern = self.pattern()?;
                patterns.push(pattern);
                if self.eat(Token::LeftRound) {
                    self.patterns(patterns)?;
                    self.expect(Token::RightRound, ")")?;
                }
            }
            if !self.eat(Token::Comma) {
                return Ok(());
            }
        }
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        match self.token() {
            Token::Eval => {
                self.next();
                self.expect(Token::LeftRound, "(")?;
                let value = self.part()?;
                self.expect(Token::RightRound, ")")?;
                Ok(Pattern::Eval(value))
            }
            Token::Minus => {
                self.next();
                if !matches!(self.token(), Token::Number | Token::Char) {
                    return Err(self.expected("a number"));
                }
                let value = self.number()?;
                Ok(Pattern::Const(value.wrapping_neg()))
            }
            Token::Number | Token::Char => {
                let value = self.number()?;
                Ok(Pattern::Const(value))
            }
            Token::Word => match self.word() {
                "true" | "skip" => {
                    self.next();
                    Ok(Pattern::Const(1))
                }
                "false" => {
                    self.next();
                    Ok(Pattern::Const(0))
                }
                _ => Ok(Pattern::Var(self.var_ref()?)),
            },
            _ => Err(self.no_pattern()),
        }
    }

    fn no_pattern(&self) -> Diagnostic {
        self.expected("a variable, a constant or `eval(...)`")
            .help("a value to compare with is written `eval(expression)`")
    }
}
