//! The report for a terminal.

mod evidence;
mod states;
mod table;

use std::fmt::Write;

use suppose_model::EvidenceStatus;
use suppose_source::Sources;

use crate::block::Block;
use crate::document::{Claim, Document, Evidence, Meaning, ShownVerdict};
use crate::words::{self, shown};

const GREEN: &str = "1;32";
const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BOLD: &str = "1";
const DIM: &str = "2";

impl Document<'_> {
    /// For a terminal, without the last line. `colour` allows terminal colours; no other control character than newline is ever in it.
    /// `full` leaves nothing out, however long it is.
    pub fn text(&self, colour: bool, full: bool) -> String {
        if let Some(text) = &self.layout {
            return text.clone();
        }
        let mut page = Page {
            sources: self.system.sources,
            out: String::new(),
            colour,
            full,
        };
        page.document(self);
        page.out
    }
}

struct Page<'a> {
    /// The texts that steps come from.
    sources: Option<&'a Sources>,
    out: String,
    colour: bool,
    /// Nothing is left out.
    full: bool,
}

impl Page<'_> {
    fn document(&mut self, document: &Document) {
        let (frame, system) = (&document.frame, &document.system);
        let name = self.paint(&shown(&system.name), BOLD);
        self.line(&format!("{name}: {}", system.sizes));
        for line in &system.lines {
            self.line(&format!("  {line}"));
        }
        for warning in &frame.warnings {
            let mark = self.paint("warning", YELLOW);
            self.line(&format!("{mark}: {}", shown(warning)));
        }
        for block in &system.blocks {
            self.block(block);
        }
        for claim in &document.claims {
            self.claim(claim);
        }
        for (name, reason) in &frame.undecided {
            self.heading(name, &ShownVerdict::Unknown(reason.clone()));
            self.field("reason", &shown(reason));
        }
        let mut line = format!("time {}", words::duration(frame.elapsed));
        if let Some(memory) = frame.peak_memory {
            let _ = write!(line, ", memory {}", words::bytes(memory));
        }
        let line = self.paint(&line, DIM);
        self.line(&format!("\n{line}"));
    }

    fn paint(&self, text: &str, code: &str) -> String {
        match self.colour {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A named line of a claim; further lines of the value are aligned below its first.
    fn field(&mut self, name: &str, value: &str) {
        let name = self.paint(&format!("{name:<15}"), DIM);
        let value = value.replace('\n', &format!("\n{:17}", ""));
        self.line(&format!("  {name}{value}"));
    }

    fn heading(&mut self, name: &str, verdict: &ShownVerdict) {
        let code = match verdict {
            ShownVerdict::Holds => GREEN,
            ShownVerdict::Violated(_) => RED,
            ShownVerdict::Unknown(_) => YELLOW,
        };
        let name = self.paint(&shown(name), BOLD);
        let verdict = self.paint(verdict.word(), code);
        self.line(&format!("\n{name}: {verdict}"));
    }

    fn claim(&mut self, claim: &Claim) {
        self.heading(&claim.heading, &claim.verdict);
        if let Some(Meaning::Formula(name, text)) = &claim.meaning {
            self.field(name, &shown(text));
        }
        for fact in &claim.facts {
            self.field(fact.name, &shown(&fact.value));
        }
        for block in (claim.blocks)() {
            self.block(&block);
        }
        self.evidence(&claim.evidence);
        for note in &claim.notes {
            self.field("", &shown(&note.value));
        }
    }

    fn evidence(&mut self, evidence: &Evidence) {
        let Some(name) = evidence.name else { return };
        let text = match (&evidence.search, &evidence.status) {
            (Some(search), EvidenceStatus::Accepted) => search.accepted.to_owned(),
            (Some(search), EvidenceStatus::NotChecked(why)) => {
                format!("{}; {}", search.open, shown(why))
            }
            (_, EvidenceStatus::Accepted) => self.paint("accepted", GREEN),
            (_, EvidenceStatus::NotChecked(why)) => {
                format!("{}: {}", self.paint("not checked", YELLOW), shown(why))
            }
            (_, EvidenceStatus::Rejected(why)) => {
                let word = self.paint("rejected", RED);
                format!("{word}, which is a bug, please report it: {}", shown(why))
            }
        };
        let file = evidence.file.iter().filter(|_| evidence.search.is_none());
        let file: String = file.map(|f| format!(", written to {}", shown(f))).collect();
        self.field(name, &format!("{text}{file}"));
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Assumptions { all, is_final } => self.assumptions(all, *is_final),
            Block::Interference(all) => self.interference(all),
            Block::Steps(steps) if !steps.is_second => self.steps(steps),
            Block::Chart(chart) if chart.in_text => self.chart(chart),
            Block::States(run) => self.states(run),
            Block::Tree(tree) => self.tree(tree),
            Block::Definitions(definitions) => self.definitions(definitions),
            Block::Classes { system, clusters } => self.classes(system, clusters),
            // These are for the page.
            Block::Steps(_) | Block::Chart(_) => {}
            Block::Premises(_) | Block::Picture { .. } | Block::Sizes(_) => {}
        }
    }
}
