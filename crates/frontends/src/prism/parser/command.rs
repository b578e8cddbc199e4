//! Commands and what they assign.

use suppose_source::Cursor;
use suppose_source::Diagnostic;

use super::super::ast::{Command, Expr, Ident, Update};
use super::super::lexer::Token;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `[a] guard -> p : (x'=1) + q : true;`
    pub(super) fn command(&mut self) -> Parsed<Command> {
        let start = self.span();
        self.next();
        let action = match self.token() {
            Token::RightSquare => None,
            _ => Some(self.ident("an action or `]`")?),
        };
        self.expect(Token::RightSquare, "]")?;
        let guard = self.expr()?;
        self.expect(Token::Arrow, "->")?;
        let updates = self.updates()?;
        self.expect(Token::Semicolon, ";")?;
        Ok(Command {
            action,
            guard,
            updates,
            span: self.since(start),
        })
    }

    fn updates(&mut self) -> Parsed<Vec<Update>> {
        if self.token() == Token::LeftSquare {
            return Err(Diagnostic::error(
                self.span(),
                "intervals of probabilities are not read",
            ));
        }
        if self.at_update() {
            let start = self.span();
            let assignments = self.assignments()?;
            return Ok(vec![Update {
                probability: None,
                assignments,
                span: self.since(start),
            }]);
        }
        let mut updates = Vec::new();
        loop {
            let start = self.span();
            let probability = Some(self.expr()?);
            self.expect(Token::Colon, ":")?;
            let assignments = self.assignments()?;
            updates.push(Update {
                probability,
                assignments,
                span: self.since(start),
            });
            if !self.eat(Token::Plus) {
                return Ok(updates);
            }
        }
    }

    /// Does an assignment or `true` come, rather than a probability?
    fn at_update(&self) -> bool {
        match self.token() {
            Token::True => self.ahead(1) == Token::Semicolon,
            Token::LeftRound => self.ahead(1) == Token::Word && self.ahead(2) == Token::Prime,
            Token::Word => self.ahead(1) == Token::Prime,
            // No probability starts with these, so say what is wrong with an assignment.
            Token::Semicolon => true,
            _ => false,
        }
    }

    /// `(x'=1) & (y'=2)`, or `true` for none.
    fn assignments(&mut self) -> Parsed<Vec<(Ident, Expr)>> {
        if self.eat(Token::True) {
            return Ok(Vec::new());
        }
        let mut assignments = Vec::new();
        loop {
            if self.token() == Token::Word && self.ahead(1) == Token::Prime {
                return Err(self
                    .expected("`(`")
                    .help("an assignment has round brackets: (x'=1)"));
            }
            self.expect(Token::LeftRound, "(")
                .map_err(|e| e.help("write `(x'=1)`, or `true` to change nothing"))?;
            let variable = self.ident("the name of a variable")?;
            self.expect(Token::Prime, "'")?;
            self.expect(Token::Equal, "=")?;
            let value = self.expr()?;
            self.expect(Token::RightRound, ")")?;
            assignments.push((variable, value));
            if !self.eat(Token::And) {
                return Ok(assignments);
            }
        }
    }
}
