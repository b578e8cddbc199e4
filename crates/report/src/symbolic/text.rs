//! The report on a finite-domain system for a terminal.

use std::fmt::Write;

use suppose_model::fsm::{Cluster, Proof, Shows, System, Trace};

use super::classes::{MOST_CLASSES, Told, left_out, told};
use super::run::{Frame, Named, frames};
use super::{
    SymbolicChecked, SymbolicClaim, SymbolicReport, SymbolicVerdict, asked, effort_text, ending,
    evidence_kind, proof_text, refinement_text, sizes, steps_text,
};
use crate::Evidence;
use crate::text::{BOLD, Page, RED, reason_text, rounds};
use crate::words::{self, count, shown};

/// A run with more states is cut in the middle.
const WRITTEN_STATES: usize = 60;
/// How many states are kept at the start and at the end of one that is cut.
const KEPT: (usize, usize) = (20, 25);
/// More values of one state are only counted.
const WRITTEN_VALUES: usize = 60;
/// More clusters of an abstraction are only counted.
const WRITTEN_CLUSTERS: usize = 12;
/// Columns after which a list of values goes on in a new line.
const COLUMNS: usize = 84;

pub(super) fn text(report: &SymbolicReport, colour: bool, full: bool) -> String {
    let checked = |page: &mut Page| {
        if let Some((trace, part)) = report.stuck {
            stuck(page, part, trace, full);
        }
        for checked in &report.checked {
            claim(page, report, checked, full);
        }
    };
    Page::of(&report.base, colour, |page| header(page, report), checked)
}

fn header(page: &mut Page, report: &SymbolicReport) {
    let system = report.system;
    let name = match system.name.is_empty() {
        true => "system".to_owned(),
        false => format!("system {}", shown(&system.name)),
    };
    let name = page.paint(&name, BOLD);
    let properties = match system.properties.len() {
        1 => "1 property".to_owned(),
        many => format!("{} properties", words::grouped(many as u64)),
    };
    page.line(&format!("{name}: {}, {properties}", sizes(system)));
}

/// The run to a deadlock that nothing was asked about.
fn stuck(page: &mut Page, system: &System, trace: &Trace, full: bool) {
    let mut lines = count(trace.states.len() as u64, "state");
    lines.push_str(&table(&frames(system, trace), full));
    let _ = write!(lines, "\nno step leads on from here");
    page.field("gets stuck", &lines);
}

fn claim(page: &mut Page, report: &SymbolicReport, checked: &SymbolicChecked, full: bool) {
    let answer = checked.answer;
    let name = words::heading(&answer.claim.name(report.system));
    page.heading(&name, &report.standing(checked));
    if answer.claim != SymbolicClaim::Deadlock {
        page.field("property", &shown(&asked(report.system, answer.claim)));
    }
    match &answer.verdict {
        SymbolicVerdict::Unknown(reason) => page.field("reason", &reason_text(reason)),
        SymbolicVerdict::Steps(steps) => page.field("result", &steps_text(*steps)),
        _ => {}
    }
    let engine = shown(&answer.engine);
    match checked.why_engine.is_empty() {
        true => page.field("engine", &engine),
        false => page.field(
            "engine",
            &format!("{engine}, {}", shown(&checked.why_engine)),
        ),
    }
    let apart = report.left_out(answer) as u64;
    if apart > 0 {
        let apart = count(apart, "variable");
        page.field(
            "left out",
            &format!("{apart} that the property does not depend on"),
        );
    }
    if answer.effort.relation_nodes > 0 {
        page.field("BDDs", &effort_text(&answer.effort));
    }
    if let Some(text) = refinement_text(&answer.effort).or_else(|| rounds(&answer.run)) {
        page.field("refinement", &text);
    }
    page.field("time", &words::duration(answer.run.elapsed));
    match &answer.verdict {
        SymbolicVerdict::Fails(trace, shows) => {
            counterexample(page, &answer.about, answer.claim, trace, *shows, full);
        }
        SymbolicVerdict::Holds(Some(proof)) => proved(page, &answer.about, proof, full),
        _ => {}
    }
    evidence(page, checked);
}

fn evidence(page: &mut Page, checked: &SymbolicChecked) {
    let file = checked.certificate_file.as_deref();
    match (evidence_kind(&checked.answer.verdict), &checked.evidence) {
        (None, _) => {}
        (Some("recheck"), Evidence::Accepted) => {
            let again = "all reachable states were looked at again, one by one: accepted";
            page.field("evidence", again);
        }
        (Some("recheck"), Evidence::NotChecked(why)) => {
            page.field("evidence", &format!("no certificate; {}", shown(why)));
        }
        (Some("recheck"), rejected) => page.evidence("evidence", rejected, None),
        (Some(kind), judged) => page.evidence(kind, judged, file),
    }
}

fn counterexample(
    page: &mut Page,
    about: &System,
    claim: SymbolicClaim,
    trace: &Trace,
    shows: Shows,
    full: bool,
) {
    let mut lines = match trace.loops_to {
        None => count(trace.states.len() as u64, "state"),
        Some(to) => {
            let states = trace.states.len().saturating_sub(1);
            let states = count(states as u64, "state");
            format!("{states}, and for ever from state {}", to + 1)
        }
    };
    lines.push_str(&table(&frames(about, trace), full));
    let _ = write!(lines, "\n{}", page.paint(&ending(claim, trace, shows), RED));
    page.field("counterexample", &lines);
}

/// One line or more for each state: its number, and what changed; before it the inputs of the step.
fn table(frames: &[Frame], full: bool) -> String {
    let cut = match frames.len() > WRITTEN_STATES && !full {
        true => KEPT.0..frames.len() - KEPT.1,
        false => frames.len()..frames.len(),
    };
    let digits = frames.len().to_string().len().max(2);
    let mut lines = String::new();
    for (at, frame) in frames.iter().enumerate() {
        if at == cut.start && !cut.is_empty() {
            let left_out = count(cut.len() as u64, "more state");
            let see = "--full, --report and --format json show them";
            let _ = write!(lines, "\n{:<digits$}  ({left_out}: {see})", "…");
        }
        if frame.head && cut.contains(&at) {
            let _ = write!(lines, "\n-- the loop begins at state {}", frame.number);
        }
        if cut.contains(&at) {
            continue;
        }
        if !frame.inputs.is_empty() {
            let _ = write!(
                lines,
                "\n{:<digits$}  {}",
                "->",
                list(&frame.inputs, digits, full)
            );
        }
        if frame.head {
            lines.push_str("\n-- the loop begins here");
        }
        let body = match frame.changed.is_empty() {
            true if frame.number == 1 => "(whatever the variables are)".to_owned(),
            true => "(nothing changes)".to_owned(),
            false => list(&frame.changed, digits, full),
        };
        let _ = write!(lines, "\n{:<digits$}  {body}", frame.number);
        if let Some(again) = frame.again {
            let _ = write!(lines, "\n-- which is state {again} again");
        }
    }
    lines
}

/// `x = 1, y = idle`, in lines.
fn list(values: &[Named], digits: usize, full: bool) -> String {
    let most = if full { usize::MAX } else { WRITTEN_VALUES };
    let (mut text, mut used) = (String::new(), 0);
    for (at, value) in values.iter().take(most).enumerate() {
        let one = format!("{} = {}", shown(&value.name), shown(&value.value));
        let long = one.chars().count() + 2;
        if at > 0 {
            text.push(',');
            match used + long > COLUMNS {
                true => {
                    let _ = write!(text, "\n{:1$}", "", digits + 2);
                    used = 0;
                }
                false => text.push(' '),
            }
        }
        text.push_str(&one);
        used += long;
    }
    if values.len() > most {
        let _ = write!(text, ", and {} more", values.len() - most);
    }
    text
}

fn proved(page: &mut Page, about: &System, proof: &Proof, full: bool) {
    match proof {
        Proof::Abstraction(clusters) => abstraction(page, about, clusters, full),
        proof => {
            if let Some(text) = proof_text(proof) {
                page.field("proof", &text);
            }
        }
    }
}

/// What is told apart: that is the assumption under which the property was proved.
fn abstraction(page: &mut Page, about: &System, clusters: &[Cluster], full: bool) {
    let mut text = "all that is told apart of the values of the variables:".to_owned();
    if clusters.is_empty() {
        text = "no values of any variable need to be told apart".to_owned();
    }
    let most = if full { usize::MAX } else { WRITTEN_CLUSTERS };
    let (apart, merged): (Vec<Told>, Vec<Told>) =
        told(about, clusters).into_iter().partition(|t| t.all_apart);
    for told in merged.iter().take(most) {
        text.push_str(&cluster(told));
    }
    if merged.len() > most {
        let more = count((merged.len() - most) as u64, "more cluster");
        let _ = write!(text, "\nand {more}: --full shows them");
    }
    if !apart.is_empty() {
        let names = apart.iter().flat_map(|t| &t.vars);
        let names: Vec<String> = names.map(|n| shown(n).into_owned()).collect();
        let _ = write!(text, "\n{}", every(&names, full));
    }
    let apart = left_out(about, clusters) as u64;
    if apart > 0 && !clusters.is_empty() {
        let _ = write!(text, "\nand nothing of {}", count(apart, "other variable"));
    }
    page.field("assumption", &text);
}

/// `every value of a, b and c`, in lines.
fn every(names: &[String], full: bool) -> String {
    let most = if full { usize::MAX } else { WRITTEN_VALUES };
    let mut text = "every value of".to_owned();
    let mut used = text.len();
    for (at, name) in names.iter().take(most).enumerate() {
        let comma = if at == 0 { "" } else { "," };
        text.push_str(comma);
        used += name.chars().count() + 2;
        match used > COLUMNS {
            true => {
                text.push_str("\n  ");
                used = name.chars().count();
            }
            false => text.push(' '),
        }
        text.push_str(name);
    }
    if names.len() > most {
        let _ = write!(text, ", and {} more", names.len() - most);
    }
    text
}

fn cluster(told: &Told) -> String {
    let names: Vec<_> = told.vars.iter().map(|v| shown(v)).collect();
    let classes = match told.classes {
        1 => "1 class".to_owned(),
        many => format!("{many} classes"),
    };
    let mut text = format!("\n{}: {classes}", names.join(", "));
    if !told.conditions.is_empty() && told.conditions.len() <= MOST_CLASSES {
        for condition in &told.conditions {
            let _ = write!(text, "\n  {}", shown(condition));
        }
    }
    text
}
