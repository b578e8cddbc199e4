//! An automaton as text, in the manner of FSP.

use std::collections::BTreeMap;
use std::fmt::Write;

use suppose_model::lts::{Labels, Lts, State};

use crate::words::{label_name, shown};

/// `A = Q0, Q0 = (send -> Q1), Q1 = (...) + {unused}.`, one definition a line.
pub(crate) fn process(name: &str, lts: &Lts, labels: &Labels) -> String {
    let mut text = format!("{} = Q{}", shown(name), lts.initial());
    let width = format!("Q{}", lts.states().saturating_sub(1)).len();
    for state in 0..lts.states() as State {
        let own = format!("Q{state}");
        let body = choices(lts, labels, state, width).join(&format!("\n{:width$} | ", ""));
        let _ = match body.is_empty() {
            true => write!(text, ",\n{own:width$} = {}", stopped(lts, state)),
            false => write!(text, ",\n{own:width$} = ({body})"),
        };
    }
    let unused = unused(lts, labels);
    if !unused.is_empty() {
        let _ = write!(
            text,
            "\n{:width$} + {{{}}}",
            "",
            wrapped(&unused, width + 4)
        );
    }
    text.push('.');
    text
}

fn stopped(lts: &Lts, state: State) -> &'static str {
    if lts.error() == Some(state) {
        "ERROR"
    } else if lts.end() == Some(state) {
        "END"
    } else {
        "STOP"
    }
}

/// Columns after which a set of labels goes on in a new line.
const COLUMNS: usize = 72;

/// One choice a target, labels with the same target together.
fn choices(lts: &Lts, labels: &Labels, state: State, indent: usize) -> Vec<String> {
    let mut targets: BTreeMap<State, Vec<String>> = BTreeMap::new();
    for edge in lts.edges(state) {
        let label = shown(&label_name(labels, edge.label)).into_owned();
        targets.entry(edge.target).or_default().push(label);
    }
    let choice = |(target, names): (State, Vec<String>)| match names.as_slice() {
        [one] => format!("{one} -> Q{target}"),
        many => format!("{{{}}} -> Q{target}", wrapped(many, indent + 4)),
    };
    targets.into_iter().map(choice).collect()
}

/// Names separated by commas, in lines.
fn wrapped(names: &[String], indent: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for (at, name) in names.iter().enumerate() {
        let long = name.chars().count() + 2;
        if at > 0 {
            text.push(',');
            match used + long > COLUMNS {
                true => {
                    let _ = write!(text, "\n{:indent$}", "");
                    used = 0;
                }
                false => text.push(' '),
            }
        }
        text.push_str(name);
        used += long;
    }
    text
}

/// Labels of the alphabet that no transition bears: never allowed.
fn unused(lts: &Lts, labels: &Labels) -> Vec<String> {
    let mut borne: Vec<_> = lts.all_edges().map(|(_, label, _)| label).collect();
    borne.sort_unstable();
    borne.dedup();
    let free = |l: &&_| borne.binary_search(l).is_err();
    let name = |l: &_| shown(&label_name(labels, *l)).into_owned();
    lts.alphabet().iter().filter(free).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::lts::LtsBuilder;

    #[test]
    fn long_sets_go_on_in_a_new_line() {
        let mut labels = Labels::new();
        let mut builder = LtsBuilder::new("x");
        for number in 0..20 {
            let label = labels.intern(&format!("client.{number}.request"));
            builder.edge(0, label, 0);
        }
        let text = process("A", &builder.build(), &labels);
        assert!(text.lines().count() > 4);
        assert!(text.lines().all(|l| l.chars().count() <= COLUMNS + 12));
        assert_eq!(text.matches("request").count(), 20);
    }

    #[test]
    fn reads_like_a_process() {
        let mut labels = Labels::new();
        let names = ["send", "out", "ack", "never"];
        let [send, out, ack, never] = names.map(|n| labels.intern(n));
        let mut builder = LtsBuilder::new("x");
        builder.edge(0, send, 1).edge(1, out, 0).edge(1, ack, 0);
        builder.edge(1, send, 2).extend_alphabet([never]);
        assert_eq!(
            process("A", &builder.build(), &labels),
            "A = Q0,\nQ0 = (send -> Q1),\nQ1 = ({out, ack} -> Q0\n   | send -> Q2),\nQ2 = STOP\n   + {never}."
        );
    }
}
