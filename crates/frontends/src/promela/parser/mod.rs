//! Tokens to tree: recursive descent, as deep as the limit allows. Inlines are put in here, as SPIN
//! does: the arguments take the place of the parameters word for word.

mod channel;
mod decl;
mod expr;
mod formula;
mod inline;
mod stmt;
mod unit;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use suppose_source::{Cursor, Depth, Diagnostic, Level, ParserLimits, Sources};

use super::ast::{Ident, Program};
use super::lexer::{Lexeme, Names, Sym, Token};

type Parsed<T> = Result<T, Diagnostic>;

/// After this many errors the rest is not worth reading.
const ERRORS: usize = 20;

/// The tree of a program, or everything wrong with its form.
pub(super) fn parse(
    lexemes: Vec<Lexeme>,
    names: &mut Names,
    sources: &Sources,
    limits: &ParserLimits,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let proctypes = defined(&lexemes, |t| {
        matches!(t, Token::Proctype | Token::DProctype)
    });
    let typedefs = defined(&lexemes, |t| t == Token::Typedef);
    let mut parser = Parser {
        lexemes: lexemes.into(),
        at: 0,
        depth: Depth::new(limits.depth),
        names,
        sources,
        proctypes,
        typedefs,
        inlines: FxHashMap::default(),
        calls: Vec::new(),
        returns: Vec::new(),
        put_in: 0,
        ltl: false,
        errors: Vec::new(),
        warnings: Vec::new(),
        program: Program::default(),
    };
    parser.units();
    match parser.errors.is_empty() {
        true => Ok((parser.program, parser.warnings)),
        false => Err(parser.errors),
    }
}

/// The names that follow a keyword.
fn defined(lexemes: &[Lexeme], is: impl Fn(Token) -> bool) -> FxHashSet<Sym> {
    let names = lexemes
        .windows(2)
        .filter(|w| is(w[0].token) && w[1].token == Token::Word);
    names.map(|w| w[1].text).collect()
}

struct Parser<'a> {
    lexemes: Rc<[Lexeme]>,
    at: usize,
    depth: Depth,
    names: &'a mut Names,
    sources: &'a Sources,
    proctypes: FxHashSet<Sym>,
    typedefs: FxHashSet<Sym>,
    inlines: FxHashMap<Sym, Rc<inline::Inline>>,
    /// The inlines that are being put in.
    calls: Vec<Sym>,
    /// Where `return` puts its value, for each of them.
    returns: Vec<Option<super::ast::VarRef>>,
    /// How many tokens inlines have made.
    put_in: usize,
    /// Inside a formula, where some words are operators.
    ltl: bool,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    program: Program,
}

suppose_source::cursor!(Parser, Lexeme);

impl Parser<'_> {
    /// The token before the current one.
    fn before(&self) -> Token {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        before.map_or(Token::End, |l| l.token)
    }

    fn word(&self) -> &str {
        self.names.text(self.lexeme().text)
    }

    fn found(&self) -> String {
        let lexeme = self.lexeme();
        let zero_width = lexeme.span.start == lexeme.span.end;
        match lexeme.token {
            Token::End => "the end of the program".to_owned(),
            Token::Semicolon if zero_width => "the end of the line".to_owned(),
            _ => format!("`{}`", self.word()),
        }
    }

    fn expected(&self, what: impl AsRef<str>) -> Diagnostic {
        let what = what.as_ref();
        let message = format!("expected {what}, found {}", self.found());
        let it = Diagnostic::error(self.span(), message).label(format!("expected {what}"));
        if self.token() == Token::Code {
            return self.refused_code();
        }
        let lexeme = self.lexeme();
        let reserved = lexeme.token != Token::Word
            && self.word().starts_with(|c: char| c.is_ascii_alphabetic())
            && !matches!(lexeme.token, Token::Semicolon | Token::End | Token::Number);
        match reserved && what.contains("name") {
            true => it.help(format!("`{}` is a word of the language", self.word())),
            false => it,
        }
    }

    /// What runs C is refused with the reason.
    fn refused_code(&self) -> Diagnostic {
        let message = format!("`{}` runs C code, which is not supported", self.word());
        Diagnostic::error(self.span(), message)
            .label("embedded C")
            .help("write it in PROMELA, or check the program with SPIN")
    }

    fn enter(&self) -> Parsed<Level> {
        self.depth.enter().map_err(|deep| {
            deep.at(self.span())
                .help("move the inner part into a process or a variable of its own")
        })
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.token() != Token::Word {
            return Err(self.expected(what));
        }
        let Lexeme { text, span, .. } = self.lexeme();
        self.next();
        Ok(Ident { name: text, span })
    }

    /// Tokens as the user wrote them. Macros stay as they are, unless one gives more than these; inside
    /// an inline the arguments are shown.
    fn written(&self, from: usize, to: usize) -> String {
        let Some(tokens) = self.lexemes.get(from..to).filter(|t| !t.is_empty()) else {
            return String::new();
        };
        let (first, last) = (tokens[0].span, tokens[tokens.len() - 1].span);
        let in_order = tokens.windows(2).all(|w| {
            w[0].span.file == w[1].span.file
                && (w[0].span.end <= w[1].span.start || w[0].span == w[1].span)
        });
        // A macro that gives more than this statement is not its text.
        let part_of_macro = tokens.len() > 1 && first == last && {
            let before = from.checked_sub(1).and_then(|at| self.lexemes.get(at));
            let around = [before, self.lexemes.get(to)];
            around.iter().flatten().any(|l| l.span == first)
        };
        if in_order && !part_of_macro && !tokens.iter().any(|t| t.argument) {
            let text = self.sources.text(first.to(last));
            if !text.contains("/*") && !text.contains("//") && !text.contains('\\') {
                return text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
        self.joined(tokens)
    }

    fn joined(&self, tokens: &[Lexeme]) -> String {
        let mut text = String::new();
        let mut before = Token::LeftRound;
        for lexeme in tokens {
            if spaced(before, lexeme.token) {
                text.push(' ');
            }
            text.push_str(self.names.text(lexeme.text));
            before = lexeme.token;
        }
        text
    }
}

/// Does a space belong between these two?
fn spaced(before: Token, after: Token) -> bool {
    let tight_after = matches!(
        before,
        Token::LeftRound
            | Token::LeftSquare
            | Token::Dot
            | Token::Bang
            | Token::BangBang
            | Token::Query
            | Token::QueryQuery
            | Token::Tilde
            | Token::At
    );
    let tight_before = matches!(
        after,
        Token::LeftRound
            | Token::RightRound
            | Token::LeftSquare
            | Token::RightSquare
            | Token::Dot
            | Token::Comma
            | Token::Semicolon
            | Token::BangBang
            | Token::Query
            | Token::QueryQuery
            | Token::Increment
            | Token::Decrement
            | Token::At
    ) || (after == Token::Bang
        && matches!(before, Token::Word | Token::RightSquare));
    let keyword_before = matches!(
        before,
        Token::If
            | Token::Do
            | Token::Run
            | Token::Arrow
            | Token::AndAnd
            | Token::OrOr
            | Token::Equal
            | Token::Becomes
            | Token::NotEqual
            | Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::Percent
            | Token::Less
            | Token::Greater
            | Token::LessEqual
            | Token::GreaterEqual
    ) && matches!(after, Token::LeftRound | Token::Bang);
    keyword_before || (!tight_after && !tight_before)
}
