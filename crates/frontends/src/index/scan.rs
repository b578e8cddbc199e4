//! Text to tokens for the index: never fails, keeps comments, and pairs brackets as far as they can be paired.

use rustc_hash::FxHashSet;

use super::words;
use crate::Language;

/// No partner.
pub(super) const NONE: u32 = u32::MAX;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// Between quotes.
    Text,
    /// `(`, `[` or `{`.
    Open,
    Close,
    /// Any other sign.
    Mark,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The other bracket, or [`NONE`].
    pub(super) partner: u32,
    /// Does it come first on its line?
    pub(super) first: bool,
    /// Is it a word that cannot be a name?
    pub(super) reserved: bool,
}

/// A text in tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct Scanned {
    pub(super) tokens: Vec<Token>,
    /// The lines of the preprocessor, each as its own tokens.
    pub(super) directives: Vec<Vec<Token>>,
    /// From and to, in bytes.
    pub(super) comments: Vec<(u32, u32)>,
}

/// How a language is written.
struct Syntax {
    line: &'static [&'static str],
    block: Option<(&'static str, &'static str)>,
    directives: bool,
    /// Characters of names besides letters, digits and `_`.
    also: &'static str,
    /// Are there characters between single quotes?
    characters: bool,
}

fn syntax(language: Language) -> Syntax {
    let c_like = Syntax {
        line: &["//"],
        block: Some(("/*", "*/")),
        directives: false,
        also: "",
        characters: false,
    };
    match language {
        Language::Promela | Language::C => Syntax {
            directives: true,
            characters: true,
            ..c_like
        },
        Language::Smv => Syntax {
            line: &["--", "#"],
            block: Some(("/--", "--/")),
            also: "$#\\-",
            ..c_like
        },
        Language::SmtLib => Syntax {
            line: &[";"],
            block: None,
            also: "~!@$%^&*-+=<>.?/:#",
            ..c_like
        },
        Language::Prism => Syntax {
            block: None,
            ..c_like
        },
        _ => c_like,
    }
}

/// Signs of more than one character, the longest first.
const MARKS: [&str; 27] = [
    "<->", "<=>", "|||", "...", "-->", "<<=", ">>=", "->", "<-", "=>", ":=", "::", "..", "==",
    "!=", "<=", ">=", "<<", ">>", "||", "&&", "++", "--", "+=", "-=", "*=", "/=",
];

/// The tokens of any text.
pub(super) fn scan(language: Language, text: &str) -> Scanned {
    let syntax = syntax(language);
    let mut scanner = Scanner {
        text,
        at: 0,
        syntax,
        lisp: language == Language::SmtLib,
        reserved: words::reserved(language).iter().copied().collect(),
        found: Scanned::default(),
    };
    scanner.run();
    let mut found = scanner.found;
    pair(text, &mut found.tokens);
    for line in &mut found.directives {
        pair(text, line);
    }
    found
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    syntax: Syntax,
    lisp: bool,
    reserved: FxHashSet<&'static str>,
    found: Scanned,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let mut first = true;
        let mut directive: Option<Vec<Token>> = None;
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            if byte == b'\n' {
                self.at += 1;
                first = true;
                self.found.directives.extend(directive.take());
                continue;
            }
            if self.continued_line() || byte.is_ascii_whitespace() {
                self.at += 1;
                continue;
            }
            if self.comment() {
                continue;
            }
            if first && self.syntax.directives && byte == b'#' {
                directive = Some(Vec::new());
                self.at += 1;
                first = false;
                continue;
            }
            let token = self.token(byte, first);
            first = false;
            match &mut directive {
                Some(line) => line.push(token),
                None => self.found.tokens.push(token),
            }
        }
        self.found.directives.extend(directive);
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// A backslash before the end of a line: moves to that end.
    fn continued_line(&mut self) -> bool {
        if !self.syntax.directives {
            return false;
        }
        let length = match self.rest() {
            rest if rest.starts_with("\\\r\n") => 2,
            rest if rest.starts_with("\\\n") => 1,
            _ => return false,
        };
        self.at += length;
        true
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let length = match self.syntax.block {
            Some((open, close)) if rest.starts_with(open) => rest[open.len()..]
                .find(close)
                .map_or(rest.len(), |n| open.len() + n + close.len()),
            _ if self.syntax.line.iter().any(|mark| rest.starts_with(mark)) => {
                rest.find('\n').unwrap_or(rest.len())
            }
            _ => return false,
        };
        let start = self.at;
        self.at += length;
        self.found.comments.push((place(start), place(self.at)));
        true
    }

    fn token(&mut self, byte: u8, first: bool) -> Token {
        let start = self.at;
        let (kind, length) = self.measure(byte);
        self.at += length;
        Token {
            kind,
            start: place(start),
            end: place(self.at),
            partner: NONE,
            first,
            reserved: kind == Kind::Word && self.reserved.contains(&self.text[start..self.at]),
        }
    }

    fn measure(&self, byte: u8) -> (Kind, usize) {
        let rest = self.rest();
        match byte {
            b'(' => (Kind::Open, 1),
            b'[' | b'{' if !self.lisp => (Kind::Open, 1),
            b')' => (Kind::Close, 1),
            b']' | b'}' if !self.lisp => (Kind::Close, 1),
            b'"' => (Kind::Text, quoted(rest, b'"')),
            b'|' if self.lisp => {
                let end = rest[1..].find('|').map_or(rest.len(), |n| n + 2);
                (Kind::Word, end)
            }
            b'\'' if self.syntax.characters => (Kind::Text, quoted(rest, b'\'')),
            b'0'..=b'9' => (Kind::Number, number(rest)),
            _ if self.names(byte) && byte != b'-' && byte != b'#'
                || self.lisp && self.names(byte) =>
            {
                (Kind::Word, self.word(rest))
            }
            _ => {
                let mark = MARKS.iter().find(|m| rest.starts_with(**m));
                let one = rest.chars().next().map_or(1, char::len_utf8);
                (Kind::Mark, mark.map_or(one, |m| m.len()))
            }
        }
    }

    fn names(&self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || byte == b'_' || self.syntax.also.as_bytes().contains(&byte)
    }

    fn word(&self, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        let length = bytes.iter().take_while(|b| self.names(**b)).count();
        // Of `a->b` in SMV the arrow is meant.
        let is_arrow = !self.lisp && length > 1 && bytes[length - 1] == b'-';
        match is_arrow && bytes.get(length) == Some(&b'>') {
            true => length - 1,
            false => length,
        }
    }
}

/// Longer texts are refused by every front-end.
fn place(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// To the closing quote on the same line, or else to the end of the line.
fn quoted(rest: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (i, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return i,
            b'\\' => escaped = !escaped,
            _ if byte == quote && !escaped => return i + 1,
            _ => escaped = false,
        }
    }
    rest.len()
}

/// Digits with letters (`0x1f`), and one point that has a digit behind it.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let alphanumeric = |from: usize| {
        let run = bytes[from..].iter();
        run.take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count()
    };
    let whole = alphanumeric(0);
    let is_decimal =
        bytes.get(whole) == Some(&b'.') && bytes.get(whole + 1).is_some_and(u8::is_ascii_digit);
    match is_decimal {
        true => whole + 1 + alphanumeric(whole + 1),
        false => whole,
    }
}

/// Pairs brackets. One that is not closed before an outer one is, stays alone.
fn pair(text: &str, tokens: &mut [Token]) {
    let brackets: Vec<(usize, Kind, u8)> = tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| matches!(t.kind, Kind::Open | Kind::Close))
        .map(|(i, t)| (i, t.kind, text.as_bytes()[t.start as usize]))
        .collect();
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (i, kind, byte) in brackets {
        if kind == Kind::Open {
            open.push((i, byte));
            continue;
        }
        let wanted = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        if let Some(found) = open.iter().rposition(|(_, b)| *b == wanted) {
            let (partner, _) = open[found];
            open.truncate(found);
            tokens[i].partner = place(partner);
            tokens[partner].partner = place(i);
        }
    }
}
