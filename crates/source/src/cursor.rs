//! The tokens of a text and a parser's place among them.
//!
//! A lexer says what a token of its language is; how tokens are held, passed over and expected is
//! the same for all of them.

use crate::{Diagnostic, Span, Sym};

/// A kind of token.
pub trait Token: Copy + PartialEq {
    /// The token after the last one of a text; a list of tokens ends with it.
    const END: Self;
}

/// A token with its text, interned, and its span.
#[derive(Clone, Copy, Debug)]
pub struct Lexeme<T, X = Sym> {
    /// The token.
    pub token: T,
    /// Its text, or nothing where the parser takes it from the source.
    pub text: X,
    /// Its span.
    pub span: Span,
}

/// A token with its span.
pub trait Placed: Copy {
    /// What tokens are.
    type Token: Token;

    /// The token.
    fn token(self) -> Self::Token;
    /// Its span.
    fn span(self) -> Span;
}

impl<T: Token, X: Copy> Placed for Lexeme<T, X> {
    type Token = T;

    fn token(self) -> T {
        self.token
    }

    fn span(self) -> Span {
        self.span
    }
}

/// A parser: a list of tokens that is not empty, and the index of the current one.
pub trait Cursor {
    /// Its tokens with their spans.
    type Lexeme: Placed;

    /// All of them.
    fn lexemes(&self) -> &[Self::Lexeme];
    /// The index of the current one.
    fn at(&self) -> usize;
    /// The index of the current one, to be changed.
    fn at_mut(&mut self) -> &mut usize;
    /// The current token is not what was expected.
    fn missing(&self, what: &str) -> Diagnostic;

    /// The current token with its span.
    fn lexeme(&self) -> Self::Lexeme {
        self.lexemes()[self.at()]
    }

    /// The current token.
    fn token(&self) -> <Self::Lexeme as Placed>::Token {
        self.lexeme().token()
    }

    /// The span of the current token.
    fn span(&self) -> Span {
        self.lexeme().span()
    }

    /// The token `places` further on.
    fn ahead(&self, places: usize) -> <Self::Lexeme as Placed>::Token {
        let next = self.lexemes().get(self.at() + places);
        next.map_or(Token::END, |l| l.token())
    }

    /// From a span to the last token taken.
    fn since(&self, start: Span) -> Span {
        match self.at().checked_sub(1) {
            Some(last) => start.to(self.lexemes()[last].span()),
            None => start,
        }
    }

    /// To the next token; stays at the last.
    fn next(&mut self) {
        if self.at() + 1 < self.lexemes().len() {
            *self.at_mut() += 1;
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

/// Implements [`Cursor`] for a parser with the fields `lexemes` and `at`, and a method `expected`.
#[macro_export]
macro_rules! cursor {
    ($parser:ident, $lexeme:ty) => {
        impl $crate::Cursor for $parser<'_> {
            type Lexeme = $lexeme;

            fn lexemes(&self) -> &[$lexeme] {
                &self.lexemes
            }

            fn at(&self) -> usize {
                self.at
            }

            fn at_mut(&mut self) -> &mut usize {
                &mut self.at
            }

            fn missing(&self, what: &str) -> $crate::Diagnostic {
                self.expected(what)
            }
        }
    };
}

/// A comment that is not closed: how long its opening is, and how it would be closed.
pub fn open_comment(comment: Span, opening: usize, closing: &str) -> Diagnostic {
    let start = comment.start as usize;
    let opening = Span::in_file(comment.file, start, start + opening);
    Diagnostic::error(opening, "this comment is not closed")
        .label("starts here")
        .help(format!("close it with `{closing}`"))
}

/// The character at the start of `span`, which begins no token of the language, and the diagnostic about it.
/// A quotation mark begins a text that is not closed on its line; the character is `None` then.
pub fn unexpected_character(text: &str, span: Span) -> (Option<char>, Diagnostic) {
    let start = span.start as usize;
    let Some(c) = text.get(start..).and_then(|rest| rest.chars().next()) else {
        let error = Diagnostic::error(span, "unexpected end of the text");
        return (None, error);
    };
    let here = Span::in_file(span.file, start, start + c.len_utf8());
    if c == '"' {
        let error = Diagnostic::error(here, "this text is not closed")
            .label("starts here")
            .help("close it with `\"` on the same line");
        return (None, error);
    }
    let message = format!("unexpected character `{}`", c.escape_debug());
    (Some(c), Diagnostic::error(here, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Names;

    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Word,
        Dot,
        End,
    }

    impl Token for Kind {
        const END: Self = Kind::End;
    }

    struct Parser<'a> {
        lexemes: Vec<Lexeme<Kind>>,
        at: usize,
        names: &'a Names,
    }

    cursor!(Parser, Lexeme<Kind>);

    impl Parser<'_> {
        fn expected(&self, what: &str) -> Diagnostic {
            let found = self.names.text(self.lexeme().text);
            Diagnostic::error(self.span(), format!("expected {what}, found `{found}`"))
        }
    }

    #[test]
    fn goes_through_tokens_and_stays_at_the_last() {
        let mut names = Names::default();
        let text = "ab.";
        let parts = [(Kind::Word, 0, 2), (Kind::Dot, 2, 3), (Kind::End, 3, 3)];
        let lexemes = parts.map(|(token, start, end)| Lexeme {
            token,
            text: names.intern(&text[start..end]),
            span: Span::new(start, end),
        });
        let mut parser = Parser {
            lexemes: lexemes.to_vec(),
            at: 0,
            names: &names,
        };
        assert!(parser.ahead(1) == Kind::Dot && parser.ahead(9) == Kind::End);
        let error = parser.expect(Kind::Dot, ".").err();
        assert_eq!(
            error.map(|e| e.message),
            Some("expected `.`, found `ab`".to_owned())
        );
        assert!(parser.eat(Kind::Word) && parser.expect(Kind::Dot, ".").is_ok());
        parser.next();
        assert!(parser.token() == Kind::End);
        assert_eq!(parser.since(Span::new(0, 2)), Span::new(0, 3));
    }

    #[test]
    fn an_unknown_character_is_shown_and_an_open_text_named() {
        let (c, error) = unexpected_character("a§", Span::new(1, 3));
        assert_eq!(
            (c, error.message.as_str()),
            (Some('§'), "unexpected character `§`")
        );
        let (c, error) = unexpected_character("\"a", Span::new(0, 1));
        assert_eq!(
            (c, error.message.as_str()),
            (None, "this text is not closed")
        );
    }
}
