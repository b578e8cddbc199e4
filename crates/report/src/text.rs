//! The report for a terminal.

use std::fmt::Write;

use suppose_model::{Assumption, Certificate, Counterexample, Guarantee, Reason, Run, Verdict};

use crate::process::process;
use crate::trace::{self, Trace};
use crate::words::{self, component_name, count, grouped, shown};
use crate::{Checked, Evidence, Report, Standing};

/// What is guaranteed of a requirement that is not final.
pub(crate) const NOT_FINAL: &str = "not final: the process guarantees it (checked), and the property holds with it exactly if it holds with the process;\nwhether it holds is not decided, and with more time the requirement may become smaller";
/// More assumptions than this are only counted.
const WRITTEN_ASSUMPTIONS: usize = 6;
/// How to see an assumption that is not written out.
const SEE_IT: &str = "to see it: --full, --report out.html, or suppose assume --output a.svg";
/// An assumption with more transitions is not written out.
const WRITTEN_EDGES: usize = 30;
/// A counterexample with more steps is cut in the middle.
const WRITTEN_STEPS: usize = 100;
/// How many steps are kept at the start and at the end of one that is cut.
const KEPT: (usize, usize) = (40, 20);

/// The report for people, without its last line (see [`crate::last_line`]). `colour` allows
/// terminal colours; no other control character than newline is ever in it.
pub fn text(report: &Report, colour: bool) -> String {
    text_of(report, colour, false)
}

/// The same; `full` leaves nothing out.
pub(crate) fn text_of(report: &Report, colour: bool, full: bool) -> String {
    let checked = |page: &mut Page| {
        page.full = full;
        for checked in &report.checked {
            page.claim(report, checked);
        }
    };
    Page::of(report, colour, |page| page.system(report), checked)
}

pub(crate) const GREEN: &str = "1;32";
pub(crate) const RED: &str = "1;31";
pub(crate) const YELLOW: &str = "1;33";
pub(crate) const BOLD: &str = "1";
pub(crate) const DIM: &str = "2";

pub(crate) struct Page {
    pub(crate) out: String,
    pub(crate) colour: bool,
    /// Nothing is left out.
    pub(crate) full: bool,
}

impl Page {
    /// A page of a report: its header, the warnings, what was checked, what no engine decided, the footer.
    pub(crate) fn of(
        report: &Report,
        colour: bool,
        header: impl FnOnce(&mut Page),
        checked: impl FnOnce(&mut Page),
    ) -> String {
        let mut page = Page {
            out: String::new(),
            colour,
            full: false,
        };
        header(&mut page);
        for warning in &report.warnings {
            let mark = page.paint("warning", YELLOW);
            page.line(&format!("{mark}: {}", shown(warning)));
        }
        checked(&mut page);
        for (name, reason) in &report.undecided {
            page.heading(name, &Standing::Unknown(reason.clone()));
            page.field("reason", &shown(reason));
        }
        page.footer(report);
        page.out
    }

    pub(crate) fn paint(&self, text: &str, code: &str) -> String {
        match self.colour {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A named line of a claim; further lines of the value are aligned below its first.
    pub(crate) fn field(&mut self, name: &str, value: &str) {
        let name = self.paint(&format!("{name:<15}"), DIM);
        let value = value.replace('\n', &format!("\n{:17}", ""));
        self.line(&format!("  {name}{value}"));
    }

    fn system(&mut self, report: &Report) {
        let network = report.network;
        let parts = network.processes().len() as u64;
        let name = if network.name.is_empty() {
            "system".to_owned()
        } else {
            format!("system {}", shown(&network.name))
        };
        let name = self.paint(&name, BOLD);
        let labels = count(network.labels.iter().count() as u64, "label");
        self.line(&format!("{name}: {}, {labels}", count(parts, "component")));
    }

    pub(crate) fn heading(&mut self, name: &str, standing: &Standing) {
        let code = match standing {
            Standing::Holds => GREEN,
            Standing::Violated(_) => RED,
            Standing::Unknown(_) => YELLOW,
        };
        let name = self.paint(&shown(name), BOLD);
        let verdict = self.paint(standing.word(), code);
        self.line(&format!("\n{name}: {verdict}"));
    }

    fn claim(&mut self, report: &Report, checked: &Checked) {
        let answer = checked.answer;
        let run = &answer.run;
        let name = words::heading(&report.claim_name(answer.claim));
        self.heading(&name, &report.standing(checked));
        if let Verdict::Unknown(reason) = &answer.verdict {
            self.field("reason", &reason_text(reason));
        }
        let engine = shown(&answer.engine);
        match checked.why_engine.is_empty() {
            true => self.field("engine", &engine),
            false => self.field(
                "engine",
                &format!("{engine}, {}", shown(&checked.why_engine)),
            ),
        }
        if run.groups.len() > 1 {
            self.field("split", &groups(report, &run.groups));
        }
        self.field("explored", &explored(run));
        if let Some(rounds) = rounds(run) {
            self.field("refinement", &rounds);
        }
        self.field("time", &words::duration(run.elapsed));
        match &answer.verdict {
            Verdict::Holds(certificate) => self.certificate(report, certificate),
            Verdict::Violated(found) => self.counterexample(report, found),
            Verdict::Unknown(_) => return self.so_far(report, run),
        }
        let name = match answer.verdict {
            Verdict::Violated(_) => "replay",
            _ => "certificate",
        };
        self.evidence(name, &checked.evidence, checked.certificate_file.as_deref());
    }

    /// What an engine without a verdict hands over.
    pub(crate) fn so_far(&mut self, report: &Report, run: &Run) {
        let Some(so_far) = &run.so_far else { return };
        let about = groups(report, std::slice::from_ref(&so_far.premise.components));
        let text = assumption_text(report, &so_far.assumption, "A", &Some(about), self.full);
        self.field("so far", &format!("{text}\n{NOT_FINAL}"));
    }

    pub(crate) fn certificate(&mut self, report: &Report, certificate: &Certificate) {
        let many = certificate.assumptions.len() > 1;
        let all = certificate.assumptions.iter().enumerate();
        let (trivial, telling): (Vec<_>, Vec<_>) = all.partition(|(_, a)| allows_all(&a.lts));
        let most = if self.full {
            usize::MAX
        } else {
            WRITTEN_ASSUMPTIONS
        };
        for (number, assumption) in telling.iter().take(most) {
            let name = assumption_name(*number, many);
            let about = about(report, certificate, *number);
            let text = assumption_text(report, assumption, &name, &about, self.full);
            self.field("assumption", &text);
        }
        let left = telling.len().saturating_sub(most);
        if left > 0 {
            let more = count(left as u64, "more assumption");
            self.field("", &format!("and {more}: {SEE_IT}"));
        }
        let names: Vec<String> = trivial
            .iter()
            .map(|(number, _)| assumption_name(*number, many))
            .collect();
        let names = match &names[..] {
            [] => return,
            [first, .., last] if names.len() > 4 => {
                format!("{} from {first} to {last}", names.len())
            }
            _ => names.join(", "),
        };
        self.field(
            "assumption",
            &format!("{names}: nothing, any behaviour will do"),
        );
    }

    fn counterexample(&mut self, report: &Report, found: &Counterexample) {
        let trace = Trace::new(report.network, found);
        let steps = trace.moves.len();
        let mut lines = count(steps as u64, "step");
        let digits = steps.to_string().len();
        let width = trace.moves.iter().map(|m| shown(&m.label).chars().count());
        let width = width.max().unwrap_or(0).min(32);
        let cut = match steps > WRITTEN_STEPS && !self.full {
            true => KEPT.0..steps - KEPT.1,
            false => steps..steps,
        };
        for (at, step) in trace.moves.iter().enumerate() {
            if at == cut.start && !cut.is_empty() {
                let left_out = count(cut.len() as u64, "more step");
                let _ = write!(
                    lines,
                    "\n{:digits$}  ({left_out}: --full, --report and --format json show them)",
                    "…"
                );
            }
            if cut.contains(&at) {
                continue;
            }
            let what = moved(report, step);
            let label = shown(&step.label);
            let line = format!("{:>digits$}  {label:<width$}  {what}", step.number);
            let _ = write!(lines, "\n{}", line.trim_end());
        }
        let ending = trace::ending(report.network, found.claim, steps);
        let _ = write!(lines, "\n{}", self.paint(&ending, RED));
        self.field("counterexample", &lines);
    }

    pub(crate) fn evidence(&mut self, name: &str, evidence: &Evidence, file: Option<&str>) {
        let mut status = match evidence {
            Evidence::Accepted => self.paint("accepted", GREEN),
            Evidence::NotChecked(why) => {
                format!("{}: {}", self.paint("not checked", YELLOW), shown(why))
            }
            Evidence::Rejected(why) => {
                let word = self.paint("rejected", RED);
                format!("{word}, which is a bug, please report it: {}", shown(why))
            }
        };
        if let Some(file) = file {
            let _ = write!(status, ", written to {}", shown(file));
        }
        self.field(name, &status);
    }

    pub(crate) fn footer(&mut self, report: &Report) {
        let mut line = format!("time {}", words::duration(report.elapsed));
        if let Some(memory) = report.peak_memory {
            let _ = write!(line, ", memory {}", words::bytes(memory));
        }
        let line = self.paint(&line, DIM);
        self.line(&format!("\n{line}"));
    }
}

/// The reason in a sentence.
pub(crate) fn reason_text(reason: &Reason) -> String {
    match reason {
        Reason::Timeout => "the time limit was reached".to_owned(),
        Reason::Memory => "the memory limit was reached".to_owned(),
        Reason::Interrupted => "interrupted".to_owned(),
        Reason::Iterations => "the limit on refinement rounds was reached".to_owned(),
        Reason::Unsupported(why) => shown(why).into_owned(),
        Reason::Rejected(why) => format!("the certificate was rejected: {}", shown(why)),
        Reason::Internal(why) => format!("internal error: {}", shown(why)),
    }
}

/// `A`, or `A1`, `A2` when there are several.
pub(crate) fn assumption_name(number: usize, many: bool) -> String {
    match many {
        true => format!("A{}", number + 1),
        false => "A".to_owned(),
    }
}

/// Which components an assumption speaks about, if the certificate says.
pub(crate) fn about(report: &Report, certificate: &Certificate, number: usize) -> Option<String> {
    let guaranteed = Guarantee::Assumption(number);
    let premise = certificate
        .premises
        .iter()
        .find(|p| p.guarantee == guaranteed)?;
    let many = certificate.assumptions.len() > 1;
    let components = premise.components.iter();
    let names = components.map(|c| shown(&component_name(report.network, *c)).into_owned());
    let under = premise.assumptions.iter();
    let under = under.map(|a| assumption_name(*a, many));
    let all: Vec<String> = names.chain(under).collect();
    Some(all.join(", "))
}

/// Does an assumption say nothing: one state, and every label of its alphabet a loop?
fn allows_all(lts: &suppose_model::lts::Lts) -> bool {
    lts.states() == 1 && lts.transitions() == lts.alphabet().len()
}

fn assumption_text(
    report: &Report,
    assumption: &Assumption,
    name: &str,
    about: &Option<String>,
    full: bool,
) -> String {
    let lts = &assumption.lts;
    let mut text = format!(
        "{name}: {}, {}",
        count(lts.states() as u64, "state"),
        count(lts.transitions() as u64, "transition")
    );
    if let Some(about) = about {
        let _ = write!(text, ", about {about}");
    }
    match full || lts.transitions() <= WRITTEN_EDGES {
        true => text = format!("{text}\n{}", process(name, lts, &report.network.labels)),
        false => {
            let _ = write!(text, "\n{SEE_IT}");
        }
    }
    text
}

/// `A, B | C`: the groups in the order of the rule.
pub(crate) fn groups(report: &Report, groups: &[Vec<usize>]) -> String {
    let group = |numbers: &Vec<usize>| {
        let names = numbers.iter().map(|c| component_name(report.network, *c));
        let names: Vec<String> = names.map(|n| shown(&n).into_owned()).collect();
        names.join(", ")
    };
    groups.iter().map(group).collect::<Vec<_>>().join(" | ")
}

/// How much was looked at.
pub(crate) fn explored(run: &Run) -> String {
    let sizes = format!(
        "{}, {}",
        count(run.states, "state"),
        count(run.transitions, "transition")
    );
    match run.largest > 0 && run.largest < run.states {
        true => format!("{sizes} (at most {} at once)", count(run.largest, "state")),
        false => sizes,
    }
}

pub(crate) fn rounds(run: &Run) -> Option<String> {
    let last = run.rounds.last()?;
    let mut text = count(run.rounds.len() as u64, "round");
    if last.assumption_states > 0 {
        let size = count(last.assumption_states, "state");
        let _ = write!(text, ", assumption of {size} in the last");
        if run.assumption_peak > last.assumption_states {
            let _ = write!(text, " (at most {})", grouped(run.assumption_peak));
        }
    }
    if run.queries > 0 {
        let _ = write!(text, ", {} queries", grouped(run.queries));
    }
    Some(text)
}

/// Who moved, and where to.
fn moved(report: &Report, step: &trace::Move) -> String {
    let name = |c: usize| shown(&component_name(report.network, c)).into_owned();
    let mut parts = Vec::new();
    for change in &step.changes {
        let (from, to) = (shown(&change.from), shown(&change.to));
        parts.push(format!("{}: {from} -> {to}", name(change.component)));
    }
    for component in &step.participants {
        if !step.changes.iter().any(|c| c.component == *component) {
            parts.push(name(*component));
        }
    }
    parts.join(", ")
}
