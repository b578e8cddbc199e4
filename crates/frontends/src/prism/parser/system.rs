//! `system ... endsystem`. Hiding and renaming bind strongest, then the parallel operators, which
//! are not mixed without brackets except as PRISM does: `||` binds stronger than `|||`, that stronger than `|[..]|`.

use suppose_source::Cursor;
use suppose_source::Diagnostic;

use super::super::ast::{Composition, Ident, Model};
use super::super::lexer::Token;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn system(&mut self, model: &mut Model) -> Parsed<()> {
        let start = self.span();
        self.next();
        if self.token() == Token::Quoted {
            return Err(
                Diagnostic::error(self.span(), "systems with names are not read")
                    .help("write one `system ... endsystem` without a name"),
            );
        }
        let composition = self.composition()?;
        self.expect(Token::EndSystem, "endsystem")?;
        let span = self.since(start);
        if model.system.replace((composition, span)).is_some() {
            return Err(Diagnostic::error(start, "there is a second `system`"));
        }
        Ok(())
    }

    fn composition(&mut self) -> Parsed<Composition> {
        let _level = self.enter()?;
        let mut left = self.interleaved()?;
        let mut levels = Vec::new();
        while self.token() == Token::Or {
            levels.push(self.enter()?);
            self.next();
            self.expect(Token::LeftSquare, "[")?;
            let actions = self.list(|p| p.ident("an action"))?;
            self.expect(Token::RightSquare, "]")?;
            self.expect(Token::Or, "|")?;
            let right = self.interleaved()?;
            left = Composition::On(Box::new(left), actions, Box::new(right));
        }
        Ok(left)
    }

    fn interleaved(&mut self) -> Parsed<Composition> {
        let mut parts = vec![self.parallel()?];
        while self.eat(Token::Interleave) {
            parts.push(self.parallel()?);
        }
        Ok(alone(parts, Composition::Interleave))
    }

    fn parallel(&mut self) -> Parsed<Composition> {
        let mut parts = vec![self.hidden()?];
        while self.eat(Token::Parallel) {
            parts.push(self.hidden()?);
        }
        Ok(alone(parts, Composition::Parallel))
    }

    /// `M / {a} {b <- c}`.
    fn hidden(&mut self) -> Parsed<Composition> {
        let mut inner = match self.token() {
            Token::LeftRound => {
                self.next();
                let inner = self.composition()?;
                self.expect(Token::RightRound, ")")?;
                inner
            }
            _ => Composition::Module(self.ident("the name of a module")?),
        };
        let mut levels = Vec::new();
        loop {
            match self.token() {
                Token::Slash => {
                    self.next();
                    self.expect(Token::LeftCurly, "{")?;
                    let actions = self.list(|p| p.ident("an action"))?;
                    inner = Composition::Hide(Box::new(inner), actions);
                }
                Token::LeftCurly => {
                    self.next();
                    let pairs = self.list(Self::renaming)?;
                    inner = Composition::Rename(Box::new(inner), pairs);
                }
                _ => return Ok(inner),
            }
            levels.push(self.enter()?);
            self.expect(Token::RightCurly, "}")?;
        }
    }

    fn renaming(&mut self) -> Parsed<(Ident, Ident)> {
        let old = self.ident("an action")?;
        self.expect(Token::Becomes, "<-")?;
        Ok((old, self.ident("an action")?))
    }
}

fn alone(
    mut parts: Vec<Composition>,
    make: impl Fn(Vec<Composition>) -> Composition,
) -> Composition {
    match parts.len() {
        1 => parts.remove(0),
        _ => make(parts),
    }
}
