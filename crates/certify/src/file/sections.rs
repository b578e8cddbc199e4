//! One file with the evidence about several claims: a list of the documents that a file about one claim holds.
//!
//! ```text
//! {"format": "suppose evidence", "version": 1, "claims": [ {...}, {...} ]}
//! ```
//!
//! The documents can be large, so where they begin and end is found without making anything of them; each is then read by
//! itself, as if it were a file of its own.

use std::io::{self, BufReader, Read, Write};

use serde::{Deserialize, Serialize};

use super::{Malformed, ReadLimits};

const FORMAT: &str = "suppose evidence";
const VERSION: &str = "1";
const NONE: &str = "suppose no evidence";
/// More claims than any run has.
const MOST: usize = 1_000_000;
/// A document that says there is no evidence is short.
const SHORT: u64 = 1 << 20;

/// Where a document is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its first byte.
    pub start: u64,
    /// The length in bytes.
    pub length: u64,
    /// How many lines there are before it.
    pub lines: usize,
}

/// The documents of a file; none if the file is a document itself.
pub fn sections(input: impl Read, limits: &ReadLimits) -> Result<Option<Vec<Section>>, Malformed> {
    let mut scan = Scan {
        input: BufReader::with_capacity(1 << 16, input).bytes(),
        next: None,
        at: 0,
        line: 0,
        column: 0,
        most: limits.bytes,
    };
    scan.advance()?;
    if !scan.is_container()? {
        return Ok(None);
    }
    scan.container().map(Some)
}

/// That a claim has no evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoEvidence {
    format: String,
    version: u64,
    /// The claim.
    pub claim: String,
    /// The reason why there is no evidence.
    pub reason: String,
}

impl NoEvidence {
    /// About this claim.
    pub fn new(claim: impl Into<String>, reason: impl Into<String>) -> Self {
        NoEvidence {
            format: NONE.to_owned(),
            version: 1,
            claim: claim.into(),
            reason: reason.into(),
        }
    }

    /// What a document says, if it says that there is no evidence.
    pub fn read(input: impl Read, length: u64) -> Option<NoEvidence> {
        if length > SHORT {
            return None;
        }
        let found: NoEvidence = serde_json::from_reader(input.take(length)).ok()?;
        (found.format == NONE && found.version == 1).then_some(found)
    }

    /// Writes it as a document.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, self)?;
        out.write_all(b"\n")
    }
}

/// Writes what precedes the first document.
pub fn write_begin(mut out: impl Write) -> io::Result<()> {
    write!(
        out,
        "{{\n\"format\":\"{FORMAT}\",\n\"version\":{VERSION},\n\"claims\":[\n"
    )
}

/// Writes the separator of two documents.
pub fn write_between(mut out: impl Write) -> io::Result<()> {
    out.write_all(b",\n")
}

/// Writes what follows the last document.
pub fn write_end(mut out: impl Write) -> io::Result<()> {
    out.write_all(b"]\n}\n")
}

struct Scan<R: Read> {
    input: io::Bytes<BufReader<R>>,
    /// The byte that comes next.
    next: Option<u8>,
    at: u64,
    line: usize,
    column: usize,
    most: u64,
}

impl<R: Read> Scan<R> {
    fn wrong(&self, message: &str) -> Malformed {
        Malformed {
            line: self.line + 1,
            column: self.column,
            message: message.to_owned(),
        }
    }

    /// Takes the byte that came next, and examines the one after it.
    fn advance(&mut self) -> Result<Option<u8>, Malformed> {
        let taken = self.next;
        if let Some(byte) = taken {
            self.at += 1;
            self.column += 1;
            if byte == b'\n' {
                self.line += 1;
                self.column = 0;
            }
        }
        if self.at > self.most {
            return Err(self.wrong("the file is too large"));
        }
        self.next = match self.input.next() {
            None => None,
            Some(Ok(byte)) => Some(byte),
            Some(Err(error)) => return Err(self.wrong(&error.to_string())),
        };
        Ok(taken)
    }

    fn space(&mut self) -> Result<(), Malformed> {
        while matches!(self.next, Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.advance()?;
        }
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        self.space()?;
        match self.next == Some(byte) {
            true => self.advance().map(|_| ()),
            false => Err(self.wrong(&format!("expected `{}`", char::from(byte)))),
        }
    }

    /// A short string without escapes, or nothing if something else is there.
    fn word(&mut self) -> Result<Option<String>, Malformed> {
        self.space()?;
        if self.next != Some(b'"') {
            return Ok(None);
        }
        self.advance()?;
        let mut word = String::new();
        while let Some(byte) = self.advance()? {
            match byte {
                b'"' => return Ok(Some(word)),
                b'\\' => return Ok(None),
                _ if word.len() > 64 => return Ok(None),
                byte => word.push(char::from(byte)),
            }
        }
        Ok(None)
    }

    fn is_container(&mut self) -> Result<bool, Malformed> {
        self.space()?;
        if self.next != Some(b'{') {
            return Ok(false);
        }
        self.advance()?;
        if self.word()?.as_deref() != Some("format") {
            return Ok(false);
        }
        self.space()?;
        if self.next != Some(b':') {
            return Ok(false);
        }
        self.advance()?;
        Ok(self.word()?.as_deref() == Some(FORMAT))
    }

    fn field(&mut self, name: &str) -> Result<(), Malformed> {
        self.expect(b',')?;
        match self.word()?.as_deref() == Some(name) {
            true => self.expect(b':'),
            false => Err(self.wrong(&format!("expected the field `{name}`"))),
        }
    }

    fn container(&mut self) -> Result<Vec<Section>, Malformed> {
        self.field("version")?;
        self.space()?;
        let mut version = String::new();
        while let Some(byte @ b'0'..=b'9') = self.next {
            if version.len() < 20 {
                version.push(char::from(byte));
            }
            self.advance()?;
        }
        if version != VERSION {
            let message = format!("the file has version {version} of the format, not {VERSION}");
            return Err(self.wrong(&message));
        }
        self.field("claims")?;
        self.expect(b'[')?;
        let mut found = Vec::new();
        loop {
            found.push(self.document()?);
            if found.len() > MOST {
                return Err(self.wrong("there are too many claims"));
            }
            self.space()?;
            match self.advance()? {
                Some(b',') => {}
                Some(b']') => break,
                _ => return Err(self.wrong("expected `,` or `]`")),
            }
        }
        self.expect(b'}')?;
        self.space()?;
        match self.next {
            None => Ok(found),
            Some(_) => Err(self.wrong("there is something after the end")),
        }
    }

    /// One object: brackets and strings are enough to know where it ends.
    fn document(&mut self) -> Result<Section, Malformed> {
        self.space()?;
        if self.next != Some(b'{') {
            return Err(self.wrong("expected the evidence about a claim"));
        }
        let (start, lines) = (self.at, self.line);
        let (mut depth, mut quoted) = (0u64, false);
        while let Some(byte) = self.advance()? {
            match byte {
                b'\\' if quoted => {
                    self.advance()?;
                }
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(Section {
                    start,
                    length: self.at - start,
                    lines,
                });
            }
        }
        Err(self.wrong("the file ends in the middle"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<Option<Vec<&str>>, Malformed> {
        let found = sections(text.as_bytes(), &ReadLimits::default())?;
        let part = |s: &Section| &text[s.start as usize..(s.start + s.length) as usize];
        Ok(found.map(|all| all.iter().map(part).collect()))
    }

    #[test]
    fn documents_are_found() {
        let mut file = Vec::new();
        write_begin(&mut file).unwrap();
        NoEvidence::new("a", "}\"]").write(&mut file).unwrap();
        write_between(&mut file).unwrap();
        file.extend(b"{\"x\":[{\"y\":\"\\\"}\"}]}\n");
        write_end(&mut file).unwrap();
        let text = String::from_utf8(file).unwrap();
        let parts = found(&text).unwrap().unwrap();
        assert_eq!(parts.len(), 2);
        let none = NoEvidence::read(parts[0].as_bytes(), parts[0].len() as u64).unwrap();
        assert_eq!((none.claim.as_str(), none.reason.as_str()), ("a", "}\"]"));
        assert_eq!(parts[1], "{\"x\":[{\"y\":\"\\\"}\"}]}");
        assert!(NoEvidence::read(parts[1].as_bytes(), parts[1].len() as u64).is_none());
        // Any cut is noticed, and so is anything that is added.
        for end in text.find("version").unwrap()..text.trim_end().len() {
            assert!(found(&text[..end]).is_err(), "{end}");
        }
        assert!(found(&format!("{text} x")).is_err());
    }

    #[test]
    fn other_files_are_not_containers() {
        for text in [
            "",
            "{}",
            "[]",
            "{\"format\":\"suppose certificate\"}",
            "x",
            "{\"format",
        ] {
            assert_eq!(found(text), Ok(None), "{text}");
        }
        let newer = "{\"format\":\"suppose evidence\",\"version\":2,\"claims\":[{}]}";
        assert!(found(newer).unwrap_err().message.contains("version 2"));
        for bad in ["[]", "[1]", "[{}", "[{]}]", "{}"] {
            let text =
                format!("{{\"format\":\"suppose evidence\",\"version\":1,\"claims\":{bad}}}");
            assert!(found(&text).is_err(), "{text}");
        }
    }
}
