//! Lemmas move to higher levels; a level that loses all is inductive.

use super::{Engine, Halt};

impl Engine<'_> {
    /// Pushes lemmas below the bound up by one level each. If a level is left without lemmas, that of the next one
    /// and above are inductive: its number.
    pub(super) fn push(&mut self) -> Result<Option<u32>, Halt> {
        for level in 0..self.bound {
            let mut stayed = false;
            for lemma in 0..self.lemmas.len() {
                if self.lemmas[lemma].retired || self.lemmas[lemma].level != level {
                    continue;
                }
                self.cx.check()?;
                let it = &self.lemmas[lemma];
                let (pred, cube) = (it.pred, it.cube.clone());
                if self.excludes(pred, level + 1, &cube)?.is_some() {
                    self.raise(lemma, level + 1);
                } else {
                    stayed = true;
                }
            }
            if !stayed {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}
