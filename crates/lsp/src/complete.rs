//! Completion: names that can be used there, and reserved words.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::{CompletionItem, CompletionItemKind, CompletionList, Position};
use suppose_frontends::index::{Symbol, SymbolKind, words};

use crate::document::Document;
use crate::navigate::word_at;
use crate::outside::included;

/// No longer list is sent.
const MOST: usize = 1_000;

fn kind(kind: SymbolKind) -> CompletionItemKind {
    match kind {
        SymbolKind::Process | SymbolKind::LocalProcess => CompletionItemKind::CLASS,
        SymbolKind::Composition => CompletionItemKind::MODULE,
        SymbolKind::Property | SymbolKind::Action => CompletionItemKind::EVENT,
        SymbolKind::Constant | SymbolKind::Macro => CompletionItemKind::CONSTANT,
        SymbolKind::Type => CompletionItemKind::STRUCT,
        SymbolKind::Variable | SymbolKind::Parameter => CompletionItemKind::VARIABLE,
        SymbolKind::Field => CompletionItemKind::FIELD,
        SymbolKind::EnumMember => CompletionItemKind::ENUM_MEMBER,
        SymbolKind::Function => CompletionItemKind::FUNCTION,
        SymbolKind::Label | SymbolKind::Rewards => CompletionItemKind::REFERENCE,
    }
}

/// What can stand there.
pub(crate) fn complete(
    document: &Document,
    open: &BTreeMap<String, Document>,
    at: Position,
) -> CompletionList {
    let offset = document.offset(at);
    let typed = word_at(&document.text, offset);
    let start = typed.as_ref().map_or(offset, |t| t.start);
    let prefix = &document.text[start..offset];
    let before = document.text[..start].trim_end().chars().next_back();
    let is_member = before == Some('.') && !document.text[..start].ends_with("..");
    let index = document.index();
    let mut taken: BTreeSet<(String, &'static str)> = BTreeSet::new();
    let mut items = Vec::new();
    let mut add = |symbol: &Symbol| {
        let title = symbol.kind.title(index.language());
        // What is being typed is no suggestion for itself.
        let is_typed = symbol.span.start == start;
        let is_full = items.len() > MOST;
        if !is_full
            && !is_typed
            && fits(&symbol.name, prefix)
            && taken.insert((symbol.name.clone(), title))
        {
            items.push(CompletionItem {
                label: symbol.name.clone(),
                kind: Some(kind(symbol.kind)),
                detail: Some(detail(symbol, title)),
                ..CompletionItem::default()
            });
        }
    };
    if is_member || before == Some('@') {
        let is_part = |s: &&Symbol| s.is_local || s.kind == SymbolKind::Action;
        index.symbols().iter().filter(is_part).for_each(&mut add);
    } else {
        index.visible(offset).for_each(&mut add);
        for file in included(document, open) {
            let all = file.index.symbols().iter();
            all.filter(|s| !s.is_local).for_each(&mut add);
        }
    }
    if let Some(language) = document.language.filter(|_| !is_member) {
        let reserved = words::reserved(language).iter();
        items.extend(
            reserved
                .filter(|w| fits(w, prefix))
                .map(|word| CompletionItem {
                    label: (*word).to_owned(),
                    kind: Some(CompletionItemKind::KEYWORD),
                    detail: words::meaning(language, word).map(str::to_owned),
                    ..CompletionItem::default()
                }),
        );
    }
    let is_incomplete = items.len() > MOST;
    items.truncate(MOST);
    CompletionList {
        is_incomplete,
        items,
    }
}

fn fits(name: &str, prefix: &str) -> bool {
    let start = name.get(..prefix.len());
    start.is_some_and(|s| s.eq_ignore_ascii_case(prefix))
}

fn detail(symbol: &Symbol, title: &str) -> String {
    match &symbol.values {
        Some(values) => format!("{title}, {values}"),
        None => title.to_owned(),
    }
}
