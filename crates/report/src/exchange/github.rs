//! Annotations for GitHub: `::error file=F,line=L,title=T::MESSAGE`, a line each.

use std::fmt::Write;

use crate::several::{Checked, Place, Standing};
use crate::words::shown;

/// An annotation for everything that is not as it should be.
pub fn annotations(checked: &[Checked]) -> String {
    let mut lines = String::new();
    let mut add = |level: &str, place: &Place, title: &str, message: &str| {
        let mut about = format!("file={}", property(&place.file));
        if place.line > 0 {
            let _ = write!(about, ",line={}", place.line);
        }
        if let Some(column) = place.column {
            let _ = write!(about, ",col={column}");
        }
        let (title, message) = (property(&shown(title)), data(&shown(message)));
        let _ = writeln!(lines, "::{level} {about},title={title}::{message}");
    };
    for model in checked {
        let whole = Place {
            file: model.file.clone(),
            ..Place::default()
        };
        let is_met = model.expected.as_ref().is_some_and(|e| e.is_met);
        if is_met {
            continue;
        }
        if let Some(expected) = &model.expected {
            let text = format!("expected {}, found {}", expected.verdict, model.outcome);
            add("error", &whole, "unexpected verdict", &text);
        }
        for error in &model.errors {
            let place = error.place.as_ref().unwrap_or(&whole);
            add("error", place, &model.outcome, &error.message);
        }
        for claim in &model.claims {
            let level = match claim.standing() {
                Standing::Passed => continue,
                Standing::Failed => "error",
                Standing::Undecided | Standing::Skipped => "warning",
            };
            let place = claim.place.as_ref().unwrap_or(&whole);
            add(level, place, &claim.name, &claim.sentence());
        }
    }
    lines
}

/// What stands after the second `::`.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
