//! A run as a sequence chart in the languages of Mermaid and PlantUML. A step of one is a note, a step of two a line between
//! them, a step of more a note over all.

use std::fmt::Write;
use std::path::Path;

use suppose_report::shown;

use crate::failure::Failure;
use crate::simulate::{Taken, Transcript};

/// Longer runs are cut: the last steps are drawn.
const MOST_STEPS: usize = 500;
/// Who does it, where the model does not say.
const SYSTEM: &str = "system";

/// A language of charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChartKind {
    Mermaid,
    PlantUml,
}

impl ChartKind {
    /// By the ending of the file's name.
    pub(crate) fn of(path: &Path) -> Result<ChartKind, Failure> {
        let end = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("mmd" | "mermaid") => Ok(ChartKind::Mermaid),
            Some("puml" | "plantuml") => Ok(ChartKind::PlantUml),
            _ => {
                let name = path.display();
                let message = format!("cannot tell the format of the chart `{name}`");
                let help = "use a name that ends in .mmd (Mermaid) or .puml (PlantUML)";
                Err(Failure::usage(message).help(help))
            }
        }
    }

    fn escaped(self, text: &str) -> String {
        match self {
            ChartKind::Mermaid => mermaid(&shown(text)),
            ChartKind::PlantUml => plantuml(&shown(text)),
        }
    }
}

/// The run of a claim.
pub(crate) fn chart(run: &Transcript, claim: &str, kind: ChartKind) -> String {
    let first = run.steps.len().saturating_sub(MOST_STEPS);
    let steps = &run.steps[first..];
    let mut lives: Vec<&str> = Vec::new();
    for name in steps.iter().flat_map(actors) {
        if !lives.contains(&name) {
            lives.push(name);
        }
    }
    if lives.is_empty() {
        lives.push(SYSTEM);
    }
    let mut out = String::new();
    let title = kind.escaped(&format!("counterexample to {claim}"));
    let _ = match kind {
        ChartKind::Mermaid => writeln!(out, "sequenceDiagram\n  accTitle: {title}"),
        ChartKind::PlantUml => writeln!(out, "@startuml\ntitle {title}"),
    };
    for (number, name) in lives.iter().enumerate() {
        let name = kind.escaped(name);
        let _ = match kind {
            ChartKind::Mermaid => writeln!(out, "  participant p{number} as {name}"),
            ChartKind::PlantUml => writeln!(out, "participant \"{name}\" as p{number}"),
        };
    }
    let over = |out: &mut String, who: &[usize], text: &str| {
        let ends = match (who.iter().min(), who.iter().max()) {
            (Some(a), Some(b)) if a != b => format!("p{a},p{b}"),
            (Some(a), _) => format!("p{a}"),
            _ => "p0".to_owned(),
        };
        let _ = match kind {
            ChartKind::Mermaid => writeln!(out, "  Note over {ends}: {text}"),
            ChartKind::PlantUml => writeln!(out, "note over {ends} : {text}"),
        };
    };
    let all: Vec<usize> = (0..lives.len()).collect();
    if first > 0 {
        over(
            &mut out,
            &all,
            &kind.escaped(&format!("{first} steps before")),
        );
    }
    let mut loops = false;
    for (number, step) in steps.iter().enumerate() {
        if run.loops_to == Some(first + number) {
            loops = true;
            let start = ["  loop forever", "loop forever"][kind as usize];
            let _ = writeln!(out, "{start}");
        }
        let who: Vec<usize> = actors(step)
            .filter_map(|a| lives.iter().position(|l| *l == a))
            .collect();
        let text = kind.escaped(&format!("{}. {}", first + number + 1, what(step)));
        match (&who[..], kind) {
            ([a, b], ChartKind::Mermaid) if a != b => {
                let _ = writeln!(out, "  p{a}->p{b}: {text}");
            }
            ([a, b], ChartKind::PlantUml) if a != b => {
                let _ = writeln!(out, "p{a} <-> p{b} : {text}");
            }
            _ => over(&mut out, &who, &text),
        }
    }
    if loops {
        let _ = writeln!(out, "{}", ["  end", "end"][kind as usize]);
    }
    over(&mut out, &all, &kind.escaped(&run.last_line()));
    if kind == ChartKind::PlantUml {
        out.push_str("@enduml\n");
    }
    out
}

/// Who takes part.
fn actors(step: &Taken) -> impl Iterator<Item = &str> {
    let nobody = step.actors.is_empty().then_some(SYSTEM);
    step.actors.iter().map(String::as_str).chain(nobody)
}

/// What a step does: its label, or else what it changes.
fn what(step: &Taken) -> String {
    if !step.label.is_empty() {
        return step.label.clone();
    }
    let changes = step.changes.iter().map(|c| {
        let value = c.value.as_deref().unwrap_or("gone");
        format!("{} = {value}", c.name)
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// Mermaid reads `#35;` as a character; some characters and the word `end` mean something to it.
fn mermaid(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | ';' | '<' | '>' | '"' | '%' | '\\' | '`' | '{' | '}' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.replace("end", "#101;nd")
        .replace("End", "#69;nd")
        .replace("END", "#69;ND")
}

/// PlantUML reads `<U+0022>` as a character; most signs mean something to it.
fn plantuml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c.is_alphanumeric() || " .,:()+=?'".contains(c) {
            true => out.push(c),
            false => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
        }
    }
    out
}
