//! Inlines: the arguments of a call take the place of the parameters, word for word.

use std::rc::Rc;
use suppose_source::Cursor;

use suppose_source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::promela::ast::{StmtKind, VarRef};
use crate::promela::lexer::{Lexeme, Sym, Token, counted};

/// How deep inlines may call inlines.
const CALLS: usize = 64;
/// How many tokens inlines may make of one program.
const PUT_IN: usize = 8 << 20;

pub(super) struct Inline {
    parameters: Vec<Sym>,
    /// From brace to brace, then [`Token::End`].
    body: Vec<Lexeme>,
    span: Span,
}

impl Parser<'_> {
    /// `inline name(parameters) { body }`.
    pub(super) fn inline(&mut self) -> Parsed<()> {
        self.next();
        let name = self.ident("the name of the inline")?;
        self.expect(Token::LeftRound, "(")?;
        let mut parameters = Vec::new();
        while self.token() != Token::RightRound {
            parameters.push(self.ident("the name of a parameter")?.name);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightRound, ")")?;
        while self.eat(Token::Semicolon) {}
        let start = self.at;
        let open = self.expect(Token::LeftCurly, "{")?;
        let mut braces = 1usize;
        while braces > 0 {
            match self.token() {
                Token::LeftCurly => braces += 1,
                Token::RightCurly => braces -= 1,
                Token::End => {
                    return Err(self
                        .expected("`}`")
                        .note(open, "the body of the inline starts here"));
                }
                _ => {}
            }
            self.next();
        }
        let mut body = self.lexemes[start..self.at].to_vec();
        body.push(Lexeme {
            token: Token::End,
            span: self.lexemes[self.at - 1].span,
            ..self.lexemes[self.at - 1]
        });
        let it = Inline {
            parameters,
            body,
            span: name.span,
        };
        if let Some(other) = self.inlines.insert(name.name, Rc::new(it)) {
            let message = format!(
                "the inline `{}` is defined twice",
                self.names.text(name.name)
            );
            return Err(Diagnostic::error(name.span, message)
                .label("again here")
                .note(other.span, "first defined here"));
        }
        Ok(())
    }

    /// Is this a call of an inline?
    pub(super) fn is_call(&self) -> bool {
        self.token() == Token::Word
            && self.ahead(1) == Token::LeftRound
            && self.inlines.contains_key(&self.lexeme().text)
    }

    /// A call: a block. `result` is where `return` puts its value.
    pub(super) fn call(&mut self, result: Option<VarRef>) -> Parsed<StmtKind> {
        let _level = self.enter()?;
        let name = self.ident("the name of an inline")?;
        let Some(inline) = self.inlines.get(&name.name).cloned() else {
            return Err(self.expected("the name of an inline"));
        };
        let arguments = self.call_arguments()?;
        self.check_call(name.name, name.span, &inline, arguments.len())?;
        let body = self.put_in(&inline, &arguments, name.span)?;

        let outer = (std::mem::replace(&mut self.lexemes, body.into()), self.at);
        self.at = 0;
        self.calls.push(name.name);
        self.returns.push(result);
        let block = self.block();
        self.returns.pop();
        self.calls.pop();
        (self.lexemes, self.at) = outer;
        let block = block.map_err(|it| it.note(name.span, "in the inline called here"))?;
        Ok(StmtKind::Block(block))
    }

    fn check_call(&self, name: Sym, span: Span, inline: &Inline, given: usize) -> Parsed<()> {
        let shown = self.names.text(name);
        if self.calls.contains(&name) || self.calls.len() >= CALLS {
            return Err(
                Diagnostic::error(span, format!("the inline `{shown}` calls itself"))
                    .label("called here")
                    .help("an inline is put in where it is called, so it cannot be recursive"),
            );
        }
        if given != inline.parameters.len() {
            let message = format!(
                "the inline `{shown}` takes {}, found {given}",
                counted(inline.parameters.len(), "argument")
            );
            return Err(Diagnostic::error(span, message)
                .label("called here")
                .note(inline.span, "defined here"));
        }
        Ok(())
    }

    /// The tokens of each argument.
    fn call_arguments(&mut self) -> Parsed<Vec<Vec<Lexeme>>> {
        let open = self.expect(Token::LeftRound, "(")?;
        let mut arguments = Vec::new();
        let mut current = Vec::new();
        let mut nested = 0usize;
        loop {
            match self.token() {
                Token::End => return Err(self.expected("`)`").note(open, "opened here")),
                Token::RightRound if nested == 0 => break,
                Token::Comma if nested == 0 => {
                    arguments.push(std::mem::take(&mut current));
                    self.next();
                    continue;
                }
                Token::LeftRound | Token::LeftSquare => nested += 1,
                Token::RightRound | Token::RightSquare => nested = nested.saturating_sub(1),
                _ => {}
            }
            current.push(Lexeme {
                newline: false,
                argument: true,
                ..self.lexeme()
            });
            self.next();
        }
        self.next();
        if !current.is_empty() || !arguments.is_empty() {
            arguments.push(current);
        }
        Ok(arguments)
    }

    fn put_in(
        &mut self,
        inline: &Inline,
        arguments: &[Vec<Lexeme>],
        span: Span,
    ) -> Parsed<Vec<Lexeme>> {
        let mut body = Vec::with_capacity(inline.body.len());
        let mut field = false;
        for lexeme in &inline.body {
            let number = match lexeme.token {
                Token::Word if !field => inline.parameters.iter().position(|p| *p == lexeme.text),
                _ => None,
            };
            field = lexeme.token == Token::Dot;
            match number {
                Some(number) => body.extend(arguments[number].iter().copied()),
                None => body.push(*lexeme),
            }
            if self.put_in + body.len() > PUT_IN {
                let message = format!("inlines make more than {PUT_IN} tokens of this program");
                return Err(Diagnostic::error(span, message)
                    .label("the expansion starts here")
                    .help("look for inlines that call each other several times"));
            }
        }
        self.put_in += body.len();
        Ok(body)
    }
}
