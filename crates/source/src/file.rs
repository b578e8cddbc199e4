//! Files, byte spans and line/column positions.

use serde::Serialize;

/// The number of a file in a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
pub struct FileId(pub u16);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of the first (often the only) file.
    pub fn new(start: usize, end: usize) -> Self {
        Span::in_file(FileId(0), start, end)
    }

    /// A span of a given file. Offsets past 4 GiB saturate: files of that size are refused earlier.
    pub fn in_file(file: FileId, start: usize, end: usize) -> Self {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            file,
            start: clip(start),
            end: clip(end.max(start)),
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A one-based line and column (in characters).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A file's name and text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Takes a name for messages and the text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let line_starts = std::iter::once(0)
            .chain(newlines.map(|(i, _)| u32::try_from(i + 1).unwrap_or(u32::MAX)))
            .collect();
        SourceFile {
            name: name.into(),
            text,
            line_starts,
        }
    }

    /// The name shown in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name without folders and ending.
    pub fn stem(&self) -> &str {
        let base = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        match base.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => base,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line that a byte is in, without its end.
    pub fn line(&self, offset: u32) -> &str {
        let number = self.line_starts.partition_point(|s| *s <= offset).max(1);
        let start = self.line_starts[number - 1] as usize;
        let end = self
            .line_starts
            .get(number)
            .map_or(self.text.len(), |e| *e as usize - 1);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|s| *s <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len()).max(start);
        let before = String::from_utf8_lossy(&self.text.as_bytes()[start..end]);
        Position {
            line,
            column: before.chars().count() + 1,
        }
    }
}

/// The files of one run; spans point into them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No file yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A single file, number 0.
    pub fn single(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut sources = Self::new();
        sources.add(SourceFile::new(name, text));
        sources
    }

    /// Adds a file and says its number.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = FileId(u16::try_from(self.files.len()).unwrap_or(u16::MAX));
        self.files.push(file);
        id
    }

    /// A file by number.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The text a span covers, empty when it points nowhere.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file)
            .and_then(|f| f.text().get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let file = SourceFile::new("m", "aä\nb");
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position(3), Position { line: 1, column: 3 });
        assert_eq!(file.position(4), Position { line: 2, column: 1 });
        assert_eq!(file.position(999), Position { line: 2, column: 2 });
    }
}
