//! Open documents: their text, positions in it, and what is known about them.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic, Position, Range as Area, TextDocumentContentChangeEvent, Uri};
use suppose::{Language, Source};
use suppose_frontends::index::Index;

use crate::jobs::Verdict;
use crate::paths::path_of;

/// How much of a text tells its language.
const LOOK: usize = 1 << 16;

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Lines(std::iter::once(0).chain(ends.map(|(i, _)| i + 1)).collect())
    }

    /// The byte of a position; beyond the end of a line or of the text, that end. Columns count units of UTF-16.
    pub(crate) fn offset(&self, text: &str, at: Position) -> usize {
        let Some(&start) = self.0.get(at.line as usize) else {
            return text.len();
        };
        let end = self
            .0
            .get(at.line as usize + 1)
            .map_or(text.len(), |next| next - 1);
        let line = text[start..end].trim_end_matches('\r');
        let mut units = 0;
        for (i, c) in line.char_indices() {
            if units >= at.character as usize {
                return start + i;
            }
            units += c.len_utf16();
        }
        start + line.len()
    }

    /// The position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.0.partition_point(|s| *s <= offset).saturating_sub(1);
        let before = &text[self.0[line]..offset];
        let units: usize = before.chars().map(char::len_utf16).sum();
        Position::new(line as u32, units as u32)
    }

    pub(crate) fn area(&self, text: &str, span: &Range<usize>) -> Area {
        Area::new(
            self.position(text, span.start),
            self.position(text, span.end),
        )
    }
}

/// What the front-end said of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The claims that can be checked.
    pub claims: Vec<String>,
    /// Is there no error?
    pub is_sound: bool,
}

/// A text in the editor.
pub(crate) struct Document {
    pub uri: Uri,
    /// The file; none if it was never saved.
    pub path: Option<PathBuf>,
    pub version: i32,
    pub text: String,
    pub lines: Lines,
    pub language: Option<Language>,
    /// The last reading that is finished, maybe of an earlier text.
    pub reading: Option<Reading>,
    /// What the front-end says, and what checks found.
    pub errors: Vec<Diagnostic>,
    /// What checks of this very text found, by claim; the empty name is the whole model.
    pub verdicts: BTreeMap<String, Verdict>,
    index: OnceCell<Index>,
}

impl Document {
    pub(crate) fn new(uri: Uri, language_id: &str, version: i32, text: String) -> Document {
        let path = path_of(&uri);
        let mut document = Document {
            lines: Lines::of(&text),
            language: None,
            path,
            uri,
            version,
            text,
            reading: None,
            errors: Vec::new(),
            verdicts: BTreeMap::new(),
            index: OnceCell::new(),
        };
        document.language = document.detect(language_id);
        document
    }

    /// By the name of the file and its text, else by what the editor calls the language.
    fn detect(&self, id: &str) -> Option<Language> {
        let mut look = self.text.len().min(LOOK);
        while !self.text.is_char_boundary(look) {
            look -= 1;
        }
        let name = self.name();
        let by_name = Language::of(&name).and_then(|_| Language::detect(&name, &self.text[..look]));
        let named = Language::ALL.into_iter().find(|l| l.name() == id);
        by_name
            .or(named)
            .or_else(|| Language::detect(&name, &self.text[..look]))
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => self
                .uri
                .as_str()
                .rsplit(['/', ':'])
                .next()
                .unwrap_or("")
                .to_owned(),
        }
    }

    /// A part of a program, that is no program by itself.
    pub(crate) fn is_part(&self) -> bool {
        let ending = self.path.as_deref().and_then(Path::extension);
        ending.is_some_and(|e| matches!(e.to_str(), Some("h" | "inc")))
    }

    /// One change of the text.
    pub(crate) fn change(&mut self, change: TextDocumentContentChangeEvent) {
        match change.range {
            None => self.text = change.text,
            Some(area) => {
                let from = self.lines.offset(&self.text, area.start);
                let to = self.lines.offset(&self.text, area.end).max(from);
                self.text.replace_range(from..to, &change.text);
            }
        }
        self.lines = Lines::of(&self.text);
        self.index = OnceCell::new();
        self.verdicts.clear();
    }

    /// Names and their uses; empty if the language is not known.
    pub(crate) fn index(&self) -> &Index {
        let language = self.language.unwrap_or(Language::Json);
        self.index.get_or_init(|| Index::new(language, &self.text))
    }

    pub(crate) fn offset(&self, at: Position) -> usize {
        self.lines.offset(&self.text, at)
    }

    pub(crate) fn area(&self, span: &Range<usize>) -> Area {
        self.lines.area(&self.text, span)
    }

    /// The folder of the file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }

    /// The text as the library reads it, with the texts of other open files of its folder.
    pub(crate) fn source<'a>(&self, others: impl Iterator<Item = &'a Document>) -> Source {
        let Some(path) = &self.path else {
            return Source::text(self.named(), self.text.as_str());
        };
        let mut source = Source::edited(path, self.text.as_str());
        for other in others {
            let beside = other.path.as_ref().filter(|p| *p != path);
            let Some((file, folder)) = beside.zip(self.folder()) else {
                continue;
            };
            if file.starts_with(folder) {
                source = source.with(file, other.text.as_str());
            }
        }
        source
    }

    /// A name that tells the language.
    fn named(&self) -> String {
        let name = self.name();
        match self.language {
            Some(language) if Language::of(&name) != Some(language) => {
                let ending = language.endings().first().copied().unwrap_or("txt");
                format!("{name}.{ending}")
            }
            _ => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf_16() {
        let text = "ä𝄞x\r\nb\n";
        let lines = Lines::of(text);
        for (offset, line, character) in [
            (0, 0, 0),
            (2, 0, 1),
            (6, 0, 3),
            (7, 0, 4),
            (9, 1, 0),
            (11, 2, 0),
        ] {
            let position = Position::new(line, character);
            assert_eq!(lines.position(text, offset), position, "{offset}");
            assert_eq!(lines.offset(text, position), offset);
        }
        assert_eq!(lines.offset(text, Position::new(0, 99)), 7);
        assert_eq!(lines.offset(text, Position::new(9, 0)), text.len());
        // In the middle of a pair: the end of the character.
        assert_eq!(lines.offset(text, Position::new(0, 2)), 6);
    }
}
