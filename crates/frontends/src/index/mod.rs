//! Definitions and uses of names, for editors.
//!
//! An [`Index`] says of each name in a text what it is, where it is defined and where it is used. It is
//! made of tokens and scopes, not of a syntax tree, so a text that is half written has one too, and one
//! of ten thousand lines takes milliseconds. Whether a text is right is for the front-ends to say.
//!
//! A name that cannot be resolved (it comes from another file, or a macro makes it) is unresolved, never
//! guessed: [`Index::rename`] refuses where such a name is in the way.
//!
//! ```
//! use suppose_frontends::index::Index;
//! use suppose_frontends::Language;
//!
//! let text = "const N = 2\nP = (a[i:0..N] -> P | b";
//! let index = Index::new(Language::Fsp, text);
//! let used = text.rfind("N]").unwrap();
//! let symbol = index.at(used).unwrap();
//! assert_eq!(index.symbols()[symbol].name, "N");
//! assert_eq!(index.uses(symbol).len(), 2);
//! ```

mod build;
mod c;
mod directives;
mod fsp;
mod prism;
mod promela;
mod rename;
mod scan;
mod smtlib;
mod smv;
mod value;
pub mod words;

use std::ops::Range;

use crate::Language;
use build::Builder;
use scan::{Kind, Scanned};

pub use rename::Refused;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A process, a proctype, a module.
    Process,
    /// A process that is part of the definition of another.
    LocalProcess,
    /// A composition of processes.
    Composition,
    /// A property, a claim, a specification.
    Property,
    /// A constant, a definition, a formula.
    Constant,
    /// A range or a set of values; a type.
    Type,
    /// A variable.
    Variable,
    /// A parameter.
    Parameter,
    /// A field of a structure.
    Field,
    /// One of the values of an enumeration.
    EnumMember,
    /// A function, an inline, a predicate.
    Function,
    /// A macro of the preprocessor.
    Macro,
    /// The label of a statement, or of states.
    Label,
    /// An action. It has no definition: its first use stands for one.
    Action,
    /// A structure of rewards.
    Rewards,
}

impl SymbolKind {
    /// For people: "a constant".
    pub fn title(self, language: Language) -> &'static str {
        match (self, language) {
            (SymbolKind::Process, Language::Promela) => "proctype",
            (SymbolKind::Process, Language::Smv | Language::Prism) => "module",
            (SymbolKind::Process, _) => "process",
            (SymbolKind::LocalProcess, _) => "local process",
            (SymbolKind::Composition, _) => "composition",
            (SymbolKind::Property, _) => "property",
            (SymbolKind::Constant, Language::Prism) => "constant or formula",
            (SymbolKind::Constant, Language::Smv) => "definition",
            (SymbolKind::Constant, _) => "constant",
            (SymbolKind::Type, Language::Fsp) => "range or set",
            (SymbolKind::Type, _) => "type",
            (SymbolKind::Variable, _) => "variable",
            (SymbolKind::Parameter, _) => "parameter",
            (SymbolKind::Field, _) => "field",
            (SymbolKind::EnumMember, Language::Promela) => "name of type mtype",
            (SymbolKind::EnumMember, _) => "value of an enumeration",
            (SymbolKind::Function, Language::Promela) => "inline",
            (SymbolKind::Function, Language::SmtLib) => "predicate or function",
            (SymbolKind::Function, _) => "function",
            (SymbolKind::Macro, _) => "macro",
            (SymbolKind::Label, _) => "label",
            (SymbolKind::Action, _) => "action",
            (SymbolKind::Rewards, _) => "rewards",
        }
    }
}

/// A name that is defined.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// The name in its definition, in bytes.
    pub span: Range<usize>,
    /// The whole definition, in bytes.
    pub extent: Range<usize>,
    /// Where the name can be used, in bytes.
    pub visible: Range<usize>,
    /// Its type as it is written.
    pub of_type: Option<String>,
    /// Which values it has, as far as the text says so: `0..255`.
    pub values: Option<String>,
    /// Is it local to a definition?
    pub is_local: bool,
}

/// A file that the text includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// Its name as written.
    pub file: String,
    /// The name with its quotes, in bytes.
    pub span: Range<usize>,
}

/// A use of a name, or its definition.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    start: u32,
    end: u32,
    symbol: Option<u32>,
}

/// All definitions and uses of a text.
#[derive(Clone, Debug)]
pub struct Index {
    language: Language,
    symbols: Vec<Symbol>,
    /// In the order of the text.
    occurrences: Vec<Occurrence>,
    includes: Vec<Include>,
    scanned: Scanned,
    /// Places of assertions: statements that are claims.
    assertions: Vec<Range<usize>>,
}

/// What a piece of text is, for colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A reserved word.
    Keyword,
    /// A number.
    Number,
    /// A text between quotes.
    Text,
    /// A comment.
    Comment,
    /// A name.
    Name(SymbolKind),
}

impl Index {
    /// The index of any text. Of a language without names it is empty.
    pub fn new(language: Language, text: &str) -> Index {
        let mut builder = Builder::new(language, text);
        match language {
            Language::Fsp => fsp::build(&mut builder),
            Language::Promela => promela::build(&mut builder),
            Language::Smv => smv::build(&mut builder),
            Language::Prism => prism::build(&mut builder),
            Language::C => c::build(&mut builder),
            Language::SmtLib => smtlib::build(&mut builder),
            _ => {}
        }
        builder.finish()
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// All definitions, in the order in which they were found.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The files that are included.
    pub fn includes(&self) -> &[Include] {
        &self.includes
    }

    /// The statements that are claims: `assert`.
    pub fn assertions(&self) -> &[Range<usize>] {
        &self.assertions
    }

    fn occurrence(&self, offset: usize) -> Option<&Occurrence> {
        let after = self
            .occurrences
            .partition_point(|o| (o.start as usize) <= offset);
        let mut near = self.occurrences[after.saturating_sub(2)..after]
            .iter()
            .rev();
        near.find(|o| offset <= o.end as usize)
    }

    /// The symbol whose name is at that byte.
    pub fn at(&self, offset: usize) -> Option<usize> {
        self.occurrence(offset)?.symbol.map(|s| s as usize)
    }

    /// The span of the name at that byte, resolved or not.
    pub fn name_at(&self, offset: usize) -> Option<Range<usize>> {
        let found = self.occurrence(offset)?;
        Some(found.start as usize..found.end as usize)
    }

    /// Where a symbol is used, with its definition, in the order of the text.
    pub fn uses(&self, symbol: usize) -> Vec<Range<usize>> {
        let uses = self
            .occurrences
            .iter()
            .filter(|o| o.symbol == Some(symbol as u32));
        uses.map(|o| o.start as usize..o.end as usize).collect()
    }

    /// The names that are not resolved.
    pub fn unresolved(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let open = self.occurrences.iter().filter(|o| o.symbol.is_none());
        open.map(|o| o.start as usize..o.end as usize)
    }

    /// The symbol of that name that every place of the text, and of those that include it, can use.
    pub fn global(&self, name: &str) -> Option<usize> {
        let mut all = self.symbols.iter();
        all.position(|s| !s.is_local && s.name == name && s.kind != SymbolKind::Action)
    }

    /// The symbols that can be named at that byte.
    pub fn visible(&self, offset: usize) -> impl Iterator<Item = &Symbol> + '_ {
        let all = self.symbols.iter();
        all.filter(move |s| s.visible.start <= offset && offset <= s.visible.end)
    }

    /// The comment of a definition: the lines above it, or else behind it on the same line.
    pub fn documentation(&self, symbol: usize, text: &str) -> Option<String> {
        let symbol = self.symbols.get(symbol)?;
        let comments = &self.scanned.comments;
        let mut line = line_start(text, symbol.extent.start);
        let before = comments.partition_point(|c| (c.1 as usize) <= line);
        let mut first = before;
        while first > 0 {
            let (from, to) = comments[first - 1];
            let (from, to) = (from as usize, to as usize);
            let alone = text[line_start(text, from)..from].trim().is_empty();
            let gap = &text[to.min(line)..line];
            if !alone || !gap.trim().is_empty() || gap.matches('\n').count() > 1 {
                break;
            }
            line = line_start(text, from);
            first -= 1;
        }
        let above = plain(text, &comments[first..before]);
        if !above.is_empty() {
            return Some(above);
        }
        let rest = &text[symbol.span.end..];
        let end = symbol.span.end + rest.find('\n').unwrap_or(rest.len());
        let behind = comments.partition_point(|c| (c.0 as usize) < symbol.span.end);
        let found = comments.get(behind).filter(|c| (c.0 as usize) < end)?;
        Some(plain(text, &[*found])).filter(|t| !t.is_empty())
    }

    /// What each piece of a part of the text is, in its order; what is no name, word, number or comment is left out.
    pub fn classes(&self, part: Range<usize>) -> Vec<(Range<usize>, Class)> {
        let is_in = |from: u32, to: u32| part.start < to as usize && (from as usize) < part.end;
        let range = |from: u32, to: u32| from as usize..to as usize;
        let directives = self.scanned.directives.iter().flatten();
        let tokens = self.scanned.tokens.iter().chain(directives);
        let mut all: Vec<(Range<usize>, Class)> = tokens
            .filter(|token| is_in(token.start, token.end))
            .filter_map(|token| {
                let span = range(token.start, token.end);
                let class = match token.kind {
                    Kind::Number => Class::Number,
                    Kind::Text => Class::Text,
                    Kind::Word if token.reserved => Class::Keyword,
                    _ => return None,
                };
                Some((span, class))
            })
            .collect();
        let comments = self.scanned.comments.iter();
        let comments = comments.filter(|c| is_in(c.0, c.1));
        all.extend(comments.map(|c| (range(c.0, c.1), Class::Comment)));
        let near = self.occurrences.iter().filter(|o| is_in(o.start, o.end));
        let names = near.filter_map(|o| {
            let symbol = &self.symbols[o.symbol? as usize];
            Some((range(o.start, o.end), Class::Name(symbol.kind)))
        });
        all.extend(names);
        all.sort_by_key(|(span, class)| (span.start, !matches!(class, Class::Name(_))));
        all.dedup_by_key(|(span, _)| span.start);
        all
    }
}

/// Where the line of a byte begins.
fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |n| n + 1)
}

/// The text of comments without their marks.
fn plain(text: &str, comments: &[(u32, u32)]) -> String {
    let lines = comments
        .iter()
        .flat_map(|(from, to)| text[*from as usize..*to as usize].lines());
    let bare = lines.map(|line| {
        let line = line.trim();
        let line = line.trim_start_matches(['/', '*', '-', ';', '#']);
        let line = line
            .strip_suffix("*/")
            .or(line.strip_suffix("--/"))
            .unwrap_or(line);
        line.trim()
    });
    let bare: Vec<&str> = bare.collect();
    bare.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests;
