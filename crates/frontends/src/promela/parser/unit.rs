//! What a program is made of.

use suppose_source::Cursor;
use suppose_source::{Diagnostic, Span};

use super::{ERRORS, Parsed, Parser};
use crate::promela::ast::{BodyOf, Decl, Expr, ExprKind, Ident, Ltl, Never, Proctype, Trace};
use crate::promela::lexer::Token;

/// Does something new start here, whatever came before?
fn starts_unit(token: Token) -> bool {
    matches!(
        token,
        Token::Proctype
            | Token::DProctype
            | Token::Active
            | Token::Init
            | Token::Never
            | Token::Ltl
            | Token::Typedef
            | Token::Inline
            | Token::Trace
            | Token::NoTrace
    )
}

impl Parser<'_> {
    pub(super) fn units(&mut self) {
        while self.token() != Token::End {
            let start = self.at;
            if let Err(error) = self.unit() {
                self.errors.push(error);
                self.recover(start);
                if self.errors.len() >= ERRORS {
                    return;
                }
            }
        }
    }

    /// On to where something new starts.
    fn recover(&mut self, start: usize) {
        self.ltl = false;
        self.calls.clear();
        self.returns.clear();
        if self.at == start {
            self.next();
        }
        while self.token() != Token::End && !starts_unit(self.token()) {
            self.next();
        }
    }

    fn unit(&mut self) -> Parsed<()> {
        match self.token() {
            Token::Semicolon | Token::Arrow => self.next(),
            Token::Active | Token::Proctype | Token::DProctype => {
                let it = self.proctype()?;
                self.program.proctypes.push(it);
                self.program.bodies.push(BodyOf::Proctype);
            }
            Token::Init => {
                let it = self.init_process()?;
                self.program.proctypes.push(it);
                self.program.bodies.push(BodyOf::Proctype);
            }
            Token::Never => {
                let it = self.never()?;
                self.program.nevers.push(it);
                self.program.bodies.push(BodyOf::Never);
            }
            Token::Ltl => {
                let it = self.ltl();
                self.ltl = false;
                self.program.ltls.push(it?);
            }
            Token::Trace | Token::NoTrace => self.trace()?,
            Token::Typedef => {
                let it = self.typedef()?;
                self.program.typedefs.push(it);
            }
            Token::Inline => self.inline()?,
            Token::Mtype => match self.symbols()? {
                Some(it) => self.program.symbols.push(it),
                None => self.global()?,
            },
            Token::Code => return Err(self.refused_code()),
            _ if self.is_decl() => self.global()?,
            _ => return Err(self.no_unit()),
        }
        Ok(())
    }

    fn no_unit(&self) -> Diagnostic {
        let it = self.expected("a declaration or a process");
        match self.token() {
            Token::Word if self.ahead(1) == Token::Word => {
                it.help(format!("there is no type `{}`", self.word()))
            }
            Token::RightCurly => it.help("a `{` may be missing before"),
            Token::Exclusive => it.help("`xr` and `xs` belong into the body of a process"),
            _ => it.help(
                "statements belong into the body of a process: `active proctype P() { ... }`",
            ),
        }
    }

    fn global(&mut self) -> Parsed<()> {
        let it = self.decl()?;
        self.program.globals.push(it);
        // What follows may start at once: SPIN asks for no separator here.
        match self.token() {
            Token::Semicolon | Token::Arrow | Token::End => Ok(()),
            _ if starts_unit(self.token()) || self.is_decl() => Ok(()),
            _ if self.token() == Token::Code => Err(self.refused_code()),
            _ => Err(self.expected("`,` or `;` after the variable")),
        }
    }

    pub(super) fn priority(&mut self) -> Parsed<Option<u8>> {
        if !self.eat(Token::Priority) {
            return Ok(None);
        }
        let span = self.span();
        if self.token() != Token::Number {
            return Err(self.expected("a number"));
        }
        match u8::try_from(self.number()?) {
            Ok(priority) if priority > 0 => Ok(Some(priority)),
            _ => Err(Diagnostic::error(span, "this is not a priority")
                .label("expected a number from 1 to 255")),
        }
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let start = self.span();
        let mut active = None;
        if self.eat(Token::Active) {
            let span = self.span();
            let mut number = Expr {
                kind: ExprKind::Const(1),
                span,
            };
            if self.eat(Token::LeftSquare) {
                number = self.expr()?;
                self.expect(Token::RightSquare, "]")?;
            }
            active = Some(number);
        }
        if self.token() == Token::DProctype {
            self.warnings.push(
                Diagnostic::warning(self.span(), "`D_proctype` is read as `proctype`")
                    .label("that it is deterministic is not checked"),
            );
        }
        if !self.eat(Token::Proctype) && !self.eat(Token::DProctype) {
            return Err(self.expected("`proctype`"));
        }
        let name = self.ident("the name of the proctype")?;
        self.expect(Token::LeftRound, "(")?;
        let parameters = self.parameters()?;
        let priority = self.priority()?;
        let mut provided = None;
        if self.eat(Token::Provided) {
            self.expect(Token::LeftRound, "(")?;
            provided = Some(self.expr()?);
            self.expect(Token::RightRound, ")")?;
        }
        let body_start = self.span();
        let body = self.block()?;
        let end = self.last();
        Ok(Proctype {
            name,
            active,
            parameters,
            priority,
            provided,
            body,
            span: start.to(end),
            globals: self.program.globals.len(),
            body_span: body_start.to(end),
            end,
        })
    }

    fn last(&self) -> Span {
        self.lexemes[self.at.saturating_sub(1)].span
    }

    fn parameters(&mut self) -> Parsed<Vec<Decl>> {
        let mut parameters = Vec::new();
        loop {
            while self.eat(Token::Semicolon) {}
            if self.eat(Token::RightRound) {
                return Ok(parameters);
            }
            if !self.is_decl() {
                return Err(self.expected("a parameter such as `byte x`, or `)`"));
            }
            let decl = self.decl()?;
            if let Some(variable) = decl
                .variables
                .iter()
                .find(|v| v.init.is_some() || v.length.is_some())
            {
                let what = if variable.init.is_some() {
                    "has no initial value"
                } else {
                    "is not an array"
                };
                return Err(
                    Diagnostic::error(variable.name.span, format!("a parameter {what}"))
                        .label("this parameter"),
                );
            }
            parameters.push(decl);
            if !matches!(self.token(), Token::Semicolon | Token::RightRound) {
                return Err(self.expected("`;` or `)` after the parameter"));
            }
        }
    }

    fn init_process(&mut self) -> Parsed<Proctype> {
        let start = self.span();
        let name = Ident {
            name: self.names.intern("init"),
            span: start,
        };
        self.next();
        let priority = self.priority()?;
        let body_start = self.span();
        let body = self.block()?;
        let end = self.last();
        let active = Some(Expr {
            kind: ExprKind::Const(1),
            span: start,
        });
        Ok(Proctype {
            name,
            active,
            parameters: Vec::new(),
            priority,
            provided: None,
            body,
            span: start.to(end),
            globals: self.program.globals.len(),
            body_span: body_start.to(end),
            end,
        })
    }

    fn optional_name(&mut self) -> Option<Ident> {
        match self.token() {
            Token::Word => self.ident("a name").ok(),
            _ => None,
        }
    }

    fn never(&mut self) -> Parsed<Never> {
        let (first, start) = (self.at, self.span());
        self.next();
        let name = self.optional_name();
        let body = self.block()?;
        let end = self.last();
        let progress = self.asks_progress(first);
        Ok(Never {
            name,
            body,
            progress,
            span: start.to(end),
            end,
        })
    }

    /// Is there an `np_` in what was read from there on?
    fn asks_progress(&self, first: usize) -> bool {
        let tokens = &self.lexemes[first..self.at];
        tokens.iter().any(|l| l.token == Token::Nonprogress)
    }

    fn ltl(&mut self) -> Parsed<Ltl> {
        let start = self.span();
        self.next();
        let name = self.optional_name();
        self.expect(Token::LeftCurly, "{")?;
        self.ltl = true;
        let first = self.at;
        let formula = self.expr()?;
        let text = self.written(first, self.at);
        let progress = self.asks_progress(first);
        while self.eat(Token::Semicolon) {}
        if self.token() != Token::RightCurly {
            return Err(self.expected("an operator of temporal logic or `}`"));
        }
        self.next();
        Ok(Ltl {
            name,
            formula,
            progress,
            text,
            span: self.since(start),
        })
    }

    fn trace(&mut self) -> Parsed<()> {
        let first = self.at;
        let forbidden = self.token() == Token::NoTrace;
        let name = Ident {
            name: self.lexeme().text,
            span: self.span(),
        };
        self.next();
        if let Some(other) = self.program.traces.first() {
            let it = Diagnostic::error(name.span, "there is more than one `trace` or `notrace`");
            return Err(it.label("again here").note(other.name.span, "first here"));
        }
        let body = self.block()?;
        let text = self.written(first, self.at);
        self.program.traces.push(Trace {
            name,
            forbidden,
            body,
            text,
            span: self.since(name.span),
            end: self.last(),
        });
        self.program.bodies.push(BodyOf::Trace);
        Ok(())
    }
}
