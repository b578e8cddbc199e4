//! Processes and their local processes.

use super::{Parsed, Parser, Token};
use crate::fsp::ast::{Body, Branch, Instance, Local, Modifiers, Process, Reference};
use suppose_source::Cursor;
use suppose_source::Diagnostic;

impl Parser<'_> {
    pub(super) fn process(&mut self, modifiers: Modifiers) -> Parsed<Process> {
        let name = self.ident(Token::Upper, "the name of a process")?;
        let parameters = self.parameters()?;
        if self.token() == Token::LeftSquare {
            return Err(Diagnostic::error(
                self.span(),
                "the name of a process cannot have an index",
            )
            .label("only local processes have indices")
            .help(format!(
                "write `{0} = {0}[0], {0}[i:0..2] = ...`",
                name.text
            )));
        }
        self.becomes()?;
        let body = self.body()?;
        let mut locals = vec![Local {
            name: name.clone(),
            indices: Vec::new(),
            body,
        }];
        while self.eat(Token::Comma) {
            locals.push(self.local()?);
        }
        let extension = match self.eat(Token::Plus) {
            true => Some(self.set()?),
            false => None,
        };
        let relabels = self.relabels()?;
        let hiding = self.hiding()?;
        self.full_stop(name.span, "`.` or `,` after the process")?;
        Ok(Process {
            name,
            modifiers,
            parameters,
            locals,
            extension,
            relabels,
            hiding,
        })
    }

    fn local(&mut self) -> Parsed<Local> {
        let name = self.ident(Token::Upper, "the name of a local process")?;
        let indices = self.indices()?;
        self.becomes()?;
        let body = self.body()?;
        Ok(Local {
            name,
            indices,
            body,
        })
    }

    fn becomes(&mut self) -> Parsed<()> {
        if self.token() == Token::At {
            return Err(
                Diagnostic::error(self.span(), "accepting states are not supported")
                    .label("marks an accepting state")
                    .help("write a safety property as `property`, or as `assert`"),
            );
        }
        self.expect(Token::Becomes, "=")?;
        Ok(())
    }

    fn body(&mut self) -> Parsed<Body> {
        let _level = self.enter()?;
        match self.token() {
            Token::Upper => Ok(Body::Refer(self.reference()?)),
            Token::If => {
                self.next();
                let condition = self.expression()?;
                self.expect(Token::Then, "then")?;
                let then = Box::new(self.body()?);
                let otherwise = match self.eat(Token::Else) {
                    true => Some(Box::new(self.body()?)),
                    false => None,
                };
                Ok(Body::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            Token::LeftRound => {
                self.next();
                let mut branches = vec![self.branch()?];
                while self.eat(Token::Or) {
                    branches.push(self.branch()?);
                }
                if self.token() != Token::RightRound {
                    let it = self.expected("`|` or `)`");
                    return Err(match self.token() {
                        Token::OrOr => it.help(
                            "`||` composes whole processes, in a definition `||NAME = (P || Q).`; a choice is `|`",
                        ),
                        _ => it.help("every `(` of a choice needs its `)`"),
                    });
                }
                self.next();
                Ok(Body::Choice(branches))
            }
            Token::Lower | Token::LeftCurly | Token::LeftSquare => Err(self
                .expected("`(`, `if` or the name of a process")
                .help("write an action and its continuation in parentheses: `(a -> P)`")),
            _ => Err(self.expected("`(`, `if` or the name of a process")),
        }
    }

    fn branch(&mut self) -> Parsed<Branch> {
        let guard = match self.eat(Token::When) {
            true => Some(self.expression()?),
            false => None,
        };
        if self.token() == Token::Upper && !self.is_set_name() {
            return Err(self
                .expected("an action")
                .help("every branch of a choice starts with an action: `(a -> P | b -> Q)`"));
        }
        let mut actions = Vec::new();
        while actions.is_empty() || self.starts_label() {
            actions.push(self.label()?);
            if !self.eat(Token::Arrow) {
                let it = self.expected("`->`");
                return Err(it.help("an action is followed by `->` and its continuation"));
            }
        }
        let next = self.body()?;
        Ok(Branch {
            guard,
            actions,
            next,
        })
    }

    fn reference(&mut self) -> Parsed<Reference> {
        let start = self.span();
        let mut before = Vec::new();
        let mut name = self.ident(Token::Upper, "the name of a process")?;
        while matches!(self.token(), Token::Semicolon | Token::LeftRound) {
            let arguments = self.arguments()?;
            if self.token() != Token::Semicolon {
                return Err(self.expected("`;`").help(format!(
                    "a process with parameters is used in sequence, as in `{}(1);END`",
                    name.text
                )));
            }
            self.next();
            before.push(Instance { name, arguments });
            name = self.ident(Token::Upper, "the name of a process")?;
        }
        let mut indices = Vec::new();
        while self.eat(Token::LeftSquare) {
            indices.push(self.expression()?);
            self.expect(Token::RightSquare, "]")?;
        }
        let span = self.since(start);
        Ok(Reference {
            before,
            name,
            indices,
            span,
        })
    }
}
