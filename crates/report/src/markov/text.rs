//! The report on a probabilistic system for a terminal.

use std::fmt::Write;

use suppose_model::mdp::{Counterexample, Lpts};

use super::tree::{Line, What, depth, lines, reasons};
use super::{
    MarkovChecked, MarkovReport, MarkovVerdict, about, assumptions_of, evidence_kind, heading,
    lpts, tree_of,
};
use crate::text::{BOLD, Page, RED, assumption_name, explored, groups, reason_text, rounds};
use crate::words::{self, count, shown};

/// An assumption with more rows is not written out, nor a tree with more lines.
const WRITTEN_ROWS: usize = 30;
const WRITTEN_LINES: usize = 60;
const WRITTEN_ASSUMPTIONS: usize = 6;
const WRITTEN_REASONS: usize = 12;
const SEE_IT: &str = "to see it: --full, --report out.html, or suppose assume --output a.svg";

pub(super) fn text(report: &MarkovReport, colour: bool, full: bool) -> String {
    let checked = |page: &mut Page| {
        for checked in &report.checked {
            claim(page, report, checked, full);
        }
    };
    Page::of(&report.base, colour, |page| header(page, report), checked)
}

fn header(page: &mut Page, report: &MarkovReport) {
    let system = report.system;
    let name = match system.name.is_empty() {
        true => "system".to_owned(),
        false => format!("system {}", shown(&system.name)),
    };
    let name = page.paint(&name, BOLD);
    let parts = count(system.components.len() as u64, "component");
    let mut line = format!("{name}: {parts}");
    if let Some(sizes) = &report.sizes {
        let _ = write!(line, ", {}", sizes_text(sizes));
    }
    page.line(&line);
    for component in &system.components {
        let mut line = format!(
            "  {}: {}",
            shown(component.lpts.name()),
            lpts::sizes(&component.lpts)
        );
        if component.members.len() > 1 {
            let members: Vec<_> = component.members.iter().map(|m| shown(m)).collect();
            let _ = write!(line, " ({} together)", members.join(", "));
        }
        page.line(&line);
    }
    if let Some(specification) = report.specification {
        let name = shown(specification.name());
        page.line(&format!(
            "  specification {name}: {}",
            lpts::sizes(specification)
        ));
    }
}

/// `34 states, 60 choices, 72 transitions, no deadlock`
pub(super) fn sizes_text(sizes: &super::MarkovSizes) -> String {
    let deadlocks = match sizes.deadlocks {
        0 => "no deadlock".to_owned(),
        n => count(n, "deadlock"),
    };
    format!(
        "{}, {}, {}, {deadlocks}",
        count(sizes.states, "state"),
        count(sizes.choices, "choice"),
        count(sizes.transitions, "transition")
    )
}

fn claim(page: &mut Page, report: &MarkovReport, checked: &MarkovChecked, full: bool) {
    let answer = checked.answer;
    page.heading(&heading(&answer.claim), &report.standing(checked));
    if let MarkovVerdict::Unknown(reason) = &answer.verdict {
        page.field("reason", &reason_text(reason));
    }
    if let Some(value) = &answer.value {
        page.field(value.name(), &value.text());
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
    page.field("explored", &explored(&answer.run));
    if let Some(rounds) = rounds(&answer.run) {
        page.field("refinement", &rounds);
    }
    page.field("time", &words::duration(answer.run.elapsed));
    let (assumptions, groups) = assumptions_of(&answer.verdict);
    written(page, report, assumptions, groups, full);
    if let Some(tree) = tree_of(&answer.verdict) {
        counterexample(page, report, &answer.verdict, tree, full);
    }
    if let Some(kind) = evidence_kind(&answer.verdict) {
        page.evidence(kind, &checked.evidence, checked.certificate_file.as_deref());
    }
}

fn written(
    page: &mut Page,
    report: &MarkovReport,
    assumptions: &[Lpts],
    groups: &[Vec<usize>],
    full: bool,
) {
    let many = assumptions.len() > 1;
    let most = if full {
        usize::MAX
    } else {
        WRITTEN_ASSUMPTIONS
    };
    let mut trivial = Vec::new();
    let mut shown_so_far = 0;
    for (number, assumption) in assumptions.iter().enumerate() {
        let name = assumption_name(number, many);
        if lpts::allows_all(assumption) {
            trivial.push(name);
            continue;
        }
        shown_so_far += 1;
        if shown_so_far > most {
            continue;
        }
        let about = about(report, groups, number);
        let mut text = format!("{name}: {}, about {about}", lpts::sizes(assumption));
        let rows = lpts::rows(assumption, &report.system.labels);
        if rows.len() > WRITTEN_ROWS && !full {
            let _ = write!(text, "\n{SEE_IT}");
        } else {
            let blocked = lpts::blocked(assumption, &report.system.labels);
            for row in rows.iter().chain(&blocked) {
                let _ = write!(text, "\n{row}");
            }
        }
        page.field("assumption", &text);
    }
    if shown_so_far > most {
        let more = count((shown_so_far - most) as u64, "more assumption");
        page.field("", &format!("and {more}: {SEE_IT}"));
    }
    if !trivial.is_empty() {
        let names = trivial.join(", ");
        page.field(
            "assumption",
            &format!("{names}: nothing, any behaviour will do"),
        );
    }
}

fn counterexample(
    page: &mut Page,
    report: &MarkovReport,
    verdict: &MarkovVerdict,
    found: &Counterexample,
    full: bool,
) {
    let nodes = count(found.tree.states() as u64, "node");
    let deep = count(depth(&found.tree) as u64, "step");
    let mut text = format!("a tree of {nodes}, {deep} deep");
    let most = if full { usize::MAX } else { WRITTEN_LINES + 1 };
    let all = lines(report, found, most);
    let cut = all.len() > WRITTEN_LINES && !full;
    for line in all.iter().take(if cut { WRITTEN_LINES } else { all.len() }) {
        let _ = write!(text, "\n{}", line_text(line));
    }
    if cut {
        text.push_str("\n…  (--full, --report and --format json show the rest)");
    }
    let ending = ending(report, verdict, found, full);
    for line in ending {
        let _ = write!(text, "\n{}", page.paint(&line, RED));
    }
    page.field("counterexample", &text);
}

/// What is wrong with the tree, in a few lines.
fn ending(
    report: &MarkovReport,
    verdict: &MarkovVerdict,
    found: &Counterexample,
    full: bool,
) -> Vec<String> {
    match verdict {
        MarkovVerdict::Differs { refusals, .. } => {
            let mut all = reasons(report, found, refusals);
            if all.is_empty() {
                return vec!["the specification cannot follow".to_owned()];
            }
            let most = if full { usize::MAX } else { WRITTEN_REASONS };
            if all.len() > most {
                let more = count((all.len() - most) as u64, "more reason");
                all.truncate(most);
                all.push(format!("and {more}: --full shows them"));
            }
            all
        }
        MarkovVerdict::Deadlock(_) => {
            let last = found.tree.states().saturating_sub(1);
            vec![format!("in node {last} nothing can be done")]
        }
        _ => vec!["the property is false of this behaviour".to_owned()],
    }
}

fn line_text(line: &Line) -> String {
    let indent = "   ".repeat(line.depth.min(40));
    match &line.what {
        What::Action(action) => format!("{}-{action}->", &indent[..indent.len() - 1]),
        What::Node {
            node,
            probability,
            states,
            again,
        } => {
            let p = probability
                .as_ref()
                .map_or(String::new(), |p| format!("{p}: "));
            let again = if *again { " (see above)" } else { "" };
            format!("{indent}{p}node {node}  {states}{again}")
        }
    }
}
