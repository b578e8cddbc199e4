//! Renaming, where it is safe.

use std::ops::Range;

use super::scan::Token;
use super::{Index, SymbolKind, words};
use crate::Language;

/// Why a symbol cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl Index {
    /// The places to change so that a symbol has another name and everything else means what it meant. Refused if that cannot be
    /// told, or is not so.
    pub fn rename(
        &self,
        symbol: usize,
        new: &str,
        text: &str,
    ) -> Result<Vec<Range<usize>>, Refused> {
        let refuse = |why: String| Err(Refused(why));
        let Some(it) = self.symbols().get(symbol) else {
            return refuse("there is no name here".to_owned());
        };
        let old = &it.name;
        if words::is_reserved(self.language(), old) {
            return refuse(format!("`{old}` is a reserved word"));
        }
        if new == old {
            return refuse(format!("`{new}` is its name already"));
        }
        self.fits(symbol, new)?;
        if self.pastes_names(text) {
            return refuse(
                "a macro with `##` makes names of parts, so it is not known where this one is used"
                    .to_owned(),
            );
        }
        let same = |span: &Range<usize>| text[span.clone()].trim_matches(['"', '|']) == *old;
        if let Some(span) = self.unresolved().find(same) {
            let line = text[..span.start].matches('\n').count() + 1;
            return refuse(format!(
                "it is not known what `{old}` in line {line} refers to, so it might have to be renamed as well"
            ));
        }
        let uses = self.uses(symbol);
        if uses.is_empty() || uses.iter().any(|u| !same(u)) {
            return refuse(format!("`{old}` is not written out where it is used"));
        }
        let changed = replaced(text, &uses, new);
        if !self.means_the_same(symbol, &uses, &changed, new) {
            return refuse(format!(
                "`{new}` is already the name of something that could be meant instead"
            ));
        }
        Ok(uses)
    }

    /// Does a macro join two tokens to one?
    fn pastes_names(&self, text: &str) -> bool {
        let sign = |t: &Token| &text[t.start as usize..t.end as usize] == "#";
        let joins = |pair: &[Token]| sign(&pair[0]) && sign(&pair[1]);
        self.scanned
            .directives
            .iter()
            .any(|line| line.windows(2).any(joins))
    }

    /// Is it a name in this language, of this kind?
    fn fits(&self, symbol: usize, new: &str) -> Result<(), Refused> {
        let it = &self.symbols()[symbol];
        let old = &it.name;
        let language = self.language();
        let letters = new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let starts = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !letters || !starts {
            return Err(Refused(format!(
                "`{new}` is not a name: letters, digits and `_`, and no digit first"
            )));
        }
        if words::is_reserved(language, new) {
            return Err(Refused(format!("`{new}` is a reserved word")));
        }
        let is_upper = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
        if language == Language::Fsp && is_upper(old) != is_upper(new) {
            let letter = match is_upper(old) {
                true => "a capital letter",
                false => "a small letter or `_`",
            };
            return Err(Refused(format!("here a name begins with {letter}")));
        }
        if language == Language::Fsp && [old.as_str(), new].contains(&"DEFAULT") {
            let why = "`DEFAULT` is the composition that is checked if none is named";
            return Err(Refused(why.to_owned()));
        }
        let is_entry = language == Language::C && old == "main"
            || language == Language::Smv && old == "main" && it.kind == SymbolKind::Process;
        if is_entry {
            return Err(Refused("the model begins with `main`".to_owned()));
        }
        Ok(())
    }

    /// Does every name of the changed text resolve to what it did before?
    fn means_the_same(
        &self,
        symbol: usize,
        uses: &[Range<usize>],
        changed: &str,
        new: &str,
    ) -> bool {
        let after = Index::new(self.language(), changed);
        let old = &self.symbols()[symbol].name;
        let shift = new.len() as i64 - old.len() as i64;
        let moved = |at: usize| {
            let before = uses.partition_point(|u| u.start < at) as i64;
            (at as i64 + before * shift) as usize
        };
        if self.occurrences.len() != after.occurrences.len() {
            return false;
        }
        let mut pairs = self.occurrences.iter().zip(&after.occurrences);
        pairs.all(|(was, is)| {
            let place = moved(was.start as usize) == is.start as usize;
            let target = match (was.symbol, is.symbol) {
                (None, None) => true,
                (Some(a), Some(b)) => {
                    let (a, b) = (&self.symbols()[a as usize], &after.symbols()[b as usize]);
                    moved(a.span.start) == b.span.start && a.kind == b.kind
                }
                _ => false,
            };
            place && target
        })
    }
}

/// A text with other words at some places.
pub(super) fn replaced(text: &str, places: &[Range<usize>], new: &str) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        changed.push_str(&text[from..place.start]);
        let old = &text[place.clone()];
        let quote = old.chars().next().filter(|c| matches!(c, '"' | '|'));
        changed.extend(quote);
        changed.push_str(new);
        changed.extend(quote);
        from = place.end;
    }
    changed.push_str(&text[from..]);
    changed
}
