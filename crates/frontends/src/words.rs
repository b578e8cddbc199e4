//! Texts by number, for lexers: equal texts have equal numbers.

use rustc_hash::FxHashMap;

/// A text, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sym(pub(crate) u32);

/// The texts of all tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    texts: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// The number of a text.
    pub(crate) fn intern(&mut self, text: &str) -> Sym {
        if let Some(number) = self.numbers.get(text) {
            return Sym(*number);
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        Sym(number)
    }

    /// The number of a text, if it has one.
    pub(crate) fn find(&self, text: &str) -> Option<Sym> {
        self.numbers.get(text).map(|n| Sym(*n))
    }

    /// The text of a number.
    pub(crate) fn text(&self, sym: Sym) -> &str {
        self.texts.get(sym.0 as usize).map_or("", |t| t)
    }
}

/// A file's name without folders and ending.
pub(crate) fn stem(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}
