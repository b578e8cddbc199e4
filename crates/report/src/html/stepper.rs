//! The player of a run: its steps as compact data, from which the script of the page shows one step at a time beside the source.
//!
//! The tables of a run are complete without a script, up to their limit; the player has every step of runs that are too long for tables.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use suppose_source::{FileId, Sources, Span};

use crate::block::{Cell, Change, Column, Row, States, Steps};
use crate::fsm::run::points;
use crate::words::{count, shown};

/// Of longer runs the player has the last steps.
const MOST_STEPS: usize = 100_000;
/// Longer texts of models are not put into the page.
const LONGEST_TEXT: usize = 1_000_000;

/// A run as numbers and one table of strings.
#[derive(Default, Serialize)]
struct Played {
    /// Names, values and texts.
    strings: Vec<String>,
    /// Names with their values before the first step.
    initial: Vec<[usize; 2]>,
    /// For each step: its number, who takes it, what happens, details, file and line, then name, value before and value after of each
    /// change.
    steps: Vec<Vec<usize>>,
    /// The step that follows the last one.
    repeats_from: Option<usize>,
    #[serde(skip)]
    known: BTreeMap<String, usize>,
}

/// What stands for no file.
const NO_FILE: usize = 0;

impl Played {
    fn string(&mut self, text: &str) -> usize {
        if let Some(at) = self.known.get(text) {
            return *at;
        }
        let at = self.strings.len();
        self.strings.push(shown(text).into_owned());
        self.known.insert(text.to_owned(), at);
        at
    }

    fn change(&mut self, step: &mut Vec<usize>, change: &Change) {
        for text in [&change.name, &change.from, &change.to] {
            step.push(self.string(text));
        }
    }

    /// The place as file (from 1) and line.
    fn place(step: &mut Vec<usize>, span: Option<Span>, sources: Option<&Sources>) {
        let found = span.and_then(|span| {
            let file = sources?.file(span.file)?;
            Some((usize::from(span.file.0) + 1, file.position(span.start).line))
        });
        let (file, line) = found.unwrap_or((NO_FILE, 0));
        step.extend([file, line]);
    }

    fn row(&mut self, row: &Row, columns: &[Column], sources: Option<&Sources>) {
        let (mut number, mut who, mut what) = (0, String::new(), String::new());
        let (mut details, mut changes) = (Vec::new(), Vec::new());
        for (cell, column) in row.cells.iter().zip(columns) {
            match cell {
                Cell::Number(step) => number = step.unwrap_or(0),
                Cell::Action(text, _) => what.clone_from(text),
                Cell::Changes(all) => changes.extend(&all.all),
                Cell::Text(_) if column.name == "Line" => {}
                Cell::Text(text) if matches!(column.name, "Process" | "Function") => {
                    who.clone_from(text);
                }
                Cell::Text(text) => details.push(text.as_str()),
            }
        }
        let texts = [who, what, details.join(" ").trim().to_owned()];
        let mut step = vec![number];
        step.extend(texts.iter().map(|text| self.string(text)));
        Played::place(&mut step, row.span, sources);
        for change in changes {
            self.change(&mut step, change);
        }
        self.steps.push(step);
    }
}

/// The player of a run in steps.
pub(super) fn of_steps(steps: &Steps, sources: Option<&Sources>) -> Markup {
    let mut played = Played::default();
    let first = steps.rows.len().saturating_sub(MOST_STEPS);
    if let Some(states) = steps.states.as_ref().filter(|_| first == 0) {
        for (column, name) in states.names.iter().enumerate() {
            let pair = [name, &(states.state)(0, column).0].map(|text| played.string(text));
            played.initial.push(pair);
        }
    }
    for row in &steps.rows[first..] {
        played.row(row, &steps.columns, sources);
    }
    played.repeats_from = steps.repeats_from.and_then(|at| at.checked_sub(first));
    section(&played, steps.rows.len())
}

/// The player of a run by the values of variables.
pub(super) fn of_states(run: &States) -> Markup {
    let mut played = Played::default();
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let all = points(run.system, run.trace);
    let (length, first) = (all.len(), all.len().saturating_sub(MOST_STEPS));
    for (at, point) in all.into_iter().enumerate() {
        let what = format!("state {}", point.number);
        let mut step = vec![point.number];
        for text in ["", &what, ""] {
            step.push(played.string(text));
        }
        Played::place(&mut step, None, None);
        for named in point.inputs.into_iter().chain(point.changed) {
            let before = values.insert(named.name.clone(), named.value.clone());
            let change = Change {
                from: before.unwrap_or_default(),
                name: named.name,
                to: named.value,
            };
            if at >= first {
                played.change(&mut step, &change);
            }
        }
        if at >= first {
            played.steps.push(step);
        }
    }
    // The last state is the one that the loop leads back to.
    let back = run.trace.loops_to.map(|to| to + 1);
    played.repeats_from = back
        .filter(|to| *to < length)
        .and_then(|to| to.checked_sub(first));
    section(&played, length)
}

fn section(played: &Played, length: usize) -> Markup {
    if played.steps.len() < 2 {
        return html! {};
    }
    let left_out = (length - played.steps.len()) as u64;
    html! {
        section class="stepper" hidden aria-label="Step through the run" {
            div class="controls" {
                div class="buttons" role="group" aria-label="Steps" {
                    button type="button" data-go="first" title="First step (Home)" aria-label="First step" { "|◀" }
                    button type="button" data-go="back" title="One step back (←)" aria-label="One step back" { "◀" }
                    button type="button" data-go="play" title="Play (space)" aria-label="Play" { "Play" }
                    button type="button" data-go="next" title="Next step (→)" aria-label="Next step" { "▶" }
                    button type="button" data-go="last" title="Last step (End)" aria-label="Last step" { "▶|" }
                }
                input type="range" min="0" max=(played.steps.len()) value="0" aria-label="Step";
                form class="find" role="search" {
                    input type="search" placeholder="Find in the steps" aria-label="Find in the steps";
                    button type="submit" { "Next match" }
                }
            }
            p class="now" aria-live="polite" {}
            @if left_out > 0 { p class="aside" { "Without the first " (count(left_out, "step")) "." } }
            div class="panes" {
                div class="list" tabindex="0" role="listbox" aria-label="Steps" { div class="all" {} }
                div class="source" tabindex="0" role="region" aria-label="Source" hidden {}
                div class="values" tabindex="0" role="region" aria-label="Values" {}
            }
            script type="application/json" { (data(played)) }
        }
    }
}

/// The texts of the models, for all players of the page.
pub(super) fn texts(sources: Option<&Sources>) -> Markup {
    #[derive(Serialize)]
    struct Text {
        name: String,
        lines: Vec<String>,
    }
    let files = (0..=u16::MAX).map_while(|number| sources?.file(FileId(number)));
    let text = |file: &suppose_source::SourceFile| Text {
        name: shown(file.name()).into_owned(),
        lines: match file.text().len() <= LONGEST_TEXT {
            true => file.text().lines().map(visible).collect(),
            false => Vec::new(),
        },
    };
    let texts: Vec<Text> = files.map(text).collect();
    html! {
        @if !texts.is_empty() {
            script type="application/json" id="texts" { (data(&texts)) }
        }
    }
}

/// A line with its indentation.
fn visible(line: &str) -> String {
    shown(&line.replace('\t', "    ")).into_owned()
}

/// JSON inside an element: nothing in it can end the element.
fn data(value: &impl Serialize) -> PreEscaped<String> {
    let text = serde_json::to_string(value).unwrap_or_default();
    PreEscaped(text.replace('<', "\\u003c"))
}
