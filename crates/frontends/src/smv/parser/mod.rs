//! Tokens to tree: recursive descent, as deep as the limit allows.

mod expr;
mod module;
mod primary;
mod psl;

use suppose_source::{Cursor, Depth, Diagnostic, Level, ParserLimits, TooDeep};

use super::Dialect;
use super::ast::{ExprKind, Ident, Module};
use super::lexer::{Lexeme, Names, Sym, Token};

pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// After this many errors the rest is not worth reading.
const ERRORS: usize = 20;

/// The modules of a text, or everything wrong with its form.
pub(super) fn parse(
    lexemes: &[Lexeme],
    names: &mut Names,
    dialect: Dialect,
    limits: &ParserLimits,
) -> Result<Vec<Module>, Vec<Diagnostic>> {
    let mut parser = Parser {
        lexemes,
        at: 0,
        depth: Depth::new(limits.depth),
        operators: Depth::new(limits.depth.saturating_mul(4)),
        names,
        dialect,
        linear: false,
        psl: false,
        bound: Vec::new(),
        copies: 0,
        errors: Vec::new(),
    };
    let modules = parser.modules();
    match parser.errors.is_empty() {
        true => Ok(modules),
        false => Err(parser.errors),
    }
}

struct Parser<'a> {
    lexemes: &'a [Lexeme],
    at: usize,
    depth: Depth,
    /// Counts operators whose right side is being read, which nest in other ways than brackets do.
    operators: Depth,
    names: &'a mut Names,
    dialect: Dialect,
    /// Inside a formula of LTL, where `U` and its like are infix operators.
    linear: bool,
    /// Inside a property in PSL.
    psl: bool,
    /// The values of names that `forall` gives to them.
    bound: Vec<(Sym, ExprKind)>,
    /// How many copies of operands were read for `forall` in this property.
    copies: usize,
    errors: Vec<Diagnostic>,
}

suppose_source::cursor!(Parser, Lexeme);

impl Parser<'_> {
    fn word(&self) -> &str {
        self.names.text(self.lexeme().text)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.token() {
            Token::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.word()),
        };
        let it = Diagnostic::error(self.span(), format!("expected {what}, found {found}"))
            .label(format!("expected {what}"));
        let first = self.word().chars().next();
        let reserved = self.token() != Token::Name
            && first.is_some_and(|c| c.is_ascii_alphabetic())
            && what.contains("name");
        match reserved {
            true => it.help(format!("`{}` is a word of the language", self.word())),
            false => it,
        }
    }

    fn enter(&self) -> Parsed<Level> {
        self.depth.enter().map_err(|deep| self.too_deep(deep))
    }

    fn enter_operator(&self) -> Parsed<Level> {
        self.operators.enter().map_err(|deep| self.too_deep(deep))
    }

    fn too_deep(&self, deep: TooDeep) -> Diagnostic {
        deep.at(self.span())
            .help("give the inner part a name with DEFINE")
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.token() != Token::Name {
            return Err(self.expected(what));
        }
        let Lexeme { text, span, .. } = self.lexeme();
        self.next();
        Ok(Ident { name: text, span })
    }

    /// A name to be defined: as one to be declared, and it may begin with `self`.
    fn defined(&mut self, what: &str) -> Parsed<Ident> {
        match self.token() == Token::Itself && self.ahead(1) == Token::Dot {
            true => {
                let Lexeme { text, span, .. } = self.lexeme();
                self.next();
                self.dotted(Ident { name: text, span })
            }
            false => self.declared(what),
        }
    }

    /// A name to be declared: it may be one of a system that was flattened, such as `m.x` or `a[0]`.
    fn declared(&mut self, what: &str) -> Parsed<Ident> {
        let first = self.ident(what)?;
        self.dotted(first)
    }

    fn dotted(&mut self, first: Ident) -> Parsed<Ident> {
        let mut text = self.names.text(first.name).to_owned();
        let mut span = first.span;
        loop {
            let (open, close) = match self.token() {
                Token::Dot => (".", ""),
                Token::LeftSquare => ("[", "]"),
                _ => break,
            };
            self.next();
            text.push_str(open);
            if open == "[" && self.eat(Token::Minus) {
                text.push('-');
            }
            if !matches!(self.token(), Token::Name | Token::Number) {
                return Err(self.expected("a name or a number"));
            }
            text.push_str(self.word());
            span = span.to(self.span());
            self.next();
            if close == "]" {
                self.expect(Token::RightSquare, "]")?;
                text.push_str(close);
            }
        }
        let name = self.names.intern(&text);
        Ok(Ident { name, span })
    }

    /// Keeps an error; false when there are enough.
    fn report(&mut self, error: Diagnostic) -> bool {
        self.errors.push(error);
        self.errors.len() < ERRORS
    }
}
