//! Renaming, where it is safe.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lsp_types::{Position, PrepareRenameResponse, TextEdit, WorkspaceEdit};

use crate::document::Document;
use crate::outside::includes;
use crate::reader;

type Open = BTreeMap<String, Document>;

/// May the name there be renamed?
pub(crate) fn prepare(
    document: &Document,
    open: &Open,
    at: Position,
) -> Result<PrepareRenameResponse, String> {
    let (symbol, name) = found(document, open, at)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.area(&name),
        placeholder: document.index().symbols()[symbol].name.clone(),
    })
}

fn found(document: &Document, open: &Open, at: Position) -> Result<(usize, Range<usize>), String> {
    let index = document.index();
    let offset = document.offset(at);
    let name = index.name_at(offset).ok_or("there is no name here")?;
    let word = &document.text[name.clone()];
    let symbol = index
        .at(offset)
        .ok_or_else(|| format!("`{word}` is not defined in this file"))?;
    let is_shared = !index.symbols()[symbol].is_local;
    if is_shared && !index.includes().is_empty() {
        return Err(format!(
            "`{word}` may be used in a file that this one includes"
        ));
    }
    let used_by = document.path.as_ref().and_then(|path| {
        let mut others = open.values();
        others.find(|d| includes(d, path))
    });
    if is_shared && (document.is_part() || used_by.is_some()) {
        return Err(format!(
            "`{word}` may be used in a file that includes this one"
        ));
    }
    Ok((symbol, name))
}

/// The changes that give a symbol another name. The text that they make is read before they are offered.
pub(crate) fn rename(
    document: &Document,
    open: &Open,
    at: Position,
    new: &str,
    memory: u64,
) -> Result<WorkspaceEdit, String> {
    let (symbol, _) = found(document, open, at)?;
    let index = document.index();
    let places = index
        .rename(symbol, new, &document.text)
        .map_err(|refused| refused.0)?;
    let mut changed = document.text.clone();
    for place in places.iter().rev() {
        let name = inner(document, place);
        changed.replace_range(name, new);
    }
    let was_sound = document.reading.as_ref().is_some_and(|r| r.is_sound);
    if was_sound {
        let others = open.values().filter(|d| d.uri != document.uri);
        let language = document.language.map_or("", |l| l.name());
        let after = Document::new(document.uri.clone(), language, 0, changed);
        let stop = Arc::new(AtomicBool::new(false));
        if let Err(failure) = reader::outline(&after.source(others), stop, memory) {
            return Err(format!(
                "the model would not be right any more: {}",
                failure.first()
            ));
        }
    }
    let edits = places.iter().map(|place| TextEdit {
        range: document.area(&inner(document, place)),
        new_text: new.to_owned(),
    });
    // The key of the map caches nothing that is part of its order.
    #[allow(clippy::mutable_key_type)]
    let changes = HashMap::from([(document.uri.clone(), edits.collect())]);
    Ok(WorkspaceEdit::new(changes))
}

/// A name without its quotes.
fn inner(document: &Document, place: &Range<usize>) -> Range<usize> {
    let text = &document.text[place.clone()];
    match text.starts_with(['"', '|']) && text.len() >= 2 {
        true => place.start + 1..place.end - 1,
        false => place.clone(),
    }
}
