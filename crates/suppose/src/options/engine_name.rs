//! Engines by name.

use std::fmt;

use serde::Serialize;
use suppose_frontends::Language;

use super::table::{ENGINES, groups};

/// The name of an engine: one of those that the crates with engines list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct EngineName(&'static str);

impl EngineName {
    /// Choose, and say what was chosen and why.
    pub const AUTO: EngineName = EngineName("auto");

    /// What is required of one process, which some options ask for without naming the engine.
    pub(crate) const QUOTIENT: EngineName = EngineName("quotient");

    /// The engine of that name, if there is one.
    ///
    /// ```
    /// use suppose::options::EngineName;
    ///
    /// assert_eq!(EngineName::named("auto"), Some(EngineName::AUTO));
    /// assert_eq!(EngineName::named("oracle"), None);
    /// ```
    pub fn named(name: &str) -> Option<EngineName> {
        EngineName::all().find(|e| e.0 == name)
    }

    /// All of them, each once.
    pub fn all() -> impl Iterator<Item = EngineName> {
        let mut names = Vec::new();
        for engine in ENGINES.iter().flat_map(|scope| scope.engines()) {
            if !names.contains(&engine.name) {
                names.push(engine.name);
            }
        }
        names.into_iter().map(EngineName)
    }

    /// As the command line and reports call it.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// What it does, in a line: for each kind of models that it is for.
    pub fn help(self) -> String {
        if self == EngineName::AUTO {
            return "Choose an engine, and say which and why".to_owned();
        }
        // Engines that do the same on several kinds of models are told once.
        let mut told: Vec<(Vec<Language>, &str)> = Vec::new();
        for scope in ENGINES {
            for engine in scope.engines().filter(|e| e.name == self.0) {
                match told
                    .iter_mut()
                    .find(|(_, summary)| *summary == engine.summary)
                {
                    Some((languages, _)) => languages.extend(scope.languages),
                    None => told.push((scope.languages.to_vec(), engine.summary)),
                }
            }
        }
        let line = |(languages, summary): &(Vec<Language>, &str)| {
            let summary = summary.trim_end_matches('.');
            format!(
                "{}: {}",
                groups(languages),
                with_first(summary, char::to_lowercase)
            )
        };
        let lines: Vec<String> = told.iter().map(line).collect();
        with_first(&lines.join("; "), char::to_uppercase)
    }
}

/// The text with another first letter, unless its first word is a name such as `RecMC` or `k-induction`.
fn with_first<L: Iterator<Item = char>>(text: &str, letter: impl Fn(char) -> L) -> String {
    let word = text.split([' ', ',']).next().unwrap_or("");
    let is_name = word.chars().skip(1).any(char::is_uppercase) || word.starts_with("k-");
    match text.chars().next() {
        Some(first) if !is_name => {
            let rest = &text[first.len_utf8()..];
            letter(first).chain(rest.chars()).collect()
        }
        _ => text.to_owned(),
    }
}

impl Default for EngineName {
    fn default() -> Self {
        EngineName::AUTO
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
