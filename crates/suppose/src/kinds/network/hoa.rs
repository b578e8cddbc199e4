//! Labelled transition systems in the Hanoi omega-automata format, for Spot, Owl and other tools on infinite words.
//!
//! A word is an infinite run: its letters are labels. The format has letters made of atomic propositions, so there is one for each label,
//! and on every edge exactly one of them is true. All infinite runs are accepted; finite ones are not words of such an automaton.

use std::fmt::Write;

use suppose_model::lts::{Label, Labels, Lts};

use crate::failure::Failure;

/// The guards of larger automata would fill a disk: each names every label.
const MOST: usize = 20_000_000;

/// The automaton as text.
pub(super) fn write(lts: &Lts, labels: &Labels) -> Result<String, Failure> {
    let mut alphabet: Vec<Label> = lts.alphabet().to_vec();
    if lts.all_edges().any(|(_, label, _)| label.is_tau()) {
        alphabet.push(Label::TAU);
    }
    let edges: Vec<_> = lts.all_edges().collect();
    if edges.len().saturating_mul(alphabet.len()) > MOST {
        let message = format!(
            "the automaton is too large for .hoa, which has all {} labels on each of {} edges",
            alphabet.len(),
            edges.len()
        );
        return Err(Failure::file(message).help("hide labels or minimise it, or write .aut"));
    }
    let name = |label: &Label| match label.is_tau() {
        true => "tau",
        false => labels.name(*label),
    };
    let mut out = String::from("HOA: v1\n");
    let _ = writeln!(out, "name: {}", quoted(lts.name()));
    let _ = writeln!(out, "States: {}\nStart: {}", lts.states(), lts.initial());
    let _ = write!(out, "AP: {}", alphabet.len());
    for label in &alphabet {
        let _ = write!(out, " {}", quoted(name(label)));
    }
    out.push_str("\nacc-name: all\nAcceptance: 0 t\n");
    out.push_str("properties: trans-labels explicit-labels state-acc\n--BODY--\n");
    let mut rest = &edges[..];
    for state in 0..lts.states() as u32 {
        let _ = writeln!(out, "State: {state}");
        let own = rest.iter().take_while(|(source, ..)| *source == state);
        let (own, others) = rest.split_at(own.count());
        rest = others;
        for (_, label, target) in own {
            let _ = writeln!(out, "[{}] {target}", only(&alphabet, *label));
        }
    }
    out.push_str("--END--\n");
    Ok(out)
}

/// The guard that is true when this label is the letter.
fn only(alphabet: &[Label], taken: Label) -> String {
    let literals = alphabet
        .iter()
        .enumerate()
        .map(|(at, label)| match *label == taken {
            true => at.to_string(),
            false => format!("!{at}"),
        });
    literals.collect::<Vec<_>>().join(" & ")
}

/// A string of the format: line breaks and other control characters have no place in a name.
fn quoted(text: &str) -> String {
    let text = suppose_report::shown(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use suppose_model::ltl::hoa;
    use suppose_model::lts::LtsBuilder;

    #[test]
    fn every_edge_is_one_letter_and_the_reader_understands_it() {
        let mut labels = Labels::new();
        let (a, b) = (labels.intern("send \"x\""), labels.intern("back\\slash"));
        let mut builder = LtsBuilder::new("P\nQ");
        builder.edge(0, a, 1).edge(1, b, 0).edge(1, Label::TAU, 1);
        let text = write(&builder.build(), &labels).unwrap();
        let (automaton, atoms) = hoa::read(&text).unwrap();
        assert_eq!(atoms, ["send \"x\"", "back\\slash", "tau"]);
        assert_eq!(automaton.edges.len(), 2);
        assert_eq!(automaton.sets, 0);
        let guards: Vec<u32> = automaton
            .edges
            .iter()
            .flatten()
            .map(|e| e.guard.positive.count_ones())
            .collect();
        assert_eq!(guards, [1, 1, 1]);
        let told: Vec<u32> = automaton
            .edges
            .iter()
            .flatten()
            .map(|e| e.guard.negative.count_ones())
            .collect();
        assert_eq!(told, [2, 2, 2]);
    }
}
