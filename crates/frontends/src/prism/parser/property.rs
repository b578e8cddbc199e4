//! Properties: `"name": P<=0.1 [ F "bad" ];`.

use crate::cursor::Cursor;
use suppose_source::Diagnostic;

use super::super::ast::{
    Compare, Expr, ExprKind, Ident, Optimum, Path, Probability, Properties, Property, StepBound,
};
use super::super::lexer::Token;
use super::{ERRORS, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn properties(&mut self) -> Properties {
        let mut all = Properties::default();
        while self.token() != Token::End && self.errors.len() < ERRORS {
            if self.eat(Token::Semicolon) {
                continue;
            }
            if let Err(error) = self.one(&mut all) {
                self.errors.push(error);
                self.skip_property();
            }
        }
        all
    }

    fn one(&mut self, all: &mut Properties) -> Parsed<()> {
        match self.token() {
            Token::Const => all.constants.push(self.constant()?),
            Token::Label => {
                self.property = true;
                let label = self.label();
                self.property = false;
                all.labels.push(label?);
            }
            _ => {
                let property = self.one_property()?;
                all.properties.push(property);
            }
        }
        Ok(())
    }

    fn skip_property(&mut self) {
        while !matches!(self.token(), Token::Semicolon | Token::End) {
            self.next();
        }
    }

    fn one_property(&mut self) -> Parsed<Property> {
        let start = self.span();
        let mut name = None;
        if self.token() == Token::Quoted && self.ahead(1) == Token::Colon {
            let lexeme = self.lexeme();
            name = Some(Ident {
                name: lexeme.text,
                span: lexeme.span,
            });
            self.next();
            self.next();
        }
        if let Some(reason) = self.undecided() {
            self.skip_property();
            return Ok(Property {
                name,
                span: self.since(start),
                body: Err(reason),
            });
        }
        self.property = true;
        let body = self.expr();
        self.property = false;
        let body = body?;
        if !matches!(self.token(), Token::Semicolon | Token::End) {
            return Err(self.expected("`;` or the end of the property"));
        }
        Ok(Property {
            name,
            span: self.since(start),
            body: Ok(body),
        })
    }

    /// Kinds of properties that are known and not decided.
    fn undecided(&self) -> Option<String> {
        Some(match self.token() {
            Token::LetterR | Token::RMax | Token::RMin => "it asks about rewards".to_owned(),
            Token::Filter => "filters are not decided".to_owned(),
            Token::LetterS => "it asks about the steady state".to_owned(),
            Token::LetterA | Token::LetterE if self.ahead(1) == Token::LeftSquare => {
                "CTL properties of probabilistic models are not decided".to_owned()
            }
            _ => return None,
        })
    }

    /// `P<=0.1 [ path ]`.
    pub(super) fn probability(&mut self) -> Parsed<Expr> {
        let _level = self.enter()?;
        let start = self.span();
        let mut optimum = match self.token() {
            Token::PMax => Some(Optimum::Max),
            Token::PMin => Some(Optimum::Min),
            _ => None,
        };
        self.next();
        if optimum.is_none() {
            optimum = match self.token() {
                Token::Max => Some(Optimum::Max),
                Token::Min => Some(Optimum::Min),
                _ => None,
            };
            if optimum.is_some() {
                self.next();
            }
        }
        let bound = self.probability_bound()?;
        self.expect(Token::LeftSquare, "[")?;
        let path = self.path()?;
        self.expect(Token::RightSquare, "]")?;
        let probability = Probability {
            optimum,
            bound,
            path,
        };
        Ok(Expr {
            kind: ExprKind::Probability(Box::new(probability)),
            span: self.since(start),
        })
    }

    fn probability_bound(&mut self) -> Parsed<Option<(Compare, Expr)>> {
        if self.token() == Token::Equal && self.ahead(1) == Token::Query {
            self.next();
            self.next();
            return Ok(None);
        }
        let op = match self.token() {
            Token::Less => Compare::Lt,
            Token::LessEqual => Compare::Le,
            Token::Greater => Compare::Gt,
            Token::GreaterEqual => Compare::Ge,
            _ => return Err(self.expected("`=?`, or one of `<= < >= >` and a probability")),
        };
        self.next();
        // Not more than a sum: what follows is a path in square brackets.
        Ok(Some((op, self.sum_of_property()?)))
    }

    fn path(&mut self) -> Parsed<Path> {
        let token = self.token();
        if matches!(token, Token::LetterX | Token::LetterF | Token::LetterG) {
            self.next();
            let bound = match token {
                Token::LetterX => None,
                _ => self.step_bound()?,
            };
            self.no_nested_path()?;
            let of = self.expr()?;
            return Ok(match token {
                Token::LetterX => Path::Next(of),
                Token::LetterF => Path::Eventually(of, bound),
                _ => Path::Always(of, bound),
            });
        }
        let left = self.expr()?;
        let token = self.token();
        if !matches!(token, Token::LetterU | Token::LetterW) {
            return Err(self.expected("`U`, `W`, or `X`, `F`, `G` before the formula"));
        }
        self.next();
        let bound = self.step_bound()?;
        self.no_nested_path()?;
        let right = self.expr()?;
        Ok(match token {
            Token::LetterU => Path::Until(left, right, bound),
            _ => Path::WeakUntil(left, right, bound),
        })
    }

    fn no_nested_path(&self) -> Parsed<()> {
        if matches!(
            self.token(),
            Token::LetterX | Token::LetterF | Token::LetterG
        ) {
            return Err(Diagnostic::error(
                self.span(),
                "temporal operators directly inside one another are not decided",
            )
            .label("expected a formula about states")
            .help("put a `P<=p [ ... ]` between them"));
        }
        Ok(())
    }

    /// `<=5`, `<K`, `<=(K+1)`.
    fn step_bound(&mut self) -> Parsed<Option<StepBound>> {
        let strict = match self.token() {
            Token::LessEqual => false,
            Token::Less => true,
            Token::Greater | Token::GreaterEqual | Token::LeftSquare | Token::Equal => {
                return Err(self
                    .expected("`<=` and a number of steps")
                    .help("lower bounds and intervals of steps are not decided"));
            }
            _ => return Ok(None),
        };
        self.next();
        let start = self.span();
        let kind = match self.token() {
            Token::Integer => match self.word().parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => return Err(self.expected("a smaller number of steps")),
            },
            Token::Word => ExprKind::Name(self.lexeme().text),
            Token::LeftRound => {
                self.next();
                let steps = self.expr()?;
                self.expect(Token::RightRound, ")")?;
                return Ok(Some(StepBound { steps, strict }));
            }
            _ => return Err(self.expected("a number of steps, a constant, or `(`")),
        };
        self.next();
        Ok(Some(StepBound {
            steps: Expr { kind, span: start },
            strict,
        }))
    }
}
