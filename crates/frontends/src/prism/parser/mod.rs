//! Tokens to tree: recursive descent, as deep as the limit allows.

mod command;
mod expr;
mod path;
mod property;
mod system;
mod unit;

use suppose_source::{Cursor, Depth, Diagnostic, FileId, Level, ParserLimits};

use super::ast::{Expr, Ident, Model, Properties};
use super::lexer::{self, Lexeme, Names, Token};

pub(crate) use expr::exact_decimal;

type Parsed<T> = Result<T, Diagnostic>;

/// After this many errors the rest is not worth reading.
const ERRORS: usize = 20;

/// The tree of a model, or everything wrong with its form.
pub(super) fn parse_model(
    text: &str,
    file: FileId,
    names: &mut Names,
    limits: &ParserLimits,
) -> Result<Model, Vec<Diagnostic>> {
    let mut parser = Parser::new(text, file, names, limits).map_err(|e| vec![e])?;
    let model = parser.model();
    match parser.errors.is_empty() {
        true => Ok(model),
        false => Err(parser.errors),
    }
}

/// The tree of a list of properties.
pub(super) fn parse_properties(
    text: &str,
    file: FileId,
    names: &mut Names,
    limits: &ParserLimits,
) -> Result<Properties, Vec<Diagnostic>> {
    let mut parser = Parser::new(text, file, names, limits).map_err(|e| vec![e])?;
    let properties = parser.properties();
    match parser.errors.is_empty() {
        true => Ok(properties),
        false => Err(parser.errors),
    }
}

/// One expression and nothing after it.
pub(super) fn parse_expression(
    text: &str,
    file: FileId,
    names: &mut Names,
    limits: &ParserLimits,
) -> Result<Expr, Diagnostic> {
    let mut parser = Parser::new(text, file, names, limits)?;
    let expr = parser.expr()?;
    match parser.token() {
        Token::End => Ok(expr),
        _ => Err(parser.expected("the end")),
    }
}

struct Parser<'a> {
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: Depth,
    names: &'a Names,
    /// Inside a property, where `P` and `"label"` are expressions.
    property: bool,
    errors: Vec<Diagnostic>,
}

suppose_source::cursor!(Parser, Lexeme);

impl<'a> Parser<'a> {
    fn new(
        text: &str,
        file: FileId,
        names: &'a mut Names,
        limits: &ParserLimits,
    ) -> Parsed<Parser<'a>> {
        limits.check_bytes(text.len(), "the text")?;
        let lexemes = lexer::lex(text, file, names)?;
        Ok(Parser {
            lexemes,
            at: 0,
            depth: Depth::new(limits.depth),
            names,
            property: false,
            errors: Vec::new(),
        })
    }

    fn word(&self) -> &str {
        self.names.text(self.lexeme().text)
    }

    fn expected(&self, what: impl AsRef<str>) -> Diagnostic {
        let found = match self.token() {
            Token::End => "end of the text".to_owned(),
            _ => format!("`{}`", self.word()),
        };
        let it = Diagnostic::error(self.span(), format!("unexpected {found}"))
            .label(format!("expected {}", what.as_ref()));
        match self.token() {
            Token::Caret => it.help("the power is a function: pow(a, b)"),
            _ => it,
        }
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        let Lexeme { token, text, span } = self.lexeme();
        if token == Token::Word {
            self.next();
            return Ok(Ident { name: text, span });
        }
        let error = self.expected(what);
        Err(match self.word().starts_with(|c: char| c.is_alphabetic()) {
            true => error.help(format!(
                "`{}` is a word of the language; take another name",
                self.word()
            )),
            false => error,
        })
    }

    /// One level of nesting deeper.
    fn enter(&self) -> Parsed<Level> {
        self.depth.enter().map_err(|deep| {
            deep.at(self.span())
                .help("give parts of it names: formula f = ...;")
        })
    }

    /// A list with commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Token::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
