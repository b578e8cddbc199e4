//! A program in which an automaton takes the place of a process.

use std::fmt::Write;

use suppose_explicit::decompose::{Decomposed, Part};
use suppose_model::lts::Lts;
use suppose_model::program::Program;

/// A text with an automaton instead of a body.
pub struct Rewritten {
    /// The program.
    pub text: String,
    /// How many lines what follows moved down.
    pub moved: i64,
    /// The lines of the automaton in the new text.
    pub automaton: std::ops::RangeInclusive<u32>,
}

impl Rewritten {
    /// The line of the original, for a line of the new text outside the automaton.
    pub fn original_line(&self, line: u32) -> Option<u32> {
        if self.automaton.contains(&line) {
            return None;
        }
        match line < *self.automaton.start() {
            true => Some(line),
            false => u32::try_from(i64::from(line) - self.moved).ok(),
        }
    }
}

/// Puts the automaton in the place of the process. Other processes of the same proctype keep the body.
pub fn rewrite(
    text: &str,
    body: std::ops::Range<usize>,
    program: &Program,
    taken: &Decomposed,
    part: &Part,
    automaton: &Lts,
    alone: bool,
) -> Result<Rewritten, String> {
    let new = self::automaton(program, taken, part, automaton)?;
    let original = text.get(body.clone()).unwrap_or("");
    let line_of = |at: usize| text[..at].bytes().filter(|b| *b == b'\n').count() as u32 + 1;
    let (first, last) = (line_of(body.start), line_of(body.end));
    let replacement = match alone {
        true => format!("{{\n{new}}}"),
        false => {
            let pid = part.process;
            format!("{{\nif\n:: (_pid == {pid}) ->\n{new}:: else -> {original}\nfi\n}}")
        }
    };
    let new_lines = replacement.bytes().filter(|b| *b == b'\n').count() as u32;
    let kept = match alone {
        true => 0,
        false => original.bytes().filter(|b| *b == b'\n').count() as u32 + 3,
    };
    let text = format!("{}{replacement}{}", &text[..body.start], &text[body.end..]);
    Ok(Rewritten {
        text,
        moved: i64::from(new_lines) - i64::from(last - first),
        automaton: first..=first + new_lines - kept,
    })
}

/// The body of the automaton: a label for each state, an option for each edge.
fn automaton(
    program: &Program,
    taken: &Decomposed,
    part: &Part,
    automaton: &Lts,
) -> Result<String, String> {
    let mut text = String::new();
    let first = automaton.initial();
    let states = automaton.states() as u32;
    let order = std::iter::once(first).chain((0..states).filter(|s| *s != first));
    for state in order {
        let edges = automaton.edges(state);
        if edges.is_empty() {
            let _ = writeln!(text, "suppose_{state}: false;");
            continue;
        }
        let _ = writeln!(text, "suppose_{state}: if");
        for edge in edges {
            let statement = taken
                .statement(program, part.process, edge.label)
                .map_err(|why| {
                    let label = taken.network.labels.display(edge.label);
                    format!(
                        "`{label}` of `{}` cannot be written as one statement: {why}",
                        part.name
                    )
                })?;
            let _ = writeln!(text, ":: {statement} -> goto suppose_{}", edge.target);
        }
        text.push_str("fi;\n");
    }
    Ok(text)
}
