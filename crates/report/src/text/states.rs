//! Runs and abstractions of finite-domain systems in text.

use std::fmt::Write;

use suppose_model::fsm::{Cluster, System};

use super::table::{left_out, more};
use super::{Page, RED};
use crate::block::{Cut, ROWS, States};
use crate::fsm::classes::{Classes, classes, left_out as abstracted_away};
use crate::fsm::run::{Named, Point, points};
use crate::words::{count, shown};

/// More values of one state are only counted.
const MOST_VALUES: usize = 60;
/// More clusters of an abstraction are only counted.
const MOST_CLUSTERS: usize = 12;
/// Columns after which a list of values goes on in a new line.
const COLUMNS: usize = 84;

impl Page<'_> {
    pub(super) fn states(&mut self, run: &States) {
        let trace = run.trace;
        let mut lines = match trace.loops_to {
            None => count(trace.states.len() as u64, "state"),
            Some(to) => {
                let states = count(trace.states.len().saturating_sub(1) as u64, "state");
                format!("{states}, repeating from state {}", to + 1)
            }
        };
        lines.push_str(&table(&points(run.system, trace), self.full));
        let (name, ending) = match &run.ending {
            Some(ending) => ("counterexample", self.paint(ending, RED)),
            None => ("deadlock", "no step is possible from here".to_owned()),
        };
        self.field(name, &format!("{lines}\n{ending}"));
    }

    /// The values that are told apart: that is the assumption under which the property was proved.
    pub(super) fn classes(&mut self, system: &System, clusters: &[Cluster]) {
        let mut text = match clusters.is_empty() {
            true => "no values of variables need to be distinguished".to_owned(),
            false => "the abstraction distinguishes only:".to_owned(),
        };
        let most = if self.full { usize::MAX } else { MOST_CLUSTERS };
        let all = clusters.iter().map(|c| classes(system, c));
        let (single, merged): (Vec<Classes>, Vec<Classes>) = all.partition(|c| c.all_apart);
        for cluster in merged.iter().take(most) {
            text.push_str(&cluster_text(cluster));
        }
        if merged.len() > most {
            let more = count((merged.len() - most) as u64, "more cluster");
            let _ = write!(text, "\nand {more}: --full shows them");
        }
        if !single.is_empty() {
            let names = single.iter().flat_map(|c| &c.vars);
            let names: Vec<String> = names.map(|n| shown(n).into_owned()).collect();
            let _ = write!(text, "\n{}", every_value(&names, self.full));
        }
        let away = abstracted_away(system, clusters) as u64;
        if away > 0 && !clusters.is_empty() {
            let _ = write!(text, "\nand nothing of {}", count(away, "other variable"));
        }
        self.field("assumption", &text);
    }
}

/// One line or more for each state: its number, and what changed; before it the inputs of the step.
fn table(points: &[Point], full: bool) -> String {
    let rows = Cut {
        noun: "state",
        ..ROWS
    };
    let cut = left_out(points.len(), rows, full);
    let digits = points.len().to_string().len().max(2);
    let mut lines = String::new();
    for (at, point) in points.iter().enumerate() {
        if at == cut.start && !cut.is_empty() {
            let _ = write!(lines, "\n{:<digits$}  {}", "…", more(cut.len(), rows.noun));
        }
        if point.is_loop_head && cut.contains(&at) {
            let _ = write!(lines, "\n-- the loop begins at state {}", point.number);
        }
        if cut.contains(&at) {
            continue;
        }
        if !point.inputs.is_empty() {
            let inputs = list(&point.inputs, digits, full);
            let _ = write!(lines, "\n{:<digits$}  {inputs}", "->");
        }
        if point.is_loop_head {
            lines.push_str("\n-- the loop begins here");
        }
        let body = match point.changed.is_empty() {
            true if point.number == 1 => "(whatever the variables are)".to_owned(),
            true => "(nothing changes)".to_owned(),
            false => list(&point.changed, digits, full),
        };
        let _ = write!(lines, "\n{:<digits$}  {body}", point.number);
        if let Some(again) = point.again {
            let _ = write!(lines, "\n-- which is state {again} again");
        }
    }
    lines
}

/// `x = 1, y = idle`, in lines.
fn list(values: &[Named], digits: usize, full: bool) -> String {
    let most = if full { usize::MAX } else { MOST_VALUES };
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

/// `every value of a, b and c`, in lines.
fn every_value(names: &[String], full: bool) -> String {
    let most = if full { usize::MAX } else { MOST_VALUES };
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

fn cluster_text(cluster: &Classes) -> String {
    let names: Vec<_> = cluster.vars.iter().map(|v| shown(v)).collect();
    let classes = match cluster.classes {
        1 => "1 class".to_owned(),
        many => format!("{many} classes"),
    };
    let mut text = format!("\n{}: {classes}", names.join(", "));
    for condition in &cluster.conditions {
        let _ = write!(text, "\n  {}", shown(condition));
    }
    text
}
