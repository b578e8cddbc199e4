//! `.acts` files: which actions components share, in place of those that are computed.
//!
//! ```text
//! # one action a line
//! sender:
//! send
//! ack
//! receiver:
//! send
//! ```

use suppose_source::{Diagnostic, FileId, SourceFile, Sources, Span};

/// For components, by the name of one of their modules, the actions they share: for [`super::Grouping::actions`].
pub fn read_acts(
    file: FileId,
    sources: &Sources,
) -> Result<Vec<(String, Vec<String>)>, Vec<Diagnostic>> {
    let text = sources.file(file).map_or("", SourceFile::text);
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut errors = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let span = Span::in_file(file, at, at + line.len());
        at += line.len() + 1;
        let shown = line.split('#').next().unwrap_or("").trim();
        if shown.is_empty() {
            continue;
        }
        if let Some(name) = shown.strip_suffix(':') {
            let name = name.trim().to_owned();
            if all.iter().any(|(other, _)| *other == name) {
                let message = format!("the actions of `{name}` are given twice");
                errors.push(Diagnostic::error(span, message));
            }
            all.push((name, Vec::new()));
        } else if shown.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            errors.push(
                Diagnostic::error(span, "this is not an action")
                    .label("expected one action, or a module and `:`"),
            );
        } else if let Some((_, actions)) = all.last_mut() {
            actions.push(shown.to_owned());
        } else {
            errors.push(
                Diagnostic::error(span, "whose action is this?")
                    .label("expected a module and `:` before the first action"),
            );
        }
    }
    match errors.is_empty() {
        true => Ok(all),
        false => Err(errors),
    }
}
