//! The report on a program for a terminal.

use std::fmt::Write;

use suppose_model::program::{Question, Trace};

use super::run::{Change, Row, Run};
use super::{ProgramChecked, ProgramReport, ProgramVerdict, chart, meaning};
use crate::Evidence;
use crate::text::{Page, RED, explored, groups, reason_text, rounds};
use crate::words::{self, count, place_text, shown};

/// A run with more rows is cut in the middle.
const WRITTEN_ROWS: usize = 60;
/// How many rows are kept at the start and at the end of one that is cut.
const KEPT: (usize, usize) = (20, 25);
/// A longer statement is cut.
const STATEMENT: usize = 48;
/// More changes than this in a row are only counted.
const CHANGES: usize = 6;

pub(super) fn text(report: &ProgramReport, colour: bool, full: bool) -> String {
    let checked = |page: &mut Page| {
        page.full = full;
        for checked in &report.checked {
            question(page, report, checked, full);
        }
    };
    Page::of(&report.base, colour, |page| header(page, report), checked)
}

fn header(page: &mut Page, report: &ProgramReport) {
    let program = report.program;
    let name = page.paint(
        &format!("program {}", shown(&program.name)),
        crate::text::BOLD,
    );
    let started = match program.start.len() {
        1 => "1 process".to_owned(),
        many => format!("{many} processes"),
    };
    let mut line = format!("{name}: {started} at the start");
    let parts = report.base.network.processes().len() as u64;
    if parts > 0 {
        let _ = write!(line, "; taken apart: {}", count(parts, "component"));
    }
    page.line(&line);
}

fn question(page: &mut Page, report: &ProgramReport, checked: &ProgramChecked, full: bool) {
    let answer = checked.answer;
    page.heading(report.name(answer.question), &report.standing(checked));
    if let Question::Claim(_) = answer.question {
        let text = meaning(report.program, answer.question);
        if text.lines().count() == 1 {
            page.field("claim", &shown(&text));
        }
    }
    if let ProgramVerdict::Unknown(reason) = &answer.verdict {
        page.field("reason", &reason_text(reason));
    }
    let engine = shown(&answer.engine);
    match checked.why_engine.is_empty() {
        true => page.field("engine", &engine),
        false => page.field(
            "engine",
            &format!("{engine}, {}", shown(&checked.why_engine)),
        ),
    }
    if answer.run.groups.len() > 1 {
        page.field("split", &groups(&report.base, &answer.run.groups));
    }
    if !matches!(answer.verdict, ProgramVerdict::Evident) {
        page.field("explored", &explored(&answer.run));
    }
    if let Some(search) = &answer.search {
        let memory = words::bytes(search.memory);
        let depth = words::grouped(search.depth);
        let how = shown(&search.how);
        page.field(
            "search",
            &format!("{how}; depth {depth}, {memory} for states"),
        );
    }
    if let Some(rounds) = rounds(&answer.run) {
        page.field("refinement", &rounds);
    }
    page.field("time", &words::duration(answer.run.elapsed));
    let name = match &answer.verdict {
        ProgramVerdict::Unknown(_) => return page.so_far(&report.base, &answer.run),
        ProgramVerdict::Exhausted => return exhausted(page, checked),
        ProgramVerdict::Evident => "statements",
        ProgramVerdict::Proved(certificate) => {
            page.certificate(&report.base, certificate);
            "certificate"
        }
        ProgramVerdict::Violated(trace) => {
            counterexample(page, report, trace, full);
            "replay"
        }
    };
    page.evidence(name, &checked.evidence, checked.certificate_file.as_deref());
}

/// The evidence of a search is that it looked everywhere; it can be repeated.
fn exhausted(page: &mut Page, checked: &ProgramChecked) {
    let looked = "all states were looked at";
    match &checked.evidence {
        Evidence::Accepted => {
            let again = "and again one by one, without reductions: accepted";
            page.field("evidence", &format!("{looked}, {again}"));
        }
        Evidence::NotChecked(why) => {
            page.field("evidence", &format!("{looked}; {}", shown(why)));
        }
        rejected => page.evidence("evidence", rejected, None),
    }
}

fn counterexample(page: &mut Page, report: &ProgramReport, trace: &Trace, full: bool) {
    let run = Run::new(report.program, report.sources, trace);
    let mut lines = count(run.steps as u64, "step");
    lines.push_str(&table(&run, full));
    for (at, line) in run.ending.iter().enumerate() {
        let line = shown(line);
        let _ = match at {
            0 => write!(lines, "\n{}", page.paint(&line, RED)),
            _ => write!(lines, "\n{line}"),
        };
    }
    page.field("counterexample", &lines);
    if let Some(chart) = chart::text(&run, full) {
        page.field("messages", &chart);
    }
}

fn table(run: &Run, full: bool) -> String {
    let rows = run.rows.len();
    let cut = match rows > WRITTEN_ROWS && !full {
        true => KEPT.0..rows - KEPT.1,
        false => rows..rows,
    };
    let written: Vec<usize> = (0..rows).filter(|r| !cut.contains(r)).collect();
    let width = |of: &dyn Fn(&Row) -> usize| {
        let widths = written.iter().map(|r| of(&run.rows[*r]));
        widths.max().unwrap_or(0)
    };
    let digits = run.steps.to_string().len();
    let name = width(&|r| shown(&r.name).chars().count()).min(24);
    let place = width(&|r| place_text(&r.place).chars().count()).min(32);
    let wide = width(&|r| statement(r).chars().count());
    let mut lines = String::new();
    for at in 0..rows {
        let row = &run.rows[at];
        if at == cut.start && !cut.is_empty() {
            let left_out = count(cut.len() as u64, "more row");
            let see = "--full, --report and --format json show them";
            let _ = write!(lines, "\n{:>digits$}  ({left_out}: {see})", "…");
        }
        if cut.contains(&at) {
            continue;
        }
        let number = match row.first {
            true => row.step.to_string(),
            false => String::new(),
        };
        let who = shown(&row.name);
        let (line, what) = (place_text(&row.place), statement(row));
        let line = shown(&line).into_owned();
        let line = format!(
            "{number:>digits$}  {who:<name$}  {line:<place$}  {what:<wide$}  {}",
            changes(&row.changes)
        );
        let _ = write!(lines, "\n{}", line.trim_end());
    }
    lines
}

fn statement(row: &Row) -> String {
    let text = shown(&row.statement);
    match text.chars().count() > STATEMENT {
        true => text.chars().take(STATEMENT - 1).chain(['…']).collect(),
        false => text.into_owned(),
    }
}

fn changes(changes: &[Change]) -> String {
    let shown_ones = changes.iter().take(CHANGES);
    let mut texts: Vec<String> = shown_ones
        .map(|c| format!("{}: {} -> {}", shown(&c.name), shown(&c.from), shown(&c.to)))
        .collect();
    if changes.len() > CHANGES {
        texts.push(format!("and {} more", changes.len() - CHANGES));
    }
    texts.join(", ")
}
