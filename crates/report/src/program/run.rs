//! A run in the program's own lines.

use suppose_model::program::run::{Cycle, Trace, TraceStep};
use suppose_model::program::semantics::State;
use suppose_model::program::{
    Action, Edge, Keep, Location, Program, Question, Slot, StepResult, Violation,
};
use suppose_source::{Sources, Span};

use super::messages::{Message, Tracker, handed};
use super::names;
use crate::block::Change;
use crate::words::{grouped, place, place_text};

/// A run as rows. Steps that do not replay end it early: what is shown is a run of the program.
pub(super) struct Run {
    /// One for each statement.
    pub rows: Vec<Row>,
    /// How many steps.
    pub steps: usize,
    /// What is wrong at the end; further lines say more.
    pub ending: Vec<String>,
    /// The processes that take part, by number, with their names.
    pub actors: Vec<(usize, String)>,
    /// How many steps come before the part that repeats, if one does, and whether only fair runs were asked about.
    pub cycle: Option<(usize, bool)>,
}

/// One statement.
pub(super) struct Row {
    /// The step it belongs to, from 1.
    pub step: usize,
    /// Is it the first of its step?
    pub first: bool,
    /// The process's number.
    pub process: usize,
    /// The process's name.
    pub name: String,
    /// File and line.
    pub place: Option<(String, usize)>,
    /// The same in the text.
    pub span: Span,
    /// As written.
    pub statement: String,
    /// `atomic` or `d_step`: the process goes on alone after it.
    pub keeps: &'static str,
    /// What is different after it.
    pub changes: Vec<Change>,
    /// What it sends or takes.
    pub message: Option<Message>,
}

impl Run {
    /// Follows a trace.
    pub fn new(program: &Program, sources: &Sources, trace: &Trace) -> Run {
        let mut run = Run {
            rows: Vec::new(),
            steps: trace.steps.len(),
            ending: Vec::new(),
            actors: Vec::new(),
            cycle: trace.cycle.map(|c| (c.step, c.fair)),
        };
        let Ok(mut state) = State::at_start(program, trace.question) else {
            run.ending = vec![format!(
                "an error occurs at the start of the program: {}",
                trace.violation.words()
            )];
            return run;
        };
        let mut tracker = Tracker::default();
        for (number, step) in trace.steps.iter().enumerate() {
            let Some(found) = state.move_like(program, step) else {
                break;
            };
            let next = match found.outcome {
                StepResult::State(next) => Some(next),
                StepResult::Wrong(_) | StepResult::Unfinished => None,
            };
            run.step(
                program,
                sources,
                number + 1,
                step,
                &state,
                next.as_ref(),
                &mut tracker,
            );
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
        run.ending = ending(program, sources, trace, &run, &state);
        run.actors.sort();
        run.actors.dedup_by_key(|(number, _)| *number);
        run
    }

    #[allow(clippy::too_many_arguments)]
    fn step(
        &mut self,
        program: &Program,
        sources: &Sources,
        number: usize,
        step: &TraceStep,
        before: &State,
        after: Option<&State>,
        tracker: &mut Tracker,
    ) {
        let begin = self.rows.len();
        let edges = path(program, before, step.process, &step.edges);
        for (at, edge) in edges.iter().enumerate() {
            let keeps = target(program, before, step.process, edge);
            self.row(
                program,
                sources,
                before,
                number,
                at == 0,
                step.process,
                edge,
                keeps,
            );
        }
        if let Some((receiver, edge)) = step.partner
            && let Some(taken) =
                location(program, before, receiver).and_then(|l| l.edges.get(edge as usize))
        {
            let keeps = target(program, before, receiver, taken);
            self.row(
                program, sources, before, number, false, receiver, taken, keeps,
            );
            let all: Vec<u32> = [edge]
                .into_iter()
                .chain(step.rest.iter().copied())
                .collect();
            for edge in path(program, before, receiver, &all).into_iter().skip(1) {
                let keeps = target(program, before, receiver, edge);
                self.row(
                    program, sources, before, number, false, receiver, edge, keeps,
                );
            }
            if let (Some(edge), Some(row)) = (edges.last(), self.rows.get_mut(begin)) {
                let (from, to) = (step.process as usize, receiver as usize);
                row.message = handed(program, edge, before, from, to);
                row.keeps = "";
            }
        }
        if step.more > 0
            && let Some(row) = self.rows.last_mut()
        {
            let more = grouped(step.more);
            row.statement = format!("{} ... and {more} more of the d_step", row.statement);
        }
        let Some(after) = after else { return };
        match (edges.as_slice(), step.partner) {
            ([edge], None) => {
                let message = tracker.step(program, begin, edge, before, after);
                if let Some(row) = self.rows.get_mut(begin) {
                    row.message = message;
                }
            }
            _ => tracker.skip(before, after),
        }
        self.changes(program, begin, before, after);
    }

    #[allow(clippy::too_many_arguments)]
    fn row(
        &mut self,
        program: &Program,
        sources: &Sources,
        state: &State,
        step: usize,
        first: bool,
        process: u32,
        edge: &Edge,
        keeps: &'static str,
    ) {
        let process = process as usize;
        let name = names::process(program, state, process);
        if !self.actors.iter().any(|(n, _)| *n == process) {
            self.actors.push((process, name.clone()));
        }
        self.rows.push(Row {
            step,
            first,
            process,
            name,
            place: place(sources, edge.span),
            span: edge.span,
            statement: match edge.text.is_empty() {
                true => "-end-".to_owned(),
                false => edge.text.clone(),
            },
            keeps,
            changes: Vec::new(),
            message: None,
        });
    }

    /// Puts what changed into the row of the process it belongs to, or into the last.
    fn changes(&mut self, program: &Program, begin: usize, before: &State, after: &State) {
        let rows = &mut self.rows[begin..];
        let Some(last) = rows.len().checked_sub(1) else {
            return;
        };
        let slots = |slots: &[Slot], old: &[i32], new: &[i32], prefix: &str| {
            let mut changes = Vec::new();
            for ((slot, old), new) in slots.iter().zip(old).zip(new) {
                if old != new && !slot.hidden {
                    changes.push(Change {
                        name: format!("{prefix}{}", slot.name),
                        from: names::value(program, before, slot.ty, *old),
                        to: names::value(program, after, slot.ty, *new),
                    });
                }
            }
            changes
        };
        let shared = slots(&program.globals, &before.globals, &after.globals, "");
        rows[last].changes.extend(shared);
        let common = before.processes.len().min(after.processes.len());
        for number in 0..common {
            let (old, new) = (&before.processes[number], &after.processes[number]);
            let Some(text) = program.proctypes.get(old.proctype as usize) else {
                continue;
            };
            let row = rows.iter().rposition(|r| r.process == number);
            let prefix = match row {
                Some(_) => String::new(),
                None => format!("{}:", names::process(program, before, number)),
            };
            let own = slots(&text.locals, &old.locals, &new.locals, &prefix);
            rows[row.unwrap_or(last)].changes.extend(own);
        }
        for number in 0..before.channels.len().min(after.channels.len()) {
            if before.channels[number].messages != after.channels[number].messages {
                rows[last].changes.push(Change {
                    name: names::channel(program, after, number),
                    from: names::contents(program, before, number),
                    to: names::contents(program, after, number),
                });
            }
        }
        for number in common..after.processes.len() {
            rows[last].changes.push(Change {
                name: names::process(program, after, number),
                from: "absent".to_owned(),
                to: "started".to_owned(),
            });
        }
    }
}

fn location<'a>(program: &'a Program, state: &State, process: u32) -> Option<&'a Location> {
    let process = state.processes.get(process as usize)?;
    let text = program.proctypes.get(process.proctype as usize)?;
    text.locations.get(process.location as usize)
}

/// The edges that a process takes in a step.
fn path<'a>(program: &'a Program, state: &State, process: u32, all: &[u32]) -> Vec<&'a Edge> {
    let process = state.processes.get(process as usize);
    process.map_or_else(Vec::new, |p| program.edges(p, all))
}

/// What the place after an edge keeps.
fn target(program: &Program, state: &State, process: u32, edge: &Edge) -> &'static str {
    let process = state.processes.get(process as usize);
    let text = process.and_then(|p| program.proctypes.get(p.proctype as usize));
    let to = text.and_then(|t| t.locations.get(edge.target as usize));
    match to.map_or(Keep::Nothing, |l| l.keep) {
        Keep::Nothing => "",
        Keep::Atomic => "atomic",
        Keep::DStep => "d_step",
    }
}

/// What is wrong, and then more about it.
fn ending(
    program: &Program,
    sources: &Sources,
    trace: &Trace,
    run: &Run,
    state: &State,
) -> Vec<String> {
    let steps = trace.steps.len();
    let after = match steps {
        0 => "at the start".to_owned(),
        n => format!("after step {}", grouped(n as u64)),
    };
    if let Some(cycle) = trace.cycle {
        return repeats(program, sources, trace, cycle);
    }
    match (trace.violation, trace.question) {
        (Violation::EndState | Violation::EventsMissing, _) => {
            let mut lines = vec![format!("{after} {}", trace.violation.words())];
            lines.extend(waiting(program, sources, state));
            lines
        }
        (Violation::Claim, Question::Claim(number)) => {
            let claim = program.claims.get(number);
            let name = claim.map_or("", |c| c.name.as_str());
            let place = place_text(&claim.and_then(|c| place(sources, c.span)));
            let text = claim.map_or("", |c| c.text.as_str()).trim();
            let mut lines = vec![format!("{after} the claim {name} is violated ({place})")];
            let formula = text.lines().count() == 1 && !text.is_empty();
            lines.extend(formula.then(|| format!("it says: {text}")));
            lines
        }
        (violation, Question::Claim(number)) if !violation.is_event() => {
            let claim = program.claims.get(number);
            let name = claim.map_or("", |c| c.name.as_str());
            let place = place_text(&claim.and_then(|c| place(sources, c.span)));
            let words = violation.words();
            vec![format!(
                "{after} the claim {name} cannot be evaluated ({place}): {words}"
            )]
        }
        (violation, _) if trace.steps.last().is_some_and(|s| s.edges.is_empty()) => {
            let words = violation.words();
            let process = trace.steps.last().map_or(0, |s| s.process as usize);
            let who = names::process(program, state, process);
            vec![format!(
                "step {}: the `provided` of {who} cannot be evaluated: {words}",
                grouped(steps as u64)
            )]
        }
        (violation, _) => {
            let words = violation.words();
            vec![match run.rows.last() {
                Some(row) => format!(
                    "step {}, {} at {}: {words}",
                    grouped(steps as u64),
                    row.name,
                    place_text(&row.place)
                ),
                None => words.to_owned(),
            }]
        }
    }
}

/// What repeats for ever, and why that is wrong.
fn repeats(program: &Program, sources: &Sources, trace: &Trace, cycle: Cycle) -> Vec<String> {
    let steps = trace.steps.len();
    let stops = cycle.step == steps;
    let (first, last) = (grouped(cycle.step as u64 + 1), grouped(steps as u64));
    let what = match (stops, steps) {
        (true, 0) => "the processes stop at the start".to_owned(),
        (true, _) => format!("after step {last} the processes stop"),
        (false, _) if first == last => format!("step {first} repeats for ever"),
        (false, _) => format!("steps {first} to {last} repeat for ever"),
    };
    let mut lines = Vec::new();
    match trace.question {
        Question::Claim(number) => {
            let claim = program.claims.get(number);
            let name = claim.map_or("", |c| c.name.as_str());
            let place = place_text(&claim.and_then(|c| place(sources, c.span)));
            lines.push(format!("{what}, which violates the claim {name} ({place})"));
            let text = claim.map_or("", |c| c.text.as_str()).trim();
            let formula = text.lines().count() == 1 && !text.is_empty();
            lines.extend(formula.then(|| format!("it says: {text}")));
        }
        Question::Acceptance if stops => {
            lines.push(format!("{what}, and one of them is at an accept label"));
        }
        Question::Acceptance => lines.push(format!("{what}, and pass an accept label")),
        _ => lines.push(format!("{what}, and no process is at a progress label")),
    }
    if cycle.fair {
        let why = "the run is weakly fair: what can always take a step takes one some time";
        lines.push(why.to_owned());
    }
    lines
}

/// Where the processes are that may not rest.
fn waiting(program: &Program, sources: &Sources, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for number in 0..state.processes.len() {
        let Some(here) = location(program, state, number as u32) else {
            continue;
        };
        if here.end || here.edges.iter().any(|e| e.action == Action::End) {
            continue;
        }
        let texts: Vec<&str> = here.edges.iter().take(4).map(|e| e.text.as_str()).collect();
        let span = here.span.or(here.edges.first().map(|e| e.span));
        let place = place_text(&span.and_then(|s| place(sources, s)));
        let who = names::process(program, state, number);
        let more = if here.edges.len() > 4 {
            " or others"
        } else {
            ""
        };
        lines.push(format!(
            "{who} waits at {place}: {}{more}",
            texts.join(" or ")
        ));
    }
    lines
}
