//! Tokens to tree: recursive descent, as deep as the limit allows.

mod composite;
mod expr;
mod formula;
mod process;

use rustc_hash::FxHashSet;
use suppose_source::{Cursor, Depth, Diagnostic, FileId, Level, ParserLimits, Span};

use super::ast::{Fluent, Ident, Import, Item, Modifiers, Progress};
use super::lexer::{Lexeme, Token, lex};

type Parsed<T> = Result<T, Diagnostic>;

/// The items of a file, in order.
pub(super) fn parse(text: &str, file: FileId, limits: &ParserLimits) -> Parsed<Vec<Item>> {
    limits.check_bytes(text.len(), "the file")?;
    let lexemes = lex(text, file)?;
    let mut parser = Parser {
        text,
        sets: set_names(text, &lexemes),
        lexemes,
        at: 0,
        depth: Depth::new(limits.depth),
    };
    parser.items()
}

/// Upper-case names are sets of labels or processes; which, the definitions say.
fn set_names<'t>(text: &'t str, lexemes: &[Lexeme]) -> FxHashSet<&'t str> {
    let is_definition = |w: &&[Lexeme]| w[0].token == Token::Set && w[1].token == Token::Upper;
    let name = |w: &[Lexeme]| slice(text, w[1].span);
    lexemes.windows(2).filter(is_definition).map(name).collect()
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize)
        .unwrap_or("")
}

struct Parser<'t> {
    text: &'t str,
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: Depth,
    sets: FxHashSet<&'t str>,
}

suppose_source::cursor!(Parser, Lexeme);

impl<'t> Parser<'t> {
    /// The end of the previous token: where a missing token is reported.
    fn gap(&self) -> Span {
        let Some(before) = self.at.checked_sub(1) else {
            return self.span();
        };
        let before = self.lexemes[before].span;
        Span {
            start: before.end,
            ..before
        }
    }

    fn current_text(&self) -> &'t str {
        slice(self.text, self.span())
    }

    fn found(&self) -> String {
        match self.token() {
            Token::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.current_text()),
        }
    }

    fn expected(&self, what: impl AsRef<str>) -> Diagnostic {
        let what = what.as_ref();
        let message = format!("expected {what}, found {}", self.found());
        Diagnostic::error(self.span(), message).label(format!("expected {what}"))
    }

    fn enter(&self) -> Parsed<Level> {
        self.depth.enter().map_err(|deep| {
            deep.at(self.span())
                .help("give the inner part a name of its own")
        })
    }

    fn ident(&mut self, token: Token, what: &str) -> Parsed<Ident> {
        if self.token() != token {
            let mut it = self.expected(what);
            if token == Token::Upper && self.token() == Token::Lower {
                it = it.help("names of processes, constants, ranges and sets start with an upper-case letter");
            }
            if token == Token::Upper && self.token() == Token::LeftRound {
                it = it.help("a local process is defined as `NAME = ( ... )`");
            }
            return Err(it);
        }
        let ident = Ident {
            text: self.current_text().into(),
            span: self.span(),
        };
        self.next();
        Ok(ident)
    }

    fn is_set_name(&self) -> bool {
        self.token() == Token::Upper && self.sets.contains(self.current_text())
    }

    fn items(&mut self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        while self.token() != Token::End {
            if let Some(item) = self.item()? {
                items.push(item);
            }
        }
        Ok(items)
    }

    fn item(&mut self) -> Parsed<Option<Item>> {
        Ok(Some(match self.token() {
            Token::Const => {
                self.next();
                let name = self.ident(Token::Upper, "the name of a constant")?;
                self.expect(Token::Becomes, "=")?;
                Item::Const(name, self.simple_expression()?)
            }
            Token::Range => {
                self.next();
                let name = self.ident(Token::Upper, "the name of a range")?;
                self.expect(Token::Becomes, "=")?;
                let low = self.simple_expression()?;
                self.expect(Token::DotDot, "..")?;
                Item::Range(name, low, self.simple_expression()?)
            }
            Token::Set => {
                self.next();
                let name = self.ident(Token::Upper, "the name of a set")?;
                self.expect(Token::Becomes, "=")?;
                Item::Set(name, self.set()?)
            }
            Token::Progress => Item::Progress(self.progress()?),
            Token::Fluent => Item::Fluent(self.fluent()?),
            Token::Assert | Token::Constraint | Token::LtlProperty => Item::Claim(self.claim()?),
            Token::Menu => return self.menu().map(|()| None),
            Token::Animation => return self.animation().map(|()| None),
            Token::Import => Item::Import(self.import()?),
            Token::Include => return Err(self.other_file()),
            _ => self.process_or_composite()?,
        }))
    }

    fn process_or_composite(&mut self) -> Parsed<Item> {
        let modifiers = self.modifiers();
        match self.token() {
            Token::OrOr => Ok(Item::Composite(self.composite(modifiers)?)),
            Token::Upper => Ok(Item::Process(self.process(modifiers)?)),
            _ => {
                let mut it = self.expected("a definition");
                it = match self.token() {
                    Token::Lower => it.help("names of processes start with an upper-case letter"),
                    Token::Dot => it.help("`.` ends a process or a composition; nothing is open here"),
                    _ => it.help("a definition is `NAME = ...`, `||NAME = (...)`, or starts with a word such as `const`, `range`, `set`, `property`, `assert`"),
                };
                Err(it)
            }
        }
    }

    fn modifiers(&mut self) -> Modifiers {
        let mut modifiers = Modifiers::default();
        loop {
            match self.token() {
                Token::Deterministic => modifiers.deterministic = true,
                Token::Minimal => modifiers.minimal = true,
                Token::Compose => modifiers.compose = true,
                Token::Property => modifiers.property = true,
                _ => return modifiers,
            }
            self.next();
        }
    }

    fn fluent(&mut self) -> Parsed<Fluent> {
        self.next();
        let name = self.ident(Token::Upper, "the name of a fluent")?;
        let ranges = self.indices()?;
        self.expect(Token::Becomes, "=")?;
        self.expect(Token::Less, "<")?;
        let starts = self.label()?;
        self.expect(Token::Comma, ",")?;
        let ends = self.label()?;
        self.expect(Token::Greater, ">")?;
        let initially = match self.eat(Token::Initially) {
            true => Some(self.simple_expression()?),
            false => None,
        };
        Ok(Fluent {
            name,
            ranges,
            starts,
            ends,
            initially,
        })
    }

    fn progress(&mut self) -> Parsed<Progress> {
        self.next();
        let name = self.ident(Token::Upper, "the name of a progress property")?;
        let indices = self.indices()?;
        self.expect(Token::Becomes, "=")?;
        let condition = match self.eat(Token::If) {
            true => {
                let condition = self.label()?;
                self.expect(Token::Then, "then")?;
                Some(condition)
            }
            false => None,
        };
        Ok(Progress {
            name,
            indices,
            condition,
            actions: self.label()?,
        })
    }

    fn menu(&mut self) -> Parsed<()> {
        self.next();
        self.ident(Token::Upper, "the name of a menu")?;
        self.expect(Token::Becomes, "=")?;
        self.label()?;
        Ok(())
    }

    fn animation(&mut self) -> Parsed<()> {
        self.next();
        self.ident(Token::Upper, "the name of an animation")?;
        self.expect(Token::Becomes, "=")?;
        self.expect(Token::Text, "\"file\"")?;
        if self.eat(Token::Target) {
            self.ident(Token::Upper, "the name of a composition")?;
        }
        if self.eat(Token::Compose) {
            self.expect(Token::LeftCurly, "{")?;
            loop {
                self.ident(Token::Upper, "the name of an animation")?;
                self.relabels()?;
                if !self.eat(Token::OrOr) {
                    break;
                }
            }
            self.expect(Token::RightCurly, "}")?;
        }
        if self.eat(Token::Actions) {
            self.relabel_set()?;
        }
        if self.eat(Token::Controls) {
            self.relabel_set()?;
        }
        Ok(())
    }

    fn import(&mut self) -> Parsed<Import> {
        self.next();
        let name = self.ident(Token::Upper, "the name of a process")?;
        self.expect(Token::Becomes, "=")?;
        let mut file = self.ident(Token::Text, "\"file.aut\"")?;
        file.text = file.text.trim_matches('"').into();
        self.eat(Token::Dot);
        Ok(Import { name, file })
    }

    fn other_file(&self) -> Diagnostic {
        let word = self.current_text();
        let message = format!("`{word}` is not supported");
        Diagnostic::error(self.span(), message)
            .label("reads another file")
            .help("put the definitions of the other file in this one")
    }
}
