//! What the layout sees: boxes, arrows and the room their texts need.

use unicode_width::UnicodeWidthStr;

use crate::words::shown;

/// Width of a character of the monospaced face at 12 px, and the height of its line.
pub(crate) const CHAR: f64 = 7.25;
pub(super) const LINE: f64 = 15.0;
/// Columns of a line of labels, and of a single label.
const COLUMNS: usize = 26;
const LONGEST: usize = 36;

/// A graph to be laid out from left to right.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// The boxes.
    pub nodes: Vec<Vertex>,
    /// The box where reading starts.
    pub start: usize,
    /// Arrows have no direction: reading follows them both ways.
    pub undirected: bool,
    /// The arrows, at most one from a node to another and none from a node to itself.
    pub edges: Vec<Arc>,
}

/// A box.
#[derive(Clone, Debug, Default)]
pub(super) struct Vertex {
    pub width: f64,
    pub height: f64,
    /// The text at its loop, when it has one.
    pub loops: Option<Lines>,
}

/// An arrow.
#[derive(Clone, Debug)]
pub(super) struct Arc {
    pub from: usize,
    pub to: usize,
    pub label: Lines,
}

/// A text in a few short lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lines {
    pub lines: Vec<String>,
}

impl Lines {
    /// Names separated by commas, wrapped; what is left out after `max` lines is counted.
    pub fn wrap(names: &[String], max: usize) -> Lines {
        let mut lines: Vec<String> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let comma = if at + 1 < names.len() { "," } else { "" };
            let word = format!("{}{comma}", shorten(name, LONGEST));
            let fits = |line: &String| columns(line) + 1 + columns(&word) <= COLUMNS;
            if lines.last().is_some_and(fits) {
                let last = lines.len() - 1;
                lines[last] += " ";
                lines[last] += &word;
            } else if lines.len() == max {
                lines.push(format!("and {} more", names.len() - at));
                break;
            } else {
                lines.push(word);
            }
        }
        Lines { lines }
    }

    pub fn width(&self) -> f64 {
        let widest = self.lines.iter().map(|l| columns(l)).max();
        widest.unwrap_or(0) as f64 * CHAR
    }

    pub fn height(&self) -> f64 {
        self.lines.len() as f64 * LINE
    }
}

/// Columns a text takes in a monospaced face.
pub(crate) fn columns(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text safe to show, cut to this many columns.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let safe = shown(text);
    if columns(&safe) <= most {
        return safe.into_owned();
    }
    let mut short = String::new();
    for c in safe.chars() {
        if columns(&short) + 2 > most {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_wrap_and_are_counted() {
        let names: Vec<String> = (0..40).map(|i| format!("label.{i}")).collect();
        let lines = Lines::wrap(&names, 3);
        assert_eq!(lines.lines.len(), 4);
        assert!(lines.lines.iter().all(|l| columns(l) <= COLUMNS));
        assert_eq!(lines.lines[0], "label.0, label.1, label.2,");
        assert_eq!(lines.lines[3], "and 31 more");
        assert_eq!(Lines::wrap(&names[..1], 3).lines, ["label.0"]);
    }

    #[test]
    fn long_names_are_cut_by_columns() {
        assert_eq!(shorten(&"漢".repeat(40), 5), "漢漢…");
        assert_eq!(shorten("abc", 3), "abc");
        assert!(columns(&shorten(&"x".repeat(99), 36)) <= 36);
    }
}
