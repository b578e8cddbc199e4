//! Text to tokens.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use suppose_source::{Diagnostic, FileId, Span, open_comment, unexpected_character};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Char,
    Text,
    Punct,
    Newline,
    End,
}

/// A token with its text and place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Rc<str>,
    pub(super) span: Span,
    /// Does white space come before it?
    pub(super) spaced: bool,
}

impl Token {
    pub(super) fn is(&self, punct: &str) -> bool {
        self.kind == Kind::Punct && &*self.text == punct
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && &*self.text == word
    }
}

/// The longest first.
const PUNCTUATION: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "(", ")", "[", "]", "{", "}", ";", ",", ":",
    "?", "=", "<", ">", "!", "~", "+", "-", "*", "/", "%", "&", "|", "^", ".", "#",
];

/// Texts, each kept once.
#[derive(Debug, Default)]
pub(super) struct Texts(FxHashMap<Box<str>, Rc<str>>);

impl Texts {
    pub(super) fn get(&mut self, text: &str) -> Rc<str> {
        if let Some(found) = self.0.get(text) {
            return Rc::clone(found);
        }
        let kept: Rc<str> = text.into();
        self.0.insert(text.into(), Rc::clone(&kept));
        kept
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    file: FileId,
}

/// All tokens of a text, with newlines, without an end.
pub(super) fn lex(text: &str, file: FileId, texts: &mut Texts) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { text, at: 0, file };
    let mut tokens = Vec::new();
    let mut spaced = true;
    loop {
        let start = lexer.at;
        lexer.skip_space()?;
        spaced |= lexer.at > start;
        let start = lexer.at;
        let Some(kind) = lexer.token()? else {
            return Ok(tokens);
        };
        tokens.push(Token {
            kind,
            text: texts.get(&text[start..lexer.at]),
            span: Span::in_file(file, start, lexer.at),
            spaced,
        });
        spaced = kind == Kind::Newline;
    }
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::in_file(self.file, start, end)
    }

    fn skip_space(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next();
            match first {
                Some(' ' | '\t' | '\r' | '\u{b}' | '\u{c}' | '\u{feff}') => {
                    self.at += first.map_or(0, char::len_utf8);
                }
                Some('\\') if rest.starts_with("\\\n") => self.at += 2,
                Some('\\') if rest.starts_with("\\\r\n") => self.at += 3,
                Some('/') if rest.starts_with("//") => self.at += line_comment(rest),
                Some('/') if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        let comment = self.span(self.at, self.at);
                        return Err(open_comment(comment, 2, "*/"));
                    }
                },
                _ => return Ok(()),
            }
        }
    }

    fn token(&mut self) -> Result<Option<Kind>, Diagnostic> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let bytes = rest.as_bytes();
        let digit_next = bytes.get(1).is_some_and(u8::is_ascii_digit);
        let (kind, length) = match first {
            '\n' => (Kind::Newline, 1),
            'a'..='z' | 'A'..='Z' | '_' | '$' => (Kind::Word, run(rest, false)),
            '0'..='9' => (Kind::Number, run(rest, true)),
            '.' if digit_next => (Kind::Number, run(rest, true)),
            '\'' => (Kind::Char, self.quoted('\'')?),
            '"' => (Kind::Text, self.quoted('"')?),
            _ => match PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
                Some(punct) => (Kind::Punct, punct.len()),
                None => return Err(self.strange()),
            },
        };
        self.at += length;
        Ok(Some(kind))
    }

    fn quoted(&self, quote: char) -> Result<usize, Diagnostic> {
        let mut escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            if c == '\n' && !escaped {
                break;
            }
            if c == quote && !escaped {
                return Ok(i + 1);
            }
            escaped = c == '\\' && !escaped;
        }
        let what = if quote == '"' { "text" } else { "character" };
        let place = self.span(self.at, self.at + 1);
        Err(
            Diagnostic::error(place, format!("this {what} is not closed"))
                .label("starts here")
                .help(format!("close it with `{quote}` on the same line")),
        )
    }

    fn strange(&self) -> Diagnostic {
        let (_, error) = unexpected_character(self.text, self.span(self.at, self.at));
        error.label("not part of C")
    }
}

/// To the end of the line; a backslash there takes the next line as well.
fn line_comment(rest: &str) -> usize {
    let mut from = 0;
    while let Some(found) = rest[from..].find('\n') {
        let end = from + found;
        if !rest[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        from = end + 1;
    }
    rest.len()
}

/// A word, or what the preprocessor takes for a number (`1.5e-3` is one, to be refused later).
fn run(rest: &str, number: bool) -> usize {
    let mut before = '0';
    for (i, c) in rest.char_indices() {
        let sign = number && matches!(c, '+' | '-') && is_exponent(rest, before);
        if !(c.is_ascii_alphanumeric()
            || c == '_'
            || (!number && c == '$')
            || (number && c == '.')
            || sign)
        {
            return i;
        }
        before = c;
    }
    rest.len()
}

fn is_exponent(rest: &str, before: char) -> bool {
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    matches!(before, 'p' | 'P') || (!hex && matches!(before, 'e' | 'E'))
}
