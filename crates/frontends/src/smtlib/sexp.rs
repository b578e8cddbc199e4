//! Text to s-expressions, kept flat so that no depth of nesting needs the machine's stack.

use rustc_hash::FxHashMap;
use suppose_model::chc::limits::MOST_DIGITS;
use suppose_source::{Diagnostic, FileId, Span};

/// An expression, by its number in [`Sexps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id(u32);

/// A symbol's name, without bars, by its number in [`Sexps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(pub(super) u32);

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A symbol, quoted or not.
    Symbol(Name),
    /// `12`.
    Numeral,
    /// `1.5`.
    Decimal,
    /// `#x1f`.
    Hexadecimal,
    /// `#b101`.
    Binary,
    /// `"text"`.
    Text,
    /// `:named`.
    Keyword,
    /// Between brackets: where its parts begin and how many there are.
    List(u32, u32),
}

/// All expressions of a text.
#[derive(Debug, Default)]
pub(super) struct Sexps {
    forms: Vec<(Form, Span)>,
    parts: Vec<Id>,
    names: Vec<String>,
    known: FxHashMap<String, Name>,
}

impl Sexps {
    pub(super) fn form(&self, id: Id) -> Form {
        self.forms[id.0 as usize].0
    }

    pub(super) fn span(&self, id: Id) -> Span {
        self.forms[id.0 as usize].1
    }

    /// The parts of a list; none of anything else.
    pub(super) fn list(&self, id: Id) -> &[Id] {
        match self.form(id) {
            Form::List(first, count) => &self.parts[first as usize..(first + count) as usize],
            _ => &[],
        }
    }

    pub(super) fn is_list(&self, id: Id) -> bool {
        matches!(self.form(id), Form::List(..))
    }

    pub(super) fn symbol(&self, id: Id) -> Option<Name> {
        match self.form(id) {
            Form::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// A symbol's text.
    pub(super) fn word(&self, id: Id) -> Option<&str> {
        self.symbol(id).map(|name| self.text(name))
    }

    pub(super) fn text(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.known.get(text) {
            return name;
        }
        let name = Name(self.names.len() as u32);
        self.names.push(text.to_owned());
        self.known.insert(text.to_owned(), name);
        name
    }

    fn push(&mut self, form: Form, span: Span) -> Id {
        self.forms.push((form, span));
        Id(self.forms.len() as u32 - 1)
    }
}

/// Lists nest at most so deep. Nothing here or later recurses on it; the limit is for memory.
const DEEPEST: usize = 100_000;

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    sexps: Sexps,
}

/// The expressions at the top of a text.
pub(super) fn read(text: &str, file: FileId) -> Result<(Sexps, Vec<Id>), Diagnostic> {
    let mut reader = Reader {
        text,
        file,
        at: 0,
        sexps: Sexps::default(),
    };
    let mut top = Vec::new();
    // Open lists: where the bracket is, and the parts so far.
    let mut open: Vec<(usize, Vec<Id>)> = Vec::new();
    loop {
        reader.skip();
        let start = reader.at;
        let Some(byte) = text.as_bytes().get(start).copied() else {
            break;
        };
        let done = match byte {
            b'(' => {
                if open.len() >= DEEPEST {
                    return Err(Diagnostic::error(
                        reader.span(start, start + 1),
                        format!("lists nest more than {DEEPEST} deep"),
                    ));
                }
                reader.at += 1;
                open.push((start, Vec::new()));
                continue;
            }
            b')' => {
                reader.at += 1;
                let Some((opened, parts)) = open.pop() else {
                    return Err(Diagnostic::error(
                        reader.span(start, start + 1),
                        "`)` closes no list",
                    )
                    .label("expected a command, `(...)`")
                    .help("remove it, or add the `(` it belongs to"));
                };
                let first = reader.sexps.parts.len() as u32;
                let count = parts.len() as u32;
                reader.sexps.parts.extend(parts);
                let span = reader.span(opened, reader.at);
                reader.sexps.push(Form::List(first, count), span)
            }
            _ => reader.atom()?,
        };
        match open.last_mut() {
            Some((_, parts)) => parts.push(done),
            None => top.push(done),
        }
    }
    match open.first() {
        Some(&(outermost, _)) => Err(unclosed(&reader, outermost, open.len())),
        None => Ok((reader.sexps, top)),
    }
}

fn unclosed(reader: &Reader<'_>, outermost: usize, count: usize) -> Diagnostic {
    let end = reader.text.len();
    let lists = if count == 1 { "list is" } else { "lists are" };
    Diagnostic::error(
        reader.span(end, end),
        format!("the text ends where {count} {lists} still open"),
    )
    .label("expected `)`")
    .note(
        reader.span(outermost, outermost + 1),
        "the outermost of them begins here",
    )
    .help("the file may be cut off; else close what is open")
}

fn plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte) || byte >= 0x80
}

impl Reader<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::in_file(self.file, start, end)
    }

    /// Over blanks and comments.
    fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => self.at += 1,
                b';' => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                }
                0xef if self.at == 0 && self.text.starts_with('\u{feff}') => self.at += 3,
                _ => return,
            }
        }
    }

    /// How far plain bytes go from here.
    fn run(&self, from: usize) -> usize {
        let rest = &self.text.as_bytes()[from..];
        from + rest.iter().position(|b| !plain(*b)).unwrap_or(rest.len())
    }

    fn atom(&mut self) -> Result<Id, Diagnostic> {
        let start = self.at;
        match self.text.as_bytes()[start] {
            b'|' => self.quoted(),
            b'"' => self.string(),
            b':' => {
                self.at = self.run(start + 1);
                Ok(self.sexps.push(Form::Keyword, self.span(start, self.at)))
            }
            b'#' => self.bits(),
            byte if byte.is_ascii_digit() => self.number(),
            byte if plain(byte) => {
                self.at = self.run(start);
                let span = self.span(start, self.at);
                let name = self.sexps.intern(&self.text[start..self.at]);
                Ok(self.sexps.push(Form::Symbol(name), span))
            }
            _ => {
                let width = self.text[start..].chars().next().map_or(1, char::len_utf8);
                let found = &self.text[start..start + width];
                Err(Diagnostic::error(
                    self.span(start, start + width),
                    format!("`{}` cannot stand here", found.escape_debug()),
                )
                .label("expected `(`, `)`, a name or a number")
                .help("names with such characters are written between bars: `|a name|`"))
            }
        }
    }

    fn quoted(&mut self) -> Result<Id, Diagnostic> {
        let start = self.at;
        let Some(length) = self.text[start + 1..].find('|') else {
            return Err(Diagnostic::error(
                self.span(start, start + 1),
                "the quoted name has no end",
            )
            .label("expected another `|` further on"));
        };
        self.at = start + 1 + length + 1;
        let span = self.span(start, self.at);
        let inner = &self.text[start + 1..self.at - 1];
        if let Some(at) = inner.find('\\') {
            let at = start + 1 + at;
            return Err(Diagnostic::error(
                self.span(at, at + 1),
                "a quoted name cannot contain `\\`",
            ));
        }
        let name = self.sexps.intern(inner);
        Ok(self.sexps.push(Form::Symbol(name), span))
    }

    fn string(&mut self) -> Result<Id, Diagnostic> {
        let start = self.at;
        let mut end = start + 1;
        loop {
            let Some(length) = self.text[end..].find('"') else {
                return Err(Diagnostic::error(
                    self.span(start, start + 1),
                    "the string has no end",
                )
                .label("expected another `\"` further on"));
            };
            end += length + 1;
            // A doubled quote is a quote.
            if self.text.as_bytes().get(end) == Some(&b'"') {
                end += 1;
                continue;
            }
            break;
        }
        self.at = end;
        Ok(self.sexps.push(Form::Text, self.span(start, end)))
    }

    fn bits(&mut self) -> Result<Id, Diagnostic> {
        let start = self.at;
        self.at = self.run(start + 1).max(start + 1);
        let span = self.span(start, self.at);
        let digits = self.text.get(start + 2..self.at).unwrap_or("");
        let all = |test: fn(&u8) -> bool| !digits.is_empty() && digits.as_bytes().iter().all(test);
        match self.text.as_bytes().get(start + 1) {
            Some(b'x') if all(u8::is_ascii_hexdigit) => {
                Ok(self.sexps.push(Form::Hexadecimal, span))
            }
            Some(b'b') if all(|b| b"01".contains(b)) => Ok(self.sexps.push(Form::Binary, span)),
            _ => Err(Diagnostic::error(span, "this is not a bit-vector constant")
                .label("expected `#b` and binary digits or `#x` and hexadecimal ones")
                .help("for example `#b0101` or `#x1f`")),
        }
    }

    fn number(&mut self) -> Result<Id, Diagnostic> {
        let start = self.at;
        self.at = self.run(start);
        let span = self.span(start, self.at);
        let text = &self.text[start..self.at];
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if text.bytes().filter(u8::is_ascii_digit).count() > MOST_DIGITS {
            let what = format!("this number has more than {MOST_DIGITS} digits");
            return Err(Diagnostic::error(span, what)
                .label(format!("expected at most {MOST_DIGITS} digits")));
        }
        if digits(text) {
            return Ok(self.sexps.push(Form::Numeral, span));
        }
        match text.split_once('.') {
            Some((whole, part)) if digits(whole) && digits(part) => {
                Ok(self.sexps.push(Form::Decimal, span))
            }
            _ => Err(Diagnostic::error(span, format!("`{text}` is not a number"))
                .label("expected digits, as in `12` or `1.5`")
                .help("a name that begins with a digit is written between bars")),
        }
    }
}
