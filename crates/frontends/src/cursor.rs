//! Going through the tokens of a text, which every hand-written parser does in the same way.

use suppose_source::{Diagnostic, Span};

/// A token with its place.
pub(crate) trait Placed: Copy {
    /// What tokens are.
    type Token: Copy + PartialEq;
    /// The token after the last one; a list of tokens ends with it.
    const END: Self::Token;

    /// The token.
    fn token(self) -> Self::Token;
    /// Its place.
    fn span(self) -> Span;
}

/// A parser: a list of tokens that is not empty, and a place in it.
pub(crate) trait Cursor {
    /// Its tokens with their places.
    type Lexeme: Placed;

    /// All of them.
    fn lexemes(&self) -> &[Self::Lexeme];
    /// The number of the current one.
    fn at(&self) -> usize;
    /// Goes to another one.
    fn set_at(&mut self, at: usize);
    /// Something else was expected here.
    fn missing(&self, what: &str) -> Diagnostic;

    /// The current token with its place.
    fn lexeme(&self) -> Self::Lexeme {
        self.lexemes()[self.at()]
    }

    /// The current token.
    fn token(&self) -> <Self::Lexeme as Placed>::Token {
        self.lexeme().token()
    }

    /// Its place.
    fn span(&self) -> Span {
        self.lexeme().span()
    }

    /// The token that many places further on.
    fn ahead(&self, places: usize) -> <Self::Lexeme as Placed>::Token {
        let next = self.lexemes().get(self.at() + places);
        next.map_or(Self::Lexeme::END, |l| l.token())
    }

    /// Everything from a place to the last token taken.
    fn since(&self, start: Span) -> Span {
        match self.at().checked_sub(1) {
            Some(last) => start.to(self.lexemes()[last].span()),
            None => start,
        }
    }

    /// To the next token; stays at the last.
    fn next(&mut self) {
        if self.at() + 1 < self.lexemes().len() {
            self.set_at(self.at() + 1);
        }
    }

    /// Takes that token if it is the current one.
    fn eat(&mut self, token: <Self::Lexeme as Placed>::Token) -> bool {
        let found = self.token() == token;
        if found {
            self.next();
        }
        found
    }

    /// Takes that token, which is written as `shown`.
    fn expect(
        &mut self,
        token: <Self::Lexeme as Placed>::Token,
        shown: &str,
    ) -> Result<Span, Diagnostic> {
        let span = self.span();
        match self.eat(token) {
            true => Ok(span),
            false => Err(self.missing(&format!("`{shown}`"))),
        }
    }
}
