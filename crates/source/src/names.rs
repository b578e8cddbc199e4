//! Interned texts: equal texts have equal numbers.

use rustc_hash::FxHashMap;

/// The number of an interned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(pub u32);

/// Interned texts.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// The number of a text.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(number) = self.numbers.get(text) {
            return Sym(*number);
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        Sym(number)
    }

    /// The number of a text, if it has one.
    pub fn find(&self, text: &str) -> Option<Sym> {
        self.numbers.get(text).map(|n| Sym(*n))
    }

    /// The text of a number.
    pub fn text(&self, sym: Sym) -> &str {
        self.texts.get(sym.0 as usize).map_or("", |t| t)
    }
}

/// A name with its span.
#[derive(Clone, Copy, Debug)]
pub struct Ident {
    /// The name.
    pub name: Sym,
    /// Its span.
    pub span: crate::Span,
}
