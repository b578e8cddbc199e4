//! Compositions.

use super::{Parsed, Parser, Token};
use crate::fsp::ast::{Composite, CompositeBody, Instance, Modifiers, Part, PartKind};
use suppose_source::Cursor;

impl Parser<'_> {
    pub(super) fn composite(&mut self, modifiers: Modifiers) -> Parsed<Composite> {
        self.next();
        let name = self.ident(Token::Upper, "the name of a composition")?;
        let parameters = self.parameters()?;
        self.expect(Token::Becomes, "=")?;
        let body = self.composite_body()?;
        let priority = match self.token() {
            Token::ShiftRight => Some(true),
            Token::ShiftLeft => Some(false),
            _ => None,
        };
        let priority = match priority {
            Some(low) => {
                self.next();
                Some((low, self.set()?))
            }
            None => None,
        };
        let hiding = self.hiding()?;
        self.full_stop(name.span, "`.` after the composition")?;
        Ok(Composite {
            name,
            modifiers,
            parameters,
            body,
            priority,
            hiding,
        })
    }

    fn composite_body(&mut self) -> Parsed<CompositeBody> {
        let _level = self.enter()?;
        match self.token() {
            Token::If => {
                self.next();
                let condition = self.expression()?;
                self.expect(Token::Then, "then")?;
                let then = Box::new(self.composite_body()?);
                let otherwise = match self.eat(Token::Else) {
                    true => Some(Box::new(self.composite_body()?)),
                    false => None,
                };
                Ok(CompositeBody::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            Token::Forall => {
                self.next();
                let ranges = self.ranges()?;
                let inner = Box::new(self.composite_body()?);
                Ok(CompositeBody::ForAll { ranges, inner })
            }
            _ => Ok(CompositeBody::Part(self.part()?)),
        }
    }

    fn part(&mut self) -> Parsed<Part> {
        let start = self.span();
        let (mut share, mut prefix) = (None, None);
        if self.starts_label() {
            let label = self.label()?;
            match self.token() {
                Token::ColonColon => {
                    self.next();
                    share = Some(label);
                    if self.starts_label() {
                        prefix = Some(self.label()?);
                        self.expect(Token::Colon, ":")?;
                    }
                }
                Token::Colon => {
                    self.next();
                    prefix = Some(label);
                }
                _ => return Err(self.expected("`:` or `::`")),
            }
        }
        let what = match self.token() {
            Token::LeftRound => PartKind::Group(self.group()?),
            _ => {
                let name = self.ident(Token::Upper, "a process or `(`")?;
                let arguments = self.arguments()?;
                PartKind::One(Instance { name, arguments })
            }
        };
        let relabels = self.relabels()?;
        let span = self.since(start);
        Ok(Part {
            share,
            prefix,
            what,
            relabels,
            span,
        })
    }

    fn group(&mut self) -> Parsed<Vec<CompositeBody>> {
        self.next();
        let mut parts = Vec::new();
        if self.token() != Token::RightRound {
            parts.push(self.composite_body()?);
            while self.eat(Token::OrOr) {
                parts.push(self.composite_body()?);
            }
        }
        if self.token() != Token::RightRound {
            let it = self.expected("`||` or `)`");
            return Err(match self.token() {
                Token::Or | Token::Arrow => {
                    it.help("actions and choices belong in a process, `NAME = (a -> ...)`; a composition only names processes")
                }
                _ => it,
            });
        }
        self.next();
        Ok(parts)
    }
}
