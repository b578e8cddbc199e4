//! Hover, definitions, uses.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, Hover, HoverContents, Location, MarkupContent,
    MarkupKind, Position, Range as Area,
};
use suppose_frontends::index::{Index, Symbol, SymbolKind, words};

use crate::document::Document;
use crate::outside::{included, includes};

/// Longer definitions are not shown whole.
const LONGEST: usize = 400;

type Open = BTreeMap<String, Document>;

/// What the name there is.
pub(crate) fn hover(document: &Document, open: &Open, at: Position) -> Option<Hover> {
    let offset = document.offset(at);
    let index = document.index();
    let Some(name) = index.name_at(offset) else {
        return hover_word(document, offset);
    };
    let text = match index.at(offset) {
        Some(symbol) => described(index, symbol, &document.text),
        None => {
            let word = &document.text[name.clone()];
            let files = included(document, open);
            files.iter().find_map(|file| {
                let (symbol, _) = file.global(word)?;
                Some(described(&file.index, symbol, &file.text))
            })?
        }
    };
    Some(shown(text, document.area(&name)))
}

fn shown(value: String, area: Area) -> Hover {
    Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(area),
    }
}

/// A reserved word.
fn hover_word(document: &Document, offset: usize) -> Option<Hover> {
    let span = word_at(&document.text, offset)?;
    let word = &document.text[span.clone()];
    let meaning = words::meaning(document.language?, word)?;
    Some(shown(format!("`{word}`: {meaning}"), document.area(&span)))
}

/// The word around a byte.
pub(crate) fn word_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text[..offset]
        .chars()
        .rev()
        .take_while(|c| is_part(*c))
        .count();
    let after = text[offset..].chars().take_while(|c| is_part(*c)).count();
    (before + after > 0).then(|| offset - before..offset + after)
}

/// A symbol in words: its definition, what it is, its values, its comment.
fn described(index: &Index, number: usize, text: &str) -> String {
    let symbol = &index.symbols()[number];
    let language = index.language();
    let mut parts = vec![format!(
        "```{}\n{}\n```",
        language.name(),
        definition(symbol, text)
    )];
    let mut line = symbol.kind.title(language).to_owned();
    if let Some(of_type) = symbol
        .of_type
        .as_deref()
        .filter(|t| !t.is_empty() && !t.contains('\n'))
    {
        line = format!("{line} of type `{of_type}`");
    }
    if let Some(values) = &symbol.values {
        let is_one = symbol.kind == SymbolKind::Constant;
        line = match is_one {
            true => format!("{line}, value `{values}`"),
            false => format!("{line}, values `{values}`"),
        };
    }
    if symbol.kind == SymbolKind::Action {
        let uses = index.uses(number).len();
        line = format!("{line}, {uses} {}", if uses == 1 { "use" } else { "uses" });
    }
    parts.push(line);
    parts.extend(index.documentation(number, text));
    parts.join("\n\n")
}

/// The first line of a definition, or all of it if it is short.
fn definition(symbol: &Symbol, text: &str) -> String {
    let whole = text[symbol.extent.clone()].trim();
    let is_short = whole.len() <= LONGEST && whole.lines().count() <= 4;
    let shown = match is_short {
        true => whole,
        false => whole.lines().next().unwrap_or(&symbol.name),
    };
    shown.chars().take(LONGEST).collect()
}

/// Where the name there is defined.
pub(crate) fn definition_of(document: &Document, open: &Open, at: Position) -> Option<Location> {
    let offset = document.offset(at);
    let index = document.index();
    let includes = index.includes().iter();
    for include in includes {
        if include.span.start <= offset && offset <= include.span.end {
            let files = included(document, open);
            let ends = |uri: &str| uri.ends_with(&include.file);
            let file = files.into_iter().find(|f| ends(f.uri.as_str()))?;
            return Some(file.location(&(0..0)));
        }
    }
    let name = index.name_at(offset)?;
    if let Some(symbol) = index.at(offset) {
        let area = document.area(&index.symbols()[symbol].span);
        return Some(Location::new(document.uri.clone(), area));
    }
    let word = &document.text[name];
    let files = included(document, open);
    files.iter().find_map(|file| {
        let (_, symbol) = file.global(word)?;
        Some(file.location(&symbol.span))
    })
}

/// Where the name there is used, in this text and in open ones that share the definition.
pub(crate) fn references(
    document: &Document,
    open: &Open,
    at: Position,
    with_definition: bool,
) -> Vec<Location> {
    let offset = document.offset(at);
    let index = document.index();
    let Some(name) = index.name_at(offset) else {
        return Vec::new();
    };
    let word = &document.text[name];
    let mut all = Vec::new();
    match index.at(offset) {
        Some(symbol) => {
            let it = &index.symbols()[symbol];
            for span in index.uses(symbol) {
                if with_definition || span != it.span {
                    all.push(Location::new(document.uri.clone(), document.area(&span)));
                }
            }
            if !it.is_local
                && let Some(path) = &document.path
            {
                let others = open.values().filter(|d| includes(d, path));
                others.for_each(|other| all.extend(open_uses(other, word)));
            }
        }
        None => {
            all.extend(open_uses(document, word));
            for file in included(document, open) {
                if let Some((number, symbol)) = file.global(word) {
                    let uses = file.index.uses(number).into_iter();
                    let uses = uses.filter(|u| with_definition || *u != symbol.span);
                    all.extend(uses.map(|span| file.location(&span)));
                }
            }
        }
    }
    all
}

/// The uses of a name that a document does not define.
fn open_uses(document: &Document, word: &str) -> Vec<Location> {
    let open = document.index().unresolved();
    let named = open.filter(|span| &document.text[span.clone()] == word);
    named
        .map(|span| Location::new(document.uri.clone(), document.area(&span)))
        .collect()
}

/// The uses in the text itself, to be highlighted.
pub(crate) fn highlights(document: &Document, at: Position) -> Vec<DocumentHighlight> {
    let index = document.index();
    let Some(symbol) = index.at(document.offset(at)) else {
        return Vec::new();
    };
    let uses = index.uses(symbol).into_iter();
    uses.map(|span| DocumentHighlight {
        range: document.area(&span),
        kind: Some(DocumentHighlightKind::TEXT),
    })
    .collect()
}
