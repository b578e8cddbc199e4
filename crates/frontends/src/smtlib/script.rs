//! The commands of a script as they stand, for programs that answer one after the other.

use std::ops::Range;

use suppose_source::{Diagnostic, FileId};

use super::sexp::{self, Form};

/// A command of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptCommand {
    /// Its name; empty if there is none.
    pub name: String,
    /// Its arguments as they are written; strings without their quotes, symbols without their bars.
    pub arguments: Vec<String>,
    /// Its place in the text, brackets included.
    pub range: Range<usize>,
}

/// The commands of a text, whatever they mean.
pub fn commands(text: &str) -> Result<Vec<ScriptCommand>, Diagnostic> {
    let (sexps, top) = sexp::read(text, FileId(0))?;
    let written = |id| {
        let span = sexps.span(id);
        let own = text.get(span.start as usize..span.end as usize);
        let own = own.unwrap_or_default();
        match sexps.form(id) {
            Form::Symbol(name) => sexps.text(name).to_owned(),
            Form::Text => {
                let inner = own.strip_prefix('"').and_then(|o| o.strip_suffix('"'));
                inner.unwrap_or(own).replace("\"\"", "\"")
            }
            _ => own.to_owned(),
        }
    };
    let command = |&id: &sexp::Id| {
        let span = sexps.span(id);
        let mut parts = sexps.list(id).iter();
        let name = parts.next().and_then(|&p| sexps.word(p));
        ScriptCommand {
            name: name.unwrap_or_default().to_owned(),
            arguments: parts.map(|&p| written(p)).collect(),
            range: span.start as usize..span.end as usize,
        }
    };
    Ok(top.iter().map(command).collect())
}

/// Finds where a command ends in a text that arrives in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Balance {
    depth: usize,
    inside: Inside,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Code,
    Text,
    Bars,
    Comment,
}

impl Balance {
    /// Reads on. True if no bracket, string or quoted symbol is open after this piece.
    pub fn read(&mut self, piece: &str) -> bool {
        for byte in piece.bytes() {
            self.inside = match (self.inside, byte) {
                (Inside::Code, b'"') => Inside::Text,
                (Inside::Code, b'|') => Inside::Bars,
                (Inside::Code, b';') => Inside::Comment,
                (Inside::Text, b'"') | (Inside::Bars, b'|') | (Inside::Comment, b'\n') => {
                    Inside::Code
                }
                (inside, _) => inside,
            };
            match (self.inside, byte) {
                (Inside::Code, b'(') => self.depth += 1,
                // One bracket too many is the reader's to complain about.
                (Inside::Code, b')') => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.depth == 0 && matches!(self.inside, Inside::Code | Inside::Comment)
    }
}
