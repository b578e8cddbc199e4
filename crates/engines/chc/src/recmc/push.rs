//! Lemmas move to higher levels; a level that loses all is inductive.

use super::{Engine, Halt};

impl Engine<'_> {
    /// Pushes lemmas below the bound up by one level each. If a level is left without lemmas, that of the next one
    /// and above are inductive: its number.
    pub(super) fn push(&mut self) -> Result<Option<u32>, Halt> {
        let mut at_level: Vec<Vec<usize>> = vec![Vec::new(); self.bound as usize + 1];
        for (number, lemma) in self.lemmas.iter().enumerate() {
            if !lemma.retired && lemma.level < self.bound {
                at_level[lemma.level as usize].push(number);
            }
        }
        for level in 0..self.bound {
            let mut here = std::mem::take(&mut at_level[level as usize]);
            here.sort_unstable();
            let mut stayed = false;
            for lemma in here {
                self.cx.check()?;
                let it = &self.lemmas[lemma];
                let (pred, cube) = (it.pred, it.cube.clone());
                if self.excludes(pred, level + 1, &cube)?.is_some() {
                    self.raise(lemma, level + 1);
                    at_level[level as usize + 1].push(lemma);
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
