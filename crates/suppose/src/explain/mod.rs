//! What the words in reports, messages and documentation mean.
//!
//! The tests of this module and `tests/glossary.rs` find every word that a report is made of, and fail where one is missing.

mod engines;
mod methods;
mod models;
mod reports;
mod verdicts;

use crate::Failure;
use crate::options::EngineName;

/// A word with its explanation.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The word, as reports write it.
    pub word: &'static str,
    /// Other forms and names of it.
    pub also: &'static [&'static str],
    /// What it means.
    pub text: &'static str,
    /// Related words.
    pub see: &'static [&'static str],
    /// The page of the documentation that says more; none where no page does.
    pub page: Option<&'static str>,
}

/// Words of one subject.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// What they are about.
    pub title: &'static str,
    /// The words, in an order to read them in.
    pub entries: &'static [Entry],
}

/// The glossary.
pub const GLOSSARY: &[Topic] = &[
    Topic {
        title: "Verdicts and their reasons",
        entries: verdicts::ENTRIES,
    },
    Topic {
        title: "Lines and headings of reports",
        entries: reports::ENTRIES,
    },
    Topic {
        title: "Engines",
        entries: engines::ENTRIES,
    },
    Topic {
        title: "Models and claims",
        entries: models::ENTRIES,
    },
    Topic {
        title: "Methods and evidence",
        entries: methods::ENTRIES,
    },
];

impl Entry {
    /// With what the list of engines says, if it is one.
    fn whole(&self) -> String {
        let engine = EngineName::named(self.word).filter(|e| *e != EngineName::AUTO);
        match engine {
            Some(engine) => format!("{}.\n{}", engine.help(), self.text),
            None => self.text.to_owned(),
        }
    }

    /// For a terminal: the word, its explanation, related words and a page, in lines of at most `width` columns.
    ///
    /// ```
    /// let entry = suppose::explain("unknown(timeout)")?;
    /// assert_eq!(entry.word, "timeout");
    /// assert!(entry.text_in(80).starts_with("timeout (also: time limit)\n"));
    /// # Ok::<(), suppose::Failure>(())
    /// ```
    pub fn text_in(&self, width: usize) -> String {
        let mut text = match self.also {
            [] => self.word.to_owned(),
            also => format!("{} (also: {})", self.word, also.join(", ")),
        };
        for paragraph in self.paragraphs() {
            text.push('\n');
            text.push_str(&wrapped(&paragraph, width));
        }
        text
    }

    /// The explanation, and where to go on.
    fn paragraphs(&self) -> Vec<String> {
        let mut all: Vec<String> = self.whole().lines().map(str::to_owned).collect();
        if !self.see.is_empty() {
            all.push(format!("See also: {}.", self.see.join(", ")));
        }
        if let Some(page) = self.page {
            all.push(format!("More: {page}"));
        }
        all
    }

    /// As a JSON object.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "word": self.word,
            "also": self.also,
            "text": self.whole(),
            "see": self.see,
            "page": self.page,
        })
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.word).chain(self.also.iter().copied())
    }
}

/// Finds the entry of a word, in any of its forms; letter case does not matter. `unknown(timeout)` is looked up as `timeout`, and
/// `violated(Order)` as `violated`. An error has the word that was probably meant.
pub fn explain(asked: &str) -> Result<&'static Entry, Failure> {
    let asked = asked.trim();
    let inner = match asked.split_once('(') {
        Some(("unknown", reason)) => reason.trim_end_matches(')'),
        Some((word @ ("violated" | "failed"), _)) => word,
        _ => asked,
    };
    // `bdd` is an engine, `BDD` is what it works with.
    let exact = entries().find(|e| e.names().any(|name| name == inner));
    let same = |e: &&Entry| e.names().any(|name| name.eq_ignore_ascii_case(inner));
    let found = exact.or_else(|| entries().find(same));
    found.ok_or_else(|| {
        let names: Vec<&str> = entries().flat_map(Entry::names).collect();
        let failure = Failure::usage(format!("`{inner}` is not in the glossary"));
        // A longer phrase is near to what it has in it.
        let contained = names.iter().filter(|n| n.len() > 3 && inner.contains(**n));
        let near = suppose_source::nearest(inner, names.iter().copied())
            .or_else(|| contained.max_by_key(|n| n.len()).copied());
        let listed = "`suppose explain` lists all words";
        match near {
            Some(near) => failure.help(format!("did you mean `{near}`? {listed}")),
            None => failure.help(listed),
        }
    })
}

/// All entries.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    GLOSSARY.iter().flat_map(|topic| topic.entries)
}

/// Breaks a paragraph into indented lines.
fn wrapped(paragraph: &str, width: usize) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in paragraph.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() + 3 > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    let lines: Vec<String> = lines.iter().map(|l| format!("  {l}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_entries_and_all_references_lead_somewhere() {
        let names: Vec<&str> = entries().flat_map(Entry::names).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "`{name}` twice");
        }
        for entry in entries() {
            for see in entry.see {
                assert!(names.contains(see), "`{}` refers to `{see}`", entry.word);
                assert_ne!(*see, entry.word);
            }
            let page = entry.page.map(|p| p.split('#').next().unwrap_or(p));
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let missing = page.filter(|p| !root.join(p).exists());
            assert_eq!(missing, None, "`{}` names a page", entry.word);
            assert!(entry.text.ends_with('.'), "`{}`", entry.word);
        }
    }

    #[test]
    fn every_engine_reason_and_exit_status_has_an_entry() {
        use suppose_model::Reason::*;
        for engine in EngineName::all() {
            assert_eq!(explain(engine.name()).unwrap().word, engine.name());
        }
        let empty = String::new;
        let reasons = [
            Timeout,
            Memory,
            Interrupted,
            Iterations,
            Unsupported(empty()),
            Disk(empty()),
            Rejected(empty()),
            Internal(empty()),
        ];
        for reason in reasons {
            // A reason that is added has to be added above, too.
            match reason {
                Timeout | Memory | Interrupted | Iterations => {}
                Unsupported(_) | Disk(_) | Rejected(_) | Internal(_) => {}
            }
            let word = format!("unknown({})", reason.word());
            assert_eq!(explain(&word).unwrap().word, reason.word());
        }
        let text = explain("exit status").unwrap().text;
        for status in crate::ExitStatus::WORST_FIRST {
            let number = format!("{} ", status.number());
            assert!(text.contains(&number), "{status:?} is not in {text}");
        }
    }

    #[test]
    fn words_are_found_in_all_their_forms_and_slips_get_a_suggestion() {
        assert_eq!(explain("Certificates").unwrap().word, "certificate");
        assert_eq!(explain("violated(Order)").unwrap().word, "violated");
        let help = |word: &str| {
            let failure = explain(word).unwrap_err();
            assert_eq!(failure.status, crate::ExitStatus::Usage);
            failure.text(false)
        };
        assert!(help("assumtion").contains("did you mean `assumption`?"));
        assert!(help("the strong simulation of it").contains("did you mean `strong simulation`?"));
        assert!(help("zebra").contains("lists all words"));
    }

    #[test]
    fn lines_are_no_longer_than_asked_for() {
        for entry in entries() {
            for line in entry.text_in(80).lines().skip(1) {
                let fits = line.chars().count() <= 80 || line.trim().split(' ').count() == 1;
                assert!(fits, "{line}");
            }
        }
    }
}
