//! A walk as text: the first state whole, and after each step only what changes.

use std::fmt::Write;

use suppose_report::shown;

use super::transcript::{Change, End, Taken, Transcript};

impl Transcript {
    /// As text for people, without the last line.
    pub fn text(&self) -> String {
        let mut out = start(&self.start, &self.notes);
        for (number, step) in self.steps.iter().enumerate() {
            out.push_str(&step.text(number + 1));
        }
        if let Some(to) = self.loops_to {
            let again = match to {
                0 => "the first state".to_owned(),
                n => format!("the state after step {n}"),
            };
            let _ = writeln!(out, "and again from {again}, forever");
        }
        for remark in &self.remarks {
            let _ = writeln!(out, "{}", shown(remark));
        }
        if let End::Violated(violation) = &self.end {
            let said = |notes: &Vec<String>| notes.iter().any(|n| n.contains(&violation.why));
            if !said(self.steps.last().map_or(&self.notes, |s| &s.notes)) {
                let (name, why) = (shown(&violation.property), shown(&violation.why));
                let _ = writeln!(out, "{name}: {why}");
            }
        }
        out
    }
}

/// The first state.
pub(super) fn start(values: &[(String, String)], notes: &[String]) -> String {
    let mut out = "start\n".to_owned();
    for (name, value) in values {
        let _ = writeln!(out, "  {} = {}", shown(name), shown(value));
    }
    add_notes(&mut out, notes);
    out
}

impl Taken {
    /// As text for people: the step, and what is different after it.
    pub fn text(&self, number: usize) -> String {
        let mut out = format!("step {number}");
        let what = what(&self.label, &self.actors, self.place.as_deref());
        if !what.is_empty() {
            let _ = write!(out, ": {what}");
        }
        if let Some(probability) = &self.probability {
            let _ = write!(out, ", with probability {probability}");
        }
        out.push('\n');
        for change in &self.changes {
            let _ = writeln!(out, "  {}", change.text());
        }
        if self.changes.is_empty() && self.notes.is_empty() {
            out.push_str("  nothing changes\n");
        }
        add_notes(&mut out, &self.notes);
        out
    }
}

impl Change {
    /// `x = 3`, or `x is gone`.
    pub fn text(&self) -> String {
        let name = shown(&self.name);
        match &self.value {
            Some(value) => format!("{name} = {}", shown(value)),
            None => format!("{name} is gone"),
        }
    }
}

/// `c!i; c?v (Sender[0], Receiver[1]) at model.pml:6`
pub(super) fn what(label: &str, actors: &[String], place: Option<&str>) -> String {
    let mut parts = Vec::new();
    if !label.is_empty() {
        parts.push(shown(label).into_owned());
    }
    if !actors.is_empty() {
        parts.push(format!("({})", shown(&actors.join(", "))));
    }
    if let Some(place) = place {
        parts.push(format!("at {}", shown(place)));
    }
    parts.join(" ")
}

fn add_notes(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "  -- {}", shown(note));
    }
}
