//! Assumptions, definitions and trees in text.

use std::fmt::Write;

use super::{Page, RED};
use crate::block::{Assumption, Definition, Definitions, Rely, Tree, TreeItem, TreeLine};
use crate::draw::shorten;
use crate::words::{count, shown};

/// What is guaranteed of a requirement that is not final.
const NOT_FINAL: &str = "not final: the process guarantees it (checked), and the property holds with it exactly if it holds with the process;\nwhether it holds is not decided, and with more time the requirement may become smaller";
/// More assumptions than this are only counted.
const MOST_ASSUMPTIONS: usize = 6;
/// An assumption with more transitions is not written out.
const MOST_TRANSITIONS: usize = 30;
/// How to see an assumption that is not written out.
const SEE_IT: &str = "to see it: --full, --report out.html, or suppose assume --output a.svg";
/// More definitions are only counted, and a longer one is cut; the other numbers are for a full text.
const MOST_DEFINITIONS: usize = 20;
const LONGEST_DEFINITION: usize = 400;
const LONGEST_IN_FULL: usize = 100_000;
/// A tree with more lines is cut, and more reasons are only counted.
const MOST_LINES: usize = 60;
const MOST_REASONS: usize = 12;

impl Page<'_> {
    fn most(&self, most: usize) -> usize {
        if self.full { usize::MAX } else { most }
    }

    pub(super) fn assumptions(&mut self, all: &[Assumption], is_final: bool) {
        if !is_final {
            for assumption in all {
                let text = self.assumption(assumption);
                self.field("so far", &format!("{text}\n{NOT_FINAL}"));
            }
            return;
        }
        let trivial = |a: &&Assumption| a.behaviour.allows_all();
        let (trivial, telling): (Vec<&Assumption>, Vec<&Assumption>) =
            all.iter().partition(trivial);
        let most = self.most(MOST_ASSUMPTIONS);
        for assumption in telling.iter().take(most) {
            let text = self.assumption(assumption);
            self.field("assumption", &text);
        }
        if telling.len() > most {
            let more = count((telling.len() - most) as u64, "more assumption");
            self.field("", &format!("and {more}: {SEE_IT}"));
        }
        let names: Vec<&str> = trivial.iter().map(|a| a.name.as_str()).collect();
        let names = match &names[..] {
            [] => return,
            [first, .., last] if names.len() > 4 => {
                format!("{} from {first} to {last}", names.len())
            }
            _ => names.join(", "),
        };
        let text = format!("{names}: nothing, every behaviour is allowed");
        self.field("assumption", &text);
    }

    fn assumption(&self, it: &Assumption) -> String {
        let mut text = format!("{}: {}", it.name, it.behaviour.sizes());
        if let Some(about) = &it.about {
            let _ = write!(text, ", about {}", shown(about));
        }
        let written = it.behaviour.text(&it.name, self.most(MOST_TRANSITIONS));
        let _ = write!(text, "\n{}", written.as_deref().unwrap_or(SEE_IT));
        text
    }

    pub(super) fn interference(&mut self, all: &[Rely]) {
        if all.is_empty() {
            return self.field(
                "assumption",
                "the others change nothing that a process sees",
            );
        }
        let most = self.most(MOST_DEFINITIONS);
        let mut text = "what each process relies on: the others do no more than this".to_owned();
        for it in all.iter().take(most) {
            let line = format!("{} at {}: {}", it.who, it.place, it.changes);
            let _ = write!(text, "\n{}", shown(&line));
            if !it.when.is_empty() {
                let _ = write!(text, ", when {}", shown(&it.when));
            }
        }
        if all.len() > most {
            let more = count((all.len() - most) as u64, "more line");
            let _ = write!(text, "\nand {more}: --full shows them");
        }
        self.field("assumption", &text);
    }

    pub(super) fn definitions(&mut self, definitions: &Definitions) {
        let most = self.most(MOST_DEFINITIONS);
        let length = match self.full {
            true => LONGEST_IN_FULL,
            false => LONGEST_DEFINITION,
        };
        let constant = |d: &&Definition| d.constant.is_some();
        let (constants, telling): (Vec<&Definition>, Vec<&Definition>) =
            definitions.all.iter().partition(constant);
        for it in telling.iter().take(most) {
            let place = match it.is_placed {
                true => format!("{}, {}\n", shown(&it.what), shown(&it.place)),
                false => String::new(),
            };
            let formula = (it.formula)(length);
            let text = format!("{place}{}: {}", shown(&it.head), shown(&formula));
            self.field(definitions.noun, &text);
        }
        if telling.len() > most {
            let noun = format!("more {}", definitions.noun);
            let more = count((telling.len() - most) as u64, &noun);
            self.field("", &format!("and {more}: {}", definitions.see));
        }
        for truth in [true, false] {
            let same = constants.iter().filter(|d| d.constant == Some(truth));
            let names: Vec<&str> = same.map(|d| d.name.as_str()).collect();
            if !names.is_empty() {
                let names = shorten(&names.join(", "), LONGEST_DEFINITION);
                self.field(definitions.noun, &format!("{truth}: {names}"));
            }
        }
    }

    pub(super) fn tree(&mut self, tree: &Tree) {
        let mut text = tree.count.clone();
        let most = self.most(MOST_LINES);
        let lines = (tree.lines)(most.saturating_add(1));
        for line in lines.iter().take(most) {
            let _ = write!(text, "\n{}", tree_line(line));
        }
        if lines.len() > most {
            text.push_str("\n…  (--full, --report and --format json show the rest)");
        }
        let most = self.most(MOST_REASONS);
        for why in tree.why.iter().take(most) {
            let _ = write!(text, "\n{}", self.paint(why, RED));
        }
        if tree.why.len() > most {
            let more = count((tree.why.len() - most) as u64, "more reason");
            let more = format!("and {more}: --full shows them");
            let _ = write!(text, "\n{}", self.paint(&more, RED));
        }
        self.field("counterexample", &text);
    }
}

fn tree_line(line: &TreeLine) -> String {
    let indent = "   ".repeat(line.depth.min(40));
    match &line.item {
        TreeItem::Action(action) => format!("{}-{action}->", &indent[..indent.len() - 1]),
        TreeItem::Node {
            node,
            probability,
            states,
            again,
        } => {
            let p = probability.iter().map(|p| format!("{p}: "));
            let p: String = p.collect();
            let again = if *again { " (see above)" } else { "" };
            format!("{indent}{p}node {node}  {states}{again}")
        }
    }
}
