//! Diagnostics about an input.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::Serialize;
use serde::ser::SerializeStruct;

use crate::{Sources, Span, nearest};

/// The severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input is used, but may not mean what the user intended.
    Warning,
    /// The input cannot be used.
    Error,
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The position.
    pub span: Span,
    /// What is to be seen there.
    pub text: String,
}

/// What is wrong, where, what was expected, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence without a full stop: what is wrong.
    pub message: String,
    /// Where; none if the file as a whole is meant.
    pub span: Option<Span>,
    /// Shown under the caret: what was expected there.
    pub label: String,
    /// Other places.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An error about the input as a whole.
    pub fn error_without_place(message: impl Into<String>) -> Self {
        let mut it = Diagnostic::error(Span::default(), message);
        it.span = None;
        it
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        let mut it = Diagnostic::error(span, message);
        it.severity = Severity::Warning;
        it
    }

    /// Says what was expected, under the caret.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Points at another place.
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        self.notes.push(Note { span, text });
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Suggests the candidate nearest to a misspelt name, if there is one.
    pub fn did_you_mean<'a>(
        self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        match nearest(name, candidates) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// Suggests the candidate nearest to a misspelt name, or says what else to do.
    pub fn did_you_mean_or<'a>(
        self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
        otherwise: impl Into<String>,
    ) -> Self {
        let helps = self.help.len();
        let it = self.did_you_mean(name, candidates);
        match it.help.len() > helps {
            true => it,
            false => it.help(otherwise),
        }
    }

    /// A short name for what is wrong, for tools that filter: the first words of the message without what it quotes, as in
    /// `unknown-process`.
    pub fn code(&self) -> String {
        let unquoted = self
            .message
            .split('`')
            .step_by(2)
            .collect::<Vec<_>>()
            .join(" ");
        let words = unquoted.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<String> = words
            .filter(|w| w.len() > 1 && w.chars().any(|c| c.is_ascii_alphabetic()))
            .take(6)
            .map(str::to_ascii_lowercase)
            .collect();
        match words.is_empty() {
            true => "error".to_owned(),
            false => words.join("-"),
        }
    }

    /// The text for a terminal: source line, caret, expectation, help.
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let message = shortened(&self.message);
        let mut group = level
            .primary_title(message.as_ref())
            .elements([] as [Snippet<'_, annotate_snippets::Annotation<'_>>; 0]);
        let mut long: Vec<String> = Vec::new();
        if let Some(span) = self.span {
            let places = std::iter::once((span, self.label.as_str(), AnnotationKind::Primary))
                .chain(
                    self.notes
                        .iter()
                        .map(|n| (n.span, n.text.as_str(), AnnotationKind::Context)),
                );
            let mut snippets: Vec<(
                crate::FileId,
                Snippet<'_, annotate_snippets::Annotation<'_>>,
            )> = Vec::new();
            for (span, text, kind) in places {
                let Some(file) = sources.file(span.file) else {
                    continue;
                };
                if file.line(span.start).len() > LONG_LINE {
                    let at = file.position(span.start);
                    let (name, text) = (file.name(), shortened(text));
                    let place = format!("{name}:{}:{}: {text}", at.line, at.column);
                    long.push(place.trim_end_matches([' ', ':']).to_owned());
                    continue;
                }
                let mark = kind.span(clamp(span, file.text())).label(text);
                match snippets.iter_mut().find(|(id, _)| *id == span.file) {
                    Some((_, snippet)) => {
                        *snippet = std::mem::replace(snippet, Snippet::source("")).annotation(mark)
                    }
                    None => snippets.push((
                        span.file,
                        Snippet::source(file.text())
                            .path(file.name())
                            .annotation(mark),
                    )),
                }
            }
            for (_, snippet) in snippets {
                group = group.element(snippet);
            }
        }
        for place in &long {
            group = group.element(Level::NOTE.message(place.as_str()));
        }
        let help: Vec<_> = self.help.iter().map(|h| shortened(h)).collect();
        for help in &help {
            group = group.element(Level::HELP.message(help.as_ref()));
        }
        let renderer = if colour {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&[group]).to_string()
    }

    /// The same as data: `severity`, `message`, `file`, `line`, `column`, `expected`, `help`.
    pub fn to_record(&self, sources: &Sources) -> Record {
        let place = self.span.and_then(|s| Some((s, sources.file(s.file)?)));
        Record {
            severity: self.severity,
            message: shortened(&self.message).into_owned(),
            place: place.map(|(s, f)| (f.name().to_owned(), f.position(s.start))),
            expected: self.label.clone(),
            help: self
                .help
                .iter()
                .map(|h| shortened(h).into_owned())
                .collect(),
        }
    }
}

/// Longer source lines are not shown.
const LONG_LINE: usize = 4_000;
/// Longer messages are cut: they may repeat text of a file.
const LONG_MESSAGE: usize = 1_000;

/// A message, with the middle left out if it is very long.
fn shortened(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= LONG_MESSAGE {
        return text.into();
    }
    let start: String = text.chars().take(LONG_MESSAGE / 5).collect();
    let mut end: Vec<char> = text.chars().rev().take(LONG_MESSAGE / 10).collect();
    end.reverse();
    format!("{start} … {}", end.into_iter().collect::<String>()).into()
}

/// A diagnostic with its place resolved, for JSON.
#[derive(Clone, Debug)]
pub struct Record {
    severity: Severity,
    message: String,
    place: Option<(String, crate::Position)>,
    expected: String,
    help: Vec<String>,
}

impl Serialize for Record {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("Diagnostic", 7)?;
        s.serialize_field("severity", &self.severity)?;
        s.serialize_field("message", &self.message)?;
        s.serialize_field("file", &self.place.as_ref().map(|(name, _)| name))?;
        s.serialize_field("line", &self.place.as_ref().map(|(_, p)| p.line))?;
        s.serialize_field("column", &self.place.as_ref().map(|(_, p)| p.column))?;
        s.serialize_field("expected", &self.expected)?;
        s.serialize_field("help", &self.help)?;
        s.end()
    }
}

/// The renderer wants ranges inside the text and on character boundaries.
fn clamp(span: Span, text: &str) -> std::ops::Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_line_caret_expectation_and_help() {
        let sources = Sources::single("m.lts", "P = (a -> Q).\n");
        let shown = Diagnostic::error(Span::new(10, 11), "no process `Q`")
            .label("expected the name of a process")
            .help("define it: Q = STOP.")
            .render(&sources, false);
        assert!(shown.contains("error: no process `Q`"), "{shown}");
        assert!(shown.contains("m.lts:1:11"), "{shown}");
        assert!(
            shown.contains("^ expected the name of a process"),
            "{shown}"
        );
        assert!(shown.contains("help: define it: Q = STOP."), "{shown}");
    }

    #[test]
    fn the_code_leaves_out_what_is_quoted() {
        let code = |message: &str| Diagnostic::error(Span::new(0, 0), message).code();
        assert_eq!(code("unknown process `LIHGT`"), "unknown-process");
        assert_eq!(code("`x` is 300, which is not a `byte`"), "is-which-is-not");
        assert_eq!(code("`x`"), "error");
    }

    #[test]
    fn what_is_very_long_is_cut() {
        let line = "x".repeat(1 << 20);
        let sources = Sources::single("m", format!("a\n{line}"));
        let it = Diagnostic::error(Span::new(12, 1 << 20), format!("unexpected `{line}`"))
            .label("expected something else");
        let shown = it.render(&sources, false);
        assert!(shown.len() < 1_000, "{}", shown.len());
        assert!(shown.contains("m:2:11: expected something else"), "{shown}");
    }

    #[test]
    fn places_outside_the_text_do_not_panic() {
        let sources = Sources::single("m", "ä");
        for (start, end) in [(1, 1), (0, 1), (7, 9), (2, 2)] {
            let _ = Diagnostic::error(Span::new(start, end), "x").render(&sources, false);
        }
        let elsewhere = Span::in_file(crate::FileId(3), 0, 1);
        let _ = Diagnostic::error(elsewhere, "x").render(&sources, true);
    }
}
