//! Quoting for Graphviz's language.

use crate::words::shown;

/// A quoted string. Newlines become line breaks; everything else is shown as it is.
pub(super) fn quoted(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| shown(line).replace('\\', "\\\\").replace('"', "\\\""))
        .collect();
    format!("\"{}\"", lines.join("\\n"))
}

/// `name="value"`.
pub(super) fn attribute(name: &str, value: &str) -> String {
    format!("{name}={}", quoted(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_stay_inside() {
        assert_eq!(quoted("a\"; b\\N"), "\"a\\\"; b\\\\N\"");
        assert_eq!(quoted("a\nb"), "\"a\\nb\"");
        assert_eq!(quoted("\u{202e}"), "\"\\\\u{202e}\"");
    }
}
