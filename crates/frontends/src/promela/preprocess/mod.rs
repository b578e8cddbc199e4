//! The part of the C preprocessor that models use: macros, conditions, and files of the same folder.
//!
//! Every token that comes out points to where the user wrote it: what a macro gives points to the
//! place where the macro is used.

mod condition;
mod directive;
mod expand;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, FileId, ParserLimits, Sources, Span};

use super::lexer::{Lexeme, Names, Sym, Token, keyword, lex, strange};

/// Gives the text of an included file, by its name as written.
pub(super) type Includes<'a> = &'a mut dyn FnMut(&str) -> Result<String, String>;

/// How deep files may include files.
const INCLUDE_DEPTH: usize = 20;
/// How many tokens macros may make of one program.
const EXPANDED: usize = 8 << 20;

/// A macro: its parameters, if it is written like a function, and its replacement.
pub(super) struct Macro {
    parameters: Option<Vec<Sym>>,
    body: Vec<Lexeme>,
}

/// A token on its way through the macros, with those that made it.
#[derive(Clone, Copy)]
struct Pending {
    lexeme: Lexeme,
    /// The macros that it comes from: an index into [`Preprocessor::origins`].
    origin: u32,
}

/// Is this branch of the conditions read?
struct Branch {
    start: Span,
    active: bool,
    /// Has an earlier branch of the same `#if` been read?
    taken: bool,
    had_else: bool,
}

pub(super) struct Preprocessor<'a, 's> {
    pub(super) names: &'a mut Names,
    sources: &'a mut Sources,
    includes: Includes<'s>,
    limits: &'a ParserLimits,
    macros: FxHashMap<Sym, Rc<Macro>>,
    /// Chains of macro names; number 0 is the empty chain.
    origins: Vec<(Sym, u32)>,
    branches: Vec<Branch>,
    out: Vec<Lexeme>,
    expanded: usize,
    bytes: usize,
    /// How many files were included.
    files: usize,
}

/// The tokens of a program without macros and conditions, then [`Token::End`].
pub(super) fn preprocess(
    file: FileId,
    sources: &mut Sources,
    includes: Includes<'_>,
    names: &mut Names,
    defines: &[(String, i64)],
    limits: &ParserLimits,
) -> Result<Vec<Lexeme>, Diagnostic> {
    let nothing = names.intern("");
    let mut it = Preprocessor {
        names,
        sources,
        includes,
        limits,
        macros: FxHashMap::default(),
        origins: vec![(nothing, 0)],
        branches: Vec::new(),
        out: Vec::new(),
        expanded: 0,
        bytes: 0,
        files: 0,
    };
    for (name, value) in defines {
        it.define(name, *value, file);
    }
    let end = it.file(file, 0)?;
    it.out.push(Lexeme {
        token: Token::End,
        text: nothing,
        span: end,
        newline: true,
        argument: false,
    });
    Ok(it.out)
}

impl Preprocessor<'_, '_> {
    /// As with `-DNAME=VALUE`.
    fn define(&mut self, name: &str, value: i64, file: FileId) {
        let span = Span::in_file(file, 0, 0);
        let mut body = Vec::new();
        let mut push = |token, text| {
            body.push(Lexeme {
                token,
                text,
                span,
                newline: false,
                argument: false,
            });
        };
        if value < 0 {
            push(Token::Minus, self.names.intern("-"));
        }
        let digits = value.unsigned_abs().to_string();
        push(Token::Number, self.names.intern(&digits));
        let name = self.names.intern(name);
        let parameters = None;
        self.macros
            .insert(name, Rc::new(Macro { parameters, body }));
    }

    fn is_read(&self) -> bool {
        self.branches.last().is_none_or(|b| b.active)
    }

    /// Reads one file; its end is given back.
    fn file(&mut self, file: FileId, depth: usize) -> Result<Span, Diagnostic> {
        let text = self.sources.file(file).map_or("", |f| f.text()).to_owned();
        self.bytes = self.bytes.saturating_add(text.len());
        self.limits.check_bytes(self.bytes, "the program")?;
        let lexemes = lex(&text, file, self.names)?;
        let outside = self.branches.len();
        self.lines(&lexemes, depth)?;
        if let Some(open) = self.branches.get(outside) {
            return Err(Diagnostic::error(open.start, "this `#if` is not closed")
                .label("starts here")
                .help("close it with `#endif`"));
        }
        Ok(Span::in_file(file, text.len(), text.len()))
    }

    fn lines(&mut self, lexemes: &[Lexeme], depth: usize) -> Result<(), Diagnostic> {
        let mut at = 0;
        let mut newline = true;
        while let Some(lexeme) = lexemes.get(at) {
            match lexeme.token {
                Token::Newline => {
                    newline = true;
                    at += 1;
                }
                Token::Hash if newline => {
                    let line = &lexemes[at + 1..];
                    let length = line.iter().position(|l| l.token == Token::Newline);
                    let length = length.unwrap_or(line.len());
                    self.directive(lexeme.span, &line[..length], depth)?;
                    at += 1 + length;
                }
                _ if !self.is_read() => {
                    newline = false;
                    at += 1;
                }
                Token::Strange => return Err(self.strange(lexeme)),
                _ => {
                    let first = Lexeme {
                        newline: newline || lexeme.newline,
                        ..*lexeme
                    };
                    newline = false;
                    at += 1;
                    at += self.token(first, &lexemes[at..])?;
                }
            }
        }
        Ok(())
    }

    fn strange(&self, lexeme: &Lexeme) -> Diagnostic {
        let file = self.sources.file(lexeme.span.file);
        strange(file.map_or("", |f| f.text()), lexeme.span)
    }

    /// One token of the text, with what follows; says how much of that was used.
    fn token(&mut self, lexeme: Lexeme, rest: &[Lexeme]) -> Result<usize, Diagnostic> {
        if lexeme.token != Token::Word || !self.macros.contains_key(&lexeme.text) {
            self.emit(lexeme);
            return Ok(0);
        }
        let mut input = expand::Input::new(rest);
        input.push(Pending { lexeme, origin: 0 });
        let mut newline = lexeme.newline;
        while let Some(next) = self.next_expanded(&mut input)? {
            self.emit(Lexeme {
                newline: newline || (next.from_text && next.pending.lexeme.newline),
                ..next.pending.lexeme
            });
            newline = false;
            if input.is_empty() {
                break;
            }
        }
        Ok(input.used())
    }

    fn emit(&mut self, mut lexeme: Lexeme) {
        if lexeme.token == Token::Word {
            let word = self.names.text(lexeme.text);
            lexeme.token = keyword(word).unwrap_or(Token::Word);
        }
        self.out.push(lexeme);
    }

    fn count(&mut self, tokens: usize, span: Span) -> Result<(), Diagnostic> {
        self.expanded = self.expanded.saturating_add(tokens);
        if self.expanded <= EXPANDED {
            return Ok(());
        }
        let message = format!("macros make more than {EXPANDED} tokens of this program");
        Err(Diagnostic::error(span, message)
            .label("the expansion starts here")
            .help("look for macros that use each other several times"))
    }
}
