//! Names that come from files a document includes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{Location, Uri};
use suppose::Language;
use suppose_frontends::index::{Index, Symbol};

use crate::document::{Document, Lines};
use crate::paths::uri_of;

/// How many files are looked at for one document.
const FILES: usize = 50;
/// Larger files are not looked at.
const LARGEST: u64 = 4 << 20;

/// A file that is included, with its names.
pub(crate) struct Included {
    pub uri: Uri,
    pub text: String,
    pub index: Index,
}

impl Included {
    pub fn location(&self, span: &std::ops::Range<usize>) -> Location {
        Location::new(
            self.uri.clone(),
            Lines::of(&self.text).area(&self.text, span),
        )
    }

    /// The symbol of that name that other files can use.
    pub fn global(&self, name: &str) -> Option<(usize, &Symbol)> {
        let number = self.index.global(name)?;
        Some((number, &self.index.symbols()[number]))
    }
}

/// The files that a document includes, and those that they include: as they are in the editor, else on the disk.
pub(crate) fn included(document: &Document, open: &BTreeMap<String, Document>) -> Vec<Included> {
    let (Some(folder), Some(language)) = (document.folder(), document.language) else {
        return Vec::new();
    };
    let mut found: Vec<(PathBuf, Included)> = Vec::new();
    let mut names: Vec<String> = files(document.index());
    while let Some(name) = names.pop() {
        let path = folder.join(&name);
        let is_seen = found.iter().any(|(p, _)| *p == path);
        if is_seen || found.len() >= FILES || !is_below(folder, &path) {
            continue;
        }
        let Some(included) = read(&path, language, open) else {
            continue;
        };
        names.extend(files(&included.index));
        found.push((path, included));
    }
    found.into_iter().map(|(_, included)| included).collect()
}

fn files(index: &Index) -> Vec<String> {
    index.includes().iter().map(|i| i.file.clone()).collect()
}

/// Front-ends read the model's own folder only, and so do we.
fn is_below(folder: &Path, path: &Path) -> bool {
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(path)) => path.starts_with(folder) && path.is_file(),
        _ => false,
    }
}

fn read(path: &Path, language: Language, open: &BTreeMap<String, Document>) -> Option<Included> {
    let uri = uri_of(path)?;
    let mut documents = open.values();
    let text = match documents.find(|d| d.path.as_deref() == Some(path)) {
        Some(document) => document.text.clone(),
        None => {
            let size = std::fs::metadata(path).ok()?.len();
            (size <= LARGEST).then(|| std::fs::read_to_string(path).ok())??
        }
    };
    let index = Index::new(language, &text);
    Some(Included { uri, text, index })
}

/// Does that document include this file?
pub(crate) fn includes(document: &Document, path: &Path) -> bool {
    let Some(folder) = document.folder() else {
        return false;
    };
    let includes = document.index().includes().iter();
    includes.map(|i| folder.join(&i.file)).any(|p| p == path)
}
