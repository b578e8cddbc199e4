//! What the reports on all kinds of models have in common.

use crate::{Report, Standing, worst};

/// Everything that a run has to say, in each of the ways to say it.
pub trait Document {
    /// What does not depend on the kind of the model.
    fn base(&self) -> &Report<'_>;

    /// The verdict of every claim that an engine worked on.
    fn standings(&self) -> Vec<Standing>;

    /// For a terminal, without the last line. `full` leaves nothing out, however long it is.
    fn text(&self, colour: bool, full: bool) -> String;

    /// As one JSON document with a final newline.
    fn json(&self) -> String;

    /// As one self-contained HTML file.
    fn html(&self) -> String;

    /// The worst verdict of all: violated, then unknown, then holds; the first of its kind, but
    /// rejected evidence before other reasons not to know. Nothing asked is nothing known.
    fn overall(&self) -> Standing {
        worst(self.standings(), &self.base().undecided)
    }

    /// The last line on standard output: `holds`, `violated(<claim>)` or `unknown(<reason>)`.
    fn last_line(&self) -> String {
        self.overall().to_string()
    }
}

impl Document for Report<'_> {
    fn base(&self) -> &Report<'_> {
        self
    }

    fn standings(&self) -> Vec<Standing> {
        self.checked.iter().map(|c| self.standing(c)).collect()
    }

    fn text(&self, colour: bool, full: bool) -> String {
        crate::text::text_of(self, colour, full)
    }

    fn json(&self) -> String {
        crate::json(self)
    }

    fn html(&self) -> String {
        crate::html(self)
    }
}
