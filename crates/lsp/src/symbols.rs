//! The symbols of a document, and of all models in the folders of the editor.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lsp_types::{DocumentSymbol, Location, SymbolInformation, SymbolKind as Shown};
use suppose::Language;
use suppose_frontends::index::{Index, Symbol, SymbolKind};

use crate::document::{Document, Lines};
use crate::paths::uri_of;

/// How many files are looked at in the folders of the editor, how deep, and how large they may be.
const FILES: usize = 2_000;
const DEPTH: usize = 8;
const LARGEST: u64 = 1 << 20;
/// No longer list is sent.
const MOST: usize = 500;

fn shown(kind: SymbolKind) -> Shown {
    match kind {
        SymbolKind::Process | SymbolKind::LocalProcess => Shown::CLASS,
        SymbolKind::Composition => Shown::MODULE,
        SymbolKind::Property => Shown::EVENT,
        SymbolKind::Constant | SymbolKind::Macro => Shown::CONSTANT,
        SymbolKind::Type => Shown::STRUCT,
        SymbolKind::Variable | SymbolKind::Parameter => Shown::VARIABLE,
        SymbolKind::Field => Shown::FIELD,
        SymbolKind::EnumMember => Shown::ENUM_MEMBER,
        SymbolKind::Function => Shown::FUNCTION,
        SymbolKind::Label | SymbolKind::Action | SymbolKind::Rewards => Shown::KEY,
    }
}

/// Is it worth a line in an outline? Indices, parameters and actions are not.
fn is_listed(symbol: &Symbol, language: Language) -> bool {
    match symbol.kind {
        SymbolKind::Action | SymbolKind::Parameter => false,
        SymbolKind::Variable => !(language == Language::Fsp && symbol.is_local),
        _ => true,
    }
}

/// The outline of a document.
pub(crate) fn of_document(document: &Document) -> Vec<DocumentSymbol> {
    let index = document.index();
    let listed = index
        .symbols()
        .iter()
        .filter(|s| is_listed(s, index.language()));
    let mut listed: Vec<&Symbol> = listed.collect();
    listed.sort_by_key(|s| {
        (
            s.extent.start,
            std::cmp::Reverse(s.extent.end),
            s.span.start,
        )
    });
    let mut at = 0;
    nested(document, &listed, &mut at, document.text.len() + 1)
}

/// Those from `at` on that begin before `end`, each with those inside of it.
fn nested(document: &Document, all: &[&Symbol], at: &mut usize, end: usize) -> Vec<DocumentSymbol> {
    let mut here = Vec::new();
    while let Some(symbol) = all.get(*at).filter(|s| s.extent.start < end) {
        *at += 1;
        let children = match holds(symbol.kind) {
            true => nested(document, all, at, symbol.extent.end.min(end)),
            false => Vec::new(),
        };
        #[expect(deprecated)]
        here.push(DocumentSymbol {
            name: symbol.name.clone(),
            detail: symbol
                .of_type
                .clone()
                .filter(|t| t.len() < 60 && !t.contains('\n')),
            kind: shown(symbol.kind),
            tags: None,
            deprecated: None,
            range: document.area(&symbol.extent),
            selection_range: document.area(&symbol.span),
            children: (!children.is_empty()).then_some(children),
        });
    }
    here
}

fn holds(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Process | SymbolKind::Property | SymbolKind::Type | SymbolKind::Function
    )
}

/// What was found in a file on the disk.
struct Seen {
    changed: Option<SystemTime>,
    symbols: Vec<SymbolInformation>,
}

/// The symbols of files on the disk, by path.
pub(crate) struct Workspace {
    folders: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, Seen>,
}

impl Workspace {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Workspace {
        Workspace {
            folders,
            seen: BTreeMap::new(),
        }
    }

    /// Symbols whose name has the letters of the query in their order.
    pub(crate) fn find(
        &mut self,
        query: &str,
        open: &BTreeMap<String, Document>,
    ) -> Vec<SymbolInformation> {
        let mut all: Vec<SymbolInformation> = Vec::new();
        for document in open.values() {
            if let Some(language) = document.language {
                let lines = &document.lines;
                all.extend(listed(
                    &document.uri,
                    language,
                    document.index(),
                    &document.text,
                    lines,
                ));
            }
        }
        let is_open = |path: &Path| open.values().any(|d| d.path.as_deref() == Some(path));
        for path in self.files() {
            if is_open(&path) {
                continue;
            }
            self.look(&path);
            if let Some(seen) = self.seen.get(&path) {
                all.extend(seen.symbols.iter().cloned());
            }
        }
        all.retain(|s| matches(&s.name, query));
        all.truncate(MOST);
        all
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders: Vec<(PathBuf, usize)> =
            self.folders.iter().map(|f| (f.clone(), 0)).collect();
        while let Some((folder, depth)) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
            paths.sort();
            for path in paths {
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or(".");
                if name.starts_with('.') || matches!(name, "target" | "node_modules") {
                    continue;
                }
                // A link to a folder is not followed: it may lead in a circle.
                let is_folder = path.symlink_metadata().is_ok_and(|m| m.is_dir());
                if is_folder && depth < DEPTH {
                    folders.push((path, depth + 1));
                } else if Language::of(name).is_some() && found.len() < FILES {
                    found.push(path);
                }
            }
        }
        found
    }

    fn look(&mut self, path: &Path) {
        let Ok(meta) = std::fs::metadata(path) else {
            return;
        };
        let changed = meta.modified().ok();
        let is_known = self.seen.get(path).is_some_and(|s| s.changed == changed);
        if is_known || !meta.is_file() || meta.len() > LARGEST {
            return;
        }
        let symbols = symbols_of(path).unwrap_or_default();
        self.seen.insert(path.to_owned(), Seen { changed, symbols });
    }
}

fn symbols_of(path: &Path) -> Option<Vec<SymbolInformation>> {
    let text = std::fs::read_to_string(path).ok()?;
    let language = Language::detect(path.to_str()?, &text)?;
    let uri = uri_of(path)?;
    let index = Index::new(language, &text);
    Some(listed(&uri, language, &index, &text, &Lines::of(&text)))
}

fn listed(
    uri: &lsp_types::Uri,
    language: Language,
    index: &Index,
    text: &str,
    lines: &Lines,
) -> Vec<SymbolInformation> {
    let symbols = index.symbols().iter();
    let symbols = symbols.filter(|s| !s.is_local && is_listed(s, language));
    #[expect(deprecated)]
    let shown = symbols.map(|symbol| SymbolInformation {
        name: symbol.name.clone(),
        kind: shown(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location::new(uri.clone(), lines.area(text, &symbol.span)),
        container_name: None,
    });
    shown.collect()
}

/// Do the letters of the query come in the name, in their order?
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|c| c.to_ascii_lowercase());
    let mut wanted = query.chars().map(|c| c.to_ascii_lowercase());
    wanted.all(|c| letters.any(|l| l == c))
}
